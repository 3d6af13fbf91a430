"""Checks a schedule against its rule sheet: seats, limits, chips and prizes of every level."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator

from pitbook.errors import RoundError, SheetError
from pitbook.house.nights.rules.house_rules import HouseRules
from pitbook.house.nights.rules.level_sheets import dealt_sheet, smallest_stake
from pitbook.house.nights.tournament.prizes import previewed
from pitbook.house.nights.tournament.schedule import Extra, Price, Schedule
from pitbook.house.nights.tournament.state import Tournament
from pitbook.house.nights.tournament.tickets import OVER
from pitbook.house.table.limits import BOUNDS, LimitsConflict
from pitbook.rules.refusals import Code, Refusal, refuse
from pitbook.sheets.checks.stakes import payable
from pitbook.sheets.findings import FieldPath, Finding
from pitbook.sheets.model import Sheet
from pitbook.text import say, sentence_of

LoadSheet = Callable[[str], Sheet]


def check_on_sheet(schedule: Schedule, load_sheet: LoadSheet, rules: HouseRules) -> list[Finding]:
    """Findings that keep a tournament from being sold, dealt or paid, each at its field."""
    try:
        base = load_sheet(schedule.sheet)
    except SheetError as error:
        return [Finding("error", "sheet", sentence_of(error), ("sheet",))]
    levels: dict[int, Sheet] = {}
    findings = [*_seats(schedule, base)]
    for level in range(1, len(schedule.levels) + 1):
        try:
            levels[level] = dealt_sheet(base, schedule, level, rules)
        except RoundError as error:
            why = {"sheet": base.id, "level": level, "why": sentence_of(error)}
            path = ("levels", level - 1, "limits", *_limit(error, schedule, level))
            findings.append(
                Finding("error", "limits", say("nights.schedule.not-dealt", **why), path)
            )
    return [*findings, *_chips(schedule, levels), *_prizes(schedule)]


def why_unplayable(
    tournaments: Iterable[Tournament], load_sheet: LoadSheet, rules: HouseRules
) -> Refusal | None:
    """Why a tournament could no longer be played after a change to its night."""
    for tournament in tournaments:
        if tournament.status in OVER:
            continue
        for finding in check_on_sheet(tournament.schedule, load_sheet, rules):
            why = {"tournament": tournament.tournament, "why": finding.message}
            return refuse(Code.NO_RULE, "nights.schedule.no-longer", **why)
    return None


def _seats(schedule: Schedule, base: Sheet) -> Iterator[Finding]:
    has = base.seats.count
    if schedule.seats > has:
        seats = {"sheet": base.id, "has": has, "wants": schedule.seats}
        message = say("nights.schedule.seats", **seats)
        yield Finding("error", "seats", message, ("seats",), base.seats.clause)


def _limit(error: RoundError, schedule: Schedule, level: int) -> FieldPath:
    """The wager and bound that a level's limits fail on, if the schedule sets them."""
    path = error.path if isinstance(error, LimitsConflict) else ()
    limits = schedule.levels[level - 1].limits
    for wager in limits:
        if wager in path:
            bound = path[-1]
            return (wager, bound) if bound in BOUNDS and bound in limits[wager] else (wager,)
    return ()


def _chips(schedule: Schedule, levels: dict[int, Sheet]) -> Iterator[Finding]:
    """Chips sold in a level must cover one round there and be payable in that level's chips."""
    sold: tuple[tuple[str, Price | None, int], ...] = (
        ("buy_in", schedule.buy_in, schedule.enter_until_level),
        ("re_buy", schedule.re_buy, _until(schedule.re_buy)),
        ("add_on", schedule.add_on, _until(schedule.add_on)),
    )
    for name, price, until in sold:
        if price is None:
            continue
        for level in range(1, max(1, until) + 1):
            if level in levels and (why := _short(name, price, level, levels[level])):
                yield Finding("error", "chips", why, (name, "chips"))
                break


def _until(price: Extra | None) -> int:
    return price.until_level if price else 0


def _short(name: str, price: Price, level: int, sheet: Sheet) -> str | None:
    stake, values = smallest_stake(sheet), sheet.house.chips.values
    if price.chips < stake and name != "add_on":  # An add-on comes on top of other chips.
        short = {"chips": price.chips, "stake": stake, "level": level}
        return say("nights.schedule.too-few-chips", **short)
    if not payable(price.chips, tuple(values)):
        odd = {"chips": price.chips, "level": level, "unit": min(values)}
        return say("nights.schedule.odd-chips", **odd)
    return None


def _prizes(schedule: Schedule) -> Iterator[Finding]:
    """Find paid places whose prize would be zero."""
    prices = [sale for sale in (schedule.buy_in, schedule.re_buy, schedule.add_on) if sale]
    if all(price.kept == price.costs for price in prices):
        path = ("buy_in", "fee")
        yield Finding("error", "prizes", say("nights.schedule.no-prize-money"), path)
        return
    for number, row in enumerate(schedule.prizes):
        payouts = previewed(schedule, row.entrants)
        if sum(payouts) and not min(payouts):
            empty = {
                "entrants": row.entrants,
                "total": sum(payouts),
                "place": payouts.index(min(payouts)) + 1,
            }
            message = say("nights.schedule.empty-place", **empty)
            yield Finding("error", "prizes", message, ("prizes", number, "shares"))
