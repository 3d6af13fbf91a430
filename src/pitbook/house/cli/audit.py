"""`pitbook audit`: verify and anchor the ledger, and check a day's close."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from pitbook.cli.language import localize, print_lines
from pitbook.cli.lazy_commands import ListedCommand, group
from pitbook.cli.options import Json
from pitbook.cli.plain_output import emit, examples
from pitbook.cli.progress import progress
from pitbook.errors import LedgerError
from pitbook.house.cli.ledger_options import ANCHOR, Data, Database, error_with_place, open_folder
from pitbook.text import say

if TYPE_CHECKING:
    from pitbook.house.ledger.anchors import AnchoredCheckpoint
    from pitbook.house.ledger.audit import LedgerVerdict
    from pitbook.house.ledger.data_folder import ReadOnlyFolder


FINDING = 1

COMMANDS = {
    "explain": ListedCommand("pitbook.house.cli.audit_explain", "Explain a seat's payout."),
    "statement": ListedCommand("pitbook.house.cli.audit_statement", "Show the house statement."),
    "export": ListedCommand(
        "pitbook.house.cli.audit_export", "The journal of some days as CSV or JSON."
    ),
}

app = group(
    "Verify, explain and export the ledger.",
    epilog=examples("pitbook audit verify", "pitbook audit explain stud-1-000004 2"),
    commands=COMMANDS,
)


# Verify: read the whole ledger and check it against the signatures --------------------------------


@app.command(
    short_help="Recompute every hash, sum and signature.",
    epilog=examples(
        "pitbook audit verify",
        "pitbook audit verify --data house --checkpoint copy.jsonl",
        "pitbook audit verify --data copy --anchor /mnt/notary/house.jsonl",
    ),
)
def verify(
    *,
    checkpoint: Annotated[
        Path | None,
        typer.Option(
            "--checkpoint",
            metavar="F",
            help="Your own copy of the checkpoints, used instead of the folder's.",
        ),
    ] = None,
    anchor: Annotated[
        str | None,
        typer.Option(
            "--anchor",
            metavar="WHERE",
            envvar=ANCHOR,
            show_default=False,
            help="External anchor: a file elsewhere, or a database URL.",
        ),
    ] = None,
    key: Annotated[
        str | None,
        typer.Option(
            "--key", metavar="KEY", help="The server's public key, from your own records."
        ),
    ] = None,
    data: Data = Path("pitbook-data"),
    database: Database = None,
    json: Json = False,
) -> None:
    """Read the whole ledger and recompute every hash, sum and signature.

    Every stream is also replayed: events must explain their transfers. An edited, deleted, swapped
    or cut entry, a dropped guard and a cut file of checkpoints are findings, and the exit code is
    1. The report names the first entry that no checkpoint covers.

    Anyone who can write to the whole folder can restore an older copy of it. Only an external
    anchor, or your own copy of the checkpoints, reveals that. Compare the printed public key with
    the one in your records. A read-only copy is not changed and needs no keys.
    """
    from pitbook.house.cli.audit_reports import verdict_report, verification_document  # noqa: PLC0415  Rich.

    anchored = None if anchor is None else _anchored_checkpoints(anchor, data)
    if checkpoint is not None:
        _require_checkpoints(checkpoint)
    with _open_folder(data, database, key) as folder:
        verdict = _verify_ledger(folder, checkpoint, anchored, key)
    public_key = key or folder.key
    if json:
        emit(verification_document(verdict, public_key, anchored))
    else:
        print_lines(*verdict_report(verdict, public_key, anchored))
    if verdict.findings:
        raise typer.Exit(FINDING)


@contextmanager
def _open_folder(data: Path, database: str | None, key: str | None) -> Iterator[ReadOnlyFolder]:
    from pitbook.house.ledger.data_folder import open_read_only  # noqa: PLC0415  Imports the database.

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
    with progress(entries, label=say("cli.progress.entries")) as on_progress:
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


# Anchor: sign the current heads and record them outside the server --------------------------------


@app.command(
    short_help="Sign the ledger and record it externally.",
    epilog=examples(
        "pitbook audit anchor --anchor /mnt/notary/house.jsonl",
        "pitbook audit anchor --anchor postgresql://notary/anchors --data house",
    ),
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
            help="File elsewhere, or the URL of another database.",
        ),
    ],
    data: Data = Path("pitbook-data"),
    database: Database = None,
    json: Json = False,
) -> None:
    """Sign the ledger now and record the checkpoint's number and hash externally.

    `pitbook audit verify --anchor WHERE` then detects a ledger or checkpoint file that was cut or
    restored from an older copy. A server with the setting `anchor` does this with every
    checkpoint.
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


# Check-close: whether a day's close is the one that was signed ------------------------------------


@app.command(
    "check-close",
    short_help="Verify a signed day-close file.",
    epilog=examples(
        "pitbook audit check-close close-2026-11-15.jsonl --data house",
        "pitbook audit check-close close-2026-11-15.csv --key KEY",
    ),
)
def check_close(
    file: Annotated[
        Path, typer.Argument(metavar="FILE", help="Day-close file, JSON Lines or CSV.")
    ],
    *,
    key: Annotated[
        str | None,
        typer.Option(
            "--key", metavar="KEY", help="The server's public key, from your own records."
        ),
    ] = None,
    data: Data = Path("pitbook-data"),
    json: Json = False,
) -> None:
    """Verify a signed day-close file against the house's key.

    Uses the data folder's key unless --key is given. The exit code is 1 if the file was changed.
    """
    from pitbook.house.inspect.day_close import is_authentic  # noqa: PLC0415
    from pitbook.house.ledger.data_folder import KEYS_FILE  # noqa: PLC0415  Imports the database.
    from pitbook.house.ledger.keys import read_keys  # noqa: PLC0415

    text, public_key = _read_close(file), key or read_keys(data / KEYS_FILE).public
    whole = is_authentic(text, public_key, "csv" if file.suffix == ".csv" else "jsonl")
    if json:
        emit({"file": str(file), "key": public_key, "whole": whole})
    else:
        print_lines(say("cli.close-checked", file=str(file), whole=whole, key=public_key))
    if not whole:
        raise typer.Exit(FINDING)


def _read_close(file: Path) -> str:
    try:
        return file.read_bytes().decode()
    except OSError as error:
        details = {"file": str(file), "why": error.strerror or str(error)}
        raise LedgerError(say("cli.no-close", **details)) from None
    except UnicodeDecodeError:
        return ""  # Not one of our closes.
