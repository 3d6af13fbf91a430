"""Provenance: what the source does not say has a dagger wherever it is printed."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

import pytest
from tests.command_line import Ask
from tests.sheets.samples import (
    ALL_IDS,
    CMS,
    IDS,
    LAS,
    OMS,
    STAX,
    UNUSUAL,
    modified_text,
    sheet_of,
    text_of,
)

from pitbook.house.table.limits import only_limits_differ, with_limits
from pitbook.house.web.sheets_api import sheet_response, summarize_sheet
from pitbook.printing.content import Paragraph, plain
from pitbook.printing.rules import rules
from pitbook.sheets.assumptions import (
    assumed_pays,
    describe_assumption,
    describe_pays,
    legend,
)
from pitbook.sheets.clauses import ClauseUnknown, clause_texts, find_clause, is_unread
from pitbook.sheets.display_documents import clause_document, pay_tables
from pitbook.sheets.findings import errors
from pitbook.sheets.hashes import digest
from pitbook.sheets.load import examine
from pitbook.sheets.model import Sheet
from pitbook.sheets.prose import RuleText, general_procedures, rule_texts, rule_texts_in_force
from pitbook.sheets.provenance import rules_of, share

ASSUMPTION = "Assumption: the source does not say this."


def sheet_named(name: str) -> Sheet:
    return sheet_of(text_of(name))


def card(ask: Ask, name: str, columns: int = 120) -> str:
    return " ".join(ask("sheets", "show", name, columns=columns).out.split())


@pytest.mark.parametrize("name", IDS)
def test_every_assumption_is_marked(name: str) -> None:
    """A note on a clause with a gap or a conflict explains a choice; so does a GEN clause."""
    for path, rule in rules_of(sheet_named(name), ()):
        open_points = clause_texts()[rule.clause].mark
        if open_points and rule.note:
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
    cited = [rule for _, rule in rules_of(sheet_named(f"pennsylvania/{game}"), ())]
    unread = [rule for rule in cited if is_unread(rule.clause)]
    assert len(unread) > 10
    for rule in unread:
        assert share(rule) == "all", rule.clause
        assert f"Section {rule.clause} was not read" in (rule.note or "")
    assert not any("was not read;" in (rule.note or "") for rule in cited if rule not in unread)


def test_only_regulations_have_unread_sections() -> None:
    """The casinos' own documents were read in full."""
    unread = {clause.partition(".")[0] for clause in clause_texts() if is_unread(clause)}
    assert unread == {"641a", "643a", "649a", "653a", "655a", "657a"}
    assert find_clause("655a.2").place.endswith("(section not read)")
    assert not is_unread("655a.12")


@pytest.mark.parametrize("name", IDS)
def test_every_mark_is_on_the_card_and_in_the_server_response(ask: Ask, name: str) -> None:
    loaded, response_json = sheet_named(name), sheet_response(sheet_named(name))
    printed = card(ask, name)
    marked_texts = [
        saying
        for saying in rule_texts(loaded)
        if saying.label is not None and saying.ours != "none"
    ]
    assert len(marked_texts) > 15
    for saying in marked_texts:
        assert " ".join(f"{saying.card_text}†".split()) in _without_clauses(printed, saying)
    by_words = {entry["words"]: entry["ours"] for entry in response_json["aloud"]}
    assert {
        marked.card_text: describe_assumption(marked.ours) for marked in marked_texts
    }.items() <= by_words.items()
    assert str(legend()) in printed
    narrow = card(ask, name, columns=60)
    assert all(f"{table['title']}†" in narrow for table in pay_tables(loaded) if table["whose"])


@pytest.mark.parametrize("name", ALL_IDS)
def test_the_rules_screen_marks_what_the_rules_paper_marks(name: str) -> None:
    """Including rules of games that no document states, and conflicts within a document."""
    loaded = sheet_named(name)
    paragraphs = [
        block
        for section in rules(loaded).sections
        for block in section.blocks
        if isinstance(block, Paragraph)
    ]
    marked_on_paper = {
        paragraph.key.removesuffix("[1]") for paragraph in paragraphs if paragraph.assumed != "none"
    }
    rule_documents = sheet_response(loaded)["aloud"]
    marks = {
        rule_text.key: rule_document["ours"]
        for rule_text, rule_document in zip(
            rule_texts_in_force(loaded), rule_documents, strict=True
        )
        if rule_text.label is not None or rule_text.clauses  # The page shows no others.
    }
    assert len(marked_on_paper & marks.keys()) > 10
    assert [key for key in marked_on_paper & marks.keys() if not marks[key]] == []


@pytest.mark.parametrize("name", ALL_IDS)
def test_a_general_procedure_is_on_the_rules_screen_with_a_dagger(ask: Ask, name: str) -> None:
    loaded = sheet_named(name)
    rules_by_words = {rule["words"]: rule for rule in sheet_response(loaded)["aloud"]}
    printed = card(ask, name)
    assumed = list(general_procedures(loaded))
    assert assumed
    for procedure in assumed:
        rule = rules_by_words[procedure.card_text]
        assert rule["ours"] == ASSUMPTION
        assert rule["part"] == "irregularities"
        assert str(procedure.label) in printed


def _without_clauses(printed: str, saying: RuleText) -> str:
    """The card without clauses in the middle of long lines."""
    return " ".join(printed.replace(" " + ", ".join(saying.clauses) + " ", " ").split())


@pytest.mark.slow_cases(
    "louisiana-stud/standard", "louisiana-stud/stax-required", "oceanfront/mississippi-stud"
)
@pytest.mark.long
@pytest.mark.parametrize("name", IDS)
def test_taking_a_mark_off_changes_what_is_printed_and_not_the_hash(name: str) -> None:
    """Each mark by itself, in every place where the sheet prints it."""
    text, before = text_of(name), sheet_named(name)
    printed = list(_printed_parts(before))
    marks = list(re.finditer(r"\bours = (true|\"in part\"|\[[^\]]*\])", text))
    assert len(marks) >= 8
    for mark in marks:
        after = sheet_of(text[: mark.start()] + "ours = false" + text[mark.end() :])
        assert digest(after) == digest(before)
        assert any(new != old for new, old in zip(_printed_parts(after), printed, strict=True)), (
            mark[0]
        )


def _printed_parts(sheet_printed: Sheet) -> Iterator[Any]:
    """The rules and pay tables of a sheet, the documents of its clauses, and its rules paper."""
    response_json = sheet_response(sheet_printed)
    yield from (response_json["aloud"], response_json["pay_tables"])
    yield from (
        clause_document(clause, [sheet_printed])["sheets"] for clause in sheet_printed.clause_ids
    )
    yield plain(rules(sheet_printed), "en")


def test_a_general_rule_is_ours_unless_a_house_says_that_it_is_its_document_s() -> None:
    swap = ('clause = "GEN-1", note', 'clause = "GEN-1", ours = false, note')
    ace = {text.key: text.ours for text in rule_texts(sheet_named(CMS))}["payouts.ace_in_straights"]
    documented = sheet_of(modified_text(CMS, swap))
    assert ace == "all"
    assert {text.key: text.ours for text in rule_texts(documented)}[
        "payouts.ace_in_straights"
    ] == "none"


def test_louisiana_stud_marks_our_pay_tables() -> None:
    loaded = sheet_named(LAS)
    assert [assumed_pays(loaded, wager) for wager in ("main", *loaded.side)] == [
        "part",
        "all",
        "all",
    ]
    main, *_ = pay_tables(loaded)
    assert main["whose"] == "Assumption, except for pair of sixes to tens."
    line_marks = {line["outcome"]: line["ours"] for line in main["lines"]}
    assert line_marks["pair-6-10"] == ""
    assert line_marks["pair-J-A"] == ASSUMPTION
    assert describe_pays(loaded, "stax") == f"{ASSUMPTION} {loaded.side['stax'].note}"
    assert describe_pays(sheet_named(CMS), "main") == ""


def test_daggers_in_the_lobby_give_the_reason() -> None:
    listed = {name: summarize_sheet(sheet_named(name), None).wagers for name in IDS}
    ante = sheet_named(CMS).main_wager
    assert listed[CMS]["ante"].ours == f"{ASSUMPTION} {ante.note}"
    assert listed[CMS]["ante"].pays_ours == ""
    stax = sheet_named(STAX).side["stax"]
    assert listed[STAX]["stax"].pays_ours == f"{ASSUMPTION} {stax.note}"
    assert str(listed[STAX]["ante"].pays_ours).startswith("Assumption in part:")
    assert (listed[OMS]["ante"].ours, listed[OMS]["ante"].pays_ours) == ("", "")


def test_limits_set_by_a_house_are_no_assumption() -> None:
    loaded = sheet_named(LAS)
    limited = with_limits(loaded, {"ante": {"min": "10", "max": "100"}})
    assert share(limited.main_wager, "min", "max") == "none"
    assert share(limited.main_wager, "step") == "all"
    assert limited.main_wager.note == "Set by the house for this table. The rules have $5 to $500."
    assert share(limited.side["stax"].stake, "min", "max") == "all"
    assert only_limits_differ(limited, loaded)
    assert only_limits_differ(loaded, limited)


@pytest.mark.parametrize(
    ("mark", "says"),
    [
        ('"yes"', '"ours" must be true, false, "in part" or a list of field names, not "yes".'),
        ("[]", '"ours" must be true, false, "in part" or a list of field names, not [].'),
        ("[1]", '"ours" must be true, false, "in part" or a list of field names, not [1].'),
        ('["minn"]', '"ours" names "minn", which is not a field here. Did you mean "min"?'),
    ],
)
def test_an_invalid_mark_is_refused_with_its_position(mark: str, says: str) -> None:
    text = modified_text(CMS, ('ours = ["min", "max", "step"]\n', f"ours = {mark}\n"))
    (finding,) = errors(examine(text, "s.toml", thorough=False).findings)
    assert (finding.message, finding.path) == (says, ("ante", "ours"))
    assert text.splitlines()[finding.line - 1].startswith("ours = ")


def test_an_unknown_pay_line_cannot_be_marked() -> None:
    text = modified_text(LAS, ('"pays.royal-flush"', '"pays.royal-flsh"'))
    (finding,) = errors(examine(text, "s.toml", thorough=False).findings)
    assert '"pays.royal-flsh", which is not a field here' in finding.message


def test_a_mark_without_a_note_is_a_notice() -> None:
    text = modified_text(CMS, ('step = "1"\nclause = "CMS-2"\nours = ["min", "max", "step"]\n', ""))
    text = text.replace(
        'note = "The document states no limits. These are assumptions. '
        'Wagers are in whole dollars (GEN-12)."',
        'step = "1"\nclause = "CMS-2"\nours = true',
    )
    findings = examine(text, "s.toml", thorough=False).findings
    assert [
        finding.code for finding in findings if finding.code == "ours" and finding.level == "notice"
    ] == ["ours"]


@pytest.mark.parametrize("name", IDS)
def test_every_clause_that_a_sheet_cites_opens_with_wording_place_and_notes(name: str) -> None:
    loaded = sheet_named(name)
    notes = {rule.note for _, rule in rules_of(loaded, ()) if rule.note}
    notes_shown: set[str] = set()
    for clause in loaded.clause_ids:
        document = clause_document(clause, [loaded])
        assert document["text"].endswith(".")
        assert document["place"]
        assert document["ours"] == clause.startswith("GEN-")
        notes_shown |= {
            note
            for citing_sheet in document["sheets"]
            for rule in citing_sheet["rules"]
            for note in rule["notes"]
        }
    assert notes - notes_shown == set()


def test_every_clause_of_a_document_has_a_place() -> None:
    for clause in clause_texts().values():
        assert (clause.where is None) == clause.ours, clause.id


def test_an_unknown_clause_suggests_a_similar_one() -> None:
    with pytest.raises(ClauseUnknown, match=r'Did you mean "CMS-9"\?'):
        find_clause("CMS-99")
    assert find_clause("cms-9").id == "CMS-9"


def test_a_house_clause_has_its_document_as_place() -> None:
    house_sheet = sheet_of(modified_text(CMS, ('clause = "CMS-9"', 'clause = "Rule 7"')))
    document = clause_document("rule 7", [house_sheet])
    assert document["clause"] == "Rule 7"
    assert document["place"] == house_sheet.source.document
    assert document["sheets"][0]["rules"][0]["words"] == "Pay table: Ante and street bets"


def test_the_command_opens_a_clause(ask: Ask) -> None:
    output = " ".join(ask("sheets", "clause", "las-10", "--sheet", LAS).out.split())
    assert "LAS-10" in output
    assert "Nowhere: the document speaks of posted pay tables and prints none" in output
    assert "and $1,000† Note: The document does not list the chips" in output
    document: Any = ask("sheets", "clause", "CMS-12", "--json").document
    assert [citing_sheet["sheet"] for citing_sheet in document["sheets"]] == [CMS]
    assert ask("sheets", "clause", "XYZ-1").code == 1


def test_lists_figures_and_comparisons_show_marks(ask: Ask) -> None:
    listed = ask("sheets", "list", columns=200).out
    assert "Ante $5 to $500†" in listed
    assert listed.rstrip().endswith(str(legend()))
    output = " ".join(ask("math", LAS, "--wager", "three-up").out.split())
    assert "7.2760%† of the wager" in output
    assert output.endswith(str(legend()))
    assert "†" not in ask("math", CMS, "--wager", "three-card-bonus").out
    document = ask("math", LAS, "--wager", "three-up", "--json").document
    assert document["wagers"]["three-up"]["ours"].startswith(ASSUMPTION)
    beside = ask("compare", LAS, CMS, "--json").document
    marks = beside["wagers"][0]["ours"]
    assert marks["a"].startswith("Assumption in part:")
    assert marks["b"] == ""


def test_sheets_without_a_mark_are_read_as_before() -> None:
    for path in sorted(UNUSUAL.glob("*.toml")):
        loaded = sheet_of(path.read_text(encoding="utf-8"))
        marked = [rule for _, rule in rules_of(loaded, ()) if share(rule) != "none"]
        assert all(clause_texts()[rule.clause].ours for rule in marked)
