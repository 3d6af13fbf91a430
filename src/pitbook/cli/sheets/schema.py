"""`pitbook sheets schema`: the JSON Schema that editors check sheets by."""

from __future__ import annotations

from typing import Annotated

import typer

from pitbook.cli.common.arguments import Json
from pitbook.cli.common.language import worded
from pitbook.cli.common.lazy import command
from pitbook.cli.common.output import emit, examples
from pitbook.sheets.families import known
from pitbook.sheets.findings import did_you_mean
from pitbook.sheets.schema import schema as sheet_schema
from pitbook.text import say

app = command()

Family = Annotated[
    str | None,
    typer.Argument(
        metavar="FAMILY",
        show_default=False,
        autocompletion=lambda: list(known()),
        help=f"Only sheets of this family: {' or '.join(known())}.",
    ),
]


@app.command(
    epilog=examples(
        "pitbook sheets schema > sheet.schema.json",
        f"pitbook sheets schema {next(iter(known()))}",
    )
)
def schema(family: Family = None, *, json: Json = False) -> None:
    """The JSON Schema that editors check sheets by.

    Point your editor's TOML extension at it. The answer is JSON, with --json or without.
    """
    if family is not None and family not in known():
        remedy = did_you_mean(family, known())
        raise typer.BadParameter(
            worded(say("cli.no-family", family=family, remedy=remedy)), param_hint="FAMILY"
        )
    emit(sheet_schema(family))
