"""`pitbook sheets`: rule sheets, listed, shown, checked and compared."""

from __future__ import annotations

from pitbook.cli.common.lazy import ListedCommand, group
from pitbook.cli.common.output import examples

COMMANDS = {
    "list": ListedCommand(
        "pitbook.cli.sheets.list", "Every sheet that is known, in a few words each."
    ),
    "show": ListedCommand("pitbook.cli.sheets.show", "One sheet as a rack card."),
    "check": ListedCommand(
        "pitbook.cli.sheets.check", "What is wrong or worth knowing about sheets."
    ),
    "diff": ListedCommand("pitbook.cli.sheets.diff", "How two sheets differ, in words."),
    "clause": ListedCommand(
        "pitbook.cli.sheets.clause", "What a clause says, and where it stands."
    ),
    "schema": ListedCommand(
        "pitbook.cli.sheets.schema", "The JSON Schema that editors check sheets by."
    ),
}

app = group(
    COMMANDS,
    "Rule sheets: list, show, check, compare.",
    epilog=examples("pitbook sheets show catfish-bend/mississippi-stud"),
)


@app.callback()
def _sheets() -> None:
    pass
