"""What the brush says before a tournament, from its schedule: no price is typed twice."""

from __future__ import annotations

from pitbook.house.nights.tournament.rules import TournamentRules
from pitbook.house.nights.tournament.schedule import Extra, Schedule
from pitbook.house.nights.tournament.state import Tournament
from pitbook.text import Sentence, say


def announcement(schedule: Schedule) -> Sentence:
    """What it costs, in the words of the game schedule (OMS-11)."""
    again = _extra("re-buy", schedule.re_buy), _extra("add-on", schedule.add_on)
    told = {"title": schedule.title, "costs": schedule.buy_in.costs}
    return say("nights.words.announcement", **told, re_buy=again[0], add_on=again[1])


def cut_short(one: Tournament, rules: TournamentRules) -> Sentence:
    """What an interruption would come to now, for whoever has to decide on it."""
    left = len(one.still_in)
    if not one.dealt:
        return say("nights.words.all-returns")
    if one.schedule.kind == "multi-table":
        hand = bool(one.in_hand)
        return say("nights.words.divided", hand=hand, clause=rules.multi_table.clause)
    if left > rules.hourly.placed_by_chips_max:
        return say("nights.words.void", left=left, clause=rules.hourly.clause)
    return say("nights.words.by-chips", left=left, clause=rules.hourly.clause)


def _extra(what: str, price: Extra | None) -> Sentence:
    if price is None:
        return say("nights.words.none-sold", what=what)
    sold = {"costs": price.costs, "times": price.player_max, "level": price.until_level}
    return say("nights.words.sold", what=what, **sold)
