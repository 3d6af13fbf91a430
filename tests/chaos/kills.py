"""kill -9, again and again, at moments nobody chose, on a book that is being written."""

from __future__ import annotations

import random
import shutil
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager
from pathlib import Path

from tests.chaos.nursery import Life, Nursery, workload_of
from tests.chaos.results import Result, result
from tests.chaos.workload import Workload
from tests.postgres import fresh_database

ROUNDS = "tests.chaos.workload:Rounds"
THREADS = 4
LIVES = 25  # As many as one book sees.
OPENING = 0.15  # Seconds in which a life may still be opening the book.

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
    """Processes killed under load, each with the check that nothing is lost, twice or off."""
    wrong: list[str] = []
    acknowledged = 0
    for start in range(0, kills, LIVES):
        with place() as url:
            lives = Lives(nursery, workload, url, f"{seed}-{start}")
            for _ in range(min(LIVES, kills - start)):
                wrong += lives.one_more()
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
    """One book and the processes that wrote to it, one after the other."""

    def __init__(self, nursery: Nursery, name: str, url: str, seed: str) -> None:
        self.nursery, self.name, self.url, self.seed = nursery, name, url, seed
        self.workload: Workload = workload_of(name, seed)
        self.luck = random.Random(seed)
        self.acknowledged: dict[int, str] = {}
        self.first = 1

    def one_more(self) -> list[str]:
        """What is wrong after one more process was killed."""
        wrong = []
        pid = self.nursery.start(self._life())
        seconds, enough = self._moment()
        for number, receipt in self.nursery.receipts(pid, seconds=seconds, enough=enough):
            if self.acknowledged.setdefault(number, receipt) != receipt:
                wrong.append(f"request {number} has two receipts: {receipt}")
        self.first = max(self.first, max(self.acknowledged, default=0) + THREADS + 1)
        with undisturbed(self.url) as url:
            return wrong + self.workload.wrong(url, self.acknowledged)

    def _moment(self) -> tuple[float, int]:
        if self.luck.random() < 0.25:
            return self.luck.random() * OPENING, 10**9
        return 60.0, self.luck.randrange(1, 120)

    def _life(self) -> Life:
        unknown = [number for number in range(1, self.first) if number not in self.acknowledged]
        known = sorted(self.acknowledged)
        again = unknown + self.luck.sample(known, min(3, len(known)))
        self.luck.shuffle(again)
        return Life(self.name, self.seed, self.url, THREADS, again, self.first)


@contextmanager
def undisturbed(url: str) -> Iterator[str]:
    """The book to look at: a copy where it is a file, so that the next process has to recover."""
    if not url.startswith("sqlite:///"):
        yield url
        return
    folder = Path(url.removeprefix("sqlite:///")).parent
    copy = folder.with_name(f"{folder.name}-copy")
    shutil.copytree(folder, copy)
    yield f"sqlite:///{copy / 'book.db'}"
    shutil.rmtree(copy)


def sqlite_in(tmp_path: Path) -> Place:
    """Where books are files, each in a folder of its own."""

    @contextmanager
    def place() -> Iterator[str]:
        folder = tmp_path / f"book-{len(list(tmp_path.iterdir()))}"
        folder.mkdir()
        yield f"sqlite:///{folder / 'book.db'}"
        shutil.rmtree(folder)

    return place


def postgres_place() -> AbstractContextManager[str]:
    """Where books are databases of a real PostgreSQL."""
    return fresh_database()
