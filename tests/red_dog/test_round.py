"""Red dog with the engine: two open cards, a decision on a spread, then the third card."""

from __future__ import annotations

from fractions import Fraction
from itertools import permutations
from random import Random

import pytest
from tests.lanes import spread
from tests.rules.random_rounds import play

import pitbook
from pitbook.cards import Card, cards
from pitbook.exact.methods.plain.solve import PlainSolver
from pitbook.money import Cents
from pitbook.rules.actions import (
    BOARD,
    PASSED,
    Absent,
    Action,
    Close,
    Deal,
    Decide,
    Settle,
    Turn,
    Wager,
)
from pitbook.rules.game import compile_game
from pitbook.rules.legal_actions import legal
from pitbook.rules.refusals import Code, Refusal
from pitbook.rules.round import Round, open_round
from pitbook.rules.stored_rounds import decode, encode, replay
from pitbook.sheets.model import Sheet


def apply_all(round: Round, *actions: Action) -> Round:
    for action in actions:
        after = pitbook.step(round, action)
        assert isinstance(after, Round), after
        round = after
    return round


def deal_round(sheet: Sheet, two: str, *seats: int) -> Round:
    """Bets of $10, and two open cards."""
    round = open_round(sheet)
    bets = [Wager(seat, f"p{seat}", "bet", Cents(1000)) for seat in seats]
    round = apply_all(round, *bets, Close())
    while round.phase == "deal":
        round = apply_all(round, Deal(round.to_deal[0]))
    return apply_all(round, *(Turn(BOARD, card) for card in cards(two)))


def settle_round(round: Round) -> Round:
    while round.phase == "settle":
        round = apply_all(round, Settle())
    assert round.phase == "over"
    return round


def net_dollars(round: Round) -> dict[int, int]:
    """The net of every seat in dollars."""
    return {hand.seat: hand.net // 100 for hand in settle_round(round).settlements}


def test_three_shared_cards_are_dealt(sheet: Sheet) -> None:
    round = apply_all(open_round(sheet), Wager(1, "ann", "bet", Cents(500)), Close())
    assert (round.phase, round.to_deal) == ("deal", (BOARD, BOARD, BOARD))


def test_on_a_spread_players_raise_or_stand(sheet: Sheet) -> None:
    round = deal_round(sheet, "4c 9d", 1, 2)
    assert round.waiting == (1, 2)
    decision_offers = [offer for offer in legal(round) if offer.action is Decide]
    assert [(offer.place, offer.choices) for offer in decision_offers] == [
        (1, ("stand", "raise")),
        (2, ("stand", "raise")),
    ]
    round = apply_all(round, Decide(1, "raise"), Decide(2, "stand"), Turn(BOARD, cards("6h")[0]))
    assert net_dollars(round) == {1: 20, 2: 10}


@pytest.mark.parametrize(
    ("two", "third", "stands", "raises"),
    [
        ("4c 6d", "5h", 50, 100),
        ("4c 7d", "5h", 40, 80),
        ("4c 8d", "7h", 20, 40),
        ("4c 9d", "5h", 10, 20),
        ("2c Ad", "Kh", 10, 20),
        ("4c 9d", "4h", -10, -20),
        ("4c 9d", "9h", -10, -20),
        ("4c 9d", "Ah", -10, -20),
    ],
)
def test_a_spread_is_paid_by_its_odds(
    sheet: Sheet, two: str, third: str, stands: int, raises: int
) -> None:
    round = apply_all(deal_round(sheet, two, 1, 2), Decide(1, "stand"), Decide(2, "raise"))
    assert net_dollars(apply_all(round, Turn(BOARD, cards(third)[0]))) == {1: stands, 2: raises}


def test_consecutive_cards_push_at_once(sheet: Sheet) -> None:
    round = deal_round(sheet, "Kc Ad", 1, 2)
    assert (round.phase, len(round.board)) == ("settle", 2)
    assert net_dollars(round) == {1: 0, 2: 0}


@pytest.mark.parametrize(("third", "won"), [("9h", 110), ("Th", 0), ("8h", 0)])
def test_a_pair_gets_a_third_card_without_a_decision(sheet: Sheet, third: str, won: int) -> None:
    round = deal_round(sheet, "9c 9d", 1)
    assert (round.phase, round.waiting) == ("play", ())
    round = apply_all(round, Turn(BOARD, cards(third)[0]))
    assert round.seats[0].plays == (PASSED,)
    assert net_dollars(round) == {1: won}


def test_plays_are_refused_by_name(sheet: Sheet) -> None:
    refusal = pitbook.step(deal_round(sheet, "4c 9d", 1), Decide(1, "rase"))
    assert isinstance(refusal, Refusal)
    assert refusal.code == Code.UNKNOWN_PLAY
    assert str(refusal) == '"rase" is not a play here. Did you mean "raise"? (RDG-6)'


def test_an_absent_player_stands(sheet: Sheet) -> None:
    round = apply_all(deal_round(sheet, "4c 9d", 1), Absent(1), Turn(BOARD, cards("6h")[0]))
    assert round.seats[0].plays == ("stand",)
    assert net_dollars(round) == {1: 10}


@pytest.mark.long
@pytest.mark.parametrize("seed", spread(range(200), 25))
@pytest.mark.parametrize("mishaps", [False, True])
def test_random_rounds_finish_and_replay(sheet: Sheet, seed: int, mishaps: bool) -> None:
    played = play(sheet, Random(seed), mishaps=mishaps)
    replayed = replay(open_round(sheet), [decode(encode(action)) for action in played.actions])
    assert replayed == played.over


@pytest.mark.long
def test_every_deal_of_a_few_cards_agrees_with_the_plain_solver(sheet: Sheet) -> None:
    """The table deals and the plain solver decides: the mean over all orders is the value."""
    deck = cards("2c 4d 5h 5s 8c Jd Jh As")
    game = compile_game(sheet)
    plain = PlainSolver(game, deck=deck)
    nets = [_play_best(sheet, plain, order) for order in permutations(deck, 3)]
    assert plain.value() == Fraction(sum(nets), 1000 * len(nets))


def _play_best(sheet: Sheet, plain: PlainSolver, order: tuple[Card, ...]) -> int:
    round = deal_round(sheet, "", 1)
    remaining = list(order)
    while round.phase == "play":
        if round.waiting:
            round = apply_all(round, Decide(1, plain.best((), (round.board,))))
        else:
            round = apply_all(round, Turn(BOARD, remaining.pop(0)))
    return settle_round(round).settlements[0].net
