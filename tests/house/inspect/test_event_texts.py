"""Significant events have words in every language of the page: what happened, and each field."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from pitbook.house.cage.slips import SLIPS
from pitbook.house.inspect.significant_events import MISHAPS, SECRET
from pitbook.house.people.register import FACTS as PEOPLE
from pitbook.house.people.roster import FACTS as PERSONS
from pitbook.house.pit.disabled import FACTS as PIT
from pitbook.rules.stored import KINDS
from pitbook.text.templates import Variants, parsed

WORDS = Path(__file__).parents[3] / "frontend" / "src" / "words"
LANGUAGES = sorted(one.name for one in WORDS.iterdir() if one.is_dir() and one.name != "en")
ELSEWHERE = {
    name: kind for one in (PERSONS, SLIPS, PIT, PEOPLE) for name, kind in one.kinds.items()
}
ACTIONS = {do: kind for do, kind in KINDS.items() if kind in MISHAPS}
NO_EVENT = {"named", "taken-up"}
UNTOLD = {*SECRET, "was", "why", "before", "do", "breach"}  # Told in another way, or to nobody.


def cases(language: str, key: str) -> set[str]:
    """What a text of the page chooses by."""
    texts: dict[str, str] = json.loads((WORDS / language / "pit.json").read_text("utf-8"))
    chosen = [part for part in parsed(texts[key]) if isinstance(part, Variants)]
    return {name for part in chosen for name in part.cases}


@pytest.mark.parametrize("language", LANGUAGES)
def test_each_kind_of_event_has_words(language: str) -> None:
    kinds = {*ELSEWHERE, *ACTIONS, "taken-over"} - NO_EVENT
    assert kinds - cases(language, "events.what") == set()


@pytest.mark.parametrize("language", LANGUAGES)
def test_each_field_of_an_event_has_words(language: str) -> None:
    known: list[Any] = [*ELSEWHERE.values(), *ACTIONS.values()]
    fields = {name for kind in known for name in kind._fields} - UNTOLD
    assert fields - cases(language, "events.field") == set()
