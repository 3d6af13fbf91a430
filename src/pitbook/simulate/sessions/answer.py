"""One way to ask: exactly where that is quick, else computed to a bound, else played."""

from __future__ import annotations

from dataclasses import replace

from pitbook.simulate.sessions.chain import chained, work
from pitbook.simulate.sessions.lattice import lattice
from pitbook.simulate.sessions.nets import why_not
from pitbook.simulate.sessions.outlook import HearProgress, Outlook
from pitbook.simulate.sessions.played import played
from pitbook.simulate.sessions.session import Session
from pitbook.text import say

SESSIONS = 100_000  # Played where nobody says how many.
EXACT_MAX = 6 * 10**7  # Products of long numbers, times their length in rounds: about a second's.
WORK_MAX = 4 * 10**10  # Products in floating point: about a minute's.


def answer(
    session: Session,
    *,
    simulate: int | None = None,
    workers: int | None = None,
    told: HearProgress | None = None,
) -> Outlook:
    """The outlook of a session; with `simulate`, of so many that are played."""
    if simulate is not None:
        return played(session, simulate, workers=workers, told=told)
    why = why_not(session.plan)
    if why is None:
        on = lattice(session, exact=False)
        if session.rounds * work(session, on, certain=True) <= EXACT_MAX:
            return chained(session, lattice(session, exact=True), told)
        if work(session, on, certain=False) <= WORK_MAX:
            return chained(session, on, told)
        why = say("simulate.not-exact.too-long", rounds=session.rounds)
    return replace(played(session, SESSIONS, workers=workers, told=told), why=why)
