"""Files that a command reads and writes: what cannot be had is said in a sentence."""

from __future__ import annotations

import os
import sys
from pathlib import Path

from pitbook.errors import RoundError
from pitbook.ledger import private

__all__ = ["read_text", "write_text"]

BYTES_MAX = 5_000_000


def read_text(name: str) -> str:
    """The text of a file, or of standard input for "-"; raises RoundError with a sentence."""
    if name == "-":
        return _decoded(sys.stdin.buffer.read(BYTES_MAX + 1), "standard input")
    path = Path(name)
    try:
        with path.open("rb") as file:
            return _decoded(file.read(BYTES_MAX + 1), name)
    except FileNotFoundError:
        raise RoundError(f"{name}: there is no such file") from None
    except IsADirectoryError:
        raise RoundError(f"{name} is a folder; name a JSON file in it") from None
    except (OSError, ValueError) as error:
        raise RoundError(f"{name!r} cannot be read: {_reason(error)}") from None


def write_text(path: Path, text: str) -> None:
    """Write a file whole or not at all."""
    part = path.with_name(f".{path.name}.{os.getpid()}.part")
    try:
        part.unlink(missing_ok=True)
        with private.created(part, encoding="utf-8") as file:
            file.write(text)
        part.replace(path)
    except OSError as error:
        part.unlink(missing_ok=True)
        raise RoundError(f"{path} cannot be written: {_reason(error)}") from None


def _decoded(raw: bytes, name: str) -> str:
    if len(raw) > BYTES_MAX:
        raise RoundError(f"{name} is larger than {BYTES_MAX:,} bytes; no round is")
    try:
        return raw.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise RoundError(f"{name}: byte {error.start + 1} is no UTF-8 text") from None


def _reason(error: Exception) -> str:
    return (error.strerror if isinstance(error, OSError) else None) or str(error)
