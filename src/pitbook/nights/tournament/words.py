"""What the brush says before a tournament, from its schedule: no price is typed twice."""

from __future__ import annotations

from pitbook.money import spoken
from pitbook.nights.tournament.schedule import Extra, Schedule

__all__ = ["announcement"]


def announcement(schedule: Schedule) -> str:
    """What it costs, in the words of the game schedule (OMS-11)."""
    parts = [f"{schedule.title}: the buy-in is {spoken(schedule.buy_in.costs)}"]
    parts += _extra("a re-buy", schedule.re_buy)
    parts += _extra("an add-on", schedule.add_on)
    return "; ".join(parts) + "."


def _extra(what: str, price: Extra | None) -> list[str]:
    if price is None:
        return [f"there is no {what.partition(' ')[2]}"]
    times = "once" if price.player_max == 1 else f"up to {price.player_max} times"
    return [f"{what} is {spoken(price.costs)}, {times}, until level {price.until_level} is over"]
