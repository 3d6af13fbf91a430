"""Advice: at every state it is the solver's, with dead cards it is a plain count of the cards."""

from __future__ import annotations

from fractions import Fraction
from itertools import islice, product
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.exact.kit import ANYWHERE, unusual_stud
from tests.exact.plain_stud import PlainStud
from tests.generated_sheets import document, street_stud_sheets
from tests.lanes import examples
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
DIES = ("after_fold = { plays = true", "after_fold = { plays = false")
LOW_CAP = (('pays_max = "25000"', 'pays_max = "1000"'), ('least = "100:1"', 'least = "30:1"'))


@pytest.mark.slow_cases("50000-1-1", "None-2-7")
@pytest.mark.long
@pytest.mark.parametrize(("street", "each"), [(0, 1), (1, 1), (2, 7)])
@pytest.mark.parametrize("ante", [None, 500_00])
def test_every_state_of_mississippi_stud(ante: int | None, street: int, each: int) -> None:
    """The 2,535 classes of four cards in full with `make test-slow`, one in seven without."""
    at_every_state(stud(CMS), ante, street, each=each)


@pytest.mark.long
@pytest.mark.parametrize("ante", [None, 100_00])
@pytest.mark.parametrize(
    ("name", "street", "each"),
    [("three-hole-cards", 0, 1), ("bets-withdrawn", 0, 1), ("bets-withdrawn", 1, 7)],
)
def test_every_state_of_unusual_sheets(name: str, street: int, each: int, ante: int | None) -> None:
    at_every_state(unusual_stud(name), ante, street, each=each)


@pytest.mark.slow
@pytest.mark.parametrize("street", [0, 1, 2])
@pytest.mark.parametrize(
    ("sheet_id", "swaps", "ante"), [(OMS, (), 4_00), (OMS, (PER_BET,), 4_00), (LAS, (), 7_00)]
)
def test_every_state_of_further_sheets(
    sheet_id: str, swaps: tuple[Swap, ...], ante: int, street: int
) -> None:
    at_every_state(stud(sheet_id, *swaps), ante, street)


@pytest.mark.slow
@pytest.mark.parametrize("ante", [None, 100_00])
def test_every_state_of_four_cards(ante: int | None) -> None:
    at_every_state(stud(CMS), ante and 500_00, 2)
    at_every_state(unusual_stud("bets-withdrawn"), ante, 1)


def at_every_state(sheet: StreetStud, ante: int | None, street: int, *, each: int = 1) -> None:
    """Every class of cards, or one of so many, with every stake so far: values and best play."""
    stake = None if ante is None else Cents(ante)
    solution = solve(sheet, stake)
    hole = sheet.deal.hole.value
    ways_to_bet = _bets_by_purse(solution, street)
    assert set(ways_to_bet) == set(solution.streets[street])
    for place, hand in islice(
        enumerate(classes(solution.seen[street], solution.ace)), 0, None, each
    ):
        held = _example(hand, turn=place)
        for purse, choice in solution.streets[street].items():
            bets = ways_to_bet[purse][place % len(ways_to_bet[purse])]
            advice = advise(sheet, held[:hole], held[hole:], bets, stake)
            scale = choice.ways * solution.terms.ante
            worth = [Fraction(int(one), scale) for one in choice.worth[:, place]]
            assert advice.actions == dict(zip(choice.plays, worth, strict=True)), names(held)
            assert advice.best == choice.plays[choice.best[place]]


def _bets_by_purse(solution: Solution, street: int) -> dict[Purse, list[tuple[str, ...]]]:
    terms = solution.terms
    found: dict[Purse, list[tuple[str, ...]]] = {}
    for bets in product(*terms.bets[:street]):
        purse = terms.purses[0][0]
        for bet in bets:
            purse = terms.add(purse, bet)
        found.setdefault(purse, []).append(tuple(f"{bet}x" for bet in bets))
    return found


def _example(hand: HandClass, turn: int) -> tuple[Card, ...]:
    """Cards of a class, in an order and in suits that change from class to class."""
    ranks = hand.ranks
    suits = [ranks[:place].count(rank) for place, rank in enumerate(ranks)]
    if not hand.suited and not any(suits):
        suits[turn % len(suits)] = 1
    held = [Card(4 * rank + (suit + turn) % 4) for rank, suit in zip(ranks, suits, strict=True)]
    start = turn % len(held)
    return tuple(held[start:] + held[:start])


@pytest.mark.long
@pytest.mark.parametrize(
    ("sheet_id", "swaps", "ante", "side"),
    [
        (CMS, (), None, {}),
        (CMS, (), 500_00, {}),
        (OMS, (), 4_00, {}),
        (OMS, (PER_BET,), 4_00, {}),
        (CMS, (DIES,), None, {"three-card-bonus": 20_00}),
        (CMS, (ANYWHERE, *LOW_CAP), 25_00, {"three-card-bonus": 100_00}),
        (LAS, (DIES,), 5_00, {"three-up": 100_00}),
    ],
)
@pytest.mark.parametrize("dead", [0, 10])
def test_sampled_spots_against_every_board(
    sheet_id: str, swaps: tuple[Swap, ...], ante: int | None, side: dict[str, int], dead: int
) -> None:
    sheet, luck = stud(sheet_id, *swaps), Random(SEED)
    plain = PlainStud(document(sheet), ante, side)
    for bets in ((), (3,), (1, 2)):
        dealt = luck.sample(range(52), 2 + len(bets) + dead)
        held, board, gone = dealt[:2], dealt[2 : 2 + len(bets)], dealt[2 + len(bets) :]
        found = plain.spot(held, board, bets, gone)
        advice = _advise(sheet, (held, board, gone), bets, ante, side)
        told = f"seed {SEED}: {names(Card(card) for card in dealt)}, {bets}"
        assert advice.actions == found.values, told
        assert advice.best == found.best, told


@pytest.mark.long
@settings(max_examples=examples(20, 40))
@given(street_stud_sheets(), st.booleans(), st.randoms(use_true_random=False))
def test_generated_spots_against_every_board(sheet: StreetStud, capped: bool, luck: Random) -> None:
    for_one_spot(sheet, luck, capped=capped)


@pytest.mark.slow
@settings(max_examples=500)
@given(street_stud_sheets(), st.booleans(), st.randoms(use_true_random=False))
def test_many_generated_spots_against_every_board(
    sheet: StreetStud, capped: bool, luck: Random
) -> None:
    for_one_spot(sheet, luck, capped=capped)


def for_one_spot(sheet: StreetStud, luck: Random, *, capped: bool) -> None:
    """Any decision, dead cards, side wagers and purse: what one play is worth over another."""
    hole, last = sheet.deal.hole.value, len(sheet.streets) - 1
    street = luck.randint(0 if hole > 1 else min(1, last), last)
    rule = sheet.ante
    ante = luck.randrange(rule.min, rule.max + 1, rule.step) if capped else None
    side = {
        wager: luck.randrange(one.stake.min, one.stake.max + 1, one.stake.step)
        for wager, one in sheet.side.items()
        if luck.random() < 0.7
    }
    plain = PlainStud(document(sheet), ante, side)
    bets = tuple(luck.choice(one) for one in plain.bets[:street])
    board = sum(plain.reveals[:street])
    dealt = luck.sample(range(52), hole + board + luck.choice([0, 0, 5, 10, 25]))
    known = (dealt[:hole], dealt[hole : hole + board], dealt[hole + board :])
    if 5 - hole - board > 3 and len(known[2]) < 10:
        return  # A quarter of a million boards: the slow tests of the solver have them.
    purse = None if ante is None else luck.choice((None, luck.randrange(12 * ante)))
    found = plain.spot(known[0], known[1], bets, known[2], purse)
    advice = _advise(sheet, known, bets, ante, side, purse=purse)
    first = next(iter(advice.actions))
    assert {play: worth - advice.actions[first] for play, worth in advice.actions.items()} == {
        play: worth - found.values[first] for play, worth in found.values.items()
    }
    assert advice.best == found.best
    if not side:
        assert advice.actions == found.values


def _advise(
    sheet: StreetStud,
    known: tuple[list[int], list[int], list[int]],
    bets: tuple[int, ...],
    ante: int | None,
    side: dict[str, int],
    *,
    purse: int | None = None,
) -> Advice:
    held, board, gone = ([Card(card) for card in some] for some in known)
    stakes = {wager: Cents(stake) for wager, stake in side.items()}
    stake = None if ante is None else Cents(ante)
    left = None if purse is None else Cents(purse)
    return advise(sheet, held, board, [f"{bet}x" for bet in bets], stake, stakes, gone, left)


def test_a_side_wager_that_plays_on_is_left_out() -> None:
    spot = (stud(CMS), cards("As Kd"), cards("7c"), ["1x"], Cents(25_00))
    bonus, gone = {"three-card-bonus": Cents(100_00)}, cards("2c 2d 2h")
    assert advise(*spot, side=bonus).actions == advise(*spot).actions
    assert advise(*spot, side=bonus, dead=gone).actions == advise(*spot, dead=gone).actions


def test_gen_16_ties_go_to_the_smallest_bet() -> None:
    folds = {"smallest-bet": 0, "largest-bet": 0, "fold": 0}
    for ties in folds:
        other = stud(CMS, ('ties = { is = "smallest-bet"', f'ties = {{ is = "{ties}"'))
        for choice in solve(other).streets[2].values():
            folds[ties] += int((choice.best == choice.plays.index("fold")).sum())
    assert folds["smallest-bet"] == folds["largest-bet"] < folds["fold"]


def test_a_made_pair_of_aces_is_bet_in_full() -> None:
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
