"""Advice equals the solver's values in every state, and a plain count of cards with dead cards."""

from __future__ import annotations

from fractions import Fraction
from itertools import islice, product
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.exact.example_sheets import ANYWHERE, unusual_stud
from tests.exact.plain_stud import PlainStud
from tests.lanes import examples
from tests.random_sheets.sheets import document, street_stud_sheets
from tests.sheets.samples import CMS, LAS, OMS, Swap, stud

from pitbook.cards import Card, cards, names
from pitbook.exact.advice import advise
from pitbook.exact.methods.ladder.solve import Solution, solve
from pitbook.exact.methods.ladder.structure import Purse
from pitbook.exact.methods.method import Advice
from pitbook.hands.ranking import HandClass, classes
from pitbook.money import Cents
from pitbook.rules.families.street_stud.sheet import StreetStud

SEED = 1913
PER_BET = ('per = "hand"\npays_max = "1000"', 'per = "bet"\npays_max = "300"')
BONUS_LOSES_WITH_FOLD = ("after_fold = { plays = true", "after_fold = { plays = false")
LOW_CAP = (('pays_max = "25000"', 'pays_max = "1000"'), ('least = "100:1"', 'least = "30:1"'))


@pytest.mark.slow_cases("50000-1-1", "None-2-7")
@pytest.mark.long
@pytest.mark.parametrize(("street", "step"), [(0, 1), (1, 1), (2, 7)])
@pytest.mark.parametrize("ante", [None, 500_00])
def test_every_state_of_mississippi_stud(ante: int | None, street: int, step: int) -> None:
    """All 2,535 classes of four cards with `make test-slow`, otherwise one in seven."""
    assert_every_state_is_exact(stud(CMS), ante, street, step=step)


@pytest.mark.long
@pytest.mark.parametrize("ante", [None, 100_00])
@pytest.mark.parametrize(
    ("name", "street", "step"),
    [("three-hole-cards", 0, 1), ("bets-withdrawn", 0, 1), ("bets-withdrawn", 1, 7)],
)
def test_every_state_of_unusual_sheets(name: str, street: int, step: int, ante: int | None) -> None:
    assert_every_state_is_exact(unusual_stud(name), ante, street, step=step)


@pytest.mark.slow
@pytest.mark.parametrize("street", [0, 1, 2])
@pytest.mark.parametrize(
    ("sheet_id", "swaps", "ante"), [(OMS, (), 4_00), (OMS, (PER_BET,), 4_00), (LAS, (), 7_00)]
)
def test_every_state_of_further_sheets(
    sheet_id: str, swaps: tuple[Swap, ...], ante: int, street: int
) -> None:
    assert_every_state_is_exact(stud(sheet_id, *swaps), ante, street)


@pytest.mark.slow
@pytest.mark.parametrize("ante", [None, 100_00])
def test_every_state_of_four_cards(ante: int | None) -> None:
    assert_every_state_is_exact(stud(CMS), ante and 500_00, 2)
    assert_every_state_is_exact(unusual_stud("bets-withdrawn"), ante, 1)


def assert_every_state_is_exact(
    sheet: StreetStud, ante: int | None, street: int, *, step: int = 1
) -> None:
    """Every class of cards, or one in `step`, with every stake so far: values and best play."""
    stake = None if ante is None else Cents(ante)
    solution = solve(sheet, stake)
    hole = sheet.deal.hole.value
    ways_to_bet = _bets_by_purse(solution, street)
    assert set(ways_to_bet) == set(solution.streets[street])
    for place, hand in islice(
        enumerate(classes(solution.cards_seen[street], solution.ace)), 0, None, step
    ):
        hand_cards = _example(hand, turn=place)
        for purse, choice in solution.streets[street].items():
            bets = ways_to_bet[purse][place % len(ways_to_bet[purse])]
            advice = advise(sheet, hand_cards[:hole], hand_cards[hole:], bets, stake)
            scale = choice.ways * solution.terms.ante
            worth = [Fraction(int(worth_cents), scale) for worth_cents in choice.worth[:, place]]
            assert advice.actions == dict(zip(choice.plays, worth, strict=True)), names(hand_cards)
            assert advice.best == choice.plays[choice.best[place]]


def _bets_by_purse(solution: Solution, street: int) -> dict[Purse, list[tuple[str, ...]]]:
    terms = solution.terms
    bets_by_purse: dict[Purse, list[tuple[str, ...]]] = {}
    for bets in product(*terms.bets[:street]):
        purse = terms.purses[0][0]
        for bet in bets:
            purse = terms._add_bet(purse, bet)
        bets_by_purse.setdefault(purse, []).append(tuple(f"{bet}x" for bet in bets))
    return bets_by_purse


def _example(hand: HandClass, turn: int) -> tuple[Card, ...]:
    """Cards of a class, in an order and suits that vary from class to class."""
    ranks = hand.ranks
    suits = [ranks[:place].count(rank) for place, rank in enumerate(ranks)]
    if not hand.suited and not any(suits):
        suits[turn % len(suits)] = 1
    example_cards = [
        Card(4 * rank + (suit + turn) % 4) for rank, suit in zip(ranks, suits, strict=True)
    ]
    start = turn % len(example_cards)
    return tuple(example_cards[start:] + example_cards[:start])


@pytest.mark.long
@pytest.mark.parametrize(
    ("sheet_id", "swaps", "ante", "side"),
    [
        (CMS, (), None, {}),
        (CMS, (), 500_00, {}),
        (OMS, (), 4_00, {}),
        (OMS, (PER_BET,), 4_00, {}),
        (CMS, (BONUS_LOSES_WITH_FOLD,), None, {"three-card-bonus": 20_00}),
        (CMS, (ANYWHERE, *LOW_CAP), 25_00, {"three-card-bonus": 100_00}),
        (LAS, (BONUS_LOSES_WITH_FOLD,), 5_00, {"three-up": 100_00}),
    ],
)
@pytest.mark.parametrize("dead", [0, 10])
def test_sampled_spots_against_every_board(
    sheet_id: str, swaps: tuple[Swap, ...], ante: int | None, side: dict[str, int], dead: int
) -> None:
    sheet, rng = stud(sheet_id, *swaps), Random(SEED)
    plain = PlainStud(document(sheet), ante, side)
    for bets in ((), (3,), (1, 2)):
        dealt = rng.sample(range(52), 2 + len(bets) + dead)
        hole, board, dead_cards = dealt[:2], dealt[2 : 2 + len(bets)], dealt[2 + len(bets) :]
        plain_spot = plain.spot(hole, board, bets, dead_cards)
        advice = _advise(sheet, (hole, board, dead_cards), bets, ante, side)
        label = f"seed {SEED}: {names(Card(card) for card in dealt)}, {bets}"
        assert advice.actions == plain_spot.values, label
        assert advice.best == plain_spot.best, label


@pytest.mark.long
@settings(max_examples=examples(20, 40))
@given(street_stud_sheets(), st.booleans(), st.randoms(use_true_random=False))
def test_generated_spots_against_every_board(sheet: StreetStud, capped: bool, rng: Random) -> None:
    assert_spot_is_exact(sheet, rng, capped=capped)


@pytest.mark.slow
@settings(max_examples=500)
@given(street_stud_sheets(), st.booleans(), st.randoms(use_true_random=False))
def test_many_generated_spots_against_every_board(
    sheet: StreetStud, capped: bool, rng: Random
) -> None:
    assert_spot_is_exact(sheet, rng, capped=capped)


def assert_spot_is_exact(sheet: StreetStud, rng: Random, *, capped: bool) -> None:
    """A random decision, dead cards, side wagers and purse: the value of each play relative to
    another.
    """
    hole, last = sheet.deal.hole.value, len(sheet.streets) - 1
    street = rng.randint(0 if hole > 1 else min(1, last), last)
    rule = sheet.ante
    ante = rng.randrange(rule.min, rule.max + 1, rule.step) if capped else None
    side = {
        wager: rng.randrange(side_wager.stake.min, side_wager.stake.max + 1, side_wager.stake.step)
        for wager, side_wager in sheet.side.items()
        if rng.random() < 0.7
    }
    plain = PlainStud(document(sheet), ante, side)
    bets = tuple(rng.choice(street_bets) for street_bets in plain.bets[:street])
    board = sum(plain.reveals[:street])
    dealt = rng.sample(range(52), hole + board + rng.choice([0, 0, 5, 10, 25]))
    known_cards = (dealt[:hole], dealt[hole : hole + board], dealt[hole + board :])
    if 5 - hole - board > 3 and len(known_cards[2]) < 10:
        return  # A quarter of a million boards: covered by the slow tests of the solver.
    purse = None if ante is None else rng.choice((None, rng.randrange(12 * ante)))
    plain_spot = plain.spot(known_cards[0], known_cards[1], bets, known_cards[2], purse)
    advice = _advise(sheet, known_cards, bets, ante, side, purse=purse)
    first = next(iter(advice.actions))
    assert {play: worth - advice.actions[first] for play, worth in advice.actions.items()} == {
        play: worth - plain_spot.values[first] for play, worth in plain_spot.values.items()
    }
    assert advice.best == plain_spot.best
    if not side:
        assert advice.actions == plain_spot.values


def _advise(
    sheet: StreetStud,
    known_cards: tuple[list[int], list[int], list[int]],
    bets: tuple[int, ...],
    ante: int | None,
    side: dict[str, int],
    *,
    purse: int | None = None,
) -> Advice:
    hole, board, dead_cards = ([Card(card) for card in card_group] for card_group in known_cards)
    stakes = {wager: Cents(stake) for wager, stake in side.items()}
    stake = None if ante is None else Cents(ante)
    cents_left = None if purse is None else Cents(purse)
    return advise(
        sheet, hole, board, [f"{bet}x" for bet in bets], stake, stakes, dead_cards, cents_left
    )


def test_surviving_side_wager_does_not_change_advice() -> None:
    spot = (stud(CMS), cards("As Kd"), cards("7c"), ["1x"], Cents(25_00))
    bonus, dead_cards = {"three-card-bonus": Cents(100_00)}, cards("2c 2d 2h")
    assert advise(*spot, side=bonus).actions == advise(*spot).actions
    assert (
        advise(*spot, side=bonus, dead=dead_cards).actions == advise(*spot, dead=dead_cards).actions
    )


def test_gen_16_ties_go_to_the_smallest_bet() -> None:
    folds = {"smallest-bet": 0, "largest-bet": 0, "fold": 0}
    for ties in folds:
        changed = stud(CMS, ('ties = { is = "smallest-bet"', f'ties = {{ is = "{ties}"'))
        for choice in solve(changed).streets[2].values():
            folds[ties] += int((choice.best == choice.plays.index("fold")).sum())
    assert folds["smallest-bet"] == folds["largest-bet"] < folds["fold"]


def test_pair_of_aces_is_raised_3x() -> None:
    advice = advise(stud(CMS), cards("As Ad"))
    assert advice.best == "3x"
    assert advice.worth("fold") == -1
    assert advice.cost("3x") == 0
    assert advice.cost("fold") == advice.worth("3x") + 1
    assert all(advice.cost(play) >= 0 for play in advice.actions)
    document = advice.document()
    assert list(document["actions"]) == ["fold", "1x", "2x", "3x"]
    assert Fraction(document["actions"]["3x"]) == advice.worth("3x")
    assert Fraction(document["cost"]["fold"]) == advice.cost("fold")
