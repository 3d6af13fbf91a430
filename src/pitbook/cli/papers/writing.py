"""One paper as a PDF file, in the language that is spoken."""

from __future__ import annotations

from datetime import date
from pathlib import Path
from typing import TYPE_CHECKING

from pitbook.cli.common.language import spoken

if TYPE_CHECKING:
    from pitbook.papers.content import Paper

__all__ = ["write_paper"]


def write_paper(out: str | Path, paper: Paper, day: date | None) -> None:
    """Write a paper to a file, whole or not at all; `day` is what it is of."""
    from pitbook.papers.filing import written  # noqa: PLC0415  These bring NumPy.
    from pitbook.papers.typeset import pdf  # noqa: PLC0415

    written(Path(out), pdf(paper, language=spoken(), day=day))
