"""Procedures that commissions expect: the casino's own, or assumed and marked."""

from __future__ import annotations

from typing import Any

import pytest
from tests.printing.pdf_reader import sheet_of

from pitbook.printing.content import Paragraph, numbered_blocks, plain
from pitbook.printing.packet import PAPERS
from pitbook.printing.rules import rules
from pitbook.printing.sign import sign
from pitbook.sheets.edit import change_sheet
from pitbook.sheets.hashes import approval_status, digest
from pitbook.sheets.model import GENERAL_PROCEDURES, Sheet
from pitbook.sheets.provenance import has_assumptions

CMS, OMS = "catfish-bend/mississippi-stud", "oceanfront/mississippi-stud"


def paragraphs(sheet: Sheet) -> dict[str, Paragraph]:
    blocks = [entry.block for entry in numbered_blocks(rules(sheet))]
    return {block.key: block for block in blocks if isinstance(block, Paragraph)}


def text_of(sheet: Sheet, key: str) -> str:
    text: str = plain(paragraphs(sheet)[key], "en")["text"]
    return text


def general_procedure_text(name: str) -> str:
    """The text of a general procedure, checked to be marked and to cite its clause."""
    paragraph = paragraphs(sheet_of(CMS))[f"procedures.{name}[1]"]
    assert paragraph.assumed == "all"
    assert paragraph.clauses == (GENERAL_PROCEDURES[name],)
    return text_of(sheet_of(CMS), f"procedures.{name}[1]")


def test_gen_18_a_late_wager_is_returned() -> None:
    assert "shall have no action. The dealer shall return it" in general_procedure_text("late_bet")
    closed = paragraphs(sheet_of(CMS))["step closed"]
    assert (closed.assumed, closed.clauses) == ("all", ("GEN-18",))


def test_gen_19_a_shuffler_that_fails_during_a_round() -> None:
    assert "completed with the cards already shuffled" in general_procedure_text("malfunction")
    assert "procedures.malfunction[1]" not in paragraphs(sheet_of(OMS))  # It shuffles by hand.


def test_gen_20_a_mispaid_hand_is_corrected() -> None:
    assert "The supervisor shall correct the error and record it" in general_procedure_text(
        "mispaid"
    )


def test_gen_21_suspected_cheating_stops_the_game() -> None:
    assert "The supervisor shall notify surveillance and the commission" in general_procedure_text(
        "cheating"
    )


@pytest.mark.parametrize("name", GENERAL_PROCEDURES)
def test_a_stated_procedure_replaces_the_general_one(name: str) -> None:
    before = sheet_of(CMS)
    steps = {"steps": ["Call the pit.", "Wait there."], "clause": "House 7"}
    after = change_sheet(before, {f"procedures.{name}": steps})
    for number, step in enumerate(steps["steps"], start=1):
        paragraph = paragraphs(after)[f"procedures.{name}[{number}]"]
        assert (paragraph.text, paragraph.assumed, paragraph.clauses) == (
            step,
            "none",
            ("House 7",),
        )
    assert not {GENERAL_PROCEDURES[name]} & {
        clause for paragraph in paragraphs(after).values() for clause in paragraph.clauses
    }
    assert digest(after) == digest(before)
    assert approval_status(after) == "draft"


def test_a_general_procedure_is_an_assumption_of_the_sheet() -> None:
    """Approval of a document does not cover procedures that it does not state."""
    sheet = sheet_of(CMS)
    assert has_assumptions(sheet)


def test_cms_8_and_11_settled_and_folded_cards_are_collected_as_the_document_states() -> None:
    folded = paragraphs(sheet_of(CMS))["procedures.folded[1]"]
    assert (folded.assumed, folded.clauses) == ("none", ("CMS-11",))
    assert "shall remove the player's main wagers before tucking the folded cards" in folded.text
    collect = paragraphs(sheet_of(CMS))["step collect"]
    assert (collect.assumed, collect.clauses) == ("none", ("CMS-8",))
    assert "discard rack" in text_of(sheet_of(CMS), "step collect")
    assert paragraphs(sheet_of(OMS))["step collect"].assumed == "all"


@pytest.mark.parametrize("name", [CMS, OMS])
def test_procedures_that_the_rules_state_are_not_listed_as_missing(name: str) -> None:
    blocks = [block for section in rules(sheet_of(name)).sections for block in section.blocks]
    [silent] = [
        plain(block, "en")["text"] for block in blocks if getattr(block, "key", "") == SILENT
    ]
    assert "discard" not in silent
    assert "hand signals" in silent


SILENT = "procedures silent"


def test_the_object_of_the_game_comes_first() -> None:
    first = {
        name: rules(sheet_of(name)).sections[0] for name in (CMS, "catfish-bend/matchem-hi-lo")
    }
    assert {section.key for section in first.values()} == {"object"}
    texts = [plain(section.blocks[0], "en")["text"] for section in first.values()]
    assert all(text.startswith("The object of the game is to ") for text in texts)


def test_mhl_11_the_example_of_the_document_is_counted_by_the_program() -> None:
    sheet = sheet_of("catfish-bend/matchem-hi-lo")
    key = "side.matchem-bonus.example"
    assert "2s 3h 4d against the dealer's 2c 2d 3s Jh Kc has three" in text_of(sheet, f"{key} 1")
    assert "4s 4h 9c against the dealer's 4d 6h 7s Js Qh has one" in text_of(sheet, f"{key} 2")


def test_oms_6_every_bet_of_a_winning_hand_is_paid_at_the_same_odds() -> None:
    assert "shall be paid at the same odds" in text_of(sheet_of(OMS), "main.clause")


def test_oms_8_stakes_above_the_maximum_of_a_bet_are_explained() -> None:
    keys = [*paragraphs(sheet_of(OMS))]
    assert keys.index("worked pieces") == keys.index("worked") + 1
    text = text_of(sheet_of(OMS), "worked pieces")
    assert "are $12 each: three bets of $4" in text
    assert "within the maximum of $4" in text
    assert "worked pieces" not in paragraphs(sheet_of(CMS))


def test_assumed_limits_are_marked_on_the_sign() -> None:
    table: Any = sign(sheet_of(CMS)).sections[0].blocks[0]
    cells = [plain(cell, "en") for row in table.rows for cell in row[1:]]
    assert all(cell.endswith("†") for cell in cells)
    table = PAPERS["sign"](sheet_of(OMS)).sections[0].blocks[0]
    assert not any("†" in plain(cell, "en") for row in table.rows for cell in row)
