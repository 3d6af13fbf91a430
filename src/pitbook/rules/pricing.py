"""How cards rank for a pay rule, and what each kind of hand pays."""

from __future__ import annotations

from typing import Literal, NamedTuple, TypeAlias

from pitbook.hands.kinds import Ace
from pitbook.hands.points import EqualPoints, PointTable, SharedCard
from pitbook.money import Cents, Odds
from pitbook.rules.settlement import Line, Result
from pitbook.sheets.model import Sheet
from pitbook.sheets.pay_tables import lines_paid, pays_of, scope_of


class Kinds(NamedTuple):
    """Poker hands of so many cards: the number of a kind in the catalogue of that size.

    Where more cards lie in its places, the best so many of them count.
    """

    cards: int
    ace: Ace
    many_decks: bool = False


class Best(NamedTuple):
    """The best so many cards as a hand that is compared: its place among all classes, rising."""

    cards: int
    ace: Ace


class PointSum(NamedTuple):
    """The sum of what cards count, by rank, two to ace."""

    values: tuple[int, ...]


class Arranged(NamedTuple):
    """The points of the low or the high hand that a dealer's cards are laid out as."""

    which: Literal["low", "high"]
    points: PointTable
    low: int
    shared: SharedCard
    equal: EqualPoints


class Matches(NamedTuple):
    """How many cards of the other place have a rank that the first one holds."""


class Other(NamedTuple):
    """Whatever else a family reads; `about` says what. Only enumeration can work with it."""

    about: str
    suits: bool = True  # Whether it may tell suits apart.
    ranks: bool = False  # Whether it looks at nothing but ranks.


Ranking: TypeAlias = Kinds | Best | PointSum | Arranged | Matches | Other


NONE = Cents(0)
_kind_pay_of = tuple.__new__  # Twice as fast as the constructor by names.


class KindPay(NamedTuple):
    """What a pay table says of one kind of hand."""

    outcome: str
    result: Result
    odds: Odds | None


NOTHING = KindPay("nothing", "lose", None)
FOLDED = KindPay("fold", "lose", None)


def pay_by_kind(sheet: Sheet, wager: str) -> tuple[KindPay, ...]:
    """For every kind that the wager can meet, its pay."""
    scope, pays = scope_of(sheet, wager), pays_of(sheet, wager)
    assert scope is not None
    paid = lines_paid(pays, scope, sheet.payouts.several_lines.value)
    by_line: dict[str | None, KindPay] = {line: pay_of(line, pay) for line, pay in pays.items()}
    by_line[None] = NOTHING
    return tuple(map(by_line.__getitem__, paid))


def pay_of(outcome: str, pay: Odds | str) -> KindPay:
    """A line of a pay table as it is paid."""
    return KindPay(outcome, "win", pay) if isinstance(pay, Odds) else KindPay(outcome, "push", None)


def price_line(wager: str, stake: Cents, pay: KindPay, clause: str, *, stake_counted: bool) -> Line:
    """The line of one wager."""
    outcome, result, odds = pay
    if odds is None:
        return _kind_pay_of(Line, (wager, stake, outcome, result, None, NONE, clause, NONE))
    wins = odds.wins(stake)
    if stake_counted:  # GEN-3 the other way: "500 for 1" gives the stake back within the 500.
        wins = Cents(max(0, wins - stake))
    return Line(wager, stake, outcome, result, odds, wins, clause)
