"""`pitbook audit explain`: why a seat was paid what it was paid."""

from __future__ import annotations

import json as json_module
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from pitbook.cli.language import set_currency
from pitbook.cli.lazy_commands import command
from pitbook.cli.options import Json, write_text
from pitbook.cli.papers import PageSizes, Size, write_paper
from pitbook.cli.plain_output import emit, examples
from pitbook.errors import LedgerError
from pitbook.house.cli.ledger_options import Data, Database, open_folder
from pitbook.text import say

if TYPE_CHECKING:
    from pitbook.house.table.explain import SeatAccount
    from pitbook.house.table.round_records import RoundRecord


FINDING = 1

app = command()


@app.command(
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
    """Explain a seat's payout: wagers, plays, cards, payouts, clauses and limits.

    The round is replayed from the ledger. If the result differs from the record, the exit code is
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
    from pitbook.house.table.round_replay import build_proof  # noqa: PLC0415
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
    from pitbook.cli.rich_output import console, show  # noqa: PLC0415
    from pitbook.house.cli.audit_reports import account_parts  # noqa: PLC0415  Imports Rich.

    show(console(), account_parts(account))
