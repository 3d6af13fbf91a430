"""`pitbook rounds schema`: the published formats, for other people's programs."""

from __future__ import annotations

from typing import Annotated

import typer

from pitbook.cli.common.arguments import Json
from pitbook.cli.common.lazy import command
from pitbook.cli.common.output import emit, examples
from pitbook.rules.schemas import round_file_schema, stored_schema

app = command()


@app.command(epilog=examples("pitbook rounds schema", "pitbook rounds schema --stored"))
def schema(
    *,
    stored: Annotated[
        bool, typer.Option("--stored", help="The schema of a stored round instead.")
    ] = False,
    json: Json = False,
) -> None:
    """The JSON Schema (2020-12) of a round file, or of a stored round."""
    emit(stored_schema() if stored else round_file_schema())
