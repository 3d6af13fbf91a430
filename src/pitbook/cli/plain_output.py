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

from pitbook.cli.language import localize, localize_json
from pitbook.sheets.findings import SheetInvalid, findings_json
from pitbook.text import say, sentence_of
from pitbook.text.user_input import printable

NAME_MAX = 120


def emit(document: Any) -> None:
    """Print one JSON document on standard output, with its sentences in English."""
    document = localize_json(document)
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


def print_error(error: Exception | str, *, as_json: bool) -> None:
    """Print an error as a sentence on standard error, and as JSON if requested."""
    reason = _reason(error)
    if as_json:
        findings = error.findings if isinstance(error, SheetInvalid) else ()
        emit(
            {
                "error": _one_line(localize_json(reason)),
                **(findings_json(findings) if findings else {}),
            }
        )
    print(f"pitbook: {_one_line(localize(reason))}", file=sys.stderr)


def _reason(error: Exception | str) -> str:
    if isinstance(error, SheetInvalid):
        first, *other_findings = error.findings
        details = {"where": first.where, "message": first.message}
        if not other_findings:
            return say("cli.finding", **details)
        return say("cli.first-finding", file=first.file, more=len(other_findings), **details)
    if isinstance(error, OSError) and error.filename is not None:
        return f"{_shorten(str(error.filename))}: {error.strerror}"
    return error if isinstance(error, str) else sentence_of(error)


def _shorten(name: str) -> str:
    return name if len(name) <= NAME_MAX else f"{name[: NAME_MAX - 3]}..."


def error_sentence(error: Exception | str) -> str:
    """An error message as one line that ends with a period."""
    return _one_line(localize(_reason(error)))


def _one_line(text: str) -> str:
    line = printable(" ".join(text.split()))
    return line if line.endswith((".", "?", "!")) else f"{line}."


def tolerate_encoding() -> None:
    """Make both streams replace characters that the terminal cannot show."""
    for name in ("stdout", "stderr"):
        stream = getattr(sys, name)
        if stream is None:  # Closed by the calling process.
            setattr(sys, name, open(os.devnull, "w", encoding="utf-8"))  # noqa: PTH123, SIM115
        elif isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors="replace")


def terminal_width() -> int:
    """Terminal width in columns; 80 if unknown."""
    return shutil.get_terminal_size((80, 24)).columns


def style_text(text: str, **style: Any) -> str:
    """The text in bold, dim or color, if the terminal supports it."""
    is_terminal = sys.stdout.isatty() and not os.environ.get("NO_COLOR")
    return typer.style(text, **style) if is_terminal and os.environ.get("TERM") != "dumb" else text


def column_width(text: str) -> int:
    """The columns that a text occupies on a terminal.

    >>> column_width("Ante"), column_width("点数")
    (4, 4)
    """
    wide = sum(unicodedata.east_asian_width(character) in "WF" for character in text)
    return len(text) + wide - sum(unicodedata.combining(character) > 0 for character in text)


def examples(*commands: str) -> str:
    """The examples at the end of a command's help."""
    head = "Example:" if len(commands) == 1 else "Examples:"
    return "\b\n" + "\n".join((head, *(f"  {command}" for command in commands)))
