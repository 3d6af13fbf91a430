"""The boxes of tables: emptied and counted into the vault, what is over or short on record."""

from __future__ import annotations

import asyncio
from functools import partial

from pydantic import Field

from pitbook.house.table.cage.asked import box_counted
from pitbook.house.table.cage.counter import Counter
from pitbook.house.table.cage.slips import UNIT, Slip, box_account
from pitbook.house.table.session import example_response
from pitbook.house.web.access import (
    READERS,
    SUPERVISOR,
    Caller,
    ServerDep,
    allow_routes,
    authenticated_router,
)
from pitbook.house.web.errors import Answer, Problem
from pitbook.house.web.models.counter import Boxes
from pitbook.house.web.routes.cage import CONFLICT, Passed
from pitbook.house.web.routes.counter import CashCount, pass_over
from pitbook.house.web.server import Server
from pitbook.house.web.tables import counted
from pitbook.money import Cents, dollars
from pitbook.text import say

router = authenticated_router("cage")
allow_routes({"boxes": READERS, "count_box": SUPERVISOR})
BOX = {"table": "stud-1", "holds": "1250.00", "last": 17, "open": True}


class CountOfBox(CashCount):
    """What somebody counted, and the count before it as that one knows it.

    Two who count the same money are so told apart from two boxes full.
    """

    last: int = Field(ge=0, le=10**9, examples=[0])


@router.get(
    "/api/counter/boxes",
    name="boxes",
    summary="The boxes of tables, and how they were counted",
    responses=example_response({"boxes": [BOX], "counts": [], "currencies": {}}),
)
async def see_boxes(server: ServerDep) -> Answer[Boxes]:
    """Also that of a closed table, as long as something lies in it."""
    counter = await asyncio.to_thread(server.house.cage.read_on)
    told = partial(counted.boxes, counter, server.house.ledger, open_=_open(server))
    return Answer(await asyncio.to_thread(told))


@router.post(
    "/api/counter/boxes/{table}/count",
    name="count_box",
    summary="Empty a box and count it into the vault",
    responses=CONFLICT,
)
async def count_box(table: str, given: CountOfBox, who: Caller, server: ServerDep) -> Passed:
    """What is over or short is on record; the drop is what was counted."""
    amount, box = dollars(given.counted), box_account(table)
    if table not in _open(server) and box not in server.house.ledger.balances(UNIT):
        raise Problem(404, say("web.cage.no-box", table=repr(table)))

    def decide(counter: Counter) -> Slip:
        expected = Cents(server.house.ledger.balance(box))
        return box_counted(counter, table, amount, expected=expected, last=given.last)

    wanted = {"do": "count-box", "table": table, "counted": amount, "last": given.last}
    return await pass_over(server, who, given.request, wanted, decide)


def _open(server: Server) -> set[str]:
    """Tables at which dollars are changed for chips."""
    states = (one.state for one in server.house.tables.values())
    return {one.table for one in states if one.unit == UNIT and not one.retired}
