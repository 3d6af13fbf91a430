"""Commands of `pitbook users` that exclude people from play: exclude, readmit, excluded."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

import typer

from pitbook.cli.language import localize, print_lines
from pitbook.cli.lazy_commands import App
from pitbook.cli.options import Json
from pitbook.cli.plain_output import emit, examples
from pitbook.house.cli.house_options import (
    HouseOptions,
    Name,
    Why,
    options,
    people_at,
    printable_line,
    user_at_machine,
)
from pitbook.text import say
from pitbook.text.user_input import printable

if TYPE_CHECKING:
    from pitbook.house.people.roster import Exclusion


@options
def exclude(
    name: Name,
    *,
    until: Annotated[
        str | None,
        typer.Option(
            "--until",
            metavar="YYYY-MM-DD",
            show_default=False,
            help="Last day of the exclusion; permanent if omitted.",
        ),
    ] = None,
    zone: Annotated[
        str, typer.Option("--zone", metavar="ZONE", help="Time zone in which that day ends.")
    ] = "America/New_York",
    why: Why,
    house_options: HouseOptions,
    json: Json = False,
) -> None:
    """Exclude a person from buying in, entering and betting.

    The person need not have an account.
    """
    with people_at(house_options) as people:
        exclusion = people.persons.exclude(
            name, until=until, zone=zone, why=why, actor=user_at_machine()
        )
    if json:
        emit(exclusion._asdict())
    else:
        print_lines(
            printable_line(
                say("cli.users.excluded", name=exclusion.name, long=_how_long(exclusion))
            )
        )


@options
def readmit(name: Name, *, why: Why, house_options: HouseOptions, json: Json = False) -> None:
    """Lift an exclusion early."""
    with people_at(house_options) as people:
        person = people.persons.readmit(name, why=why, actor=user_at_machine())
    if json:
        emit({"name": person, "excluded": False})
    else:
        print_lines(printable_line(say("cli.users.readmitted", name=person)))


@options
def list_exclusions(*, house_options: HouseOptions, json: Json = False) -> None:
    """List exclusions, including expired ones."""
    from pitbook.house.ledger.writer import utc_now  # noqa: PLC0415  Slow to import.

    with people_at(house_options) as people:
        exclusions = people.persons.exclusions()
    now = utc_now()
    if json:
        emit(
            {
                "excluded": [
                    {**exclusion._asdict(), "holds": exclusion.holds(now)}
                    for exclusion in exclusions
                ]
            }
        )
        return
    for exclusion in exclusions:
        is_over = "no" if exclusion.holds(now) else "yes"
        long = localize(say("cli.users.how-long", long=_how_long(exclusion), over=is_over))
        print(printable(f"{exclusion.name}  {long}: {exclusion.why}"))
    if not exclusions:
        print_lines(say("cli.users.nobody-excluded"))


def _how_long(exclusion: Exclusion) -> str:
    if exclusion.until is None:
        return say("cli.users.for-good")
    return say("cli.users.until", day=exclusion.until, zone=exclusion.zone)


def add_exclusion_commands(app: App) -> None:
    """Add exclude, readmit and excluded to a group of commands."""
    app.command(
        epilog=examples(
            'pitbook users exclude "Zoe Lee" --until 2027-12-31 --why "asked for it"',
            'pitbook users exclude "Zoe Lee" --why "by order of the commission"',
        )
    )(exclude)
    app.command(epilog=examples('pitbook users readmit "Zoe Lee" --why "the year is over"'))(
        readmit
    )
    app.command(
        "excluded", epilog=examples("pitbook users excluded", "pitbook users excluded --json")
    )(list_exclusions)
