"""The plain method on games small enough to enumerate in full."""

from __future__ import annotations

from collections import Counter
from fractions import Fraction
from itertools import combinations, permutations

import pytest
from tests.rules.plays import play_of
from tests.sheets.samples import CMS, MHL, stud
from tests.sheets.samples import hi_lo as declared

from pitbook.cards import DECK, Card, cards
from pitbook.exact.long_computations import TooLarge
from pitbook.exact.methods.plain.method import main_figures, round_figures, wager_figures
from pitbook.exact.methods.plain.solve import PlainSolver, RoundCards, draws
from pitbook.money import Cents
from pitbook.rules.game import compile_game

SMALL_DECK = cards("As Ah Ks Kh Qs Qh Js")


def test_copies_of_a_card_are_counted_as_ways() -> None:
    two_decks = Counter(cards("As As Kd Kd 7c 7c"))
    ways_by_hand = dict(draws(two_decks, 2))
    assert sum(ways_by_hand.values()) == 15
    assert ways_by_hand[cards("As As")] == 1
    assert ways_by_hand[cards("Kd As")] == 4


def test_hands_equal_up_to_suits_are_merged() -> None:
    shoe = RoundCards(DECK, suits=False, order=False)
    first = shoe.ways_to_open(((), ()), (2, 0))
    assert len(first) == 169
    assert sum(ways for _, ways in first) == 1326
    assert shoe.equivalent_deals(((), ())) == 24
    assert shoe.equivalent_deals((cards("As Ks"), ())) == 6


def test_incomplete_suits_are_not_merged() -> None:
    shoe = RoundCards(cards("As Ad Ah Ac Ks"), suits=False, order=False)
    assert shoe.canonical((cards("As"),)) != shoe.canonical((cards("Ad"),))
    assert shoe.canonical((cards("Ah"),)) == shoe.canonical((cards("Ad"),))


def test_order_is_kept_if_a_rule_may_use_it() -> None:
    shoe = RoundCards(DECK, suits=False, order=True)
    first = shoe.ways_to_open(((),), (2,))
    assert len(first) == 13 * 12 * 2 + 13
    assert sum(ways for _, ways in first) == 52 * 51
    assert shoe.canonical((cards("Ks As"),)) == (cards("Kc Ac"),)
    with_suits = RoundCards(DECK, suits=True, order=True)
    assert len(with_suits.ways_to_open(((),), (2,))) == 52 * 51


def test_last_street_value_is_the_mean_over_cards_left() -> None:
    """A pair of sixes to tens pushes; a third queen pays three to one."""
    game = compile_game(stud(CMS))
    plays_made = [play_of(game, 0, "1x"), play_of(game, 1, "1x")]
    worths = PlainSolver(game).worths(cards("Qs Qd"), (cards("7c 2h"),), plays_made)
    # 48 cards: two queens make three of a kind, six others two pair, the rest leave the queens.
    mean = Fraction(2 * 3 + 6 * 2 + 40 * 1, 48)
    assert {str(play): worth for play, worth in worths.items()} == {
        "fold": Fraction(-3),
        "1x": 4 * mean,
        "2x": 5 * mean,
        "3x": 6 * mean,
    }


@pytest.mark.long
def test_seven_card_deck_dealt_in_every_order() -> None:
    """All 2,520 orders of five of seven cards, with maximum bets."""
    game = compile_game(stud(CMS))
    largest_bets = [play_of(game, stage, "3x") for stage in range(3)]
    plain = PlainSolver(game, deck=SMALL_DECK)
    seat = plain.seat
    for play in largest_bets:
        seat = seat.after_play(play)
    nets = [
        sum(line.net for line in plain.lines(game.read(dealt[:2], dealt[2:]), seat))
        for dealt in permutations(SMALL_DECK, 5)
    ]
    always_value = Fraction(sum(nets), len(nets) * plain.stake)
    assert plain.value() >= always_value
    assert (
        main_figures(plain, lambda stage, _seen, _seat: largest_bets[stage]).expected
        == always_value
    )


@pytest.mark.long
def test_figures_equal_the_value() -> None:
    plain = PlainSolver(compile_game(stud(CMS)), deck=[card for card in DECK if card >= 36])
    figures = main_figures(plain)
    assert figures.expected == plain.value()
    assert figures.rounds == 120 * 14 * 13 * 12
    assert figures == round_figures(plain)


@pytest.mark.long
def test_side_wager_on_the_board_ignores_play() -> None:
    """The bonus of three community cards, over all 220 boards."""
    game = compile_game(stud(CMS))
    deck = [card for card in DECK if card >= 38]
    plain = PlainSolver(game, side={"three-card-bonus": Cents(500)}, deck=deck)
    figures = wager_figures(plain, "three-card-bonus")
    boards = list(combinations(deck, 3))
    seat = plain.seat._replace(main=(), folded=True)
    (first,) = plain.seat.side
    net = sum(
        line.net
        for board in boards
        for line in plain.lines(game.read((Card(0), Card(1)), board), seat)
        if line.wager == first[0]
    )
    assert figures.expected == Fraction(net, len(boards) * first[1])


def test_purse_excludes_plays_it_cannot_pay() -> None:
    game = compile_game(stud(CMS))
    spot = cards("Qs Qd"), (cards("7c"),), [play_of(game, 0, "1x")]
    rich = PlainSolver(game, Cents(1000), purse=Cents(4000)).worths(*spot)
    poor = PlainSolver(game, Cents(1000), purse=Cents(1500)).worths(*spot)
    broke = PlainSolver(game, Cents(1000), purse=Cents(0)).worths(*spot)
    assert set(rich) == {"fold", "1x", "2x", "3x"}
    assert set(poor) == {"fold", "1x"}
    assert set(broke) == {"fold"}
    assert poor[play_of(game, 1, "1x")] < rich[play_of(game, 1, "1x")]


def test_dead_cards_cannot_come() -> None:
    game = compile_game(stud(CMS))
    plays_made = [play_of(game, 0, "1x"), play_of(game, 1, "1x")]
    spot = cards("As Kd"), (cards("9c 8h"),), plays_made
    dead = [card for card in DECK if card // 4 in (11, 12) and card not in cards("As Kd")]
    with_dead, full = PlainSolver(game, dead=dead).worths(*spot), PlainSolver(game).worths(*spot)
    assert max(with_dead.values()) < max(full.values())
    live_cards = [card for card in DECK if card not in dead]
    assert with_dead == PlainSolver(game, deck=live_cards).worths(*spot)


def test_too_many_deals_are_refused() -> None:
    plain = PlainSolver(compile_game(declared(MHL)))
    with pytest.raises(
        TooLarge,
        match=r"Match'em Hi-Lo has no specialized method, and 3,947,779,836 deals are too many to "
        r"enumerate \(limit 20,000,000\)",
    ):
        plain.value()


def test_spot_without_decision_is_refused() -> None:
    game = compile_game(stud(CMS))
    plays_made = [play_of(game, stage, "1x") for stage in range(3)]
    with pytest.raises(ValueError, match="After these plays there are no more decisions"):
        PlainSolver(game).worths(cards("Qs Qd"), (cards("7c 2h 3h"),), plays_made)
