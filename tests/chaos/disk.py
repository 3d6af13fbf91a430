"""A simulated disk that loses power: unsynced writes vanish, tear, or arrive out of order."""

from __future__ import annotations

import random
import threading
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import NamedTuple

SECTOR = 512


class File:
    """A file's content on the disk, independent of its name."""

    def __init__(self, content: bytes = b"") -> None:
        self.content = bytearray(content)


class Write(NamedTuple):
    file: File
    offset: int
    content: bytes


class Truncate(NamedTuple):
    file: File
    size: int


class Name(NamedTuple):
    """A name given to a file or removed from it."""

    name: str
    file: File | None


Change = Write | Truncate | Name


@dataclass
class Disk:
    """What would remain of a folder after a power cut at any moment."""

    folder: Path
    names: dict[str, File] = field(default_factory=dict)
    pending: list[Change] = field(default_factory=list)
    operations: int = 0
    watcher: Callable[[], None] = lambda: None
    lock: threading.RLock = field(default_factory=threading.RLock)
    _open: dict[str, File] = field(default_factory=dict)

    def __post_init__(self) -> None:
        self.folder = self.folder.resolve()
        stored = (path for path in self.folder.iterdir() if not path.name.endswith("-shm"))
        self.names = {path.name: File(path.read_bytes()) for path in stored}
        self._open = dict(self.names)

    def open_file(self, name: str) -> File:
        """The file of this name; a new one stays pending until it or its folder is synced."""
        with self.lock:
            if name not in self._open:
                self._open[name] = File()
                self._record(Name(name, self._open[name]))
            return self._open[name]

    def write(self, file: File, offset: int, content: bytes) -> None:
        self._record(Write(file, offset, content))

    def truncate(self, file: File, size: int) -> None:
        self._record(Truncate(file, size))

    def delete(self, name: str, *, sync: bool) -> None:
        with self.lock:
            self._open.pop(name, None)
            self._record(Name(name, None))
            if sync:
                self._make_durable(lambda change: isinstance(change, Name))

    def sync(self, file: File, *, folder: bool) -> None:
        """Make the file and its name durable; with `folder`, all names."""
        with self.lock:
            self.operations += 1
            self.watcher()  # The last moment before it is durable.
            self._make_durable(
                lambda change: change.file is file or (folder and isinstance(change, Name))
            )
            self.watcher()

    def after_power_cut(self, rng: random.Random, folder: Path) -> Path:
        """A folder with what the disk would hold if power failed now."""
        with self.lock:
            names = dict(self.names)
            files = {id(file): File(bytes(file.content)) for file in self._files()}
            for change in surviving_changes(self.pending, rng):
                apply(change, names, files)
        folder.mkdir(parents=True)
        for name, file in names.items():
            (folder / name).write_bytes(files[id(file)].content)
        return folder

    def _files(self) -> list[File]:
        return [*self.names.values(), *(c.file for c in self.pending if c.file is not None)]

    def _record(self, change: Change) -> None:
        with self.lock:
            self.operations += 1
            self.pending.append(change)
            self.watcher()

    def _make_durable(self, durable: Callable[[Change], bool]) -> None:
        files = {id(file): file for file in self._files()}
        for change in filter(durable, self.pending):
            apply(change, self.names, files)
        self.pending = [change for change in self.pending if not durable(change)]


def surviving_changes(pending: list[Change], rng: random.Random) -> list[Change]:
    """The unsynced changes that survive: none, the first few, or any; a write may be torn."""
    choice = rng.choice(["none", "first", "any"])
    if choice == "none":
        return []
    if choice == "any":
        return random_changes(pending, rng)
    count = rng.randrange(len(pending) + 1)
    return pending[:count] + [
        torn for change in pending[count : count + 1] for torn in tear(change)
    ]


def random_changes(pending: list[Change], rng: random.Random) -> list[Change]:
    """Any of the writes, but only the first few name changes, because those are journaled."""
    names = [change for change in pending if isinstance(change, Name)]
    lost = names[rng.randrange(len(names) + 1) :]
    tears = rng.random() < 0.5
    surviving_changes = [
        change
        for change in pending
        if (change not in lost if isinstance(change, Name) else rng.random() < 0.5)
    ]
    return [
        part for change in surviving_changes for part in (tear(change, rng) if tears else [change])
    ]


def tear(change: Change, rng: random.Random | None = None) -> list[Change]:
    """A write of which only some sectors arrived; without random numbers, all but the last."""
    if not isinstance(change, Write):
        return [change]
    ends = [*range(SECTOR - change.offset % SECTOR, len(change.content), SECTOR)]
    bounds = list(zip([0, *ends], [*ends, len(change.content)], strict=True))
    written_ranges = [pair for pair in bounds if rng.random() < 0.5] if rng else bounds[:-1]
    return [Write(change.file, change.offset + a, change.content[a:b]) for a, b in written_ranges]


def apply(change: Change, names: dict[str, File], files: dict[int, File]) -> None:
    """Apply a change to the names and files."""
    if isinstance(change, Name):
        if change.file is None:
            names.pop(change.name, None)
        else:
            names[change.name] = change.file
        return
    content = files[id(change.file)].content
    if isinstance(change, Truncate):
        del content[change.size :]
        content.extend(bytes(change.size - len(content)))
    else:
        content.extend(bytes(max(0, change.offset - len(content))))
        content[change.offset : change.offset + len(change.content)] = change.content
