"""What a wager wins on a kind of hand, looked up in the sheet's pay table once and for all."""

from __future__ import annotations

from typing import NamedTuple

from pitbook.money import Cents, Odds
from pitbook.rules.game.settlement import Line, Result
from pitbook.sheets.model import Sheet
from pitbook.sheets.pays import lines_paid, pays_of, scope_of

NONE = Cents(0)
_made = tuple.__new__  # A constructor by names takes twice as long, and every wager has its line.


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


def priced(wager: str, stake: Cents, pay: KindPay, clause: str, *, stake_counted: bool) -> Line:
    """The line of one wager."""
    outcome, result, odds = pay
    if odds is None:
        return _made(Line, (wager, stake, outcome, result, None, NONE, clause, NONE))
    wins = odds.wins(stake)
    if stake_counted:  # GEN-3 the other way: "500 for 1" gives the stake back within the 500.
        wins = Cents(max(0, wins - stake))
    return Line(wager, stake, outcome, result, odds, wins, clause)
