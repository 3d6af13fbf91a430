"""Hi-lo worked out from the sheet's text, rank by rank; it shares no code with what it checks."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from fractions import Fraction
from functools import cached_property
from itertools import combinations_with_replacement, product
from math import comb, lcm, perm, prod
from typing import Any

import numpy as np
from numpy.typing import NDArray
from tests.exact.plain_stud import Round
from tests.hands.plain import called
from tests.rules.rounds.oracle import capped, cents, declared, line_of, pay, pay_table, priced

Json = dict[str, Any]
Ints = NDArray[np.int64]

RANKS = ("2", "3", "4", "5", "6", "7", "8", "9", "10", "J", "Q", "K", "A")
LETTERS = "23456789TJQKA"
ACE = 12


class PlainHiLo:
    """A sheet at a Bet in cents with its caps, or in Bets without; side stakes in cents."""

    def __init__(
        self, sheet: Json, bet: int | None = None, side: dict[str, int] | None = None
    ) -> None:
        self.sheet = sheet if bet else {**sheet, "limits": []}
        self.capped = bet is not None
        self.bet = bet or 100 * _whole(sheet)
        scale = 1 if bet else self.bet // 100
        self.side = {wager: stake * scale for wager, stake in (side or {}).items()}
        self.copies = 4 * sheet["deck"]["decks"]
        self.player: int = sheet["deal"]["player"]
        self.dealer: int = sheet["deal"]["dealer"]
        self.ace_low = sheet["payouts"]["ace_in_straights"]["is"] == "high-or-low"
        low = sheet["points"]["values"]
        self.low = [low[rank] for rank in RANKS]
        self.high = [(low | sheet["points"]["in_high_hand"])[rank] for rank in RANKS]
        self._pays: dict[tuple[Any, ...], tuple[str, str | None]] = {}

    @property
    def plays(self) -> list[str]:
        """Every play; at a Bet in cents a double above the maximum is none."""
        double = self.sheet.get("double")
        if not double:
            return ["low", "high"]
        together = self.bet * (1 + double["times"])
        most = cents(self.sheet["bet"]["max"])
        if self.capped and double["within_max"]["is"] and together > most:
            return ["low", "high"]
        return ["low", "high", "low+double", "high+double"]

    def net(
        self,
        play: str,
        ahead: int,
        cards: Sequence[str] = (),
        matched: int = 0,
        *,
        sides: bool = False,
    ) -> int:
        """What a play comes to when the hand is so far ahead, in cents; with side wagers or not."""
        lines = [*self._main(play, ahead), *(self._sides(cards, matched) if sides else ())]
        capped(self.sheet, {1: lines})
        lost = sum(line["stake"] for line in lines if line["result"] == "lose")
        return int(sum(line["wins"] for line in lines) - lost)

    def _main(self, play: str, ahead: int) -> Iterator[Json]:
        stakes = {"bet": self.bet}
        if play.endswith("+double"):
            stakes["double"] = self.bet * self.sheet["double"]["times"]
        for wager, stake in stakes.items():
            yield priced(self.sheet, wager, stake, declared(self.sheet, play, ahead), "")

    def _sides(self, cards: Sequence[str], matched: int) -> Iterator[Json]:
        for wager, stake in self.side.items():
            if self.sheet["side"][wager]["looks_at"] == "hand" and not cards:
                yield line_of(wager, stake, "")
            else:
                yield priced(self.sheet, wager, stake, self._pay(wager, cards, matched), "")

    def _pay(self, wager: str, cards: Sequence[str], matched: int) -> tuple[str, str | None]:
        """What cards or matches are paid, looked up once: every play meets the same again."""
        matches = self.sheet["side"][wager]["looks_at"] == "dealer-match"
        key = (wager, matched) if matches else (wager, *cards)
        if key not in self._pays:
            self._pays[key] = pay(self.sheet, wager, cards, matched)
        return self._pays[key]

    def points(self, ranks: Sequence[int]) -> tuple[int, int]:
        """A hand's points, low and high."""
        return sum(self.low[one] for one in ranks), sum(self.high[one] for one in ranks)

    def laid(self, ranks: Sequence[int]) -> tuple[int, int]:
        """The dealer's two totals (MHL-8, MHL-9)."""
        equal = self.sheet["dealer"].get("equal_points", {"is": "two-to-ace"})["is"]
        order = "23456789TJQKA"
        order = {"two-to-ace": order, "ace-to-two": order[::-1]}.get(
            equal, "A23456789TJQK" if equal == "ace-to-king" else "KQJT98765432A"
        )
        place = [order.index(one) for one in "23456789TJQKA"]
        ordered = sorted(ranks, key=lambda one: (self.low[one], place[one]))
        size, shared = self.sheet["dealer"]["low"], self.sheet["dealer"]["shared"]
        bottom, top = ordered[:size], ordered[size:]
        if shared == "ace-then-highest" and ACE in bottom:
            top.append(ACE)
        elif shared != "none":
            top.append(bottom[-1])
        return self.points(bottom)[0], self.points(top)[1]

    @cached_property
    def dealers(self) -> list[tuple[tuple[int, ...], int, int]]:
        """Every dealer's hand of ranks with its totals."""
        every = combinations_with_replacement(range(13), self.dealer)
        held = (one for one in every if max(Counter(one).values()) <= self.copies)
        return [(one, *self.laid(one)) for one in held]

    @cached_property
    def held(self) -> list[list[tuple[int, int]]]:
        """For every dealer's hand its ranks, and how many cards of each."""
        return [list(Counter(one).items()) for one, _, _ in self.dealers]

    @cached_property
    def totals(self) -> tuple[Ints, Ints]:
        """The low and the high total of every dealer's hand."""
        low, high = (np.array([one[n] for one in self.dealers], np.int64) for n in (1, 2))
        return low, high

    def ways(self, ranks: Sequence[int], gone: Sequence[int] = ()) -> int:
        """In how many ways ranks come from the shoe without some cards."""
        left = Counter(gone)
        return prod(comb(self.copies - left[one], n) for one, n in Counter(ranks).items())

    def values(self, ranks: Sequence[int], dead: Sequence[int] = ()) -> dict[str, Fraction]:
        """What every play of a hand is worth in Bets, over every dealer's hand that is left."""
        low, high = self.points(ranks)
        gone = Counter((*ranks, *dead))
        choose = [
            [comb(self.copies - gone[one], n) for n in range(self.dealer + 1)] for one in range(13)
        ]
        tally: dict[str, Counter[int]] = {"low": Counter(), "high": Counter()}
        for (_, dealer_low, dealer_high), held in zip(self.dealers, self.held, strict=True):
            ways = prod(choose[one][n] for one, n in held)
            tally["low"][_sign(dealer_low - low)] += ways
            tally["high"][_sign(high - dealer_high)] += ways
        return {play: self._worth(play, tally[play.split("+")[0]]) for play in self.plays}

    def _worth(self, play: str, tally: Counter[int]) -> Fraction:
        won = sum(ways * self.net(play, ahead) for ahead, ways in tally.items())
        return Fraction(won, tally.total() * self.bet)

    def best(self, values: dict[str, Fraction]) -> str:
        """GEN-16: of equals the smaller wager, or the larger where the sheet says so; low first."""
        larger = self.sheet["best_play"]["ties"]["is"] == "largest-bet"
        double = [play for play in values if play.endswith("+double")]
        single = [play for play in values if play not in double]
        order = double + single if larger else single + double
        return max(order, key=lambda play: values[play])

    def in_order(self, ranks: Sequence[int]) -> dict[str, Fraction]:
        """The same values by brute force: every ordered dealer's hand, card after card."""
        left = np.full(13, self.copies) - np.bincount(np.array(ranks), minlength=13)
        dealt = np.indices((13,) * self.dealer).reshape(self.dealer, -1)
        weights = np.ones(dealt.shape[1], np.int64)
        for place in range(self.dealer):
            before = (dealt[:place] == dealt[place]).sum(axis=0)
            weights *= np.maximum(left[dealt[place]] - before, 0)
        keys, which = np.unique(
            (13 ** np.arange(self.dealer)) @ np.sort(dealt, axis=0), return_inverse=True
        )
        sums = np.zeros(len(keys), np.int64)
        np.add.at(sums, which.reshape(-1), weights)
        assert sums.sum() == perm(13 * self.copies - len(ranks), self.dealer) < 2**63
        low, high = self.points(ranks)
        tally: dict[str, Counter[int]] = {"low": Counter(), "high": Counter()}
        for key, ways in zip(keys.tolist(), sums.tolist(), strict=True):
            hand = [key // 13**place % 13 for place in range(self.dealer)]
            dealer_low, dealer_high = self.laid(hand)
            tally["low"][_sign(dealer_low - low)] += ways
            tally["high"][_sign(high - dealer_high)] += ways
        return {play: self._worth(play, tally[play.split("+")[0]]) for play in self.plays}

    def expected(self) -> Fraction:
        """A whole round of the main game under best play."""
        return self.round().expected

    def round(self) -> Round:
        """All moments of a round, dealer's hand first: the player's cards come from the rest."""
        hands = [one for one, _, _ in self.dealers]
        counts = np.array([[one.count(rank) for rank in range(13)] for one in hands], np.int64)
        first = np.array([self.ways(one) for one in hands], np.int64)
        sums: Counter[str] = Counter()
        for own in combinations_with_replacement(range(13), self.player):
            faces = self._faces(own)
            if faces:
                weights = first * _left(own, counts, self.copies)
                self._add(sums, own, faces, counts, weights)
        size = 13 * self.copies
        ways = comb(size, self.dealer) * comb(size - self.dealer, self.player)
        assert sums["ways"] == ways
        expected = Fraction(sums["net"], ways * self.bet)
        square = Fraction(sums["square"], ways * self.bet**2)
        stake = Fraction(sums["stake"], ways * self.bet)
        win, push = (Fraction(sums[one], ways) for one in ("win", "push"))
        return Round(expected, square - expected**2, stake, win, push)

    def _add(
        self,
        sums: Counter[str],
        own: tuple[int, ...],
        faces: dict[tuple[str, ...], int],
        counts: Ints,
        weights: Ints,
    ) -> None:
        """One hand of ranks: its best play, then every end of it with every wager."""
        low, high = self.points(own)
        lows, highs = self.totals
        signs = {"low": np.sign(lows - low), "high": np.sign(high - highs)}
        tally = {
            side: Counter({one: int(weights[sign == one].sum()) for one in (-1, 0, 1)})
            for side, sign in signs.items()
        }
        values = {play: self._worth(play, tally[play.split("+")[0]]) for play in self.plays}
        best = self.best(values)
        stake = sum(line["stake"] for line in [*self._main(best, 0), *self._sides((), 0)])
        matched = counts[:, sorted(set(own))].sum(axis=1)
        met = signs[best.split("+")[0]] * 100 + matched
        all_faces = sum(faces.values())
        for code in np.unique(met).tolist():
            ahead = round(code / 100)
            ways = int(weights[met == code].sum())
            for cards, share in faces.items():
                net = self.net(best, ahead, cards, code - 100 * ahead, sides=True)
                times, rest = divmod(ways * share, all_faces)
                assert rest == 0
                sums["ways"] += times
                sums["net"] += times * net
                sums["square"] += times * net**2
                sums["stake"] += times * stake
                sums["win"] += times * (net > 0)
                sums["push"] += times * (net == 0)

    def _faces(self, own: tuple[int, ...]) -> dict[tuple[str, ...], int]:
        """The cards that a hand of ranks can be, as far as a wager looks at them."""
        if max(Counter(own).values()) > self.copies:
            return {}
        looks = {self.sheet["side"][wager]["looks_at"] for wager in self.side}
        if "hand" not in looks:
            return {(): self.ways(own)}
        decks, found = self.copies // 4, Counter[tuple[str, ...]]()
        names: dict[str, tuple[str, ...]] = {}
        for suits in product("cdhs", repeat=len(own)):
            cards = tuple(LETTERS[rank] + suit for rank, suit in zip(own, suits, strict=True))
            if max(Counter(cards).values()) > decks:
                continue
            # Ordered suits of equal ranks: each set of copies is met once for each of its orders.
            ways = prod(perm(decks, n) for n in Counter(cards).values())
            many = decks > 1
            name = called(cards, ace_low=self.ace_low, many_decks=many)
            found[names.setdefault(name, cards)] += ways
        return dict(found)


def _left(own: tuple[int, ...], counts: Ints, copies: int) -> Ints:
    """In how many ways ranks come from what each dealer's hand leaves."""
    ways = np.ones(len(counts), np.int64)
    for rank, held in Counter(own).items():
        choose = [comb(copies - gone, held) for gone in range(copies + 1)]
        ways *= np.array(choose, np.int64)[counts[:, rank]]
    return ways


def _sign(value: int) -> int:
    return (value > 0) - (value < 0)


def _whole(sheet: Json) -> int:
    """A stake in dollars on which all odds win whole cents."""
    tables = [pay_table(sheet, wager) for wager in ("main", *sheet["side"])]
    odds = [one for table in tables for one in table.values() if one != "push"]
    return lcm(1, *(int(one.split(":")[1]) for one in odds))
