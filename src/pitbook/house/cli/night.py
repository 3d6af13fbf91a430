"""`pitbook night`: charity events from license to closing statement."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from pitbook.cli.language import localize, output_language
from pitbook.cli.lazy_commands import group
from pitbook.cli.options import Folders, Json, write_text
from pitbook.cli.papers import PageSizes, Size, write_paper
from pitbook.cli.plain_output import emit, examples
from pitbook.house.cli import night_cage, night_tables, tournament
from pitbook.house.cli.house_options import (
    Event,
    HouseOptions,
    RequestOptions,
    house_at,
    night_at,
    options,
)
from pitbook.house.cli.night_files import check_tournaments, load_house
from pitbook.house.cli.night_output import print_answer, require_accepted
from pitbook.text import say
from pitbook.text.user_input import printable

if TYPE_CHECKING:
    from pitbook.house.nights.state import NightState


app = group(
    "Run charity events: chips, tables, tournaments and statements.",
    epilog=examples(
        "pitbook night new gala --charity Shelter --license NH-1 --date 2026-11-21",
        "pitbook night statement gala",
    ),
)


def _american_spelling(option: str) -> str:
    return "license" if option == "licence" else option


# Scripts may write --licence for --license.
EITHER_SPELLING = {"token_normalize_func": _american_spelling}


@app.command(
    context_settings=EITHER_SPELLING,
    epilog=examples(
        "pitbook night new gala --charity Shelter --license NH-1 --date 2026-11-21",
        "pitbook night new g2 --charity A --license B --date 2027-01-02 --zone UTC",
        "pitbook night new t1 --charity A --license B --date 2026-11-21 --rehearsal",
    ),
)
@options
def new(
    event: Event,
    *,
    charity: Annotated[
        str, typer.Option("--charity", metavar="NAME", help="Charity that receives the proceeds.")
    ],
    license_number: Annotated[
        str, typer.Option("--license", metavar="TEXT", help="License of the event.")
    ],
    date: Annotated[str, typer.Option("--date", metavar="YYYY-MM-DD", help="Gaming date.")],
    zone: Annotated[
        str, typer.Option("--zone", metavar="ZONE", help="Time zone of the event.")
    ] = "America/New_York",
    house: Annotated[
        str, typer.Option("--house", metavar="HOUSE", help="House rules: an id or a TOML file.")
    ] = "oceanfront",
    rehearsal: Annotated[
        bool, typer.Option("--rehearsal", help="Practice event: any date, play money.")
    ] = False,
    house_options: HouseOptions,
    request_options: RequestOptions,
) -> None:
    """Create an event; it keeps the house rules as they are now.

    Past dates are refused. A rehearsal opens on any day, its money has no cash value, and all
    its papers say so.
    """
    from pitbook.house.nights.commands import Make  # noqa: PLC0415  Slow to import.
    from pitbook.house.nights.store import Night  # noqa: PLC0415

    rules = load_house(house, as_json=request_options.json)
    command = Make(event, charity, license_number, date, zone, rules, rehearsal)
    with house_at(house_options, make=True) as data_folder:
        night = Night(data_folder.ledger, event)
        require_accepted(
            night.give(command, actor=request_options.actor, request=request_options.request),
            as_json=request_options.json,
        )
        state = night.state
    fields = {"event": event, "charity": state.charity, "day": state.gaming_date}
    words = say("cli.night.made-to-rehearse" if rehearsal else "cli.night.made", **fields)
    print_answer(
        _document(state),
        printable(localize(words)),
        as_json=request_options.json,
        night_state=state,
    )


@app.command(
    context_settings=EITHER_SPELLING,
    epilog=examples("pitbook night correct gala --date 2026-11-28"),
)
@options
def correct(
    event: Event,
    *,
    charity: Annotated[
        str | None,
        typer.Option("--charity", metavar="NAME", show_default=False, help="New charity."),
    ] = None,
    license_number: Annotated[
        str | None,
        typer.Option("--license", metavar="TEXT", show_default=False, help="New license."),
    ] = None,
    date: Annotated[
        str | None,
        typer.Option("--date", metavar="YYYY-MM-DD", show_default=False, help="New gaming date."),
    ] = None,
    zone: Annotated[
        str | None,
        typer.Option("--zone", metavar="ZONE", show_default=False, help="New time zone."),
    ] = None,
    folder: Folders = None,
    house_options: HouseOptions,
    request_options: RequestOptions,
) -> None:
    """Correct an event before it opens."""
    from pitbook.house.nights.commands import Correct  # noqa: PLC0415

    command = Correct(charity, license_number, date, zone)
    with night_at(house_options, event) as night:
        if date is not None and night.state.phase == "made":
            check_tournaments(night.state, date, folder, as_json=request_options.json)
        require_accepted(
            night.give(command, actor=request_options.actor, request=request_options.request),
            as_json=request_options.json,
        )
        state = night.state
    fields = {"event": event, "charity": state.charity, "day": state.gaming_date}
    words = say("cli.night.corrected", **fields, license=state.licence)
    print_answer(
        _document(state),
        printable(localize(words)),
        as_json=request_options.json,
        night_state=state,
    )


@app.command("open", epilog=examples("pitbook night open gala"))
@options
def open_(
    event: Event,
    *,
    house_options: HouseOptions,
    request_options: RequestOptions,
) -> None:
    """Open the event, on its date only."""
    from pitbook.house.nights.commands import Open  # noqa: PLC0415

    with night_at(house_options, event) as night:
        require_accepted(
            night.give(Open(), actor=request_options.actor, request=request_options.request),
            as_json=request_options.json,
        )
        words = say("cli.night.opened", event=event)
        print_answer(
            _document(night.state), words, as_json=request_options.json, night_state=night.state
        )


@app.command(epilog=examples("pitbook night close gala"))
@options
def close(
    event: Event,
    *,
    house_options: HouseOptions,
    request_options: RequestOptions,
) -> None:
    """Close the event; unredeemed chips expire.

    Tables close and the opening bank is returned. It can close at any hour. Money that players
    did not collect is kept as unclaimed, by name. If a hand or a tournament is still in play,
    `pitbook night interrupted EVENT --dead` ends it. With a running server, use its page instead.
    """
    from pitbook.house.cli.night_tables import at_tables  # noqa: PLC0415
    from pitbook.house.nights import table_commands as chance_tables  # noqa: PLC0415
    from pitbook.house.nights.store import existing_night  # noqa: PLC0415

    with house_at(house_options) as data_folder:
        night = existing_night(data_folder.ledger, event)
        answer = at_tables(
            data_folder,
            lambda house: chance_tables.close(
                house, night, actor=request_options.actor, request=request_options.request
            ),
        )
        require_accepted(answer, as_json=request_options.json)
        words = say("cli.night.closed", event=event)
        print_answer(
            _document(night.state), words, as_json=request_options.json, night_state=night.state
        )


@app.command(
    epilog=examples(
        "pitbook night statement gala", "pitbook night statement gala --html -o gala.html"
    )
)
@options
def statement(
    event: Event,
    *,
    html: Annotated[bool, typer.Option("--html", help="Print the statement as HTML.")] = False,
    pdf: Annotated[
        Path | None, typer.Option("--pdf", metavar="FILE", help="Also write a PDF to sign.")
    ] = None,
    size: PageSizes = Size.LETTER,
    output: Annotated[
        Path | None,
        typer.Option(
            "-o",
            "--output",
            metavar="FILE",
            show_default=False,
            help="Write to this file instead of standard output.",
        ),
    ] = None,
    house_options: HouseOptions,
    json: Json = False,
) -> None:
    """Print the event's statement, reconciled to the cent.

    Records and balances are added up separately; any difference is a finding and makes the exit
    code 1.
    """
    from pitbook.house.nights.statement import statement as build_statement  # noqa: PLC0415
    from pitbook.house.nights.statement import (  # noqa: PLC0415
        statement_page,
        statement_paper,
        statement_text,
    )

    with night_at(house_options, event) as night:
        document = build_statement(night, at=night.now().isoformat(timespec="seconds"))
        render = statement_page if html else statement_text
        page = render(document, output_language())
    if pdf is not None:
        write_paper(pdf, statement_paper(document), size=size)
    if output is not None:
        write_text(output, page)
    if json:
        emit(document.document())
    elif output is None:
        print(page, end="")
    for finding in document.findings:
        print(f"pitbook: {finding}.", file=sys.stderr)
    if document.findings:
        raise typer.Exit(1)


@app.command("list", epilog=examples("pitbook night list"))
@options
def list_(*, house_options: HouseOptions, json: Json = False) -> None:
    """List all events."""
    from pitbook.house.nights.state import nights  # noqa: PLC0415
    from pitbook.house.nights.store import Night  # noqa: PLC0415

    with house_at(house_options) as data_folder:
        states = [Night(data_folder.ledger, name).state for name in nights(data_folder.ledger)]
    if json:
        emit({"nights": [_document(state) for state in states]})
        return
    width = max((len(state.event) for state in states), default=0)
    for state in states:
        mark = "  REHEARSAL" if state.rehearsal else ""
        line = (
            f"{state.event:<{width}}  {state.gaming_date}  {state.phase:<6}  {state.charity}{mark}"
        )
        print(printable(line))
    if not states:
        print(localize(say("cli.night.none")))


@app.command(epilog=examples("pitbook night show gala", "pitbook night show gala --json"))
@options
def show(
    event: Event,
    *,
    house_options: HouseOptions,
    json: Json = False,
) -> None:
    """Show one event: charity, chips, tables and tournaments."""
    with night_at(house_options, event) as night:
        state = night.state
        unit = night.ledger.balances(state.accounts.unit).items()
        cash = night.ledger.balance(state.accounts.cash)
    wallets = {account.name: cents for account, cents in unit if account.kind == "wallet" and cents}
    document = _document(state) | _holdings_json(wallets, cash)
    print_answer(document, "\n".join(_night_lines(document)), as_json=json, night_state=state)


@app.command(epilog=examples("pitbook night rules", "pitbook night rules my-house.toml"))
def rules(
    house: Annotated[
        str, typer.Argument(metavar="HOUSE", help="Id of house rules, or a TOML file.")
    ] = "oceanfront",
    *,
    json: Json = False,
) -> None:
    """Check house rules; list errors, or the rules and what must be posted."""
    from pitbook.house.cli.night_files import say_invalid  # noqa: PLC0415
    from pitbook.house.cli.night_output import print_rules  # noqa: PLC0415
    from pitbook.house.nights.house_rules import house_path, parse_rules  # noqa: PLC0415
    from pitbook.sheets.load import read_text  # noqa: PLC0415

    path = house_path(house)
    examined_rules = parse_rules(read_text(path), str(path))
    if examined_rules.table is None:
        say_invalid(examined_rules.findings, as_json=json)
    print_rules(examined_rules.table, as_json=json)


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
        "tournaments": {
            name: tournament_state.status for name, tournament_state in state.tournaments.items()
        },
        "interruptions": list(state.interruptions),
    }


def _holdings_json(wallets: dict[str, Any], cash: int) -> dict[str, Any]:
    from pitbook.money import money  # noqa: PLC0415

    chips = {name: money(cents) for name, cents in sorted(wallets.items())}
    return {"cash": money(cash), "chips": chips}


def _night_lines(document: dict[str, Any]) -> list[str]:
    when = f"{document['gaming_date']} {document['zone']}"
    lines: list[str] = [
        f"{document['event']}: {document['phase']}, {when}",
        say("cli.night.charity", charity=document["charity"], license=document["licence"]),
        say("cli.night.drawer", cash=document["cash"], slips=document["slips"]),
    ]
    for player, amount in document["chips"].items():
        lines.append(f"  {localize(say('cli.night.chips', player=player, amount=amount))}")
    lines += [say("cli.night.table", table=table) for table in document["tables"]]
    for name, state in document["tournaments"].items():
        lines.append(say("cli.night.tournament", tournament=name, state=state))
    return [printable(localize(line)) for line in lines]


app.add_typer(night_cage.app)
app.add_typer(night_tables.app)
app.add_typer(tournament.app, name="tournament")
