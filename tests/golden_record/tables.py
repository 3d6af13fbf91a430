"""Whole rounds at live tables: views, offers, events and refusals of every person."""

from __future__ import annotations

import asyncio
import json
import tempfile
from pathlib import Path
from random import Random
from typing import Any

from tests.golden_record import shelf
from tests.golden_record.adapter import Json, house, run_command
from tests.golden_record.kinds import ItemParts, Kind
from tests.golden_record.wire import Visitor, mask_varying_parts

PLAYERS = {1: "ann", 2: "bob"}
CLOCKS = {"betting": None, "decision": None}
# These views are recorded after every command, others occasionally.
FREQUENT_VIEWERS = "ann", "bob", "dee"
OTHER_VIEWERS = ("sue", "abe", "ben", "guest")
SHEETS = (
    *shelf.BUNDLED,
    *("unusual/bets-withdrawn", "unusual/three-hole-cards", "unusual/four-card-hi-lo"),
    *("golden/hi-lo-1", "golden/hi-lo-3", "golden/street-stud-2", "golden/street-stud-4"),
)
# What happens in each round between the deal and the first decision, and who causes it.
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


class TablePlay:
    """A table in play; commands, answers and views are collected."""

    def __init__(self, app: Any, cookies: dict[str, tuple[str, str]], rng: Random) -> None:
        self.people = {name: Visitor(app, name, cookie) for name, cookie in cookies.items()}
        self.luck, self.table = rng, "t"
        self.commands: list[Json] = []
        self.views: list[Json] = []
        self.events: dict[str, list[Json]] = {}
        self.version = 0

    async def send(self, person: str, **command: Any) -> Json:
        """Send a command; record its answer and the views after it."""
        response = await self.people[person].send_command(self.table, **command)
        self.commands.append([person, command, *response])
        names = [*FREQUENT_VIEWERS, OTHER_VIEWERS[len(self.commands) % len(OTHER_VIEWERS)]]
        self.views.append({name: (await self.view_of(name)) for name in names})
        return response

    async def view_of(self, person: str) -> Json:
        """The table as a person sees it."""
        status, view = await self.people[person].get(f"/api/tables/{self.table}")
        return view if status == 200 else [status, view]

    async def play_round(self, number: int, mishaps: tuple[tuple[str, Json], ...]) -> None:
        """Play a round: wagers, deal, mishaps, decisions; then collect the socket events."""
        for seat, person in PLAYERS.items():
            await self._bet(number, seat, person)
        await self.send("bob", do="decide", seat=1, play="1x")
        await self.send("dee", do="close-betting")
        for person, command in mishaps:
            await self.send(person, **command)
        while await self._decide_all():
            pass
        await self.send("ann", do="decide", seat=1, play="fold")
        for name in (*FREQUENT_VIEWERS, *OTHER_VIEWERS):
            new_events = await self.people[name].events(self.table, self.version)
            self.events.setdefault(name, []).extend(new_events)
        view = await self.view_of("dee")
        self.version = view["version"]

    async def _bet(self, number: int, seat: int, player: str) -> None:
        if number == 3:
            await self.send(player, do="rebet", seat=seat)
            return
        await self.send(player, do="put-wager", seat=seat, wager="ante", amount="0.01")
        for offer in (await self.view_of(player))["offers"]:
            if offer["do"] == "put-wager" and offer["seat"] == seat:
                amount = offer["min"] if number else offer.get("max", offer["min"])
                wager = {"wager": offer["wager"], "amount": amount}
                await self.send(player, do="put-wager", seat=seat, **wager)

    async def _decide_all(self) -> bool:
        """Make a decision for every seat that may act; return whether any did."""
        commands_before = len(self.commands)
        for seat, player in PLAYERS.items():
            for offer in (await self.view_of(player)).get("offers", []):
                if offer["do"] == "decide" and offer["seat"] == seat:
                    allowed = [
                        choice["play"] for choice in offer["choices"] if "refused" not in choice
                    ]
                    if allowed:
                        await self.send(
                            player, do="decide", seat=seat, play=self.luck.choice(allowed)
                        )
        return len(self.commands) > commands_before

    async def history_pages(self) -> Json:
        """History, records, proofs, and explanations of payouts."""
        paths = [
            *(f"/api/tables/t/rounds/t-00000{number}" for number in (1, 2, 3, 4)),
            *("/api/tables/t/rounds", "/api/tables/t/sheet", "/api/tables", "/api/rounds"),
            *("/api/pit/explain/t-000001/1", "/api/pit/explain/t-000002/2", "/api/pit/drop"),
            *("/api/pit/interruptions", "/api/coach", "/api/tables/t/rounds/t-000001/proof"),
        ]
        return {
            name: {path: await self.people[name].get(path) for path in paths}
            for name in ("ann", "bob", "sue", "abe", "guest")
        }


def record_first_round(sheet: str, name: str) -> ItemParts:
    """Only the first round of a table."""
    with tempfile.TemporaryDirectory() as folder:
        parts = asyncio.run(_play_table(sheet, Path(folder), 1))
    return {part: parts[part] for part in ("answers", "views", "events")}


def record_table(sheet: str, name: str) -> ItemParts:
    """A table of a sheet, from the first wager to the records of its rounds."""
    with tempfile.TemporaryDirectory() as folder:
        return asyncio.run(_play_table(sheet, Path(folder), len(MISHAPS)))


async def _play_table(sheet: str, path: Path, rounds: int) -> ItemParts:
    async with house(path, *PLAYERS.values()) as (app, cookies, open_table):
        await open_table("t", "house", sheet, unit="usd", clocks=CLOCKS, coach=False)
        evening = TablePlay(app, cookies, shelf.seeded_random("tables", sheet))
        await evening.send("sue", do="fill", amount="15000.00", why="the evening begins")
        for seat, player in PLAYERS.items():
            await evening.send(player, do="sit", seat=seat)
        for number, mishaps in enumerate(MISHAPS[:rounds]):
            await evening.play_round(number, mishaps)
        pages = await evening.history_pages() if rounds > 1 else {}
    parts = {"answers": evening.commands, "views": evening.views, "events": evening.events}
    if pages:
        proof = pages["ann"]["/api/tables/t/rounds/t-000001/proof"][1]
        parts |= {"pages": pages, "proof": verify_proof(proof)}
    return {part: mask_varying_parts(document) for part, document in parts.items()}


def verify_proof(proof: Json) -> Json:
    """The answer of `pitbook verify-deal` to a proof."""
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "proof.json"
        file.write_text(json.dumps(proof), encoding="utf-8")
        return run_command("verify-deal", str(file), "--json")


KINDS = (
    Kind(
        "table",
        lambda: SHEETS,
        lambda batch: ["round"],
        record_first_round,
        batches_sampled=2,
        grows=True,
    ),
    Kind(
        "tables",
        lambda: SHEETS,
        lambda batch: ["evening"],
        record_table,
        batches_sampled=0,
        grows=True,
    ),
)
