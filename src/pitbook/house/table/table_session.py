"""A person at a table: what they see and which commands they may send."""

from __future__ import annotations

from http import HTTPStatus
from typing import Any, NamedTuple

from pydantic_core import to_json

from pitbook.house.ledger.accounts import unit_currency
from pitbook.house.ledger.fact_codec import Json
from pitbook.house.ledger.streams import find_request
from pitbook.house.nights.night_cache import tournament_in
from pitbook.house.nights.tournament_tables import table_name
from pitbook.house.people.account_register import Person
from pitbook.house.people.guest_play import is_owner, owns_table
from pitbook.house.table import commands
from pitbook.house.table.actor import Accepted, Answer, LiveTable
from pitbook.house.table.api_types import CommandOutcome
from pitbook.house.table.commands import By, Command, Envelope
from pitbook.house.table.events import sheet_id
from pitbook.house.table.offers import render_refusal
from pitbook.house.table.rights import check_right
from pitbook.house.table.round_records import RoundRecord
from pitbook.house.table.state import TableState
from pitbook.house.table.stored_sheets import dump_sheet
from pitbook.house.table.view_types import Recorded, View
from pitbook.house.table.visibility import Viewer
from pitbook.house.web.errors import Problem, RefusedPlay
from pitbook.house.web.languages import set_currency
from pitbook.house.web.server import Server
from pitbook.house.web.services import Services
from pitbook.rules.refusals import Code, Refusal, refuse
from pitbook.text import Sentence, say
from pitbook.text.catalog import ENGLISH
from pitbook.text.user_input import printable

REQUEST_MAX = 100
NAME_SHOWN = 60
VOIDING = (commands.VoidHand, commands.Unreadable)


SPECTATOR = Viewer("", "spectator")


class TableSession(NamedTuple):
    """A person's access to a table: the view, and the sender of commands."""

    table: LiveTable
    viewer: Viewer
    by: By | None
    person: str = ""  # The person's name, if it differs from the name at the table.
    ticket: bool = False  # The seat is played by another person with a ticket.


def resolve_seat(server: Server, name: str, person: Person) -> TableSession:
    """The person's session at a table; raises Problem if they may not see it."""
    if person.role == "guest" and not owns_table(server, person, name):
        # The same message for existing and unknown tables, so that guests learn nothing.
        message = say("web.tables.unseen", table=printable(name[:NAME_SHOWN]))
        raise Problem(HTTPStatus.NOT_FOUND, message)
    table = server.table(name)
    state = table.state
    set_currency(unit_currency(state.unit, state.game.sheet.house.currency))
    is_own = state.kind == "practice" and is_owner(server, person, state.owner)
    if person.tournament and tournament_in(state.unit) != person.tournament:
        fields = {"table": name, "tournament": person.tournament}
        raise Problem(HTTPStatus.FORBIDDEN, say("web.tables.not-by-ticket", **fields))
    if state.kind == "practice" and not is_own and person.role != "supervisor":
        raise Problem(HTTPStatus.FORBIDDEN, say("web.tables.anothers-practice", table=name))
    if is_own:  # A guest who signed in still plays under the guest's name there.
        name = state.owner
        return TableSession(table, Viewer(name, "player"), By(name, "player"), person.name)
    if (
        person.role == "player"
        and not person.tournament
        and _is_played_by_ticket(server, state, person)
    ):
        return TableSession(table, Viewer(person.name, "spectator"), None, ticket=True)
    if person.role in ("guest", "player"):
        return TableSession(table, Viewer(person.name, "player"), By(person.name, "player"))
    if person.role == "dealer":
        return TableSession(table, Viewer(person.name, "dealer"), By(person.name, "dealer"))
    if person.role == "supervisor":
        return TableSession(table, Viewer(person.name, "supervisor"), By(person.name, "supervisor"))
    return TableSession(table, Viewer(person.name, "spectator"), None)


def set_round_currency(record: RoundRecord) -> None:
    """Set the currency of the response to that of a past round."""
    sheet = sheet_id(record.before.upcoming_sheet)
    set_currency(unit_currency(record.before.unit, sheet.get("currency")))


def _is_played_by_ticket(server: Server, state: TableState, person: Person) -> bool:
    """Whether another person plays the seat by ticket."""
    tournament = tournament_in(state.unit)
    return tournament is not None and server.people.passes.plays_by_ticket(tournament, person.name)


def render_view(session: TableSession) -> View:
    """The table's view for one viewer."""
    env = session.table.env
    view = session.table.views.render_for(session.viewer, env.wallet, env.access_list())
    # Clients count deadlines down from the server's time.
    now, presence = env.now().isoformat(), session.table.presence
    return {**view, "you": session.viewer.name, "now": now, "presence": presence}


def render_view_text(session: TableSession, language: str) -> str:
    """The table's view for one viewer as JSON; spectators without a seat share one text."""
    table, viewer = session.table, session.viewer
    env, you = table.env, f',"you":{to_json(viewer.name).decode()}'
    if viewer.role == "spectator" and viewer.name not in table.state.seats.values():
        viewer, you = SPECTATOR, ""
    text = table.views.text_for(viewer, env.wallet, env.access_list(), language)
    return f"{text[:-1]}{you},{table.now_and_presence()}}}"


async def submit_command(
    services: Services, session: TableSession, document: Any, request: str | None
) -> Answer:
    """Parse and check a client's command, and send it to the table; returns the recorded answer."""
    command = _read_command(services, document)
    if session.ticket:
        raise Problem(HTTPStatus.FORBIDDEN, say("web.tables.by-ticket", name=session.viewer.name))
    if session.by is None:
        raise Problem(HTTPStatus.FORBIDDEN, say("web.tables.watches", name=session.viewer.name))
    limiter = services.server.limiter
    if wait := limiter.commands.take(f"{session.by.name}@{session.table.stream}"):
        raise Problem(HTTPStatus.TOO_MANY_REQUESTS, too_many_commands_message(wait), wait)
    refusal = _check_reason(session, command) or _check_pit(services, session, command)
    refusal = refusal or _check_draw(services, session, command)
    refusal = refusal or services.hours.start_refusal(session.table.state, command)
    refusal = refusal or await services.player_limits.refusal_for(
        session.table, session.by, command
    )
    if refusal is not None and not _is_repeated(services, session.by, request):
        return refusal
    return await session.table.send(Envelope(session.by, command, request))


def _check_reason(session: TableSession, command: Command) -> Refusal | None:
    """The refusal of voiding another player's hand without a reason, or None."""
    if not isinstance(command, VOIDING):
        return None
    state = session.table.state
    if command.why is not None or state.kind == "practice":
        return None
    assert session.by is not None
    if check_right(state, session.by, command) is not None:  # The table gives the refusal.
        return None
    return refuse(Code.FORBIDDEN, "web.tables.reason-first", do=commands.NAMES[type(command)])


def _check_pit(services: Services, session: TableSession, command: Command) -> Refusal | None:
    """The pit's refusal of the name at the table or of the person's own, or None."""
    assert session.by is not None
    refusal = services.pit.refusal_for(session.table.state, session.by.name, command)
    if refusal is None and session.person not in ("", session.by.name):
        refusal = services.pit.refusal_for(session.table.state, session.person, command)
    return refusal


def _check_draw(services: Services, session: TableSession, command: Command) -> Refusal | None:
    """The refusal of a seat at a tournament table that the draw gave to another player."""
    assert session.by is not None
    state, name = session.table.state, session.by.name
    tournament = tournament_in(state.unit)
    if tournament is None or not isinstance(command, commands.Sit) or session.by.role != "player":
        return None
    tournament_state = services.server.people.passes.tournament(tournament)
    drawn = tournament_state.players.get(name) if tournament_state is not None else None
    own_seat = (drawn.table, drawn.seat) if drawn is not None else (None, None)
    if own_seat[0] and (table_name(tournament, own_seat[0]), own_seat[1]) == (
        state.table,
        command.seat,
    ):
        return None
    return refuse(Code.FORBIDDEN, "web.tables.seats-drawn", tournament=tournament, name=name)


def _read_command(services: Services, document: Any) -> Command:
    """The command in a document; a sheet may be an id. Raises Problem for internal commands."""
    if isinstance(document, dict) and isinstance(document.get("sheet"), str):
        document = document | {"sheet": dump_sheet(services.sheets.load(document["sheet"]))}
    command = commands.decode(document)
    if isinstance(command, commands.AdviceShown):
        raise Problem(HTTPStatus.FORBIDDEN, say("web.tables.advice-by-house"))
    return command


def _is_repeated(services: Services, by: By, request: str | None) -> bool:
    """Whether the request is a repeat from before the game was disabled."""
    return find_request(services.server.house.ledger, by.name, request) is not None


def example_response(document: Json, description: str = "") -> dict[int | str, dict[str, Any]]:
    """An example response for the API description."""
    content = {"application/json": {"example": document}}
    return {200: {"description": description or "Example.", "content": content}}


def check_request_id(request: Any) -> str:
    """A valid request id; raises Problem otherwise."""
    if not isinstance(request, str) or not 0 < len(request) <= REQUEST_MAX:
        raise Problem(HTTPStatus.BAD_REQUEST, say("web.invalid.request", most=REQUEST_MAX))
    if not request.isprintable():
        raise Problem(HTTPStatus.BAD_REQUEST, not_printable_message("request"))
    return request


def not_printable_message(field: str) -> Sentence:
    """The message for a field with unprintable characters."""
    return say("web.invalid.not-printable", field=field)


def too_many_commands_message(wait_s: float) -> Sentence:
    """The message for commands sent too fast."""
    return say("web.tables.too-many-commands", seconds=f"{wait_s:.1f}")


def game_disabled_message(game: str, why: str) -> Sentence:
    """The message for a disabled game."""
    return say("table.pit.game-disabled", game=game, why=why)


def accepted_json(answer: Accepted) -> Recorded:
    """An accepted command as JSON."""
    return {"seq": answer.seq, "hash": answer.hash}


def require_accepted(answer: Answer) -> Recorded:
    """The receipt of an accepted command; raises RefusedPlay for a refusal."""
    if isinstance(answer, Refusal):
        raise RefusedPlay(answer)
    return accepted_json(answer)


def answer_frame(answer: Answer, language: str = ENGLISH) -> CommandOutcome:
    """An answer as the body of a frame."""
    if isinstance(answer, Refusal):
        return {"refused": render_refusal(answer, language)}
    return {"accepted": accepted_json(answer)}
