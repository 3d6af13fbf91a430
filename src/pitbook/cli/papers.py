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

from pitbook.cli.language import localize, output_language
from pitbook.cli.lazy_commands import CommandTable, group
from pitbook.cli.options import Folders, Json, SheetName, library, load_sheet, today
from pitbook.cli.plain_output import emit, examples
from pitbook.cli.progress import progress
from pitbook.errors import PitbookError
from pitbook.extras import require_extra
from pitbook.sheets.model import Sheet
from pitbook.text import Sentence, locale_of, say
from pitbook.text.user_input import did_you_mean, title_error

if TYPE_CHECKING:
    from pitbook.printing.content import Paper


app = group(
    "Build and list papers: rules, report, cards, sign, layout, checklist, redline.",
    epilog=examples("pitbook papers build catfish-bend/mississippi-stud -o packet"),
    commands=CommandTable({}, group="papers"),
)


EPOCH = "SOURCE_DATE_EPOCH"


class Size(StrEnum):
    """The paper size."""

    LETTER = "letter"
    A4 = "a4"


class PaperForm(StrEnum):
    """The kind of file."""

    PDF = "pdf"
    HTML = "html"


PageSizes: TypeAlias = Annotated[Size, typer.Option("--size", help="Page size.")]


BuildDate: TypeAlias = Annotated[
    str | None,
    typer.Option(
        "--date",
        metavar="DAY",
        help=f"Build date in the files; by default {EPOCH} or today.",
    ),
]
PreparedBy: TypeAlias = Annotated[
    str, typer.Option(metavar="NAME", help="Author named in the files.")
]


def build_time(day: str | None = None) -> date | datetime:
    """The build date that a file records: --date, then SOURCE_DATE_EPOCH, then today in UTC."""
    if day is not None:
        try:
            return date.fromisoformat(day)
        except ValueError:
            problem = say("papers.filing.not-a-date", day=day)
            raise typer.BadParameter(localize(problem), param_hint="--date") from None
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
def report_interruption(message: Sentence) -> Iterator[None]:
    """On Ctrl-C, print the message and stop."""
    try:
        yield
    except KeyboardInterrupt:
        print(localize(message), file=sys.stderr)
        raise


def write_paper(
    out: str | Path,
    paper: Paper,
    currency: str | None = None,
    *,
    size: Size = Size.LETTER,
) -> None:
    """Write a paper to a file atomically, with money in this currency."""
    from pitbook.printing.packet import require_writable_file, write_file  # noqa: PLC0415  Imports NumPy.
    from pitbook.printing.typeset import pdf  # noqa: PLC0415

    require_writable_file(Path(out))
    language = locale_of(output_language(), currency)
    write_file(Path(out), pdf(paper, language=language, size=size.value, built=build_time()))


def _paper_names(incomplete: str) -> list[str]:
    from pitbook.printing.packet import PAPER_NAMES  # noqa: PLC0415

    return [name for name in PAPER_NAMES if name.startswith(incomplete)]


def _state_names(incomplete: str) -> list[str]:
    from pitbook.printing.checklists import checklists  # noqa: PLC0415

    return [name for name in checklists() if name.startswith(incomplete)]


@app.command(
    "build",
    short_help="Build every paper of a sheet into a folder.",
    epilog=examples(
        "pitbook papers build catfish-bend/mississippi-stud -o packet",
        "pitbook papers build my-sheets/stud.toml -o packet --only rules --only sign",
        "pitbook papers build louisiana-stud/standard -o packet --jurisdiction ohio",
        "pitbook papers build pennsylvania/three-card-poker -o web --format html",
    ),
)
def build(
    sheet: SheetName,
    *,
    out: Annotated[str, typer.Option("--out", "-o", metavar="DIR", help="Output folder.")],
    only: Annotated[
        list[str] | None,
        typer.Option(
            metavar="PAPER", autocompletion=_paper_names, help="Only this paper; may be repeated."
        ),
    ] = None,
    jurisdiction: Annotated[
        str | None,
        typer.Option(
            metavar="STATE",
            autocompletion=_state_names,
            help="State of the checklist; the sheet's by default.",
        ),
    ] = None,
    size: PageSizes = Size.LETTER,
    form: Annotated[PaperForm, typer.Option("--format", help="Kind of files.")] = PaperForm.PDF,
    day: BuildDate = None,
    prepared_by: PreparedBy = "",
    rounds: Annotated[
        str | None,
        typer.Option(
            metavar="N",
            help="Rounds to simulate for the report; by default the stored results, or up to 1e9.",
        ),
    ] = None,
    folder: Folders = None,
    json: Json = False,
) -> None:
    """Build every paper of a sheet: rules, report, cards, sign, layout and checklist.

    Papers of an earlier version in the same folder are kept under dated names. The same sheet and
    build date give identical files.
    """
    from pitbook.cli.simulate import parse_rounds  # noqa: PLC0415

    check_preparer(prepared_by)
    if form is PaperForm.PDF:
        require_extra("typst")
    rules = load_sheet(sheet, folder)
    from pitbook.printing.packet import PaperOrder, count_steps  # noqa: PLC0415  Imports NumPy.
    from pitbook.printing.packet import build as build_packet  # noqa: PLC0415

    order = PaperOrder(
        only=_check_paper_names(only or []),
        state=_jurisdiction_of(rules, jurisdiction),
        language=locale_of(output_language(), rules.house.currency),
        size=size.value,
        built=build_time(day),
        prepared_by=prepared_by,
        format=form.value,
        rounds=None if rounds is None else parse_rounds(rounds),
    )
    if not out.strip():  # As from an unset variable; the current folder is ".".
        raise PitbookError(say("papers.filing.unnamed"))
    if not order.names:
        raise PitbookError(say("papers.filing.no-state", sheet=rules.id))
    interruption = report_interruption(say("papers.filing.stopped", folder=out))
    with (
        interruption,
        progress(count_steps(rules, order), label=say("cli.progress.steps")) as on_progress,
    ):
        index = build_packet(rules, Path(out), order, on=today(), on_progress=on_progress)
    if json:
        emit({"folder": out, **index})
        return
    for name in order.names:
        print(Path(out) / f"{name}.{form.value}")
    if index["superseded"] and index["superseded"][0]["superseded"] == today().isoformat():
        print(localize(say("papers.filing.kept", folder=index["superseded"][0]["folder"])))


def _check_paper_names(names: list[str]) -> tuple[str, ...]:
    from pitbook.printing.packet import PAPER_NAMES  # noqa: PLC0415

    for paper_name in names:
        if paper_name not in PAPER_NAMES:
            remedy = did_you_mean(paper_name, PAPER_NAMES)
            raise PitbookError(say("papers.filing.no-paper", paper=paper_name, remedy=remedy))
    return tuple(names)


def _jurisdiction_of(sheet: Sheet, jurisdiction: str | None) -> str | None:
    from pitbook.printing.checklists import checklist_of, require_checklist  # noqa: PLC0415

    if jurisdiction is not None:
        return require_checklist(jurisdiction)
    return checklist_of(sheet.house.jurisdiction)


@app.command(
    "redline",
    short_help="Show the changes from one sheet to another.",
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
    out: Annotated[str, typer.Option("--out", "-o", metavar="FILE", help="PDF file to write.")],
    size: PageSizes = Size.LETTER,
    date: BuildDate = None,
    prepared_by: PreparedBy = "",
    different_games: Annotated[
        bool, typer.Option("--different-games", help="Allow two different games.")
    ] = False,
    folder: Folders = None,
    json: Json = False,
) -> None:
    """Build a redline: the changes from the first sheet to the second, for approval.

    Shows deletions struck through and insertions underlined, each change's effect on the house
    edge, changes to best play, and the papers to replace.
    """
    check_preparer(prepared_by)
    built = build_time(date)
    sheet_library, day = library(folder), today()
    first, second = sheet_library.load(a, day), sheet_library.load(b, day)
    from pitbook.printing.content import plain  # noqa: PLC0415  Imports NumPy.
    from pitbook.printing.packet import compute_figures, require_writable_file, write_file  # noqa: PLC0415
    from pitbook.printing.redline import redline as build_redline  # noqa: PLC0415
    from pitbook.printing.redline import same_game  # noqa: PLC0415
    from pitbook.printing.report_figures import STEPS  # noqa: PLC0415
    from pitbook.printing.typeset import pdf  # noqa: PLC0415

    if not different_games and not same_game(first, second):
        fields = {"a": first.title, "b": second.title}
        raise PitbookError(say("papers.redline.not-one-game", **fields))
    require_writable_file(Path(out))
    steps = len(STEPS)
    language = locale_of(output_language(), second.house.currency)
    interruption = report_interruption(say("papers.filing.redline-stopped", file=out))
    with interruption, progress(2 * steps + 1, label=say("cli.progress.steps")) as on_progress:
        compute_figures(first, on_progress)
        compute_figures(second, lambda step: on_progress(steps + step))
        paper = build_redline(first, second, language=language, size=size.value)
        on_progress(2 * steps + 1)
    content = pdf(paper, language=language, size=size.value, built=built, author=prepared_by)
    write_file(Path(out), content)
    if json:
        sections = plain(paper.sections, locale_of("en", second.house.currency))
        emit({"a": first.id, "b": second.id, "file": out, "sections": sections})
    else:
        print(out)


@app.command(
    "list",
    short_help="List the papers in a folder.",
    epilog=examples("pitbook papers list packet"),
)
def list_(
    folder: Annotated[str, typer.Argument(metavar="DIR", help="Folder of papers.")] = ".",
    *,
    json: Json = False,
) -> None:
    """List the papers in a folder with their dates, the version in force first."""
    from pitbook.printing.packet import file_states, load_index  # noqa: PLC0415  Imports NumPy.

    if not Path(folder).is_dir():
        raise PitbookError(say("papers.filing.no-folder", folder=folder))
    index = load_index(Path(folder))
    if json:
        emit({"folder": folder, **index})
        return
    if not index["current"]:
        print(localize(say("papers.filing.nothing", folder=folder)))
    else:
        _print(index["current"], file_states(Path(folder), index["current"]))
    for entry in index["superseded"]:
        _print(entry, file_states(Path(folder), entry))


def _print(entry: dict[str, Any], files: dict[str, str]) -> None:
    until = entry.get("superseded", "")
    summary = say(
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
    print(localize(summary))
    file_texts = (
        say("papers.filing.file", file=name, how=format_text) for name, format_text in files.items()
    )
    print(f"  {', '.join(map(localize, file_texts))}")
