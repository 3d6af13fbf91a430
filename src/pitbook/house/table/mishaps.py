"""Misdeals, void hands, exposed cards and warnings."""

from __future__ import annotations

from pitbook.house.table import commands
from pitbook.house.table.commands import By
from pitbook.house.table.dealing import advance_dealer, next_card
from pitbook.house.table.work import UnitOfWork
from pitbook.rules import actions
from pitbook.rules.refusals import Code, Refusal, refuse
from pitbook.rules.step import step


def misdeal(work: UnitOfWork, by: By, command: commands.Misdeal) -> Refusal | None:
    """Declare a misdeal; refused if it was found too late."""
    return _apply(work, actions.Misdeal(command.reason, command.card_count))


def void_hand(work: UnitOfWork, by: By, command: commands.VoidHand) -> Refusal | None:
    """Void one hand; for information, only the hand that the sheet penalizes."""
    action = actions.VoidHand(command.seat, command.reason, command.part)
    if command.reason == "information" and command.part is None and work.state.round is not None:
        refusal = step(work.round, action)
        return refusal if isinstance(refusal, Refusal) else _ask_who_gave(work, command.seat)
    return _apply(work, action)


def _ask_who_gave(work: UnitOfWork, seat: int) -> Refusal:
    rule = work.round.game.sheet.irregularities.information
    clause = rule.whose.clause if rule else None
    return refuse(Code.UNKNOWN_REASON, "table.mishaps.gave-or-took", clause, seat=seat)


def warn(work: UnitOfWork, by: By, command: commands.Warn) -> Refusal | None:
    """Record a warning."""
    return _apply(work, actions.Warn(command.seat, command.breach))


def expose_card(work: UnitOfWork, by: By, command: commands.ExposeCard) -> Refusal | None:
    """Expose the next card of a place, from the shoe or as the dealer names it."""
    typed = work.state.typed
    if typed and command.card is None:
        return refuse(Code.NO_CARD_THERE, "table.mishaps.name-the-card")
    if not typed and command.card is not None:
        return refuse(Code.FORBIDDEN, "table.mishaps.from-the-shoe")
    if typed and command.card is not None:
        return _apply(work, actions.Expose(command.place, command.card))
    if not work.state.live or command.place not in work.round.hidden:
        return refuse(Code.NO_CARD_THERE, "engine.mishaps.none-face-down")
    return _apply(work, actions.Expose(command.place, next_card(work, command.place)))


def _apply(work: UnitOfWork, action: actions.Action) -> Refusal | None:
    if (refusal := work.apply_action(action)) is not None:
        return refusal
    advance_dealer(work)
    return None
