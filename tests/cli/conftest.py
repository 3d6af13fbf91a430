"""What the tests of commands share: Ctrl-C that is heard, and answers that somebody typed."""

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

from pitbook_demo.house_evening import evening


@pytest.fixture(autouse=True)
def ctrl_c() -> Iterator[None]:
    """Ctrl-C is heard here and by processes started here, whatever started the tests.

    Under nohup and cron it is ignored, and whoever is started inherits that.
    """
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    yield
    signal.signal(signal.SIGINT, before)


class Demo(NamedTuple):
    """A house with an evening behind it, and what was told when it was made."""

    path: Path
    told: dict[str, Any]


@pytest.fixture(scope="session")
def demo(tmp_path_factory: pytest.TempPathFactory) -> Demo:
    """One evening of `pitbook demo`, which tests only read."""
    path = tmp_path_factory.mktemp("demo") / "house"
    return Demo(path, evening(path, "52", 8))


Furnish = Callable[[Callable[[Path], Path], Path], Path]


@pytest.fixture(scope="session")
def furnish(tmp_path_factory: pytest.TempPathFactory) -> Furnish:
    """Copies a book that is made once, with its keys: a second house beside it is made anew."""

    @cache
    def made(make: Callable[[Path], Path]) -> Path:
        return make(tmp_path_factory.mktemp("book") / "house")

    return lambda make, path: Path(shutil.copytree(made(make), path))


@pytest.fixture
def typed(ask: Ask, monkeypatch: pytest.MonkeyPatch) -> Ask:
    """Calls `pitbook` in this process, with a text on standard input."""

    def run(*arguments: str, text: str) -> Answer:
        given = io.TextIOWrapper(io.BytesIO(text.encode()), encoding="utf-8")
        monkeypatch.setattr("sys.stdin", given)
        return ask(*arguments)

    return run
