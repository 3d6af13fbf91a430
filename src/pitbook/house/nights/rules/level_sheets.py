"""A level is the tournament's sheet as the house deals it, with stakes and chips of its own."""

from __future__ import annotations

from functools import lru_cache
from itertools import groupby
from math import gcd

from pitbook.errors import RoundError
from pitbook.house.nights.rules.adopted_sheets import adopted
from pitbook.house.nights.rules.house_rules import HouseRules
from pitbook.house.nights.tournament.facts import PlayerGroup
from pitbook.house.nights.tournament.schedule import Schedule
from pitbook.house.nights.tournament.state import Tournament
from pitbook.house.table.limits import LimitsConflict, with_limits
from pitbook.money import Cents
from pitbook.rules.refusals import Code, Refusal, refuse
from pitbook.sheets.checks import check
from pitbook.sheets.findings import errors
from pitbook.sheets.model import Sheet
from pitbook.sheets.parts import Chips
from pitbook.sheets.values import choice
from pitbook.text import sentence_of

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
