"""The engine deals whatever a description says: who sees what when, and who is asked."""

from __future__ import annotations

from collections.abc import Iterable
from random import Random

import pytest
from tests.lanes import spread
from tests.rules.rounds.toys import TOYS, caribbean, crazy, let_it_ride, ultimate, war

import pitbook
from pitbook.cards import DECK, Card, cards
from pitbook.money import Cents
from pitbook.rules.actions import Absent, Action, Close, Deal, Decide, Expose, Settle, Turn, Wager
from pitbook.rules.flow import advance, next_turn
from pitbook.rules.game import Game, Place, Seat, compile_game
from pitbook.rules.legal import Offer, legal
from pitbook.rules.plays import FOLD, PASSED, Need, Play
from pitbook.rules.refusals import Code, Refusal
from pitbook.rules.round import Round, new_round
from pitbook.rules.step import step
from pitbook.rules.stored import decode, encode, replay

COMMON = -1


def done(round: Round, *actions: Action) -> Round:
    for action in actions:
        after = step(round, action)
        assert isinstance(after, Round), after
        round = after
    return round


def refused(round: Round, action: Action) -> Refusal:
    after = step(round, action)
    assert isinstance(after, Refusal), after
    return after


def dealt(game: Game, *seats: int) -> Round:
    """Wagers of $5 at these seats, and all cards of the first deal laid."""
    round = new_round(game)
    round = done(round, *(Wager(seat, f"p{seat}", "ante", Cents(500)) for seat in seats), Close())
    return laid(round)


def laid(round: Round) -> Round:
    while round.phase == "deal":
        round = done(round, Deal(round.to_deal[0]))
    return round


def shown(round: Round, hands: dict[int, str]) -> Round:
    for number, text in hands.items():
        for card in cards(text):
            round = done(round, Turn(number, card))
    return round


def opened(round: Round, place: int, text: str) -> Round:
    for card in cards(text):
        round = done(round, Turn(place, card))
    return round


def seat(round: Round, number: int) -> Seat:
    found = round.seat(number)
    assert found is not None
    return found


# Several places in common, raises that end the decisions, several main wagers ---------------------


def test_who_has_raised_is_asked_no_more_and_the_board_opens_for_the_others() -> None:
    round = shown(dealt(ultimate(), 1, 2), {1: "As Ks", 2: "2c 3c"})
    assert [pile.laid for pile in round.piles] == [5, 2]
    assert round.waiting == (1, 2)
    round = done(round, Decide(1, "4x"), Decide(2, "check"))
    assert next_turn(round) == 0
    round = opened(round, 0, "7d 8d 9d")
    assert (round.waiting, seat(round, 1).plays) == ((2,), ("4x", PASSED))
    assert refused(round, Decide(1, "2x")).code is Code.ALREADY_DECIDED
    round = opened(done(round, Decide(2, "check")), 0, "Td Jc")
    round = done(round, Decide(2, "1x"))
    assert (next_turn(round), round.waiting) == (COMMON, ())
    assert refused(round, Turn(0, cards("4h")[0])).code is Code.NO_CARD_THERE
    round = opened(round, COMMON, "Qh 2h")
    assert round.phase == "settle"
    assert round.common == (tuple(cards("7d 8d 9d Td Jc")), tuple(cards("Qh 2h")))
    round = done(round, Settle(), Settle())
    assert [one.net for one in round.settlements] == [500 + 500 + 2000, -(500 + 500 + 500)]


def test_wagers_that_go_with_the_main_one_are_made_and_changed_with_it() -> None:
    round = done(new_round(ultimate()), Wager(1, "ann", "ante", Cents(500)))
    assert seat(round, 1).main == (("ante", 500), ("blind", 500))
    round = done(round, Wager(1, "ann", "ante", Cents(1000)))
    assert seat(round, 1).main == (("ante", 1000), ("blind", 1000))
    assert refused(round, Wager(1, "ann", "blind", Cents(500))).code is Code.UNKNOWN_WAGER
    offers = [(one.action.__name__, one.wager) for one in legal(round) if one.place == 1]
    assert ("Withdraw", "blind") not in offers
    assert ("Withdraw", "ante") in offers


def test_when_all_have_raised_the_board_and_the_dealer_s_cards_are_turned_at_once() -> None:
    round = shown(dealt(ultimate(), 1), {1: "As Ks"})
    round = done(round, Decide(1, "3x"))
    assert seat(round, 1).plays == ("3x", PASSED, PASSED)
    round = opened(opened(round, 0, "2c 3c 4c 5c 7c"), COMMON, "Qh Jh")
    assert round.phase == "settle"


def test_when_all_fold_nothing_more_is_turned() -> None:
    round = shown(dealt(ultimate(), 1), {1: "2s 3d"})
    round = opened(done(round, Decide(1, "check")), 0, "7d 8d 9d")
    round = opened(done(round, Decide(1, "check")), 0, "Td Jc")
    round = done(round, Decide(1, "fold"))
    assert (round.phase, round.common[1]) == ("settle", ())
    assert done(round, Settle()).settlements[0].net == -1000


# A card of the dealer's that lies open ------------------------------------------------------------


def test_nobody_is_asked_before_the_dealer_s_card_lies_open() -> None:
    round = shown(dealt(caribbean(), 1, 2), {1: "As Ks Qs Js 9s"})
    assert (round.waiting, next_turn(round)) == ((), 0)
    assert refused(round, Decide(1, "2x")).code is Code.NOT_NOW
    round = opened(round, 0, "2d")
    assert round.waiting == (1, 2)
    assert refused(round, Turn(0, cards("3d")[0])).message == "seat 1 has still to decide"
    round = done(round, Decide(1, "2x"), Decide(2, "fold"))
    round = opened(round, 0, "3d 4d 5d 7d")
    assert round.phase == "settle"


# A stage that exists only on an event, with cards dealt after it ----------------------------------


def test_a_war_comes_to_whom_it_comes_and_deals_more_cards() -> None:
    round = dealt(war(), 1, 2, 3)
    assert [one.laid for one in round.seats] == [1, 1, 1]
    round = shown(round, {1: "As", 2: "9s", 3: "9c"})
    round = opened(round, 0, "9d")
    assert (round.stage, round.waiting) == (1, (2, 3))
    assert seat(round, 1).plays == (PASSED, PASSED)
    round = done(round, Decide(2, "war"), Decide(3, "surrender"))
    assert (round.phase, round.to_deal) == ("deal", (2, 0))
    round = laid(round)
    assert [one.laid for one in round.seats] == [1, 2, 1]
    assert (round.phase, next_turn(round)) == ("play", 0)
    round = opened(round, 0, "2h")
    assert round.phase == "settle"
    last = _settled(round)
    assert refused(last, Settle()).message == "turn the cards of seat 2 before it is settled"
    round = shown(round, {2: "Kh"})
    round = done(round, *(Settle() for _ in round.to_settle))
    assert [one.net for one in round.settlements] == [500, 0, -500]


def _settled(round: Round) -> Round:
    """The round as far as hands can be settled."""
    after: Round | Refusal = round
    while isinstance(after, Round):
        round, after = after, step(after, Settle())
    return round


def test_without_a_tie_nobody_is_asked_and_no_further_card_is_dealt() -> None:
    round = opened(shown(dealt(war(), 1), {1: "As"}), 0, "9d")
    assert (round.phase, seat(round, 1).laid, round.board_laid) == ("settle", 1, 1)


def test_where_the_cards_are_named_late_the_stage_waits_for_them() -> None:
    round = opened(dealt(war(), 1), 0, "9d")
    assert (round.phase, round.waiting, next_turn(round)) == ("play", (), None)
    assert Offer(Turn, 1) in legal(round)
    round = shown(round, {1: "9s"})
    assert round.waiting == (1,)


# Bets that are taken back, plays that need a hand -------------------------------------------------


def test_a_bet_that_is_taken_back_is_at_stake_no_more() -> None:
    round = shown(dealt(let_it_ride(), 1), {1: "As Ks Qs"})
    assert seat(round, 1).main == (("ante", 500), ("first", 500), ("second", 500))
    round = opened(done(round, Decide(1, "pull")), 0, "2d")
    assert seat(round, 1).main == (("ante", 500), ("second", 500))
    round = opened(done(round, Decide(1, "ride")), 0, "3d")
    assert done(round, Settle()).settlements[0].net == 1000


@pytest.mark.parametrize(("hand", "may"), [("As 2c 3d 5h 7s", True), ("Ks 2c 3d 5h 7s", False)])
def test_a_play_that_needs_a_hand_is_offered_to_those_who_have_it(hand: str, may: bool) -> None:
    round = shown(dealt(crazy(), 1), {1: hand})
    (offer,) = (one for one in legal(round) if one.action is Decide)
    assert ("3x" in offer.choices) is may
    after = step(round, Decide(1, "3x"))
    assert isinstance(after, Round) is may
    if not may:
        assert refused(round, Decide(1, "3x")).code is Code.HAND_TOO_LOW


def test_a_play_whose_cards_are_not_known_yet_is_taken() -> None:
    assert seat(done(dealt(crazy(), 1), Decide(1, "3x")), 1).main[1] == ("play", 1500)


def test_what_an_absent_player_s_hand_does_not_allow_is_refused() -> None:
    game = crazy()
    dear = game.play(0, "3x")
    assert dear is not None
    game.__dict__["absent_play"] = lambda seat, stage: dear
    round = shown(dealt(game, 1), {1: "Ks 2c 3d 5h 7s"})
    assert refused(round, Absent(1)).code is Code.HAND_TOO_LOW


@pytest.mark.parametrize(
    ("hand", "dealer", "net"),
    [
        ("As 2c 3d 5h 7s", "2d", 500 + 1500),  # An ace may: all of it is at stake.
        ("Ks 2c 3d 5h 7s", "2d", 500 + 500),  # Two of the three antes go back.
        ("Ks 2c 3d 5h 7s", "Ad", -500 - 500),
        ("Ks 2c 3d 5h 7s", "Kd", 0),
    ],
)
def test_what_a_hand_did_not_allow_goes_back_when_it_is_settled(
    hand: str, dealer: str, net: int
) -> None:
    round = done(dealt(crazy(), 1), Decide(1, "3x"))
    round = shown(opened(round, 0, f"{dealer} 9c 9d 9h 9s"), {1: hand})
    (settlement,) = done(round, Settle()).settlements
    assert settlement.net == net
    assert [line.stake for line in settlement.lines] == [500, 1500]
    assert sum(line.stake - line.lost for line in settlement.lines) + settlement.wins == 2000 + net


# All of them, at random ---------------------------------------------------------------------------


@pytest.mark.parametrize("name", TOYS)
@pytest.mark.parametrize("seed", spread(range(20), 6))
def test_whatever_is_offered_leads_to_the_end_and_is_replayed(name: str, seed: int) -> None:
    game, luck = TOYS[name](), Random(f"{name} {seed}")
    shoe = iter(luck.sample(DECK, 52))
    round, actions = new_round(game), list[Action]()
    for number in range(1, 2 + luck.randrange(5)):
        actions.append(Wager(number, f"p{number}", "ante", Cents(500)))
    actions.append(Close())
    round = done(round, *actions)
    while round.phase != "over":
        action = _one(round, luck, shoe)
        actions.append(action)
        round = done(round, action)
        assert not set(round.waiting) & {one.number for one in round.seats if one.folded}
    assert replay(new_round(game), [decode(encode(one)) for one in actions]) == round
    for one in round.settlements:
        found = round.seat(one.seat)
        assert found is not None
        assert sum(line.stake for line in one.lines) == sum(stake for _, stake in found.stakes)


def _one(round: Round, luck: Random, shoe: Iterable[Card]) -> Action:
    """Some quiet action of those that are offered."""
    offers = [one for one in legal(round) if one.action in (Deal, Turn, Decide, Absent, Settle)]
    offer = luck.choice(offers)
    place = offer.place or 0
    if offer.action is Deal:
        return Deal(place)
    if offer.action is Turn:
        return Turn(place, next(iter(shoe)))
    if offer.action is Decide:
        return Decide(place, luck.choice(offer.choices))
    return Absent(place) if offer.action is Absent else Settle()


@pytest.mark.parametrize("game_id", ["mississippi-stud", "matchem-hi-lo"])
def test_the_usual_games_go_the_same_way_by_the_way_for_any_game(game_id: str) -> None:
    """What the engine does in short for games whose stages come to all is what it does for any."""
    sheet = pitbook.load(f"catfish-bend/{game_id}")
    for seed in range(30):
        ends = []
        for straight in (True, False):
            game = compile_game(sheet)
            game.__dict__["straight"] = straight
            ends.append(_played(game, Random(seed)))
        usual, any_way = ends
        assert usual.settlements == any_way.settlements
        assert usual.seats == any_way.seats
        assert usual.board == any_way.board


def _played(game: Game, luck: Random) -> Round:
    main, rule = game.main
    shoe = luck.sample(DECK, 52)
    round = done(new_round(game), *(Wager(n, f"p{n}", main, rule.min) for n in (1, 2)))
    sides = [name for name, side in game.sheet.side.items() if side.stake.required]
    for name in sides:
        stake = game.sheet.side[name].stake.min
        round = done(round, *(Wager(n, f"p{n}", name, stake) for n in (1, 2)))
    round = laid(done(round, Close()))
    for one in round.seats:
        for _ in range(one.laid):
            round = done(round, Turn(one.number, shoe.pop()))
    while round.phase == "play":
        if round.waiting:
            number = round.waiting[0]
            round = done(round, Decide(number, luck.choice(game.plays(round.stage))))
        else:
            place = next_turn(round)
            assert place is not None
            round = done(round, Turn(place, shoe.pop()))
    while round.phase != "over":
        round = done(round, Settle())
    return round


def test_a_card_of_another_place_shown_too_early_is_told_by_its_place() -> None:
    round = shown(dealt(ultimate(), 1), {1: "As Ks"})
    after = done(round, Expose(COMMON, cards("Qh")[0]))
    assert after.notes[0].what == "Qh shown too early on the dealer cards"
    assert advance(after) == after


# What brought a round to a standstill -------------------------------------------------------------


def test_a_card_that_is_exposed_may_bring_a_stage_to_its_seat() -> None:
    round = done(opened(dealt(war(), 1), 0, "9d"), Expose(1, cards("9c")[0]))
    assert (round.stage, round.waiting) == (1, (1,))


def test_a_hand_that_allowed_no_play_but_a_fold_has_back_what_it_put() -> None:
    dear = Play("3x", puts=(("play", 3),), needs=Need("own", 12))
    game = crazy()
    game.stages = (game.stages[0]._replace(plays=(FOLD, dear)),)
    round = opened(done(dealt(game, 1), Decide(1, "3x")), 0, "Kd 2d 3d 4d 5d")
    round = done(shown(round, {1: "9s 2s 3s 4s 5s"}), Settle())
    assert [(one.wager, one.lost, one.back) for one in round.settlements[0].lines] == [
        ("ante", 500, 0),
        ("play", 0, 1500),
    ]


def test_what_two_plays_put_on_one_wager_goes_back_for_both() -> None:
    game = crazy()
    game.stages *= 2
    round = done(dealt(game, 1), Decide(1, "3x"), Decide(1, "3x"))
    assert seat(round, 1).main == (("ante", 500), ("play", 3000))
    round = shown(opened(round, 0, "Kd 2d 3d 4d 5d"), {1: "9s 2s 3s 4s 5s"})
    (line,) = [one for one in done(round, Settle()).settlements[0].lines if one.wager == "play"]
    assert (line.stake, line.lost, line.back) == (3000, 1000, 2000)


def test_more_places_than_records_can_name_are_refused_before_a_card_is_dealt() -> None:
    game = ultimate()
    game.places += (Place("third", "third", 1), Place("fourth", "fourth", 1))
    with pytest.raises(ValueError, match="3 places in common at most"):
        new_round(game)
