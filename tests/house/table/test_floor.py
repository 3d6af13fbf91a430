"""Rack, shuffler, rule changes and closing a table."""

from __future__ import annotations

import pytest
from tests.clauses.one_line_rounds import CMS, MHL, OMS, with_field
from tests.house.table.kit import DEALER, SUPERVISOR, Live, top

from pitbook.cards import Card
from pitbook.errors import RoundError
from pitbook.house.ledger.accounts import Account
from pitbook.house.table.apply_facts import replay
from pitbook.house.table.commands import (
    CloseBetting,
    Command,
    Credit,
    Decide,
    Fill,
    Misdeal,
    PutWager,
    Rebet,
    Retire,
    SeatSeed,
    ShufflerFailed,
    ShufflerRepaired,
    Sit,
    Undo,
)
from pitbook.house.table.decide import Decision, opening_facts
from pitbook.money import Cents
from pitbook.rules.refusals import Code
from pitbook.sheets.model import Sheet
from pitbook.shoe.dealing import Past


def shoe(live: Live) -> tuple[int, str, int]:
    assert live.state.shoe is not None
    record = live.state.shoe
    return record["pack"], record["shuffle"], record["times"]


def test_practice_tables_use_play_chips_only() -> None:
    luck = Live(CMS).env
    with pytest.raises(RoundError, match="guests practice with play chips, not usd"):
        opening_facts(table="t", kind="practice", unit="usd", sheet=CMS, env=luck)


def test_fills_and_credits_move_the_rack() -> None:
    live = Live(CMS).do(SUPERVISOR, Fill(Cents(500_000)), Credit(Cents(120_000)))
    assert live.state.rack == 380_000
    assert live.book[Account("usd", "house")] == -380_000
    live.sound()


@pytest.mark.parametrize(
    ("command", "code"),
    [
        (Fill(Cents(0)), Code.BELOW_MINIMUM),
        (Credit(Cents(0)), Code.BELOW_MINIMUM),
        (Credit(Cents(1)), Code.NOT_COVERED),
    ],
)
def test_rack_cannot_be_overdrawn(command: Command, code: Code) -> None:
    assert Live(CMS).no(SUPERVISOR, command).code == code


def test_a_payout_above_the_rack_is_preceded_by_a_recorded_fill() -> None:
    live = Live(CMS).do(SUPERVISOR, Fill(Cents(10_000)))
    live.env.top = top("2c 2d 9h 2h 2s Ks Qd")
    live.seat(1, "ann", ante=10).seat(2, "bob", ante=10).do(DEALER, CloseBetting())
    live.do("bob", Decide(2, "fold"))
    live.do("ann", *(Decide(1, "1x") for _ in range(3)))
    # Right to left: bob's 10 come in before ann is paid 40 to 1 on 40.
    assert live.wallet("ann") == 1000 + 1600
    fills = [fact for fact in live.facts_json if fact["fact"] == "fill"]
    assert fills[-1] == {"fact": "fill", "amount": "1490.00", "why": "payout above the rack"}
    assert live.state.rack == 0
    live.sound()


def test_loss_at_a_later_seat_does_not_cover_an_earlier_payout() -> None:
    live = Live(CMS)
    live.env.top = top("2c 2d 9h Ks Qd 2h 2s")
    live.seat(1, "ann", ante=10).seat(2, "bob", ante=10).do(DEALER, CloseBetting())
    live.do("ann", Decide(1, "fold"))
    live.do("bob", *(Decide(2, "1x") for _ in range(3)))
    assert live.facts_json[-5]["amount"] == "1600.00"
    assert live.state.rack == 1000
    live.sound()


def test_oms_2_packs_alternate_with_every_shoe() -> None:
    live = Live(OMS).seat(1, "ann", ante=2)
    shoes = [shoe(live)]
    for _ in range(3):
        live.do("ann", CloseBetting(), Decide(1, "fold"))
        shoes.append(shoe(live))
        live.do("ann", Rebet(1))
    assert shoes == [(1, "hand", 1), (2, "hand", 1), (1, "hand", 1), (2, "hand", 1)]


def test_mhl_2_the_house_shuffle_three_times_while_the_machine_fails() -> None:
    live = Live(MHL)
    assert shoe(live) == (1, "automatic", 1)
    live.do(DEALER, ShufflerFailed())
    assert shoe(live) == (1, "house-blackjack", 3)
    live.do(DEALER, ShufflerRepaired())
    assert shoe(live) == (1, "automatic", 1)


def test_cms_3_round_in_play_continues_without_a_shuffler() -> None:
    live = Live(CMS).seat(1, "ann", ante=10).do(DEALER, ShufflerFailed())
    live.do("ann", CloseBetting(), Decide(1, "fold"))
    refusal = live.no("ann", Rebet(1))
    assert (refusal.code, refusal.clause) == (Code.NOT_NOW, "CMS-3")
    assert live.state.shoe is None
    assert (
        live.no("ann", SeatSeed(1, "x")).message
        == "There is no shoe to add a seed to. Wait for the next one."
    )
    live.do(DEALER, ShufflerRepaired()).do("ann", Rebet(1)).sound()


def test_a_shuffler_fails_once_and_is_repaired_once() -> None:
    live = Live(MHL)
    assert live.no(DEALER, ShufflerRepaired()).message == "The shuffler is working."
    live.do(DEALER, ShufflerFailed())
    assert live.no(DEALER, ShufflerFailed()).code == Code.NOT_NOW


def test_replaced_shoe_starts_with_a_new_round() -> None:
    live = Live(MHL).seat(1, "ann", bet=10).do("ann", Undo(1)).do(DEALER, ShufflerFailed())
    live.seat(1, "ann", bet=10)
    assert live.state.round_id == "t1-000002"
    assert live.state.shoe is not None
    assert live.state.dealt_from == live.state.shoe["id"]


def test_undo_is_refused_after_the_shoe_changed() -> None:
    live = Live(CMS).seat(1, "ann", ante=10).do("ann", PutWager(1, "ante", Cents(0)))
    live.do(DEALER, ShufflerFailed())
    assert live.no("ann", Undo(1)).message == "Seat 1 has no bet to undo."


def cut_card_sheet() -> Sheet:
    deep = with_field(MHL, "deck.fresh", "cut-card")
    return with_field(deep, "deck.cut_card", 289)


def test_a_cut_card_keeps_the_shoe_for_several_rounds() -> None:
    live = Live(cut_card_sheet()).seat(1, "ann", bet=10)
    cards_seen: list[Card] = []
    past: tuple[Past, ...] = ()
    for number in (1, 2, 3):
        live.do("ann", SeatSeed(1, f"deal {number}"))
        live.do("ann", CloseBetting())
        past = live.state.past
        seat = live.round.seat(1)
        assert seat is not None
        cards_seen += seat.cards
        live.do("ann", Decide(1, "low"))
        cards_seen += live.round.board
        live.sound()
        live.do("ann", Rebet(1))
    ended = [fact for fact in live.facts_json if fact["fact"] == "shoe-revealed"]
    assert [fact["id"] for fact in ended] == ["t1-shoe-000001"]
    assert past == (Past(8, ((1, "deal 1"),)), Past(8, ((1, "deal 2"),)))
    first = live.facts_json[1]["record"]
    assert tuple(cards_seen) == live.env.cards(first, {1: "deal 3"}, 0, 24, past)


def test_a_void_round_ends_the_shoe() -> None:
    live = Live(cut_card_sheet()).seat(1, "ann", bet=10)
    live.do("ann", CloseBetting()).do(DEALER, Misdeal("boxed card"))
    assert (live.state.shoes, live.state.drawn) == (2, 0)


def test_seat_seed_is_accepted_once_before_the_deal() -> None:
    live = Live(CMS).seat(1, "ann")
    live.do("ann", SeatSeed(1, "seven"))
    assert live.no("ann", SeatSeed(1, "eight")).code == Code.ALREADY_DECIDED
    assert live.no("bob", SeatSeed(2, "x")).code == Code.FORBIDDEN
    live.seat(2, "bob", ante=10)
    for text in ("", "x" * 201, "a\nb"):
        refusal = live.no("bob", SeatSeed(2, text))
        assert refusal.message == "A seed is 1 to 200 characters of printable text."
    live.do("bob", CloseBetting())
    assert live.no("bob", SeatSeed(2, "late")).code == Code.NOT_NOW
    assert live.state.seat_seeds == {1: "seven"}
    live.do("bob", Decide(2, "fold"))
    assert live.state.seat_seeds == {}
    live.do("ann", SeatSeed(1, "eight"))
    assert live.state.seat_seeds == {1: "eight"}


def test_commitment_precedes_any_wager() -> None:
    live = Live(CMS)
    assert [fact["fact"] for fact in live.facts_json] == ["table-opened", "shoe-opened"]
    live.seat(1, "ann", ante=10).do("ann", CloseBetting(), Decide(1, "fold"))
    assert [fact["fact"] for fact in live.facts_json[-2:]] == ["shoe-revealed", "shoe-opened"]


def test_a_table_retires_with_its_rack_and_its_guests_chips() -> None:
    live = Live(CMS, "practice", owner="ann").seat(1, "ann", ante=10).seat(2, "bob", ante=20)
    assert (
        live.no("ann", Retire()).message == "There are bets on the table. Finish the round first."
    )
    assert (
        live.no("bob", Retire()).message == 'Only ann, whose table this is, can do this ("retire").'
    )
    live.do(DEALER, CloseBetting()).do("ann", Decide(1, "fold")).do("bob", Decide(2, "fold"))
    live.do("ann", Retire())
    assert live.state.retired
    assert not any(live.book.values())
    assert live.no("cyd", Sit(3)).message == "Table t1 is closed. Open another in the lobby."
    live.sound()
    assert live.restart().state == replay(live.facts)


def test_a_house_table_is_retired_by_the_floor_and_players_keep_their_money() -> None:
    live = Live(CMS).do(SUPERVISOR, Fill(Cents(10_000))).seat(1, "ann")
    assert live.no("ann", Retire()).code == Code.FORBIDDEN
    live.do(SUPERVISOR, Retire())
    assert (live.wallet("ann"), live.state.rack, live.book[live.till.rack]) == (1000, 0, 0)


def test_each_bet_debits_the_wallet_once() -> None:
    live = Live(CMS).seat(1, "ann", ante=10).do("ann", CloseBetting(), Decide(1, "3x"))
    assert (live.wallet("ann"), live.held) == (960, 4000)
    decided = live.ask("ann", Decide(1, "2x"))
    assert isinstance(decided, Decision)
    (put,) = decided.transfers
    assert str(put.debit) == "wallet:ann"
    assert (str(put.credit), put.amount) == ("held:t1/1", 2000)
    assert put.why == "t1-000001 seat 1 turn put"


def test_each_transfer_has_its_reason() -> None:
    live = Live(CMS)
    live.env.top = top("Qs Jd 9h Qd 2c")
    live.seat(1, "ann", ante=10, three_card_bonus=1).do("ann", CloseBetting())
    live.do("ann", Decide(1, "1x"), Decide(1, "1x"))
    decided = live.ask("ann", Decide(1, "2x"))
    assert isinstance(decided, Decision)
    moves = [(str(t.debit), str(t.credit), t.amount, t.why) for t in decided.transfers]
    ante = "t1-000001 seat 1 ante win"
    assert moves[:4] == [
        ("wallet:ann", "held:t1/1", 2000, "t1-000001 seat 1 river put"),
        ("house", "rack:t1", 5000, "payout above the rack"),
        ("held:t1/1", "wallet:ann", 1000, ante),
        ("rack:t1", "wallet:ann", 1000, ante),
    ]
    assert moves[-1] == ("held:t1/1", "rack:t1", 100, "t1-000001 seat 1 three-card-bonus lose")
    assert len(moves) == 11
    live.take(decided)
    assert live.no("ann", PutWager(1, "ante", Cents(1))).code == Code.BELOW_MINIMUM
