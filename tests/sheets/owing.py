"""What a street-stud round owes, worked out slowly from the TOML text, sharing no code of ours."""

from __future__ import annotations

import re
from collections.abc import Iterator
from fractions import Fraction
from functools import cache
from itertools import chain, combinations, permutations
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

Ints = NDArray[np.int64]
Amount = int | Fraction
TRIES_MAX = 400_000
RANKS = ("2", "3", "4", "5", "6", "7", "8", "9", "10", "J", "Q", "K", "A")
PAIR, TWO_PAIR, TRIPS, STRAIGHT, FLUSH, FULL, QUADS, STRAIGHT_FLUSH, ROYAL = 1, *range(14, 22)
NAMES = {
    TWO_PAIR: ("two-pair",),
    TRIPS: ("three-of-a-kind",),
    STRAIGHT: ("straight",),
    FLUSH: ("flush",),
    FULL: ("full-house",),
    QUADS: ("four-of-a-kind",),
    STRAIGHT_FLUSH: ("straight-flush", "flush", "straight"),
    ROYAL: ("royal-flush", "straight-flush", "flush", "straight"),
}


class Line(NamedTuple):
    """A wager that won."""

    wager: str
    outcome: str
    odds: Fraction
    wins: Fraction


class Seat(NamedTuple):
    """What the cards of a seat make: five cards, the board's, its own."""

    hand: int
    board: int
    hole: int


def called(cards: Ints) -> Ints:
    """A number for what each row of one to five cards is called."""
    size = cards.shape[1]
    if size == 1:
        return np.zeros(len(cards), np.int64)
    small = cards.astype(np.int8)  # A card fits, and rows by the hundred thousand are quicker.
    ranks, suits = np.sort(small // 4, axis=1), small % 4
    twos = combinations(range(size), 2)
    equal = sum((ranks[:, a] == ranks[:, b]).astype(np.int8) for a, b in twos)
    paired = np.zeros(len(cards), np.int8)
    for place in range(size - 1):
        same = ranks[:, place] == ranks[:, place + 1]
        paired = np.where(same, ranks[:, place], paired)
    wheel = (ranks[:, -1] == 12) & (ranks[:, :-1] == np.arange(size - 1)).all(axis=1)
    straight = (equal == 0) & ((ranks[:, -1] - ranks[:, 0] == size - 1) | wheel)
    flush = (suits == suits[:, :1]).all(axis=1)
    royal = straight & flush & (ranks[:, 0] == 8) & (size == 5)
    groups = np.array([0, 0, TWO_PAIR, TRIPS, FULL, 0, QUADS])[equal]
    found = np.where(equal == 1, PAIR + paired, groups)
    found = np.where(straight, STRAIGHT, np.where(flush, FLUSH, found))
    return np.where(royal, ROYAL, np.where(straight & flush, STRAIGHT_FLUSH, found))


@cache
def boards(size: int) -> Ints:
    """Every board but for a change of suits."""
    every = dealt(52, size)
    places = 52 ** np.arange(size)[::-1]
    named = [
        np.sort(every // 4 * 4 + np.array(suits)[every % 4], axis=1) @ places
        for suits in permutations(range(4))
    ]
    least = np.unique(np.min(named, axis=0))
    return least[:, None] // places % 52


@cache
def dealt(cards: int, size: int) -> Ints:
    """Every choice of some of so many cards, a row each."""
    flat = chain.from_iterable(combinations(range(cards), size))
    return np.fromiter(flat, np.int64).reshape(-1, size)


@cache
def beside(size: int, number: int) -> tuple[Ints, tuple[Seat, ...], Ints]:
    """All hole cards beside a board: the cards, what they can make, and which of it each makes."""
    board = boards(size)[number]
    rest = np.setdiff1d(np.arange(52), board)
    holes = rest[dealt(len(rest), 5 - size)]
    five = np.concatenate([holes, np.tile(board, (len(holes), 1))], axis=1)
    own = called(five) * 100 + called(holes)
    made, which = np.unique(own, return_inverse=True)
    of_board = int(called(board[None, :])[0])
    seats = tuple(Seat(one // 100, of_board, one % 100) for one in made.tolist())
    return holes, seats, which.reshape(-1)


def fits(line: str, made: int) -> bool:
    """Whether a pay line names what the cards make."""
    if not PAIR <= made < TWO_PAIR:
        return line in NAMES.get(made, ())
    if line == "pair":
        return True
    found = re.fullmatch(r"pair-([^-]+)(?:-([^-]+))?", line)
    low, high = (found[1], found[2] or found[1]) if found else ("A", "2")
    return RANKS.index(low) <= made - PAIR <= RANKS.index(high)


def paid(pays: dict[str, str], made: int) -> tuple[str, Fraction] | None:
    """The best line for what the cards make, if one wins."""
    won = [(odds(pay), line) for line, pay in pays.items() if pay != "push" and fits(line, made)]
    return (max(won)[1], max(won)[0]) if won else None


def odds(text: str) -> Fraction:
    to, one = text.split(":")
    return Fraction(int(to), int(one))


def lines(document: dict[str, Any], seat: Seat) -> Iterator[Line]:
    """Every wager of a seat that wins, at its maximum, before caps."""
    most = Fraction(document["ante"]["max"])
    main = paid(document["main"]["pays"], seat.hand)
    for stake in [most, *(most * max(street["bets"]) for street in document["streets"])]:
        if main:
            yield Line("main", *main, stake * main[1])
    for wager, side in document.get("side", {}).items():
        made = {"hand": seat.hand, "community": seat.board, "hole": seat.hole}[side["looks_at"]]
        if won := paid(side["pays"], made):
            yield Line(wager, *won, Fraction(side["stake"]["max"]) * won[1])


def owed(document: dict[str, Any], seats: tuple[Seat, ...]) -> Amount:
    """What a round owes to the seats together, in dollars: bet caps, hand caps, round caps."""
    hands = [list(lines(document, seat)) for seat in seats]
    for per in ("bet", "hand", "round"):
        for limit in (one for one in document.get("limits", []) if one["per"] == per):
            if per == "bet":
                hands = [[_capped(limit, [line])[0] for line in hand] for hand in hands]
            elif per == "hand":
                hands = [_capped(limit, hand) for hand in hands]
            else:
                hands = [_capped(limit, [line for hand in hands for line in hand])]
    return _whole(sum((line.wins for hand in hands for line in hand), Fraction(0)))


def _whole(amount: Fraction) -> Amount:
    """Dollars without cents as a whole number, which is quicker to add and to compare."""
    return amount.numerator if amount.denominator == 1 else amount


def _capped(limit: dict[str, Any], group: list[Line]) -> list[Line]:
    due = sum((line.wins for line in group if _counts(limit, line)), Fraction(0))
    most = Fraction(limit["pays_max"])
    if due <= most:
        return group
    return [
        line._replace(wins=line.wins * most / due) if _counts(limit, line) else line
        for line in group
    ]


def _counts(limit: dict[str, Any], line: Line) -> bool:
    counts = limit.get("counts")
    if counts is None:
        return True
    if "odds_at_least" in counts:
        return bool(line.odds >= odds(counts["odds_at_least"]))
    return line.outcome in counts["lines"].get(line.wager, [])


class Table:
    """A sheet's round: what seats are owed, worked out once for each mix of hands."""

    def __init__(self, document: dict[str, Any]) -> None:
        self.size = sum(street["reveals"]["is"] for street in document["streets"])
        self.owed = cache(lambda dealt: owed(document, dealt))
        whole = [one for one in document.get("limits", []) if one["per"] == "round"]
        caps = [Fraction(one["pays_max"]) for one in whole if "counts" not in one]
        self.ceiling: Amount = min(map(_whole, caps), default=10**18)
        every = [beside(self.size, number)[1] for number in range(len(boards(self.size)))]
        self.alone = {seat: self.owed((seat,)) for made in every for seat in made}
        self.top = [max(map(self.alone.__getitem__, made)) for made in every]

    def most(self, seats: int) -> tuple[Amount, bool]:
        """The largest sum found that so many seats can be owed; whether every deal was tried."""
        search = Search(self, seats)
        for number in sorted(range(len(self.top)), key=lambda one: -self.top[one]):
            hope = min(self.top[number] * seats, self.ceiling)
            if hope <= search.best or search.tries >= TRIES_MAX:
                break
            search.deal(
                self.rows(number, search.best - self.top[number] * (seats - 1)), 0, 0, 0, ()
            )
        return search.best, search.tries < TRIES_MAX

    def rows(self, number: int, least: Amount) -> list[tuple[Amount, Seat, int]]:
        """Hands beside a board, best first, that can better the best so far: owed above `least`."""
        holes, made, which = beside(self.size, number)
        useful = [one for one in range(len(made)) if self.alone[made[one]] > least]
        best_first = sorted(useful, key=lambda one: self.alone[made[one]], reverse=True)
        return [
            (self.alone[made[one]], made[one], cards)
            for one in best_first
            for cards in (1 << holes[which == one]).sum(axis=1).tolist()
        ]


class Search:
    """Hands dealt to seat after seat, as long as they can still beat the best so far."""

    def __init__(self, table: Table, seats: int) -> None:
        self.seats = seats
        self.best: Amount = 0
        self.tries = 0
        self.owed, self.ceiling = table.owed, table.ceiling

    def deal(
        self,
        rows: list[tuple[Amount, Seat, int]],
        start: int,
        used: int,
        had: Amount,
        dealt: tuple[Seat, ...],
    ) -> None:
        self.best = max(self.best, self.owed(dealt))
        for place in range(start, len(rows) if len(dealt) < self.seats else 0):
            self.tries += 1
            more, seat, cards = rows[place]
            hope = min(had + more * (self.seats - len(dealt)), self.ceiling)
            if hope <= self.best or self.tries >= TRIES_MAX:
                break  # A cap only ever takes away, so a hand adds at most what it is owed alone.
            if not cards & used:
                self.deal(rows, place + 1, used | cards, had + more, (*dealt, seat))
