"""What is found about a sheet is a key with its fields: told in every language, sent as JSON."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

import pytest
from tests.sheets.samples import CMS, changed
from tests.sheets.test_bad_sheets import CASES
from tests.text.literals import SOURCE, literal_findings

from pitbook.house.nights.house_rules import examined
from pitbook.house.nights.schedule_files import read_loosely, samples
from pitbook.sheets.findings import Finding, SheetInvalid, count_left_out, printable
from pitbook.sheets.load import examine
from pitbook.text import Sentence, in_language, languages, say
from pitbook.text.catalogue import catalogue

PACKAGES = tuple(sorted(path.name for path in SOURCE.iterdir() if path.is_dir()))


def found_in(case: dict[str, Any]) -> tuple[Finding, ...]:
    text = changed(case["sheet"], *map(tuple, case["swap"]))
    return examine(text, "bad.toml", thorough=False).findings


def told(finding: Finding) -> list[str]:
    """A finding in every language, English first."""
    assert isinstance(finding.message, Sentence), finding
    assert finding.message.key in catalogue("en").texts
    return [in_language(finding.message, language) for language in languages()]


@pytest.mark.parametrize("case", CASES, ids=lambda case: str(case["name"]))
def test_a_bad_sheet_is_told_in_every_language(case: dict[str, Any]) -> None:
    for one in found_in(case):
        texts = told(one)
        assert texts[0] == one.message
        assert len(set(texts)) == len(texts), texts


@pytest.mark.long
def test_a_finding_as_json_has_its_key_and_its_fields() -> None:
    (case,) = (one for one in CASES if one["name"] == "the pay is misspelt")
    [finding] = [finding for finding in found_in(case) if finding.level == "error"]
    document = json.loads(json.dumps(finding.document()))
    assert (document["key"], document["fields"]["line"]) == ("findings.pays.unknown", "flsh")
    assert document["fields"]["about"] == "five-card hand"
    for one in (one for case in CASES for one in found_in(case)):
        kept = one.document()
        assert json.loads(json.dumps(kept))["key"] == kept["key"]


def test_a_line_of_a_check_in_spanish() -> None:
    (case,) = (one for one in CASES if one["name"] == "the pay is misspelt")
    [finding] = [finding for finding in found_in(case) if finding.level == "error"]
    place = f"bad.toml:{finding.line}:{finding.column}"
    no_hand = 'la línea "flsh" no es mano de cinco cartas; ¿quiso decir "flush"?'
    assert finding.told("es") == f"{place}: error: {no_hand} ({finding.clause})"
    assert finding.told("en") == str(finding)


def test_what_a_good_sheet_has_to_say_is_told_too() -> None:
    found = examine(changed(CMS), "good.toml").findings
    assert found
    for one in found:
        assert len(set(told(one))) == len(languages())


def test_findings_that_are_left_out() -> None:
    rest = count_left_out({"error": 23, "notice": 1})
    assert in_language(rest, "es") == "y 23 errores más y 1 aviso más"
    assert in_language(count_left_out({"error": 0, "notice": 2}), "es") == "y 2 avisos más"


def test_what_cannot_be_printed_is_spelt_out_in_every_language() -> None:
    said = say("findings.named-twice", name="a\nb")
    shown = printable(said)
    assert shown == '"a\\nb" is named twice'
    assert in_language(shown, "es") == '"a\\nb" se nombra dos veces'
    assert printable("a\nb") == "a\\nb"
    known = printable(say("findings.known", words=("a\tb", "c")))
    assert in_language(known, "es") == 'se conocen "a\\tb", "c"'


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
def test_a_wrong_schedule_is_told_in_every_language(text: str) -> None:
    _, found = read_loosely(text)
    assert found
    for one in found:
        assert len(set(told(one))) == len(languages()), one


def test_wrong_house_rules_are_told_in_every_language() -> None:
    found = examined("format = 1\n", "house.toml").findings
    assert len(found) > 3
    for one in found:
        assert len(set(told(one))) == len(languages()), one


def test_an_invalid_sheet_has_its_findings_as_sentences() -> None:
    with pytest.raises(SheetInvalid) as raised:
        raise SheetInvalid(found_in(CASES[0]))
    assert all(isinstance(one.message, Sentence) for one in raised.value.findings)


@pytest.mark.long
def test_no_finding_has_its_words_in_code() -> None:
    assert not list(literal_findings(*PACKAGES))
