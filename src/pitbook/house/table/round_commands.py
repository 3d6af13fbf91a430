"""Play: decisions, typed cards, corrections, mishaps and expired clocks."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from datetime import datetime

from pitbook.house.table import commands, facts
from pitbook.house.table.apply_facts import named_cards, replay_with_card
from pitbook.house.table.betting import LAST_CALL_SECONDS, close_if_ready, force_close
from pitbook.house.table.commands import By
from pitbook.house.table.dealing import advance_dealer, next_card, play_absent
from pitbook.house.table.facts import LAST_CALL
from pitbook.house.table.interruptions import SETTLE_NEXT, declare_dead
from pitbook.house.table.situation import PLACEHOLDER, Candidate, Situation
from pitbook.house.table.state import TableState
from pitbook.house.table.transfers import seat_stake_transfers
from pitbook.house.table.unit_of_work import UnitOfWork
from pitbook.rules import actions
from pitbook.rules.actions import Fouled, Turn
from pitbook.rules.legal_actions import unseen_card
from pitbook.rules.refusals import Code, Refusal, refuse
from pitbook.rules.round_progress import refuse_too_soon
from pitbook.rules.step import playable_plays, step

PlayCheck = Callable[[str], Refusal | None]


def legal_at(state: TableState, seat: int) -> Iterator[Candidate]:
    """The commands about a seat's hand; `check_plays` checks plays by name."""
    yield Candidate(commands.VoidHand(seat, "supervisor"), check_void_hand)
    yield Candidate(commands.VoidHand(seat, "information", part="gave"), check_void_hand)
    yield Candidate(commands.VoidHand(seat, "information", part="took"), check_void_hand)
    yield Candidate(commands.Warn(seat, PLACEHOLDER), check_warn)


def legal(state: TableState) -> Iterator[Candidate]:
    """The commands about the round."""
    yield Candidate(commands.Settle(), check_settle)
    yield Candidate(commands.Misdeal(PLACEHOLDER), check_misdeal)
    if not state.typed:
        hidden = state.round.hidden if state.round else ()
        for place in hidden or (actions.BOARD,):
            yield Candidate(commands.ExposeCard(place), check_expose_card)


def decide(work: UnitOfWork, by: By, command: commands.Decide) -> Refusal | None:
    """Apply a seat's play."""
    return _continue(work, work.apply_action(actions.Decide(command.seat, command.play)))


def check_plays(table: Situation, seat: int) -> PlayCheck:
    """A function that returns `decide`'s refusal of a seat's plays, by name."""
    return lambda play: _check_play(table, actions.Decide(seat, play))


def _check_play(table: Situation, action: actions.Decide) -> Refusal | None:
    round = table.state.round
    if round is None:
        return refuse(Code.NOT_NOW, "table.desk.no-round")
    playable = refuse_too_soon(round, action) or playable_plays(round, action)
    if isinstance(playable, Refusal):
        return playable
    seat, play = playable
    if not play.takes:
        cost = seat.cost(play)
        return table.check_balance(seat.player, cost) if cost else None
    transfers = seat_stake_transfers(table.accounts, "", seat, seat.after_play(play))
    return table.check_covered(list(transfers))


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


def check_settle(table: Situation, by: By, command: commands.Settle) -> Refusal | None:
    """The refusal of settling, or None."""
    return table.check_action(SETTLE_NEXT)


def correct_card(work: UnitOfWork, by: By, command: commands.CorrectCard) -> Refusal | None:
    """Replay the round with one card corrected; reverses and reopens hands that it affects."""
    state = work.state
    if not state.has_live_wagers:
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


def _is_overdue(work: UnitOfWork, clock_kind: str) -> bool:
    at = work.state.deadlines.get(clock_kind)
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
    return _continue(work, work.apply_action(_misdeal_action(command)))


def check_misdeal(table: Situation, by: By, command: commands.Misdeal) -> Refusal | None:
    """The refusal of a misdeal, or None."""
    return table.check_action(_misdeal_action(command))


def _misdeal_action(command: commands.Misdeal) -> actions.Misdeal:
    return actions.Misdeal(command.reason, command.card_count)


def void_hand(work: UnitOfWork, by: By, command: commands.VoidHand) -> Refusal | None:
    """Void one hand; for information, only the hand that the sheet penalizes."""
    if (refusal := _check_part(work, command)) is not None:
        return refusal
    return _continue(work, work.apply_action(_void_action(command)))


def check_void_hand(table: Situation, by: By, command: commands.VoidHand) -> Refusal | None:
    """The refusal of voiding a hand, or None."""
    return _check_part(table, command) or table.check_action(_void_action(command))


def _void_action(command: commands.VoidHand) -> actions.VoidHand:
    return actions.VoidHand(command.seat, command.reason, command.part)


def _check_part(table: Situation, command: commands.VoidHand) -> Refusal | None:
    """Ask who gave the information and who took it, unless the hand cannot be void anyway."""
    if command.reason != "information" or command.part is not None or table.state.round is None:
        return None
    refusal = step(table.round, _void_action(command))
    if isinstance(refusal, Refusal):
        return refusal
    rule = table.round.game.sheet.irregularities.information
    clause = rule.whose.clause if rule else None
    return refuse(Code.UNKNOWN_REASON, "table.mishaps.gave-or-took", clause, seat=command.seat)


def warn(work: UnitOfWork, by: By, command: commands.Warn) -> Refusal | None:
    """Record a warning."""
    return _continue(work, work.apply_action(actions.Warn(command.seat, command.breach)))


def check_warn(table: Situation, by: By, command: commands.Warn) -> Refusal | None:
    """The refusal of a warning, or None."""
    return table.check_action(actions.Warn(command.seat, command.breach))


def expose_card(work: UnitOfWork, by: By, command: commands.ExposeCard) -> Refusal | None:
    """Expose the next card of a place, from the shoe or as the dealer names it."""
    if (refusal := _check_exposed_place(work.state, command)) is not None:
        return refusal
    card = next_card(work, command.place) if command.card is None else command.card
    return _continue(work, work.apply_action(actions.Expose(command.place, card)))


def check_expose_card(table: Situation, by: By, command: commands.ExposeCard) -> Refusal | None:
    """The refusal of an exposed card, or None; it does not depend on the next card of the shoe."""
    if (refusal := _check_exposed_place(table.state, command)) is not None:
        return refusal
    card = unseen_card(table.round) if command.card is None else command.card
    return table.check_action(actions.Expose(command.place, card))


def _check_exposed_place(state: TableState, command: commands.ExposeCard) -> Refusal | None:
    if state.typed:
        no_card = refuse(Code.NO_CARD_THERE, "table.mishaps.name-the-card")
        return no_card if command.card is None else None
    if command.card is not None:
        return refuse(Code.FORBIDDEN, "table.mishaps.from-the-shoe")
    if not state.has_live_wagers or state.round is None or command.place not in state.round.hidden:
        return refuse(Code.NO_CARD_THERE, "engine.mishaps.none-face-down")
    return None
