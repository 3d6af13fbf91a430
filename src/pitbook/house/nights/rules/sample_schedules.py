"""Schedules to begin with; an organiser changes a number more easily than an empty page."""

from __future__ import annotations

import math
import tomllib
from collections.abc import Callable
from pathlib import Path
from typing import Any

from pitbook.house.nights.rules.reading import examine, examine_fields, understood
from pitbook.house.nights.tournament.schedule import Schedule, odd_shares
from pitbook.house.people.names import title_error
from pitbook.sheets.findings import Finding

SAMPLES = Path(__file__).parents[1] / "schedules"
FILE = "schedule.toml"
CheckSchedule = Callable[[Schedule], list[Finding]]
EXACT = 2**53  # From here on a browser rounds whole numbers.


def samples() -> dict[str, str]:
    """The text of each, by name."""
    return {path.stem: path.read_text("utf-8") for path in sorted(SAMPLES.glob("*.toml"))}


def read_schedule(text: str, check: CheckSchedule | None = None) -> Schedule:
    """The schedule in a TOML text; raises SheetInvalid with every mistake and its line."""
    return understood(examine(Schedule, text.replace("\r\n", "\n"), FILE, check or odd))


def read_fields(fields: dict[str, Any], check: CheckSchedule | None = None) -> Schedule:
    """The schedule in a form's fields; raises SheetInvalid with every mistake at its field."""
    return understood(examine_fields(Schedule, fields, check or odd))


def wrong_in(fields: dict[str, Any]) -> tuple[Finding, ...]:
    """What is wrong with a form's fields, each at its own."""
    return examine_fields(Schedule, fields, odd).findings


def read_loosely(text: str) -> tuple[dict[str, Any] | None, tuple[Finding, ...]]:
    """What a text says field by field, right or wrong, and what is wrong; None: it is no TOML.

    A form is filled in from it, so what a page cannot hold, as a date or a number of thousands of
    digits, is nothing either.
    """
    text = text.replace("\r\n", "\n")
    findings = examine(Schedule, text, FILE, odd).findings
    if any(one.code == "syntax" for one in findings):
        return None, findings
    fields = tomllib.loads(text)
    return (fields if _is_plain(fields) else None), findings


def _is_plain(value: Any) -> bool:
    if isinstance(value, dict | list):
        return all(map(_is_plain, value.values() if isinstance(value, dict) else value))
    if isinstance(value, int):
        return abs(value) < EXACT
    return isinstance(value, str) or (isinstance(value, float) and math.isfinite(value))


def odd(schedule: Schedule) -> list[Finding]:
    """Mistakes in a well-written schedule: an odd title, or prizes unlike the money paid in."""
    problem = title_error("title", schedule.title)
    return [
        *([Finding("error", "name", problem, ("title",))] if problem else ()),
        *(
            Finding("error", "prizes", message, ("prizes", place, "shares"))
            for place, message in odd_shares(schedule)
        ),
    ]
