"""Figures and simulations of a cut-card shoe state their assumption."""

from __future__ import annotations

from fractions import Fraction
from math import comb, prod

import pytest
from tests.command_line import Ask
from tests.sheets.samples import CMS, LAS, MHL, modified_text, sheet_of

from pitbook.cards import Card
from pitbook.exact.lab import PayTableEdits
from pitbook.exact.methods.points.solve import count_tallies_in, hands
from pitbook.exact.methods.points.structure import Shape
from pitbook.hands.low_and_high import PointTable
from pitbook.house.web.lab_trial import printed_figures, render_trial

CUT = (
    ('fresh = { is = "each-round"', 'fresh = { is = "cut-card"'),
    ("fallback_times = 3\n", "fallback_times = 3\ncut_card = 60\n"),
)
FULL = "as if each round came from a full shoe"


@pytest.fixture(scope="module")
def cut_sheet(tmp_path_factory: pytest.TempPathFactory) -> str:
    path = tmp_path_factory.mktemp("cut") / "cut.toml"
    path.write_text(modified_text(MHL, *CUT))
    return str(path)


COMMAND_OPTIONS = {
    "math": ("math",),
    "strategy": ("strategy",),
    "simulate": ("simulate", "--rounds", "1000", "--seed", "1"),
    "session": ("session", "--bankroll", "200", "--hours", "1", "--hands-per-hour", "5"),
}


@pytest.mark.long
@pytest.mark.parametrize("name", COMMAND_OPTIONS)
def test_figures_and_simulations_state_the_assumption(ask: Ask, cut_sheet: str, name: str) -> None:
    command, *options = COMMAND_OPTIONS[name]
    answer = ask(command, cut_sheet, *options, "--json")
    assert answer.code == 0, answer.err
    assert FULL in answer.document["assumptions"]["shoe"].lower()
    text = " ".join(ask(command, cut_sheet, *options).out.lower().split())
    assert FULL in text
    assert FULL not in " ".join(ask(command, MHL, *options).out.lower().split())
    assert "shoe" not in ask(command, MHL, *options, "--json").document["assumptions"]


def test_advice_states_the_assumption(ask: Ask, cut_sheet: str) -> None:
    spot = ("--cards", "2s 3s 4s")
    assert (
        "as if from a full shoe"
        in ask("advise", cut_sheet, *spot, "--json").document["why"].lower()
    )
    assert "shoe" not in ask("advise", MHL, *spot, "--json").document["why"]


def test_comparison_names_the_sheet_with_a_cut_card(ask: Ask, cut_sheet: str) -> None:
    assert "shoe" not in ask("compare", CMS, LAS, "--json").document["assumptions"]
    document = ask("compare", MHL, cut_sheet, "--json").document
    (note,) = document["assumptions"]["shoe"].values()
    assert FULL in note.lower()
    assert f"B: {FULL}" in " ".join(ask("compare", CMS, cut_sheet).out.split())


def test_lab_states_the_assumption() -> None:
    sheet = sheet_of(modified_text(MHL, *CUT))
    assert (
        FULL
        in render_trial(
            sheet, PayTableEdits(), None, [], printed_figures(sheet, None)
        ).assumed.lower()
    )


@pytest.mark.parametrize("rank", [0, 7, 12])
def test_second_round_has_the_same_value_as_the_first(rank: int) -> None:
    """A second round averaged over all first rounds has exactly the value of the first."""
    ranks = tuple(range(2, 15))
    form = Shape(1, 2, 4, PointTable(ranks, ranks), 1, "highest", "two-to-ace")
    sums = {"low": [0, 0, 0], "high": [0, 0, 0]}
    for dealt_ranks in hands(3, 4).ranks:
        remaining = 4 - dealt_ranks.count(rank)
        ways = remaining * prod(
            comb(4, dealt_ranks.count(dealt_rank)) for dealt_rank in set(dealt_ranks)
        )
        tallies = (
            count_tallies_in(
                form, [Card(4 * rank)], [Card(4 * dealt_rank) for dealt_rank in dealt_ranks]
            )
            if remaining
            else {}
        )
        for play, tally in tallies.items():
            sums[play] = [a + ways * b for a, b in zip(sums[play], tally, strict=True)]
    for play, tally in count_tallies_in(form, [Card(4 * rank)]).items():
        first_shares = [Fraction(count, sum(tally)) for count in tally]
        assert [Fraction(count, sum(sums[play])) for count in sums[play]] == first_shares


@pytest.mark.long
@pytest.mark.parametrize(
    ("sheet", "side", "least"),
    [(CMS, "three-card-bonus=5", "5.00"), (LAS, "stax=5", "5.00"), (MHL, "poker-bonus=5", "5.00")],
)
def test_side_stakes_without_an_ante_use_the_minimum_ante(
    ask: Ask, sheet: str, side: str, least: str
) -> None:
    document = ask("math", sheet, "--side", side, "--json").document
    assert document["assumptions"]["ante"] == least
    assert document["assumptions"]["limits"] is True
    with_ante = ask("math", sheet, "--side", side, "--ante", least, "--json").document
    assert document == with_ante
    simulated = ask("simulate", sheet, "--side", side, "--rounds", "10", "--seed", "1", "--json")
    assert simulated.document["assumptions"]["ante"] == least


def test_advice_with_a_side_stake_uses_the_minimum_ante(ask: Ask) -> None:
    spot = ("advise", LAS, "--cards", "As Ks", "--side", "stax=100", "--json")
    assert ask(*spot).document == ask(*spot, "--ante", "5").document
