"""`pitbook rounds`: the formats of rounds, and rounds played again."""

from __future__ import annotations

from pitbook.cli.lazy import Entry, group
from pitbook.cli.output import examples

COMMANDS = {
    "schema": Entry("pitbook.cli.rounds.schema", "The JSON Schema of a round file."),
    "replay": Entry("pitbook.cli.rounds.replay", "A stored round played again, in words."),
}

app = group(
    COMMANDS,
    "Rounds: their formats, and a stored round played again.",
    epilog=examples("pitbook rounds schema", "pitbook rounds replay round.stored.json"),
)


@app.callback()
def _rounds() -> None:
    pass
