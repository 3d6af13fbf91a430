"""`pitbook math`: the JSON document, the printed figures, and refusals."""

from __future__ import annotations

import re
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest
from tests.command_line import Ask
from tests.sheets.samples import CMS, IDS, MHL, OMS, STAX, UNUSUAL

FIGURES = {
    *("expected", "house_edge", "average_wager", "element_of_risk", "standard_deviation"),
    *("win", "push", "lose", "hit_frequency", "volatility_index", "outcomes"),
}


def figures(document: dict[str, Any], wager: str = "main") -> dict[str, Any]:
    wager_figures: dict[str, Any] = document["wagers"][wager]
    return wager_figures


def test_json_matches_the_contract(ask: Ask) -> None:
    document = ask("math", CMS, "--json").document
    assert document["sheet"] == CMS
    assert len(document["hash"]) == 64
    expected = {"ante": None, "limits": False, "seats": 1, "ties": "smallest bet"}
    assert document["assumptions"].items() >= expected.items()
    assert list(document["wagers"]) == ["main", "three-card-bonus"]
    main = figures(document)
    assert main.keys() >= FIGURES
    assert main["expected"] == "-53223/1082900"
    assert main["average_wager"] == "74757/20825"
    assert main["house_edge"] == pytest.approx(0.04914858, abs=1e-8)
    assert main["element_of_risk"] == pytest.approx(0.0136913, abs=1e-7)
    assert main["standard_deviation"] == pytest.approx(9.836641, abs=1e-6)
    assert figures(document, "three-card-bonus")["expected"] == "-402/5525"
    assert list(main["fold_rate"]) == ["flop", "turn", "river"]


@pytest.mark.parametrize("sheet", IDS)
def test_outcomes_add_up(ask: Ask, sheet: str) -> None:
    for wager_figures in ask("math", sheet, "--json").document["wagers"].values():
        rows = wager_figures["outcomes"]
        assert sum(Fraction(row["probability"]) for row in rows) == 1
        assert sum(Fraction(row["contribution"]) for row in rows) == Fraction(
            wager_figures["expected"]
        )
        staked = sum(Fraction(row["probability"]) * Fraction(row["units"]) for row in rows)
        assert staked == Fraction(wager_figures["average_wager"])


def test_an_ante_applies_the_caps(ask: Ask) -> None:
    document = ask("math", CMS, "--ante", "10", "--wager", "main", "--json").document
    assert document["assumptions"]["ante"] == "10.00"
    assert document["assumptions"]["limits"] is True
    assert figures(document)["expected"] == "-13924/270725"


@pytest.mark.long
def test_side_wagers_add_figures_of_the_whole_round(ask: Ask) -> None:
    arguments = ("math", MHL, "--ante", "10", "--side", "poker-bonus=5")
    document = ask(*arguments, "--json").document
    main, bonus = (
        Fraction(figures(document, wager)["expected"]) for wager in ("main", "poker-bonus")
    )
    assert Fraction(document["round"]["expected"]) == main + bonus / 2
    assert document["assumptions"]["side"] == {"poker-bonus": "5.00"}
    text = ask(*arguments).out
    assert "WHOLE ROUND WITH POKER BONUS $5" in text
    assert "  All 48 different results are in the --json output" in text


def test_text_states_assumptions_and_figures(ask: Ask) -> None:
    answer = ask("math", CMS)
    assert answer.err == ""
    for sentence in (
        "Ties go to the smallest bet (GEN-16)",
        "with no payout limits",
        "4.9149% of the ante",
        "-0.049149 (-53223/1082900) antes per round",
        "1.3691% of the total bet",
        "Flop bet 31.07%, Turn bet 7.67%, River bet 4.85%",
        "pushes not counted",
        "7.2760% of the wager",
    ):
        assert sentence in answer.out
    assert re.search(r"^  fold +67,988,544 +0\.435998 +-0\.609850$", answer.out, re.M)
    assert re.search(r"^  all +155,937,600 +1\.000000 +-0\.049149$", answer.out, re.M)
    assert max(map(len, answer.out.splitlines())) <= 80


def test_text_at_a_stake_states_exclusions(ask: Ask) -> None:
    text = " ".join(ask("math", CMS, "--ante", "50").out.split())
    assert "With an ante of $50 and all payout limits." in text
    assert "Other seats' winnings under a round limit are not included." in text
    assert "Side wagers not named are at their minimum." in text


def test_hi_lo_text_is_in_bets(ask: Ask) -> None:
    text = ask("math", MHL, "--wager", "main").out
    assert "2.5968% of the Bet" in text
    assert re.search(r"^  low wins", text, re.M)
    assert re.search(r"^  loses", text, re.M)
    assert "ante" not in text


def test_required_side_wager_is_mentioned(ask: Ask) -> None:
    text = " ".join(ask("math", STAX).out.split())
    assert "A round here needs 5 Card Poker STAX. Use --side stax=D" in text


@pytest.mark.parametrize("sheet", sorted(UNUSUAL.glob("*.toml")), ids=lambda path: path.stem)
def test_unusual_sheets_have_figures(ask: Ask, sheet: Path) -> None:
    answer = ask("math", str(sheet), "--wager", "main")
    assert answer.code == 0
    assert "House edge" in answer.out


def test_strategy_option_changes_the_main_game(ask: Ask, tmp_path: Path) -> None:
    main_figures = figures(ask("math", CMS, "--strategy", "never-3x", "--json").document)
    assert Fraction(main_figures["cost"]) == Fraction(2194603, 6497400)
    assert Fraction(main_figures["expected"]) == Fraction(-53223, 1082900) - Fraction(
        main_figures["cost"]
    )
    rules = tmp_path / "calm.toml"
    rules.write_text('name = "calm"\n[[street]]\nplay = "1x"\n')
    answer = ask("math", CMS, "--strategy", str(rules))
    assert 'Strategy "calm".' in answer.out
    assert "  Cost against best play   costs 1.107086 (3596591/3248700) antes" in answer.out
    always = figures(ask("math", CMS, "--strategy", "always-1x", "--json").document)
    assert always["fold_rate"] == {}


REFUSED = [
    (("--ante", "1"), "Ante of $1 is outside $5 to $500"),
    (("--ante", "ten"), '--ante: "ten" is not an amount'),
    (("--wager", "bonus"), 'There is no wager "bonus". Use one of "main", "three-card-bonus"'),
    (("--side", "stax=5"), 'There is no side wager "stax"'),
    (("--side", "three-card-bonus=x"), "--side three-card-bonus:"),
    (
        ("--side", "three-card-bonus=5", "--side", "three-card-bonus=5"),
        'has "three-card-bonus" twice',
    ),
    (("--seats", "9"), "This table has 1 to 6 seats, not 9"),
    (
        ("--seats", "2", "--ante", "10"),
        "There is no exact figure for a round limit that several seats share",
    ),
    (("--strategy", "mine"), '"mine" is not a strategy. Use one of best, never-fold, '),
    (("--strategy", "mine.toml"), "mine.toml cannot be read"),
    (("--strategy", "never-3x", "--side", "three-card-bonus=5"), "Leave out --side and --wager"),
    (
        ("--strategy", "never-3x", "--plot", "x.svg", "--plot-kind", "edge"),
        "works only with best play",
    ),
    (("--plot", "no/such/folder/x.svg"), "the folder no/such/folder does not exist"),
]


@pytest.mark.parametrize(("arguments", "reason"), REFUSED, ids=lambda case: str(case)[:40])
def test_bad_input_is_refused_in_one_sentence(
    ask: Ask, arguments: tuple[str, ...], reason: str
) -> None:
    answer = ask("math", CMS, *arguments)
    assert answer.code == 1
    assert answer.out == ""
    assert reason in answer.err
    assert answer.err.count("\n") == 1
    assert reason in ask("math", CMS, *arguments, "--json").document["error"]


@pytest.mark.parametrize(
    "arguments",
    [("--side", "stax"), ("--seats", "two"), ("--plot", "x.gif"), ("--plot-kind", "pie"), ("x",)],
    ids=" ".join,
)
def test_misuse_is_exit_2(ask: Ask, arguments: tuple[str, ...]) -> None:
    answer = ask("math", CMS, *arguments)
    assert answer.code == 2
    assert "Error: " in answer.err


@pytest.mark.slow_cases("edge", "outcomes")
@pytest.mark.long
@pytest.mark.parametrize("kind", ["outcomes", "grid", "edge"])
def test_plots_are_written(ask: Ask, tmp_path: Path, kind: str) -> None:
    path = tmp_path / f"{kind}.svg"
    answer = ask("math", OMS, "--plot", str(path), "--plot-kind", kind)
    assert answer.code == 0
    assert "Ties go to the smallest bet (GEN-16)" in answer.out
    assert path.read_bytes().startswith(b"<?xml")


@pytest.mark.long
def test_plot_is_written_as_pdf(ask: Ask, tmp_path: Path) -> None:
    path = tmp_path / "edge.pdf"
    answer = ask("math", OMS, "--plot", str(path), "--plot-kind", "edge")
    assert answer.code == 0
    assert path.read_bytes().startswith(b"%PDF-")


@pytest.mark.long
def test_unwritable_plot_is_refused(ask: Ask, tmp_path: Path) -> None:
    (tmp_path / "taken.png").mkdir()
    answer = ask("math", OMS, "--plot", str(tmp_path / "taken.png"))
    assert answer.code == 1
    assert "Is a directory" in answer.err
