"""Payout caps, shared to the cent: per bet, then per hand, then per round (GEN-4)."""

from __future__ import annotations

from collections.abc import Sequence

from pitbook.money import Cents
from pitbook.rules.settlement_lines import AppliedCap, Line, Settlement
from pitbook.sheets.model import Limit, Sheet
from pitbook.sheets.pay_tables import falls_under


def apply_payout_caps(
    sheet: Sheet, settlements: Sequence[Settlement]
) -> tuple[tuple[Settlement, ...], tuple[AppliedCap, ...]]:
    """The settlements after all caps, and the caps that reduced a payout."""
    current, applied_caps = tuple(settlements), []
    payout_max = _payout_max(current)
    # Hot path: any() with a generator would cost more than the rest of this function.
    for limit in sheet.limits:
        if payout_max > limit.pays_max:
            break
    else:
        return current, ()
    for scope in ("bet", "hand", "round"):
        for limit in sheet.limits:
            if limit.per == scope:
                current, scope_caps = _APPLY[scope](sheet, limit, current)
                applied_caps += scope_caps
    return current, tuple(applied_caps)


def _payout_max(settlements: tuple[Settlement, ...]) -> int:
    """All wins plus their stakes: an upper bound on what any cap counts."""
    total = 0
    for hand in settlements:
        for line in hand.lines:
            if line.odds is not None:
                total += line.wins + line.stake
    return total


def shares(total: int, amounts: Sequence[int]) -> list[int]:
    """Split a total pro rata in whole units; leftover units go to the largest remainders.

    >>> shares(100, [1, 1, 1])
    [34, 33, 33]
    """
    total_due = sum(amounts)
    quotients = [divmod(total * amount, total_due) for amount in amounts]
    units_left = total - sum(share for share, _ in quotients)
    rounded_up = sorted(range(len(amounts)), key=lambda index: -quotients[index][1])[:units_left]
    return [share + (index in rounded_up) for index, (share, _) in enumerate(quotients)]


def _cap_bets(
    sheet: Sheet, limit: Limit, settlements: tuple[Settlement, ...]
) -> tuple[tuple[Settlement, ...], list[AppliedCap]]:
    applied_caps: list[AppliedCap] = []
    capped = []
    for hand in settlements:
        lines = []
        for line in hand.lines:
            amount = due_under(sheet, limit, line)
            if amount > limit.pays_max:
                applied_caps.append(
                    AppliedCap(limit.clause, Cents(amount), limit.pays_max, hand.seat)
                )
                line = _cap_line(sheet, line, limit.pays_max)  # noqa: PLW2901
            lines.append(line)
        capped.append(Settlement(hand.seat, tuple(lines)))
    return tuple(capped), applied_caps


def _cap_hands(
    sheet: Sheet, limit: Limit, settlements: tuple[Settlement, ...]
) -> tuple[tuple[Settlement, ...], list[AppliedCap]]:
    applied_caps: list[AppliedCap] = []
    capped = []
    for hand in settlements:
        amount = sum(due_under(sheet, limit, line) for line in hand.lines)
        if amount > limit.pays_max:
            applied_caps.append(AppliedCap(limit.clause, Cents(amount), limit.pays_max, hand.seat))
            capped.append(_with_payouts(sheet, limit, hand, limit.pays_max))
        else:
            capped.append(hand)
    return tuple(capped), applied_caps


def _cap_round(
    sheet: Sheet, limit: Limit, settlements: tuple[Settlement, ...]
) -> tuple[tuple[Settlement, ...], list[AppliedCap]]:
    amounts = [sum(due_under(sheet, limit, line) for line in hand.lines) for hand in settlements]
    if sum(amounts) <= limit.pays_max:
        return settlements, []
    order = sorted(range(len(settlements)), key=lambda index: settlements[index].seat)
    if sheet.payouts.share_ties.value == "higher-seat":
        order.reverse()
    split = dict(
        zip(order, shares(limit.pays_max, [amounts[index] for index in order]), strict=True)
    )
    capped = tuple(
        _with_payouts(sheet, limit, hand, split[index]) if amounts[index] else hand
        for index, hand in enumerate(settlements)
    )
    return capped, [AppliedCap(limit.clause, Cents(sum(amounts)), limit.pays_max, None)]


def _with_payouts(sheet: Sheet, limit: Limit, hand: Settlement, share: int) -> Settlement:
    """The hand with its capped payouts reduced to its share, line by line."""
    amounts = [due_under(sheet, limit, line) for line in hand.lines]
    order = sorted(
        range(len(amounts)), key=lambda index: _wager_rank(sheet, hand.lines[index].wager)
    )
    split = dict(zip(order, shares(share, [amounts[index] for index in order]), strict=True))
    lines = [
        _cap_line(sheet, line, split[index]) if amounts[index] else line
        for index, line in enumerate(hand.lines)
    ]
    return Settlement(hand.seat, tuple(lines))


def _wager_rank(sheet: Sheet, wager: str) -> int:
    """GEN-4: equal remainders follow the sheet's order of wagers, not the order of placing."""
    return sheet.wager_order.index(wager)


def due_under(sheet: Sheet, limit: Limit, line: Line) -> int:
    """The amount of a line that counts toward a limit."""
    if line.odds is None or line.outcome is None:
        return 0
    wager = line.wager if line.wager in sheet.side else "main"
    if not falls_under(limit, wager, line.outcome, line.odds):
        return 0
    return line.wins + (line.stake if sheet.payouts.stake_counted.value else 0)


def _cap_line(sheet: Sheet, line: Line, amount: int) -> Line:
    stake = line.stake if sheet.payouts.stake_counted.value else 0
    return line._replace(wins=Cents(max(0, amount - stake)))


_APPLY = {"bet": _cap_bets, "hand": _cap_hands, "round": _cap_round}
