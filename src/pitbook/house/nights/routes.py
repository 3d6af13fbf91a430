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

from pitbook.house.nights import commands
from pitbook.house.nights import live_tables as chance_tables
from pitbook.house.nights.api_types import NightsShown, NightStopped, SlipGiven, Slips, Stop
from pitbook.house.nights.commands import Command
from pitbook.house.nights.decide import EVENT_MAX
from pitbook.house.nights.house_rules import bundled, kept_rules, load
from pitbook.house.nights.registry import taken
from pitbook.house.nights.schedule_files import why_unplayable
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
from pitbook.house.nights.view_types import NightShown, NightTableShown, StatementShown
from pitbook.house.nights.views import listed, night_shown, table_shown
from pitbook.house.table.routes import Bounded
from pitbook.house.table.session import (
    check_request_id,
    example_response,
    game_disabled_message,
    not_printable_message,
)
from pitbook.house.table.state import dump_sheet
from pitbook.house.table.streams import TABLE
from pitbook.house.web.access import Caller, CallerRole, allow_routes, authenticated_router
from pitbook.house.web.errors import Answer, Error, Problem, Refused, RefusedPlay
from pitbook.house.web.languages import current_language
from pitbook.house.web.pages import printed_page
from pitbook.house.web.services import Services, ServicesDep
from pitbook.house.web.sheet_cache import SheetCache
from pitbook.house.web.sheets_api import NO_SHEET, find_sheet
from pitbook.money import dollars
from pitbook.rules.refusals import Refusal
from pitbook.sheets.findings import did_you_mean, printable
from pitbook.text import say

router = authenticated_router("nights")


RUNS: tuple[CallerRole, ...] = ("organiser", "supervisor")
READS: tuple[CallerRole, ...] = (*RUNS, "auditor")
STAFF: tuple[CallerRole, ...] = (*READS, "brush")
allow_routes(
    {
        "list_nights": STAFF,
        "see_night": STAFF,
        "make_night": RUNS,
        "correct_night": RUNS,
        "open_night": RUNS,
        "night_table": RUNS,
        "interrupt_night": RUNS,
        "close_night": RUNS,
        "night_statement": READS,
        "night_statement_text": READS,
        "night_statement_page": READS,
    }
)

NO_NIGHT: dict[int | str, dict[str, Any]] = {
    404: {"model": Error, "description": "There is no such night."},
    503: {"model": Error, "description": "The book cannot be read or written now."},
}
REFUSED: dict[int | str, dict[str, Any]] = {
    409: {"model": Refused, "description": "The rules of the house say no."}
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
    200: {"description": "A page to print.", "content": {"text/html": {}}}
}
PLAIN: dict[int | str, dict[str, Any]] = {
    200: {"description": "Plain text.", "content": {"text/plain": {}}}
}
OneLine = Annotated[str, Field(min_length=1, max_length=200)]


class StrictBody(BaseModel):
    """Nothing but what is named."""

    model_config = ConfigDict(extra="forbid", strict=True)


class WithRequestId(StrictBody):
    """The id by which a request is known when it is sent again."""

    request: str = Field(max_length=1_000, examples=["olga-17"])


class NewNight(WithRequestId):
    """A night with its charity, its licence and its day."""

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
    """What was wrong about a night; what is not named stays."""

    charity: OneLine | None = Field(None, examples=["Seacoast Shelter"])
    licence: OneLine | None = Field(None, examples=["NH-2026-118"])
    gaming_date: str | None = Field(None, max_length=10, examples=["2026-11-28"])
    zone: str | None = Field(None, max_length=60, examples=["America/New_York"])


class TableOfChance(WithRequestId):
    """A table of chance; derived brings a sheet above the house's limits within them."""

    table: str = Field(max_length=40, examples=["stud-1"])
    sheet: str = Field(max_length=121, examples=["catfish-bend/mississippi-stud"])
    derived: bool = Field(False, examples=[True])
    limits: Bounded | None = Field(None, examples=[{"ante": {"min": "1"}}])
    kind: Literal["house", "typed"] = Field("house", examples=["typed"])


class StopReason(WithRequestId):
    """Why the evening was cut short, for the record."""

    why: OneLine = Field(examples=["power failure"])
    dead: bool = Field(False, examples=[False])


@router.get(
    "/api/nights",
    name="list_nights",
    summary="Every night",
    responses=example_response({"nights": [NIGHT], "houses": ["oceanfront"]}),
)
async def list_nights(services: ServicesDep) -> Answer[NightsShown]:
    """The latest gaming date first, and the houses whose rules a night can have."""
    found = await asyncio.to_thread(services.nights.all)
    return Answer({"nights": [listed(one) for one in found], "houses": list(bundled())})


@router.post(
    "/api/nights",
    name="make_night",
    summary="Make a night",
    status_code=201,
    responses={**REFUSED, 201: example_response(NIGHT)[200]},
)
async def make_night(given: NewNight, who: Caller, services: ServicesDep) -> Answer[NightShown]:
    """The rules of the house stay with it as they are now; it opens on its gaming date.

    A rehearsal opens on any day, in play money, and says so wherever it is shown.
    """
    request = check_request_id(given.request)
    if given.house not in bundled():  # An id and nothing else: a path would read any file.
        remedy = did_you_mean(given.house, bundled())
        told = say("web.nights.no-rules", rules=printable(given.house), remedy=remedy)
        raise Problem(400, told)
    rules = await asyncio.to_thread(lambda: kept_rules(load(given.house)))
    command = commands.Make(
        given.event,
        given.charity,
        given.licence,
        given.gaming_date,
        given.zone,
        rules,
        given.rehearsal,
    )
    night = await services.nights.made(given.event)
    await asyncio.to_thread(taken, night, command, actor=who.name, request=request)
    return Answer(await services.nights.ask(given.event, _shown), HTTPStatus.CREATED)


@router.get(
    "/api/nights/{event}",
    name="see_night",
    summary="One night",
    responses={**NO_NIGHT, **example_response(NIGHT)},
)
async def see_night(event: str, services: ServicesDep) -> Answer[NightShown]:
    """Its drawer, chips, tables and tournaments as the book has them."""
    return Answer(await services.nights.ask(event, _shown))


def _shown(night: Night) -> NightShown:
    return night_shown(night.ledger, night.refreshed())


@router.post(
    "/api/nights/{event}/correct",
    name="correct_night",
    summary="Put a night right",
    responses={**NO_NIGHT, **REFUSED, **example_response(NIGHT)},
)
async def correct_night(
    event: str, given: NightCorrection, who: Caller, services: ServicesDep
) -> Answer[NightShown]:
    """Charity, licence, date and zone may be corrected until the doors open."""
    request = check_request_id(given.request)
    command = commands.Correct(given.charity, given.licence, given.gaming_date, given.zone)

    def corrected(night: Night) -> NightShown:
        if given.gaming_date is not None and night.state.phase == "made":
            _check_playable(night.refreshed(), given.gaming_date, services.sheets)
        taken(night, command, actor=who.name, request=request)
        return _shown(night)

    return Answer(await services.nights.ask(event, corrected))


def _check_playable(night: NightState, gaming_date: str, shelf: SheetCache) -> None:
    """Raise RefusedPlay if a tournament's sheet does not fit it on another gaming date."""
    with suppress(ValueError):  # The night refuses an invalid date.
        load_sheet = partial(shelf.load, on=date.fromisoformat(gaming_date))
        if refusal := why_unplayable(night.tournaments.values(), load_sheet, night.rules):
            raise RefusedPlay(refusal)


@router.post(
    "/api/nights/{event}/open",
    name="open_night",
    summary="Open the doors",
    responses={**NO_NIGHT, **REFUSED, **example_response(NIGHT)},
)
async def open_night(
    event: str, given: WithRequestId, who: Caller, services: ServicesDep
) -> Answer[NightShown]:
    """On the gaming date and no other day."""
    request = check_request_id(given.request)

    def opened(night: Night) -> NightShown:
        taken(night, commands.Open(), actor=who.name, request=request)
        return _shown(night)

    return Answer(await services.nights.ask(event, opened))


@router.post(
    "/api/nights/{event}/tables",
    name="night_table",
    summary="Open a table of chance",
    status_code=201,
    responses={**NO_NIGHT, **NO_SHEET, **REFUSED},
)
async def night_table(
    event: str, given: TableOfChance, who: Caller, services: ServicesDep
) -> Answer[NightTableShown]:
    """A sheet above the limits is refused with the clause; derived, it is dealt within them."""
    request, night = check_request_id(given.request), await services.nights.night(event)
    sheet = find_sheet(services.sheets, given.sheet)
    if (why := services.pit.why_shut("game", sheet.id)) is not None:
        raise Problem(HTTPStatus.CONFLICT, game_disabled_message(sheet.id, why))
    _is_free(services, night, given.table)
    bounds = given.limits or {}
    limits = {wager: one.model_dump(exclude_none=True) for wager, one in bounds.items()}
    command = commands.AdmitTable(given.table, dump_sheet(sheet), given.derived, limits or None)
    answer = await chance_tables.open_table(
        services.server.house, night, command, kind=given.kind, actor=who.name, request=request
    )
    if isinstance(answer, Refusal):
        raise RefusedPlay(answer)
    return Answer(table_shown(answer), HTTPStatus.CREATED)


def _is_free(services: Services, night: Night, table: str) -> None:
    """A table of the house that is no table of this night keeps its name."""
    if not table.isascii() or not table.isprintable():
        raise Problem(400, say("web.tables.no-name", name=printable(table), as_in="stud-1"))
    known = services.server.house.ledger.stream(f"{TABLE}{table}")
    if known is not None and table not in night.state.tables:
        raise Problem(HTTPStatus.CONFLICT, say("table.live.name-taken", table=table))


@router.post(
    "/api/nights/{event}/interrupted",
    name="interrupt_night",
    summary="The evening was cut short",
    responses={**NO_NIGHT, **REFUSED},
)
async def interrupt_night(
    event: str, given: StopReason, who: Caller, services: ServicesDep
) -> Answer[NightStopped]:
    """One action for all: hands and tournaments end as the rules of the house say.

    `dead`: no hand can be read, so nobody is asked and the night can close at once.
    """
    request, night = check_request_id(given.request), await services.nights.night(event)
    if not given.why.isprintable():
        raise Problem(400, not_printable_message("why"))
    house = services.server.house
    answer = await chance_tables.interrupt(
        house, night, given.why, actor=who.name, request=request, dead=given.dead
    )
    if isinstance(answer, Refusal):
        raise RefusedPlay(answer)
    stopped: list[Stop] = [{"where": one.where, "what": one.what} for one in answer]
    return Answer({"event": event, "stopped": stopped})


@router.post(
    "/api/nights/{event}/close",
    name="close_night",
    summary="Close the night",
    responses={**NO_NIGHT, **REFUSED, **example_response(NIGHT)},
)
async def close_night(
    event: str, given: WithRequestId, who: Caller, services: ServicesDep
) -> Answer[NightShown]:
    """Tables retire, chips that nobody redeemed expire, the float goes back.

    What tournaments owe and nobody came for is kept as unclaimed, by name.
    """
    request, night = check_request_id(given.request), await services.nights.night(event)
    answer = await chance_tables.close(
        services.server.house, night, actor=who.name, request=request
    )
    if isinstance(answer, Refusal):
        raise RefusedPlay(answer)
    return Answer(await asyncio.to_thread(_shown, night))


@router.get(
    "/api/nights/{event}/statement",
    name="night_statement",
    summary="What the evening came to",
    responses={**NO_NIGHT, **example_response(STATEMENT)},
)
async def night_statement(event: str, services: ServicesDep) -> Answer[StatementShown]:
    """Reconciled with the ledger to the cent; `findings` lists what does not agree."""
    return Answer((await services.nights.ask(event, told_now)).document())


@router.get(
    "/api/nights/{event}/statement/text",
    name="night_statement_text",
    summary="The statement in plain text",
    response_class=PlainTextResponse,
    responses={**NO_NIGHT, **PLAIN},
)
async def night_statement_text(event: str, services: ServicesDep) -> PlainTextResponse:
    """As the command line prints it."""
    return PlainTextResponse(
        statement_text(await services.nights.ask(event, told_now), current_language())
    )


@router.get(
    "/api/nights/{event}/statement/page",
    name="night_statement_page",
    summary="The statement to print",
    response_class=Response,
    responses={**NO_NIGHT, **PAPER},
)
async def night_statement_page(event: str, services: ServicesDep) -> Response:
    """One page with room for two signatures."""
    return printed_page(
        statement_page(await services.nights.ask(event, told_now), current_language())
    )


def told_now(night: Night) -> Statement:
    """The statement as the book has it now."""
    return statement(night, at=night.now().isoformat(timespec="seconds"))


allow_routes(
    {
        "night_sell": RUNS,
        "night_redeem": RUNS,
        "night_float": RUNS,
        "night_undo": RUNS,
        "night_unclaimed": RUNS,
        "night_slips": READS,
        "night_receipt": READS,
        "night_receipt_page": READS,
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
    """An amount in dollars."""

    amount: str = Field(max_length=30, examples=["20"])


class PlayerChips(DollarAmount):
    """An amount for a player."""

    player: str = Field(max_length=200, examples=["ann"])


class Owner(WithRequestId):
    """Who comes for what was kept."""

    player: str = Field(max_length=200, examples=["ann"])


class Wrong(WithRequestId):
    """A slip that was wrong, and why."""

    slip: int = Field(ge=1, le=10**9, examples=[7])
    why: OneLine = Field(examples=["sold to the wrong player"])


@router.post(
    "/api/nights/{event}/cage/sell",
    name="night_sell",
    summary="Cash in, chips out",
    responses={**NO_NIGHT, **REFUSED, **example_response(SLIP)},
)
async def night_sell(
    event: str, given: PlayerChips, who: Caller, services: ServicesDep
) -> Answer[SlipGiven]:
    """In the chips that the house has, good for the gaming date alone."""
    command = commands.Sell(given.player, dollars(given.amount))
    return await _passed(services, event, command, given, who.name)


@router.post(
    "/api/nights/{event}/cage/redeem",
    name="night_redeem",
    summary="Chips in, cash out",
    responses={**NO_NIGHT, **REFUSED, **example_response(SLIP)},
)
async def night_redeem(
    event: str, given: PlayerChips, who: Caller, services: ServicesDep
) -> Answer[SlipGiven]:
    """At face value, no more than the player holds, until the night closes."""
    command = commands.Redeem(given.player, dollars(given.amount))
    return await _passed(services, event, command, given, who.name)


@router.post(
    "/api/nights/{event}/cage/float",
    name="night_float",
    summary="Change for the drawer",
    responses={**NO_NIGHT, **REFUSED, **example_response(SLIP)},
)
async def night_float(
    event: str, given: DollarAmount, who: Caller, services: ServicesDep
) -> Answer[SlipGiven]:
    """Lent to the night, and given back at closing."""
    command = commands.BringFloat(dollars(given.amount))
    return await _passed(services, event, command, given, who.name)


@router.post(
    "/api/nights/{event}/cage/undo",
    name="night_undo",
    summary="Take a slip back",
    responses={**NO_NIGHT, **REFUSED, **example_response(SLIP)},
)
async def night_undo(
    event: str, given: Wrong, who: Caller, services: ServicesDep
) -> Answer[SlipGiven]:
    """What it moved goes back; the slip and its reversal both stay on record."""
    if not given.why.isprintable():
        raise Problem(400, not_printable_message("why"))
    return await _passed(services, event, commands.Undo(given.slip, given.why), given, who.name)


@router.post(
    "/api/nights/{event}/cage/unclaimed",
    name="night_unclaimed",
    summary="Pay what was kept for somebody",
    responses={**NO_NIGHT, **REFUSED, **example_response(SLIP)},
)
async def night_unclaimed(
    event: str, given: Owner, who: Caller, services: ServicesDep
) -> Answer[SlipGiven]:
    """After closing, once, and with a receipt."""
    return await _passed(services, event, commands.PayUnclaimed(given.player), given, who.name)


async def _passed(
    services: Services, event: str, command: Command, given: WithRequestId, actor: str
) -> Answer[SlipGiven]:
    request = check_request_id(given.request)

    def over_the_counter(night: Night) -> SlipGiven:
        accepted = taken(night, command, actor=actor, request=request)
        return _slip_shown(night.state, _slip(night.state, accepted.slip))

    return Answer(await services.nights.ask(event, over_the_counter))


@router.get(
    "/api/nights/{event}/cage/slips",
    name="night_slips",
    summary="What passed over the counter",
    responses={**NO_NIGHT, **example_response({"slips": [SLIP], "left_out": 0})},
)
async def night_slips(event: str, services: ServicesDep) -> Answer[Slips]:
    """The latest first; earlier ones than are shown are counted."""
    state = await services.nights.ask(event, Night.refreshed)
    shown = [receipt(state, slip) for slip in reversed(state.slips[-SLIPS_SHOWN:])]
    return Answer({"slips": shown, "left_out": len(state.slips) - len(shown)})


@router.get(
    "/api/nights/{event}/cage/slips/{slip}",
    name="night_receipt",
    summary="A receipt",
    responses={**NO_NIGHT, **example_response(SLIP)},
)
async def night_receipt(event: str, slip: Number, services: ServicesDep) -> Answer[SlipGiven]:
    """As JSON, and as the text that a player is given."""
    state = await services.nights.ask(event, Night.refreshed)
    return Answer(_slip_shown(state, _slip(state, slip)))


@router.get(
    "/api/nights/{event}/cage/slips/{slip}/page",
    name="night_receipt_page",
    summary="A receipt to print",
    response_class=Response,
    responses={**NO_NIGHT, **PAPER},
)
async def night_receipt_page(event: str, slip: Number, services: ServicesDep) -> Response:
    """For the player to keep."""
    state = await services.nights.ask(event, Night.refreshed)
    return printed_page(receipt_page(state, _slip(state, slip), current_language()))


def _slip(state: NightState, number: int) -> Slip:
    found = state.slip(number)
    if found is None:
        raise Problem(404, say("nights.counter.no-slip", event=state.event, slip=number))
    return found


def _slip_shown(state: NightState, slip: Slip) -> SlipGiven:
    return {**receipt(state, slip), "text": receipt_text(state, slip, current_language())}
