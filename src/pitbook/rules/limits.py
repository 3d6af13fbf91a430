"""Caps on payouts, shared to the cent: each bet, then each hand, then the round (GEN-4)."""

from __future__ import annotations

from collections.abc import Sequence

from pitbook.money import Cents
from pitbook.rules.settlement import AppliedCap, Line, Settlement
from pitbook.sheets.model import Sheet
from pitbook.sheets.parts import Limit
from pitbook.sheets.pay_tables import falls_under


def apply_limits(
    sheet: Sheet, settlements: Sequence[Settlement]
) -> tuple[tuple[Settlement, ...], tuple[AppliedCap, ...]]:
    """The settlements with every cap applied, and the caps that bit."""
    current, bites = tuple(settlements), []
    if not _has_win(current):
        return current, ()
    for scope in ("bet", "hand", "round"):
        for limit in sheet.limits:
            if limit.per == scope:
                current, bitten = _APPLY[scope](sheet, limit, current)
                bites += bitten
    return current, tuple(bites)


def _has_win(settlements: tuple[Settlement, ...]) -> bool:
    """Whether a line has odds at all: most hands have none, and no cap then asks further."""
    for hand in settlements:
        for line in hand.lines:
            if line.odds is not None:
                return True
    return False


def shares(total: int, due: Sequence[int]) -> list[int]:
    """A total split in proportion to what is due, in whole units, largest remainder first.

    >>> shares(100, [1, 1, 1])
    [34, 33, 33]
    """
    whole = sum(due)
    split = [divmod(total * one, whole) for one in due]
    left = total - sum(share for share, _ in split)
    lucky = sorted(range(len(due)), key=lambda place: -split[place][1])[:left]
    return [share + (place in lucky) for place, (share, _) in enumerate(split)]


def _cap_bets(
    sheet: Sheet, limit: Limit, settlements: tuple[Settlement, ...]
) -> tuple[tuple[Settlement, ...], list[AppliedCap]]:
    bites: list[AppliedCap] = []
    capped = []
    for hand in settlements:
        lines = []
        for line in hand.lines:
            due = due_under(sheet, limit, line)
            if due > limit.pays_max:
                bites.append(AppliedCap(limit.clause, Cents(due), limit.pays_max, hand.seat))
                line = _record_cap(sheet, line, limit.pays_max)  # noqa: PLW2901
            lines.append(line)
        capped.append(Settlement(hand.seat, tuple(lines)))
    return tuple(capped), bites


def _cap_hands(
    sheet: Sheet, limit: Limit, settlements: tuple[Settlement, ...]
) -> tuple[tuple[Settlement, ...], list[AppliedCap]]:
    bites: list[AppliedCap] = []
    capped = []
    for hand in settlements:
        due = sum(due_under(sheet, limit, line) for line in hand.lines)
        if due > limit.pays_max:
            bites.append(AppliedCap(limit.clause, Cents(due), limit.pays_max, hand.seat))
            capped.append(_with_payouts(sheet, limit, hand, limit.pays_max))
        else:
            capped.append(hand)
    return tuple(capped), bites


def _cap_round(
    sheet: Sheet, limit: Limit, settlements: tuple[Settlement, ...]
) -> tuple[tuple[Settlement, ...], list[AppliedCap]]:
    due = [sum(due_under(sheet, limit, line) for line in hand.lines) for hand in settlements]
    if sum(due) <= limit.pays_max:
        return settlements, []
    order = sorted(range(len(settlements)), key=lambda place: settlements[place].seat)
    if sheet.payouts.share_ties.value == "higher-seat":
        order.reverse()
    split = dict(zip(order, shares(limit.pays_max, [due[place] for place in order]), strict=True))
    capped = tuple(
        _with_payouts(sheet, limit, hand, split[place]) if due[place] else hand
        for place, hand in enumerate(settlements)
    )
    return capped, [AppliedCap(limit.clause, Cents(sum(due)), limit.pays_max, None)]


def _with_payouts(sheet: Sheet, limit: Limit, hand: Settlement, share: int) -> Settlement:
    """The hand with what falls under the limit cut to its share, line by line."""
    due = [due_under(sheet, limit, line) for line in hand.lines]
    order = sorted(range(len(due)), key=lambda place: _wins_under(sheet, hand.lines[place].wager))
    split = dict(zip(order, shares(share, [due[place] for place in order]), strict=True))
    lines = [
        _record_cap(sheet, line, split[place]) if due[place] else line
        for place, line in enumerate(hand.lines)
    ]
    return Settlement(hand.seat, tuple(lines))


def _wins_under(sheet: Sheet, wager: str) -> int:
    """GEN-4: equal remainders go by the sheet's order of wagers, whenever they were put."""
    return sheet.wager_order.index(wager)


def due_under(sheet: Sheet, limit: Limit, line: Line) -> int:
    """What a line counts towards a limit."""
    if line.odds is None or line.outcome is None:
        return 0
    wager = line.wager if line.wager in sheet.side else "main"
    if not falls_under(limit, wager, line.outcome, line.odds):
        return 0
    return line.wins + (line.stake if sheet.payouts.stake_counted.value else 0)


def _record_cap(sheet: Sheet, line: Line, amount: int) -> Line:
    stake = line.stake if sheet.payouts.stake_counted.value else 0
    return line._replace(wins=Cents(max(0, amount - stake)))


_APPLY = {"bet": _cap_bets, "hand": _cap_hands, "round": _cap_round}
