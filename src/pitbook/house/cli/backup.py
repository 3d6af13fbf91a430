"""`pitbook backup`: the ledger in one file."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from pitbook.cli.language import print_lines
from pitbook.cli.lazy_commands import command
from pitbook.cli.options import Json
from pitbook.cli.plain_output import emit, examples
from pitbook.errors import LedgerError
from pitbook.house.cli.ledger_options import Data, Database, open_folder
from pitbook.house.cli.ledger_text import head_lines
from pitbook.text import say

if TYPE_CHECKING:
    pass


app = command()

KEYS = "keys.json"


@app.command(epilog=examples("pitbook backup monday.zip", "pitbook backup all.zip --with-keys"))
def backup(
    file: Annotated[Path, typer.Argument(metavar="FILE", help="File to create.")],
    *,
    with_keys: Annotated[
        bool, typer.Option("--with-keys", help="Include the server's keys; keep the file secret.")
    ] = False,
    data: Data = Path("pitbook-data"),
    database: Database = None,
    json: Json = False,
) -> None:
    """Back up a consistent snapshot of the ledger to one file.

    All hash chains are signed first, and the checkpoints are included. The keys are left out
    unless you ask for them: without them nobody can forge a checkpoint or open a shoe, and
    `pitbook restore` asks for your own copy. Tables may stay in play.
    """
    if file.exists():
        raise LedgerError(say("cli.file.there-already", path=str(file)))
    with open_folder(data, database) as folder:
        try:
            backup = folder.back_up(file, with_keys=with_keys)
        except OSError as error:
            fields = {"path": str(file), "why": error.strerror}
            raise LedgerError(say("cli.file.unwritable", **fields)) from None
        key = folder.keys.public
    if json:
        heads = {name: {"seq": seq, "hash": head} for name, (seq, head) in backup.heads.items()}
        answer = {"file": str(file), "at": backup.at, "entries": backup.entries, "heads": heads}
        emit({**answer, "keys": with_keys, "key": key})
        return
    keys = say("cli.backup.keys") if with_keys else say("cli.backup.no-keys", path=data / KEYS)
    done = say("cli.backup.done", file=file, at=backup.at, entries=backup.entries)
    print_lines(done, *head_lines(backup.heads), keys, say("cli.book.key", key=key))
