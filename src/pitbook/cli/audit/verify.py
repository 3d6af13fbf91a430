"""`pitbook audit verify`: read the whole ledger again and check it against the signatures."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from pitbook.cli.commands import command
from pitbook.cli.language import localize, print_lines
from pitbook.cli.options import Json
from pitbook.cli.output import emit, examples
from pitbook.cli.progress import progress
from pitbook.errors import LedgerError
from pitbook.house.cli.data_folder import ANCHOR, Data, Database, error_with_place
from pitbook.house.cli.verdicts import document, verdict_report
from pitbook.text import say

if TYPE_CHECKING:
    from pitbook.house.ledger.anchors import AnchoredCheckpoint
    from pitbook.house.ledger.audit import LedgerVerdict
    from pitbook.house.ledger.folder import ReadOnlyFolder

app = command()

FINDING = 1


@app.command(
    epilog=examples(
        "pitbook audit verify",
        "pitbook audit verify --data house --checkpoint copy.jsonl",
        "pitbook audit verify --data copy --anchor /mnt/notary/house.jsonl",
    )
)
def verify(
    *,
    checkpoint: Annotated[
        Path | None,
        typer.Option(
            "--checkpoint",
            metavar="F",
            help="Your own copy of the checkpoints, instead of the folder's.",
        ),
    ] = None,
    anchor: Annotated[
        str | None,
        typer.Option(
            "--anchor",
            metavar="WHERE",
            envvar=ANCHOR,
            show_default=False,
            help="The anchor outside the house: a file elsewhere, or the URL of a database.",
        ),
    ] = None,
    key: Annotated[
        str | None,
        typer.Option("--key", metavar="KEY", help="The house's public key, as you wrote it down."),
    ] = None,
    data: Data = Path("pitbook-data"),
    database: Database = None,
    json: Json = False,
) -> None:
    """Read the whole book and believe none of it: every hash, sum and signature is checked.

    Every stream is also played again: facts must imply their transfers. An edited, deleted,
    swapped or cut entry, a dropped guard and a cut file of checkpoints are findings, and the exit
    code is 1. It is told from which entry on nothing is proved.

    Who can write to the whole folder can put it back as it was: only an anchor outside, or your own
    copy of the checkpoints, can tell. The key that is printed is the house's; it should be the one
    you wrote down. A copy that is read-only stays as it is, and needs no keys.
    """
    anchored = None if anchor is None else _anchored_checkpoints(anchor, data)
    if checkpoint is not None:
        _require_checkpoints(checkpoint)
    with _open_folder(data, database, key) as folder:
        verdict = _verify_ledger(folder, checkpoint, anchored, key)
    public_key = key or folder.key
    if json:
        emit(document(verdict, public_key, anchored))
    else:
        print_lines(*verdict_report(verdict, public_key, anchored))
    if verdict.findings:
        raise typer.Exit(FINDING)


@contextmanager
def _open_folder(data: Path, database: str | None, key: str | None) -> Iterator[ReadOnlyFolder]:
    from pitbook.house.ledger.folder import open_read_only  # noqa: PLC0415  Imports the database.

    try:
        with open_read_only(data, database, key) as folder:
            for path in folder.loose_files:
                print(localize(say("cli.audit.others-look", path=path)), file=sys.stderr)
            yield folder
    except LedgerError as error:
        raise error_with_place(error, data, database) from error
    except ValueError as error:  # A recorded time is not a valid time.
        raise LedgerError(say("cli.damaged", place=str(data), why=str(error))) from error


def _verify_ledger(
    folder: ReadOnlyFolder,
    checkpoint: Path | None,
    anchored: list[AnchoredCheckpoint] | None,
    key: str | None,
) -> LedgerVerdict:
    from pitbook.house.ledger.audit_checkpoints import LedgerFinding  # noqa: PLC0415
    from pitbook.house.ledger.stream_kinds import audit_of  # noqa: PLC0415

    entries = sum(stream.seq for stream in folder.ledger.streams() if type(stream.seq) is int)
    with progress(entries, of=say("cli.progress.entries")) as on_progress:
        options = {"key": key or folder.key, "anchored": anchored}
        verdict = folder.verify(checkpoint, replay_of=audit_of, report=on_progress, **options)
    if key is None or folder.key in (None, key):
        return verdict
    key_finding = LedgerFinding(say("cli.audit.keys"), say("cli.audit.other-key", key=folder.key))
    return verdict._replace(findings=(key_finding, *verdict.findings))


def _anchored_checkpoints(anchor: str, data: Path) -> list[AnchoredCheckpoint]:
    from pitbook.house.ledger.anchors import anchor_at  # noqa: PLC0415

    return anchor_at(anchor, data).read()


def _require_checkpoints(file: Path) -> None:
    from pitbook.house.ledger.checkpoints import read_checkpoints  # noqa: PLC0415

    if not file.is_file():
        raise LedgerError(say("cli.audit.no-checkpoints", path=file))
    if not read_checkpoints(file):
        raise LedgerError(say("cli.audit.no-checkpoint", path=file))
