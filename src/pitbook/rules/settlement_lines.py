"""How cards pay, and the settlement lines of each wager."""

from __future__ import annotations

from collections.abc import Iterable
from functools import lru_cache
from typing import Literal, NamedTuple, TypeAlias

from pitbook.hands.kinds import Ace
from pitbook.hands.low_and_high import EqualPoints, PointTable, SharedCard
from pitbook.money import Cents, Odds
from pitbook.sheets.field_types import Push
from pitbook.sheets.model import Sheet
from pitbook.sheets.pay_tables import FOLD, NO_PAYING_HAND, Scope, lines_paid, pays_of, scope_of

Result = Literal["win", "push", "lose", "void", "forfeit"]


class Line(NamedTuple):
    """The result of one wager; `wins` excludes the stake (GEN-3).

    A bonus on another wager's stake has no stake. If half a stake is lost, `back` is the other
    half.
    """

    wager: str
    stake: Cents
    outcome: str | None
    result: Result
    odds: Odds | None
    wins: Cents
    clause: str
    back: Cents = Cents(0)

    @property
    def lost(self) -> Cents:
        """The lost part of the stake."""
        return Cents(self.stake - self.back if self.result in ("lose", "forfeit") else 0)

    @property
    def net(self) -> int:
        """The player's net: the win, or minus the lost stake."""
        return self.wins - self.lost


class Settlement(NamedTuple):
    """The lines of one hand, in the sheet's wager order."""

    seat: int
    lines: tuple[Line, ...]

    @property
    def wins(self) -> Cents:
        """The payout without stakes."""
        return Cents(sum(line.wins for line in self.lines))

    @property
    def loses(self) -> Cents:
        """The stakes lost or forfeited."""
        return Cents(sum(line.lost for line in self.lines))

    @property
    def net(self) -> Cents:
        """Wins minus losses."""
        return Cents(self.wins - self.loses)


class AppliedCap(NamedTuple):
    """A cap that reduced payouts: due, paid, and its seat; None for the whole round."""

    clause: str
    due: Cents
    paid: Cents
    seat: int | None


def return_wagers(seat: int, stakes: Iterable[tuple[str, Cents]], clause: str) -> Settlement:
    """Return every wager."""
    lines = (Line(wager, stake, None, "void", None, Cents(0), clause) for wager, stake in stakes)
    return Settlement(seat, tuple(lines))


def forfeit_wagers(seat: int, stakes: Iterable[tuple[str, Cents]], clause: str) -> Settlement:
    """Forfeit every wager."""
    lines = (Line(wager, stake, None, "forfeit", None, Cents(0), clause) for wager, stake in stakes)
    return Settlement(seat, tuple(lines))


def keep_settled_lines(hand: Settlement, paid: Iterable[tuple[int, Line]]) -> Settlement:
    """The hand with its already settled lines unchanged."""
    settled = {line.wager: line for seat, line in paid if seat == hand.seat}
    return Settlement(hand.seat, tuple(settled.get(line.wager, line) for line in hand.lines))


# How cards rank for a pay rule, and what each kind of hand pays.


class Kinds(NamedTuple):
    """Poker hands by kind: the index in the catalog for that hand size.

    Of more cards, the best hand counts.
    """

    cards: int
    ace: Ace
    many_decks: bool = False


class Best(NamedTuple):
    """Compared poker hands: the index of the best hand among all classes, rising."""

    cards: int
    ace: Ace


class PointSum(NamedTuple):
    """The sum of points by rank, two to ace."""

    values: tuple[int, ...]


class Arranged(NamedTuple):
    """The points of the low or the high hand of a dealer's cards."""

    which: Literal["low", "high"]
    points: PointTable
    low: int
    shared: SharedCard
    equal: EqualPoints


class Matches(NamedTuple):
    """The number of cards of the other place whose rank occurs in the first."""


class Other(NamedTuple):
    """Any other ranking; `about` describes it. Only enumeration supports it."""

    about: str
    suits: bool = True  # Whether suits can matter.
    ranks: bool = False  # Whether only ranks matter.


Ranking: TypeAlias = Kinds | Best | PointSum | Arranged | Matches | Other


NONE = Cents(0)
_new_line = tuple.__new__  # Twice as fast as the constructor.


class KindPay(NamedTuple):
    """The pay of one kind of hand."""

    outcome: str
    result: Result
    odds: Odds | None


NOTHING = KindPay(NO_PAYING_HAND, "lose", None)
FOLDED = KindPay(FOLD, "lose", None)


def pay_by_kind(sheet: Sheet, wager: str) -> tuple[KindPay, ...]:
    """For every kind that the wager can meet, its pay."""
    scope = scope_of(sheet, wager)
    assert scope is not None
    table = tuple(pays_of(sheet, wager).items())
    return _pay_by_kind(table, scope, sheet.payouts.several_lines.value)


@lru_cache(maxsize=1024)
def _pay_by_kind(
    table: tuple[tuple[str, Odds | Push], ...], scope: Scope, several_lines: str
) -> tuple[KindPay, ...]:
    pays = dict(table)
    paid = lines_paid(pays, scope, several_lines)
    by_line: dict[str | None, KindPay] = {line: pay_of(line, pay) for line, pay in table}
    by_line[None] = NOTHING
    return tuple(map(by_line.__getitem__, paid))


def pay_of(outcome: str, pay: Odds | str) -> KindPay:
    """The pay of a pay table line."""
    return KindPay(outcome, "win", pay) if isinstance(pay, Odds) else KindPay(outcome, "push", None)


def price_line(wager: str, stake: Cents, pay: KindPay, clause: str, *, stake_counted: bool) -> Line:
    """The settlement line of one wager."""
    outcome, result, odds = pay
    if odds is None:
        return _new_line(Line, (wager, stake, outcome, result, None, NONE, clause, NONE))
    wins = odds.wins(stake)
    if stake_counted:  # GEN-3 reversed: "500 for 1" includes the stake in the 500.
        wins = Cents(max(0, wins - stake))
    return _new_line(Line, (wager, stake, outcome, result, odds, wins, clause, NONE))


def price_lines(
    stakes: Iterable[tuple[str, Cents]], pay: KindPay, clause: str, *, stake_counted: bool
) -> list[Line]:
    """The settlement lines of wagers with the same pay."""
    outcome, result, odds = pay
    if odds is None:
        return [
            _new_line(Line, (wager, stake, outcome, result, None, NONE, clause, NONE))
            for wager, stake in stakes
        ]
    if stake_counted:
        return [
            price_line(wager, stake, pay, clause, stake_counted=True) for wager, stake in stakes
        ]
    return [
        _new_line(Line, (wager, stake, outcome, result, odds, odds.wins(stake), clause, NONE))
        for wager, stake in stakes
    ]
