"""Findings about a sheet: a sentence with its position, clause and remedy."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any, Literal

from pitbook.errors import SheetError
from pitbook.text import in_language, say
from pitbook.text.catalog import ENGLISH
from pitbook.text.sentences import sentence_json

FindingLevel = Literal["error", "notice"]
FieldPath = tuple[str | int, ...]

SHOWN_MAX = 100  # Per level.
FOUND_MAX = 500  # Type errors with a message; each takes time.

PROSE_ECHO = "prose-echo"  # Prose that repeats the pay table.


@dataclass(frozen=True, slots=True)
class Finding:
    """One finding; `path` leads to the field, `line` and `column` to its position in the file.

    A sheet without a file has line 0: its findings refer to the field's name.
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
        """file:line:column, or the field's name for a sheet without a file."""
        if not self.line:
            return ", ".join(part for part in (self.file, format_path(self.path)) if part)
        return f"{self.file}:{self.line}:{self.column}"

    def __str__(self) -> str:
        return self.render(ENGLISH)

    def render(self, language: str) -> str:
        """The finding in one line, in a language."""
        level = in_language(say("findings.level", level=self.level), language)
        clause = f" ({self.clause})" if self.clause else ""
        return f"{self.where}: {level}: {in_language(self.message, language)}{clause}"

    def document(self) -> dict[str, Any]:
        """The finding as JSON."""
        return {
            "level": self.level,
            "code": self.code,
            "message": self.message,
            **sentence_json(self.message),
            "clause": self.clause,
            "field": format_path(self.path),
            "file": self.file,
            "line": self.line,
            "column": self.column,
            "quoted": self.quoted,
        }


class SheetInvalid(SheetError):
    """A sheet with errors, all of them in `findings`."""

    def __init__(self, findings: Iterable[Finding]) -> None:
        self.findings = tuple(findings)
        listed, left_out = limit_findings(self.findings)
        summary = count_left_out(left_out)
        super().__init__("\n".join([*map(str, listed), *([summary] if summary else [])]))


def limit_findings(
    findings: Iterable[Finding],
) -> tuple[tuple[Finding, ...], dict[FindingLevel, int]]:
    """The first hundred findings of each level, and the number of others."""
    listed: list[Finding] = []
    counts: dict[FindingLevel, int] = {"error": 0, "notice": 0}
    for finding in findings:
        counts[finding.level] += 1
        if counts[finding.level] <= SHOWN_MAX:
            listed.append(finding)
    return tuple(listed), {level: max(0, count - SHOWN_MAX) for level, count in counts.items()}


def findings_json(findings: Iterable[Finding]) -> dict[str, Any]:
    """Findings as JSON: the first hundred of each level, and the number of others if any."""
    listed, left_out = limit_findings(findings)
    document = {"findings": [finding.document() for finding in listed]}
    return document | ({"left_out": left_out} if any(left_out.values()) else {})


def count_left_out(left_out: dict[FindingLevel, int]) -> str:
    """The note on findings that are not shown: "and 23 more errors"; empty if none.

    >>> count_left_out({"error": 23, "notice": 1})
    'and 23 more errors and 1 more notice'
    """
    counts = {"errors": left_out["error"], "notices": left_out["notice"]}
    if not any(counts.values()):
        return ""
    return say("findings.more", both=all(counts.values()), **counts)


def errors(findings: Iterable[Finding]) -> tuple[Finding, ...]:
    """The findings that fail a check."""
    return tuple(finding for finding in findings if finding.level == "error")


def blocking_errors(findings: Iterable[Finding]) -> tuple[Finding, ...]:
    """The errors that make a sheet unusable: all except redundant prose."""
    return tuple(finding for finding in errors(findings) if finding.code != PROSE_ECHO)


def format_path(path: FieldPath) -> str:
    """A path as text: streets[0].bets."""
    text = ""
    for step in path:
        text += f"[{step}]" if isinstance(step, int) else f".{step}"
    return text.removeprefix(".")
