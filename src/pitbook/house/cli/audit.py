"""`pitbook audit`: verify the ledger, explain a payout, state who owns the money."""

from __future__ import annotations

import json as json_module
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from pitbook.cli.commands import ListedCommand, group
from pitbook.cli.language import localize, output_language, print_lines, set_currency
from pitbook.cli.options import Json, write_text
from pitbook.cli.output import emit, examples
from pitbook.cli.papers import PageSizes, Size, write_paper
from pitbook.cli.progress import progress
from pitbook.errors import LedgerError
from pitbook.house.cli.data_folder import ANCHOR, Data, Database, error_with_place, open_folder
from pitbook.text import say

if TYPE_CHECKING:
    from pitbook.house.ledger.anchors import AnchoredCheckpoint
    from pitbook.house.ledger.audit import LedgerVerdict
    from pitbook.house.ledger.folder import ReadOnlyFolder
    from pitbook.house.table.explain import SeatAccount
    from pitbook.house.table.round_records import RoundRecord


FINDING = 1

COMMANDS = {
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


# Explain: why a seat was paid what it was paid ----------------------------------------------------


@app.command(
    short_help="Explain a seat's payout.",
    epilog=examples(
        "pitbook audit explain stud-1-000004 2",
        "pitbook audit explain stud-1-000004 2 --proof round.json",
        "pitbook audit explain stud-1-000004 2 --pdf dispute.pdf",
    ),
)
def explain(
    round: Annotated[str, typer.Argument(metavar="ROUND", help="Round id, such as stud-1-000004.")],
    seat: Annotated[int, typer.Argument(metavar="SEAT", help="Seat number.")],
    *,
    proof: Annotated[
        Path | None,
        typer.Option(
            "--proof",
            metavar="FILE",
            help="Write a proof that opens the whole shoe.",
        ),
    ] = None,
    player_proof: Annotated[
        Path | None,
        typer.Option(metavar="FILE", help="Write a proof of what the seat's player may see."),
    ] = None,
    pdf: Annotated[
        Path | None, typer.Option("--pdf", metavar="FILE", help="Also write a PDF to sign.")
    ] = None,
    size: PageSizes = Size.LETTER,
    data: Data = Path("pitbook-data"),
    database: Database = None,
    json: Json = False,
) -> None:
    """Explain a seat's payout: wagers, plays, cards, pay table lines, clauses and caps.

    The round is replayed from the journal. If the result differs from the record, the exit code is
    1. For auditors and staff: shows the seat's cards even if folded. Check the proofs with
    `pitbook verify-deal`; a player's proof never shows another player's folded hand.
    """
    from pitbook.house.table.explain import explain_seat  # noqa: PLC0415  Imports the database.

    with open_folder(data, database) as folder:
        account = explain_seat(folder.ledger, round, seat)
        set_currency(account.currency)
        if proof:
            _write_proof(proof, account.record, folder.keys.sealing)
        if player_proof:
            _write_proof(player_proof, account.record, folder.keys.sealing, account.seat.player)
    if pdf:
        _write_pdf(pdf, account, size)
    if json:
        emit(account.document())
    else:
        _print_account(account)
    if account.differences:
        raise typer.Exit(FINDING)


def _write_proof(file: Path, record: RoundRecord, secret: bytes, player: str | None = None) -> None:
    """Write a proof of the whole shoe once it has ended, or of what a player may see."""
    from pitbook.house.table.replay import build_proof  # noqa: PLC0415
    from pitbook.house.table.visibility import Viewer  # noqa: PLC0415
    from pitbook.shoe.crypto import Vault  # noqa: PLC0415

    if file.exists():
        raise LedgerError(say("cli.file.there-already", path=str(file)))
    viewer = None if player is None else Viewer(player, "player")
    write_text(file, json_module.dumps(build_proof(record, Vault(secret), viewer), indent=2) + "\n")


def _write_pdf(file: Path, account: SeatAccount, size: Size) -> None:
    """Write the account of a round as a paper."""
    from pitbook.house.papers.round_report import round_report  # noqa: PLC0415

    write_paper(file, round_report(account), account.currency, size=size)


def _print_account(account: SeatAccount) -> None:
    from pitbook.cli.render import console, show  # noqa: PLC0415
    from pitbook.house.cli.audit_reports import account_parts  # noqa: PLC0415  Imports Rich.

    show(console(), account_parts(account))


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
    from pitbook.house.ledger.folder import KEYS_FILE  # noqa: PLC0415  Imports the database.
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


# Statement: where the casino's money is, and who owns it ------------------------------------------


@app.command(
    short_help="Show the house statement.",
    epilog=examples("pitbook audit statement", "pitbook audit statement --pdf statement.pdf"),
)
def statement(
    *,
    html: Annotated[bool, typer.Option("--html", help="Print the statement as HTML.")] = False,
    pdf: Annotated[
        Path | None, typer.Option("--pdf", metavar="FILE", help="Also write a PDF to sign.")
    ] = None,
    size: PageSizes = Size.LETTER,
    output: Annotated[
        Path | None,
        typer.Option(
            "-o", "--output", metavar="FILE", show_default=False, help="Write to this file."
        ),
    ] = None,
    data: Data = Path("pitbook-data"),
    database: Database = None,
    json: Json = False,
) -> None:
    """Show where the house's money is, and how much belongs to each owner.

    The owners are the house, its players, and for each event the charity, the players who hold
    chips, prizes that are not paid yet, and prizes and refunds that were never claimed. What is
    held for a charity is the proceeds on the event's own statement. The exit code is 1 if cash and
    claims differ, for the house or for an event.
    """
    from pitbook.house.inspect.house_statement import (  # noqa: PLC0415  Imports the tables.
        house_statement,
        house_statement_page,
        house_statement_paper,
        house_statement_text,
    )
    from pitbook.house.ledger.writer import utc_now  # noqa: PLC0415  Imports the database.
    from pitbook.house.nights.night_cache import charity_names  # noqa: PLC0415

    with open_folder(data, database) as folder:
        report = house_statement(
            folder.ledger,
            charity_of=charity_names(folder.ledger),
            at=utc_now().isoformat(timespec="seconds"),
        )
    page = (house_statement_page if html else house_statement_text)(report, output_language())
    if pdf is not None:
        write_paper(pdf, house_statement_paper(report), size=size)
    if output is not None:
        write_text(output, page)
    if json:
        emit(report.document())
    elif output is None:
        print(page, end="")
    if not report.agrees:
        raise typer.Exit(FINDING)
