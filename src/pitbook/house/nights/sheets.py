"""Sheets at a night: stake limits, derived sheets, tournament levels, and hours."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from datetime import UTC, date, datetime, time, timedelta
from functools import lru_cache
from itertools import groupby
from math import gcd
from typing import NamedTuple

from pitbook.errors import RoundError
from pitbook.house.ledger.codec import Json
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
from pitbook.sheets.diff import Difference, diff
from pitbook.sheets.digest import digest
from pitbook.sheets.findings import FieldPath, errors
from pitbook.sheets.jurisdictions import same_state
from pitbook.sheets.model import Sheet
from pitbook.sheets.parts import Chips, Stake
from pitbook.sheets.values import Rule, choice
from pitbook.text import say, sentence_of

WORDS_MAX = 2_000


def adopted(sheet: Sheet, rules: HouseRules, chips: Chips) -> Sheet:
    """The sheet as the house's own; an approval and its day were another's, of the base sheet."""
    approval = sheet.house.approval
    here = {"venue": rules.house.name, "jurisdiction": rules.house.jurisdiction}
    house = sheet.house.model_copy(update={**here, "chips": chips, "approval": None})
    note = f"Derived from {sheet.id}, as it is dealt by {rules.house.name}"[:WORDS_MAX]
    source = sheet.source.model_copy(update={"note": note})
    since = None if approval and approval.on == sheet.effective else sheet.effective
    ours = {"house": house, "source": source, "effective": since}
    made: Sheet = sheet.model_copy(update=ours)
    return made


def departures(sheet: Sheet, rules: HouseRules) -> tuple[Refusal, ...]:
    """Where a sheet exceeds what the house allows in a game of chance; none: it may be dealt."""
    return (*_bets(sheet, rules), *_interruption(sheet, rules), *_elsewhere(sheet, rules))


def _bets(sheet: Sheet, rules: HouseRules) -> list[Refusal]:
    """Every wager that can be larger than the limit, by the sheet's own check (OMS-8)."""
    return [
        _above(sheet, named(), path, amount, rules)
        for named, path, amount in largest_bets(counted(sheet, rules.bets.chance))
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


# Denominations of tournament sets, in cents.
CHIPS = tuple(Cents(100 * value) for value in (1, 5, 25, 100, 500, 1_000, 5_000, 25_000, 100_000))


def level_sheet(base: Sheet, schedule: Schedule, level: int, rules: HouseRules) -> Sheet | Refusal:
    """The rules that a level is dealt by, or why the schedule cannot be played on that sheet."""
    count = base.seats.count
    if schedule.seats > count:
        key, cited = "nights.sheets.too-few-seats", base.seats.clause
        few = {"sheet": base.id, "has": count, "title": schedule.title, "wants": schedule.seats}
        return refuse(Code.NO_SEATS, key, cited, **few)
    try:
        return dealt_sheet(base, schedule, level, rules)
    except RoundError as error:
        too_high = isinstance(error, LimitsConflict) and error.code == "single-bet"
        clause = rules.bets.tournament.clause if too_high else None
        why = {"title": schedule.title, "level": level, "why": sentence_of(error)}
        return refuse(Code.NO_RULE, "nights.sheets.of-level", clause, **why)


@lru_cache(maxsize=256)  # Called for every new round and every table layout.
def dealt_sheet(base: Sheet, schedule: Schedule, level: int, rules: HouseRules) -> Sheet:
    """The sheet with a level's limits and chips; raises RoundError if the limits do not fit it."""
    sheet = with_limits(_unlimited(base, schedule, rules), schedule.limits(level))
    return _in_tournament_chips(sheet, rules.bets.tournament.clause)


def level_sheets(base: Sheet, schedule: Schedule, rules: HouseRules) -> list[Sheet] | Refusal:
    """The rules of every level, so that none is found unplayable at ten in the evening."""
    made: list[Sheet] = []
    for level in range(1, len(schedule.levels) + 1):
        sheet = level_sheet(base, schedule, level, rules)
        if isinstance(sheet, Refusal):
            return sheet
        made.append(sheet)
    return made


def smallest_stake(sheet: Sheet) -> Cents:
    """The least that a round costs: the main wager, and every other without which no card comes."""
    needed = [side.stake for side in sheet.side.values() if side.stake.required]
    return Cents(sheet.main_wager.min + sum(stake.min for stake in needed))


def going_out(tournament: Tournament, stake: Cents) -> tuple[PlayerGroup, ...]:
    """Who cannot pay for another round, fewest chips first; equal chips share their places."""
    idle = [
        name
        for table, names in tournament.tables.items()
        if table not in tournament.in_hand
        for name in names
    ]

    def chips(player: str) -> Cents:
        return tournament.players[player].chips

    poor = sorted((name for name in idle if chips(name) < stake), key=chips)
    groups = tuple(tuple(group) for _, group in groupby(poor, key=chips))
    nobody_else = len(poor) == len(tournament.still_in)
    # Where nobody can go on, whoever has the most is the last one in, and wins.
    return groups[:-1] if nobody_else and groups and len(groups[-1]) == 1 else groups


def _in_tournament_chips(sheet: Sheet, clause: str) -> Sheet:
    """Few chips make up the level's stakes; the base sheet's stay where these cannot."""
    stakes = [sheet.main_wager, *(side.stake for side in sheet.side.values())]
    unit = gcd(*(amount for stake in stakes for amount in (stake.min, stake.step)))
    largest = max(stake.max for stake in stakes)
    small = [chip for chip in CHIPS if unit % chip == 0][-1:]
    values = (*small, *(chip for chip in CHIPS if unit < chip <= largest))
    chips = Chips.model_construct(values=values, clause=clause, note=None)
    house = sheet.house.model_copy(update={"chips": chips})
    made: Sheet = sheet.model_copy(update={"house": house})
    return made if values and not errors(check(made, thorough=False, on_record=True)) else sheet


def _unlimited(base: Sheet, schedule: Schedule, rules: HouseRules) -> Sheet:
    """OMS-10 lifts the flat limit; a hand cut short waits to be read and agreed on (OMS-15).

    A cap on what a hand is paid (OMS-9) is a sum of dollars, and these chips are worth none.
    """
    cut = rules.tournaments
    clause = cut.hourly.clause if schedule.kind == "hourly" else cut.multi_table.clause
    asked = choice("agree-or-dead", clause)
    mishaps = base.irregularities.model_copy(update={"interruption": asked})
    bets, flat = rules.bets, None
    if bets.tournament.bet_limit == "as-chance":
        flat = choice(bets.chance.bet_max, bets.tournament.clause)
    lifted = {"single_bet_max": flat, "limits": (), "irregularities": mishaps}
    return adopted(base.model_copy(update=lifted), rules, base.house.chips)


def ends_at(state: NightState) -> datetime | None:
    """The moment from which nothing more begins; None: closing alone ends it.

    So it is with a rehearsal, and with nights whose rules on record name no hour.
    """
    hour = _hour(state.rules.chips)
    if state.rehearsal or hour is None:
        return None
    try:
        next_day = date.fromisoformat(state.gaming_date) + timedelta(days=1)
    except OverflowError:  # The last day of all.
        return None
    # Where a clock shows the hour twice, its first time ends the day.
    return datetime.combine(next_day, hour, state.place).astimezone(UTC)


def over(state: NightState, now: datetime) -> Refusal | None:
    """OMS-17: why nothing is sold, opened or redeemed any more."""
    ends = ends_at(state)
    if ends is None or now < ends:
        return None
    local = f"{ends.astimezone(state.place):%Y-%m-%d %H:%M %Z}"
    key, clause = "nights.hours.over", _rule(state.rules.chips).clause
    ended = {"day": state.gaming_date, "event": state.event, "at": local}
    return refuse(Code.OVER, key, clause, **ended)


def outside(state: NightState, now: datetime) -> Refusal | None:
    """The same for whatever happens behind the doors: they must be open, too."""
    if state.phase == "open":
        return over(state, now)
    key, clause = "nights.hours.outside", _rule(state.rules.chips).clause
    return refuse(Code.NOT_NOW, key, clause, event=state.event, phase=state.phase)


def _hour(chips: ChipRules) -> time | None:
    if chips.day_ends.value == "midnight":
        return time(0)
    return None if chips.latest is None else time.fromisoformat(chips.latest.value)


def _rule(chips: ChipRules) -> Rule:
    ends_late = chips.latest is not None and chips.day_ends.value == "closing"
    return chips.latest if ends_late and chips.latest else chips.day_ends
