"""The plain method on games so small that every deal can be written down."""

from __future__ import annotations

from collections import Counter
from fractions import Fraction
from itertools import combinations, permutations

import pytest
from tests.played import play_of
from tests.sheets.samples import CMS, MHL, stud
from tests.sheets.samples import hi_lo as declared

from pitbook.cards import DECK, Card, cards
from pitbook.exact.methods.plain.method import main_figures, round_figures, wager_figures
from pitbook.exact.methods.plain.solve import PlainSolver, RoundCards, draws
from pitbook.exact.work import TooLarge
from pitbook.money import Cents
from pitbook.rules.game import compile_game

FEW = cards("As Ah Ks Kh Qs Qh Js")


def test_copies_of_a_card_come_in_several_ways() -> None:
    two_decks = Counter(cards("As As Kd Kd 7c 7c"))
    found = dict(draws(two_decks, 2))
    assert sum(found.values()) == 15
    assert found[cards("As As")] == 1
    assert found[cards("Kd As")] == 4


def test_hands_that_differ_in_suits_alone_are_one() -> None:
    shoe = RoundCards(DECK, suits=False, order=False)
    first = shoe.ways_to_open(((), ()), (2, 0))
    assert len(first) == 169
    assert sum(ways for _, ways in first) == 1326
    assert shoe.alike_at_once(((), ())) == 24
    assert shoe.alike_at_once((cards("As Ks"), ())) == 6


def test_a_suit_that_lacks_a_card_is_not_taken_for_another() -> None:
    shoe = RoundCards(cards("As Ad Ah Ac Ks"), suits=False, order=False)
    assert shoe.canonical((cards("As"),)) != shoe.canonical((cards("Ad"),))
    assert shoe.canonical((cards("Ah"),)) == shoe.canonical((cards("Ad"),))


def test_the_order_is_kept_where_a_rule_may_look_at_it() -> None:
    shoe = RoundCards(DECK, suits=False, order=True)
    first = shoe.ways_to_open(((),), (2,))
    assert len(first) == 13 * 12 * 2 + 13
    assert sum(ways for _, ways in first) == 52 * 51
    assert shoe.canonical((cards("Ks As"),)) == (cards("Kc Ac"),)
    every = RoundCards(DECK, suits=True, order=True)
    assert len(every.ways_to_open(((),), (2,))) == 52 * 51


def test_one_street_to_come_is_the_mean_over_the_cards_left() -> None:
    """A pair of sixes to tens pushes; a third queen pays three to one."""
    game = compile_game(stud(CMS))
    made = [play_of(game, 0, "1x"), play_of(game, 1, "1x")]
    worths = PlainSolver(game).worths(cards("Qs Qd"), (cards("7c 2h"),), made)
    # 48 cards: two queens make three of a kind, six others a second pair, the rest leave queens.
    mean = Fraction(2 * 3 + 6 * 2 + 40 * 1, 48)
    assert {str(play): worth for play, worth in worths.items()} == {
        "fold": Fraction(-3),
        "1x": 4 * mean,
        "2x": 5 * mean,
        "3x": 6 * mean,
    }


@pytest.mark.long
def test_a_round_of_seven_cards_dealt_in_every_order() -> None:
    """All 2,520 orders of five cards of seven, everything bet at once: it is never worth less."""
    game = compile_game(stud(CMS))
    most = [play_of(game, stage, "3x") for stage in range(3)]
    plain = PlainSolver(game, deck=FEW)
    seat = plain.seat
    for play in most:
        seat = seat.made(play)
    nets = [
        sum(line.net for line in plain.lines(game.read(dealt[:2], dealt[2:]), seat))
        for dealt in permutations(FEW, 5)
    ]
    always = Fraction(sum(nets), len(nets) * plain.stake)
    assert plain.value() >= always
    assert main_figures(plain, lambda stage, _seen, _seat: most[stage]).expected == always


@pytest.mark.long
def test_figures_come_to_the_value() -> None:
    plain = PlainSolver(compile_game(stud(CMS)), deck=[card for card in DECK if card >= 36])
    found = main_figures(plain)
    assert found.expected == plain.value()
    assert found.rounds == 120 * 14 * 13 * 12
    assert found == round_figures(plain)


@pytest.mark.long
def test_a_side_wager_looks_at_the_board_whatever_is_played() -> None:
    """The bonus of three community cards, over all 220 boards that two known cards leave."""
    game = compile_game(stud(CMS))
    deck = [card for card in DECK if card >= 38]
    plain = PlainSolver(game, side={"three-card-bonus": Cents(500)}, deck=deck)
    found = wager_figures(plain, "three-card-bonus")
    boards = list(combinations(deck, 3))
    seat = plain.seat._replace(main=(), folded=True)
    (first,) = plain.seat.side
    won = sum(
        line.net
        for board in boards
        for line in plain.lines(game.read((Card(0), Card(1)), board), seat)
        if line.wager == first[0]
    )
    assert found.expected == Fraction(won, len(boards) * first[1])


def test_a_purse_forbids_what_it_cannot_pay() -> None:
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
    made = [play_of(game, 0, "1x"), play_of(game, 1, "1x")]
    spot = cards("As Kd"), (cards("9c 8h"),), made
    dead = [card for card in DECK if card // 4 in (11, 12) and card not in cards("As Kd")]
    fewer, whole = PlainSolver(game, dead=dead).worths(*spot), PlainSolver(game).worths(*spot)
    assert max(fewer.values()) < max(whole.values())
    left = [card for card in DECK if card not in dead]
    assert fewer == PlainSolver(game, deck=left).worths(*spot)


def test_what_is_too_much_is_said() -> None:
    plain = PlainSolver(compile_game(declared(MHL)))
    with pytest.raises(TooLarge, match=r"3,947,779,836 deals are too many to work through"):
        plain.value()


def test_nothing_left_to_decide() -> None:
    game = compile_game(stud(CMS))
    made = [play_of(game, stage, "1x") for stage in range(3)]
    with pytest.raises(ValueError, match="nothing left to decide"):
        PlainSolver(game).worths(cards("Qs Qd"), (cards("7c 2h 3h"),), made)
