"""What may be bet: each bet, raise and re-raise is held against the limit of its kind of game."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Literal

from pitbook.engine.refusals import Code, Refusal
from pitbook.money import Cents, spoken
from pitbook.nights.rules import BetLimit, HouseRules, PokerLimit
from pitbook.sheets.checks import stakes
from pitbook.sheets.families import Sheet
from pitbook.sheets.findings import Finding
from pitbook.sheets.street_stud import StreetStud
from pitbook.sheets.values import choice

__all__ = ["Kind", "departures", "over_limit"]

Kind = Literal["chance", "live-poker", "tournament"]


def over_limit(rules: HouseRules, kind: Kind, bet: Cents, *, raises: int = 0) -> Refusal | None:
    """Why a bet, or a raise after so many, is too much in a kind of game (OMS-10)."""
    limit = {"chance": rules.bets.chance, "live-poker": rules.bets.live_poker}.get(kind)
    if limit is None:  # Chips of no value have no limit.
        return None
    if bet > limit.bet_max:
        message = f"a bet of {spoken(bet)} is above {_named(limit)} of {rules.house.name}"
        return Refusal(Code.ABOVE_MAXIMUM, message, limit.clause)
    if isinstance(limit, PokerLimit) and raises > limit.raises_max:
        message = f"{raises} raises are more than the {limit.raises_max} that are permitted"
        return Refusal(Code.ABOVE_MAXIMUM, message, limit.clause)
    return None


def departures(sheet: Sheet, rules: HouseRules) -> tuple[Refusal, ...]:
    """Where a sheet exceeds what the house allows in a game of chance; none: it may be dealt."""
    return (*_bets(sheet, rules), *_interruption(sheet, rules), *_elsewhere(sheet, rules))


def _bets(sheet: Sheet, rules: HouseRules) -> list[Refusal]:
    """Every wager that can be larger than the limit, by the sheet's own check (OMS-8)."""
    limit = rules.bets.chance
    asked = _counted(sheet, limit).model_copy(
        update={"single_bet_max": choice(limit.bet_max, limit.clause)}
    )
    found = [one for one in stakes.check(asked) if one.code == "single-bet"]
    where = f"{_named(limit)} of {rules.house.name}"
    return [
        Refusal(Code.ABOVE_MAXIMUM, f"{sheet.id}: {_short(sheet, one)}, above {where}", one.clause)
        for one in found
    ]


def _counted(sheet: Sheet, limit: BetLimit) -> Sheet:
    """The sheet with its circles counted as the house counts them."""
    if limit.counts.value == "each-bet" or not isinstance(sheet, StreetStud):
        return sheet
    whole = tuple(street.model_copy(update={"pieces": ()}) for street in sheet.streets)
    return sheet.model_copy(update={"streets": whole})


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
    if state.casefold() not in ("any", ours.casefold()):
        message = f"the game is under the rules of {state} on the sheet and of {ours}"
        told = f"{sheet.id}: {message} at {here.name}"
        yield Refusal(Code.NO_RULE, told, rules.notice.clause)
    for chip in house.chips.values:
        if chip not in rules.chips.values:
            message = f"there is a chip of {spoken(chip)} on the sheet and none at {here.name}"
            yield Refusal(Code.NO_RULE, f"{sheet.id}: {message}", rules.chips.clause)
            return
