"""The most a round can owe, with every seat at its maximum and the worst cards."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from pitbook.money import Cents, Odds
from pitbook.sheets.families import family_of
from pitbook.sheets.findings import FieldPath, Finding
from pitbook.sheets.model import Sheet
from pitbook.sheets.pay_tables import falls_under, pays_of
from pitbook.text import say

NO_CAP = 2**62


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
    return family_of(sheet).exposure(sheet)


def hand_payouts(sheet: Sheet, wins: list[Win]) -> list[int]:
    """What a hand is owed after caps on bets and hands: outside round caps, then under each.

    Never less than settlement pays, and the same where a family says so.
    """
    by_cap = _under_caps(sheet, wins)
    if len(by_cap) <= 2:
        by_cap = _cut(by_cap, _hand_cap(sheet))
    return by_cap


def _hand_cap(sheet: Sheet) -> int:
    caps = [one.pays_max for one in sheet.limits if one.per == "hand" and one.counts is None]
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
        under = [falls_under(cap, win.wager, win.line, win.pay) for cap in caps]
        by_cap[1 + under.index(True) if any(under) else 0] += amount
    return by_cap


def _cut(by_cap: list[int], most: int) -> list[int]:
    """A hand's wins cut to a cap, first where the round cap would cut anyway."""
    over = max(0, sum(by_cap) - most)
    for place in range(len(by_cap) - 1, -1, -1):
        taken = min(over, by_cap[place])
        by_cap[place] -= taken
        over -= taken
    return by_cap


def exposure_bound(sheet: Sheet) -> Exposure:
    """Every wager of every spot at its best: a bound, as no round need reach all at once."""
    each = [_by_line(sheet, wager) for wager in ("main", *sheet.side)]
    hand = min(_hand_cap(sheet), sum(max(map(sum, lines)) for lines in each))
    # Under a round cap a lower line outside it may add more, so each cap takes its own best line.
    best = [[max(column) for column in zip(*lines, strict=True)] for lines in each]
    by_cap = [sum(column) for column in zip(*best, strict=True)]
    caps = [NO_CAP, *(limit.pays_max for limit in sheet.limits if limit.per == "round")]

    def table(spots: int) -> Cents:
        capped = sum(min(cap, spots * one) for cap, one in zip(caps, by_cap, strict=True))
        return Cents(min(spots * hand, capped))

    return Exposure(table(1), table(sheet.seats.count), exact=False)


def _by_line(sheet: Sheet, wager: str) -> list[list[int]]:
    """For each line of a wager what it pays at the maximum: outside round caps, then under each."""
    wins = [
        [Win(wager, line, pay, stake) for stake in stakes_of(sheet, wager)]
        for line, pay in pays_of(sheet, wager).items()
        if isinstance(pay, Odds)
    ]
    return [_under_caps(sheet, one) for one in wins or [[]]]


def stakes_of(sheet: Sheet, wager: str) -> tuple[Cents, ...]:
    """Every bet of a wager at its largest."""
    return sheet.largest_stakes if wager == "main" else (sheet.side[wager].stake.max,)


def report_largest_payout(sheet: Sheet) -> Iterator[Finding]:
    """A notice with the figure for a full table and for one hand."""
    found = exposure(sheet)
    most = {"exact": found.exact, "round": found.round, "hand": found.hand}
    message = say("findings.largest.payout", seats=sheet.seats.count, **most)
    path: FieldPath = (
        ("limits",) if sheet.limits else ("uncapped",) if sheet.uncapped else ("seats",)
    )
    clause = sheet.uncapped.clause if sheet.uncapped else None
    yield Finding("notice", "largest-payout", message, path, clause)
    yield from _never_bites(sheet)


def _never_bites(sheet: Sheet) -> Iterator[Finding]:
    """Caps above everything that could be owed without them."""
    if not sheet.limits:
        return
    free = exposure(sheet.model_copy(update={"limits": ()}))
    for number, limit in enumerate(sheet.limits):
        most = free.round if limit.per == "round" else free.hand
        if limit.pays_max >= most:
            message = say("findings.largest.never-bites", per=limit.per, most=most)
            path: FieldPath = ("limits", number, "pays_max")
            yield Finding("notice", "cap-never-bites", message, path, limit.clause)
