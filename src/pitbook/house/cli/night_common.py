"""Options of the night commands, the house and night they name, and how they print answers."""

from __future__ import annotations

import datetime
import getpass
import inspect
import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from functools import partial, wraps
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, NamedTuple, NoReturn, TypeAlias, get_type_hints

import typer

from pitbook.cli.language import worded
from pitbook.cli.options import Json, library
from pitbook.cli.output import emit, sentence
from pitbook.errors import LedgerError, MoneyError
from pitbook.house.cli.data_folder import opened
from pitbook.house.cli.serve import Config, Data, Database, settings_of
from pitbook.money import Cents, dollars
from pitbook.sheets.findings import SheetInvalid, printable
from pitbook.text import say

if TYPE_CHECKING:
    from pitbook.house.ledger.folder import Folder
    from pitbook.house.nights.state import NightState
    from pitbook.house.nights.store import Accepted, Answer, Night
    from pitbook.house.nights.tournament.schedule import Schedule
    from pitbook.rules.refusals import Refusal
    from pitbook.sheets.findings import Finding


Event: TypeAlias = Annotated[str, typer.Argument(metavar="EVENT", help="The night's id.")]
Player: TypeAlias = Annotated[str, typer.Argument(metavar="PLAYER", help="The player's name.")]
By: TypeAlias = Annotated[
    str | None,
    typer.Option("--by", metavar="NAME", show_default=False, help="Who does it, for the record."),
]
Request: TypeAlias = Annotated[
    str | None,
    typer.Option(
        "--request",
        metavar="ID",
        show_default=False,
        help="An id of your own: sent again with it, nothing happens twice.",
    ),
]
Why: TypeAlias = Annotated[
    str, typer.Option("--why", metavar="TEXT", help="The reason, for the record.")
]


class HouseOptions(NamedTuple):
    """How the house was named; the rest stands in pitbook.toml or in PITBOOK_* variables."""

    data: Path | None
    database: str | None
    config: Path | None


class NightAsking(NamedTuple):
    """Who asks, with which request, and whether the answer is JSON."""

    by: str | None
    request: str | None
    json: bool

    @property
    def actor(self) -> str:
        """Who asks, as the record names them."""
        from pitbook.house.people.names import title_error  # noqa: PLC0415

        if self.by and (problem := title_error("--by", self.by)):
            raise LedgerError(problem)
        return self.by or _at_the_machine()


# The options that stand for each of the two, in the order in which help lists them.
_ASKS: dict[str, tuple[Any, Any]] = {"by": (By, None), "request": (Request, None)}
_PLACE: dict[str, tuple[Any, Any]] = {
    "data": (Data, None),
    "database": (Database, None),
    "config": (Config, None),
}


def options(run: Callable[..., None]) -> Callable[..., None]:
    """A command whose `asked` and `where` are options that every command on a house has.

    `asked` is --by, --request and --json; `where` is --data, --db and --config.
    """
    hints = get_type_hints(run, include_extras=True)
    given = dict(inspect.signature(run).parameters)
    last = {"json": (Json, False)} if {"asked", "json"} & given.keys() else {}
    asks = _ASKS if "asked" in given else {}
    place = _PLACE if "where" in given else {}
    own = [
        _keyword(name, hints[name], one.default)
        for name, one in given.items()
        if name not in ("asked", "where", "json")
    ]
    shared = [_keyword(name, *one) for name, one in {**asks, **place, **last}.items()]

    @wraps(run)
    def called(**said: Any) -> None:
        if asks:
            said["asked"] = NightAsking(said.pop("by"), said.pop("request"), said.pop("json"))
        if place:
            said["where"] = HouseOptions(*(said.pop(name) for name in _PLACE))
        run(**said)

    called.__annotations__ = {one.name: one.annotation for one in (*own, *shared)}
    called.__signature__ = inspect.Signature([*own, *shared])  # type: ignore[attr-defined]
    return called


def _keyword(name: str, hint: Any, default: Any) -> inspect.Parameter:
    return inspect.Parameter(name, inspect.Parameter.KEYWORD_ONLY, annotation=hint, default=default)


@contextmanager
def house_at(where: HouseOptions, *, make: bool = False) -> Iterator[Folder]:
    """The data folder of the house; made where a first night asks for it."""
    settings = settings_of(where.config, data=where.data, database=where.database)
    if make and not settings.data.exists():
        from pitbook.house.ledger.folder import Folder  # noqa: PLC0415  It brings the database.

        with Folder.make(settings.data, settings.database) as folder:
            folder.check_key()
            yield folder
        return
    with opened(settings.data, settings.database, settings.anchor) as folder:
        yield folder


@contextmanager
def night_at(where: HouseOptions, event: str) -> Iterator[Night]:
    """A night that was made."""
    from pitbook.house.nights.store import found  # noqa: PLC0415  Slow to import.

    with house_at(where) as folder:
        yield found(folder.ledger, event)


def taken(answer: Answer, *, as_json: bool) -> Accepted:
    """The answer, if it is a yes; a no ends the command."""
    from pitbook.rules.refusals import Refusal  # noqa: PLC0415

    if isinstance(answer, Refusal):
        refused(answer, as_json=as_json)
    return answer


def refused(refusal: Refusal, *, as_json: bool) -> NoReturn:
    """Tell a refusal with its clause, and end with 1."""
    from pitbook.rules.refusals import with_clause  # noqa: PLC0415

    if as_json:
        said = {"error": refusal.message, "code": str(refusal.code), "clause": refusal.clause}
        emit(said)
    print(f"pitbook: {sentence(with_clause(refusal))}", file=sys.stderr)
    raise typer.Exit(1)


def told(
    document: dict[str, Any], words: str, *, as_json: bool, of: NightState | None = None
) -> None:
    """One JSON document, or a sentence; what is told of a rehearsal says so."""
    if as_json:
        emit(document if of is None else {**document, "rehearsal": of.rehearsal})
        return
    if of is not None and of.rehearsal:
        print(worded(say("cli.night.rehearsal")))
    print(worded(words))


def amount_of(text: str) -> Cents:
    """An amount as it was typed; misuse where it is none."""
    try:
        return dollars(text)
    except MoneyError as error:
        raise typer.BadParameter(printable(str(error))) from None


def _at_the_machine() -> str:
    try:
        return f"{getpass.getuser()} at the machine"
    except (KeyError, OSError):
        return "at the machine"


def known_house(name: str, *, as_json: bool) -> dict[str, Any]:
    """The rules of a house, as a night keeps them."""
    from pitbook.house.nights.house_rules import kept_rules, load  # noqa: PLC0415

    with checked(as_json=as_json):
        return kept_rules(load(name))


@contextmanager
def checked(*, as_json: bool) -> Iterator[None]:
    """A file of rules is read in here; one with mistakes ends the command with all of them."""
    from pitbook.house.cli.night_views import say_invalid  # noqa: PLC0415

    try:
        yield
    except SheetInvalid as invalid:
        say_invalid(invalid.findings, as_json=as_json)


def read_schedule(path: Path, check: Callable[[Schedule], list[Finding]] | None = None) -> Schedule:
    """The schedule in a file; raises SheetInvalid with every mistake and its line."""
    from pitbook.house.nights.house_rules import examine, understood  # noqa: PLC0415
    from pitbook.house.nights.schedule_files import odd  # noqa: PLC0415
    from pitbook.house.nights.tournament.schedule import Schedule  # noqa: PLC0415
    from pitbook.sheets.load import read_text  # noqa: PLC0415

    return understood(examine(Schedule, read_text(path), str(path), check or odd))


def read_playable(path: Path, night: NightState, folders: Sequence[str] | None) -> Schedule:
    """The schedule in a file, also checked against the sheet the tournament will be played on."""
    from pitbook.house.nights.schedule_files import check_on_sheet, odd  # noqa: PLC0415

    day = datetime.date.fromisoformat(night.gaming_date)
    load_sheet = partial(library(folders).load, on=day)

    def check(schedule: Schedule) -> list[Finding]:
        return [*odd(schedule), *check_on_sheet(schedule, load_sheet, night.rules)]

    return read_schedule(path, check)


def check_tournaments(
    night: NightState, gaming_date: str, folders: Sequence[str] | None, *, as_json: bool
) -> None:
    """Refuse another gaming date if a tournament does not fit its sheet on that day."""
    from pitbook.house.nights.schedule_files import why_unplayable  # noqa: PLC0415

    with suppress(ValueError):  # The night refuses an invalid date.
        load_sheet = partial(library(folders).load, on=datetime.date.fromisoformat(gaming_date))
        if refusal := why_unplayable(night.tournaments.values(), load_sheet, night.rules):
            refused(refusal, as_json=as_json)
