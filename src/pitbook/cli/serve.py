"""`pitbook serve`: the house open to the network, until Ctrl-C closes it in good order."""

from __future__ import annotations

import os
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from pitbook.cli.arguments import Json
from pitbook.cli.house import counted, named
from pitbook.cli.lazy import command
from pitbook.cli.output import emit, examples
from pitbook.errors import LedgerError

if TYPE_CHECKING:
    from pitbook.web.serve import Opening

app = command()

CONFIG = Path("pitbook.toml")


@app.command(
    epilog=examples(
        "pitbook serve",
        "pitbook serve --config pitbook.toml --port 8080",
        "pitbook serve --db postgresql://pitbook@db/pitbook",
    )
)
def serve(
    *,
    db: Annotated[
        str | None,
        typer.Option(
            "--db",
            "--database",
            metavar="URL",
            show_default=False,
            help="The book's database, where it is not in the data folder.",
        ),
    ] = None,
    host: Annotated[
        str | None,
        typer.Option(
            "--host", metavar="ADDRESS", help="Where to listen; this machine alone by default."
        ),
    ] = None,
    port: Annotated[
        int | None, typer.Option("--port", metavar="N", help="8710 by default; 0: any.")
    ] = None,
    config: Annotated[
        Path | None,
        typer.Option(
            "--config",
            metavar="FILE",
            envvar="PITBOOK_CONFIG",
            show_default=False,
            help="Settings; pitbook.toml of this folder where there is one.",
        ),
    ] = None,
    data: Annotated[
        Path | None,
        typer.Option(
            "--data",
            metavar="DIR",
            show_default=False,
            help="The house's data folder; pitbook-data by default.",
        ),
    ] = None,
    json: Json = False,
) -> None:
    """Open the house: tables, people and the pit over HTTP and sockets.

    Flags win over PITBOOK_* variables, and those over the settings file. On the first run a link
    is printed that makes you the supervisor; it works once. The log goes to standard error, one
    JSON document a line. Ctrl-C or SIGTERM closes the tables as they stand and signs the book.
    """
    from pitbook.web.serve import run  # noqa: PLC0415  It brings the server.
    from pitbook.web.settings import settings_from  # noqa: PLC0415

    file = config or (CONFIG if CONFIG.exists() else None)
    flags = {"database": db, "host": host, "port": port, "data": data}
    settings = settings_from(file, os.environ, flags)
    try:
        run(settings, emit_opening if json else tell)
    except LedgerError as error:
        raise named(error, settings.data, settings.database) from error


def tell(opening: Opening) -> None:
    """Say where the house is, and how its first supervisor comes in."""
    tables = counted(opening.tables, "table", "tables")
    print(f"Pitbook is open at {opening.address} with {tables}; Ctrl-C closes it.", flush=True)
    print(f"The API is described at {opening.address}/api/docs", flush=True)
    if opening.supervisor:
        print("There is no supervisor yet. Whoever uses this link becomes one; it works once:")
        print(f"  {opening.supervisor}", flush=True)


def emit_opening(opening: Opening) -> None:
    """The same for machines."""
    emit(opening._asdict())
    print(end="", flush=True)
