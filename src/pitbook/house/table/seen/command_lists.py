"""Which commands a role has at a table, refused now or not; a few lists serve all evening."""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache
from typing import cast

from pitbook.house.table import commands
from pitbook.house.table.commands import Command, TableRole, encode
from pitbook.house.table.model import TableKind, TableState
from pitbook.house.table.rights import RIGHTS
from pitbook.house.table.seen.offer_shapes import OtherOffer
from pitbook.rules.actions import BOARD, PlaceNumber

__all__ = ["for_seat", "for_table", "may_ask", "offered"]

TO_BE_SAID = "..."

CommandOffers = tuple[tuple[Command, OtherOffer], ...]


def for_seat(state: TableState, role: TableRole, number: int) -> CommandOffers:
    """What a role may ask for at a seat, each as it is offered."""
    ready, asked = state.seats[number] in state.ready, state.awaiting is not None
    return _at_one(role, state.kind, number, ready=ready, asked=asked)


@lru_cache(maxsize=1_000)
def _at_one(
    role: TableRole, kind: TableKind, number: int, *, ready: bool, asked: bool
) -> CommandOffers:
    return _allowed(role, kind, _of_seat(number, ready=ready, asked=asked))


def for_table(state: TableState, role: TableRole) -> CommandOffers:
    """What it may ask for of the whole table."""
    hidden = state.round.hidden if state.round else ()
    asked, closed = state.awaiting is not None, () if state.typed else hidden or (BOARD,)
    ways = {"coach": state.coach, "asked": asked, "shuffler": state.shuffler}
    return _at_table(role, state.kind, tuple(closed), **ways)


@lru_cache(maxsize=1_000)
def _at_table(
    role: TableRole,
    kind: TableKind,
    closed: tuple[PlaceNumber, ...],
    *,
    coach: bool,
    asked: bool,
    shuffler: bool,
) -> CommandOffers:
    return _allowed(role, kind, _anywhere(closed, coach=coach, asked=asked, shuffler=shuffler))


def _allowed(role: TableRole, kind: TableKind, many: Iterator[Command]) -> CommandOffers:
    return tuple((one, offered(one)) for one in many if may_ask(role, type(one), kind))


def _of_seat(number: int, *, ready: bool, asked: bool) -> Iterator[Command]:
    yield commands.Undo(number)
    yield commands.Rebet(number)
    yield commands.Refill(number)
    yield commands.SeatSeed(number, TO_BE_SAID)
    yield commands.Ready(number, on=not ready)
    yield commands.Leave(number)
    if asked:
        yield commands.Agree(number, finish=True)
    yield commands.VoidHand(number, "supervisor")
    yield commands.VoidHand(number, "information", part="gave")
    yield commands.VoidHand(number, "information", part="took")
    yield commands.Warn(number, TO_BE_SAID)


def _anywhere(
    closed: tuple[PlaceNumber, ...], *, coach: bool, asked: bool, shuffler: bool
) -> Iterator[Command]:
    yield commands.CloseBetting()
    yield commands.OpenRound()
    yield commands.Settle()
    yield commands.Coach(on=not coach)
    yield commands.Misdeal(TO_BE_SAID)
    yield from map(commands.ExposeCard, closed)
    if asked:
        yield commands.Unreadable()
        yield commands.GoOn(TO_BE_SAID)
    yield commands.Interrupt(TO_BE_SAID)
    yield commands.ShufflerFailed() if shuffler else commands.ShufflerRepaired()
    yield commands.Retire()


def may_ask(role: TableRole, kind: type, table: TableKind) -> bool:
    """Whether a role has commands of a kind at all."""
    return role in RIGHTS[kind].roles_at(table)


@lru_cache(maxsize=1_000, typed=True)  # A tuple is equal to one of another kind.
def offered(command: Command) -> OtherOffer:
    """A command without the words that its sender has still to find."""
    said = {key: value for key, value in encode(command).items() if value != TO_BE_SAID}
    return cast(OtherOffer, said)
