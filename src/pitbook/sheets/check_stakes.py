"""Checks of money: stakes, chips, and limits on payouts."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import cache, lru_cache
from math import gcd

from pitbook.money import CENTS_MAX, Cents, Odds
from pitbook.sheets.findings import FieldPath, Finding
from pitbook.sheets.model import Sheet
from pitbook.sheets.parts import Limit, Stake
from pitbook.sheets.pay_tables import all_pay_tables, lines_under_limit, pays_of
from pitbook.text import Sentence, say

STAKES_TRIED = 400
SayName = Callable[[], str]  # A bet's name, worded where somebody asks for it.
UNITS_MAX = 10_000  # In the smallest chip; with more, sums of chips would take long to work out.


def check_stakes(sheet: Sheet) -> Iterator[Finding]:
    """The findings about wagers and chips."""
    odd = list(_chips(sheet))
    yield from odd
    for wager, path, stake in _stakes(sheet):
        bad = [*_bounds(stake, path), *_too_large(sheet, wager, stake)]
        yield from bad
        if not bad and not odd:
            yield from _payable(sheet, wager, path, stake)
    if not odd:
        yield from _caps(sheet)
    yield from _single_bets(sheet)


def _chips(sheet: Sheet) -> Iterator[Finding]:
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


def _bounds(stake: Stake, path: FieldPath) -> Iterator[Finding]:
    if stake.min > stake.max:
        message = say("findings.stakes.bounds", least=stake.min, most=stake.max)
        yield Finding("error", "stake-bounds", message, (*path, "min"), stake.clause)
    for field, amount in (("min", stake.min), ("max", stake.max)):
        if amount % stake.step:
            odd = {"field": field, "amount": amount, "step": stake.step}
            message = say("findings.stakes.step", **odd)
            yield Finding("error", "stake-step", message, (*path, field), stake.clause)


def _too_large(sheet: Sheet, wager: str, stake: Stake) -> Iterator[Finding]:
    """Wins so large that they must be a slip of the pen."""
    units = sheet.units_max if wager == "main" else 1
    for line, pay in all_pay_tables(sheet)[wager].items():
        won = stake.max * units * pay.to // pay.one if isinstance(pay, Odds) else 0
        if won > CENTS_MAX:
            message = say("findings.stakes.too-large", line=line, pay=str(pay), won=won)
            yield Finding("error", "too-large", message, (*_pays_path(wager), line), stake.clause)


def _payable(sheet: Sheet, wager: str, path: FieldPath, stake: Stake) -> Iterator[Finding]:
    """Every stake and every win on it, or the first that no chips make up."""
    chips = sheet.house.chips
    for amount in _tried(stake):
        if not payable(amount, chips.values):
            message = say("findings.stakes.not-in-chips", amount=amount)
            yield Finding("error", "chips", message, (*path, "min"), chips.clause)
            return
    for line, pay in all_pay_tables(sheet)[wager].items():
        if isinstance(pay, Odds) and (bad := unpayable_win(stake, pay, chips.values)) is not None:
            message = say("findings.stakes.win-not-in-chips", amount=bad, line=line, pay=str(pay))
            yield Finding("error", "chips", message, (*_pays_path(wager), line), chips.clause)


def _caps(sheet: Sheet) -> Iterator[Finding]:
    for number, limit in enumerate(sheet.limits):
        if not payable(limit.pays_max, sheet.house.chips.values):
            message = say("findings.stakes.cap-not-in-chips", amount=limit.pays_max)
            path: FieldPath = ("limits", number, "pays_max")
            yield Finding("notice", "cap-chips", message, path, limit.clause)


def _pays_path(wager: str) -> FieldPath:
    return ("main", "pays") if wager == "main" else ("side", wager, "pays")


@lru_cache(maxsize=4096)  # A sheet is checked whenever a round of it is read from the record.
def unpayable_win(stake: Stake, pay: Odds, chips: tuple[Cents, ...]) -> Cents | None:
    """The first stake on which a pay wins what no chips make up; None where there is none."""
    unit, least = _reach(chips)
    whole = pay.one * unit
    if len(least) == 1 and not (stake.min * pay.to % whole or stake.step * pay.to % whole):
        return None  # Every win is some of the smallest chip.
    for amount in _tried(stake):
        won, rest = divmod(amount * pay.to, pay.one)
        if rest or not payable(won, chips):
            return amount
    return None


def _tried(stake: Stake) -> list[Cents]:
    """Enough stakes to judge all: chips and odds repeat long before this many steps."""
    steps = min(STAKES_TRIED, (stake.max - stake.min) // stake.step)
    return [Cents(stake.min + n * stake.step) for n in range(steps + 1)]


def payable(amount: int, chips: tuple[Cents, ...]) -> bool:
    """Whether some chips add up to the amount.

    >>> payable(300, (200, 500)), payable(700, (200, 500))
    (False, True)
    """
    unit, least = _reach(chips)
    whole, rest = divmod(amount, unit)
    return not rest and whole >= least[whole % len(least)]


@cache
def _reach(chips: tuple[Cents, ...]) -> tuple[int, tuple[int, ...]]:
    """The chips' common unit, and the least sum they reach for each residue of the smallest."""
    unit = gcd(*chips)
    values = sorted(chip // unit for chip in chips)
    size = values[0]
    least = [0] + [10**18] * (size - 1)
    for value in values[1:]:
        for start in range(gcd(size, value)):
            residue = start
            for _ in range(2 * size // gcd(size, value)):  # Twice round the circle is enough.
                after = (residue + value) % size
                least[after] = min(least[after], least[residue] + value)
                residue = after
    return unit, tuple(least)


def _single_bets(sheet: Sheet) -> Iterator[Finding]:
    """OMS-8: no bet, raise or re-raise above the house's flat maximum."""
    flat = sheet.single_bet_max
    if flat is None:
        return
    for named, path, amount in largest_bets(sheet):
        if amount > flat.value:
            above = {"name": named(), "amount": amount, "most": flat.value}
            message = say("findings.stakes.single-bet", **above)
            yield Finding("error", "single-bet", message, path, flat.clause)


def largest_bets(sheet: Sheet) -> Iterator[tuple[SayName, FieldPath, int]]:
    """Every bet, raise or re-raise at its largest, with its name and place."""
    for wager, path, stake in _stakes(sheet):
        yield _named(wager), (*path, "max"), stake.max
    for one in sheet.further_bets():
        yield one.told, one.path, one.most


def _named(wager: str) -> SayName:
    return lambda: say("findings.stakes.the-ante") if wager == "main" else wager


def check_cap_minimums(sheet: Sheet) -> Iterator[Finding]:
    """The findings about limits."""
    for number, limit in enumerate(sheet.limits):
        path: FieldPath = ("limits", number)
        yield from _below_minimum(sheet, limit, path)


def top_award(sheet: Sheet, limit: Limit, units: int) -> tuple[int, Sentence]:
    """The most that one counted wager wins on so many of its smallest stake, and on what."""
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
    award, on = top_award(sheet, limit, sheet.units_min)
    if limit.pays_max < award:
        below = {"cap": limit.pays_max, "award": award, "on": on}
        message = say("findings.caps.below-minimum", **below)
        yield Finding("notice", "cap-below-minimum", message, (*path, "pays_max"), limit.clause)


LIMITS_MAX = 20  # More than any house posts.
Counted = frozenset[tuple[str, str]]


def check_limits(sheet: Sheet) -> Iterator[Finding]:
    """The findings about limits that have nothing to limit."""
    if not sheet.limits and sheet.uncapped is None:
        message = say("findings.counted.uncapped")
        yield Finding("error", "uncapped", message)
    if len(sheet.limits) > LIMITS_MAX:
        message = say("findings.counted.too-many", count=len(sheet.limits), most=LIMITS_MAX)
        yield _error(message, ("limits", LIMITS_MAX), sheet.limits[LIMITS_MAX])
        return
    before: list[tuple[Limit, Counted]] = []
    for number, limit in enumerate(sheet.limits):
        path: FieldPath = ("limits", number)
        wins = frozenset((wager, line) for wager, line, _ in lines_under_limit(sheet, limit))
        yield from _lines(sheet, limit, path)
        if not wins:
            yield _error(say("findings.counted.no-win"), (*path, "counts"), limit)
        elif other := _same(limit, wins, before):
            yield _error(other, path, limit)
        before.append((limit, wins))


def _error(message: str, path: FieldPath, limit: Limit) -> Finding:
    return Finding("error", "limit", message, path, limit.clause)


def _same(limit: Limit, wins: Counted, before: list[tuple[Limit, Counted]]) -> Sentence | None:
    """What one limit before says already, so that this one never bites or makes that one idle."""
    for number, (other, theirs) in enumerate(before):
        if other.per != limit.per:
            continue
        if theirs == wins:
            alike = {"limit": other.pays_max == limit.pays_max, "per": limit.per, "number": number}
            return say("findings.counted.same", **alike)
        if theirs > wins and other.pays_max <= limit.pays_max:
            return say("findings.counted.within", number=number)
        if theirs < wins and other.pays_max >= limit.pays_max:
            return say("findings.counted.around", number=number)
    return None


def _lines(sheet: Sheet, limit: Limit, path: FieldPath) -> Iterator[Finding]:
    """Lines by name: each once, and each one that wins."""
    named = limit.counts.lines if limit.counts else None
    for wager, lines in named.items() if named else ():
        pays = pays_of(sheet, wager)
        for number, line in enumerate(lines):
            place: FieldPath = (*path, "counts", "lines", wager, number)
            if line in lines[:number]:
                yield _error(say("findings.named-twice", name=line), place, limit)
            elif pays[line] == "push":
                yield _error(say("findings.counted.pushes", line=line), place, limit)
