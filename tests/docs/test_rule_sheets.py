"""What docs/rule-sheets.md shows is what an author gets: its sheet loads, its mistakes are real."""

from __future__ import annotations

import ast
import re
import tomllib
from pathlib import Path
from typing import NamedTuple

import pytest
from docs import fields
from docs.examples import FILE, blocks, check, patched
from docs.examples import SECOND as SECOND_FILE
from tests.command_line import Ask

from pitbook import sheets
from pitbook.exact import check as exact_check
from pitbook.exact.check import check_reading
from pitbook.rules import families
from pitbook.rules.families.street_stud.sheet import StreetStud
from pitbook.sheets.library import BUNDLED
from pitbook.sheets.load import examine, load

ROOT = Path(__file__).parents[2]
TEXT = (ROOT / "docs" / "rule-sheets.md").read_text(encoding="utf-8")
STATES = Path(sheets.__file__).parent / "jurisdictions.toml"
EDGES = Path(exact_check.__file__)


class Mistake(NamedTuple):
    diff: str
    shown: str


BLOCKS = blocks(TEXT)
STEPS = [one.body for one in BLOCKS if one.mark == "step"]
(WHOLE,) = (one.body for one in BLOCKS if one.mark == "whole")
(DECLARED,) = (one.body for one in BLOCKS if one.mark == "declared")
(CHECKED,) = (one.body for one in BLOCKS if one.mark == "check")
MISTAKES = [
    Mistake(one.body, BLOCKS[place + 1].body)
    for place, one in enumerate(BLOCKS)
    if one.kind == "diff" and one.mark is None
]
(SECOND,) = (one.body for one in BLOCKS if one.mark == "second")
(SECOND_CHECKED,) = (one.body for one in BLOCKS if one.mark == "second check")
(SECOND_MISTAKE,) = (
    Mistake(one.body, BLOCKS[place + 1].body)
    for place, one in enumerate(BLOCKS)
    if one.mark == "second mistake"
)
QUOTED = [one.body for one in BLOCKS if one.kind == "toml" and one.mark is None]


def name_of(mistake: Mistake) -> str:
    return mistake.diff.splitlines()[-1]


@pytest.mark.long
def test_a_process_of_its_own_prints_what_documents_show(shell: Ask, tmp_path: Path) -> None:
    """Documents are made in one process, command after command."""
    (tmp_path / FILE).write_text(WHOLE, encoding="utf-8")
    alone = shell("sheets", "check", FILE, COLUMNS="80", NO_COLOR="1", PYTHONIOENCODING="utf-8")
    assert alone.out == check(WHOLE)


def test_there_are_steps_and_mistakes() -> None:
    assert len(STEPS) > 3
    assert len(MISTAKES) > 9


def test_the_steps_make_the_whole_sheet() -> None:
    assert "\n".join(STEPS) == WHOLE


def test_the_whole_sheet_loads_and_checks_as_shown(tmp_path: Path) -> None:
    path = tmp_path / FILE
    path.write_text(WHOLE, encoding="utf-8")
    sheet = load(path)
    assert isinstance(sheet, StreetStud)
    assert (sheet.deal.hole.value, sheet.community, sheet.units_max) == (3, 2, 5)
    assert sheet.side["hole-bonus"].looks_at == "hole"
    assert check(WHOLE) == CHECKED


@pytest.mark.parametrize("mistake", MISTAKES, ids=name_of)
def test_mistakes_are_found_as_shown(mistake: Mistake) -> None:
    assert check(patched(WHOLE, mistake.diff)) == mistake.shown


def test_the_second_sheet_loads_and_checks_as_shown(tmp_path: Path) -> None:
    path = tmp_path / SECOND_FILE
    path.write_text(SECOND, encoding="utf-8")
    sheet = load(path)
    assert (sheet.family, sheet.hand_cards, sheet.units_max) == ("versus", 3, 3)
    assert check(SECOND, SECOND_FILE) == SECOND_CHECKED
    spoilt = patched(SECOND, SECOND_MISTAKE.diff)
    assert check(spoilt, SECOND_FILE) == SECOND_MISTAKE.shown


@pytest.mark.parametrize("quoted", QUOTED, ids=lambda text: text.splitlines()[0])
def test_other_examples_are_quoted_from_bundled_sheets(quoted: str) -> None:
    assert tomllib.loads(quoted)
    texts = [path.read_text(encoding="utf-8") for path in (*BUNDLED.rglob("*.toml"), STATES)]
    assert any(quoted in text for text in texts)


def test_the_declared_advantage_is_one_that_the_check_accepts() -> None:
    generous = (BUNDLED / "louisiana-stud" / "standard.toml").read_text(encoding="utf-8")
    generous = generous.replace('pair-J-A = "2:1"', 'pair-J-A = "3:1"')
    for text, valid in ((generous, False), (f"{generous}\n{DECLARED}", True)):
        found = check_reading(examine(text, FILE, thorough=False))
        assert found.document()["valid"] is valid


@pytest.mark.long
def test_every_code_of_a_finding_is_explained() -> None:
    explained = set(re.findall(r"^\| `([a-z-]+)` \| (?:error|notice)", TEXT, re.MULTILINE))
    assert explained == set(finding_codes())


def test_every_field_is_spoken_of() -> None:
    names = {
        field.alias or name
        for table in fields.tables()
        for name, field in table.model_fields.items()
    }
    silent = [
        name for name in names if not re.search(rf"`[^`\n]*\b{name}\b|^{name} = ", TEXT, re.M)
    ]
    assert silent == []


def finding_codes() -> list[str]:
    """Every code that the package gives a finding."""
    codes = []
    packages = (Path(file).parent for file in (families.__file__, sheets.__file__))
    for path in (*(path for folder in packages for path in folder.rglob("*.py")), EDGES):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.Call) and getattr(node.func, "id", "") == "Finding":
                codes.extend(_codes(node.args[1]))
    return codes


def _codes(given: ast.expr) -> list[str]:
    """The code itself, or the id of every state with a rule for sheets on file."""
    if isinstance(given, ast.Constant):
        return [str(given.value)]
    assert ast.unparse(given) == "state.id"
    states = tomllib.loads(STATES.read_text(encoding="utf-8"))["states"]
    rules = {"aggregate_limits", "chance_bets"}  # Others are for tables.
    return [name for name, told in states.items() if rules & told.keys()]
