"""Shuffles by the million, ours and known-bad ones, under one set of checks."""

from __future__ import annotations

import hashlib
import math
from collections.abc import Callable, Iterator
from itertools import islice, pairwise
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from pitbook.hands import batch
from pitbook.hands.kinds import RANK_NAMES, catalogue
from pitbook.shoe.stream import SPAN, deal_key, key_stream

QUICK, SLOW = 100_000, 10_000_000
SEED = 52
CHUNK = 20_000
ALPHA = 1e-9  # How rarely a fair shuffle may fail one check.

Cards = NDArray[np.uint8]
Numbers = NDArray[np.uint16]
Places = NDArray[np.int64]
Floats = NDArray[np.float64]


class Row(NamedTuple):
    """One check of one shuffle; the statistic of a fair one lies between the bounds."""

    shuffle: str
    check: str
    statistic: float
    least: float
    most: float
    verdict: str


def shuffle_findings(count: int = QUICK, seed: int = SEED) -> list[Row]:
    """What every check says of ours and of each bad shuffle, after that many deals of one deck."""
    tallies = {name: Tally() for name in SHUFFLES}
    for numbers in chunks(count, seed):
        for name, shuffle in SHUFFLES.items():
            tallies[name].add(shuffle(Luck(numbers)))
    return [
        Row(name, check, *judged(*measure(tally)))
        for name, tally in tallies.items()
        for check, measure in CHECKS.items()
    ]


def chunks(count: int, seed: int) -> Iterator[Numbers]:
    """The first numbers of many shoes, a row each: each shoe has a seed and so a key of its own."""
    for start in range(0, count, CHUNK):
        shoes = range(start, min(start + CHUNK, count))
        yield np.stack([first_numbers(key_of(number, seed)) for number in shoes])


def key_of(number: int, seed: int) -> bytes:
    house = hashlib.sha256(f"{seed}/{number}".encode()).digest()
    return deal_key(house, shoe=f"shoe {number}", seat_seeds={1: str(seed)})


def first_numbers(key: bytes) -> Numbers:
    """64 numbers: 52 are needed, and the other 12 are more than rejection ever takes."""
    return np.frombuffer(b"".join(islice(key_stream(key), 2)), ">u2").astype(np.uint16)


class Luck:
    """The numbers of many shoes at once, each read as `stream.below` reads its own."""

    def __init__(self, numbers: Numbers) -> None:
        self.numbers = numbers
        self.rows = np.arange(len(numbers))
        self.next = np.zeros(len(numbers), np.int64)

    def take(self) -> NDArray[np.int64]:
        taken = self.numbers[self.rows, self.next].astype(np.int64)
        self.next += 1
        return taken

    def below(self, bound: int) -> Places:
        fair = SPAN - SPAN % bound
        taken = self.take()
        while (unfair := np.flatnonzero(taken >= fair)).size:
            taken[unfair] = self.numbers[unfair, self.next[unfair]]
            self.next[unfair] += 1
        return taken % bound

    def deck(self) -> Cards:
        return np.tile(np.arange(52, dtype=np.uint8), (len(self.rows), 1))

    def swap(self, cards: Cards, one: int, other: Places) -> None:
        held = cards[self.rows, other]
        cards[self.rows, other] = cards[:, one]
        cards[:, one] = held


def ours(luck: Luck, below: Callable[[Luck, int], Places] = Luck.below) -> Cards:
    """What `Dealing` deals, from the first card to the last."""
    cards = luck.deck()
    for last in range(51, -1, -1):
        luck.swap(cards, last, below(luck, last + 1))
    return cards[:, ::-1]


def naive(luck: Luck) -> Cards:
    """Each card is swapped with any of the 52."""
    cards = luck.deck()
    for place in range(52):
        luck.swap(cards, place, luck.below(52))
    return cards


def off_by_one(luck: Luck) -> Cards:
    """The upper end is left out, so the last card stays where it is."""
    cards = luck.deck()
    for place in range(51):
        luck.swap(cards, place, place + luck.below(51 - place))
    return cards


def sattolo(luck: Luck) -> Cards:
    """No card may be swapped with itself: only cycles of 52 come out."""
    cards = luck.deck()
    for last in range(51, 0, -1):
        luck.swap(cards, last, luck.below(last))
    return cards


def modulo_biased(luck: Luck) -> Cards:
    """One byte, and its remainder whatever it is."""
    return ours(luck, lambda luck, bound: luck.take() % 256 % bound)


SHUFFLES: dict[str, Callable[[Luck], Cards]] = {
    "ours": ours,
    "naive": naive,
    "off by one": off_by_one,
    "Sattolo": sattolo,
    "modulo-biased": modulo_biased,
}


class Tally:
    """What is counted of many deals: cards by position, neighbours by position, hands of five."""

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
        for place, (one, next_one) in enumerate(pairwise(columns)):
            pair = one.astype(np.int64) * 52 + next_one
            self.pairs[place] += np.bincount(pair, minlength=52 * 52)
        for hand in range(10):
            kinds = batch.kinds(deals[:, 5 * hand : 5 * hand + 5])
            self.hands[hand] += np.bincount(CLASS_OF_KIND[kinds], minlength=len(HANDS))


# How many of the 2,598,960 hands of five cards are of each class; any book on poker has them.
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


CLASS_OF_KIND = np.array([list(HANDS).index(_class(kind.name)) for kind in catalogue(5)])
EXPECTED_LEAST = 10  # Rarer classes are counted together.


class Measured(NamedTuple):
    """Statistics that a fair shuffle draws from the chi-square distribution."""

    statistics: Floats
    freedom: int


def positions(tally: Tally) -> Measured:
    """Cards against places, all at once.

    In a fair deal the indicator of (place, card) has covariance P x P / 51, where P takes the mean
    away; so this sum over all places, dependent as they are, is chi-square with 51 x 51 degrees.
    """
    expected = tally.count / 52
    total = ((tally.positions - expected) ** 2).sum() * 51 / tally.count
    return Measured(np.array([total]), 51 * 51)


def adjacent_pairs(tally: Tally) -> Measured:
    """At each of 51 places, the card there and the next one: 52 x 51 pairs, each as likely."""
    apart = tally.pairs.reshape(51, 52, 52)[:, ~np.eye(52, dtype=bool)]
    expected = tally.count / (52 * 51)
    return Measured(((apart - expected) ** 2 / expected).sum(axis=1), 52 * 51 - 1)


def hand_classes(tally: Tally) -> Measured:
    """At each of ten hands of five cards, what a pay table calls it."""
    expected = np.array(list(HANDS.values())) / sum(HANDS.values()) * tally.count
    pooled = int(np.searchsorted(expected.cumsum(), EXPECTED_LEAST))
    seen = np.column_stack([tally.hands[:, : pooled + 1].sum(axis=1), tally.hands[:, pooled + 1 :]])
    wanted = np.array([expected[: pooled + 1].sum(), *expected[pooled + 1 :]])
    return Measured(((seen - wanted) ** 2 / wanted).sum(axis=1), len(wanted) - 1)


CHECKS: dict[str, Callable[[Tally], Measured]] = {
    "positions": positions,
    "adjacent pairs": adjacent_pairs,
    "hand classes": hand_classes,
}


def judged(statistics: Floats, freedom: int) -> tuple[float, float, float, str]:
    """The statistic that is furthest off, its bounds, and the verdict.

    The bounds are safe, not approximate: Laurent and Massart (2000), Lemma 1, for each of the
    statistics at its share of ALPHA. Too even is as suspicious as too uneven.
    """
    t = math.log(2 * len(statistics) / ALPHA)
    least = max(0.0, freedom - 2 * math.sqrt(freedom * t))
    most = freedom + 2 * math.sqrt(freedom * t) + 2 * t
    low, high = float(statistics.min()), float(statistics.max())
    worst = low if low < least else high
    return worst, least, most, "fair" if least <= worst <= most else "rejected"
