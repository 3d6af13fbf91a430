"""A ticket is for one seat of one tournament, and ends with it."""

from __future__ import annotations

import json

import httpx
import pytest
from fastapi import FastAPI
from tests.house.nights.night_over_http import EVENT, Evening, one_evening  # noqa: F401  A fixture.
from tests.house.nights.ticket_night import Hall
from tests.house.web.conftest import NAMES, PASSWORD, client_of, fast_folder, people_of

from pitbook.errors import PeopleError
from pitbook.house.nights import night_cache
from pitbook.house.nights.night_cache import NightCache
from pitbook.house.nights.ticket_codes import Ticket, Tickets
from pitbook.house.people.account_register import Person, Role
from pitbook.house.people.sessions import SESSION_COOKIE, Session, Sessions
from pitbook.house.settings import Settings
from pitbook.house.table.live_tables import LiveTables
from pitbook.house.web.app import create_app
from pitbook.house.web.server import Server

OTHERS = ("", "/sheet", "/rounds", "/events")


@pytest.fixture
def hall(evening: Evening, app: FastAPI) -> Hall:
    evening.open_night()
    hall_setup = Hall(evening, app)
    hall_setup.lay_out("t1", "carl", "dora")
    return hall_setup


# Seats


@pytest.mark.long
def test_ticket_is_valid_for_one_tournament_only(hall: Hall) -> None:
    hall.lay_out("t2", "carl", "eli")
    hall.another_night("ball", "carl", "eli")
    phone, own_seat = hall.play("t1", "carl")
    assert own_seat["table"] == "gala.t1-1"
    for event in ("gala", "ball"):
        other, seat = hall.seat("t2", "carl", event)
        hall.begin(f"{event}.t2", 1)
        bet = hall.bet(phone, other, seat)
        assert (bet.status_code, "gala.t1" in hall.says(bet)) == (403, True)
        for path in OTHERS:
            assert hall.get(phone, f"/api/tables/{other}{path}").status_code == 403
    tables = [table["table"] for table in hall.get(phone, "/api/tables").json()["tables"]]
    assert tables == ["gala.t1-1"]
    hall.begin("gala.t1", 1)
    assert hall.bet(phone, "gala.t1-1", own_seat["seat"]).is_success


@pytest.mark.slow
def test_ticket_has_no_other_player_rights(hall: Hall, evening: Evening) -> None:
    phone, own_seat = hall.play("t1", "carl")
    sheet = {"sheet": "oceanfront/mississippi-stud"}
    answer = evening.run(phone.post("/api/practice", json=sheet))
    assert (answer.status_code, "sign out" in hall.says(answer)) == (403, True)
    for path in ("/api/coach", "/api/me/account"):
        assert hall.get(phone, path).status_code == 403
    change = {"old": PASSWORD, "new": "quite another one"}
    assert evening.run(phone.post("/api/me/password", json=change)).status_code == 403
    assert hall.get(phone, "/api/rounds").json()["rounds"] == []
    free = next(number for number in range(1, 7) if number not in (1, 2))
    for seat in (free, 3 - own_seat["seat"]):
        sit_answer = hall.ask(phone, own_seat["table"], {"do": "sit", "seat": seat})
        assert sit_answer.status_code == 409, sit_answer.text


@pytest.mark.long
def test_tournament_seats_belong_to_the_players_drawn(hall: Hall, evening: Evening) -> None:
    """An account without an entry cannot take a free seat."""
    ann = evening.client("player")
    answer = hall.ask(ann, "gala.t1-1", {"do": "sit", "seat": 5})
    assert (answer.status_code, "assigned by draw" in hall.says(answer)) == (409, True)
    phone, own_seat = hall.play("t1", "dora")
    for do in ("leave", "sit"):  # Its own seat can be left and taken again.
        assert hall.ask(phone, own_seat["table"], {"do": do, "seat": own_seat["seat"]}).is_success


# Names --------------------------------------------------------------------------------------------


@pytest.mark.long
def test_account_with_a_name_in_play_is_refused(
    hall: Hall, server: Server, evening: Evening
) -> None:
    sue = evening.client("supervisor")
    for name in ("dora", "DORA", "ｄｏｒａ", "dоra", "dora.", " dora"):
        body = {"name": name, "password": PASSWORD, "role": "player"}
        answer = evening.run(sue.post("/api/people", json=body))
        assert answer.status_code == 400, name
        assert not server.people.register.people.keys() - NAMES.values()
    with pytest.raises(PeopleError, match=r"is playing in gala\.t1"):
        server.people.add("Dora", "player", PASSWORD, actor="sue")
    token = server.people.invite("player", actor="sue")
    with pytest.raises(PeopleError):
        server.people.accept(token, "Dora", PASSWORD)
    server.people.add("dora (2)", "player", PASSWORD, actor="sue")
    hall.tell("t1", "interrupt", why="storm")
    hall.tell("t1", "pay-out", player="carl")
    server.people.add("dora", "player", PASSWORD, actor="sue")  # It is over, and the name is free.


def test_account_created_anyway_cannot_use_a_tickets_seat(
    hall: Hall, server: Server, monkeypatch: pytest.MonkeyPatch
) -> None:
    """As in a ledger from before names were reserved, or after two concurrent writes."""
    phone, own_seat = hall.play("t1", "dora")
    with monkeypatch.context() as before:
        before.setattr(NightCache, "in_play", lambda *_: None)
        server.people.add("dora", "player", PASSWORD, actor="sue")
    hall.begin("gala.t1", 1)
    thief = hall.phone()
    thief.cookies.set(SESSION_COOKIE, server.sessions.issue(Person("dora", "player")))
    bet = hall.bet(thief, own_seat["table"], own_seat["seat"])
    assert (bet.status_code, "at this table is played with a check-in code" in hall.says(bet)) == (
        403,
        True,
    )
    assert hall.bet(phone, own_seat["table"], own_seat["seat"]).is_success
    assert hall.get(phone, f"/api/tables/{own_seat['table']}").json()["offers"]
    assert not hall.get(thief, f"/api/tables/{own_seat['table']}").json()["offers"]
    assert hall.open(hall.phone(), hall.ticket("t1", "dora")).is_success  # Hers, on another phone.


# How it ends --------------------------------------------------------------------------------------


def session_end_reason(hall: Hall, phone: httpx.AsyncClient) -> str:
    answer = hall.get(phone, "/api/me")
    assert answer.status_code == 401, answer.text
    assert hall.bet(phone, "gala.t1-1", 1).status_code == 401
    return hall.says(answer)


@pytest.mark.long
def test_a_ticket_plays_in_one_browser_and_each_opening_is_on_record(
    hall: Hall, server: Server
) -> None:
    ticket = hall.ticket("t1", "carl")
    first, own_seat = hall.play("t1", "carl")
    assert own_seat["opened"] == 0
    assert hall.open(first, ticket).is_success  # Opened here again: it is this one's already.
    second, own_seat = hall.play("t1", "carl")
    assert own_seat["opened"] == 1
    assert "another browser" in session_end_reason(hall, first)
    assert hall.get(second, "/api/me").is_success
    ticket_view = hall.get(hall.phone(), ticket).json()["ticket"]
    assert (ticket_view["opened"], ticket_view["revoked"]) == (2, False)
    field = hall.evening.get(f"/{EVENT}/tournaments/t1")["players"]
    assert {player["player"]: player["ticket"]["opened"] for player in field} == {
        "carl": 2,
        "dora": 0,
    }
    facts = [fact for entry in server.house.ledger.entries("night/gala") for fact in entry.facts]
    assert [fact["fact"] for fact in facts].count("tournament-ticket-opened") == 2


def test_staff_cannot_use_a_ticket_unnoticed(hall: Hall, evening: Evening) -> None:
    """Signed in they are refused; signed out it counts as an opening that the player sees."""
    carl, _ = hall.play("t1", "carl")
    ticket = hall.ticket("t1", "carl")
    roles: tuple[Role, ...] = ("supervisor", "organiser", "dealer", "brush", "auditor")
    for role in roles:
        answer = hall.open(evening.client(role), ticket)
        assert (answer.status_code, "Sign out to play as" in hall.says(answer)) == (409, True)
        assert "set-cookie" not in answer.headers
    assert hall.open(hall.phone(), ticket).is_success
    assert "If that wasn't you" in session_end_reason(hall, carl)
    assert hall.get(carl, ticket).json()["ticket"]["opened"] == 2


@pytest.mark.long
@pytest.mark.parametrize("do", ["rotate-ticket", "revoke-ticket"])
def test_replaced_or_revoked_ticket_is_void_immediately(hall: Hall, do: str) -> None:
    phone, _ = hall.play("t1", "carl")
    old = hall.ticket("t1", "carl")
    other, _ = hall.play("t1", "dora")
    hall.tell("t1", do, player="CARL", why="lost")
    assert "replaced or revoked" in session_end_reason(hall, phone)
    assert hall.get(other, "/api/me").is_success
    for answer in (hall.get(hall.phone(), old), hall.open(hall.phone(), old)):
        assert (answer.status_code, "Ask the registration desk" in hall.says(answer)) == (410, True)
    if do == "revoke-ticket":
        path = f"/api/nights/{EVENT}/tournaments/t1/ticket?player=carl"
        ticket_answer = hall.get(hall.evening.client("organiser"), path)
        assert (ticket_answer.status_code, "revoked" in hall.says(ticket_answer)) == (409, True)
        hall.tell("t1", "rotate-ticket", player="carl")
    assert hall.ticket("t1", "carl") != old
    assert hall.play("t1", "carl")[1]["table"] == "gala.t1-1"
    undo = hall.evening.get(f"/{EVENT}/tournaments/t1")["past"][0]
    assert "start" in undo["words"]  # What the floor takes back is none of this.
    assert hall.open(hall.phone(), old).status_code == 410


@pytest.mark.slow
def test_only_organizers_replace_tickets(hall: Hall, evening: Evening) -> None:
    for do in ("rotate-ticket", "revoke-ticket", "open-ticket"):
        command = {"do": do, "player": "carl"}
        roles: tuple[Role, ...] = ("brush", "player", "dealer")
        for role in roles:
            answer = evening.ask(f"/{EVENT}/tournaments/t1/commands", role, command=command)
            assert answer.status_code in (403, 400), answer.text
    refusal = evening.no(
        f"/{EVENT}/tournaments/t1/commands", command={"do": "revoke-ticket", "player": "carll"}
    )
    assert "has not entered" in refusal["message"]


@pytest.mark.long
def test_a_ticket_is_for_one_entry(hall: Hall) -> None:
    """A refunded player who enters again gets a new ticket, as after an undone buy-in."""
    phone, _ = hall.play("t1", "carl")
    old = hall.ticket("t1", "carl")
    hall.tell("t1", "refund", player="carl")
    assert "replaced or revoked" in session_end_reason(hall, phone)
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
def test_ticket_follows_its_player_until_elimination(hall: Hall) -> None:
    hall.lay_out("t3", "fay", "gus", "hal")  # Two tables of two.
    seats_by_player = {name: hall.seat("t3", name) for name in ("fay", "gus", "hal")}
    lone_seat = next(
        at
        for at in seats_by_player.values()
        if [place[0] for place in seats_by_player.values()].count(at[0]) == 1
    )
    mover = next(name for name, seat_at in seats_by_player.items() if seat_at[0] != lone_seat[0])
    phone, own_seat = hall.play("t3", mover)
    old_table, seat = own_seat["table"], own_seat["seat"]
    number, free = int(lone_seat[0][-1]), 3 - lone_seat[1]
    hall.tell("t3", "balance", moves=[{"player": mover, "table": number, "seat": free}])
    hall.begin("gala.t3", number)
    hall.begin("gala.t3", 3 - number)
    assert hall.bet(phone, lone_seat[0], free).is_success
    answer = hall.bet(phone, old_table, seat)
    assert (answer.status_code, "does not sit" in hall.says(answer)) == (409, True)
    sit_answer = hall.ask(phone, old_table, {"do": "sit", "seat": seat})
    assert (sit_answer.status_code, "assigned by draw" in hall.says(sit_answer)) == (409, True)
    hall.lay_out("t4", "jo", "kit", "lou")
    phone, _ = hall.play("t4", "jo")
    hall.tell("t4", "eliminate", players=["jo"])
    assert "jo is out" in hall.says(hall.get(phone, "/api/me"))
    undo = hall.evening.get(f"/{EVENT}/tournaments/t4")["past"][0]["number"]
    hall.tell("t4", "undo", of=undo)
    assert hall.get(phone, "/api/me").is_success
    hall.tell("t4", "interrupt", why="storm")
    assert "check-in codes no longer work" in hall.says(hall.get(phone, "/api/me"))


@pytest.mark.slow
def test_tickets_end_with_their_tournament(hall: Hall) -> None:
    phone, _ = hall.play("t1", "carl")
    ticket = hall.ticket("t1", "carl")
    hall.tell("t1", "interrupt", why="storm")
    assert "gala.t1 is void" in session_end_reason(hall, phone)
    path = f"/api/nights/{EVENT}/tournaments/t1/ticket?player=carl"
    ticket_answer = hall.get(hall.evening.client("organiser"), path)
    assert (ticket_answer.status_code, "no longer work" in hall.says(ticket_answer)) == (409, True)
    assert hall.open(phone, ticket).status_code == 409
    assert hall.get(phone, ticket).json()["status"] == "void"  # Its details are still shown.


@pytest.mark.long
def test_signing_out_ends_guest_and_ticket_sessions(
    hall: Hall, evening: Evening, client: httpx.AsyncClient
) -> None:
    sheet = {"sheet": "oceanfront/mississippi-stud"}
    assert evening.run(client.post("/api/practice", json=sheet)).status_code == 201
    phone, _ = hall.play("t1", "carl")
    for browser in (client, phone):
        copied = hall.phone()
        copied.cookies.set(SESSION_COOKIE, browser.cookies[SESSION_COOKIE])
        assert hall.get(copied, "/api/me").is_success
        assert evening.run(browser.post("/api/sign-out", json={})).status_code == 204
        assert hall.get(copied, "/api/me").status_code == 401
    assert hall.play("t1", "carl")  # The ticket itself is as good as before.


# Other processes, and other times -----------------------------------------------------------------


@pytest.mark.long
def test_ticket_changes_are_seen_by_another_process(
    hall: Hall, server: Server, settings: Settings, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(night_cache, "RECENT_SECONDS", 0.0)
    old, _ = hall.play("t1", "carl")
    dora, _ = hall.play("t1", "dora")
    with fast_folder(settings.data) as folder:
        house = LiveTables(folder)
        app = create_app(house, people_of(house, settings), settings)

        def status_elsewhere(phone: httpx.AsyncClient) -> int:
            async def ask() -> int:
                async with client_of(app) as client:
                    client.cookies.set(SESSION_COOKIE, phone.cookies[SESSION_COOKIE])
                    return (await client.get("/api/me")).status_code

            return hall.evening.run(ask())

        assert (status_elsewhere(old), status_elsewhere(dora)) == (200, 200)
        monkeypatch.setattr(night_cache, "RECENT_SECONDS", 600.0)
        new, _ = hall.play("t1", "carl")
        assert status_elsewhere(new) == 200  # Signed by a process that has read more.
        assert status_elsewhere(old) == 401
        monkeypatch.setattr(night_cache, "RECENT_SECONDS", 0.0)
        hall.tell("t1", "revoke-ticket", player="dora")
        assert (status_elsewhere(new), status_elsewhere(dora)) == (200, 401)


@pytest.mark.long
def test_older_tickets_stay_valid_and_older_cookies_do_not(hall: Hall, server: Server) -> None:
    """A ticket without an edition stays valid until replaced; a cookie without a seat is void."""
    signed = Tickets(server.house.folder.keys.sealing)
    payload = ["gala", "t1", "carl"]
    old_format: tuple[str, ...] = tuple(payload)
    token = signed.token(old_format)  # type: ignore[arg-type]
    assert signed.read(token) == Ticket("gala", "t1", "carl")
    phone = hall.phone()
    assert hall.open(phone, f"/api/check-in/{token}").is_success
    hall.tell("t1", "rotate-ticket", player="carl")
    assert hall.open(phone, f"/api/check-in/{token}").status_code == 410
    expires = Sessions.read(server.sessions, server.sessions.guest()[1])
    assert expires is not None
    bare = Session("dora", "player", expires.issued, expires.expires, "5f60", -1)[:6]
    text = json.dumps(bare, separators=(",", ":")).encode()
    assert server.sessions.read(sign_payload(server.sessions, text)) is None


def sign_payload(sessions: Sessions, payload: bytes) -> str:
    """A cookie signed as by an earlier version."""
    from pitbook.house.people.sessions import _to_base64

    encoded = _to_base64(payload)
    return f"{encoded}.{_to_base64(sessions._tokens._mac(encoded))}"
