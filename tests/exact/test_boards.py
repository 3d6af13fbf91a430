"""Hold'em against a dealer: held against published figures and the plain method."""

from __future__ import annotations

from dataclasses import replace
from random import Random

import pytest
from tests.exact.fights import BOARDED, CASINO, UTH, Spot, judged, odd, some_deck
from tests.exact.test_pairs import bent, shared
from tests.lanes import spread
from tests.sheets.samples import sheet_of, text_of

from pitbook.cards import DECK, cards
from pitbook.exact.advice import advise
from pitbook.exact.methods.choose import choose_method
from pitbook.exact.methods.dealer import boards_solve, boards_sweep
from pitbook.exact.methods.dealer.boards_advice import worths_at
from pitbook.exact.methods.dealer.boards_solve import plan_of, solve, streets_of
from pitbook.exact.methods.dealer.boards_strategies import solve_by_rules
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
def test_ultimate_texas_holdem_is_as_published() -> None:
    """beatingbonuses.com: 2.185% of the Ante, element of risk 0.53%, deviation 4.94."""
    found = wager_figures(sheet(UTH), "main")
    assert f"{float(found.house_edge):.3%}" == "2.185%"
    assert f"{float(found.element_of_risk):.2%}" == "0.53%"
    assert f"{found.standard_deviation:.2f}" == "4.94"


@pytest.mark.slow
def test_casino_holdem_is_as_published() -> None:
    """2.16%, and 18% of hands are folded."""
    found = wager_figures(sheet(CASINO), "main")
    assert f"{float(found.house_edge):.2%}" == "2.16%"
    game, method = choose_method(sheet(CASINO))
    assert method.fold_rates is not None
    assert f"{float(method.fold_rates(game, None)['flop']):.0%}" == "18%"


@pytest.mark.slow
def test_hands_before_the_flop_are_raised_as_published() -> None:
    """wizardofodds: 4x with any ace, any pair but twos, K2 suited and K5, Q6 suited and Q8,
    J8 suited and J10."""
    plays = {held: one["play"] for held, one in starting_hand_grid(sheet(UTH)).items()}
    raised = {held for held, play in plays.items() if play == "4x"}
    assert "3x" not in plays.values()
    for least, below in (
        ("A 2", "K 4"),
        ("3 3", "2 2"),
        ("K 2 suited", "Q 5 suited"),
        ("K 5", "K 4"),
        ("Q 6 suited", "Q 5 suited"),
        ("Q 8", "Q 7"),
        ("J 8 suited", "J 7 suited"),
        ("J 10", "J 9"),
    ):
        assert least in raised, least
        assert below not in raised, below


@pytest.mark.slow
def test_other_pays_of_high_hands_need_no_new_sweep(monkeypatch: pytest.MonkeyPatch) -> None:
    """What is swept belongs to the structure: the next pay table is a product of counts."""
    wager_figures(sheet(UTH), "main")

    def swept(*_: object) -> None:
        pytest.fail("a sweep")

    monkeypatch.setattr(boards_solve, "sweep", swept)
    changed = text_of(UTH).replace('four-of-a-kind = "10:1"', 'four-of-a-kind = "40:1"', 1)
    other = solve(Terms(compile_game(sheet_of(changed))))
    assert other.expected > wager_figures(sheet(UTH), "main").expected


# Judged by the plain method ---------------------------------------------------------------------


@pytest.mark.slow_cases(
    "any hand qualifies with jacks-9-True", "three of a kind qualifies-9-True", "ultimate-9-True"
)
@pytest.mark.long
@pytest.mark.parametrize(
    ("size", "alike"), [(9, True), (9, False), pytest.param(12, True, marks=pytest.mark.slow)]
)
@pytest.mark.parametrize("name", spread(BOARDED, 3))
def test_whole_games_on_reduced_decks(name: str, size: int, alike: bool) -> None:
    """Every outcome as often, whatever the sheet says."""
    game = compile_game(odd(*BOARDED[name]))
    luck = Random(f"{SEED} {name} {alike}")
    deck = some_deck(luck, size, alike=alike)
    plain, fast = PlainSolver(game, deck=deck), solve(Terms(game), deck)
    assert fast.expected == plain.value()
    assert shared(main_figures(plain)) == shared(fast.figures)


@pytest.mark.long
def test_where_much_would_be_listed_pays_are_swept(monkeypatch: pytest.MonkeyPatch) -> None:
    game = compile_game(sheet(UTH))
    deck = some_deck(Random(SEED), 12, alike=True)
    before = solve(Terms(game), deck)
    monkeypatch.setattr(boards_sweep, "LISTED_MAX", 0)
    assert solve(Terms(game), deck).expected == before.expected


@pytest.mark.slow_cases("ultimate-0")
@pytest.mark.long
@pytest.mark.parametrize("number", spread(range(30), 4))
@pytest.mark.parametrize("name", BOARDED)
def test_spots_with_dead_cards(name: str, number: int) -> None:
    one = odd(*BOARDED[name])
    game, luck = compile_game(one), Random(f"{SEED} {name} {number}")
    stage = luck.randrange(len(game.stages))
    seen = game.stages[stage].opens[1]
    deck = tuple(luck.sample(DECK, 10 if seen == 0 else 12))
    rule = game.main[1]
    ante = luck.choice((None, rule.min, rule.max))
    purse = Cents(luck.randrange(5) * ante) if ante and luck.random() < 0.4 else None
    common = (deck[2 : 2 + seen], ())
    judged(one, Spot(deck[:2], common, ("check",) * stage, deck, ante, purse))


@pytest.mark.slow
def test_two_ways_before_the_flop_agree() -> None:
    """By the sweep where no card is dead, and by all 2,118,760 boards one by one."""
    one, held = sheet(UTH), cards("Kh 4d")
    wager_figures(one, "main")  # What was swept is there.
    plan = plan_of(Terms(compile_game(one)))
    worths, _ = worths_at(plan, 0, held, ())
    assert worths == advise(one, held).actions


# What is counted, and which games fit -----------------------------------------------------------


@pytest.mark.long
def test_flops_and_pairs_up_to_suits() -> None:
    laid = list_flops()
    assert len(laid.flops) == 1_755
    assert len(laid.pairs) == 1_286_792


def test_games_that_differ_are_left_to_others() -> None:
    game = compile_game(sheet(UTH))
    first, flop, river = game.stages
    three = (*river.plays, river.plays[-1])
    others = {
        "raised twice": (first, flop._replace(once=False), river),
        "a condition": (first, flop._replace(when=When("hand", frozenset({1}))), river),
        "a card of the dealer": (first, flop._replace(opens=(2, 3, 1)), river),
        "four cards": (first, flop._replace(opens=(2, 4, 0)), river),
        "three plays at the end": (first, flop, river._replace(plays=three)),
        "two ways on": (first._replace(plays=(*first.plays, first.plays[0])), flop, river),
    }
    assert [street.seen for street in streets_of(game) or ()] == [0, 3, 5]
    for name, stages in others.items():
        assert streets_of(bent(game, stages=stages)) is None, name


def test_a_purse_leaves_plays_out() -> None:
    game = compile_game(sheet(UTH))
    terms = replace(Terms(game, Cents(500)), purse=Cents(1500))
    plan = plan_of(terms)
    assert plan.plays[0] == ("check", "3x")
    assert plan.plays[-1] == ("1x", "fold")


@pytest.mark.slow
def test_strategies_by_name() -> None:
    one = sheet(UTH)
    best = strategy_figures(one, "best").expected
    assert strategy_figures(one, "never-4x").expected < best
    assert (
        strategy_figures(one, "always-4x").expected
        < strategy_figures(one, "never-fold").expected
        < best
    )


OWN = Rules(
    street=[
        StreetRule(on=["pre-flop"], at_least="K 5", play="4x"),
        StreetRule(on=["pre-flop"], made=["pair"], play="3x"),
        StreetRule(on=["flop"], made=["pair", "two-pair", "flush"], play="2x"),
        StreetRule(on=["river"], at_least="A J 9 8 7", play="1x"),
        StreetRule(on=["river"], play="fold"),
        StreetRule(play="check"),
    ]
)
FLOPPED = Rules(
    street=[StreetRule(high_cards_at_least=3, play="2x"), StreetRule(play="fold")],
)


@pytest.mark.slow_cases(
    "False-pennsylvania/ultimate-texas-holdem-rules0", "True-classic/casino-holdem-rules1"
)
@pytest.mark.long
@pytest.mark.parametrize(("sheet_id", "rules"), [(UTH, OWN), (CASINO, FLOPPED)])
@pytest.mark.parametrize("alike", [True, False])
def test_rules_on_reduced_decks(sheet_id: str, rules: Rules, alike: bool) -> None:
    game = compile_game(sheet(sheet_id))
    deck = some_deck(Random(f"{SEED} {sheet_id} {alike}"), 9, alike=alike)
    solve_rules, choose = solve_by_rules(game, rules, None, deck)
    solution = solve_rules()
    plain = PlainSolver(game, deck=deck)
    assert shared(solution.figures) == shared(main_figures(plain, choose))
    assert solution.expected <= plain.value()


def test_two_cards_of_a_suit_are_no_flush() -> None:
    """Three and two of one suit were taken for more than king and five."""
    rules = Rules(street=[StreetRule(at_least="K 5", play="4x"), StreetRule(play="check")])
    choose = rule_chooser(compile_game(sheet(UTH)), rules)
    told = {class_name(hand): choose(0, hand, 2) for hand in classes(2)}
    assert told["3 2 suited"] == told["K 4 suited"] == told["Q J suited"] == "check"
    assert told["K 5"] == told["K 5 suited"] == told["2 2"] == told["A 2"] == "4x"


def test_rules_that_say_a_play_that_is_not_there_are_refused() -> None:
    with pytest.raises(StrategyError, match="no play here"):
        rule_figures(sheet(UTH), Rules(street=[StreetRule(play="fold")]))


@pytest.mark.slow
def test_rules_of_the_full_deck_are_the_named_strategy() -> None:
    rules = Rules(street=[StreetRule(on=["pre-flop"], play="4x"), *(OWN.street or ())[2:]])
    assert (
        rule_figures(sheet(UTH), rules).expected
        == strategy_figures(sheet(UTH), "always-4x").expected
    )


def test_where_the_flop_is_seen_first_there_is_no_grid() -> None:
    with pytest.raises(StrategyError, match="13 by 13"):
        starting_hand_grid(sheet(CASINO))
