"""Rules for every command: help with an example, one JSON document, and exit codes."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pytest
from tests.command_line import Ask
from tests.sheets.samples import CMS, IDS, OMS
from typer.main import get_command

from pitbook.cli import app as root
from pitbook.cli.help import EXIT_CODES

ROOT = Path(__file__).parents[2]

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


@pytest.mark.parametrize("path", COMMANDS, ids=" ".join)
def test_help_has_placeholders_without_types_or_braces(ask: Ask, path: tuple[str, ...]) -> None:
    usage_and_options = ask(*path, "--help").out
    assert not re.search(r"[{}<>]", usage_and_options.partition("Example")[0])


def test_overview_lists_commands_in_sections(ask: Ask) -> None:
    sections = {}
    for block in ask("--help").out.split("\n\n"):
        title, *rows = block.splitlines()
        sections[title] = [row.split()[0] for row in rows]
    assert sections["Rules and rounds:"] == ["sheets", "settle", "rounds", "verify-deal"]
    assert sections["Play and training:"] == ["play", "drill"]
    assert sections["Ledger:"] == ["audit", "backup", "restore"]
    assert {"serve", "users", "bot", "night"} <= set(sections["Server and events:"])


def test_overview_and_readme_have_the_same_exit_codes(ask: Ask) -> None:
    readme = (ROOT / "README.md").read_text(encoding="utf-8")
    overview = ask("--help").out
    for code, meaning in EXIT_CODES:
        assert f"    {code:<5}{meaning}\n" in overview
        assert f"| {code} | {meaning} |\n" in readme


@pytest.mark.parametrize(
    ("words", "completions"),
    [
        (("drill", CMS, "--kind", "pay"), ["pay-hand", "paying-order"]),
        (("papers", "build", CMS, "--only", "r"), ["rules", "report", "rack-card"]),
        (("papers", "build", CMS, "--jurisdiction", "ne"), ["new-hampshire", "nevada"]),
        (("math", "catfish-bend/mi"), [CMS]),
    ],
    ids=lambda words: words[-1],
)
@pytest.mark.long
def test_shell_completes_values(shell: Ask, words: tuple[str, ...], completions: list[str]) -> None:
    answer = shell(
        _PITBOOK_COMPLETE="complete_bash",
        _PYTHON_M_PITBOOK_COMPLETE="complete_bash",
        COMP_WORDS=" ".join(("pitbook", *words)),
        COMP_CWORD=str(len(words)),
    )
    assert answer.out.split() == completions


def test_every_command_supports_json() -> None:
    assert [path for path, options in COMMANDS.items() if "--json" not in options] == []


@pytest.mark.parametrize("path", GROUPS, ids=lambda path: " ".join(path) or "pitbook")
def test_bare_group_lists_its_commands_and_is_misuse(ask: Ask, path: tuple[str, ...]) -> None:
    answer = ask(*path)
    assert answer.code == 2
    assert re.search(r"\n(Commands|Math):\n", answer.out + answer.err)


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
    assert 'Did you mean "hi-lo"?' in ask("sheets", "schema", "hilo").err
