"""When the dealer or the floor has to step in: misdeals, void hands, exposed cards, breaches."""

from __future__ import annotations

from pitbook.house.table import commands
from pitbook.house.table.acts.dealer import deal_on, next_card
from pitbook.house.table.commands import By
from pitbook.house.table.desk import Desk
from pitbook.rules import actions
from pitbook.rules.refusals import Code, Refusal, refuse
from pitbook.rules.step import step


def misdeal(desk: Desk, by: By, command: commands.Misdeal) -> Refusal | None:
    """The round is void, or the finding comes too late."""
    return _act(desk, actions.Misdeal(command.reason, command.card_count))


def void_hand(desk: Desk, by: By, command: commands.VoidHand) -> Refusal | None:
    """One hand is void, if it is the one that the sheet makes pay for information."""
    action = actions.VoidHand(command.seat, command.reason, command.part)
    if command.reason == "information" and command.part is None and desk.state.round is not None:
        refusal = step(desk.round, action)
        return refusal if isinstance(refusal, Refusal) else _who_gave(desk, command.seat)
    return _act(desk, action)


def _who_gave(desk: Desk, seat: int) -> Refusal:
    rule = desk.round.game.sheet.irregularities.information
    clause = rule.whose.clause if rule else None
    return refuse(Code.UNKNOWN_REASON, "table.mishaps.gave-or-took", clause, seat=seat)


def warn(desk: Desk, by: By, command: commands.Warn) -> Refusal | None:
    """A breach, recorded."""
    return _act(desk, actions.Warn(command.seat, command.breach))


def expose_card(desk: Desk, by: By, command: commands.ExposeCard) -> Refusal | None:
    """The next card of a place was seen: from the shoe, or as the dealer names it."""
    typed = desk.state.typed
    if typed and command.card is None:
        return refuse(Code.NO_CARD_THERE, "table.mishaps.name-the-card")
    if not typed and command.card is not None:
        return refuse(Code.FORBIDDEN, "table.mishaps.from-the-shoe")
    if typed and command.card is not None:
        return _act(desk, actions.Expose(command.place, command.card))
    if not desk.state.live or command.place not in desk.round.hidden:
        return refuse(Code.NO_CARD_THERE, "engine.mishaps.none-face-down")
    return _act(desk, actions.Expose(command.place, next_card(desk, command.place)))


def _act(desk: Desk, action: actions.Action) -> Refusal | None:
    if (refusal := desk.act(action)) is not None:
        return refusal
    deal_on(desk)
    return None
