"""Random rounds: wagers, cards and any offered play, to the end."""

from __future__ import annotations

from random import Random
from typing import NamedTuple

from pitbook.cards import DECK, Card
from pitbook.money import Cents
from pitbook.rules.actions import PASSED, Action, Close, Deal, Decide, Settle, Turn, Wager
from pitbook.rules.game import Game, Seat
from pitbook.rules.legal_actions import accepts
from pitbook.rules.round import Round, new_round
from pitbook.rules.round_progress import next_turn
from pitbook.rules.step import step
from pitbook.sheets.model import Stake


class Played(NamedTuple):
    """A finished round, and the plays offered to each seat."""

    over: Round
    put: dict[int, dict[str, Cents]]
    offered: dict[int, list[frozenset[str]]]


def play(game: Game, luck: Random) -> Played:
    """A round with one to three seats."""
    round, shoe = new_round(game), list(DECK * game.sheet.deck.decks)
    luck.shuffle(shoe)
    for number in sorted(luck.sample(range(1, game.sheet.seats.count + 1), luck.randint(1, 3))):
        for wager, amount in wagers(game, luck):
            round = apply_action(round, Wager(number, f"p{number}", wager, amount))
    put = {seat.number: dict(seat.stakes) for seat in round.seats}
    offered: dict[int, list[frozenset[str]]] = {number: [] for number in put}
    round = apply_action(round, Close())
    while round.phase != "over":
        for number in round.waiting if seen_by_all(round) else ():
            choices = [
                play_option
                for play_option in game.plays(round.stage)
                if accepts(round, Decide(number, play_option))
            ]
            offered[number].append(frozenset(map(str, choices)))
            round = apply_action(round, Decide(number, luck.choice(choices)))
            break
        else:
            round = apply_action(round, next_of(round, shoe))
    return Played(round, put, offered)


def wagers(game: Game, luck: Random) -> list[tuple[str, Cents]]:
    """The main wager, and every side wager that must be made or that luck makes.

    A side wager that may stand alone does so now and then.
    """
    main, rule = game.main
    sides = [wager for wager in game.sheet.side if stands_alone(game, wager)]
    if sides and luck.random() < 0.2:
        wager = luck.choice(sides)
        return [(wager, within(game.sheet.side[wager].stake, luck))]
    wagers = [(main, within(rule, luck))]
    for wager, side in game.sheet.side.items():
        if side.stake.required or luck.random() < 0.5:
            wagers.append((wager, within(side.stake, luck)))
    return wagers


def stands_alone(game: Game, wager: str) -> bool:
    """Whether a seat may make this side wager alone."""
    every = game.sheet.side
    alone = every[wager].stake.alone
    required = {wager for wager, side in every.items() if side.stake.required}
    return alone is not None and alone.value and required <= {wager}


def within(rule: Stake, luck: Random) -> Cents:
    """One of the lowest stakes, so that wins stay below posted limits."""
    steps = (rule.max - rule.min) // rule.step
    return Cents(rule.min + rule.step * luck.randint(0, min(steps, 9)))


def next_of(round: Round, shoe: list[Card]) -> Action:
    """The next card to deal or turn, or the settlement."""
    if round.phase == "deal":
        return Deal(round.to_deal[0])
    for seat in round.seats:
        if len(seat.cards) < seat.cards_dealt:
            return Turn(seat.number, shoe.pop())
    if round.phase == "settle":
        return Settle()
    place = next_turn(round)
    assert place is not None
    return Turn(place, shoe.pop())


def seen_by_all(round: Round) -> bool:
    """Whether every seat has looked at all its cards."""
    return all(len(seat.cards) == seat.cards_dealt for seat in round.seats)


def apply_action(round: Round, action: Action) -> Round:
    after = step(round, action)
    assert isinstance(after, Round), (action, after)
    return after


def plays_of(seat: Seat) -> tuple[str, ...]:
    """The plays of a seat, without stages that it did not reach."""
    return tuple(str(play_made) for play_made in seat.plays if play_made != PASSED)


def lying(round: Round, place: str) -> tuple[int, ...]:
    """The turned cards at a common place."""
    for at, cards in zip(round.game.places[1:], round.common, strict=True):
        if at.id == place:
            return cards
    return ()
