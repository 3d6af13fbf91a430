"""A finding about a sheet is a key with fields: worded in every language, and sent as JSON."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

import pytest
from tests.sheets.samples import CMS, modified_text
from tests.sheets.test_bad_sheets import CASES
from tests.text.literals import SOURCE, literal_findings

from pitbook.house.nights.house_rules import parse_rules
from pitbook.house.nights.schedule_files import read_loosely, samples
from pitbook.sheets.findings import Finding, SheetInvalid, count_left_out
from pitbook.sheets.load import examine
from pitbook.text import Sentence, in_language, languages, say
from pitbook.text.catalog import load_catalog
from pitbook.text.user_input import printable

PACKAGES = tuple(sorted(path.name for path in SOURCE.iterdir() if path.is_dir()))


def found_in(case: dict[str, Any]) -> tuple[Finding, ...]:
    text = modified_text(case["sheet"], *map(tuple, case["swap"]))
    return examine(text, "bad.toml", thorough=False).findings


def translations(finding: Finding) -> list[str]:
    """A finding in every language, English first."""
    assert isinstance(finding.message, Sentence), finding
    assert finding.message.key in load_catalog("en").texts
    return [in_language(finding.message, language) for language in languages()]


@pytest.mark.parametrize("case", CASES, ids=lambda case: str(case["name"]))
def test_findings_of_a_bad_sheet_are_translated(case: dict[str, Any]) -> None:
    for finding in found_in(case):
        texts = translations(finding)
        assert texts[0] == finding.message
        assert len(set(texts)) == len(texts), texts


@pytest.mark.long
def test_finding_json_has_key_and_fields() -> None:
    (case,) = (test_case for test_case in CASES if test_case["name"] == "the pay is misspelt")
    [finding] = [finding for finding in found_in(case) if finding.level == "error"]
    document = json.loads(json.dumps(finding.document()))
    assert (document["key"], document["fields"]["line"]) == ("findings.pays.unknown", "flsh")
    assert document["fields"]["about"] == "five-card hand"
    for case_finding in (case_finding for case in CASES for case_finding in found_in(case)):
        finding_document = case_finding.document()
        assert json.loads(json.dumps(finding_document))["key"] == finding_document["key"]


def test_check_output_line_is_spanish() -> None:
    (case,) = (test_case for test_case in CASES if test_case["name"] == "the pay is misspelt")
    [finding] = [finding for finding in found_in(case) if finding.level == "error"]
    place = f"bad.toml:{finding.line}:{finding.column}"
    no_hand = '"flsh" no es mano de cinco cartas. ¿Quiso decir "flush"?'
    assert finding.render("es") == f"{place}: error: {no_hand} ({finding.clause})"
    assert finding.render("en") == str(finding)


def test_notices_of_a_valid_sheet_are_translated() -> None:
    findings = examine(modified_text(CMS), "good.toml").findings
    assert findings
    for finding in findings:
        assert len(set(translations(finding))) == len(languages())


def test_omitted_findings_are_counted() -> None:
    rest = count_left_out({"error": 23, "notice": 1})
    assert in_language(rest, "es") == "y 23 errores más y 1 aviso más"
    assert in_language(count_left_out({"error": 0, "notice": 2}), "es") == "y 2 avisos más"


def test_unprintable_characters_are_escaped_in_every_language() -> None:
    sentence = say("findings.named-twice", name="a\nb")
    escaped = printable(sentence)
    assert escaped == '"a\\nb" is listed twice.'
    assert in_language(escaped, "es") == '"a\\nb" figura dos veces.'
    assert printable("a\nb") == "a\\nb"
    escaped_list = printable(say("findings.known", words=("a\tb", "c")))
    assert in_language(escaped_list, "es") == 'Use una de estas opciones: "a\\tb", "c".'


def wrong_schedules() -> Iterator[str]:
    text = samples()["hourly"]
    yield text.replace("shares = [100]", "shares = [90]")
    yield text.replace("seats = 6", 'seats = "six"')
    yield text.replace('costs = "60"', 'costs = "6,0"')
    yield text.replace('fee = "15"', 'fee = "1500"')
    yield text.replace("entrants = 2", "entrants = 3", 1)
    yield text.replace("title =", "titel =")
    yield "[["


@pytest.mark.parametrize("text", list(wrong_schedules()))
def test_schedule_findings_are_translated(text: str) -> None:
    _, findings = read_loosely(text)
    assert findings
    for finding in findings:
        assert len(set(translations(finding))) == len(languages()), finding


def test_house_rule_findings_are_translated() -> None:
    findings = parse_rules("format = 1\n", "house.toml").findings
    assert len(findings) > 3
    for finding in findings:
        assert len(set(translations(finding))) == len(languages()), finding


def test_invalid_sheet_error_carries_sentences() -> None:
    with pytest.raises(SheetInvalid) as raised:
        raise SheetInvalid(found_in(CASES[0]))
    assert all(isinstance(finding.message, Sentence) for finding in raised.value.findings)


@pytest.mark.long
def test_findings_have_no_literal_text_in_code() -> None:
    assert not list(literal_findings(*PACKAGES))
