"""One licence and one date are one licensed event, however many nights are made of it (OMS-12)."""

from __future__ import annotations

from pitbook.house.ledger.journal import Ledger
from pitbook.house.nights.book import commands
from pitbook.house.nights.book.decide import Command
from pitbook.house.nights.book.evolve import CORRECTED
from pitbook.house.nights.book.state import STREAM, NightState
from pitbook.house.nights.book.streams import nights, on_record
from pitbook.house.nights.tournament.commands import SetUp


def concerns_others(state: NightState, command: Command) -> bool:
    """Whether what other nights of the licensed event have decides about a command."""
    if state.rehearsal:
        return False
    if isinstance(command, SetUp):
        return command.schedule.higher_limit
    return isinstance(command, commands.Correct) and _large(state) is not None


def large_elsewhere(ledger: Ledger, state: NightState, command: Command) -> str | None:
    """The tournament of another night that has the event's higher limit; None: nobody has it."""
    wanted = _after(state, command)
    found = (on_record(ledger, event) for event in nights(ledger) if event != state.event)
    return next((large for one in found if _same(one, wanted) and (large := _large(one))), None)


def hold_still(ledger: Ledger, state: NightState, command: Command, *, actor: str) -> None:
    """Whoever decides about the higher limit in another process finds that it must look again.

    Claim your own stream first, then call this, then look: of two who do so at once, at most one
    can still write.
    """
    wanted = _after(state, command)
    for event in nights(ledger):
        one = on_record(ledger, event)
        # A night that is made may still be corrected into this licence.
        may_be = one.phase == "made" or (one.phase == "open" and _same(one, wanted))
        if event != state.event and may_be and not one.rehearsal:
            ledger.claim(f"{STREAM}{event}", actor=actor)


def _after(state: NightState, command: Command) -> NightState:
    """The night as a correction would leave it."""
    if not isinstance(command, commands.Correct):
        return state
    given = {name: getattr(command, name) for name in CORRECTED}
    return state._replace(**{name: one for name, one in given.items() if one is not None})


def _same(one: NightState, other: NightState) -> bool:
    return not one.rehearsal and _event(one) == _event(other)


def _event(state: NightState) -> tuple[str, str]:
    return " ".join(state.licence.split()).casefold(), state.gaming_date


def _large(state: NightState) -> str | None:
    """The night's tournament that has the higher limit; a night that was called off has none."""
    if state.phase == "closed" and not state.opened_at:
        return None
    return next((name for name, one in state.tournaments.items() if one.is_large), None)
