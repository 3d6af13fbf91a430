"""Who may give which command. Anything not listed is denied."""

from __future__ import annotations

from functools import cache
from typing import NamedTuple

from pitbook.house.table import commands
from pitbook.house.table.commands import NAMES, By, Command, TableRole
from pitbook.house.table.state import TableKind, TableState
from pitbook.rules.refusals import Code, Refusal, refuse
from pitbook.text import Sentence, say

ALL_KINDS: tuple[TableKind, ...] = ("practice", "house", "typed")


class Right(NamedTuple):
    """The roles that may give a command at any table or at some, and the kinds of table."""

    roles: tuple[TableRole, ...]
    typed: tuple[TableRole, ...] = ()
    practice: tuple[TableRole, ...] = ()
    kinds: tuple[TableKind, ...] = ALL_KINDS

    def roles_at(self, kind: TableKind) -> tuple[TableRole, ...]:
        """The roles that may give the command at a table of that kind."""
        if kind not in self.kinds:
            return ()
        if kind == "house":
            return self.roles
        return self.roles + (self.typed if kind == "typed" else self.practice)


_NO_ROLES = Right(())
STAFF: tuple[TableRole, ...] = ("dealer", "supervisor")
SEATED = Right(("player",), typed=STAFF)  # With a live dealer, players may tell the staff instead.

RIGHTS: dict[type, Right] = {
    commands.Sit: SEATED,
    commands.BuyIn: Right(STAFF, kinds=("typed",)),
    commands.Leave: Right(("player", *STAFF)),
    commands.PutWager: SEATED,
    commands.Undo: SEATED,
    commands.Rebet: SEATED,
    commands.Decide: SEATED,
    commands.Agree: SEATED,
    commands.SeatSeed: Right(("player",), kinds=("practice", "house")),
    commands.Ready: Right(("player",), kinds=("house",)),
    commands.AdviceShown: Right(("player",), kinds=("practice", "house")),
    commands.Arrange: Right((), practice=("player",), kinds=("practice",)),
    commands.Refill: Right((), practice=("player",), kinds=("practice",)),
    commands.OpenRound: Right(STAFF, practice=("player",)),
    commands.CloseBetting: Right(("player", *STAFF)),
    commands.Coach: Right(("supervisor",), practice=("player",), kinds=("practice", "house")),
    commands.Misdeal: Right(STAFF),
    commands.ExposeCard: Right(STAFF),
    commands.Warn: Right(STAFF),
    commands.VoidHand: Right(("supervisor",)),
    commands.TypeCard: Right(STAFF, kinds=("typed",)),
    commands.Settle: Right(STAFF, kinds=("typed",)),
    commands.DeckFouled: Right(STAFF, kinds=("typed",)),
    commands.CorrectCard: Right(STAFF, kinds=("typed",)),
    commands.Unreadable: Right(("supervisor",)),
    commands.Interrupt: Right(("supervisor",)),
    commands.GoOn: Right(("supervisor",)),
    commands.CallOff: Right(("clock",)),
    commands.ShufflerFailed: Right(STAFF),
    commands.ShufflerRepaired: Right(STAFF),
    commands.Fill: Right(("supervisor",)),
    commands.Credit: Right(("supervisor",)),
    commands.AskFill: Right(STAFF, kinds=("house", "typed")),
    commands.AskCredit: Right(STAFF, kinds=("house", "typed")),
    commands.GrantRack: Right(("supervisor",), kinds=("house", "typed")),
    commands.RefuseRack: Right(("supervisor",), kinds=("house", "typed")),
    commands.SignOn: Right(STAFF, kinds=("typed",)),
    commands.SignOff: Right(STAFF, kinds=("typed",)),
    commands.ColorUp: Right(STAFF, kinds=("typed",)),
    commands.ChangeSheet: Right(("supervisor",)),
    commands.AnnounceSheet: Right(("supervisor",), kinds=("house", "typed")),
    commands.Tick: Right(("clock",)),
    commands.Retire: Right(("supervisor",), practice=("player",)),
}

# Reserved for the dealer who has tapped in.
DEALER_COMMANDS = (
    *(commands.OpenRound, commands.CloseBetting, commands.TypeCard, commands.Settle),
    *(commands.CorrectCard, commands.DeckFouled, commands.ExposeCard, commands.Misdeal),
)

# Reserved for the owner of a practice table.
OWNER_COMMANDS = (commands.Arrange, commands.OpenRound, commands.Coach, commands.Retire)


def check_right(state: TableState, by: By, command: Command) -> Refusal | None:
    """The refusal of a command that this sender may never give, or None."""
    kind: type = type(command)
    right = RIGHTS.get(kind, _NO_ROLES)
    if state.kind not in right.kinds or by.role not in right.roles_at(state.kind):
        return _wrong_role(NAMES[kind], right, state.kind)
    if by.role == "dealer" and kind in DEALER_COMMANDS and state.dealer not in ("", by.name):
        return refuse(Code.FORBIDDEN, "table.pit.another-deals", dealer=state.dealer)
    if by.role != "player":
        return None
    if kind in OWNER_COMMANDS and by.name != state.owner:
        return refuse(Code.FORBIDDEN, "table.rights.owners", do=NAMES[kind], owner=state.owner)
    return None if kind is commands.Sit else _check_own_seat(state, by, command)


def _wrong_role(command_name: str, right: Right, kind: TableKind) -> Refusal:
    """The refusal of a command because of the sender's role."""
    if kind not in right.kinds:
        return refuse(Code.FORBIDDEN, "table.rights.no-place", do=command_name, kind=kind)
    roles = tuple(map(_role_name, right.roles_at(kind)))
    return refuse(Code.FORBIDDEN, "table.rights.not-for", do=command_name, roles=roles)


def _check_own_seat(state: TableState, by: By, command: Command) -> Refusal | None:
    number = getattr(command, "seat", None)
    if number is None or state.seats.get(number) == by.name:
        return None
    if number in state.seats:
        fields = {"seat": number, "player": state.seats[number]}
        return refuse(Code.FORBIDDEN, "table.rights.anothers-seat", **fields)
    return refuse(Code.FORBIDDEN, "table.rights.take-it-first", seat=number, name=by.name)


def retired_refusal(state: TableState) -> Refusal:
    """The refusal of any command at a closed table."""
    return refuse(Code.OVER, "table.rights.closed-for-good", table=state.table)


@cache
def _role_name(role: TableRole) -> Sentence:
    return say("table.rights.role", role=role)
