"""`pitbook backup`: the ledger in one file that any database can take in again."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from pitbook.cli.commands import command
from pitbook.cli.language import tell
from pitbook.cli.options import Json
from pitbook.cli.output import emit, examples
from pitbook.errors import LedgerError
from pitbook.house.cli.data_folder import Data, Database, heads_told, opened
from pitbook.text import say

app = command()

KEYS = "keys.json"


@app.command(epilog=examples("pitbook backup monday.zip", "pitbook backup all.zip --with-keys"))
def backup(
    file: Annotated[Path, typer.Argument(metavar="FILE", help="The file to write; a new one.")],
    *,
    with_keys: Annotated[
        bool, typer.Option("--with-keys", help="Put the house's keys in too: then guard the file.")
    ] = False,
    data: Data = Path("pitbook-data"),
    database: Database = None,
    json: Json = False,
) -> None:
    """Write the whole book, as it stands at one moment, into one file.

    All chains are signed first and the checkpoints go along. The keys stay behind unless asked
    for: without them nobody can forge a checkpoint or open a shoe, and `pitbook restore` asks for
    your own copy of them. Tables may be in play meanwhile.
    """
    if file.exists():
        raise LedgerError(say("cli.file.there-already", path=str(file)))
    with opened(data, database) as folder:
        try:
            made = folder.back_up(file, with_keys=with_keys)
        except OSError as error:
            told = {"path": str(file), "why": error.strerror}
            raise LedgerError(say("cli.file.unwritable", **told)) from None
        key = folder.keys.public
    if json:
        heads = {name: {"seq": seq, "hash": head} for name, (seq, head) in made.heads.items()}
        answer = {"file": str(file), "at": made.at, "entries": made.entries, "heads": heads}
        emit({**answer, "keys": with_keys, "key": key})
        return
    keys = say("cli.backup.keys") if with_keys else say("cli.backup.no-keys", path=data / KEYS)
    done = say("cli.backup.done", file=file, at=made.at, entries=made.entries)
    tell(done, *heads_told(made.heads), keys, say("cli.book.key", key=key))
