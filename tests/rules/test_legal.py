"""The legal actions at each point of a round, and the refusals of all others."""

from __future__ import annotations

from typing import Any

import pytest

import pitbook
from pitbook.cards import card
from pitbook.money import Cents
from pitbook.rules.actions import (
    BOARD,
    Absent,
    Action,
    Close,
    Deal,
    Decide,
    Expose,
    Fouled,
    Interrupted,
    Misdeal,
    Settle,
    Turn,
    VoidHand,
    Wager,
    Warn,
    Withdraw,
)
from pitbook.rules.legal_actions import Offer, legal
from pitbook.rules.refusals import Code, Refusal
from pitbook.rules.round import Round, open_round
from pitbook.rules.step import step

CMS = pitbook.load("catfish-bend/mississippi-stud")
MHL = pitbook.load("catfish-bend/matchem-hi-lo")
ANTE = (Cents(500), Cents(50_000), Cents(100))
BONUS = (Cents(100), Cents(10_000), Cents(100))
MISHAPS = [
    Offer(Misdeal),
    Offer(VoidHand, 2, choices=("information", "supervisor")),
    Offer(Warn, 2),
    Offer(Fouled),
    Offer(Interrupted),
]


def play_actions(*actions: Action) -> Round:
    """A round with seat 2 only, after its ante and these actions."""
    round = open_round(CMS)
    for action in (Wager(2, "ann", "ante", Cents(500)), *actions):
        after = step(round, action)
        assert isinstance(after, Round), f"{action}: {after}"
        round = after
    return round


DEAL: list[Action] = [Close(), *(Deal(place) for place in (BOARD, BOARD, BOARD, 2, 2))]
TURN_HAND: list[Action] = [Turn(2, card("As")), Turn(2, card("Ks"))]
STREETS: list[Action] = [
    *(Decide(2, "1x"), Turn(BOARD, card("Qs"))),
    *(Decide(2, "1x"), Turn(BOARD, card("Js"))),
    *(Decide(2, "1x"), Turn(BOARD, card("Ts"))),
]


def test_before_the_first_wager_only_main_wagers_are_offered() -> None:
    seats = [Offer(Wager, number, "ante", (), *ANTE) for number in range(1, 7)]
    assert list(legal(open_round(CMS), "ann")) == seats


def test_a_seated_player_may_change_add_withdraw_and_close() -> None:
    assert list(legal(play_actions(), "ann")) == [
        Offer(Wager, 2, "ante", (), *ANTE),
        Offer(Wager, 2, "three-card-bonus", (), *BONUS),
        Offer(Withdraw, 2, "ante"),
        Offer(Close),
    ]


def test_another_player_may_sit_anywhere_else() -> None:
    free = [Offer(Wager, number, "ante", (), *ANTE) for number in (1, 3, 4, 5, 6)]
    assert list(legal(play_actions(), "bob")) == [*free, Offer(Withdraw, 2, "ante"), Offer(Close)]


def test_while_cards_are_dealt_the_next_place_is_offered() -> None:
    assert list(legal(play_actions(Close()))) == [Offer(Deal, BOARD), *MISHAPS]
    dealing = play_actions(*DEAL[:5])
    assert list(legal(dealing)) == [
        Offer(Deal, 2),
        Offer(Expose, BOARD),
        Offer(Expose, 2),
        *MISHAPS,
    ]


def test_a_seat_may_turn_its_cards_decide_or_be_absent() -> None:
    choices = ("fold", "1x", "2x", "3x")
    decide = [Offer(Decide, 2, choices=choices), Offer(Absent, 2)]
    face_down = [Offer(Expose, BOARD), Offer(Turn, 2), Offer(Expose, 2)]
    assert list(legal(play_actions(*DEAL))) == [*face_down, *decide, *MISHAPS]
    assert list(legal(play_actions(*DEAL, *TURN_HAND))) == [Offer(Expose, BOARD), *decide, *MISHAPS]


def test_when_all_have_decided_the_board_is_turned() -> None:
    round = play_actions(*DEAL, *TURN_HAND, Decide(2, "1x"))
    assert list(legal(round)) == [Offer(Turn, BOARD), *MISHAPS]


def test_a_known_hand_is_settled_and_an_unknown_one_turned_first() -> None:
    turned = play_actions(*DEAL, *TURN_HAND, *STREETS)
    assert list(legal(turned)) == [Offer(Settle, choices=("at-once", "at-end")), *MISHAPS]
    unknown = play_actions(*DEAL, *STREETS)
    assert list(legal(unknown)) == [Offer(Turn, 2), Offer(Expose, 2), *MISHAPS]


def test_after_the_round_a_finding_can_still_be_recorded() -> None:
    over = play_actions(*DEAL, *TURN_HAND, *STREETS, Settle())
    kinds = [offer.action for offer in legal(over)]
    assert Misdeal in kinds
    assert not {Deal, Turn, Decide, Absent, Settle, Wager, Expose} & set(kinds)


def test_hi_lo_offers_no_absence_before_the_cards_are_known() -> None:
    round = open_round(MHL)
    opening: list[Action] = [Wager(1, "ann", "bet", Cents(500)), Close()]
    for action in [*opening, *[Deal(1)] * 3, *[Deal(BOARD)] * 5]:
        after = step(round, action)
        assert isinstance(after, Round)
        round = after
    kinds = [offer.action for offer in legal(round)]
    assert Decide in kinds
    assert Absent not in kinds


NEXT = "The next card goes to "
REFUSED: list[tuple[list[Action], Action, Code, str]] = [
    ([], Deal(BOARD), Code.NOT_NOW, "No card is due now."),
    ([], Turn(2, card("2c")), Code.NO_CARD_THERE, "There is no face-down card there."),
    (
        [],
        Decide(2, "1x"),
        Code.NOT_NOW,
        "There is no decision now. Bet, or wait for the cards.",
    ),
    ([], Absent(2), Code.NOT_NOW, "There is no decision now. Bet, or wait for the cards."),
    ([], Settle(), Code.NOT_NOW, "The hands cannot be settled yet."),
    ([], Misdeal("boxed"), Code.NOT_NOW, "No card has been dealt, so there is nothing to void."),
    ([], VoidHand(2, "supervisor"), Code.NOT_NOW, "There is no hand to void."),
    ([], Expose(2, card("2c")), Code.NOT_NOW, "There are no cards on the table."),
    ([], Fouled(card("2c")), Code.NOT_NOW, "There are no cards on the table."),
    ([], Warn(2, "x"), Code.NOT_NOW, "There are no cards on the table."),
    ([], Interrupted(agreed=True), Code.NOT_NOW, "No hand is in play."),
    ([], Withdraw(3, "ante"), Code.UNKNOWN_SEAT, "Seat 3 is empty."),
    (
        [],
        Withdraw(2, "turn"),
        Code.UNKNOWN_WAGER,
        "Seat 2 has no bet on Turn bet. Place a chip first.",
    ),
    ([Close()], Close(), Code.NOT_NOW, "Betting is already closed. Cards are dealt next."),
    (
        [Close()],
        Withdraw(2, "ante"),
        Code.NOT_NOW,
        "Betting is closed and bets stay. Change them in the next round.",
    ),
    (
        [Close()],
        Wager(1, "bob", "ante", Cents(500)),
        Code.NOT_NOW,
        "Betting is closed. Bet in the next round.",
    ),
    ([Close()], Deal(2), Code.DEAL_ORDER, NEXT + "the community cards."),
    (DEAL[:4], Deal(BOARD), Code.DEAL_ORDER, NEXT + "seat 2."),
    (DEAL[:5], Turn(2, card("2c")), Code.NOT_NOW, "Cards can be turned over when all are dealt."),
    (DEAL, Turn(BOARD, card("2c")), Code.NOT_NOW, "Seat 2 still has to act."),
    (DEAL, Decide(3, "1x"), Code.UNKNOWN_SEAT, "Seat 3 is empty."),
    (DEAL, Absent(3), Code.UNKNOWN_SEAT, "Seat 3 is empty."),
    (DEAL, Warn(3, "x"), Code.UNKNOWN_SEAT, "Seat 3 is empty."),
    (DEAL, VoidHand(3, "supervisor"), Code.UNKNOWN_SEAT, "Seat 3 is empty."),
    (
        [*DEAL, Decide(2, "1x")],
        Decide(2, "1x"),
        Code.ALREADY_DECIDED,
        "Seat 2 has already acted. Wait for the next decision.",
    ),
    (
        [*DEAL, Decide(2, "1x")],
        Absent(2),
        Code.ALREADY_DECIDED,
        "Seat 2 has already acted. Wait for the next decision.",
    ),
    (
        [*DEAL, Decide(2, "1x")],
        Expose(BOARD, card("2c")),
        Code.NOT_NOW,
        "No decision is open, so the card was not exposed early.",
    ),
    (
        [*DEAL, *TURN_HAND],
        Expose(BOARD, card("As")),
        Code.NO_SUCH_CARD,
        "As appears one time too many. One deck has it once.",
    ),
    (
        [*DEAL, VoidHand(2, "supervisor")],
        VoidHand(2, "supervisor"),
        Code.ALREADY_VOID,
        "Seat 2's hand is already void.",
    ),
    (
        [*DEAL, *STREETS],
        Settle(),
        Code.CARDS_UNKNOWN,
        "Turn over seat 2's cards before you settle it.",
    ),
    (
        [*DEAL, Decide(2, "fold")],
        Turn(2, card("2c")),
        Code.NOT_NOW,
        "Seat 2 has folded. Its cards stay face down.",
    ),
]


@pytest.mark.parametrize(("earlier", "action", "code", "message"), REFUSED)
def test_refusal_messages(earlier: list[Action], action: Action, code: Code, message: str) -> None:
    refusal = step(play_actions(*earlier), action)
    assert isinstance(refusal, Refusal)
    assert (refusal.code, refusal.message) == (code, message)


@pytest.mark.parametrize("late", [Decide(2, "1x"), Absent(2)])
@pytest.mark.parametrize(
    ("reason", "code"), [("fold", Code.ALREADY_FOLDED), ("void", Code.ALREADY_VOID)]
)
def test_a_folded_or_void_seat_cannot_decide(late: Action, reason: str, code: Code) -> None:
    round = open_round(CMS)
    actions_by_reason: dict[str, Action] = {
        "fold": Decide(2, "fold"),
        "void": VoidHand(2, "supervisor"),
    }
    bets = [Wager(seat, f"p{seat}", "ante", Cents(500)) for seat in (2, 4)]
    deal = [Deal(place) for place in (BOARD, BOARD, BOARD, 2, 2, 4, 4)]
    for action in [*bets, Close(), *deal, actions_by_reason[reason]]:
        after = step(round, action)
        assert isinstance(after, Round)
        round = after
    refusal = step(round, late)
    assert isinstance(refusal, Refusal)
    assert refusal.code is code


def test_an_unknown_reason_is_refused() -> None:
    reason: Any = "supervisr"
    refusal = step(play_actions(*DEAL), VoidHand(2, reason))
    assert isinstance(refusal, Refusal)
    message = '"supervisr" is not a valid reason. Did you mean "supervisor"?'
    assert (refusal.code, refusal.message) == (Code.UNKNOWN_REASON, message)


def test_a_refusal_includes_its_clause() -> None:
    refusal = step(play_actions(Close()), Deal(2))
    assert str(refusal) == "The next card goes to the community cards (CMS-4)"
    assert str(step(play_actions(), Settle())) == "The hands cannot be settled yet."
