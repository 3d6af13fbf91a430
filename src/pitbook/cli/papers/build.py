"""`pitbook papers build`: the packet of a sheet, one PDF for each paper."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from pitbook.cli.common.arguments import Folders, Json, SheetName, sheet_named, today
from pitbook.cli.common.language import spoken, worded
from pitbook.cli.common.lazy import command
from pitbook.cli.common.output import emit, examples
from pitbook.cli.common.progress import progress
from pitbook.cli.papers.writing import (
    BuildDate,
    PageSizes,
    PreparedBy,
    Size,
    build_time,
    check_preparer,
    stopped,
)
from pitbook.errors import PitbookError
from pitbook.sheets.findings import did_you_mean
from pitbook.sheets.model import Sheet
from pitbook.text import say, speech

app = command()


@app.command(
    epilog=examples(
        "pitbook papers build catfish-bend/mississippi-stud -o packet",
        "pitbook papers build my-sheets/stud.toml -o packet --only rules --only sign",
        "pitbook papers build louisiana-stud/standard -o packet --jurisdiction ohio",
    )
)
def build(
    sheet: SheetName,
    *,
    out: Annotated[str, typer.Option("--out", "-o", metavar="DIR", help="The folder to fill.")],
    only: Annotated[
        list[str] | None, typer.Option(metavar="PAPER", help="Only this one; may be repeated.")
    ] = None,
    jurisdiction: Annotated[
        str | None,
        typer.Option(metavar="STATE", help="The checklist of this state; left out, the sheet's."),
    ] = None,
    size: PageSizes = Size.LETTER,
    day: BuildDate = None,
    prepared_by: PreparedBy = "",
    folder: Folders = None,
    json: Json = False,
) -> None:
    """Make every paper of a sheet: rules, report, cards, sign, layout and a checklist.

    Papers of an earlier version in the same folder are kept beside them, with their dates. The
    same sheet and build date give the same bytes.
    """
    check_preparer(prepared_by)
    rules = sheet_named(sheet, folder)
    from pitbook.papers.filing import PaperOrder, work  # noqa: PLC0415  It brings NumPy.
    from pitbook.papers.filing import build as made  # noqa: PLC0415

    asked = PaperOrder(
        only=_only(only or []),
        state=_state(rules, jurisdiction),
        language=speech(spoken(), rules.house.currency),
        size=size.value,
        built=build_time(day),
        prepared_by=prepared_by,
    )
    if not out.strip():  # As of a variable that nobody set; the folder at hand is ".".
        raise PitbookError(say("papers.filing.unnamed"))
    if not asked.names:
        raise PitbookError(say("papers.filing.no-state", sheet=rules.id))
    halted = stopped(say("papers.filing.stopped", folder=out))
    with halted, progress(work(rules, asked), of=say("cli.progress.steps")) as done:
        index = made(rules, Path(out), asked, on=today(), done=done)
    if json:
        emit({"folder": out, **index})
        return
    for name in asked.names:
        print(Path(out) / f"{name}.pdf")
    if index["superseded"] and index["superseded"][0]["superseded"] == today().isoformat():
        print(worded(say("papers.filing.kept", folder=index["superseded"][0]["folder"])))


def _only(names: list[str]) -> tuple[str, ...]:
    from pitbook.papers.filing import NAMES  # noqa: PLC0415

    for one in names:
        if one not in NAMES:
            remedy = did_you_mean(one, NAMES)
            raise PitbookError(say("papers.filing.no-paper", paper=one, remedy=remedy))
    return tuple(names)


def _state(sheet: Sheet, jurisdiction: str | None) -> str | None:
    from pitbook.papers.checklists import checklist_of, named  # noqa: PLC0415

    if jurisdiction is not None:
        return named(jurisdiction)
    return checklist_of(sheet.house.jurisdiction)
