"""The pit at a glance: every open table with its people, its rack and what it took."""

from __future__ import annotations

import asyncio
from typing import cast

from pitbook.house.ledger.interval import between
from pitbook.house.table.events import sheet_id
from pitbook.house.table.facts import reason_text
from pitbook.house.table.history_types import TakingShown
from pitbook.house.table.limits import caps_of, limits_of, required_notice
from pitbook.house.table.past.takings import Taking, summed, takings
from pitbook.house.table.payouts import table_accounts
from pitbook.house.table.session import example_response
from pitbook.house.table.state import TableState, game_of
from pitbook.house.web.access import READERS, ServerDep, allow_routes, authenticated_router
from pitbook.house.web.errors import Answer
from pitbook.house.web.models.floor import FloorTable, LimitsAnnounced, PitFloor, RackAsk
from pitbook.house.web.routes.pit import From, To, report_head
from pitbook.house.web.server import Server
from pitbook.money import money

router = authenticated_router("pit")
allow_routes({"floor": READERS})
TABLE = {"table": "stud-1", "dealer": "dan", "rack": "20000.00", "asked": []}


@router.get(
    "/api/pit/floor",
    name="floor",
    summary="The tables at a glance",
    responses=example_response({"tables": [TABLE], "units": []}),
)
async def floor(server: ServerDep, start: From = None, end: To = None) -> Answer[PitFloor]:
    """Drop, handle, win and hold are of the interval; everything else is as it is now."""
    within = between(start, end)
    found = await asyncio.to_thread(takings, server.house.ledger, within)
    by_name = {one.table: one for one in found}
    states = sorted(
        (one.state for one in server.house.tables.values() if one.state.kind != "practice"),
        key=lambda one: one.table,
    )
    shown = [_table(server, one, by_name.get(one.table)) for one in states if not one.retired]
    told: PitFloor = {
        **report_head(within, any(one.entries for one in found)),
        "tables": shown,
        "units": [_taking(one) for one in summed(found)],
    }
    return Answer(told)


def _table(server: Server, state: TableState, took: Taking | None) -> FloorTable:
    sheet = game_of(state.coming).sheet
    return {
        "table": state.table,
        "kind": state.kind,
        "unit": state.unit,
        "sheet": sheet_id(state.coming),
        "seats": sheet.seats.count,
        "players": {str(seat): name for seat, name in sorted(state.seats.items())},
        "phase": state.round.phase if state.round is not None else "open",
        "stopped": None if state.awaiting is None else reason_text(state.interruption or ""),
        "dealer": state.dealer,
        "rack": money(state.rack),
        "box": money(server.house.ledger.balance(table_accounts(state).box)),
        "limits": limits_of(sheet),
        "caps": caps_of(sheet),
        "announced": _announced(state),
        "notice": required_notice(sheet.house.jurisdiction)[0],
        "asked": _asked(state),
        "taking": None if took is None else _taking(took),
    }


def _announced(state: TableState) -> LimitsAnnounced | None:
    if state.announced is None:
        return None
    sheet = game_of(state.announced["sheet"]).sheet
    return {"at": state.announced["at"], "limits": limits_of(sheet)}


def _asked(state: TableState) -> list[RackAsk]:
    return [
        {
            "number": one.number,
            "what": one.what,
            "amount": money(one.amount),
            "who": one.who,
            "at": one.at.isoformat(),
            "why": one.why,
        }
        for one in state.asked.values()
    ]


def _taking(one: Taking) -> TakingShown:
    return cast(TakingShown, one.document())
