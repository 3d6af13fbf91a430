"""One decision against a dealer's hand, compared with published figures and plain enumeration."""

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
from tests.exact.duels import (
    CARIBBEAN,
    CRAZY,
    FOUR,
    PAIRED,
    TCP,
    ULTIMATE,
    UTH,
    WAR,
    Spot,
    assert_advice_is_exact,
    changed_sheet,
    small_deck,
)
from tests.lanes import spread
from tests.sheets.samples import modified_text, sheet_of, text_of

from pitbook.cards import DECK
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
from pitbook.exact.outcome_figures import FigureRow, Figures
from pitbook.exact.rule_files import Rules, StrategyError, StreetRule
from pitbook.exact.sheet_figures import wager_figures, whole_round
from pitbook.exact.side_wagers import side_figures
from pitbook.exact.strategies import rule_figures, strategy_figures, strategy_lines, strategy_names
from pitbook.hands.kinds import hand_kinds
from pitbook.hands.ranking import best_rank
from pitbook.money import Cents
from pitbook.rules.actions import Need, Play
from pitbook.rules.game import Game, Hand, When, compile_game
from pitbook.rules.settlement_lines import Kinds
from pitbook.sheets.model import Sheet

SEED = 21


def sheet(sheet_id: str) -> Sheet:
    return sheet_of(text_of(sheet_id))


# Published --------------------------------------------------------------------------------------


def test_three_card_poker_matches_published_figures() -> None:
    """apheat.net, 2015: 3.3730%, standard deviation 1.6393."""
    figures = wager_figures(sheet(TCP), "main")
    assert figures.expected == Fraction(-686_689, 20_358_520)
    assert f"{float(figures.house_edge):.4%}" == "3.3730%"
    assert f"{figures.standard_deviation:.4f}" == "1.6393"
    assert choose_method(sheet(TCP))[1].name == "pairs"


def test_ultimate_three_card_poker_matches_published_edge() -> None:
    """888casino: 3.8807%."""
    figures = wager_figures(sheet(ULTIMATE), "main")
    assert f"{float(figures.house_edge):.4%}" == "3.8807%"


def test_crazy_4_poker_matches_published_element_of_risk() -> None:
    """wizardofodds: element of risk 1.09%."""
    figures = wager_figures(sheet(CRAZY), "main")
    assert f"{float(figures.element_of_risk):.2%}" == "1.09%"


@pytest.mark.slow
def test_caribbean_stud_matches_published_sum() -> None:
    figures = wager_figures(sheet(CARIBBEAN), "main")
    assert figures.rounds == 19_933_230_517_200
    assert figures.expected * figures.rounds == -1_041_372_912_372
    assert f"{float(figures.house_edge):.4%}" == "5.2243%"
    game, method = choose_method(sheet(CARIBBEAN))
    assert method.fold_rates is not None
    (rate,) = method.fold_rates(game, None).values()
    assert f"{float(rate):.2%}" == "47.77%"


@pytest.mark.slow
def test_four_card_poker_matches_published_edge() -> None:
    figures = wager_figures(sheet(FOUR), "main")
    assert f"{float(figures.house_edge):.1%}" == "2.8%"


@pytest.mark.long
def test_side_wager_edges_match_published_figures() -> None:
    edges = {
        wager: f"{float(side_figures(sheet(sheet_id), wager).house_edge):.2%}"
        for sheet_id, wager in ((TCP, "pair-plus"), (UTH, "trips"), (WAR, "tie"))
    }
    assert edges == {"pair-plus": "7.28%", "trips": "3.50%", "tie": "18.65%"}
    older = modified_text(TCP, ('flush = "3:1"', 'flush = "4:1"'))  # 40/30/6/4/1.
    assert f"{float(side_figures(sheet_of(older), 'pair-plus').house_edge):.2%}" == "2.32%"


@pytest.mark.parametrize(
    ("cards", "counts"),
    [
        (7, (4_324, 37_260, 224_848, 3_473_184, 4_047_644, 6_180_020, 6_461_620)),
        (6, (188, 1_656, 14_664, 165_984, 205_792, 361_620, 732_160)),
    ],
)
def test_best_hand_counts_match_published_ones(cards: int, counts: tuple[int, ...]) -> None:
    ways = best_ways(5, cards, "high-or-low")
    names = [kind.name for kind in hand_kinds(5)]
    place = names.index("royal-flush")
    highest = (place, place - 1, place - 2, place - 3, place - 4, place - 5, place - 6)
    assert tuple(ways[place] for place in highest) == counts
    assert sum(ways) == {7: 133_784_560, 6: 20_358_520}[cards]


# Judged by the plain method ---------------------------------------------------------------------

# Six cards are too many.
SMALL_ENOUGH = [name for name, (sheet_id, _) in PAIRED.items() if sheet_id != FOUR]


@pytest.mark.slow_cases(
    "folds are preferred-False", "folds are preferred-True", "three card-True", "ties lose-False"
)
@pytest.mark.long
@pytest.mark.parametrize("alike", [True, False])
@pytest.mark.parametrize("name", spread(SMALL_ENOUGH, 5))
def test_figures_equal_plain_enumeration_on_small_decks(name: str, alike: bool) -> None:
    """Every outcome has the same frequency, for every variant."""
    game = compile_game(changed_sheet(*PAIRED[name]))
    rng = Random(f"{SEED} {name} {alike}")
    deck = small_deck(rng, 12 if alike else game.hand_size + game.places[-1].cards, alike=alike)
    plain, fast = PlainSolver(game, deck=deck), solve(Terms(game), deck)
    assert fast.expected == plain.value()
    assert outcome_shares(main_figures(plain)) == outcome_shares(fast.figures)


def outcome_shares(figures: Figures) -> dict[FigureRow, Fraction]:
    """Every outcome with its share of rounds."""
    return {replace(row, count=0): Fraction(row.count, figures.rounds) for row in figures.rows}


@pytest.mark.long
@pytest.mark.parametrize("number", spread(range(20), 2))
@pytest.mark.parametrize("name", PAIRED)
def test_spots_with_dead_cards_equal_plain_enumeration(name: str, number: int) -> None:
    sheet_ = changed_sheet(*PAIRED[name])
    game, rng = compile_game(sheet_), Random(f"{SEED} {name} {number}")
    hole, up = game.stages[0].opens
    deck = rng.sample(DECK, game.hand_size + game.places[-1].cards + rng.randrange(2, 6))
    rule = game.main[1]
    ante = rng.choice((None, rule.min, rule.max))
    purse = Cents(rng.randrange(4) * ante) if ante and rng.random() < 0.4 else None
    open_cards = (tuple(deck[hole : hole + up]),)
    assert_advice_is_exact(
        sheet_, Spot(tuple(deck[:hole]), open_cards, (), tuple(deck), ante, purse)
    )


@pytest.mark.long
def test_full_deck_spots_equal_plain_enumeration() -> None:
    rng = Random(f"{SEED} full")
    for _ in range(3):
        assert_advice_is_exact(sheet(TCP), Spot(tuple(rng.sample(DECK, 3)), ((),), (), DECK))


def test_round_with_wager_on_own_hand_adds_up() -> None:
    tcp = sheet(TCP)
    side = {"pair-plus": Cents(100)}
    round_figures_ = whole_round(tcp, None, side)
    main, plus = wager_figures(tcp, "main"), side_figures(tcp, "pair-plus")
    assert round_figures_.expected == main.expected + plus.expected  # Best play never folds a pair.


@pytest.mark.slow
def test_round_with_wager_on_both_hands_adds_up() -> None:
    """A fold does not lose these wagers, so both have their separate values."""
    side = {"six-card-bonus": Cents(100), "pair-plus": Cents(100)}
    round_figures_ = whole_round(sheet(TCP), None, side)
    side_values = [side_figures(sheet(TCP), wager).expected for wager in side]
    assert round_figures_.expected == wager_figures(sheet(TCP), "main").expected + sum(side_values)
    assert round_figures_.rounds == 407_170_400


@pytest.mark.long
@pytest.mark.parametrize("number", range(4))
def test_capped_rounds_equal_plain_enumeration_on_small_decks(number: int) -> None:
    rng = Random(f"{SEED} caps {number}")
    per, pays_max = ("round", "hand", "bet", "hand")[number], rng.choice((15, 40, 90))
    cap = f'[[limits]]\nper = "{per}"\npays_max = "{pays_max}"\nclause = "GEN-12"\n'
    capped_sheet = sheet_of(re.sub(r"\[uncapped\]\n(.+\n)+", cap, text_of(TCP)))
    terms = Terms(compile_game(capped_sheet), Cents(1000), {"six-card-bonus": Cents(700)})
    deck = small_deck(rng, 9, alike=True)
    plain = PlainSolver(terms.game, terms.ante, terms.side, deck=deck)
    assert outcome_shares(combined_figures(terms, deck)) == outcome_shares(round_figures(plain))


def test_ten_cards_are_too_many_to_count_together() -> None:
    game = compile_game(sheet(CRAZY))
    hand = Hand("both-hands", (0, 1), Kinds(5, "high-or-low"))
    assert not _is_countable(required_shape(game), hand)


# What is counted --------------------------------------------------------------------------------


def test_rank_key_sums_are_unique() -> None:
    sums = Counter[int]()
    for ranks in combinations_with_replacement(range(13), 7):
        if max(Counter(ranks).values()) <= 4:
            sums[sum(KEYS[rank] for rank in ranks)] += 1
    assert len(sums) == 49_205
    assert set(sums.values()) == {1}


@pytest.mark.parametrize(("best", "cards"), [(3, 3), (4, 5), (4, 6), (5, 5), (5, 7)])
def test_strength_equals_best_rank(best: int, cards: int) -> None:
    rng, table = Random(f"{SEED} {best} {cards}"), strength_of(best, cards, "high-or-low")
    for _ in range(2_000):
        hand = rng.sample(DECK, cards)
        suits = [sum(1 << card // 4 for card in hand if card % 4 == suit) for suit in range(4)]
        ranks = table.by_ranks[sum(KEYS[card // 4] for card in hand)]
        best_class = max(int(ranks), *(int(table.by_suit[suit_ranks]) for suit_ranks in suits))
        assert best_class == best_rank(hand, best)


def test_every_deal_is_counted_once() -> None:
    shape = Shape(3, 3, 1, 3, "high-or-low", 200)
    matches = count_matches(shape)
    assert int(matches.ways.sum()) == 52 * 20_825
    assert dealer_hands_total(shape) == 1_128
    assert (matches.not_stronger <= 1_128).all()
    assert (matches.weaker <= matches.not_stronger).all()
    assert np.isin(matches.ways, [4 * factor for factor in (1, 2, 3, 6)]).all()


# Which games fit --------------------------------------------------------------------------------


def changed_game(game: Game, **fields: object) -> Game:
    copied = copy(game)
    for name, field_value in fields.items():
        setattr(copied, name, field_value)
    return copied


def test_other_games_do_not_fit() -> None:
    game = compile_game(sheet(TCP))
    (stage,), (duel,) = game.stages, game.duels
    play_needing_hand = Play("1x", puts=(("play", 1),), needs=Need("own", 3))
    others: dict[str, dict[str, object]] = {
        "two decisions": {"stages": (stage, stage)},
        "a condition": {"stages": (stage._replace(when=When("hand", frozenset({1}))),)},
        "two cards seen": {"stages": (stage._replace(opens=(3, 2)),)},
        "own cards closed": {"stages": (stage._replace(opens=(2, 0)),)},
        "another hand asked for": {"stages": (stage._replace(plays=(play_needing_hand,)),)},
        "no duel": {"duels": ()},
        "the lower hand wins": {"duels": (duel._replace(low=True),)},
        "pays by the dealer's hand": {
            "wager_rules": (game.wager_rules[0]._replace(hand="both-hands"), *game.wager_rules[1:])
        },
    }
    assert shape_of(game) is not None
    for name, fields in others.items():
        assert shape_of(changed_game(game, **fields)) is None, name
        assert method_for(changed_game(game, **fields)).name == "plain", name


# Strategies -------------------------------------------------------------------------------------


def test_named_strategies_are_no_better_than_best_play() -> None:
    tcp = sheet(TCP)
    best = strategy_figures(tcp, "best").expected
    assert strategy_names(tcp) == ("best", "never-fold", "never-1x", "always-1x")
    worths = {name: strategy_figures(tcp, name).expected for name in strategy_names(tcp)}
    assert max(worths.values()) == best
    assert worths["never-fold"] == worths["always-1x"]
    assert worths["never-1x"] == -1
    with pytest.raises(StrategyError, match="is not a strategy"):
        strategy_figures(tcp, "sometimes")


def test_published_rule_is_best_play() -> None:
    """Queen, six, four or better plays."""
    rules = Rules(
        street=[
            StreetRule(at_least="Q 6 4", play="1x"),
            StreetRule(play="fold"),
        ]
    )
    assert rule_figures(sheet(TCP), rules).expected == strategy_figures(sheet(TCP), "best").expected
    with pytest.raises(StrategyError, match="is not a play here"):
        rule_figures(sheet(TCP), Rules(street=[StreetRule(play="9x")]))


def test_strategy_lines_cover_every_class() -> None:
    lines = list(strategy_lines(sheet(TCP)))
    plays = {line.cards: line.play for line in lines}
    assert plays["Q 6 4"] == "1x"
    assert plays["Q 6 3"] == "fold"
    assert len(plays) == len(lines)


def test_consecutive_hands_with_one_play_are_grouped() -> None:
    (runs,) = play_runs(strategy_lines(sheet(TCP))).values()
    assert [(run.first, run.last, run.plays) for run in runs] == [
        ("A K Q suited", "Q 6 4", ("1x",)),
        ("Q 6 3", "5 3 2", ("fold",)),
    ]


def test_line_rate_counts_any_winning_wager() -> None:
    """The Ante Bonus pays on every straight, regardless of Ante and Play."""
    rates = line_rates(wager_figures(sheet(TCP), "main"), ["straight", "three-of-a-kind"])
    assert rates == {"straight": Fraction(720, 22_100), "three-of-a-kind": Fraction(52, 22_100)}
