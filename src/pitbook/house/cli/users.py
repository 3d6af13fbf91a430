"""`pitbook users`: manage accounts and roles from the server's machine."""

from __future__ import annotations

import getpass
import sys
from collections.abc import Callable
from typing import TYPE_CHECKING, Annotated, Any, TypeAlias

import typer

from pitbook.cli.language import localize, print_lines
from pitbook.cli.lazy_commands import group
from pitbook.cli.options import Json
from pitbook.cli.plain_output import emit, examples
from pitbook.errors import PitbookError
from pitbook.house.cli.exclusions import add_exclusion_commands
from pitbook.house.cli.house_options import (
    HouseOptions,
    Name,
    Why,
    options,
    people_at,
    printable_line,
    user_at_machine,
)
from pitbook.house.cli.serve import settings_of
from pitbook.text import say
from pitbook.text.user_input import did_you_mean, printable

if TYPE_CHECKING:
    from pitbook.house.people.account_register import PersonRecord, Role
    from pitbook.house.people.accounts import People


app = group(
    "Manage user accounts and roles.",
    epilog=examples("pitbook users list", "pitbook users add ann player"),
)

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
def list_(*, house_options: HouseOptions, json: Json = False) -> None:
    """List accounts: role and status."""
    with people_at(house_options) as people:
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
    house_options: HouseOptions,
    json: Json = False,
) -> None:
    """Add an account; prompts for its password."""
    new_role = _parse_role(role)

    def change(people: People) -> None:
        people.add(name, new_role, _password(stdin=stdin), actor=user_at_machine())

    _change_person(
        house_options, name, change, say("cli.users.now", name=name, role=new_role), as_json=json
    )


@app.command(epilog=examples("pitbook users role ann dealer"))
@options
def role(name: Name, role: RoleName, *, house_options: HouseOptions, json: Json = False) -> None:
    """Change a person's role; they have to sign in again."""
    new_role = _parse_role(role)

    def change(people: People) -> None:
        people.set_role(name, new_role, actor=user_at_machine())

    _change_person(
        house_options, name, change, say("cli.users.now", name=name, role=new_role), as_json=json
    )


@app.command(epilog=examples('pitbook users disable ann --why "asked to be excluded"'))
@options
def disable(name: Name, *, why: Why = "", house_options: HouseOptions, json: Json = False) -> None:
    """Disable an account; its sessions end at once."""

    def change(people: People) -> None:
        people.disable(name, actor=user_at_machine(), why=why)

    _change_person(house_options, name, change, say("cli.users.disabled", name=name), as_json=json)


@app.command(epilog=examples("pitbook users enable ann"))
@options
def enable(name: Name, *, why: Why = "", house_options: HouseOptions, json: Json = False) -> None:
    """Enable a disabled account."""

    def change(people: People) -> None:
        people.enable(name, actor=user_at_machine(), why=why)

    _change_person(house_options, name, change, say("cli.users.enabled", name=name), as_json=json)


@app.command(epilog=examples("pitbook users unlock ann"))
@options
def unlock(name: Name, *, house_options: HouseOptions, json: Json = False) -> None:
    """Clear failed sign-ins and the wait that they cause."""

    def change(people: People) -> None:
        people.unlock(name, actor=user_at_machine())

    _change_person(house_options, name, change, say("cli.users.unlocked", name=name), as_json=json)


@app.command(epilog=examples("pitbook users password ann"))
@options
def password(
    name: Name, *, stdin: Stdin = False, house_options: HouseOptions, json: Json = False
) -> None:
    """Set a new password; the person has to sign in again."""

    def change(people: People) -> None:
        people.set_password(name, _password(stdin=stdin), actor=user_at_machine())

    _change_person(house_options, name, change, say("cli.users.password", name=name), as_json=json)


@app.command(epilog=examples("pitbook users reset ann", "pitbook users reset ann --json"))
@options
def reset(name: Name, *, house_options: HouseOptions, json: Json = False) -> None:
    """Create a one-time link to set a new password."""
    from pitbook.house.people.accounts import PasswordResets  # noqa: PLC0415  Slow to import.

    with people_at(house_options) as people:
        link = PasswordResets(people).make(name, actor=user_at_machine())
    address = settings_of(
        house_options.config, data=house_options.data, database=house_options.database
    ).address
    link_address = f"{address}/api/resets/{link.token}"
    if json:
        emit({"name": link.name, "link": link_address, "until": link.until})
    else:
        until = link.until[:16].replace("T", " ")
        print_lines(
            printable_line(say("cli.users.link", name=link.name, until=until)), link_address
        )


@app.command("forget-factor", epilog=examples("pitbook users forget-factor sue"))
@options
def forget_factor(name: Name, *, house_options: HouseOptions, json: Json = False) -> None:
    """Remove a second factor and end all sessions."""

    def change(people: People) -> None:
        people.change(name, actor=user_at_machine(), forget_factor=True)

    message = say("cli.users.no-factor", name=name)
    _change_person(house_options, name, change, message, as_json=json)


add_exclusion_commands(app)


def _change_person(
    house_options: HouseOptions,
    name: str,
    change: Callable[[People], None],
    message: str,
    *,
    as_json: bool,
) -> None:
    with people_at(house_options) as people:
        change(people)
        row = _row(people, _require_record(people, name))
    if as_json:
        emit(row)
    else:
        print_lines(printable_line(message))


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


def _parse_role(text: str) -> Role:
    from pitbook.house.people.account_register import MEMBERS  # noqa: PLC0415

    if text not in MEMBERS:
        unknown = {"role": printable(text), "remedy": did_you_mean(text, MEMBERS)}
        raise PitbookError(say("cli.users.no-role", **unknown))
    return text


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
