"""Routes of nights: set-up, doors, counter, tables, statement."""

from __future__ import annotations

import asyncio
from contextlib import suppress
from datetime import date
from functools import partial
from http import HTTPStatus
from typing import Annotated, Any, Literal

from fastapi import Path
from pydantic import BaseModel, ConfigDict, Field
from starlette.responses import PlainTextResponse, Response

from pitbook.house.nights import commands, table_commands
from pitbook.house.nights.api_types import (
    NightInterruption,
    NightList,
    NightTableView,
    NightView,
    SlipList,
    SlipWithText,
    StatementView,
    StoppedPlay,
)
from pitbook.house.nights.commands import Command
from pitbook.house.nights.decide import EVENT_MAX
from pitbook.house.nights.house_rules import bundled_houses, load, stored_rules
from pitbook.house.nights.registry import accept_command
from pitbook.house.nights.schedule_files import unplayable_refusal
from pitbook.house.nights.state import NightState, Slip
from pitbook.house.nights.statement import (
    Statement,
    receipt,
    receipt_page,
    receipt_text,
    statement,
    statement_page,
    statement_text,
)
from pitbook.house.nights.store import Night
from pitbook.house.nights.views import night_summary, night_view, table_view
from pitbook.house.table.routes import LimitsByWager
from pitbook.house.table.stored_sheets import dump_sheet
from pitbook.house.table.stream_names import TABLE
from pitbook.house.table.table_session import (
    check_request_id,
    example_response,
    game_disabled_message,
    not_printable_message,
)
from pitbook.house.web.access import Caller, CallerRole, allow_routes, authenticated_router
from pitbook.house.web.errors import Answer, Error, Problem, Refused, RefusedPlay
from pitbook.house.web.languages import current_language
from pitbook.house.web.printed_pages import printed_page
from pitbook.house.web.services import Services, ServicesDep
from pitbook.house.web.sheet_cache import SheetCache
from pitbook.house.web.sheets_api import NO_SHEET, find_sheet
from pitbook.money import dollars
from pitbook.rules.refusals import Refusal
from pitbook.text import say
from pitbook.text.user_input import did_you_mean, printable

router = authenticated_router("nights")


RUN_ROLES: tuple[CallerRole, ...] = ("organiser", "supervisor")
READ_ROLES: tuple[CallerRole, ...] = (*RUN_ROLES, "auditor")
STAFF: tuple[CallerRole, ...] = (*READ_ROLES, "brush")
allow_routes(
    {
        "list_nights": STAFF,
        "see_night": STAFF,
        "make_night": RUN_ROLES,
        "correct_night": RUN_ROLES,
        "open_night": RUN_ROLES,
        "night_table": RUN_ROLES,
        "interrupt_night": RUN_ROLES,
        "close_night": RUN_ROLES,
        "night_statement": READ_ROLES,
        "night_statement_text": READ_ROLES,
        "night_statement_page": READ_ROLES,
    }
)

NO_NIGHT: dict[int | str, dict[str, Any]] = {
    404: {"model": Error, "description": "No such event."},
    503: {"model": Error, "description": "The ledger cannot be read or written now."},
}
REFUSED: dict[int | str, dict[str, Any]] = {
    409: {"model": Refused, "description": "The house rules do not allow it."}
}
NIGHT = {
    "event": "gala-2026",
    "phase": "open",
    "charity": "Seacoast Shelter",
    "gaming_date": "2026-11-21",
    "rehearsal": False,
    "cash": "500.00",
    "chips": {"ann": "20.00"},
    "tables": [],
    "tournaments": [],
}
STATEMENT = {"event": "gala-2026", "phase": "closed", "proceeds": "812.50", "reconciles": True}
PAPER: dict[int | str, dict[str, Any]] = {
    200: {"description": "A printable page.", "content": {"text/html": {}}}
}
PLAIN: dict[int | str, dict[str, Any]] = {
    200: {"description": "Plain text.", "content": {"text/plain": {}}}
}
OneLine = Annotated[str, Field(min_length=1, max_length=200)]


class StrictBody(BaseModel):
    """A request body without unknown fields."""

    model_config = ConfigDict(extra="forbid", strict=True)


class WithRequestId(StrictBody):
    """A request body with the id that identifies a repeated request."""

    request: str = Field(max_length=1_000, examples=["olga-17"])


class NewNight(WithRequestId):
    """A new night with its charity, license and date."""

    event: str = Field(
        max_length=EVENT_MAX, pattern="^[a-z0-9]+(-[a-z0-9]+)*$", examples=["gala-2026"]
    )
    charity: OneLine = Field(examples=["Seacoast Shelter"])
    licence: OneLine = Field(examples=["NH-2026-117"])
    gaming_date: str = Field(max_length=10, examples=["2026-11-21"])
    zone: str = Field("America/New_York", max_length=60, examples=["America/New_York"])
    house: str = Field("oceanfront", max_length=60, examples=["oceanfront"])
    rehearsal: bool = Field(False, examples=[False])


class NightCorrection(WithRequestId):
    """Corrections to a night; fields left out stay."""

    charity: OneLine | None = Field(None, examples=["Seacoast Shelter"])
    licence: OneLine | None = Field(None, examples=["NH-2026-118"])
    gaming_date: str | None = Field(None, max_length=10, examples=["2026-11-28"])
    zone: str | None = Field(None, max_length=60, examples=["America/New_York"])


class TableOfChance(WithRequestId):
    """A table of chance. `derived` lowers the sheet's bets to the house's limits."""

    table: str = Field(max_length=40, examples=["stud-1"])
    sheet: str = Field(max_length=121, examples=["catfish-bend/mississippi-stud"])
    derived: bool = Field(False, examples=[True])
    limits: LimitsByWager | None = Field(None, examples=[{"ante": {"min": "1"}}])
    kind: Literal["house", "typed"] = Field("house", examples=["typed"])


class StopReason(WithRequestId):
    """Why the night was interrupted, for the record."""

    why: OneLine = Field(examples=["power failure"])
    dead: bool = Field(False, examples=[False])


@router.get(
    "/api/nights",
    name="list_nights",
    summary="List events",
    responses=example_response({"nights": [NIGHT], "houses": ["oceanfront"]}),
)
async def list_nights(services: ServicesDep) -> Answer[NightList]:
    """Latest event date first, with the houses whose rules an event can use."""
    states = await asyncio.to_thread(services.nights.all)
    return Answer(
        {"nights": [night_summary(state) for state in states], "houses": list(bundled_houses())}
    )


@router.post(
    "/api/nights",
    name="make_night",
    summary="Create an event",
    status_code=201,
    responses={**REFUSED, 201: example_response(NIGHT)[200]},
)
async def make_night(body: NewNight, caller: Caller, services: ServicesDep) -> Answer[NightView]:
    """The event keeps the current house rules and opens on its own date.

    A rehearsal opens on any date, uses play money, and is marked on every page.
    """
    request = check_request_id(body.request)
    if body.house not in bundled_houses():  # Ids only: a path would read any file.
        remedy = did_you_mean(body.house, bundled_houses())
        message = say("web.nights.no-rules", rules=printable(body.house), remedy=remedy)
        raise Problem(400, message)
    rules = await asyncio.to_thread(lambda: stored_rules(load(body.house)))
    command = commands.Make(
        body.event,
        body.charity,
        body.licence,
        body.gaming_date,
        body.zone,
        rules,
        body.rehearsal,
    )
    night = await services.nights.find_or_new(body.event)
    await asyncio.to_thread(accept_command, night, command, actor=caller.name, request=request)
    return Answer(await services.nights.ask(body.event, _night_view), HTTPStatus.CREATED)


@router.get(
    "/api/nights/{event}",
    name="see_night",
    summary="Get an event",
    responses={**NO_NIGHT, **example_response(NIGHT)},
)
async def see_night(event: str, services: ServicesDep) -> Answer[NightView]:
    """Drawer, chips, tables and tournaments as recorded in the ledger."""
    return Answer(await services.nights.ask(event, _night_view))


def _night_view(night: Night) -> NightView:
    return night_view(night.ledger, night.refresh())


@router.post(
    "/api/nights/{event}/correct",
    name="correct_night",
    summary="Correct an event",
    responses={**NO_NIGHT, **REFUSED, **example_response(NIGHT)},
)
async def correct_night(
    event: str, body: NightCorrection, caller: Caller, services: ServicesDep
) -> Answer[NightView]:
    """Charity, license, date and time zone can be corrected until the event opens."""
    request = check_request_id(body.request)
    command = commands.Correct(body.charity, body.licence, body.gaming_date, body.zone)

    def correct(night: Night) -> NightView:
        if body.gaming_date is not None and night.state.phase == "made":
            _check_playable(night.refresh(), body.gaming_date, services.sheets)
        accept_command(night, command, actor=caller.name, request=request)
        return _night_view(night)

    return Answer(await services.nights.ask(event, correct))


def _check_playable(night: NightState, gaming_date: str, sheets: SheetCache) -> None:
    """Raise RefusedPlay if a tournament's sheet does not fit it on another gaming date."""
    with suppress(ValueError):  # The night refuses an invalid date.
        load_sheet = partial(sheets.load, on=date.fromisoformat(gaming_date))
        if refusal := unplayable_refusal(night.tournaments.values(), load_sheet, night.rules):
            raise RefusedPlay(refusal)


@router.post(
    "/api/nights/{event}/open",
    name="open_night",
    summary="Open an event",
    responses={**NO_NIGHT, **REFUSED, **example_response(NIGHT)},
)
async def open_night(
    event: str, body: WithRequestId, caller: Caller, services: ServicesDep
) -> Answer[NightView]:
    """Only on the event date."""
    request = check_request_id(body.request)

    def open_night(night: Night) -> NightView:
        accept_command(night, commands.Open(), actor=caller.name, request=request)
        return _night_view(night)

    return Answer(await services.nights.ask(event, open_night))


@router.post(
    "/api/nights/{event}/tables",
    name="night_table",
    summary="Open a table at an event",
    status_code=201,
    responses={**NO_NIGHT, **NO_SHEET, **REFUSED},
)
async def night_table(
    event: str, body: TableOfChance, caller: Caller, services: ServicesDep
) -> Answer[NightTableView]:
    """A sheet above the limits is refused with the clause; a derived one is lowered to fit."""
    request, night = check_request_id(body.request), await services.nights.night(event)
    sheet = find_sheet(services.sheets, body.sheet)
    if (why := services.pit.reason_for("game", sheet.id)) is not None:
        raise Problem(HTTPStatus.CONFLICT, game_disabled_message(sheet.id, why))
    _check_name_free(services, night, body.table)
    bounds = body.limits or {}
    limits = {wager: bound.model_dump(exclude_none=True) for wager, bound in bounds.items()}
    command = commands.AdmitTable(body.table, dump_sheet(sheet), body.derived, limits or None)
    answer = await table_commands.open_table(
        services.server.house, night, command, kind=body.kind, actor=caller.name, request=request
    )
    if isinstance(answer, Refusal):
        raise RefusedPlay(answer)
    return Answer(table_view(answer), HTTPStatus.CREATED)


def _check_name_free(services: Services, night: Night, table: str) -> None:
    """Refuse the name of a house table that does not belong to this night."""
    if not table.isascii() or not table.isprintable():
        raise Problem(400, say("web.tables.no-name", name=printable(table), as_in="stud-1"))
    stream = services.server.house.ledger.stream(f"{TABLE}{table}")
    if stream is not None and table not in night.state.tables:
        raise Problem(HTTPStatus.CONFLICT, say("table.live.name-taken", table=table))


@router.post(
    "/api/nights/{event}/interrupted",
    name="interrupt_night",
    summary="Interrupt an event",
    responses={**NO_NIGHT, **REFUSED},
)
async def interrupt_night(
    event: str, body: StopReason, caller: Caller, services: ServicesDep
) -> Answer[NightInterruption]:
    """Stops all play. Hands and tournaments end as the house rules say.

    `dead`: no hand can be read, so nobody is asked and the night can close at once.
    """
    request, night = check_request_id(body.request), await services.nights.night(event)
    if not body.why.isprintable():
        raise Problem(400, not_printable_message("why"))
    house = services.server.house
    answer = await table_commands.interrupt(
        house, night, body.why, actor=caller.name, request=request, dead=body.dead
    )
    if isinstance(answer, Refusal):
        raise RefusedPlay(answer)
    stopped: list[StoppedPlay] = [{"where": result.where, "what": result.what} for result in answer]
    return Answer({"event": event, "stopped": stopped})


@router.post(
    "/api/nights/{event}/close",
    name="close_night",
    summary="Close an event",
    responses={**NO_NIGHT, **REFUSED, **example_response(NIGHT)},
)
async def close_night(
    event: str, body: WithRequestId, caller: Caller, services: ServicesDep
) -> Answer[NightView]:
    """Tables close, unredeemed chips expire, and the opening bank is returned.

    Money that tournaments still owe is kept as unclaimed, by name.
    """
    request, night = check_request_id(body.request), await services.nights.night(event)
    answer = await table_commands.close(
        services.server.house, night, actor=caller.name, request=request
    )
    if isinstance(answer, Refusal):
        raise RefusedPlay(answer)
    return Answer(await asyncio.to_thread(_night_view, night))


@router.get(
    "/api/nights/{event}/statement",
    name="night_statement",
    summary="Get an event's statement",
    responses={**NO_NIGHT, **example_response(STATEMENT)},
)
async def night_statement(event: str, services: ServicesDep) -> Answer[StatementView]:
    """Reconciled with the ledger to the cent; `findings` lists any differences."""
    return Answer((await services.nights.ask(event, current_statement)).document())


@router.get(
    "/api/nights/{event}/statement/text",
    name="night_statement_text",
    summary="Get the statement as text",
    response_class=PlainTextResponse,
    responses={**NO_NIGHT, **PLAIN},
)
async def night_statement_text(event: str, services: ServicesDep) -> PlainTextResponse:
    """The same text as the command line prints."""
    return PlainTextResponse(
        statement_text(await services.nights.ask(event, current_statement), current_language())
    )


@router.get(
    "/api/nights/{event}/statement/page",
    name="night_statement_page",
    summary="Print the statement",
    response_class=Response,
    responses={**NO_NIGHT, **PAPER},
)
async def night_statement_page(event: str, services: ServicesDep) -> Response:
    """One page with room for two signatures."""
    return printed_page(
        statement_page(await services.nights.ask(event, current_statement), current_language())
    )


def current_statement(night: Night) -> Statement:
    """The statement for the current state of the ledger."""
    return statement(night, at=night.now().isoformat(timespec="seconds"))


allow_routes(
    {
        "night_sell": RUN_ROLES,
        "night_redeem": RUN_ROLES,
        "night_float": RUN_ROLES,
        "night_undo": RUN_ROLES,
        "night_unclaimed": RUN_ROLES,
        "night_slips": READ_ROLES,
        "night_receipt": READ_ROLES,
        "night_receipt_page": READ_ROLES,
    }
)

SLIPS_SHOWN = 200
SLIP = {
    "receipt": "gala-2026-000007",
    "slip": 7,
    "what": "sold",
    "player": "ann",
    "amount": "20.00",
    "undone": None,
    "text": "Receipt gala-2026-000007",
}
Number = Annotated[int, Path(ge=1, le=10**9, examples=[7])]


class DollarAmount(WithRequestId):
    amount: str = Field(max_length=30, examples=["20"])


class PlayerChips(DollarAmount):
    """An amount for a player."""

    player: str = Field(max_length=200, examples=["ann"])


class UnclaimedOwner(WithRequestId):
    """The player who collects unclaimed money."""

    player: str = Field(max_length=200, examples=["ann"])


class SlipToVoid(WithRequestId):
    """A slip to void, and why."""

    slip: int = Field(ge=1, le=10**9, examples=[7])
    why: OneLine = Field(examples=["sold to the wrong player"])


@router.post(
    "/api/nights/{event}/cage/sell",
    name="night_sell",
    summary="Sell chips",
    responses={**NO_NIGHT, **REFUSED, **example_response(SLIP)},
)
async def night_sell(
    event: str, body: PlayerChips, caller: Caller, services: ServicesDep
) -> Answer[SlipWithText]:
    """In the house's denominations. Chips are valid on the event date only."""
    command = commands.Sell(body.player, dollars(body.amount))
    return await _book_slip(services, event, command, body, caller.name)


@router.post(
    "/api/nights/{event}/cage/redeem",
    name="night_redeem",
    summary="Redeem chips",
    responses={**NO_NIGHT, **REFUSED, **example_response(SLIP)},
)
async def night_redeem(
    event: str, body: PlayerChips, caller: Caller, services: ServicesDep
) -> Answer[SlipWithText]:
    """At face value, up to the player's chips, until the event closes."""
    command = commands.Redeem(body.player, dollars(body.amount))
    return await _book_slip(services, event, command, body, caller.name)


@router.post(
    "/api/nights/{event}/cage/float",
    name="night_float",
    summary="Bring the opening bank",
    responses={**NO_NIGHT, **REFUSED, **example_response(SLIP)},
)
async def night_float(
    event: str, body: DollarAmount, caller: Caller, services: ServicesDep
) -> Answer[SlipWithText]:
    """Change for the drawer, lent to the event and returned at closing."""
    command = commands.BringFloat(dollars(body.amount))
    return await _book_slip(services, event, command, body, caller.name)


@router.post(
    "/api/nights/{event}/cage/undo",
    name="night_undo",
    summary="Void a slip",
    responses={**NO_NIGHT, **REFUSED, **example_response(SLIP)},
)
async def night_undo(
    event: str, body: SlipToVoid, caller: Caller, services: ServicesDep
) -> Answer[SlipWithText]:
    """Its transfers are reversed. Both the slip and the reversal stay on record."""
    if not body.why.isprintable():
        raise Problem(400, not_printable_message("why"))
    return await _book_slip(services, event, commands.Undo(body.slip, body.why), body, caller.name)


@router.post(
    "/api/nights/{event}/cage/unclaimed",
    name="night_unclaimed",
    summary="Pay unclaimed money",
    responses={**NO_NIGHT, **REFUSED, **example_response(SLIP)},
)
async def night_unclaimed(
    event: str, body: UnclaimedOwner, caller: Caller, services: ServicesDep
) -> Answer[SlipWithText]:
    """After the event closed: a player's whole unclaimed amount, with a receipt."""
    return await _book_slip(services, event, commands.PayUnclaimed(body.player), body, caller.name)


async def _book_slip(
    services: Services, event: str, command: Command, body: WithRequestId, actor: str
) -> Answer[SlipWithText]:
    request = check_request_id(body.request)

    def book(night: Night) -> SlipWithText:
        accepted = accept_command(night, command, actor=actor, request=request)
        return _slip_view(night.state, _find_slip(night.state, accepted.slip))

    return Answer(await services.nights.ask(event, book))


@router.get(
    "/api/nights/{event}/cage/slips",
    name="night_slips",
    summary="List slips",
    responses={**NO_NIGHT, **example_response({"slips": [SLIP], "left_out": 0})},
)
async def night_slips(event: str, services: ServicesDep) -> Answer[SlipList]:
    """Newest first; `left_out` counts earlier slips."""
    state = await services.nights.ask(event, Night.refresh)
    slips = [receipt(state, slip) for slip in reversed(state.slips[-SLIPS_SHOWN:])]
    return Answer({"slips": slips, "left_out": len(state.slips) - len(slips)})


@router.get(
    "/api/nights/{event}/cage/slips/{slip}",
    name="night_receipt",
    summary="Get a receipt",
    responses={**NO_NIGHT, **example_response(SLIP)},
)
async def night_receipt(event: str, slip: Number, services: ServicesDep) -> Answer[SlipWithText]:
    """As JSON, with the player's text."""
    state = await services.nights.ask(event, Night.refresh)
    return Answer(_slip_view(state, _find_slip(state, slip)))


@router.get(
    "/api/nights/{event}/cage/slips/{slip}/page",
    name="night_receipt_page",
    summary="Print a receipt",
    response_class=Response,
    responses={**NO_NIGHT, **PAPER},
)
async def night_receipt_page(event: str, slip: Number, services: ServicesDep) -> Response:
    """One receipt on a printable page."""
    state = await services.nights.ask(event, Night.refresh)
    return printed_page(receipt_page(state, _find_slip(state, slip), current_language()))


def _find_slip(state: NightState, number: int) -> Slip:
    slip = state.slip(number)
    if slip is None:
        raise Problem(404, say("nights.counter.no-slip", event=state.event, slip=number))
    return slip


def _slip_view(state: NightState, slip: Slip) -> SlipWithText:
    return {**receipt(state, slip), "text": receipt_text(state, slip, current_language())}
