"""`pitbook papers redline`: two sheets, every changed rule, and what the change is worth."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from pitbook.cli.common.arguments import Folders, Json, SheetName, library, today
from pitbook.cli.common.language import spoken
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
from pitbook.text import say, speech

app = command()


@app.command(
    epilog=examples(
        "pitbook papers redline louisiana-stud/standard \\",
        "          louisiana-stud/stax-required -o red.pdf",
        "pitbook papers redline old.toml new.toml -o change.pdf",
    )
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
    from pitbook.papers.filing import expect_file, figured, written  # noqa: PLC0415
    from pitbook.papers.redline import redline as made  # noqa: PLC0415
    from pitbook.papers.report.measured import STEPS  # noqa: PLC0415
    from pitbook.papers.typeset import pdf  # noqa: PLC0415

    expect_file(Path(out))
    steps = len(STEPS)
    language = speech(spoken(), second.house.currency)
    halted = stopped(say("papers.filing.redline-stopped", file=out))
    with halted, progress(2 * steps + 1, of=say("cli.progress.steps")) as done:
        figured(first, done)
        figured(second, lambda step: done(steps + step))
        paper = made(first, second, language=language, size=size.value)
        done(2 * steps + 1)
    content = pdf(paper, language=language, size=size.value, built=built, author=prepared_by)
    written(Path(out), content)
    if json:
        sections = plain(paper.sections, speech("en", second.house.currency))
        emit({"a": first.id, "b": second.id, "file": out, "sections": sections})
    else:
        print(out)
