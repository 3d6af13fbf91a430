"""A round of given cards for a paper, played to its end by the engine; None where it cannot be."""

from __future__ import annotations

import json
from collections.abc import Iterator
from itertools import product
from typing import Any

from pitbook.cards import Card, name
from pitbook.errors import PitbookError
from pitbook.money import Cents, money
from pitbook.rules import round_file
from pitbook.rules.game import Game
from pitbook.rules.round import Round
from pitbook.text import Sentence, say

DealtCards = dict[str, list[Card]]  # By seat, "1" and "2", and by place in common.


def played(
    game: Game, deal: DealtCards, *, seats: tuple[int, ...], largest: bool = False
) -> Round | None:
    """The round with every wager made: at its smallest, or at its largest with the largest bets."""
    for plays, later in product(_plays(game, largest=largest), (False, True)):
        told = _file(game, _first(game, deal, later=later), seats, plays, largest=largest)
        try:
            return round_file.play(round_file.parse(json.dumps(told)), game.sheet)[0]
        except PitbookError:  # So many plays or cards do not come in this round: fewer are tried.
            continue
    return None


def laid_of(game: Game, round_: Round) -> tuple[Sentence, ...]:
    """The cards in common, place by place."""
    piles = zip(game.places[1:], round_.common, strict=True)
    return tuple(
        say("papers.examples.laid", place=place.id, cards=cards) for place, cards in piles if cards
    )


def _first(game: Game, deal: DealtCards, *, later: bool) -> DealtCards:
    """The cards that are dealt at once, or those with them that come later."""
    own, *common = game.places
    many = {one.id: one.cards - (0 if later else one.later) for one in common}
    each = own.cards - (0 if later else own.later)
    return {name: cards[: many.get(name, each)] for name, cards in deal.items()}


def _plays(game: Game, *, largest: bool) -> Iterator[list[str]]:
    """A play at every stage, then at the first stages alone, where later ones pass over."""
    pick = max if largest else min
    each = [
        pick(
            (one for one in stage.plays if not one.folds and not one.takes),
            key=lambda one: (one.times, str(one)),
        )
        for stage in game.stages
        if stage.plays
    ]
    for many in range(len(each), -1, -1):
        yield [str(one) for one in each[:many]]


def _file(
    game: Game, deal: DealtCards, seats: tuple[int, ...], plays: list[str], *, largest: bool
) -> dict[str, Any]:
    main, rule = game.main
    stakes = [(main, rule), *((wager, side.stake) for wager, side in game.sheet.side.items())]
    wagers = {wager: _stake(stake.max if largest else stake.min) for wager, stake in stakes}
    return {
        "sheet": game.sheet.id,
        **{place.id: _texts(deal[place.id]) for place in game.places[1:]},
        "seats": [
            {"seat": seat, "wagers": wagers, "cards": _texts(deal[str(seat)]), "play": plays}
            for seat in seats
        ],
    }


def _stake(amount: Cents) -> str:
    return money(amount)


def _texts(cards: list[Card]) -> list[str]:
    return [name(one) for one in cards]
