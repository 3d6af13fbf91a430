"""When a night counts: from its doors on the gaming date to the hour that the house file names."""

from __future__ import annotations

from datetime import UTC, date, datetime, time, timedelta

from pitbook.house.nights.book.state import NightState
from pitbook.house.nights.rules.house_rules import Chips
from pitbook.rules.refusals import Code, Refusal, refuse
from pitbook.sheets.values import Rule


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


def _hour(chips: Chips) -> time | None:
    if chips.day_ends.value == "midnight":
        return time(0)
    return None if chips.latest is None else time.fromisoformat(chips.latest.value)


def _rule(chips: Chips) -> Rule:
    ends_late = chips.latest is not None and chips.day_ends.value == "closing"
    return chips.latest if ends_late and chips.latest else chips.day_ends
