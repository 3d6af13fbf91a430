"""Staff only handle tickets they hand out, and open none while signed in."""

from __future__ import annotations

import html
import io
import json

import pytest
from fastapi import FastAPI
from tests.house.nights.night_over_http import EVENT, Evening, one_evening  # noqa: F401  A fixture.
from tests.house.nights.ticket_night import Hall
from tests.house.web.conftest import SignedIn

from pitbook.house.people.account_register import Role
from pitbook.house.people.accounts import People

T1 = f"/{EVENT}/tournaments/t1"


@pytest.fixture
def hall(evening: Evening, app: FastAPI) -> Hall:
    evening.open_night()
    hall_setup = Hall(evening, app)
    hall_setup.lay_out("t1", "carl", "dora")
    return hall_setup


@pytest.mark.long
def test_seat_cards_are_only_for_roles_that_hand_out_tickets(hall: Hall, evening: Evening) -> None:
    picture = evening.get(f"{T1}/ticket?player=carl")["picture"]
    cards = f"{T1}/paper/seat-cards"
    for role in ("brush", "organiser", "supervisor"):
        assert picture in html.unescape(evening.page(cards, role).text)
    answer = hall.get(evening.client("auditor"), f"/api/nights{cards}")
    assert (answer.status_code, "Ask an organizer or a brush for yours" in hall.says(answer)) == (
        403,
        True,
    )
    for what in ("sign-in", "count-sheets"):
        assert "/check-in/" not in evening.page(f"{T1}/paper/{what}", "auditor").text


@pytest.mark.long
def test_staff_without_required_two_step_verification_cannot_open_tickets(
    hall: Hall, people: People, signed_in: SignedIn, lines: io.StringIO
) -> None:
    ticket = hall.ticket("t1", "carl")
    people.settings = people.settings.model_copy(update={"second_factor": "staff"})
    roles: tuple[Role, ...] = ("brush", "supervisor", "dealer", "organiser", "auditor")
    for role in roles:
        staff_client = signed_in(role)
        assert hall.get(staff_client, "/api/me").json()["needs"] == "second-factor"
        answer = hall.open(staff_client, ticket)
        assert (answer.status_code, "Sign out to play as" in hall.says(answer)) == (409, True)
        assert "set-cookie" not in answer.headers
    log_lines = [json.loads(line) for line in lines.getvalue().splitlines()]
    refusals = [
        log_line for log_line in log_lines if log_line["event"] == "ticket_refused_while_signed_in"
    ]
    assert [refusal["player"] for refusal in refusals] == ["carl"] * len(roles)
    assert hall.open(hall.phone(), ticket).json()["opened"] == 0
