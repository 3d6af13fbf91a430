"""What every choice in a spot is worth, exactly, and one true sentence why."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import lru_cache
from typing import Any

import numpy as np

from pitbook.cards import Card, rank
from pitbook.exact.methods.ladder import solving as stud
from pitbook.exact.methods.ladder.enumerated import enumerate_spot
from pitbook.exact.methods.ladder.rungs import kind_counts
from pitbook.exact.methods.ladder.terms import Terms, exact_ante
from pitbook.exact.methods.points import solving as hi_lo
from pitbook.exact.spots import Spot, checked
from pitbook.exact.why import chips_left, why_declare, why_play
from pitbook.families.hi_lo.compile import HiLoGame
from pitbook.families.hi_lo.sheet import HiLo
from pitbook.families.street_stud.sheet import StreetStud
from pitbook.hands.points import total
from pitbook.hands.ranking import classes, rank_of
from pitbook.money import Cents
from pitbook.sheets.aloud.shoe import advised_shoe
from pitbook.sheets.model import Sheet

LEFT_OUT = "What other seats win under a round cap is left out."


@dataclass(frozen=True)
class Advice:
    """The value of every legal play in antes (or Bets), the best one, and why."""

    actions: dict[str, Fraction]
    best: str
    why: str

    def cost(self, play: str) -> Fraction:
        """What a play gives away against the best."""
        return self.actions[self.best] - self.actions[play]

    def document(self) -> dict[str, Any]:
        """The advice as JSON carries it."""
        return {
            "actions": {play: str(worth) for play, worth in self.actions.items()},
            "best": self.best,
            "cost": {play: str(self.cost(play)) for play in self.actions},
            "why": self.why,
        }


def advise(  # noqa: PLR0917  The order in which a player tells a spot.
    sheet: Sheet,
    cards: Sequence[Card],
    community: Sequence[Card] = (),
    bets: Sequence[str] = (),
    ante: Cents | None = None,
    side: Mapping[str, Cents] | None = None,
    dead: Sequence[Card] = (),
    purse: Cents | None = None,
) -> Advice:
    """The exact value of every legal play, of the main game and the side wagers it touches.

    `purse` is what the player has left beside the wagers made: what it does not pay for, now or on
    a later street, is no play. None pays for everything.
    """
    given = Spot(tuple(cards), tuple(community), tuple(bets), ante, side or {}, tuple(dead), purse)
    spot = checked(sheet, given)
    return _declare(sheet, spot) if isinstance(sheet, HiLo) else _street(sheet, spot)


def _street(sheet: StreetStud, spot: Spot) -> Advice:
    stake = spot.ante or exact_ante(sheet)
    # Without an ante, side stakes are given beside one dollar and ride along in that proportion.
    scale = 1 if spot.ante is not None else stake // 100
    side = {wager: Cents(one * scale) for wager, one in (spot.side or {}).items()}
    every = Terms(sheet, stake, spot.ante is not None, side)
    # A side wager that plays on whatever is done adds the same to every play: it is left out.
    terms = replace(every, side={wager: side[wager] for wager in every.touched})
    street = len(spot.bets)
    purse = terms.purses[0][0]
    for bet in spot.bets:
        purse = terms.add(purse, int(bet[:-1]))
    if spot.purse is not None:
        terms = replace(terms, room=enough(sheet, sum(purse) + spot.purse // stake))
    ace, seen = sheet.payouts.ace_in_straights.value, spot.cards + spot.community
    place = rank_of(seen, ace) if len(seen) > 1 else _single(seen[0], ace)
    full_deck = kind_counts(len(seen), ace)[place]
    if spot.dead or terms.side:
        found = enumerate_spot(terms, spot, purse=purse, street=street)
        plays, worth, ways = found.plays, found.worth, found.ways
        kinds = np.bincount(found.kinds, minlength=len(full_deck))
    else:
        choice = solved(sheet, spot.ante, terms.room).streets[street][purse]
        plays, ways, kinds = choice.plays, choice.ways, full_deck
        worth = tuple(int(one) for one in choice.worth[:, place])
    values = {p: Fraction(w, ways * stake) for p, w in zip(plays, worth, strict=True)}
    best = max((plays[place] for place in stud.preferred(terms, plays)), key=values.__getitem__)
    ordered = {play: values[play] for play in sorted(values, key=lambda play: play != stud.FOLD)}
    chips = chips_left(terms, street, purse, spot.purse)
    return Advice(ordered, best, why_play(terms, ordered, best, kinds, full_deck, chips=chips))


def _single(card: Card, ace: Any) -> int:
    return next(n for n, one in enumerate(classes(1, ace)) if one.ranks[0] == rank(card))


def solved(sheet: StreetStud, ante: Cents | None = None, room: int | None = None) -> stud.Solution:
    """The solution of a sheet, kept for the next time; `room` as in `stud.solve`."""
    return _solved(sheet, ante, enough(sheet, room))


@lru_cache(maxsize=64)  # Which is in use stays, however long ago it was solved.
def _solved(sheet: StreetStud, ante: Cents | None, room: int | None) -> stud.Solution:
    return stud.solve(sheet, ante, room=room)


def enough(sheet: StreetStud, room: int | None) -> int | None:
    """The antes for all streets, or None where they pay for every bet."""
    return None if room is None or room >= sheet.units_max - 1 else room


def _declare(sheet: HiLo, spot: Spot) -> Advice:
    stake = spot.ante or exact_ante(sheet)
    game = HiLoGame(sheet)
    counted = hi_lo.counted(sheet, spot.cards, spot.dead)
    table = hi_lo.play_table(game, stake, capped=spot.ante is not None, purse=spot.purse)
    values = {
        play: hi_lo.value(counted[play.removesuffix("+double")], nets, stake)
        for play, nets in table.items()
    }
    best = hi_lo.best(values, sheet)
    low, high = total(spot.cards, game.points.low), total(spot.cards, game.points.high)
    why, shoe = why_declare(low, high, counted, values, best), advised_shoe(sheet)
    return Advice(values, best, f"{why} {shoe}" if shoe else why)
