"""`pitbook audit check-close`: whether a day's close is the one that was signed."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from pitbook.cli.commands import command
from pitbook.cli.language import print_lines
from pitbook.cli.options import Json
from pitbook.cli.output import emit, examples
from pitbook.errors import LedgerError
from pitbook.house.cli.data_folder import Data
from pitbook.text import say

app = command()

FINDING = 1


@app.command(
    "check-close",
    epilog=examples(
        "pitbook audit check-close close-2026-11-15.jsonl --data house",
        "pitbook audit check-close close-2026-11-15.csv --key KEY",
    ),
)
def check_close(
    file: Annotated[Path, typer.Argument(metavar="FILE", help="A close: JSON lines or CSV.")],
    *,
    key: Annotated[
        str | None,
        typer.Option("--key", metavar="KEY", help="The house's public key, as you wrote it down."),
    ] = None,
    data: Data = Path("pitbook-data"),
    json: Json = False,
) -> None:
    """Whether a day's close is what the house signed, to the last byte.

    Without --key it is the key of the data folder. The exit code is 1 for a file that was changed.
    """
    from pitbook.house.inspect.day_close import is_authentic  # noqa: PLC0415
    from pitbook.house.ledger.folder import KEYS_FILE  # noqa: PLC0415  Imports the database.
    from pitbook.house.ledger.keys import read_keys  # noqa: PLC0415

    text, public_key = _text(file), key or read_keys(data / KEYS_FILE).public
    whole = is_authentic(text, public_key, "csv" if file.suffix == ".csv" else "jsonl")
    if json:
        emit({"file": str(file), "key": public_key, "whole": whole})
    else:
        print_lines(say("cli.close-checked", file=str(file), whole=whole, key=public_key))
    if not whole:
        raise typer.Exit(FINDING)


def _text(file: Path) -> str:
    try:
        return file.read_bytes().decode()
    except OSError as error:
        details = {"file": str(file), "why": error.strerror or str(error)}
        raise LedgerError(say("cli.no-close", **details)) from None
    except UnicodeDecodeError:
        return ""  # Not one of our closes.
