"""Fixtures of command tests: Ctrl-C handling and typed answers."""

from __future__ import annotations

import io
import shutil
import signal
from collections.abc import Callable, Iterator
from functools import cache
from pathlib import Path
from typing import Any, NamedTuple

import pytest
from tests.command_line import Answer, Ask

from pitbook_demo.house_evening import play_evening


@pytest.fixture(autouse=True)
def ctrl_c() -> Iterator[None]:
    """Ctrl-C is handled here and in child processes, however the tests were started.

    Under nohup and cron it is ignored, and child processes inherit that.
    """
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    yield
    signal.signal(signal.SIGINT, before)


class Demo(NamedTuple):
    """A data folder with an evening of play, and the report of its creation."""

    path: Path
    report: dict[str, Any]


@pytest.fixture(scope="session")
def demo(tmp_path_factory: pytest.TempPathFactory) -> Demo:
    """One evening of `pitbook demo`, for read-only use."""
    path = tmp_path_factory.mktemp("demo") / "house"
    return Demo(path, play_evening(path, "52", 8))


Furnish = Callable[[Callable[[Path], Path], Path], Path]


@pytest.fixture(scope="session")
def furnish(tmp_path_factory: pytest.TempPathFactory) -> Furnish:
    """Copies a data folder that is built only once, with its keys."""

    @cache
    def built_folder(make: Callable[[Path], Path]) -> Path:
        return make(tmp_path_factory.mktemp("book") / "house")

    return lambda make, path: Path(shutil.copytree(built_folder(make), path))


@pytest.fixture
def typed(ask: Ask, monkeypatch: pytest.MonkeyPatch) -> Ask:
    """Runs `pitbook` in this process with text on standard input."""

    def run(*arguments: str, text: str) -> Answer:
        stdin = io.TextIOWrapper(io.BytesIO(text.encode()), encoding="utf-8")
        monkeypatch.setattr("sys.stdin", stdin)
        return ask(*arguments)

    return run
