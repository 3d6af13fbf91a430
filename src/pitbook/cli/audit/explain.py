"""`pitbook audit explain`: why a seat was paid what it was paid, from its first wager on."""

from __future__ import annotations

import json as json_module
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from pitbook.cli.arguments import Json
from pitbook.cli.files import write_text
from pitbook.cli.house import Data, Database, opened
from pitbook.cli.lazy import command
from pitbook.cli.output import emit, examples
from pitbook.errors import LedgerError, RoundError, ShoeError

if TYPE_CHECKING:
    from pitbook.cli.audit.account import Account
    from pitbook.ledger.book import Ledger
    from pitbook.table.records import Record

app = command()

FINDING = 1


@app.command(
    epilog=examples(
        "pitbook audit explain stud-1-000004 2",
        "pitbook audit explain stud-1-000004 2 --proof round.json",
    )
)
def explain(
    round: Annotated[str, typer.Argument(metavar="ROUND", help="A round's id: TABLE-NUMBER.")],
    seat: Annotated[int, typer.Argument(metavar="SEAT", help="The number of a seat in it.")],
    *,
    proof: Annotated[
        Path | None,
        typer.Option(
            "--proof", metavar="FILE", help="Write the revealed round, for pitbook verify-deal."
        ),
    ] = None,
    data: Data = Path("pitbook-data"),
    database: Database = None,
    json: Json = False,
) -> None:
    """Why a seat was paid what it was paid: wagers, choices, cards, lines, clauses, caps.

    The round is played again from the journal; where it does not come out as it was written
    down, that is said and the exit code is 1. It is for auditors and staff: the seat's cards are
    shown, folded or not.
    """
    with opened(data, database) as folder:
        found = _found(folder.ledger, round, seat)
        if proof:
            _prove(proof, found.record, folder.keys.sealing)
    if json:
        emit(found.document())
    else:
        _print(found)
    if found.differs:
        raise typer.Exit(FINDING)


def _found(ledger: Ledger, round: str, seat: int) -> Account:
    from pitbook.cli.audit.account import account  # noqa: PLC0415  It brings the database.
    from pitbook.table.records import find  # noqa: PLC0415

    try:
        return account(ledger, find(ledger, round), seat)
    except (KeyError, TypeError, AttributeError) as error:  # No table writes such facts.
        raise RoundError(
            f"what is on record of round {round} is damaged ({error!r}); "
            "pitbook audit verify shows what was changed"
        ) from error


def _prove(file: Path, record: Record, secret: bytes) -> None:
    """The round with its shoe, once that has ended."""
    from pitbook.games.stored import store  # noqa: PLC0415
    from pitbook.shoe.proof import revealed  # noqa: PLC0415
    from pitbook.shoe.record import Record as Shoe  # noqa: PLC0415
    from pitbook.shoe.vault import Vault  # noqa: PLC0415
    from pitbook.table.records import on_layout  # noqa: PLC0415

    if file.exists():
        raise LedgerError(f"{file}: there is a file of that name already; name another")
    if record.revealed is None or record.revealed["seed"] is None:
        raise ShoeError(f"the shoe of round {record.id} has told no seed; --proof needs one")
    state = record.state
    document = revealed(
        Shoe.of(record.before.shoe),
        Vault(secret),
        seat_seeds=dict(record.revealed["seat_seeds"]),
        drawn=record.before.drawn,
        round=store(on_layout(state), state.actions),
    )
    write_text(file, json_module.dumps(document, indent=2) + "\n")


def _print(found: Account) -> None:
    from pitbook.cli.audit.telling import parts  # noqa: PLC0415  It brings Rich.
    from pitbook.cli.terminal import console, show  # noqa: PLC0415

    show(console(), parts(found))
