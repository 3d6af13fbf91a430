"""Stakes within sane bounds, and every amount payable in the chips the house has."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from math import gcd

from pitbook.money import Cents, Odds, spoken
from pitbook.sheets.families import Sheet
from pitbook.sheets.findings import Finding, Path
from pitbook.sheets.model import Stake
from pitbook.sheets.pays import all_pay_tables
from pitbook.sheets.street_stud import StreetStud

STAKES_TRIED = 400


def check(sheet: Sheet) -> Iterator[Finding]:
    """The findings about wagers and chips."""
    chips = sheet.house.chips
    if list(chips.values) != sorted(set(chips.values)):
        message = "chips must rise, each named once"
        yield Finding("error", "chips", message, ("house", "chips", "values"), chips.clause)
    for wager, path, stake in _stakes(sheet):
        bad = list(_bounds(stake, path))
        yield from bad
        if not bad:
            yield from _payable(sheet, wager, path, stake)
    yield from _single_bets(sheet)


def _stakes(sheet: Sheet) -> Iterator[tuple[str, Path, Stake]]:
    main = "ante" if isinstance(sheet, StreetStud) else "bet"
    yield "main", (main,), sheet.main_wager
    for wager, side in sheet.side.items():
        yield wager, ("side", wager, "stake"), side.stake


def _bounds(stake: Stake, path: Path) -> Iterator[Finding]:
    if stake.min > stake.max:
        message = f"the minimum {spoken(stake.min)} is above the maximum {spoken(stake.max)}"
        yield Finding("error", "stake-bounds", message, (*path, "min"), stake.clause)
    for field, amount in (("min", stake.min), ("max", stake.max)):
        if amount % stake.step:
            message = f"{field} {spoken(amount)} is no whole multiple of {spoken(stake.step)}"
            yield Finding("error", "stake-step", message, (*path, field), stake.clause)


def _payable(sheet: Sheet, wager: str, path: Path, stake: Stake) -> Iterator[Finding]:
    """Every stake and every win on it, or the first that no chips make up."""
    chips = sheet.house.chips
    for amount in _tried(stake):
        if not payable(amount, chips.values):
            message = f"a wager of {spoken(amount)} cannot be made in the house's chips"
            yield Finding("error", "chips", message, (*path, "min"), chips.clause)
            return
    pays_path: Path = ("main", "pays") if wager == "main" else ("side", wager, "pays")
    for line, pay in all_pay_tables(sheet)[wager].items():
        if isinstance(pay, Odds) and (bad := _unpayable_win(sheet, stake, pay)) is not None:
            message = f'{spoken(bad)} on "{line}" at {pay} wins what no chips make up'
            yield Finding("error", "chips", message, (*pays_path, line), chips.clause)


def _unpayable_win(sheet: Sheet, stake: Stake, pay: Odds) -> Cents | None:
    for amount in _tried(stake):
        won, rest = divmod(amount * pay.to, pay.one)
        if rest or not payable(won, sheet.house.chips.values):
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
    size = min(values[0], 10_000)
    least = [0] + [10**18] * (size - 1)
    for _ in range(size):
        before = list(least)
        for residue in range(size):
            for value in values:
                after = (residue + value) % size
                least[after] = min(least[after], least[residue] + value)
        if least == before:
            break
    return unit, tuple(least)


def _single_bets(sheet: Sheet) -> Iterator[Finding]:
    """OMS-8: no bet, raise or re-raise above the house's flat maximum."""
    flat = sheet.single_bet_max
    if flat is None:
        return
    for name, path, amount in _largest_bets(sheet):
        if amount > flat.value:
            message = f"{name} can be {spoken(amount)}, above the single bet's {spoken(flat.value)}"
            yield Finding("error", "single-bet", message, path, flat.clause)


def _largest_bets(sheet: Sheet) -> Iterator[tuple[str, Path, int]]:
    for wager, path, stake in _stakes(sheet):
        yield ("the ante" if wager == "main" else wager), (*path, "max"), stake.max
    if isinstance(sheet, StreetStud):
        for number, street in enumerate(sheet.streets):
            pieces = max(1, len(street.pieces))
            largest = -(-max(street.bets) * sheet.ante.max // pieces)
            yield f"each bet of {street.title}", ("streets", number, "bets"), largest


__all__ = ["check", "payable"]
