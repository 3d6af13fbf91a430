"""`pitbook night`: a charity event from its license to its closing statement."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from pitbook.cli.language import spoken, worded
from pitbook.cli.options import Folders, Json, write_text
from pitbook.cli.output import emit, examples
from pitbook.cli.papers import PageSizes, Size, write_paper
from pitbook.house.cli import night_cage as cage
from pitbook.house.cli import night_tables as chance_tables
from pitbook.house.cli import tournament
from pitbook.house.cli.night_common import (
    Event,
    HouseOptions,
    NightAsking,
    check_tournaments,
    house_at,
    known_house,
    night_at,
    options,
    taken,
    told,
)
from pitbook.sheets.findings import printable
from pitbook.text import say

if TYPE_CHECKING:
    from pitbook.house.nights.state import NightState


app = typer.Typer(
    help="Charity nights: chips, tables, tournaments and the closing statement.",
    epilog=examples(
        "pitbook night new gala --charity Shelter --licence NH-1 --date 2026-11-21",
        "pitbook night statement gala",
    ),
    add_completion=False,
    no_args_is_help=True,
    rich_markup_mode=None,
)


@app.callback()
def _night() -> None:
    pass


@app.command(
    epilog=examples(
        "pitbook night new gala --charity Shelter --licence NH-1 --date 2026-11-21",
        "pitbook night new g2 --charity A --licence B --date 2027-01-02 --zone UTC",
        "pitbook night new t1 --charity A --licence B --date 2026-11-21 --rehearsal",
    )
)
@options
def new(
    event: Event,
    *,
    charity: Annotated[
        str, typer.Option("--charity", metavar="NAME", help="Whom the proceeds go to.")
    ],
    licence: Annotated[
        str, typer.Option("--licence", metavar="TEXT", help="The licence of the event.")
    ],
    date: Annotated[str, typer.Option("--date", metavar="YYYY-MM-DD", help="The gaming date.")],
    zone: Annotated[
        str, typer.Option("--zone", metavar="ZONE", help="The time zone of its clocks.")
    ] = "America/New_York",
    house: Annotated[
        str, typer.Option("--house", metavar="HOUSE", help="House rules: an id or a TOML file.")
    ] = "oceanfront",
    rehearsal: Annotated[
        bool, typer.Option("--rehearsal", help="To practise: any date, in play money.")
    ] = False,
    where: HouseOptions,
    asked: NightAsking,
) -> None:
    """Make a night; the house rules stay with it as they are now.

    A date that is over is refused. A rehearsal opens on any day, its money is worth nothing, and
    every paper of it says so.
    """
    from pitbook.house.nights.commands import Make  # noqa: PLC0415  Slow to import.
    from pitbook.house.nights.store import Night  # noqa: PLC0415

    rules = known_house(house, as_json=asked.json)
    command = Make(event, charity, licence, date, zone, rules, rehearsal)
    with house_at(where, make=True) as place:
        night = Night(place.ledger, event)
        taken(night.give(command, actor=asked.actor, request=asked.request), as_json=asked.json)
        state = night.state
    of = {"event": event, "charity": state.charity, "day": state.gaming_date}
    words = say("cli.night.made-to-rehearse" if rehearsal else "cli.night.made", **of)
    told(_document(state), printable(worded(words)), as_json=asked.json, of=state)


@app.command(epilog=examples("pitbook night correct gala --date 2026-11-28"))
@options
def correct(
    event: Event,
    *,
    charity: Annotated[
        str | None,
        typer.Option("--charity", metavar="NAME", show_default=False, help="Whom it is for."),
    ] = None,
    licence: Annotated[
        str | None,
        typer.Option("--licence", metavar="TEXT", show_default=False, help="Its licence."),
    ] = None,
    date: Annotated[
        str | None,
        typer.Option("--date", metavar="YYYY-MM-DD", show_default=False, help="Its gaming date."),
    ] = None,
    zone: Annotated[
        str | None,
        typer.Option("--zone", metavar="ZONE", show_default=False, help="Its time zone."),
    ] = None,
    folder: Folders = None,
    where: HouseOptions,
    asked: NightAsking,
) -> None:
    """Put right what is wrong about a night, before its doors open."""
    from pitbook.house.nights.commands import Correct  # noqa: PLC0415

    command = Correct(charity, licence, date, zone)
    with night_at(where, event) as night:
        if date is not None and night.state.phase == "made":
            check_tournaments(night.state, date, folder, as_json=asked.json)
        taken(night.give(command, actor=asked.actor, request=asked.request), as_json=asked.json)
        state = night.state
    of = {"event": event, "charity": state.charity, "day": state.gaming_date}
    words = say("cli.night.corrected", **of, licence=state.licence)
    told(_document(state), printable(worded(words)), as_json=asked.json, of=state)


@app.command("open", epilog=examples("pitbook night open gala"))
@options
def open_(
    event: Event,
    *,
    where: HouseOptions,
    asked: NightAsking,
) -> None:
    """Open the doors, on the gaming date and no other day."""
    from pitbook.house.nights.commands import Open  # noqa: PLC0415

    with night_at(where, event) as night:
        taken(night.give(Open(), actor=asked.actor, request=asked.request), as_json=asked.json)
        words = say("cli.night.opened", event=event)
        told(_document(night.state), words, as_json=asked.json, of=night.state)


@app.command(epilog=examples("pitbook night close gala"))
@options
def close(
    event: Event,
    *,
    where: HouseOptions,
    asked: NightAsking,
) -> None:
    """Close the night: tables retire, chips that nobody redeemed expire, the float goes back.

    It closes at any hour. What tournaments owe and nobody came for is kept as unclaimed, by name.
    Where a hand or a tournament is still in play, `pitbook night interrupted EVENT --dead` ends it.
    A server that runs on the house does this itself, on its page.
    """
    from pitbook.house.cli.night_tables import at_tables  # noqa: PLC0415
    from pitbook.house.nights import live_tables as chance_tables  # noqa: PLC0415
    from pitbook.house.nights.store import found  # noqa: PLC0415

    with house_at(where) as place:
        night = found(place.ledger, event)
        answer = at_tables(
            place,
            lambda house: chance_tables.close(
                house, night, actor=asked.actor, request=asked.request
            ),
        )
        taken(answer, as_json=asked.json)
        words = say("cli.night.closed", event=event)
        told(_document(night.state), words, as_json=asked.json, of=night.state)


@app.command(
    epilog=examples(
        "pitbook night statement gala", "pitbook night statement gala --html -o gala.html"
    )
)
@options
def statement(
    event: Event,
    *,
    html: Annotated[bool, typer.Option("--html", help="A page to print.")] = False,
    pdf: Annotated[
        Path | None, typer.Option("--pdf", metavar="FILE", help="Write it as a paper to sign.")
    ] = None,
    size: PageSizes = Size.LETTER,
    output: Annotated[
        Path | None,
        typer.Option("-o", "--output", metavar="FILE", show_default=False, help="Write it there."),
    ] = None,
    where: HouseOptions,
    json: Json = False,
) -> None:
    """What the evening came to, reconciled with the ledger to the cent.

    Facts and balances are added up apart; a cent between them is a finding and makes the exit
    code 1.
    """
    from pitbook.house.nights.statement import statement as made  # noqa: PLC0415
    from pitbook.house.nights.statement import (  # noqa: PLC0415
        statement_page,
        statement_paper,
        statement_text,
    )

    with night_at(where, event) as night:
        found = made(night, at=night.now().isoformat(timespec="seconds"))
        written = statement_page if html else statement_text
        page = written(found, spoken())
    if pdf is not None:
        write_paper(pdf, statement_paper(found), size=size)
    if output is not None:
        write_text(output, page)
    if json:
        emit(found.document())
    elif output is None:
        print(page, end="")
    for one in found.findings:
        print(f"pitbook: {one}.", file=sys.stderr)
    if found.findings:
        raise typer.Exit(1)


@app.command("list", epilog=examples("pitbook night list"))
@options
def list_(*, where: HouseOptions, json: Json = False) -> None:
    """Every night of the house."""
    from pitbook.house.nights.state import nights  # noqa: PLC0415
    from pitbook.house.nights.store import Night  # noqa: PLC0415

    with house_at(where) as place:
        found = [Night(place.ledger, name).state for name in nights(place.ledger)]
    if json:
        emit({"nights": [_document(one) for one in found]})
        return
    width = max((len(one.event) for one in found), default=0)
    for one in found:
        mark = "  REHEARSAL" if one.rehearsal else ""
        line = f"{one.event:<{width}}  {one.gaming_date}  {one.phase:<6}  {one.charity}{mark}"
        print(printable(line))
    if not found:
        print(worded(say("cli.night.none")))


@app.command(epilog=examples("pitbook night show gala", "pitbook night show gala --json"))
@options
def show(
    event: Event,
    *,
    where: HouseOptions,
    json: Json = False,
) -> None:
    """One night: who it is for, its chips, tables and tournaments."""
    with night_at(where, event) as night:
        state = night.state
        unit = night.ledger.balances(state.till.unit).items()
        cash = night.ledger.balance(state.till.cash)
    wallets = {one.name: cents for one, cents in unit if one.kind == "wallet" and cents}
    document = _document(state) | _holding(wallets, cash)
    told(document, "\n".join(_words(document)), as_json=json, of=state)


@app.command(epilog=examples("pitbook night rules", "pitbook night rules my-house.toml"))
def rules(
    house: Annotated[
        str, typer.Argument(metavar="HOUSE", help="A house's id, or a TOML file.")
    ] = "oceanfront",
    *,
    json: Json = False,
) -> None:
    """The rules of a house, checked: every mistake with its place, and what is posted."""
    from pitbook.house.cli.night_views import print_rules, say_invalid  # noqa: PLC0415
    from pitbook.house.nights.house_rules import examined, find  # noqa: PLC0415
    from pitbook.sheets.load import read_text  # noqa: PLC0415

    path = find(house)
    found = examined(read_text(path), str(path))
    if found.table is None:
        say_invalid(found.findings, as_json=json)
    print_rules(found.table, as_json=json)


def _document(state: NightState) -> dict[str, Any]:
    return {
        "event": state.event,
        "phase": state.phase,
        "charity": state.charity,
        "licence": state.licence,
        "gaming_date": state.gaming_date,
        "zone": state.zone,
        "rehearsal": state.rehearsal,
        "house": {"id": state.rules.id, "hash": state.house["hash"]},
        "opened_at": state.opened_at or None,
        "closed_at": state.closed_at or None,
        "slips": len(state.slips),
        "tables": list(state.tables),
        "tournaments": {name: one.status for name, one in state.tournaments.items()},
        "interruptions": list(state.interruptions),
    }


def _holding(wallets: dict[str, Any], cash: int) -> dict[str, Any]:
    from pitbook.money import money  # noqa: PLC0415

    chips = {name: money(cents) for name, cents in sorted(wallets.items())}
    return {"cash": money(cash), "chips": chips}


def _words(document: dict[str, Any]) -> list[str]:
    when = f"{document['gaming_date']} {document['zone']}"
    lines: list[str] = [
        f"{document['event']}: {document['phase']}, {when}",
        say("cli.night.charity", charity=document["charity"], licence=document["licence"]),
        say("cli.night.drawer", cash=document["cash"], slips=document["slips"]),
    ]
    for player, amount in document["chips"].items():
        lines.append(f"  {worded(say('cli.night.chips', player=player, amount=amount))}")
    lines += [say("cli.night.table", table=table) for table in document["tables"]]
    for name, state in document["tournaments"].items():
        lines.append(say("cli.night.tournament", tournament=name, state=state))
    return [printable(worded(line)) for line in lines]


app.add_typer(cage.app)
app.add_typer(chance_tables.app)
app.add_typer(tournament.app, name="tournament")
