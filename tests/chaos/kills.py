"""kill -9 at random moments while a ledger is being written."""

from __future__ import annotations

import random
import shutil
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager
from pathlib import Path

from tests.chaos.forked_writers import Life, Nursery, workload_of
from tests.chaos.results import Result, result
from tests.chaos.workload import Workload
from tests.postgres import fresh_database

ROUNDS = "tests.chaos.workload:Rounds"
THREADS = 4
LIVES = 25  # Kills of one ledger.
OPENING = 0.15  # Seconds in which a process may still be opening the ledger.

Place = Callable[[], AbstractContextManager[str]]


def kill_under_load(
    nursery: Nursery,
    place: Place,
    *,
    on: str,
    kills: int,
    seed: str,
    workload: str = ROUNDS,
    control: bool = False,
) -> Result:
    """Kill processes under load, checking each time that nothing is lost, doubled or unbalanced."""
    wrong: list[str] = []
    acknowledged = 0
    for start in range(0, kills, LIVES):
        with place() as url:
            lives = Lives(nursery, workload, url, f"{seed}-{start}")
            for _ in range(min(LIVES, kills - start)):
                wrong += lives.kill_one()
            acknowledged += len(lives.acknowledged)
    return result(
        "kill -9 under load",
        on=on,
        count=kills,
        what="kills",
        seed=seed,
        wrong=wrong,
        acknowledged=acknowledged,
        control=control,
    )


class Lives:
    """One ledger and the processes that write to it, one after the other."""

    def __init__(self, nursery: Nursery, name: str, url: str, seed: str) -> None:
        self.nursery, self.name, self.url, self.seed = nursery, name, url, seed
        self.workload: Workload = workload_of(name, seed)
        self.rng = random.Random(seed)
        self.acknowledged: dict[int, str] = {}
        self.first = 1

    def kill_one(self) -> list[str]:
        """Kill one more process and return what is wrong."""
        wrong = []
        pid = self.nursery.start(self._life())
        seconds, enough = self._kill_time()
        for number, receipt in self.nursery.receipts(pid, seconds=seconds, enough=enough):
            if self.acknowledged.setdefault(number, receipt) != receipt:
                wrong.append(f"request {number} has two receipts: {receipt}")
        self.first = max(self.first, max(self.acknowledged, default=0) + THREADS + 1)
        with inspection_copy(self.url) as url:
            return wrong + self.workload.wrong(url, self.acknowledged)

    def _kill_time(self) -> tuple[float, int]:
        if self.rng.random() < 0.25:
            return self.rng.random() * OPENING, 10**9
        return 60.0, self.rng.randrange(1, 120)

    def _life(self) -> Life:
        unknown = [number for number in range(1, self.first) if number not in self.acknowledged]
        acknowledged = sorted(self.acknowledged)
        again = unknown + self.rng.sample(acknowledged, min(3, len(acknowledged)))
        self.rng.shuffle(again)
        return Life(self.name, self.seed, self.url, THREADS, again, self.first)


@contextmanager
def inspection_copy(url: str) -> Iterator[str]:
    """The ledger to inspect: a copy if it is a file, so that the next process has to recover."""
    if not url.startswith("sqlite:///"):
        yield url
        return
    folder = Path(url.removeprefix("sqlite:///")).parent
    copy = folder.with_name(f"{folder.name}-copy")
    shutil.copytree(folder, copy)
    yield f"sqlite:///{copy / 'book.db'}"
    shutil.rmtree(copy)


def sqlite_in(tmp_path: Path) -> Place:
    """Ledgers as files, each in its own folder."""

    @contextmanager
    def place() -> Iterator[str]:
        folder = tmp_path / f"book-{len(list(tmp_path.iterdir()))}"
        folder.mkdir()
        yield f"sqlite:///{folder / 'book.db'}"
        shutil.rmtree(folder)

    return place


def postgres_place() -> AbstractContextManager[str]:
    """Ledgers as databases of a real PostgreSQL."""
    return fresh_database()
