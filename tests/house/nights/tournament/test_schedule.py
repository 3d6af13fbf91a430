"""Schedules: valid ones are accepted, invalid ones refused before entries are sold."""

from __future__ import annotations

from typing import Any

import pytest
from pydantic import ValidationError
from tests.house.nights.tournament.step_lines import schedule

import pitbook
from pitbook.house.nights.tournament.schedule import Schedule
from pitbook.house.table.limits import limits_of, with_limits


def test_schedule_survives_a_round_trip_through_json() -> None:
    terms = schedule(ends="clock", higher_limit=True)
    document = terms.model_dump(mode="json", exclude_defaults=True)
    assert Schedule.model_validate(document) == terms


@pytest.mark.parametrize(
    ("changed", "message"),
    [
        ({"buy_in": {"costs": "50", "fee": "50.01", "chips": "1"}}, "more than the 50.00 total"),
        ({"buy_in": {"costs": "0", "chips": "1"}}, "must be above zero"),
        ({"prizes": [{"entrants": 3, "shares": [1]}]}, "fewer than 3"),
        ({"prizes": [{"entrants": 2, "shares": [1, 1, 1]}]}, "pays 3 places"),
        (
            {"prizes": [{"entrants": 2, "shares": [1]}, {"entrants": 2, "shares": [1]}]},
            "fewest to most",
        ),
        ({"levels": []}, "at least 1"),
        ({"seats": 1}, "greater than or equal to 2"),
        ({"kind": "daily"}, "hourly"),
        ({"color": "red"}, "not permitted"),
    ],
)
def test_invalid_schedule_is_refused(changed: dict[str, Any], message: str) -> None:
    with pytest.raises(ValidationError, match=message):
        schedule(**changed)


def test_level_limits_give_a_sheet_of_its_own() -> None:
    sheet = pitbook.load("oceanfront/mississippi-stud")
    limits = schedule().limits(2)
    assert limits == {"ante": {"min": "50.00", "max": "200.00"}}
    assert schedule(levels=[{"minutes": 1}]).limits(1) == {}
    wide = sheet.model_copy(update={"single_bet_max": None})
    ante_limits = limits_of(with_limits(wide, limits))["ante"]
    assert (ante_limits["min"], ante_limits["max"]) == ("50.00", "200.00")


def test_prize_shares_depend_on_entrants() -> None:
    assert schedule().shares(3) == (100,)
    assert schedule().shares(4) == (50, 30, 20)
    assert schedule().shares(1) == (100,)  # Whoever is left alone by refunds.
