"""`pitbook audit verify`: the whole book read again and held against what was signed."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from pitbook.cli.commands import command
from pitbook.cli.language import tell, worded
from pitbook.cli.options import Json
from pitbook.cli.output import emit, examples
from pitbook.cli.progress import progress
from pitbook.errors import LedgerError
from pitbook.house.cli.data_folder import ANCHOR, Data, Database, named
from pitbook.house.cli.verdicts import document, told
from pitbook.text import say

if TYPE_CHECKING:
    from pitbook.house.ledger.anchors import AnchoredCheckpoint
    from pitbook.house.ledger.audit import BookVerdict
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
    known = None if anchor is None else _known(anchor, data)
    if checkpoint is not None:
        _check(checkpoint)
    with _looked_at(data, database, key) as seen:
        verdict = _verified(seen, checkpoint, known, key)
    house = key or seen.key
    if json:
        emit(document(verdict, house, known))
    else:
        tell(*told(verdict, house, known))
    if verdict.findings:
        raise typer.Exit(FINDING)


@contextmanager
def _looked_at(data: Path, database: str | None, key: str | None) -> Iterator[ReadOnlyFolder]:
    from pitbook.house.ledger.folder import open_read_only  # noqa: PLC0415  It brings the database.

    try:
        with open_read_only(data, database, key) as seen:
            for one in seen.loose:
                print(worded(say("cli.audit.others-look", path=one)), file=sys.stderr)
            yield seen
    except LedgerError as error:
        raise named(error, data, database) from error
    except ValueError as error:  # A time on record that is no time.
        raise LedgerError(say("cli.damaged", place=str(data), why=str(error))) from error


def _verified(
    seen: ReadOnlyFolder,
    checkpoint: Path | None,
    known: list[AnchoredCheckpoint] | None,
    key: str | None,
) -> BookVerdict:
    from pitbook.house.ledger.audit_checkpoints import BookFinding  # noqa: PLC0415
    from pitbook.house.ledger.stream_kinds import audit_of  # noqa: PLC0415

    entries = sum(one.seq for one in seen.ledger.streams() if type(one.seq) is int)
    with progress(entries, of=say("cli.progress.entries")) as bar:
        how = {"key": key or seen.key, "anchored": known}
        verdict = seen.verify(checkpoint, following=audit_of, told=bar, **how)
    if key is None or seen.key in (None, key):
        return verdict
    other = BookFinding(say("cli.audit.keys"), say("cli.audit.other-key", key=seen.key))
    return verdict._replace(findings=(other, *verdict.findings))


def _known(anchor: str, data: Path) -> list[AnchoredCheckpoint]:
    from pitbook.house.ledger.anchors import anchor_at  # noqa: PLC0415

    return anchor_at(anchor, data).read()


def _check(file: Path) -> None:
    from pitbook.house.ledger.checkpoints import read_checkpoints  # noqa: PLC0415

    if not file.is_file():
        raise LedgerError(say("cli.audit.no-checkpoints", path=file))
    if not read_checkpoints(file):
        raise LedgerError(say("cli.audit.no-checkpoint", path=file))
