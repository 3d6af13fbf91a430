"""A schedule as text and as fields: the house reads TOML, the page fills in a form."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from tests.house.nights.night_over_http import Evening, one_evening  # noqa: F401  A fixture.

from pitbook.house.nights.schedule_files import read_loosely, samples

Json = dict[str, Any]
KEPT = Path(__file__).parents[3] / "frontend/src/night/schedules.json"


def read(evening: Evening, status: int = 200, **given: Any) -> Json:
    asked = evening.client("organiser").post("/api/schedules/read", json=given)
    answer = evening.run(asked)
    assert answer.status_code == status, answer.text
    told: Json = answer.json()
    return told


def test_the_page_is_tested_with_the_samples_as_they_are_read() -> None:
    assert json.loads(KEPT.read_text("utf-8")) == {
        name: read_loosely(text)[0] for name, text in samples().items()
    }


def test_a_text_is_read_and_its_fields_are_written(evening: Evening) -> None:
    for text in samples().values():
        told = read(evening, toml=text.replace("\n", "\r\n"))
        assert told["findings"] == []
        again = read(evening, schedule=told["schedule"])
        assert again["schedule"] == told["schedule"]
        assert read(evening, toml=again["toml"])["schedule"] == told["schedule"]


def test_fields_that_are_wrong_are_fields_with_findings(evening: Evening) -> None:
    told = read(evening, toml='title = "A"\nseats = 1.5\n')
    assert told["schedule"] == {"title": "A", "seats": 1.5}
    assert {one["field"]: one["line"] for one in told["findings"]}["seats"] == 2
    told = read(evening, schedule={"title": 'The "big" one'})
    assert told["toml"] == 'title = "The \\"big\\" one"\n'
    assert {one["field"] for one in told["findings"]} >= {"seats", "levels"}


@pytest.mark.parametrize("text", ["title", 'title = "a" "b"', "seats = 8\nseats = 9"])
def test_what_is_no_toml_says_where(evening: Evening, text: str) -> None:
    told = read(evening, toml=text)
    assert (told["schedule"], told["toml"]) == (None, text)
    assert told["findings"][0]["line"] >= 1


@pytest.mark.parametrize(
    "text",
    [
        *("day = 2026-11-15", "left = inf", "at = [{ x = 10:00:00 }]"),
        *("seats = 9007199254740993", f"seats = 0x{'f' * 4_000}", "seats = -9007199254740993"),
    ],
)
def test_what_a_form_has_no_word_for_stays_a_text(evening: Evening, text: str) -> None:
    assert read(evening, toml=text)["schedule"] is None


def test_one_of_two_is_asked_for(evening: Evening) -> None:
    for given in ({}, {"toml": "", "schedule": {}}):
        assert "a schedule comes as" in read(evening, 400, **given)["error"]


def test_halves_of_characters_are_refused(evening: Evening) -> None:
    asked = evening.client("organiser").post(
        "/api/schedules/read",
        content='{"schedule": {"title": "\\ud800"}}',
        headers={"Content-Type": "application/json"},
    )
    assert evening.run(asked).status_code in (400, 422)
