"""Power cuts: one run of a book leaves many disks, and each must hold what was acknowledged."""

from __future__ import annotations

import random
import shutil
from collections.abc import Iterator, Mapping
from concurrent.futures import ThreadPoolExecutor
from itertools import count, takewhile
from pathlib import Path
from typing import Any, NamedTuple

from sqlalchemy import event
from tests.chaos.disk import Disk
from tests.chaos.results import Result, result
from tests.chaos.vfs import watched
from tests.chaos.workload import LedgerClient, Rounds, wrong_in

from pitbook.errors import LedgerError
from pitbook.house.ledger.database import Synchronous, connect
from pitbook.house.ledger.journal import Ledger

CUTS_OF_A_RUN = 20
THREADS = 3
OPERATIONS_BETWEEN_CUTS = 80
CUT_AFTER_RECEIPT = 0.03
CHECKPOINT_PAGES = 40  # Smaller than the default, so that a short run sees many.


class Image(NamedTuple):
    """What a disk held at a cut, and what had been acknowledged by then."""

    folder: Path
    acknowledged: Mapping[int, str]


def power_cuts(
    tmp_path: Path, *, cuts: int, seed: str, synchronous: Synchronous | None = None, on: str
) -> Result:
    """Books cut off from power while they are written, each disk opened and judged."""
    wrong: list[str] = []
    acknowledged = 0
    for start in range(0, cuts, CUTS_OF_A_RUN):
        luck = random.Random(f"{seed}-{start}")
        rounds = Rounds(f"{seed}-{start}")
        work = tmp_path / f"run-{start}"
        for image in run(work, rounds, luck, min(CUTS_OF_A_RUN, cuts - start), synchronous):
            wrong += judged(image, rounds)
            acknowledged += len(image.acknowledged)
        shutil.rmtree(work)
    return result(
        "power cut, unsynced writes dropped",
        on=on,
        count=cuts,
        what="cuts",
        seed=seed,
        wrong=wrong,
        acknowledged=acknowledged,
        control=synchronous is not None,
    )


def run(
    work: Path,
    rounds: Rounds,
    luck: random.Random,
    cuts: int,
    synchronous: Synchronous | None,
) -> list[Image]:
    """The disks that one run of a book leaves, cut at moments picked by luck."""
    (work / "live").mkdir(parents=True)
    with watched(Disk(work / "live")) as disk:
        cutter = Cutter(disk, luck, cuts)
        disk.watcher = cutter.operation
        ledger = opened(disk.folder, synchronous)
        write_until_cut(cutter, LedgerClient(rounds, ledger))
        ledger.close()
    return cutter.images


class Cutter:
    """Takes images of a disk, some at its operations and some right after a receipt."""

    def __init__(self, disk: Disk, luck: random.Random, cuts: int) -> None:
        self.disk, self.luck, self.cuts = disk, luck, cuts
        self.acknowledged: dict[int, str] = {}
        self.images: list[Image] = []
        self._at = luck.randrange(OPERATIONS_BETWEEN_CUTS)

    @property
    def is_done(self) -> bool:
        """Whether there are as many images as were asked for."""
        return len(self.images) >= self.cuts

    def operation(self) -> None:
        """The disk changes or is about to."""
        if self.disk.operations >= self._at:
            self._at = self.disk.operations + self.luck.randrange(2 * OPERATIONS_BETWEEN_CUTS)
            self._cut()

    def acknowledge(self, number: int, receipt: str) -> None:
        """Somebody got a receipt; a cut right now is the hardest."""
        with self.disk.lock:
            self.acknowledged[number] = receipt
            if self.luck.random() < CUT_AFTER_RECEIPT:
                self._cut()

    def _cut(self) -> None:
        if not self.is_done:
            folder = self.disk.folder.with_name(f"cut-{len(self.images)}")
            image = self.disk.after_power_cut(self.luck, folder)
            self.images.append(Image(image, dict(self.acknowledged)))


def opened(folder: Path, synchronous: Synchronous | None) -> Ledger:
    """A book that is opened as ours are, or with less care."""
    url = f"sqlite:///{folder / 'book.db'}"
    engine = connect(url, synchronous=synchronous) if synchronous else connect(url)

    @event.listens_for(engine, "connect")
    def _(raw: Any, _: Any) -> None:
        raw.execute(f"PRAGMA wal_autocheckpoint = {CHECKPOINT_PAGES}").fetchall()

    return Ledger(engine)


def write_until_cut(cutter: Cutter, client: LedgerClient) -> None:
    """Sends rounds from several threads until there are images enough."""

    def send_many(numbers: Iterator[int]) -> None:
        for number in takewhile(lambda _: not cutter.is_done, numbers):
            cutter.acknowledge(number, client.send(number))

    send_many(iter([0]))
    numbers = count(1)
    with ThreadPoolExecutor(THREADS) as pool:
        for ended in [pool.submit(send_many, numbers) for _ in range(THREADS)]:
            ended.result()


def judged(image: Image, rounds: Rounds) -> list[str]:
    """What is wrong with the book on a disk."""
    try:
        with Ledger.open(f"sqlite:///{image.folder / 'book.db'}") as ledger:
            return wrong_in(ledger, rounds, image.acknowledged)
    except LedgerError as error:
        return [f"{image.folder.name}: {error}"]
