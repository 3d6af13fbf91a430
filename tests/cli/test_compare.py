"""`pitbook compare`: the effect of every difference between two sheets."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from tests.command_line import Ask
from tests.sheets.samples import CMS, LAS, MHL, OMS, STAX, modified_text


def test_pay_lines_and_rest_sum_to_the_difference(ask: Ask) -> None:
    document = ask("compare", CMS, OMS, "--json").document
    assert (document["a"], document["b"]) == (CMS, OMS)
    assert document["assumptions"]["limits"] is False
    main, bonus = document["wagers"]
    assert main["wager"] == "main"
    assert main["a"] == pytest.approx(0.0491486, abs=1e-7)
    assert main["difference"] == pytest.approx(main["b"] - main["a"])
    assert [line["line"] for line in main["lines"]] == [
        *("royal-flush", "straight-flush", "four-of-a-kind", "full-house"),
    ]
    total = sum(line["edge"] for line in main["lines"]) + main["rest"]
    assert total == pytest.approx(main["difference"])
    assert (bonus["wager"], bonus["b"], bonus["rest"]) == ("three-card-bonus", None, None)


def test_text_shows_each_pay_line(ask: Ask) -> None:
    text = ask("compare", CMS, OMS).out
    assert "A 4.9149%, B 9.2415%: +4.3267 points" in text
    assert re.search(r"^  royal flush +500:1 +250:1 +0\.0002% +\+0\.3078 points$", text, re.M)
    assert re.search(r"^  combined effect +-0\.0019 points$", text, re.M)
    assert "Only in A: house edge 7.2760%." in text
    assert max(map(len, text.splitlines())) <= 80


def test_different_pair_range_is_one_row(ask: Ask, tmp_path: Path) -> None:
    """pair-6-10 and pair-7-10 differ only in the pair of sixes."""
    sevens = tmp_path / "sevens.toml"
    sevens.write_text(modified_text(OMS, ('pair-6-10 = "push"', 'pair-7-10 = "push"')))
    main = ask("compare", OMS, str(sevens), "--json").document["wagers"][0]
    (row,) = main["lines"]
    assert (row["line"], row["title"]) == ("pair-6", "pair of sixes")
    assert (row["a"], row["b"], row["edge"]) == ("push", None, main["difference"])
    text = ask("compare", OMS, str(sevens)).out
    assert re.search(r"^  pair of sixes +push +not listed +2\.0399% +\+8\.2846 points$", text, re.M)
    assert "sevens" not in text.split("MAIN GAME")[1]


def test_reversed_comparison_changes_sign(ask: Ask) -> None:
    main = ask("compare", OMS, CMS, "--json").document["wagers"][0]
    assert main["difference"] < 0
    assert all(line["edge"] < 0 for line in main["lines"])


def test_equal_pay_tables_are_reported_as_equal(ask: Ask) -> None:
    text = ask("compare", LAS, STAX, "--ante", "10").out
    assert text.count("The pay tables are the same.") == 3
    assert "House edge of the main wager with best play and payout limits at $10" in text
    capped = ask("compare", CMS, LAS, "--ante", "100").out
    assert "The pay tables are the same. Other rules make the difference." in capped


def test_different_families_share_no_lines(ask: Ask) -> None:
    text = ask("compare", LAS, MHL).out
    assert "Games of different families have no payouts in common." in text


@pytest.mark.parametrize(
    ("arguments", "reason"),
    [
        ((CMS, OMS, "--ante", "10"), f"{OMS}: Ante of $10 is outside $2 to $4"),
        ((CMS, "no/such"), 'There is no sheet "no/such"'),
        ((CMS, LAS, "--ante", "x"), 'pitbook: --ante: "x" is not an amount'),
    ],
    ids=str,
)
def test_bad_input_is_refused_in_one_sentence(
    ask: Ask, arguments: tuple[str, ...], reason: str
) -> None:
    answer = ask("compare", *arguments)
    assert answer.code == 1
    assert answer.out == ""
    assert reason in answer.err
    assert answer.err.count("\n") == 1


def test_one_sheet_is_misuse(ask: Ask) -> None:
    assert ask("compare", CMS).code == 2


def test_check_prices_prose_that_contradicts_the_pay_table(ask: Ask) -> None:
    """OMS-7: computed by the command, since sheets do not compute figures."""
    message = "With the text, the house edge is 8.28 points higher than with the pay table."
    assert f"The pay table decides. {message} (OMS-7)" in ask("sheets", "check", OMS).out
    findings = ask("sheets", "check", OMS, "--json").document["findings"]
    assert [
        finding["message"].endswith(message) for finding in findings if finding["code"] == "prose"
    ] == [True]
    assert message not in ask("sheets", "check", CMS).out
