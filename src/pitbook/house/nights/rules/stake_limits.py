"""What may be dealt for chips of value: each bet, raise and re-raise within the house's limit."""

from __future__ import annotations

from collections.abc import Iterator

from pitbook.house.nights.rules.house_rules import BetLimit, HouseRules
from pitbook.rules.refusals import Code, Refusal, refuse
from pitbook.sheets.checks import stakes
from pitbook.sheets.findings import FieldPath
from pitbook.sheets.jurisdictions import same_state
from pitbook.sheets.model import Sheet
from pitbook.text import say


def departures(sheet: Sheet, rules: HouseRules) -> tuple[Refusal, ...]:
    """Where a sheet exceeds what the house allows in a game of chance; none: it may be dealt."""
    return (*_bets(sheet, rules), *_interruption(sheet, rules), *_elsewhere(sheet, rules))


def _bets(sheet: Sheet, rules: HouseRules) -> list[Refusal]:
    """Every wager that can be larger than the limit, by the sheet's own check (OMS-8)."""
    return [
        _above(sheet, named(), path, amount, rules)
        for named, path, amount in stakes.largest_bets(counted(sheet, rules.bets.chance))
        if amount > rules.bets.chance.bet_max
    ]


def _above(sheet: Sheet, name: str, path: FieldPath, amount: int, rules: HouseRules) -> Refusal:
    """One of them, the main wager by its own title."""
    limit, is_main = rules.bets.chance, path[1:] == ("max",)
    what = say("findings.stakes.the", title=sheet.main_wager.title) if is_main else name
    above = {"name": what, "amount": amount, "most": limit.bet_max, "house": rules.house.name}
    key, clause = "nights.sheets.above-limit", _cited(sheet, path, limit)
    return refuse(Code.ABOVE_MAXIMUM, key, clause, sheet=sheet.id, **above)


def _cited(sheet: Sheet, path: FieldPath, limit: BetLimit) -> str:
    """On a circle the house's way of counting is what makes a bet too large (OMS-8)."""
    circles = {one.path[0] for one in sheet.named_bets()}
    return limit.counts.clause if path[0] in circles else limit.clause


def counted(sheet: Sheet, limit: BetLimit) -> Sheet:
    """The sheet with its circles counted as the house counts them."""
    return sheet if limit.counts.value == "each-bet" else sheet.undivided()


def _interruption(sheet: Sheet, rules: HouseRules) -> list[Refusal]:
    ours, theirs = rules.interruptions.chance, sheet.irregularities.interruption
    if ours.value == theirs.value:
        return []
    key, clause = "nights.sheets.cut-short-otherwise", ours.clause
    both = {"theirs": theirs.value, "ours": ours.value, "house": rules.house.name}
    return [refuse(Code.NO_RULE, key, clause, sheet=sheet.id, **both)]


def _elsewhere(sheet: Sheet, rules: HouseRules) -> Iterator[Refusal]:
    """A sheet that names another state's law, or chips that this house does not have."""
    here, house = rules.house, sheet.house
    state, ours = house.jurisdiction.strip(), here.jurisdiction.strip()
    if not (same_state(state, "any") or same_state(state, ours)):
        key, clause = "nights.sheets.other-state", rules.notice.clause
        laws = {"state": state, "ours": ours, "house": here.name}
        yield refuse(Code.NO_RULE, key, clause, sheet=sheet.id, **laws)
    for chip in house.chips.values:
        if chip not in rules.chips.values:
            key, clause = "nights.sheets.other-chips", rules.chips.clause
            none = {"sheet": sheet.id, "chip": chip, "house": here.name}
            yield refuse(Code.NO_RULE, key, clause, **none)
            return
