"""Rules for every command: help with an example, one JSON document, and exit codes."""

from __future__ import annotations

from typing import Any

import pytest
from tests.command_line import Ask
from tests.sheets.samples import CMS, IDS, OMS
from typer.main import get_command

from pitbook.cli import app as root

GROUPS: list[tuple[str, ...]] = []
COMMANDS: dict[tuple[str, ...], list[str]] = {}  # With the options of each.


def walk(command: Any, path: tuple[str, ...]) -> None:
    if not hasattr(command, "commands"):
        COMMANDS[path] = [option for param in command.params for option in param.opts]
        return
    GROUPS.append(path)
    for name in command.commands:
        walk(command.commands[name], (*path, name))


walk(get_command(root.app), ())


def test_sheet_commands_exist() -> None:
    names = {"list", "show", "check", "diff", "schema"}
    assert {("sheets", name) for name in names} <= set(COMMANDS)


@pytest.mark.parametrize("path", [*GROUPS, *COMMANDS], ids=" ".join)
def test_help_describes_the_command_with_an_example(ask: Ask, path: tuple[str, ...]) -> None:
    answer = ask(*path, "--help")
    assert answer.code == 0
    assert answer.err == ""
    head, _, example = answer.out.partition("Example")
    assert " ".join(("Usage: pitbook", *path)) in head
    assert example, "its help has no example"
    assert "\n    pitbook " in example
    assert max(map(len, answer.out.splitlines())) <= 80


def test_every_command_supports_json() -> None:
    assert [path for path, options in COMMANDS.items() if "--json" not in options] == []


@pytest.mark.parametrize("path", GROUPS, ids=lambda path: " ".join(path) or "pitbook")
def test_bare_group_lists_its_commands_and_is_misuse(ask: Ask, path: tuple[str, ...]) -> None:
    answer = ask(*path)
    assert answer.code == 2
    assert "Commands:" in answer.out + answer.err


def test_catalogs_have_a_line_for_each_command() -> None:
    assert all(command.summary.endswith(".") for command in root.COMMANDS.values())


def test_version_option(ask: Ask) -> None:
    answer = ask("--version")
    assert answer.code == 0
    name, number = answer.out.split()
    assert name == "pitbook"
    assert number[0].isdigit()


GOOD = [
    ("sheets", "list"),
    *(("sheets", "show", sheet) for sheet in IDS),
    ("sheets", "check", CMS),
    ("sheets", "check", *IDS),
    ("sheets", "diff", CMS, OMS),
    ("sheets", "diff", CMS, CMS),
    ("sheets", "schema"),
    ("sheets", "schema", "street-stud"),
    ("sheets", "schema", "hi-lo"),
]


@pytest.mark.parametrize("arguments", GOOD, ids=" ".join)
def test_json_is_one_document_and_nothing_else(ask: Ask, arguments: tuple[str, ...]) -> None:
    answer = ask(*arguments, "--json")
    assert answer.code == 0
    assert answer.err == ""
    assert isinstance(answer.document, dict)
    assert answer.out.startswith("{\n  ")
    assert answer.out.endswith("\n}\n")


@pytest.mark.long
@pytest.mark.parametrize("arguments", GOOD, ids=" ".join)
def test_text_goes_to_standard_output(ask: Ask, arguments: tuple[str, ...]) -> None:
    answer = ask(*arguments)
    assert answer.code == 0
    assert answer.err == ""
    assert answer.out.strip()
    assert "\x1b" not in answer.out


MISUSE = [
    ("sheet", "list"),
    ("sheets", "lst"),
    ("sheets", "list", "--jsn"),
    ("sheets", "list", "extra"),
    ("sheets", "show"),
    ("sheets", "show", CMS, OMS),
    ("sheets", "check"),
    ("sheets", "diff", CMS),
    ("sheets", "diff", CMS, OMS, CMS),
    ("sheets", "schema", "poker"),
    ("--verbose",),
]


@pytest.mark.parametrize("arguments", MISUSE, ids=" ".join)
def test_misuse_is_exit_2_with_a_hint(ask: Ask, arguments: tuple[str, ...]) -> None:
    answer = ask(*arguments)
    assert answer.code == 2
    assert answer.out == ""
    assert "Error: " in answer.err
    assert "--help" in answer.err


@pytest.mark.parametrize("arguments", MISUSE, ids=" ".join)
def test_misuse_with_json_is_one_document_too(ask: Ask, arguments: tuple[str, ...]) -> None:
    answer = ask(*arguments, "--json")
    assert answer.code == 2
    assert list(answer.document) == ["error"]


def test_option_without_its_value_is_misuse(ask: Ask) -> None:
    answer = ask("sheets", "list", "--folder")
    assert answer.code == 2
    assert answer.err == "Error: Option '--folder' requires an argument.\n"


def test_misspelled_command_suggests_the_right_one(ask: Ask) -> None:
    assert "Did you mean 'sheets'" in ask("shets").err
    assert "Did you mean 'show'?" in ask("sheets", "shw").err
    assert 'did you mean "hi-lo"?' in ask("sheets", "schema", "hilo").err
