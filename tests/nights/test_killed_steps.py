"""Killed with SIGKILL after each step of an evening: everybody has the same money in the end."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from tests.nights.lives import Life, Lives, what_is_left
from tests.nights.scripts import SCRIPTS, set_up
from tests.nights.several import two_folders


@pytest.fixture(scope="module")
def lives() -> Iterator[Lives]:
    started = Lives()
    yield started
    started.close()


def undisturbed(lives: Lives, path: Path, script: str) -> dict[str, int]:
    """The evening of one process that nobody kills."""
    whole = Life(script, str(path / "undisturbed"), None)
    assert lives.live(whole) == (len(SCRIPTS[script]), False)
    return what_is_left(whole)


def relayed(lives: Lives, script: str, paths: list[Path], url: str | None, every: int = 1) -> Life:
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


@pytest.mark.parametrize("script", SCRIPTS)
def test_killed_after_each_step(tmp_path: Path, lives: Lives, script: str) -> None:
    expected = undisturbed(lives, tmp_path, script)
    last = relayed(lives, script, [tmp_path / "house"], None)
    assert what_is_left(last) == expected


@pytest.mark.parametrize("script", SCRIPTS)
def test_killed_after_each_step_on_postgresql(
    tmp_path: Path, postgres: str, lives: Lives, script: str
) -> None:
    """Two processes take turns."""
    expected = undisturbed(lives, tmp_path, script)
    paths = list(two_folders(tmp_path, postgres))
    assert what_is_left(relayed(lives, script, paths, postgres, every=4)) == expected


@pytest.mark.slow
@pytest.mark.parametrize("script", SCRIPTS)
def test_killed_after_each_write(tmp_path: Path, lives: Lives, script: str) -> None:
    """Between two writes of one step, too: its answer is lost, and it is sent again."""
    expected = undisturbed(lives, tmp_path, script)
    for writes in range(1, 10_000):
        path = str(tmp_path / f"{writes}")
        done, killed = lives.live(Life(script, path, None, writes=writes))
        rest = Life(script, path, None, done)
        if killed:
            assert lives.live(rest) == (len(SCRIPTS[script]), False)
        assert what_is_left(rest) == expected, writes
        if not killed:
            break
