"""Every command for every role and kind of table; anything not listed is denied."""

from __future__ import annotations

from typing import get_args

import pytest
from tests.clauses.one_line_rounds import CMS
from tests.house.table.kit import Live
from tests.house.table.test_commands import EACH

from pitbook.house.table.commands import KINDS, By, Command, TableRole
from pitbook.house.table.decide import HANDLERS, WHILE_AWAITING
from pitbook.house.table.rights import RIGHTS
from pitbook.house.table.state import TableKind
from pitbook.rules.refusals import Code, Refusal

PLAYERS = {"Sit", "Leave", "PutWager", "Undo", "Rebet", "Decide", "Agree", "CloseBetting"}
DEALERS = {"Leave", "CloseBetting", "OpenRound", "Misdeal", "ExposeCard", "Warn"}
DEALERS |= {"ShufflerFailed", "ShufflerRepaired"}
FLOOR = DEALERS | {"VoidHand", "Unreadable", "Interrupt", "GoOn", "Fill", "Credit"}
FLOOR |= {"ChangeSheet", "Retire"}
ASKING = {"AskFill", "AskCredit"}
GRANTING = ASKING | {"GrantRack", "RefuseRack", "AnnounceSheet"}
TYPING = {"TypeCard", "Settle", "DeckFouled", "CorrectCard", "BuyIn"}
TYPING |= {"SignOn", "SignOff", "ColorUp"}
FOR_PLAYERS = {"Sit", "PutWager", "Undo", "Rebet", "Decide", "Agree"}
SEEDS = {"SeatSeed", "AdviceShown"}

ALLOWED: dict[tuple[str, str], set[str]] = {
    ("player", "practice"): PLAYERS | SEEDS | {"Arrange", "OpenRound", "Coach", "Refill", "Retire"},
    ("player", "house"): PLAYERS | SEEDS | {"Ready"},
    ("player", "typed"): PLAYERS,
    ("dealer", "practice"): DEALERS,
    ("dealer", "house"): DEALERS | ASKING,
    ("dealer", "typed"): DEALERS | TYPING | FOR_PLAYERS | ASKING,
    ("supervisor", "practice"): FLOOR | {"Coach"},
    ("supervisor", "house"): FLOOR | GRANTING | {"Coach"},
    ("supervisor", "typed"): FLOOR | TYPING | FOR_PLAYERS | GRANTING,
    ("clock", "practice"): {"Tick", "CallOff"},
    ("clock", "house"): {"Tick", "CallOff"},
    ("clock", "typed"): {"Tick", "CallOff"},
}


def test_every_command_has_a_right_and_a_handler() -> None:
    assert set(KINDS.values()) == set(RIGHTS) == set(HANDLERS)
    assert set(WHILE_AWAITING) < set(HANDLERS)


@pytest.mark.parametrize("kind", get_args(TableKind))
@pytest.mark.parametrize("role", get_args(TableRole))
def test_each_role_has_exactly_its_commands(role: TableRole, kind: TableKind) -> None:
    live = Live(CMS, kind, owner="ann").seat(1, "ann").seat(2, "ann2").seat(3, "ann3")
    name = "ann" if role == "player" else role
    open_to = {
        type(command).__name__ for command in EACH if not is_denied(live, By(name, role), command)
    }
    assert open_to == ALLOWED[role, kind]


def is_denied(live: Live, by: By, command: Command) -> bool:
    """Whether the refusal is about rights and not about timing."""
    seat_number = getattr(command, "seat", None)
    if by.role == "player" and seat_number not in (None, 1):
        command = command._replace(seat=1)  # type: ignore[call-arg]
    answer = live.ask(by, command)
    message = answer.message if isinstance(answer, Refusal) else ""
    return "can do this" in message or "is not available at" in message


@pytest.mark.parametrize("command", [case for case in EACH if hasattr(case, "seat")], ids=str)
def test_player_acts_for_own_seats_only(command: Command) -> None:
    live = Live(CMS, "practice").seat(1, "ann", ante=10).seat(2, "bob", ante=10)
    other = command._replace(seat=2)  # type: ignore[call-arg]
    refusal = live.no("ann", other)
    assert refusal.code in (Code.FORBIDDEN, Code.SEAT_TAKEN)
    nowhere = command._replace(seat=5)  # type: ignore[call-arg]
    if type(command).__name__ != "Sit":
        assert live.no("ann", nowhere).code == Code.FORBIDDEN


def test_an_unlisted_command_is_denied(monkeypatch: pytest.MonkeyPatch) -> None:
    live = Live(CMS).seat(1, "ann")
    listed = {kind: right for kind, right in RIGHTS.items() if kind is not KINDS["leave"]}
    monkeypatch.setattr("pitbook.house.table.rights.RIGHTS", listed)  # Theirs keeps its order.
    assert live.no("ann", KINDS["leave"](1)).code == Code.FORBIDDEN
