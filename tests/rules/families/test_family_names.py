"""Only `families/` names families: a new one is a folder there."""

from __future__ import annotations

import ast
import re
from collections.abc import Callable
from functools import cache
from pathlib import Path

import pytest

import pitbook
from pitbook.rules import families
from pitbook.sheets import family_registry as registry
from pitbook.sheets.family_registry import models

BUNDLED = families.__name__
FAMILIES = Path(families.__file__).parent
REGISTRY = Path(registry.__file__)  # Looks families up by the name of their entry points.
MODULES = [
    path for path in Path(pitbook.__file__).parent.rglob("*.py") if FAMILIES not in path.parents
]
NAMES = tuple(name for name, model in models().items() if model.__module__.startswith(BUNDLED))
NAMED = re.compile(  # As a word of text or code, but not in a sheet's id.
    rf"(?<![a-z\d/-])(?:{'|'.join(name.replace('-', '[-_]') for name in NAMES)})(?![a-z\d-])"
)

FindName = Callable[[ast.AST], str | None]


@pytest.mark.long
def test_no_family_is_named_or_imported_outside_families() -> None:
    named = [
        f"{path}:{getattr(node, 'lineno', '')}: {match}"
        for path in MODULES
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8")))
        for find in (family_type, *([] if path == REGISTRY else [imported_family]))
        if (match := find(node))
    ]
    assert named == []


def test_no_family_is_named_in_text_or_comments_outside_families() -> None:
    named = [
        f"{path}:{number}: {match[0]}"
        for path in MODULES
        for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), 1)
        for match in NAMED.finditer(line)
    ]
    assert named == []


@pytest.mark.parametrize(
    ("find", "code"),
    [
        ("family_type", "isinstance(sheet, HiLo)"),
        ("family_type", "def figures(sheet: 'StreetStud'): ..."),
        ("family_type", "game.compile.HiLoGame(sheet)"),
        ("imported_family", "from pitbook.rules.families.hi_lo import sheet"),
        ("imported_family", "import pitbook.rules.families.hi_lo.sheet"),
        ("imported_family", "from pitbook.rules import families"),
        ("imported_family", "import_module('pitbook.rules.families.hi_lo')"),
    ],
)
def test_a_type_or_an_import_is_found(find: str, code: str) -> None:
    assert any(globals()[find](node) for node in ast.walk(ast.parse(code)))


@pytest.mark.parametrize(
    "code",
    [
        "sheet.family == 'hi-lo'",
        "x = 'Bets in hi-lo only.'",
        "x = 1  # As in street-stud.",
        "def street_stud_figures(): ...",
        "x = 'families__hi_lo__sheet'",
    ],
)
def test_family_name_is_detected(code: str) -> None:
    assert NAMED.search(code)


def test_sheet_id_is_not_a_family_name() -> None:
    assert not NAMED.search("x = 'catfish-bend/matchem-hi-lo'")


def family_type(node: ast.AST) -> str | None:
    match node:
        case ast.Name(id=name) | ast.Attribute(attr=name) | ast.alias(name=name):
            return name if name in family_types() else None
        case ast.Constant(value=str(text)):
            return text if text in family_types() else None
    return None


def imported_family(node: ast.AST) -> str | None:
    match node:
        case ast.Import(names=names):
            modules = [alias.name for alias in names]
        case ast.ImportFrom(module=str(module), names=names):
            modules = [module, *(f"{module}.{alias.name}" for alias in names)]
        case ast.Constant(value=str(text)):
            modules = [text]
        case _:
            return None
    return next(
        (name for name in modules if name == BUNDLED or name.startswith(f"{BUNDLED}.")), None
    )


@cache
def family_types() -> frozenset[str]:
    """Every class that a family makes from `Sheet` or `Game`."""
    trees = (ast.parse(path.read_text(encoding="utf-8")) for path in FAMILIES.rglob("*.py"))
    classes = (node for tree in trees for node in ast.walk(tree) if isinstance(node, ast.ClassDef))
    return frozenset(
        one_class.name
        for one_class in classes
        if {"Sheet", "Game"} & {base.id for base in one_class.bases if isinstance(base, ast.Name)}
    )
