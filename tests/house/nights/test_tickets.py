"""A ticket is one seat of one tournament of one night, and ends when that does."""

from __future__ import annotations

import json

import httpx
import pytest
from fastapi import FastAPI
from tests.house.nights.night_over_http import EVENT, Evening, one_evening  # noqa: F401  A fixture.
from tests.house.nights.ticketed import Hall
from tests.house.web.conftest import NAMES, PASSWORD, client_of, fast_folder, people_of

from pitbook.errors import PeopleError
from pitbook.house.nights import tickets as passes
from pitbook.house.nights.ticket_codes import Ticket, Tickets
from pitbook.house.nights.tickets import Passes
from pitbook.house.people.register import Person, Role
from pitbook.house.people.sessions import SESSION_COOKIE, Session, Sessions
from pitbook.house.table.tables import LiveTables
from pitbook.house.web.app import create_app
from pitbook.house.web.server import Server
from pitbook.house.web.settings import Settings

OTHERS = ("", "/sheet", "/rounds", "/events")


@pytest.fixture
def hall(evening: Evening, app: FastAPI) -> Hall:
    evening.opened()
    made = Hall(evening, app)
    made.lay_out("t1", "carl", "dora")
    return made


# Whose seat it is ---------------------------------------------------------------------------------


@pytest.mark.long
def test_a_ticket_of_one_tournament_plays_nowhere_else(hall: Hall) -> None:
    hall.lay_out("t2", "carl", "eli")
    hall.another_night("ball", "carl", "eli")
    phone, told = hall.play("t1", "carl")
    assert told["table"] == "gala.t1-1"
    for event in ("gala", "ball"):
        other, seat = hall.seat("t2", "carl", event)
        hall.begin(f"{event}.t2", 1)
        bet = hall.bet(phone, other, seat)
        assert (bet.status_code, "gala.t1" in hall.says(bet)) == (403, True)
        for path in OTHERS:
            assert hall.get(phone, f"/api/tables/{other}{path}").status_code == 403
    named = [one["table"] for one in hall.get(phone, "/api/tables").json()["tables"]]
    assert named == ["gala.t1-1"]
    hall.begin("gala.t1", 1)
    assert hall.bet(phone, "gala.t1-1", told["seat"]).is_success


@pytest.mark.slow
def test_what_else_a_player_may_a_ticket_may_not(hall: Hall, evening: Evening) -> None:
    phone, told = hall.play("t1", "carl")
    sheet = {"sheet": "oceanfront/mississippi-stud"}
    answer = evening.run(phone.post("/api/practice", json=sheet))
    assert (answer.status_code, "sign out" in hall.says(answer)) == (403, True)
    for path in ("/api/coach", "/api/me/account"):
        assert hall.get(phone, path).status_code == 403
    change = {"old": PASSWORD, "new": "quite another one"}
    assert evening.run(phone.post("/api/me/password", json=change)).status_code == 403
    assert hall.get(phone, "/api/rounds").json()["rounds"] == []
    free = next(one for one in range(1, 7) if one not in (1, 2))
    for seat in (free, 3 - told["seat"]):
        sat = hall.ask(phone, told["table"], {"do": "sit", "seat": seat})
        assert sat.status_code == 409, sat.text


@pytest.mark.long
def test_seats_of_a_tournament_are_for_whom_they_were_drawn(hall: Hall, evening: Evening) -> None:
    """An account without an entry takes none that is free."""
    ann = evening.client("player")
    sat = hall.ask(ann, "gala.t1-1", {"do": "sit", "seat": 5})
    assert (sat.status_code, "are drawn" in hall.says(sat)) == (409, True)
    phone, told = hall.play("t1", "dora")
    for do in ("leave", "sit"):  # One's own, after a walk, is one's own.
        assert hall.ask(phone, told["table"], {"do": do, "seat": told["seat"]}).is_success


# Names --------------------------------------------------------------------------------------------


@pytest.mark.long
def test_an_account_of_a_name_in_play_is_not_registered(
    hall: Hall, server: Server, evening: Evening
) -> None:
    sue = evening.client("supervisor")
    for name in ("dora", "DORA", "ｄｏｒａ", "dоra", "dora.", " dora"):
        body = {"name": name, "password": PASSWORD, "role": "player"}
        answer = evening.run(sue.post("/api/people", json=body))
        assert answer.status_code == 400, name
        assert not server.people.register.people.keys() - NAMES.values()
    with pytest.raises(PeopleError, match=r"plays in gala\.t1"):
        server.people.add("Dora", "player", PASSWORD, actor="sue")
    token = server.people.invite("player", actor="sue")
    with pytest.raises(PeopleError):
        server.people.accept(token, "Dora", PASSWORD)
    server.people.add("dora (2)", "player", PASSWORD, actor="sue")
    hall.tell("t1", "interrupt", why="storm")
    hall.tell("t1", "pay-out", player="carl")
    server.people.add("dora", "player", PASSWORD, actor="sue")  # It is over, and the name is free.


def test_an_account_that_came_to_be_all_the_same_has_nothing_of_a_ticket_s(
    hall: Hall, server: Server, monkeypatch: pytest.MonkeyPatch
) -> None:
    """As in a book from before names were reserved, or of two who wrote at once."""
    phone, told = hall.play("t1", "dora")
    with monkeypatch.context() as before:
        before.setattr(Passes, "in_play", lambda *_: None)
        server.people.add("dora", "player", PASSWORD, actor="sue")
    hall.begin("gala.t1", 1)
    thief = hall.phone()
    thief.cookies.set(SESSION_COOKIE, server.sessions.issue(Person("dora", "player")))
    bet = hall.bet(thief, told["table"], told["seat"])
    assert (bet.status_code, "by ticket" in hall.says(bet)) == (403, True)
    assert hall.bet(phone, told["table"], told["seat"]).is_success
    assert hall.get(phone, f"/api/tables/{told['table']}").json()["offers"]
    assert not hall.get(thief, f"/api/tables/{told['table']}").json()["offers"]
    assert hall.open(hall.phone(), hall.ticket("t1", "dora")).is_success  # Hers, on another phone.


# How it ends --------------------------------------------------------------------------------------


def ended(hall: Hall, phone: httpx.AsyncClient) -> str:
    """Why a phone's sign-in is over."""
    answer = hall.get(phone, "/api/me")
    assert answer.status_code == 401, answer.text
    assert hall.bet(phone, "gala.t1-1", 1).status_code == 401
    return hall.says(answer)


@pytest.mark.long
def test_a_ticket_plays_in_one_browser_and_each_opening_is_on_record(
    hall: Hall, server: Server
) -> None:
    ticket = hall.ticket("t1", "carl")
    first, told = hall.play("t1", "carl")
    assert told["opened"] == 0
    assert hall.open(first, ticket).is_success  # Opened here again: it is this one's already.
    second, told = hall.play("t1", "carl")
    assert told["opened"] == 1
    assert "another browser" in ended(hall, first)
    assert hall.get(second, "/api/me").is_success
    shown = hall.get(hall.phone(), ticket).json()["ticket"]
    assert (shown["opened"], shown["revoked"]) == (2, False)
    field = hall.evening.get(f"/{EVENT}/tournaments/t1")["players"]
    assert {one["player"]: one["ticket"]["opened"] for one in field} == {"carl": 2, "dora": 0}
    facts = [one for entry in server.house.ledger.entries("night/gala") for one in entry.facts]
    assert [one["fact"] for one in facts].count("tournament-ticket-opened") == 2


def test_staff_do_not_play_through_a_ticket_unseen(hall: Hall, evening: Evening) -> None:
    """Signed in they are refused; signed out it is an opening, and the player hears of it."""
    carl, _ = hall.play("t1", "carl")
    ticket = hall.ticket("t1", "carl")
    roles: tuple[Role, ...] = ("supervisor", "organiser", "dealer", "brush", "auditor")
    for role in roles:
        answer = hall.open(evening.client(role), ticket)
        assert (answer.status_code, "sign out to play" in hall.says(answer)) == (409, True)
        assert "set-cookie" not in answer.headers
    assert hall.open(hall.phone(), ticket).is_success
    assert "if that was not you" in ended(hall, carl)
    assert hall.get(carl, ticket).json()["ticket"]["opened"] == 2


@pytest.mark.long
@pytest.mark.parametrize("do", ["rotate-ticket", "revoke-ticket"])
def test_a_ticket_that_was_replaced_or_revoked_is_void_at_once(hall: Hall, do: str) -> None:
    phone, _ = hall.play("t1", "carl")
    old = hall.ticket("t1", "carl")
    other, _ = hall.play("t1", "dora")
    hall.tell("t1", do, player="CARL", why="lost")
    assert "replaced or revoked" in ended(hall, phone)
    assert hall.get(other, "/api/me").is_success
    for answer in (hall.get(hall.phone(), old), hall.open(hall.phone(), old)):
        assert (answer.status_code, "ask at the desk" in hall.says(answer)) == (410, True)
    if do == "revoke-ticket":
        path = f"/api/nights/{EVENT}/tournaments/t1/ticket?player=carl"
        given = hall.get(hall.evening.client("organiser"), path)
        assert (given.status_code, "revoked" in hall.says(given)) == (409, True)
        hall.tell("t1", "rotate-ticket", player="carl")
    assert hall.ticket("t1", "carl") != old
    assert hall.play("t1", "carl")[1]["table"] == "gala.t1-1"
    undo = hall.evening.get(f"/{EVENT}/tournaments/t1")["past"][0]
    assert "start" in undo["words"]  # What the floor takes back is none of this.
    assert hall.open(hall.phone(), old).status_code == 410


@pytest.mark.slow
def test_only_who_runs_the_night_replaces_a_ticket(hall: Hall, evening: Evening) -> None:
    for do in ("rotate-ticket", "revoke-ticket", "open-ticket"):
        command = {"do": do, "player": "carl"}
        roles: tuple[Role, ...] = ("brush", "player", "dealer")
        for role in roles:
            answer = evening.ask(f"/{EVENT}/tournaments/t1/commands", role, command=command)
            assert answer.status_code in (403, 400), answer.text
    nobody = evening.no(
        f"/{EVENT}/tournaments/t1/commands", command={"do": "revoke-ticket", "player": "carll"}
    )
    assert "has not entered" in nobody["message"]


@pytest.mark.long
def test_a_ticket_is_for_one_entry(hall: Hall) -> None:
    """Whoever is refunded and enters again has another one; an undone buy-in counts as such."""
    phone, _ = hall.play("t1", "carl")
    old = hall.ticket("t1", "carl")
    hall.tell("t1", "refund", player="carl")
    assert "replaced or revoked" in ended(hall, phone)
    hall.tell("t1", "enter", player="carl")
    assert hall.get(phone, "/api/me").status_code == 401
    assert hall.open(phone, old).status_code == 410
    second = hall.ticket("t1", "carl")
    past = hall.evening.get(f"/{EVENT}/tournaments/t1")["past"]
    hall.tell("t1", "undo", of=past[0]["number"])
    hall.tell("t1", "enter", player="carl")
    assert hall.get(hall.phone(), second).status_code == 410
    hall.tell("t1", "draw-seats")
    hall.evening.must(f"/{EVENT}/tournaments/t1/tables")
    assert hall.play("t1", "carl")[1]["table"] == "gala.t1-1"


@pytest.mark.slow
def test_a_ticket_goes_along_to_another_seat_and_ends_with_the_last_chip(hall: Hall) -> None:
    hall.lay_out("t3", "fay", "gus", "hal")  # Two tables of two.
    where = {name: hall.seat("t3", name) for name in ("fay", "gus", "hal")}
    alone = next(
        at for at in where.values() if [one[0] for one in where.values()].count(at[0]) == 1
    )
    mover = next(name for name, at in where.items() if at[0] != alone[0])
    phone, told = hall.play("t3", mover)
    was, seat = told["table"], told["seat"]
    number, free = int(alone[0][-1]), 3 - alone[1]
    hall.tell("t3", "balance", moves=[{"player": mover, "table": number, "seat": free}])
    hall.begin("gala.t3", number)
    hall.begin("gala.t3", 3 - number)
    assert hall.bet(phone, alone[0], free).is_success
    left = hall.bet(phone, was, seat)
    assert (left.status_code, "does not sit" in hall.says(left)) == (409, True)
    sat = hall.ask(phone, was, {"do": "sit", "seat": seat})
    assert (sat.status_code, "are drawn" in hall.says(sat)) == (409, True)
    hall.lay_out("t4", "jo", "kit", "lou")
    phone, _ = hall.play("t4", "jo")
    hall.tell("t4", "eliminate", players=["jo"])
    assert "jo is out" in hall.says(hall.get(phone, "/api/me"))
    undo = hall.evening.get(f"/{EVENT}/tournaments/t4")["past"][0]["number"]
    hall.tell("t4", "undo", of=undo)
    assert hall.get(phone, "/api/me").is_success
    hall.tell("t4", "interrupt", why="storm")
    assert "tickets have ended" in hall.says(hall.get(phone, "/api/me"))


@pytest.mark.slow
def test_tickets_end_with_their_tournament_and_none_is_given_any_more(hall: Hall) -> None:
    phone, _ = hall.play("t1", "carl")
    ticket = hall.ticket("t1", "carl")
    hall.tell("t1", "interrupt", why="storm")
    assert "gala.t1 is void" in ended(hall, phone)
    path = f"/api/nights/{EVENT}/tournaments/t1/ticket?player=carl"
    given = hall.get(hall.evening.client("organiser"), path)
    assert (given.status_code, "have ended" in hall.says(given)) == (409, True)
    assert hall.open(phone, ticket).status_code == 409
    assert hall.get(phone, ticket).json()["status"] == "void"  # What it was for is still told.


@pytest.mark.long
def test_signing_out_ends_the_sessions_of_guests_and_tickets_too(
    hall: Hall, evening: Evening, client: httpx.AsyncClient
) -> None:
    sheet = {"sheet": "oceanfront/mississippi-stud"}
    assert evening.run(client.post("/api/practice", json=sheet)).status_code == 201
    phone, _ = hall.play("t1", "carl")
    for one in (client, phone):
        copied = hall.phone()
        copied.cookies.set(SESSION_COOKIE, one.cookies[SESSION_COOKIE])
        assert hall.get(copied, "/api/me").is_success
        assert evening.run(one.post("/api/sign-out", json={})).status_code == 204
        assert hall.get(copied, "/api/me").status_code == 401
    assert hall.play("t1", "carl")  # The ticket itself is as good as before.


# Other processes, and other times -----------------------------------------------------------------


@pytest.mark.long
def test_another_process_and_a_restart_know_the_same(
    hall: Hall, server: Server, settings: Settings, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(passes, "RECENT_SECONDS", 0.0)
    old, _ = hall.play("t1", "carl")
    dora, _ = hall.play("t1", "dora")
    with fast_folder(settings.data) as folder:
        house = LiveTables(folder)
        app = create_app(house, people_of(house, settings), settings)

        def there(phone: httpx.AsyncClient) -> int:
            async def ask() -> int:
                async with client_of(app) as client:
                    client.cookies.set(SESSION_COOKIE, phone.cookies[SESSION_COOKIE])
                    return (await client.get("/api/me")).status_code

            return hall.evening.run(ask())

        assert (there(old), there(dora)) == (200, 200)
        monkeypatch.setattr(passes, "RECENT_SECONDS", 600.0)
        new, _ = hall.play("t1", "carl")
        assert there(new) == 200  # Signed by a process that has read more.
        assert there(old) == 401
        monkeypatch.setattr(passes, "RECENT_SECONDS", 0.0)
        hall.tell("t1", "revoke-ticket", player="dora")
        assert (there(new), there(dora)) == (200, 401)


@pytest.mark.long
def test_tickets_and_cookies_from_before_are_what_they_can_be(hall: Hall, server: Server) -> None:
    """A ticket of three words stays good until it is replaced; a cookie without a seat is void."""
    signed = Tickets(server.house.folder.keys.sealing)
    payload = ["gala", "t1", "carl"]
    before: tuple[str, ...] = tuple(payload)
    token = signed.token(before)  # type: ignore[arg-type]
    assert signed.read(token) == Ticket("gala", "t1", "carl")
    phone = hall.phone()
    assert hall.open(phone, f"/api/check-in/{token}").is_success
    hall.tell("t1", "rotate-ticket", player="carl")
    assert hall.open(phone, f"/api/check-in/{token}").status_code == 410
    expires = Sessions.read(server.sessions, server.sessions.guest()[1])
    assert expires is not None
    bare = Session("dora", "player", expires.issued, expires.expires, "5f60", -1)[:6]
    text = json.dumps(bare, separators=(",", ":")).encode()
    assert server.sessions.read(forged(server.sessions, text)) is None


def forged(sessions: Sessions, payload: bytes) -> str:
    """A cookie as an earlier version of the house signed it."""
    from pitbook.house.people.sessions import _to_base64

    made = _to_base64(payload)
    return f"{made}.{_to_base64(sessions._tokens._mac(made))}"
