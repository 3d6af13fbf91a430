"""Plain output: one JSON document, or lines of text; errors in one sentence."""

from __future__ import annotations

import io
import json
import os
import shutil
import sys
import unicodedata
from typing import Any

import typer

from pitbook.cli.language import in_json, worded
from pitbook.sheets.findings import SheetInvalid, findings_json, printable
from pitbook.text import say, sentence_of

NAME_MAX = 120


def emit(document: Any) -> None:
    """Print one JSON document on standard output, its sentences in English."""
    document = in_json(document)
    text = json.dumps(document, ensure_ascii=False, indent=2)
    if not _writable(text):
        text = json.dumps(document, ensure_ascii=True, indent=2)
    print(text)


def _writable(text: str) -> bool:
    try:
        text.encode(sys.stdout.encoding or "ascii")
    except UnicodeEncodeError:
        return False
    return True


def refuse(error: Exception | str, *, as_json: bool) -> None:
    """Say why not: a sentence on standard error, and in JSON where that was asked for."""
    reason = _reason(error)
    if as_json:
        found = error.findings if isinstance(error, SheetInvalid) else ()
        emit({"error": _one_line(in_json(reason)), **(findings_json(found) if found else {})})
    print(f"pitbook: {_one_line(worded(reason))}", file=sys.stderr)


def _reason(error: Exception | str) -> str:
    if isinstance(error, SheetInvalid):
        first, *more = error.findings
        told = {"where": first.where, "message": first.message}
        if not more:
            return say("cli.finding", **told)
        return say("cli.first-finding", file=first.file, more=len(more), **told)
    if isinstance(error, OSError) and error.filename is not None:
        return f"{_cut(str(error.filename))}: {error.strerror}"
    return error if isinstance(error, str) else sentence_of(error)


def _cut(name: str) -> str:
    return name if len(name) <= NAME_MAX else f"{name[: NAME_MAX - 3]}..."


def sentence(error: Exception | str) -> str:
    """What is wrong, in one line that is closed by a full stop."""
    return _one_line(worded(_reason(error)))


def _one_line(text: str) -> str:
    line = printable(" ".join(text.split()))
    return line if line.endswith((".", "?", "!")) else f"{line}."


def settle_streams() -> None:
    """Make both streams write whatever they are given: a poor terminal shows a question mark."""
    for name in ("stdout", "stderr"):
        stream = getattr(sys, name)
        if stream is None:  # Closed by whoever called us.
            setattr(sys, name, open(os.devnull, "w", encoding="utf-8"))  # noqa: PTH123, SIM115
        elif isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors="replace")


def terminal_width() -> int:
    """How many columns a person has before them; 80 where nobody knows."""
    return shutil.get_terminal_size((80, 24)).columns


def styled(text: str, **style: Any) -> str:
    """The text in bold, dim or colour, on a terminal that wants it."""
    wants = sys.stdout.isatty() and not os.environ.get("NO_COLOR")
    return typer.style(text, **style) if wants and os.environ.get("TERM") != "dumb" else text


def cells(text: str) -> int:
    """The columns that a text takes on a terminal.

    >>> cells("Ante"), cells("点数")
    (4, 4)
    """
    wide = sum(unicodedata.east_asian_width(one) in "WF" for one in text)
    return len(text) + wide - sum(unicodedata.combining(one) > 0 for one in text)


def examples(*commands: str) -> str:
    """The end of a command's help: how it is called."""
    head = "Example:" if len(commands) == 1 else "Examples:"
    return "\b\n" + "\n".join((head, *(f"  {command}" for command in commands)))
