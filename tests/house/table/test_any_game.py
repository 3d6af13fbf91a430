"""A live table deals any described game."""

from __future__ import annotations

import json
from collections.abc import Iterator

import pytest
from tests.house.table.kit import DEALER, SUPERVISOR, Live, top
from tests.house.table.toy_family import FAMILY, toy_sheet

from pitbook.cards import card, cards
from pitbook.errors import RoundError
from pitbook.house.ledger.fact_codec import Json
from pitbook.house.table.commands import (
    Arrange,
    CloseBetting,
    CorrectCard,
    Decide,
    Misdeal,
    PutWager,
    Rebet,
    Settle,
    TypeCard,
    Undo,
)
from pitbook.house.table.explain import fact_sentences
from pitbook.house.table.round_replay import _redact_actions
from pitbook.house.table.seats import minimum_to_play
from pitbook.house.table.views import table_view
from pitbook.house.table.visibility import Viewer
from pitbook.money import Cents
from pitbook.rules.actions import Deal
from pitbook.rules.game import compile_game
from pitbook.rules.narration import transcript
from pitbook.rules.round import new_round
from pitbook.rules.round_file import parse, play
from pitbook.rules.stored_rounds import encode
from pitbook.sheets.family_registry import known_families, register

ANN, BOB = Viewer("ann", "player"), Viewer("bob", "player")


@pytest.fixture(autouse=True)
def register_toys() -> Iterator[None]:
    register(FAMILY)
    yield
    del known_families()[FAMILY.name]


def table(toy: str, kind: str = "house", dealt: str = "") -> Live:
    live = Live(toy_sheet(toy), kind, clocks={"betting": None, "decision": None}, owner="ann")
    live.env.top = top(dealt)
    return live


def close_betting(live: Live, *players: str) -> Live:
    for number, name in enumerate(players, 1):
        live.seat(number, name, ante=10)
    return live.do(DEALER, CloseBetting())


def type_cards(live: Live, place: int, text: str) -> None:
    for typed_card in cards(text):
        live.do(DEALER, TypeCard(place, typed_card))
        live.sound()


def plays_offered(live: Live) -> tuple[str, list[str]]:
    view = table_view(live.state, ANN, live.env.wallet)
    (offer,) = [offer for offer in view["offers"] if offer["do"] == "decide"]
    return offer["stage"], [choice["play"] for choice in offer["choices"]]


def last(live: Live, what: str) -> Json:
    return [event for event in live.events if event.what == what][-1].body


# Wagers ------------------------------------------------------------------------------------------


@pytest.mark.long
def test_linked_wagers_are_repeated_and_returned_with_the_main_one() -> None:
    live = table("let-it-ride")
    live.seat(1, "ann", ante=10).do("ann", PutWager(1, "ante", Cents(2000)))
    assert live.held == 6000
    live.do("ann", Undo(1))
    assert live.held == 3000
    live.do("ann", PutWager(1, "ante", Cents(0)), Undo(1)).sound()
    live.do(DEALER, CloseBetting()).do("ann", Decide(1, "pull"), Decide(1, "ride"))
    assert live.state.result is not None
    live.do("ann", Rebet(1))
    assert live.held == 3000
    live.sound()


def test_withdrawn_bet_is_returned_immediately() -> None:
    live = close_betting(table("let-it-ride"), "ann")
    before = live.wallet("ann")
    offered = table_view(live.state, ANN, live.env.wallet)["offers"]
    (offer,) = [offer for offer in offered if offer["do"] == "decide"]
    assert [(choice["play"], choice.get("back")) for choice in offer["choices"]] == [
        ("ride", None),
        ("pull", "10.00"),
    ]
    live.do("ann", Decide(1, "pull"))
    assert live.wallet("ann") == before + 10
    live.sound()


def test_added_chips_raise_a_wager() -> None:
    live = close_betting(table("twice", dealt="As 2c Kd 3d"), "ann")
    live.do("ann", Decide(1, "1x"))
    live.sound()
    live.do("ann", Decide(1, "2x"))
    assert last(live, "decide")["cost"] == "20.00"
    assert last(live, "decide")["told"] == "Seat 1 bets 2x ($20) on the Raise."
    assert live.state.result is not None
    (seat,) = live.state.result["seats"]
    assert [(line["wager"], line["stake"]) for line in seat["lines"]] == [
        ("ante", "10.00"),
        ("raise", "30.00"),
    ]
    assert live.wallet("ann") == 1040
    live.sound()


# Lines that return part of their stake, or have none ----------------------------------------------


def half_lost() -> Live:
    """Ann lost and is settled; bob's hand is closed."""
    live = close_betting(table("half", "typed"), "bob", "ann")
    type_cards(live, 2, "2s 3s")
    type_cards(live, 0, "Kd")
    live.do("bob", Decide(1, "2x")).do("ann", Decide(2, "2x"))
    type_cards(live, 0, "4c")
    live.do(DEALER, Settle())
    assert (live.wallet("ann"), live.state.rack) == (970 + 15, 1500)
    live.sound()
    return live


def test_misdeal_returns_a_half_lost_wager_in_full() -> None:
    live = half_lost().do(DEALER, Misdeal("a card too many"))
    assert (live.wallet("ann"), live.wallet("bob"), live.state.rack) == (1000, 1000, 0)
    assert last(live, "taken-back")["told"] == (
        "The settlement of seat 2 is reversed. $15 returns to the player."
    )
    live.sound()


def test_half_lost_wager_is_settled_again_after_a_correction() -> None:
    live = half_lost().do(SUPERVISOR, CorrectCard(2, 1, card("As"), "misread"))
    assert (live.wallet("ann"), live.state.rack) == (970, 0)
    live.sound()
    live.do(DEALER, Settle())
    assert live.wallet("ann") == 1000 + 30 + 7
    live.sound()
    live.do(SUPERVISOR, CorrectCard(2, 1, card("Ks"), "misread again"))
    live.sound()


# Stages that are passed over, cards in several places ---------------------------------------------


def test_decision_event_names_its_play_when_stages_are_skipped() -> None:
    live = close_betting(table("ultimate"), "ann", "bob").do("ann", Decide(1, "4x"))
    live.do("bob", Decide(2, "3x"))
    decision = last(live, "decide")
    assert (decision["play"], decision["bets"], decision["cost"], decision["puts"]) == (
        "3x",
        3,
        "30.00",
        ["play"],
    )


def test_first_decision_is_shown_before_the_cards() -> None:
    live = table("ultimate").seat(1, "ann", ante=10)
    assert plays_offered(live) == ("before", ["check", "3x", "4x"])


@pytest.mark.parametrize(("toy", "antes"), [("ultimate", 3), ("let-it-ride", 3), ("war", 2)])
def test_minimum_cost_of_a_hand_counts_every_wager(toy: str, antes: int) -> None:
    game = compile_game(toy_sheet(toy))
    assert minimum_to_play(game) == antes * game.main[1].min


def second_place() -> Live:
    live = close_betting(table("ultimate", "typed"), "ann", "bob")
    type_cards(live, 1, "As Ks")
    live.do("ann", Decide(1, "4x")).do("bob", Decide(2, "3x"))
    type_cards(live, 0, "2c 3c 4c 5c 7c")
    type_cards(live, -1, "Qh 8d")
    return live


def test_second_community_card_is_corrected_for_everyone() -> None:
    live = second_place().do(SUPERVISOR, CorrectCard(-1, 1, card("Jh"), "misread"))
    event = live.events[-1]
    assert event.audience.everyone
    assert (event.body["place"], event.body["card"]) == ("board-1", "Jh")
    assert fact_sentences(live.facts[-1]) == [
        "Card 1 of the board corrected from Qh to Jh: misread."
    ]
    assert live.round.common[1] == tuple(cards("Jh 8d"))
    live.sound()


def test_cards_of_a_second_place_use_its_name() -> None:
    live = second_place()
    sentences = transcript(new_round(live.round.game), live.state.actions)
    assert "Dealer: two cards face down." in sentences
    assert "Dealer shows Qh 8d." in sentences
    assert not any("Seat -" in sentence for sentence in sentences)


def test_proof_shows_community_cards_and_no_other_hands() -> None:
    live = second_place()
    redacted = _redact_actions(live.state, [encode(action) for action in live.state.actions], BOB)
    turned = [(action["place"], action["card"]) for action in redacted if action["do"] == "turn"]
    assert turned[:2] == [(1, None), (1, None)]
    assert turned[-2:] == [("board-1", "Qh"), ("board-1", "8d")]


def test_arranged_spot_leaves_other_cards_random() -> None:
    live = table("ultimate", "practice").seat(1, "ann")
    live.do("ann", Arrange(1, "As Ks", "2c 3c 4c", 1))
    close_betting(live, "ann").do("ann", Decide(1, "check"))
    assert live.round.seats[0].cards == tuple(cards("As Ks"))
    assert live.round.board == tuple(cards("2c 3c 4c"))
    live = table("war", "practice").seat(1, "ann")
    live.do("ann", Arrange(1, "As", "Ad", 1))
    assert close_betting(live, "ann").round.waiting == (1,)
    refused = table("war", "practice").seat(1, "ann").no("ann", Arrange(1, "As Ks", "Ad Kd", 2))
    assert (
        refused.message == "Ks Kd would be dealt after a decision. Those cards are always random."
    )


@pytest.mark.parametrize("toy", ["ultimate", "caribbean", "war", "let-it-ride", "crazy", "half"])
def test_no_card_is_visible_early(toy: str) -> None:
    live = close_betting(table(toy), "ann", "bob")
    turned = {place: len(pile.cards) for place, pile in enumerate(live.round.piles)}
    for viewer in (ANN, BOB, Viewer("", "spectator"), Viewer("dee", "dealer")):
        view = table_view(live.state, viewer, live.env.wallet)
        for place, pile in enumerate(view["common"]):
            assert len([face for face in pile["cards"] if face]) == turned[place]
        hands = [
            seat["cards"]
            for seat in view["seats"]
            if seat.get("cards") and live.state.has_live_wagers
        ]
        visible = [all(hand) for hand in hands]
        open = live.round.game.places[0].open  # As in a war: the hands of all lie open.
        mine = [open or viewer == (name, "player") for name in ("ann", "bob")]
        assert visible == mine[: len(visible)]
        json.dumps(view)


WAR = {"seat": 1, "wagers": {"ante": "5.00"}, "cards": ["As"]}
RAISED = {"seat": 1, "wagers": {"ante": "5.00"}, "cards": ["As", "Ks"], "play": ["4x"]}
BOARD = ["7d", "8d", "9d", "Td", "Jc"]


@pytest.mark.parametrize(
    ("toy", "seat", "common", "message"),
    [
        ("war", WAR, {}, "a dealer card is missing: 0 of 2"),
        ("war", {**WAR, "cards": None}, {"dealer": ["9d"]}, "waits for cards of a seat"),
        ("ultimate", RAISED, {"community": BOARD}, "a dealer card is missing: 0 of 2"),
        ("ultimate", RAISED, {"dealer": ["Qh", "2h"]}, "a community card is missing: 0 of 5"),
    ],
)
def test_round_file_with_a_missing_community_card_is_refused(
    toy: str, seat: Json, common: Json, message: str
) -> None:
    file = {"sheet": "toy/x", "seats": [seat], **common}
    with pytest.raises(RoundError, match=message):
        play(parse(json.dumps(file)), toy_sheet(toy))


def test_round_file_has_several_places_and_later_cards() -> None:
    file: Json = {"sheet": "toy/x", "seats": [RAISED], "community": BOARD, "dealer": ["Qh", "2h"]}
    round, _ = play(parse(json.dumps(file)), toy_sheet("ultimate"))
    assert round.settlements[0].net == 500 + 500 + 2000
    seat = {**WAR, "cards": ["9s", "Kh"], "play": ["war"]}
    file = {"sheet": "toy/x", "seats": [seat], "dealer": ["9d", "2h"]}
    round, actions = play(parse(json.dumps(file)), toy_sheet("war"))
    assert round.common == (tuple(cards("9d 2h")),)
    assert [action for action in actions if isinstance(action, Deal)][2:] == [Deal(1), Deal(0)]
