"""Power cuts: one run of a ledger gives many disk states, which must keep acknowledged writes."""

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
from tests.chaos.vfs import watch_disk
from tests.chaos.workload import LedgerClient, Rounds, ledger_errors

from pitbook.errors import LedgerError
from pitbook.house.ledger.database import Synchronous, connect
from pitbook.house.ledger.ledger import Ledger

CUTS_OF_A_RUN = 20
THREADS = 3
OPERATIONS_BETWEEN_CUTS = 80
CUT_AFTER_RECEIPT = 0.03
CHECKPOINT_PAGES = 40  # Smaller than the default, so that a short run sees many.


class Image(NamedTuple):
    """The disk's content at a cut, and the receipts acknowledged by then."""

    folder: Path
    acknowledged: Mapping[int, str]


def power_cuts(
    tmp_path: Path, *, cuts: int, seed: str, synchronous: Synchronous | None = None, on: str
) -> Result:
    """Cut ledgers off from power while they are written, then open and check each disk."""
    wrong: list[str] = []
    acknowledged = 0
    for start in range(0, cuts, CUTS_OF_A_RUN):
        rng = random.Random(f"{seed}-{start}")
        rounds = Rounds(f"{seed}-{start}")
        run_folder = tmp_path / f"run-{start}"
        for image in run(run_folder, rounds, rng, min(CUTS_OF_A_RUN, cuts - start), synchronous):
            wrong += image_errors(image, rounds)
            acknowledged += len(image.acknowledged)
        shutil.rmtree(run_folder)
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
    rng: random.Random,
    cuts: int,
    synchronous: Synchronous | None,
) -> list[Image]:
    """The disks of one run of a ledger, cut at random moments."""
    (work / "live").mkdir(parents=True)
    with watch_disk(Disk(work / "live")) as disk:
        cutter = Cutter(disk, rng, cuts)
        disk.watcher = cutter.on_operation
        ledger = open_ledger(disk.folder, synchronous)
        write_until_cut(cutter, LedgerClient(rounds, ledger))
        ledger.close()
    return cutter.images


class Cutter:
    """Takes images of a disk, some at its operations and some right after a receipt."""

    def __init__(self, disk: Disk, rng: random.Random, cuts: int) -> None:
        self.disk, self.rng, self.cuts = disk, rng, cuts
        self.acknowledged: dict[int, str] = {}
        self.images: list[Image] = []
        self._next_cut = rng.randrange(OPERATIONS_BETWEEN_CUTS)

    @property
    def is_done(self) -> bool:
        """Whether there are enough images."""
        return len(self.images) >= self.cuts

    def on_operation(self) -> None:
        """Called before and after a change of the disk."""
        if self.disk.operations >= self._next_cut:
            self._next_cut = self.disk.operations + self.rng.randrange(2 * OPERATIONS_BETWEEN_CUTS)
            self._take_image()

    def acknowledge(self, number: int, receipt: str) -> None:
        """Record a receipt; sometimes cut right after it, the hardest case."""
        with self.disk.lock:
            self.acknowledged[number] = receipt
            if self.rng.random() < CUT_AFTER_RECEIPT:
                self._take_image()

    def _take_image(self) -> None:
        if not self.is_done:
            folder = self.disk.folder.with_name(f"cut-{len(self.images)}")
            image = self.disk.after_power_cut(self.rng, folder)
            self.images.append(Image(image, dict(self.acknowledged)))


def open_ledger(folder: Path, synchronous: Synchronous | None) -> Ledger:
    """A ledger opened as in production, or with less syncing."""
    url = f"sqlite:///{folder / 'book.db'}"
    engine = connect(url, synchronous=synchronous) if synchronous else connect(url)

    @event.listens_for(engine, "connect")
    def _(raw: Any, _: Any) -> None:
        raw.execute(f"PRAGMA wal_autocheckpoint = {CHECKPOINT_PAGES}").fetchall()

    return Ledger(engine)


def write_until_cut(cutter: Cutter, client: LedgerClient) -> None:
    """Send rounds from several threads until there are enough images."""

    def send_many(numbers: Iterator[int]) -> None:
        for number in takewhile(lambda _: not cutter.is_done, numbers):
            cutter.acknowledge(number, client.send(number))

    send_many(iter([0]))
    numbers = count(1)
    with ThreadPoolExecutor(THREADS) as pool:
        for future in [pool.submit(send_many, numbers) for _ in range(THREADS)]:
            future.result()


def image_errors(image: Image, rounds: Rounds) -> list[str]:
    """What is wrong with the ledger on a disk."""
    try:
        with Ledger.open(f"sqlite:///{image.folder / 'book.db'}") as ledger:
            return ledger_errors(ledger, rounds, image.acknowledged)
    except LedgerError as error:
        return [f"{image.folder.name}: {error}"]
