"""Significant events have words for every kind and field in every language of the page."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from pitbook.house.cage.slips import SLIPS
from pitbook.house.inspect.significant_events import MISHAP_ACTIONS, SECRET
from pitbook.house.ledger.fact_codec import record_fields
from pitbook.house.people.account_register import FACTS as PEOPLE
from pitbook.house.people.roster import FACTS as PERSONS
from pitbook.house.pit.disabled import FACTS as PIT
from pitbook.rules.stored_rounds import KINDS
from pitbook.text.catalog import Variants, parse_template

WORDS = Path(__file__).parents[3] / "frontend" / "src" / "words"
LANGUAGES = sorted(
    folder.name for folder in WORDS.iterdir() if folder.is_dir() and folder.name != "en"
)
OTHER_EVENTS = {
    name: kind for codec in (PERSONS, SLIPS, PIT, PEOPLE) for name, kind in codec.kinds.items()
}
ACTIONS: dict[str, Any] = {do: kind for do, kind in KINDS.items() if kind in MISHAP_ACTIONS}
INSIGNIFICANT = {"named", "taken-up"}
# Shown in another way, or not at all.
FIELDS_WITHOUT_WORDS = {*SECRET, "was", "why", "before", "do", "breach"}


def cases(language: str, key: str) -> set[str]:
    """The cases of a text of the page."""
    texts: dict[str, str] = json.loads((WORDS / language / "pit.json").read_text("utf-8"))
    chosen = [part for part in parse_template(texts[key]) if isinstance(part, Variants)]
    return {name for part in chosen for name in part.cases}


@pytest.mark.parametrize("language", LANGUAGES)
def test_each_kind_of_event_has_a_text(language: str) -> None:
    kinds = {*OTHER_EVENTS, *ACTIONS, "taken-over"} - INSIGNIFICANT
    assert kinds - cases(language, "events.what") == set()


@pytest.mark.parametrize("language", LANGUAGES)
def test_each_field_of_an_event_has_a_text(language: str) -> None:
    fields = {name for kind in OTHER_EVENTS.values() for name in record_fields(kind).names}
    fields |= {name for kind in ACTIONS.values() for name in kind._fields}
    assert fields - FIELDS_WITHOUT_WORDS - cases(language, "events.field") == set()
