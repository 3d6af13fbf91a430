"""`pitbook papers result`: what every table won or lost in an interval, as a paper."""

from __future__ import annotations

from importlib.metadata import version
from pathlib import Path
from typing import Annotated

import typer

from pitbook.cli.lazy_commands import command
from pitbook.cli.options import Json
from pitbook.cli.papers import PageSizes, Size, write_paper
from pitbook.cli.plain_output import emit, examples
from pitbook.errors import LedgerError
from pitbook.house.cli.ledger_options import Data, Database, From, To, interval, open_folder

app = command()

FINDING = 1


@app.command(
    epilog=examples(
        "pitbook papers result -o result.pdf",
        "pitbook papers result --from 2026-11-01 --to 2026-11-30 -o november.pdf",
    )
)
def result(
    *,
    out: Annotated[str, typer.Option("--out", "-o", metavar="FILE", help="PDF file to write.")],
    start: From = None,
    end: To = None,
    operator: Annotated[
        str, typer.Option(metavar="NAME", help="Operator name for the report header.")
    ] = "Pitbook",
    size: PageSizes = Size.LETTER,
    data: Data = Path("pitbook-data"),
    database: Database = None,
    json: Json = False,
) -> None:
    """Report drop, win, hold, fills and credits of every table over a period, and reconcile them.

    A table that does not reconcile is a finding and makes the exit code 1.
    """
    from pitbook.house.inspect.table_results import sum_by_unit, table_results  # noqa: PLC0415
    from pitbook.house.ledger.queries import format_time  # noqa: PLC0415
    from pitbook.house.ledger.writer import utc_now  # noqa: PLC0415  These bring the database.
    from pitbook.house.papers.table_result import table_result  # noqa: PLC0415
    from pitbook.text.user_input import title_error  # noqa: PLC0415

    if operator and (problem := title_error("--operator", operator)):
        raise LedgerError(problem)
    within = interval(start, end)
    with open_folder(data, database) as folder:
        results = table_results(folder.ledger, within)
    now = utc_now()
    header = {"operator": operator, "generated": format_time(now), "version": version("pitbook")}
    write_paper(out, table_result(results, within, **header), size=size)
    if json:
        tables = [table_result.document() for table_result in results]
        emit(
            {
                "file": out,
                "tables": tables,
                "units": [table_result.document() for table_result in sum_by_unit(results)],
            }
        )
    else:
        print(out)
    if any(table_result.variance for table_result in results):
        raise typer.Exit(FINDING)
