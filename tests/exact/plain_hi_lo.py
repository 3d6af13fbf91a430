"""Hi-lo calculated from the sheet's text, rank by rank, without code of the product."""

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
from tests.hands.reference_ranking import hand_name
from tests.rules.oracle import (
    apply_caps,
    cents,
    line_of,
    main_pay,
    pay,
    pay_table,
    price_wager,
)

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
        self.bet = bet or 100 * _whole_cents_dollars(sheet)
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
        """Every play; at a Bet in cents, no double above the maximum."""
        double = self.sheet.get("double")
        if not double:
            return ["low", "high"]
        total_stake = self.bet * (1 + double["times"])
        stake_max = cents(self.sheet["bet"]["max"])
        if self.capped and double["within_max"]["is"] and total_stake > stake_max:
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
        """The net result of a play in cents, if the hand is `ahead` points ahead; optionally with
        side wagers.
        """
        lines = [*self._main(play, ahead), *(self._sides(cards, matched) if sides else ())]
        apply_caps(self.sheet, {1: lines})
        losses = sum(line["stake"] for line in lines if line["result"] == "lose")
        return int(sum(line["wins"] for line in lines) - losses)

    def _main(self, play: str, ahead: int) -> Iterator[Json]:
        stakes = {"bet": self.bet}
        if play.endswith("+double"):
            stakes["double"] = self.bet * self.sheet["double"]["times"]
        for wager, stake in stakes.items():
            yield price_wager(self.sheet, wager, stake, main_pay(self.sheet, play, ahead), "")

    def _sides(self, cards: Sequence[str], matched: int) -> Iterator[Json]:
        for wager, stake in self.side.items():
            if self.sheet["side"][wager]["looks_at"] == "hand" and not cards:
                yield line_of(wager, stake, "")
            else:
                yield price_wager(self.sheet, wager, stake, self._pay(wager, cards, matched), "")

    def _pay(self, wager: str, cards: Sequence[str], matched: int) -> tuple[str, str | None]:
        """The pay of cards or matches, cached because every play meets the same ones."""
        matches = self.sheet["side"][wager]["looks_at"] == "dealer-match"
        key = (wager, matched) if matches else (wager, *cards)
        if key not in self._pays:
            self._pays[key] = pay(self.sheet, wager, cards, matched)
        return self._pays[key]

    def points(self, ranks: Sequence[int]) -> tuple[int, int]:
        """A hand's points, low and high."""
        return sum(self.low[card_rank] for card_rank in ranks), sum(
            self.high[card_rank] for card_rank in ranks
        )

    def dealer_totals(self, ranks: Sequence[int]) -> tuple[int, int]:
        """The dealer's two totals (MHL-8, MHL-9)."""
        equal = self.sheet["dealer"].get("equal_points", {"is": "two-to-ace"})["is"]
        rank_order = "23456789TJQKA"
        rank_order = {"two-to-ace": rank_order, "ace-to-two": rank_order[::-1]}.get(
            equal, "A23456789TJQK" if equal == "ace-to-king" else "KQJT98765432A"
        )
        positions = [rank_order.index(rank_letter) for rank_letter in "23456789TJQKA"]
        ordered = sorted(ranks, key=lambda card_rank: (self.low[card_rank], positions[card_rank]))
        size, shared = self.sheet["dealer"]["low"], self.sheet["dealer"]["shared"]
        low_hand, high_hand = ordered[:size], ordered[size:]
        if shared == "ace-then-highest" and ACE in low_hand:
            high_hand.append(ACE)
        elif shared != "none":
            high_hand.append(low_hand[-1])
        return self.points(low_hand)[0], self.points(high_hand)[1]

    @cached_property
    def dealer_hands(self) -> list[tuple[tuple[int, ...], int, int]]:
        """Every dealer's hand of ranks with its totals."""
        multisets = combinations_with_replacement(range(13), self.dealer)
        possible = (ranks for ranks in multisets if max(Counter(ranks).values()) <= self.copies)
        return [(ranks, *self.dealer_totals(ranks)) for ranks in possible]

    @cached_property
    def dealer_rank_counts(self) -> list[list[tuple[int, int]]]:
        """For every dealer's hand, its ranks with their counts."""
        return [list(Counter(ranks).items()) for ranks, _, _ in self.dealer_hands]

    @cached_property
    def totals(self) -> tuple[Ints, Ints]:
        """The low and the high total of every dealer's hand."""
        low, high = (
            np.array([dealer_hand[index] for dealer_hand in self.dealer_hands], np.int64)
            for index in (1, 2)
        )
        return low, high

    def ways(self, ranks: Sequence[int], known_cards: Sequence[int] = ()) -> int:
        """The ways to draw ranks from the shoe without the known cards."""
        known_counts = Counter(known_cards)
        return prod(
            comb(self.copies - known_counts[card_rank], count)
            for card_rank, count in Counter(ranks).items()
        )

    def values(self, ranks: Sequence[int], dead: Sequence[int] = ()) -> dict[str, Fraction]:
        """The value of every play of a hand in Bets, over every remaining dealer's hand."""
        low, high = self.points(ranks)
        known_counts = Counter((*ranks, *dead))
        choose = [
            [comb(self.copies - known_counts[card_rank], count) for count in range(self.dealer + 1)]
            for card_rank in range(13)
        ]
        tally: dict[str, Counter[int]] = {"low": Counter(), "high": Counter()}
        for (_, dealer_low, dealer_high), rank_counts in zip(
            self.dealer_hands, self.dealer_rank_counts, strict=True
        ):
            ways = prod(choose[card_rank][count] for card_rank, count in rank_counts)
            tally["low"][_sign(dealer_low - low)] += ways
            tally["high"][_sign(high - dealer_high)] += ways
        return {play: self._worth(play, tally[play.split("+")[0]]) for play in self.plays}

    def _worth(self, play: str, tally: Counter[int]) -> Fraction:
        net = sum(ways * self.net(play, ahead) for ahead, ways in tally.items())
        return Fraction(net, tally.total() * self.bet)

    def best(self, values: dict[str, Fraction]) -> str:
        """GEN-16: of equal plays the smaller wager, or the larger if the sheet says so."""
        larger = self.sheet["best_play"]["ties"]["is"] == "largest-bet"
        double = [play for play in values if play.endswith("+double")]
        single = [play for play in values if play not in double]
        order = double + single if larger else single + double
        return max(order, key=lambda play: values[play])

    def values_by_ordered_deal(self, ranks: Sequence[int]) -> dict[str, Fraction]:
        """The same values by brute force: every ordered dealer's hand, card by card."""
        remaining = np.full(13, self.copies) - np.bincount(np.array(ranks), minlength=13)
        dealt = np.indices((13,) * self.dealer).reshape(self.dealer, -1)
        weights = np.ones(dealt.shape[1], np.int64)
        for place in range(self.dealer):
            earlier = (dealt[:place] == dealt[place]).sum(axis=0)
            weights *= np.maximum(remaining[dealt[place]] - earlier, 0)
        keys, set_numbers = np.unique(
            (13 ** np.arange(self.dealer)) @ np.sort(dealt, axis=0), return_inverse=True
        )
        sums = np.zeros(len(keys), np.int64)
        np.add.at(sums, set_numbers.reshape(-1), weights)
        assert sums.sum() == perm(13 * self.copies - len(ranks), self.dealer) < 2**63
        low, high = self.points(ranks)
        tally: dict[str, Counter[int]] = {"low": Counter(), "high": Counter()}
        for key, ways in zip(keys.tolist(), sums.tolist(), strict=True):
            hand = [key // 13**place % 13 for place in range(self.dealer)]
            dealer_low, dealer_high = self.dealer_totals(hand)
            tally["low"][_sign(dealer_low - low)] += ways
            tally["high"][_sign(high - dealer_high)] += ways
        return {play: self._worth(play, tally[play.split("+")[0]]) for play in self.plays}

    def expected_value(self) -> Fraction:
        """A whole round of the main game under best play."""
        return self.round().expected

    def round(self) -> Round:
        """The moments of a round, dealer's hand first: the player's cards come from the rest."""
        hands = [ranks for ranks, _, _ in self.dealer_hands]
        counts = np.array([[ranks.count(rank) for rank in range(13)] for ranks in hands], np.int64)
        dealer_ways = np.array([self.ways(ranks) for ranks in hands], np.int64)
        sums: Counter[str] = Counter()
        for player_ranks in combinations_with_replacement(range(13), self.player):
            faces = self._faces(player_ranks)
            if faces:
                weights = dealer_ways * _ways_from_remaining(player_ranks, counts, self.copies)
                self._add(sums, player_ranks, faces, counts, weights)
        size = 13 * self.copies
        ways = comb(size, self.dealer) * comb(size - self.dealer, self.player)
        assert sums["ways"] == ways
        expected = Fraction(sums["net"], ways * self.bet)
        square = Fraction(sums["square"], ways * self.bet**2)
        stake = Fraction(sums["stake"], ways * self.bet)
        win, push = (Fraction(sums[sum_name], ways) for sum_name in ("win", "push"))
        return Round(expected, square - expected**2, stake, win, push)

    def _add(
        self,
        sums: Counter[str],
        player_ranks: tuple[int, ...],
        faces: dict[tuple[str, ...], int],
        counts: Ints,
        weights: Ints,
    ) -> None:
        """Add one hand of ranks: its best play, then every result with every wager."""
        low, high = self.points(player_ranks)
        lows, highs = self.totals
        signs = {"low": np.sign(lows - low), "high": np.sign(high - highs)}
        tally = {
            side: Counter({outcome: int(weights[sign == outcome].sum()) for outcome in (-1, 0, 1)})
            for side, sign in signs.items()
        }
        values = {play: self._worth(play, tally[play.split("+")[0]]) for play in self.plays}
        best = self.best(values)
        stake = sum(line["stake"] for line in [*self._main(best, 0), *self._sides((), 0)])
        matched = counts[:, sorted(set(player_ranks))].sum(axis=1)
        codes = signs[best.split("+")[0]] * 100 + matched
        all_faces = sum(faces.values())
        for code in np.unique(codes).tolist():
            ahead = round(code / 100)
            ways = int(weights[codes == code].sum())
            for cards, share in faces.items():
                net = self.net(best, ahead, cards, code - 100 * ahead, sides=True)
                round_count, remainder = divmod(ways * share, all_faces)
                assert remainder == 0
                sums["ways"] += round_count
                sums["net"] += round_count * net
                sums["square"] += round_count * net**2
                sums["stake"] += round_count * stake
                sums["win"] += round_count * (net > 0)
                sums["push"] += round_count * (net == 0)

    def _faces(self, player_ranks: tuple[int, ...]) -> dict[tuple[str, ...], int]:
        """The faces that a hand of ranks can have, as far as wagers distinguish them."""
        if max(Counter(player_ranks).values()) > self.copies:
            return {}
        looked_at = {self.sheet["side"][wager]["looks_at"] for wager in self.side}
        if "hand" not in looked_at:
            return {(): self.ways(player_ranks)}
        decks, ways_by_cards = self.copies // 4, Counter[tuple[str, ...]]()
        names: dict[str, tuple[str, ...]] = {}
        for suits in product("cdhs", repeat=len(player_ranks)):
            cards = tuple(
                LETTERS[rank] + suit for rank, suit in zip(player_ranks, suits, strict=True)
            )
            if max(Counter(cards).values()) > decks:
                continue
            # Suits of equal ranks are ordered, so each set of copies is counted once per order.
            ways = prod(perm(decks, n) for n in Counter(cards).values())
            many_decks = decks > 1
            name = hand_name(cards, ace_low=self.ace_low, many_decks=many_decks)
            ways_by_cards[names.setdefault(name, cards)] += ways
        return dict(ways_by_cards)


def _ways_from_remaining(player_ranks: tuple[int, ...], counts: Ints, copies: int) -> Ints:
    """The ways to draw ranks from what each dealer's hand leaves."""
    ways = np.ones(len(counts), np.int64)
    for rank, count in Counter(player_ranks).items():
        choose = [comb(copies - dealt, count) for dealt in range(copies + 1)]
        ways *= np.array(choose, np.int64)[counts[:, rank]]
    return ways


def _sign(number: int) -> int:
    return (number > 0) - (number < 0)


def _whole_cents_dollars(sheet: Json) -> int:
    """A stake in dollars at which all odds pay whole cents."""
    tables = [pay_table(sheet, wager) for wager in ("main", *sheet["side"])]
    odds = [odds_text for table in tables for odds_text in table.values() if odds_text != "push"]
    return lcm(1, *(int(odds_text.split(":")[1]) for odds_text in odds))
