"""The sheets of the record: bundled, unusual, and a fixed set of random ones."""

from __future__ import annotations

from functools import cache
from random import Random
from typing import Any

from tests.golden_record.adapter import FOLDERS, body_of

import pitbook

BUNDLED = (
    "catfish-bend/matchem-hi-lo",
    "catfish-bend/mississippi-stud",
    "louisiana-stud/standard",
    "louisiana-stud/stax-required",
    "oceanfront/mississippi-stud",
)


@cache
def sheet_ids() -> tuple[str, ...]:
    """The ids of all sheets of the record, bundled ones first."""
    # Bundled since the record was made.
    added_later = {entry.id for entry in pitbook.list_sheets()}
    recorded_ids = pitbook.list_sheets(*FOLDERS).ids
    return (*BUNDLED, *sorted(sheet_id for sheet_id in recorded_ids if sheet_id not in added_later))


def hashes() -> dict[str, str]:
    """The hash of every sheet."""
    return {
        entry.id: entry.hash for entry in pitbook.list_sheets(*FOLDERS) if entry.id in sheet_ids()
    }


def seeded_random(*name: Any) -> Random:
    """A random generator that is the same in every run and on every machine."""
    return Random("/".join(str(part) for part in name))


def main_stake(sheet: str) -> dict[str, Any]:
    """The stake rule of the main wager."""
    body = body_of(sheet)
    stake: dict[str, Any] = body.get("ante") or body["bet"]
    return stake


def side_wagers(sheet: str) -> dict[str, Any]:
    """The side wagers of a sheet."""
    sides: dict[str, Any] = body_of(sheet)["side"]
    return sides


def hole_card_count(sheet: str) -> int:
    """The number of cards dealt to a seat."""
    deal = body_of(sheet)["deal"]
    return int(deal["player"] if "player" in deal else deal["hole"]["is"])


def plays_by_street(sheet: str) -> list[list[str]]:
    """The plays of each street, from the sheet's text."""
    body = body_of(sheet)
    if "streets" not in body:
        double = ["low+double", "high+double"] if body.get("double") else []
        return [["low", "high", *double]]
    return [
        [*(["fold"] if street["fold"] else []), *(f"{bet}x" for bet in street["bets"])]
        for street in body["streets"]
    ]


def has_street_without_card(sheet: str) -> bool:
    """Whether a street of the sheet turns no card."""
    streets = body_of(sheet).get("streets", [])
    return any(street["reveals"]["is"] == 0 for street in streets)
