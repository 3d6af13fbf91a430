"""docs/rule-sheets.md is correct: its sheet loads, and its mistakes have the findings shown."""

from __future__ import annotations

import ast
import re
import tomllib
from pathlib import Path
from typing import NamedTuple

import pytest
from docs import fields
from docs.examples import FILE, apply_diff, blocks, check
from docs.examples import SECOND as SECOND_FILE
from tests.command_line import Ask

from pitbook import sheets
from pitbook.exact import edge_findings as exact_check
from pitbook.exact.edge_findings import check_reading
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
    finding_text: str


BLOCKS = blocks(TEXT)
STEPS = [block.body for block in BLOCKS if block.mark == "step"]
(WHOLE_SHEET,) = (block.body for block in BLOCKS if block.mark == "whole")
(DECLARED,) = (block.body for block in BLOCKS if block.mark == "declared")
(CHECKED,) = (block.body for block in BLOCKS if block.mark == "check")
MISTAKES = [
    Mistake(block.body, BLOCKS[place + 1].body)
    for place, block in enumerate(BLOCKS)
    if block.kind == "diff" and block.mark is None
]
(SECOND,) = (block.body for block in BLOCKS if block.mark == "second")
(SECOND_CHECKED,) = (block.body for block in BLOCKS if block.mark == "second check")
(SECOND_MISTAKE,) = (
    Mistake(block.body, BLOCKS[place + 1].body)
    for place, block in enumerate(BLOCKS)
    if block.mark == "second mistake"
)
QUOTED = [block.body for block in BLOCKS if block.kind == "toml" and block.mark is None]


def name_of(mistake: Mistake) -> str:
    return mistake.diff.splitlines()[-1]


@pytest.mark.long
def test_separate_process_prints_the_same_as_documents(shell: Ask, tmp_path: Path) -> None:
    """Documents are generated in one process, one command after the other."""
    (tmp_path / FILE).write_text(WHOLE_SHEET, encoding="utf-8")
    result = shell("sheets", "check", FILE, COLUMNS="80", NO_COLOR="1", PYTHONIOENCODING="utf-8")
    assert result.out == check(WHOLE_SHEET)


def test_page_has_steps_and_mistakes() -> None:
    assert len(STEPS) > 3
    assert len(MISTAKES) > 9


def test_steps_form_the_whole_sheet() -> None:
    assert "\n".join(STEPS) == WHOLE_SHEET


def test_whole_sheet_loads_and_checks_as_shown(tmp_path: Path) -> None:
    path = tmp_path / FILE
    path.write_text(WHOLE_SHEET, encoding="utf-8")
    sheet = load(path)
    assert isinstance(sheet, StreetStud)
    assert (sheet.deal.hole.value, sheet.community, sheet.units_max) == (3, 2, 5)
    assert sheet.side["hole-bonus"].looks_at == "hole"
    assert check(WHOLE_SHEET) == CHECKED


@pytest.mark.parametrize("mistake", MISTAKES, ids=name_of)
def test_mistakes_are_found_as_shown(mistake: Mistake) -> None:
    assert check(apply_diff(WHOLE_SHEET, mistake.diff)) == mistake.finding_text


def test_second_sheet_loads_and_checks_as_shown(tmp_path: Path) -> None:
    path = tmp_path / SECOND_FILE
    path.write_text(SECOND, encoding="utf-8")
    sheet = load(path)
    assert (sheet.family, sheet.hand_cards, sheet.units_max) == ("versus", 3, 3)
    assert check(SECOND, SECOND_FILE) == SECOND_CHECKED
    spoilt = apply_diff(SECOND, SECOND_MISTAKE.diff)
    assert check(spoilt, SECOND_FILE) == SECOND_MISTAKE.finding_text


@pytest.mark.parametrize("quoted", QUOTED, ids=lambda text: text.splitlines()[0])
def test_other_examples_are_quoted_from_bundled_sheets(quoted: str) -> None:
    assert tomllib.loads(quoted)
    texts = [path.read_text(encoding="utf-8") for path in (*BUNDLED.rglob("*.toml"), STATES)]
    assert any(quoted in text for text in texts)


def test_declared_advantage_is_accepted_by_the_check() -> None:
    generous = (BUNDLED / "louisiana-stud" / "standard.toml").read_text(encoding="utf-8")
    generous = generous.replace('pair-J-A = "2:1"', 'pair-J-A = "3:1"')
    for text, valid in ((generous, False), (f"{generous}\n{DECLARED}", True)):
        sheet_check = check_reading(examine(text, FILE, thorough=False))
        assert sheet_check.document()["valid"] is valid


@pytest.mark.long
def test_every_finding_code_is_explained() -> None:
    explained = set(re.findall(r"^\| `([a-z-]+)` \| (?:error|notice)", TEXT, re.MULTILINE))
    assert explained == set(finding_codes())


def test_every_field_is_mentioned() -> None:
    names = {
        field.alias or name
        for table in fields.sheet_models()
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


def _codes(code_expression: ast.expr) -> list[str]:
    """A constant code, or the ids of all states with rules for sheets."""
    if isinstance(code_expression, ast.Constant):
        return [str(code_expression.value)]
    assert ast.unparse(code_expression) == "state.id"
    states = tomllib.loads(STATES.read_text(encoding="utf-8"))["states"]
    rules = {"aggregate_limits", "chance_bets"}  # The others are for tables.
    return [name for name, fields in states.items() if rules & fields.keys()]
