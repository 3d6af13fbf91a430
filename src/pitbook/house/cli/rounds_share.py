"""`pitbook rounds share`: a link to a recorded round as one of its seats saw it."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from pitbook.cli.language import print_lines
from pitbook.cli.lazy_commands import command
from pitbook.cli.options import Json
from pitbook.cli.plain_output import emit, examples
from pitbook.errors import RoundError
from pitbook.house.cli.ledger_options import Data, Database, open_folder
from pitbook.text import say

if TYPE_CHECKING:
    from pitbook.house.table.round_records import RoundRecord


app = command()

HOURS_MAX = 87_600


@app.command(
    epilog=examples(
        "pitbook rounds share stud-1-000004 2 --hours 168",
        "pitbook rounds share stud-1-000004 2 --json",
    )
)
def share(
    round: Annotated[str, typer.Argument(metavar="ROUND", help="Round id, such as stud-1-000004.")],
    seat: Annotated[int, typer.Argument(metavar="SEAT", help="Seat number.")],
    *,
    hours: Annotated[
        int | None,
        typer.Option(
            "--hours",
            min=1,
            max=HOURS_MAX,
            show_default=False,
            help="Hours until the link expires; by default it lasts as long as the round's record.",
        ),
    ] = None,
    data: Data = Path("pitbook-data"),
    database: Database = None,
    json: Json = False,
) -> None:
    """Make a link to a finished round, for anyone who has it.

    The link shows what that seat's player may see. Other players appear as "seat 2". The output
    is a path: put your server's address in front of it. Links are not stored, so you cannot
    revoke one before it expires.
    """
    from pitbook.house.ledger.writer import utc_now  # noqa: PLC0415  Imports the database.
    from pitbook.house.table.round_records import find_round  # noqa: PLC0415
    from pitbook.house.web.sharing import Links, create_link  # noqa: PLC0415

    with open_folder(data, database) as folder:
        record = find_round(folder.ledger, round)
        link = create_link(record, _player(record, seat), hours=hours, now=utc_now())
        token = Links(folder.keys.sealing).token(link)
    if json:
        emit({"path": f"/shared/{token}", "token": token, "until": link.until or None})
        return
    ends = say("cli.share.ends", at=link.until) if link.until else say("cli.share.no-end")
    print_lines(f"/shared/{token}", ends)


def _player(record: RoundRecord, seat: int) -> str:
    from pitbook.house.table.round_records import round_of  # noqa: PLC0415

    if record.settled is None:
        raise RoundError(say("cli.share.not-over", round=record.id))
    seats = {seat.number: seat.player for seat in round_of(record.state).seats}
    if seat not in seats:
        played = ", ".join(map(str, seats))
        fields = {"seat": seat, "round": record.id, "seats": played}
        raise RoundError(say("cli.share.nobody", **fields))
    return seats[seat]
