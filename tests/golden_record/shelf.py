"""The sheets that the record is about: bundled, unusual, and drawn at random once and for all."""

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
def ids() -> tuple[str, ...]:
    """Every sheet of the record, bundled ones first."""
    later = {one.id for one in pitbook.list_sheets()}  # Bundled since the record was made.
    own = pitbook.list_sheets(*FOLDERS).ids
    return (*BUNDLED, *sorted(one for one in own if one not in later))


def hashes() -> dict[str, str]:
    """Every sheet's hash."""
    return {one.id: one.hash for one in pitbook.list_sheets(*FOLDERS) if one.id in ids()}


def luck(*name: Any) -> Random:
    """Chance that is the same in every run and on every machine."""
    return Random("/".join(str(one) for one in name))


def main_of(sheet: str) -> dict[str, Any]:
    """The stake of the main wager."""
    body = body_of(sheet)
    stake: dict[str, Any] = body.get("ante") or body["bet"]
    return stake


def sides_of(sheet: str) -> dict[str, Any]:
    """The side wagers of a sheet."""
    sides: dict[str, Any] = body_of(sheet)["side"]
    return sides


def own_cards(sheet: str) -> int:
    """How many cards a seat gets."""
    deal = body_of(sheet)["deal"]
    return int(deal["player"] if "player" in deal else deal["hole"]["is"])


def plays_of(sheet: str) -> list[list[str]]:
    """What may be played on each street, as the sheet says it."""
    body = body_of(sheet)
    if "streets" not in body:
        double = ["low+double", "high+double"] if body.get("double") else []
        return [["low", "high", *double]]
    return [
        [*(["fold"] if one["fold"] else []), *(f"{bet}x" for bet in one["bets"])]
        for one in body["streets"]
    ]


def turns_nothing(sheet: str) -> bool:
    """Whether a street of the sheet turns no card."""
    streets = body_of(sheet).get("streets", [])
    return any(one["reveals"]["is"] == 0 for one in streets)
