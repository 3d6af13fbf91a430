"""Checklists of states: what each item asks for, where it stands, and what is missing."""

from __future__ import annotations

import re

import pytest
from tests.lanes import spread
from tests.papers.read_back import BUILT, SHEETS, keyed, sheet_of, text

from pitbook.papers.checklists import checklist, checklists
from pitbook.papers.content import numbered, plain
from pitbook.papers.packet import PAPERS
from pitbook.papers.rules import rules
from pitbook.papers.typeset import pdf
from pitbook.sheets.digest import approval_digest
from pitbook.sheets.edit import change_sheet
from pitbook.sheets.model import Sheet

NAME = "catfish-bend/mississippi-stud"
STATES = (
    *("Iowa", "New Hampshire", "Nevada", "Massachusetts"),
    *("Maryland", "Pennsylvania", "Ohio", "Indiana"),
)


# One section of a statute or regulation, with its paragraph where it has one.
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


def test_an_item_whose_legal_text_was_not_found_points_nowhere_and_says_so() -> None:
    unchecked = [item for _, items in checklists().values() for item in items if item.unchecked]
    assert unchecked
    assert not any(item.at or item.field or item.limit for item in unchecked)
    papers = {name: make(sheet_of(NAME)) for name, make in PAPERS.items()}
    listed = keyed(checklist(sheet_of(NAME), "nevada", papers))
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
        papers = {one: make(filed) for one, make in PAPERS.items()}
        for slug in checklists():
            rows = keyed(checklist(filed, slug, papers))["checklist"]["rows"]
            told = {(slug, asked) for _, asked, _, where in rows if not _nowhere(where)}
            somewhere |= told
    items = [(slug, item) for slug, (_, some) in checklists().items() for item in some]
    assert all(item.asks for _, item in items)
    assert {(slug, item.asks) for slug, item in items if item.at} == somewhere


def with_approval(sheet: Sheet) -> Sheet:
    """The sheet with its recorded approval, if any, extended to these rules."""
    if sheet.house.approval is None:
        return sheet
    approval = sheet.house.approval.model_copy(update={"rules_hash": approval_digest(sheet)})
    return sheet.model_copy(update={"house": sheet.house.model_copy(update={"approval": approval})})


def _nowhere(told: str) -> bool:
    return told.startswith(("missing: ", "not asked: ", "not checked: "))


FILED = {
    "filing": {"sponsor": "River House", "rights": "A trademark of its owner."},
    "procedures": {
        name: {"steps": ["First this.", "Then that."], "clause": "House 1"}
        for name in ("inspection", "shuffle", "cut", "burn", "signals", "discard")
    },
}


@pytest.mark.long
def test_a_checklist_says_what_is_missing_until_the_sheet_says_it() -> None:
    for values, missing in (({}, "4, 6, 8, 10, 11 and 12"), (FILED, "10, 11 and 12")):
        sheet = change_sheet(sheet_of(NAME), values)
        papers = {name: make(sheet) for name, make in PAPERS.items()}
        read = text(pdf(checklist(sheet, "ohio", papers), built=BUILT))
        assert f"Missing: numbers {missing}." in read
        assert "Not checked, because the text of the law was not found: number 14." in read
    whole = with_approval(change_sheet(sheet_of(NAME), FILED))
    papers = {name: make(whole) for name, make in PAPERS.items()}
    read = text(pdf(checklist(whole, "iowa", papers), built=BUILT))
    assert "Nothing that is asked for is missing." in read


def test_a_sheet_without_a_rule_on_cheating_or_failing_equipment_is_told_so() -> None:
    ohio, massachusetts = (answers(sheet_of(NAME), one) for one in ("ohio", "massachusetts"))
    failing = "missing: the sheet has no procedure for equipment that fails"
    assert ohio["Suspected cheating, with notice to the gaming agent."] == (
        "missing: the sheet has no procedure for suspected cheating"
    )
    assert massachusetts["How every malfunction of equipment is put right."] == failing
    assert failing in ohio.values()


def answers(sheet: Sheet, state: str) -> dict[str, str]:
    """What a checklist answers to each item."""
    papers = {name: PAPERS[name](sheet) for name in ("rules", "sign", "layout")}
    rows = keyed(checklist(sheet, state, papers))["checklist"]["rows"]
    return {asks: told for _, asks, _, told in rows}


POSTED = "Such a limit is posted."


def test_rules_on_a_round_limit_ask_nothing_of_a_game_without_one() -> None:
    hand = answers(sheet_of("oceanfront/mississippi-stud"), "iowa")
    assert hand[POSTED].startswith("not asked: ")
    without = answers(sheet_of("classic/casino-war"), "iowa")
    assert [one for one in without.values() if one.startswith("not asked: ")] == [
        "not asked: the game has no limit on a round"
    ] * 3
    first = {"per": "hand", "pays_max": "500000", "clause": "House 1", "posted": False}
    both = {**first, "per": "round", "counts": {"odds_at_least": "100:1"}, "posted": True}
    told = answers(change_sheet(sheet_of(NAME), {"limits": [first, both]}), "iowa")
    assert told[POSTED] == 'Rules of the game, 13.1; Table limits, "What is paid at most"'


@pytest.mark.long
def test_a_limit_that_breaks_the_states_rule_is_said_to() -> None:
    sheet = sheet_of("catfish-bend/matchem-hi-lo")
    first = next(iter(answers(sheet, "iowa").values()))
    assert "not as asked: The document caps four matches" in first
    papers = {"rules": rules(sheet)}
    told = keyed(checklist(sheet, "iowa", papers))
    assert told["otherwise"]["text"] == "Not as asked: number 1."


def test_what_a_sheet_lacks_is_named_in_words_and_not_by_its_field() -> None:
    bare = sheet_of("catfish-bend/matchem-hi-lo")
    assert "missing: no approval of these rules is on record" in answers(bare, "iowa").values()
    for language, other in (("en", "does not say it"), ("es", "no lo dice")):
        for slug in checklists():
            told = str(plain(checklist(bare, slug, {}), language))
            assert [
                one.field for one in checklists()[slug][1] if one.field and one.field in told
            ] == []
            assert other not in told


@pytest.mark.parametrize("name", spread(SHEETS, 1))
def test_no_line_names_one_place_twice(name: str) -> None:
    for slug in checklists():
        for told in answers(sheet_of(name), slug).values():
            places = told.split("; ")
            assert len(places) == len(set(places)), (slug, told)


def test_oms_12_spending_limits_of_a_tournament_are_found_in_the_notices() -> None:
    sheet = sheet_of("oceanfront/mississippi-stud")
    number = {one.block.key: one.number for one in numbered(rules(sheet))}
    told = answers(sheet, "new-hampshire")
    posted = f"Rules of the game, {number['notices[2]']}"
    assert told["A player spends at most $150 on such a game, add-ons included."] == posted
    assert told["One such game of each licensed event may allow up to $250."] == posted
