"""`pitbook audit anchor`: sign the current heads and record them outside the server."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from pitbook.cli.commands import command
from pitbook.cli.language import print_lines
from pitbook.cli.options import Json
from pitbook.cli.output import emit, examples
from pitbook.errors import LedgerError
from pitbook.house.cli.data_folder import ANCHOR, Data, Database, open_folder
from pitbook.text import say

app = command()


@app.command(
    epilog=examples(
        "pitbook audit anchor --anchor /mnt/notary/house.jsonl",
        "pitbook audit anchor --anchor postgresql://notary/anchors --data house",
    )
)
def anchor(
    *,
    where: Annotated[
        str,
        typer.Option(
            "--anchor",
            metavar="WHERE",
            envvar=ANCHOR,
            show_default=False,
            help="A file elsewhere, or the URL of a database that is not the book's.",
        ),
    ],
    data: Data = Path("pitbook-data"),
    database: Database = None,
    json: Json = False,
) -> None:
    """Sign the heads as they stand, and write number and hash of the checkpoint down outside.

    `pitbook audit verify --anchor WHERE` then tells a book or a file of checkpoints that was cut,
    or put back as it was before. A server does the same by itself with every checkpoint where its
    setting `anchor` names the place.
    """
    with open_folder(data, database) as folder:
        folder.use_anchor(None).sign()
        checkpoint = folder.use_anchor(where).anchor_now(closed=folder.is_closed)
    if checkpoint is None:
        raise LedgerError(say("cli.audit.anchor-unwritable", where=where))
    if json:
        emit({"anchor": where, **checkpoint._asdict()})
        return
    details = {"number": checkpoint.number, "at": checkpoint.at, "where": where}
    print_lines(say("cli.audit.anchored", **details, closed="yes" if checkpoint.closed else "no"))
