"""With a live dealer each hand is paid when opened, and payments stand (GEN-6)."""

from __future__ import annotations

from tests.clauses.one_line_rounds import CMS, LAS, MHL, OMS
from tests.house.table.kit import DEALER, SUPERVISOR, Live

from pitbook.cards import cards
from pitbook.house.table.apply_facts import replay
from pitbook.house.table.commands import (
    Agree,
    CloseBetting,
    Decide,
    Interrupt,
    Misdeal,
    PutWager,
    Settle,
    Sit,
    TypeCard,
    Unreadable,
    VoidHand,
)
from pitbook.house.table.decide import Decision
from pitbook.house.table.facts import FACTS, Acted
from pitbook.money import Cents
from pitbook.rules import actions
from pitbook.rules.actions import BOARD
from pitbook.rules.refusals import Code
from pitbook.rules.round import Round
from pitbook.rules.step import step
from pitbook.sheets.model import Irregularities, Sheet

PLAYERS = ("ann", "bob", "cho")


def deal_round(sheet: Sheet, ante: int, **sides: int) -> Live:
    """Three players with $1,000 each, and closed cards."""
    return seat_players(Live(sheet, "typed"), ante, **sides)


def seat_players(live: Live, ante: int, **sides: int) -> Live:
    main = live.state.game.main[0]
    for number, player in enumerate(PLAYERS, start=1):
        live.buy_in(player, "1000").do(DEALER, Sit(number, player))
        for wager, amount in {main: ante, **sides}.items():
            live.do(DEALER, PutWager(number, wager.replace("_", "-"), Cents(amount * 100)))
    return live.do(DEALER, CloseBetting())


def type_cards(live: Live, place: int, text: str) -> Live:
    return live.do(DEALER, *(TypeCard(place, typed_card) for typed_card in cards(text)))


def to_settle(live: Live, board: str, *, folds: tuple[int, ...] = ()) -> Live:
    """Every seat bets 1x on each street, or folds on the first."""
    for stage, card_text in enumerate(board.split()):
        for number in (1, 2, 3):
            if number in folds:
                if stage == 0:
                    live.do(DEALER, Decide(number, "fold"))
            else:
                live.do(DEALER, Decide(number, "1x"))
        type_cards(live, BOARD, card_text)
    assert live.round.phase == "settle"
    return live


def wallets(live: Live) -> list[int]:
    return [live.wallet(player) for player in PLAYERS]


# --- hand by hand ---------------------------------------------------------------------------------


def test_a_hand_is_paid_as_it_is_opened_in_the_paying_order() -> None:
    live = to_settle(deal_round(OMS, 2), "Qs Jd 2h")
    type_cards(live, 3, "Qd 3c").do(DEALER, Settle())
    assert wallets(live) == [992, 992, 1008]  # A pair of queens pays $8 on $8.
    live.sound()
    type_cards(live, 2, "4c 5d").do(DEALER, Settle())
    assert wallets(live) == [992, 992, 1008]
    assert live.held == 800
    live.sound()
    type_cards(live, 1, "6d 6c").do(DEALER, Settle())
    assert (live.round.phase, wallets(live), live.held) == ("over", [1000, 992, 1008], 0)
    live.sound()


def test_cms_12_a_hand_without_a_capped_line_is_paid_while_one_is_still_possible() -> None:
    live = to_settle(deal_round(CMS, 10), "Qs Js Ts")
    type_cards(live, 3, "2c 2d").do(DEALER, Settle())
    assert wallets(live)[2] == 960
    assert live.held == 2 * 40 * 100
    type_cards(live, 2, "As Ks")
    refusal = live.no(DEALER, Settle())  # Seat 1 may hold 9s 8s.
    assert (refusal.code, refusal.clause) == (Code.CARDS_UNKNOWN, "CMS-12")
    assert "seat 1" in refusal.message
    type_cards(live, 1, "9s 8s").do(DEALER, Settle())
    assert wallets(live) == [1000 + 40 * 100, 1000 + 40 * 500, 960]
    live.sound()


def test_cms_12_a_capped_line_is_paid_when_no_closed_hand_can_have_one() -> None:
    live = to_settle(deal_round(CMS, 10), "Qs Js 9s")
    type_cards(live, 3, "8s Ts").do(DEALER, Settle())  # Nobody else can have a straight flush now.
    assert wallets(live)[2] == 1000 + 40 * 100
    live.sound()


def test_mhl_13_a_spot_waits_only_for_spots_that_can_share_the_cap() -> None:
    live = deal_round(MHL, 10, poker_bonus=5)
    for number in (1, 2, 3):
        live.do(DEALER, Decide(number, "high"))
    type_cards(live, BOARD, "2c 2d 3h Jc Kd")
    type_cards(live, 3, "9s 9s 9s")
    assert live.no(DEALER, Settle()).clause == "MHL-13"
    type_cards(live, 2, "4c 5d 7h").do(SUPERVISOR, VoidHand(1, "supervisor")).do(DEALER, Settle())
    assert (live.round.phase, live.held) == ("over", 0)
    live.sound()


def test_las_7_the_three_up_pass_is_paid_before_any_hand_is_opened() -> None:
    live = to_settle(deal_round(LAS, 5, three_up=5), "Qs Qd 2h", folds=(2,)).do(DEALER, Settle())
    assert wallets(live) == [1000 - 20 + 5, 1000 - 5 + 5, 1000 - 20 + 5]
    assert live.held == (20 + 5 + 20) * 100
    live.sound()


# --- what is found in the midst of it -------------------------------------------------------------


def half_settled(sheet: Sheet = OMS, ante: int = 2) -> Live:
    """Seat 3 has won, seat 2 has lost, seat 1 is closed."""
    live = to_settle(deal_round(sheet, ante), "Qs Jd 2h")
    type_cards(live, 3, "Qd 3c")
    return type_cards(live, 2, "4c 5d").do(DEALER, Settle())


def test_gen_6_misdeal_reverses_earlier_settlements() -> None:
    live = half_settled()
    assert wallets(live) == [992, 992, 1008]
    live.do(DEALER, Misdeal("a boxed card"))
    assert (live.round.ending, wallets(live), live.held) == ("misdeal", [1000, 1000, 1000], 0)
    (back,) = (fact for fact in live.facts_json if fact["fact"] == "taken-back")
    first = back["lines"][0]
    assert (first["seat"], first["wager"], first["result"]) == (3, "ante", "win")
    live.sound()


def test_gen_6_a_misdeal_after_the_last_seat_is_only_recorded() -> None:
    live = type_cards(half_settled(), 1, "6d 6c").do(DEALER, Settle(), Misdeal("a boxed card"))
    assert (live.round.ending, wallets(live)) == ("settled", [1000, 992, 1008])
    assert live.round.notes[-1].what == "found too late: results stand"
    live.sound()


# --- interruptions --------------------------------------------------------------------------------


def test_oms_16_only_those_with_a_card_still_open_are_asked() -> None:
    live = half_settled().do(SUPERVISOR, Interrupt("power failure"))
    assert live.state.awaiting == {"ann": None}
    assert live.no("bob", Agree(2, finish=False)).code == Code.UNKNOWN_SEAT


def test_gen_6_a_settled_hand_keeps_its_result_when_the_rest_is_dead() -> None:
    live = half_settled().do(SUPERVISOR, Interrupt("power failure"))
    live.do("ann", Agree(1, finish=False))
    assert (live.round.ending, wallets(live), live.held) == ("dead", [1000, 992, 1008], 0)
    assert live.state.result is not None
    seats = live.state.result["seats"]
    results = {seat["seat"]: {line["result"] for line in seat["lines"]} for seat in seats}
    assert results == {1: {"void"}, 2: {"lose"}, 3: {"win"}}
    live.sound()


def test_oms_16_open_hand_is_settled_when_the_rest_is_dead() -> None:
    # Not settled by the dealer yet.
    live = type_cards(to_settle(deal_round(OMS, 2), "Qs Jd 2h"), 3, "Qd 3c")
    live.do(SUPERVISOR, Interrupt("power failure"))
    assert live.state.awaiting == {"ann": None, "bob": None}
    live.do(SUPERVISOR, Unreadable())
    assert (live.round.ending, wallets(live)) == ("dead", [1000, 1000, 1008])
    live.sound()


def test_gen_6_a_fold_that_is_not_settled_is_void_with_the_dead_hand() -> None:
    live = to_settle(deal_round(OMS, 2), "Qs Jd 2h", folds=(3,)).do(SUPERVISOR, Interrupt("alarm"))
    assert live.state.awaiting == {"ann": None, "bob": None}
    live.do("bob", Agree(2, finish=False))
    assert wallets(live) == [1000, 1000, 1000]


def test_no_player_is_asked_when_all_hands_are_open() -> None:
    live = to_settle(deal_round(OMS, 2), "Qs Jd 2h")
    for number, held in ((3, "Qd 3c"), (2, "4c 5d"), (1, "6d 6c")):
        type_cards(live, number, held)
    live.do(SUPERVISOR, Interrupt("power failure"))
    assert (live.state.awaiting, live.round.phase) == (None, "settle")
    live.do(DEALER, Settle())
    assert wallets(live) == [1000, 992, 1008]


def test_stop_between_two_hands_keeps_payouts() -> None:
    live = half_settled().restart("power failure")
    assert (live.state.awaiting, wallets(live)) == ({"ann": None}, [992, 992, 1008])
    live.sound()
    live.do("ann", Agree(1, finish=True))
    type_cards(live, 1, "6d 6c").do(DEALER, Settle())
    assert (live.round.ending, wallets(live)) == ("settled", [1000, 992, 1008])
    live.sound()


def test_las_7_a_side_wager_that_is_settled_stands_when_the_hand_is_dead() -> None:
    asks = LAS.model_copy(update={"irregularities": agreement_rules(LAS)})
    live = to_settle(deal_round(asks, 5, three_up=5), "Qs Qd 2h", folds=(2,)).do(DEALER, Settle())
    live.do(SUPERVISOR, Interrupt("alarm"))
    assert live.state.awaiting == {"ann": None, "cho": None}  # Nothing of bob's is open.
    live.do(SUPERVISOR, Unreadable())
    assert wallets(live) == [1005, 1005, 1005]
    live.sound()


def agreement_rules(sheet: Sheet) -> Irregularities:
    """The sheet's rules, but an interrupted hand is finished by agreement or dead."""
    rules = sheet.irregularities
    rule = rules.interruption.model_copy(update={"value": "agree-or-dead"})
    return rules.model_copy(update={"interruption": rule})


# --- tables of old --------------------------------------------------------------------------------


def test_round_half_settled_by_an_older_version_is_completed() -> None:
    """Older facts settle without money; it is paid at the end."""
    live = type_cards(to_settle(deal_round(OMS, 2), "Qs Jd 2h"), 3, "Qd 3c")
    live.take(Decision((Acted(actions.Settle()),), (), ()))
    assert (wallets(live), live.held) == ([992, 992, 992], 24_00)
    live.sound()
    type_cards(live, 2, "4c 5d").do(DEALER, Settle())
    live.sound()
    type_cards(live, 1, "6d 6c").do(DEALER, Settle())
    assert (wallets(live), live.held) == ([1000, 992, 1008], 0)
    live.sound()


def test_older_dead_hand_is_read() -> None:
    live = type_cards(to_settle(deal_round(OMS, 2), "Qs Jd 2h"), 3, "Qd 3c")
    acts = [{"do": "settle"}, {"do": "interrupted", "agreed": False}]
    stored = [{"fact": "acted", "action": action} for action in acts]
    state = replay(FACTS.load_all(stored), live.state)
    assert state.round is not None
    assert {line.result for _, line in state.round.results} == {"void"}


def test_a_void_hand_after_a_shared_cap_was_paid_leaves_the_share() -> None:
    """GEN-6: seat 3 shared a cap with seat 2; voiding seat 2 later changes no result."""
    live = to_settle(deal_round(CMS, 50), "Qs Js Ts")
    type_cards(live, 3, "As Ks")
    type_cards(live, 2, "9s 8s")
    type_cards(live, 1, "2c 3d")
    shared = step(live.round, actions.Settle(at_once=True))
    assert isinstance(shared, Round)
    void = step(shared, actions.VoidHand(2, "supervisor"))
    assert isinstance(void, Round)
    while void.phase != "over":
        after = step(void, actions.Settle(at_once=True))
        assert isinstance(after, Round)
        void = after
    paid = {settlement.seat: settlement.wins for settlement in void.settlements}
    share = 25_000_00 * 500 // 600
    assert paid[2] == 0
    assert abs(paid[3] - share) <= 1
    assert [(cap.due, cap.paid) for cap in void.applied_caps] == [
        (Cents(120_000_00), Cents(25_000_00))
    ]
