"""The engine plays any game definition: visibility of cards, and order of decisions."""

from __future__ import annotations

from collections.abc import Iterable
from random import Random

import pytest
from tests.lanes import spread
from tests.rules.toy_games import TOYS, caribbean, crazy, let_it_ride, ultimate, war

import pitbook
from pitbook.cards import DECK, Card, cards
from pitbook.money import Cents
from pitbook.rules.actions import (
    FOLD,
    PASSED,
    Absent,
    Action,
    Close,
    Deal,
    Decide,
    Expose,
    Need,
    Play,
    Settle,
    Turn,
    Wager,
)
from pitbook.rules.game import Game, Place, Seat
from pitbook.rules.legal_actions import Offer, legal
from pitbook.rules.refusals import Code, Refusal
from pitbook.rules.round import Round, draft_of, new_round
from pitbook.rules.round_progress import advance, next_turn
from pitbook.rules.step import step
from pitbook.rules.stored_rounds import decode, encode, replay
from pitbook.sheets.family_registry import family_of

COMMON = -1


def apply_all(round: Round, *actions: Action) -> Round:
    for action in actions:
        after = step(round, action)
        assert isinstance(after, Round), after
        round = after
    return round


def refuse_action(round: Round, action: Action) -> Refusal:
    after = step(round, action)
    assert isinstance(after, Refusal), after
    return after


def deal_round(game: Game, *seats: int) -> Round:
    """$5 wagers at these seats, and the first deal completed."""
    round = new_round(game)
    round = apply_all(
        round, *(Wager(seat, f"p{seat}", "ante", Cents(500)) for seat in seats), Close()
    )
    return deal_all(round)


def deal_all(round: Round) -> Round:
    while round.phase == "deal":
        round = apply_all(round, Deal(round.to_deal[0]))
    return round


def turn_hands(round: Round, hands: dict[int, str]) -> Round:
    for number, text in hands.items():
        for card in cards(text):
            round = apply_all(round, Turn(number, card))
    return round


def turn_common(round: Round, place: int, text: str) -> Round:
    for card in cards(text):
        round = apply_all(round, Turn(place, card))
    return round


def seat_at(round: Round, number: int) -> Seat:
    played_seat = round.seat(number)
    assert played_seat is not None
    return played_seat


# Several places in common, raises that end the decisions, several main wagers ---------------------


def test_after_a_raise_a_seat_has_no_further_decision_and_the_board_opens_for_others() -> None:
    round = turn_hands(deal_round(ultimate(), 1, 2), {1: "As Ks", 2: "2c 3c"})
    assert [pile.cards_dealt for pile in round.piles] == [5, 2]
    assert round.waiting == (1, 2)
    round = apply_all(round, Decide(1, "4x"), Decide(2, "check"))
    assert next_turn(round) == 0
    round = turn_common(round, 0, "7d 8d 9d")
    assert (round.waiting, seat_at(round, 1).plays) == ((2,), ("4x", PASSED))
    assert refuse_action(round, Decide(1, "2x")).code is Code.ALREADY_DECIDED
    round = turn_common(apply_all(round, Decide(2, "check")), 0, "Td Jc")
    round = apply_all(round, Decide(2, "1x"))
    assert (next_turn(round), round.waiting) == (COMMON, ())
    assert refuse_action(round, Turn(0, cards("4h")[0])).code is Code.NO_CARD_THERE
    round = turn_common(round, COMMON, "Qh 2h")
    assert round.phase == "settle"
    assert round.common == (tuple(cards("7d 8d 9d Td Jc")), tuple(cards("Qh 2h")))
    round = apply_all(round, Settle(), Settle())
    assert [settlement.net for settlement in round.settlements] == [
        500 + 500 + 2000,
        -(500 + 500 + 500),
    ]


def test_matching_wagers_follow_the_main_wager() -> None:
    round = apply_all(new_round(ultimate()), Wager(1, "ann", "ante", Cents(500)))
    assert seat_at(round, 1).main == (("ante", 500), ("blind", 500))
    round = apply_all(round, Wager(1, "ann", "ante", Cents(1000)))
    assert seat_at(round, 1).main == (("ante", 1000), ("blind", 1000))
    assert refuse_action(round, Wager(1, "ann", "blind", Cents(500))).code is Code.UNKNOWN_WAGER
    offers = [(offer.action.__name__, offer.wager) for offer in legal(round) if offer.place == 1]
    assert ("Withdraw", "blind") not in offers
    assert ("Withdraw", "ante") in offers


def test_when_all_have_raised_the_board_and_the_dealer_s_cards_are_turned_at_once() -> None:
    round = turn_hands(deal_round(ultimate(), 1), {1: "As Ks"})
    round = apply_all(round, Decide(1, "3x"))
    assert seat_at(round, 1).plays == ("3x", PASSED, PASSED)
    round = turn_common(turn_common(round, 0, "2c 3c 4c 5c 7c"), COMMON, "Qh Jh")
    assert round.phase == "settle"


def test_if_all_fold_no_further_card_is_turned() -> None:
    round = turn_hands(deal_round(ultimate(), 1), {1: "2s 3d"})
    round = turn_common(apply_all(round, Decide(1, "check")), 0, "7d 8d 9d")
    round = turn_common(apply_all(round, Decide(1, "check")), 0, "Td Jc")
    round = apply_all(round, Decide(1, "fold"))
    assert (round.phase, round.common[1]) == ("settle", ())
    assert apply_all(round, Settle()).settlements[0].net == -1000


# An open dealer card


def test_no_decision_before_the_dealer_card_is_open() -> None:
    round = turn_hands(deal_round(caribbean(), 1, 2), {1: "As Ks Qs Js 9s"})
    assert (round.waiting, next_turn(round)) == ((), 0)
    assert refuse_action(round, Decide(1, "2x")).code is Code.NOT_NOW
    round = turn_common(round, 0, "2d")
    assert round.waiting == (1, 2)
    assert refuse_action(round, Turn(0, cards("3d")[0])).message == "Seat 1 still has to act."
    round = apply_all(round, Decide(1, "2x"), Decide(2, "fold"))
    round = turn_common(round, 0, "3d 4d 5d 7d")
    assert round.phase == "settle"


# A stage that occurs only on an event, with later cards


def test_a_war_reaches_tied_seats_only_and_deals_more_cards() -> None:
    round = deal_round(war(), 1, 2, 3)
    assert [played_seat.cards_dealt for played_seat in round.seats] == [1, 1, 1]
    round = turn_hands(round, {1: "As", 2: "9s", 3: "9c"})
    round = turn_common(round, 0, "9d")
    assert (round.stage, round.waiting) == (1, (2, 3))
    assert seat_at(round, 1).plays == (PASSED, PASSED)
    round = apply_all(round, Decide(2, "war"), Decide(3, "surrender"))
    assert (round.phase, round.to_deal) == ("deal", (2, 0))
    round = deal_all(round)
    assert [played_seat.cards_dealt for played_seat in round.seats] == [1, 2, 1]
    assert (round.phase, next_turn(round)) == ("play", 0)
    round = turn_common(round, 0, "2h")
    assert round.phase == "settle"
    last = _settle_all_known(round)
    assert refuse_action(last, Settle()).message == (
        "Turn over seat 2's cards before you settle it."
    )
    round = turn_hands(round, {2: "Kh"})
    round = apply_all(round, *(Settle() for _ in round.to_settle))
    assert [settlement.net for settlement in round.settlements] == [500, 0, -500]


def _settle_all_known(round: Round) -> Round:
    """The round after settling as many hands as possible."""
    after: Round | Refusal = round
    while isinstance(after, Round):
        round, after = after, step(after, Settle())
    return round


def test_without_a_tie_there_is_no_decision_and_no_further_card() -> None:
    round = turn_common(turn_hands(deal_round(war(), 1), {1: "As"}), 0, "9d")
    assert (round.phase, seat_at(round, 1).cards_dealt, round.board_laid) == ("settle", 1, 1)


def test_a_stage_waits_for_cards_that_are_named_late() -> None:
    round = turn_common(deal_round(war(), 1), 0, "9d")
    assert (round.phase, round.waiting, next_turn(round)) == ("play", (), None)
    assert Offer(Turn, 1) in legal(round)
    round = turn_hands(round, {1: "9s"})
    assert round.waiting == (1,)


# Bets that are pulled back, plays that require a hand


def test_a_bet_that_is_pulled_back_is_no_longer_at_stake() -> None:
    round = turn_hands(deal_round(let_it_ride(), 1), {1: "As Ks Qs"})
    assert seat_at(round, 1).main == (("ante", 500), ("first", 500), ("second", 500))
    round = turn_common(apply_all(round, Decide(1, "pull")), 0, "2d")
    assert seat_at(round, 1).main == (("ante", 500), ("second", 500))
    round = turn_common(apply_all(round, Decide(1, "ride")), 0, "3d")
    assert apply_all(round, Settle()).settlements[0].net == 1000


@pytest.mark.parametrize(("hand", "may"), [("As 2c 3d 5h 7s", True), ("Ks 2c 3d 5h 7s", False)])
def test_a_play_that_requires_a_hand_is_offered_only_with_that_hand(hand: str, may: bool) -> None:
    round = turn_hands(deal_round(crazy(), 1), {1: hand})
    (offer,) = (offer for offer in legal(round) if offer.action is Decide)
    assert ("3x" in offer.choices) is may
    after = step(round, Decide(1, "3x"))
    assert isinstance(after, Round) is may
    if not may:
        assert refuse_action(round, Decide(1, "3x")).code is Code.HAND_TOO_LOW


def test_a_play_is_accepted_while_the_cards_are_unknown() -> None:
    assert seat_at(apply_all(deal_round(crazy(), 1), Decide(1, "3x")), 1).main[1] == ("play", 1500)


def test_an_absent_players_play_must_be_allowed_by_the_hand() -> None:
    game = crazy()
    large_raise = game.play(0, "3x")
    assert large_raise is not None
    game.__dict__["absent_play"] = lambda seat, stage: large_raise
    round = turn_hands(deal_round(game, 1), {1: "Ks 2c 3d 5h 7s"})
    assert refuse_action(round, Absent(1)).code is Code.HAND_TOO_LOW


@pytest.mark.parametrize(
    ("hand", "dealer", "net"),
    [
        ("As 2c 3d 5h 7s", "2d", 500 + 1500),  # An ace allows it: all is at stake.
        ("Ks 2c 3d 5h 7s", "2d", 500 + 500),  # Two of the three antes are returned.
        ("Ks 2c 3d 5h 7s", "Ad", -500 - 500),
        ("Ks 2c 3d 5h 7s", "Kd", 0),
    ],
)
def test_stakes_that_the_hand_did_not_allow_are_returned_at_settlement(
    hand: str, dealer: str, net: int
) -> None:
    round = apply_all(deal_round(crazy(), 1), Decide(1, "3x"))
    round = turn_hands(turn_common(round, 0, f"{dealer} 9c 9d 9h 9s"), {1: hand})
    (settlement,) = apply_all(round, Settle()).settlements
    assert settlement.net == net
    assert [line.stake for line in settlement.lines] == [500, 1500]
    assert sum(line.stake - line.lost for line in settlement.lines) + settlement.wins == 2000 + net


# All games, at random


@pytest.mark.parametrize("name", TOYS)
@pytest.mark.parametrize("seed", spread(range(20), 6))
def test_offered_actions_finish_the_round_and_replay(name: str, seed: int) -> None:
    game, random = TOYS[name](), Random(f"{name} {seed}")
    shoe = iter(random.sample(DECK, 52))
    round, actions = new_round(game), list[Action]()
    for number in range(1, 2 + random.randrange(5)):
        actions.append(Wager(number, f"p{number}", "ante", Cents(500)))
    actions.append(Close())
    round = apply_all(round, *actions)
    while round.phase != "over":
        action = _routine_action(round, random, shoe)
        actions.append(action)
        round = apply_all(round, action)
        assert not set(round.waiting) & {
            played_seat.number for played_seat in round.seats if played_seat.folded
        }
    assert replay(new_round(game), [decode(encode(action)) for action in actions]) == round
    for settlement in round.settlements:
        played_seat = round.seat(settlement.seat)
        assert played_seat is not None
        assert sum(line.stake for line in settlement.lines) == sum(
            stake for _, stake in played_seat.stakes
        )


def _routine_action(round: Round, random: Random, shoe: Iterable[Card]) -> Action:
    """A random routine action from the offers."""
    offers = [
        offer for offer in legal(round) if offer.action in (Deal, Turn, Decide, Absent, Settle)
    ]
    offer = random.choice(offers)
    place = offer.place or 0
    if offer.action is Deal:
        return Deal(place)
    if offer.action is Turn:
        return Turn(place, next(iter(shoe)))
    if offer.action is Decide:
        return Decide(place, random.choice(offer.choices))
    return Absent(place) if offer.action is Absent else Settle()


@pytest.mark.parametrize("game_id", ["mississippi-stud", "matchem-hi-lo"])
def test_the_fast_path_equals_the_general_path(game_id: str) -> None:
    """The fast path for ordinary games gives the same result as the general path."""
    sheet = pitbook.load(f"catfish-bend/{game_id}")
    for seed in range(30):
        final_rounds = []
        for straight in (True, False):
            game = family_of(sheet).compile(sheet)  # Not the game that others share.
            game.__dict__["straight"] = straight
            final_rounds.append(_play_usual(game, Random(seed)))
        fast, general = final_rounds
        assert fast.settlements == general.settlements
        assert fast.seats == general.seats
        assert fast.board == general.board


def _play_usual(game: Game, random: Random) -> Round:
    main, rule = game.main
    shoe = random.sample(DECK, 52)
    round = apply_all(
        new_round(game), *(Wager(number, f"p{number}", main, rule.min) for number in (1, 2))
    )
    sides = [name for name, side in game.sheet.side.items() if side.stake.required]
    for name in sides:
        stake = game.sheet.side[name].stake.min
        round = apply_all(round, *(Wager(number, f"p{number}", name, stake) for number in (1, 2)))
    round = deal_all(apply_all(round, Close()))
    for played_seat in round.seats:
        for _ in range(played_seat.cards_dealt):
            round = apply_all(round, Turn(played_seat.number, shoe.pop()))
    while round.phase == "play":
        if round.waiting:
            number = round.waiting[0]
            round = apply_all(round, Decide(number, random.choice(game.plays(round.stage))))
        else:
            place = next_turn(round)
            assert place is not None
            round = apply_all(round, Turn(place, shoe.pop()))
    while round.phase != "over":
        round = apply_all(round, Settle())
    return round


def test_an_exposed_dealer_card_is_noted_with_its_place() -> None:
    round = turn_hands(deal_round(ultimate(), 1), {1: "As Ks"})
    after = apply_all(round, Expose(COMMON, cards("Qh")[0]))
    assert after.notes[0].what == "Qh shown too early on the dealer cards"
    draft = draft_of(after)
    advance(draft)
    assert draft.freeze() == after


# Bugs that stopped a round


def test_an_exposed_card_may_make_a_stage_reach_its_seat() -> None:
    round = apply_all(turn_common(deal_round(war(), 1), 0, "9d"), Expose(1, cards("9c")[0]))
    assert (round.stage, round.waiting) == (1, (1,))


def test_a_hand_that_allowed_only_a_fold_gets_its_raise_back() -> None:
    large_raise = Play("3x", puts=(("play", 3),), needs=Need("own", 12))
    game = crazy()
    game.stages = (game.stages[0]._replace(plays=(FOLD, large_raise)),)
    round = turn_common(apply_all(deal_round(game, 1), Decide(1, "3x")), 0, "Kd 2d 3d 4d 5d")
    round = apply_all(turn_hands(round, {1: "9s 2s 3s 4s 5s"}), Settle())
    assert [
        (wager_line.wager, wager_line.lost, wager_line.back)
        for wager_line in round.settlements[0].lines
    ] == [
        ("ante", 500, 0),
        ("play", 0, 1500),
    ]


def test_excess_stakes_of_two_plays_on_one_wager_are_returned() -> None:
    game = crazy()
    game.stages *= 2
    round = apply_all(deal_round(game, 1), Decide(1, "3x"), Decide(1, "3x"))
    assert seat_at(round, 1).main == (("ante", 500), ("play", 3000))
    round = turn_hands(turn_common(round, 0, "Kd 2d 3d 4d 5d"), {1: "9s 2s 3s 4s 5s"})
    (line,) = [
        wager_line
        for wager_line in apply_all(round, Settle()).settlements[0].lines
        if wager_line.wager == "play"
    ]
    assert (line.stake, line.lost, line.back) == (3000, 1000, 2000)


def test_too_many_shared_places_are_refused() -> None:
    game = ultimate()
    game.places += (Place("third", "third", 1), Place("fourth", "fourth", 1))
    with pytest.raises(ValueError, match="in at most 3 places"):
        new_round(game)
