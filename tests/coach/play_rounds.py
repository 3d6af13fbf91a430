"""Rounds of one seat and more, dealt from a deck that a test lays, played as it says."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from random import Random
from typing import NamedTuple

from pitbook.cards import DECK, Card
from pitbook.money import Cents
from pitbook.rules.actions import Action, Close, Deal, Decide, PlaceNumber, Settle, Turn, Wager
from pitbook.rules.flow import next_turn
from pitbook.rules.round import Round, open_round
from pitbook.rules.stored import replay
from pitbook.sheets.model import Sheet

Choose = Callable[[Round, int], str]
Wagers = Mapping[str, int]


class Played(NamedTuple):
    """A round from its first wager on, as far as it went."""

    opened: Round
    actions: tuple[Action, ...]
    final: Round


def played(
    sheet: Sheet,
    seats: Sequence[Wagers],
    deck: Sequence[Card],
    choose: Choose,
    *,
    player: str | None = None,
) -> Played:
    """Seats 1, 2, ... with these wagers in cents; every owner looks before anybody decides."""
    opened = open_round(sheet)
    actions: list[Action] = [
        Wager(number, player or f"player {number}", wager, Cents(amount))
        for number, made in enumerate(seats, start=1)
        for wager, amount in made.items()
    ]
    actions.append(Close())
    round, left = replay(opened, actions), iter(deck)
    piles: dict[PlaceNumber, list[Card]] = {}
    while round.phase != "over":
        if round.phase == "deal":
            piles.setdefault(round.to_deal[0], []).append(next(left))
            actions.append(Deal(round.to_deal[0]))
        else:
            actions.append(_next(round, piles, choose))
        round = replay(round, actions[-1:])
    return Played(opened, tuple(actions), round)


def _next(round: Round, piles: Mapping[PlaceNumber, Sequence[Card]], choose: Choose) -> Action:
    for seat in round.seats:
        if len(seat.cards) < seat.laid:
            return Turn(seat.number, piles[seat.number][len(seat.cards)])
    if round.waiting:
        return Decide(round.waiting[0], choose(round, round.waiting[0]))
    place = next_turn(round)
    if place is None:
        return Settle()
    return Turn(place, piles[place][len(round.common[-place])])


def shuffled(sheet: Sheet, luck: Random) -> list[Card]:
    shoe = list(DECK) * sheet.deck.decks
    luck.shuffle(shoe)
    return shoe


def any_play(luck: Random) -> Choose:
    """Whatever the rules allow, folds seldom: rounds should go on."""

    def choose(round: Round, number: int) -> str:
        seat = round.seat(number)
        assert seat is not None
        game, stage = round.game, round.stage
        may = game.may(stage, seat, *round.common)
        able = [one for one in may if game.too_much(seat, stage, one) is None]
        return luck.choice([one for one in able if one != "fold" or luck.random() < 0.3] or able)

    return choose


def all_wagers(sheet: Sheet, luck: Random) -> dict[str, int]:
    """Every wager of a sheet, at amounts that it allows."""
    main, rule = open_round(sheet).game.main
    stakes = {main: rule} | {name: side.stake for name, side in sheet.side.items()}
    times = luck.choice((1, 3, 20))
    return {name: min(stake.max, times * stake.min) for name, stake in stakes.items()}
