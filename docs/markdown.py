"""Helpers that write Markdown."""

from __future__ import annotations

import re


def row(*cells: object) -> str:
    """A row of a table."""
    return "| " + " | ".join(str(cell).replace("|", "\\|") for cell in cells) + " |"


def rule(columns: int) -> str:
    """The rule under a table's header."""
    return row(*["---"] * columns)


def link(text: str, file: str) -> str:
    """A link from docs/ to a file of the project."""
    return f"[`{text}`](../{file})"


def join_alternatives(words: list[str]) -> str:
    """Join words with commas and "or"."""
    return " or ".join(filter(None, [", ".join(words[:-1]), words[-1]]))


def anchor(heading: str) -> str:
    """The anchor that Markdown readers give a heading."""
    plain = re.sub(r"[^\w\- ]", "", heading.lower())
    return plain.replace(" ", "-")
