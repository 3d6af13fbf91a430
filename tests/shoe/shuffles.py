"""Statistical checks of our shuffle and of known-bad ones."""

from __future__ import annotations

import hashlib
import math
from collections.abc import Callable, Iterator
from itertools import islice, pairwise
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from pitbook.hands import batch
from pitbook.hands.kinds import RANK_NAMES, hand_kinds
from pitbook.shoe.crypto import SPAN, deal_key, key_stream

QUICK, SLOW = 100_000, 10_000_000
SEED = 52
CHUNK = 20_000
ALPHA = 1e-9  # Probability that a fair shuffle fails one check.

Cards = NDArray[np.uint8]
Numbers = NDArray[np.uint16]
Places = NDArray[np.int64]
Floats = NDArray[np.float64]


class Row(NamedTuple):
    """One check of one shuffle; a fair shuffle's statistic lies between the bounds."""

    shuffle: str
    check: str
    statistic: float
    least: float
    most: float
    verdict: str


def shuffle_findings(count: int = QUICK, seed: int = SEED) -> list[Row]:
    """The result of every check of our shuffle and of each bad one, after this many deals."""
    tallies = {name: Tally() for name in SHUFFLES}
    for numbers in chunks(count, seed):
        for name, shuffle in SHUFFLES.items():
            tallies[name].add(shuffle(RandomNumbers(numbers)))
    return [
        Row(name, check, *judge(*measure(tally)))
        for name, tally in tallies.items()
        for check, measure in CHECKS.items()
    ]


def chunks(count: int, seed: int) -> Iterator[Numbers]:
    """The first numbers of many shoes, one row each; every shoe has its own seed and key."""
    for start in range(0, count, CHUNK):
        shoes = range(start, min(start + CHUNK, count))
        yield np.stack([first_numbers(key_of(number, seed)) for number in shoes])


def key_of(number: int, seed: int) -> bytes:
    house = hashlib.sha256(f"{seed}/{number}".encode()).digest()
    return deal_key(house, shoe=f"shoe {number}", seat_seeds={1: str(seed)})


def first_numbers(key: bytes) -> Numbers:
    """64 numbers per shoe: 52 are needed, and 12 more than cover rejection."""
    return np.frombuffer(b"".join(islice(key_stream(key), 2)), ">u2").astype(np.uint16)


class RandomNumbers:
    """The numbers of many shoes, each read as `stream.below` reads its own."""

    def __init__(self, numbers: Numbers) -> None:
        self.numbers = numbers
        self.rows = np.arange(len(numbers))
        self.next = np.zeros(len(numbers), np.int64)

    def take(self) -> NDArray[np.int64]:
        drawn = self.numbers[self.rows, self.next].astype(np.int64)
        self.next += 1
        return drawn

    def below(self, bound: int) -> Places:
        fair = SPAN - SPAN % bound
        drawn = self.take()
        while (unfair := np.flatnonzero(drawn >= fair)).size:
            drawn[unfair] = self.numbers[unfair, self.next[unfair]]
            self.next[unfair] += 1
        return drawn % bound

    def deck(self) -> Cards:
        return np.tile(np.arange(52, dtype=np.uint8), (len(self.rows), 1))

    def swap(self, cards: Cards, place: int, places: Places) -> None:
        swapped = cards[self.rows, places]
        cards[self.rows, places] = cards[:, place]
        cards[:, place] = swapped


def ours(
    luck: RandomNumbers, below: Callable[[RandomNumbers, int], Places] = RandomNumbers.below
) -> Cards:
    """The deal of `Dealing`, first card to last."""
    cards = luck.deck()
    for last in range(51, -1, -1):
        luck.swap(cards, last, below(luck, last + 1))
    return cards[:, ::-1]


def naive(luck: RandomNumbers) -> Cards:
    """Each card is swapped with any of the 52."""
    cards = luck.deck()
    for place in range(52):
        luck.swap(cards, place, luck.below(52))
    return cards


def off_by_one(luck: RandomNumbers) -> Cards:
    """The upper end is excluded, so the last card never moves."""
    cards = luck.deck()
    for place in range(51):
        luck.swap(cards, place, place + luck.below(51 - place))
    return cards


def sattolo(luck: RandomNumbers) -> Cards:
    """No card is swapped with itself, so only cycles of 52 occur."""
    cards = luck.deck()
    for last in range(51, 0, -1):
        luck.swap(cards, last, luck.below(last))
    return cards


def modulo_biased(luck: RandomNumbers) -> Cards:
    """The remainder of one byte, without rejection."""
    return ours(luck, lambda luck, bound: luck.take() % 256 % bound)


SHUFFLES: dict[str, Callable[[RandomNumbers], Cards]] = {
    "ours": ours,
    "naive": naive,
    "off by one": off_by_one,
    "Sattolo": sattolo,
    "modulo-biased": modulo_biased,
}


class Tally:
    """Counts of many deals: cards by position, neighbors by position, hands of five."""

    def __init__(self) -> None:
        self.count = 0
        self.positions = np.zeros((52, 52), np.int64)
        self.pairs = np.zeros((51, 52 * 52), np.int64)
        self.hands = np.zeros((10, len(HANDS)), np.int64)

    def add(self, deals: Cards) -> None:
        self.count += len(deals)
        columns = np.ascontiguousarray(deals.T)
        for place, column in enumerate(columns):
            self.positions[place] += np.bincount(column, minlength=52)
        for place, (cards_at, cards_next) in enumerate(pairwise(columns)):
            pair = cards_at.astype(np.int64) * 52 + cards_next
            self.pairs[place] += np.bincount(pair, minlength=52 * 52)
        for hand in range(10):
            kinds = batch.kinds(deals[:, 5 * hand : 5 * hand + 5])
            self.hands[hand] += np.bincount(CLASS_OF_KIND[kinds], minlength=len(HANDS))


# Number of five-card hands of each class, out of 2,598,960, as in any book on poker.
HANDS = {
    "royal-flush": 4,
    "straight-flush": 36,
    "four-of-a-kind": 624,
    "full-house": 3_744,
    "flush": 5_108,
    "straight": 10_200,
    "three-of-a-kind": 54_912,
    "two-pair": 123_552,
    **{f"pair-{rank}": 1_098_240 // 13 for rank in RANK_NAMES},
    "high-card": 1_302_540,
}


def _class(kind: str) -> str:
    return "high-card" if kind.startswith("high-card-") else kind


CLASS_OF_KIND = np.array([list(HANDS).index(_class(kind.name)) for kind in hand_kinds(5)])
EXPECTED_LEAST = 10  # Rarer classes are pooled.


class Measurement(NamedTuple):
    """Statistics that are chi-square distributed for a fair shuffle."""

    statistics: Floats
    freedom: int


def positions(tally: Tally) -> Measurement:
    """Cards against positions.

    In a fair deal the indicator of (position, card) has covariance P x P / 51, where P removes the
    mean; so this sum over all positions, although they are dependent, is chi-square with 51 x 51
    degrees.
    """
    expected = tally.count / 52
    total = ((tally.positions - expected) ** 2).sum() * 51 / tally.count
    return Measurement(np.array([total]), 51 * 51)


def adjacent_pairs(tally: Tally) -> Measurement:
    """The card and its successor at each of 51 positions: 52 x 51 equally likely pairs."""
    different_pairs = tally.pairs.reshape(51, 52, 52)[:, ~np.eye(52, dtype=bool)]
    expected = tally.count / (52 * 51)
    return Measurement(((different_pairs - expected) ** 2 / expected).sum(axis=1), 52 * 51 - 1)


def hand_classes(tally: Tally) -> Measurement:
    """The class of each of ten five-card hands."""
    expected = np.array(list(HANDS.values())) / sum(HANDS.values()) * tally.count
    pooled = int(np.searchsorted(expected.cumsum(), EXPECTED_LEAST))
    observed = np.column_stack(
        [tally.hands[:, : pooled + 1].sum(axis=1), tally.hands[:, pooled + 1 :]]
    )
    expected_pooled = np.array([expected[: pooled + 1].sum(), *expected[pooled + 1 :]])
    return Measurement(
        ((observed - expected_pooled) ** 2 / expected_pooled).sum(axis=1), len(expected_pooled) - 1
    )


CHECKS: dict[str, Callable[[Tally], Measurement]] = {
    "positions": positions,
    "adjacent pairs": adjacent_pairs,
    "hand classes": hand_classes,
}


def judge(statistics: Floats, freedom: int) -> tuple[float, float, float, str]:
    """The most extreme statistic, its bounds, and the verdict.

    The bounds are safe, not approximate: Laurent and Massart (2000), Lemma 1, for each statistic at
    its share of ALPHA. Results that are too even are rejected as well.
    """
    t = math.log(2 * len(statistics) / ALPHA)
    least = max(0.0, freedom - 2 * math.sqrt(freedom * t))
    most = freedom + 2 * math.sqrt(freedom * t) + 2 * t
    low, high = float(statistics.min()), float(statistics.max())
    worst = low if low < least else high
    return worst, least, most, "fair" if least <= worst <= most else "rejected"
