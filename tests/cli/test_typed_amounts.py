"""Typed amounts are parsed or refused: "5,0" is never 50."""

from __future__ import annotations

import pytest
from tests.command_line import Ask

CMS = "catfish-bend/mississippi-stud"
SPOT = ("advise", CMS, "--cards", "As Kd")
COMMANDS_WITH_AMOUNTS = (
    ("math", CMS, "--ante"),
    ("compare", CMS, "oceanfront/mississippi-stud", "--ante"),
    (*SPOT, "--ante"),
    ("simulate", CMS, "--rounds", "10", "--ante"),
    ("session", CMS, "--hours", "1", "--bankroll"),
    ("play", CMS, "--bankroll"),
)


@pytest.mark.parametrize(
    "command", COMMANDS_WITH_AMOUNTS, ids=lambda arguments: f"{arguments[0]} {arguments[-1]}"
)
def test_decimal_comma_is_refused_everywhere(ask: Ask, command: tuple[str, ...]) -> None:
    answer = ask(*command, "5,0")
    assert answer.code != 0
    assert 'Write "5.00" or "50"' in " ".join(answer.err.split())
    assert "1.000" in ask(*command, "1.000").err


def test_decimal_comma_is_refused_for_side_wagers(ask: Ask) -> None:
    answer = ask("math", CMS, "--side", "three-card-bonus=1,5")
    assert (answer.code, 'Write "1.50" or "15"' in answer.err) == (1, True)


@pytest.mark.parametrize("text", ["5,0", "1,00", "1,0000", "1_0", "10,00,000", "1,"])
def test_round_counts_allow_only_thousands_commas(ask: Ask, text: str) -> None:
    answer = ask("simulate", CMS, "--rounds", text)
    assert answer.code == 2
    assert "is not a number of rounds" in " ".join(answer.err.split())


@pytest.mark.long
@pytest.mark.parametrize("text", ["1,000", "1_000", "1000", "1e3"])
def test_thousand_with_a_comma_is_read(ask: Ask, text: str) -> None:
    document = ask("simulate", CMS, "--rounds", text, "--seed", "7", "--json").document
    assert document["rounds"] == 1_000
