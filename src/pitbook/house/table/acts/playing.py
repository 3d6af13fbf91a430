"""Between deal and pay: decisions, cards typed by a dealer, and the clock."""

from __future__ import annotations

from datetime import datetime

from pitbook.house.table import commands, facts
from pitbook.house.table.acts.dealer import deal_on, play_absent
from pitbook.house.table.acts.interruptions import AT_ONCE, dead
from pitbook.house.table.acts.readiness import LAST_CALL_SECONDS, all_ready, time_is_up
from pitbook.house.table.commands import By
from pitbook.house.table.desk import Desk
from pitbook.house.table.facts import LAST_CALL
from pitbook.house.table.state import named_at, put_right
from pitbook.rules import actions
from pitbook.rules.actions import Fouled, Turn
from pitbook.rules.refusals import Code, Refusal, refuse


def decide(desk: Desk, by: By, command: commands.Decide) -> Refusal | None:
    """A seat's play."""
    return _then_on(desk, desk.act(actions.Decide(command.seat, command.play)))


def advice_shown(desk: Desk, by: By, command: commands.AdviceShown) -> Refusal | None:
    """Advice is given only where the coach is on, and never in secret."""
    if not desk.state.coach:
        return refuse(Code.FORBIDDEN, "table.playing.coach-off")
    desk.note(facts.CoachTold(command.seat, command.text, command.play))
    return None


def type_card(desk: Desk, by: By, command: commands.TypeCard) -> Refusal | None:
    """A card that a person turned."""
    refusal = desk.act(Turn(command.place, command.card))
    return _then_on(desk, _with_remedy(refusal))


def deck_fouled(desk: Desk, by: By, command: commands.DeckFouled) -> Refusal | None:
    """GEN-9: the round is void."""
    return _then_on(desk, desk.act(Fouled(command.card)))


def settle(desk: Desk, by: By, command: commands.Settle) -> Refusal | None:
    """Seat by seat, as far as nothing closed can alter a result; each is paid at once."""
    if (refusal := desk.act(AT_ONCE)) is not None:
        return refusal
    while desk.round.phase == "settle" and desk.act(AT_ONCE) is None:
        pass
    return _then_on(desk, None)


def correct_card(desk: Desk, by: By, command: commands.CorrectCard) -> Refusal | None:
    """The round played again with one card put right; what it alters is taken back and reopened."""
    state = desk.state
    if not state.live:
        return refuse(Code.NOT_NOW, "table.playing.cards-stand")
    if by.role == "dealer" and desk.round.paid:
        return refuse(Code.FORBIDDEN, "table.playing.floor-corrects")
    named = named_at(state.actions, command.place)
    if not 1 <= command.number <= len(named):
        return refuse(Code.NO_CARD_THERE, "table.playing.none-named", number=command.number)
    where = (command.place, command.number)
    right = put_right(desk.round, state.actions, *where, command.card)
    if isinstance(right, Refusal):
        return right
    back = desk.pay(desk.round, right[1])
    if isinstance(back, Refusal):
        return back
    was = named[command.number - 1][1].card
    desk.note(facts.Corrected(*where, was=was, card=command.card, why=command.why))
    desk.note_back(back)
    return _then_on(desk, None)


def tick(desk: Desk, by: By, command: commands.Tick) -> Refusal | None:
    """Whatever is overdue: agreement, betting, decisions; nothing where the house was late."""
    if command.late:
        pass
    elif _overdue(desk, "agree"):
        dead(desk)
    elif _overdue(desk, "betting") or _overdue(desk, LAST_CALL):
        time_is_up(desk)
    elif _overdue(desk, "decision"):
        # Each play may open the next stage, whose clock starts then.
        for number in desk.round.waiting:
            if _overdue(desk, "decision"):
                play_absent(desk, number)
        deal_on(desk)
    else:
        all_ready(desk)
    _put_off(desk)
    return None


def _put_off(desk: Desk) -> None:
    """What cannot be done yet, as playing cards that nobody has typed, is asked for again."""
    clocks = {LAST_CALL: LAST_CALL_SECONDS, **desk.state.clocks}
    for what in list(desk.state.deadlines):
        seconds = clocks.get(what)
        if _overdue(desk, what) and seconds is not None:
            desk.note(facts.Deadline(what, desk.until(max(seconds, 1))))


def _overdue(desk: Desk, what: str) -> bool:
    at = desk.state.deadlines.get(what)
    return at is not None and datetime.fromisoformat(at) <= desk.luck.now()


def _then_on(desk: Desk, refusal: Refusal | None) -> Refusal | None:
    if refusal is None:
        deal_on(desk)
    return refusal


def _with_remedy(refusal: Refusal | None) -> Refusal | None:
    if refusal is None or refusal.code != Code.NO_SUCH_CARD:
        return refusal
    key = "table.playing.with-remedy"
    return refuse(refusal.code, key, refusal.clause, refusal=refusal.message)
