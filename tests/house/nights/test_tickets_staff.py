"""Staff have no ticket that they do not hand out, and open none while they are signed in."""

from __future__ import annotations

import html
import io
import json

import pytest
from fastapi import FastAPI
from tests.house.nights.night_over_http import EVENT, Evening, one_evening  # noqa: F401  A fixture.
from tests.house.nights.ticketed import Hall
from tests.house.web.conftest import SignedIn

from pitbook.house.people.accounts import People
from pitbook.house.people.register import Role

T1 = f"/{EVENT}/tournaments/t1"


@pytest.fixture
def hall(evening: Evening, app: FastAPI) -> Hall:
    evening.opened()
    made = Hall(evening, app)
    made.lay_out("t1", "carl", "dora")
    return made


@pytest.mark.long
def test_seat_cards_are_for_whoever_hands_out_tickets(hall: Hall, evening: Evening) -> None:
    picture = evening.get(f"{T1}/ticket?player=carl")["picture"]
    cards = f"{T1}/paper/seat-cards"
    for role in ("brush", "organiser", "supervisor"):
        assert picture in html.unescape(evening.page(cards, role).text)
    no = hall.get(evening.client("auditor"), f"/api/nights{cards}")
    assert (no.status_code, "seat cards are tickets" in hall.says(no)) == (403, True)
    for what in ("sign-in", "count-sheets"):
        assert "/check-in/" not in evening.page(f"{T1}/paper/{what}", "auditor").text


@pytest.mark.long
def test_staff_without_the_second_factor_they_need_are_signed_in_all_the_same(
    hall: Hall, people: People, signed_in: SignedIn, lines: io.StringIO
) -> None:
    ticket = hall.ticket("t1", "carl")
    people.settings = people.settings.model_copy(update={"second_factor": "staff"})
    roles: tuple[Role, ...] = ("brush", "supervisor", "dealer", "organiser", "auditor")
    for role in roles:
        half = signed_in(role)
        assert hall.get(half, "/api/me").json()["needs"] == "second-factor"
        answer = hall.open(half, ticket)
        assert (answer.status_code, "sign out to play" in hall.says(answer)) == (409, True)
        assert "set-cookie" not in answer.headers
    told = [json.loads(line) for line in lines.getvalue().splitlines()]
    tried = [one for one in told if one["event"] == "ticket_refused_while_signed_in"]
    assert [one["player"] for one in tried] == ["carl"] * len(roles)
    assert hall.open(hall.phone(), ticket).json()["opened"] == 0
