"""Schedules to begin with; an organiser changes a number more easily than an empty page."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from pitbook.nights.rules.reading import examine, examine_fields, understood
from pitbook.nights.tournament.schedule import Schedule, odd_shares
from pitbook.sheets.findings import Finding

__all__ = ["odd", "read_fields", "read_schedule", "samples"]

SAMPLES = Path(__file__).parents[1] / "schedules"
FILE = "schedule.toml"


def samples() -> dict[str, str]:
    """The text of each, by name."""
    return {path.stem: path.read_text("utf-8") for path in sorted(SAMPLES.glob("*.toml"))}


def read_schedule(text: str) -> Schedule:
    """The schedule that a text holds; raises SheetInvalid with every mistake and its place."""
    return understood(examine(Schedule, text.replace("\r\n", "\n"), FILE, odd))


def read_fields(fields: dict[str, Any]) -> Schedule:
    """The schedule that a form holds, in the shape of the file; raises SheetInvalid likewise."""
    return understood(examine_fields(Schedule, fields, odd))


def odd(schedule: Schedule) -> list[Finding]:
    """What is well written and yet shares out more or less than there is."""
    return [
        Finding("error", "prizes", message, ("prizes", place, "shares"))
        for place, message in odd_shares(schedule)
    ]
