"""House rules are valid, or every error is reported with its place."""

from __future__ import annotations

import json
import tomllib
from pathlib import Path
from typing import Any

import pytest

import pitbook
from pitbook.errors import LedgerError, SheetUnknown
from pitbook.house.nights import house_rules
from pitbook.money import Cents
from pitbook.sheets.findings import SheetInvalid

LIVE_POKER = """[bets.live-poker]
bet_max = "4"
raises_max = 3
clause = "OMS-10"
counts = { is = "each-bet", clause = "OMS-10" }

"""
KEPT = Path(__file__).parents[2] / "golden" / "house-rules-1.json"
FILE = house_rules.house_path("oceanfront")
TEXT = FILE.read_text(encoding="utf-8")


def finding_texts(text: str) -> list[str]:
    return [str(finding) for finding in house_rules.parse_rules(text, "house.toml").findings]


def place(text: str, word: str) -> str:
    """line:column of the only place where a word occurs."""
    before, _, _ = text.partition(word)
    assert text.count(word) == 1
    return f"{before.count(chr(10)) + 1}:{len(before) - before.rfind(chr(10))}"


def test_bundled_house_is_in_the_package_and_loads() -> None:
    assert house_rules.bundled_houses() == ["oceanfront"]
    assert Path(pitbook.__file__).parent in FILE.parents
    oceanfront = house_rules.load("oceanfront")
    assert (oceanfront.id, oceanfront.title) == (
        FILE.stem,
        "House rules of Oceanfront Gaming, Inc.",
    )
    document = "Mississippi Stud and House Rules, Oceanfront Gaming, Inc."
    assert oceanfront.source.document == document
    assert oceanfront.bets.chance.bet_max == Cents(400)
    assert oceanfront.bets.live_poker is None
    assert oceanfront.tournaments.spending.player_max == Cents(15_000)


def test_unknown_state_is_refused_and_full_state_names_are_accepted() -> None:
    ours = 'jurisdiction = "New Hampshire"'
    (finding,) = finding_texts(TEXT.replace(ours, 'jurisdiction = "New Hampster"'))
    where = place(TEXT, '"New Hampshire"')
    assert finding.startswith(f'house.toml:{where}: error: Unknown jurisdiction "New Hampster"')
    assert finding.endswith('Did you mean "New Hampshire"?')
    assert finding_texts(TEXT.replace(ours, 'jurisdiction = "State of New Hampshire"')) == []


def tables_in(part: Any, path: str = "") -> list[tuple[str, dict[str, Any]]]:
    inner = [(name, value) for name, value in part.items() if isinstance(value, dict)]
    below = [table for name, value in inner for table in tables_in(value, f"{path}.{name}")]
    plain = any(not isinstance(value, dict) for value in part.values())
    return [(path, part), *below] if plain else below


def test_every_rule_has_a_clause() -> None:
    tables = {path: table for path, table in tables_in(tomllib.loads(TEXT)) if path}
    assert [path for path, table in tables.items() if "clause" not in table] == [
        ".source",
        ".house",
    ]
    assert len(tables) == 21


def test_every_error_is_reported_with_line_column_and_remedy() -> None:
    wrong = TEXT.replace('player_max = "150"', "player_max = 150", 1)
    wrong = wrong.replace("owner =", "ownr =", 1)
    wrong = wrong.replace('is = "closing"', 'is = "closed"', 1)
    findings = finding_texts(wrong)
    assert len(findings) == 4
    assert f"house.toml:{place(wrong, 'ownr')}: error: " in findings[1]
    assert 'Did you mean "owner"?' in findings[1]
    assert '"owner" is missing in chips.' in findings[0]
    assert f"house.toml:{place(wrong, chr(34) + 'closed' + chr(34))}" in findings[2]
    assert 'Did you mean "closing"?' in findings[2]
    assert "text in quotes" in findings[3]
    quoted = [finding.quoted for finding in house_rules.parse_rules(wrong, "house.toml").findings]
    assert quoted[3] == "player_max = 150"


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        (
            'player_max = "250"',
            'player_max = "150"',
            "($150) must be above the usual one ($150). (OMS-12)",
        ),
        (
            '["1", "2", "3", "4"]',
            '["1", "3", "2"]',
            "List the chip values once each, lowest first. (OMS-18)",
        ),
        (
            'is = false, clause = "OMS-18"',
            'is = true, clause = "OMS-18"',
            "Event chips may not be used to pay for anything",
        ),
        ('bet_limit = "none"', 'bet_limit = "10"', '"bet_limit" cannot be "10"'),
        (
            "[refunds]\nchance = { is = false",
            "[refunds]\nchance = { is = true",
            "Chips are redeemed, but lost bets are not returned",
        ),
        (
            "[bets.tournament]",
            f"{LIVE_POKER}[bets.tournament]",
            "Pitbook does not deal live poker, so it cannot enforce this",
        ),
    ],
)
def test_invalid_house_rules_are_refused(old: str, new: str, message: str) -> None:
    assert TEXT.count(old) == 1
    findings = finding_texts(TEXT.replace(old, new))
    assert len(findings) == 1
    assert message in findings[0]


def test_higher_limit_may_be_a_cent_above_the_usual() -> None:
    assert finding_texts(TEXT.replace('player_max = "250"', 'player_max = "150.01"')) == []


@pytest.mark.parametrize("text", ["bets = [", "a = 1\na = 2", "= 4", 'x = "\x00"'])
def test_invalid_toml_is_reported_with_its_place(text: str) -> None:
    findings = finding_texts(text)
    assert len(findings) == 1
    assert "Not valid TOML" in findings[0]


def test_rule_sheet_is_refused_as_house_rules(tmp_path: Path) -> None:
    file = tmp_path / "sheet.toml"
    file.write_text('family = "street-stud"\n', encoding="utf-8")
    with pytest.raises(SheetInvalid, match='There is no field "family" here'):
        house_rules.load(str(file))


def test_unknown_house_suggests_the_nearest() -> None:
    with pytest.raises(SheetUnknown, match='Did you mean "oceanfront"'):
        house_rules.load("oceanfrnt")
    with pytest.raises(SheetUnknown, match="does not exist"):
        house_rules.load("nowhere.toml")


def test_hash_covers_the_meaning() -> None:
    same = house_rules.parse_rules(
        f"# Read twice.\n{TEXT}".replace("Not said; ", ""), "x.toml"
    ).table
    other = house_rules.parse_rules(TEXT.replace('bet_max = "4"', 'bet_max = "3"'), "x.toml").table
    assert same is not None
    assert other is not None
    assert house_rules.digest(same) == house_rules.digest(house_rules.load("oceanfront"))
    assert house_rules.digest(other) != house_rules.digest(same)


def test_rules_of_older_nights_keep_their_hash() -> None:
    """Those rules had a limit for live poker and no last hour."""
    stored = json.loads(KEPT.read_text(encoding="utf-8"))
    older_rules = house_rules.load_stored_rules(stored)
    assert stored["hash"] == "e22892f1f2dd1a9bfb8cbe3841c386f7ac2a7f80ff39827599f3b8d510043acc"
    assert older_rules.bets.live_poker is not None
    assert house_rules.stored_rules(older_rules) == stored
    now = house_rules.load("oceanfront")
    bets = older_rules.bets.model_copy(update={"live_poker": None})
    chips = now.chips.model_copy(update={"latest": None, "day_ends": older_rules.chips.day_ends})
    older = older_rules.model_copy(update={"bets": bets})
    assert house_rules.digest(older) == house_rules.digest(now.model_copy(update={"chips": chips}))


def test_live_poker_limit_is_refused_with_place_and_remedy() -> None:
    text = TEXT.replace("[bets.tournament]", f"{LIVE_POKER}[bets.tournament]")
    (finding,) = finding_texts(text)
    line = text[: text.index("[bets.live-poker]")].count("\n") + 1
    assert finding.startswith(f"house.toml:{line}:")
    assert "it cannot enforce this limit. Remove that table. (OMS-10)" in finding


def test_stored_rules_load_and_damage_is_detected() -> None:
    oceanfront = house_rules.load("oceanfront")
    stored = house_rules.stored_rules(oceanfront)
    assert house_rules.load_stored_rules(stored) == oceanfront
    altered = {**stored, "body": {**stored["body"], "id": "other"}}
    with pytest.raises(LedgerError, match="hash"):
        house_rules.load_stored_rules(altered)
    with pytest.raises(LedgerError, match="damaged"):
        house_rules.load_stored_rules({"hash": stored["hash"], "body": {}})
