"""Interrupted hands: ask the players, resume, or declare the hand dead."""

from __future__ import annotations

from collections.abc import Iterator

from pitbook.house.table import commands, facts
from pitbook.house.table.betting import close_if_ready
from pitbook.house.table.commands import By
from pitbook.house.table.dealing import advance_dealer, wind_clocks
from pitbook.house.table.seats import has_live_wager
from pitbook.house.table.situation import PLACEHOLDER, Candidate, Situation
from pitbook.house.table.state import TableState
from pitbook.house.table.unit_of_work import UnitOfWork
from pitbook.rules.actions import Interrupted, Settle
from pitbook.rules.legal_actions import accepts
from pitbook.rules.refusals import Code, Refusal, refuse
from pitbook.rules.round import Round
from pitbook.rules.step import step

SETTLE_NEXT = Settle(at_once=True)


def legal_at(state: TableState, seat: int) -> Iterator[Candidate]:
    """The answers that a seat's player may give while play is interrupted."""
    if state.awaiting is not None:
        yield Candidate(commands.Agree(seat, finish=True), check_agree)


def legal(state: TableState) -> Iterator[Candidate]:
    """The commands that stop play, and those that end an interruption."""
    if state.awaiting is not None:
        yield Candidate(commands.Unreadable(), check_unreadable)
        yield Candidate(commands.GoOn(PLACEHOLDER), check_continue_play)
    yield Candidate(commands.Interrupt(PLACEHOLDER), check_interrupt)


def handle_stop(work: UnitOfWork, why: str) -> None:
    """Handle a stop of the server: resume, ask the players, or in a tournament the staff."""
    state = work.state
    if state.in_tournament and not state.awaiting and _has_wagers(work):
        if state.awaiting is None:
            work.emit(facts.Interrupted(why, ()))
        return
    if not state.has_live_wagers or work.round.phase == "wagers":
        if state.deadlines or state.has_live_wagers:
            work.emit(facts.Resumed(why))
            wind_clocks(work)
            close_if_ready(work)
        return
    _interrupt(work, why)


def _has_wagers(work: UnitOfWork) -> bool:
    """Whether resuming play would risk any player's chips."""
    return work.state.has_live_wagers and bool(work.round.seats)


def _interrupt(work: UnitOfWork, why: str) -> None:
    players = _players_to_ask(work)
    work.emit(facts.Interrupted(why, players))
    if players is None:
        work.apply_forced(Interrupted(agreed=True))
    advance_dealer(work)


def _players_to_ask(work: UnitOfWork) -> tuple[str, ...] | None:
    """The players with an open card or decision, if the sheet says to ask; earlier answers stay."""
    rule = work.round.game.sheet.irregularities.interruption
    if rule.value == "resume":
        return None
    if work.state.awaiting:
        return tuple(sorted(work.state.awaiting))
    remaining = settle_certain(work.round)
    live = [seat.player for seat in remaining.seats if has_live_wager(remaining, seat)]
    return tuple(sorted(set(live))) or None


def interrupt(work: UnitOfWork, by: By, command: commands.Interrupt) -> Refusal | None:
    """Stop play by a supervisor's command."""
    if (refusal := check_interrupt(work, by, command)) is None:
        _interrupt(work, command.why)
    return refusal


def check_interrupt(table: Situation, by: By, command: commands.Interrupt) -> Refusal | None:
    """The refusal of stopping play, or None."""
    if not table.state.has_live_wagers or table.round.phase == "wagers":
        return refuse(Code.NOT_NOW, "engine.mishaps.no-play")
    return None


def continue_play(work: UnitOfWork, by: By, command: commands.GoOn) -> Refusal | None:
    """Continue play after a stop of the server, unless players are being asked."""
    if (refusal := check_continue_play(work, by, command)) is None:
        _resume_play(work, command.why)
    return refusal


def check_continue_play(table: Situation, by: By, command: commands.GoOn) -> Refusal | None:
    """The refusal of continuing play, or None."""
    if table.state.awaiting is None:
        return refuse(Code.NOT_NOW, "table.interruptions.none-waits")
    if table.state.awaiting:
        names = tuple(table.state.awaiting)
        key = "table.interruptions.they-answer"
        return refuse(Code.NOT_NOW, key, rule_clause(table), names=names, count=len(names))
    return None


def cancel_interruption(work: UnitOfWork, by: By, command: commands.CallOff) -> Refusal | None:
    """Cancel an interruption, so players are no longer asked."""
    if work.state.awaiting is None:
        return refuse(Code.NOT_NOW, "table.interruptions.none-interrupted")
    _resume_play(work, command.why)
    return None


def _resume_play(work: UnitOfWork, why: str) -> None:
    work.emit(facts.Resumed(why))
    if work.round.phase == "wagers":
        wind_clocks(work)
        close_if_ready(work)
        return
    work.apply_forced(Interrupted(agreed=True))
    advance_dealer(work)


def agree(work: UnitOfWork, by: By, command: commands.Agree) -> Refusal | None:
    """Record a player's answer; the last yes resumes play, the first no ends the hand."""
    if isinstance(player := _asked_player(work, command.seat), Refusal):
        return player
    work.emit(facts.Agreed(player, command.finish))
    if not command.finish:
        declare_dead(work)
    elif all((work.state.awaiting or {}).values()):
        work.apply_forced(Interrupted(agreed=True))
        advance_dealer(work)
    return None


def check_agree(table: Situation, by: By, command: commands.Agree) -> Refusal | None:
    """The refusal of a player's answer, or None."""
    player = _asked_player(table, command.seat)
    return player if isinstance(player, Refusal) else None


def _asked_player(table: Situation, number: int) -> str | Refusal:
    """The player of a seat who has yet to answer, or the refusal."""
    awaiting = table.state.awaiting
    if awaiting is None:
        return refuse(Code.NOT_NOW, "table.interruptions.nobody-asked")
    seat = table.round.seat(number)
    player = seat.player if seat else None
    if player is None or player not in awaiting:
        key = "table.interruptions.not-asked"
        return refuse(Code.UNKNOWN_SEAT, key, rule_clause(table), seat=number)
    if awaiting[player] is not None:
        return refuse(Code.ALREADY_DECIDED, "table.interruptions.answered", player=player)
    return player


def unreadable(work: UnitOfWork, by: By, command: commands.Unreadable) -> Refusal | None:
    """Declare the hand dead because it cannot be reconstructed."""
    if (refusal := check_unreadable(work, by, command)) is None:
        declare_dead(work)
    return refusal


def check_unreadable(table: Situation, by: By, command: commands.Unreadable) -> Refusal | None:
    """The refusal of declaring the hand dead, or None."""
    if table.state.awaiting is None:
        return refuse(Code.NOT_NOW, "table.interruptions.none-to-read")
    if table.round.phase == "wagers":
        return refuse(Code.NOT_NOW, "table.interruptions.no-card-yet")
    return None


def declare_dead(work: UnitOfWork) -> None:
    """Settle hands that are face up and return every other wager (GEN-6)."""
    while is_next_certain(work.round):
        work.apply_forced(SETTLE_NEXT)
    if work.round.phase != "over":
        work.apply_forced(Interrupted(agreed=False))
    advance_dealer(work)


def awaiting_refusal(table: Situation) -> Refusal:
    """The refusal of play while players or the staff must answer first."""
    answers = table.state.awaiting or {}
    if not answers:
        return refuse(Code.NOT_NOW, "table.interruptions.floor-says", rule_clause(table))
    names = tuple(name for name, answer in answers.items() if answer is None)
    details = {"names": names, "count": len(names)}
    return refuse(Code.NOT_NOW, "table.interruptions.must-agree", rule_clause(table), **details)


def settle_certain(round: Round) -> Round:
    """The round after settling all hands whose result is certain, in paying order."""
    while is_next_certain(round):
        after = step(round, SETTLE_NEXT)
        assert isinstance(after, Round)
        round = after
    return round


def is_next_certain(round: Round) -> bool:
    """Whether the next hand to settle has no closed card and is not a fold that may be void."""
    if round.phase != "settle":
        return False
    number, group = round.to_settle[round.steps_settled]
    seat = round.seat(number)
    assert seat is not None
    folded = seat.folded and "main" in group
    return seat.void is None and not folded and accepts(round, SETTLE_NEXT)


def rule_clause(table: Situation) -> str:
    """The clause about interrupted hands."""
    return table.round.game.sheet.irregularities.interruption.clause
