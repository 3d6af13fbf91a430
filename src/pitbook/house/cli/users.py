"""`pitbook users`: manage accounts, roles and exclusions from the server's machine."""

from __future__ import annotations

import getpass
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Annotated, Any, TypeAlias

import typer

from pitbook.cli.commands import group
from pitbook.cli.language import localize, print_lines
from pitbook.cli.options import Json
from pitbook.cli.output import emit, examples
from pitbook.errors import PitbookError
from pitbook.house.cli.data_folder import open_folder
from pitbook.house.cli.night_common import HouseOptions, Why, options
from pitbook.house.cli.serve import settings_of
from pitbook.text import say
from pitbook.text.user_input import did_you_mean, printable

if TYPE_CHECKING:
    from pitbook.house.people.account_register import PersonRecord, Role
    from pitbook.house.people.accounts import People
    from pitbook.house.people.persons import Exclusion


app = group(
    "Manage user accounts and roles.",
    epilog=examples("pitbook users list", "pitbook users add ann player"),
)

Name: TypeAlias = Annotated[str, typer.Argument(metavar="NAME", help="The person's name.")]
RoleName: TypeAlias = Annotated[
    str,
    typer.Argument(
        metavar="ROLE", help="player, dealer, supervisor, auditor, organiser, brush or cashier."
    ),
]
Stdin: TypeAlias = Annotated[
    bool, typer.Option("--stdin", help="Read the password from one line of standard input.")
]


@app.command("list", epilog=examples("pitbook users list --json"))
@options
def list_(*, where: HouseOptions, json: Json = False) -> None:
    """List accounts: role and status."""
    with _people(where) as people:
        rows = [_row(people, record) for record in people.all()]
    if json:
        emit({"people": rows})
        return
    width = max((len(printable(row["name"])) for row in rows), default=0)
    for row in rows:
        words = [word for word in ("disabled", "locked", "second_factor") if row.get(word)]
        flags = ", ".join(localize(say("cli.users.standing", standing=word)) for word in words)
        print(f"{printable(row['name']):<{width}}  {row['role']:<10}  {flags}".rstrip())
    if not rows:
        print_lines(say("cli.users.nobody"))


@app.command(epilog=examples("pitbook users add ann player", "pitbook users add sue supervisor"))
@options
def add(
    name: Name,
    role: RoleName,
    *,
    stdin: Stdin = False,
    where: HouseOptions,
    json: Json = False,
) -> None:
    """Add an account; prompts for its password."""
    new_role = _parse_role(role)

    def change(people: People) -> None:
        people.add(name, new_role, _password(stdin=stdin), actor=_actor())

    _change_person(
        where, name, change, say("cli.users.now", name=name, role=new_role), as_json=json
    )


@app.command(epilog=examples("pitbook users role ann dealer"))
@options
def role(name: Name, role: RoleName, *, where: HouseOptions, json: Json = False) -> None:
    """Change a person's role; they have to sign in again."""
    new_role = _parse_role(role)

    def change(people: People) -> None:
        people.set_role(name, new_role, actor=_actor())

    _change_person(
        where, name, change, say("cli.users.now", name=name, role=new_role), as_json=json
    )


@app.command(epilog=examples('pitbook users disable ann --why "asked to be excluded"'))
@options
def disable(name: Name, *, why: Why = "", where: HouseOptions, json: Json = False) -> None:
    """Disable an account; its sessions end at once."""

    def change(people: People) -> None:
        people.disable(name, actor=_actor(), why=why)

    _change_person(where, name, change, say("cli.users.disabled", name=name), as_json=json)


@app.command(epilog=examples("pitbook users enable ann"))
@options
def enable(name: Name, *, why: Why = "", where: HouseOptions, json: Json = False) -> None:
    """Enable a disabled account."""

    def change(people: People) -> None:
        people.enable(name, actor=_actor(), why=why)

    _change_person(where, name, change, say("cli.users.enabled", name=name), as_json=json)


@app.command(epilog=examples("pitbook users unlock ann"))
@options
def unlock(name: Name, *, where: HouseOptions, json: Json = False) -> None:
    """Clear failed sign-ins and the wait that they cause."""

    def change(people: People) -> None:
        people.unlock(name, actor=_actor())

    _change_person(where, name, change, say("cli.users.unlocked", name=name), as_json=json)


@app.command(epilog=examples("pitbook users password ann"))
@options
def password(name: Name, *, stdin: Stdin = False, where: HouseOptions, json: Json = False) -> None:
    """Set a new password; the person has to sign in again."""

    def change(people: People) -> None:
        people.set_password(name, _password(stdin=stdin), actor=_actor())

    _change_person(where, name, change, say("cli.users.password", name=name), as_json=json)


@app.command(epilog=examples("pitbook users reset ann", "pitbook users reset ann --json"))
@options
def reset(name: Name, *, where: HouseOptions, json: Json = False) -> None:
    """Create a one-time link to set a new password."""
    from pitbook.house.people.accounts import PasswordResets  # noqa: PLC0415  Slow to import.

    with _people(where) as people:
        link = PasswordResets(people).make(name, actor=_actor())
    address = settings_of(where.config, data=where.data, database=where.database).address
    link_address = f"{address}/api/resets/{link.token}"
    if json:
        emit({"name": link.name, "link": link_address, "until": link.until})
    else:
        until = link.until[:16].replace("T", " ")
        print_lines(
            _printable_line(say("cli.users.link", name=link.name, until=until)), link_address
        )


@app.command("forget-factor", epilog=examples("pitbook users forget-factor sue"))
@options
def forget_factor(name: Name, *, where: HouseOptions, json: Json = False) -> None:
    """Remove a second factor and end all sessions."""

    def change(people: People) -> None:
        people.change(name, actor=_actor(), forget_factor=True)

    message = say("cli.users.no-factor", name=name)
    _change_person(where, name, change, message, as_json=json)


@app.command(
    epilog=examples(
        'pitbook users exclude "Zoe Lee" --until 2027-12-31 --why "asked for it"',
        'pitbook users exclude "Zoe Lee" --why "by order of the commission"',
    )
)
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
    where: HouseOptions,
    json: Json = False,
) -> None:
    """Exclude a person from buying in, entering and betting.

    The person need not have an account.
    """
    with _people(where) as people:
        exclusion = people.persons.exclude(name, until=until, zone=zone, why=why, actor=_actor())
    if json:
        emit(exclusion._asdict())
    else:
        print_lines(
            _printable_line(
                say("cli.users.excluded", name=exclusion.name, long=_how_long(exclusion))
            )
        )


@app.command(epilog=examples('pitbook users readmit "Zoe Lee" --why "the year is over"'))
@options
def readmit(name: Name, *, why: Why, where: HouseOptions, json: Json = False) -> None:
    """Lift an exclusion early."""
    with _people(where) as people:
        who = people.persons.readmit(name, why=why, actor=_actor())
    if json:
        emit({"name": who, "excluded": False})
    else:
        print_lines(_printable_line(say("cli.users.readmitted", name=who)))


@app.command("excluded", epilog=examples("pitbook users excluded", "pitbook users excluded --json"))
@options
def list_exclusions(*, where: HouseOptions, json: Json = False) -> None:
    """List exclusions, including expired ones."""
    from pitbook.house.ledger.writer import utc_now  # noqa: PLC0415  Slow to import.

    with _people(where) as people:
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


def _printable_line(text: str) -> str:
    """A message with users' text, safe for a terminal."""
    return printable(localize(text))


def _change_person(
    where: HouseOptions,
    name: str,
    change: Callable[[People], None],
    message: str,
    *,
    as_json: bool,
) -> None:
    with _people(where) as people:
        change(people)
        row = _row(people, _require_record(people, name))
    if as_json:
        emit(row)
    else:
        print_lines(_printable_line(message))


@contextmanager
def _people(where: HouseOptions) -> Iterator[People]:
    """The accounts of a house, whether or not a server runs."""
    from pitbook.house.people.accounts import People  # noqa: PLC0415
    from pitbook.shoe.crypto import Vault  # noqa: PLC0415  Slow to import, both.

    settings = settings_of(where.config, data=where.data, database=where.database)
    with open_folder(settings.data, settings.database, settings.anchor) as folder:
        yield People(folder.ledger, Vault(folder.keys.sealing), settings.sign_in)


def _require_record(people: People, name: str) -> PersonRecord:
    from pitbook.house.people.account_register import require_person  # noqa: PLC0415

    return require_person(people.register, name)


def _row(people: People, record: PersonRecord) -> dict[str, Any]:
    return {
        "name": record.name,
        "role": record.role,
        "disabled": record.disabled,
        "locked": people.is_locked(record),
        **({"second_factor": True} if record.factor else {}),
    }


def _parse_role(given: str) -> Role:
    from pitbook.house.people.account_register import MEMBERS  # noqa: PLC0415

    if given not in MEMBERS:
        unknown = {"role": printable(given), "remedy": did_you_mean(given, MEMBERS)}
        raise PitbookError(say("cli.users.no-role", **unknown))
    return given


def _password(*, stdin: bool) -> str:
    """A password typed twice on a terminal, or the first line of standard input."""
    if stdin:
        return sys.stdin.readline().rstrip("\r\n")
    if not sys.stdin.isatty():
        raise PitbookError(say("cli.users.no-terminal"))
    try:
        first, again = getpass.getpass("Password: "), getpass.getpass("Again: ")
    except EOFError:
        raise typer.Abort from None
    if again != first:
        raise PitbookError(say("cli.users.not-the-same"))
    return first


def _actor() -> str:
    """The user at this machine, for the record."""
    try:
        return f"{getpass.getuser()} at the machine"
    except (KeyError, OSError):
        return "at the machine"
