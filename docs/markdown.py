"""Pieces of Markdown."""

from __future__ import annotations

import re


def row(*cells: object) -> str:
    """A row of a table."""
    return "| " + " | ".join(str(cell).replace("|", "\\|") for cell in cells) + " |"


def rule(columns: int) -> str:
    """The rule under a table's head."""
    return row(*["---"] * columns)


def link(text: str, file: str) -> str:
    """A link from docs/ to a file of the project."""
    return f"[`{text}`](../{file})"


def listed(words: list[str]) -> str:
    """Words as a sentence lists them."""
    return " or ".join(filter(None, [", ".join(words[:-1]), words[-1]]))


def anchor(heading: str) -> str:
    """The anchor that Markdown readers give a heading."""
    kept = re.sub(r"[^\w\- ]", "", heading.lower())
    return kept.replace(" ", "-")
