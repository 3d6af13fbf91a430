"""A schedule as text and as fields: the server converts TOML for the page's form."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from tests.house.nights.night_over_http import Evening, one_evening  # noqa: F401  A fixture.

from pitbook.house.nights.schedule_files import read_loosely, samples

Json = dict[str, Any]
KEPT = Path(__file__).parents[3] / "frontend/src/night/schedules.json"


def read(evening: Evening, status: int = 200, **body: Any) -> Json:
    request = evening.client("organiser").post("/api/schedules/read", json=body)
    answer = evening.run(request)
    assert answer.status_code == status, answer.text
    response: Json = answer.json()
    return response


def test_page_samples_match_the_server() -> None:
    assert json.loads(KEPT.read_text("utf-8")) == {
        name: read_loosely(text)[0] for name, text in samples().items()
    }


def test_schedule_text_and_fields_convert_both_ways(evening: Evening) -> None:
    for text in samples().values():
        response = read(evening, toml=text.replace("\n", "\r\n"))
        assert response["findings"] == []
        repeated = read(evening, schedule=response["schedule"])
        assert repeated["schedule"] == response["schedule"]
        assert read(evening, toml=repeated["toml"])["schedule"] == response["schedule"]


def test_wrong_fields_are_returned_with_findings(evening: Evening) -> None:
    response = read(evening, toml='title = "A"\nseats = 1.5\n')
    assert response["schedule"] == {"title": "A", "seats": 1.5}
    assert {finding["field"]: finding["line"] for finding in response["findings"]}["seats"] == 2
    response = read(evening, schedule={"title": 'The "big" one'})
    assert response["toml"] == 'title = "The \\"big\\" one"\n'
    assert {finding["field"] for finding in response["findings"]} >= {"seats", "levels"}


@pytest.mark.parametrize("text", ["title", 'title = "a" "b"', "seats = 8\nseats = 9"])
def test_invalid_toml_names_the_line(evening: Evening, text: str) -> None:
    response = read(evening, toml=text)
    assert (response["schedule"], response["toml"]) == (None, text)
    assert response["findings"][0]["line"] >= 1


@pytest.mark.parametrize(
    "text",
    [
        *("day = 2026-11-15", "left = inf", "at = [{ x = 10:00:00 }]"),
        *("seats = 9007199254740993", f"seats = 0x{'f' * 4_000}", "seats = -9007199254740993"),
    ],
)
def test_values_that_a_form_cannot_hold_stay_text(evening: Evening, text: str) -> None:
    assert read(evening, toml=text)["schedule"] is None


def test_schedule_is_either_text_or_fields(evening: Evening) -> None:
    for body in ({}, {"toml": "", "schedule": {}}):
        assert "Send the structure either as" in read(evening, 400, **body)["error"]


def test_lone_surrogates_are_refused(evening: Evening) -> None:
    request = evening.client("organiser").post(
        "/api/schedules/read",
        content='{"schedule": {"title": "\\ud800"}}',
        headers={"Content-Type": "application/json"},
    )
    assert evening.run(request).status_code in (400, 422)
