"""Rounds of one or more seats, dealt from a given deck and played as a test chooses."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from random import Random
from typing import NamedTuple

from pitbook.cards import DECK, Card
from pitbook.money import Cents
from pitbook.rules.actions import Action, Close, Deal, Decide, PlaceNumber, Settle, Turn, Wager
from pitbook.rules.round import Round, open_round
from pitbook.rules.round_progress import next_turn
from pitbook.rules.stored_rounds import replay
from pitbook.sheets.model import Sheet

Choose = Callable[[Round, int], str]
Wagers = Mapping[str, int]


class PlayedRound(NamedTuple):
    """A round from its first wager, as far as it was played."""

    opened: Round
    actions: tuple[Action, ...]
    final: Round


def play_round(
    sheet: Sheet,
    seats: Sequence[Wagers],
    deck: Sequence[Card],
    choose: Choose,
    *,
    player: str | None = None,
) -> PlayedRound:
    """Seats 1, 2, … with these wagers in cents; every owner looks before anyone decides."""
    opened = open_round(sheet)
    actions: list[Action] = [
        Wager(number, player or f"player {number}", wager, Cents(amount))
        for number, wagers in enumerate(seats, start=1)
        for wager, amount in wagers.items()
    ]
    actions.append(Close())
    round, cards = replay(opened, actions), iter(deck)
    piles: dict[PlaceNumber, list[Card]] = {}
    while round.phase != "over":
        if round.phase == "deal":
            piles.setdefault(round.to_deal[0], []).append(next(cards))
            actions.append(Deal(round.to_deal[0]))
        else:
            actions.append(_next_action(round, piles, choose))
        round = replay(round, actions[-1:])
    return PlayedRound(opened, tuple(actions), round)


def _next_action(
    round: Round, piles: Mapping[PlaceNumber, Sequence[Card]], choose: Choose
) -> Action:
    for seat in round.seats:
        if len(seat.cards) < seat.cards_dealt:
            return Turn(seat.number, piles[seat.number][len(seat.cards)])
    if round.waiting:
        return Decide(round.waiting[0], choose(round, round.waiting[0]))
    place = next_turn(round)
    if place is None:
        return Settle()
    return Turn(place, piles[place][len(round.common[-place])])


def shuffled_deck(sheet: Sheet, rng: Random) -> list[Card]:
    shoe = list(DECK) * sheet.deck.decks
    rng.shuffle(shoe)
    return shoe


def random_play(rng: Random) -> Choose:
    """Any legal play; folds are rare, so that rounds go on."""

    def choose(round: Round, number: int) -> str:
        seat = round.seat(number)
        assert seat is not None
        game, stage = round.game, round.stage
        may = game.allowed_plays(stage, seat, *round.common)
        able = [play for play in may if game.exceeded_clause(seat, stage, play) is None]
        return rng.choice([play for play in able if play != "fold" or rng.random() < 0.3] or able)

    return choose


def all_wagers(sheet: Sheet, rng: Random) -> dict[str, int]:
    """Every wager of a sheet, at amounts that it allows."""
    main, rule = open_round(sheet).game.main
    stakes = {main: rule} | {name: side.stake for name, side in sheet.side.items()}
    times = rng.choice((1, 3, 20))
    return {name: min(stake.max, times * stake.min) for name, stake in stakes.items()}
