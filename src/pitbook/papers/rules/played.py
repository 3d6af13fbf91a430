"""A round of given cards for a paper, played to its end by the engine; None where it cannot be."""

from __future__ import annotations

import json
from collections.abc import Iterator
from itertools import chain
from typing import Any

from pitbook.cards import Card, name
from pitbook.engine.round import Round
from pitbook.errors import PitbookError
from pitbook.game.description import Game
from pitbook.games import round_file
from pitbook.money import Cents, money

__all__ = ["Deal", "board_of", "played"]

Deal = dict[str, list[Card]]  # By seat, "1" and "2", and by place in common.


def played(
    game: Game, deal: Deal, *, seats: tuple[int, ...], largest: bool = False
) -> Round | None:
    """The round with every wager made: at its smallest, or at its largest with the largest bets."""
    for plays in _plays(game, largest=largest):
        told = _file(game, deal, seats, plays, largest=largest)
        try:
            return round_file.play(round_file.parse(json.dumps(told)), game.sheet)[0]
        except PitbookError:  # So many plays are not made in this game: fewer are tried.
            continue
    return None


def board_of(round_: Round) -> tuple[Card, ...]:
    """Every card in common."""
    return tuple(chain(round_.board, *(pile.cards for pile in round_.more)))


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
    game: Game, deal: Deal, seats: tuple[int, ...], plays: list[str], *, largest: bool
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
