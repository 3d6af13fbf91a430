"""What the house keeps is its owner's alone: folders 0700, files 0600, whatever the umask.

Windows has no such modes: there nothing is set and nothing is refused, and whoever may look into
the folder is for its access list to say.
"""

from __future__ import annotations

import os
import shlex
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

from pitbook.errors import LedgerError

__all__ = ["check", "created", "is_read_only", "loose", "make_folder", "touch"]

FOLDER, FILE, OTHERS = 0o700, 0o600, 0o077
WRITES = 0o222
OURS = ("pitbook.db*", "keys.json", "checkpoints.jsonl", "serve.lock")
POSIX = os.name == "posix"


def make_folder(path: Path) -> None:
    """Make a folder that is its owner's alone; an empty one that is there is closed to others."""
    if not path.is_dir():
        path.mkdir(parents=True)
    elif any(path.iterdir()):
        return
    if POSIX:
        path.chmod(FOLDER)


def created(path: Path, mode: str = "w", **how: Any) -> Any:
    """A new file, open to write to, that is its owner's alone; raises FileExistsError."""
    return os.fdopen(_descriptor(path, os.O_EXCL), mode, **how)


def touch(path: Path) -> None:
    """Make an empty file for somebody else to fill, unless there is one."""
    if not path.exists():
        os.close(_descriptor(path, 0))


def check(path: Path) -> None:
    """Raise LedgerError where others may look into a data folder, with the line that mends it."""
    if found := list(loose(path)):
        keys = path / "keys.json"
        what = "read the house's keys" if keys in found else "look into the house's data"
        where = keys if found == [keys] else path
        raise LedgerError(f"{where}: others may {what}; {_mending(path, found)}")


def loose(path: Path) -> Iterator[Path]:
    """The folder and those of the house's files that are not their owner's alone."""
    if not POSIX:
        return
    if path.stat().st_mode & OTHERS:
        yield path
    for file in sorted({one for name in OURS for one in path.glob(name)}):
        if file.is_file() and file.stat().st_mode & OTHERS:
            yield file


def is_read_only(*paths: Path) -> bool:
    """Whether any of these cannot be written to, or is marked so: root could all the same."""
    return any(
        not os.access(one, os.W_OK) or (POSIX and not one.stat().st_mode & WRITES) for one in paths
    )


def _descriptor(path: Path, how: int) -> int:
    descriptor = os.open(path, os.O_WRONLY | os.O_CREAT | how | getattr(os, "O_BINARY", 0), FILE)
    if POSIX:
        os.fchmod(descriptor, FILE)  # A umask may have taken even the owner's part.
    return descriptor


def _mending(path: Path, found: Iterable[Path]) -> str:
    files = [shlex.quote(str(one)) for one in found if one != path]
    folder = [f"chmod 700 {shlex.quote(str(path))}"] if path in found else []
    return "; ".join(folder + ([f"chmod 600 {' '.join(files)}"] if files else []))
