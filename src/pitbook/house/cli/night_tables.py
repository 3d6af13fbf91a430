"""`pitbook night open-table, tables, interrupted`: games of chance within a night's limits."""

from __future__ import annotations

import asyncio
import datetime
from collections.abc import Awaitable, Callable
from contextlib import nullcontext
from typing import TYPE_CHECKING, Annotated, Any, Literal, TypeVar

import typer

from pitbook.cli.language import localize
from pitbook.cli.lazy_commands import command
from pitbook.cli.options import Folders, Json, SheetName, library
from pitbook.cli.plain_output import examples
from pitbook.house.cli.house_options import (
    Event,
    HouseOptions,
    RequestOptions,
    Why,
    house_at,
    night_at,
    options,
)
from pitbook.house.cli.night_output import exit_refused, print_answer
from pitbook.text import say
from pitbook.text.user_input import printable

if TYPE_CHECKING:
    from pitbook.house.ledger.data_folder import Folder
    from pitbook.house.nights.state import AdmittedTable
    from pitbook.house.table.live_tables import LiveTables


app = command()
T = TypeVar("T")
HASH_SHOWN = 16


@app.command(
    "open-table",
    epilog=examples(
        "pitbook night open-table gala stud-1 oceanfront/mississippi-stud",
        "pitbook night open-table gala stud-2 louisiana-stud/standard --derived",
    ),
)
@options
def open_table(
    event: Event,
    table: Annotated[str, typer.Argument(metavar="TABLE", help="Table name, such as stud-1.")],
    sheet: SheetName,
    *,
    derived: Annotated[
        bool,
        typer.Option(
            "--derived", help="If the sheet exceeds the house limits, lower its limits to fit."
        ),
    ] = False,
    limit: Annotated[
        list[str] | None,
        typer.Option(
            "--limit",
            metavar="WAGER.BOUND=D",
            show_default=False,
            help="Limit of the derived sheet, such as ante.min=2; may be repeated.",
        ),
    ] = None,
    kind: Annotated[
        Literal["house", "typed"],
        typer.Option("--kind", help="house: the server deals; typed: staff enter the cards."),
    ] = "typed",
    folder: Folders = None,
    house_options: HouseOptions,
    request_options: RequestOptions,
) -> None:
    """Open a table within the house limits.

    A sheet above the limits is refused unless --derived is given. A derived sheet is the same
    game with its own limits and hash. The ledger records the hash of its base sheet and every
    difference.
    """
    from pitbook.house.nights import table_commands as chance_tables  # noqa: PLC0415
    from pitbook.house.nights.commands import AdmitTable  # noqa: PLC0415
    from pitbook.house.nights.store import existing_night  # noqa: PLC0415
    from pitbook.house.table.stored_sheets import dump_sheet  # noqa: PLC0415
    from pitbook.rules.refusals import Refusal  # noqa: PLC0415  Slow to import, all of them.

    limits = _parse_limits(limit)
    with house_at(house_options) as data_folder:
        night = existing_night(data_folder.ledger, event)
        day = datetime.date.fromisoformat(night.state.gaming_date)
        rules = library(folder).load(sheet, day)
        command = AdmitTable(table, dump_sheet(rules), derived, limits)

        async def open_at(house: LiveTables) -> AdmittedTable | Refusal:
            return await chance_tables.open_table(
                house,
                night,
                command,
                kind=kind,
                actor=request_options.actor,
                request=request_options.request,
            )

        answer = at_tables(data_folder, open_at)
    if isinstance(answer, Refusal):
        exit_refused(answer, as_json=request_options.json)
    words = "\n".join(map(localize, _table_lines(answer)))
    print_answer(_document(answer), words, as_json=request_options.json, night_state=night.state)


@app.command("tables", epilog=examples("pitbook night tables gala"))
@options
def tables_(
    event: Event,
    *,
    house_options: HouseOptions,
    json: Json = False,
) -> None:
    """List the event's tables and their rules."""
    with night_at(house_options, event) as night:
        tables = list(night.state.tables.values())
    lines = [localize(line) for table in tables for line in _table_lines(table)]
    words = "\n".join(lines) if lines else say("cli.night.no-tables")
    document = {"event": event, "tables": [_document(table) for table in tables]}
    print_answer(document, words, as_json=json, night_state=night.state)


@app.command(
    "interrupted",
    epilog=examples(
        'pitbook night interrupted gala --why "power failure"',
        'pitbook night interrupted gala --why "the hall shuts" --dead',
    ),
)
@options
def interrupt(
    event: Event,
    *,
    why: Why,
    dead: Annotated[
        bool,
        typer.Option(
            "--dead", help="No hand can be read: return all wagers without asking the players."
        ),
    ] = False,
    house_options: HouseOptions,
    request_options: RequestOptions,
) -> None:
    """Interrupt the event; hands end by the house rules.

    With a running server, use its page instead.
    """
    from pitbook.house.nights import table_commands as chance_tables  # noqa: PLC0415
    from pitbook.house.nights.store import existing_night  # noqa: PLC0415
    from pitbook.rules.refusals import Refusal  # noqa: PLC0415

    with house_at(house_options) as data_folder:
        night = existing_night(data_folder.ledger, event)

        async def stop(house: LiveTables) -> list[chance_tables.StopResult] | Refusal:
            return await chance_tables.interrupt(
                house,
                night,
                why,
                actor=request_options.actor,
                request=request_options.request,
                dead=dead,
            )

        answer = at_tables(data_folder, stop)
    if isinstance(answer, Refusal):
        exit_refused(answer, as_json=request_options.json)
    stopped = [{"where": stop.where, "what": stop.what} for stop in answer]
    words = [localize(say("cli.night.interrupted", event=event, why=printable(why)))]
    words += [f"  {localize(stop.where)}: {printable(localize(stop.what))}" for stop in answer]
    document = {"event": event, "why": why, "stopped": stopped}
    print_answer(document, "\n".join(words), as_json=request_options.json, night_state=night.state)


def at_tables(data_folder: Folder, work: Callable[[LiveTables], Awaitable[T]]) -> T:
    """Run work on a house's tables, then leave them as they are.

    Refused while a server runs on the folder: its players would lose their connections.
    """
    from pitbook.house.ledger.locks import FolderLock  # noqa: PLC0415
    from pitbook.house.table.live_tables import LiveTables  # noqa: PLC0415
    from pitbook.house.web.leases import SharedHouse  # noqa: PLC0415

    is_shared = data_folder.shared

    async def run_and_close() -> T:
        house = SharedHouse(data_folder) if is_shared else LiveTables(data_folder)
        try:
            return await work(house)
        finally:
            await house.close()

    with nullcontext() if is_shared else FolderLock(data_folder.path):
        data_folder.lock_ledger()
        return asyncio.run(run_and_close())


def _parse_limits(texts: list[str] | None) -> dict[str, Any] | None:
    """{"ante": {"min": "2"}} from ante.min=2; anything else is a usage error."""
    if not texts:
        return None
    limits: dict[str, dict[str, str]] = {}
    for text in texts:
        name, is_set, amount = text.partition("=")
        wager, dot, bound = name.rpartition(".")
        if not is_set or not dot or bound not in ("min", "max", "step"):
            raise typer.BadParameter(localize(say("cli.night.no-limit", given=printable(text))))
        limits.setdefault(wager, {})[bound] = amount
    return limits


def _document(table: AdmittedTable) -> dict[str, Any]:
    from pitbook.house.nights.views import table_view  # noqa: PLC0415

    return {**table_view(table), "differences": list(table.differences)}


def _table_lines(table: AdmittedTable) -> list[str]:
    from pitbook.house.nights.views import differences_text, sheet_view  # noqa: PLC0415

    sheet = sheet_view(table.sheet)
    head = f"{table.table}: {sheet['id']}, {sheet['venue']} ({table.sheet['hash'][:HASH_SHOWN]})"
    if not table.is_derived:
        return [say("cli.night.as-it-is", table=head)]
    difference_lines = [f"  {localize(difference)}" for difference in differences_text(table)]
    base = table.base[:HASH_SHOWN]
    if table.base_sheet is None:
        return [say("cli.night.derived", table=head, base=base), *difference_lines]
    venue = sheet_view(table.base_sheet)["venue"]
    return [say("cli.night.derived-of", table=head, base=base, venue=venue), *difference_lines]
