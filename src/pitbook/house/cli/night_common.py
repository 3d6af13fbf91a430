"""What the night commands share: options, the event they name, and how they print answers."""

from __future__ import annotations

import getpass
import inspect
import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from datetime import date, datetime
from functools import partial, wraps
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, NamedTuple, NoReturn, TypeAlias, get_type_hints

import typer

from pitbook.cli.language import localize
from pitbook.cli.options import Json, library
from pitbook.cli.output import emit, error_sentence
from pitbook.errors import LedgerError, MoneyError
from pitbook.house.cli.data_folder import open_folder
from pitbook.house.cli.serve import Config, Data, Database, settings_of
from pitbook.house.nights.tournament import facts
from pitbook.house.nights.tournament.clock import reading
from pitbook.house.nights.tournament.state import Player as TournamentPlayer
from pitbook.house.nights.tournament.state import Tournament
from pitbook.money import Cents, dollars, money
from pitbook.sheets.findings import (
    Finding,
    SheetInvalid,
    count_left_out,
    findings_json,
    limit_findings,
)
from pitbook.text import say
from pitbook.text.user_input import printable

if TYPE_CHECKING:
    from pitbook.house.ledger.folder import Folder
    from pitbook.house.nights.house_rules import HouseRules
    from pitbook.house.nights.state import NightState
    from pitbook.house.nights.store import Accepted, Answer, Night
    from pitbook.house.nights.tournament.schedule import Schedule
    from pitbook.rules.refusals import Refusal


Event: TypeAlias = Annotated[str, typer.Argument(metavar="EVENT", help="Event id.")]
Player: TypeAlias = Annotated[str, typer.Argument(metavar="PLAYER", help="Player's name.")]
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
        from pitbook.printing.titles import title_error  # noqa: PLC0415

        if self.by and (problem := title_error("--by", self.by)):
            raise LedgerError(problem)
        return self.by or _at_the_machine()


# Options behind the two parameters, in the order of the help.
_REQUEST_OPTIONS: dict[str, tuple[Any, Any]] = {"by": (By, None), "request": (Request, None)}
_HOUSE_OPTIONS: dict[str, tuple[Any, Any]] = {
    "data": (Data, None),
    "database": (Database, None),
    "config": (Config, None),
}


def options(run: Callable[..., None]) -> Callable[..., None]:
    """A command whose `request_options` and `where` parameters become shared options.

    `request_options` is --by, --request and --json; `where` is --data, --db and --config.
    """
    hints = get_type_hints(run, include_extras=True)
    parameters = dict(inspect.signature(run).parameters)
    json_option = {"json": (Json, False)} if {"request_options", "json"} & parameters.keys() else {}
    request_specs = _REQUEST_OPTIONS if "request_options" in parameters else {}
    house_specs = _HOUSE_OPTIONS if "where" in parameters else {}
    own_parameters = [
        _keyword_parameter(name, hints[name], parameter.default)
        for name, parameter in parameters.items()
        if name not in ("request_options", "where", "json")
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
            values["where"] = HouseOptions(*(values.pop(name) for name in _HOUSE_OPTIONS))
        run(**values)

    run_with_options.__annotations__ = {
        parameter.name: parameter.annotation for parameter in (*own_parameters, *shared)
    }
    run_with_options.__signature__ = inspect.Signature([*own_parameters, *shared])  # type: ignore[attr-defined]
    return run_with_options


def _keyword_parameter(name: str, hint: Any, default: Any) -> inspect.Parameter:
    return inspect.Parameter(name, inspect.Parameter.KEYWORD_ONLY, annotation=hint, default=default)


@contextmanager
def house_at(where: HouseOptions, *, make: bool = False) -> Iterator[Folder]:
    """The data folder of the house; created for a first event."""
    settings = settings_of(where.config, data=where.data, database=where.database)
    if make and not settings.data.exists():
        from pitbook.house.ledger.folder import Folder  # noqa: PLC0415  Imports the database.

        with Folder.make(settings.data, settings.database) as folder:
            folder.check_key()
            yield folder
        return
    with open_folder(settings.data, settings.database, settings.anchor) as folder:
        yield folder


@contextmanager
def night_at(where: HouseOptions, event: str) -> Iterator[Night]:
    """An existing event."""
    from pitbook.house.nights.store import existing_night  # noqa: PLC0415  Slow to import.

    with house_at(where) as folder:
        yield existing_night(folder.ledger, event)


def require_accepted(answer: Answer, *, as_json: bool) -> Accepted:
    """The answer if accepted; a refusal ends the command."""
    from pitbook.rules.refusals import Refusal  # noqa: PLC0415

    if isinstance(answer, Refusal):
        exit_refused(answer, as_json=as_json)
    return answer


def exit_refused(refusal: Refusal, *, as_json: bool) -> NoReturn:
    """Print a refusal with its clause, and exit with 1."""
    from pitbook.rules.refusals import with_clause  # noqa: PLC0415

    if as_json:
        document = {"error": refusal.message, "code": str(refusal.code), "clause": refusal.clause}
        emit(document)
    print(f"pitbook: {error_sentence(with_clause(refusal))}", file=sys.stderr)
    raise typer.Exit(1)


def print_answer(
    document: dict[str, Any], words: str, *, as_json: bool, of: NightState | None = None
) -> None:
    """Print one JSON document or a sentence, with a note for rehearsals."""
    if as_json:
        emit(document if of is None else {**document, "rehearsal": of.rehearsal})
        return
    if of is not None and of.rehearsal:
        print(localize(say("cli.night.rehearsal")))
    print(localize(words))


def amount_of(text: str) -> Cents:
    """An amount of money; invalid input is a usage error."""
    try:
        return dollars(text)
    except MoneyError as error:
        raise typer.BadParameter(printable(str(error))) from None


def _at_the_machine() -> str:
    try:
        return f"{getpass.getuser()} at the machine"
    except (KeyError, OSError):
        return "at the machine"


def load_house(name: str, *, as_json: bool) -> dict[str, Any]:
    """The rules of a house, as stored in an event."""
    from pitbook.house.nights.house_rules import load, stored_rules  # noqa: PLC0415

    with exit_on_invalid(as_json=as_json):
        return stored_rules(load(name))


@contextmanager
def exit_on_invalid(*, as_json: bool) -> Iterator[None]:
    """Read rules in this context: a file with mistakes ends the command with all of them."""

    try:
        yield
    except SheetInvalid as invalid:
        say_invalid(invalid.findings, as_json=as_json)


def read_schedule(path: Path, check: Callable[[Schedule], list[Finding]] | None = None) -> Schedule:
    """The schedule in a file; raises SheetInvalid with every mistake and its line."""
    from pitbook.house.nights.house_rules import parse_table, require_table  # noqa: PLC0415
    from pitbook.house.nights.schedule_files import schedule_findings  # noqa: PLC0415
    from pitbook.house.nights.tournament.schedule import Schedule  # noqa: PLC0415
    from pitbook.sheets.load import read_text  # noqa: PLC0415

    return require_table(
        parse_table(Schedule, read_text(path), str(path), check or schedule_findings)
    )


def read_playable(path: Path, night: NightState, folders: Sequence[str] | None) -> Schedule:
    """The schedule in a file, also checked against the sheet the tournament will be played on."""
    from pitbook.house.nights.schedule_files import check_on_sheet, schedule_findings  # noqa: PLC0415

    day = date.fromisoformat(night.gaming_date)
    load_sheet = partial(library(folders).load, on=day)

    def check(schedule: Schedule) -> list[Finding]:
        return [*schedule_findings(schedule), *check_on_sheet(schedule, load_sheet, night.rules)]

    return read_schedule(path, check)


def check_tournaments(
    night: NightState, gaming_date: str, folders: Sequence[str] | None, *, as_json: bool
) -> None:
    """Refuse another gaming date if a tournament does not fit its sheet on that day."""
    from pitbook.house.nights.schedule_files import unplayable_refusal  # noqa: PLC0415

    with suppress(ValueError):  # The night refuses an invalid date.
        load_sheet = partial(library(folders).load, on=date.fromisoformat(gaming_date))
        if refusal := unplayable_refusal(night.tournaments.values(), load_sheet, night.rules):
            exit_refused(refusal, as_json=as_json)


def say_invalid(findings: Sequence[Finding], *, as_json: bool) -> NoReturn:
    """Print every finding with its place and source line, then exit with 1."""
    if as_json:
        first = findings[0]
        emit(
            {"error": error_sentence(f"{first.where}: {first.message}"), **findings_json(findings)}
        )
    findings_shown, left_out = limit_findings(findings)
    for finding in findings_shown:
        print(f"pitbook: {finding}", file=sys.stderr)
        print(f"    {printable(finding.quoted)}", file=sys.stderr)
    if left_out_note := count_left_out(left_out):
        print(f"pitbook: {left_out_note}.", file=sys.stderr)
    raise typer.Exit(1)


def print_rules(rules: HouseRules, *, as_json: bool) -> None:
    """Print the rules of a house, each with its clause."""
    if as_json:
        from pitbook.house.nights.house_rules import digest  # noqa: PLC0415

        body = rules.model_dump(mode="json", by_alias=True, exclude_none=True)
        emit({"hash": digest(rules), "rules": body})
        return
    print("\n".join(printable(localize(line)) for line in _rule_lines(rules)))


def _rule_lines(rules: HouseRules) -> Iterator[str]:
    from pitbook.house.nights.statement import notice_lines  # noqa: PLC0415

    chance, tournament = rules.bets.chance, rules.bets.tournament
    yield f"{rules.title}, {rules.house.jurisdiction}"
    chance_fields = {"most": chance.bet_max, "counts": chance.counts.value, "clause": chance.clause}
    yield say("cli.rules.chance", **chance_fields)
    limit = tournament.bet_limit
    yield say("cli.rules.tournaments", limit=limit, clause=tournament.clause)
    yield from _spending_lines(rules)
    chips = rules.chips
    yield say("cli.rules.redeemed", clause=chips.redeemed_at.clause)
    latest = str(chips.latest.value) if chips.latest else ""
    fields = {"ends": chips.day_ends.value, "bound": "yes" if latest else "no", "latest": latest}
    yield say("cli.rules.day-ends", **fields, clause=chips.day_ends.clause)
    yield say("cli.rules.owner", owner=chips.owner, clause=chips.clause)
    yield say("cli.rules.posted")
    yield from (f"  {localize(line)}" for line in notice_lines(rules.notice))


def _spending_lines(rules: HouseRules) -> Iterator[str]:
    usual, higher = rules.tournaments.spending, rules.tournaments.higher_spending
    yield say("cli.rules.spending", most=usual.player_max, clause=usual.clause)
    if higher is not None:
        fields = {"number": higher.per_event, "most": higher.player_max, "clause": higher.clause}
        yield say("cli.rules.higher", **fields)


def tournament_document(state: Tournament, now: datetime) -> dict[str, Any]:
    """A tournament as JSON."""
    last = state.last
    return {
        "tournament": state.tournament,
        "title": state.schedule.title,
        "kind": state.schedule.kind,
        "status": state.status,
        "announced": state.announced,
        "prize_money": money(state.prize_money),
        "fees": money(state.fees),
        "clock": _clock(state, now),
        "players": {name: _player(player) for name, player in state.players.items()},
        "still_in": state.still_in,
        "stopped": list(state.interrupted_tables),
        "prizes": None if state.posted is None else [money(cents) for cents in state.posted],
        "last": None if last is None else {"number": last[0], **facts.dump(last[1])},
    }


def _clock(state: Tournament, now: datetime) -> dict[str, Any]:
    reading_now = reading(state.schedule, state.clock, now)
    return {
        "level": reading_now.level,
        "on_break": reading_now.on_break,
        "seconds_left": int(reading_now.left.total_seconds()),
        "running": reading_now.running,
        "over": reading_now.over,
    }


def _player(player: TournamentPlayer) -> dict[str, Any]:
    amounts = {name: money(getattr(player, name)) for name in ("spent", "chips", "due", "paid")}
    return {**amounts, "table": player.table, "seat": player.seat}


def tournament_lines(state: Tournament, now: datetime) -> Iterator[str]:
    """A tournament as lines of text."""
    document = tournament_document(state, now)
    yield printable(
        f"{state.tournament}: {state.schedule.title}, {state.schedule.kind}, {state.status}"
    )
    money = {"prizes": document["prize_money"], "fees": document["fees"]}
    yield localize(say("cli.tournament.money", **money))
    if state.interrupted_tables:
        yield localize(say("cli.tournament.stopped", tables=state.interrupted_tables))
    for name, player in document["players"].items():
        yield printable(f"  {localize(_player_line(name, player, due=state.players[name].due))}")
    if (last := document["last"]) is not None:
        fact = last["fact"].removeprefix("tournament-")
        yield printable(localize(say("cli.tournament.last", number=last["number"], fact=fact)))


def _player_line(name: str, player: dict[str, Any], *, due: int) -> str:
    line: str = say(
        "cli.tournament.player", name=name, chips=player["chips"], spent=player["spent"]
    )
    if player["table"]:
        at = {"table": player["table"], "seat": player["seat"]}
        line = say("cli.tournament.seated", player=line, **at)
    if due:
        line = say("cli.tournament.due", player=line, due=player["due"], paid=player["paid"])
    return line
