"""`pitbook rounds`: the formats of rounds, and rounds played again."""

from __future__ import annotations

from pitbook.cli.common.lazy import ListedCommand, group
from pitbook.cli.common.output import examples

COMMANDS = {
    "schema": ListedCommand("pitbook.cli.rounds.schema", "The JSON Schema of a round file."),
    "replay": ListedCommand("pitbook.cli.rounds.replay", "A stored round played again, in words."),
    "share": ListedCommand(
        "pitbook.cli.rounds.share", "A link to a round of the house, for anybody."
    ),
}

app = group(
    COMMANDS,
    "Rounds: their formats, a stored round played again, a link to one of the house.",
    epilog=examples("pitbook rounds schema", "pitbook rounds replay round.stored.json"),
)


@app.callback()
def _rounds() -> None:
    pass
