"""`pitbook night tournament`: one command for each command to a tournament."""

from __future__ import annotations

import datetime
import inspect
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Literal, TypeAlias, get_args

import typer

from pitbook.cli.language import worded
from pitbook.cli.options import Folders, Json, library
from pitbook.cli.output import examples
from pitbook.house.cli import tickets
from pitbook.house.cli.night_common import (
    HouseOptions,
    NightAsking,
    amount_of,
    checked,
    house_at,
    night_at,
    options,
    read_playable,
    read_schedule,
    refused,
    taken,
    told,
)
from pitbook.house.cli.night_tables import at_tables
from pitbook.house.nights.tournament import commands
from pitbook.house.nights.tournament.commands import RoomSeat
from pitbook.sheets.findings import printable
from pitbook.text import say

if TYPE_CHECKING:
    from pitbook.house.ledger.folder import Folder
    from pitbook.house.nights.store import Answer, Night
    from pitbook.house.nights.tournament.state import Tournament as State
    from pitbook.house.table.tables import LiveTables
    from pitbook.rules.refusals import Refusal


app = typer.Typer(
    help="Tournaments: entries, seats, clock, eliminations, prizes, interruptions.",
    epilog=examples(
        "pitbook night tournament set-up gala.t1 schedule.toml",
        "pitbook night tournament enter gala.t1 ann",
    ),
    add_completion=False,
    no_args_is_help=True,
    rich_markup_mode=None,
)

OptionsGiven: TypeAlias = dict[str, Any]
Tournament: TypeAlias = Annotated[
    str, typer.Argument(metavar="TOURNAMENT", help="Its whole id, as in gala.t1.")
]


def _text(flag: str, what: str) -> Any:
    return Annotated[str, typer.Option(flag, metavar="TEXT", help=what)]


def _list(metavar: str, what: str) -> Any:
    return Annotated[list[str], typer.Argument(metavar=metavar, help=what)]


def _number(metavar: str, what: str) -> Any:
    return Annotated[int, typer.Argument(metavar=metavar, min=1, help=what)]


def _several(flag: str, metavar: str, what: str) -> Any:
    option = typer.Option(flag, metavar=metavar, show_default=False, help=what)
    return Annotated[list[str] | None, option]


# How each field of a command is given on the command line.
FIELDS: dict[str, Any] = {
    "tournament": Tournament,
    "schedule": Annotated[
        Path, typer.Argument(metavar="FILE", help="The schedule of the tournament, a TOML file.")
    ],
    "player": Annotated[str, typer.Argument(metavar="PLAYER", help="The player's name.")],
    "table": _number("TABLE", "The number of the table."),
    "minutes": _number("MINUTES", "How long it is."),
    "of": _number("NUMBER", "The number of the last thing, as `show` has it."),
    "players": _list("PLAYER...", "The players: those who go out together, or are expected."),
    "seconds": Annotated[
        int,
        typer.Option(
            "--seconds", metavar="SECONDS", help="Seconds to add; -60 takes a minute off."
        ),
    ],
    "text": Annotated[
        str, typer.Argument(metavar="TEXT", help="What the board shall say; left out: nothing.")
    ],
    "stays": Annotated[
        int, typer.Option("--minutes", metavar="N", help="How long it stays; 0: until another.")
    ],
    "through": Annotated[
        bool, typer.Option("--through", help="The clock ran through the stop, and did not wait.")
    ],
    "counts": Annotated[
        list[str] | None,
        typer.Argument(
            metavar="PLAYER=CHIPS",
            show_default=False,
            help="What each has now, as in ann=1200; live tables' chips stand in the book.",
        ),
    ],
    "agreed": _several("--agreed", "PLAYER", "A player who agrees; several one by one."),
    "moves": _several("--move", "PLAYER=TABLE/SEAT", "A move, as in ann=2/5."),
    "brush": _text("--brush", "Who announced it."),
    "words": _text("--words", "Words besides the cost, which is always told."),
    "why": _text("--why", "The reason, for the record."),
    "in_doubt": Annotated[
        bool, typer.Option("--in-doubt", help="The first card may have been dealt.")
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
# A second example, where one says too little.
BESIDES = {"count-chips": "pitbook night tournament count-chips gala.t1 1 ann=1200 bob=800"}
UNDER_WAY = ("open", "playing", "interrupted")


@app.callback()
def _tournament() -> None:
    pass


@app.command(epilog=examples("pitbook night tournament show gala.t1"))
@options
def show(tournament: Tournament, *, where: HouseOptions, json: Json = False) -> None:
    """A tournament as it stands: who is in for what, where they sit, what is due."""
    from pitbook.house.cli.night_views import document_of, words_of  # noqa: PLC0415  Slow to import.

    with night_at(where, event_of(tournament)) as night:
        found, now = known(night, tournament), night.now()
    words = "\n".join(words_of(found, now))
    told(document_of(found, now), words, as_json=json, of=night.state)


@app.command("lay-out", epilog=examples("pitbook night tournament lay-out gala.t1"))
@options
def lay_out(
    tournament: Tournament,
    *,
    kind: Annotated[
        Literal["house", "typed"],
        typer.Option("--kind", help="house: dealt from a shoe; typed: a person deals."),
    ] = "house",
    folder: Folders = None,
    where: HouseOptions,
    asked: NightAsking,
) -> None:
    """Lay live tables out, everybody at the seat that was drawn; the book counts from here on.

    Asked again, what is missing is made good. A server that runs on the house does this itself.
    """
    from pitbook.house.nights import tournament_tables as tournament_rounds  # noqa: PLC0415
    from pitbook.house.nights.store import found  # noqa: PLC0415

    with house_at(where) as place:
        night = found(place.ledger, event_of(tournament))
        day = datetime.date.fromisoformat(night.state.gaming_date)
        sheet = library(folder).load(known(night, tournament).schedule.sheet, day)

        async def laid(house: LiveTables) -> tuple[Refusal | None, list[int]]:
            here = tournament_rounds.TournamentTables(house, night, tournament, asked.actor)
            return await tournament_rounds.lay_out(
                here, sheet, kind=kind
            ), await tournament_rounds.laid_out(here)

        refusal, numbers = at_tables(place, laid)
    if refusal is not None:
        refused(refusal, as_json=asked.json)
    names = [tournament_rounds.table_name(tournament, number) for number in numbers]
    words = say("cli.night.laid-out", tournament=tournament, tables=names)
    document = {"tournament": tournament, "tables": names}
    told(document, words, as_json=asked.json, of=night.state)


def known(night: Night, tournament: str) -> State:
    """A tournament that was set up; raises LedgerError where it was not."""
    from pitbook.errors import LedgerError  # noqa: PLC0415

    found = night.state.tournaments.get(tournament)
    if found is None:
        name = printable(tournament)
        raise LedgerError(say("nights.tables.no-tournament", tournament=name))
    return found


def _word(kind: type) -> str:
    """ReBuy is re-buy."""
    return "".join(f"-{c.lower()}" if c.isupper() else c for c in kind.__name__).lstrip("-")


def _run(kind: Any, given: OptionsGiven, where: HouseOptions, asked: NightAsking) -> None:
    from pitbook.house.nights.facts import dump  # noqa: PLC0415
    from pitbook.house.nights.store import found  # noqa: PLC0415

    folders = given.pop("folder", None)
    with checked(as_json=asked.json):
        command = kind(**{name: READ.get(name, _as_it_is)(one) for name, one in given.items()})
    with house_at(where) as place:
        night = found(place.ledger, event_of(command.tournament))
        if isinstance(command, commands.SetUp):
            with checked(as_json=asked.json):
                read_playable(given["schedule"], night.state, folders)
        accepted = taken(_answer(place, night, command, asked), as_json=asked.json)
        status = night.state.tournaments[command.tournament].status
    facts = [dump(fact) for fact in accepted.facts]
    document = {"tournament": command.tournament, "status": status, "facts": facts}
    told(document, "\n".join(map(_fact_words, facts)), as_json=asked.json, of=night.state)


def _answer(place: Folder, night: Night, command: commands.Command, asked: NightAsking) -> Answer:
    """By the night alone, or with the live tables where they deal."""
    of_tickets = isinstance(command, commands.OF_TICKETS)
    if of_tickets or not _is_dealt(place, night, command.tournament):
        return night.give(command, actor=asked.actor, request=asked.request)
    from pitbook.house.nights.live_tables import ask  # noqa: PLC0415
    from pitbook.house.nights.tournament_tables import TournamentTables  # noqa: PLC0415

    async def asking(house: LiveTables) -> Answer:
        here = TournamentTables(house, night, command.tournament, asked.actor)
        return await ask(here, command, request=asked.request)

    return at_tables(place, asking)


def _is_dealt(place: Folder, night: Night, tournament: str) -> bool:
    from pitbook.house.nights.tournament_tables import table_name  # noqa: PLC0415
    from pitbook.house.table.streams import TABLE  # noqa: PLC0415

    one = night.state.tournaments.get(tournament)
    if one is None or one.status not in UNDER_WAY:
        return False
    first = f"{TABLE}{table_name(tournament, 0)[:-1]}"
    return any(stream.name.startswith(first) for stream in place.ledger.streams())


def event_of(tournament: str) -> str:
    """The night of a tournament that is named by its whole id."""
    event, dot, own = tournament.partition(".")
    if not dot or not own:
        raise typer.BadParameter(worded(say("cli.night.no-night", given=printable(tournament))))
    return event


def _fact_words(fact: Mapping[str, Any]) -> str:
    """A fact in a line: what happened, then what is told of it."""
    said = fact["fact"].removeprefix("tournament-").replace("-", " ")
    rest = {name: value for name, value in fact.items() if name not in ("fact", "tournament")}
    known = [f"{name.replace('_', ' ')} {_plain(value)}" for name, value in rest.items() if value]
    return printable(f"{fact['tournament']}: " + ", ".join([said, *known]))


def _plain(value: Any) -> str:
    if isinstance(value, dict):
        return str(value.get("title", "given"))
    return " ".join(map(_plain, value)) if isinstance(value, list) else str(value)


def _as_it_is(value: Any) -> Any:
    return value


def _counts(given: list[str] | None) -> tuple[Any, ...]:
    pairs = [one.rpartition("=") for one in given or ()]
    for text, (player, _, _) in zip(given or (), pairs, strict=True):
        if not player:
            raise typer.BadParameter(worded(say("cli.night.no-count", given=printable(text))))
    return tuple((player, amount_of(chips)) for player, _, chips in pairs)


def _moves(given: list[str] | None) -> tuple[RoomSeat, ...]:
    return tuple(_move(one) for one in given or ())


def _move(text: str) -> RoomSeat:
    player, _, place = text.rpartition("=")
    table, _, seat = place.partition("/")
    if not player or not table.isdecimal() or not seat.isdecimal():
        raise typer.BadParameter(worded(say("cli.night.no-move", given=printable(text))))
    return RoomSeat(player, int(table), int(seat))


READ: dict[str, Callable[[Any], Any]] = {
    "schedule": read_schedule,
    "counts": _counts,
    "moves": _moves,
    "agreed": lambda given: tuple(given or ()),
    "players": tuple,
}


def _called(kind: Any) -> Callable[..., None]:
    """The function that Typer reads a command's arguments from."""

    def run(where: HouseOptions, asked: NightAsking, **given: Any) -> None:
        _run(kind, given, where, asked)

    run.__doc__ = kind.__doc__
    given = {name: FIELDS[name] for name in kind._fields if name in FIELDS}
    sheets = {"folder": Folders} if kind is commands.SetUp else {}
    hints = given | sheets | {"where": HouseOptions, "asked": NightAsking}
    defaults = kind._field_defaults | dict.fromkeys(sheets)
    run.__annotations__ = hints
    keyword = inspect.Parameter.KEYWORD_ONLY
    parameters = [
        inspect.Parameter(name, keyword, annotation=hint, **_default(name, defaults))
        for name, hint in hints.items()
    ]
    run.__signature__ = inspect.Signature(parameters)  # type: ignore[attr-defined]
    return options(run)


def _default(name: str, defaults: OptionsGiven) -> OptionsGiven:
    if name not in defaults:
        return {}
    return {"default": defaults[name] if defaults[name] != () else None}


def _example(kind: Any) -> str:
    needed = [SAMPLES[name] for name in kind._fields if name not in kind._field_defaults]
    return " ".join(("pitbook night tournament", _word(kind), *needed))


for _kind in (one for one in get_args(commands.Command) if one not in commands.UNASKED):
    _shown = [_example(_kind), *filter(None, [BESIDES.get(_word(_kind))])]
    app.command(_word(_kind), epilog=examples(*_shown))(_called(_kind))

app.add_typer(tickets.app)
