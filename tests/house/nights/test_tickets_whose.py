"""A seat that a ticket plays is nobody else's: no account of that name has it."""

from __future__ import annotations

import httpx
import pytest
from fastapi import FastAPI
from tests.house.nights.night_over_http import EVENT, Evening, one_evening  # noqa: F401  A fixture.
from tests.house.nights.ticketed import Hall
from tests.house.web.conftest import PASSWORD

from pitbook.errors import PeopleError
from pitbook.house.nights.tickets import Passes
from pitbook.house.people.register import Person
from pitbook.house.people.sessions import SESSION_COOKIE
from pitbook.house.web.server import Server

pytestmark = pytest.mark.long

T1 = f"/{EVENT}/tournaments/t1"


@pytest.fixture
def hall(evening: Evening, app: FastAPI) -> Hall:
    evening.opened()
    made = Hall(evening, app)
    made.lay_out("t1", "carl", "dora")
    return made


def undo(hall: Hall) -> str:
    """How the tournament stands after one step back."""
    past = hall.evening.get(T1)["past"]
    return str(hall.tell("t1", "undo", of=past[0]["number"])["status"])


def test_a_name_is_free_when_no_undo_brings_the_tournament_back(hall: Hall, server: Server) -> None:
    """Neither account nor ticket would be right for a seat whose name was given away meanwhile."""

    def add() -> None:
        server.people.add("dora", "player", PASSWORD, actor="sue")

    for _ in range(2):
        hall.tell("t1", "interrupt", why="storm")
        with pytest.raises(PeopleError, match=r"plays in gala\.t1"):
            add()
        assert (undo(hall), undo(hall)) == ("interrupted", "playing")
    assert hall.play("t1", "dora")
    hall.tell("t1", "interrupt", why="storm")
    hall.tell("t1", "pay-out", player="carl")
    past = hall.evening.get(T1)["past"]
    no = hall.evening.no(f"{T1}/commands", command={"do": "undo", "of": past[0]["number"]})
    assert "money that has left cannot be undone" in no["message"]
    add()


def test_a_name_is_free_when_the_tournament_was_withdrawn(hall: Hall, server: Server) -> None:
    while hall.evening.get(f"/{EVENT}")["tournaments"] and undo(hall) != "withdrawn":
        pass
    server.people.add("dora", "player", PASSWORD, actor="sue")


@pytest.mark.parametrize("do", ["rotate-ticket", "revoke-ticket"])
def test_a_ticket_that_is_replaced_leaves_the_seat_to_no_account(
    hall: Hall, server: Server, monkeypatch: pytest.MonkeyPatch, do: str
) -> None:
    """As in a book from before the name was kept until the end stands."""
    _, told = hall.play("t1", "dora")
    with monkeypatch.context() as before:
        before.setattr(Passes, "in_play", lambda *_: None)
        server.people.add("dora", "player", PASSWORD, actor="sue")
    account = hall.phone()
    account.cookies.set(SESSION_COOKIE, server.sessions.issue(Person("dora", "player")))
    hall.begin("gala.t1", 1)
    hall.tell("t1", do, player="dora")
    refused(hall, hall.bet(account, told["table"], told["seat"]))
    hall.tell("t1", "rotate-ticket", player="dora")
    refused(hall, hall.bet(account, told["table"], told["seat"]))
    signed_in = hall.open(account, hall.ticket("t1", "dora"))
    assert (signed_in.status_code, "sign out to play" in hall.says(signed_in)) == (409, True)
    phone, told = hall.play("t1", "dora")
    assert told["opened"] == 0  # Of the new ticket.
    assert hall.bet(phone, told["table"], told["seat"]).is_success


def refused(hall: Hall, bet: httpx.Response) -> None:
    assert bet.status_code == 403, bet.text
    assert "by ticket" in hall.says(bet)


def test_another_entry_of_the_same_name_may_be_an_account_s(hall: Hall, server: Server) -> None:
    hall.play("t1", "dora")
    hall.tell("t1", "refund", player="dora")
    server.people.add("dora", "player", PASSWORD, actor="sue")
    hall.tell("t1", "enter", player="dora")
    hall.tell("t1", "draw-seats")
    hall.evening.must(f"{T1}/tables")
    hall.begin("gala.t1", 1)
    account = hall.phone()
    account.cookies.set(SESSION_COOKIE, server.sessions.issue(Person("dora", "player")))
    assert hall.bet(account, *hall.seat("t1", "dora")).is_success
