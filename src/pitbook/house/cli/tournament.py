"""`pitbook night tournament`: one command for each command to a tournament."""

from __future__ import annotations

import datetime
import inspect
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Literal, TypeAlias, get_args

import typer

from pitbook.cli.language import localize
from pitbook.cli.lazy_commands import group
from pitbook.cli.options import Folders, Json, library
from pitbook.cli.plain_output import examples
from pitbook.house.cli import tickets
from pitbook.house.cli.house_options import (
    HouseOptions,
    RequestOptions,
    amount_of,
    house_at,
    night_at,
    options,
)
from pitbook.house.cli.night_files import exit_on_invalid, read_playable, read_schedule
from pitbook.house.cli.night_output import exit_refused, print_answer, require_accepted
from pitbook.house.cli.night_tables import at_tables
from pitbook.house.nights.tournament import commands
from pitbook.house.nights.tournament.commands import RoomSeat
from pitbook.text import say
from pitbook.text.user_input import printable

if TYPE_CHECKING:
    from pitbook.house.ledger.data_folder import Folder
    from pitbook.house.nights.store import Answer, Night
    from pitbook.house.nights.tournament.state import Tournament as TournamentState
    from pitbook.house.table.live_tables import LiveTables
    from pitbook.rules.refusals import Refusal


app = group(
    "Run tournaments: entries, seats, clock, eliminations, prizes and interruptions.",
    epilog=examples(
        "pitbook night tournament set-up gala.t1 schedule.toml",
        "pitbook night tournament enter gala.t1 ann",
    ),
)

OptionsGiven: TypeAlias = dict[str, Any]
Tournament: TypeAlias = Annotated[
    str, typer.Argument(metavar="TOURNAMENT", help="Full tournament id, such as gala.t1.")
]


def _text_option(flag: str, help_text: str) -> Any:
    return Annotated[str, typer.Option(flag, metavar="TEXT", help=help_text)]


def _list_argument(metavar: str, help_text: str) -> Any:
    return Annotated[list[str], typer.Argument(metavar=metavar, help=help_text)]


def _number_argument(metavar: str, help_text: str) -> Any:
    return Annotated[int, typer.Argument(metavar=metavar, min=1, help=help_text)]


def _repeated_option(flag: str, metavar: str, help_text: str) -> Any:
    option = typer.Option(flag, metavar=metavar, show_default=False, help=help_text)
    return Annotated[list[str] | None, option]


# How each field of a command is given on the command line.
FIELDS: dict[str, Any] = {
    "tournament": Tournament,
    "schedule": Annotated[
        Path, typer.Argument(metavar="FILE", help="Tournament schedule, a TOML file.")
    ],
    "player": Annotated[str, typer.Argument(metavar="PLAYER", help="Player's name.")],
    "table": _number_argument("TABLE", "Table number."),
    "minutes": _number_argument("MINUTES", "Length in minutes."),
    "of": _number_argument("NUMBER", "Number of the last action, as printed by `show`."),
    "players": _list_argument("PLAYER...", "Players eliminated together, or expected to enter."),
    "seconds": Annotated[
        int,
        typer.Option(
            "--seconds", metavar="SECONDS", help="Seconds to add; -60 subtracts a minute."
        ),
    ],
    "text": Annotated[
        str,
        typer.Argument(
            metavar="TEXT", help="Message for the clock board; omit it to clear the board."
        ),
    ],
    "stays": Annotated[
        int,
        typer.Option(
            "--minutes", metavar="N", help="Minutes to show it; 0: until the next message."
        ),
    ],
    "through": Annotated[
        bool, typer.Option("--through", help="The clock kept running during the interruption.")
    ],
    "counts": Annotated[
        list[str] | None,
        typer.Argument(
            metavar="PLAYER=CHIPS",
            show_default=False,
            help="Chip count of each player, such as ann=1200; omit for live tables.",
        ),
    ],
    "agreed": _repeated_option("--agreed", "PLAYER", "Player who agrees; may be repeated."),
    "moves": _repeated_option(
        "--move", "PLAYER=TABLE/SEAT", "Move a player, such as ann=2/5; may be repeated."
    ),
    "brush": _text_option("--brush", "Brush who made the announcement."),
    "words": _text_option("--words", "Remarks after the cost, which is always announced."),
    "why": _text_option("--why", "Reason, for the record."),
    "in_doubt": Annotated[
        bool, typer.Option("--in-doubt", help="The first card may already have been dealt.")
    ],
    "readable": Annotated[
        bool, typer.Option("--readable/--unreadable", help="Whether the hand can be read.")
    ],
}
SAMPLES = {
    "tournament": "gala.t1",
    "schedule": "schedule.toml",
    "player": "ann",
    "table": "1",
    "minutes": "10",
    "of": "12",
    "players": "ann",
    "seconds": "--seconds -60",
    "text": '"Dinner is served"',
    "counts": "ann=1200 bob=800",
    "why": '--why "power failure"',
    "readable": "--readable",
}
# A second example if the first says too little.
MORE_EXAMPLES = {"count-chips": "pitbook night tournament count-chips gala.t1 1 ann=1200 bob=800"}
DEALT_STATES = ("open", "playing", "interrupted")


@app.command(epilog=examples("pitbook night tournament show gala.t1"))
@options
def show(tournament: Tournament, *, house_options: HouseOptions, json: Json = False) -> None:
    """Show a tournament: players, seats and prizes owed."""
    from pitbook.house.cli.night_output import tournament_document, tournament_lines  # noqa: PLC0415  Slow to import.

    with night_at(house_options, event_of(tournament)) as night:
        state, now = require_tournament(night, tournament), night.now()
    words = "\n".join(tournament_lines(state, now))
    print_answer(tournament_document(state, now), words, as_json=json, night_state=night.state)


@app.command("lay-out", epilog=examples("pitbook night tournament lay-out gala.t1"))
@options
def lay_out(
    tournament: Tournament,
    *,
    kind: Annotated[
        Literal["house", "typed"],
        typer.Option("--kind", help="house: the server deals; typed: staff enter the cards."),
    ] = "house",
    folder: Folders = None,
    house_options: HouseOptions,
    request_options: RequestOptions,
) -> None:
    """Open live tables with everyone at the drawn seat; the ledger counts chips from here on.

    Run it again to add missing tables. With a running server, use its page instead.
    """
    from pitbook.house.nights import tournament_tables as tournament_rounds  # noqa: PLC0415
    from pitbook.house.nights.store import existing_night  # noqa: PLC0415

    with house_at(house_options) as data_folder:
        night = existing_night(data_folder.ledger, event_of(tournament))
        day = datetime.date.fromisoformat(night.state.gaming_date)
        sheet = library(folder).load(require_tournament(night, tournament).schedule.sheet, day)

        async def open_tables(house: LiveTables) -> tuple[Refusal | None, list[int]]:
            context = tournament_rounds.TournamentTables(
                house, night, tournament, request_options.actor
            )
            return await tournament_rounds.open_tables(
                context, sheet, kind=kind
            ), await tournament_rounds.read_table_numbers(context)

        refusal, numbers = at_tables(data_folder, open_tables)
    if refusal is not None:
        exit_refused(refusal, as_json=request_options.json)
    names = [tournament_rounds.table_name(tournament, number) for number in numbers]
    words = say("cli.night.laid-out", tournament=tournament, tables=names)
    document = {"tournament": tournament, "tables": names}
    print_answer(document, words, as_json=request_options.json, night_state=night.state)


def require_tournament(night: Night, tournament: str) -> TournamentState:
    """A tournament; raises LedgerError if it was not set up."""
    from pitbook.errors import LedgerError  # noqa: PLC0415

    state = night.state.tournaments.get(tournament)
    if state is None:
        name = printable(tournament)
        raise LedgerError(say("nights.tables.no-tournament", tournament=name))
    return state


def _command_word(kind: type) -> str:
    """The command word: ReBuy is re-buy."""
    return "".join(f"-{c.lower()}" if c.isupper() else c for c in kind.__name__).lstrip("-")


def _send_command(
    kind: Any, values: OptionsGiven, house_options: HouseOptions, request_options: RequestOptions
) -> None:
    from pitbook.house.nights.facts import dump  # noqa: PLC0415
    from pitbook.house.nights.store import existing_night  # noqa: PLC0415

    folders = values.pop("folder", None)
    with exit_on_invalid(as_json=request_options.json):
        command = kind(
            **{name: PARSERS.get(name, _identity)(value) for name, value in values.items()}
        )
    with house_at(house_options) as data_folder:
        night = existing_night(data_folder.ledger, event_of(command.tournament))
        if isinstance(command, commands.SetUp):
            with exit_on_invalid(as_json=request_options.json):
                read_playable(values["schedule"], night.state, folders)
        accepted = require_accepted(
            _send_to_event_or_tables(data_folder, night, command, request_options),
            as_json=request_options.json,
        )
        status = night.state.tournaments[command.tournament].status
    facts = [dump(fact) for fact in accepted.facts]
    document = {"tournament": command.tournament, "status": status, "facts": facts}
    print_answer(
        document,
        "\n".join(map(_fact_words, facts)),
        as_json=request_options.json,
        night_state=night.state,
    )


def _send_to_event_or_tables(
    data_folder: Folder, night: Night, command: commands.Command, request_options: RequestOptions
) -> Answer:
    """The answer of the event, or of the live tables if they deal."""
    is_about_tickets = isinstance(command, commands.TICKET_COMMANDS)
    if is_about_tickets or not _is_dealt(data_folder, night, command.tournament):
        return night.give(command, actor=request_options.actor, request=request_options.request)
    from pitbook.house.nights.table_commands import ask  # noqa: PLC0415
    from pitbook.house.nights.tournament_tables import TournamentTables  # noqa: PLC0415

    async def ask_at_tables(house: LiveTables) -> Answer:
        context = TournamentTables(house, night, command.tournament, request_options.actor)
        return await ask(context, command, request=request_options.request)

    return at_tables(data_folder, ask_at_tables)


def _is_dealt(data_folder: Folder, night: Night, tournament: str) -> bool:
    from pitbook.house.nights.tournament_tables import table_name  # noqa: PLC0415
    from pitbook.house.table.stream_names import TABLE  # noqa: PLC0415

    state = night.state.tournaments.get(tournament)
    if state is None or state.status not in DEALT_STATES:
        return False
    prefix = f"{TABLE}{table_name(tournament, 0)[:-1]}"
    return bool(data_folder.ledger.streams(prefix))


def event_of(tournament: str) -> str:
    """The event of a tournament's full id."""
    event, dot, number = tournament.partition(".")
    if not dot or not number:
        raise typer.BadParameter(localize(say("cli.night.no-night", given=printable(tournament))))
    return event


def _fact_words(fact: Mapping[str, Any]) -> str:
    """A recorded event as a line of text."""
    event_name = fact["fact"].removeprefix("tournament-").replace("-", " ")
    fields = {name: value for name, value in fact.items() if name not in ("fact", "tournament")}
    parts = [
        f"{name.replace('_', ' ')} {_plain_text(value)}" for name, value in fields.items() if value
    ]
    return printable(f"{fact['tournament']}: " + ", ".join([event_name, *parts]))


def _plain_text(value: Any) -> str:
    if isinstance(value, dict):
        return str(value.get("title", "given"))
    return " ".join(map(_plain_text, value)) if isinstance(value, list) else str(value)


def _identity(value: Any) -> Any:
    return value


def _parse_counts(texts: list[str] | None) -> tuple[Any, ...]:
    pairs = [text.rpartition("=") for text in texts or ()]
    for text, (player, _, _) in zip(texts or (), pairs, strict=True):
        if not player:
            raise typer.BadParameter(localize(say("cli.night.no-count", given=printable(text))))
    return tuple((player, amount_of(chips)) for player, _, chips in pairs)


def _parse_moves(texts: list[str] | None) -> tuple[RoomSeat, ...]:
    return tuple(_parse_move(text) for text in texts or ())


def _parse_move(text: str) -> RoomSeat:
    player, _, place = text.rpartition("=")
    table, _, seat = place.partition("/")
    if not player or not table.isdecimal() or not seat.isdecimal():
        raise typer.BadParameter(localize(say("cli.night.no-move", given=printable(text))))
    return RoomSeat(player, int(table), int(seat))


PARSERS: dict[str, Callable[[Any], Any]] = {
    "schedule": read_schedule,
    "counts": _parse_counts,
    "moves": _parse_moves,
    "agreed": lambda values: tuple(values or ()),
    "players": tuple,
}


def _command_function(kind: Any) -> Callable[..., None]:
    """The function from which Typer reads a command's arguments."""

    def run(house_options: HouseOptions, request_options: RequestOptions, **values: Any) -> None:
        _send_command(kind, values, house_options, request_options)

    run.__doc__ = kind.__doc__
    fields = {name: FIELDS[name] for name in kind._fields if name in FIELDS}
    sheets = {"folder": Folders} if kind is commands.SetUp else {}
    hints = fields | sheets | {"house_options": HouseOptions, "request_options": RequestOptions}
    defaults = kind._field_defaults | dict.fromkeys(sheets)
    run.__annotations__ = hints
    keyword = inspect.Parameter.KEYWORD_ONLY
    parameters = [
        inspect.Parameter(name, keyword, annotation=hint, **_default_of(name, defaults))
        for name, hint in hints.items()
    ]
    run.__signature__ = inspect.Signature(parameters)  # type: ignore[attr-defined]
    return options(run)


def _default_of(name: str, defaults: OptionsGiven) -> OptionsGiven:
    if name not in defaults:
        return {}
    return {"default": defaults[name] if defaults[name] != () else None}


def _example(kind: Any) -> str:
    needed = [SAMPLES[name] for name in kind._fields if name not in kind._field_defaults]
    return " ".join(("pitbook night tournament", _command_word(kind), *needed))


for _kind in (
    command for command in get_args(commands.Command) if command not in commands.INTERNAL_COMMANDS
):
    _shown = [_example(_kind), *filter(None, [MORE_EXAMPLES.get(_command_word(_kind))])]
    app.command(_command_word(_kind), epilog=examples(*_shown))(_command_function(_kind))

app.add_typer(tickets.app)
