"""The value of plays for a player with little money left, counted card by card."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction
from itertools import combinations
from random import Random
from typing import Any

import pytest
from tests.exact.example_sheets import four_card_hi_lo, unusual_stud
from tests.exact.plain_stud import NET, PlainStud
from tests.random_sheets.sheets import document
from tests.sheets.samples import CMS, LAS, MHL, OMS, STAX, hi_lo, stud

from pitbook.cards import Card, cards, names
from pitbook.exact.advice import advise
from pitbook.exact.methods.ladder.enumerate import round_figures
from pitbook.exact.methods.ladder.solve import cached_solution, solve
from pitbook.exact.methods.ladder.structure import Terms
from pitbook.exact.methods.method import Advice
from pitbook.exact.spots import SpotError
from pitbook.exact.strategies import strategy_lines
from pitbook.money import Cents
from pitbook.rules.families.street_stud.sheet import StreetStud
from pitbook.rules.game import compile_game

SEED = 1623
LOSES_WITH_FOLD = ("after_fold = { plays = true", "after_fold = { plays = false")
PER_BET = ('per = "hand"\npays_max = "1000"', 'per = "bet"\npays_max = "300"')


Hand = tuple[Card, ...]
Cell = tuple[StreetStud, int, dict[str, int]]


def test_no_bet_on_a_hand_that_cannot_reach_the_showdown() -> None:
    """$1,000 and an ante of $500: after 1x nothing is left for the turn, so the hand must fold."""
    spot = (stud(CMS), cards("Ks 9d"), (), (), Cents(500_00))
    assert advise(*spot).best == "1x"
    poor = advise(*spot, purse=Cents(500_00))
    assert poor.actions == {"fold": -1, "1x": -2}
    assert poor.best == "fold"


# Card by card, in so many words -------------------------------------------------------------------


class PlainWithPurse:
    """One spot, enumerated card by card with the money left, in fractions."""

    def __init__(self, sheet: StreetStud, ante: int, side: dict[str, int], hole: Hand) -> None:
        self.stud = PlainStud(document(sheet), ante, side)  # Its oracle settles a finished hand.
        self.hole = [names([card]) for card in hole]
        self.ante = ante
        self.net_cache: dict[Any, Fraction] = {}

    def plays(self, board: Hand, unseen: Hand, bets: tuple[int, ...], purse: int) -> dict[str, Any]:
        """The value of every affordable play, in cents."""
        street = self.stud.streets[len(bets)]
        worth = {
            f"{bet}x": self.value_after_bet(board, unseen, (*bets, bet), purse - bet * self.ante)
            for bet in self.stud.bets[len(bets)]
            if bet * self.ante <= purse
        }
        if street["fold"]:
            worth["fold"] = self.value_of_folding(board, unseen, bets)
        if not worth:  # Nothing is affordable and there is no fold: the smallest bet is made.
            bet = self.stud.bets[len(bets)][0]
            worth[f"{bet}x"] = self.value_after_bet(
                board, unseen, (*bets, bet), purse - bet * self.ante
            )
        return worth

    def value_after_bet(
        self, board: Hand, unseen: Hand, bets: tuple[int, ...], purse: int
    ) -> Fraction:
        """The mean over the street's cards after a bet."""
        reveal_count = self.stud.reveals[len(bets) - 1]
        values = [
            self.value_at(board + revealed, _without(unseen, revealed), bets, purse)
            for revealed in combinations(unseen, reveal_count)
        ]
        return sum(values, Fraction(0)) / len(values)

    def value_at(self, board: Hand, unseen: Hand, bets: tuple[int, ...], purse: int) -> Fraction:
        if len(bets) < len(self.stud.streets):
            return Fraction(max(self.plays(board, unseen, bets, purse).values()))
        return self.net_result(bets, board, folded=False)

    def value_of_folding(self, board: Hand, unseen: Hand, bets: tuple[int, ...]) -> Fraction:
        to_come = sum(self.stud.reveals) - len(board)
        nets = [
            self.net_result(bets, board + further_cards, folded=True)
            for further_cards in (
                combinations(unseen, to_come) if self.stud.side else [unseen[:to_come]]
            )
        ]
        return sum(nets, Fraction(0)) / len(nets)

    def net_result(self, bets: tuple[int, ...], board: Hand, *, folded: bool) -> Fraction:
        key = (bets, frozenset(board), folded)
        if key not in self.net_cache:
            board_names = [names([card]) for card in board]
            result = self.stud._result(bets, self.hole, board_names, folded=folded)
            self.net_cache[key] = Fraction(result[NET])
        return self.net_cache[key]


def _without(remaining: Hand, removed: Hand) -> Hand:
    return tuple(card for card in remaining if card not in removed)


CELLS: list[Cell] = [
    (stud(CMS), 500_00, {}),
    (stud(OMS), 4_00, {}),
    (stud(OMS, PER_BET), 4_00, {}),
    (stud(LAS, LOSES_WITH_FOLD), 5_00, {"three-up": 100_00}),
    (stud(CMS, LOSES_WITH_FOLD), 25_00, {"three-card-bonus": 100_00}),
    (stud(STAX), 20_00, {"stax": 5_00}),
    (unusual_stud("bets-withdrawn"), 100_00, {}),
    (unusual_stud("three-hole-cards"), 100_00, {}),
]


@pytest.mark.slow_cases("1", "2", "4", "6")
@pytest.mark.long
@pytest.mark.parametrize("cell", range(len(CELLS)))
def test_purses_equal_plain_enumeration_with_dead_cards(cell: int) -> None:
    """Most cards are dead, so that every deal can be enumerated: 25 spots per sheet."""
    sheet, ante, side = CELLS[cell]
    rng, streets = Random(SEED + cell), len(sheet.streets)
    for number in range(25):
        street = min(streets - 1, number % 3)
        bets = tuple(rng.choice(street_rule.bets) for street_rule in sheet.streets[:street])
        hole, board_size = (
            sheet.deal.hole.value,
            sum(street_rule.reveals.value for street_rule in sheet.streets[:street]),
        )
        dealt = tuple(Card(card) for card in rng.sample(range(52), 52))
        hole_cards, board = dealt[:hole], dealt[hole : hole + board_size]
        live = tuple(sorted(dealt[-(6 if street == 0 else 9) :]))
        dead = dealt[hole + board_size : -len(live)]
        purse = rng.randrange(0, ante * 10, 100)
        plain_values = PlainWithPurse(sheet, ante, side, hole_cards).plays(board, live, bets, purse)
        advice = _advise_cell(CELLS[cell], hole_cards, board, bets, dead=dead, purse=purse)
        label = f"seed {SEED + cell}, {number}: {names(dealt)}, {bets}, {purse}"
        _assert_same_values(advice, plain_values, ante, label)


def _assert_same_values(
    advice: Advice, plain_values: dict[str, Fraction], ante: int, label: str
) -> None:
    """The same plays and the same values, up to a surviving side wager."""
    assert set(advice.actions) == set(plain_values), label
    first = next(iter(plain_values))
    assert {play: worth - advice.worth(first) for play, worth in advice.actions.items()} == {
        play: (worth - plain_values[first]) / ante for play, worth in plain_values.items()
    }, label
    assert advice.actions[advice.best] == max(advice.actions.values()), label


# Whole decks, by the tables that everybody's advice comes from ------------------------------------


@pytest.mark.long
@pytest.mark.parametrize(
    ("sheet", "ante", "spots"),
    [
        (stud(CMS), 500_00, (4, 15, 41)),
        (stud(OMS), 4_00, (3, 12, 35)),
        (stud(OMS, PER_BET), 4_00, (1, 8, 11)),
        (stud(LAS), 5_00, (2, 10, 28)),
        (unusual_stud("bets-withdrawn"), 100_00, (0, 6, 24)),
    ],
)
def test_purses_equal_plain_enumeration_of_full_decks(
    sheet: StreetStud, ante: int, spots: tuple[int, ...]
) -> None:
    """200 in all, over every ordered board, without the table of classes."""
    rng = Random(f"{SEED} {sheet.id} {ante}")
    plain = PlainStud(document(sheet), ante)
    for number, count in enumerate(spots):
        street = min(number, len(sheet.streets) - 1)
        for _ in range(count):
            bets = tuple(rng.choice(street_bets) for street_bets in plain.bets[:street])
            board_size = sum(plain.reveals[:street])
            dealt = rng.sample(range(52), plain.hole + board_size)
            purse = rng.randrange(0, ante * 10, 100)
            plain_spot = plain.spot(dealt[: plain.hole], dealt[plain.hole :], bets, purse=purse)
            known_cards = [Card(card) for card in dealt]
            hole, board = tuple(known_cards[: plain.hole]), tuple(known_cards[plain.hole :])
            advice = _advise_cell((sheet, ante, {}), hole, board, bets, purse=purse)
            label = f"seed {SEED}: {names(known_cards)}, {bets}, {purse}"
            assert advice.actions == plain_spot.values, label
            assert advice.best == plain_spot.best, label


def _advise_cell(
    cell: Cell, hole: Hand, board: Hand, bets: tuple[int, ...], *, dead: Hand = (), purse: int
) -> Advice:
    sheet, ante, side = cell
    return advise(
        sheet,
        hole,
        board,
        [f"{bet}x" for bet in bets],
        ante=Cents(ante),
        side={wager: Cents(stake) for wager, stake in side.items()},
        dead=dead,
        purse=Cents(purse),
    )


# With enough it is as it always was ---------------------------------------------------------------


@pytest.mark.slow_cases("oceanfront/mississippi-stud")
@pytest.mark.parametrize("sheet_id", [CMS, OMS, LAS, STAX])
def test_ample_purse_changes_nothing_and_reuses_the_cache(sheet_id: str) -> None:
    sheet, rng = stud(sheet_id), Random(SEED)
    ante = sheet.ante.min
    solution = cached_solution(sheet, ante)
    for _ in range(40):
        dealt = [Card(card) for card in rng.sample(range(52), 4)]
        bets = [rng.choice(("1x", "2x", "3x")) for _ in range(2)]
        spot = (sheet, dealt[:2], dealt[2:], bets, ante)
        assert advise(*spot, purse=Cents(3 * ante)) == advise(*spot)
        assert advise(sheet, dealt[:2], ante=ante, purse=Cents(9 * ante)) == advise(
            sheet, dealt[:2], ante=ante
        )
    assert cached_solution(sheet, ante, 9) is solution
    assert cached_solution(sheet, ante, 8) is not solution


@pytest.mark.long
def test_solution_in_use_stays_cached() -> None:
    sheet = stud(CMS)
    solution = cached_solution(sheet)
    for antes_left in range(3, 9):
        for ante in range(5_00, 20_00, 1_00):
            cached_solution(sheet, Cents(ante), antes_left)
            assert cached_solution(sheet) is solution


def test_purse_must_cover_the_whole_bet() -> None:
    spot = (stud(CMS), cards("As Ad"), cards("Kc 2h"), ("1x", "1x"), Cents(10_00))
    for cents, plays in ((30_00, 4), (29_99, 3), (20_00, 3), (10_00, 2), (9_99, 1), (0, 1)):
        assert len(advise(*spot, purse=Cents(cents)).actions) == plays
    assert advise(*spot, purse=Cents(9_99)).best == "fold"


def test_round_value_rises_with_the_purse() -> None:
    sheet, ante = stud(CMS), Cents(10_00)
    worth = [solve(sheet, ante, antes_left=antes_left).expected for antes_left in range(10)]
    assert worth[:3] == [-1, -1, -1]  # No showdown can be reached: fold at once.
    assert worth == sorted(worth)
    assert worth[3] > -1
    assert worth[8] < worth[9] == solve(sheet, ante).expected


@pytest.mark.slow
def test_affected_side_wager_respects_the_purse() -> None:
    sheet = stud(CMS, LOSES_WITH_FOLD)
    for antes_left in (2, 4, 9):
        terms = Terms(
            compile_game(sheet),
            Cents(10_00),
            True,
            {"three-card-bonus": Cents(5_00)},
            antes_left=antes_left,
        )
        limited_value = round_figures(terms).expected
        unlimited_value = round_figures(replace(terms, antes_left=None)).expected
        assert (limited_value == unlimited_value) == (antes_left == 9)


@pytest.mark.long
def test_strategy_for_a_purse_equals_its_advice() -> None:
    """$40 left after an ante of $10: at most four antes can be bet."""
    sheet, ante, purse = stud(CMS), Cents(10_00), Cents(49_99)
    lines = list(strategy_lines(sheet, ante, purse=purse))
    assert max(line.units for line in lines) == 5
    flop_lines = {line.cards: line for line in lines if line.street == "flop"}
    for text, class_label in (("As Kd", "A K"), ("7h 6h", "7 6 suited"), ("Td Tc", "10 10")):
        advice = advise(sheet, cards(text), ante=ante, purse=purse)
        assert (flop_lines[class_label].play, flop_lines[class_label].worth) == (
            advice.best,
            max(advice.actions.values()),
        )
    assert list(strategy_lines(sheet, ante, purse=Cents(90_00))) == list(
        strategy_lines(sheet, ante)
    )
    plays = {line.play for line in strategy_lines(hi_lo(MHL), Cents(10_00), purse=Cents(9_99))}
    assert plays == {"low", "high"}


# Hi-lo has one later bet, the double --------------------------------------------------------------


@pytest.mark.parametrize(
    ("sheet", "hand_text"), [(hi_lo(MHL), "Kc Qd Jh"), (four_card_hi_lo(), "2s 3d 4c Kh")]
)
def test_unaffordable_double_is_not_a_play(sheet: Any, hand_text: str) -> None:
    bet = sheet.bet.min
    unlimited = advise(sheet, cards(hand_text), ante=bet)
    doubles = [play for play in unlimited.actions if play.endswith("+double")]
    for purse in (0, bet - 1):
        poor = advise(sheet, cards(hand_text), ante=bet, purse=Cents(purse))
        assert poor.actions == {play: unlimited.worth(play) for play in ("low", "high")}
        assert poor.best == max(poor.actions, key=poor.actions.__getitem__)
    if doubles:
        times = sheet.double.times
        assert advise(sheet, cards(hand_text), ante=bet, purse=Cents(times * bet)) == unlimited


# What is said -------------------------------------------------------------------------------------


def test_explanation_states_what_the_purse_pays_for() -> None:
    spot = (stud(CMS), cards("Ks 9d"), (), (), Cents(500_00))
    assert (
        "You have $500 left. Playing to the end costs at least $1,500."
        in advise(*spot, purse=Cents(500_00)).why
    )
    some_left_why = advise(*spot, purse=Cents(2_000_00)).why
    assert "You have $2,000 left, not enough for every bet." in some_left_why
    assert "is left" not in advise(*spot, purse=Cents(4_500_00)).why


@pytest.mark.parametrize(
    ("fields", "message"),
    [
        ({"purse": Cents(100_00)}, "With a purse of $100, give the ante too"),
        ({"purse": Cents(-1), "ante": Cents(10_00)}, "The purse cannot be negative."),
    ],
)
def test_invalid_purse_is_refused(fields: dict[str, Any], message: str) -> None:
    with pytest.raises(SpotError, match=message.replace("$", r"\$")):
        advise(stud(CMS), cards("As Ad"), **fields)
