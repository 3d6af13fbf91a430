"""`pitbook serve`: run a house's server until a signal stops it."""

from __future__ import annotations

import os
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, TypeAlias

import typer

from pitbook.cli import language
from pitbook.cli.lazy_commands import command
from pitbook.cli.options import Json
from pitbook.cli.plain_output import emit, examples
from pitbook.errors import LedgerError, SettingsError
from pitbook.house.cli.ledger_options import error_with_place
from pitbook.text import say

if TYPE_CHECKING:
    from pitbook.house.settings import Settings
    from pitbook.house.web.serve import Opening


app = command()

CONFIG = Path("pitbook.toml")

# Options of every command that needs the house; `settings_of` fills in what is not given.
Config: TypeAlias = Annotated[
    Path | None,
    typer.Option(
        "--config",
        metavar="FILE",
        envvar="PITBOOK_CONFIG",
        show_default=False,
        help="Settings file; pitbook.toml in the current folder by default, if it exists.",
    ),
]
Data: TypeAlias = Annotated[
    Path | None,
    typer.Option(
        "--data",
        metavar="DIR",
        show_default=False,
        help="Data folder of the server; pitbook-data by default.",
    ),
]
Database: TypeAlias = Annotated[
    str | None,
    typer.Option(
        "--db",
        "--database",
        metavar="URL",
        show_default=False,
        help="Database of the ledger, if it is not in the data folder.",
    ),
]


def settings_of(config: Path | None, **flags: Any) -> Settings:
    """Settings from the file, then PITBOOK_* variables, then flags; later ones win."""
    from pitbook.house.settings import settings_from  # noqa: PLC0415  Imports pydantic.

    file = config or (CONFIG if CONFIG.exists() else None)
    return settings_from(file, os.environ, flags)


@app.command(
    epilog=examples(
        "pitbook serve",
        "pitbook serve --config pitbook.toml --port 8080",
        "pitbook serve --db postgresql://pitbook@db/pitbook",
    )
)
def serve(
    *,
    db: Database = None,
    host: Annotated[
        str | None,
        typer.Option(
            "--host", metavar="ADDRESS", help="Address to listen on; 127.0.0.1 by default."
        ),
    ] = None,
    port: Annotated[
        int | None,
        typer.Option("--port", metavar="N", help="Port; 8710 by default; 0: any free port."),
    ] = None,
    config: Config = None,
    data: Data = None,
    log: Annotated[
        str | None,
        typer.Option(
            "--log",
            metavar="FORM",
            help="Log format: text or json; by default text on a terminal and json elsewhere.",
        ),
    ] = None,
    json: Json = False,
) -> None:
    """Run the server: tables, accounts, cage and pit over HTTP and WebSockets.

    Flags override PITBOOK_* variables, which override the settings file. The first run prints a
    link that makes you the supervisor; it works once. The log goes to standard error: text on a
    terminal, otherwise one JSON object per line. Ctrl-C or SIGTERM closes the tables as they are
    and signs the ledger.
    """
    from pitbook.house.web.serve import run  # noqa: PLC0415  Imports the server.

    settings = settings_of(config, database=db, host=host, port=port, data=data, log_format=log)
    try:
        run(settings, emit_opening if json else lambda opening: tell(opening, settings))
    except LedgerError as error:
        raise error_with_place(error, settings.data, settings.database) from error
    except OSError as error:
        if error.filename is None:
            raise
        raise SettingsError(_folder_problem(settings.data, error)) from error


def _folder_problem(data: Path, error: OSError) -> str:
    """Why the data folder cannot be used, and how to fix it."""
    if isinstance(error, FileExistsError | NotADirectoryError):
        return say("cli.serve.in-the-way", path=data)
    fields = {"path": data, "file": error.filename, "why": error.strerror}
    return say("cli.serve.unusable", **fields)


def tell(opening: Opening, settings: Settings) -> None:
    """Print the address, and the first supervisor's link."""
    language.print_lines(
        say("cli.serve.open", address=opening.address, tables=opening.tables),
        say("cli.serve.described", address=opening.address),
    )
    if opening.supervisor:
        language.print_lines(say("cli.serve.no-supervisor"), f"  {opening.supervisor}")
    if not settings.is_loopback and not settings.https:
        language.print_lines(say("cli.serve.in-the-open"), say("cli.serve.secure"))


def emit_opening(opening: Opening) -> None:
    """Print the opening as JSON."""
    emit(opening._asdict())
    print(end="", flush=True)
