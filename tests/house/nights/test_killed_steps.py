"""After a kill at any step, everybody ends with the same money, paid once."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest
from tests.house.nights.killed_night import Life, Lives, final_amounts
from tests.house.nights.scripts import SCRIPTS, set_up
from tests.house.nights.two_processes import two_folders
from tests.lanes import spread


@pytest.fixture(scope="module")
def lives() -> Iterator[Lives]:
    lives_process = Lives()
    yield lives_process
    lives_process.close()


FEW = ("places, completed", "past the hour", "first card, live")
KNOWN: dict[str, dict[str, int]] = {}


def expected_amounts(lives: Lives, path: Path, script: str) -> dict[str, int]:
    """The final amounts of a night that no kill interrupts."""
    if script not in KNOWN:
        life = Life(script, str(path / "undisturbed"), None)
        assert lives.live(life) == (len(SCRIPTS[script]), False)
        KNOWN[script] = final_amounts(life)
    return KNOWN[script]


def run_relay(lives: Lives, script: str, paths: list[Path], url: str | None, every: int) -> Life:
    """Kill a process after some steps; the next repeats the last step and continues."""
    life = Life(script, str(paths[-1]), url, 0, set_up(SCRIPTS[script]))
    done, killed = lives.live(life)
    while done < len(SCRIPTS[script]):
        last = done + every - 1
        last = last if last < len(SCRIPTS[script]) - 1 else len(SCRIPTS[script])
        life = Life(script, str(paths[(done // every) % len(paths)]), url, max(0, done - 1), last)
        done, killed = lives.live(life)
        assert killed == (last < len(SCRIPTS[script]))
    return life


@pytest.mark.long
def test_oms_15_amounts_of_an_undisturbed_night(tmp_path: Path, lives: Lives) -> None:
    """The reference: of $250, third place gets $25 and two players share the rest."""
    amounts = expected_amounts(lives, tmp_path, "places, dead")
    prizes = [amounts[f"gala.t1 {name}"] for name in ("ann", "bob", "cal", "dot", "eli")]
    assert prizes == [11_250, 11_250, 2_500, 0, 0]


@pytest.mark.slow_cases("hand by hand, misdeal", "places, completed", "the evening", "uncollected")
@pytest.mark.long
@pytest.mark.parametrize("script", spread(SCRIPTS, 6))
def test_amounts_are_the_same_after_repeated_kills(
    tmp_path: Path, lives: Lives, script: str
) -> None:
    expected = expected_amounts(lives, tmp_path, script)
    last = run_relay(lives, script, [tmp_path / "house"], None, every=4)
    assert final_amounts(last) == expected


@pytest.mark.slow_cases("first card, live-9", "past the hour-9", "places, completed-9")
@pytest.mark.parametrize(
    ("script", "every"),
    [
        *((script, 9) for script in FEW),
        *(pytest.param(script, 1, marks=pytest.mark.slow) for script in SCRIPTS),
    ],
)
def test_amounts_are_the_same_after_repeated_kills_on_postgresql(
    tmp_path: Path, postgres: str, lives: Lives, script: str, every: int
) -> None:
    """Two processes take turns."""
    expected = expected_amounts(lives, tmp_path, script)
    paths = list(two_folders(tmp_path, postgres))
    assert final_amounts(run_relay(lives, script, paths, postgres, every)) == expected


@pytest.mark.slow
@pytest.mark.parametrize("script", SCRIPTS)
def test_amounts_are_the_same_after_a_kill_at_any_write(
    tmp_path: Path, lives: Lives, script: str
) -> None:
    """Also between two writes of one step, whose answer is lost and which is sent again."""
    expected = expected_amounts(lives, tmp_path, script)
    for writes in range(1, 10_000):
        path = tmp_path / f"{writes}"
        done, killed = lives.live(Life(script, str(path), None, writes=writes))
        next_life = Life(script, str(path), None, done)
        if killed:
            assert lives.live(next_life) == (len(SCRIPTS[script]), False), writes
        assert final_amounts(next_life) == expected, writes
        shutil.rmtree(path)
        if not killed:
            break
