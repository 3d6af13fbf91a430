"""A paper claims an approval only for exactly the rules that were approved."""

from __future__ import annotations

import datetime
import json
import os
import random
from collections.abc import Callable
from copy import deepcopy
from dataclasses import replace
from typing import Any

import pytest
from tests.lanes import examples, spread
from tests.printing.pdf_reader import BUILT, pages
from tests.printing.pdf_reader import sheet_of as bundled_sheet
from tests.sheets.samples import (
    ALL_IDS,
    CMS,
    document_of,
    modified_text,
    sheet_of,
    toml_text,
    with_value,
)
from tests.sheets.test_hashes import is_not_a_rule, leaves, other_values

from pitbook.money import Odds
from pitbook.printing import changed_values, rack_card, report, strategy_card
from pitbook.printing import redline as redline_paper
from pitbook.printing.checklists import checklist
from pitbook.printing.content import Paper, plain
from pitbook.printing.packet import PAPERS
from pitbook.printing.page_texts import identity
from pitbook.printing.redline import _versions, redline
from pitbook.printing.report_figures import ReportFigures, report_figures
from pitbook.printing.rules import rules
from pitbook.printing.typeset import pdf
from pitbook.sheets.field_types import Entries
from pitbook.sheets.hashes import approval_digest, approval_status, current_approval, digest
from pitbook.sheets.load import examine
from pitbook.sheets.model import Sheet
from pitbook.sheets.pay_tables import pays_of
from pitbook.sheets.prose import rule_texts

SEED = int(os.environ.get("PITBOOK_SEED", "381118"))
QUICK_PAPERS = ("rules", "sign", "dealer-card", "layout")  # The others need figures.
APPROVED_ON = ("May 17, 2020", "17 May 2020", "2020-05-17")
STEPS = {"steps": ["Wash the cards."], "clause": "House 1"}
NOTICE = {"text": "No smoking at this table.", "clause": "House 2"}


def approved_document(sheet_id: str) -> dict[str, Any]:
    """A bundled sheet on which every paper is approved."""
    document = deepcopy(document_of(sheet_id))
    approval = {"by": "The Commission", "on": datetime.date(2020, 5, 17), "clause": "House 3"}
    document["house"]["approval"] = {**approval, "papers": [*PAPERS]}
    rules_hash = approval_digest(sheet_of(toml_text(document)))
    document["house"]["approval"]["rules_hash"] = rules_hash
    return document


def text_in(paper: Paper) -> str:
    return "\n".join(str(value) for _, value in leaves(json.loads(json.dumps(plain(paper, "en")))))


def claims_approval(paper: Paper) -> bool:
    text = text_in(paper).casefold()
    without_denials = text.replace("not approved", "").replace("not been approved", "")
    return "approved" in without_denials or any(day.casefold() in text for day in APPROVED_ON)


def random_changes(document: dict[str, Any], count: int) -> list[Sheet]:
    """Sheets that each differ from the document in one rule, limit, pay or procedure."""
    rng = random.Random(f"{SEED} {document['id']}")
    rules = [
        (path, value_after)
        for path, value in leaves(document)
        if not is_not_a_rule(path) and path[:2] != ("house", "approval")
        for value_after in other_values(value)
    ]
    sheets = [with_procedure(document, rng), with_notice(document)]
    for path, value_after in rng.sample(rules, len(rules)):
        if len(sheets) == count:
            break
        reading = examine(
            toml_text(with_value(document, path, value_after)), "x.toml", thorough=False
        )
        if reading.sheet is not None:
            sheets.append(reading.sheet)
    assert len(sheets) == count, document["id"]
    return sheets


def with_procedure(document: dict[str, Any], rng: random.Random) -> Sheet:
    name = rng.choice(["inspection", "shuffle", "cut", "burn", "signals", "discard"])
    return sheet_of(toml_text({**document, "procedures": {name: STEPS}}))


def with_notice(document: dict[str, Any]) -> Sheet:
    return sheet_of(toml_text({**document, "notices": [NOTICE]}))


@pytest.fixture
def reuse_figures(monkeypatch: pytest.MonkeyPatch) -> Callable[[str], None]:
    """Gives changed sheets the figures of the bundled one: no claim depends on figures."""

    def reuse(sheet_id: str) -> None:
        figures = report_figures(sheet_of(toml_text(document_of(sheet_id))))

        def figures_of(sheet: Sheet, *_: Any, **__: Any) -> ReportFigures:
            sensitivity = {
                wager: Entries(
                    (line, change)
                    for line, change in changes.items()
                    if isinstance(pays_of(sheet, wager).get(line), Odds)
                )
                for wager, changes in figures.sensitivity.items()
            }
            counts = [row.decks for row in figures.by_decks]
            by_decks = figures.by_decks if sheet.deck.decks in counts else ()
            return replace(figures, sensitivity=Entries(sensitivity), by_decks=by_decks)

        for module in (report, rack_card, strategy_card, redline_paper, changed_values):
            monkeypatch.setattr(module, "report_figures", figures_of)

    return reuse


@pytest.mark.long
@pytest.mark.parametrize("sheet_id", spread(ALL_IDS, 3))
def test_changed_rules_claim_no_approval_in_any_paper(
    sheet_id: str, reuse_figures: Callable[[str], None]
) -> None:
    reuse_figures(sheet_id)
    document = approved_document(sheet_id)
    approved = sheet_of(toml_text(document))
    assert [name for name in PAPERS if not claims_approval(PAPERS[name](approved))] == []
    for sheet in random_changes(document, examples(10, 50)):
        assert approval_status(sheet) == "draft", SEED
        for name in PAPERS:
            assert identity(sheet, name).approved == ""
            assert plain(identity(sheet, name).effective, "en") == "Draft, not approved"
            assert not claims_approval(PAPERS[name](sheet)), (SEED, name)


@pytest.fixture
def words_only(monkeypatch: pytest.MonkeyPatch) -> None:
    """Leave figures and page numbers out of a redline: they claim nothing and take long."""
    for name in ("changed_values", "_edges", "_play", "changed_papers"):
        monkeypatch.setattr(redline_paper, name, lambda *_, **__: iter(()))


def claims_in_redline(paper: Paper) -> bool:
    """Whether a redline claims an approval of the new rules; struck words are the old rules'."""
    document = json.loads(json.dumps(plain(paper, "en")))
    for section in document["sections"]:
        for block in section["blocks"]:
            edits = block.get("edits") or []
            block["edits"] = "".join(text for kind, text in edits if kind != "deleted")
    text = "\n".join(str(value) for _, value in leaves(document)).casefold()
    for denial in ("not approved", "not been approved", "approved by (signature)"):
        text = text.replace(denial, "")
    return "approved" in text or any(day.casefold() in text for day in APPROVED_ON)


@pytest.mark.long
@pytest.mark.usefixtures("words_only")
@pytest.mark.parametrize("sheet_id", spread(ALL_IDS, 3))
def test_a_redline_to_changed_rules_claims_no_approval_of_them(sheet_id: str) -> None:
    document = approved_document(sheet_id)
    approved = sheet_of(toml_text(document))
    for sheet in random_changes(document, examples(4, 50)):
        paper = redline(approved, sheet)
        assert paper.identity.approved == ""
        assert plain(paper.identity.effective, "en") == "Draft, not approved"
        assert not claims_in_redline(paper), SEED
        assert not claims_in_redline(redline(sheet, sheet)), SEED


@pytest.mark.usefixtures("words_only")
def test_a_redline_back_to_the_approved_rules_names_their_approval() -> None:
    document = approved_document(CMS)
    approved = sheet_of(toml_text(document))
    draft = sheet_of(toml_text(with_value(document, ("seats", "count"), 5)))
    assert claims_in_redline(redline(draft, approved))
    assert not claims_in_redline(redline(approved, draft))


@pytest.mark.long
@pytest.mark.parametrize("sheet_id", spread(ALL_IDS, 1))
def test_every_page_of_a_changed_sheet_says_draft_and_no_approval_date(
    sheet_id: str, reuse_figures: Callable[[str], None]
) -> None:
    reuse_figures(sheet_id)
    document = approved_document(sheet_id)
    approved = sheet_of(toml_text(document))
    changed = random_changes(document, examples(3, 6))
    for sheet in changed[1:]:
        for page in pages(pdf(redline(approved, sheet), built=BUILT)):
            assert "Draft, not approved" in page, SEED
        for name in PAPERS:
            for page in pages(pdf(PAPERS[name](sheet), built=BUILT)):
                assert "Draft, not approved" in page, (SEED, name)
                assert not any(day in page for day in APPROVED_ON), (SEED, name)


@pytest.mark.long
@pytest.mark.parametrize("sheet_id", spread(ALL_IDS, 3))
def test_unchanged_sheets_claim_only_the_approval_on_record(sheet_id: str) -> None:
    sheet = bundled_sheet(sheet_id)
    recorded = current_approval(sheet)
    covered = recorded.papers if recorded else ()
    claims = [name for name in PAPERS if claims_approval(PAPERS[name](sheet))]
    assert claims == [name for name in PAPERS if name in covered]


def test_a_changed_copy_of_an_approved_sheet_is_reported_by_check() -> None:
    copy = modified_text(
        CMS,
        ('flush = "6:1"', 'flush = "7:1"'),
        ("count = 6", "count = 7"),
        ('max = "500"', 'max = "1000"'),
    )
    reading = examine(copy, "copy.toml", thorough=False)
    assert reading.sheet is not None
    [notice] = [finding for finding in reading.findings if finding.code == "approval"]
    assert notice.level == "notice"
    assert "The rules differ from those approved" in str(notice.message)
    assert approval_digest(reading.sheet) in str(notice.message)
    assert not claims_approval(rules(reading.sheet))


def test_an_approval_without_a_rules_hash_covers_nothing() -> None:
    document = deepcopy(document_of(CMS))
    del document["house"]["approval"]["rules_hash"]
    reading = examine(toml_text(document), "x.toml", thorough=False)
    assert reading.sheet is not None
    assert current_approval(reading.sheet) is None
    assert any(
        "The approval has no rules hash" in str(finding.message) for finding in reading.findings
    )


def test_recording_an_approval_changes_no_hash() -> None:
    document = deepcopy(document_of(CMS))
    before = sheet_of(toml_text(document))
    document["house"]["approval"] |= {"reference": "IRGC 18-031", "papers": ["rules", "sign"]}
    after = sheet_of(toml_text(document))
    assert digest(after) == digest(before)
    assert approval_digest(after) == approval_digest(before)


def test_unmarking_an_assumption_ends_the_approval() -> None:
    for marked, unmarked in (
        ('ours = ["count"]\n', ""),
        (
            'ours = true, note = "The document does not',
            'ours = false, note = "The document does not',
        ),
        ('ours = ["min", "max", "step"]', 'ours = ["min", "max"]'),
    ):
        sheet = sheet_of(modified_text(CMS, (marked, unmarked)))
        assert approval_status(sheet) == "draft", marked
        assert not claims_approval(rules(sheet))


@pytest.mark.parametrize(
    ("field", "value"), [("document", "Other rules"), ("dated", datetime.date(2011, 1, 1))]
)
def test_an_approval_does_not_cover_the_same_rules_of_another_document(
    field: str, value: Any
) -> None:
    document = deepcopy(document_of(CMS))
    document["source"][field] = value
    sheet = sheet_of(toml_text(document))
    assert approval_status(sheet) == "draft"
    assert not claims_approval(rules(sheet))


def test_a_draft_does_not_print_the_note_on_the_approval_of_other_rules() -> None:
    approved = approved_document(CMS)
    note = "Signed for the commission, file 77."
    approved["house"]["approval"] |= {"note": note, "ours": True}
    draft = sheet_of(toml_text(with_value(approved, ("seats", "count"), 5)))
    assert note in text_in(rules(sheet_of(toml_text(approved))))
    for name in QUICK_PAPERS:
        assert note not in text_in(PAPERS[name](draft)), name
    [approval_rule] = [
        rule_text
        for rule_text in rule_texts(draft)
        if ("house", "approval", "by") in rule_text.paths
    ]
    assert (approval_rule.notes, approval_rule.ours) == ((), "none")


def test_the_bundled_sheet_says_that_it_restates_an_approved_document() -> None:
    sheet = sheet_of(modified_text(CMS))
    text = text_in(rules(sheet))
    assert approval_status(sheet) == "restated"
    assert (
        "These rules restate a document that the Iowa Racing and Gaming Commission approved" in text
    )
    assert "our assumptions were not part of that approval" in text
    assert "signed by Erica Worrall" in text


@pytest.mark.parametrize("name", sorted({*QUICK_PAPERS} - {"rules"}))
def test_paper_not_named_by_the_approval_shows_none(name: str) -> None:
    paper = PAPERS[name](sheet_of(modified_text(CMS)))
    assert plain(paper.identity.approved, "en") == "no approval on record"
    assert not claims_approval(paper)


def test_a_checklist_finds_no_approval_of_a_changed_sheet() -> None:
    answers = []
    for text in (modified_text(CMS), modified_text(CMS, ("count = 6", "count = 7"))):
        sheet = sheet_of(text)
        papers = {name: PAPERS[name](sheet) for name in QUICK_PAPERS}
        answer = text_in(checklist(sheet, "iowa", papers))
        answers.append("no approval of these rules is on record" in answer)
    assert answers == [False, True]


def test_versions_of_a_redline_differ_when_only_the_rules_do() -> None:
    document = {**document_of(CMS), "filing": {"version": "3"}}
    old = sheet_of(toml_text(document))
    new = sheet_of(toml_text(with_value(document, ("seats", "count"), 7)))
    before, after = _versions(old, new)
    assert before != after
    assert digest(new)[:12] in after
    assert _versions(old, old) == ("3", "3")
