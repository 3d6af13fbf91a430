"""`pitbook settle`: a round file in, every wager's line out, each with its clause."""

from __future__ import annotations

import json as json_module
from pathlib import Path
from typing import Annotated

import typer

from pitbook.cli.common.arguments import Folders, Json, sheet_named
from pitbook.cli.common.files import read_text, write_text
from pitbook.cli.common.lazy import command
from pitbook.cli.common.output import emit, examples
from pitbook.rules import round_file
from pitbook.rules.report import report
from pitbook.rules.round import Round
from pitbook.rules.stored import store

app = command()

FileName = Annotated[
    str, typer.Argument(metavar="FILE", help="A round file in JSON; - reads standard input.")
]


@app.command(epilog=examples("pitbook settle round.json", "pitbook settle - --json < round.json"))
def settle(
    file: FileName,
    *,
    store_in: Annotated[
        str | None,
        typer.Option("--store", metavar="OUT", help="Write the stored round, to be replayed."),
    ] = None,
    folder: Folders = None,
    json: Json = False,
) -> None:
    """Settle one round: what every wager wins or loses, by which clause, and which caps bite.

    A file that cannot be settled is refused with one sentence and exit code 1. The format is in
    docs/round-format.md; `pitbook rounds schema` prints its JSON Schema.
    """
    parsed = round_file.parse(read_text(file))
    sheet = sheet_named(parsed.sheet, folder)
    final, actions = round_file.play(parsed, sheet)
    if store_in is not None:
        write_text(Path(store_in), json_module.dumps(store(final, actions)) + "\n")
    if json:
        emit(report(final))
    else:
        _print(final)


def _print(final: Round) -> None:
    from pitbook.cli.common.settlement_lines import print_settlement  # noqa: PLC0415  It brings Rich.

    print_settlement(final)
