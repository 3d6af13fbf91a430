"""What the brush says before a tournament, from its schedule: no price is typed twice."""

from __future__ import annotations

from pitbook.english import counted
from pitbook.money import spoken
from pitbook.nights.tournament.rules import TournamentRules
from pitbook.nights.tournament.schedule import Extra, Schedule
from pitbook.nights.tournament.state import Tournament

__all__ = ["announcement", "cut_short"]


def announcement(schedule: Schedule) -> str:
    """What it costs, in the words of the game schedule (OMS-11)."""
    parts = [f"{schedule.title}: the buy-in is {spoken(schedule.buy_in.costs)}"]
    parts += _extra("a re-buy", schedule.re_buy)
    parts += _extra("an add-on", schedule.add_on)
    return "; ".join(parts) + "."


def cut_short(one: Tournament, rules: TournamentRules) -> str:
    """What an interruption would come to now, for whoever has to decide on it."""
    left = len(one.still_in)
    if not one.dealt:
        return "no card was dealt, so everything that was paid in returns."
    if one.schedule.kind == "multi-table":
        hand = "a hand is finished if it can be read and all agree, " if one.in_hand else ""
        rest = f"the rest is divided evenly ({rules.multi_table.clause})."
        return f"{hand}places earned are paid, {rest}"
    if left > rules.hourly.placed_by_chips_max:
        return (
            f"with {counted(left, 'player')} left it is void, and all money returns "
            f"({rules.hourly.clause})."
        )
    return f"the {left} who are left are placed by their chips ({rules.hourly.clause})."


def _extra(what: str, price: Extra | None) -> list[str]:
    if price is None:
        return [f"there is no {what.partition(' ')[2]}"]
    times = "once" if price.player_max == 1 else f"up to {price.player_max} times"
    return [f"{what} is {spoken(price.costs)}, {times}, until level {price.until_level} is over"]
