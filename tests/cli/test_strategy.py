"""`pitbook strategy`: grid and tables as text, and the whole strategy as JSON."""

from __future__ import annotations

import re
from fractions import Fraction
from pathlib import Path

import pytest
from docs.mathematics import rule_file
from tests.command_line import Ask
from tests.sheets.samples import CMS, LAS, MHL, OMS, UNUSUAL


def test_grid_has_a_letter_for_every_starting_hand(ask: Ask) -> None:
    text = ask("strategy", CMS).out
    rows = re.findall(r"^   ([AKQJT2-9])((?:  [F123]){13})$", text, re.M)
    assert [row[0] for row in rows] == list("AKQJT98765432")
    plays = [row[1].split() for row in rows]
    assert [plays[place][place] for place in range(13)] == ["3"] * 13
    assert plays[8][9] == "1", "six and five of one suit"
    assert plays[9][8] == "F", "six and five of two suits"
    assert "  1 1x, 3 3x, F fold." in text


def test_streets_are_listed_by_hands_and_draws(ask: Ask) -> None:
    text = ask("strategy", CMS).out
    assert (
        "TURN BET, 2 ANTES BET SO FAR ───────────────────────────────────────────────────" in text
    )
    assert re.search(r"^   1x   pair of twos to fives$", text, re.M)
    assert re.search(r"^  3 middle +· +1 +1 +1 +· +1 +1 +3$", text, re.M)
    assert "RIVER BET, 7 ANTES BET SO FAR" in text
    assert max(map(len, text.splitlines())) <= 80


def test_single_street_can_be_shown(ask: Ask) -> None:
    text = ask("strategy", OMS, "--ante", "2", "--street", "5th-street").out
    assert "5TH STREET BET" in text
    assert "4TH STREET BET" not in text
    assert "With an ante of $2 and all payout limits." in " ".join(text.split())
    document = ask("strategy", CMS, "--street", "turn", "--json").document
    assert {street["street"] for street in document["streets"]} == {"turn"}


def test_whole_strategy_as_json(ask: Ask) -> None:
    document = ask("strategy", CMS, "--json").document
    streets = document["streets"]
    assert [(street["street"], street["units"], len(street["plays"])) for street in streets] == [
        ("flop", 1, 169),
        *(("turn", units, 741) for units in (2, 3, 4)),
        *(("river", units, 2535) for units in (3, 4, 5, 6, 7)),
    ]
    assert streets[0]["plays"]["A K suited"] == "1x"
    assert streets[0]["worth"]["7 2"] == "-1"
    assert document["expected"] == "-53223/1082900"
    assert document["cost"] == "0"
    assert Fraction(document["simpler"]["never-fold"]) == Fraction(225772, 812175)


def test_hi_lo_strategy_is_by_points(ask: Ask) -> None:
    text = ask("strategy", MHL).out
    for line in (
        r"  0 to 6 +LD +low\+double",
        r"  7 to 13 +L +low ",
        r"  14 to 21 +H +high ",
        r"  22 to 30 +HD +high\+double",
        r"  12 to 21 low, 22 to 31 high +HD",
    ):
        assert re.search(f"^{line}", text, re.M), line
    assert "ONE ACE" in text
    (table,) = ask("strategy", MHL, "--json").document["streets"]
    assert len(table["plays"]) == 455
    assert table["plays"]["A A A"] == "high+double"


@pytest.mark.long
def test_simpler_strategy_shows_its_cost(ask: Ask) -> None:
    text = ask("strategy", CMS).out
    assert re.search(r"^  never-fold +0\.277984 +32\.7133%$", text, re.M)
    text = ask("strategy", LAS, "--name", "never-3x").out
    assert (
        "It costs 0.337766 (2194603/6497400) antes per round compared with best play"
        in " ".join(text.split())
    )
    assert " 3 3x" not in text


@pytest.mark.long
def test_rule_file_of_the_documentation_is_played(ask: Ask, tmp_path: Path) -> None:
    path = tmp_path / "points.toml"
    path.write_text(rule_file(), encoding="utf-8")
    text = ask("strategy", CMS, "--name", str(path)).out
    assert 'Strategy "points".' in text
    assert "House edge: 6.5773%" in text


@pytest.mark.parametrize("sheet", ["bets-withdrawn", "three-hole-cards"])
def test_first_street_without_two_hole_cards_is_a_table(ask: Ask, sheet: str) -> None:
    path = str(UNUSUAL / f"{sheet}.toml")
    text = ask("strategy", path).out
    assert "BET, 1 ANTE BET SO FAR ───" in text.replace("BET 1,", "BET,")
    assert "diagonal" not in text
    answer = ask("strategy", path, "--plot", "grid.svg")
    assert answer.code == 1
    assert "Only two hole cards make a 13 by 13 grid." in answer.err


@pytest.mark.long
def test_plot_is_written(ask: Ask, tmp_path: Path) -> None:
    path = tmp_path / "grid.png"
    assert ask("strategy", CMS, "--plot", str(path)).code == 0
    assert path.read_bytes().startswith(b"\x89PNG")


BAD_RULES = {
    "not toml": ("x = = 1", "is not valid TOML"),
    "unknown field": ('[[street]]\nplay = "1x"\nplays = 1', "street.0.plays"),
    "for the other family": (
        '[[declare]]\nplay = "low"',
        "pitbook: A rule file for street-stud needs [[street]] rules",
    ),
    "no play": ('[[street]]\nplay = "9x"', '"9x" is not a play here'),
    "no such street": ('[[street]]\non = ["turm"]\nplay = "1x"', '"turm" is not a street here'),
    "gaps": ('[[street]]\nsuited = true\nplay = "1x"', "pitbook: No rule fits some hands on flop"),
}


@pytest.mark.parametrize("case", BAD_RULES)
def test_bad_rule_file_is_refused_in_one_sentence(ask: Ask, tmp_path: Path, case: str) -> None:
    text, reason = BAD_RULES[case]
    path = tmp_path / "rules.toml"
    path.write_text(text)
    answer = ask("strategy", CMS, "--name", str(path))
    assert answer.code == 1
    assert answer.out == ""
    assert reason in answer.err
    assert answer.err.count("\n") == 1


REFUSED = [
    ((CMS, "--street", "trun"), 'There is no street "trun". Did you mean "turn"?'),
    ((MHL, "--street", "flop"), 'Its only decision is "declare"'),
    ((CMS, "--name", "always-fold"), '"always-fold" is not a strategy'),
    ((MHL, "--name", "never-3x"), '"never-3x" is not a strategy'),
    ((CMS, "--name", "none.toml"), "none.toml cannot be read"),
    ((CMS, "--ante", "1"), "Ante of $1 is outside"),
]


@pytest.mark.parametrize(("arguments", "reason"), REFUSED, ids=lambda case: str(case)[:40])
def test_bad_input_is_refused_in_one_sentence(
    ask: Ask, arguments: tuple[str, ...], reason: str
) -> None:
    answer = ask("strategy", *arguments)
    assert answer.code == 1
    assert answer.out == ""
    assert reason in answer.err
    assert answer.err.count("\n") == 1
