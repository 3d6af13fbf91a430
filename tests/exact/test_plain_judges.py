"""The plain method checks the fast ones, play by play, on full and reduced decks."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from fractions import Fraction
from itertools import combinations
from random import Random
from typing import Any, NamedTuple

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.exact.example_sheets import four_card_hi_lo, unusual_stud
from tests.lanes import examples, spread
from tests.random_sheets.sheets import hi_lo_sheets, sheets, street_stud_sheets
from tests.sheets.samples import CMS, LAS, LIR, MHL, OMS, sheet_of, text_of

from pitbook.cards import DECK, Card
from pitbook.exact.advice import advise
from pitbook.exact.methods.plain.method import main_figures, round_figures
from pitbook.exact.methods.plain.solve import PlainSolver
from pitbook.exact.sheet_figures import wager_figures as fast_figures
from pitbook.exact.sheet_figures import whole_round
from pitbook.money import Cents
from pitbook.rules.actions import Play
from pitbook.rules.game import Game, compile_game
from pitbook.sheets.model import Sheet

SEED = 64
DEALS_MAX = examples(4_000, 12_000)
SHIPPED = {sheet_id: sheet_of(text_of(sheet_id)) for sheet_id in (CMS, OMS, LAS, MHL, LIR)}
UNUSUAL: dict[str, Sheet] = {
    "three-hole-cards": unusual_stud("three-hole-cards"),
    "bets-withdrawn": unusual_stud("bets-withdrawn"),
    "four-card-hi-lo": four_card_hi_lo(),
}
SHEETS = SHIPPED | UNUSUAL


class Spot(NamedTuple):
    """A decision, and the cards that can still come."""

    cards: tuple[Card, ...]
    board: tuple[Card, ...]
    plays: tuple[Play, ...]
    deck: tuple[Card, ...]
    ante: Cents | None
    purse: Cents | None
    side: Mapping[str, Cents] = {}

    def plain_solver(self, game: Game) -> PlainSolver:
        """The plain solver for this spot."""
        return PlainSolver(game, self.ante, self.side, self.deck, purse=self.purse)

    def advise(self, sheet: Sheet) -> Any:
        """The fast method's advice; cards missing from the deck are dead."""
        all_cards = Counter(DECK * sheet.deck.decks)
        dead = tuple((all_cards - Counter(self.deck)).elements())
        bets = tuple(str(play) for play in self.plays)
        return advise(sheet, self.cards, self.board, bets, self.ante, self.side, dead, self.purse)


def draw_spot(game: Game, rng: Random, deals_max: int = DEALS_MAX) -> Spot:
    """A random spot, with enough dead cards that every deal from there can be enumerated."""
    stage = rng.randrange(len(game.stages))
    shoe = list(DECK * game.sheet.deck.decks)
    rng.shuffle(shoe)
    hole_size, board_size = game.stages[stage].opens[0], game.stages[stage].opens[1]
    cards, board_cards, others = (
        shoe[:hole_size],
        shoe[hole_size : hole_size + board_size],
        shoe[hole_size + board_size :],
    )
    rule = game.main[1]
    ante = rng.choice((None, rule.min, Cents(rule.max - rule.max % rule.step)))
    plays = tuple(rng.choice(_going_on_plays(game, earlier, ante)) for earlier in range(stage))
    purse = Cents(ante * rng.randrange(7)) if ante and rng.random() < 0.3 else None
    open_cards = (tuple(cards), tuple(board_cards))
    needed = sum(place.cards for place in game.places) - hole_size - board_size
    while True:
        deck = (*cards, *board_cards, *others)
        spot = Spot(*open_cards, plays, deck, ante, purse)
        if (
            spot.plain_solver(game).deals(open_cards, stage) <= deals_max
            or len(others) == needed + 1
        ):
            return spot
        others = others[: max(needed + 1, len(others) * 4 // 5)]


def _going_on_plays(game: Game, stage: int, ante: Cents | None) -> list[Play]:
    """Plays that do not fold, within the stage's own maximum."""
    going_on, seat = (
        [play for play in game.plays(stage) if not play.folds],
        PlainSolver(game, ante).seat,
    )
    return [
        play for play in going_on if ante is None or game.exceeded_clause(seat, stage, play) is None
    ]


def assert_advice_is_exact(sheet: Sheet, rng: Random) -> None:
    """Assert that advice and the plain solver agree in one spot."""
    game = compile_game(sheet)
    spot = draw_spot(game, rng)
    plain, advice = spot.plain_solver(game), spot.advise(sheet)
    assert plain.worths(spot.cards, (spot.board,), spot.plays) == advice.actions, spot
    assert plain.best(spot.cards, (spot.board,), spot.plays) == advice.best, spot


@pytest.mark.long
@settings(max_examples=examples(4, 60), deadline=None)
@given(street_stud_sheets(), st.randoms(use_true_random=False))
def test_affected_side_wagers_equal_plain_enumeration(sheet: Sheet, rng: Random) -> None:
    """Surviving side wagers are left out of advice, so only differences are compared."""
    game = compile_game(sheet)
    spot = draw_spot(game, rng, DEALS_MAX // 4)
    stakes = {wager: side_wager.stake.min for wager, side_wager in sheet.side.items()}
    spot = spot._replace(
        side={wager: stake for wager, stake in stakes.items() if rng.random() < 0.7}
    )
    worths = spot.plain_solver(game).worths(spot.cards, (spot.board,), spot.plays)
    advice, best_worth = spot.advise(sheet), max(worths.values())
    assert {play: best_worth - worth for play, worth in worths.items()} == {
        play: advice.cost(play) for play in advice.actions
    }, spot
    assert spot.plain_solver(game).best(spot.cards, (spot.board,), spot.plays) == advice.best, spot


@pytest.mark.parametrize("number", spread(range(40), 3))
@pytest.mark.parametrize("name", SHEETS)
def test_spots_of_known_sheets_equal_plain_enumeration(name: str, number: int) -> None:
    assert_advice_is_exact(SHEETS[name], Random(f"{SEED} {name} {number}"))


@pytest.mark.long
@settings(max_examples=examples(8, 150), deadline=None)
@given(sheets(), st.randoms(use_true_random=False))
def test_spots_of_generated_sheets_equal_plain_enumeration(sheet: Sheet, rng: Random) -> None:
    assert_advice_is_exact(sheet, rng)


@pytest.mark.slow_cases("None-oceanfront/mississippi-stud-8")
@pytest.mark.long
@pytest.mark.parametrize(
    ("name", "size"),
    [
        *((CMS, 8), (OMS, 8), (LAS, 8), ("three-hole-cards", 9), ("bets-withdrawn", 9), (MHL, 9)),
        *(pytest.param(name, 13, marks=pytest.mark.slow) for name in (CMS, OMS, LAS, MHL)),
    ],
)
@pytest.mark.parametrize("ante", spread([None, "most"], 1))
def test_value_is_the_mean_of_first_hands_on_small_decks(
    name: str, size: int, ante: str | None
) -> None:
    """The value of a round is the mean of the best plays over every first hand."""
    sheet, rng = SHEETS[name], Random(f"{SEED} {name} {size}")
    game = compile_game(sheet)
    deck = tuple(sorted(rng.sample(DECK, size)))
    stake = None if ante is None else game.main[1].max
    hands = list(combinations(deck, game.stages[0].opens[0]))
    spots = [Spot(hand, (), (), deck, stake, None) for hand in hands]
    worth = Fraction(0)
    for spot in spots:
        advice = spot.advise(sheet)
        worth += advice.actions[advice.best]
    plain = PlainSolver(game, stake, deck=deck)
    assert plain.value() == worth / len(hands)
    assert main_figures(plain).expected == plain.value()


@pytest.mark.long
@pytest.mark.parametrize("name", spread([CMS, LAS, "three-hole-cards"], 1))
def test_first_street_equals_plain_enumeration(name: str) -> None:
    sheet, rng = SHEETS[name], Random(f"{SEED} {name}")
    game = compile_game(sheet)
    hole = tuple(rng.sample(DECK, game.hand_size))
    advice = advise(sheet, hole)
    assert PlainSolver(game).worths(hole, ((),)) == advice.actions
    assert PlainSolver(game).best(hole, ((),)) == advice.best


@pytest.mark.slow
@pytest.mark.timeout(1_800)
@pytest.mark.parametrize("name", ["three-hole-cards", "bets-withdrawn", CMS])
def test_full_deck_figures_equal_plain_enumeration(name: str) -> None:
    """Every outcome has the same frequency: 155,937,600 deals in Mississippi Stud."""
    sheet = SHEETS[name]
    assert main_figures(PlainSolver(compile_game(sheet))) == fast_figures(sheet, "main")


@pytest.mark.slow
def test_full_deck_round_with_side_wager_equals_plain_enumeration() -> None:
    sheet = SHEETS["bets-withdrawn"]
    side, ante = {"three-card-bonus": Cents(500)}, sheet.main_wager.min
    assert round_figures(PlainSolver(compile_game(sheet), ante, side)) == whole_round(
        sheet, ante, side
    )


@pytest.mark.slow
def test_six_deck_hand_equals_plain_enumeration() -> None:
    sheet, rng = SHEETS[MHL], Random(f"{SEED} six decks")
    hand = tuple(rng.sample(DECK, 3))
    assert PlainSolver(compile_game(sheet)).worths(hand, ((),)) == advise(sheet, hand).actions


@pytest.mark.long
@settings(max_examples=examples(2, 40), deadline=None)
@given(hi_lo_sheets(), st.booleans())
def test_small_declared_games_equal_plain_enumeration(sheet: Sheet, capped: bool) -> None:
    """One card against two of one deck: every outcome has the same frequency, with side wagers."""
    small = _small_sheet(sheet)
    game, ante = compile_game(small), small.main_wager.min if capped else None
    assert main_figures(PlainSolver(game, ante)) == fast_figures(small, "main", ante)
    side = {wager: side_wager.stake.min for wager, side_wager in small.side.items()}
    if not capped:
        side = {wager: Cents(100) for wager in side}
    round_ = round_figures(PlainSolver(game, ante, side))
    assert round_ == whole_round(small, ante, side)


def _small_sheet(sheet: Sheet) -> Sheet:
    document = sheet.model_dump(mode="json", by_alias=True, exclude_none=True)
    document["deal"] |= {"player": 1, "dealer": 2}
    document["deck"] |= {"decks": 1, "fresh": {"is": "each-round", "clause": "G-3"}}
    document["deck"].pop("cut_card", None)
    document["dealer"]["low"] = 1
    side = document["side"].items()
    document["side"] = {wager: rule for wager, rule in side if _has_only_small_matches(rule)}
    document["settlement"]["passes"] = [["main", *document["side"]]]
    document["limits"] = []
    document["uncapped"] = {"clause": "G-12"}
    return type(sheet).model_validate(document)


def _has_only_small_matches(side: dict[str, Any]) -> bool:
    pays = side["pays"]
    return side["looks_at"] == "dealer-match" and all(
        line in ("match-1", "match-2") for line in pays
    )
