"""`pitbook night tournament ticket, tickets`: print tickets and who has opened them."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

import typer

from pitbook.cli.language import worded
from pitbook.cli.options import Json
from pitbook.cli.output import examples
from pitbook.house.cli.night_common import (
    HouseOptions,
    Player,
    house_at,
    night_at,
    options,
    refused,
    told,
)
from pitbook.sheets.findings import printable
from pitbook.text import say

if TYPE_CHECKING:
    from pitbook.house.nights.store import Night
    from pitbook.house.nights.tournament.state import Tournament as State
    from pitbook.house.nights.view_types import TicketShown


app = typer.Typer(add_completion=False, rich_markup_mode=None)
Tournament = Annotated[
    str, typer.Argument(metavar="TOURNAMENT", help="Its whole id, as in gala.t1.")
]
Address = Annotated[
    str,
    typer.Option("--address", metavar="URL", help="Where phones find the server; begins the link."),
]


@app.command(
    epilog=examples(
        "pitbook night tournament ticket gala.t1 ann",
        "pitbook night tournament ticket gala.t1 ann --address https://pit.example",
    )
)
@options
def ticket(
    tournament: Tournament,
    player: Player,
    *,
    address: Address = "",
    where: HouseOptions,
    json: Json = False,
) -> None:
    """A player's ticket that is good now: the link that a phone opens, to the seat and no other."""
    from pitbook.house.nights.store import found  # noqa: PLC0415
    from pitbook.house.nights.ticket_codes import Tickets, ticket_of  # noqa: PLC0415
    from pitbook.house.nights.tournament.tickets import why_not  # noqa: PLC0415
    from pitbook.house.people.roster import get_persons  # noqa: PLC0415  Slow to import.
    from pitbook.rules.refusals import Code, Refusal  # noqa: PLC0415

    with house_at(where) as place:
        night = found(place.ledger, _event(tournament))
        one, name = _known(night, tournament), get_persons(place.ledger).resolve_name(player)
        made = ticket_of(one, name)
        if (no := why_not(one, name, int(made.edition))) is not None:
            refused(Refusal(Code.NOT_NOW, no), as_json=json)
        token = Tickets(place.keys.sealing).token(made)
    link = f"{address.rstrip('/')}/check-in/{token}"
    document = {"tournament": tournament, "player": name, "token": token, "link": link}
    told(document, link, as_json=json, of=night.state)


@app.command(epilog=examples("pitbook night tournament tickets gala.t1"))
@options
def tickets(tournament: Tournament, *, where: HouseOptions, json: Json = False) -> None:
    """Everybody's ticket: whether it is good, and how often and when it was opened to play."""
    from pitbook.house.nights.views import ticket_shown  # noqa: PLC0415

    with night_at(where, _event(tournament)) as night:
        one = _known(night, tournament)
    rows = {name: ticket_shown(one, name) for name in (*one.players, *one.arrived)}
    document = {"tournament": tournament, "status": one.status, "tickets": rows}
    words = "\n".join(_words(name, row) for name, row in rows.items())
    told(document, words or say("cli.night.nobody-entered"), as_json=json, of=night.state)


def _words(name: str, row: TicketShown) -> str:
    if row["revoked"]:
        said = say("cli.night.ticket-revoked", name=name)
    elif not row["opened"]:
        said = say("cli.night.ticket-closed", name=name)
    else:
        opened = {"times": row["opened"], "at": row["opened_at"]}
        said = say("cli.night.ticket-opened", name=name, **opened)
    return printable(worded(said))


def _event(tournament: str) -> str:
    from pitbook.house.cli.tournament import event_of  # noqa: PLC0415  It lists these commands.

    return event_of(tournament)


def _known(night: Night, tournament: str) -> State:
    from pitbook.house.cli.tournament import known  # noqa: PLC0415

    return known(night, tournament)
