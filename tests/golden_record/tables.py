"""Whole rounds at live tables: what everybody sees, is offered, is told and is refused."""

from __future__ import annotations

import asyncio
import json
import tempfile
from pathlib import Path
from random import Random
from typing import Any

from tests.golden_record import shelf
from tests.golden_record.adapter import Json, asked, house
from tests.golden_record.kinds import Kind, Made
from tests.golden_record.wire import Visitor, blank

PLAYERS = {1: "ann", 2: "bob"}
CLOCKS = {"betting": None, "decision": None}
LOOKS = ("ann", "bob", "dee")  # After every command; the others now and then.
OTHERS = ("sue", "abe", "ben", "guest")
SHEETS = (
    *shelf.BUNDLED,
    *("unusual/bets-withdrawn", "unusual/three-hole-cards", "unusual/four-card-hi-lo"),
    *("golden/hi-lo-1", "golden/hi-lo-3", "golden/street-stud-2", "golden/street-stud-4"),
)
# What happens in each round between the deal and the first decision, and who does it.
MISHAPS: tuple[tuple[tuple[str, Json], ...], ...] = (
    (),
    (
        ("dee", {"do": "expose-card", "place": 1}),
        ("dee", {"do": "expose-card", "place": "board"}),
        ("sue", {"do": "void-hand", "seat": 2, "reason": "supervisor", "why": "a drink fell"}),
        ("dee", {"do": "warn", "seat": 1, "breach": "cards off the table"}),
    ),
    (
        ("sue", {"do": "interrupt", "why": "the lights went out"}),
        ("ann", {"do": "agree", "seat": 1, "finish": True}),
        ("bob", {"do": "agree", "seat": 2, "finish": False}),
        ("sue", {"do": "go-on", "why": "light again"}),
    ),
    (("dee", {"do": "misdeal", "reason": "boxed card"}),),
)


class Evening:
    """A table in play; everything that is done, answered and seen is kept."""

    def __init__(self, app: Any, cookies: dict[str, tuple[str, str]], luck: Random) -> None:
        self.people = {name: Visitor(app, name, cookie) for name, cookie in cookies.items()}
        self.luck, self.table = luck, "t"
        self.done: list[Json] = []
        self.views: list[Json] = []
        self.events: dict[str, list[Json]] = {}
        self.version = 0

    async def do(self, who: str, **command: Any) -> Json:
        """A command, its answer, and the table as it is seen then."""
        answer = await self.people[who].do(self.table, **command)
        self.done.append([who, command, *answer])
        names = [*LOOKS, OTHERS[len(self.done) % len(OTHERS)]]
        self.views.append({name: (await self.look(name)) for name in names})
        return answer

    async def look(self, who: str) -> Json:
        """The table as somebody sees it."""
        status, view = await self.people[who].get(f"/api/tables/{self.table}")
        return view if status == 200 else [status, view]

    async def round(self, number: int, mishaps: tuple[tuple[str, Json], ...]) -> None:
        """Wagers, the deal, what goes wrong, decisions; then what sockets told of it."""
        for seat, who in PLAYERS.items():
            await self._bet(number, seat, who)
        await self.do("bob", do="decide", seat=1, play="1x")
        await self.do("dee", do="close-betting")
        for who, command in mishaps:
            await self.do(who, **command)
        while await self._decided():
            pass
        await self.do("ann", do="decide", seat=1, play="fold")
        for name in (*LOOKS, *OTHERS):
            told = await self.people[name].events(self.table, self.version)
            self.events.setdefault(name, []).extend(told)
        view = await self.look("dee")
        self.version = view["version"]

    async def _bet(self, number: int, seat: int, who: str) -> None:
        if number == 3:
            await self.do(who, do="rebet", seat=seat)
            return
        await self.do(who, do="put-wager", seat=seat, wager="ante", amount="0.01")
        for offer in (await self.look(who))["offers"]:
            if offer["do"] == "put-wager" and offer["seat"] == seat:
                amount = offer["min"] if number else offer.get("max", offer["min"])
                wager = {"wager": offer["wager"], "amount": amount}
                await self.do(who, do="put-wager", seat=seat, **wager)

    async def _decided(self) -> bool:
        """Every seat that may play does; whether any did."""
        before = len(self.done)
        for seat, who in PLAYERS.items():
            for offer in (await self.look(who)).get("offers", []):
                if offer["do"] == "decide" and offer["seat"] == seat:
                    able = [one["play"] for one in offer["choices"] if "refused" not in one]
                    if able:
                        await self.do(who, do="decide", seat=seat, play=self.luck.choice(able))
        return len(self.done) > before

    async def looked_up(self) -> Json:
        """History, records, proofs, and why a seat was paid what it was."""
        paths = [
            *(f"/api/tables/t/rounds/t-00000{n}" for n in (1, 2, 3, 4)),
            *("/api/tables/t/rounds", "/api/tables/t/sheet", "/api/tables", "/api/rounds"),
            *("/api/pit/explain/t-000001/1", "/api/pit/explain/t-000002/2", "/api/pit/drop"),
            *("/api/pit/interruptions", "/api/coach", "/api/tables/t/rounds/t-000001/proof"),
        ]
        return {
            name: {path: await self.people[name].get(path) for path in paths}
            for name in ("ann", "bob", "sue", "abe", "guest")
        }


def first_round(sheet: str, name: str) -> Made:
    """The first round of a table alone."""
    with tempfile.TemporaryDirectory() as folder:
        made = asyncio.run(_played(sheet, Path(folder), 1))
    return {part: made[part] for part in ("answers", "views", "events")}


def played(sheet: str, name: str) -> Made:
    """One table of a sheet from the first wager to the records of its rounds."""
    with tempfile.TemporaryDirectory() as folder:
        return asyncio.run(_played(sheet, Path(folder), len(MISHAPS)))


async def _played(sheet: str, path: Path, rounds: int) -> Made:
    async with house(path, *PLAYERS.values()) as (app, cookies, open_table):
        await open_table("t", "house", sheet, unit="usd", clocks=CLOCKS, coach=False)
        evening = Evening(app, cookies, shelf.luck("tables", sheet))
        await evening.do("sue", do="fill", amount="15000.00", why="the evening begins")
        for seat, who in PLAYERS.items():
            await evening.do(who, do="sit", seat=seat)
        for number, mishaps in enumerate(MISHAPS[:rounds]):
            await evening.round(number, mishaps)
        pages = await evening.looked_up() if rounds > 1 else {}
    made = {"answers": evening.done, "views": evening.views, "events": evening.events}
    if pages:
        proof = pages["ann"]["/api/tables/t/rounds/t-000001/proof"][1]
        made |= {"pages": pages, "proof": verified(proof)}
    return {part: blank(value) for part, value in made.items()}


def verified(proof: Json) -> Json:
    """What `pitbook verify-deal` says to a proof, as it is and with another card."""
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "proof.json"
        file.write_text(json.dumps(proof), encoding="utf-8")
        return asked("verify-deal", str(file), "--json")


KINDS = (
    Kind(
        "table", lambda: SHEETS, lambda batch: ["round"], first_round, batches_sampled=2, grows=True
    ),
    Kind(
        "tables", lambda: SHEETS, lambda batch: ["evening"], played, batches_sampled=0, grows=True
    ),
)
