"""What may be dealt for chips of value: each bet, raise and re-raise within the house's limit."""

from __future__ import annotations

from collections.abc import Iterator

from pitbook.game.refusals import Code, Refusal
from pitbook.money import spoken
from pitbook.nights.rules.house_rules import BetLimit, HouseRules
from pitbook.sheets.checks import stakes
from pitbook.sheets.findings import Finding
from pitbook.sheets.jurisdictions import same_state
from pitbook.sheets.model import Sheet
from pitbook.sheets.values import choice

__all__ = ["counted", "departures"]


def departures(sheet: Sheet, rules: HouseRules) -> tuple[Refusal, ...]:
    """Where a sheet exceeds what the house allows in a game of chance; none: it may be dealt."""
    return (*_bets(sheet, rules), *_interruption(sheet, rules), *_elsewhere(sheet, rules))


def _bets(sheet: Sheet, rules: HouseRules) -> list[Refusal]:
    """Every wager that can be larger than the limit, by the sheet's own check (OMS-8)."""
    limit = rules.bets.chance
    asked = counted(sheet, limit).model_copy(
        update={"single_bet_max": choice(limit.bet_max, limit.clause)}
    )
    found = [one for one in stakes.check(asked) if one.code == "single-bet"]
    where = f"{_named(limit)} of {rules.house.name}"
    return [
        Refusal(Code.ABOVE_MAXIMUM, f"{sheet.id}: {_short(sheet, one)}, above {where}", clause)
        for one, clause in ((one, _cited(sheet, one, limit)) for one in found)
    ]


def _cited(sheet: Sheet, finding: Finding, limit: BetLimit) -> str:
    """On a circle the house's way of counting is what makes a bet too large (OMS-8)."""
    circles = {one.path[0] for one in sheet.named_bets()}
    return limit.counts.clause if finding.path[0] in circles else limit.clause


def counted(sheet: Sheet, limit: BetLimit) -> Sheet:
    """The sheet with its circles counted as the house counts them."""
    return sheet if limit.counts.value == "each-bet" else sheet.undivided()


def _short(sheet: Sheet, finding: Finding) -> str:
    """What can be how much, the main wager by its own title."""
    said = finding.message.partition(", above")[0]
    is_main = finding.path[1:] == ("max",)
    return said.replace("the ante", f"the {sheet.main_wager.title}", 1) if is_main else said


def _named(limit: BetLimit) -> str:
    return f"the limit of {spoken(limit.bet_max)} a bet"


def _interruption(sheet: Sheet, rules: HouseRules) -> list[Refusal]:
    ours, theirs = rules.interruptions.chance, sheet.irregularities.interruption
    if ours.value == theirs.value:
        return []
    message = (
        f'{sheet.id}: a hand cut short is "{theirs.value}" on the sheet '
        f'and "{ours.value}" at {rules.house.name}'
    )
    return [Refusal(Code.NO_RULE, message, ours.clause)]


def _elsewhere(sheet: Sheet, rules: HouseRules) -> Iterator[Refusal]:
    """A sheet that names another state's law, or chips that this house does not have."""
    here, house = rules.house, sheet.house
    state, ours = house.jurisdiction.strip(), here.jurisdiction.strip()
    if not (same_state(state, "any") or same_state(state, ours)):
        message = f"the game is under the rules of {state} on the sheet and of {ours}"
        told = f"{sheet.id}: {message} at {here.name}"
        yield Refusal(Code.NO_RULE, told, rules.notice.clause)
    for chip in house.chips.values:
        if chip not in rules.chips.values:
            message = f"there is a chip of {spoken(chip)} on the sheet and none at {here.name}"
            yield Refusal(Code.NO_RULE, f"{sheet.id}: {message}", rules.chips.clause)
            return
