"""What advice says: its sentence is true to the last number, and bad input gets one too."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from fractions import Fraction
from itertools import combinations
from random import Random
from typing import Any

import pytest
from tests.exact.kit import ANYWHERE, four_cards
from tests.exact.plain_hi_lo import PlainHiLo
from tests.generated_sheets import document
from tests.rules.rounds.oracle import pay
from tests.sheets.samples import CMS, LAS, MHL, OMS, hi_lo, stud

from pitbook.cards import Card, cards, names
from pitbook.exact.advice import advise
from pitbook.exact.methods.ladder.solve import solve
from pitbook.exact.methods.method import Advice
from pitbook.exact.sheet_figures import MathError, math_document
from pitbook.exact.spots import SpotError
from pitbook.money import Cents
from pitbook.rules.families.street_stud.sheet import StreetStud

SEED = 2014
CAPS_MAIN = ("[limits.counts.lines]", '[limits.counts.lines]\nmain = ["low", "high"]')
ENDS = re.compile(
    r"of ([\d,]+) ways the board can end ([\d,]+) win, ([\d,]+) push and ([\d,]+) lose", re.I
)
MADE = re.compile(r"^(.+?) is made and (pushes|pays (\d+:\d+)) at least; ")
MORE = re.compile(r"(\dx) is worth ([\d.]+) antes more than (a fold|\dx)\.$")
SAVES = re.compile(r"a fold saves ([\d.]+) antes against (\dx)\.$")
LEVEL = re.compile(r"(\dx) is worth as much as (a fold|\dx)\.$")


@pytest.mark.slow_cases("0-catfish-bend/mississippi-stud", "0-louisiana-stud/standard")
@pytest.mark.long
@pytest.mark.parametrize("sheet_id", [CMS, OMS, LAS])
@pytest.mark.parametrize("dead", [0, pytest.param(10, marks=pytest.mark.slow)])
def test_the_sentence_is_true(sheet_id: str, dead: int) -> None:
    sheet, luck = stud(sheet_id), Random(SEED)
    for number in range(30):
        turned = number % 3
        dealt = [Card(card) for card in luck.sample(range(52), 2 + turned + dead)]
        held, board, gone = dealt[:2], dealt[2 : 2 + turned], dealt[2 + turned :]
        bets = [luck.choice(["1x", "2x", "3x"]) for _ in range(turned)]
        advice = advise(sheet, held, board, bets, dead=gone)
        told = f"seed {SEED}, {names(held)} | {names(board)} | {names(gone)}: {advice.why}"
        _true_ends(document(sheet), held + board, gone, advice.why, told)
        _true_comparison(advice, told)


@pytest.mark.parametrize(
    ("held", "board", "made"),
    [
        ("As Ad", "", "pair of jacks or better is made and pays 1:1 at least"),
        ("6s 6d", "7c", "pair of sixes to tens is made and pushes at least"),
        ("5s 5d", "7c 7d", "two pair is made and pays 2:1 at least"),
        ("5s 5d", "5c 7d", "three of a kind is made and pays 3:1 at least"),
        ("5s 5d", "7c", None),
        ("As Ks", "Qs Js", None),
    ],
)
def test_what_is_made_is_said(held: str, board: str, made: str | None) -> None:
    shown = cards(board)
    why = advise(stud(CMS), cards(held), shown, ["1x"] * len(shown)).why
    if made is None:
        assert "is made" not in why
    else:
        assert why.lower().startswith(made), why


def test_dead_cards_make_nothing() -> None:
    """With every other card dead a flush is sure, but not made."""
    held, board = cards("As Ks"), cards("9s 4s")
    others = [Card(n) for n in range(52) if n % 4 != 3]
    advice = advise(stud(CMS), held, board, ["1x", "1x"], dead=others)
    assert "is made" not in advice.why
    assert advice.why.startswith("Of 9 ways the board can end 9 win, 0 push and 0 lose")


@pytest.mark.long
def test_the_sentence_of_a_declaration_is_true() -> None:
    sheet, luck = hi_lo(MHL), Random(SEED)
    plain = PlainHiLo(document(sheet))
    for _ in range(12):
        shoe = luck.sample(range(312), 3)
        held = [Card(one % 52) for one in shoe]
        advice = advise(sheet, held)
        ranks = [card // 4 for card in held]
        low, high = plain.points(ranks)
        points = f"{low} points" if low == high else f"{low} points low and {high} high"
        assert advice.why.startswith(f"{points}: {advice.best.split('+')[0]} is at or past")
        side = advice.best.split("+")[0]
        share = _at_or_past(plain, ranks, side)
        assert f"{float(share) * 100:.2f}% of the time" in advice.why
        worth = plain.values(ranks)
        gain = worth[f"{side}+double"] - worth[side]
        assert ("wins more than it loses" in advice.why) == (gain > 0)
        assert ("lose more than it wins" in advice.why) == (gain < 0)


def test_sentences_where_there_is_little_to_choose() -> None:
    only = stud(CMS, ("bets = [1, 2, 3]\nfold = true", "bets = [0]\nfold = false"))
    assert advise(only, cards("As Kd")).why.endswith("0x is the only play.")
    plain = advise(four_cards(), cards("2s 3d 4c Kh"))
    assert plain.why.endswith("which is the better of the two.")
    capped = hi_lo(MHL, ANYWHERE, ('max = "25000"', 'max = "5"'), CAPS_MAIN)
    # The cap leaves a double nothing to win: a hand that is sure to be ahead is indifferent.
    level = advise(capped, cards("Ks Kd Kh"), ante=Cents(5_00))
    assert level.worth("low+double") == level.worth("low") == 1
    assert level.best == "low"
    assert level.why.endswith("a double would win as much as it loses.")


def test_one_hole_card() -> None:
    """Thirteen starting hands, all equally likely."""
    sheet = stud(
        OMS, ("hole = { is = 2", "hole = { is = 1"), ("reveals = { is = 1", "reveals = { is = 2")
    )
    spots = [advise(sheet, [Card(4 * rank + rank % 4)]) for rank in range(13)]
    best = [advice.actions[advice.best] for advice in spots]
    assert sum(best) / 13 == solve(sheet).expected
    assert best[12] > best[0]


def _at_or_past(plain: PlainHiLo, ranks: list[int], side: str) -> Fraction:
    low, high = plain.points(ranks)
    there = every = 0
    for dealer, dealer_low, dealer_high in plain.dealers:
        ways = plain.ways(dealer, ranks)
        every += ways
        there += ways * (low <= dealer_low if side == "low" else high >= dealer_high)
    return Fraction(there, every)


def _true_ends(
    sheet: dict[str, Any], seen: list[Card], gone: list[Card], why: str, told: str
) -> None:
    """Every board that can come, and for what is made every board of a full deck."""
    whole = _ends(sheet, seen, ())
    results = _ends(sheet, seen, gone)[0] if gone else whole[0]
    counts = [int(one.replace(",", "")) for one in ENDS.search(why).groups()]  # type: ignore[union-attr]
    assert counts == [results.total(), results["win"], results["push"], results["lose"]], told
    made, least = MADE.match(why), whole[1]
    assert bool(made) == (least >= 0), told
    if made:
        paid = Fraction((made[3] or "0").replace(":", "/"))
        assert paid == least, told


def _ends(
    sheet: dict[str, Any], seen: list[Card], gone: Sequence[Card]
) -> tuple[Counter[str], Fraction]:
    """How every board that can come ends, counted, and the least that any of them pays."""
    left = [card for card in range(52) if card not in {*seen, *gone}]
    ends = Counter(_result(sheet, (*seen, *more)) for more in combinations(left, 5 - len(seen)))
    results: Counter[str] = Counter()
    for (result, _), times in ends.items():
        results[result] += times
    return results, min(paid for _, paid in ends)


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


def _true_comparison(advice: Advice, told: str) -> None:
    values = {str(play): worth for play, worth in advice.actions.items()}
    if found := MORE.search(advice.why):
        other = "fold" if found[3] == "a fold" else found[3]
        assert found[1] == advice.best, told
        gained = values[advice.best] - values[other]
        assert gained > 0, told
        assert found[2] == f"{float(gained):.4f}", told
    elif found := SAVES.search(advice.why):
        assert advice.best == "fold", told
        saved = values["fold"] - max(worth for play, worth in values.items() if play != "fold")
        assert values[found[2]] == values["fold"] - saved, told
        assert found[1] == f"{float(saved):.4f}", told
    else:
        level = LEVEL.search(advice.why)
        assert level, told
        other = "fold" if level[2] == "a fold" else level[2]
        assert values[advice.best] == values[other], told


REFUSED: list[tuple[dict[str, Any], str]] = [
    ({"cards": "As As"}, "As is named 2 times; one deck holds it once"),
    ({"cards": "As Kd", "community": "As", "bets": ["1x"]}, "As is named 2 times"),
    ({"cards": "As Kd", "dead": "2c Kd"}, "Kd is named 2 times"),
    ({"cards": "As Kd", "dead": "2c 2c"}, "2c is named 2 times"),
    ({"cards": "As"}, "a player holds 2 cards, not 1"),
    ({"cards": "As Kd Qc"}, "a player holds 2 cards, not 3"),
    (
        {"cards": "As Kd", "community": "7c"},
        "Flop bet: expected 0 community cards, not 1",
    ),
    ({"cards": "As Kd", "bets": ["1x"]}, "Turn bet: expected 1 community card, not 0"),
    ({"cards": "As Kd", "community": "7c", "bets": ["4x"]}, '"4x" is no bet on Flop bet'),
    ({"cards": "As Kd", "community": "7c", "bets": ["fold"]}, '"fold" is no bet on Flop bet'),
    ({"cards": "As Kd", "community": "7c", "bets": ["1"]}, "did you mean"),
    (
        {"cards": "As Kd", "community": "7c 8c 9c", "bets": ["1x", "1x", "1x"]},
        "after 3 bets there is nothing left to decide",
    ),
    ({"cards": "As Kd", "ante": 4_00}, "Ante of $4 is outside $5 to $500"),
    ({"cards": "As Kd", "ante": 501_00}, "Ante of $501 is outside $5 to $500"),
    ({"cards": "As Kd", "ante": 5_50}, "Ante of $5.50 is no multiple of $1"),
    ({"cards": "As Kd", "side": {"bonus": 5_00}}, 'there is no side wager "bonus"'),
    ({"cards": "As Kd", "side": {"three-card-bonus": 0}}, "3 Card Bonus of $0 is outside"),
    ({"cards": "As Kd", "side": {"three-card-bonus": 101_00}}, "3 Card Bonus of $101 is outside"),
]


@pytest.mark.parametrize(("spot", "sentence"), REFUSED)
def test_bad_input_gets_a_sentence(spot: dict[str, Any], sentence: str) -> None:
    with pytest.raises(SpotError) as refused:
        _advise(stud(CMS), spot)
    assert sentence in str(refused.value)


def test_too_many_dead_cards_get_a_sentence() -> None:
    rest = " ".join(names([Card(n)]) for n in range(48))
    with pytest.raises(SpotError, match="50 cards are named and 2 are left, too few for the 3"):
        _advise(stud(CMS), {"cards": "As Ah", "dead": rest})
    shoe = [Card(n % 52) for n in range(306)]
    with pytest.raises(SpotError, match="too few for the 5 on the table"):
        advise(hi_lo(MHL), [Card(51), Card(50), Card(49)], dead=shoe)


def test_a_bet_above_its_maximum_gets_a_sentence() -> None:
    sheet = stud(
        CMS, ("bets = [1, 2, 3]\nfold = true", 'bets = [1, 2, 3]\nfold = true\nbet_max = "1000"')
    )
    spot = {"cards": "As Kd", "community": "7c", "bets": ["3x"]}
    with pytest.raises(SpotError, match=r"3x is \$1,200, above \$1,000, the most for Flop bet"):
        _advise(sheet, spot | {"ante": 400_00})
    assert set(_advise(sheet, spot | {"ante": 300_00}).actions) == {"fold", "1x", "2x", "3x"}
    assert set(_advise(sheet, {"cards": "As Kd", "ante": 400_00}).actions) == {"fold", "1x", "2x"}


def test_hi_lo_takes_no_board_and_no_bets() -> None:
    sheet, held = hi_lo(MHL), cards("As Kd 2c")
    for more in ({"community": cards("2c")}, {"bets": ["1x"]}):
        with pytest.raises(SpotError, match="a declaration is made before any card of the dealer"):
            advise(sheet, held, **more)
    with pytest.raises(SpotError, match="a player holds 3 cards, not 2"):
        advise(sheet, held[:2])
    with pytest.raises(SpotError, match="As is named 7 times; 6 decks hold it 6 times"):
        advise(sheet, cards("As As As"), dead=cards("As As As As"))
    with pytest.raises(SpotError, match=r"Bet of \$1 is outside"):
        advise(sheet, held, ante=Cents(1_00))


def test_bad_questions_to_the_mathematics() -> None:
    sheet = stud(CMS)
    for question, sentence in (
        ({"wager": "antes"}, 'there is no wager "antes"'),
        ({"seats": 0}, "this table has 1 to 6 seats, not 0"),
        ({"seats": 7}, "this table has 1 to 6 seats, not 7"),
        ({"seats": 2, "ante": Cents(5_00)}, "a round cap that several seats share"),
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
