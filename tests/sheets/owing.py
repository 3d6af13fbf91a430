"""What a street-stud round owes, worked out slowly from the TOML text, sharing no code of ours."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from fractions import Fraction
from functools import cache
from itertools import chain, combinations, permutations
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

Ints = NDArray[np.int64]
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
    ranks, suits = np.sort(cards // 4, axis=1), cards % 4
    twos = combinations(range(size), 2)
    equal = sum((ranks[:, a] == ranks[:, b]).astype(np.int64) for a, b in twos)
    paired = np.zeros(len(cards), np.int64)
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
    every = dealt(range(52), size)
    places = 52 ** np.arange(size)[::-1]
    named = [
        np.sort(every // 4 * 4 + np.array(suits)[every % 4], axis=1) @ places
        for suits in permutations(range(4))
    ]
    least = np.unique(np.min(named, axis=0))
    return least[:, None] // places % 52


def dealt(cards: Iterable[int], size: int) -> Ints:
    """Every choice of so many cards, a row each."""
    flat = chain.from_iterable(combinations(cards, size))
    return np.fromiter(flat, np.int64).reshape(-1, size)


@cache
def beside(size: int, number: int) -> tuple[Ints, tuple[Seat, ...], Ints]:
    """All hole cards beside a board: the cards, what they can make, and which of it each makes."""
    board = boards(size)[number]
    rest = [card for card in range(52) if card not in board]
    holes = dealt(rest, 5 - size)
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


def owed(document: dict[str, Any], seats: tuple[Seat, ...]) -> Fraction:
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
    return sum((line.wins for hand in hands for line in hand), Fraction(0))


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


def most(document: dict[str, Any], seats: int) -> tuple[Fraction, bool]:
    """The largest sum found that so many seats can be owed, and whether every deal was tried."""
    size = sum(street["reveals"]["is"] for street in document["streets"])
    search = Search(document, seats)
    top = [max(map(search.alone, beside(size, number)[1])) for number in range(len(boards(size)))]
    for number in sorted(range(len(top)), key=lambda one: -top[one]):
        hope = min(top[number] * seats, search.ceiling)
        if hope <= search.best or search.tries >= TRIES_MAX:
            break
        holes, made, which = beside(size, number)
        bits = (1 << holes).sum(axis=1)
        best_first = sorted(range(len(made)), key=lambda one: search.alone(made[one]), reverse=True)
        rows = [
            (search.alone(made[one]), made[one], cards)
            for one in best_first
            for cards in bits[which == one].tolist()
        ]
        search.deal(rows, 0, 0, Fraction(0), ())
    return search.best, search.tries < TRIES_MAX


class Search:
    """Hands dealt to seat after seat, as long as they can still beat the best so far."""

    def __init__(self, document: dict[str, Any], seats: int) -> None:
        self.seats = seats
        self.best = Fraction(0)
        self.tries = 0
        whole = [one for one in document.get("limits", []) if one["per"] == "round"]
        caps = [Fraction(one["pays_max"]) for one in whole if "counts" not in one]
        self.ceiling = min(caps, default=Fraction(10**18))
        self.owed = cache(lambda dealt: owed(document, dealt))

    def alone(self, seat: Seat) -> Fraction:
        return self.owed((seat,))

    def deal(
        self,
        rows: list[tuple[Fraction, Seat, int]],
        start: int,
        used: int,
        had: Fraction,
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
