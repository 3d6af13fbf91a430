"""Play: decisions, typed cards, corrections, mishaps and expired clocks."""

from __future__ import annotations

from datetime import datetime

from pitbook.house.table import commands, facts
from pitbook.house.table.apply_facts import named_cards, replay_with_card
from pitbook.house.table.betting import LAST_CALL_SECONDS, close_if_ready, force_close
from pitbook.house.table.commands import By
from pitbook.house.table.dealing import advance_dealer, next_card, play_absent
from pitbook.house.table.facts import LAST_CALL
from pitbook.house.table.interruptions import SETTLE_NEXT, declare_dead
from pitbook.house.table.work import UnitOfWork
from pitbook.rules import actions
from pitbook.rules.actions import Fouled, Turn
from pitbook.rules.refusals import Code, Refusal, refuse
from pitbook.rules.step import step


def decide(work: UnitOfWork, by: By, command: commands.Decide) -> Refusal | None:
    """Apply a seat's play."""
    return _continue(work, work.apply_action(actions.Decide(command.seat, command.play)))


def advice_shown(work: UnitOfWork, by: By, command: commands.AdviceShown) -> Refusal | None:
    """Record advice; refused if the coach is off."""
    if not work.state.coach:
        return refuse(Code.FORBIDDEN, "table.playing.coach-off")
    work.emit(facts.CoachAdvice(command.seat, command.text, command.play))
    return None


def type_card(work: UnitOfWork, by: By, command: commands.TypeCard) -> Refusal | None:
    """Record a card that the dealer turned."""
    refusal = work.apply_action(Turn(command.place, command.card))
    return _continue(work, _add_remedy(refusal))


def deck_fouled(work: UnitOfWork, by: By, command: commands.DeckFouled) -> Refusal | None:
    """Void the round for a fouled deck (GEN-9)."""
    return _continue(work, work.apply_action(Fouled(command.card)))


def settle(work: UnitOfWork, by: By, command: commands.Settle) -> Refusal | None:
    """Settle hands as far as closed cards cannot change a result; each is paid at once."""
    if (refusal := work.apply_action(SETTLE_NEXT)) is not None:
        return refusal
    while work.round.phase == "settle" and work.apply_action(SETTLE_NEXT) is None:
        pass
    return _continue(work, None)


def correct_card(work: UnitOfWork, by: By, command: commands.CorrectCard) -> Refusal | None:
    """Replay the round with one card corrected; reverses and reopens hands that it affects."""
    state = work.state
    if not state.live:
        return refuse(Code.NOT_NOW, "table.playing.cards-stand")
    if by.role == "dealer" and work.round.paid:
        return refuse(Code.FORBIDDEN, "table.playing.floor-corrects")
    turned = named_cards(state.actions, command.place)
    if not 1 <= command.number <= len(turned):
        return refuse(Code.NO_CARD_THERE, "table.playing.none-named", number=command.number)
    position = (command.place, command.number)
    corrected = replay_with_card(work.round, state.actions, *position, command.card)
    if isinstance(corrected, Refusal):
        return corrected
    reversals = work.book_transfers(work.round, corrected[1])
    if isinstance(reversals, Refusal):
        return reversals
    card_before = turned[command.number - 1][1].card
    work.emit(facts.Corrected(*position, mistyped=card_before, card=command.card, why=command.why))
    work.emit_reversal(reversals)
    return _continue(work, None)


def tick(work: UnitOfWork, by: By, command: commands.Tick) -> Refusal | None:
    """Handle expired clocks: agreement, betting, decisions. A late tick only restarts them."""
    if command.late:
        pass
    elif _is_overdue(work, "agree"):
        declare_dead(work)
    elif _is_overdue(work, "betting") or _is_overdue(work, LAST_CALL):
        force_close(work)
    elif _is_overdue(work, "decision"):
        # Each play may open the next stage, whose clock starts then.
        for number in work.round.waiting:
            if _is_overdue(work, "decision"):
                play_absent(work, number)
        advance_dealer(work)
    else:
        close_if_ready(work)
    _extend_deadlines(work)
    return None


def _extend_deadlines(work: UnitOfWork) -> None:
    """Restart clocks whose action is not possible yet, such as untyped cards."""
    clocks = {LAST_CALL: LAST_CALL_SECONDS, **work.state.clocks}
    for clock in list(work.state.deadlines):
        seconds = clocks.get(clock)
        if _is_overdue(work, clock) and seconds is not None:
            work.emit(facts.Deadline(clock, work.time_in(max(seconds, 1))))


def _is_overdue(work: UnitOfWork, what: str) -> bool:
    at = work.state.deadlines.get(what)
    return at is not None and datetime.fromisoformat(at) <= work.env.now()


def _continue(work: UnitOfWork, refusal: Refusal | None) -> Refusal | None:
    if refusal is None:
        advance_dealer(work)
    return refusal


def _add_remedy(refusal: Refusal | None) -> Refusal | None:
    if refusal is None or refusal.code != Code.NO_SUCH_CARD:
        return refusal
    key = "table.playing.with-remedy"
    return refuse(refusal.code, key, refusal.clause, refusal=refusal.message)


# Mishaps: misdeals, void hands, exposed cards and warnings.


def misdeal(work: UnitOfWork, by: By, command: commands.Misdeal) -> Refusal | None:
    """Declare a misdeal; refused if it was found too late."""
    return _continue(work, work.apply_action(actions.Misdeal(command.reason, command.card_count)))


def void_hand(work: UnitOfWork, by: By, command: commands.VoidHand) -> Refusal | None:
    """Void one hand; for information, only the hand that the sheet penalizes."""
    action = actions.VoidHand(command.seat, command.reason, command.part)
    if command.reason == "information" and command.part is None and work.state.round is not None:
        refusal = step(work.round, action)
        return refusal if isinstance(refusal, Refusal) else _ask_who_gave(work, command.seat)
    return _continue(work, work.apply_action(action))


def _ask_who_gave(work: UnitOfWork, seat: int) -> Refusal:
    rule = work.round.game.sheet.irregularities.information
    clause = rule.whose.clause if rule else None
    return refuse(Code.UNKNOWN_REASON, "table.mishaps.gave-or-took", clause, seat=seat)


def warn(work: UnitOfWork, by: By, command: commands.Warn) -> Refusal | None:
    """Record a warning."""
    return _continue(work, work.apply_action(actions.Warn(command.seat, command.breach)))


def expose_card(work: UnitOfWork, by: By, command: commands.ExposeCard) -> Refusal | None:
    """Expose the next card of a place, from the shoe or as the dealer names it."""
    typed = work.state.typed
    if typed and command.card is None:
        return refuse(Code.NO_CARD_THERE, "table.mishaps.name-the-card")
    if not typed and command.card is not None:
        return refuse(Code.FORBIDDEN, "table.mishaps.from-the-shoe")
    if typed and command.card is not None:
        return _continue(work, work.apply_action(actions.Expose(command.place, command.card)))
    if not work.state.live or command.place not in work.round.hidden:
        return refuse(Code.NO_CARD_THERE, "engine.mishaps.none-face-down")
    return _continue(
        work, work.apply_action(actions.Expose(command.place, next_card(work, command.place)))
    )
