"""`pitbook papers`: build, compare and list the documents of a sheet."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import UTC, date, datetime
from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, TypeAlias

import typer

from pitbook.cli.commands import CommandTable, group
from pitbook.cli.language import spoken, worded
from pitbook.cli.options import Folders, Json, SheetName, library, sheet_named, today
from pitbook.cli.output import emit, examples
from pitbook.cli.progress import progress
from pitbook.errors import PitbookError
from pitbook.house.people.names import title_error
from pitbook.sheets.findings import did_you_mean
from pitbook.sheets.model import Sheet
from pitbook.text import Sentence, say, speech

if TYPE_CHECKING:
    from pitbook.papers.content import Paper


app = group(
    "Papers: rules, report, cards, sign, layout, checklist, redline.",
    epilog=examples("pitbook papers build catfish-bend/mississippi-stud -o packet"),
    commands=CommandTable({}, group="papers"),
)


EPOCH = "SOURCE_DATE_EPOCH"


class Size(StrEnum):
    """The paper that is printed on."""

    LETTER = "letter"
    A4 = "a4"


PageSizes: TypeAlias = Annotated[Size, typer.Option("--size", help="The size of the pages.")]


BuildDate: TypeAlias = Annotated[
    str | None,
    typer.Option(
        "--date",
        metavar="DAY",
        help=f"The build date in the files; otherwise {EPOCH} or today.",
    ),
]
PreparedBy: TypeAlias = Annotated[
    str, typer.Option(metavar="NAME", help="Who prepared the papers: the author in the files.")
]


def build_time(day: str | None = None) -> date | datetime:
    """The build date that a file records: --date, then SOURCE_DATE_EPOCH, then today in UTC."""
    if day is not None:
        try:
            return date.fromisoformat(day)
        except ValueError:
            problem = say("papers.filing.not-a-date", day=day)
            raise typer.BadParameter(worded(problem), param_hint="--date") from None
    if seconds := os.environ.get(EPOCH):
        try:
            return datetime.fromtimestamp(int(seconds), UTC)
        except (ValueError, OverflowError, OSError):
            raise PitbookError(say("papers.filing.not-an-epoch", seconds=seconds)) from None
    return datetime.now(UTC).date()


def check_preparer(name: str) -> None:
    """Raise PitbookError if --prepared-by is not a name that fits on one line."""
    if name and (problem := title_error("--prepared-by", name)):
        raise PitbookError(problem)


@contextmanager
def stopped(standing: Sentence) -> Iterator[None]:
    """Say on Ctrl-C how things stand, and end as one does then."""
    try:
        yield
    except KeyboardInterrupt:
        print(worded(standing), file=sys.stderr)
        raise


def write_paper(
    out: str | Path,
    paper: Paper,
    currency: str | None = None,
    *,
    size: Size = Size.LETTER,
) -> None:
    """Write a paper to a file, whole or not at all, with money in this currency."""
    from pitbook.papers.packet import expect_file, written  # noqa: PLC0415  These bring NumPy.
    from pitbook.papers.typeset import pdf  # noqa: PLC0415

    expect_file(Path(out))
    language = speech(spoken(), currency)
    written(Path(out), pdf(paper, language=language, size=size.value, built=build_time()))


@app.command(
    "build",
    short_help="Every paper of a sheet, into a folder.",
    epilog=examples(
        "pitbook papers build catfish-bend/mississippi-stud -o packet",
        "pitbook papers build my-sheets/stud.toml -o packet --only rules --only sign",
        "pitbook papers build louisiana-stud/standard -o packet --jurisdiction ohio",
    ),
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
    rounds: Annotated[
        str | None,
        typer.Option(
            metavar="N",
            help="Rounds to simulate for the report; left out, those stored, or up to 1e9.",
        ),
    ] = None,
    folder: Folders = None,
    json: Json = False,
) -> None:
    """Make every paper of a sheet: rules, report, cards, sign, layout and a checklist.

    Papers of an earlier version in the same folder are kept beside them, with their dates. The
    same sheet and build date give the same bytes.
    """
    from pitbook.cli.simulate import parse_rounds  # noqa: PLC0415

    check_preparer(prepared_by)
    rules = sheet_named(sheet, folder)
    from pitbook.papers.packet import PaperOrder, work  # noqa: PLC0415  It brings NumPy.
    from pitbook.papers.packet import build as made  # noqa: PLC0415

    asked = PaperOrder(
        only=_only(only or []),
        state=_state(rules, jurisdiction),
        language=speech(spoken(), rules.house.currency),
        size=size.value,
        built=build_time(day),
        prepared_by=prepared_by,
        rounds=None if rounds is None else parse_rounds(rounds),
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
    from pitbook.papers.packet import NAMES  # noqa: PLC0415

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


@app.command(
    "redline",
    short_help="What changes from one sheet to another.",
    epilog=examples(
        "pitbook papers redline louisiana-stud/standard \\",
        "          louisiana-stud/stax-required -o red.pdf",
        "pitbook papers redline old.toml new.toml -o change.pdf",
    ),
)
def redline(
    a: SheetName,
    b: SheetName,
    *,
    out: Annotated[str, typer.Option("--out", "-o", metavar="FILE", help="The PDF to write.")],
    size: PageSizes = Size.LETTER,
    date: BuildDate = None,
    prepared_by: PreparedBy = "",
    folder: Folders = None,
    json: Json = False,
) -> None:
    """What changes from the first sheet to the second, as a paper to be approved.

    Every changed rule in words with both clauses, the change of the house edge, changes of best
    play, and the papers that must be replaced.
    """
    check_preparer(prepared_by)
    built = build_time(date)
    shelf, day = library(folder), today()
    first, second = shelf.load(a, day), shelf.load(b, day)
    from pitbook.papers.content import plain  # noqa: PLC0415  These bring NumPy.
    from pitbook.papers.figures import STEPS  # noqa: PLC0415
    from pitbook.papers.packet import compute_figures, expect_file, written  # noqa: PLC0415
    from pitbook.papers.redline import redline as made  # noqa: PLC0415
    from pitbook.papers.typeset import pdf  # noqa: PLC0415

    expect_file(Path(out))
    steps = len(STEPS)
    language = speech(spoken(), second.house.currency)
    halted = stopped(say("papers.filing.redline-stopped", file=out))
    with halted, progress(2 * steps + 1, of=say("cli.progress.steps")) as done:
        compute_figures(first, done)
        compute_figures(second, lambda step: done(steps + step))
        paper = made(first, second, language=language, size=size.value)
        done(2 * steps + 1)
    content = pdf(paper, language=language, size=size.value, built=built, author=prepared_by)
    written(Path(out), content)
    if json:
        sections = plain(paper.sections, speech("en", second.house.currency))
        emit({"a": first.id, "b": second.id, "file": out, "sections": sections})
    else:
        print(out)


@app.command(
    "list",
    short_help="The papers in a folder, and those before them.",
    epilog=examples("pitbook papers list packet"),
)
def list_(
    folder: Annotated[str, typer.Argument(metavar="DIR", help="A folder of papers.")] = ".",
    *,
    json: Json = False,
) -> None:
    """The papers in a folder with their dates, the version in force first."""
    from pitbook.papers.packet import kept_as, listed  # noqa: PLC0415  It brings NumPy.

    if not Path(folder).is_dir():
        raise PitbookError(say("papers.filing.no-folder", folder=folder))
    index = listed(Path(folder))
    if json:
        emit({"folder": folder, **index})
        return
    if not index["current"]:
        print(worded(say("papers.filing.nothing", folder=folder)))
    else:
        _print(index["current"], kept_as(Path(folder), index["current"]))
    for one in index["superseded"]:
        _print(one, kept_as(Path(folder), one))


def _print(entry: dict[str, Any], files: dict[str, str]) -> None:
    until = entry.get("superseded", "")
    told = say(
        "papers.filing.entry",
        sheet=entry["sheet"],
        version=entry["version"],
        effective=entry["effective"] or "-",
        approved=entry["approved"] or "-",
        hash=entry["hash"][:12],
        paper=entry["paper"][:12],
        old=bool(until),
        until=until,
    )
    print(worded(told))
    stand = (say("papers.filing.file", file=name, how=how) for name, how in files.items())
    print(f"  {', '.join(map(worded, stand))}")
