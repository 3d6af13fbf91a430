"""The legal actions of a round. Each candidate is tried with `step`."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from pitbook.cards import DECK, Card
from pitbook.money import Cents
from pitbook.rules.actions import (
    Absent,
    Action,
    Close,
    Deal,
    Decide,
    Expose,
    Fouled,
    Interrupted,
    Misdeal,
    PlaceNumber,
    Settle,
    Turn,
    VoidHand,
    Wager,
    Warn,
    Withdraw,
)
from pitbook.rules.refusals import Refusal
from pitbook.rules.round import Round
from pitbook.rules.step import step
from pitbook.sheets.model import Stake


class Offer(NamedTuple):
    """A kind of action that is legal now, with its seat or place, choices and bounds."""

    action: type
    place: PlaceNumber | None = None
    wager: str | None = None
    choices: tuple[str, ...] = ()
    least: Cents | None = None
    most: Cents | None = None
    step: Cents | None = None


def legal(round: Round, player: str = "") -> tuple[Offer, ...]:
    """All legal actions now; wagers for the given player."""
    return (*_wagers(round, player), *_cards(round), *_plays(round), *_mishaps(round))


def accepts(round: Round, action: Action) -> bool:
    return not isinstance(step(round, action), Refusal)


def _wagers(round: Round, player: str) -> Iterator[Offer]:
    if round.phase != "wagers":
        return
    main, rule = round.game.main
    stakes: dict[str, Stake] = {main: rule}
    stakes |= {wager: side.stake for wager, side in round.game.sheet.side.items()}
    for number in range(1, round.game.sheet.seats.count + 1):
        for wager, stake in stakes.items():
            if accepts(round, Wager(number, player, wager, stake.min)):
                bounds = (stake.min, stake.max, stake.step)
                yield Offer(Wager, number, wager, (), *bounds)
    for seat in round.seats:
        for wager, _ in seat.stakes:
            if wager not in round.game.equals:
                yield Offer(Withdraw, seat.number, wager)
    if accepts(round, Close()):
        yield Offer(Close)


def _cards(round: Round) -> Iterator[Offer]:
    if round.phase == "deal":
        yield Offer(Deal, round.to_deal[0])
    if not (hidden := round.hidden):
        return
    new_card = unseen_card(round)
    for place in hidden:
        if accepts(round, Turn(place, new_card)):
            yield Offer(Turn, place)
        if accepts(round, Expose(place, new_card)):
            yield Offer(Expose, place)


def _plays(round: Round) -> Iterator[Offer]:
    for number in round.waiting:
        plays = round.game.plays(round.stage)
        choices = tuple(play for play in plays if accepts(round, Decide(number, play)))
        yield Offer(Decide, number, choices=choices)
        if accepts(round, Absent(number)):
            yield Offer(Absent, number)
    timings = {"at-once": Settle(at_once=True), "at-end": Settle()}
    if allowed_timings := tuple(
        timing for timing, action in timings.items() if accepts(round, action)
    ):
        yield Offer(Settle, choices=allowed_timings)


def _mishaps(round: Round) -> Iterator[Offer]:
    if accepts(round, Misdeal("")):
        yield Offer(Misdeal)
    for seat in round.seats:
        reasons = tuple(
            reason
            for reason in ("information", "supervisor")
            if accepts(round, VoidHand(seat.number, reason))
        )
        if reasons:
            yield Offer(VoidHand, seat.number, choices=reasons)
        if accepts(round, Warn(seat.number, "")):
            yield Offer(Warn, seat.number)
    if accepts(round, Fouled(DECK[0])):
        yield Offer(Fouled)
    if accepts(round, Interrupted(agreed=True)):
        yield Offer(Interrupted)


def unseen_card(round: Round) -> Card:
    """Any card that the decks still hold."""
    decks = round.game.sheet.deck.decks
    return next(card for card in DECK if round.copies(card) < decks)
