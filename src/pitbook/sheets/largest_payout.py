"""The largest payout of a round, with every seat at its maximum and the worst cards."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from pitbook.money import Cents, Odds
from pitbook.sheets.family_registry import family_of
from pitbook.sheets.findings import FieldPath, Finding
from pitbook.sheets.model import Sheet
from pitbook.sheets.pay_tables import falls_under, pays_of
from pitbook.text import say

NO_CAP = 2**62


@dataclass(frozen=True)
class Exposure:
    """The largest payout for one hand and for a full table; an upper bound if not exact."""

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
    """The largest payout of a round of this sheet."""
    return family_of(sheet).exposure(sheet)


def hand_payouts(sheet: Sheet, wins: list[Win]) -> list[int]:
    """A hand's payout after caps on bets and hands: outside round caps, then under each.

    Never less than settlement pays; equal to it if the family's exposure is exact.
    """
    by_cap = _under_caps(sheet, wins)
    if len(by_cap) <= 2:
        by_cap = _apply_hand_cap(by_cap, _hand_cap(sheet))
    return by_cap


def _hand_cap(sheet: Sheet) -> int:
    caps = [
        limit.pays_max for limit in sheet.limits if limit.per == "hand" and limit.counts is None
    ]
    return min(caps, default=NO_CAP)


def _under_caps(sheet: Sheet, wins: list[Win]) -> list[int]:
    """A hand's wins after caps on bets: outside round caps, then under each."""
    caps = [limit for limit in sheet.limits if limit.per == "round"]
    by_cap = [0] * (1 + len(caps))
    for win in wins:
        amount = win.stake * win.pay.to // win.pay.one
        for limit in sheet.limits:
            if limit.per == "bet" and falls_under(limit, win.wager, win.line, win.pay):
                amount = min(amount, limit.pays_max)
        covered = [falls_under(cap, win.wager, win.line, win.pay) for cap in caps]
        by_cap[1 + covered.index(True) if any(covered) else 0] += amount
    return by_cap


def _apply_hand_cap(by_cap: list[int], cap: int) -> list[int]:
    """A hand's wins reduced to a cap, starting with those under round caps."""
    excess = max(0, sum(by_cap) - cap)
    for index in range(len(by_cap) - 1, -1, -1):
        reduction = min(excess, by_cap[index])
        by_cap[index] -= reduction
        excess -= reduction
    return by_cap


def exposure_bound(sheet: Sheet) -> Exposure:
    """An upper bound on the exposure: every wager of every spot wins its best line."""
    payouts_by_wager = [_by_line(sheet, wager) for wager in ("main", *sheet.side)]
    hand = min(_hand_cap(sheet), sum(max(map(sum, lines)) for lines in payouts_by_wager))
    # A lower line outside a round cap may add more, so each cap uses its own best line.
    best = [[max(column) for column in zip(*lines, strict=True)] for lines in payouts_by_wager]
    by_cap = [sum(column) for column in zip(*best, strict=True)]
    caps = [NO_CAP, *(limit.pays_max for limit in sheet.limits if limit.per == "round")]

    def payout(spots: int) -> Cents:
        capped = sum(
            min(cap, spots * payout_under_cap)
            for cap, payout_under_cap in zip(caps, by_cap, strict=True)
        )
        return Cents(min(spots * hand, capped))

    return Exposure(payout(1), payout(sheet.seats.count), exact=False)


def _by_line(sheet: Sheet, wager: str) -> list[list[int]]:
    """For each line of a wager its maximum payout: outside round caps, then under each."""
    wins = [
        [Win(wager, line, pay, stake) for stake in stakes_of(sheet, wager)]
        for line, pay in pays_of(sheet, wager).items()
        if isinstance(pay, Odds)
    ]
    return [_under_caps(sheet, line_wins) for line_wins in wins or [[]]]


def stakes_of(sheet: Sheet, wager: str) -> tuple[Cents, ...]:
    """Every bet of a wager at its maximum."""
    return sheet.largest_stakes if wager == "main" else (sheet.side[wager].stake.max,)


def report_largest_payout(sheet: Sheet) -> Iterator[Finding]:
    """A notice with the largest payouts of a full table and of one hand."""
    bound = exposure(sheet)
    values = {"exact": bound.exact, "round": bound.round, "hand": bound.hand}
    message = say("findings.largest.payout", seats=sheet.seats.count, **values)
    path: FieldPath = (
        ("limits",) if sheet.limits else ("uncapped",) if sheet.uncapped else ("seats",)
    )
    clause = sheet.uncapped.clause if sheet.uncapped else None
    yield Finding("notice", "largest-payout", message, path, clause)
    yield from _never_bites(sheet)


def _never_bites(sheet: Sheet) -> Iterator[Finding]:
    """Caps above everything that could be paid without them."""
    if not sheet.limits:
        return
    uncapped = exposure(sheet.model_copy(update={"limits": ()}))
    for number, limit in enumerate(sheet.limits):
        payout_max = uncapped.round if limit.per == "round" else uncapped.hand
        if limit.pays_max >= payout_max:
            message = say("findings.largest.never-bites", per=limit.per, most=payout_max)
            path: FieldPath = ("limits", number, "pays_max")
            yield Finding("notice", "cap-never-bites", message, path, limit.clause)
