"""`pitbook papers`: the documents that a house files, posts and hands out."""

from __future__ import annotations

from pitbook.cli.common.lazy import ListedCommand, group
from pitbook.cli.common.output import examples

COMMANDS = {
    "build": ListedCommand("pitbook.cli.papers.build", "Every paper of a sheet, into a folder."),
    "redline": ListedCommand(
        "pitbook.cli.papers.redline", "What changes from one sheet to another."
    ),
    "result": ListedCommand("pitbook.cli.papers.result", "What every table took in an interval."),
    "list": ListedCommand(
        "pitbook.cli.papers.list", "The papers in a folder, and those before them."
    ),
}

app = group(
    COMMANDS,
    "Papers: rules, report, cards, sign, layout, checklist, redline.",
    epilog=examples("pitbook papers build catfish-bend/mississippi-stud -o packet"),
)


@app.callback()
def _papers() -> None:
    pass
