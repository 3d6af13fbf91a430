"""Schedules on the command line: read from a file and checked against the rule sheet."""

from __future__ import annotations

import datetime
from collections.abc import Callable, Sequence
from contextlib import suppress
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from pitbook.cli.night.asking import refused
from pitbook.cli.options import library

if TYPE_CHECKING:
    from pitbook.house.nights.state import NightState
    from pitbook.house.nights.tournament.schedule import Schedule
    from pitbook.sheets.findings import Finding


def read_schedule(path: Path, check: Callable[[Schedule], list[Finding]] | None = None) -> Schedule:
    """The schedule in a file; raises SheetInvalid with every mistake and its line."""
    from pitbook.house.nights.house_rules import examine, understood  # noqa: PLC0415
    from pitbook.house.nights.schedule_files import odd  # noqa: PLC0415
    from pitbook.house.nights.tournament.schedule import Schedule  # noqa: PLC0415
    from pitbook.sheets.loader import read_text  # noqa: PLC0415

    return understood(examine(Schedule, read_text(path), str(path), check or odd))


def read_playable(path: Path, night: NightState, folders: Sequence[str] | None) -> Schedule:
    """The schedule in a file, also checked against the sheet the tournament will be played on."""
    from pitbook.house.nights.schedule_files import check_on_sheet, odd  # noqa: PLC0415

    day = datetime.date.fromisoformat(night.gaming_date)
    load_sheet = partial(library(folders).load, on=day)

    def check(schedule: Schedule) -> list[Finding]:
        return [*odd(schedule), *check_on_sheet(schedule, load_sheet, night.rules)]

    return read_schedule(path, check)


def check_tournaments(
    night: NightState, gaming_date: str, folders: Sequence[str] | None, *, as_json: bool
) -> None:
    """Refuse another gaming date if a tournament does not fit its sheet on that day."""
    from pitbook.house.nights.schedule_files import why_unplayable  # noqa: PLC0415

    with suppress(ValueError):  # The night refuses an invalid date.
        load_sheet = partial(library(folders).load, on=datetime.date.fromisoformat(gaming_date))
        if refusal := why_unplayable(night.tournaments.values(), load_sheet, night.rules):
            refused(refusal, as_json=as_json)
