"""The coach at a practice table: exact advice, recorded before it is shown."""

from __future__ import annotations

from typing import cast

from pitbook.coach import verdicts as coach
from pitbook.coach.values import AdviceTold
from pitbook.coach.verdicts import Weighed
from pitbook.house.table.actor import Answer
from pitbook.house.table.commands import ADVICE_MAX, AdviceShown, By, Decide, Envelope
from pitbook.house.table.decide import check_command as would_be_refused
from pitbook.house.table.env import DryRunEnv
from pitbook.house.table.session import TableSession
from pitbook.house.table.state import TableState
from pitbook.house.web.coach_reviews import PlayTried
from pitbook.house.web.services import Services
from pitbook.rules import actions
from pitbook.rules.flow import refuse_too_soon
from pitbook.rules.game import Seat
from pitbook.rules.refusals import Code, Refusal, refuse
from pitbook.text import in_language, say, speech
from pitbook.text.catalogue import ENGLISH


async def give_advice(
    services: Services, place: TableSession, number: int, request: str | None
) -> tuple[AdviceTold, Answer] | Refusal:
    """What the coach tells a seat, and how that stands on record; or why it tells nothing."""
    found = await _weighed(services, place, number)
    if isinstance(found, Refusal):
        return found
    shown = AdviceShown(number, _written(place, found.hint))
    told = {**found.advice.document(), "best": found.best, **found.terms()}
    return cast(AdviceTold, told), await _recorded(place, shown, request)


async def weigh_play(
    services: Services, place: TableSession, number: int, play: str, request: str | None
) -> tuple[PlayTried, Answer] | Refusal:
    """A play held against the best before it is made, and how that stands on record."""
    found = await _weighed(services, place, number)
    if isinstance(found, Refusal):
        return found
    if (refusal := _cannot_play(place, number, play)) is not None:
        return refusal
    state = place.table.state
    stage = state.game.stages[state.round.stage if state.round else 0]
    text = _written(place, say("form.spaced", parts=(found.verdict(play), found.advice.why)))
    told: PlayTried = {**found.weighing(play), "street": stage.id, "street_title": stage.title}
    return told, await _recorded(place, AdviceShown(number, text, play), request)


async def _weighed(services: Services, place: TableSession, number: int) -> Weighed | Refusal:
    """What every play is worth to the seat that waits; the same spot is worked out once."""
    state = place.table.state
    seat = _asking(state, place, number)
    if isinstance(seat, Refusal):
        return seat
    round = state.round
    assert round is not None
    wallet = place.table.env.wallet(seat.player)
    chips = None if coach.pays_for_all(round, seat, wallet) else wallet
    key = ("advice", state.sheet["hash"], seat.cards, round.common, seat.plays, seat.stakes, chips)
    found: Weighed = await services.jobs.compute(key, lambda: coach.weigh(round, seat, chips))
    if place.table.state.round is not round:
        return refuse(Code.NOT_NOW, "web.coach.moved-on")
    return found


def _written(place: TableSession, text: str) -> str:
    """A text as it goes on record: in English, in the money of the sheet's house."""
    money = place.table.state.game.sheet.house.currency
    return in_language(text, speech(ENGLISH, money))[:ADVICE_MAX]


async def _recorded(place: TableSession, shown: AdviceShown, request: str | None) -> Answer:
    return await place.table.send(Envelope(_speaker(place), shown, request))


def _cannot_play(place: TableSession, number: int, play: str) -> Refusal | None:
    """Why the table would not take the play."""
    state = place.table.state
    envelope = Envelope(_speaker(place), Decide(number, play))
    return would_be_refused(state, envelope, DryRunEnv(state, place.table.env.wallet))


def _speaker(place: TableSession) -> By:
    assert place.by is not None
    return place.by


def _asking(state: TableState, place: TableSession, number: int) -> Seat | Refusal:
    """The seat that waits for its own decision; a refusal for anybody else."""
    if state.kind != "practice":
        return refuse(Code.FORBIDDEN, "web.coach.for-practice", kind=state.kind)
    if place.by is None or state.seats.get(number) != place.by.name or place.by.role != "player":
        fields = {"name": place.viewer.name, "seat": number}
        return refuse(Code.FORBIDDEN, "web.coach.sits-elsewhere", **fields)
    if not state.coach:
        return refuse(Code.FORBIDDEN, "table.playing.coach-off")
    seat = state.round.seat(number) if state.live and state.round else None
    if seat is None or state.round is None or number not in state.round.waiting:
        return refuse(Code.NOT_NOW, "web.coach.nothing-to-decide", seat=number)
    return refuse_too_soon(state.round, actions.Decide(number, "")) or seat
