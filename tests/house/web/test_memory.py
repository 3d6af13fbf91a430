"""A server's memory does not grow with the number of games that guests open and practice.

`python -m benchmarks.memory` prints how much, with nothing computed before.
"""

from __future__ import annotations

import sys
from pathlib import Path

import pytest
from benchmarks.memory import LIMIT
from tests.house.web.visitor import Visitor, bundled_sheets, run_cold_server, run_warm_server

from pitbook.sheets.library import BUNDLED

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="the memory is read from /proc")

LIGHT = ("classic/caribbean-stud", "catfish-bend/matchem-hi-lo")
HEAVY = ("pennsylvania/ultimate-texas-holdem", "classic/caribbean-stud")
CHECKED = "pennsylvania/three-card-poker"
SHEETS = 30
HEAVY_MAX = 300.0  # MiB; the tables of these games alone are larger.
GROWTH_MAX = 100.0


@pytest.mark.long
@pytest.mark.timeout(1800)  # A loaded machine needs minutes; the heaviest games are slow tests.
@pytest.mark.parametrize(
    "sheets", [LIGHT, pytest.param(HEAVY, marks=pytest.mark.slow)], ids=["two games", "heaviest"]
)
def test_games_shown_and_coached_leave_little_memory_in_use(
    tmp_path: Path, sheets: tuple[str, ...]
) -> None:
    with run_warm_server(tmp_path) as server, server.client() as http:
        visitor = Visitor(http)
        for sheet in sheets:
            visitor.show(sheet)
            visitor.coach(sheet)
        assert server.private() < HEAVY_MAX


@pytest.mark.slow
@pytest.mark.timeout(3600)
def test_all_games_shown_and_coached_stay_within_the_limit(tmp_path: Path) -> None:
    with run_cold_server(tmp_path) as server, server.client() as http:
        visitor = Visitor(http)
        for sheet in bundled_sheets():
            visitor.show(sheet)
        for sheet in bundled_sheets():
            visitor.coach(sheet)
        assert server.private() < LIMIT


@pytest.mark.slow
@pytest.mark.timeout(3600)
def test_many_changed_sheets_leave_no_more_than_a_few(tmp_path: Path) -> None:
    """A visitor uploads one sheet after the other, each with a different pay table."""
    text = (BUNDLED / f"{CHECKED}.toml").read_text(encoding="utf-8")
    with run_warm_server(tmp_path) as server, server.client() as http:
        visitor = Visitor(http)

        def upload(first: int) -> None:
            for number in range(first, first + SHEETS):
                changed = text.replace('straight-flush = "5:1"', f'straight-flush = "{number}:1"')
                assert changed != text
                assert visitor.ask("POST", "/api/sheets/check", {"toml": changed})["wagers"]
                pays = {"main": {"royal-flush": f"{400 + number}:1"}}
                for sheet in HEAVY:
                    wish = {"sheet": sheet, "pays": pays}
                    assert visitor.ask("POST", "/api/sheets/try", wish)["valid"]

        upload(10)
        before = server.private()
        upload(10 + SHEETS)
        assert server.private() < before + GROWTH_MAX
