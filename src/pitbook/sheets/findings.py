"""What is wrong or worth knowing about a sheet: a sentence with its place, clause and remedy."""

from __future__ import annotations

import datetime
import difflib
import json
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any, Literal

from pitbook.errors import SheetError
from pitbook.text import Sentence, in_language, say
from pitbook.text.catalogue import ENGLISH
from pitbook.text.documents import said_by

FindingLevel = Literal["error", "notice"]
FieldPath = tuple[str | int, ...]

SHOWN_MAX = 100  # Of a level; whoever has more mends these first.
FOUND_MAX = 500  # Type errors that get a message; each takes time.

ECHO = "prose-echo"  # Prose that repeats the pay table.


@dataclass(frozen=True, slots=True)
class Finding:
    """One finding; `path` leads to the field, `line` and `column` to its place in the file.

    A sheet that lies in no file has line 0: its findings stand at the field's name.
    """

    level: FindingLevel
    code: str
    message: str
    path: FieldPath = ()
    clause: str | None = None
    file: str = ""
    line: int = 1
    column: int = 1
    quoted: str = ""

    @property
    def where(self) -> str:
        """file:line:column, or the field's name where the sheet lies in no file."""
        if not self.line:
            return ", ".join(one for one in (self.file, format_path(self.path)) if one)
        return f"{self.file}:{self.line}:{self.column}"

    def __str__(self) -> str:
        return self.told(ENGLISH)

    def told(self, language: str) -> str:
        """The finding in one line, in a language."""
        level = in_language(say("findings.level", level=self.level), language)
        clause = f" ({self.clause})" if self.clause else ""
        return f"{self.where}: {level}: {in_language(self.message, language)}{clause}"

    def document(self) -> dict[str, Any]:
        """The finding as JSON carries it."""
        return {
            "level": self.level,
            "code": self.code,
            "message": self.message,
            **said_by(self.message),
            "clause": self.clause,
            "field": format_path(self.path),
            "file": self.file,
            "line": self.line,
            "column": self.column,
            "quoted": self.quoted,
        }


class SheetInvalid(SheetError):
    """A sheet with errors; every one of them is in `findings`."""

    def __init__(self, findings: Iterable[Finding]) -> None:
        self.findings = tuple(findings)
        kept, left_out = limit_findings(self.findings)
        rest = count_left_out(left_out)
        super().__init__("\n".join([*map(str, kept), *([rest] if rest else [])]))


def limit_findings(
    findings: Iterable[Finding],
) -> tuple[tuple[Finding, ...], dict[FindingLevel, int]]:
    """The first hundred findings of each level, and how many more there are."""
    kept: list[Finding] = []
    seen: dict[FindingLevel, int] = {"error": 0, "notice": 0}
    for one in findings:
        seen[one.level] += 1
        if seen[one.level] <= SHOWN_MAX:
            kept.append(one)
    return tuple(kept), {level: max(0, count - SHOWN_MAX) for level, count in seen.items()}


def findings_json(findings: Iterable[Finding]) -> dict[str, Any]:
    """Findings as JSON carries them: the first hundred of each level, and how many more if any."""
    kept, left_out = limit_findings(findings)
    told = {"findings": [one.document() for one in kept]}
    return told | ({"left_out": left_out} if any(left_out.values()) else {})


def count_left_out(left_out: dict[FindingLevel, int]) -> str:
    """What is said of findings that are not shown: "and 23 more errors"; nothing where all are.

    >>> count_left_out({"error": 23, "notice": 1})
    'and 23 more errors and 1 more notice'
    """
    counts = {"errors": left_out["error"], "notices": left_out["notice"]}
    if not any(counts.values()):
        return ""
    return say("findings.more", both=all(counts.values()), **counts)


def errors(findings: Iterable[Finding]) -> tuple[Finding, ...]:
    """The findings that a sheet does not pass a check with."""
    return tuple(one for one in findings if one.level == "error")


def blocking_errors(findings: Iterable[Finding]) -> tuple[Finding, ...]:
    """The errors with which a sheet cannot be used; words that say a thing twice are no such."""
    return tuple(one for one in errors(findings) if one.code != ECHO)


def format_path(path: FieldPath) -> str:
    """A path as a reader writes it: streets[0].bets."""
    text = ""
    for step in path:
        text += f"[{step}]" if isinstance(step, int) else f".{step}"
    return text.removeprefix(".")


def show_value(given: Any) -> str:
    """A value as TOML writes it, or nearly, cut where it is long.

    >>> show_value(True), show_value("x")
    ('true', '"x"')
    """
    if isinstance(given, datetime.date | datetime.time):
        return str(given)
    try:
        text = json.dumps(given, ensure_ascii=False, default=str)
    except (TypeError, ValueError, RecursionError):  # A number or a nesting beyond all sense.
        return "(too long to print)"
    return text if len(text) <= 60 else text[:57] + "..."


def printable(text: str) -> str:
    r"""The text in one line that no terminal can take for an order.

    >>> printable("two\nlines")
    'two\\nlines'
    """
    if text.isprintable():
        return text
    plain = "".join(c if c.isprintable() else ascii(c)[1:-1] for c in text)
    if not isinstance(text, Sentence):
        return plain
    return Sentence(
        plain, text.key, {name: _printable_field(one) for name, one in text.fields.items()}
    )


def _printable_field(field: Any) -> Any:
    if isinstance(field, tuple):
        return tuple(map(_printable_field, field))
    return printable(field) if isinstance(field, str) else field


def did_you_mean(word: str, known: Iterable[str]) -> Sentence:
    """A remedy for a misspelt word: the nearest known one, or the list where none is near."""
    names = list(known)
    near = difflib.get_close_matches(word, names, n=1, cutoff=0.6)
    if near:
        return say("findings.did-you-mean", word=near[0])
    if len(names) > 12:
        return say("findings.known-and-more", words=tuple(names[:12]))
    return say("findings.known", words=tuple(names))
