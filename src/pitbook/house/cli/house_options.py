"""Options that the house's commands share, and the house or event that they name."""

from __future__ import annotations

import getpass
import inspect
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import wraps
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, NamedTuple, TypeAlias, get_type_hints

import typer

from pitbook.cli.language import localize
from pitbook.cli.options import Json
from pitbook.errors import LedgerError, MoneyError
from pitbook.house.cli.ledger_options import open_folder
from pitbook.house.cli.serve import Config, Data, Database, settings_of
from pitbook.money import Cents, dollars
from pitbook.text.user_input import printable

if TYPE_CHECKING:
    from pitbook.house.ledger.data_folder import Folder
    from pitbook.house.nights.store import Night
    from pitbook.house.people.accounts import People


Event: TypeAlias = Annotated[str, typer.Argument(metavar="EVENT", help="Event id.")]
Player: TypeAlias = Annotated[str, typer.Argument(metavar="PLAYER", help="Player's name.")]
Name: TypeAlias = Annotated[str, typer.Argument(metavar="NAME", help="The person's name.")]
By: TypeAlias = Annotated[
    str | None,
    typer.Option(
        "--by",
        metavar="NAME",
        show_default=False,
        help="Name of the person responsible, for the record.",
    ),
]
Request: TypeAlias = Annotated[
    str | None,
    typer.Option(
        "--request",
        metavar="ID",
        show_default=False,
        help="Idempotency key: repeating a command with the same id has no further effect.",
    ),
]
Why: TypeAlias = Annotated[
    str, typer.Option("--why", metavar="TEXT", help="Reason, for the record.")
]


class HouseOptions(NamedTuple):
    """Where the house is; settings not given come from pitbook.toml or PITBOOK_* variables."""

    data: Path | None
    database: str | None
    config: Path | None


class RequestOptions(NamedTuple):
    """Who acts, a request id, and whether the answer is JSON."""

    by: str | None
    request: str | None
    json: bool

    @property
    def actor(self) -> str:
        """The actor's name for the record."""
        from pitbook.text.user_input import title_error  # noqa: PLC0415

        if self.by and (problem := title_error("--by", self.by)):
            raise LedgerError(problem)
        return self.by or user_at_machine()


# Options behind the two parameters, in the order of the help.
_REQUEST_OPTIONS: dict[str, tuple[Any, Any]] = {"by": (By, None), "request": (Request, None)}
_HOUSE_OPTIONS: dict[str, tuple[Any, Any]] = {
    "data": (Data, None),
    "database": (Database, None),
    "config": (Config, None),
}


def options(run: Callable[..., None]) -> Callable[..., None]:
    """A command whose `request_options` and `house_options` parameters become shared options.

    `request_options` is --by, --request and --json; `house_options` is --data, --db and --config.
    """
    hints = get_type_hints(run, include_extras=True)
    parameters = dict(inspect.signature(run).parameters)
    json_option = {"json": (Json, False)} if {"request_options", "json"} & parameters.keys() else {}
    request_specs = _REQUEST_OPTIONS if "request_options" in parameters else {}
    house_specs = _HOUSE_OPTIONS if "house_options" in parameters else {}
    own_parameters = [
        _keyword_parameter(name, hints[name], parameter.default)
        for name, parameter in parameters.items()
        if name not in ("request_options", "house_options", "json")
    ]
    shared = [
        _keyword_parameter(name, *spec)
        for name, spec in {**request_specs, **house_specs, **json_option}.items()
    ]

    @wraps(run)
    def run_with_options(**values: Any) -> None:
        if request_specs:
            values["request_options"] = RequestOptions(
                values.pop("by"), values.pop("request"), values.pop("json")
            )
        if house_specs:
            values["house_options"] = HouseOptions(*(values.pop(name) for name in _HOUSE_OPTIONS))
        run(**values)

    run_with_options.__annotations__ = {
        parameter.name: parameter.annotation for parameter in (*own_parameters, *shared)
    }
    run_with_options.__signature__ = inspect.Signature([*own_parameters, *shared])  # type: ignore[attr-defined]
    return run_with_options


def _keyword_parameter(name: str, hint: Any, default: Any) -> inspect.Parameter:
    return inspect.Parameter(name, inspect.Parameter.KEYWORD_ONLY, annotation=hint, default=default)


@contextmanager
def house_at(house_options: HouseOptions, *, make: bool = False) -> Iterator[Folder]:
    """The data folder of the house; created for a first event."""
    settings = settings_of(
        house_options.config, data=house_options.data, database=house_options.database
    )
    if make and not settings.data.exists():
        from pitbook.house.ledger.data_folder import Folder  # noqa: PLC0415  Imports the database.

        with Folder.make(settings.data, settings.database) as folder:
            folder.check_key()
            yield folder
        return
    with open_folder(settings.data, settings.database, settings.anchor) as folder:
        yield folder


@contextmanager
def night_at(house_options: HouseOptions, event: str) -> Iterator[Night]:
    """An existing event."""
    from pitbook.house.nights.store import existing_night  # noqa: PLC0415  Slow to import.

    with house_at(house_options) as folder:
        yield existing_night(folder.ledger, event)


def user_at_machine() -> str:
    """The user who runs the command, for the record."""
    try:
        return f"{getpass.getuser()} at the machine"
    except (KeyError, OSError):
        return "at the machine"


def amount_of(text: str) -> Cents:
    """An amount of money; invalid input is a usage error."""
    try:
        return dollars(text)
    except MoneyError as error:
        raise typer.BadParameter(printable(str(error))) from None


@contextmanager
def people_at(house_options: HouseOptions) -> Iterator[People]:
    """The accounts of a house, whether or not a server runs."""
    from pitbook.house.people.accounts import People  # noqa: PLC0415
    from pitbook.shoe.crypto import Vault  # noqa: PLC0415  Slow to import, both.

    settings = settings_of(
        house_options.config, data=house_options.data, database=house_options.database
    )
    with open_folder(settings.data, settings.database, settings.anchor) as folder:
        yield People(folder.ledger, Vault(folder.keys.sealing), settings.sign_in)


def printable_line(text: str) -> str:
    """A message with users' text, safe for a terminal."""
    return printable(localize(text))
