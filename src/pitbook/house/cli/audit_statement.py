"""`pitbook audit statement`: where the house's money is, and who owns it."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from pitbook.cli.language import output_language
from pitbook.cli.lazy_commands import command
from pitbook.cli.options import Json, write_text
from pitbook.cli.papers import PageSizes, Size, write_paper
from pitbook.cli.plain_output import emit, examples
from pitbook.house.cli.ledger_options import Data, Database, open_folder

FINDING = 1

app = command()


@app.command(
    epilog=examples("pitbook audit statement", "pitbook audit statement --pdf statement.pdf"),
)
def statement(
    *,
    html: Annotated[bool, typer.Option("--html", help="Print the statement as HTML.")] = False,
    pdf: Annotated[
        Path | None, typer.Option("--pdf", metavar="FILE", help="Also write a PDF to sign.")
    ] = None,
    size: PageSizes = Size.LETTER,
    output: Annotated[
        Path | None,
        typer.Option(
            "-o", "--output", metavar="FILE", show_default=False, help="Write to this file."
        ),
    ] = None,
    data: Data = Path("pitbook-data"),
    database: Database = None,
    json: Json = False,
) -> None:
    """Show where the house's money is, and how much belongs to each owner.

    The owners are the house, its players, and for each event the charity, the players who hold
    chips, prizes that are not paid yet, and prizes and refunds that were never claimed. What is
    held for a charity is the proceeds on the event's own statement. The exit code is 1 if cash and
    claims differ, for the house or for an event.
    """
    from pitbook.house.inspect.house_statement import (  # noqa: PLC0415  Imports the tables.
        house_statement,
        house_statement_page,
        house_statement_paper,
        house_statement_text,
    )
    from pitbook.house.ledger.writer import utc_now  # noqa: PLC0415  Imports the database.
    from pitbook.house.nights.night_cache import charity_names  # noqa: PLC0415

    with open_folder(data, database) as folder:
        report = house_statement(
            folder.ledger,
            charity_of=charity_names(folder.ledger),
            at=utc_now().isoformat(timespec="seconds"),
        )
    page = (house_statement_page if html else house_statement_text)(report, output_language())
    if pdf is not None:
        write_paper(pdf, house_statement_paper(report), size=size)
    if output is not None:
        write_text(output, page)
    if json:
        emit(report.document())
    elif output is None:
        print(page, end="")
    if not report.agrees:
        raise typer.Exit(FINDING)
