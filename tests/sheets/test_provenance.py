"""Ours or the document's: every choice of ours is marked in words wherever it is printed."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

import pytest
from tests.command_line import Ask
from tests.sheets.samples import CMS, IDS, LAS, OMS, STAX, UNUSUAL, changed, sheet_of, text_of

from pitbook.house.table.limits import only_limits_differ, with_limits
from pitbook.house.web.sheets_api import sheet_response, summarize_sheet
from pitbook.papers.content import plain
from pitbook.papers.rules import rules
from pitbook.sheets.clauses import ClauseUnknown, catalogue, find_clause, is_unread
from pitbook.sheets.digest import digest
from pitbook.sheets.findings import errors
from pitbook.sheets.load import examine
from pitbook.sheets.model import Sheet
from pitbook.sheets.prose.clauses import clause_document
from pitbook.sheets.prose.pay_tables import pay_tables
from pitbook.sheets.prose.rule_text import RuleText
from pitbook.sheets.prose.rules import rule_texts
from pitbook.sheets.provenance import (
    describe_provenance,
    provenance_label,
    provenance_of,
    rules_of,
    share,
)


def sheet(name: str) -> Sheet:
    return sheet_of(text_of(name))


def card(ask: Ask, name: str, columns: int = 120) -> str:
    return " ".join(ask("sheets", "show", name, columns=columns).out.split())


@pytest.mark.parametrize("name", IDS)
def test_every_choice_that_the_document_left_to_us_is_marked(name: str) -> None:
    """A note beside a clause with a gap or a conflict tells of a choice; so does a GEN clause."""
    for path, rule in rules_of(sheet(name), ()):
        left = catalogue()[rule.clause].mark
        if left and rule.note:
            assert share(rule) != "none", path
        if rule.clause.startswith("GEN-"):
            assert share(rule) == "all", path
        if rule.ours not in (None, False):
            assert rule.note, path


PENNSYLVANIA = (
    *("crazy-4-poker", "four-card-poker", "let-it-ride", "mississippi-stud"),
    *("three-card-poker", "ultimate-texas-holdem"),
)


@pytest.mark.parametrize("game", PENNSYLVANIA)
def test_a_rule_that_cites_an_unread_section_is_an_assumption_and_names_the_section(
    game: str,
) -> None:
    cited = [rule for _, rule in rules_of(sheet(f"pennsylvania/{game}"), ())]
    unread = [rule for rule in cited if is_unread(rule.clause)]
    assert len(unread) > 10
    for rule in unread:
        assert share(rule) == "all", rule.clause
        assert f"Section {rule.clause} was not read" in (rule.note or "")
    assert not any("was not read;" in (rule.note or "") for rule in cited if rule not in unread)


def test_only_regulations_have_unread_sections() -> None:
    """The houses' own documents were read whole."""
    unread = {clause.partition(".")[0] for clause in catalogue() if is_unread(clause)}
    assert unread == {"641a", "643a", "649a", "653a", "655a", "657a"}
    assert find_clause("655a.2").place.endswith("(section not read)")
    assert not is_unread("655a.12")


@pytest.mark.parametrize("name", IDS)
def test_every_mark_is_printed_on_the_card_and_told_by_the_server(ask: Ask, name: str) -> None:
    one, told = sheet(name), sheet_response(sheet(name))
    printed = card(ask, name)
    said = [
        saying for saying in rule_texts(one) if saying.label is not None and saying.ours != "none"
    ]
    assert len(said) > 15
    for saying in said:
        assert " ".join(
            f"{saying.beside_label} ({provenance_label(saying.ours)})".split()
        ) in _unclaused(printed, saying)
    by_words = {entry["words"]: entry["ours"] for entry in told["aloud"]}
    assert {
        one.beside_label: provenance_label(one.ours) for one in said
    }.items() <= by_words.items()
    narrow = card(ask, name, columns=60)
    assert all(table["whose"] in narrow for table in pay_tables(one))


def _unclaused(printed: str, saying: RuleText) -> str:
    """The card without the clauses that a long line has in its middle."""
    return " ".join(printed.replace(" " + ", ".join(saying.clauses) + " ", " ").split())


@pytest.mark.slow_cases(
    "louisiana-stud/standard", "louisiana-stud/stax-required", "oceanfront/mississippi-stud"
)
@pytest.mark.long
@pytest.mark.parametrize("name", IDS)
def test_taking_a_mark_off_changes_what_is_printed_and_not_the_hash(name: str) -> None:
    """Each mark of the file by itself, in every place that the sheet prints it."""
    text, before = text_of(name), sheet(name)
    printed = list(_printed(before))
    marks = list(re.finditer(r"\bours = (true|\"in part\"|\[[^\]]*\])", text))
    assert len(marks) >= 8
    for mark in marks:
        after = sheet_of(text[: mark.start()] + "ours = false" + text[mark.end() :])
        assert digest(after) == digest(before)
        assert any(new != old for new, old in zip(_printed(after), printed, strict=True)), mark[0]


def _printed(one: Sheet) -> Iterator[Any]:
    """The rules and pay tables of a sheet, each of its clauses opened, and its rules paper."""
    told = sheet_response(one)
    yield from (told["aloud"], told["pay_tables"])
    yield from (clause_document(clause, [one])["sheets"] for clause in one.clause_ids)
    yield plain(rules(one), "en")


def test_a_general_rule_is_ours_unless_a_house_says_that_it_is_its_document_s() -> None:
    swap = ('clause = "GEN-1", note', 'clause = "GEN-1", ours = false, note')
    ace = {one.key: one.ours for one in rule_texts(sheet(CMS))}["payouts.ace_in_straights"]
    theirs = sheet_of(changed(CMS, swap))
    assert ace == "all"
    assert {one.key: one.ours for one in rule_texts(theirs)}["payouts.ace_in_straights"] == "none"


def test_louisiana_stud_posts_tables_of_ours_and_says_so() -> None:
    one = sheet(LAS)
    assert [provenance_of(one, wager) for wager in ("main", *one.side)] == ["part", "all", "all"]
    main, *_ = pay_tables(one)
    assert main["whose"] == "our choice but for pair of sixes to tens"
    ours = {line["outcome"]: line["ours"] for line in main["lines"]}
    assert ours["pair-6-10"] == ""
    assert ours["pair-J-A"] == "our choice"
    assert describe_provenance(one, "stax") == "rests on a pay table that is our choice (LAS-9)"
    assert describe_provenance(sheet(CMS), "main") == ""


def test_limits_in_the_lobby_say_whose_they_are() -> None:
    listed = {name: summarize_sheet(sheet(name), None).wagers for name in IDS}
    assert listed[CMS]["ante"].ours == "our choice"
    assert listed[CMS]["ante"].pays_ours == ""
    assert listed[STAX]["stax"].pays_ours == "our choice"
    assert listed[STAX]["ante"].pays_ours == "in part our choice"
    assert (listed[OMS]["ante"].ours, listed[OMS]["ante"].pays_ours) == ("", "")


def test_limits_that_a_house_sets_are_its_own() -> None:
    one = sheet(LAS)
    made = with_limits(one, {"ante": {"min": "10", "max": "100"}})
    assert share(made.main_wager, "min", "max") == "none"
    assert share(made.main_wager, "step") == "all"
    assert made.main_wager.note == "Set by the house for this table; the sheet has $5 to $500."
    assert share(made.side["stax"].stake, "min", "max") == "all"
    assert only_limits_differ(made, one)
    assert only_limits_differ(one, made)


@pytest.mark.parametrize(
    ("mark", "says"),
    [
        ('"yes"', '"ours" must be true, false, "in part" or a list of field names, not "yes"'),
        ("[]", '"ours" must be true, false, "in part" or a list of field names, not []'),
        ("[1]", '"ours" must be true, false, "in part" or a list of field names, not [1]'),
        ('["minn"]', '"ours" names "minn", which is no field here; did you mean "min"?'),
    ],
)
def test_a_mark_that_is_none_is_refused_with_its_place(mark: str, says: str) -> None:
    text = changed(CMS, ('ours = ["min", "max", "step"]\n', f"ours = {mark}\n"))
    (found,) = errors(examine(text, "s.toml", thorough=False).findings)
    assert (found.message, found.path) == (says, ("ante", "ours"))
    assert text.splitlines()[found.line - 1].startswith("ours = ")


def test_a_line_that_no_pay_table_has_cannot_be_marked() -> None:
    text = changed(LAS, ('"pays.royal-flush"', '"pays.royal-flsh"'))
    (found,) = errors(examine(text, "s.toml", thorough=False).findings)
    assert '"pays.royal-flsh", which is no field here' in found.message


def test_a_mark_without_a_note_is_a_notice() -> None:
    text = changed(CMS, ('step = "1"\nclause = "CMS-2"\nours = ["min", "max", "step"]\n', ""))
    text = text.replace(
        'note = "The document names no limits; these are ours. Whole dollars by GEN-12."',
        'step = "1"\nclause = "CMS-2"\nours = true',
    )
    found = examine(text, "s.toml", thorough=False).findings
    assert [one.code for one in found if one.code == "ours" and one.level == "notice"] == ["ours"]


@pytest.mark.parametrize("name", IDS)
def test_every_clause_that_a_sheet_cites_opens_with_wording_place_and_notes(name: str) -> None:
    one = sheet(name)
    notes = {rule.note for _, rule in rules_of(one, ()) if rule.note}
    told: set[str] = set()
    for clause in one.clause_ids:
        document = clause_document(clause, [one])
        assert document["text"].endswith(".")
        assert document["place"]
        assert document["ours"] == clause.startswith("GEN-")
        told |= {n for s in document["sheets"] for rule in s["rules"] for n in rule["notes"]}
    assert notes - told == set()


def test_every_clause_of_a_document_has_its_place_there() -> None:
    for clause in catalogue().values():
        assert (clause.where is None) == clause.ours, clause.id


def test_an_unknown_clause_names_one_that_is_near() -> None:
    with pytest.raises(ClauseUnknown, match='no clause "CMS-99"; did you mean "CMS-9"'):
        find_clause("CMS-99")
    assert find_clause("cms-9").id == "CMS-9"


def test_a_clause_of_a_house_s_own_leads_to_its_document() -> None:
    own = sheet_of(changed(CMS, ('clause = "CMS-9"', 'clause = "Rule 7"')))
    document = clause_document("rule 7", [own])
    assert document["clause"] == "Rule 7"
    assert document["place"] == own.source.document
    assert document["sheets"][0]["rules"][0]["words"] == "Pay table: Ante and street bets"


def test_the_command_opens_a_clause(ask: Ask) -> None:
    shown = " ".join(ask("sheets", "clause", "las-10", "--sheet", LAS).out.split())
    assert "LAS-10" in shown
    assert "Nowhere: the document speaks of posted pay tables and prints none" in shown
    assert "(our choice) Note: The document names no chips" in shown
    document: Any = ask("sheets", "clause", "CMS-12", "--json").document
    assert [one["sheet"] for one in document["sheets"]] == [CMS]
    assert ask("sheets", "clause", "XYZ-1").code == 1


def test_lists_figures_and_comparisons_say_it_in_words(ask: Ask) -> None:
    assert "Ante $5 to $500 (our choice)" in ask("sheets", "list", columns=200).out
    said = " ".join(ask("math", LAS, "--wager", "three-up").out.split())
    assert "rests on a pay table that is our choice (LAS-7)" in said
    assert "our choice" not in ask("math", CMS, "--wager", "three-card-bonus").out
    document = ask("math", LAS, "--wager", "three-up", "--json").document
    assert document["wagers"]["three-up"]["ours"] == "our choice"
    beside = ask("compare", LAS, CMS, "--json").document
    assert beside["wagers"][0]["ours"] == {"a": "in part our choice", "b": ""}


def test_sheets_without_a_mark_are_read_as_before() -> None:
    for path in sorted(UNUSUAL.glob("*.toml")):
        one = sheet_of(path.read_text(encoding="utf-8"))
        marked = [rule for _, rule in rules_of(one, ()) if share(rule) != "none"]
        assert all(catalogue()[rule.clause].ours for rule in marked)
