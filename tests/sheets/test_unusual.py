"""Unusual games without code of their own load and pass the checks."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from tests.sheets.samples import IDS, UNUSUAL, sheet_of, text_of

from pitbook.rules.families.hi_lo.sheet import HiLo
from pitbook.rules.families.street_stud.sheet import StreetStud
from pitbook.sheets.findings import errors
from pitbook.sheets.hashes import digest
from pitbook.sheets.load import examine_file, load
from pitbook.sheets.pay_tables import pays_of, scope_of

FILES = sorted(UNUSUAL.glob("*.toml"))
SOURCE = Path(__file__).parents[2] / "src" / "pitbook"


def stud(name: str) -> StreetStud:
    sheet = load(UNUSUAL / f"{name}.toml")
    assert isinstance(sheet, StreetStud)
    return sheet


def hi_lo(name: str) -> HiLo:
    sheet = load(UNUSUAL / f"{name}.toml")
    assert isinstance(sheet, HiLo)
    return sheet


def test_there_are_three_unusual_sheets() -> None:
    assert [file.stem for file in FILES] == [
        "bets-withdrawn",
        "four-card-hi-lo",
        "three-hole-cards",
    ]


@pytest.mark.parametrize("file", FILES, ids=lambda file: str(file.stem))
def test_the_only_notice_is_the_largest_payout(file: Path) -> None:
    reading = examine_file(file)
    assert reading.sheet is not None
    assert errors(reading.findings) == ()
    assert [finding.code for finding in reading.findings] == ["largest-payout"]
    assert reading.sheet.id == f"unusual/{file.stem}"


@pytest.mark.parametrize("file", FILES, ids=lambda file: str(file.stem))
def test_clauses_of_unusual_sheets(file: Path) -> None:
    own_clauses = set(re.findall(r'clause = "(.*?)"', file.read_text()))
    assert own_clauses == {f"UNU-{number}" for number in range(1, 13)}
    cited = load(file).clause_ids
    assert own_clauses <= set(cited)
    assert {clause for clause in cited if not clause.startswith("UNU-")} <= {
        f"GEN-{number}" for number in range(1, 18)
    }


def test_no_code_names_unusual_sheets() -> None:
    code = "".join(file.read_text() for file in SOURCE.rglob("*.py"))
    assert [name for name in ("unusual", *(file.stem for file in FILES)) if name in code] == []


def test_no_branch_of_the_code_names_a_venue() -> None:
    code = "\n".join(file.read_text() for file in SOURCE.rglob("*.py"))
    branches = re.findall(r"^\s*(?:if|elif|case|match)\b.*$", code, re.MULTILINE)
    assert branches
    assert [
        branch for branch in branches if re.search("catfish|oceanfront|louisiana", branch, re.I)
    ] == []


def test_three_hole_cards_one_street_of_two_cards_and_one_to_four_antes() -> None:
    sheet = stud("three-hole-cards")
    (street,) = sheet.streets
    assert (sheet.deal.hole.value, street.reveals.value, sheet.community) == (3, 2, 2)
    assert (street.bets, street.fold) == ((1, 2, 3, 4), True)
    assert sheet.units_max == 5
    assert sheet.wager_order == ("ante", "play", "trio")
    scope = scope_of(sheet, "trio")
    assert scope is not None
    assert scope.subject() == "three-card hand"


def test_bets_that_may_be_withdrawn() -> None:
    sheet = stud("bets-withdrawn")
    assert [(street.bets, street.fold) for street in sheet.streets] == [((0, 1), False)] * 2
    assert (sheet.fold, sheet.absent.value, sheet.units_max) == (None, "smallest-bet", 3)
    assert sheet.side["three-card-bonus"].after_fold is None


def test_four_cards_against_seven_of_two_decks() -> None:
    sheet = hi_lo("four-card-hi-lo")
    assert (sheet.deck.decks, sheet.deal.player, sheet.deal.dealer) == (2, 4, 7)
    assert (sheet.dealer.low, sheet.dealer.shared, sheet.main.ties.value) == (
        4,
        "highest",
        "dealer",
    )
    assert (sheet.double, sheet.units_max, sheet.wager_order) == (None, 1, ("bet", "match"))
    scope = scope_of(sheet, "match")
    assert scope is not None
    assert [kind.name for kind in scope.kinds] == [f"match-{number}" for number in range(8)]
    assert list(pays_of(sheet, "match")) == [f"match-{number}" for number in (7, 6, 5, 4, 3)]


def test_every_sheet_has_a_hash_of_its_own() -> None:
    hashes = {digest(sheet_of(text_of(source))) for source in IDS} | {
        digest(load(source)) for source in FILES
    }
    assert len(hashes) == 8
