"""What a play is worth to a player with little left: counted card by card, and exact."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction
from itertools import combinations
from random import Random
from typing import Any

import pytest
from tests.exact.kit import four_cards, unusual_stud
from tests.exact.plain_stud import NET, PlainStud
from tests.generated_sheets import document
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
DIES = ("after_fold = { plays = true", "after_fold = { plays = false")
PER_BET = ('per = "hand"\npays_max = "1000"', 'per = "bet"\npays_max = "300"')


Hand = tuple[Card, ...]
Cell = tuple[StreetStud, int, dict[str, int]]


def test_the_last_chips_are_not_thrown_after_a_hand_that_cannot_be_finished() -> None:
    """$1,000 and an ante of $500: 1x leaves nothing for the turn, where the hand is folded."""
    spot = (stud(CMS), cards("Ks 9d"), (), (), Cents(500_00))
    assert advise(*spot).best == "1x"
    poor = advise(*spot, purse=Cents(500_00))
    assert poor.actions == {"fold": -1, "1x": -2}
    assert poor.best == "fold"


# Card by card, in so many words -------------------------------------------------------------------


class Plain:
    """One spot, gone through card by card with the money that is left, in fractions."""

    def __init__(self, sheet: StreetStud, ante: int, side: dict[str, int], hole: Hand) -> None:
        self.stud = PlainStud(document(sheet), ante, side)  # Its oracle prices a finished hand.
        self.hole = [names([card]) for card in hole]
        self.ante = ante
        self.priced: dict[Any, Fraction] = {}

    def plays(self, board: Hand, left: Hand, bets: tuple[int, ...], purse: int) -> dict[str, Any]:
        """Every play that can be paid for, in cents."""
        street = self.stud.streets[len(bets)]
        worth = {
            f"{bet}x": self.after(board, left, (*bets, bet), purse - bet * self.ante)
            for bet in self.stud.bets[len(bets)]
            if bet * self.ante <= purse
        }
        if street["fold"]:
            worth["fold"] = self.folded(board, left, bets)
        if not worth:  # Nothing is paid for and nobody may fold: the smallest bet is made.
            bet = self.stud.bets[len(bets)][0]
            worth[f"{bet}x"] = self.after(board, left, (*bets, bet), purse - bet * self.ante)
        return worth

    def after(self, board: Hand, left: Hand, bets: tuple[int, ...], purse: int) -> Fraction:
        """A bet is made: the street's cards come, each set as likely as any other."""
        more = self.stud.reveals[len(bets) - 1]
        came = [
            self.at(board + turned, _less(left, turned), bets, purse)
            for turned in combinations(left, more)
        ]
        return sum(came, Fraction(0)) / len(came)

    def at(self, board: Hand, left: Hand, bets: tuple[int, ...], purse: int) -> Fraction:
        if len(bets) < len(self.stud.streets):
            return Fraction(max(self.plays(board, left, bets, purse).values()))
        return self.net(bets, board, folded=False)

    def folded(self, board: Hand, left: Hand, bets: tuple[int, ...]) -> Fraction:
        to_come = sum(self.stud.reveals) - len(board)
        ends = [
            self.net(bets, board + more, folded=True)
            for more in (combinations(left, to_come) if self.stud.side else [left[:to_come]])
        ]
        return sum(ends, Fraction(0)) / len(ends)

    def net(self, bets: tuple[int, ...], board: Hand, *, folded: bool) -> Fraction:
        key = (bets, frozenset(board), folded)
        if key not in self.priced:
            shown = [names([card]) for card in board]
            result = self.stud._result(bets, self.hole, shown, folded=folded)
            self.priced[key] = Fraction(result[NET])
        return self.priced[key]


def _less(left: Hand, gone: Hand) -> Hand:
    return tuple(card for card in left if card not in gone)


CELLS: list[Cell] = [
    (stud(CMS), 500_00, {}),
    (stud(OMS), 4_00, {}),
    (stud(OMS, PER_BET), 4_00, {}),
    (stud(LAS, DIES), 5_00, {"three-up": 100_00}),
    (stud(CMS, DIES), 25_00, {"three-card-bonus": 100_00}),
    (stud(STAX), 20_00, {"stax": 5_00}),
    (unusual_stud("bets-withdrawn"), 100_00, {}),
    (unusual_stud("three-hole-cards"), 100_00, {}),
]


@pytest.mark.slow_cases("1", "2", "4", "6")
@pytest.mark.long
@pytest.mark.parametrize("cell", range(len(CELLS)))
def test_random_purses_and_spots_against_every_card_that_is_left(cell: int) -> None:
    """Most cards are dead, so that each of the rest can be turned by hand: 25 spots a sheet."""
    sheet, ante, side = CELLS[cell]
    luck, streets = Random(SEED + cell), len(sheet.streets)
    for number in range(25):
        street = min(streets - 1, number % 3)
        bets = tuple(luck.choice(one.bets) for one in sheet.streets[:street])
        hole, turned = (
            sheet.deal.hole.value,
            sum(one.reveals.value for one in sheet.streets[:street]),
        )
        dealt = tuple(Card(card) for card in luck.sample(range(52), 52))
        held, board = dealt[:hole], dealt[hole : hole + turned]
        left = tuple(sorted(dealt[-(6 if street == 0 else 9) :]))
        dead = dealt[hole + turned : -len(left)]
        purse = luck.randrange(0, ante * 10, 100)
        found = Plain(sheet, ante, side, held).plays(board, left, bets, purse)
        advice = _advised(CELLS[cell], held, board, bets, dead=dead, purse=purse)
        told = f"seed {SEED + cell}, {number}: {names(dealt)}, {bets}, {purse}"
        _same(advice, found, ante, told)


def _same(advice: Advice, found: dict[str, Fraction], ante: int, told: str) -> None:
    """The same plays and the same values, up to a side wager that plays on whatever is done."""
    assert set(advice.actions) == set(found), told
    first = next(iter(found))
    assert {play: worth - advice.worth(first) for play, worth in advice.actions.items()} == {
        play: (worth - found[first]) / ante for play, worth in found.items()
    }, told
    assert advice.actions[advice.best] == max(advice.actions.values()), told


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
def test_random_purses_and_spots_of_whole_decks_against_every_board(
    sheet: StreetStud, ante: int, spots: tuple[int, ...]
) -> None:
    """200 in all, every board in order, as the table of classes has never seen one."""
    luck = Random(f"{SEED} {sheet.id} {ante}")
    plain = PlainStud(document(sheet), ante)
    for number, count in enumerate(spots):
        street = min(number, len(sheet.streets) - 1)
        for _ in range(count):
            bets = tuple(luck.choice(one) for one in plain.bets[:street])
            turned = sum(plain.reveals[:street])
            dealt = luck.sample(range(52), plain.hole + turned)
            purse = luck.randrange(0, ante * 10, 100)
            found = plain.spot(dealt[: plain.hole], dealt[plain.hole :], bets, purse=purse)
            known = [Card(card) for card in dealt]
            held, board = tuple(known[: plain.hole]), tuple(known[plain.hole :])
            advice = _advised((sheet, ante, {}), held, board, bets, purse=purse)
            told = f"seed {SEED}: {names(known)}, {bets}, {purse}"
            assert advice.actions == found.values, told
            assert advice.best == found.best, told


def _advised(
    cell: Cell, held: Hand, board: Hand, bets: tuple[int, ...], *, dead: Hand = (), purse: int
) -> Advice:
    sheet, ante, side = cell
    return advise(
        sheet,
        held,
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
def test_an_ample_purse_changes_nothing_and_costs_nothing(sheet_id: str) -> None:
    sheet, luck = stud(sheet_id), Random(SEED)
    ante = sheet.ante.min
    kept = cached_solution(sheet, ante)
    for _ in range(40):
        dealt = [Card(card) for card in luck.sample(range(52), 4)]
        bets = [luck.choice(("1x", "2x", "3x")) for _ in range(2)]
        spot = (sheet, dealt[:2], dealt[2:], bets, ante)
        assert advise(*spot, purse=Cents(3 * ante)) == advise(*spot)
        assert advise(sheet, dealt[:2], ante=ante, purse=Cents(9 * ante)) == advise(
            sheet, dealt[:2], ante=ante
        )
    assert cached_solution(sheet, ante, 9) is kept
    assert cached_solution(sheet, ante, 8) is not kept


@pytest.mark.long
def test_what_is_in_use_is_kept_however_many_others_are_asked_for() -> None:
    sheet = stud(CMS)
    kept = cached_solution(sheet)
    for room in range(3, 9):
        for ante in range(5_00, 20_00, 1_00):
            cached_solution(sheet, Cents(ante), room)
            assert cached_solution(sheet) is kept


def test_one_cent_less_than_a_bet_is_too_little() -> None:
    spot = (stud(CMS), cards("As Ad"), cards("Kc 2h"), ("1x", "1x"), Cents(10_00))
    for cents, plays in ((30_00, 4), (29_99, 3), (20_00, 3), (10_00, 2), (9_99, 1), (0, 1)):
        assert len(advise(*spot, purse=Cents(cents)).actions) == plays
    assert advise(*spot, purse=Cents(9_99)).best == "fold"


def test_a_round_is_worth_less_with_less_and_what_it_was_with_enough() -> None:
    sheet, ante = stud(CMS), Cents(10_00)
    worth = [solve(sheet, ante, room=room).expected for room in range(10)]
    assert worth[:3] == [-1, -1, -1]  # Nobody comes to a showdown: fold at once.
    assert worth == sorted(worth)
    assert worth[3] > -1
    assert worth[8] < worth[9] == solve(sheet, ante).expected


@pytest.mark.slow
def test_a_side_wager_that_bears_on_play_knows_the_purse_too() -> None:
    sheet = stud(CMS, DIES)
    for room in (2, 4, 9):
        terms = Terms(
            compile_game(sheet), Cents(10_00), True, {"three-card-bonus": Cents(5_00)}, room=room
        )
        dealt = round_figures(terms).expected
        free = round_figures(replace(terms, room=None)).expected
        assert (dealt == free) == (room == 9)


@pytest.mark.long
def test_a_strategy_for_a_purse_is_its_advice_spot_by_spot() -> None:
    """$40 left beside an ante of $10; nobody has bet more than four antes anywhere."""
    sheet, ante, purse = stud(CMS), Cents(10_00), Cents(49_99)
    lines = list(strategy_lines(sheet, ante, purse=purse))
    assert max(one.units for one in lines) == 5
    held = {one.cards: one for one in lines if one.street == "flop"}
    for text, named in (("As Kd", "A K"), ("7h 6h", "7 6 suited"), ("Td Tc", "10 10")):
        advice = advise(sheet, cards(text), ante=ante, purse=purse)
        assert (held[named].play, held[named].worth) == (advice.best, max(advice.actions.values()))
    assert list(strategy_lines(sheet, ante, purse=Cents(90_00))) == list(
        strategy_lines(sheet, ante)
    )
    declared = {one.play for one in strategy_lines(hi_lo(MHL), Cents(10_00), purse=Cents(9_99))}
    assert declared == {"low", "high"}


# Hi-lo has one later bet, the double --------------------------------------------------------------


@pytest.mark.parametrize(
    ("sheet", "held"), [(hi_lo(MHL), "Kc Qd Jh"), (four_cards(), "2s 3d 4c Kh")]
)
def test_a_double_that_cannot_be_paid_for_is_no_play(sheet: Any, held: str) -> None:
    bet = sheet.bet.min
    every = advise(sheet, cards(held), ante=bet)
    doubles = [play for play in every.actions if play.endswith("+double")]
    for purse in (0, bet - 1):
        poor = advise(sheet, cards(held), ante=bet, purse=Cents(purse))
        assert poor.actions == {one: every.worth(one) for one in ("low", "high")}
        assert poor.best == max(poor.actions, key=poor.actions.__getitem__)
    if doubles:
        times = sheet.double.times
        assert advise(sheet, cards(held), ante=bet, purse=Cents(times * bet)) == every


# What is said -------------------------------------------------------------------------------------


def test_why_says_what_the_purse_pays_for() -> None:
    spot = (stud(CMS), cards("Ks 9d"), (), (), Cents(500_00))
    assert (
        "$500 is left and cannot take the hand to its showdown: that costs $1,500 at least"
        in advise(*spot, purse=Cents(500_00)).why
    )
    some = advise(*spot, purse=Cents(2_000_00)).why
    assert "$2,000 is left, which does not pay for every bet" in some
    assert "is left" not in advise(*spot, purse=Cents(4_500_00)).why


@pytest.mark.parametrize(
    ("more", "said"),
    [
        ({"purse": Cents(100_00)}, "a purse of $100 needs an amount for the ante"),
        ({"purse": Cents(-1), "ante": Cents(10_00)}, "a purse cannot be less than nothing"),
    ],
)
def test_a_purse_that_says_nothing_is_refused(more: dict[str, Any], said: str) -> None:
    with pytest.raises(SpotError, match=said.replace("$", r"\$")):
        advise(stud(CMS), cards("As Ad"), **more)
