"""Routes of the pit: disable games and players, reports, and the floor view."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from importlib.metadata import version
from typing import Annotated, Any, Literal, NotRequired, TypeVar, cast

from fastapi import Query
from pydantic import BaseModel, ConfigDict, Field
from typing_extensions import TypedDict

from pitbook.errors import LedgerError, RoundError
from pitbook.house.cage.slips import UNIT
from pitbook.house.inspect.significant_events import find_significant_events
from pitbook.house.inspect.table_results import (
    TableResult,
    currencies,
    no_activity_note,
    sum_by_unit,
    table_results,
)
from pitbook.house.ledger.accounts import unit_currency
from pitbook.house.ledger.append_batch import Receipt
from pitbook.house.ledger.ledger import Ledger
from pitbook.house.ledger.queries import Interval, format_time, parse_interval
from pitbook.house.ledger.writer import utc_now
from pitbook.house.people.account_register import find_person
from pitbook.house.table.events import sheet_id
from pitbook.house.table.explain import explain_seat
from pitbook.house.table.facts import TableKind, reason_text
from pitbook.house.table.limits import PayoutCap, caps_of, limits_of, required_notice
from pitbook.house.table.live_tables import interrupted_tables
from pitbook.house.table.round_types import SeatExplanation
from pitbook.house.table.routes import ChangeRecorded
from pitbook.house.table.state import TableState
from pitbook.house.table.stored_sheets import game_of
from pitbook.house.table.table_session import (
    check_request_id,
    example_response,
    not_printable_message,
)
from pitbook.house.table.transfers import table_accounts
from pitbook.house.table.view_types import SheetId
from pitbook.house.web.access import (
    READERS,
    SUPERVISOR,
    Caller,
    ServerDep,
    allow_routes,
    authenticated_router,
)
from pitbook.house.web.errors import Answer, Error, Problem
from pitbook.house.web.languages import set_currency
from pitbook.house.web.server import Server
from pitbook.house.web.services import ServicesDep
from pitbook.house.web.sheets_api import NO_SHEET, find_sheet
from pitbook.money import money
from pitbook.text import say, sentence_of


class TableTotals(TypedDict):
    """The results of a table or a unit: opener, movements, closer.

    `currency` is absent for US dollars; each currency has its own totals.
    """

    table: NotRequired[str]
    unit: str
    currency: NotRequired[str]
    opening: str
    fills: str
    credits: str
    drop: str
    handle: str
    win: str
    closing: str
    hold: str | None
    hold_percent: float | None
    kept_percent: float | None
    rounds: int
    hands_an_hour: float | None
    reconciles: bool
    off: str
    note: str | None


class SignificantEventView(TypedDict):
    """Who, when, before, after and why; the changed fields depend on the kind."""

    at: str
    stream: str
    seq: int
    who: str
    what: str
    before: dict[str, Any] | None
    after: dict[str, Any] | None
    why: str | None
    round: str | None


# "from" is a Python keyword.
Report = TypedDict(
    "Report",
    {"from": str | None, "to": str | None, "generated": str, "version": str, "note": str | None},
)


class SignificantEvents(Report):
    """Significant events, oldest first; `left_out` counts earlier ones.

    `currencies`: of tables not in US dollars.
    """

    events: list[SignificantEventView]
    left_out: int
    currencies: dict[str, str]


class Interruption(TypedDict):
    """An interrupted hand, and each player's answer whether to finish it.

    `currency` of the held amount; absent for US dollars.
    """

    table: str
    round: str
    why: str | None
    answers: dict[str, bool | None]
    until: str | None
    held: str
    currency: NotRequired[str]
    clause: str


class InterruptedHands(TypedDict):
    """Hands that wait for an answer."""

    interruptions: list[Interruption]


class TableResultsReport(Report):
    """Drop, win, hold, fills and credits by table, with subtotals by unit."""

    tables: list[TableTotals]
    units: list[TableTotals]
    reconciles: bool


class GuestWithMoney(TypedDict):
    """A player with chips and no account, and the table where they sit."""

    player: str
    balance: str
    table: str | None


class GuestsWithMoney(TypedDict):
    """All players to be cashed out by name."""

    guests: list[GuestWithMoney]


class RackRequestView(TypedDict):
    """A fill or credit that waits for a second person."""

    number: int
    what: Literal["fill", "credit"]
    amount: str
    who: str
    at: str
    why: str


class AnnouncedLimits(TypedDict):
    """Announced limits and when they take effect."""

    at: str
    limits: dict[str, dict[str, str]]


class FloorTable(TypedDict):
    """One table, its main wager's limits first.

    `caps` are its maximum payouts; `notice` is the minutes of notice its state requires before a
    change.
    """

    table: str
    kind: TableKind
    unit: str
    sheet: SheetId
    seats: int
    players: dict[str, str]
    phase: str
    stopped: str | None
    dealer: str
    rack: str
    box: str
    limits: dict[str, dict[str, str]]
    caps: list[PayoutCap]
    announced: AnnouncedLimits | None
    notice: int
    asked: list[RackRequestView]
    taking: TableTotals | None


class PitFloor(Report):
    """All open tables, and the totals by unit."""

    tables: list[FloorTable]
    units: list[TableTotals]


router = authenticated_router("pit")
allow_routes(
    {
        "disable_player": SUPERVISOR,
        "enable_player": SUPERVISOR,
        "disable_game": SUPERVISOR,
        "enable_game": SUPERVISOR,
        "shut": READERS,
        "significant_events": READERS,
        "interruptions": READERS,
        "explain": READERS,
        "drop": READERS,
        "guests_with_money": READERS,
        "floor": READERS,
    }
)

EVENTS_MAX = 1_000
Row = TypeVar("Row")
NOBODY: dict[int | str, dict[str, Any]] = {404: {"model": Error, "description": "No such person."}}
REUSED: dict[int | str, dict[str, Any]] = {
    409: {"model": Error, "description": "The request id was reused with another body."}
}
EXPLAINED = {"round": "stud-1-000004", "seat": 1, "player": "ann", "net": "-10.00", "differs": []}
HEAD = {
    "from": None,
    "to": None,
    "generated": "2026-11-15T18:30:00.000000+00:00",
    "version": "pitbook 0.5.0",
    "note": "no activity",
}
EVENT = {
    "at": "2026-11-15T18:30:00.000000+00:00",
    "stream": "table/stud-1",
    "seq": 7,
    "who": "sue",
    "what": "fill",
    "before": {"rack": "100.00"},
    "after": {"rack": "600.00"},
    "why": "fill",
    "round": None,
}
EVENTS = HEAD | {"events": [EVENT], "left_out": 0, "currencies": {}}
TAKINGS = HEAD | {"tables": [], "units": [], "reconciles": True}
WAITING = {"table": "stud-1", "round": "stud-1-000004", "why": "the table was stopped"}
From = Annotated[str | None, Query(alias="from", max_length=40, examples=["2026-11-15"])]
To = Annotated[str | None, Query(alias="to", max_length=40, examples=["2026-11-15T18:30"])]


class _Body(BaseModel):
    model_config = ConfigDict(extra="forbid", strict=True)


class DisableReason(_Body):
    """A reason for the record."""

    why: str = Field(min_length=1, max_length=200, examples=["asked to be kept out"])
    request: str | None = Field(None, max_length=1_000, examples=["sue-3"])


class DisabledLists(BaseModel):
    """Disabled games and players with reasons."""

    games: dict[str, str] = Field(examples=[{"oceanfront/mississippi-stud": "new rules come"}])
    players: dict[str, str] = Field(examples=[{"ann": "asked to be kept out"}])


@router.post(
    "/api/pit/players/{name}/disable",
    name="disable_player",
    summary="Disable betting for a player",
    responses={**NOBODY, **REUSED},
)
async def disable_player(
    name: str, body: DisableReason, caller: Caller, services: ServicesDep
) -> ChangeRecorded:
    """Hands in play are finished. The player can still sign in and cash out."""
    return await _change(
        services, "player", _require_player(services, name), body, caller.name, shut=True
    )


@router.post(
    "/api/pit/players/{name}/enable",
    name="enable_player",
    summary="Enable betting for a player",
    responses={**NOBODY, **REUSED},
)
async def enable_player(
    name: str, body: DisableReason, caller: Caller, services: ServicesDep
) -> ChangeRecorded:
    """Effective immediately."""
    return await _change(
        services, "player", _require_player(services, name), body, caller.name, shut=False
    )


@router.post(
    "/api/pit/sheets/{venue}/{game}/disable",
    name="disable_game",
    summary="Disable a game",
    responses={**NO_SHEET, **REUSED},
)
async def disable_game(
    venue: str, game: str, body: DisableReason, caller: Caller, services: ServicesDep
) -> ChangeRecorded:
    """Applies to every table with these rules; hands in play are finished."""
    name = find_sheet(services.sheets, f"{venue}/{game}").id
    return await _change(services, "game", name, body, caller.name, shut=True)


@router.post(
    "/api/pit/sheets/{venue}/{game}/enable",
    name="enable_game",
    summary="Enable a game",
    responses={**NO_SHEET, **REUSED},
)
async def enable_game(
    venue: str, game: str, body: DisableReason, caller: Caller, services: ServicesDep
) -> ChangeRecorded:
    """Effective immediately."""
    name = find_sheet(services.sheets, f"{venue}/{game}").id
    return await _change(services, "game", name, body, caller.name, shut=False)


async def _change(
    services: ServicesDep,
    what: Literal["game", "player"],
    name: str,
    body: DisableReason,
    actor: str,
    *,
    shut: bool,
) -> ChangeRecorded:
    if not body.why.isprintable():
        raise Problem(400, not_printable_message("why"))
    request = None if body.request is None else check_request_id(body.request)
    change = services.pit.disable if shut else services.pit.enable
    receipt: Receipt = await change(what, name, why=body.why, actor=actor, request=request)
    return ChangeRecorded(seq=receipt.seq, hash=receipt.hash)


def _require_player(services: ServicesDep, name: str) -> str:
    if name not in services.server.people.catch_up().people:
        raise Problem(404, say("web.people.not-known-here"))
    return name


@router.get("/api/pit/shut", name="shut", summary="List disabled games and players")
async def list_disabled(services: ServicesDep) -> DisabledLists:
    """Disabled games and players with reasons."""
    return DisabledLists(
        games=services.pit.all_disabled("game"), players=services.pit.all_disabled("player")
    )


@router.get(
    "/api/pit/events",
    name="significant_events",
    summary="List significant events",
    responses=example_response(EVENTS),
)
async def significant_events(
    server: ServerDep, start: From = None, end: To = None
) -> Answer[SignificantEvents]:
    """Who, when, before, after and why; a plain date is the whole day, times are UTC."""
    within = parse_interval(start, end)
    events_found = await _run_report(find_significant_events, server, within)
    events = [cast(SignificantEventView, event.document()) for event in events_found[-EVENTS_MAX:]]
    body: SignificantEvents = {
        **report_head(within, bool(events)),
        "events": events,
        "left_out": len(events_found) - len(events),
        "currencies": await asyncio.to_thread(currencies, server.house.ledger),
    }
    return Answer(body)


@router.get(
    "/api/pit/interruptions",
    name="interruptions",
    summary="List interrupted hands",
    responses=example_response({"interruptions": [WAITING]}),
)
async def interruptions(server: ServerDep) -> Answer[InterruptedHands]:
    """Interrupted hands whose players must agree whether to finish them."""
    house = server.house
    states_by_stream = {table.stream: table.state for table in house.tables.values()}
    others = await asyncio.to_thread(interrupted_tables, house.ledger, states_by_stream)
    states = [state for state in states_by_stream.values() if state.awaiting is not None] + others
    waiting = [_interruption_view(state) for state in sorted(states, key=lambda state: state.table)]
    return Answer({"interruptions": waiting})


def _interruption_view(state: TableState) -> Interruption:
    assert state.awaiting is not None
    assert state.round is not None
    stakes = (state.round.open_stakes(seat) for seat in state.round.seats)
    held = sum(amount for seat in stakes for _, amount in seat)
    sheet = state.round.game.sheet
    interruption: Interruption = {
        "table": state.table,
        "round": state.round_id,
        "why": state.interruption and reason_text(state.interruption),
        "answers": dict(state.awaiting),
        "until": state.deadlines.get("agree"),
        "held": money(held),
        "clause": sheet.irregularities.interruption.clause,
    }
    if currency := unit_currency(state.unit, sheet.house.currency):
        interruption["currency"] = currency
    return interruption


@router.get(
    "/api/pit/explain/{round}/{seat}",
    name="explain",
    summary="Explain a seat's payout",
    responses={
        404: {"model": Error, "description": "No such round."},
        409: {"model": Error, "description": "The seat is not settled."},
        **example_response(EXPLAINED),
    },
)
async def explain(round: str, seat: int, server: ServerDep) -> Answer[SeatExplanation]:
    """Wagers, decisions, cards, payouts, clauses and limits, replayed from the ledger."""
    try:
        explanation = await asyncio.to_thread(explain_seat, server.house.ledger, round, seat)
    except RoundError as error:
        raise Problem(404, sentence_of(error)) from None
    if explanation.settlement is None:  # Until then, only its player may see a hand.
        message = say("web.rounds.not-settled", round=explanation.record.id, seat=seat)
        raise Problem(409, message)
    set_currency(explanation.currency)
    return Answer(cast(SeatExplanation, explanation.document()))


@router.get(
    "/api/pit/drop",
    name="drop",
    summary="Report drop and hold by table",
    responses=example_response(TAKINGS),
)
async def drop(server: ServerDep, start: From = None, end: To = None) -> Answer[TableResultsReport]:
    """Opener, fills, credits, drop, win, hold and closer, and whether they add up."""
    within = parse_interval(start, end)
    results = await _run_report(table_results, server, within)
    body: TableResultsReport = {
        **report_head(within, any(result.entries for result in results)),
        "tables": [cast(TableTotals, result.document()) for result in results],
        "units": [cast(TableTotals, result.document()) for result in sum_by_unit(results)],
        "reconciles": not any(result.variance for result in results),
    }
    return Answer(body)


@router.get(
    "/api/pit/guests",
    name="guests_with_money",
    summary="List guests with chips",
    responses=example_response(
        {"guests": [{"player": "Ticket 17", "balance": "85.00", "table": "stud-1"}]}
    ),
)
async def guests_with_money(server: ServerDep) -> Answer[GuestsWithMoney]:
    """Players without an account who bought chips at a table, and where they sit."""
    return Answer({"guests": await asyncio.to_thread(_guests, server)})


def _guests(server: Server) -> list[GuestWithMoney]:
    register = server.people.catch_up()
    held = server.house.ledger.balances(UNIT)
    sitting = {
        player: table.state.table
        for table in server.house.tables.values()
        for player in table.state.seats.values()
    }
    return [
        {"player": account.name, "balance": money(cents), "table": sitting.get(account.name)}
        for account, cents in sorted(held.items())
        if account.kind == "wallet" and cents and find_person(register, account.name) is None
    ]


async def _run_report(
    report: Callable[[Ledger, Interval], list[Row]], server: ServerDep, within: Interval
) -> list[Row]:
    """A report, computed in a thread."""
    try:
        return await asyncio.to_thread(report, server.house.ledger, within)
    except LedgerError as error:
        raise Problem(503, str(error), retry_after=5) from None


def report_head(within: Interval, active: bool) -> Report:
    """The head of a report."""
    return {
        "from": within.start,
        "to": within.end,
        "generated": format_time(utc_now()),
        "version": f"pitbook {version('pitbook')}",
        "note": None if active else no_activity_note(),
    }


TABLE = {"table": "stud-1", "dealer": "dan", "rack": "20000.00", "asked": []}


@router.get(
    "/api/pit/floor",
    name="floor",
    summary="Get the floor overview",
    responses=example_response({"tables": [TABLE], "units": []}),
)
async def floor(server: ServerDep, start: From = None, end: To = None) -> Answer[PitFloor]:
    """Drop, handle, win and hold are of the interval; everything else is current."""
    within = parse_interval(start, end)
    results = await asyncio.to_thread(table_results, server.house.ledger, within)
    by_name = {result.table: result for result in results}
    states = sorted(
        (table.state for table in server.house.tables.values() if table.state.kind != "practice"),
        key=lambda state: state.table,
    )
    tables = [
        _table(server, state, by_name.get(state.table)) for state in states if not state.retired
    ]
    body: PitFloor = {
        **report_head(within, any(result.entries for result in results)),
        "tables": tables,
        "units": [_table_totals(result) for result in sum_by_unit(results)],
    }
    return Answer(body)


def _table(server: Server, state: TableState, result: TableResult | None) -> FloorTable:
    sheet = game_of(state.upcoming_sheet).sheet
    return {
        "table": state.table,
        "kind": state.kind,
        "unit": state.unit,
        "sheet": sheet_id(state.upcoming_sheet),
        "seats": sheet.seats.count,
        "players": {str(seat): name for seat, name in sorted(state.seats.items())},
        "phase": state.round.phase if state.round is not None else "open",
        "stopped": None if state.awaiting is None else reason_text(state.interruption or ""),
        "dealer": state.dealer,
        "rack": money(state.rack),
        "box": money(server.house.ledger.balance(table_accounts(state).box)),
        "limits": limits_of(sheet),
        "caps": caps_of(sheet),
        "announced": _announced_limits(state),
        "notice": required_notice(sheet.house.jurisdiction)[0],
        "asked": _rack_requests(state),
        "taking": None if result is None else _table_totals(result),
    }


def _announced_limits(state: TableState) -> AnnouncedLimits | None:
    if state.announced is None:
        return None
    sheet = game_of(state.announced["sheet"]).sheet
    return {"at": state.announced["at"], "limits": limits_of(sheet)}


def _rack_requests(state: TableState) -> list[RackRequestView]:
    return [
        {
            "number": request.number,
            "what": request.what,
            "amount": money(request.amount),
            "who": request.who,
            "at": request.at.isoformat(),
            "why": request.why,
        }
        for request in state.rack_requests.values()
    ]


def _table_totals(result: TableResult) -> TableTotals:
    return cast(TableTotals, result.document())
