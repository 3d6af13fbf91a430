"""The cage of a night: chips sold and redeemed for one evening, each slip with a way back."""

from __future__ import annotations

from typing import Annotated

from fastapi import Path
from pydantic import Field
from starlette.responses import Response

from pitbook.house.nights.book import commands
from pitbook.house.nights.book.commands import Command
from pitbook.house.nights.book.night import Night
from pitbook.house.nights.book.state import NightState, Slip
from pitbook.house.nights.printed.on_paper import receipt_page
from pitbook.house.nights.printed.receipts import receipt, receipt_text
from pitbook.house.table.session import check_request_id, example_response, not_printable_message
from pitbook.house.web.access import Caller, allow_routes, authenticated_router
from pitbook.house.web.errors import Answer, Problem
from pitbook.house.web.languages import current_language
from pitbook.house.web.models.nights import SlipGiven, Slips
from pitbook.house.web.pages import printed_page
from pitbook.house.web.routes.nights import (
    NO_NIGHT,
    PAPER,
    READS,
    REFUSED,
    RUNS,
    OneLine,
    WithRequestId,
)
from pitbook.house.web.services import Services, ServicesDep
from pitbook.house.web.tables.nights import taken
from pitbook.money import dollars
from pitbook.text import say

router = authenticated_router("nights")
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
