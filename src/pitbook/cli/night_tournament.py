"""`pitbook night tournament`: a command for each thing that the floor asks of a tournament."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, TypeAlias, get_args

import typer

from pitbook.cli.arguments import Json
from pitbook.cli.night_asked import (
    Asked,
    By,
    Request,
    Where,
    amount_of,
    checked,
    night_at,
    taken,
    told,
)
from pitbook.cli.output import examples
from pitbook.cli.serve import Config, Data, Database
from pitbook.nights.tournament import commands
from pitbook.nights.tournament.commands import Seat
from pitbook.sheets.findings import printable

if TYPE_CHECKING:
    from pitbook.nights.tournament.schedule import Schedule

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

Given: TypeAlias = dict[str, Any]
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
    "players": _list("PLAYER...", "Players who go out together."),
    "counts": _list("PLAYER=CHIPS...", "What each has now, as in ann=1200."),
    "agreed": _several("--agreed", "PLAYER", "A player who agrees; several one by one."),
    "moves": _several("--move", "PLAYER=TABLE/SEAT", "A move, as in ann=2/5."),
    "brush": _text("--brush", "Who announced it."),
    "words": _text("--words", "What was said, where it was not the schedule's."),
    "why": _text("--why", "The reason, for the record."),
    "in_doubt": Annotated[
        bool, typer.Option("--in-doubt", help="The first card may have been dealt.")
    ],
    "in_book": Annotated[
        bool, typer.Option("--in-book", help="A live table has moved these chips already.")
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
    "counts": "ann=1200 bob=800",
    "why": '--why "power failure"',
    "readable": "--readable",
}
SHARED: dict[str, tuple[Any, Any]] = {
    "by": (By, None),
    "request": (Request, None),
    "data": (Data, None),
    "database": (Database, None),
    "config": (Config, None),
    "json": (Json, False),
}


@app.callback()
def _tournament() -> None:
    pass


@app.command(epilog=examples("pitbook night tournament show gala.t1"))
def show(
    tournament: Tournament,
    *,
    data: Data = None,
    database: Database = None,
    config: Config = None,
    json: Json = False,
) -> None:
    """A tournament as it stands: who is in for what, where they sit, what is due."""
    from pitbook.cli.night_field import document_of, words_of  # noqa: PLC0415  Slow to import.
    from pitbook.errors import LedgerError  # noqa: PLC0415

    with night_at(Where(data, database, config), _event(tournament)) as night:
        found, now = night.state.tournaments.get(tournament), night.now()
    if found is None:
        raise LedgerError(f'there is no tournament "{printable(tournament)}"; set it up first')
    told(document_of(found, now), "\n".join(words_of(found, now)), as_json=json)


def _word(kind: type) -> str:
    """ReBuy is re-buy."""
    return "".join(f"-{c.lower()}" if c.isupper() else c for c in kind.__name__).lstrip("-")


def _run(kind: Any, given: Given) -> None:
    where = Where(given.pop("data"), given.pop("database"), given.pop("config"))
    asked = Asked(given.pop("by"), given.pop("request"), given.pop("json"))
    with checked(as_json=asked.json):
        command = kind(**{name: READ.get(name, _as_it_is)(one) for name, one in given.items()})
    with night_at(where, _event(command.tournament)) as night:
        answer = night.give(command, actor=asked.actor, request=asked.request)
        accepted = taken(answer, as_json=asked.json)
        status = night.state.tournaments[command.tournament].status
    facts = [dict(fact) for fact in accepted.facts]
    document = {"tournament": command.tournament, "status": status, "facts": facts}
    told(document, "\n".join(map(_fact_words, facts)), as_json=asked.json)


def _event(tournament: str) -> str:
    event, dot, own = tournament.partition(".")
    if not dot or not own:
        raise typer.BadParameter(
            f'"{printable(tournament)}": name it with its night, as in gala.t1'
        )
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


def _schedule(path: Path) -> Schedule:
    from pitbook.nights.reading import examine, understood  # noqa: PLC0415
    from pitbook.nights.tournament.schedule import Schedule  # noqa: PLC0415
    from pitbook.sheets.loader import read_text  # noqa: PLC0415

    return understood(examine(Schedule, read_text(path), str(path)))


def _counts(given: list[str]) -> tuple[Any, ...]:
    pairs = [one.rpartition("=") for one in given]
    for text, (player, _, _) in zip(given, pairs, strict=True):
        if not player:
            raise typer.BadParameter(f'"{printable(text)}": write a count as in ann=1200')
    return tuple((player, amount_of(chips)) for player, _, chips in pairs)


def _moves(given: list[str] | None) -> tuple[Seat, ...]:
    return tuple(_move(one) for one in given or ())


def _move(text: str) -> Seat:
    player, _, place = text.rpartition("=")
    table, _, seat = place.partition("/")
    if not player or not table.isdecimal() or not seat.isdecimal():
        raise typer.BadParameter(f'"{printable(text)}": write a move as in ann=2/5')
    return Seat(player, int(table), int(seat))


READ: dict[str, Callable[[Any], Any]] = {
    "schedule": _schedule,
    "counts": _counts,
    "moves": _moves,
    "agreed": lambda given: tuple(given or ()),
    "players": tuple,
}


def _called(kind: Any) -> Callable[..., None]:
    """The function that Typer reads a command's arguments from."""

    def run(**given: Any) -> None:
        _run(kind, given)

    run.__doc__ = kind.__doc__
    hints = {name: FIELDS[name] for name in kind._fields}
    hints |= {name: hint for name, (hint, _) in SHARED.items()}
    defaults = dict(kind._field_defaults) | {name: value for name, (_, value) in SHARED.items()}
    run.__annotations__ = hints
    keyword = inspect.Parameter.KEYWORD_ONLY
    parameters = [
        inspect.Parameter(name, keyword, annotation=hint, **_default(name, defaults))
        for name, hint in hints.items()
    ]
    run.__signature__ = inspect.Signature(parameters)  # type: ignore[attr-defined]
    return run


def _default(name: str, defaults: Given) -> Given:
    if name not in defaults:
        return {}
    return {"default": defaults[name] if defaults[name] != () else None}


def _example(kind: Any) -> str:
    needed = [SAMPLES[name] for name in kind._fields if name not in kind._field_defaults]
    return " ".join(("pitbook night tournament", _word(kind), *needed))


for _kind in get_args(commands.Command):
    app.command(_word(_kind), epilog=examples(_example(_kind)))(_called(_kind))
