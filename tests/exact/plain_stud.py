"""Street stud calculated from the sheet's text and single cards, one ordered board at a time.

It uses no classes, kinds or merged stakes: every board is ranked, every bet is on its own
street, and money is counted by the oracle of the engine's tests. It shares no code with what it
checks.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache
from itertools import product
from math import comb, lcm, perm
from random import Random
from typing import Any

import numpy as np
from numpy.typing import NDArray
from tests.exact.plain_cards import DECK, ordered_set_numbers, patterns, sets, shapes
from tests.rules.oracle import apply_caps, cents, line_of, pay, pay_table, price_wager

Json = dict[str, Any]
Ints = NDArray[np.int64]
Bets = tuple[int, ...]
End = tuple[tuple[int, int], list[str], list[str]]  # A key; hole cards and a board as example.

NET, SQUARE, STAKE, WON, PUSHED = range(5)
SUMS = 5


@dataclass(frozen=True)
class Spot:
    """The sums of every play over the possible ordered boards, and the best play."""

    plays: dict[str, Ints]
    best: str
    boards: int
    ante: int

    @property
    def values(self) -> dict[str, Fraction]:
        """The value of every play, in antes."""
        total_stake = self.boards * self.ante
        return {play: Fraction(int(sums[NET]), total_stake) for play, sums in self.plays.items()}


@dataclass(frozen=True)
class Round:
    """The moments of a whole round, in antes."""

    expected: Fraction
    variance: Fraction
    average_wager: Fraction
    win: Fraction
    push: Fraction


@dataclass(frozen=True)
class States:
    """How often each state leads to each end; equal states are merged."""

    counts: NDArray[np.int32]
    state_number: NDArray[np.intp]

    @classmethod
    def from_counts(cls, counts: NDArray[np.int32]) -> States:
        """The states of a table [states, ends]."""
        keys = counts.astype(np.int64) @ Random(0).sample(range(2**40), counts.shape[1])
        _, first, number = np.unique(keys, return_index=True, return_inverse=True)
        number = number.reshape(-1)
        assert (counts[first][number] == counts).all()
        return cls(counts[first], number)

    def multiply(self, results: Ints) -> Ints:
        """For each state, the exact sum of its ends' results."""
        sum_max = int(np.abs(results).max()) * int(self.counts.sum(axis=1).max())
        if sum_max < 2**53:
            sums = self.counts.astype(np.float64) @ results.astype(np.float64)
            return sums.astype(np.int64)[self.state_number]
        numbers: type = np.int64 if sum_max < 2**63 else object
        sums_by_state: Ints = self.counts.astype(numbers) @ results.astype(numbers)
        return sums_by_state[self.state_number]


class PlainStud:
    """A sheet at an ante in cents with its caps, or in antes without; side stakes in cents."""

    def __init__(
        self, sheet: Json, ante: int | None = None, side: dict[str, int] | None = None
    ) -> None:
        self.sheet = sheet if ante else {**sheet, "limits": []}
        self.ante = ante or 100 * _whole_cents_dollars(sheet)
        scale = 1 if ante else self.ante // 100
        self.side = {wager: stake * scale for wager, stake in (side or {}).items()}
        self.streets: list[Json] = sheet["streets"]
        self.reveals = [street["reveals"]["is"] for street in self.streets]
        self.hole: int = sheet["deal"]["hole"]["is"]
        self.ace_low = sheet["payouts"]["ace_in_straights"]["is"] == "high-or-low"
        self.looked_at = {sheet["side"][wager]["looks_at"] for wager in self.side}
        self.bets = [
            [bet for bet in street["bets"] if not (ante and _is_above_max(street, bet * ante))]
            for street in self.streets
        ]
        self._results: dict[tuple[Bets, bool, tuple[int, int]], list[int]] = {}
        self._pays: dict[tuple[str, ...], tuple[str, str | None]] = {}

    def spot(
        self,
        cards: Sequence[int],
        community: Sequence[int] = (),
        bets: Bets = (),
        dead: Sequence[int] = (),
        purse: int | None = None,
    ) -> Spot:
        """Backward over every ordered board, with best play at every later decision.

        `purse` is the money left to bet in cents: plays that it does not pay for are excluded.
        """
        known_cards = {*cards, *community, *dead}
        unseen = tuple(card for card in range(52) if card not in known_cards)
        first, reveals = len(bets), tuple(self.reveals[len(bets) :])
        looks = (self.ace_low, "community" in self.looked_at, "hole" in self.looked_at)
        # Starting hands are used again with the next sheet; other spots would only fill the cache.
        find_ends = (
            _ends_of_spot if len(unseen) == 50 and len(cards) == 2 else _ends_of_spot.__wrapped__
        )
        counts, ends = find_ends(tuple(cards), tuple(community), unseen, reveals, looks)
        later: dict[Bets, Ints] = {}
        for street in range(len(self.streets) - 1, first - 1, -1):
            states = counts[street - first]
            level: dict[Bets, Ints] = {}
            for bets_made in product(*self.bets[first:street]):
                plays = self._plays(
                    street, bets + bets_made, states, later, ends, unseen_count=len(unseen)
                )
                plays = self._affordable(plays, purse, bets_made)
                if street == first:
                    best = self._best(plays)[0]
                    sums = {play: worth[0] for play, worth in plays.items()}
                    choice = list(plays)[int(best[0])]
                    return Spot(sums, choice, perm(len(unseen), sum(reveals)), self.ante)
                level[bets + bets_made] = self._best(plays)[1]
            later = level
        raise AssertionError("a spot has a decision")

    def round(self) -> Round:
        """The whole game: every pattern of hole cards, weighted by its frequency."""
        total, boards = np.zeros(SUMS, object), 1
        for cards, ways in patterns(self.hole):
            spot = self.spot(cards)
            total += spot.plays[spot.best].astype(object) * ways
            boards = spot.boards
        deal_count, ante = comb(52, self.hole) * boards, self.ante
        expected = Fraction(total[NET], deal_count * ante)
        square = Fraction(total[SQUARE], deal_count * ante**2)
        stake = Fraction(total[STAKE], deal_count * ante)
        win, push = (Fraction(total[moment], deal_count) for moment in (WON, PUSHED))
        return Round(expected, square - expected**2, stake, win, push)

    def _plays(
        self,
        street: int,
        bets_made: Bets,
        states: States,
        later: dict[Bets, Ints],
        ends: list[End],
        *,
        unseen_count: int,
    ) -> dict[str, Ints]:
        """For every play in the order of preference: the sums in every state."""
        plays: dict[str, Ints] = {}
        ending_plays: dict[str, Ints] = {}  # Plays that end the decisions.
        for bet in self.bets[street]:
            bets_after = (*bets_made, bet)
            if street == len(self.streets) - 1:
                plays[f"{bet}x"] = ending_plays[f"{bet}x"] = self._end_results(
                    bets_after, ends, folded=False
                )
            else:
                worth, reveal_count = later[bets_after], self.reveals[street]
                plays[f"{bet}x"] = worth.reshape(-1, unseen_count**reveal_count, SUMS).sum(axis=1)
        if self.streets[street]["fold"]:
            plays["fold"] = ending_plays["fold"] = self._end_results(bets_made, ends, folded=True)
        if ending_plays:  # One product for all: the counts are large and should be read once.
            sums = states.multiply(np.concatenate(list(ending_plays.values()), axis=1))
            parts = np.split(sums, len(ending_plays), axis=1)
            plays |= dict(zip(ending_plays, parts, strict=True))
        return plays

    def _affordable(
        self, plays: dict[str, Ints], purse: int | None, bets_made: Bets
    ) -> dict[str, Ints]:
        """The plays that the purse pays for after these bets, or the smallest one."""
        if purse is None:
            return plays
        budget = purse - sum(bets_made) * self.ante
        cost = {play: 0 if play == "fold" else int(play[:-1]) * self.ante for play in plays}
        affordable = {play: worth for play, worth in plays.items() if cost[play] <= budget}
        smallest = next(iter(plays))
        return affordable or {smallest: plays[smallest]}

    def _best(self, plays: dict[str, Ints]) -> tuple[NDArray[np.intp], Ints]:
        """GEN-16 directly: in the order of preference, only a better play replaces another."""
        names = list(plays)
        bets = [play for play in names if play != "fold"]
        fold = [play for play in names if play == "fold"]
        ties = self.sheet["best_play"]["ties"]["is"]
        order = {"largest-bet": bets[::-1] + fold, "fold": fold + bets}.get(ties, bets + fold)
        best_sums = plays[order[0]].copy()
        best = np.full(len(best_sums), names.index(order[0]))
        for play in order[1:]:
            better = plays[play][:, NET] > best_sums[:, NET]
            best_sums[better], best[better] = plays[play][better], names.index(play)
        return best, best_sums

    def _end_results(self, bets_made: Bets, ends: list[End], *, folded: bool) -> Ints:
        rows = []
        for code, hole, board in ends:
            key = (bets_made, folded, code)
            if key not in self._results:
                self._results[key] = self._result(bets_made, hole, board, folded=folded)
            rows.append(self._results[key])
        fits_int64 = max(map(max, rows)) < 2**53  # A square is at least as large as its root.
        return np.array(rows, np.int64 if fits_int64 else object)

    def _result(
        self, bets_made: Bets, hole: list[str], board: list[str], *, folded: bool
    ) -> list[int]:
        lines = [
            *self._main(bets_made, hole + board, folded=folded),
            *self._sides(hole, board, folded),
        ]
        apply_caps(self.sheet, {1: lines})
        losses = sum(line["stake"] for line in lines if line["result"] == "lose")
        net = sum(line["wins"] for line in lines) - losses
        return [net, net**2, sum(line["stake"] for line in lines), net > 0, net == 0]

    def _main(self, bets_made: Bets, hand: list[str], *, folded: bool) -> Iterator[Json]:
        stakes = {"ante": self.ante}
        for street, bet in zip(self.streets, bets_made, strict=False):
            if bet:
                stakes[street["id"]] = bet * self.ante
        for wager, stake in stakes.items():
            if folded:
                yield line_of(wager, stake, "", "fold", "lose")
            else:
                yield price_wager(self.sheet, wager, stake, self._pay("main", hand), "")

    def _sides(self, hole: list[str], board: list[str], folded: bool) -> Iterator[Json]:
        for wager, stake in self.side.items():
            rule = self.sheet["side"][wager]
            cards = {"community": board, "hole": hole, "hand": hole + board}[rule["looks_at"]]
            if folded and not rule["after_fold"]["plays"]:
                yield line_of(wager, stake, "", "fold", "lose")
            else:
                yield price_wager(self.sheet, wager, stake, self._pay(wager, cards), "")

    def _pay(self, wager: str, cards: list[str]) -> tuple[str, str | None]:
        """The pay of cards, cached because every stake meets the same cards."""
        key = (wager, *cards)
        if key not in self._pays:
            self._pays[key] = pay(self.sheet, wager, cards)
        return self._pays[key]


@lru_cache(maxsize=169)
def _ends_of_spot(
    cards: tuple[int, ...],
    community: tuple[int, ...],
    unseen: tuple[int, ...],
    reveals: tuple[int, ...],
    looks: tuple[bool, bool, bool],
) -> tuple[list[States], list[End]]:
    """Before each street, how often every state leads to each end; and the ends, by example."""
    ace_low, sees_board, sees_hole = looks
    boards = np.array(unseen, np.int64)[sets(len(unseen), sum(reveals))]
    hole_rows = np.broadcast_to(np.array(cards, np.int64), (len(boards), len(cards)))
    table = np.broadcast_to(np.array(community, np.int64), (len(boards), len(community)))
    board_rows = np.concatenate([table, boards], axis=1)
    hand = shapes(np.concatenate([hole_rows, board_rows], axis=1), ace_low=ace_low)
    board = shapes(board_rows, ace_low=ace_low) if sees_board else np.zeros_like(hand)
    codes, first, end_numbers = np.unique(
        hand * 10_000 + board, return_index=True, return_inverse=True
    )
    hole = int(shapes(hole_rows[:1], ace_low=ace_low)[0]) if sees_hole else 0
    hole_names = [DECK[card] for card in cards]
    ends = [
        ((code, hole), hole_names, [DECK[card] for card in board_rows[place]])
        for code, place in zip(codes.tolist(), first.tolist(), strict=True)
    ]
    counts = _counts(end_numbers.reshape(-1), len(unseen), reveals, len(codes))
    return [States.from_counts(level) for level in counts], ends


def _counts(
    end_numbers: Ints, card_count: int, reveals: tuple[int, ...], ends: int
) -> list[NDArray[np.int32]]:
    """Before each street: [ordered cards turned since, ends]."""
    ordered_ends = np.append(end_numbers, ends)[ordered_set_numbers(card_count, sum(reveals))]
    states = card_count ** sum(reveals[:-1])
    flat = ordered_ends.reshape(states, -1) + (ends + 1) * np.arange(states)[:, None]
    last_counts = np.bincount(flat.ravel(), minlength=states * (ends + 1)).reshape(states, ends + 1)
    levels = [last_counts[:, :-1]]
    for street in range(len(reveals) - 2, -1, -1):
        grouped = levels[0].reshape(card_count ** sum(reveals[:street]), -1, ends)
        levels.insert(0, grouped.sum(axis=1))
    return [level.astype(np.int32) for level in levels]


def _is_above_max(street: Json, amount: int) -> bool:
    return bool(street.get("bet_max")) and amount > cents(street["bet_max"])


def _whole_cents_dollars(sheet: Json) -> int:
    """A stake in dollars at which all odds pay whole cents."""
    tables = [pay_table(sheet, wager) for wager in ("main", *sheet["side"])]
    odds = [pay for table in tables for pay in table.values() if pay != "push"]
    return lcm(1, *(int(odds_text.split(":")[1]) for odds_text in odds))
