"""Read the house rules and schedules that night commands name; print what is wrong in them."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from datetime import date
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any, NoReturn

import typer

from pitbook.cli.options import library
from pitbook.cli.plain_output import emit, error_sentence
from pitbook.house.cli.night_output import exit_refused
from pitbook.sheets.findings import (
    Finding,
    SheetInvalid,
    count_left_out,
    findings_json,
    limit_findings,
)
from pitbook.text.user_input import printable

if TYPE_CHECKING:
    from pitbook.house.nights.state import NightState
    from pitbook.house.nights.tournament.schedule import Schedule


def load_house(name: str, *, as_json: bool) -> dict[str, Any]:
    """The rules of a house, as stored in an event."""
    from pitbook.house.nights.house_rules import load, stored_rules  # noqa: PLC0415

    with exit_on_invalid(as_json=as_json):
        return stored_rules(load(name))


@contextmanager
def exit_on_invalid(*, as_json: bool) -> Iterator[None]:
    """Read rules in this context: a file with mistakes ends the command with all of them."""

    try:
        yield
    except SheetInvalid as invalid:
        say_invalid(invalid.findings, as_json=as_json)


def read_schedule(path: Path, check: Callable[[Schedule], list[Finding]] | None = None) -> Schedule:
    """The schedule in a file; raises SheetInvalid with every mistake and its line."""
    from pitbook.house.nights.house_rules import parse_table, require_table  # noqa: PLC0415
    from pitbook.house.nights.schedule_files import schedule_findings  # noqa: PLC0415
    from pitbook.house.nights.tournament.schedule import Schedule  # noqa: PLC0415
    from pitbook.sheets.load import read_text  # noqa: PLC0415

    return require_table(
        parse_table(Schedule, read_text(path), str(path), check or schedule_findings)
    )


def read_playable(path: Path, night: NightState, folders: Sequence[str] | None) -> Schedule:
    """The schedule in a file, also checked against the sheet the tournament will be played on."""
    from pitbook.house.nights.schedule_files import check_on_sheet, schedule_findings  # noqa: PLC0415

    day = date.fromisoformat(night.gaming_date)
    load_sheet = partial(library(folders).load, on=day)

    def check(schedule: Schedule) -> list[Finding]:
        return [*schedule_findings(schedule), *check_on_sheet(schedule, load_sheet, night.rules)]

    return read_schedule(path, check)


def check_tournaments(
    night: NightState, gaming_date: str, folders: Sequence[str] | None, *, as_json: bool
) -> None:
    """Refuse another gaming date if a tournament does not fit its sheet on that day."""
    from pitbook.house.nights.schedule_files import unplayable_refusal  # noqa: PLC0415

    with suppress(ValueError):  # The night refuses an invalid date.
        load_sheet = partial(library(folders).load, on=date.fromisoformat(gaming_date))
        if refusal := unplayable_refusal(night.tournaments.values(), load_sheet, night.rules):
            exit_refused(refusal, as_json=as_json)


def say_invalid(findings: Sequence[Finding], *, as_json: bool) -> NoReturn:
    """Print every finding with its place and source line, then exit with 1."""
    if as_json:
        first = findings[0]
        emit(
            {"error": error_sentence(f"{first.where}: {first.message}"), **findings_json(findings)}
        )
    findings_shown, left_out = limit_findings(findings)
    for finding in findings_shown:
        print(f"pitbook: {finding}", file=sys.stderr)
        print(f"    {printable(finding.quoted)}", file=sys.stderr)
    if left_out_note := count_left_out(left_out):
        print(f"pitbook: {left_out_note}.", file=sys.stderr)
    raise typer.Exit(1)
