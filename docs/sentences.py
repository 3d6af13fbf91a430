"""Every sentence that the product can say, with its place: `python docs/sentences.py [PART]`.

For proofreading the English. Placeholders are shown as {name}.
"""

from __future__ import annotations

import ast
import re
import sys
from collections.abc import Iterator
from pathlib import Path

from pitbook.text.catalog import ENGLISH, load_catalog

ROOT = Path(__file__).resolve().parents[1]
TAGS = re.compile(r"<(script|style)[^>]*>.*?</\1>|<!--.*?-->", re.DOTALL)
MARKUP = re.compile(r"<[^>]*>")
QUOTED = re.compile(r"""(["'`])((?:\\.|(?!\1).)*)\1""", re.DOTALL)
KEY = re.compile(r"([a-z0-9-]+) = ")
WORDS = re.compile(r"[A-Za-z]{2,}.* .*[A-Za-z]{2,}")


def sentences() -> Iterator[tuple[str, int, str]]:
    """File, line and text of everything that reads like a sentence."""
    for path in sorted((ROOT / "src" / "pitbook").rglob("*.py")):
        yield from (
            (str(path.relative_to(ROOT)), *sentence)
            for sentence in _python_sentences(path.read_text())
        )
    for path in sorted((ROOT / "src/pitbook/text/catalogs/en").glob("*.toml")):
        yield from _catalog_sentences(path)
    for path in sorted((ROOT / "frontend" / "src").rglob("*")):
        if path.suffix in {".svelte", ".ts"} and not path.name.endswith((".test.ts", ".d.ts")):
            text = path.read_text(encoding="utf-8")
            yield from (
                (str(path.relative_to(ROOT)), *sentence) for sentence in _page_sentences(text)
            )


def _catalog_sentences(path: Path) -> Iterator[tuple[str, int, str]]:
    """Every text of a catalog, with the line of its key."""
    table, lines = "", path.read_text(encoding="utf-8").splitlines()
    places: dict[str, int] = {}
    for number, line in enumerate(lines, start=1):
        if line.startswith("["):
            table = line.strip("[]")
        elif match := KEY.match(line):
            places[f"{table}.{match[1]}"] = number
    for key, text in load_catalog(ENGLISH).area(path.stem).items():
        if WORDS.search(text):
            yield str(path.relative_to(ROOT)), places[key], text


def _python_sentences(source: str) -> Iterator[tuple[int, str]]:
    nodes = list(ast.walk(ast.parse(source)))
    inner = {id(part) for node in nodes if isinstance(node, ast.JoinedStr) for part in node.values}
    docstrings = {id(node.value) for node in nodes if isinstance(node, ast.Expr)}  # Docstrings.
    for node in nodes:
        if (
            id(node) not in inner | docstrings
            and (text := _string_text(node))
            and WORDS.search(text)
        ):
            yield node.lineno, " ".join(text.split())  # type: ignore[attr-defined]


def _string_text(node: ast.AST) -> str | None:
    if isinstance(node, ast.JoinedStr):
        return "".join(_part_text(part) for part in node.values)
    constant = isinstance(node, ast.Constant) and isinstance(node.value, str)
    return node.value if constant else None  # type: ignore[attr-defined]


def _part_text(node: ast.expr) -> str:
    if isinstance(node, ast.Constant):
        return str(node.value)
    return "{" + ast.unparse(node.value if isinstance(node, ast.FormattedValue) else node) + "}"


def _page_sentences(text: str) -> Iterator[tuple[int, str]]:
    for match in QUOTED.finditer(text):
        if WORDS.search(match[2]) and "\n" not in match[2]:
            yield text.count("\n", 0, match.start()) + 1, " ".join(match[2].split())
    plain = TAGS.sub(lambda match: "\n" * match[0].count("\n"), text)
    line = 1
    for piece in MARKUP.split(plain):
        if WORDS.search(piece):
            yield line, " ".join(piece.split())
        line += piece.count("\n")


if __name__ == "__main__":
    part_wanted = sys.argv[1] if len(sys.argv) > 1 else ""
    for file, line, text in sentences():
        if part_wanted in file:
            print(f"{file}:{line}: {text}")
