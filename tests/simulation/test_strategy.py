"""Strategies of simulated seats: names, mistake rates, and rule files with error positions."""

from __future__ import annotations

from fractions import Fraction
from pathlib import Path

import pytest
from tests.sheets.samples import CMS, LAS, MHL, stud
from tests.simulation.plans import SEED, bundled_sheet

from pitbook.errors import PitbookError
from pitbook.exact.rule_files import StrategyError
from pitbook.money import Cents
from pitbook.rules.game import compile_game
from pitbook.simulation.compare_with_exact import check
from pitbook.simulation.methods.ladder import branches
from pitbook.simulation.plan import Plan, SimulationError, plan
from pitbook.simulation.run import run
from pitbook.simulation.strategy import strategy_of

RULES = Path(__file__).parents[1] / "exact" / "rules"


@pytest.mark.long
@pytest.mark.parametrize(
    ("text", "name", "rate"),
    [
        ("best", "best", 0),
        ("best:0.05", "best", Fraction(1, 20)),
        ("never-3x:1", "never-3x", 1),
        ("always-1x:.25", "always-1x", Fraction(1, 4)),
        (f"{RULES / 'stud.toml'}:0.5", "best play in rules", Fraction(1, 2)),
    ],
)
def test_a_text_names_a_strategy_and_its_mistakes(text: str, name: str, rate: Fraction) -> None:
    strategy = strategy_of(compile_game(bundled_sheet(CMS)), text, Cents(10_00))
    assert (strategy.name, strategy.mistakes) == (name, rate)


@pytest.mark.parametrize("rate", ["", ".", "1.5", "0.00001"])
def test_invalid_mistake_rate_is_refused(rate: str) -> None:
    with pytest.raises(
        StrategyError,
        match=r"Write a number from 0 to 1 with at most four decimals, such as best:0.05",
    ):
        strategy_of(compile_game(bundled_sheet(CMS)), f"best:{rate}", Cents(10_00))


@pytest.mark.long
@pytest.mark.parametrize(
    ("sheet", "file"),
    [(CMS, "stud.toml"), (CMS, "six-points.toml"), (MHL, "hi-lo.toml"), (MHL, "published.toml")],
)
def test_rule_files_play_as_exact_follows_them(sheet: str, file: str) -> None:
    simulation_plan = plan(bundled_sheet(sheet), strategy=str(RULES / file), seed=SEED)
    assert check(run(simulation_plan, 10**6)).agrees


TCP = "pennsylvania/three-card-poker"
WRONG = [
    (CMS, 'name = "x"\n[[street]]\nplay = 3\n', "3:8: play should be a valid string, not 3"),
    (CMS, '[[street]]\nplai = "1x"\n', '1:1: "play" is missing'),
    (CMS, '[[street]]\nplay = "1x"\nhigh = 2\n', '3:8: There is no field "high" here. Use one of'),
    (CMS, 'title = "x"\n[[street]]\nplay = "1x"\n', '1:9: There is no field "title" here.'),
    (CMS, '[[street]]\nplay = "9x"\n', '2:8: "9x" is not a play here. Use one of "fold", "1x"'),
    (CMS, '[[street]]\non = ["flop", "trun"]\nplay = "1x"\n', '2:15: "trun" is not a street here'),
    (CMS, '[[street]]\nmade = ["flsh"]\nplay = "1x"\n', '2:9: "flsh" is not a hand. Did you mean'),
    (
        CMS,
        '[[street]]\nmade = ["pair"]\nplay = "1x"\n',
        "1:1: No rule fits some hands on flop. End with",
    ),
    (
        CMS,
        '[[declare]]\nplay = "low"\n',
        "1:1: A rule file for street-stud needs [[street]] rules.",
    ),
    (MHL, '[[street]]\nplay = "1x"\n', "1:1: A rule file for hi-lo needs [[declare]] rules."),
    (MHL, '[[declare]]\nplay = "lo"\n', '2:8: "lo" is not a play here. Did you mean "low"?'),
    (CMS, "[[street]\nplay = 1x\n", "1:9: Not valid TOML: "),
]


@pytest.mark.parametrize(("sheet", "text", "reason"), WRONG, ids=[case[2] for case in WRONG])
def test_rule_file_error_has_a_position(tmp_path: Path, sheet: str, text: str, reason: str) -> None:
    path = tmp_path / "mine.toml"
    path.write_text(text)
    with pytest.raises(StrategyError) as raised:
        plan(bundled_sheet(sheet), strategy=str(path))
    assert str(raised.value).startswith(f"{path}:{reason}")


def test_play_above_the_street_maximum_has_a_position(tmp_path: Path) -> None:
    """3x is a bet of the sheet, but at this ante it exceeds the street's maximum."""
    path = tmp_path / "mine.toml"
    path.write_text('[[street]]\non = ["turn"]\nplay = "1x"\n[[street]]\nplay = "3x"\n')
    sheet = stud(CMS, ("bets = [1, 2, 3]", 'bets = [1, 2, 3]\nbet_max = "600"'))
    with pytest.raises(StrategyError, match=r'mine\.toml:5:8: "3x" is not a play here'):
        plan(sheet, ante=Cents(500_00), strategy=str(path))


def test_missing_rule_file_is_refused() -> None:
    with pytest.raises(StrategyError, match=r"nowhere\.toml cannot be read"):
        plan(bundled_sheet(CMS), strategy="nowhere.toml")


@pytest.mark.parametrize(
    ("options", "reason"),
    [
        ({"seats": 7}, "This table has 1 to 6 seats, not 7"),
        ({"seed": -1}, "The seed must be a whole number from 0 to"),
        ({"ante": Cents(1_00)}, r"Ante of \$1 is outside"),
        ({"side": {"stax": Cents(5_00)}}, 'There is no side wager "stax"'),
        ({"strategy": "mine"}, '"mine" is not a strategy'),
    ],
)
def test_plan_invalid_at_the_table_is_refused(options: dict, reason: str) -> None:  # type: ignore[type-arg]
    with pytest.raises(PitbookError, match=reason):
        plan(bundled_sheet(CMS), **options)


def test_required_wager_defaults_to_its_minimum() -> None:
    required_plan = plan(bundled_sheet("louisiana-stud/stax-required"))
    assert required_plan.side == (("stax", Cents(1_00)),)
    assert required_plan.ante == Cents(5_00)


def test_too_many_betting_paths_are_refused() -> None:
    bets = list(range(1, 19))
    sheet = stud(LAS, *[("bets = [1, 2, 3]", f"bets = {bets}")] * 3)
    many_bets_plan: Plan = plan(sheet, ante=Cents(5_00), strategy="best:0.1")
    with pytest.raises(
        SimulationError, match="The bets of this sheet have more than 4,096 outcomes"
    ):
        branches(many_bets_plan)
