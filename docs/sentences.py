"""Every sentence that the product can say, with its place: `python docs/sentences.py [PART]`.

English is read by people: this lists what there is to read. A blank to fill is shown as {name}.
"""

from __future__ import annotations

import ast
import re
import sys
from collections.abc import Iterator
from pathlib import Path

from pitbook.text.catalogue import ENGLISH, catalogue

ROOT = Path(__file__).resolve().parents[1]
TAGS = re.compile(r"<(script|style)[^>]*>.*?</\1>|<!--.*?-->", re.DOTALL)
MARKUP = re.compile(r"<[^>]*>")
QUOTED = re.compile(r"""(["'`])((?:\\.|(?!\1).)*)\1""", re.DOTALL)
KEY = re.compile(r"([a-z0-9-]+) = ")
WORDS = re.compile(r"[A-Za-z]{2,}.* .*[A-Za-z]{2,}")


def sentences() -> Iterator[tuple[str, int, str]]:
    """File, line and text of all that reads like words, by file."""
    for path in sorted((ROOT / "src" / "pitbook").rglob("*.py")):
        yield from ((str(path.relative_to(ROOT)), *one) for one in _of_python(path.read_text()))
    for path in sorted((ROOT / "src/pitbook/text/catalogues/en").glob("*.toml")):
        yield from _of_catalogue(path)
    for path in sorted((ROOT / "frontend" / "src").rglob("*")):
        if path.suffix in {".svelte", ".ts"} and not path.name.endswith((".test.ts", ".d.ts")):
            text = path.read_text(encoding="utf-8")
            yield from ((str(path.relative_to(ROOT)), *one) for one in _of_page(text))


def _of_catalogue(path: Path) -> Iterator[tuple[str, int, str]]:
    """Every text of a catalogue, at the line that its key stands in."""
    table, lines = "", path.read_text(encoding="utf-8").splitlines()
    places: dict[str, int] = {}
    for number, line in enumerate(lines, start=1):
        if line.startswith("["):
            table = line.strip("[]")
        elif found := KEY.match(line):
            places[f"{table}.{found[1]}"] = number
    for key, text in catalogue(ENGLISH).area(path.stem).items():
        if WORDS.search(text):
            yield str(path.relative_to(ROOT)), places[key], text


def _of_python(source: str) -> Iterator[tuple[int, str]]:
    nodes = list(ast.walk(ast.parse(source)))
    inner = {id(part) for node in nodes if isinstance(node, ast.JoinedStr) for part in node.values}
    notes = {id(node.value) for node in nodes if isinstance(node, ast.Expr)}  # Docstrings.
    for node in nodes:
        if id(node) not in inner | notes and (text := _text(node)) and WORDS.search(text):
            yield node.lineno, " ".join(text.split())  # type: ignore[attr-defined]


def _text(node: ast.AST) -> str | None:
    if isinstance(node, ast.JoinedStr):
        return "".join(_part(one) for one in node.values)
    constant = isinstance(node, ast.Constant) and isinstance(node.value, str)
    return node.value if constant else None  # type: ignore[attr-defined]


def _part(node: ast.expr) -> str:
    if isinstance(node, ast.Constant):
        return str(node.value)
    return "{" + ast.unparse(node.value if isinstance(node, ast.FormattedValue) else node) + "}"


def _of_page(text: str) -> Iterator[tuple[int, str]]:
    for match in QUOTED.finditer(text):
        if WORDS.search(match[2]) and "\n" not in match[2]:
            yield text.count("\n", 0, match.start()) + 1, " ".join(match[2].split())
    bare = TAGS.sub(lambda found: "\n" * found[0].count("\n"), text)
    at = 1
    for piece in MARKUP.split(bare):
        if WORDS.search(piece):
            yield at, " ".join(piece.split())
        at += piece.count("\n")


if __name__ == "__main__":
    wanted = sys.argv[1] if len(sys.argv) > 1 else ""
    for file, line, text in sentences():
        if wanted in file:
            print(f"{file}:{line}: {text}")
