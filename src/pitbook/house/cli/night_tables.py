"""`pitbook night open-table, tables, interrupted`: games of chance within a night's limits."""

from __future__ import annotations

import asyncio
import datetime
from collections.abc import Awaitable, Callable
from contextlib import nullcontext
from typing import TYPE_CHECKING, Annotated, Any, Literal, TypeVar

import typer

from pitbook.cli.language import worded
from pitbook.cli.options import Folders, Json, SheetName, library
from pitbook.cli.output import examples
from pitbook.house.cli.night_common import (
    Event,
    HouseOptions,
    NightAsking,
    Why,
    house_at,
    night_at,
    options,
    refused,
    told,
)
from pitbook.sheets.findings import printable
from pitbook.text import say

if TYPE_CHECKING:
    from pitbook.house.ledger.folder import Folder
    from pitbook.house.nights.state import Admitted
    from pitbook.house.table.tables import LiveTables


app = typer.Typer(add_completion=False, rich_markup_mode=None)
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
    table: Annotated[str, typer.Argument(metavar="TABLE", help="Its name, as in stud-1.")],
    sheet: SheetName,
    *,
    derived: Annotated[
        bool,
        typer.Option("--derived", help="Bring a sheet that exceeds the limits within them."),
    ] = False,
    limit: Annotated[
        list[str] | None,
        typer.Option(
            "--limit",
            metavar="WAGER.BOUND=D",
            show_default=False,
            help="A limit of the derived sheet, as in ante.min=2; several are given one by one.",
        ),
    ] = None,
    kind: Annotated[
        Literal["house", "typed"],
        typer.Option("--kind", help="house: dealt from a shoe; typed: a person deals."),
    ] = "typed",
    folder: Folders = None,
    where: HouseOptions,
    asked: NightAsking,
) -> None:
    """Open a table of chance; a sheet above the house's limits is refused, or derived.

    A derived sheet is the same game with limits of its own: it has its own hash, and the hash of
    the sheet it comes from and every difference stand on record.
    """
    from pitbook.house.nights import live_tables as chance_tables  # noqa: PLC0415
    from pitbook.house.nights.commands import AdmitTable  # noqa: PLC0415
    from pitbook.house.nights.store import found  # noqa: PLC0415
    from pitbook.house.table.state import dump_sheet  # noqa: PLC0415
    from pitbook.rules.refusals import Refusal  # noqa: PLC0415  Slow to import, all of them.

    limits = _limits(limit)
    with house_at(where) as place:
        night = found(place.ledger, event)
        day = datetime.date.fromisoformat(night.state.gaming_date)
        rules = library(folder).load(sheet, day)
        command = AdmitTable(table, dump_sheet(rules), derived, limits)

        async def opened(house: LiveTables) -> Admitted | Refusal:
            return await chance_tables.open_table(
                house, night, command, kind=kind, actor=asked.actor, request=asked.request
            )

        answer = at_tables(place, opened)
    if isinstance(answer, Refusal):
        refused(answer, as_json=asked.json)
    words = "\n".join(map(worded, _words(answer)))
    told(_document(answer), words, as_json=asked.json, of=night.state)


@app.command("tables", epilog=examples("pitbook night tables gala"))
@options
def tables_(
    event: Event,
    *,
    where: HouseOptions,
    json: Json = False,
) -> None:
    """The night's tables, the rules of each, and what a derived sheet changes."""
    with night_at(where, event) as night:
        found = list(night.state.tables.values())
    lines = [worded(line) for one in found for line in _words(one)]
    words = "\n".join(lines) if lines else say("cli.night.no-tables")
    document = {"event": event, "tables": [_document(one) for one in found]}
    told(document, words, as_json=json, of=night.state)


@app.command(
    epilog=examples(
        'pitbook night interrupted gala --why "power failure"',
        'pitbook night interrupted gala --why "the hall shuts" --dead',
    )
)
@options
def interrupted(
    event: Event,
    *,
    why: Why,
    dead: Annotated[
        bool, typer.Option("--dead", help="No hand can be read: nobody is asked, wagers return.")
    ] = False,
    where: HouseOptions,
    asked: NightAsking,
) -> None:
    """The evening was cut short: hands and tournaments end as the house rules say.

    A server that runs on the house does this itself, on its page.
    """
    from pitbook.house.nights import live_tables as chance_tables  # noqa: PLC0415
    from pitbook.house.nights.store import found  # noqa: PLC0415
    from pitbook.rules.refusals import Refusal  # noqa: PLC0415

    with house_at(where) as place:
        night = found(place.ledger, event)

        async def stop(house: LiveTables) -> list[chance_tables.FoundStopped] | Refusal:
            return await chance_tables.interrupt(
                house, night, why, actor=asked.actor, request=asked.request, dead=dead
            )

        answer = at_tables(place, stop)
    if isinstance(answer, Refusal):
        refused(answer, as_json=asked.json)
    stopped = [{"where": one.where, "what": one.what} for one in answer]
    words = [worded(say("cli.night.interrupted", event=event, why=printable(why)))]
    words += [f"  {worded(one.where)}: {printable(worded(one.what))}" for one in answer]
    document = {"event": event, "why": why, "stopped": stopped}
    told(document, "\n".join(words), as_json=asked.json, of=night.state)


def at_tables(place: Folder, work: Callable[[LiveTables], Awaitable[T]]) -> T:
    """Something done at the tables of a house, which are then left as they stand.

    A server that speaks for them is not pushed aside: its players would lose their lines.
    """
    from pitbook.house.ledger.locks import FolderLock  # noqa: PLC0415
    from pitbook.house.table.tables import LiveTables  # noqa: PLC0415
    from pitbook.house.web.leases import SharedHouse  # noqa: PLC0415

    several = place.shared

    async def done() -> T:
        house = SharedHouse(place) if several else LiveTables(place)
        try:
            return await work(house)
        finally:
            await house.close()

    with nullcontext() if several else FolderLock(place.path):
        place.lock_ledger()
        return asyncio.run(done())


def _limits(given: list[str] | None) -> dict[str, Any] | None:
    """{"ante": {"min": "2"}} from ante.min=2; misuse where it is written otherwise."""
    if not given:
        return None
    limits: dict[str, dict[str, str]] = {}
    for one in given:
        name, is_set, amount = one.partition("=")
        wager, dot, bound = name.rpartition(".")
        if not is_set or not dot or bound not in ("min", "max", "step"):
            raise typer.BadParameter(worded(say("cli.night.no-limit", given=printable(one))))
        limits.setdefault(wager, {})[bound] = amount
    return limits


def _document(one: Admitted) -> dict[str, Any]:
    from pitbook.house.nights.views import table_shown  # noqa: PLC0415

    return {**table_shown(one), "differences": list(one.differences)}


def _words(one: Admitted) -> list[str]:
    from pitbook.house.nights.views import differences_told, sheet_shown  # noqa: PLC0415

    named = sheet_shown(one.sheet)
    head = f"{one.table}: {named['id']}, {named['venue']} ({one.sheet['hash'][:HASH_SHOWN]})"
    if not one.is_derived:
        return [say("cli.night.as-it-is", table=head)]
    told = [f"  {worded(difference)}" for difference in differences_told(one)]
    base = one.base[:HASH_SHOWN]
    if one.base_sheet is None:
        return [say("cli.night.derived", table=head, base=base), *told]
    venue = sheet_shown(one.base_sheet)["venue"]
    return [say("cli.night.derived-of", table=head, base=base, venue=venue), *told]
