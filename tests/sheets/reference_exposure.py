"""An independent, slow computation of the largest street-stud payouts from the TOML text."""

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
    """The kinds of a seat's cards: five cards, board, hole cards."""

    hand: int
    board: int
    hole: int


def kinds_of_rows(cards: Ints) -> Ints:
    """A number for the kind of each row of one to five cards."""
    size = cards.shape[1]
    if size == 1:
        return np.zeros(len(cards), np.int64)
    # int8 is enough for cards, and faster for hundreds of thousands of rows.
    cards_int8 = cards.astype(np.int8)
    ranks, suits = np.sort(cards_int8 // 4, axis=1), cards_int8 % 4
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
    kinds = np.where(equal == 1, PAIR + paired, groups)
    kinds = np.where(straight, STRAIGHT, np.where(flush, FLUSH, kinds))
    return np.where(royal, ROYAL, np.where(straight & flush, STRAIGHT_FLUSH, kinds))


@cache
def boards(size: int) -> Ints:
    """Every board, up to permutation of suits."""
    all_boards = choices_of(52, size)
    places = 52 ** np.arange(size)[::-1]
    named = [
        np.sort(all_boards // 4 * 4 + np.array(suits)[all_boards % 4], axis=1) @ places
        for suits in permutations(range(4))
    ]
    canonical = np.unique(np.min(named, axis=0))
    return canonical[:, None] // places % 52


@cache
def choices_of(cards: int, size: int) -> Ints:
    """Every combination of that size, one row each."""
    flat = chain.from_iterable(combinations(range(cards), size))
    return np.fromiter(flat, np.int64).reshape(-1, size)


@cache
def hole_cards_for(size: int, number: int) -> tuple[Ints, tuple[Seat, ...], Ints]:
    """All hole cards for a board: the cards, their distinct kinds, and the kind index of each."""
    board = boards(size)[number]
    unused = np.setdiff1d(np.arange(52), board)
    holes = unused[choices_of(len(unused), 5 - size)]
    five = np.concatenate([holes, np.tile(board, (len(holes), 1))], axis=1)
    kind_pairs = kinds_of_rows(five) * 100 + kinds_of_rows(holes)
    distinct, which = np.unique(kind_pairs, return_inverse=True)
    of_board = int(kinds_of_rows(board[None, :])[0])
    seats = tuple(
        Seat(pair_code // 100, of_board, pair_code % 100) for pair_code in distinct.tolist()
    )
    return holes, seats, which.reshape(-1)


def fits(line: str, kind: int) -> bool:
    """Whether a pay line covers a kind."""
    if not PAIR <= kind < TWO_PAIR:
        return line in NAMES.get(kind, ())
    if line == "pair":
        return True
    range_match = re.fullmatch(r"pair-([^-]+)(?:-([^-]+))?", line)
    low, high = (range_match[1], range_match[2] or range_match[1]) if range_match else ("A", "2")
    return RANKS.index(low) <= kind - PAIR <= RANKS.index(high)


def best_paying_line(pays: dict[str, str], kind: int) -> tuple[str, Fraction] | None:
    """The best winning line for a kind, if any."""
    winning_lines = [
        (odds(pay), line) for line, pay in pays.items() if pay != "push" and fits(line, kind)
    ]
    return (max(winning_lines)[1], max(winning_lines)[0]) if winning_lines else None


def odds(text: str) -> Fraction:
    to, stake_units = text.split(":")
    return Fraction(int(to), int(stake_units))


def lines(document: dict[str, Any], seat: Seat) -> Iterator[Line]:
    """Every winning wager of a seat, at its maximum, before caps."""
    ante_max = Fraction(document["ante"]["max"])
    main = best_paying_line(document["main"]["pays"], seat.hand)
    for stake in [ante_max, *(ante_max * max(street["bets"]) for street in document["streets"])]:
        if main:
            yield Line("main", *main, stake * main[1])
    for wager, side in document.get("side", {}).items():
        kind = {"hand": seat.hand, "community": seat.board, "hole": seat.hole}[side["looks_at"]]
        if best_line := best_paying_line(side["pays"], kind):
            yield Line(wager, *best_line, Fraction(side["stake"]["max"]) * best_line[1])


def payouts_of(document: dict[str, Any], seats: tuple[Seat, ...]) -> Amount:
    """The round's payout to the seats together, in dollars, after bet, hand and round caps."""
    hands = [list(lines(document, seat)) for seat in seats]
    for per in ("bet", "hand", "round"):
        for limit in (
            candidate for candidate in document.get("limits", []) if candidate["per"] == per
        ):
            if per == "bet":
                hands = [[_apply_cap(limit, [line])[0] for line in hand] for hand in hands]
            elif per == "hand":
                hands = [_apply_cap(limit, hand) for hand in hands]
            else:
                hands = [_apply_cap(limit, [line for hand in hands for line in hand])]
    return _as_integer(sum((line.wins for hand in hands for line in hand), Fraction(0)))


def _as_integer(amount: Fraction) -> Amount:
    """An amount without cents as an integer, which is faster to add and compare."""
    return amount.numerator if amount.denominator == 1 else amount


def _apply_cap(limit: dict[str, Any], group: list[Line]) -> list[Line]:
    due = sum((line.wins for line in group if _is_covered(limit, line)), Fraction(0))
    cap = Fraction(limit["pays_max"])
    if due <= cap:
        return group
    return [
        line._replace(wins=line.wins * cap / due) if _is_covered(limit, line) else line
        for line in group
    ]


def _is_covered(limit: dict[str, Any], line: Line) -> bool:
    counts = limit.get("counts")
    if counts is None:
        return True
    if "odds_at_least" in counts:
        return bool(line.odds >= odds(counts["odds_at_least"]))
    return line.outcome in counts["lines"].get(line.wager, [])


class PlainTable:
    """A round of a sheet: payouts of seats, cached by mix of hands."""

    def __init__(self, document: dict[str, Any]) -> None:
        self.size = sum(street["reveals"]["is"] for street in document["streets"])
        self.owed = cache(lambda dealt: payouts_of(document, dealt))
        round_limits = [
            limit_table
            for limit_table in document.get("limits", [])
            if limit_table["per"] == "round"
        ]
        caps = [
            Fraction(limit_table["pays_max"])
            for limit_table in round_limits
            if "counts" not in limit_table
        ]
        self.ceiling: Amount = min(map(_as_integer, caps), default=10**18)
        seats_by_board = [
            hole_cards_for(self.size, number)[1] for number in range(len(boards(self.size)))
        ]
        self.alone = {
            seat: self.owed((seat,)) for seats_of_board in seats_by_board for seat in seats_of_board
        }
        self.top = [
            max(map(self.alone.__getitem__, seats_of_board)) for seats_of_board in seats_by_board
        ]

    def most(self, seats: int) -> tuple[Amount, bool]:
        """The largest payout found for that many seats, and whether every deal was tried."""
        search = DealSearch(self, seats)
        for number in sorted(
            range(len(self.top)), key=lambda board_number: -self.top[board_number]
        ):
            bound = min(self.top[number] * seats, self.ceiling)
            if bound <= search.best or search.tries >= TRIES_MAX:
                break
            search.deal(
                self.rows(number, search.best - self.top[number] * (seats - 1)), 0, 0, 0, ()
            )
        return search.best, search.tries < TRIES_MAX

    def rows(self, number: int, threshold: Amount) -> list[tuple[Amount, Seat, int]]:
        """Hands for a board with a payout above the threshold, best first."""
        holes, seat_kinds, which = hole_cards_for(self.size, number)
        useful = [
            index for index in range(len(seat_kinds)) if self.alone[seat_kinds[index]] > threshold
        ]
        best_first = sorted(useful, key=lambda index: self.alone[seat_kinds[index]], reverse=True)
        return [
            (self.alone[seat_kinds[index]], seat_kinds[index], cards)
            for index in best_first
            for cards in (1 << holes[which == index]).sum(axis=1).tolist()
        ]


class DealSearch:
    """Deals hands seat by seat while they can still beat the best so far."""

    def __init__(self, table: PlainTable, seats: int) -> None:
        self.seats = seats
        self.best: Amount = 0
        self.tries = 0
        self.owed, self.ceiling = table.owed, table.ceiling

    def deal(
        self,
        rows: list[tuple[Amount, Seat, int]],
        start: int,
        used: int,
        payout_so_far: Amount,
        dealt: tuple[Seat, ...],
    ) -> None:
        self.best = max(self.best, self.owed(dealt))
        for place in range(start, len(rows) if len(dealt) < self.seats else 0):
            self.tries += 1
            payout, seat, cards = rows[place]
            bound = min(payout_so_far + payout * (self.seats - len(dealt)), self.ceiling)
            if bound <= self.best or self.tries >= TRIES_MAX:
                break  # Caps only reduce, so a hand adds at most its payout alone.
            if not cards & used:
                self.deal(rows, place + 1, used | cards, payout_so_far + payout, (*dealt, seat))
