"""Hold'em against a dealer, compared with published figures and with plain enumeration."""

from __future__ import annotations

from dataclasses import replace
from random import Random

import pytest
from tests.exact.duels import (
    BOARDED,
    CASINO,
    UTH,
    Spot,
    assert_advice_is_exact,
    changed_sheet,
    small_deck,
)
from tests.exact.test_pairs import changed_game, outcome_shares
from tests.lanes import spread
from tests.sheets.samples import sheet_of, text_of

from pitbook.cards import DECK, cards
from pitbook.exact.advice import advise
from pitbook.exact.methods.choose import choose_method
from pitbook.exact.methods.dealer import boards_solve, boards_sweep
from pitbook.exact.methods.dealer.boards_solve import plan_of, solve, streets_of
from pitbook.exact.methods.dealer.boards_strategies import play_values_at, solve_by_rules
from pitbook.exact.methods.dealer.boards_sweep import list_flops
from pitbook.exact.methods.dealer.structure import Terms
from pitbook.exact.methods.ladder.strategies import class_name, rule_chooser
from pitbook.exact.methods.plain.method import main_figures
from pitbook.exact.methods.plain.solve import PlainSolver
from pitbook.exact.rule_files import Rules, StrategyError, StreetRule
from pitbook.exact.sheet_figures import wager_figures
from pitbook.exact.strategies import rule_figures, starting_hand_grid, strategy_figures
from pitbook.hands.ranking import classes
from pitbook.money import Cents
from pitbook.rules.game import When, compile_game
from pitbook.sheets.model import Sheet

SEED = 22


def sheet(sheet_id: str) -> Sheet:
    return sheet_of(text_of(sheet_id))


# Published --------------------------------------------------------------------------------------


@pytest.mark.slow
def test_ultimate_texas_holdem_matches_published_figures() -> None:
    """beatingbonuses.com: 2.185% of the Ante, element of risk 0.53%, deviation 4.94."""
    figures = wager_figures(sheet(UTH), "main")
    assert f"{float(figures.house_edge):.3%}" == "2.185%"
    assert f"{float(figures.element_of_risk):.2%}" == "0.53%"
    assert f"{figures.standard_deviation:.2f}" == "4.94"


@pytest.mark.slow
def test_casino_holdem_matches_published_figures() -> None:
    """2.16%, and 18% of hands are folded."""
    figures = wager_figures(sheet(CASINO), "main")
    assert f"{float(figures.house_edge):.2%}" == "2.16%"
    game, method = choose_method(sheet(CASINO))
    assert method.fold_rates is not None
    assert f"{float(method.fold_rates(game, None)['flop']):.0%}" == "18%"


@pytest.mark.slow
def test_preflop_raises_match_published_strategy() -> None:
    """wizardofodds: 4x with any ace, any pair but twos, K2 suited and K5, Q6 suited and Q8, J8
    suited and J10.
    """
    plays = {hand: cell["play"] for hand, cell in starting_hand_grid(sheet(UTH)).items()}
    raised_hands = {hand for hand, play in plays.items() if play == "4x"}
    assert "3x" not in plays.values()
    for lowest_raised, highest_not_raised in (
        ("A 2", "K 4"),
        ("3 3", "2 2"),
        ("K 2 suited", "Q 5 suited"),
        ("K 5", "K 4"),
        ("Q 6 suited", "Q 5 suited"),
        ("Q 8", "Q 7"),
        ("J 8 suited", "J 7 suited"),
        ("J 10", "J 9"),
    ):
        assert lowest_raised in raised_hands, lowest_raised
        assert highest_not_raised not in raised_hands, highest_not_raised


@pytest.mark.slow
def test_changed_pays_of_high_hands_need_no_new_sweep(monkeypatch: pytest.MonkeyPatch) -> None:
    """A sweep depends only on the structure: another pay table reuses its counts."""
    wager_figures(sheet(UTH), "main")

    def fail_on_sweep(*_: object) -> None:
        pytest.fail("a sweep")

    monkeypatch.setattr(boards_solve, "sweep", fail_on_sweep)
    changed = text_of(UTH).replace('four-of-a-kind = "10:1"', 'four-of-a-kind = "40:1"', 1)
    changed_solution = solve(Terms(compile_game(sheet_of(changed))))
    assert changed_solution.expected > wager_figures(sheet(UTH), "main").expected


# Judged by the plain method ---------------------------------------------------------------------


@pytest.mark.slow_cases(
    "any hand qualifies with jacks-9-True", "three of a kind qualifies-9-True", "ultimate-9-True"
)
@pytest.mark.long
@pytest.mark.parametrize(
    ("size", "alike"), [(9, True), (9, False), pytest.param(12, True, marks=pytest.mark.slow)]
)
@pytest.mark.parametrize("name", spread(BOARDED, 3))
def test_figures_equal_plain_enumeration_on_small_decks(name: str, size: int, alike: bool) -> None:
    """Every outcome has the same frequency, for every variant."""
    game = compile_game(changed_sheet(*BOARDED[name]))
    rng = Random(f"{SEED} {name} {alike}")
    deck = small_deck(rng, size, alike=alike)
    plain, fast = PlainSolver(game, deck=deck), solve(Terms(game), deck)
    assert fast.expected == plain.value()
    assert outcome_shares(main_figures(plain)) == outcome_shares(fast.figures)


@pytest.mark.long
def test_sweep_without_listing_gives_the_same_value(monkeypatch: pytest.MonkeyPatch) -> None:
    game = compile_game(sheet(UTH))
    deck = small_deck(Random(SEED), 12, alike=True)
    original = solve(Terms(game), deck)
    monkeypatch.setattr(boards_sweep, "LISTED_MAX", 0)
    assert solve(Terms(game), deck).expected == original.expected


@pytest.mark.slow_cases("ultimate-0")
@pytest.mark.long
@pytest.mark.parametrize("number", spread(range(30), 4))
@pytest.mark.parametrize("name", BOARDED)
def test_spots_with_dead_cards_equal_plain_enumeration(name: str, number: int) -> None:
    sheet_ = changed_sheet(*BOARDED[name])
    game, rng = compile_game(sheet_), Random(f"{SEED} {name} {number}")
    stage = rng.randrange(len(game.stages))
    board_size = game.stages[stage].opens[1]
    deck = tuple(rng.sample(DECK, 10 if board_size == 0 else 12))
    rule = game.main[1]
    ante = rng.choice((None, rule.min, rule.max))
    purse = Cents(rng.randrange(5) * ante) if ante and rng.random() < 0.4 else None
    common = (deck[2 : 2 + board_size], ())
    assert_advice_is_exact(sheet_, Spot(deck[:2], common, ("check",) * stage, deck, ante, purse))


@pytest.mark.slow
def test_preflop_advice_equals_count_of_every_board() -> None:
    """Compare the sweep with all 2,118,760 boards counted one by one."""
    uth, hole = sheet(UTH), cards("Kh 4d")
    wager_figures(uth, "main")  # Prepare the sweep.
    plan = plan_of(Terms(compile_game(uth)))
    worths, _ = play_values_at(plan, 0, hole, ())
    assert worths == advise(uth, hole).actions


# What is counted, and which games fit -----------------------------------------------------------


@pytest.mark.long
def test_number_of_flops_and_pairs_up_to_suits() -> None:
    flop_pairs = list_flops()
    assert len(flop_pairs.flops) == 1_755
    assert len(flop_pairs.pairs) == 1_286_792


def test_other_games_do_not_fit() -> None:
    game = compile_game(sheet(UTH))
    first, flop, river = game.stages
    three_plays = (*river.plays, river.plays[-1])
    others = {
        "raised twice": (first, flop._replace(once=False), river),
        "a condition": (first, flop._replace(when=When("hand", frozenset({1}))), river),
        "a card of the dealer": (first, flop._replace(opens=(2, 3, 1)), river),
        "four cards": (first, flop._replace(opens=(2, 4, 0)), river),
        "three plays at the end": (first, flop, river._replace(plays=three_plays)),
        "two ways on": (first._replace(plays=(*first.plays, first.plays[0])), flop, river),
    }
    assert [street.board_cards for street in streets_of(game) or ()] == [0, 3, 5]
    for name, stages in others.items():
        assert streets_of(changed_game(game, stages=stages)) is None, name


def test_purse_limits_plays() -> None:
    game = compile_game(sheet(UTH))
    terms = replace(Terms(game, Cents(500)), purse=Cents(1500))
    plan = plan_of(terms)
    assert plan.plays[0] == ("check", "3x")
    assert plan.plays[-1] == ("1x", "fold")


@pytest.mark.slow
def test_named_strategies_rank_as_expected() -> None:
    uth = sheet(UTH)
    best = strategy_figures(uth, "best").expected
    assert strategy_figures(uth, "never-4x").expected < best
    assert (
        strategy_figures(uth, "always-4x").expected
        < strategy_figures(uth, "never-fold").expected
        < best
    )


RULES = Rules(
    street=[
        StreetRule(on=["pre-flop"], at_least="K 5", play="4x"),
        StreetRule(on=["pre-flop"], made=["pair"], play="3x"),
        StreetRule(on=["flop"], made=["pair", "two-pair", "flush"], play="2x"),
        StreetRule(on=["river"], at_least="A J 9 8 7", play="1x"),
        StreetRule(on=["river"], play="fold"),
        StreetRule(play="check"),
    ]
)
FLOP_RULES = Rules(
    street=[StreetRule(high_cards_at_least=3, play="2x"), StreetRule(play="fold")],
)


@pytest.mark.slow_cases(
    "False-pennsylvania/ultimate-texas-holdem-rules0", "True-classic/casino-holdem-rules1"
)
@pytest.mark.long
@pytest.mark.parametrize(("sheet_id", "rules"), [(UTH, RULES), (CASINO, FLOP_RULES)])
@pytest.mark.parametrize("alike", [True, False])
def test_rules_equal_plain_enumeration_on_small_decks(
    sheet_id: str, rules: Rules, alike: bool
) -> None:
    game = compile_game(sheet(sheet_id))
    deck = small_deck(Random(f"{SEED} {sheet_id} {alike}"), 9, alike=alike)
    solve_rules, choose = solve_by_rules(game, rules, None, deck)
    solution = solve_rules()
    plain = PlainSolver(game, deck=deck)
    assert outcome_shares(solution.figures) == outcome_shares(main_figures(plain, choose))
    assert solution.expected <= plain.value()


def test_two_suited_cards_are_not_a_flush() -> None:
    """Regression: 3 2 suited counted as better than K 5."""
    rules = Rules(street=[StreetRule(at_least="K 5", play="4x"), StreetRule(play="check")])
    choose = rule_chooser(compile_game(sheet(UTH)), rules)
    plays_by_hand = {class_name(hand): choose(0, hand, 2) for hand in classes(2)}
    assert (
        plays_by_hand["3 2 suited"]
        == plays_by_hand["K 4 suited"]
        == plays_by_hand["Q J suited"]
        == "check"
    )
    assert (
        plays_by_hand["K 5"]
        == plays_by_hand["K 5 suited"]
        == plays_by_hand["2 2"]
        == plays_by_hand["A 2"]
        == "4x"
    )


def test_rules_with_unknown_play_are_refused() -> None:
    with pytest.raises(StrategyError, match="is not a play here"):
        rule_figures(sheet(UTH), Rules(street=[StreetRule(play="fold")]))


@pytest.mark.slow
def test_rules_equal_to_a_named_strategy_have_its_value() -> None:
    rules = Rules(street=[StreetRule(on=["pre-flop"], play="4x"), *(RULES.street or ())[2:]])
    assert (
        rule_figures(sheet(UTH), rules).expected
        == strategy_figures(sheet(UTH), "always-4x").expected
    )


def test_no_starting_hand_grid_if_the_flop_is_seen_first() -> None:
    with pytest.raises(StrategyError, match="13 by 13"):
        starting_hand_grid(sheet(CASINO))
