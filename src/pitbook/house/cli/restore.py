"""`pitbook restore`: a data folder from a backup, and its verification."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager, suppress
from datetime import datetime, timedelta
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from pitbook.cli.language import print_lines
from pitbook.cli.lazy_commands import command
from pitbook.cli.options import Json
from pitbook.cli.plain_output import emit, examples
from pitbook.cli.progress import progress
from pitbook.errors import LedgerError
from pitbook.house.cli.ledger_options import Data, Database, error_with_place
from pitbook.house.cli.ledger_text import head_lines
from pitbook.text import say

if TYPE_CHECKING:
    from pitbook.house.ledger.audit import LedgerVerdict
    from pitbook.house.ledger.backup import Manifest
    from pitbook.house.ledger.data_folder import Folder

app = command()

FINDING = 1
SIGNING_DELAY_MAX = timedelta(seconds=10)


@app.command(
    epilog=examples(
        "pitbook restore monday.zip --data house --keys safe/keys.json",
        "pitbook restore all.zip --data house",
    )
)
def restore(
    file: Annotated[Path, typer.Argument(metavar="FILE", help="Backup file.")],
    *,
    keys: Annotated[
        Path | None,
        typer.Option(
            "--keys",
            metavar="KEYS",
            help="The server's keys.json, if the backup does not include it.",
        ),
    ] = None,
    data: Data = Path("pitbook-data"),
    database: Database = None,
    json: Json = False,
) -> None:
    """Restore a data folder from a backup and verify it.

    The folder must be new or empty, and so must the database if one is named. A backup that
    cannot be restored completely is not restored at all. Prints how far signed checkpoints cover
    the ledger. The exit code is 1 if the ledger is not intact: no checkpoints, checkpoints that
    this server did not sign, or entries long after the last checkpoint.
    """
    from pitbook.house.cli.audit_reports import verdict_report, verification_document  # noqa: PLC0415  Rich.
    from pitbook.house.ledger.data_folder import Folder, restore_folder  # noqa: PLC0415  Imports the database.

    for required_file in (file, *([keys] if keys else [])):
        if not required_file.is_file():
            raise LedgerError(say("sheets.file.none", path=str(required_file)))
    if data.exists() and not data.is_dir():
        raise LedgerError(say("cli.file.no-folder", path=str(data)))
    with _all_or_nothing(data, database):
        manifest = restore_folder(file, data, database, keys)
    with Folder.open(data, database) as folder:
        verdict = _verify(folder, manifest)
        restored_heads = {
            stream.name: [stream.seq, stream.head] for stream in folder.ledger.streams()
        }
        key = folder.keys.public
    same = restored_heads == manifest.heads
    if json:
        emit(
            verification_document(verdict, key)
            | _restore_document(data, restored_heads, same, verdict)
            | {"at": manifest.at}
        )
    else:
        heads = say("cli.restore.same-heads" if same else "cli.restore.other-heads")
        done = say("cli.restore.done", file=file, at=manifest.at, data=data)
        print_lines(done, heads, *head_lines(restored_heads), *verdict_report(verdict, key))
    if verdict.findings or not same:
        raise typer.Exit(FINDING)


def _verify(folder: Folder, manifest: Manifest) -> LedgerVerdict:
    """Verify the restored ledger; without a checkpoint nothing vouches for it."""
    from pitbook.house.ledger.audit_checkpoints import LedgerFinding  # noqa: PLC0415
    from pitbook.house.ledger.stream_kinds import audit_of  # noqa: PLC0415

    entries = sum(stream.seq for stream in folder.ledger.streams() if type(stream.seq) is int)
    with progress(entries, label=say("cli.progress.entries")) as bar:
        verdict = folder.verify(replay_of=audit_of, report=bar)
    missing = (
        LedgerFinding(say("cli.restore.place"), message)
        for message in _missing_proofs(verdict, manifest)
    )
    return verdict._replace(findings=(*verdict.findings, *missing))


def _missing_proofs(verdict: LedgerVerdict, manifest: Manifest) -> Iterator[str]:
    """Proofs that every backup has and this one lacks."""
    proved = verdict.proved
    if not verdict.checkpoints:
        yield say("cli.restore.no-checkpoint")
    elif (
        proved.at is not None and proved.unsigned_entries and not _is_prompt(proved.at, manifest.at)
    ):
        yield say("cli.restore.younger", entries=proved.unsigned_entries)


def _is_prompt(signed_at: str, made_at: str) -> bool:
    """Whether a backup was made right after signing; earlier versions left a short gap."""
    try:
        delay = datetime.fromisoformat(made_at) - datetime.fromisoformat(signed_at)
    except (TypeError, ValueError):
        return False
    return timedelta() <= delay <= SIGNING_DELAY_MAX


@contextmanager
def _all_or_nothing(data: Path, database: str | None) -> Iterator[None]:
    """Remove a new folder again if restoring fails or is interrupted."""
    existed = data.exists()
    try:
        yield
    except LedgerError as error:
        raise error_with_place(error, data, database) from error
    finally:
        if not existed:
            with suppress(OSError):  # Not empty: the restore succeeded.
                data.rmdir()


def _restore_document(
    data: Path, heads: dict[str, list[Any]], same: bool, verdict: LedgerVerdict
) -> dict[str, Any]:
    return {
        "data": str(data),
        "result": "sound" if same and not verdict.findings else "findings",
        "same_heads": same,
        "heads": {name: {"seq": seq, "hash": head} for name, (seq, head) in heads.items()},
    }
