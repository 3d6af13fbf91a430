"""`pitbook night tournament ticket, tickets`: print tickets and who has opened them."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

import typer

from pitbook.cli.language import localize
from pitbook.cli.lazy_commands import command
from pitbook.cli.options import Json
from pitbook.cli.plain_output import examples
from pitbook.house.cli.house_options import HouseOptions, Player, house_at, night_at, options
from pitbook.house.cli.night_output import exit_refused, print_answer
from pitbook.text import say
from pitbook.text.user_input import printable

if TYPE_CHECKING:
    from pitbook.house.nights.api_types import TicketView
    from pitbook.house.nights.store import Night
    from pitbook.house.nights.tournament.state import Tournament as TournamentState


app = command()
Tournament = Annotated[
    str, typer.Argument(metavar="TOURNAMENT", help="Full tournament id, such as gala.t1.")
]
Address = Annotated[
    str,
    typer.Option(
        "--address",
        metavar="URL",
        help="Server address that players' phones can reach; the link starts with it.",
    ),
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
    house_options: HouseOptions,
    json: Json = False,
) -> None:
    """Print a player's current ticket: a link that opens the seat on a phone."""
    from pitbook.house.nights.store import existing_night  # noqa: PLC0415
    from pitbook.house.nights.ticket_codes import Tickets, ticket_of  # noqa: PLC0415
    from pitbook.house.nights.tournament.tickets import ticket_error  # noqa: PLC0415
    from pitbook.house.people.roster_store import get_persons  # noqa: PLC0415  Slow to import.
    from pitbook.rules.refusals import Code, Refusal  # noqa: PLC0415

    with house_at(house_options) as data_folder:
        night = existing_night(data_folder.ledger, _event_of(tournament))
        state, resolved_name = (
            _tournament_state(night, tournament),
            get_persons(data_folder.ledger).resolve_name(player),
        )
        ticket = ticket_of(state, resolved_name)
        if (reason := ticket_error(state, resolved_name, int(ticket.edition))) is not None:
            exit_refused(Refusal(Code.NOT_NOW, reason), as_json=json)
        token = Tickets(data_folder.keys.sealing).token(ticket)
    link = f"{address.rstrip('/')}/check-in/{token}"
    document = {"tournament": tournament, "player": resolved_name, "token": token, "link": link}
    print_answer(document, link, as_json=json, night_state=night.state)


@app.command(epilog=examples("pitbook night tournament tickets gala.t1"))
@options
def tickets(tournament: Tournament, *, house_options: HouseOptions, json: Json = False) -> None:
    """List tickets: whether each is valid, and how often and when it was opened."""
    from pitbook.house.nights.views import ticket_view  # noqa: PLC0415

    with night_at(house_options, _event_of(tournament)) as night:
        state = _tournament_state(night, tournament)
    rows = {name: ticket_view(state, name) for name in (*state.players, *state.arrived)}
    document = {"tournament": tournament, "status": state.status, "tickets": rows}
    words = "\n".join(_ticket_line(name, row) for name, row in rows.items())
    print_answer(
        document, words or say("cli.night.nobody-entered"), as_json=json, night_state=night.state
    )


def _ticket_line(name: str, row: TicketView) -> str:
    if row["revoked"]:
        line = say("cli.night.ticket-revoked", name=name)
    elif not row["opened"]:
        line = say("cli.night.ticket-closed", name=name)
    else:
        opened = {"times": row["opened"], "at": row["opened_at"]}
        line = say("cli.night.ticket-opened", name=name, **opened)
    return printable(localize(line))


def _event_of(tournament: str) -> str:
    from pitbook.house.cli.tournament import event_of  # noqa: PLC0415  It lists these commands.

    return event_of(tournament)


def _tournament_state(night: Night, tournament: str) -> TournamentState:
    from pitbook.house.cli.tournament import require_tournament  # noqa: PLC0415

    return require_tournament(night, tournament)
