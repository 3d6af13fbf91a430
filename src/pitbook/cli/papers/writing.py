"""One paper as a PDF file, in the language that is spoken."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import UTC, date, datetime
from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, TypeAlias

import typer

from pitbook.cli.common.language import spoken, worded
from pitbook.errors import PitbookError
from pitbook.house.people.names import title_error
from pitbook.text import Sentence, say, speech

if TYPE_CHECKING:
    from pitbook.papers.content import Paper

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
    from pitbook.papers.filing import expect_file, written  # noqa: PLC0415  These bring NumPy.
    from pitbook.papers.typeset import pdf  # noqa: PLC0415

    expect_file(Path(out))
    language = speech(spoken(), currency)
    written(Path(out), pdf(paper, language=language, size=size.value, built=build_time()))
