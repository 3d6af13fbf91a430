"""evolve(state, fact): the night after a fact. No clock or book is asked."""

from __future__ import annotations

from collections.abc import Iterable

from pitbook.errors import RoundError
from pitbook.house.nights.book.facts import (
    Fact,
    NightClosed,
    NightCorrected,
    NightInterrupted,
    NightMade,
    NightOpened,
    Own,
    SlipPassed,
    SlipUndone,
    TableAdmitted,
)
from pitbook.house.nights.book.state import Admitted, NightState, Slip, Stop
from pitbook.house.nights.tournament.evolve import evolve as evolve_tournament
from pitbook.money import Cents
from pitbook.text import say

CORRECTED = ("charity", "licence", "gaming_date", "zone")


def evolve(state: NightState, fact: Fact) -> NightState:
    """The night after a fact; raises RoundError for one that cannot have happened."""
    if isinstance(fact, Own):
        return _evolve(state, fact)._replace(version=state.version + 1)
    after = evolve_tournament(state.tournaments.get(fact.tournament), fact)
    tournaments = {**state.tournaments, fact.tournament: after}
    return state._replace(tournaments=tournaments, version=state.version + 1)


def folded(facts: Iterable[Fact], state: NightState | None = None) -> NightState:
    """The night after many facts."""
    state = NightState() if state is None else state
    for fact in facts:
        state = evolve(state, fact)
    return state


def _evolve(state: NightState, fact: Own) -> NightState:
    match fact:
        case NightMade():
            return state._replace(phase="made", **fact._asdict())
        case NightCorrected():
            return state._replace(**{name: getattr(fact, name) for name in CORRECTED})
        case NightOpened():
            return state._replace(phase="open", opened_at=fact.at)
        case SlipPassed():
            slip = read_slip(fact)
            return _counted(state._replace(slips=(*state.slips, slip)), slip, slip.over, 1)
        case SlipUndone():
            return _undone(state, fact)
        case TableAdmitted():
            return state._replace(tables={**state.tables, fact.table: Admitted(*fact)})
        case NightInterrupted():
            return state._replace(stops=(*state.stops, Stop(*fact)))
        case NightClosed():
            return state._replace(
                phase="closed",
                closed_at=fact.at,
                expired=fact.expired,
                float_returned=fact.float_returned,
                unclaimed=fact.unclaimed,
            )


def read_slip(fact: SlipPassed) -> Slip:
    """The slip that a fact tells of."""
    return Slip(fact.slip, fact.what, fact.player, fact.amount, fact.at, fact.by, fact.over)


def _undone(state: NightState, fact: SlipUndone) -> NightState:
    place = fact.slip - 1
    if not 0 <= place < len(state.slips):
        raise RoundError(say("nights.evolve.no-slip", slip=fact.slip))
    slip = state.slips[place]
    gone = slip._replace(undone=fact.why)
    slips = (*state.slips[:place], gone, *state.slips[place + 1 :])
    return _counted(state._replace(slips=slips), slip, fact.over, -1)


def _counted(state: NightState, slip: Slip, over: Cents, sign: int) -> NightState:
    """The night's running sums, a slip added or taken off."""
    if slip.what == "float":
        return state._replace(floated=Cents(state.floated + sign * slip.amount))
    if slip.what == "unclaimed":  # Owed by a tournament, so no chips of the cage.
        return state
    into = sign if slip.what == "sold" else -sign
    return state._replace(sales=Cents(state.sales + into * (slip.amount - over)))
