"""A seat played by ticket belongs to no account of the same name."""

from __future__ import annotations

import httpx
import pytest
from fastapi import FastAPI
from tests.house.nights.night_over_http import EVENT, Evening, one_evening  # noqa: F401  A fixture.
from tests.house.nights.ticket_night import Hall
from tests.house.web.conftest import PASSWORD

from pitbook.errors import PeopleError
from pitbook.house.nights.night_cache import NightCache
from pitbook.house.people.account_register import Person
from pitbook.house.people.sessions import SESSION_COOKIE
from pitbook.house.web.server import Server

pytestmark = pytest.mark.long

T1 = f"/{EVENT}/tournaments/t1"


@pytest.fixture
def hall(evening: Evening, app: FastAPI) -> Hall:
    evening.open_night()
    hall_setup = Hall(evening, app)
    hall_setup.lay_out("t1", "carl", "dora")
    return hall_setup


def undo(hall: Hall) -> str:
    """The tournament's status after one undo."""
    past = hall.evening.get(T1)["past"]
    return str(hall.tell("t1", "undo", of=past[0]["number"])["status"])


def test_name_is_free_once_the_tournament_cannot_be_undone(hall: Hall, server: Server) -> None:
    """Otherwise neither account nor ticket would own the seat after an undo."""

    def add() -> None:
        server.people.add("dora", "player", PASSWORD, actor="sue")

    for _ in range(2):
        hall.tell("t1", "interrupt", why="storm")
        with pytest.raises(PeopleError, match=r"is playing in gala\.t1"):
            add()
        assert (undo(hall), undo(hall)) == ("interrupted", "playing")
    assert hall.play("t1", "dora")
    hall.tell("t1", "interrupt", why="storm")
    hall.tell("t1", "pay-out", player="carl")
    past = hall.evening.get(T1)["past"]
    refusal = hall.evening.no(f"{T1}/commands", command={"do": "undo", "of": past[0]["number"]})
    assert "A cash payment cannot be undone" in refusal["message"]
    add()


def test_name_is_free_after_the_tournament_is_withdrawn(hall: Hall, server: Server) -> None:
    while hall.evening.get(f"/{EVENT}")["tournaments"] and undo(hall) != "withdrawn":
        pass
    server.people.add("dora", "player", PASSWORD, actor="sue")


@pytest.mark.parametrize("do", ["rotate-ticket", "revoke-ticket"])
def test_replacing_a_ticket_gives_the_seat_to_no_account(
    hall: Hall, server: Server, monkeypatch: pytest.MonkeyPatch, do: str
) -> None:
    """As in a ledger from before names were reserved until the end."""
    _, own_seat = hall.play("t1", "dora")
    with monkeypatch.context() as before:
        before.setattr(NightCache, "in_play", lambda *_: None)
        server.people.add("dora", "player", PASSWORD, actor="sue")
    account = hall.phone()
    account.cookies.set(SESSION_COOKIE, server.sessions.issue(Person("dora", "player")))
    hall.begin("gala.t1", 1)
    hall.tell("t1", do, player="dora")
    expect_ticket_refusal(hall, hall.bet(account, own_seat["table"], own_seat["seat"]))
    hall.tell("t1", "rotate-ticket", player="dora")
    expect_ticket_refusal(hall, hall.bet(account, own_seat["table"], own_seat["seat"]))
    signed_in = hall.open(account, hall.ticket("t1", "dora"))
    assert (signed_in.status_code, "Sign out to play as" in hall.says(signed_in)) == (409, True)
    phone, own_seat = hall.play("t1", "dora")
    assert own_seat["opened"] == 0  # Of the new ticket.
    assert hall.bet(phone, own_seat["table"], own_seat["seat"]).is_success


def expect_ticket_refusal(hall: Hall, bet: httpx.Response) -> None:
    assert bet.status_code == 403, bet.text
    assert "at this table is played with a check-in code" in hall.says(bet)


def test_another_entry_with_the_same_name_may_have_an_account(hall: Hall, server: Server) -> None:
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
