"""`pitbook audit anchor`: the heads signed now, and written down where nobody inside can cut."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from pitbook.cli.commands import command
from pitbook.cli.language import tell
from pitbook.cli.options import Json
from pitbook.cli.output import emit, examples
from pitbook.errors import LedgerError
from pitbook.house.cli.data_folder import ANCHOR, Data, Database, opened
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
    with opened(data, database) as folder:
        folder.anchored_at(None).sign()
        one = folder.anchored_at(where).anchor_now(closed=folder.is_closed)
    if one is None:
        raise LedgerError(say("cli.audit.anchor-unwritable", where=where))
    if json:
        emit({"anchor": where, **one._asdict()})
        return
    of = {"number": one.number, "at": one.at, "where": where}
    tell(say("cli.audit.anchored", **of, closed="yes" if one.closed else "no"))
