"""What a floor may ask of a tournament now, tried on `decide` itself: offered is accepted."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from pitbook.house.nights.book.circumstances import Circumstances
from pitbook.house.nights.book.decide import Command, decide
from pitbook.house.nights.book.state import NightState
from pitbook.house.nights.tournament import commands
from pitbook.house.nights.tournament.spoken import word
from pitbook.house.nights.tournament.state import Tournament
from pitbook.house.nights.tournament.tickets import OVER
from pitbook.house.people.roster import OPEN_TO_ALL
from pitbook.rules.refusals import Refusal

# Commands that name nobody and nothing.
PLAIN: tuple[Any, ...] = (
    commands.Announce,
    commands.DrawSeats,
    commands.Start,
    commands.StartClock,
    commands.PauseClock,
    commands.ResumeClock,
    commands.NextLevel,
    commands.PreviousLevel,
    commands.Balance,
    commands.PostPrizes,
    commands.Finish,
    commands.GoOn,
    commands.SettleInterruption,
)
ANYBODY = "anybody"


def offers(state: NightState, one: Tournament, standing: Circumstances) -> dict[str, str | None]:
    """Each thing that the floor can do, and why not now; None: it may be done."""
    name, last = one.tournament, one.last[0] if one.last else 0
    nobody = ANYBODY
    while nobody in one.players:
        nobody += "."
    asked: list[Any] = [kind(name) for kind in PLAIN]
    asked += [commands.Enter(name, nobody), commands.Break(name, 1)]
    asked += [commands.Register(name, (nobody,)), commands.AdjustClock(name, 60)]
    asked += [commands.Message(name, "asked")]
    asked += [commands.Interrupt(name, "asked"), commands.Undo(name, last)]
    standing = standing._replace(door=OPEN_TO_ALL)  # Nobody in particular is meant.
    return {word(type(command)): _why_not(state, command, standing) for command in asked}


def player_offers(
    state: NightState, one: Tournament, player: str, standing: Circumstances
) -> dict[str, str | None]:
    """The same for what concerns one player; what nobody would ask for now is left out."""
    asked = _of_a_player(one, player)
    return {word(type(command)): _why_not(state, command, standing) for command in asked}


def _of_a_player(one: Tournament, player: str) -> Iterator[Command]:
    """In a large field each thing is tried for everybody, so only what can be meant is."""
    name, entrant = one.tournament, one.players[player]
    if entrant.owed:
        yield commands.PayOut(name, player)
    if not one.dealt:
        yield commands.Refund(name, player)
    if one.status not in OVER:
        yield commands.RotateTicket(name, player)
        yield commands.RevokeTicket(name, player)
    if one.status == "playing" and entrant.table is not None:
        if one.schedule.re_buy is not None:
            yield commands.ReBuy(name, player)
        if one.schedule.add_on is not None:
            yield commands.AddOn(name, player)
        yield commands.Eliminate(name, (player,))


def _why_not(state: NightState, command: Command, standing: Circumstances) -> str | None:
    answer = decide(state, command, standing._replace(draw=_first))
    return answer.message if isinstance(answer, Refusal) else None


def _first(_: int) -> int:
    """Nothing is drawn for an offer."""
    return 0
