"""Nobody outside `families/` knows which families there are, and nobody reads a play's text."""

from __future__ import annotations

import ast
import re
from collections.abc import Callable, Iterator
from functools import cache
from pathlib import Path

import pytest

from pitbook.rules.games import bind
from pitbook.sheets.families import models
from pitbook.sheets.library import Library

ROOT = Path(__file__).parent.parent
PACKAGE = ROOT / "src" / "pitbook"
FAMILIES = PACKAGE / "rules" / "families"
MODULES = sorted(one for one in PACKAGE.rglob("*.py") if FAMILIES not in one.parents)
PAGES = sorted(
    one
    for one in (ROOT / "frontend" / "src").rglob("*")
    if one.suffix in {".ts", ".svelte", ".css"} and not one.name.endswith((".test.ts", ".d.ts"))
)
REGISTRY = PACKAGE / "sheets" / "families.py"  # Where families are looked up by the group's name.
CODEC = PACKAGE / "rules" / "game" / "plays.py"

BUNDLED = "pitbook.rules.families"
NAMES = tuple(name for name, model in models().items() if model.__module__.startswith(BUNDLED))
NAMED = re.compile(rf"(?<![\w/-])(?:{'|'.join(NAMES)})(?![\w-])")  # Not in a sheet's id.
CUTS = {"endswith", "startswith", "removesuffix", "removeprefix", "partition", "split", "replace"}
BET = re.compile(r"[0-9]+x", re.ASCII)

# Comparisons with a word that is spelled like a play but is not one.
NOT_PLAYS = {
    "ties.value == 'fold'",  # A sheet's preference among equal plays.
    "ties == 'fold'",
    "one.which != 'low'",  # One of a dealer's two hands.
    "line in ('low', 'high')",  # Lines of a pay table.
    "'check' in document",  # A comparison with the exact figures.
}

Finds = Callable[[ast.AST], str | None]


def test_there_is_something_to_look_for_and_to_look_at() -> None:
    assert len(NAMES) > 1
    assert len(MODULES) > 300
    assert len(PAGES) > 50
    assert {"StreetStud", "StreetStudGame", "HiLo", "HiLoGame"} <= family_types()
    assert {"fold", "3x", "low", "high+double"} <= play_texts()


@pytest.mark.long
def test_no_family_type_is_named_outside_families() -> None:
    assert found_in(MODULES, _type_named) == []


@pytest.mark.long
def test_no_family_is_imported_outside_families() -> None:
    assert found_in([one for one in MODULES if one != REGISTRY], _imported) == []


@pytest.mark.long
def test_no_family_is_named_in_a_string_outside_families() -> None:
    assert found_in(MODULES, _named) == []


@pytest.mark.long
def test_no_family_is_compared_with_a_word_outside_families() -> None:
    assert found_in(MODULES, _compared) == []


def test_the_page_names_no_family() -> None:
    quoted = re.compile(rf"""["'`](?:{"|".join(NAMES)})["'`]|\bfamily\s*[!=]==?\s*["'`]""")
    found = [
        f"{page.relative_to(ROOT).as_posix()}:{number}: {line.strip()}"
        for page in PAGES
        for number, line in enumerate(page.read_text().splitlines(), start=1)
        if quoted.search(line)
    ]
    assert found == []


@pytest.mark.long
def test_only_the_codec_knows_the_text_of_a_play() -> None:
    assert found_in([one for one in MODULES if one != CODEC], _play_read) == []


@pytest.mark.long
def test_words_that_are_no_plays_are_still_there() -> None:
    code = {ast.unparse(node) for _, node in _nodes(MODULES) if isinstance(node, ast.Compare)}
    assert code >= NOT_PLAYS, "remove what no module compares any more"


@pytest.mark.parametrize(
    ("finds", "code"),
    [
        ("_type_named", "isinstance(sheet, HiLo)"),
        ("_type_named", "def figures(sheet: 'StreetStud'): ..."),
        ("_type_named", "game.compile.HiLoGame(sheet)"),
        ("_imported", "from pitbook.rules.families.hi_lo import sheet"),
        ("_imported", "import pitbook.rules.families.hi_lo.sheet"),
        ("_imported", "from pitbook.rules import families"),
        ("_imported", "import_module('pitbook.rules.families.hi_lo')"),
        ("_named", "x = 'hi-lo'"),
        ("_named", "x = 'Bets in hi-lo only.'"),
        ("_compared", "sheet.family == 'x'"),
        ("_compared", "'x' != sheet.family"),
        ("_compared", "sheet.family in ('x', 'y')"),
        ("_compared", "document['family'] == 'x'"),
        ("_compared", "family == 'x'"),
        ("_compared", "sheet.family.startswith('x')"),
        ("_compared", "hasattr(sheet, 'streets')"),
        ("_compared", "getattr(round.game.sheet, 'declare', None)"),
        ("_play_read", "play == 'fold'"),
        ("_play_read", "play in ('low', 'high')"),
        ("_play_read", "'12x' in plays"),
        ("_play_read", "play.endswith('x')"),
        ("_play_read", "play.startswith('fo')"),
        ("_play_read", "play.removesuffix('+double')"),
        ("_play_read", "play.partition('+')"),
        ("_play_read", "f'{bet}x'"),
        ("_play_read", "f'{play}+double'"),
        ("_play_read", "bet + 'x'"),
        ("_play_read", "int(bet[:-1])"),
        ("_play_read", "play[0]"),
        ("_play_read", "seat.plays[-1][0]"),
        ("_play_read", "{'low+double': 1}"),
    ],
)
def test_each_way_to_know_better_is_found(finds: str, code: str) -> None:
    assert any(globals()[finds](node) for node in ast.walk(ast.parse(code)))


@pytest.mark.parametrize(
    ("finds", "code"),
    [
        ("_named", "x = 'catfish-bend/matchem-hi-lo'"),
        ("_compared", "a.family == b.family"),
        ("_play_read", "play == best"),
        ("_play_read", "'table' in document"),
        ("_play_read", "f'{number:02x}'"),
        ("_play_read", "f'{one}x the ante'"),
        ("_play_read", "plays[0]"),
        ("_play_read", "path[:-1]"),
        ("_play_read", "seat.plays[-1]"),
        ("_play_read", "{'fold': '-2'}"),
    ],
)
def test_what_is_no_such_thing_is_left_alone(finds: str, code: str) -> None:
    assert not any(globals()[finds](node) for node in ast.walk(ast.parse(code)))


def found_in(modules: list[Path], finds: Finds) -> list[str]:
    return [
        f"{name}:{getattr(node, 'lineno', '')}: {found}"
        for name, node in _nodes(modules)
        if (found := finds(node)) and found not in NOT_PLAYS
    ]


def _nodes(modules: list[Path]) -> Iterator[tuple[str, ast.AST]]:
    for module in modules:
        name = module.relative_to(PACKAGE).as_posix()
        yield from ((name, node) for node in _parsed(module))


@cache
def _parsed(module: Path) -> tuple[ast.AST, ...]:
    return tuple(ast.walk(ast.parse(module.read_text())))


@cache
def family_types() -> frozenset[str]:
    """Every family's sheet and game, by the class that each is made from."""
    trees = (ast.parse(one.read_text()) for one in FAMILIES.rglob("*.py"))
    classes = (node for tree in trees for node in ast.walk(tree) if isinstance(node, ast.ClassDef))
    bases = {"Sheet", "Game"}
    return frozenset(
        one.name
        for one in classes
        if bases & {base.id for base in one.bases if isinstance(base, ast.Name)}
    )


@cache
def play_texts() -> frozenset[str]:
    """Every play of every bundled game."""
    sheets = (one.sheet for one in Library().entries() if one.sheet)
    stages = (stage for sheet in sheets for stage in bind(sheet).stages)
    return frozenset(str(play) for stage in stages for play in stage.plays)


def _type_named(node: ast.AST) -> str | None:
    match node:
        case ast.Name(id=name) | ast.Attribute(attr=name) | ast.alias(name=name):
            return name if name in family_types() else None
        case ast.Constant(value=str(text)):
            return text if text in family_types() else None
    return None


def _imported(node: ast.AST) -> str | None:
    match node:
        case ast.Import(names=names):
            found = [one.name for one in names]
        case ast.ImportFrom(module=str(module), names=names):
            found = [module, *(f"{module}.{one.name}" for one in names)]
        case ast.Constant(value=str(text)):
            found = [text]
        case _:
            return None
    return next((one for one in found if one == BUNDLED or one.startswith(f"{BUNDLED}.")), None)


def _named(node: ast.AST) -> str | None:
    match node:
        case ast.Constant(value=str(text)) if found := NAMED.search(text):
            return found[0]
    return None


def _compared(node: ast.AST) -> str | None:
    match node:
        case ast.Call(func=ast.Attribute(value=asked, attr=how)) if how in CUTS:
            return ast.unparse(node) if _is_family(asked) else None
        case ast.Call(func=ast.Name(id="hasattr" | "getattr"), args=[asked, ast.Constant(), *_]):
            return ast.unparse(node) if _is_sheet(asked) else None
    if not isinstance(node, ast.Compare):
        return None
    sides = [node.left, *node.comparators]
    asks = any(_is_family(one) for one in sides)
    return ast.unparse(node) if asks and any(_texts(one) for one in sides) else None


def _is_family(node: ast.AST) -> bool:
    match node:
        case ast.Name(id="family") | ast.Attribute(attr="family"):
            return True
        case ast.Subscript(slice=ast.Constant(value="family")):
            return True
    return False


def _is_sheet(node: ast.AST) -> bool:
    match node:
        case ast.Name(id=name) | ast.Attribute(attr=name):
            return name in ("sheet", "game")
    return False


def _play_read(node: ast.AST) -> str | None:
    """A play compared with its text, cut out of it, or put together."""
    match node:
        case ast.Compare(left=left, comparators=others):
            texts = [text for one in (left, *others) for text in _texts(one)]
            found = any(_is_text(one) for one in texts)
        case ast.Call(func=ast.Attribute(attr=cut, value=one)) if cut in CUTS and _is_play(one):
            found = True
        case ast.Call(func=ast.Attribute(attr=cut), args=[ast.Constant(value=str(text)), *_]):
            found = cut in CUTS and (text in ("x", "+") or text.startswith("+") or _is_text(text))
        case ast.Call(func=ast.Name(id="int"), args=[ast.Subscript(slice=ast.Slice(), value=one)]):
            found = _is_play(one)
        case ast.Subscript(
            value=one, slice=ast.Slice() | ast.Constant(value=int()) | ast.UnaryOp()
        ):
            found = _is_play(one)
        case ast.JoinedStr(values=[ast.FormattedValue(), ast.Constant(value=str(text))]):
            found = text == "x" or bool(re.fullmatch(r"\+[a-z-]*", text))
        case ast.BinOp(op=ast.Add(), right=ast.Constant(value=str(text))):
            found = text == "x" or bool(re.fullmatch(r"\+[a-z-]*", text))
        case ast.Dict(keys=keys):
            texts = [text for key in keys if key for text in _texts(key)]
            found = any("+" in text and _is_text(text) for text in texts)
        case _:
            return None
    return ast.unparse(node) if found else None


def _is_text(text: str) -> bool:
    return text in play_texts() or bool(BET.fullmatch(text))


def _is_play(node: ast.AST) -> bool:
    """By its name, or one of the plays in their order."""
    match node:
        case ast.Name(id=name) | ast.Attribute(attr=name):
            return name in ("play", "bet", "declared")
        case ast.Subscript(value=ast.Name(id="plays") | ast.Attribute(attr="plays"), slice=place):
            return isinstance(place, ast.UnaryOp | ast.Constant)
    return False


def _texts(node: ast.AST) -> list[str]:
    match node:
        case ast.Constant(value=str(text)):
            return [text]
        case ast.Tuple(elts=parts) | ast.List(elts=parts) | ast.Set(elts=parts):
            return [text for one in parts for text in _texts(one)]
    return []
