"""Timing of a test run: `PITBOOK_SPENT=FILE pytest …` logs each test and fixture.

`python -m tests.spent FILE` totals the lines by folder, file and fixture. With `--long` it lists
the tests to mark `long`.
"""

from __future__ import annotations

import json
import os
import resource
import sys
import time
from collections import defaultdict
from collections.abc import Generator, Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

LONGEST = 40
LONG_SECONDS = 0.2


def processor_seconds() -> float:
    """Processor seconds so far, of this process and of its ended children."""
    own_usage, child_usage = (resource.getrusage(who) for who in (resource.RUSAGE_SELF, -1))
    return own_usage.ru_utime + own_usage.ru_stime + child_usage.ru_utime + child_usage.ru_stime


class TimingPlugin:
    """Logs clock and processor seconds of each test, and of each fixture by itself."""

    def __init__(self, file: Path) -> None:
        self.file = file
        self.lines: list[str] = []

    @contextmanager
    def time(self, kind: str, name: str, folder: str) -> Iterator[None]:
        clock_start, processor_start = time.perf_counter(), processor_seconds()
        yield
        wall, processor_time = (
            time.perf_counter() - clock_start,
            processor_seconds() - processor_start,
        )
        self.lines.append(
            json.dumps([kind, folder, name, round(wall, 4), round(processor_time, 4)])
        )

    def pytest_sessionfinish(self) -> None:
        """Write all lines at the end: opening a file takes as long as many tests."""
        with self.file.open("a", encoding="utf-8") as out:
            out.writelines(f"{line}\n" for line in self.lines)

    @pytest.hookimpl(wrapper=True)
    def pytest_runtest_protocol(self, item: pytest.Item) -> Generator[None, object, object]:
        with self.time("test", item.nodeid, item.nodeid.split("::")[0]):
            return (yield)

    @pytest.hookimpl(wrapper=True)
    def pytest_fixture_setup(
        self, fixturedef: pytest.FixtureDef[object], request: pytest.FixtureRequest
    ) -> Generator[None, object, object]:
        with self.time("fixture", fixturedef.argname, request.node.nodeid.split("::")[0]):
            return (yield)


def summary_lines(lines: list[list[object]], longest: int = LONGEST) -> Iterator[str]:
    """Totals by folder, file, fixture and test, slowest first."""
    totals: dict[str, dict[str, list[float]]] = defaultdict(
        lambda: defaultdict(lambda: [0, 0.0, 0.0])
    )
    for kind, file, name, wall, used in lines:
        path = Path(str(file))
        folder = "/".join(path.parts[: 2 if str(path).startswith(("tests", "src")) else 1])
        places = {"test": [("folder", folder), ("file", str(path)), ("test", str(name))]}
        for table, key in places.get(str(kind), [("fixture", str(name))]):
            row = totals[table][key]
            row[0] += 1
            row[1] += float(str(wall))
            row[2] += float(str(used))
    for table in ("folder", "file", "fixture", "test"):
        yield f"\n{'times':>7} {'clock':>8} {'processor':>9}  {table}"
        slowest = sorted(totals[table].items(), key=lambda row_item: -row_item[1][1])
        for key, (times, wall, used) in slowest[: None if table == "folder" else longest]:
            yield f"{times:7} {wall:8.1f} {used:9.1f}  {key}"
        total = [sum(row[column] for row in totals[table].values()) for column in range(3)]
        yield f"{total[0]:7} {total[1]:8.1f} {total[2]:9.1f}  in all"


def long_ones(lines: list[list[object]]) -> list[str]:
    """Tests with at least one case that took 0.2 s or more."""
    timed = [(str(name), float(str(wall))) for kind, _, name, wall, _ in lines if kind == "test"]
    return sorted({name.partition("[")[0] for name, wall in timed if wall >= LONG_SECONDS})


def pytest_configure(config: pytest.Config) -> None:
    if file := os.environ.get("PITBOOK_SPENT"):
        config.pluginmanager.register(TimingPlugin(Path(file)), "pitbook-spent")


if __name__ == "__main__":
    read = Path(sys.argv[1]).read_text(encoding="utf-8").splitlines()
    lines = [json.loads(line) for line in read]
    printed = long_ones(lines) if "--long" in sys.argv else summary_lines(lines)
    sys.stdout.write("\n".join(printed) + "\n")
