"""A shoe with a cut card: every figure and every simulation says what it assumes of it."""

from __future__ import annotations

from fractions import Fraction
from math import comb, prod

import pytest
from tests.command_line import Ask
from tests.sheets.samples import CMS, LAS, MHL, changed, sheet_of

from pitbook.cards import Card
from pitbook.exact.lab import PayTableEdits
from pitbook.exact.methods.points.solve import count_tallies_in, hands
from pitbook.exact.methods.points.structure import Shape
from pitbook.hands.points import PointTable
from pitbook.house.web.lab_trial import printed, told

CUT = (
    ('fresh = { is = "each-round"', 'fresh = { is = "cut-card"'),
    ("fallback_times = 3\n", "fallback_times = 3\ncut_card = 60\n"),
)
FULL = "as if each round came from a full shoe"


@pytest.fixture(scope="module")
def cut(tmp_path_factory: pytest.TempPathFactory) -> str:
    path = tmp_path_factory.mktemp("cut") / "cut.toml"
    path.write_text(changed(MHL, *CUT))
    return str(path)


ASKED = {
    "math": ("math",),
    "strategy": ("strategy",),
    "simulate": ("simulate", "--rounds", "1000", "--seed", "1"),
    "session": ("session", "--bankroll", "200", "--hours", "1", "--hands-per-hour", "5"),
}


@pytest.mark.long
@pytest.mark.parametrize("name", ASKED)
def test_figures_and_simulations_say_it(ask: Ask, cut: str, name: str) -> None:
    command, *options = ASKED[name]
    answer = ask(command, cut, *options, "--json")
    assert answer.code == 0, answer.err
    assert FULL in answer.document["assumptions"]["shoe"].lower()
    said = " ".join(ask(command, cut, *options).out.lower().split())
    assert FULL in said
    assert FULL not in " ".join(ask(command, MHL, *options).out.lower().split())
    assert "shoe" not in ask(command, MHL, *options, "--json").document["assumptions"]


def test_advice_says_it(ask: Ask, cut: str) -> None:
    spot = ("--cards", "2s 3s 4s")
    assert "as if from a full shoe" in ask("advise", cut, *spot, "--json").document["why"].lower()
    assert "shoe" not in ask("advise", MHL, *spot, "--json").document["why"]


def test_a_comparison_says_it_of_the_sheet_that_has_one(ask: Ask, cut: str) -> None:
    assert "shoe" not in ask("compare", CMS, LAS, "--json").document["assumptions"]
    document = ask("compare", MHL, cut, "--json").document
    (said,) = document["assumptions"]["shoe"].values()
    assert FULL in said.lower()
    assert f"B: {FULL}" in " ".join(ask("compare", CMS, cut).out.split())


def test_the_lab_says_it() -> None:
    sheet = sheet_of(changed(MHL, *CUT))
    assert FULL in told(sheet, PayTableEdits(), None, [], printed(sheet, None)).assumed.lower()


@pytest.mark.parametrize("own", [0, 7, 12])
def test_what_it_says_is_true(own: int) -> None:
    """A second round over all first ones, cards by cards, is worth just what the first is."""
    ranks = tuple(range(2, 15))
    form = Shape(1, 2, 4, PointTable(ranks, ranks), 1, "highest", "two-to-ace")
    sums = {"low": [0, 0, 0], "high": [0, 0, 0]}
    for gone in hands(3, 4).ranks:
        left = 4 - gone.count(own)
        ways = left * prod(comb(4, gone.count(one)) for one in set(gone))
        tallies = (
            count_tallies_in(form, [Card(4 * own)], [Card(4 * one) for one in gone]) if left else {}
        )
        for play, tally in tallies.items():
            sums[play] = [a + ways * b for a, b in zip(sums[play], tally, strict=True)]
    for play, tally in count_tallies_in(form, [Card(4 * own)]).items():
        whole = [Fraction(one, sum(tally)) for one in tally]
        assert [Fraction(one, sum(sums[play])) for one in sums[play]] == whole


@pytest.mark.long
@pytest.mark.parametrize(
    ("sheet", "side", "least"),
    [(CMS, "three-card-bonus=5", "5.00"), (LAS, "stax=5", "5.00"), (MHL, "poker-bonus=5", "5.00")],
)
def test_side_stakes_without_an_ante_stand_beside_the_smallest(
    ask: Ask, sheet: str, side: str, least: str
) -> None:
    document = ask("math", sheet, "--side", side, "--json").document
    assert document["assumptions"]["ante"] == least
    assert document["assumptions"]["limits"] is True
    told = ask("math", sheet, "--side", side, "--ante", least, "--json").document
    assert document == told
    simulated = ask("simulate", sheet, "--side", side, "--rounds", "10", "--seed", "1", "--json")
    assert simulated.document["assumptions"]["ante"] == least


def test_advice_with_a_side_stake_stands_beside_the_smallest_ante(ask: Ask) -> None:
    spot = ("advise", LAS, "--cards", "As Ks", "--side", "stax=100", "--json")
    assert ask(*spot).document == ask(*spot, "--ante", "5").document
