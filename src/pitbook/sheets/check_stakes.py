"""Checks of money: stakes, chips, and limits on payouts."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import cache, lru_cache
from math import gcd

from pitbook.money import CENTS_MAX, Cents, Odds
from pitbook.sheets.findings import FieldPath, Finding
from pitbook.sheets.model import Limit, Sheet, Stake
from pitbook.sheets.pay_tables import all_pay_tables, lines_under_limit, pays_of
from pitbook.text import Sentence, say

STAKES_TRIED = 400
SayName = Callable[[], str]  # A bet's name, rendered on demand.
UNITS_MAX = 10_000  # In the smallest chip; beyond that, sums of chips take too long to compute.


def check_stakes(sheet: Sheet) -> Iterator[Finding]:
    """The findings about wagers and chips."""
    chip_findings = list(_check_chips(sheet))
    yield from chip_findings
    for wager, path, stake in _stakes(sheet):
        stake_findings = [*_check_bounds(stake, path), *_too_large(sheet, wager, stake)]
        yield from stake_findings
        if not stake_findings and not chip_findings:
            yield from _check_payable(sheet, wager, path, stake)
    if not chip_findings:
        yield from _check_caps(sheet)
    yield from _single_bets(sheet)


def _check_chips(sheet: Sheet) -> Iterator[Finding]:
    chips = sheet.house.chips
    path = ("house", "chips", "values")
    if list(chips.values) != sorted(set(chips.values)):
        yield Finding("error", "chips", say("findings.stakes.chips-rise"), path, chips.clause)
    elif chips.values[0] // gcd(*chips.values) > UNITS_MAX:
        message = say("findings.stakes.chips-apart", unit=gcd(*chips.values))
        yield Finding("error", "chips", message, path, chips.clause)


def _stakes(sheet: Sheet) -> Iterator[tuple[str, FieldPath, Stake]]:
    yield "main", (sheet.main_id,), sheet.main_wager
    for wager, side in sheet.side.items():
        yield wager, ("side", wager, "stake"), side.stake


def _check_bounds(stake: Stake, path: FieldPath) -> Iterator[Finding]:
    if stake.min > stake.max:
        message = say("findings.stakes.bounds", least=stake.min, most=stake.max)
        yield Finding("error", "stake-bounds", message, (*path, "min"), stake.clause)
    for field, amount in (("min", stake.min), ("max", stake.max)):
        if amount % stake.step:
            values = {"field": field, "amount": amount, "step": stake.step}
            message = say("findings.stakes.step", **values)
            yield Finding("error", "stake-step", message, (*path, field), stake.clause)


def _too_large(sheet: Sheet, wager: str, stake: Stake) -> Iterator[Finding]:
    """Wins so large that they must be typos."""
    units = sheet.units_max if wager == "main" else 1
    for line, pay in all_pay_tables(sheet)[wager].items():
        win = stake.max * units * pay.to // pay.one if isinstance(pay, Odds) else 0
        if win > CENTS_MAX:
            message = say("findings.stakes.too-large", line=line, pay=str(pay), won=win)
            yield Finding("error", "too-large", message, (*_pays_path(wager), line), stake.clause)


def _check_payable(sheet: Sheet, wager: str, path: FieldPath, stake: Stake) -> Iterator[Finding]:
    """The first stake or win that the chips cannot pay."""
    chips = sheet.house.chips
    for amount in _sample_stakes(stake):
        if not is_payable(amount, chips.values):
            message = say("findings.stakes.not-in-chips", amount=amount)
            yield Finding("error", "chips", message, (*path, "min"), chips.clause)
            return
    for line, pay in all_pay_tables(sheet)[wager].items():
        if (
            isinstance(pay, Odds)
            and (unpayable := unpayable_win(stake, pay, chips.values)) is not None
        ):
            message = say(
                "findings.stakes.win-not-in-chips", amount=unpayable, line=line, pay=str(pay)
            )
            yield Finding("error", "chips", message, (*_pays_path(wager), line), chips.clause)


def _check_caps(sheet: Sheet) -> Iterator[Finding]:
    for number, limit in enumerate(sheet.limits):
        if not is_payable(limit.pays_max, sheet.house.chips.values):
            message = say("findings.stakes.cap-not-in-chips", amount=limit.pays_max)
            path: FieldPath = ("limits", number, "pays_max")
            yield Finding("notice", "cap-chips", message, path, limit.clause)


def _pays_path(wager: str) -> FieldPath:
    return ("main", "pays") if wager == "main" else ("side", wager, "pays")


@lru_cache(maxsize=4096)  # A sheet is checked whenever one of its rounds is read.
def unpayable_win(stake: Stake, pay: Odds, chips: tuple[Cents, ...]) -> Cents | None:
    """The first stake whose win the chips cannot pay, if any."""
    unit, smallest_sums = _reachable_sums(chips)
    win_unit = pay.one * unit
    if len(smallest_sums) == 1 and not (
        stake.min * pay.to % win_unit or stake.step * pay.to % win_unit
    ):
        return None  # Every win is a multiple of the smallest chip.
    for amount in _sample_stakes(stake):
        win, remainder = divmod(amount * pay.to, pay.one)
        if remainder or not is_payable(win, chips):
            return amount
    return None


def _sample_stakes(stake: Stake) -> list[Cents]:
    """Enough stakes to judge all: chips and odds repeat well within this many steps."""
    count = min(STAKES_TRIED, (stake.max - stake.min) // stake.step)
    return [Cents(stake.min + number * stake.step) for number in range(count + 1)]


def is_payable(amount: int, chips: tuple[Cents, ...]) -> bool:
    """Whether some chips add up to the amount.

    >>> is_payable(300, (200, 500)), is_payable(700, (200, 500))
    (False, True)
    """
    unit, smallest_sums = _reachable_sums(chips)
    units, remainder = divmod(amount, unit)
    return not remainder and units >= smallest_sums[units % len(smallest_sums)]


@cache
def _reachable_sums(chips: tuple[Cents, ...]) -> tuple[int, tuple[int, ...]]:
    """The chips' common unit, and the smallest sum for each residue of the smallest chip."""
    unit = gcd(*chips)
    values = sorted(chip // unit for chip in chips)
    size = values[0]
    smallest_sums = [0] + [10**18] * (size - 1)
    for value in values[1:]:
        for start in range(gcd(size, value)):
            residue = start
            for _ in range(2 * size // gcd(size, value)):  # Twice around the cycle is enough.
                next_residue = (residue + value) % size
                smallest_sums[next_residue] = min(
                    smallest_sums[next_residue], smallest_sums[residue] + value
                )
                residue = next_residue
    return unit, tuple(smallest_sums)


def _single_bets(sheet: Sheet) -> Iterator[Finding]:
    """OMS-8: no bet, raise or re-raise above the house's flat maximum."""
    flat = sheet.single_bet_max
    if flat is None:
        return
    for describe, path, amount in largest_bets(sheet):
        if amount > flat.value:
            values = {"name": describe(), "amount": amount, "most": flat.value}
            message = say("findings.stakes.single-bet", **values)
            yield Finding("error", "single-bet", message, path, flat.clause)


def largest_bets(sheet: Sheet) -> Iterator[tuple[SayName, FieldPath, int]]:
    """Every bet, raise or re-raise at its maximum, with its name and path."""
    for wager, path, stake in _stakes(sheet):
        yield _main_wager_name(wager), (*path, "max"), stake.max
    for bet in sheet.further_bets():
        yield bet.describe, bet.path, bet.most


def _main_wager_name(wager: str) -> SayName:
    return lambda: say("findings.stakes.the-ante") if wager == "main" else wager


def check_cap_minimums(sheet: Sheet) -> Iterator[Finding]:
    """The findings about limits below the smallest top award."""
    for number, limit in enumerate(sheet.limits):
        path: FieldPath = ("limits", number)
        yield from _below_minimum(sheet, limit, path)


def top_award(sheet: Sheet, limit: Limit, units: int) -> tuple[int, Sentence]:
    """The most that one counted wager wins on that many of its smallest stakes, and its line."""
    best = (0, Sentence(""))
    for wager, line, pay in lines_under_limit(sheet, limit):
        stake = sheet.main_wager.min if wager == "main" else sheet.side[wager].stake.min
        bets = units if wager == "main" and limit.per != "bet" else 1
        best = max(
            best,
            (
                stake * bets * pay.to // pay.one,
                say("findings.caps.line-on", line=line, wager=wager),
            ),
        )
    return best


def _below_minimum(sheet: Sheet, limit: Limit, path: FieldPath) -> Iterator[Finding]:
    award, line_text = top_award(sheet, limit, sheet.units_min)
    if limit.pays_max < award:
        values = {"cap": limit.pays_max, "award": award, "on": line_text}
        message = say("findings.caps.below-minimum", **values)
        yield Finding("notice", "cap-below-minimum", message, (*path, "pays_max"), limit.clause)


LIMITS_MAX = 20  # More than any house posts.
Counted = frozenset[tuple[str, str]]


def check_limits(sheet: Sheet) -> Iterator[Finding]:
    """The findings about limits without effect."""
    if not sheet.limits and sheet.uncapped is None:
        message = say("findings.counted.uncapped")
        yield Finding("error", "uncapped", message)
    if len(sheet.limits) > LIMITS_MAX:
        message = say("findings.counted.too-many", count=len(sheet.limits), most=LIMITS_MAX)
        yield _error(message, ("limits", LIMITS_MAX), sheet.limits[LIMITS_MAX])
        return
    earlier_limits: list[tuple[Limit, Counted]] = []
    for number, limit in enumerate(sheet.limits):
        path: FieldPath = ("limits", number)
        wins = frozenset((wager, line) for wager, line, _ in lines_under_limit(sheet, limit))
        yield from _check_lines(sheet, limit, path)
        if not wins:
            yield _error(say("findings.counted.no-win"), (*path, "counts"), limit)
        elif other := _redundant_limit(limit, wins, earlier_limits):
            yield _error(other, path, limit)
        earlier_limits.append((limit, wins))


def _error(message: str, path: FieldPath, limit: Limit) -> Finding:
    return Finding("error", "limit", message, path, limit.clause)


def _redundant_limit(
    limit: Limit, wins: Counted, earlier_limits: list[tuple[Limit, Counted]]
) -> Sentence | None:
    """Whether an earlier limit makes this one redundant or is made so by it, in words."""
    for number, (other, other_wins) in enumerate(earlier_limits):
        if other.per != limit.per:
            continue
        if other_wins == wins:
            values = {"limit": other.pays_max == limit.pays_max, "per": limit.per, "number": number}
            return say("findings.counted.same", **values)
        if other_wins > wins and other.pays_max <= limit.pays_max:
            return say("findings.counted.within", number=number)
        if other_wins < wins and other.pays_max >= limit.pays_max:
            return say("findings.counted.around", number=number)
    return None


def _check_lines(sheet: Sheet, limit: Limit, path: FieldPath) -> Iterator[Finding]:
    """Lines of a limit: each named once, and each a winning line."""
    lines_by_wager = limit.counts.lines if limit.counts else None
    for wager, lines in lines_by_wager.items() if lines_by_wager else ():
        pays = pays_of(sheet, wager)
        for number, line in enumerate(lines):
            place: FieldPath = (*path, "counts", "lines", wager, number)
            if line in lines[:number]:
                yield _error(say("findings.named-twice", name=line), place, limit)
            elif pays[line] == "push":
                yield _error(say("findings.counted.pushes", line=line), place, limit)
