"""One paper as a PDF file, in the language that is spoken."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import date
from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, TypeAlias

import typer

from pitbook.cli.common.language import spoken, worded
from pitbook.wording import Sentence, speech

if TYPE_CHECKING:
    from pitbook.papers.content import Paper

__all__ = ["PageSizes", "Size", "stopped", "write_paper"]


class Size(StrEnum):
    """The paper that is printed on."""

    LETTER = "letter"
    A4 = "a4"


PageSizes: TypeAlias = Annotated[Size, typer.Option("--size", help="The size of the pages.")]


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
    day: date | None,
    currency: str | None = None,
    *,
    size: Size = Size.LETTER,
) -> None:
    """Write a paper to a file, whole or not at all; day and currency are of what it tells of."""
    from pitbook.papers.filing import expect_file, written  # noqa: PLC0415  These bring NumPy.
    from pitbook.papers.typeset import pdf  # noqa: PLC0415

    expect_file(Path(out))
    language = speech(spoken(), currency)
    written(Path(out), pdf(paper, language=language, size=size.value, day=day))
