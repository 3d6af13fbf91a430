"""Explanations of advice match exact counts, and bad input is refused with an explanation."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from fractions import Fraction
from itertools import combinations
from random import Random
from typing import Any

import pytest
from tests.exact.example_sheets import ANYWHERE, four_card_hi_lo
from tests.exact.figures_json import math_document
from tests.exact.plain_hi_lo import PlainHiLo
from tests.random_sheets.sheets import document
from tests.rules.oracle import pay
from tests.sheets.samples import CMS, LAS, MHL, OMS, hi_lo, stud

from pitbook.cards import Card, cards, names
from pitbook.exact.advice import advise
from pitbook.exact.methods.ladder.solve import solve
from pitbook.exact.methods.method import Advice
from pitbook.exact.sheet_figures import MathError
from pitbook.exact.spots import SpotError
from pitbook.money import Cents
from pitbook.rules.families.street_stud.sheet import StreetStud

SEED = 2014
CAPS_MAIN = ("[limits.counts.lines]", '[limits.counts.lines]\nmain = ["low", "high"]')
ENDS = re.compile(
    r"Of ([\d,]+) possible boards, you win ([\d,]+), push ([\d,]+) and lose ([\d,]+)\."
)
MADE = re.compile(r"^Made hand: (.+?)\. At minimum it (pushes|pays (\d+:\d+))\. ")
MORE = re.compile(r"(\dx) is worth ([\d.]+) antes more than (folding|\dx)\.$")
SAVES = re.compile(r"Folding saves ([\d.]+) antes compared with (\dx)\.$")
LEVEL = re.compile(r"(\dx) and (folding|\dx) have the same EV\.$")


@pytest.mark.slow_cases("0-catfish-bend/mississippi-stud", "0-louisiana-stud/standard")
@pytest.mark.long
@pytest.mark.parametrize("sheet_id", [CMS, OMS, LAS])
@pytest.mark.parametrize("dead", [0, pytest.param(10, marks=pytest.mark.slow)])
def test_explanation_matches_exact_counts(sheet_id: str, dead: int) -> None:
    sheet, rng = stud(sheet_id), Random(SEED)
    for number in range(30):
        board_size = number % 3
        dealt = [Card(card) for card in rng.sample(range(52), 2 + board_size + dead)]
        hole, board, dead_cards = dealt[:2], dealt[2 : 2 + board_size], dealt[2 + board_size :]
        bets = [rng.choice(["1x", "2x", "3x"]) for _ in range(board_size)]
        advice = advise(sheet, hole, board, bets, dead=dead_cards)
        label = f"seed {SEED}, {names(hole)} | {names(board)} | {names(dead_cards)}: {advice.why}"
        assert_ends_are_true(document(sheet), hole + board, dead_cards, advice.why, label)
        assert_comparison_is_true(advice, label)


@pytest.mark.parametrize(
    ("hole", "board", "made_hand"),
    [
        ("As Ad", "", "Made hand: pair of jacks or better. At minimum it pays 1:1."),
        ("6s 6d", "7c", "Made hand: pair of sixes to tens. At minimum it pushes."),
        ("5s 5d", "7c 7d", "Made hand: two pair. At minimum it pays 2:1."),
        ("5s 5d", "5c 7d", "Made hand: three of a kind. At minimum it pays 3:1."),
        ("5s 5d", "7c", None),
        ("As Ks", "Qs Js", None),
    ],
)
def test_explanation_names_the_made_hand(hole: str, board: str, made_hand: str | None) -> None:
    board_cards = cards(board)
    why = advise(stud(CMS), cards(hole), board_cards, ["1x"] * len(board_cards)).why
    if made_hand is None:
        assert "Made hand" not in why
    else:
        assert why.startswith(made_hand), why


def test_dead_cards_do_not_make_a_hand() -> None:
    """With every other card dead, a flush is certain but not made yet."""
    hole, board = cards("As Ks"), cards("9s 4s")
    others = [Card(number) for number in range(52) if number % 4 != 3]
    advice = advise(stud(CMS), hole, board, ["1x", "1x"], dead=others)
    assert "Made hand" not in advice.why
    assert advice.why.startswith("Of 9 possible boards, you win 9, push 0 and lose 0.")


@pytest.mark.long
def test_explanation_of_a_declaration_matches_exact_counts() -> None:
    sheet, rng = hi_lo(MHL), Random(SEED)
    plain = PlainHiLo(document(sheet))
    for _ in range(12):
        shoe = rng.sample(range(312), 3)
        hand = [Card(number % 52) for number in shoe]
        advice = advise(sheet, hand)
        ranks = [card // 4 for card in hand]
        low, high = plain.points(ranks)
        points = f"{low} points" if low == high else f"{low} low and {high} high"
        side = advice.best.split("+")[0]
        assert advice.why.startswith(f"You have {points}. {side.capitalize()} wins or ties")
        share = _win_or_tie_share(plain, ranks, side)
        assert f"{float(share) * 100:.2f}% of the time" in advice.why
        worth = plain.values(ranks)
        gain = worth[f"{side}+double"] - worth[side]
        assert ("Doubling wins more than it loses" in advice.why) == (gain > 0)
        assert ("Don't double" in advice.why) == (gain < 0)


def test_explanations_with_few_plays() -> None:
    one_play = stud(CMS, ("bets = [1, 2, 3]\nfold = true", "bets = [0]\nfold = false"))
    assert advise(one_play, cards("As Kd")).why.endswith("0x is the only play.")
    without_double = advise(four_card_hi_lo(), cards("2s 3d 4c Kh"))
    assert without_double.why.endswith("of the time.")
    capped = hi_lo(MHL, ANYWHERE, ('max = "25000"', 'max = "5"'), CAPS_MAIN)
    # The cap leaves nothing to win with a double, so a certain winner is indifferent.
    even = advise(capped, cards("Ks Kd Kh"), ante=Cents(5_00))
    assert even.worth("low+double") == even.worth("low") == 1
    assert even.best == "low"
    assert even.why.endswith("Doubling makes no difference.")


def test_mean_over_single_hole_cards_is_the_expected_value() -> None:
    """Thirteen starting hands, all equally likely."""
    sheet = stud(
        OMS, ("hole = { is = 2", "hole = { is = 1"), ("reveals = { is = 1", "reveals = { is = 2")
    )
    spots = [advise(sheet, [Card(4 * rank + rank % 4)]) for rank in range(13)]
    best = [advice.actions[advice.best] for advice in spots]
    assert sum(best) / 13 == solve(sheet).expected
    assert best[12] > best[0]


def _win_or_tie_share(plain: PlainHiLo, ranks: list[int], side: str) -> Fraction:
    low, high = plain.points(ranks)
    favorable = total = 0
    for dealer, dealer_low, dealer_high in plain.dealer_hands:
        ways = plain.ways(dealer, ranks)
        total += ways
        favorable += ways * (low <= dealer_low if side == "low" else high >= dealer_high)
    return Fraction(favorable, total)


def assert_ends_are_true(
    sheet: dict[str, Any], known_cards: list[Card], dead_cards: list[Card], why: str, label: str
) -> None:
    """Compare with every board that can come; for the made hand, of a full deck."""
    full_deck_results = _board_results(sheet, known_cards, ())
    results = (
        _board_results(sheet, known_cards, dead_cards)[0] if dead_cards else full_deck_results[0]
    )
    counts = [int(number.replace(",", "")) for number in ENDS.search(why).groups()]  # type: ignore[union-attr]
    assert counts == [results.total(), results["win"], results["push"], results["lose"]], label
    match, pay_min = MADE.match(why), full_deck_results[1]
    assert bool(match) == (pay_min >= 0), label
    if match:
        pay_of_hand = Fraction((match[3] or "0").replace(":", "/"))
        assert pay_of_hand == pay_min, label


def _board_results(
    sheet: dict[str, Any], known_cards: list[Card], dead_cards: Sequence[Card]
) -> tuple[Counter[str], Fraction]:
    """The results of every board that can come, counted, and the lowest pay."""
    unseen = [card for card in range(52) if card not in {*known_cards, *dead_cards}]
    counts = Counter(
        _result(sheet, (*known_cards, *further_cards))
        for further_cards in combinations(unseen, 5 - len(known_cards))
    )
    results: Counter[str] = Counter()
    for (result, _), count in counts.items():
        results[result] += count
    return results, min(pay_of_result for _, pay_of_result in counts)


_RESULTS: dict[tuple[str, tuple[Any, ...]], tuple[str, Fraction]] = {}


def _result(sheet: dict[str, Any], hand: tuple[int, ...]) -> tuple[str, Fraction]:
    ranks = tuple(sorted(card // 4 for card in hand))
    key = (sheet["id"], (*ranks, len({card % 4 for card in hand}) == 1))
    if key not in _RESULTS:
        _, odds = pay(sheet, "main", names(Card(card) for card in hand).split())
        if odds is None:
            _RESULTS[key] = ("lose", Fraction(-1))
        elif odds == "push":
            _RESULTS[key] = ("push", Fraction(0))
        else:
            _RESULTS[key] = ("win", Fraction(odds.replace(":", "/")))
    return _RESULTS[key]


def assert_comparison_is_true(advice: Advice, label: str) -> None:
    values = {str(play): worth for play, worth in advice.actions.items()}
    if match := MORE.search(advice.why):
        alternative = "fold" if match[3] == "folding" else match[3]
        assert match[1] == advice.best, label
        gain = values[advice.best] - values[alternative]
        assert gain > 0, label
        assert match[2] == f"{float(gain):.4f}", label
    elif match := SAVES.search(advice.why):
        assert advice.best == "fold", label
        saving = values["fold"] - max(worth for play, worth in values.items() if play != "fold")
        assert values[match[2]] == values["fold"] - saving, label
        assert match[1] == f"{float(saving):.4f}", label
    else:
        match_of_equal = LEVEL.search(advice.why)
        assert match_of_equal, label
        alternative = "fold" if match_of_equal[2] == "folding" else match_of_equal[2]
        assert values[advice.best] == values[alternative], label


REFUSED: list[tuple[dict[str, Any], str]] = [
    ({"cards": "As As"}, "As is listed 2 times, but one deck has it once"),
    ({"cards": "As Kd", "community": "As", "bets": ["1x"]}, "As is listed 2 times"),
    ({"cards": "As Kd", "dead": "2c Kd"}, "Kd is listed 2 times"),
    ({"cards": "As Kd", "dead": "2c 2c"}, "2c is listed 2 times"),
    ({"cards": "As"}, "A player has 2 cards, not 1."),
    ({"cards": "As Kd Qc"}, "A player has 2 cards, not 3."),
    (
        {"cards": "As Kd", "community": "7c"},
        "Flop bet needs 0 community cards after 0 bets, not 1",
    ),
    ({"cards": "As Kd", "bets": ["1x"]}, "Turn bet needs 1 community card after 1 bet, not 0"),
    ({"cards": "As Kd", "community": "7c", "bets": ["4x"]}, '"4x" is not a bet on Flop bet'),
    ({"cards": "As Kd", "community": "7c", "bets": ["fold"]}, '"fold" is not a bet on Flop bet'),
    ({"cards": "As Kd", "community": "7c", "bets": ["1"]}, "Did you mean"),
    (
        {"cards": "As Kd", "community": "7c 8c 9c", "bets": ["1x", "1x", "1x"]},
        "After 3 bets there are no more decisions",
    ),
    ({"cards": "As Kd", "ante": 4_00}, "Ante of $4 is outside $5 to $500"),
    ({"cards": "As Kd", "ante": 501_00}, "Ante of $501 is outside $5 to $500"),
    ({"cards": "As Kd", "ante": 5_50}, "Ante of $5.50 is not a multiple of $1."),
    ({"cards": "As Kd", "side": {"bonus": 5_00}}, 'There is no side wager "bonus"'),
    ({"cards": "As Kd", "side": {"three-card-bonus": 0}}, "3 Card Bonus of $0 is outside"),
    ({"cards": "As Kd", "side": {"three-card-bonus": 101_00}}, "3 Card Bonus of $101 is outside"),
]


@pytest.mark.parametrize(("spot", "sentence"), REFUSED)
def test_bad_spot_is_refused_with_an_explanation(spot: dict[str, Any], sentence: str) -> None:
    with pytest.raises(SpotError) as error:
        _advise(stud(CMS), spot)
    assert sentence in str(error.value)


def test_too_many_dead_cards_are_refused_with_an_explanation() -> None:
    dead_cards = " ".join(names([Card(number)]) for number in range(48))
    with pytest.raises(SpotError, match="50 cards are listed and 2 are left, too few for the 3"):
        _advise(stud(CMS), {"cards": "As Ah", "dead": dead_cards})
    shoe = [Card(number % 52) for number in range(306)]
    with pytest.raises(SpotError, match="too few for the 5 on the table"):
        advise(hi_lo(MHL), [Card(51), Card(50), Card(49)], dead=shoe)


def test_bet_above_its_maximum_is_refused_with_an_explanation() -> None:
    sheet = stud(
        CMS, ("bets = [1, 2, 3]\nfold = true", 'bets = [1, 2, 3]\nfold = true\nbet_max = "1000"')
    )
    spot = {"cards": "As Kd", "community": "7c", "bets": ["3x"]}
    with pytest.raises(SpotError, match=r"3x is \$1,200, above the Flop bet maximum of \$1,000"):
        _advise(sheet, spot | {"ante": 400_00})
    assert set(_advise(sheet, spot | {"ante": 300_00}).actions) == {"fold", "1x", "2x", "3x"}
    assert set(_advise(sheet, {"cards": "As Kd", "ante": 400_00}).actions) == {"fold", "1x", "2x"}


def test_hi_lo_spot_refuses_board_and_bets() -> None:
    sheet, hand = hi_lo(MHL), cards("As Kd 2c")
    for fields in ({"community": cards("2c")}, {"bets": ["1x"]}):
        with pytest.raises(SpotError, match="The player declares before seeing any dealer card"):
            advise(sheet, hand, **fields)
    with pytest.raises(SpotError, match=r"A player has 3 cards, not 2."):
        advise(sheet, hand[:2])
    with pytest.raises(SpotError, match="As is listed 7 times, but 6 decks have it 6 times"):
        advise(sheet, cards("As As As"), dead=cards("As As As As"))
    with pytest.raises(SpotError, match=r"Bet of \$1 is outside"):
        advise(sheet, hand, ante=Cents(1_00))


def test_bad_options_of_math_are_refused() -> None:
    sheet = stud(CMS)
    for question, sentence in (
        ({"wager": "antes"}, 'There is no wager "antes"'),
        ({"seats": 0}, "This table has 1 to 6 seats, not 0"),
        ({"seats": 7}, "This table has 1 to 6 seats, not 7"),
        (
            {"seats": 2, "ante": Cents(5_00)},
            "There is no exact figure for a round limit that several seats share",
        ),
    ):
        with pytest.raises(MathError, match=re.escape(sentence)):
            math_document(sheet, **question)
    with pytest.raises(SpotError, match="is outside"):
        math_document(sheet, ante=Cents(1_00))


def _advise(sheet: StreetStud, spot: dict[str, Any]) -> Advice:
    return advise(
        sheet,
        cards(spot["cards"]),
        cards(spot.get("community", "")),
        spot.get("bets", ()),
        spot.get("ante"),
        spot.get("side"),
        cards(spot.get("dead", "")),
    )
