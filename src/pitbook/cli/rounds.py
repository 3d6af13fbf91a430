"""`pitbook rounds`: replay a stored round, or print the format of round files."""

from __future__ import annotations

from typing import Annotated

import typer

from pitbook.cli.language import print_lines, set_currency
from pitbook.cli.lazy_commands import CommandTable, group
from pitbook.cli.options import Folders, Json, load_sheet, read_text
from pitbook.cli.plain_output import emit, examples
from pitbook.cli.settle import FileName
from pitbook.rules.narration import transcript
from pitbook.rules.result_json import report
from pitbook.rules.settlement_answer import replay_text
from pitbook.rules.stored_rounds import round_file_schema, stored_schema

app = group(
    "Show round file formats, replay a stored round, or share a round by link.",
    epilog=examples("pitbook rounds schema", "pitbook rounds replay round.stored.json"),
    commands=CommandTable({}, group="rounds"),
)


@app.command(
    "replay",
    short_help="A stored round played again, in words.",
    epilog=examples("pitbook rounds replay round.stored.json"),
)
def replay(file: FileName, *, folder: Folders = None, json: Json = False) -> None:
    """Replay a round action by action, as a dealer would call it.

    Takes a stored round (from `pitbook settle --store`) or a round file. If the result differs
    from the stored one, the exit code is 1.
    """
    text = read_text(file)
    final, opened, actions = replay_text(text, lambda name: load_sheet(name, folder))
    set_currency(opened.game.sheet.house.currency)
    lines = transcript(opened, actions)
    if json:
        emit({"transcript": lines, "settlement": report(final) if final.ending else None})
    else:
        print_lines(*lines)


@app.command(
    "schema",
    short_help="The JSON Schema of a round file.",
    epilog=examples("pitbook rounds schema", "pitbook rounds schema --stored"),
)
def schema(
    *,
    stored: Annotated[
        bool, typer.Option("--stored", help="Print the schema of a stored round instead.")
    ] = False,
    json: Json = False,
) -> None:
    """Print the JSON Schema (2020-12) of a round file or of a stored round."""
    emit(stored_schema() if stored else round_file_schema())
