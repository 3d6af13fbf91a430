"""The coach at a practice table: advice, plays compared, the log, and a repeated spot."""

from __future__ import annotations

import asyncio
import tempfile
from pathlib import Path
from typing import Any

from tests.golden_record import shelf
from tests.golden_record.adapter import Json, house
from tests.golden_record.kinds import ItemParts, Kind
from tests.golden_record.tables import CLOCKS, SHEETS
from tests.golden_record.wire import Visitor, mask_varying_parts

ROUNDS = 3
# For large games the server refuses only after some seconds, so they are left out.
LARGE = ("unusual/four-card-hi-lo", "golden/hi-lo-3", "golden/street-stud-2")
COACHED_SHEETS = tuple(sheet for sheet in SHEETS if sheet not in LARGE)


def record_coach(sheet: str, name: str) -> ItemParts:
    """Some rounds with the coach, and all its answers."""
    with tempfile.TemporaryDirectory() as folder:
        return asyncio.run(_play_with_coach(sheet, Path(folder)))


async def _play_with_coach(sheet: str, path: Path) -> ItemParts:
    async with house(path, "ann") as (app, cookies, open_table):
        options = {"unit": "play", "owner": "ann", "clocks": CLOCKS}
        await open_table("p", "practice", sheet, **options)
        ann, rng = Visitor(app, "ann", cookies["ann"]), shelf.seeded_random("coach", sheet)
        answers: list[Json] = [await ann.send_command("p", do="sit", seat=1)]
        for _ in range(ROUNDS):
            await _bet(ann)
            answers.append(await ann.send_command("p", do="close-betting"))
            while plays := await _legal_plays(ann):
                answers += await _ask_advice(ann, plays)
                answers.append(
                    await ann.send_command("p", do="decide", seat=1, play=rng.choice(plays))
                )
        paths = ("/api/tables/p/coach", "/api/tables/p/rounds", "/api/coach", "/api/tables/p")
        pages = {path_: await ann.get(path_) for path_ in paths}
        pages["guest"] = await Visitor(app, "guest", cookies["guest"]).get(paths[0])
        spot = await ann.post("/api/tables/p/spots", {"round": "p-000001", "stage": 0})
    return {
        "said": mask_varying_parts(answers),
        "spot": mask_varying_parts(spot),
        "pages": mask_varying_parts(pages),
    }


async def _bet(ann: Visitor) -> None:
    for offer in (await ann.get("/api/tables/p"))[1]["offers"]:
        if offer["do"] == "put-wager" and offer["seat"] == 1:
            wager = {"wager": offer["wager"], "amount": offer["min"]}
            await ann.send_command("p", do="put-wager", seat=1, **wager)


async def _legal_plays(ann: Visitor) -> list[str]:
    """The plays that the seat may make now."""
    view: Any = (await ann.get("/api/tables/p"))[1]
    decisions = [
        offer for offer in view["offers"] if offer["do"] == "decide" and offer["seat"] == 1
    ]
    return [
        choice["play"]
        for decision in decisions
        for choice in decision["choices"]
        if "refused" not in choice
    ]


async def _ask_advice(ann: Visitor, plays: list[str]) -> list[Json]:
    """A hint, and a comparison of the first and the last play."""
    hint = await ann.post("/api/tables/p/advice", {"seat": 1})
    requests = [{"seat": 1, "play": play} for play in (plays[0], plays[-1])]
    return [hint, *[await ann.post("/api/tables/p/weigh", request) for request in requests]]


KINDS = (
    Kind(
        "coach",
        lambda: COACHED_SHEETS,
        lambda batch: ["rounds"],
        record_coach,
        batches_sampled=2,
        grows=True,
    ),
)
