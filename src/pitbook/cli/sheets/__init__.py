"""`pitbook sheets`: rule sheets, listed, shown, checked and compared."""

from __future__ import annotations

from pitbook.cli.common.lazy import Listed, group
from pitbook.cli.common.output import examples

COMMANDS = {
    "list": Listed("pitbook.cli.sheets.list", "Every sheet that is known, in a few words each."),
    "show": Listed("pitbook.cli.sheets.show", "One sheet as a rack card."),
    "check": Listed("pitbook.cli.sheets.check", "What is wrong or worth knowing about sheets."),
    "diff": Listed("pitbook.cli.sheets.diff", "How two sheets differ, in words."),
    "clause": Listed("pitbook.cli.sheets.clause", "What a clause says, and where it stands."),
    "schema": Listed("pitbook.cli.sheets.schema", "The JSON Schema that editors check sheets by."),
}

app = group(
    COMMANDS,
    "Rule sheets: list, show, check, compare.",
    epilog=examples("pitbook sheets show catfish-bend/mississippi-stud"),
)


@app.callback()
def _sheets() -> None:
    pass
