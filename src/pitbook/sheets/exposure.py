"""The most a round can owe: every seat at its maximum, on the worst cards that lie together."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from itertools import combinations_with_replacement
from math import comb

import numpy as np

from pitbook.hands.kinds import catalogue
from pitbook.money import Cents, Odds
from pitbook.sheets.boards import Boards, Ints, boards, holes
from pitbook.sheets.families import Sheet
from pitbook.sheets.hi_lo import HiLo
from pitbook.sheets.limits import falls_under
from pitbook.sheets.pays import lines_paid, pays_of, scope_of
from pitbook.sheets.street_stud import StreetStud

MIXES_MAX = 300_000
TRIES_MAX = 20_000


@dataclass(frozen=True)
class Exposure:
    """The largest payout for one hand and for a full table; where not exact, a bound above it."""

    hand: Cents
    round: Cents
    exact: bool


@dataclass(frozen=True)
class Win:
    """One winning wager at its largest stake."""

    wager: str
    line: str
    pay: Odds
    stake: Cents


def exposure(sheet: Sheet) -> Exposure:
    """The largest payout that a round of this sheet can owe."""
    if isinstance(sheet, HiLo):
        return _hi_lo_bound(sheet)
    hand, sure = _Stud(sheet).most(1)
    table, certain = _Stud(sheet).most(sheet.seats.count)
    return Exposure(hand, table, sure and certain)


def owed(sheet: Sheet, wins: list[Win]) -> list[int]:
    """What one hand is owed after the caps on bets and hands: apart from round caps, then by each."""
    caps = [limit for limit in sheet.limits if limit.per == "round"]
    by_cap = [0] * (1 + len(caps))
    for win in wins:
        amount = win.stake * win.pay.to // win.pay.one
        for limit in sheet.limits:
            if limit.per == "bet" and falls_under(limit, win.wager, win.line, win.pay):
                amount = min(amount, limit.pays_max)
        under = [falls_under(cap, win.wager, win.line, win.pay) for cap in caps]
        by_cap[1 + under.index(True) if any(under) else 0] += amount
    for limit in sheet.limits:
        if limit.per == "hand" and limit.counts is None:
            by_cap = _cut(by_cap, limit.pays_max)
    return by_cap


def _cut(by_cap: list[int], most: int) -> list[int]:
    """A hand's wins cut to a cap, first where a round cap would cut anyway."""
    over = max(0, sum(by_cap) - most)
    for place in range(len(by_cap) - 1, -1, -1):
        taken = min(over, by_cap[place])
        by_cap[place] -= taken
        over -= taken
    return by_cap


class _Stud:
    """The search for the worst board of a street-stud sheet."""

    def __init__(self, sheet: StreetStud) -> None:
        self.sheet = sheet
        self.ace = sheet.payouts.ace_in_straights.value
        self.hole = sheet.deal.hole.value
        self.boards: Boards = boards(self.hole, self.ace)
        caps = [limit.pays_max for limit in sheet.limits if limit.per == "round"]
        self.caps = np.array([2**62, *caps])
        self._wins = {wager: self._lines(wager) for wager in ("main", *sheet.side)}

    def most(self, seats: int) -> tuple[Cents, bool]:
        """The largest sum owed to so many seats, and whether it is exact."""
        best, exact = 0, True
        for bound, board, owing, groups in self._by_bound(seats):
            if bound <= best:
                break
            if comb(seats + len(owing) - 1, seats) > MIXES_MAX:
                return Cents(bound), False
            found, sure = self._on_board(board, seats, owing, groups, best)
            best, exact = max(best, found), exact and sure
        return Cents(best), exact

    def _by_bound(self, seats: int) -> list[tuple[int, int, Ints, Ints]]:
        """Boards with a bound on what each can owe, largest first."""
        found = []
        for kind in np.unique(self.boards.kinds):
            owing, groups = self._owing(int(kind))
            rows = np.flatnonzero(self.boards.kinds == kind)
            counts = np.zeros((len(rows), len(owing)), np.int64)
            np.add.at(counts.T, groups, self.boards.counts[rows].T)
            total = np.zeros(len(rows), np.int64)
            for cap, amounts in zip(self.caps, owing.T, strict=True):
                order = np.argsort(-amounts)
                filled = np.minimum(np.cumsum(counts[:, order], axis=1), seats)
                taken = np.diff(filled, axis=1, prepend=0)
                total += np.minimum(cap, taken @ amounts[order])
            found += [(int(t), int(r), owing, groups) for t, r in zip(total, rows, strict=True)]
        return sorted(found, key=lambda one: -one[0])

    def _owing(self, board_kind: int) -> tuple[Ints, Ints]:
        """The different amounts owed on such boards, and for each column of counts which it is."""
        each = [owed(self.sheet, self._won(*pair, board_kind)) for pair in self.boards.columns]
        owing, groups = np.unique(np.array(each, np.int64), axis=0, return_inverse=True)
        return owing, groups.reshape(-1)

    def _won(self, hand: int, hole: int, board: int) -> list[Win]:
        wins = list(self._wins["main"][hand])
        for wager, side in self.sheet.side.items():
            kind = {"hand": hand, "hole": hole, "community": board}[side.looks_at]
            wins += self._wins[wager][kind]
        return wins

    def _lines(self, wager: str) -> list[list[Win]]:
        scope = scope_of(self.sheet, wager)
        assert scope is not None
        pays = pays_of(self.sheet, wager)
        paid = lines_paid(pays, scope, self.sheet.payouts.several_lines.value)
        stakes = list(_stakes(self.sheet, wager))
        wins = []
        for line in paid:
            pay = pays[line] if line else None
            won = isinstance(pay, Odds) and line is not None
            wins.append([Win(wager, line, pay, s) for s in stakes] if won else [])  # type: ignore[arg-type]
        return wins

    def _on_board(
        self, board: int, seats: int, owing: Ints, groups: Ints, best: int
    ) -> tuple[int, bool]:
        """The most that hands on this board can be owed together, if it is above `best`."""
        mixes = _mixes(len(owing), seats)
        totals = np.minimum(self.caps, mixes @ owing).sum(axis=1)
        own, made = holes(self.boards.cards[board], self.hole, self.ace)
        width = len(catalogue(self.hole))
        column = {hand * width + hole: n for n, (hand, hole) in enumerate(self.boards.columns)}
        group = np.array([groups[column[int(one)]] for one in made])
        masks = [sum(1 << int(card) for card in cards) for cards in own]
        by_group = [[masks[i] for i in np.flatnonzero(group == g)] for g in range(len(owing))]
        for place in np.argsort(-totals):
            if totals[place] <= best:
                break
            answer = _disjoint(by_group, mixes[place])
            if answer is None or answer:
                return int(totals[place]), answer is not None
        return best, True


def _stakes(sheet: StreetStud, wager: str) -> Iterator[Cents]:
    if wager != "main":
        yield sheet.side[wager].stake.max
        return
    yield sheet.ante.max
    for street in sheet.streets:
        most = max(street.bets) * sheet.ante.max
        yield Cents(min(most, street.bet_max) if street.bet_max else most)


@cache
def _mixes(groups: int, seats: int) -> Ints:
    """Every way to share the seats among groups of hands, as counts."""
    chosen = np.array(list(combinations_with_replacement(range(groups), seats)), np.int64)
    return np.stack([(chosen == group).sum(axis=1) for group in range(groups)], axis=1)


def _disjoint(by_group: list[list[int]], mix: Ints) -> bool | None:
    """Whether the mix can be dealt with no card twice; None where the search is given up."""
    wanted = [g for g in np.argsort([len(one) for one in by_group]) for _ in range(mix[g])]
    if any(len(by_group[g]) < mix[g] for g in set(wanted)):
        return False
    tries = 0

    def deal(place: int, used: int, start: int) -> bool | None:
        nonlocal tries
        if place == len(wanted):
            return True
        hands = by_group[wanted[place]]
        first = start if place and wanted[place] == wanted[place - 1] else 0
        for number in range(first, len(hands)):
            tries += 1
            if tries > TRIES_MAX:
                return None
            if not hands[number] & used:
                answer = deal(place + 1, used | hands[number], number + 1)
                if answer is not False:
                    return answer
        return False

    return deal(0, 0, 0)


def _hi_lo_bound(sheet: HiLo) -> Exposure:
    """Every wager of every spot at its top line: a bound, as no round need reach all at once."""
    wins = []
    for wager in ("main", *sheet.side):
        pays = {line: pay for line, pay in pays_of(sheet, wager).items() if isinstance(pay, Odds)}
        line = max(pays, key=lambda name: pays[name].to / pays[name].one, default=None)
        if line is not None:
            stake = sheet.bet.max * sheet.units_max if wager == "main" else sheet.side[wager].stake.max
            wins.append(Win(wager, line, pays[line], Cents(stake)))
    caps = [2**62, *(limit.pays_max for limit in sheet.limits if limit.per == "round")]
    hand = owed(sheet, wins)

    def table(spots: int) -> Cents:
        return Cents(sum(min(cap, spots * one) for cap, one in zip(caps, hand, strict=True)))

    return Exposure(table(1), table(sheet.seats.count), exact=False)
