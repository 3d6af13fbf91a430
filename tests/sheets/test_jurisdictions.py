"""Jurisdictions: states are recognized in any spelling, and unknown ones are errors."""

from __future__ import annotations

import tomllib

import pytest
from tests.sheets.samples import CMS, LAS, MHL, OMS, Swap, findings, messages, modified_text

from pitbook.sheets.check import check
from pitbook.sheets.clauses import clause_texts
from pitbook.sheets.findings import errors
from pitbook.sheets.jurisdictions import FILE, same_state, state_of
from pitbook.sheets.load import examine, read_sheet

HIDDEN = ("posted = true", "posted = false")
IOWA = (
    *("Iowa", "iowa", " IOWA ", "Iowa.", "IA", "US-IA", "Iowa, USA", "Iowa (US)"),
    *("State of Iowa", "the state of Iowa", "STATE OF IOWA", "Iowa State"),
)


def state_swap(state: str, before: str = "Iowa") -> Swap:
    return f'jurisdiction = "{before}"', f'jurisdiction = "{state}"'


@pytest.mark.parametrize("state", IOWA)
def test_iowas_rule_holds_in_any_spelling(state: str) -> None:
    state_messages = messages(CMS, state_swap(state), HIDDEN)
    assert state_messages == ["Iowa 491-11.7: The limit must be posted."]


@pytest.mark.parametrize("state", ["Atlantis", "Iowa or Nevada", "Iova", "XX", "USA", "1", "-"])
def test_an_unknown_state_is_an_error_with_suggestions(state: str) -> None:
    (finding,) = findings(CMS, state_swap(state))
    assert (finding.level, finding.code, finding.path) == (
        *("error", "jurisdiction", ("house", "jurisdiction")),
    )
    assert (finding.line, finding.column) == (17, 16)
    assert finding.message.startswith(f'There is no jurisdiction "{state}", so no state')
    assert 'Write "any" for no state, or add it to jurisdictions.toml' in finding.message
    assert '"' in finding.message.rpartition("; ")[2]


@pytest.mark.parametrize("state", ["any", "Nevada", "State of Nevada", "Ontario", "Louisiana"])
def test_a_known_state_without_a_rule_on_file_is_no_finding(state: str) -> None:
    assert messages(CMS, state_swap(state), HIDDEN) == []


def test_every_rule_on_file_has_a_clause_and_every_name_means_one_state() -> None:
    jurisdictions_toml = tomllib.loads(FILE.read_text(encoding="utf-8"))
    rules = [
        rule
        for state_table in jurisdictions_toml["states"].values()
        for rule in state_table.values()
        if isinstance(rule, dict)
    ]
    assert rules
    assert all(rule["clause"] and rule["note"] for rule in rules)
    names = [state_table["name"] for state_table in jurisdictions_toml["states"].values()] + list(
        jurisdictions_toml["plain"].values()
    )
    codes = [state_table["code"] for state_table in jurisdictions_toml["states"].values()] + list(
        jurisdictions_toml["plain"]
    )
    assert len(set(names)) == len(names)
    assert len(set(codes)) == len(codes)
    for name, code in zip(names, codes, strict=True):
        state = state_of(name)
        assert state is not None
        assert state.name == name
        assert state_of(code) == state


def test_oms_10_a_bet_above_the_states_limit_allows_tournaments_only() -> None:
    larger = (('max = "4"', 'max = "8"'), ('is = "4"', 'is = "8"'))
    (message,) = messages(OMS, *larger, code="new-hampshire")
    assert "above the $4 that New Hampshire allows for one wager on a game of chance" in message
    assert message.endswith("The current limit was not checked.")
    assert messages(OMS, code="new-hampshire") == []
    elsewhere = state_swap("any", "New Hampshire")
    assert messages(OMS, *larger, elsewhere, code="new-hampshire") == []


def test_a_states_rule_cites_its_statute_and_no_document_of_a_house() -> None:
    states = tomllib.loads(FILE.read_text(encoding="utf-8"))["states"].values()
    rules = [rule for state in states for rule in state.values() if isinstance(rule, dict)]
    assert len(rules) >= 3
    assert [rule["clause"] for rule in rules if rule["clause"] in clause_texts()] == []


def test_an_unnecessary_departure_is_reported() -> None:
    idle_messages = [messages(MHL, state_swap(state), code="idle") for state in ("any", "Nevada")]
    assert idle_messages == [
        ["This setting has no effect. No state is named."],
        ["This setting has no effect. The limit complies with the rules of Nevada."],
    ]


def test_same_state_in_different_spellings() -> None:
    assert same_state("State of New Hampshire", "NH")
    assert same_state("Atlantis", " atlantis ")
    assert not same_state("Atlantis", "Iowa")
    assert not same_state("Nevada", "Iowa")


OLD = {  # Sheets that were playable under earlier checks and are on record.
    "a state by its style": (CMS, (state_swap("State of Iowa"), HIDDEN)),
    "a state that is none": (CMS, (state_swap("Atlantis"),)),
    "no word on caps": (LAS, (("[uncapped]\n", "[removed]\n"),)),
    "a street called fold": (CMS, (('id = "flop"', 'id = "fold"'),)),
    "a cap on nothing": (CMS, (('odds_at_least = "100:1"', 'odds_at_least = "900:1"'),)),
    "nobody counted": (CMS, (('hands = ["player", "community"]', "hands = []"),)),
    "pieces of one name": (OMS, (('"raise", "re-raise"]', '"raise", "raise"]'),)),
    "prose that repeats": (OMS, (('pair-7-10 = "push"', 'pair-6-10 = "push"'),)),
    "one area": (MHL, (('low = "L"', 'low = "H"'),)),
    "too few decks": (MHL, (("decks = 6", "decks = 2"),)),
}


@pytest.mark.parametrize("name", OLD)
def test_newer_checks_do_not_apply_to_recorded_sheets(name: str) -> None:
    sheet_id, swaps = OLD[name]
    text = modified_text(sheet_id, *swaps)
    if "[removed]" in text:
        start = text.index("[removed]")
        text = text[:start] + text[text.index("[payouts]") :]
    sheet = read_sheet(text, "old.toml").sheet
    assert sheet is not None
    assert errors(check(sheet, thorough=False, on_record=True)) == ()
    assert errors(examine(text, "new.toml", thorough=False).findings)


def test_iowas_rule_still_applies_to_recorded_sheets() -> None:
    sheet = read_sheet(modified_text(CMS, HIDDEN), "old.toml").sheet
    assert sheet is not None
    assert [finding.code for finding in check(sheet, thorough=False, on_record=True)] == ["iowa"]
