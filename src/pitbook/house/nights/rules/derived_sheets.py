"""A derived sheet is another sheet as this house deals it: same game, own hash, known ancestor."""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

from pitbook.errors import RoundError
from pitbook.house.ledger.codec import Json
from pitbook.house.nights.rules.adopted_sheets import adopted
from pitbook.house.nights.rules.house_rules import HouseRules
from pitbook.house.nights.rules.stake_limits import counted, departures
from pitbook.house.table.limits import LimitsConflict, changed_limits, limits_of, with_limits
from pitbook.money import money
from pitbook.rules.refusals import Code, Refusal, refuse
from pitbook.sheets.diff import Difference, diff
from pitbook.sheets.digest import digest
from pitbook.sheets.model import Sheet
from pitbook.sheets.parts import Chips, Stake
from pitbook.sheets.values import choice
from pitbook.text import say, sentence_of

LimitsWritten = Mapping[str, Mapping[str, str]]


class Derived(NamedTuple):
    """A sheet that may be dealt, where it comes from, and all that differs."""

    sheet: Sheet
    base: str
    limits: Json
    differences: tuple[Json, ...]


def derive(
    base: Sheet, rules: HouseRules, limits: LimitsWritten | None = None, *, cut: bool = True
) -> Derived | Refusal:
    """The sheet cut to the house's limits, with those besides that were asked for."""
    chips = Chips.model_construct(values=rules.chips.values, clause=rules.chips.clause, note=None)
    try:
        wanted = _joined(_within(base, rules) if cut else {}, limits or {})
        limited = with_limits(adopted(base, rules, chips), wanted)
    except LimitsConflict as odd:
        clause = chips.clause if odd.code == "chips" else rules.bets.chance.clause
        return refuse(
            Code.NO_RULE, "nights.sheets.of-sheet", clause, sheet=base.id, why=sentence_of(odd)
        )
    except RoundError as error:
        clause, why = rules.bets.chance.clause, sentence_of(error)
        return refuse(Code.NO_RULE, "nights.sheets.of-sheet", clause, sheet=base.id, why=why)
    made = _house_words(limited, rules)
    if found := departures(made, rules):
        return found[0]
    told = tuple(one.document() for one in differences(base, made))
    return Derived(made, digest(base), changed_limits(base, made)[1], told)


def differences(base: Sheet, derived: Sheet) -> list[Difference]:
    """What a derived sheet changes, in words that name both."""
    return diff(base, derived, (say("nights.sheets.base"), say("nights.sheets.derived")))


def _joined(ours: LimitsWritten, given: LimitsWritten) -> LimitsWritten:
    names = dict.fromkeys((*ours, *given))
    return {name: {**ours.get(name, {}), **given.get(name, {})} for name in names}


def _house_words(sheet: Sheet, rules: HouseRules) -> Sheet:
    """The house's own maximum and its rule for hands cut short, each with its clause."""
    bet, stop = rules.bets.chance, rules.interruptions.chance
    mishaps = sheet.irregularities
    if mishaps.interruption.value != stop.value:
        mishaps = mishaps.model_copy(update={"interruption": choice(stop.value, stop.clause)})
    flat = sheet.single_bet_max
    if flat is None or flat.value > bet.bet_max:
        flat = choice(bet.bet_max, bet.clause)
    made: Sheet = sheet.model_copy(update={"irregularities": mishaps, "single_bet_max": flat})
    return made


def _within(base: Sheet, rules: HouseRules) -> LimitsWritten:
    """The largest stakes whose largest bet is within the limit; a minimum above comes down."""
    limit = rules.bets.chance.bet_max
    stakes: dict[str, tuple[Stake, int]] = {
        wager: (side.stake, 1) for wager, side in base.side.items()
    }
    main = next(name for name in limits_of(base) if name not in base.side)
    stakes[main] = (base.main_wager, _largest(base, rules))
    return {wager: _cut(wager, stake, limit, times) for wager, (stake, times) in stakes.items()}


def _cut(wager: str, stake: Stake, limit: int, times: int) -> dict[str, str]:
    highest = limit // times // stake.step * stake.step
    if not highest:
        least = {"wager": wager, "least": times * stake.step, "most": limit}
        raise RoundError(say("nights.sheets.least-is-above", **least))
    lowest = stake.min if stake.min <= highest else stake.step
    return {"min": money(lowest), "max": money(min(stake.max, highest))}


def _largest(sheet: Sheet, rules: HouseRules) -> int:
    """How many times the main wager one bet can be, counted as the house counts."""
    bets = counted(sheet, rules.bets.chance).further_bets()
    return max((1, *(one.times for one in bets)))
