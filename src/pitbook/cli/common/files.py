"""Files that a command reads and writes: what cannot be had is said in a sentence."""

from __future__ import annotations

import os
import sys
from pathlib import Path

from pitbook.errors import RoundError
from pitbook.house.ledger import file_modes
from pitbook.text import say

BYTES_MAX = 5_000_000


def read_text(name: str) -> str:
    """The text of a file, or of standard input for "-"; raises RoundError with a sentence."""
    if name == "-":
        return _decoded(sys.stdin.buffer.read(BYTES_MAX + 1), say("cli.file.standard-input"))
    path = Path(name)
    try:
        with path.open("rb") as file:
            return _decoded(file.read(BYTES_MAX + 1), name)
    except FileNotFoundError:
        raise RoundError(say("sheets.file.none", path=name)) from None
    except IsADirectoryError:
        raise RoundError(say("cli.file.folder", path=name)) from None
    except (OSError, ValueError) as error:
        told = {"path": repr(name), "why": _reason(error)}
        raise RoundError(say("sheets.file.unreadable", **told)) from None


def write_text(path: Path, text: str) -> None:
    """Write a file whole or not at all."""
    part = path.with_name(f".{path.name}.{os.getpid()}.part")
    try:
        part.unlink(missing_ok=True)
        with file_modes.created(part, encoding="utf-8") as file:
            file.write(text)
        part.replace(path)
    except OSError as error:
        part.unlink(missing_ok=True)
        told = {"path": str(path), "why": _reason(error)}
        raise RoundError(say("cli.file.unwritable", **told)) from None


def _decoded(raw: bytes, name: str) -> str:
    if len(raw) > BYTES_MAX:
        raise RoundError(say("cli.file.too-large", path=name, most=BYTES_MAX))
    try:
        return raw.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise RoundError(say("cli.file.no-utf8", path=name, byte=error.start + 1)) from None


def _reason(error: Exception) -> str:
    return (error.strerror if isinstance(error, OSError) else None) or str(error)
