"""A report's simulation: shipped for bundled sheets, stored by rules hash, reported accurately."""

from __future__ import annotations

import json
from math import sqrt
from pathlib import Path

import pytest
from tests.printing.pdf_reader import SHEETS, blocks_by_key, sheet_of

from pitbook.printing import report_simulation
from pitbook.printing.report import report
from pitbook.printing.report_figures import STEPS, report_figures
from pitbook.printing.report_simulation import SHIPPED_FOLDER, SharingSums, by_seats, confirm
from pitbook.sheets.edit import change_sheet
from pitbook.sheets.hashes import digest

NAME = "catfish-bend/mississippi-stud"
HALF_WIDTH_MAX = 0.0007  # Of the ante.
SHIPPED_BYTES_MAX = 4096


@pytest.fixture
def cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setattr(report_simulation, "cache_places", lambda: [tmp_path])
    return tmp_path / "pitbook" / "simulations"


@pytest.mark.long
@pytest.mark.usefixtures("cache")
@pytest.mark.parametrize("name", SHEETS)
def test_a_billion_rounds_of_every_bundled_sheet_are_shipped_and_agree(name: str) -> None:
    sheet = sheet_of(name)
    assert (SHIPPED_FOLDER / f"{digest(sheet)}.json").stat().st_size <= SHIPPED_BYTES_MAX
    confirmed = confirm(sheet)
    assert confirmed.rounds == 10**9
    assert confirmed.agrees
    assert 1.96 * confirmed.wagers["main"].error <= HALF_WIDTH_MAX
    for wager in confirmed.wagers.values():
        assert abs(wager.edge - wager.exact) <= 3.29 * wager.error


def test_no_shipped_simulation_is_of_an_unknown_sheet() -> None:
    digests = {digest(sheet_of(name)) for name in SHEETS}
    assert {path.stem.partition("-")[0] for path in SHIPPED_FOLDER.glob("*.json")} == digests


def test_a_simulation_of_a_new_sheet_is_stored_by_its_rules_and_continued(cache: Path) -> None:
    sheet = change_sheet(sheet_of(NAME), {"main.pays.flush": "7:1"})
    assert confirm(sheet, 1000).rounds == 1000
    [path] = cache.iterdir()
    assert path.name == f"{digest(sheet)}.json"
    before = path.read_bytes()
    assert confirm(sheet, 500).rounds == 1000
    assert path.read_bytes() == before
    assert confirm(sheet, 3000).rounds == 3000
    assert json.loads(path.read_text(encoding="utf-8"))["totals"]["done"] == [[0, 3000]]


def test_a_stored_simulation_of_other_rules_is_not_used(cache: Path) -> None:
    sheet = change_sheet(sheet_of(NAME), {"main.pays.flush": "7:1"})
    other = change_sheet(sheet_of(NAME), {"main.pays.flush": "8:1"})
    confirm(sheet, 1000)
    (cache / f"{digest(sheet)}.json").rename(cache / f"{digest(other)}.json")
    assert confirm(other, 500).rounds == 500


@pytest.mark.usefixtures("cache")
def test_without_time_a_new_sheet_gets_a_million_rounds(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PITBOOK_SIMULATION_SECONDS", "0")
    monkeypatch.setattr(report_simulation, "FIRST_ROUNDS", 1000)
    sheet = change_sheet(sheet_of(NAME), {"main.pays.flush": "7:1"})
    assert confirm(sheet).rounds == 1000


@pytest.mark.parametrize(
    ("played", "goal", "targets"),
    [
        (0, 10**9, [10**6, 10**7, 10**8, 10**9]),
        (10**7, 10**9, [10**8, 10**9]),
        (0, 500, [500]),
        (10**9, 10**9, []),
    ],
)
def test_play_pauses_at_powers_of_ten(played: int, goal: int, targets: list[int]) -> None:
    assert list(report_simulation._targets(played, goal)) == targets


@pytest.mark.long
@pytest.mark.parametrize("name", [NAME, "catfish-bend/matchem-hi-lo"])
def test_more_seats_never_lower_the_edge_under_a_shared_limit(name: str) -> None:
    rows = by_seats(sheet_of(name))
    assert [row.seats for row in rows] == [1, 3, 6]
    edges = [row.edge for row in rows]
    assert edges == sorted(edges)
    assert rows[0].exact is not None
    assert rows[0].edge == float(rows[0].exact)
    assert all(row.rounds == 10**7 for row in rows[1:])
    assert all(row.error and 0 < row.error < 1e-4 for row in rows[1:])  # Zero would claim too much.


def test_sums_of_a_shared_limit_give_mean_and_error() -> None:
    sharing = SharingSums(4, 7)
    sharing.add(0, 100, 2)
    assert sharing.mean("extra") == 50
    assert sharing.error("extra") == sqrt((2 * 100**2 / 4 - 50**2) / 4)
    assert sharing.mean("alone") == 0


@pytest.mark.parametrize("name", [NAME, "oceanfront/mississippi-stud"])
def test_values_of_starting_hands_average_to_the_expected_value(name: str) -> None:
    figures = report_figures(sheet_of(name))
    values = figures.hands
    assert values is not None
    assert len(values.hands) == 169
    assert values.deals == 1326
    total = sum(hand.deals * hand.value for hand in values.hands)
    assert total / 1326 == values.mean == figures.expected


@pytest.mark.long
def test_the_report_states_rounds_and_half_width() -> None:
    blocks = blocks_by_key(report(sheet_of(NAME)))
    assert "1,000,000,000 rounds of one seat" in blocks["confirmed"]["text"]
    main = blocks["confirmation"]["rows"][0]
    assert main[4] == "± 0.0609%"
    assert "10,000,000 rounds" in blocks["by seats"]["about"]
    grid = blocks["starting hands"]
    assert grid["rows"][0][1][0]["text"] == "15.6082"
    assert "-0.049149" in blocks["hand mean"]["text"]


def test_simulation_steps_are_distinct() -> None:
    assert len(STEPS) == len(set(STEPS))
    assert STEPS[-1] == "simulation 90%"
