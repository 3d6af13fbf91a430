"""Killed at every step of an evening: everybody has the same money in the end, paid once."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest
from tests.house.nights.lives import Life, Lives, what_is_left
from tests.house.nights.scripts import SCRIPTS, set_up
from tests.house.nights.several import two_folders
from tests.lanes import spread


@pytest.fixture(scope="module")
def lives() -> Iterator[Lives]:
    started = Lives()
    yield started
    started.close()


FEW = ("places, completed", "past the hour", "first card, live")
KNOWN: dict[str, dict[str, int]] = {}


def undisturbed(lives: Lives, path: Path, script: str) -> dict[str, int]:
    """The evening of one process that nobody kills."""
    if script not in KNOWN:
        whole = Life(script, str(path / "undisturbed"), None)
        assert lives.live(whole) == (len(SCRIPTS[script]), False)
        KNOWN[script] = what_is_left(whole)
    return KNOWN[script]


def relayed(lives: Lives, script: str, paths: list[Path], url: str | None, every: int) -> Life:
    """A process is killed after its steps; the next sends the last of them again, and goes on."""
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
def test_oms_15_the_money_of_an_evening_that_nobody_disturbs(tmp_path: Path, lives: Lives) -> None:
    """What the others are compared with: of $250, third has $25, and two share the rest."""
    found = undisturbed(lives, tmp_path, "places, dead")
    prizes = [found[f"gala.t1 {name}"] for name in ("ann", "bob", "cal", "dot", "eli")]
    assert prizes == [11_250, 11_250, 2_500, 0, 0]


@pytest.mark.slow_cases("hand by hand, misdeal", "places, completed", "the evening", "uncollected")
@pytest.mark.long
@pytest.mark.parametrize("script", spread(SCRIPTS, 6))
def test_killed_again_and_again(tmp_path: Path, lives: Lives, script: str) -> None:
    expected = undisturbed(lives, tmp_path, script)
    last = relayed(lives, script, [tmp_path / "house"], None, every=4)
    assert what_is_left(last) == expected


@pytest.mark.slow_cases("first card, live-9", "past the hour-9", "places, completed-9")
@pytest.mark.parametrize(
    ("script", "every"),
    [
        *((one, 9) for one in FEW),
        *(pytest.param(one, 1, marks=pytest.mark.slow) for one in SCRIPTS),
    ],
)
def test_killed_again_and_again_on_postgresql(
    tmp_path: Path, postgres: str, lives: Lives, script: str, every: int
) -> None:
    """Two processes take turns."""
    expected = undisturbed(lives, tmp_path, script)
    paths = list(two_folders(tmp_path, postgres))
    assert what_is_left(relayed(lives, script, paths, postgres, every)) == expected


@pytest.mark.slow
@pytest.mark.parametrize("script", SCRIPTS)
def test_killed_after_each_write(tmp_path: Path, lives: Lives, script: str) -> None:
    """Between two writes of one step, too: its answer is lost, and it is sent again."""
    expected = undisturbed(lives, tmp_path, script)
    for writes in range(1, 10_000):
        path = tmp_path / f"{writes}"
        done, killed = lives.live(Life(script, str(path), None, writes=writes))
        rest = Life(script, str(path), None, done)
        if killed:
            assert lives.live(rest) == (len(SCRIPTS[script]), False), writes
        assert what_is_left(rest) == expected, writes
        shutil.rmtree(path)
        if not killed:
            break
