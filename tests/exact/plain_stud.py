"""Street-stud worked out from the sheet's text and the very cards, one ordered board at a time.

It knows no classes, no kinds and no merged stakes: every board is ranked, every bet lies on its own
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
from tests.exact.plain_cards import DECK, ordered, patterns, sets, shapes
from tests.rules.rounds.oracle import capped, cents, line_of, pay, pay_table, priced

Json = dict[str, Any]
Ints = NDArray[np.int64]
Bets = tuple[int, ...]
End = tuple[tuple[int, int], list[str], list[str]]  # What tells it apart; hole cards and a board.

NET, SQUARE, STAKE, WON, PUSHED = range(5)
SUMS = 5


@dataclass(frozen=True)
class Spot:
    """Every play's sums over the ordered boards that can come, and the play that is best."""

    plays: dict[str, Ints]
    best: str
    boards: int
    ante: int

    @property
    def values(self) -> dict[str, Fraction]:
        """What every play is worth, in antes."""
        whole = self.boards * self.ante
        return {play: Fraction(int(sums[NET]), whole) for play, sums in self.plays.items()}


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
    """How often each state leads to each end; states that lead alike, as A K and K A, are one."""

    counts: NDArray[np.int32]
    number: NDArray[np.intp]

    @classmethod
    def of(cls, counts: NDArray[np.int32]) -> States:
        """The states of a table [states, ends]."""
        keys = counts.astype(np.int64) @ Random(0).sample(range(2**40), counts.shape[1])
        _, first, number = np.unique(keys, return_index=True, return_inverse=True)
        number = number.reshape(-1)
        assert (counts[first][number] == counts).all()
        return cls(counts[first], number)

    def times(self, results: Ints) -> Ints:
        """For each state the sum of its ends' results: exact, in numbers that hold them."""
        most = int(np.abs(results).max()) * int(self.counts.sum(axis=1).max())
        if most < 2**53:
            sums = self.counts.astype(np.float64) @ results.astype(np.float64)
            return sums.astype(np.int64)[self.number]
        numbers: type = np.int64 if most < 2**63 else object
        whole: Ints = self.counts.astype(numbers) @ results.astype(numbers)
        return whole[self.number]


class PlainStud:
    """A sheet at an ante in cents with its caps, or in antes without; side stakes in cents."""

    def __init__(
        self, sheet: Json, ante: int | None = None, side: dict[str, int] | None = None
    ) -> None:
        self.sheet = sheet if ante else {**sheet, "limits": []}
        self.ante = ante or 100 * _whole(sheet)
        scale = 1 if ante else self.ante // 100
        self.side = {wager: stake * scale for wager, stake in (side or {}).items()}
        self.streets: list[Json] = sheet["streets"]
        self.reveals = [street["reveals"]["is"] for street in self.streets]
        self.hole: int = sheet["deal"]["hole"]["is"]
        self.ace_low = sheet["payouts"]["ace_in_straights"]["is"] == "high-or-low"
        self.looks = {sheet["side"][wager]["looks_at"] for wager in self.side}
        self.bets = [
            [one for one in street["bets"] if not (ante and _above(street, one * ante))]
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
        """Backward over every ordered board, best play at every later decision.

        `purse` is what is left to bet with, in cents: what it does not pay for is no play.
        """
        known = {*cards, *community, *dead}
        left = tuple(card for card in range(52) if card not in known)
        first, reveals = len(bets), tuple(self.reveals[len(bets) :])
        looks = (self.ace_low, "community" in self.looks, "hole" in self.looks)
        # Starting hands come again with the next sheet; other spots would only fill the memory.
        found = _ends if len(left) == 50 and len(cards) == 2 else _ends.__wrapped__
        counts, ends = found(tuple(cards), tuple(community), left, reveals, looks)
        later: dict[Bets, Ints] = {}
        for street in range(len(self.streets) - 1, first - 1, -1):
            at = counts[street - first]
            level: dict[Bets, Ints] = {}
            for made in product(*self.bets[first:street]):
                plays = self._plays(street, bets + made, at, later, ends, left=len(left))
                plays = self._paid(plays, purse, made)
                if street == first:
                    best = self._best(plays)[0]
                    sums = {play: worth[0] for play, worth in plays.items()}
                    choice = list(plays)[int(best[0])]
                    return Spot(sums, choice, perm(len(left), sum(reveals)), self.ante)
                level[bets + made] = self._best(plays)[1]
            later = level
        raise AssertionError("a spot has a decision")

    def round(self) -> Round:
        """The whole game: every pattern of hole cards, as often as it comes."""
        total, boards = np.zeros(SUMS, object), 1
        for cards, ways in patterns(self.hole):
            found = self.spot(cards)
            total += found.plays[found.best].astype(object) * ways
            boards = found.boards
        every, ante = comb(52, self.hole) * boards, self.ante
        expected = Fraction(total[NET], every * ante)
        square = Fraction(total[SQUARE], every * ante**2)
        stake = Fraction(total[STAKE], every * ante)
        win, push = (Fraction(total[one], every) for one in (WON, PUSHED))
        return Round(expected, square - expected**2, stake, win, push)

    def _plays(
        self,
        street: int,
        made: Bets,
        at: States,
        later: dict[Bets, Ints],
        ends: list[End],
        *,
        left: int,
    ) -> dict[str, Ints]:
        """For every play in the order of preference: the sums in every state."""
        plays: dict[str, Ints] = {}
        ended: dict[str, Ints] = {}  # Plays after which no decision is left.
        for bet in self.bets[street]:
            after = (*made, bet)
            if street == len(self.streets) - 1:
                plays[f"{bet}x"] = ended[f"{bet}x"] = self._priced(after, ends, folded=False)
            else:
                worth, turned = later[after], self.reveals[street]
                plays[f"{bet}x"] = worth.reshape(-1, left**turned, SUMS).sum(axis=1)
        if self.streets[street]["fold"]:
            plays["fold"] = ended["fold"] = self._priced(made, ends, folded=True)
        if ended:  # One product for all of them: the counts are large, and read once.
            sums = at.times(np.concatenate(list(ended.values()), axis=1))
            parts = np.split(sums, len(ended), axis=1)
            plays |= dict(zip(ended, parts, strict=True))
        return plays

    def _paid(self, plays: dict[str, Ints], purse: int | None, made: Bets) -> dict[str, Ints]:
        """The plays that the purse pays for after these bets; the smallest where none is left."""
        if purse is None:
            return plays
        left = purse - sum(made) * self.ante
        cost = {play: 0 if play == "fold" else int(play[:-1]) * self.ante for play in plays}
        paid = {play: worth for play, worth in plays.items() if cost[play] <= left}
        smallest = next(iter(plays))
        return paid or {smallest: plays[smallest]}

    def _best(self, plays: dict[str, Ints]) -> tuple[NDArray[np.intp], Ints]:
        """GEN-16 said plainly: in the order of preference, only a better play replaces another."""
        names = list(plays)
        bets = [play for play in names if play != "fold"]
        fold = [play for play in names if play == "fold"]
        ties = self.sheet["best_play"]["ties"]["is"]
        order = {"largest-bet": bets[::-1] + fold, "fold": fold + bets}.get(ties, bets + fold)
        top = plays[order[0]].copy()
        best = np.full(len(top), names.index(order[0]))
        for play in order[1:]:
            better = plays[play][:, NET] > top[:, NET]
            top[better], best[better] = plays[play][better], names.index(play)
        return best, top

    def _priced(self, made: Bets, ends: list[End], *, folded: bool) -> Ints:
        rows = []
        for code, hole, board in ends:
            key = (made, folded, code)
            if key not in self._results:
                self._results[key] = self._result(made, hole, board, folded=folded)
            rows.append(self._results[key])
        small = max(map(max, rows)) < 2**53  # A square is no less than what it is the square of.
        return np.array(rows, np.int64 if small else object)

    def _result(self, made: Bets, hole: list[str], board: list[str], *, folded: bool) -> list[int]:
        lines = [*self._main(made, hole + board, folded=folded), *self._sides(hole, board, folded)]
        capped(self.sheet, {1: lines})
        lost = sum(line["stake"] for line in lines if line["result"] == "lose")
        net = sum(line["wins"] for line in lines) - lost
        return [net, net**2, sum(line["stake"] for line in lines), net > 0, net == 0]

    def _main(self, made: Bets, hand: list[str], *, folded: bool) -> Iterator[Json]:
        stakes = {"ante": self.ante}
        for street, bet in zip(self.streets, made, strict=False):
            if bet:
                stakes[street["id"]] = bet * self.ante
        for wager, stake in stakes.items():
            if folded:
                yield line_of(wager, stake, "", "fold", "lose")
            else:
                yield priced(self.sheet, wager, stake, self._pay("main", hand), "")

    def _sides(self, hole: list[str], board: list[str], folded: bool) -> Iterator[Json]:
        for wager, stake in self.side.items():
            rule = self.sheet["side"][wager]
            cards = {"community": board, "hole": hole, "hand": hole + board}[rule["looks_at"]]
            if folded and not rule["after_fold"]["plays"]:
                yield line_of(wager, stake, "", "fold", "lose")
            else:
                yield priced(self.sheet, wager, stake, self._pay(wager, cards), "")

    def _pay(self, wager: str, cards: list[str]) -> tuple[str, str | None]:
        """What cards are paid, looked up once: every stake meets the same cards again."""
        key = (wager, *cards)
        if key not in self._pays:
            self._pays[key] = pay(self.sheet, wager, cards)
        return self._pays[key]


@lru_cache(maxsize=169)
def _ends(
    cards: tuple[int, ...],
    community: tuple[int, ...],
    left: tuple[int, ...],
    reveals: tuple[int, ...],
    looks: tuple[bool, bool, bool],
) -> tuple[list[States], list[End]]:
    """Before each street: how often every state leads to each end; and the ends, by example."""
    ace_low, sees_board, sees_hole = looks
    boards = np.array(left, np.int64)[sets(len(left), sum(reveals))]
    own = np.broadcast_to(np.array(cards, np.int64), (len(boards), len(cards)))
    table = np.broadcast_to(np.array(community, np.int64), (len(boards), len(community)))
    whole = np.concatenate([table, boards], axis=1)
    hand = shapes(np.concatenate([own, whole], axis=1), ace_low=ace_low)
    board = shapes(whole, ace_low=ace_low) if sees_board else np.zeros_like(hand)
    codes, first, which = np.unique(hand * 10_000 + board, return_index=True, return_inverse=True)
    hole = int(shapes(own[:1], ace_low=ace_low)[0]) if sees_hole else 0
    held = [DECK[card] for card in cards]
    ends = [
        ((code, hole), held, [DECK[card] for card in whole[place]])
        for code, place in zip(codes.tolist(), first.tolist(), strict=True)
    ]
    counts = _counts(which.reshape(-1), len(left), reveals, len(codes))
    return [States.of(level) for level in counts], ends


def _counts(which: Ints, left: int, reveals: tuple[int, ...], ends: int) -> list[NDArray[np.int32]]:
    """Before each street: [ordered cards turned since, ends]."""
    every = np.append(which, ends)[ordered(left, sum(reveals))]
    states = left ** sum(reveals[:-1])
    flat = every.reshape(states, -1) + (ends + 1) * np.arange(states)[:, None]
    last = np.bincount(flat.ravel(), minlength=states * (ends + 1)).reshape(states, ends + 1)
    levels = [last[:, :-1]]
    for street in range(len(reveals) - 2, -1, -1):
        before = levels[0].reshape(left ** sum(reveals[:street]), -1, ends)
        levels.insert(0, before.sum(axis=1))
    return [level.astype(np.int32) for level in levels]


def _above(street: Json, amount: int) -> bool:
    return bool(street.get("bet_max")) and amount > cents(street["bet_max"])


def _whole(sheet: Json) -> int:
    """A stake in dollars on which all odds win whole cents."""
    tables = [pay_table(sheet, wager) for wager in ("main", *sheet["side"])]
    odds = [pay for table in tables for pay in table.values() if pay != "push"]
    return lcm(1, *(int(one.split(":")[1]) for one in odds))
