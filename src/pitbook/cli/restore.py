"""`pitbook restore`: a data folder from a backup, read through before anybody deals from it."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from pitbook.cli.arguments import Json
from pitbook.cli.house import Data, Database, heads_told, named, opened, verdict_told
from pitbook.cli.lazy import command
from pitbook.cli.output import emit, examples
from pitbook.cli.progress import progress
from pitbook.errors import LedgerError

if TYPE_CHECKING:
    from pitbook.ledger.folder import Folder
    from pitbook.ledger.verify import Verdict

app = command()

FINDING = 1


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
    restored whole is not restored at all. Exit code 1 where the restored book is not sound: a
    backup without its checkpoints, or with any that the house did not sign, is not.
    """
    from pitbook.ledger.folder import restored  # noqa: PLC0415  It brings the database.

    for needed in (file, *([keys] if keys else [])):
        if not needed.is_file():
            raise LedgerError(f"{needed}: there is no such file")
    if data.exists() and not data.is_dir():
        raise LedgerError(f"{data} is no folder; --data names the one to make")
    with _whole_or_not_at_all(data, database):
        made = restored(file, data, database, keys)
    with opened(data, database) as folder:
        verdict = _verified(folder)
        found = {one.name: [one.seq, one.head] for one in folder.ledger.streams()}
        key = folder.keys.public
    same = found == made.heads
    if json:
        emit(_document(data, found, same, verdict) | {"at": made.at, "key": key})
    else:
        heads = "The heads are those of the backup:" if same else "The heads are not the backup's:"
        print(f"Restored {file} of {made.at} to {data}.", heads, *heads_told(found), sep="\n")
        print(*verdict_told(verdict), f"Key {key}", sep="\n")
    if verdict.findings or not same:
        raise typer.Exit(FINDING)


def _verified(folder: Folder) -> Verdict:
    """The restored book, gone over again; without a checkpoint nobody vouches for it."""
    from pitbook.ledger.signed import Finding  # noqa: PLC0415
    from pitbook.nights.implied import followed  # noqa: PLC0415  It brings the tables.

    entries = sum(one.seq for one in folder.ledger.streams() if type(one.seq) is int)
    with progress(entries, of="entries") as told:
        verdict = folder.verify(following=followed, told=told)
    if verdict.checkpoints:
        return verdict
    none = Finding("the backup", "it has no checkpoint, so nothing shows that the house wrote it")
    return verdict._replace(findings=(*verdict.findings, none))


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


def _document(
    data: Path, heads: dict[str, list[Any]], same: bool, verdict: Verdict
) -> dict[str, Any]:
    return {
        "data": str(data),
        "result": "sound" if same and not verdict.findings else "findings",
        "same_heads": same,
        "heads": {name: {"seq": seq, "hash": head} for name, (seq, head) in heads.items()},
        "entries": verdict.entries,
        "findings": [one._asdict() for one in verdict.findings],
    }
