"""`pitbook users`, command by command."""

from __future__ import annotations

import io
import json
from pathlib import Path

import pytest
import typer
from tests.command_line import Ask
from tests.house.web.conftest import PASSWORD, fast_folder
from tests.house.web.server_process import environment

from pitbook.errors import PitbookError
from pitbook.house.ledger.data_folder import Folder


@pytest.mark.long
def test_users_commands_in_order(
    tmp_path: Path,
    ask: Ask,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    data = tmp_path / "house"
    data.mkdir()
    with fast_folder(data):
        pass
    for name, value in environment().items():
        monkeypatch.setenv(name, value)

    def users(*arguments: str, given: str = "") -> tuple[int, str, str]:
        monkeypatch.setattr("sys.stdin", io.StringIO(given))
        done = ask("users", *arguments, "--data", str(data))
        return done.code, done.out, done.err

    assert users("list") == (0, "No accounts yet. Add one with: pitbook users add NAME ROLE\n", "")
    assert users("add", "sue", "supervisor", "--stdin", given=f"{PASSWORD}\n")[0] == 0
    assert users("add", "ann", "player", "--stdin", given=f"{PASSWORD}\n")[0] == 0
    assert users("role", "ann", "dealer") == (0, "ann is now a dealer.\n", "")
    assert users("disable", "ann", "--why", "asked") == (0, "ann is disabled.\n", "")
    assert users("list")[1] == "ann  dealer      disabled\nsue  supervisor\n"
    code, out, _ = users("enable", "ann", "--json")
    row = {"name": "ann", "role": "dealer", "disabled": False, "locked": False}
    assert (code, json.loads(out)) == (0, row)
    assert users("password", "ann", "--stdin", given="a new password\n")[0] == 0
    assert users("password", "ann", "--stdin", given="short\n") == (
        1,
        "",
        "pitbook: A password needs 8 to 1000 characters.\n",
    )
    message = "pitbook: There is no terminal to ask for the password. Use --stdin to read it.\n"
    assert users("password", "ann") == (1, "", message)
    message = 'pitbook: There is no account "anne". Did you mean "ann"?\n'
    assert users("unlock", "anne") == (1, "", message)
    message = 'pitbook: "deeler" is not a role. Did you mean "dealer"?\n'
    assert users("role", "ann", "deeler") == (1, "", message)
    message = 'pitbook: "sue" is the only supervisor. Add another one first.\n'
    assert users("disable", "sue") == (1, "", message)
    assert users("add", "bob", "player", "secret-as-argument")[0] == 2
    with Folder.open(data) as folder:
        actors = {entry.actor for entry in folder.ledger.entries("people")}
    assert all(actor.endswith("at the machine") for actor in actors)


def test_a_password_is_asked_for_twice(monkeypatch: pytest.MonkeyPatch) -> None:
    from pitbook.house.cli import users

    typed = iter(["one two three", "one two three", "one two three", "another"])
    monkeypatch.setattr("sys.stdin", type("Terminal", (), {"isatty": lambda _: True})())
    monkeypatch.setattr("getpass.getpass", lambda _: next(typed))
    assert users._password(stdin=False) == "one two three"
    with pytest.raises(PitbookError, match="The passwords do not match"):
        users._password(stdin=False)


def test_actor_without_a_user_name(monkeypatch: pytest.MonkeyPatch) -> None:
    from pitbook.house.cli import house_options

    def nobody() -> str:
        raise KeyError("no such user")

    monkeypatch.setattr("getpass.getuser", nobody)
    assert house_options.user_at_machine() == "at the machine"


def test_end_of_input_aborts_the_password_prompt(monkeypatch: pytest.MonkeyPatch) -> None:
    from pitbook.house.cli import users

    def end_input(_: str) -> str:
        raise EOFError

    monkeypatch.setattr("sys.stdin", type("Terminal", (), {"isatty": lambda _: True})())
    monkeypatch.setattr("getpass.getpass", end_input)
    with pytest.raises(typer.Abort):
        users._password(stdin=False)
