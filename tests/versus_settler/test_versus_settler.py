"""The engine's settlement of random rounds equals the plain settler's, wager by wager."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from random import Random

import pytest
from tests.lanes import examples
from tests.versus_settler.any_sheet import AnySheet
from tests.versus_settler.hands import best, kind, value
from tests.versus_settler.odd_sheets import odd_sheet
from tests.versus_settler.offers import ALLOWED
from tests.versus_settler.rounds import Played, lying, play, plays_of
from tests.versus_settler.settler import SETTLERS, Hand

import pitbook
from pitbook.cards import cards
from pitbook.rules.game import Game, Seat, compile_game

ROUNDS = examples(100, 100_000)
ODD_SHEETS, ODD_ROUNDS = examples(25, 500), examples(8, 200)
SEED = 21


@cache
def game_of(sheet: str) -> Game:
    return compile_game(pitbook.load(sheet))


def hand_of(played: Played, seat: Seat) -> Hand:
    round = played.over
    hole, dealer = tuple(seat.cards), lying(round, "dealer")
    put = played.put[seat.number]
    return Hand(hole, dealer, lying(round, "community"), put, plays_of(seat))


@pytest.mark.parametrize("sheet", SETTLERS)
def test_every_wager_matches_the_second_settler(sheet: str) -> None:
    game, luck, wrong = game_of(sheet), Random(f"{SEED} {sheet}"), []
    for number in range(ROUNDS):
        played = play(game, luck)
        for seat, settlement in zip(played.over.seats, played.over.settlements, strict=True):
            hand = hand_of(played, seat)
            expected = SETTLERS[sheet](hand)
            ours = {line.wager: line.net for line in settlement.lines if line.stake or line.net}
            offers = [set(offer) for offer in played.offered[seat.number]]
            allowed = list(ALLOWED[sheet](hand.hole))[: len(offers)]
            if ours != expected or sorted(map(sorted, offers)) != sorted(map(sorted, allowed)):
                wrong.append((number, hand, ours, expected, offers))
    assert wrong[:3] == []


@pytest.mark.long
def test_odd_sheets_match_the_second_settler() -> None:
    """The engine against a plain reading of each generated sheet's text."""
    wrong = []
    for number in range(ODD_SHEETS):
        document, sheet = odd_sheet(number)
        game, luck, judge = compile_game(sheet), Random(f"{SEED} odd {number}"), AnySheet(document)
        for _ in range(ODD_ROUNDS):
            wrong += [(number, *difference) for difference in differences(judge, play(game, luck))]
    assert wrong[:3] == []


def differences(judge: AnySheet, played: Played) -> Iterator[tuple[object, ...]]:
    """Seats that the engine settles or offers plays differently from the sheet's text."""
    hands = [hand_of(played, seat) for seat in played.over.seats]
    expected = judge.apply_caps([judge.results(hand) for hand in hands])
    for hand, due, seat, settled in zip(
        hands, expected, played.over.seats, played.over.settlements, strict=True
    ):
        ours = {line.wager: line.net for line in settled.lines if line.stake or line.net}
        offers = [set(offer) for offer in played.offered[seat.number]]
        allowed = judge.offered_plays(hand.hole, hand.board, hand.plays)
        if ours != due or (offers != allowed and "war" not in judge.document):
            yield hand, ours, due, offers, allowed


@pytest.mark.long
def test_every_result_occurs() -> None:
    """Random rounds include wins, losses and pushes of each main wager."""
    thin = {}
    for sheet in SETTLERS:
        luck, met = Random(f"{SEED} {sheet}"), set()
        for _ in range(60):
            for settlement in play(game_of(sheet), luck).over.settlements:
                met |= {(line.wager, line.result) for line in settlement.lines}
        if not {("ante", "win"), ("ante", "lose")} <= met:
            thin[sheet] = met
    assert thin == {}


@pytest.mark.parametrize(
    ("better", "worse", "size"),
    [
        ("2c 3d 4h", "2c 9c Kc", 3),
        ("2c 2d 2h", "Qc Kd Ah", 3),
        ("2c 3c 4c", "Ac Ad Ah", 3),
        ("Ac 2d 3h", "Ac Kc Jc", 3),
        ("2d 3d 4h", "Ac 2d 3h", 3),
        ("2c 9c Kc 4c", "2c 3d 4h 5s", 4),
        ("2c 2d 2h 9s", "Ac Kc Qc 9c", 4),
        ("2c 3c 4c 5c", "Ac Ad Ah Ks", 4),
        ("2c 2d 2h 2s", "Ac Kc Qc Jc", 4),
        ("3c 3d 2h 2s Kc", "3h 3s 2c 2d Qc", 5),
        ("2c 2d 2h 3s 3c", "Ac Kc Qc Jc 9c", 5),
        ("2d 3d 4h 5c 6s", "Ac 2d 3h 4s 5c", 5),
        ("Ac 2d 3h 4s 5c", "Ac Ad Ah Ks Qc", 5),
        ("Ac Kd 9h 4s 3c", "Ac Kd 9h 4s 2c", 5),
    ],
)
def test_hands_of_different_strength_compare_unequal(better: str, worse: str, size: int) -> None:
    high, low = cards(better), cards(worse)
    assert len(high) == len(low) == size
    assert value(high) > value(low)


def test_hand_names_and_best_hands() -> None:
    assert kind(value(cards("Ac Kc Qc Jc Tc")), 5) == "royal"
    assert kind(value(cards("Ac Kc Qc")), 3) == "mini-royal"
    assert kind(value(cards("Ac Kc Qc Jc")), 4) == "straight-flush"
    assert kind(value(cards("Ac Ad Ah As")), 4) == "four-aces"
    assert kind(best(cards("Ac Ad Ah As Kd Qd"), 4), 4) == "four-aces"
    assert kind(best(cards("2c 3d 4h 5s 6c 6d 6h"), 5), 5) == "straight"
