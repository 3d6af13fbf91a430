"""Checklists of states: what each item asks for, where it stands, and what is missing."""

from __future__ import annotations

import pytest
from tests.lanes import spread
from tests.papers.read_back import SHEETS, keyed, sheet_of, text

from pitbook.papers.checklists import checklist, checklists
from pitbook.papers.content import numbered, plain
from pitbook.papers.packet import PAPERS
from pitbook.papers.rules.paper import rules
from pitbook.papers.typeset import pdf
from pitbook.sheets.changed import changed
from pitbook.sheets.digest import approval_digest
from pitbook.sheets.model import Sheet

NAME = "catfish-bend/mississippi-stud"
STATES = (
    *("Iowa", "New Hampshire", "Nevada", "Massachusetts"),
    *("Maryland", "Pennsylvania", "Ohio", "Indiana"),
)


def test_every_item_of_a_checklist_has_a_source_and_stands_somewhere() -> None:
    assert tuple(name for name, _ in checklists().values()) == STATES
    somewhere: set[tuple[str, str]] = set()
    for name in ("oceanfront/mississippi-stud", NAME):
        filed = with_approval(changed(sheet_of(name), FILED))
        papers = {one: make(filed) for one, make in PAPERS.items()}
        for slug in checklists():
            rows = keyed(checklist(filed, slug, papers))["checklist"]["rows"]
            told = {(slug, asked) for _, asked, _, where in rows if not _nowhere(where)}
            somewhere |= told
    items = [(slug, item) for slug, (_, some) in checklists().items() for item in some]
    assert all(item.source and item.rule and item.asks for _, item in items)
    assert {(slug, item.asks) for slug, item in items if item.at} == somewhere


def with_approval(sheet: Sheet) -> Sheet:
    """The sheet with its recorded approval, if any, extended to these rules."""
    if sheet.house.approval is None:
        return sheet
    approval = sheet.house.approval.model_copy(update={"rules_hash": approval_digest(sheet)})
    return sheet.model_copy(update={"house": sheet.house.model_copy(update={"approval": approval})})


def _nowhere(told: str) -> bool:
    return told.startswith(("missing: ", "not asked: "))


FILED = {
    "filing": {"sponsor": "River House", "rights": "A trademark of its owner."},
    "procedures": {
        name: {"steps": ["First this.", "Then that."], "clause": "House 1"}
        for name in ("inspection", "shuffle", "cut", "burn", "signals", "discard")
    },
}


@pytest.mark.long
def test_a_checklist_says_what_is_missing_until_the_sheet_says_it() -> None:
    for values, missing in (({}, "numbers 4, 6, 8 and 10"), (FILED, "number 10")):
        sheet = changed(sheet_of(NAME), values)
        papers = {name: make(sheet) for name, make in PAPERS.items()}
        read = text(pdf(checklist(sheet, "ohio", papers), day=sheet.effective))
        assert f"Missing: {missing}." in read
    whole = sheet_of(NAME)
    papers = {name: make(whole) for name, make in PAPERS.items()}
    read = text(pdf(checklist(whole, "iowa", papers), day=None))
    assert "Nothing that is asked for is missing." in read


def answers(sheet: Sheet, state: str) -> dict[str, str]:
    """What a checklist says of each item, by number."""
    papers = {name: PAPERS[name](sheet) for name in ("rules", "sign", "layout")}
    rows = keyed(checklist(sheet, state, papers))["checklist"]["rows"]
    return {number: told for number, _, _, told in rows}


def test_a_limit_on_a_round_is_none_on_a_hand_and_none_asks_for_nothing() -> None:
    assert answers(sheet_of(NAME), "new-hampshire")["2"].startswith("not asked: ")
    hand = answers(sheet_of("oceanfront/mississippi-stud"), "new-hampshire")["2"]
    assert hand == 'Rules of the game, 12.1; Table limits, "What is paid at most"'
    without = answers(sheet_of("classic/casino-war"), "iowa")
    assert [one for one in without.values() if one.startswith("not asked: ")] == [
        "not asked: the game has no limit on a round"
    ] * 3
    first = {"per": "hand", "pays_max": "500000", "clause": "House 1", "posted": False}
    both = {**first, "per": "round", "counts": {"odds_at_least": "100:1"}, "posted": True}
    told = answers(changed(sheet_of(NAME), {"limits": [first, both]}), "iowa")
    assert told["3"] == 'Rules of the game, 12.1; Table limits, "What is paid at most"'


@pytest.mark.long
def test_a_limit_that_breaks_the_states_rule_is_said_to() -> None:
    sheet = sheet_of("catfish-bend/matchem-hi-lo")
    assert "not as asked: The document caps four matches" in answers(sheet, "iowa")["1"]
    papers = {"rules": rules(sheet)}
    told = keyed(checklist(sheet, "iowa", papers))
    assert told["otherwise"]["text"] == "Not as asked: number 1."


def test_what_a_sheet_lacks_is_named_in_words_and_not_by_its_field() -> None:
    bare = sheet_of("catfish-bend/matchem-hi-lo")
    assert answers(bare, "iowa")["4"] == "missing: no approval of these rules is on record"
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


def test_oms_16_what_is_posted_is_pointed_at_and_the_rule_beside_it() -> None:
    sheet = sheet_of("oceanfront/mississippi-stud")
    number = {one.block.key: one.number for one in numbered(rules(sheet))}
    rule, posted = number["irregularities.interruption"], number["notices[6]"]
    told = answers(sheet, "new-hampshire")["9"]
    assert told == f"Rules of the game, {posted}; Rules of the game, {rule}"
