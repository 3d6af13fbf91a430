"""A schedule that could not be dealt or paid is refused at the wrong field."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from tests.command_line import ask  # noqa: F401  A fixture.
from tests.house.nights.kit import RULES
from tests.house.nights.night_over_http import SCHEDULE
from tests.house.nights.test_cli import DATA, Night, gala, night  # noqa: F401  Fixtures.
from tests.house.nights.tournament.step_lines import schedule

from pitbook import load
from pitbook.house.nights.schedule_files import check_on_sheet
from pitbook.sheets.findings import format_path
from pitbook.sheets.library import BUNDLED


def findings(**changed: Any) -> dict[str, str]:
    """Findings of a schedule, by field."""
    problems = check_on_sheet(schedule(**changed), load, RULES)
    return {format_path(finding.path): str(finding.message) for finding in problems}


def levels(*limits: dict[str, Any]) -> list[dict[str, Any]]:
    return [{"minutes": 20, "limits": level_limits} for level_limits in limits]


FINE = {"ante": {"min": "25", "max": "100"}}


def test_schedule_that_fits_its_sheet_has_no_findings() -> None:
    assert findings() == {}


@pytest.mark.parametrize(("seats", "fits"), [(5, True), (6, True), (7, False)])
def test_schedule_may_use_all_seats_of_the_sheet(seats: int, fits: bool) -> None:
    messages = findings(seats=seats)
    assert (messages == {}) == fits
    if not fits:
        assert messages["seats"] == (
            "oceanfront/mississippi-stud has 6 seats, not 7. "
            "Enter 6 or fewer, or choose a game with more seats."
        )


def test_unknown_sheet_is_named() -> None:
    messages = findings(sheet="oceanfront/mississipi-stud")
    assert list(messages) == ["sheet"]
    assert "oceanfront/mississippi-stud" in messages["sheet"]


@pytest.mark.parametrize(
    ("limits", "field", "why"),
    [
        ({"ante": {"min": "200", "max": "100"}}, "levels[1].limits.ante", "is above the maximum"),
        ({"ante": {"min": "0.50"}}, "levels[1].limits.ante", "Level 2 cannot be dealt"),
        ({"antes": {"min": "25"}}, "levels[1].limits", 'has no bet "antes"'),
        ({"ante": {"min": "30", "max": "100", "step": "25"}}, "levels[1].limits.ante", "multiple"),
    ],
)
def test_every_level_is_checked_and_not_only_the_first(
    limits: dict[str, Any], field: str, why: str
) -> None:
    messages = findings(levels=levels(FINE, limits))
    (path, message), *rest = messages.items()
    assert rest == []
    assert path.startswith(field)
    assert why in message
    assert "Change this level's limits" in message


@pytest.mark.parametrize(("chips", "fits"), [("99", False), ("100", True), ("101", True)])
def test_buy_in_covers_a_round_in_every_level_it_is_sold_in(chips: str, fits: bool) -> None:
    messages = findings(
        levels=levels(FINE, {"ante": {"min": "100", "max": "400"}}),
        enter_until_level=2,
        buy_in={"costs": "50", "fee": "10", "chips": chips},
    )
    assert ("buy_in.chips" in messages) != fits
    if not fits:
        assert (
            "$99 in chips does not cover a round at level 2, which costs $100"
            in (messages["buy_in.chips"])
        )


@pytest.mark.parametrize(("chips", "fits"), [("990", False), ("1000", True), ("1025", True)])
def test_sold_chips_are_payable_in_the_levels_chips(chips: str, fits: bool) -> None:
    messages = findings(
        levels=levels({"ante": {"min": "25", "max": "100", "step": "25"}}),
        re_buy={"costs": "40", "chips": chips, "until_level": 1},
    )
    assert ("re_buy.chips" in messages) != fits
    if not fits:
        assert "Use a multiple of $25" in messages["re_buy.chips"]


def test_prizes_need_prize_money() -> None:
    everything = {"costs": "50", "fee": "50", "chips": "1000"}
    messages = findings(buy_in=everything, re_buy=None, add_on=None)
    assert "The fee takes the whole price, so there is no prize pool" in messages["buy_in.fee"]


def test_paid_place_with_a_zero_prize_is_an_error() -> None:
    cheap = {"costs": "50.02", "fee": "50", "chips": "1000"}
    rows = [{"entrants": 2, "shares": [99, 1]}]
    messages = findings(buy_in=cheap, prizes=rows)
    assert "place 2 would be paid $0. Pay fewer places" in messages["prizes[0].shares"]


# On the command line ------------------------------------------------------------------------------

TOO_MANY = SCHEDULE.replace("seats = 2", "seats = 8")


def test_command_line_setup_error_names_the_line(gala: Night) -> None:  # noqa: F811
    from pathlib import Path

    Path("schedule.toml").write_text(TOO_MANY)
    answer = gala("tournament", "set-up", "gala.t1", "schedule.toml")
    assert answer.code != 0
    assert "schedule.toml:5:9" in answer.err
    assert "has 6 seats, not 8" in answer.err
    assert "gala.t1" in gala("tournament", "show", "gala.t1").err


def test_night_cannot_move_to_a_date_without_a_sheet_for_its_tournament(
    night: Night,  # noqa: F811
) -> None:
    bundled = (BUNDLED / "oceanfront/mississippi-stud.toml").read_text("utf-8")
    Path("sheets").mkdir()
    later_sheet = bundled.replace("2014-10-31", "2030-02-01").replace("oceanfront/", "ours/", 1)
    Path("sheets/stud.toml").write_text(later_sheet)
    Path("schedule.toml").write_text(SCHEDULE.replace("oceanfront/", "ours/"))
    sheets = ("--folder", "sheets")
    options = ("--charity", "Shelter", "--license", "NH-1")
    assert night("new", "gala", *options, "--date", "2030-03-01").code == 0
    set_up = night("tournament", "set-up", "gala.t1", "schedule.toml", *sheets)
    assert set_up.code == 0, set_up.err
    corrected = night("correct", "gala", "--date", "2030-01-31", *sheets)
    assert corrected.code == 1
    assert "gala.t1 could no longer be played" in corrected.err
    assert night("correct", "gala", "--date", "2030-02-01", *sheets).code == 0
