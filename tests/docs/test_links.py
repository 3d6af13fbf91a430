"""Links in documents have targets, and the named packages exist."""

from __future__ import annotations

import re
import tomllib
from functools import cache
from pathlib import Path
from typing import Any

import pytest

ROOT = Path(__file__).parents[2]
DOCUMENTS = [*sorted(ROOT.glob("*.md")), *sorted((ROOT / "docs").glob("*.md"))]
LINK = re.compile(r"(?<!!)\[[^\]\n]+\]\(([^)\s]+)\)")
ARCHITECTURE = (ROOT / "ARCHITECTURE.md").read_text(encoding="utf-8")


def name_of(path: Path) -> str:
    return path.relative_to(ROOT).as_posix()


@pytest.mark.parametrize("document", DOCUMENTS, ids=name_of)
def test_links_have_targets(document: Path) -> None:
    links = [link for link in LINK.findall(prose_of(document)) if "://" not in link]
    assert [link for link in links if not has_target(document, link)] == []


def test_architecture_explains_every_dependency() -> None:
    project = pyproject()["project"]
    declared = project["dependencies"] + pyproject()["dependency-groups"]["dev"]
    for extra in project["optional-dependencies"].values():
        declared += [requirement for requirement in extra if not requirement.startswith("pitbook[")]
    names = {re.split(r"[\[<>=~! ;]", line)[0] for line in declared}
    section = ARCHITECTURE.partition("## Dependencies")[2]
    assert set(re.findall(r"^\| ([a-z0-9-]+) \| (?!why)", section, re.MULTILINE)) == names | {"uv"}


def test_glossary_explains_each_word_once() -> None:
    text = (ROOT / "GLOSSARY.md").read_text(encoding="utf-8")
    rows = re.findall(r"^\| ([^|]+) \| [^|]* \| [^|]+ \|$", text, re.MULTILINE)
    words = [word for row in rows for word in row.split(", ") if row != "word"]
    assert words
    assert sorted(words) == sorted(set(words))


def has_target(document: Path, link: str) -> bool:
    file, _, anchor = link.partition("#")
    target = document.parent / file if file else document
    if not target.exists():
        return False
    return not anchor or anchor in anchors_of(target)


@cache
def anchors_of(document: Path) -> set[str]:
    text = prose_of(document)
    headings = re.findall(r"^#+ (.+)$", text, re.MULTILINE)
    slugs = {re.sub(r"[^\w\- ]", "", heading.lower()).replace(" ", "-") for heading in headings}
    return slugs | set(re.findall(r'<a id="([^"]+)">', text))


@cache
def prose_of(document: Path) -> str:
    """The text without its code blocks."""
    return re.sub(r"^```.*?^```", "", document.read_text(encoding="utf-8"), flags=re.M | re.S)


def pyproject() -> dict[str, Any]:
    return tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
