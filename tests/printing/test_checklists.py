"""State checklists: what each item asks for, where it is covered, and what is missing."""

from __future__ import annotations

import re

import pytest
from tests.lanes import spread
from tests.printing.pdf_reader import BUILT, SHEETS, blocks_by_key, sheet_of, text

from pitbook.printing.checklists import checklist, checklists
from pitbook.printing.content import numbered_blocks, plain
from pitbook.printing.packet import PAPERS
from pitbook.printing.rules import rules
from pitbook.printing.typeset import pdf
from pitbook.sheets.edit import change_sheet
from pitbook.sheets.hashes import approval_digest
from pitbook.sheets.model import Procedures, Sheet

NAME = "catfish-bend/mississippi-stud"
STATES = (
    *("Iowa", "New Hampshire", "Nevada", "Massachusetts"),
    *("Maryland", "Pennsylvania", "Ohio", "Indiana"),
)


# One section of a statute or regulation, with its paragraph if it has one.
SECTION = re.compile(
    r"491 IAC 11\.\d+|Lot 720\d\.\d\d|RSA 287-D:\d+|Nevada Gaming Commission Regulation 14\.\d+"
    r"|205 CMR 147\.\d\d|COMAR 36\.05\.03\.\d\d|58 Pa\. Code 601a\.\d+|3772-11-\d\d|68 IAC 10-\d"
)
LEGAL_SITES = {
    *("bills.nhliberty.org", "casetext.com", "codes.ohio.gov", "dsd.state.md.us", "gaming.nv.gov"),
    *("gencourt.state.nh.us", "in.gov", "law.cornell.edu", "pacode.com", "pacodeandbulletin.gov"),
    "regulations.justia.com",
}
READ = re.compile(r"\((current through|effective through|read|text effective) \w+ \d+, \d{4}\)$")


def test_every_item_cites_a_section_of_law_and_the_text_that_was_read() -> None:
    for slug, (_, items) in checklists().items():
        for item in items:
            assert SECTION.match(item.rule), (slug, item.rule)
            assert item.source.partition(",")[0] in LEGAL_SITES, (slug, item.source)
            read = READ.search(item.source) or "not read)" in item.source
            assert bool(read) != item.unchecked, (slug, item.source)
            assert not re.search(r"vegas-aces|lrrc|Oceanfront|Catfish|OMS-|CMS-", item.source)


def test_item_without_legal_text_is_reported_as_unchecked() -> None:
    unchecked = [item for _, items in checklists().values() for item in items if item.unchecked]
    assert unchecked
    assert not any(item.at or item.field or item.limit for item in unchecked)
    papers = {name: make(sheet_of(NAME)) for name, make in PAPERS.items()}
    listed = blocks_by_key(checklist(sheet_of(NAME), "nevada", papers))
    assert {row[3] for row in listed["checklist"]["rows"]} == {
        "not checked: the text of the law was not found"
    }
    assert "missing" not in listed
    assert listed["unchecked"]["text"].endswith("numbers 1, 2, 3, 4 and 5.")


def test_every_place_that_an_item_names_exists_in_some_packet() -> None:
    assert tuple(name for name, _ in checklists().values()) == STATES
    somewhere: set[tuple[str, str]] = set()
    for name in ("oceanfront/mississippi-stud", NAME):
        filed = with_approval(change_sheet(sheet_of(name), FILED))
        papers = {paper: make(filed) for paper, make in PAPERS.items()}
        for slug in checklists():
            rows = blocks_by_key(checklist(filed, slug, papers))["checklist"]["rows"]
            located = {
                (slug, requirement) for _, requirement, _, where in rows if not _has_no_place(where)
            }
            somewhere |= located
    items = [
        (slug, item) for slug, (_, state_items) in checklists().items() for item in state_items
    ]
    assert all(item.asks for _, item in items)
    assert {(slug, item.asks) for slug, item in items if item.at} == somewhere


def with_approval(sheet: Sheet) -> Sheet:
    """The sheet with its recorded approval, if any, extended to these rules."""
    if sheet.house.approval is None:
        return sheet
    approval = sheet.house.approval.model_copy(update={"rules_hash": approval_digest(sheet)})
    return sheet.model_copy(update={"house": sheet.house.model_copy(update={"approval": approval})})


def _has_no_place(answer: str) -> bool:
    return answer.startswith(("missing: ", "not applicable: ", "not checked: "))


FILED = {
    "filing": {"sponsor": "River House", "rights": "A trademark of its owner."},
    "procedures": {
        name: {"steps": ["First this.", "Then that."], "clause": "House 1"}
        for name in Procedures.model_fields
    },
}


@pytest.mark.long
def test_checklist_lists_missing_items_until_the_sheet_adds_them() -> None:
    for values, missing in (({}, "4, 6, 8, 10, 11 and 12"), (FILED, "10")):
        sheet = change_sheet(sheet_of(NAME), values)
        papers = {name: make(sheet) for name, make in PAPERS.items()}
        words = text(pdf(checklist(sheet, "ohio", papers), built=BUILT))
        assert f"Missing: number{'s' * (',' in missing)} {missing}." in words
        assert "Not checked, because the text of the law was not found: number 14." in words
    full_sheet = with_approval(change_sheet(sheet_of(NAME), FILED))
    papers = {name: make(full_sheet) for name, make in PAPERS.items()}
    words = text(pdf(checklist(full_sheet, "iowa", papers), built=BUILT))
    assert "Nothing is missing." in words


def test_missing_rules_on_cheating_and_failing_equipment_are_reported() -> None:
    ohio, massachusetts = (
        checklist_answers(sheet_of(NAME), state) for state in ("ohio", "massachusetts")
    )
    failing = "missing: the sheet has no procedure for equipment failure"
    assert ohio["Suspected cheating, with notice to the gaming agent."] == (
        "missing: the sheet has no procedure for suspected cheating"
    )
    assert massachusetts["The remedy for each malfunction of equipment."] == failing
    assert failing in ohio.values()


def checklist_answers(sheet: Sheet, state: str) -> dict[str, str]:
    """A checklist's answer to each item."""
    papers = {name: PAPERS[name](sheet) for name in ("rules", "sign", "layout")}
    rows = blocks_by_key(checklist(sheet, state, papers))["checklist"]["rows"]
    return {asks: answer for _, asks, _, answer in rows}


POSTED = "The aggregate payout limit is posted."


def test_round_limit_items_do_not_apply_to_a_game_without_one() -> None:
    hand = checklist_answers(sheet_of("oceanfront/mississippi-stud"), "iowa")
    assert hand[POSTED].startswith("not applicable: ")
    without = checklist_answers(sheet_of("classic/casino-war"), "iowa")
    assert [answer for answer in without.values() if answer.startswith("not applicable: ")] == [
        "not applicable: the game has no payout limit per round"
    ] * 3
    first = {"per": "hand", "pays_max": "500000", "clause": "House 1", "posted": False}
    both = {**first, "per": "round", "counts": {"odds_at_least": "100:1"}, "posted": True}
    limit_answers = checklist_answers(
        change_sheet(sheet_of(NAME), {"limits": [first, both]}), "iowa"
    )
    assert limit_answers[POSTED] == 'Rules of the game, 13.1; Table limits, "Maximum payouts"'


@pytest.mark.long
def test_limit_that_breaks_a_state_rule_is_reported() -> None:
    sheet = sheet_of("catfish-bend/matchem-hi-lo")
    first = next(iter(checklist_answers(sheet, "iowa").values()))
    assert "not met: The document caps four matches" in first
    papers = {"rules": rules(sheet)}
    blocks = blocks_by_key(checklist(sheet, "iowa", papers))
    assert blocks["otherwise"]["text"] == "Not met: number 1."


def test_missing_fields_are_named_in_words() -> None:
    bare = sheet_of("catfish-bend/matchem-hi-lo")
    assert (
        "missing: no approval of these rules is on record"
        in checklist_answers(bare, "iowa").values()
    )
    for language, phrase in (("en", "does not say it"), ("es", "no lo dice")):
        for slug in checklists():
            content = str(plain(checklist(bare, slug, {}), language))
            assert [
                item.field for item in checklists()[slug][1] if item.field and item.field in content
            ] == []
            assert phrase not in content


@pytest.mark.parametrize("name", spread(SHEETS, 1))
def test_no_answer_names_a_place_twice(name: str) -> None:
    for slug in checklists():
        for answer in checklist_answers(sheet_of(name), slug).values():
            places = answer.split("; ")
            assert len(places) == len(set(places)), (slug, answer)


def test_oms_12_spending_limits_of_a_tournament_are_found_in_the_notices() -> None:
    sheet = sheet_of("oceanfront/mississippi-stud")
    number = {entry.block.key: entry.number for entry in numbered_blocks(rules(sheet))}
    state_answers = checklist_answers(sheet, "new-hampshire")
    posted = f"Rules of the game, {number['notices[2]']}"
    assert (
        state_answers["A player spends no more than $150 on such a game, including add-ons."]
        == posted
    )
    assert state_answers["One such game per licensed event may allow up to $250."] == posted
