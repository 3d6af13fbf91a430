"""Largest payout of a street-stud round, over all boards and hands."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from functools import cache, lru_cache, reduce
from itertools import combinations_with_replacement
from math import comb
from operator import and_, or_

import numpy as np

from pitbook.hands.batch import CardArray, Ints, choices_up_to_suits, disjoint_sets, kinds_of
from pitbook.hands.kinds import Ace, hand_kinds
from pitbook.money import Cents, Odds
from pitbook.rules.families.street_stud.sheet import StreetStud
from pitbook.sheets.largest_payout import NO_CAP, Exposure, Win, hand_payouts, stakes_of
from pitbook.sheets.pay_tables import lines_paid, lines_under_limit, pays_of, scope_of

HANDS_AT_ONCE = 400_000


@dataclass(frozen=True)
class BoardCounts:
    """Boards up to suit permutation, their kinds, and hand counts by kind of hand and hole cards.

    A column of `counts` is a pair of kinds: those of the five cards and of the hole cards.
    """

    cards: CardArray
    kinds: Ints
    columns: tuple[tuple[int, int], ...]
    counts: Ints


@cache
def boards(hole: int, ace: Ace) -> BoardCounts:
    """The boards of a game with that number of hole cards."""
    cards, _ = choices_up_to_suits(5 - hole)
    width = len(hand_kinds(5)) * len(hand_kinds(hole))
    batch = max(1, HANDS_AT_ONCE // comb(47 + hole, hole))
    parts = [cards[start : start + batch] for start in range(0, len(cards), batch)]
    kind_pairs = [_holes(part, hole, ace)[1] for part in parts]
    histograms = [np.bincount(pairs.ravel(), minlength=width) for pairs in kind_pairs]
    used = np.flatnonzero(np.sum(histograms, axis=0))
    column = np.zeros(width, np.int64)
    column[used] = np.arange(len(used))
    counts = np.concatenate([_counts(column[pairs], len(used)) for pairs in kind_pairs])
    columns = tuple(divmod(int(column_number), len(hand_kinds(hole))) for column_number in used)
    return BoardCounts(cards, kinds_of(cards, ace), columns, counts)


@lru_cache(maxsize=128)
def holes_beside(hole: int, ace: Ace, board: int) -> tuple[CardArray, Ints]:
    """Every set of hole cards for a board, and the pair of kinds each makes, as one number."""
    hole_cards, kind_pairs = _holes(boards(hole, ace).cards[board : board + 1], hole, ace)
    return hole_cards[0], kind_pairs[0]


def _holes(cards: CardArray, hole: int, ace: Ace) -> tuple[CardArray, Ints]:
    """For several boards: all hole cards for each, and their pairs of kinds."""
    hole_cards, hands = disjoint_sets(cards, hole)
    return hole_cards, kinds_of(hands, ace) * len(hand_kinds(hole)) + kinds_of(hole_cards, ace)


def _counts(kind_pairs: Ints, width: int) -> Ints:
    shifted = kind_pairs + np.arange(len(kind_pairs))[:, None] * width
    return np.bincount(shifted.ravel(), minlength=len(kind_pairs) * width).reshape(-1, width)


MIXES_MAX = 300_000
TRIES_MAX = 20_000
RARE_MAX = 8


def exposure(sheet: StreetStud) -> Exposure:
    """The largest payout of a round of this sheet."""
    search = _Stud(sheet)
    hand, hand_exact = search.most(1)
    table, table_exact = search.most(sheet.seats.count)
    return Exposure(hand, table, hand_exact and table_exact and _caps_are_exact(sheet))


def _caps_are_exact(sheet: StreetStud) -> bool:
    """Whether caps and stakes are computed as in settlement rather than bounded from above."""
    hand = [limit for limit in sheet.limits if limit.per == "hand"]
    caps = [limit for limit in sheet.limits if limit.per == "round"]
    caps_by_line = Counter(
        (wager, line) for cap in caps for wager, line, _ in lines_under_limit(sheet, cap)
    )
    # A hand cap is shared among lines, some of which a round cap reduces again.
    return not (
        (hand and caps)
        or any(limit.counts for limit in hand)
        or any(times > 1 for times in caps_by_line.values())
        or (sheet.limits and sheet.payouts.stake_counted.value)
        or any(street.bet_max for street in sheet.streets)
    )


class _Stud:
    """The search for the worst board of a street-stud sheet."""

    def __init__(self, sheet: StreetStud) -> None:
        self.sheet = sheet
        self.ace = sheet.payouts.ace_in_straights.value
        self.hole = sheet.deal.hole.value
        self.boards = boards(self.hole, self.ace)
        caps = [limit.pays_max for limit in sheet.limits if limit.per == "round"]
        self.caps = np.array([NO_CAP, *caps])
        self._wins = {wager: self._lines(wager) for wager in ("main", *sheet.side)}
        self._payout_cache: dict[tuple[int, int, int], list[int]] = {}
        self._orders: dict[tuple[int, int], tuple[Ints, Ints]] = {}
        self._tallies = [self._tally(kinds) for kinds in self._group_board_kinds()]

    def most(self, seats: int) -> tuple[Cents, bool]:
        """The largest payout to that many seats, and whether it is exact."""
        best, exact = 0, True
        for bound, tally, row in self._by_bound(seats):
            if bound <= best:
                break
            if comb(seats + len(tally.owing) - 1, seats) > MIXES_MAX:
                return Cents(bound), False
            payout, payout_exact = self._on_board(tally, row, seats, best)
            best, exact = max(best, payout), exact and payout_exact
        return Cents(best), exact

    def _by_bound(self, seats: int) -> list[tuple[int, _Tally, int]]:
        """Boards with an upper bound on the payout of each, largest first."""
        bounded = []
        for tally in self._tallies:
            total = np.zeros(len(tally.rows), np.int64)
            for cap, amounts in zip(self.caps, tally.owing.T, strict=True):
                order = np.argsort(-amounts)
                filled = np.minimum(np.cumsum(tally.counts[:, order], axis=1), seats)
                seat_counts = np.diff(filled, axis=1, prepend=0)
                total += np.minimum(cap, seat_counts @ amounts[order])
            bounded += [(bound, tally, row) for row, bound in enumerate(total.tolist())]
        return sorted(bounded, key=lambda entry: -entry[0])

    def _group_board_kinds(self) -> list[list[int]]:
        """Kinds of boards, grouped by equal payouts of the community card wagers."""
        rules = [w for w, side in self.sheet.side.items() if side.looks_at == "community"]
        groups: dict[object, list[int]] = {}
        for kind in np.unique(self.boards.kinds).tolist():
            won = tuple(tuple(self._wins[wager][kind]) for wager in rules)
            groups.setdefault(won, []).append(kind)
        return list(groups.values())

    def _tally(self, board_kinds: list[int]) -> _Tally:
        payouts = [self._payouts(hand, hole, board_kinds[0]) for hand, hole in self.boards.columns]
        owing, groups = np.unique(np.array(payouts, np.int64), axis=0, return_inverse=True)
        groups = groups.reshape(-1)
        rows = np.flatnonzero(np.isin(self.boards.kinds, board_kinds))
        order = np.argsort(groups, kind="stable")
        starts = np.searchsorted(groups[order], np.arange(len(owing)))
        counts = np.add.reduceat(self.boards.counts[rows][:, order], starts, axis=1)
        return _Tally(board_kinds[0], rows, counts, owing, groups)

    def _payouts(self, hand: int, hole: int, board: int) -> list[int]:
        looked_at = {side.looks_at for side in self.sheet.side.values()}
        key = (hand, hole if "hole" in looked_at else 0, board if "community" in looked_at else 0)
        if key not in self._payout_cache:
            self._payout_cache[key] = hand_payouts(self.sheet, self._wins_of(hand, hole, board))
        return self._payout_cache[key]

    def _wins_of(self, hand: int, hole: int, board: int) -> list[Win]:
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
        stakes = stakes_of(self.sheet, wager)
        wins = []
        for line in paid:
            pay = pays[line] if line else None
            odds = [pay] if isinstance(pay, Odds) else []
            wins.append(
                [Win(wager, line or "", line_odds, stake) for line_odds in odds for stake in stakes]
            )
        return wins

    def _on_board(self, tally: _Tally, row: int, seats: int, best: int) -> tuple[int, bool]:
        """The largest payout of hands on this board, if above `best`."""
        mixes, totals = self._ranked_mixes(tally, seats)
        above = int(np.searchsorted(-totals, -best))
        candidates = np.flatnonzero((mixes[:above] <= tally.counts[row]).all(axis=1))
        table = _Dealability(self._hands(tally, row))
        for index in candidates:
            dealable = table.can_deal(tuple(mixes[index].tolist()))
            if dealable is not False:
                return int(totals[index]), dealable is True
        return best, True

    def _ranked_mixes(self, tally: _Tally, seats: int) -> tuple[Ints, Ints]:
        """Every mix of hands on such boards with its payout, largest first."""
        if (tally.kind, seats) not in self._orders:
            mixes = _mixes(len(tally.owing), seats)
            totals = np.minimum(self.caps, mixes @ tally.owing).sum(axis=1)
            order = np.argsort(-totals, kind="stable")
            self._orders[tally.kind, seats] = mixes[order], totals[order]
        return self._orders[tally.kind, seats]

    def _hands(self, tally: _Tally, row: int) -> list[list[int]]:
        """The hole cards for a board, as bits, grouped by payout."""
        hole_cards, kind_pairs = holes_beside(self.hole, self.ace, int(tally.rows[row]))
        group = np.empty(kind_pairs.max() + 1, np.int64)
        for (hand, hole), group_number in zip(self.boards.columns, tally.groups, strict=True):
            if (pair := hand * len(hand_kinds(self.hole)) + hole) < len(group):
                group[pair] = group_number
        bits = (np.int64(1) << hole_cards.astype(np.int64)).sum(axis=1)
        return [bits[group[kind_pairs] == number].tolist() for number in range(len(tally.owing))]


@dataclass(frozen=True, eq=False)
class _Tally:
    """Boards of one kind: for each, how many hole cards earn which payout."""

    kind: int
    rows: Ints
    counts: Ints
    owing: Ints
    groups: Ints


@cache
def _mixes(groups: int, seats: int) -> Ints:
    """All distributions of the seats among groups of hands, as counts."""
    chosen = np.array(list(combinations_with_replacement(range(groups), seats)), np.int64)
    return np.stack([(chosen == group).sum(axis=1) for group in range(groups)], axis=1)


class _Dealability:
    """Decides which mixes of hands beside one board can be dealt without repeating a card."""

    def __init__(self, groups: list[list[int]]) -> None:
        self.groups = groups
        self.order = sorted(range(len(groups)), key=lambda group: len(groups[group]))
        self.rare = [group for group in self.order if 0 < len(groups[group]) <= RARE_MAX]
        self.cards = [reduce(or_, hands, 0) for hands in groups]
        # Hands that all need the same card, such as the fourth king, can be dealt only once.
        shared = [reduce(and_, hands, hands[0] if hands else 0) for hands in groups]
        self.single_groups = [group for group, cards in enumerate(shared) if cards]
        self.size = max(hands[0].bit_count() for hands in groups if hands)
        self._rare_answers: dict[tuple[int, ...], bool | None] = {}

    def can_deal(self, mix: tuple[int, ...]) -> bool | None:
        """Whether the mix can be dealt; None if the search gave up."""
        if any(mix[group] > 1 for group in self.single_groups):
            return False
        rare = tuple(mix[group] for group in self.rare)
        if rare not in self._rare_answers:
            self._rare_answers[rare] = self._search([g for g in self.rare for _ in range(mix[g])])
        if self._rare_answers[rare] is False:
            return False
        return self._search([group for group in self.order for _ in range(mix[group])])

    def _search(self, groups: list[int]) -> bool | None:
        tries = 0

        def deal(place: int, used: int, start: int) -> bool | None:
            nonlocal tries
            if place == len(groups):
                return True
            group = groups[place]
            hands = self.groups[group]
            same_group = place > 0 and group == groups[place - 1]
            needed = groups.count(group) * self.size
            if not same_group and (self.cards[group] & ~used).bit_count() < needed:
                return False
            for number in range(start if same_group else 0, len(hands)):
                tries += 1
                if tries > TRIES_MAX:
                    return None
                if not hands[number] & used:
                    dealable = deal(place + 1, used | hands[number], number + 1)
                    if dealable is not False:
                        return dealable
            return False

        return deal(0, 0, 0)
