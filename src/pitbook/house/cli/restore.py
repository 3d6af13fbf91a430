"""`pitbook restore`: make a data folder from a backup and verify it."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager, suppress
from datetime import datetime, timedelta
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from pitbook.cli.commands import command
from pitbook.cli.language import tell
from pitbook.cli.options import Json
from pitbook.cli.output import emit, examples
from pitbook.cli.progress import progress
from pitbook.errors import LedgerError
from pitbook.house.cli.data_folder import Data, Database, heads_told, named
from pitbook.house.cli.verdicts import document, told
from pitbook.text import say

if TYPE_CHECKING:
    from pitbook.house.ledger.audit import BookVerdict
    from pitbook.house.ledger.backup import Manifest
    from pitbook.house.ledger.folder import Folder


app = command()

FINDING = 1
MOMENT = timedelta(seconds=10)


@app.command(
    epilog=examples(
        "pitbook restore monday.zip --data house --keys safe/keys.json",
        "pitbook restore all.zip --data house",
    )
)
def restore(
    file: Annotated[Path, typer.Argument(metavar="FILE", help="What `pitbook backup` wrote.")],
    *,
    keys: Annotated[
        Path | None,
        typer.Option(
            "--keys", metavar="KEYS", help="The house's keys.json, where the backup has none."
        ),
    ] = None,
    data: Data = Path("pitbook-data"),
    database: Database = None,
    json: Json = False,
) -> None:
    """Make a data folder from a backup, and verify it: the same entries, the same heads.

    The folder must be new or empty, and so must the database where one is named. What cannot be
    restored whole is not restored at all. It is told how far the book is proved. Exit code 1 where
    it is not sound: a backup without its checkpoints, with any that the house did not sign, or with
    entries long after the last of them, is not.
    """
    from pitbook.house.ledger.folder import Folder, restored  # noqa: PLC0415  It brings the database.

    for needed in (file, *([keys] if keys else [])):
        if not needed.is_file():
            raise LedgerError(say("sheets.file.none", path=str(needed)))
    if data.exists() and not data.is_dir():
        raise LedgerError(say("cli.file.no-folder", path=str(data)))
    with _whole_or_not_at_all(data, database):
        made = restored(file, data, database, keys)
    with Folder.open(data, database) as folder:
        verdict = _verified(folder, made)
        found = {one.name: [one.seq, one.head] for one in folder.ledger.streams()}
        key = folder.keys.public
    same = found == made.heads
    if json:
        emit(document(verdict, key) | _restored(data, found, same, verdict) | {"at": made.at})
    else:
        heads = say("cli.restore.same-heads" if same else "cli.restore.other-heads")
        done = say("cli.restore.done", file=file, at=made.at, data=data)
        tell(done, heads, *heads_told(found), *told(verdict, key))
    if verdict.findings or not same:
        raise typer.Exit(FINDING)


def _verified(folder: Folder, made: Manifest) -> BookVerdict:
    """The restored book, gone over again; without a checkpoint nobody vouches for it."""
    from pitbook.house.ledger.audit_checkpoints import BookFinding  # noqa: PLC0415
    from pitbook.house.ledger.stream_kinds import audit_of  # noqa: PLC0415

    entries = sum(one.seq for one in folder.ledger.streams() if type(one.seq) is int)
    with progress(entries, of=say("cli.progress.entries")) as bar:
        verdict = folder.verify(following=audit_of, told=bar)
    lacking = (BookFinding(say("cli.restore.place"), what) for what in _lacking(verdict, made))
    return verdict._replace(findings=(*verdict.findings, *lacking))


def _lacking(verdict: BookVerdict, made: Manifest) -> Iterator[str]:
    """What every backup has and this one has not."""
    proved = verdict.proved
    if not verdict.checkpoints:
        yield say("cli.restore.no-checkpoint")
    elif proved.at is not None and proved.since and not _is_at_once(proved.at, made.at):
        yield say("cli.restore.younger", entries=proved.since)


def _is_at_once(signed: str, made: str) -> bool:
    """Whether a backup was made as soon as it was signed: earlier versions left a moment open."""
    try:
        apart = datetime.fromisoformat(made) - datetime.fromisoformat(signed)
    except (TypeError, ValueError):
        return False
    return timedelta() <= apart <= MOMENT


@contextmanager
def _whole_or_not_at_all(data: Path, database: str | None) -> Iterator[None]:
    """Where it fails or is interrupted, a folder that was not there is not there after."""
    there = data.exists()
    try:
        yield
    except LedgerError as error:
        raise named(error, data, database) from error
    finally:
        if not there:
            with suppress(OSError):  # It is not empty: all went well.
                data.rmdir()


def _restored(
    data: Path, heads: dict[str, list[Any]], same: bool, verdict: BookVerdict
) -> dict[str, Any]:
    return {
        "data": str(data),
        "result": "sound" if same and not verdict.findings else "findings",
        "same_heads": same,
        "heads": {name: {"seq": seq, "hash": head} for name, (seq, head) in heads.items()},
    }
