"""A disk that loses power: what was not synced is gone, half there, or there in the wrong order."""

from __future__ import annotations

import random
import threading
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import NamedTuple

SECTOR = 512


class File:
    """One file as the disk holds it; its name is another matter."""

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
    """A name given to a file, or taken away."""

    name: str
    file: File | None


Change = Write | Truncate | Name


@dataclass
class Disk:
    """What would be left of a folder at any moment, beside the folder itself."""

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

    def opened(self, name: str) -> File:
        """The file of this name; a new one is pending until its folder or itself is synced."""
        with self.lock:
            if name not in self._open:
                self._open[name] = File()
                self._happens(Name(name, self._open[name]))
            return self._open[name]

    def written(self, file: File, offset: int, content: bytes) -> None:
        self._happens(Write(file, offset, content))

    def truncated(self, file: File, size: int) -> None:
        self._happens(Truncate(file, size))

    def deleted(self, name: str, *, sync: bool) -> None:
        with self.lock:
            self._open.pop(name, None)
            self._happens(Name(name, None))
            if sync:
                self._settle(lambda change: isinstance(change, Name))

    def synced(self, file: File, *, folder: bool) -> None:
        """From here on the file is durable, and so is its name; `folder`: all names are."""
        with self.lock:
            self.operations += 1
            self.watcher()  # The last moment at which it is not.
            self._settle(
                lambda change: change.file is file or (folder and isinstance(change, Name))
            )
            self.watcher()

    def after_power_cut(self, luck: random.Random, folder: Path) -> Path:
        """A folder with what the disk holds if power fails now."""
        with self.lock:
            names = dict(self.names)
            files = {id(file): File(bytes(file.content)) for file in self._files()}
            for change in surviving(self.pending, luck):
                apply(change, names, files)
        folder.mkdir(parents=True)
        for name, file in names.items():
            (folder / name).write_bytes(files[id(file)].content)
        return folder

    def _files(self) -> list[File]:
        return [*self.names.values(), *(c.file for c in self.pending if c.file is not None)]

    def _happens(self, change: Change) -> None:
        with self.lock:
            self.operations += 1
            self.pending.append(change)
            self.watcher()

    def _settle(self, durable: Callable[[Change], bool]) -> None:
        files = {id(file): file for file in self._files()}
        for change in filter(durable, self.pending):
            apply(change, self.names, files)
        self.pending = [change for change in self.pending if not durable(change)]


def surviving(pending: list[Change], luck: random.Random) -> list[Change]:
    """Of the changes that were not synced: none, the first few, or any; a write may be torn."""
    how = luck.choice(["none", "first", "any"])
    if how == "none":
        return []
    if how == "any":
        return any_of(pending, luck)
    count = luck.randrange(len(pending) + 1)
    return pending[:count] + [torn for one in pending[count : count + 1] for torn in tear(one)]


def any_of(pending: list[Change], luck: random.Random) -> list[Change]:
    """Any of the writes; of the names the first few, since file systems journal those."""
    names = [change for change in pending if isinstance(change, Name)]
    lost = names[luck.randrange(len(names) + 1) :]
    tears = luck.random() < 0.5
    kept = [
        change
        for change in pending
        if (change not in lost if isinstance(change, Name) else luck.random() < 0.5)
    ]
    return [part for one in kept for part in (tear(one, luck) if tears else [one])]


def tear(change: Change, luck: random.Random | None = None) -> list[Change]:
    """A write in which only some sectors arrived; without luck, all but the last."""
    if not isinstance(change, Write):
        return [change]
    ends = [*range(SECTOR - change.offset % SECTOR, len(change.content), SECTOR)]
    bounds = list(zip([0, *ends], [*ends, len(change.content)], strict=True))
    kept = [pair for pair in bounds if luck.random() < 0.5] if luck else bounds[:-1]
    return [Write(change.file, change.offset + a, change.content[a:b]) for a, b in kept]


def apply(change: Change, names: dict[str, File], files: dict[int, File]) -> None:
    """Makes a change to names and to the files that stand for the real ones."""
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
