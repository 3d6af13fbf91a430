"""Sheets at a night: stake limits, derived sheets, tournament levels, and hours."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from datetime import UTC, date, datetime, time, timedelta
from functools import lru_cache
from itertools import groupby
from math import gcd
from typing import NamedTuple

from pitbook.errors import RoundError
from pitbook.house.ledger.fact_codec import Json
from pitbook.house.nights.house_rules import BetLimit, HouseRules
from pitbook.house.nights.house_rules import Chips as ChipRules
from pitbook.house.nights.state import NightState
from pitbook.house.nights.tournament.facts import PlayerGroup
from pitbook.house.nights.tournament.schedule import Schedule
from pitbook.house.nights.tournament.state import Tournament
from pitbook.house.table.limits import LimitsConflict, changed_limits, limits_of, with_limits
from pitbook.money import Cents, money
from pitbook.rules.refusals import Code, Refusal, refuse
from pitbook.sheets.check import check
from pitbook.sheets.check_stakes import largest_bets
from pitbook.sheets.diff import Difference, find_differences
from pitbook.sheets.field_types import Rule, choice
from pitbook.sheets.findings import FieldPath, errors
from pitbook.sheets.hashes import digest
from pitbook.sheets.jurisdictions import same_state
from pitbook.sheets.model import Chips, Sheet, Stake
from pitbook.text import say, sentence_of

WORDS_MAX = 2_000


def adopt_sheet(sheet: Sheet, rules: HouseRules, chips: Chips) -> Sheet:
    """The sheet under the house's own name. The base sheet's approval does not carry over."""
    approval = sheet.house.approval
    venue = {"venue": rules.house.name, "jurisdiction": rules.house.jurisdiction}
    house = sheet.house.model_copy(update={**venue, "chips": chips, "approval": None})
    note = f"Derived from {sheet.id}, as it is dealt by {rules.house.name}"[:WORDS_MAX]
    source = sheet.source.model_copy(update={"note": note})
    since = None if approval and approval.on == sheet.effective else sheet.effective
    changes = {"house": house, "source": source, "effective": since}
    adopted: Sheet = sheet.model_copy(update=changes)
    return adopted


def limit_violations(sheet: Sheet, rules: HouseRules) -> tuple[Refusal, ...]:
    """The ways in which a sheet exceeds the house's limits for games of chance."""
    return (
        *_bet_violations(sheet, rules),
        *_interruption_violations(sheet, rules),
        *_origin_violations(sheet, rules),
    )


def _bet_violations(sheet: Sheet, rules: HouseRules) -> list[Refusal]:
    """Every wager that can exceed the limit, by the sheet's own check (OMS-8)."""
    return [
        _above_limit(sheet, bet_name(), path, amount, rules)
        for bet_name, path, amount in largest_bets(apply_counting_rule(sheet, rules.bets.chance))
        if amount > rules.bets.chance.bet_max
    ]


def _above_limit(
    sheet: Sheet, name: str, path: FieldPath, amount: int, rules: HouseRules
) -> Refusal:
    """The violation of one wager. The main wager goes by its title."""
    limit, is_main = rules.bets.chance, path[1:] == ("max",)
    title = say("findings.stakes.the", title=sheet.main_wager.title) if is_main else name
    fields = {"name": title, "amount": amount, "most": limit.bet_max, "house": rules.house.name}
    key, clause = "nights.sheets.above-limit", _limit_clause(sheet, path, limit)
    return refuse(Code.ABOVE_MAXIMUM, key, clause, sheet=sheet.id, **fields)


def _limit_clause(sheet: Sheet, path: FieldPath, limit: BetLimit) -> str:
    """The clause of the limit. On a circle, the house's way of counting decides (OMS-8)."""
    circles = {bet.path[0] for bet in sheet.named_bets()}
    return limit.counts.clause if path[0] in circles else limit.clause


def apply_counting_rule(sheet: Sheet, limit: BetLimit) -> Sheet:
    """The sheet with its circles counted by the house's rule."""
    return sheet if limit.counts.value == "each-bet" else sheet.without_pieces()


def _interruption_violations(sheet: Sheet, rules: HouseRules) -> list[Refusal]:
    ours, theirs = rules.interruptions.chance, sheet.irregularities.interruption
    if ours.value == theirs.value:
        return []
    key, clause = "nights.sheets.cut-short-otherwise", ours.clause
    fields = {"theirs": theirs.value, "ours": ours.value, "house": rules.house.name}
    return [refuse(Code.NO_RULE, key, clause, sheet=sheet.id, **fields)]


def _origin_violations(sheet: Sheet, rules: HouseRules) -> Iterator[Refusal]:
    """Another state's law on the sheet, or chips that the house does not have."""
    operator, house = rules.house, sheet.house
    state, house_state = house.jurisdiction.strip(), operator.jurisdiction.strip()
    if not (same_state(state, "any") or same_state(state, house_state)):
        key, clause = "nights.sheets.other-state", rules.notice.clause
        fields = {"state": state, "ours": house_state, "house": operator.name}
        yield refuse(Code.NO_RULE, key, clause, sheet=sheet.id, **fields)
    for chip in house.chips.values:
        if chip not in rules.chips.values:
            key, clause = "nights.sheets.other-chips", rules.chips.clause
            chip_fields = {"sheet": sheet.id, "chip": chip, "house": operator.name}
            yield refuse(Code.NO_RULE, key, clause, **chip_fields)
            return


LimitTexts = Mapping[str, Mapping[str, str]]


class DerivedSheet(NamedTuple):
    """A sheet within the limits, its base, and the differences."""

    sheet: Sheet
    base: str
    limits: Json
    differences: tuple[Json, ...]


def derive(
    base: Sheet, rules: HouseRules, limits: LimitTexts | None = None, *, cut: bool = True
) -> DerivedSheet | Refusal:
    """The sheet lowered to the house's limits, with any requested limits applied."""
    chips = Chips.model_construct(values=rules.chips.values, clause=rules.chips.clause, note=None)
    try:
        merged_limits = _merge_limits(_limits_within(base, rules) if cut else {}, limits or {})
        limited = with_limits(adopt_sheet(base, rules, chips), merged_limits)
    except LimitsConflict as conflict:
        clause = chips.clause if conflict.code == "chips" else rules.bets.chance.clause
        return refuse(
            Code.NO_RULE, "nights.sheets.of-sheet", clause, sheet=base.id, why=sentence_of(conflict)
        )
    except RoundError as error:
        clause, why = rules.bets.chance.clause, sentence_of(error)
        return refuse(Code.NO_RULE, "nights.sheets.of-sheet", clause, sheet=base.id, why=why)
    derived = _with_house_rules(limited, rules)
    if violations := limit_violations(derived, rules):
        return violations[0]
    changes = tuple(difference.document() for difference in differences(base, derived))
    return DerivedSheet(derived, digest(base), changed_limits(base, derived)[1], changes)


def differences(base: Sheet, derived: Sheet) -> list[Difference]:
    """The changes of a derived sheet, in words that name both sheets."""
    return find_differences(
        base, derived, (say("nights.sheets.base"), say("nights.sheets.derived"))
    )


def _merge_limits(base_limits: LimitTexts, overrides: LimitTexts) -> LimitTexts:
    names = dict.fromkeys((*base_limits, *overrides))
    return {name: {**base_limits.get(name, {}), **overrides.get(name, {})} for name in names}


def _with_house_rules(sheet: Sheet, rules: HouseRules) -> Sheet:
    """The sheet with the house's maximum bet and interruption rule, each with its clause."""
    bet, stop = rules.bets.chance, rules.interruptions.chance
    mishaps = sheet.irregularities
    if mishaps.interruption.value != stop.value:
        mishaps = mishaps.model_copy(update={"interruption": choice(stop.value, stop.clause)})
    bet_max = sheet.single_bet_max
    if bet_max is None or bet_max.value > bet.bet_max:
        bet_max = choice(bet.bet_max, bet.clause)
    changed_sheet: Sheet = sheet.model_copy(
        update={"irregularities": mishaps, "single_bet_max": bet_max}
    )
    return changed_sheet


def _limits_within(base: Sheet, rules: HouseRules) -> LimitTexts:
    """The largest stakes whose largest bet is within the limit; minimums are lowered if needed."""
    limit = rules.bets.chance.bet_max
    stakes: dict[str, tuple[Stake, int]] = {
        wager: (side.stake, 1) for wager, side in base.side.items()
    }
    main = next(name for name in limits_of(base) if name not in base.side)
    stakes[main] = (base.main_wager, _largest_multiple(base, rules))
    return {
        wager: _lowered_limits(wager, stake, limit, times)
        for wager, (stake, times) in stakes.items()
    }


def _lowered_limits(wager: str, stake: Stake, limit: int, times: int) -> dict[str, str]:
    highest = limit // times // stake.step * stake.step
    if not highest:
        fields = {"wager": wager, "least": times * stake.step, "most": limit}
        raise RoundError(say("nights.sheets.least-is-above", **fields))
    lowest = stake.min if stake.min <= highest else stake.step
    return {"min": money(lowest), "max": money(min(stake.max, highest))}


def _largest_multiple(sheet: Sheet, rules: HouseRules) -> int:
    """The largest single bet in units of the main wager, counted by the house's rule."""
    bets = apply_counting_rule(sheet, rules.bets.chance).further_bets()
    return max((1, *(bet.times for bet in bets)))


# Denominations of tournament chip sets, in cents.
CHIPS = tuple(Cents(100 * value) for value in (1, 5, 25, 100, 500, 1_000, 5_000, 25_000, 100_000))


def level_sheet(base: Sheet, schedule: Schedule, level: int, rules: HouseRules) -> Sheet | Refusal:
    """The rules for a level, or why the schedule cannot be played on that sheet."""
    count = base.seats.count
    if schedule.seats > count:
        key, cited = "nights.sheets.too-few-seats", base.seats.clause
        fields = {"sheet": base.id, "has": count, "title": schedule.title, "wants": schedule.seats}
        return refuse(Code.NO_SEATS, key, cited, **fields)
    try:
        return dealt_sheet(base, schedule, level, rules)
    except RoundError as error:
        too_high = isinstance(error, LimitsConflict) and error.code == "single-bet"
        clause = rules.bets.tournament.clause if too_high else None
        level_fields = {"title": schedule.title, "level": level, "why": sentence_of(error)}
        return refuse(Code.NO_RULE, "nights.sheets.of-level", clause, **level_fields)


@lru_cache(maxsize=256)  # Called for every new round and every table layout.
def dealt_sheet(base: Sheet, schedule: Schedule, level: int, rules: HouseRules) -> Sheet:
    """The sheet with a level's limits and chips; raises RoundError if the limits do not fit it."""
    sheet = with_limits(_without_limits(base, schedule, rules), schedule.limits(level))
    return _in_tournament_chips(sheet, rules.bets.tournament.clause)


def level_sheets(base: Sheet, schedule: Schedule, rules: HouseRules) -> list[Sheet] | Refusal:
    """The rules of every level, checked before play starts."""
    sheets: list[Sheet] = []
    for level in range(1, len(schedule.levels) + 1):
        sheet = level_sheet(base, schedule, level, rules)
        if isinstance(sheet, Refusal):
            return sheet
        sheets.append(sheet)
    return sheets


def smallest_stake(sheet: Sheet) -> Cents:
    """The least that a round costs: the main wager and every required wager."""
    needed = [side.stake for side in sheet.side.values() if side.stake.required]
    return Cents(sheet.main_wager.min + sum(stake.min for stake in needed))


def players_short_of(tournament: Tournament, stake: Cents) -> tuple[PlayerGroup, ...]:
    """Players who cannot pay for another round, fewest chips first; equal chips share a place."""
    idle = [
        name
        for table, names in tournament.tables.items()
        if table not in tournament.in_hand
        for name in names
    ]

    def chips(player: str) -> Cents:
        return tournament.players[player].chips

    short = sorted((name for name in idle if chips(name) < stake), key=chips)
    groups = tuple(tuple(group) for _, group in groupby(short, key=chips))
    all_short = len(short) == len(tournament.still_in)
    # If nobody can continue, the player with the most chips stays in and wins.
    return groups[:-1] if all_short and groups and len(groups[-1]) == 1 else groups


def _in_tournament_chips(sheet: Sheet, clause: str) -> Sheet:
    """The sheet with few chips for the level's stakes, or unchanged if they do not fit."""
    stakes = [sheet.main_wager, *(side.stake for side in sheet.side.values())]
    unit = gcd(*(amount for stake in stakes for amount in (stake.min, stake.step)))
    largest = max(stake.max for stake in stakes)
    smallest = [chip for chip in CHIPS if unit % chip == 0][-1:]
    values = (*smallest, *(chip for chip in CHIPS if unit < chip <= largest))
    chips = Chips.model_construct(values=values, clause=clause, note=None)
    house = sheet.house.model_copy(update={"chips": chips})
    changed_sheet: Sheet = sheet.model_copy(update={"house": house})
    return (
        changed_sheet
        if values and not errors(check(changed_sheet, thorough=False, on_record=True))
        else sheet
    )


def _without_limits(base: Sheet, schedule: Schedule, rules: HouseRules) -> Sheet:
    """OMS-10 lifts the bet limit, and an interrupted hand waits for agreement (OMS-15).

    A payout cap (OMS-9) is a dollar amount, and these chips have no cash value.
    """
    tournament_rules = rules.tournaments
    clause = (
        tournament_rules.hourly.clause
        if schedule.kind == "hourly"
        else tournament_rules.multi_table.clause
    )
    interruption = choice("agree-or-dead", clause)
    mishaps = base.irregularities.model_copy(update={"interruption": interruption})
    bets, bet_max = rules.bets, None
    if bets.tournament.bet_limit == "as-chance":
        bet_max = choice(bets.chance.bet_max, bets.tournament.clause)
    changes = {"single_bet_max": bet_max, "limits": (), "irregularities": mishaps}
    return adopt_sheet(base.model_copy(update=changes), rules, base.house.chips)


def day_end(state: NightState) -> datetime | None:
    """When the gaming date ends; None if only closing ends it.

    That is the case for rehearsals and for old rules without an hour.
    """
    hour = _last_hour(state.rules.chips)
    if state.rehearsal or hour is None:
        return None
    try:
        next_day = date.fromisoformat(state.gaming_date) + timedelta(days=1)
    except OverflowError:  # The last date of the calendar.
        return None
    # If clocks show the hour twice, the first one ends the date.
    return datetime.combine(next_day, hour, state.timezone).astimezone(UTC)


def after_hours_refusal(state: NightState, now: datetime) -> Refusal | None:
    """OMS-17: after the gaming date, nothing is sold, opened or redeemed."""
    ends = day_end(state)
    if ends is None or now < ends:
        return None
    local_end = f"{ends.astimezone(state.timezone):%Y-%m-%d %H:%M %Z}"
    key, clause = "nights.hours.over", _day_rule(state.rules.chips).clause
    fields = {"day": state.gaming_date, "event": state.event, "at": local_end}
    return refuse(Code.OVER, key, clause, **fields)


def closed_refusal(state: NightState, now: datetime) -> Refusal | None:
    """Refuse play unless the night is open and its gaming date has not ended."""
    if state.phase == "open":
        return after_hours_refusal(state, now)
    key, clause = "nights.hours.outside", _day_rule(state.rules.chips).clause
    return refuse(Code.NOT_NOW, key, clause, event=state.event, phase=state.phase)


def _last_hour(chips: ChipRules) -> time | None:
    if chips.day_ends.value == "midnight":
        return time(0)
    return None if chips.latest is None else time.fromisoformat(chips.latest.value)


def _day_rule(chips: ChipRules) -> Rule:
    ends_late = chips.latest is not None and chips.day_ends.value == "closing"
    return chips.latest if ends_late and chips.latest else chips.day_ends
