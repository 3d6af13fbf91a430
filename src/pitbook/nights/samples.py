"""Schedules to begin with; an organiser changes a number more easily than an empty page."""

from __future__ import annotations

from pathlib import Path

from pitbook.nights.reading import examine, understood
from pitbook.nights.tournament.schedule import Schedule

__all__ = ["read_schedule", "samples"]

SAMPLES = Path(__file__).parent / "schedules"
FILE = "schedule.toml"


def samples() -> dict[str, str]:
    """The text of each, by name."""
    return {path.stem: path.read_text("utf-8") for path in sorted(SAMPLES.glob("*.toml"))}


def read_schedule(text: str) -> Schedule:
    """The schedule that a text holds; raises SheetInvalid with every mistake and its place."""
    return understood(examine(Schedule, text.replace("\r\n", "\n"), FILE))
