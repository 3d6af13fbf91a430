"""Citations of clauses in bundled sheets, and reasons for our choices."""

from __future__ import annotations

import json
import os
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from tests.sheets.samples import (
    CMS,
    IDS,
    LAS,
    MHL,
    OMS,
    STAX,
    document_of,
    part_of,
    path_of,
    sheet_of,
    text_of,
)

from pitbook.sheets.findings import errors
from pitbook.sheets.load import examine_file

CLAUSES = {"GEN": 21, "CMS": 17, "OMS": 20, "MHL": 16, "LAS": 11}
SPECIFIED_CLAUSES = {
    f"{name}-{number}" for name, count in CLAUSES.items() for number in range(1, count + 1)
}
OWN_PREFIX = {CMS: "CMS", OMS: "OMS", MHL: "MHL", LAS: "LAS", STAX: "LAS"}
OMS_OF_THE_GAME = 9  # OMS-10 to OMS-20 are about event nights.

WHOLE_DOLLARS = "no field of its own: whole dollars are the stakes' step, main first is the game"
NO_MAXIMUM = "no field of its own: bet_max is left out and the multiples are the streets' bets"
WITHOUT_FIELD = {
    CMS: {
        "GEN-11": NO_MAXIMUM,
        "GEN-12": WHOLE_DOLLARS,
        "GEN-13": "the sheet has a misdeal rule of its own, CMS-13",
    },
    OMS: {
        "GEN-11": NO_MAXIMUM,
        "GEN-12": WHOLE_DOLLARS,
        "GEN-15": "the sheet has an interruption rule of its own, OMS-16",
    },
    MHL: {
        "GEN-5": "there is no fold",
        "GEN-12": WHOLE_DOLLARS,
        "GEN-13": "the sheet has a misdeal rule of its own, MHL-14",
        "GEN-14": "there is no fold",
    },
    LAS: {"GEN-11": NO_MAXIMUM, "GEN-12": WHOLE_DOLLARS},
    STAX: {"GEN-11": NO_MAXIMUM, "GEN-12": WHOLE_DOLLARS},
}

STREETS = ("streets.0", "streets.1", "streets.2")
LOUISIANA = {
    "LAS-1": ("deck", "deck.fallback", "deck.fresh", "seats", "seats.per_player"),
    "LAS-3": STREETS,
    "LAS-6": ("side.stax.after_fold", "fold.tucks_under"),
    "LAS-9": ("settlement",),
    "LAS-10": (
        *("ante", "house.chips", "main", "side.three-up", "side.stax"),
        *("side.three-up.stake", "side.stax.stake"),
    ),
    "LAS-11": ("uncapped",),
}
MARKED = {  # Every [gap] and [conflict] of the documents, and the fields that settle it.
    CMS: {
        "CMS-2": ("ante", "side.three-card-bonus.stake", "seats", "house.chips"),
        "CMS-3": ("deck.fallback", "deck.fresh"),
        "CMS-5": STREETS,
        "CMS-8": ("settlement",),
        "CMS-13": ("irregularities.wrong_card_count",),
        "CMS-15": ("irregularities.cards_off_table",),
        "CMS-16": ("irregularities.information.whose",),
        "CMS-17": ("house.approval",),
    },
    OMS: {
        "OMS-1": ("deal.hole",),
        "OMS-2": ("deck.alternate",),
        "OMS-4": STREETS,
        "OMS-7": ("main.prose",),
        "OMS-8": ("single_bet_max",),
        "OMS-9": ("limits.0",),
        "OMS-16": ("irregularities.interruption",),
    },
    MHL: {
        "MHL-2": ("deck.fresh",),
        "MHL-4": (
            *("bet", "side.matchem-bonus.stake", "side.poker-bonus.stake"),
            *("seats", "house.chips"),
        ),
    },
    LAS: LOUISIANA,
    STAX: LOUISIANA,
}
GOLDEN = Path(__file__).parent.parent / "golden" / "notices.json"


def rules(part: Any, path: str = "") -> Iterator[tuple[str, dict[str, Any]]]:
    """Every table that states a rule, with its path."""
    if isinstance(part, dict):
        if isinstance(part.get("clause"), str):
            yield path, part
        for name, inner in part.items():
            yield from rules(inner, f"{path}.{name}")
    elif isinstance(part, list):
        for number, inner in enumerate(part):
            yield from rules(inner, f"{path}.{number}")


def cited_clauses(sheet: str) -> set[str]:
    return {rule["clause"] for _, rule in rules(document_of(sheet))}


@pytest.mark.parametrize("sheet", IDS)
def test_every_cited_clause_exists(sheet: str) -> None:
    named = set(re.findall(r"\b[A-Z]{3}-\d+\b", text_of(sheet)))
    assert named <= SPECIFIED_CLAUSES
    assert {clause[:3] for clause in cited_clauses(sheet)} == {"GEN", OWN_PREFIX[sheet]}


@pytest.mark.parametrize("sheet", IDS)
def test_every_clause_of_the_game_is_cited_or_says_why_not(sheet: str) -> None:
    clause_count = OMS_OF_THE_GAME if sheet == OMS else CLAUSES[OWN_PREFIX[sheet]]
    wanted = {f"GEN-{number}" for number in range(1, 17)} | {
        f"{OWN_PREFIX[sheet]}-{number}" for number in range(1, clause_count + 1)
    }
    assert wanted - cited_clauses(sheet) == set(WITHOUT_FIELD[sheet])


@pytest.mark.parametrize("sheet", IDS)
def test_the_sheet_itself_lists_the_clauses_it_cites(sheet: str) -> None:
    assert set(sheet_of(text_of(sheet)).clause_ids) == cited_clauses(sheet)


@pytest.mark.parametrize("sheet", IDS)
def test_every_gap_and_conflict_has_its_reason_beside_it(sheet: str) -> None:
    for clause, fields in MARKED[sheet].items():
        for field in fields:
            rule = part_of(sheet, field)
            assert len(rule.get("note", "")) > 10, (clause, field)
            assert clause == rule["clause"] or clause in rule["note"], (clause, field)


@pytest.mark.parametrize("sheet", IDS)
def test_every_choice_that_no_document_settles_has_its_reason_beside_it(sheet: str) -> None:
    ours = [(path, rule) for path, rule in rules(document_of(sheet)) if "GEN-" in rule["clause"]]
    assert len(ours) >= 12
    assert [path for path, rule in ours if not rule.get("note")] == []


@pytest.mark.parametrize("sheet", IDS)
def test_bundled_sheets_have_no_errors(sheet: str) -> None:
    reading = examine_file(path_of(sheet))
    assert errors(reading.findings) == ()
    assert reading.sheet is not None
    assert reading.sheet.id == sheet


@pytest.mark.long
def test_notices_of_bundled_sheets_are_as_recorded() -> None:
    """To accept a change, run PITBOOK_GOLDEN=write make test and review the diff."""
    current = {sheet: notices(sheet) for sheet in IDS}
    if os.environ.get("PITBOOK_GOLDEN") == "write":
        GOLDEN.write_text(
            json.dumps(current, indent=1, ensure_ascii=False) + "\n", encoding="utf-8"
        )
    assert current == json.loads(GOLDEN.read_text(encoding="utf-8"))


def notices(sheet: str) -> list[dict[str, Any]]:
    finding_documents = [finding.document() for finding in examine_file(path_of(sheet)).findings]
    return [
        {name: value for name, value in finding_document.items() if name != "file"}
        for finding_document in finding_documents
    ]
