"""Strategies: none beats the best, simpler ones cost what plain counting says, rule files work."""

from __future__ import annotations

from collections.abc import Callable
from copy import deepcopy
from fractions import Fraction
from pathlib import Path
from random import Random
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.exact.example_sheets import unusual_stud
from tests.exact.plain_stud import PlainStud
from tests.random_sheets.sheets import document, street_stud_sheets
from tests.rules.oracle import pay
from tests.sheets.samples import CMS, MHL, OMS, hi_lo, stud

from pitbook.cards import Card, cards, names
from pitbook.exact.methods.ladder.solve import solve
from pitbook.exact.methods.ladder.strategies import Chooser, LadderStrategy, build_policy
from pitbook.exact.methods.points import solve as hi_lo_solver
from pitbook.exact.outcome_figures import Figures
from pitbook.exact.rule_files import BYTES_MAX, StrategyError, load_rules
from pitbook.exact.strategies import (
    follow,
    rule_figures,
    starting_hand_grid,
    strategy_figures,
    strategy_lines,
)
from pitbook.hands.ranking import HandClass
from pitbook.money import Cents
from pitbook.rules.families.street_stud.sheet import StreetStud

RULES = Path(__file__).parent / "rules"


@pytest.mark.long
@pytest.mark.parametrize("ante", [None, 500_00])
@pytest.mark.parametrize("name", ["always-1x", "never-fold", "never-3x", "never-2x", "always-3x"])
def test_simpler_strategies_against_plain_counting(name: str, ante: int | None) -> None:
    """The same game with fewer plays on the sheet, over every board of every starting hand."""
    sheet = stud(CMS)
    stake = None if ante is None else Cents(ante)
    figures, best = strategy_figures(sheet, name, stake), strategy_figures(sheet, "best", stake)
    assert figures.expected <= best.expected == solve(sheet, stake).expected
    if name in ("always-1x", "never-3x"):
        plain = PlainStud(sheet_without(document(sheet), name), ante).round()
        assert (figures.expected, figures.variance) == (plain.expected, plain.variance)
        assert figures.average_wager == plain.average_wager


def test_always_1x_bets_four_antes_on_every_hand() -> None:
    figures = strategy_figures(stud(CMS), "always-1x")
    assert figures.average_wager == 4
    hand = sum(row.net / row.units * row.count for row in figures.rows)
    assert figures.expected == 4 * Fraction(hand) / figures.rounds


def test_never_2x_costs_nothing() -> None:
    sheet = stud(CMS)
    assert strategy_figures(sheet, "never-2x").expected == strategy_figures(sheet, "best").expected
    assert strategy_figures(sheet, "never-3x").expected < strategy_figures(sheet, "best").expected


def sheet_without(sheet: dict[str, Any], name: str) -> dict[str, Any]:
    changed = deepcopy(sheet)
    for street in changed["streets"]:
        if name == "always-1x":
            street["bets"], street["fold"] = [1], False
        else:
            street["bets"].remove(3)
    return changed


@pytest.mark.long
@settings(max_examples=8)
@given(street_stud_sheets(), st.booleans(), st.randoms(use_true_random=False))
def test_random_play_never_beats_best_play(sheet: StreetStud, capped: bool, rng: Random) -> None:
    stake = sheet.ante.min if capped else None
    solution = solve(sheet, stake)

    def choose(street: int, hand: HandClass, units: int) -> str:
        (choice, *_) = solution.streets[street].values()
        return rng.choice(choice.plays)

    assert evaluate(sheet, choose, stake).expected <= solution.expected


@pytest.mark.parametrize("ante", [None, 300_00])
def test_following_strategy_lines_is_best_play(ante: int | None) -> None:
    sheet = stud(CMS)
    stake = None if ante is None else Cents(ante)
    plays = {
        (line.street, line.cards, line.units): line.play for line in strategy_lines(sheet, stake)
    }
    assert len(plays) == 169 + 3 * 741 + 5 * 2535
    ids = [street.id for street in sheet.streets]

    def choose(street: int, hand: HandClass, units: int) -> str:
        return plays[ids[street], hand_text(hand), units]

    followed_figures, best = evaluate(sheet, choose, stake), strategy_figures(sheet, "best", stake)
    assert followed_figures == best


def evaluate(sheet: StreetStud, choose: Chooser, ante: Cents | None) -> Figures:
    solution = solve(sheet, ante)
    return LadderStrategy("a rule", solution, build_policy(solution, choose)).figures


def hand_text(hand: HandClass) -> str:
    ranks = ("2", "3", "4", "5", "6", "7", "8", "9", "10", "J", "Q", "K", "A")
    return " ".join(ranks[card_rank] for card_rank in hand.ranks) + (
        " suited" if hand.suited else ""
    )


def test_starting_hand_grid_has_169_hands() -> None:
    grid = starting_hand_grid(stud(CMS))
    assert len(grid) == 169
    assert sum(" suited" in hand for hand in grid) == 78
    assert {grid[f"{rank} {rank}"]["play"] for rank in ("2", "7", "10", "A")} == {"3x"}
    assert grid["A 2"]["play"] == "1x"
    assert grid["6 5 suited"]["play"] == "1x"
    assert grid["6 5"]["play"] == grid["5 4 suited"]["play"] == "fold"
    assert grid["6 5"]["worth"] == -1
    assert grid["A A"]["worth"] == PlainStud(document(stud(CMS))).spot([48, 49]).values["3x"]
    with pytest.raises(StrategyError, match="Only two hole cards make a 13 by 13 grid"):
        starting_hand_grid(unusual_stud("three-hole-cards"))


def test_hi_lo_strategy_lines_cover_every_hand() -> None:
    lines = list(strategy_lines(hi_lo(MHL)))
    assert len(lines) == 455
    assert {line.street for line in lines} == {"declare"}
    assert next(line for line in lines if line.cards == "K Q J").play == "low+double"
    assert next(line for line in lines if line.cards == "A A A").play == "high+double"


@pytest.mark.slow
def test_rule_file_of_best_play_costs_nothing() -> None:
    rules = load_rules(RULES / "stud.toml")
    no_wheel = stud(
        CMS, ('ace_in_straights = { is = "high-or-low"', 'ace_in_straights = { is = "high"')
    )
    assert rule_figures(no_wheel, rules).expected == solve(no_wheel).expected
    # With a low ace, four cards to a wheel are a draw that these rules ignore.
    cost = solve(stud(CMS)).expected - rule_figures(stud(CMS), rules).expected
    assert 0 < cost < Fraction(1, 9_000)


@pytest.mark.slow
def test_hi_lo_rule_file_of_best_play_costs_nothing() -> None:
    sheet = hi_lo(MHL)
    figures = rule_figures(sheet, load_rules(RULES / "hi-lo.toml"))
    assert figures == strategy_figures(sheet, "best")
    basic = rule_figures(sheet, load_rules(RULES / "published.toml"))
    assert basic.expected < figures.expected


@pytest.mark.slow_cases("As 7d", "Kh 8h")
@pytest.mark.long
@pytest.mark.parametrize("hole_text", ["As 7d", "9c 9d", "Kh 8h", "Ts 6d"])
def test_rule_file_equals_plain_enumeration(hole_text: str) -> None:
    """Every ordered board under the rules, written again in Python."""
    sheet = stud(CMS)
    strategy = follow(sheet, str(RULES / "six-points.toml"))
    assert isinstance(strategy, LadderStrategy)
    hole = cards(hole_text)
    ranks = tuple(sorted((card // 4 for card in hole), reverse=True))
    suited = hole[0] % 4 == hole[1] % 4
    (spot,) = (
        spot_
        for spot_ in strategy.spots(0, (0,))
        if (spot_.hand.ranks, spot_.hand.suited) == (ranks, suited)
    )
    worth = value_by_dealing(_six_points, odds_lookup(document(sheet)), hole)
    assert spot.worth == worth


def _six_points(cards_seen: tuple[int, ...], units: int) -> int:
    ranks = [card // 4 for card in cards_seen]
    if any(ranks.count(rank) > 1 and rank >= 4 for rank in ranks):
        return 3
    points = sum(2 if rank >= 9 else 1 if rank >= 4 else 0 for rank in ranks)
    return 1 if points >= len(cards_seen) else 0


def value_by_dealing(
    play: Callable[[tuple[int, ...], int], int],
    odds: Callable[[tuple[int, ...]], Fraction],
    hole: tuple[Card, ...],
) -> Fraction:
    def value_of(cards_seen: tuple[int, ...], units: int) -> Fraction:
        if len(cards_seen) == 5:
            return odds(cards_seen) * units
        bet = play(cards_seen, units)
        if not bet:
            return Fraction(-units)
        unseen = [card for card in range(52) if card not in cards_seen]
        return sum(
            (value_of((*cards_seen, card), units + bet) for card in unseen), Fraction(0)
        ) / len(unseen)

    return value_of(hole, 1)


def odds_lookup(sheet: dict[str, Any]) -> Callable[[tuple[int, ...]], Fraction]:
    odds_by_hand: dict[tuple[tuple[int, ...], bool], Fraction] = {}

    def odds_of(hand: tuple[int, ...]) -> Fraction:
        key = (tuple(sorted(card // 4 for card in hand)), len({card % 4 for card in hand}) == 1)
        if key not in odds_by_hand:
            _, odds = pay(sheet, "main", names(Card(card) for card in hand).split())
            text = {None: "-1", "push": "0"}.get(odds, str(odds).replace(":", "/"))
            odds_by_hand[key] = Fraction(text)
        return odds_by_hand[key]

    return odds_of


BAD_RULES = [
    ("play = ", "is not valid TOML"),
    ("\xff", "is not UTF-8 text"),
    ('name = "x"\nstreets = []', "streets: Extra inputs are not permitted"),
    ('[[street]]\non = []\nplay = "1x"', "street.0.on: List should have at least 1 item"),
    ("[[street]]\nplay = 3", "street.0.play: Input should be a valid string"),
    ('[[street]]\npoints_at_least = 1.5\nplay = "1x"', "street.0.points_at_least"),
    ("street = []", "street: List should have at least 1 item"),
    ('[[street]]\nplay = "4x"', '"4x" is not a play here. Use one of 1x, 2x, 3x, fold.'),
    ('[[street]]\non = ["flob"]\nplay = "1x"', '"flob" is not a street here. Use one of flop, '),
    ('[[street]]\nmade = ["pare"]\nplay = "1x"', 'made = "pare" is not a hand.'),
    (
        '[[street]]\nmade = ["pair"]\nplay = "1x"',
        "No rule fits some hands on flop. End with a rule",
    ),
    ('[[declare]]\nplay = "low"', "A rule file for street-stud needs [[street]] rules."),
    ("# " + "x" * BYTES_MAX, "is larger than"),
]


@pytest.mark.parametrize(("text", "sentence"), BAD_RULES)
def test_bad_rule_file_is_refused_with_an_explanation(
    tmp_path: Path, text: str, sentence: str
) -> None:
    path = tmp_path / "rules.toml"
    path.write_bytes(text.encode("latin-1"))
    with pytest.raises(StrategyError) as error:
        rule_figures(stud(CMS), load_rules(path))
    assert sentence in str(error.value)


def test_bad_hi_lo_rule_file_is_refused_with_an_explanation(tmp_path: Path) -> None:
    path = tmp_path / "rules.toml"
    for text, sentence in (
        ('[[street]]\nplay = "1x"', "A rule file for hi-lo needs [[declare]] rules"),
        ('[[declare]]\nplay = "up"', '"up" is not a play here. Use one of'),
        ('[[declare]]\nace = true\nplay = "low"', "No rule fits some hands"),
    ):
        path.write_text(text, encoding="utf-8")
        with pytest.raises(StrategyError) as error:
            rule_figures(hi_lo(MHL), load_rules(path))
        assert sentence in str(error.value)
    with pytest.raises(StrategyError, match="cannot be read"):
        load_rules(tmp_path / "none.toml")


def test_unknown_strategy_names_are_refused() -> None:
    for sheet, name in ((stud(CMS), "always-fold"), (stud(OMS), "never-4x"), (hi_lo(MHL), "never")):
        with pytest.raises(StrategyError, match="Use one of best, never-"):
            strategy_figures(sheet, name)
    with pytest.raises(StrategyError, match=r"Without 1x, no Flop bet play is left."):
        strategy_figures(stud(CMS, ("bets = [1, 2, 3]", "bets = [1]")), "never-1x")


def _worths_without_double(spot: hi_lo_solver.HandValues) -> list[Fraction]:
    return [worth for play, worth in spot.worth.items() if play in ("low", "high")]


def test_named_hi_lo_strategies_rank_as_expected() -> None:
    sheet = hi_lo(MHL)
    best = strategy_figures(sheet, "best").expected
    low, high = (strategy_figures(sheet, f"always-{side}").expected for side in ("low", "high"))
    single = strategy_figures(sheet, "never-double")
    spots = hi_lo_solver.solve(sheet).spots
    ways = sum(spot.ways for spot in spots)
    either = sum(max(_worths_without_double(spot)) * spot.ways for spot in spots)
    assert single.expected == Fraction(either) / ways
    assert max(low, high) < single.expected < best
    assert single.average_wager == 1
