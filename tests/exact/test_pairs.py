"""One decision against a dealer's hand: held against published figures and the plain method."""

from __future__ import annotations

import re
from collections import Counter
from copy import copy
from dataclasses import replace
from fractions import Fraction
from itertools import combinations_with_replacement
from random import Random

import numpy as np
import pytest
from tests.exact.fights import (
    CARIBBEAN,
    CRAZY,
    FOUR,
    PAIRED,
    TCP,
    ULTIMATE,
    UTH,
    WAR,
    Spot,
    judged,
    odd,
    some_deck,
)
from tests.lanes import spread
from tests.sheets.samples import changed, sheet_of, text_of

from pitbook.cards import DECK
from pitbook.exact.figures import FigureRow, Figures
from pitbook.exact.lab import line_rates
from pitbook.exact.methods.choose import choose_method, method_for
from pitbook.exact.methods.dealer.common import play_runs
from pitbook.exact.methods.dealer.pairs_solve import (
    Shape,
    _is_countable,
    combined_figures,
    count_matches,
    dealer_hands_total,
    required_shape,
    shape_of,
    solve,
)
from pitbook.exact.methods.dealer.strength import KEYS, best_ways, strength_of
from pitbook.exact.methods.dealer.structure import Terms
from pitbook.exact.methods.plain.method import main_figures, round_figures
from pitbook.exact.methods.plain.solve import PlainSolver
from pitbook.exact.rule_files import Rules, StrategyError, StreetRule
from pitbook.exact.sheet_figures import wager_figures, whole_round
from pitbook.exact.side_wagers import side_figures
from pitbook.exact.strategies import rule_figures, strategy_figures, strategy_lines, strategy_names
from pitbook.hands.kinds import catalogue
from pitbook.hands.ranking import best_rank
from pitbook.money import Cents
from pitbook.rules.game import Game, Hand, When, compile_game
from pitbook.rules.plays import Need, Play
from pitbook.rules.pricing import Kinds
from pitbook.sheets.model import Sheet

SEED = 21


def sheet(sheet_id: str) -> Sheet:
    return sheet_of(text_of(sheet_id))


# Published --------------------------------------------------------------------------------------


def test_three_card_poker_is_as_published() -> None:
    """apheat.net, 2015: 3.3730%, standard deviation 1.6393."""
    found = wager_figures(sheet(TCP), "main")
    assert found.expected == Fraction(-686_689, 20_358_520)
    assert f"{float(found.house_edge):.4%}" == "3.3730%"
    assert f"{found.standard_deviation:.4f}" == "1.6393"
    assert choose_method(sheet(TCP))[1].name == "pairs"


def test_ultimate_three_card_poker_is_as_published() -> None:
    """888casino: 3.8807%."""
    found = wager_figures(sheet(ULTIMATE), "main")
    assert f"{float(found.house_edge):.4%}" == "3.8807%"


def test_crazy_4_poker_is_as_published() -> None:
    """wizardofodds: element of risk 1.09%."""
    found = wager_figures(sheet(CRAZY), "main")
    assert f"{float(found.element_of_risk):.2%}" == "1.09%"


@pytest.mark.slow
def test_caribbean_stud_is_the_published_sum() -> None:
    found = wager_figures(sheet(CARIBBEAN), "main")
    assert found.rounds == 19_933_230_517_200
    assert found.expected * found.rounds == -1_041_372_912_372
    assert f"{float(found.house_edge):.4%}" == "5.2243%"
    game, method = choose_method(sheet(CARIBBEAN))
    assert method.fold_rates is not None
    (rate,) = method.fold_rates(game, None).values()
    assert f"{float(rate):.2%}" == "47.77%"


@pytest.mark.slow
def test_four_card_poker_is_as_published() -> None:
    found = wager_figures(sheet(FOUR), "main")
    assert f"{float(found.house_edge):.1%}" == "2.8%"


@pytest.mark.long
def test_side_wagers_by_their_own_cards() -> None:
    edges = {
        wager: f"{float(side_figures(sheet(one), wager).house_edge):.2%}"
        for one, wager in ((TCP, "pair-plus"), (UTH, "trips"), (WAR, "tie"))
    }
    assert edges == {"pair-plus": "7.28%", "trips": "3.50%", "tie": "18.65%"}
    older = changed(TCP, ('flush = "3:1"', 'flush = "4:1"'))  # 40/30/6/4/1.
    assert f"{float(side_figures(sheet_of(older), 'pair-plus').house_edge):.2%}" == "2.32%"


@pytest.mark.parametrize(
    ("cards", "counts"),
    [
        (7, (4_324, 37_260, 224_848, 3_473_184, 4_047_644, 6_180_020, 6_461_620)),
        (6, (188, 1_656, 14_664, 165_984, 205_792, 361_620, 732_160)),
    ],
)
def test_best_hands_are_counted_as_published(cards: int, counts: tuple[int, ...]) -> None:
    ways = best_ways(5, cards, "high-or-low")
    names = [kind.name for kind in catalogue(5)]
    at = names.index("royal-flush")
    highest = (at, at - 1, at - 2, at - 3, at - 4, at - 5, at - 6)
    assert tuple(ways[place] for place in highest) == counts
    assert sum(ways) == {7: 133_784_560, 6: 20_358_520}[cards]


# Judged by the plain method ---------------------------------------------------------------------

WHOLE = [name for name, (one, _) in PAIRED.items() if one != FOUR]  # Six cards are too many.


@pytest.mark.slow_cases(
    "folds are preferred-False", "folds are preferred-True", "three card-True", "ties lose-False"
)
@pytest.mark.long
@pytest.mark.parametrize("alike", [True, False])
@pytest.mark.parametrize("name", spread(WHOLE, 5))
def test_whole_games_on_reduced_decks(name: str, alike: bool) -> None:
    """Every outcome as often, whatever the sheet says."""
    game = compile_game(odd(*PAIRED[name]))
    luck = Random(f"{SEED} {name} {alike}")
    deck = some_deck(luck, 12 if alike else game.hand_size + game.places[-1].cards, alike=alike)
    plain, fast = PlainSolver(game, deck=deck), solve(Terms(game), deck)
    assert fast.expected == plain.value()
    assert shared(main_figures(plain)) == shared(fast.figures)


def shared(found: Figures) -> dict[FigureRow, Fraction]:
    """Every outcome with its share of rounds."""
    return {replace(row, count=0): Fraction(row.count, found.rounds) for row in found.rows}


@pytest.mark.long
@pytest.mark.parametrize("number", spread(range(20), 2))
@pytest.mark.parametrize("name", PAIRED)
def test_spots_with_dead_cards(name: str, number: int) -> None:
    one = odd(*PAIRED[name])
    game, luck = compile_game(one), Random(f"{SEED} {name} {number}")
    own, up = game.stages[0].opens
    deck = luck.sample(DECK, game.hand_size + game.places[-1].cards + luck.randrange(2, 6))
    rule = game.main[1]
    ante = luck.choice((None, rule.min, rule.max))
    purse = Cents(luck.randrange(4) * ante) if ante and luck.random() < 0.4 else None
    seen = (tuple(deck[own : own + up]),)
    judged(one, Spot(tuple(deck[:own]), seen, (), tuple(deck), ante, purse))


@pytest.mark.long
def test_a_hand_of_the_full_deck_by_both() -> None:
    luck = Random(f"{SEED} full")
    for _ in range(3):
        judged(sheet(TCP), Spot(tuple(luck.sample(DECK, 3)), ((),), (), DECK))


def test_a_whole_round_with_a_wager_on_the_own_hand() -> None:
    one = sheet(TCP)
    side = {"pair-plus": Cents(100)}
    whole = whole_round(one, None, side)
    main, plus = wager_figures(one, "main"), side_figures(one, "pair-plus")
    assert whole.expected == main.expected + plus.expected  # Nobody folds a pair.


@pytest.mark.slow
def test_a_whole_round_with_a_wager_on_both_hands() -> None:
    """Nothing is lost by a fold, so that both are as good as each alone."""
    side = {"six-card-bonus": Cents(100), "pair-plus": Cents(100)}
    whole = whole_round(sheet(TCP), None, side)
    alone = [side_figures(sheet(TCP), wager).expected for wager in side]
    assert whole.expected == wager_figures(sheet(TCP), "main").expected + sum(alone)
    assert whole.rounds == 407_170_400


@pytest.mark.long
@pytest.mark.parametrize("number", range(4))
def test_whole_rounds_with_caps_on_reduced_decks(number: int) -> None:
    luck = Random(f"{SEED} caps {number}")
    per, most = ("round", "hand", "bet", "hand")[number], luck.choice((15, 40, 90))
    cap = f'[[limits]]\nper = "{per}"\npays_max = "{most}"\nclause = "GEN-12"\n'
    one = sheet_of(re.sub(r"\[uncapped\]\n(.+\n)+", cap, text_of(TCP)))
    terms = Terms(compile_game(one), Cents(1000), {"six-card-bonus": Cents(700)})
    deck = some_deck(luck, 9, alike=True)
    plain = PlainSolver(terms.game, terms.ante, terms.side, deck=deck)
    assert shared(combined_figures(terms, deck)) == shared(round_figures(plain))


def test_wagers_on_both_hands_of_ten_cards_are_not_counted_together() -> None:
    game = compile_game(sheet(CRAZY))
    hand = Hand("both-hands", (0, 1), Kinds(5, "high-or-low"))
    assert not _is_countable(required_shape(game), hand)


# What is counted --------------------------------------------------------------------------------


def test_no_two_multisets_of_ranks_have_one_sum() -> None:
    sums = Counter[int]()
    for ranks in combinations_with_replacement(range(13), 7):
        if max(Counter(ranks).values()) <= 4:
            sums[sum(KEYS[rank] for rank in ranks)] += 1
    assert len(sums) == 49_205
    assert set(sums.values()) == {1}


@pytest.mark.parametrize(("best", "cards"), [(3, 3), (4, 5), (4, 6), (5, 5), (5, 7)])
def test_strengths_are_those_of_the_best_hand(best: int, cards: int) -> None:
    luck, table = Random(f"{SEED} {best} {cards}"), strength_of(best, cards, "high-or-low")
    for _ in range(2_000):
        hand = luck.sample(DECK, cards)
        suits = [sum(1 << card // 4 for card in hand if card % 4 == suit) for suit in range(4)]
        ranks = table.by_ranks[sum(KEYS[card // 4] for card in hand)]
        found = max(int(ranks), *(int(table.by_suit[one]) for one in suits))
        assert found == best_rank(hand, best)


def test_every_deal_is_counted_once() -> None:
    form = Shape(3, 3, 1, 3, "high-or-low", 200)
    met = count_matches(form)
    assert int(met.ways.sum()) == 52 * 20_825
    assert dealer_hands_total(form) == 1_128
    assert (met.level <= 1_128).all()
    assert (met.weaker <= met.level).all()
    assert np.isin(met.ways, [4 * n for n in (1, 2, 3, 6)]).all()


# Which games fit --------------------------------------------------------------------------------


def bent(game: Game, **fields: object) -> Game:
    other = copy(game)
    for name, value in fields.items():
        setattr(other, name, value)
    return other


def test_games_that_differ_are_left_to_others() -> None:
    game = compile_game(sheet(TCP))
    (stage,), (duel,) = game.stages, game.duels
    asks = Play("1x", puts=(("play", 1),), needs=Need("own", 3))
    others: dict[str, dict[str, object]] = {
        "two decisions": {"stages": (stage, stage)},
        "a condition": {"stages": (stage._replace(when=When("hand", frozenset({1}))),)},
        "two cards seen": {"stages": (stage._replace(opens=(3, 2)),)},
        "own cards closed": {"stages": (stage._replace(opens=(2, 0)),)},
        "another hand asked for": {"stages": (stage._replace(plays=(asks,)),)},
        "no duel": {"duels": ()},
        "the lower hand wins": {"duels": (duel._replace(low=True),)},
        "pays by the dealer's hand": {
            "asked": (game.asked[0]._replace(hand="both-hands"), *game.asked[1:])
        },
    }
    assert shape_of(game) is not None
    for name, fields in others.items():
        assert shape_of(bent(game, **fields)) is None, name
        assert method_for(bent(game, **fields)).name == "plain", name


# Strategies -------------------------------------------------------------------------------------


def test_every_named_strategy_is_worse() -> None:
    one = sheet(TCP)
    best = strategy_figures(one, "best").expected
    assert strategy_names(one) == ("best", "never-fold", "never-1x", "always-1x")
    worths = {name: strategy_figures(one, name).expected for name in strategy_names(one)}
    assert max(worths.values()) == best
    assert worths["never-fold"] == worths["always-1x"]
    assert worths["never-1x"] == -1
    with pytest.raises(StrategyError, match="is no strategy"):
        strategy_figures(one, "sometimes")


def test_the_published_rule_is_best_play() -> None:
    """Queen, six, four or better plays."""
    rules = Rules(
        street=[
            StreetRule(at_least="Q 6 4", play="1x"),
            StreetRule(play="fold"),
        ]
    )
    assert rule_figures(sheet(TCP), rules).expected == strategy_figures(sheet(TCP), "best").expected
    with pytest.raises(StrategyError, match="no play here"):
        rule_figures(sheet(TCP), Rules(street=[StreetRule(play="9x")]))


def test_the_list_says_what_to_do_with_every_class() -> None:
    lines = list(strategy_lines(sheet(TCP)))
    plays = {line.cards: line.play for line in lines}
    assert plays["Q 6 4"] == "1x"
    assert plays["Q 6 3"] == "fold"
    assert len(plays) == len(lines)


def test_hands_in_their_order_are_put_together_by_play() -> None:
    (found,) = play_runs(strategy_lines(sheet(TCP))).values()
    assert [(run.first, run.last, run.plays) for run in found] == [
        ("A K Q suited", "Q 6 4", ("1x",)),
        ("Q 6 3", "5 3 2", ("fold",)),
    ]


def test_a_line_counts_wherever_one_of_the_wagers_meets_it() -> None:
    """The Ante Bonus is paid on every straight, whatever becomes of Ante and Play."""
    rates = line_rates(wager_figures(sheet(TCP), "main"), ["straight", "three-of-a-kind"])
    assert rates == {"straight": Fraction(720, 22_100), "three-of-a-kind": Fraction(52, 22_100)}
