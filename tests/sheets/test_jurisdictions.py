"""States are data with clauses: however a state is written its rules hold, and none is unknown."""

from __future__ import annotations

import tomllib

import pytest
from tests.sheets.samples import CMS, LAS, MHL, OMS, Swap, changed, findings, messages

from pitbook.sheets.check import check
from pitbook.sheets.findings import errors
from pitbook.sheets.jurisdictions import FILE, same_state, state_of
from pitbook.sheets.load import examine, read_sheet

HIDDEN = ("posted = true", "posted = false")
IOWA = (
    *("Iowa", "iowa", " IOWA ", "Iowa.", "IA", "US-IA", "Iowa, USA", "Iowa (US)"),
    *("State of Iowa", "the state of Iowa", "STATE OF IOWA", "Iowa State"),
)


def written(state: str, before: str = "Iowa") -> Swap:
    return f'jurisdiction = "{before}"', f'jurisdiction = "{state}"'


@pytest.mark.parametrize("state", IOWA)
def test_iowas_rule_holds_however_iowa_is_written(state: str) -> None:
    said = messages(CMS, written(state), HIDDEN)
    assert said == ["Iowa 491-11.7: the limit must be posted"]


@pytest.mark.parametrize("state", ["Atlantis", "Iowa or Nevada", "Iova", "XX", "USA", "1", "-"])
def test_an_unknown_state_is_an_error_that_names_known_ones_and_the_way_out(state: str) -> None:
    (found,) = findings(CMS, written(state))
    assert (found.level, found.code, found.path) == (
        *("error", "jurisdiction", ("house", "jurisdiction")),
    )
    assert (found.line, found.column) == (17, 16)
    assert found.message.startswith(f'jurisdiction "{state}" is not known, so no state')
    assert 'write "any" where no state is meant, or add it to jurisdictions.toml' in found.message
    assert '"' in found.message.rpartition("; ")[2]


@pytest.mark.parametrize("state", ["any", "Nevada", "State of Nevada", "Ontario", "Louisiana"])
def test_a_known_state_without_a_rule_on_file_is_no_finding(state: str) -> None:
    assert messages(CMS, written(state), HIDDEN) == []


def test_every_rule_on_file_has_a_clause_and_every_name_means_one_state() -> None:
    told = tomllib.loads(FILE.read_text(encoding="utf-8"))
    rules = [
        rule for one in told["states"].values() for rule in one.values() if isinstance(rule, dict)
    ]
    assert rules
    assert all(rule["clause"] and rule["note"] for rule in rules)
    names = [one["name"] for one in told["states"].values()] + list(told["plain"].values())
    codes = [one["code"] for one in told["states"].values()] + list(told["plain"])
    assert len(set(names)) == len(names)
    assert len(set(codes)) == len(codes)
    for name, code in zip(names, codes, strict=True):
        meant = state_of(name)
        assert meant is not None
        assert meant.name == name
        assert state_of(code) == meant


def test_oms_10_a_bet_above_the_states_limit_leaves_a_sheet_for_tournaments() -> None:
    larger = (('max = "4"', 'max = "8"'), ('is = "4"', 'is = "8"'))
    (said,) = messages(OMS, *larger, code="new-hampshire")
    assert said.startswith("a game of chance takes bets of at most $4 in New Hampshire, and the")
    assert messages(OMS, code="new-hampshire") == []
    elsewhere = written("any", "New Hampshire")
    assert messages(OMS, *larger, elsewhere, code="new-hampshire") == []


def test_a_departure_that_is_none_is_told() -> None:
    said = [messages(MHL, written(state), code="idle") for state in ("any", "Nevada")]
    assert said == [
        ["this choice decides nothing here: no state is named"],
        ["this choice decides nothing here: no rule of Nevada is broken"],
    ]


def test_two_houses_under_one_state_however_each_writes_it() -> None:
    assert same_state("State of New Hampshire", "NH")
    assert same_state("Atlantis", " atlantis ")
    assert not same_state("Atlantis", "Iowa")
    assert not same_state("Nevada", "Iowa")


OLD = {  # Sheets that could be played by before and are on record.
    "a state by its style": (CMS, (written("State of Iowa"), HIDDEN)),
    "a state that is none": (CMS, (written("Atlantis"),)),
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
def test_what_was_never_minded_is_not_minded_on_record(name: str) -> None:
    sheet_id, swaps = OLD[name]
    text = changed(sheet_id, *swaps)
    if "[removed]" in text:
        start = text.index("[removed]")
        text = text[:start] + text[text.index("[payouts]") :]
    sheet = read_sheet(text, "old.toml").sheet
    assert sheet is not None
    assert errors(check(sheet, thorough=False, on_record=True)) == ()
    assert errors(examine(text, "new.toml", thorough=False).findings)


def test_iowa_written_plainly_is_minded_on_record_as_ever() -> None:
    sheet = read_sheet(changed(CMS, HIDDEN), "old.toml").sheet
    assert sheet is not None
    assert [one.code for one in check(sheet, thorough=False, on_record=True)] == ["iowa"]
