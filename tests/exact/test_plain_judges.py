"""The plain method judges the fast ones, play by play, on full and reduced decks."""

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
from tests.exact.kit import four_cards, unusual_stud
from tests.generated_sheets import hi_lo_sheets, sheets, street_stud_sheets
from tests.lanes import examples, spread
from tests.sheets.samples import CMS, LAS, LIR, MHL, OMS, sheet_of, text_of

from pitbook.cards import DECK, Card
from pitbook.exact.advice import advise
from pitbook.exact.methods.plain.method import main_figures, round_figures
from pitbook.exact.methods.plain.solve import PlainSolver
from pitbook.exact.sheet_figures import wager_figures as fast_figures
from pitbook.exact.sheet_figures import whole_round
from pitbook.money import Cents
from pitbook.rules.game import Game, compile_game
from pitbook.rules.plays import Play
from pitbook.sheets.model import Sheet

SEED = 64
DEALS_MAX = examples(4_000, 12_000)
SHIPPED = {sheet_id: sheet_of(text_of(sheet_id)) for sheet_id in (CMS, OMS, LAS, MHL, LIR)}
UNUSUAL: dict[str, Sheet] = {
    "three-hole-cards": unusual_stud("three-hole-cards"),
    "bets-withdrawn": unusual_stud("bets-withdrawn"),
    "four-card-hi-lo": four_cards(),
}
KNOWN = SHIPPED | UNUSUAL


class Spot(NamedTuple):
    """A decision, and all cards that are not in the way of it."""

    cards: tuple[Card, ...]
    board: tuple[Card, ...]
    plays: tuple[Play, ...]
    deck: tuple[Card, ...]
    ante: Cents | None
    purse: Cents | None
    side: Mapping[str, Cents] = {}

    def plain(self, game: Game) -> PlainSolver:
        """The question to the plain method."""
        return PlainSolver(game, self.ante, self.side, self.deck, purse=self.purse)

    def advised(self, sheet: Sheet) -> Any:
        """The same question to whichever method is fast: what the deck lacks is dead."""
        whole = Counter(DECK * sheet.deck.decks)
        dead = tuple((whole - Counter(self.deck)).elements())
        bets = tuple(str(play) for play in self.plays)
        return advise(sheet, self.cards, self.board, bets, self.ante, self.side, dead, self.purse)


def drawn(game: Game, luck: Random, deals_max: int = DEALS_MAX) -> Spot:
    """A spot of any stage, with so many cards dead that every deal from there can be looked at."""
    stage = luck.randrange(len(game.stages))
    shoe = list(DECK * game.sheet.deck.decks)
    luck.shuffle(shoe)
    own, board = game.stages[stage].opens[0], game.stages[stage].opens[1]
    cards, common, rest = shoe[:own], shoe[own : own + board], shoe[own + board :]
    rule = game.main[1]
    ante = luck.choice((None, rule.min, Cents(rule.max - rule.max % rule.step)))
    plays = tuple(luck.choice(_allowed(game, at, ante)) for at in range(stage))
    purse = Cents(ante * luck.randrange(7)) if ante and luck.random() < 0.3 else None
    known = (tuple(cards), tuple(common))
    needed = sum(place.cards for place in game.places) - own - board
    while True:
        deck = (*cards, *common, *rest)
        spot = Spot(*known, plays, deck, ante, purse)
        if spot.plain(game).deals(known, stage) <= deals_max or len(rest) == needed + 1:
            return spot
        rest = rest[: max(needed + 1, len(rest) * 4 // 5)]


def _allowed(game: Game, stage: int, ante: Cents | None) -> list[Play]:
    """Plays that go on, within the stage's own maximum."""
    on, seat = [play for play in game.plays(stage) if not play.folds], PlainSolver(game, ante).seat
    return [one for one in on if ante is None or game.too_much(seat, stage, one) is None]


def judged(sheet: Sheet, luck: Random) -> None:
    """One spot, by both."""
    game = compile_game(sheet)
    spot = drawn(game, luck)
    plain, advice = spot.plain(game), spot.advised(sheet)
    assert plain.worths(spot.cards, (spot.board,), spot.plays) == advice.actions, spot
    assert plain.best(spot.cards, (spot.board,), spot.plays) == advice.best, spot


@pytest.mark.long
@settings(max_examples=examples(4, 60), deadline=None)
@given(street_stud_sheets(), st.randoms(use_true_random=False))
def test_side_wagers_that_a_play_touches(sheet: Sheet, luck: Random) -> None:
    """Those that play on whatever is done are left out of advice: every play costs the same."""
    game = compile_game(sheet)
    spot = drawn(game, luck, DEALS_MAX // 4)
    stakes = {wager: one.stake.min for wager, one in sheet.side.items()}
    spot = spot._replace(side={wager: one for wager, one in stakes.items() if luck.random() < 0.7})
    worths = spot.plain(game).worths(spot.cards, (spot.board,), spot.plays)
    advice, most = spot.advised(sheet), max(worths.values())
    assert {play: most - worth for play, worth in worths.items()} == {
        play: advice.cost(play) for play in advice.actions
    }, spot
    assert spot.plain(game).best(spot.cards, (spot.board,), spot.plays) == advice.best, spot


@pytest.mark.parametrize("number", spread(range(40), 3))
@pytest.mark.parametrize("name", KNOWN)
def test_spots_of_known_sheets(name: str, number: int) -> None:
    judged(KNOWN[name], Random(f"{SEED} {name} {number}"))


@pytest.mark.long
@settings(max_examples=examples(8, 150), deadline=None)
@given(sheets(), st.randoms(use_true_random=False))
def test_spots_of_generated_sheets(sheet: Sheet, luck: Random) -> None:
    judged(sheet, luck)


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
def test_whole_games_on_reduced_decks(name: str, size: int, ante: str | None) -> None:
    """The value of a round is the mean of the best plays over every first hand."""
    sheet, luck = KNOWN[name], Random(f"{SEED} {name} {size}")
    game = compile_game(sheet)
    deck = tuple(sorted(luck.sample(DECK, size)))
    stake = None if ante is None else game.main[1].max
    hands = list(combinations(deck, game.stages[0].opens[0]))
    spots = [Spot(hand, (), (), deck, stake, None) for hand in hands]
    worth = Fraction(0)
    for spot in spots:
        advice = spot.advised(sheet)
        worth += advice.actions[advice.best]
    plain = PlainSolver(game, stake, deck=deck)
    assert plain.value() == worth / len(hands)
    assert main_figures(plain).expected == plain.value()


@pytest.mark.long
@pytest.mark.parametrize("name", spread([CMS, LAS, "three-hole-cards"], 1))
def test_the_first_street_on_the_full_deck(name: str) -> None:
    sheet, luck = KNOWN[name], Random(f"{SEED} {name}")
    game = compile_game(sheet)
    dealt = tuple(luck.sample(DECK, game.hand_size))
    advice = advise(sheet, dealt)
    assert PlainSolver(game).worths(dealt, ((),)) == advice.actions
    assert PlainSolver(game).best(dealt, ((),)) == advice.best


@pytest.mark.slow
@pytest.mark.timeout(1_800)
@pytest.mark.parametrize("name", ["three-hole-cards", "bets-withdrawn", CMS])
def test_whole_games_on_the_full_deck(name: str) -> None:
    """Every outcome as often, by way of all deals: 155,937,600 in Mississippi Stud."""
    sheet = KNOWN[name]
    assert main_figures(PlainSolver(compile_game(sheet))) == fast_figures(sheet, "main")


@pytest.mark.slow
def test_a_whole_round_with_its_side_wager_on_the_full_deck() -> None:
    sheet = KNOWN["bets-withdrawn"]
    side, ante = {"three-card-bonus": Cents(500)}, sheet.main_wager.min
    assert round_figures(PlainSolver(compile_game(sheet), ante, side)) == whole_round(
        sheet, ante, side
    )


@pytest.mark.slow
def test_a_hand_against_every_dealers_hand_of_six_decks() -> None:
    sheet, luck = KNOWN[MHL], Random(f"{SEED} six decks")
    hand = tuple(luck.sample(DECK, 3))
    assert PlainSolver(compile_game(sheet)).worths(hand, ((),)) == advise(sheet, hand).actions


@pytest.mark.long
@settings(max_examples=examples(2, 40), deadline=None)
@given(hi_lo_sheets(), st.booleans())
def test_figures_of_small_declared_games_on_the_full_deck(sheet: Sheet, capped: bool) -> None:
    """One card against two, of one deck: every outcome as often, with every side wager."""
    small = _small(sheet)
    game, ante = compile_game(small), small.main_wager.min if capped else None
    assert main_figures(PlainSolver(game, ante)) == fast_figures(small, "main", ante)
    side = {wager: one.stake.min for wager, one in small.side.items()}
    if not capped:
        side = {wager: Cents(100) for wager in side}
    whole = round_figures(PlainSolver(game, ante, side))
    assert whole == whole_round(small, ante, side)


def _small(sheet: Sheet) -> Sheet:
    document = sheet.model_dump(mode="json", by_alias=True, exclude_none=True)
    document["deal"] |= {"player": 1, "dealer": 2}
    document["deck"] |= {"decks": 1, "fresh": {"is": "each-round", "clause": "G-3"}}
    document["deck"].pop("cut_card", None)
    document["dealer"]["low"] = 1
    side = document["side"].items()
    document["side"] = {wager: one for wager, one in side if _fits(one)}
    document["settlement"]["passes"] = [["main", *document["side"]]]
    document["limits"] = []
    document["uncapped"] = {"clause": "G-12"}
    return type(sheet).model_validate(document)


def _fits(side: dict[str, Any]) -> bool:
    pays = side["pays"]
    return side["looks_at"] == "dealer-match" and all(
        line in ("match-1", "match-2") for line in pays
    )
