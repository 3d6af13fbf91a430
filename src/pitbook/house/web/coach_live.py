"""The coach at a practice table: exact advice, recorded before it is shown."""

from __future__ import annotations

from typing import cast

from pitbook.coach import verdicts
from pitbook.coach.verdicts import AdviceValues, WeighedDecision
from pitbook.house.table.actor import Answer
from pitbook.house.table.commands import ADVICE_MAX, AdviceShown, By, Decide, Envelope
from pitbook.house.table.decide import check_allowed
from pitbook.house.table.round_commands import check_plays
from pitbook.house.table.situation import Situation
from pitbook.house.table.state import TableState
from pitbook.house.table.table_session import TableSession
from pitbook.house.web.coach_reviews import WeighedPlay
from pitbook.house.web.jobs import PATIENCE
from pitbook.house.web.services import Services
from pitbook.rules import actions
from pitbook.rules.game import Seat
from pitbook.rules.refusals import Code, Refusal, refuse
from pitbook.rules.round_progress import refuse_too_soon
from pitbook.text import in_language, locale_of, say
from pitbook.text.catalog import ENGLISH

HINT_PATIENCE = 1.5  # The page asks again, and shows the progress meanwhile.


async def give_advice(
    services: Services, session: TableSession, number: int, request: str | None
) -> tuple[AdviceValues, Answer] | Refusal:
    """Advice for a seat and the answer that recorded it, or why there is none."""
    weighed = await _weigh_seat(services, session, number, patience=HINT_PATIENCE)
    if isinstance(weighed, Refusal):
        return weighed
    shown_advice = AdviceShown(number, _ledger_text(session, weighed.hint))
    document = {**weighed.advice.document(), "best": weighed.best, **weighed.terms()}
    return cast(AdviceValues, document), await _record_advice(session, shown_advice, request)


async def weigh_play(
    services: Services, session: TableSession, number: int, play: str, request: str | None
) -> tuple[WeighedPlay, Answer] | Refusal:
    """A play compared with the best one, and the answer that recorded it."""
    weighed = await _weigh_seat(services, session, number)
    if isinstance(weighed, Refusal):
        return weighed
    if (refusal := _play_refusal(session, number, play)) is not None:
        return refusal
    state = session.table.state
    stage = state.game.stages[state.round.stage if state.round else 0]
    text = _ledger_text(
        session, say("form.spaced", parts=(weighed.verdict(play), weighed.advice.why))
    )
    tried: WeighedPlay = {**weighed.weighing(play), "street": stage.id, "street_title": stage.title}
    return tried, await _record_advice(session, AdviceShown(number, text, play), request)


async def _weigh_seat(
    services: Services, session: TableSession, number: int, *, patience: float = PATIENCE
) -> WeighedDecision | Refusal:
    """The value of every play for the seat that decides, cached by spot."""
    state = session.table.state
    seat = _deciding_seat(state, session, number)
    if isinstance(seat, Refusal):
        return seat
    round = state.round
    assert round is not None
    wallet = session.table.env.wallet(seat.player)
    chips = None if verdicts.covers_all_bets(round, seat, wallet) else wallet
    key = ("advice", state.sheet["hash"], seat.cards, round.common, seat.plays, seat.stakes, chips)
    weighed: WeighedDecision = await services.jobs.compute(
        key, lambda: verdicts.weigh(round, seat, chips), patience=patience
    )
    if session.table.state.round is not round:
        return refuse(Code.NOT_NOW, "web.coach.moved-on")
    return weighed


def _ledger_text(session: TableSession, text: str) -> str:
    """A text as recorded: in English, in the sheet's currency."""
    money = session.table.state.game.sheet.house.currency
    return in_language(text, locale_of(ENGLISH, money))[:ADVICE_MAX]


async def _record_advice(session: TableSession, advice: AdviceShown, request: str | None) -> Answer:
    return await session.table.send(Envelope(_sender(session), advice, request))


def _play_refusal(session: TableSession, number: int, play: str) -> Refusal | None:
    """Why the table would refuse the play."""
    table, by = Situation(session.table.state, session.table.env), _sender(session)
    return check_allowed(table, by, Decide(number, play)) or check_plays(table, number)(play)


def _sender(session: TableSession) -> By:
    assert session.by is not None
    return session.by


def _deciding_seat(state: TableState, session: TableSession, number: int) -> Seat | Refusal:
    """The seat if it is the caller's turn to decide, or a refusal."""
    if state.kind != "practice":
        return refuse(Code.FORBIDDEN, "web.coach.for-practice")
    if (
        session.by is None
        or state.seats.get(number) != session.by.name
        or session.by.role != "player"
    ):
        fields = {"name": session.viewer.name, "seat": number}
        return refuse(Code.FORBIDDEN, "web.coach.sits-elsewhere", **fields)
    if not state.coach:
        return refuse(Code.FORBIDDEN, "table.playing.coach-off")
    seat = state.round.seat(number) if state.has_live_wagers and state.round else None
    if seat is None or state.round is None or number not in state.round.waiting:
        return refuse(Code.NOT_NOW, "web.coach.nothing-to-decide", seat=number)
    return refuse_too_soon(state.round, actions.Decide(number, "")) or seat
