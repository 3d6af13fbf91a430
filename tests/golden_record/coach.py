"""The coach at a table of one's own: advice, plays weighed, the log, a spot once more."""

from __future__ import annotations

import asyncio
import tempfile
from pathlib import Path
from typing import Any

from tests.golden_record import shelf
from tests.golden_record.adapter import Json, house
from tests.golden_record.kinds import Kind, Made
from tests.golden_record.tables import CLOCKS, SHEETS
from tests.golden_record.wire import Visitor, blank

ROUNDS = 3
# Of large games the server tells after some seconds that they are too large, so they tell nothing.
LARGE = ("unusual/four-card-hi-lo", "golden/hi-lo-3", "golden/street-stud-2")
COACHED = tuple(one for one in SHEETS if one not in LARGE)


def coached(sheet: str, name: str) -> Made:
    """Some rounds with the coach, and everything it said."""
    with tempfile.TemporaryDirectory() as folder:
        return asyncio.run(_coached(sheet, Path(folder)))


async def _coached(sheet: str, path: Path) -> Made:
    async with house(path, "ann") as (app, cookies, open_table):
        more = {"unit": "play", "owner": "ann", "clocks": CLOCKS}
        await open_table("p", "practice", sheet, **more)
        ann, luck = Visitor(app, "ann", cookies["ann"]), shelf.luck("coach", sheet)
        said: list[Json] = [await ann.do("p", do="sit", seat=1)]
        for _ in range(ROUNDS):
            await _bet(ann)
            said.append(await ann.do("p", do="close-betting"))
            while plays := await _plays(ann):
                said += await _advised(ann, plays)
                said.append(await ann.do("p", do="decide", seat=1, play=luck.choice(plays)))
        paths = ("/api/tables/p/coach", "/api/tables/p/rounds", "/api/coach", "/api/tables/p")
        pages = {one: await ann.get(one) for one in paths}
        pages["guest"] = await Visitor(app, "guest", cookies["guest"]).get(paths[0])
        spot = await ann.post("/api/tables/p/spots", {"round": "p-000001", "stage": 0})
    return {"said": blank(said), "spot": blank(spot), "pages": blank(pages)}


async def _bet(ann: Visitor) -> None:
    for offer in (await ann.get("/api/tables/p"))[1]["offers"]:
        if offer["do"] == "put-wager" and offer["seat"] == 1:
            wager = {"wager": offer["wager"], "amount": offer["min"]}
            await ann.do("p", do="put-wager", seat=1, **wager)


async def _plays(ann: Visitor) -> list[str]:
    """What the seat may play now."""
    view: Any = (await ann.get("/api/tables/p"))[1]
    mine = [one for one in view["offers"] if one["do"] == "decide" and one["seat"] == 1]
    return [one["play"] for offer in mine for one in offer["choices"] if "refused" not in one]


async def _advised(ann: Visitor, plays: list[str]) -> list[Json]:
    """A hint, and the first and the last play weighed."""
    hint = await ann.post("/api/tables/p/advice", {"seat": 1})
    asked = [{"seat": 1, "play": one} for one in (plays[0], plays[-1])]
    return [hint, *[await ann.post("/api/tables/p/weigh", one) for one in asked]]


KINDS = (
    Kind(
        "coach", lambda: COACHED, lambda batch: ["rounds"], coached, batches_sampled=2, grows=True
    ),
)
