"""The only bridge from a night to its tournaments: what they are told, and what they answer."""

from __future__ import annotations

from pitbook.house.nights.book.circumstances import Circumstances
from pitbook.house.nights.book.decided import Decided
from pitbook.house.nights.book.facts import Unclaimed
from pitbook.house.nights.book.state import NightState
from pitbook.house.nights.book.transfers import booked
from pitbook.house.nights.tournament.commands import Command
from pitbook.house.nights.tournament.decide import decide
from pitbook.house.nights.tournament.floor import Floor
from pitbook.house.nights.tournament.preconditions import status_told
from pitbook.house.people.names import name_key
from pitbook.money import Cents
from pitbook.rules.refusals import Code, Refusal, refuse


def decide_tournament(
    state: NightState, command: Command, standing: Circumstances
) -> Decided | Refusal:
    """What a tournament makes of a command, its facts as the night's stream keeps them."""
    event, _, own = command.tournament.partition(".")
    if event != state.event or not own:
        named = {"tournament": command.tournament, "event": state.event}
        return refuse(Code.NO_RULE, "nights.night.no-tournament", **named)
    answer = decide(state.tournaments.get(command.tournament), command, _floor(state, standing))
    if isinstance(answer, Refusal):
        return answer
    return Decided(answer.facts, tuple(booked(state, one) for one in answer.transfers))


def not_ended(state: NightState) -> Refusal | None:
    """A night does not close over a tournament that still runs; what ends it works at any hour."""
    for name, one in state.tournaments.items():
        if one.players and one.status in RUNNING:
            runs = {"tournament": name, "status": status_told(one)}
            return refuse(Code.NOT_NOW, "nights.night.not-ended", **runs)
    return None


def owed(state: NightState) -> tuple[Unclaimed, ...]:
    """What tournaments owe, by name: prizes, shares and returns that nobody has come for."""
    return tuple(
        Unclaimed(name, player, entrant.owed)
        for name, one in state.tournaments.items()
        for player, entrant in one.players.items()
        if entrant.owed
    )


def _floor(state: NightState, standing: Circumstances) -> Floor:
    def spent(tournament: str, player: str) -> Cents:
        """OMS-12: what one person spent, under whichever spelling an old book has it."""
        entered = state.tournaments.get(tournament)
        known = entered.players.items() if entered else ()
        return Cents(sum(one.spent for name, one in known if name_key(name) == name_key(player)))

    large = (name for name, one in state.tournaments.items() if one.is_large)
    return Floor(
        event=state.event,
        rules=state.rules.tournaments,
        now=standing.now,
        draw=standing.draw,
        spent=spent,
        large_used=next(large, standing.large_elsewhere),
        actor=standing.actor,
    )


RUNNING = ("open", "playing", "interrupted")
