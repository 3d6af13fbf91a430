"""Check-in: printed lists, and codes for phones and the registration desk."""

from __future__ import annotations

import re
from collections.abc import Callable
from urllib.parse import unquote

import httpx
import pytest
from tests.house.nights.night_over_http import EVENT, T1, Evening, Json, one_evening  # noqa: F401  A fixture.

from pitbook.house.web.server import Server

pytestmark = pytest.mark.long


def policy(answer: httpx.Response) -> str:
    return str(answer.headers["content-security-policy"])


@pytest.mark.parametrize(
    ("what", "says"),
    [
        ("sign-in", ["Signature", "ann", "bob", "$60"]),
        ("seat-cards", ["Table 1, seat", "Check-in code for ann"]),
        ("count-sheets", ["<h2>Table 1</h2>", "Chips now", "1000.00"]),
    ],
)
def test_floor_lists_are_self_contained_pages(evening: Evening, what: str, says: list[str]) -> None:
    evening.open_night().set_up("ann", "bob", "<b>eve")
    evening.do("draw-seats")
    answer = evening.page(f"/{EVENT}{T1}/paper/{what}", "brush")
    assert answer.headers["content-type"] == "text/html; charset=utf-8"
    assert all(text in answer.text for text in says)
    assert "<b>eve" not in answer.text
    assert "&lt;b&gt;eve" in answer.text
    assert not re.search(r'(src|href)="(?!data:)', answer.text)
    assert "style-src 'sha256-" in policy(answer)
    assert "script-src" not in policy(answer)


def test_a_statement_comes_as_text_and_as_a_page(evening: Evening) -> None:
    evening.open_night()
    text = evening.page(f"/{EVENT}/statement/text", "auditor")
    assert text.headers["content-type"].startswith("text/plain")
    assert text.text.startswith("Interim statement: gala\n")
    page = evening.page(f"/{EVENT}/statement/page", "auditor")
    assert "Interim statement: gala</p>" in page.text
    assert "style-src 'sha256-" in policy(page)


def test_code_shows_strangers_only_the_seat(evening: Evening, client: httpx.AsyncClient) -> None:
    evening.open_night().set_up("bob")
    code = evening.get(f"/{EVENT}{T1}/ticket?player=ann", "brush")
    assert code["link"] == f"http://127.0.0.1:8710/check-in/{code['token']}"
    assert unquote(code["picture"]).startswith("data:image/svg+xml")

    def check_in(by: httpx.AsyncClient) -> Json:
        answer: Json = evening.run(by.get(f"/api/check-in/{code['token']}")).json()
        return answer

    assert (check_in(client)["entered"], check_in(client)["runs"]) == (False, False)
    assert check_in(evening.client("organiser"))["runs"] is True
    evening.do("enter", player="ann")
    evening.do("draw-seats")
    view = check_in(client)
    assert (view["player"], view["entered"], view["table"]) == ("ann", True, 1)
    assert not {"spent", "chips", "due", "paid"} & view.keys()


@pytest.mark.parametrize("change", [lambda t: t[:-1], lambda t: "x" + t, lambda t: t.upper()])
def test_changed_ticket_code_is_invalid(
    evening: Evening, client: httpx.AsyncClient, change: Callable[[str], str]
) -> None:
    evening.open_night().set_up()
    token = evening.get(f"/{EVENT}{T1}/ticket?player=ann")["token"]
    answer = evening.run(client.get(f"/api/check-in/{change(token)}"))
    assert answer.status_code == 404
    assert "This check-in code was not issued here" in answer.json()["error"]


def ticket(evening: Evening, player: str) -> str:
    token = evening.get(f"/{EVENT}{T1}/ticket?player={player}")["token"]
    return f"/api/check-in/{token}"


def post(evening: Evening, by: httpx.AsyncClient, path: str, request: str = "r") -> httpx.Response:
    return evening.run(by.post(path, json={"request": request}))


def test_arrival_is_recorded_once_and_can_be_undone(evening: Evening, server: Server) -> None:
    evening.open_night().set_up("bob")
    ben, path = evening.client("brush"), ticket(evening, "bob")
    view = post(evening, ben, path).json()
    assert view["checked_in"]
    last = list(server.house.ledger.entries("night/gala"))[-1]
    fact = last.facts[-1]
    assert (fact["fact"], fact["player"], fact["by"]) == ("tournament-checked-in", "bob", "ben")
    assert last.seq == view["accepted"]["seq"]
    repeated = post(evening, evening.client("organiser"), path, "other").json()
    assert (repeated["checked_in"], "accepted" in repeated) == (view["checked_in"], False)
    assert list(server.house.ledger.entries("night/gala"))[-1] == last
    field = evening.get(f"/{EVENT}{T1}")
    assert field["players"][0]["checked_in"] == view["checked_in"]
    evening.do("undo", of=field["past"][0]["number"])
    assert evening.get(f"/{EVENT}{T1}")["players"][0]["checked_in"] is None
    assert evening.run(ben.get(path)).json()["checked_in"] is None
    assert post(evening, evening.client("dealer"), path).status_code == 403


def test_player_may_arrive_before_the_buy_in(evening: Evening) -> None:
    evening.open_night().set_up()
    view = post(evening, evening.client("brush"), ticket(evening, "bob")).json()
    assert (view["entered"], bool(view["checked_in"])) == (False, True)
    field = evening.do("enter", player="bob")
    assert field["players"][0]["checked_in"] == view["checked_in"]


def test_ticket_plays_only_at_its_own_seat(
    evening: Evening, client: httpx.AsyncClient, server: Server
) -> None:
    evening.open_night().set_up("ann", "bob")

    def refusal_message(player: str, by: httpx.AsyncClient = client) -> str:
        answer = post(evening, by, f"{ticket(evening, player)}/play")
        assert answer.status_code == 409, answer.text
        assert "set-cookie" not in answer.headers
        return str(answer.json()["refused"]["message"])

    assert refusal_message("zoe") == "zoe has not entered gala.t1. Ask an organizer."
    assert (
        refusal_message("bob")
        == "bob has no seat in gala.t1. Wait for the draw, or ask an organizer."
    )
    for do in ("announce", "draw-seats", "start"):
        evening.do(do)
    assert "Try again when they are" in refusal_message("bob")
    evening.must(f"/{EVENT}{T1}/tables")
    assert refusal_message("ann") == "ann has an account. Sign in."
    assert (
        refusal_message("bob", evening.client("organiser"))
        == "olga is signed in here. Sign out to play as bob."
    )
    answer_with_account = post(evening, evening.client("player"), f"{ticket(evening, 'ann')}/play")
    assert (answer_with_account.status_code, "set-cookie" in answer_with_account.headers) == (
        200,
        False,
    )
    answer = post(evening, client, f"{ticket(evening, 'bob')}/play")
    assert (answer.status_code, answer.json()["table"]) == (200, "gala.t1-1")
    assert "samesite=strict" in answer.headers["set-cookie"].lower()
    assert evening.run(client.get("/api/me")).json() == {"name": "bob", "role": "player"}
    seats = server.house.tables["gala.t1-1"].state.seats
    assert seats[answer.json()["seat"]] == "bob"
    evening.do("eliminate", players=["bob"])
    assert (
        refusal_message("bob")
        == "bob has been eliminated from gala.t1. Sign out to play elsewhere."
    )
    evil = {"origin": "http://evil.example"}
    path = f"{ticket(evening, 'bob')}/play"
    assert evening.run(client.post(path, json={"request": "r"}, headers=evil)).status_code == 403


def test_ticket_is_valid_only_at_tournament_tables(
    evening: Evening, client: httpx.AsyncClient, server: Server
) -> None:
    evening.open_night().start("bob", "cyd")
    evening.must(f"/{EVENT}{T1}/tables")
    sheet = "oceanfront/mississippi-stud"
    evening.must(f"/{EVENT}/tables", table="stud-1", sheet=sheet)
    assert post(evening, client, f"{ticket(evening, 'bob')}/play").is_success
    near, far = (
        evening.run(client.get(f"/api/tables/{table}")) for table in ("gala.t1-1", "stud-1")
    )
    assert (near.status_code, far.status_code) == (200, 403)
    assert "and your check-in code is only for that tournament" in far.json()["error"]


@pytest.mark.parametrize(("length", "fits"), [(60, True), (61, False)])
def test_name_length_limit_is_the_same_everywhere(
    evening: Evening, length: int, fits: bool
) -> None:
    evening.open_night().set_up()
    name, message = "b" * length, "up to 60 characters"
    entered = evening.ask(f"/{EVENT}{T1}/commands", command={"do": "enter", "player": name})
    sold = evening.ask(f"/{EVENT}/cage/sell", player=name, amount="20")
    ticket_answer = evening.run(
        evening.client("brush").get(f"/api/nights/{EVENT}{T1}/ticket?player={name}")
    )
    assert [answer.is_success for answer in (entered, sold, ticket_answer)] == [fits] * 3
    assert fits or all(message in answer.text for answer in (entered, sold, ticket_answer))
