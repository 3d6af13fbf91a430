"""Hands paid one at a time on a real ledger: reversals balance and are explained."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from tests.clauses.one_line_rounds import LAS, OMS
from tests.house.table.kit import DEALER, SUPERVISOR
from tests.house.table.recorded_table import OnRecord
from tests.house.table.test_hand_by_hand import (
    PLAYERS,
    seat_players,
    to_settle,
    type_cards,
    wallets,
)
from tests.house.web.conftest import fast_ledger

from pitbook.cards import card
from pitbook.house.inspect.significant_events import find_significant_events
from pitbook.house.inspect.table_results import _table_result
from pitbook.house.ledger.accounts import Account, move
from pitbook.house.ledger.audit import verify
from pitbook.house.ledger.ledger import Ledger
from pitbook.house.ledger.queries import ALL_TIME, Streams
from pitbook.house.table import commands as c
from pitbook.house.table.explain import explain_seat
from pitbook.house.table.facts import ABOVE_RACK, FACTS, Fill
from pitbook.house.table.round_history import rounds_page
from pitbook.house.table.round_records import find_round
from pitbook.house.table.round_replay import anonymize, replay_steps
from pitbook.house.table.visibility import Viewer
from pitbook.money import Cents

ROUND = "t1-000001"


@pytest.fixture
def ledger(tmp_path: Path) -> Iterator[Ledger]:
    with fast_ledger(tmp_path / "book.db") as book:
        yield book


def half_settled(ledger: Ledger) -> OnRecord:
    """Seat 3 has won $8, seat 2 has lost $8, seat 1 is closed."""
    live = OnRecord(ledger, OMS, "typed")
    to_settle(seat_players(live, 2), "Qs Jd 2h")
    type_cards(live, 3, "Qd 3c")
    type_cards(live, 2, "4c 5d").do(DEALER, c.Settle())
    return live


def figures(live: OnRecord) -> tuple[int, int, int]:
    """Handle, win and fills; the rack must match them."""
    with live.ledger.snapshot() as book:
        (span,) = book.spans(ALL_TIME, Streams(("table/t1",)))
        moves = _table_result(book, span)
    assert live.book[live.till.rack] == moves.fills - moves.credits + moves.win
    return moves.handle, moves.win, moves.fills


def spend(live: OnRecord, player: str, amount: int) -> None:
    """The player cashes out."""
    wallet, cash = live.till.wallet(player), Account("usd", "cash")
    moved = move(wallet, cash, Cents(amount), "cash-out")
    live.ledger.append("cage", live.cage, [{"fact": "cash-out"}], [moved], actor="kim")
    live.pay(moved)


@pytest.mark.long
def test_a_seat_is_explained_while_others_are_open(ledger: Ledger) -> None:
    half_settled(ledger)
    won, open_ = explain_seat(ledger, ROUND, 3), explain_seat(ledger, ROUND, 1)
    assert won.settlement is not None
    document = won.document()
    assert (document["result"], document["net"], document["differs"]) == ("settled", "8.00", [])
    assert any(
        "Pair of queens" in sentence or "wins $8" in sentence or "win $8" in sentence
        for sentence in sentences_of(won)
    )
    assert open_.settlement is None
    assert (open_.document()["held"], open_.document()["so_far"]) == ("8.00", None)


def sentences_of(explanation: object) -> list[str]:
    return [sentence for moment in explanation.story for sentence in moment.told]  # type: ignore[attr-defined]


def test_las_7_a_side_wager_is_explained_while_the_hand_is_closed(ledger: Ledger) -> None:
    live = OnRecord(ledger, LAS, "typed")
    to_settle(seat_players(live, 5, three_up=5), "Qs Qd 2h").do(DEALER, c.Settle())
    document = explain_seat(ledger, ROUND, 1).document()
    assert (document["result"], document["held"]) == (None, "20.00")
    assert [line["wager"] for line in document["so_far"]["lines"]] == ["three-up"]


def test_gen_6_misdeal_reversals_balance(ledger: Ledger) -> None:
    live = half_settled(ledger)
    assert figures(live) == (24_00, 0, 800)
    live.do(DEALER, c.Misdeal("a boxed card"))
    assert figures(live) == (0, 0, 800)
    assert all(ledger.balance(live.till.wallet(player)) == 1000_00 for player in PLAYERS)
    for seat in (1, 2, 3):
        account = explain_seat(ledger, ROUND, seat)
        assert (account.document()["net"], account.differences) == ("0.00", [])
    three = sentences_of(explain_seat(ledger, ROUND, 3))
    assert "The settlement of seat 3 is reversed. $8 returns to the rack." in three
    assert [event.what for event in find_significant_events(ledger, ALL_TIME) if event.round] == [
        "misdeal",
        "taken-back",
    ]
    assert not verify(ledger).findings
    live.sound()


def test_gen_6_spent_winnings_are_a_recorded_house_loss(ledger: Ledger) -> None:
    live = half_settled(ledger)
    spend(live, "cho", 1005_00)  # Of $1,008.
    live.do(DEALER, c.Misdeal("a boxed card"))
    assert wallets(live) == [1000, 1000, 0]
    (back,) = (fact for fact in live.facts_json if fact["fact"] == "taken-back")
    assert sum(float(line["short"]) for line in back["lines"]) == 5
    live.sound()
    account = explain_seat(ledger, ROUND, 3)
    assert account.differences == []
    assert "Seat 3 is $5 short. The house covers the difference." in sentences_of(account)
    assert figures(live)[1] == -500


@pytest.mark.long
def test_corrected_card_reopens_the_hands_it_changes(ledger: Ledger) -> None:
    live = half_settled(ledger)
    live.do(SUPERVISOR, c.CorrectCard(3, 1, card("9d"), "misread"))
    assert wallets(live) == [992, 992, 992]
    assert len(live.round.paid) == 0  # Seat 2 is settled after seat 3.
    live.sound()
    assert figures(live) == (24_00, 0, 800)
    live.do(DEALER, c.Settle())
    assert (wallets(live), live.held) == ([992, 992, 992], 800)
    type_cards(live, 1, "6d 6c").do(DEALER, c.Settle())
    assert (live.round.ending, wallets(live)) == ("settled", [1000, 992, 992])
    assert figures(live) == (24_00, 16_00, 800)
    assert all(explain_seat(ledger, ROUND, seat).differences == [] for seat in (1, 2, 3))
    assert not verify(ledger).findings
    live.sound()


@pytest.mark.long
def test_correction_in_a_later_hand_keeps_settled_ones(ledger: Ledger) -> None:
    live = half_settled(ledger)
    paid = live.round.paid
    type_cards(live, 1, "6d 6c").do(SUPERVISOR, c.CorrectCard(1, 1, card("7d"), "misread"))
    assert live.round.paid == paid
    assert not [fact for fact in live.facts_json if fact["fact"] == "taken-back"]
    live.sound()


def test_correction_is_refused_if_the_money_is_gone(ledger: Ledger) -> None:
    live = half_settled(ledger)
    spend(live, "cho", 1008_00)
    refusal = live.no(SUPERVISOR, c.CorrectCard(3, 1, card("9d"), "misread"))
    assert refusal.message == "cho has $0 left and needs $16."
    live.sound()


def test_rounds_with_reversed_hands_are_replayed_and_listed(ledger: Ledger) -> None:
    live = half_settled(ledger)
    live.do(SUPERVISOR, c.CorrectCard(2, 1, card("Jc"), "misread")).do(DEALER, c.Settle())
    live.do(DEALER, c.Misdeal("a boxed card"))
    record = find_round(ledger, ROUND)
    for round_record in (record, anonymize(record)):
        sentences = [
            line
            for step in replay_steps(round_record, Viewer("bob", "player"))
            for line in step["told"]
        ]
        assert sum("The settlement of seat" in line for line in sentences) == 3
    (mine,) = rounds_page(ledger, "bob").rounds
    assert mine["settlement"]["result"] == "misdeal"
    assert mine["balance"] == {"before": "1000.00", "after": "1000.00"}


def test_player_may_leave_once_their_hand_is_settled(ledger: Ledger) -> None:
    live = half_settled(ledger)
    live.do("cho", c.Leave(3))
    assert live.no("ann", c.Leave(1)).message.startswith("Seat 1 has bets in play")
    live.do(DEALER, c.Misdeal("a boxed card"))
    assert wallets(live) == [1000, 1000, 1000]
    live.sound()


def test_each_fill_of_one_entry_shows_the_rack_at_that_time(ledger: Ledger) -> None:
    """A settlement that pays two seats from an empty rack fills it twice."""
    house, rack = Account("usd", "house"), Account("usd", "rack", "t")
    ann = Account("usd", "wallet", "ann")
    moved = [
        *(move(house, rack, Cents(300), ABOVE_RACK), move(rack, ann, Cents(250), "pays")),
        *(move(house, rack, Cents(2_000), ABOVE_RACK), move(rack, ann, Cents(2_000), "pays")),
    ]
    filled = FACTS.dump_all([Fill(Cents(300), ABOVE_RACK), Fill(Cents(2_000), ABOVE_RACK)])
    ledger.append("table/t", ledger.claim("table/t"), filled, moved)
    racks = [
        (event.before, event.after)
        for event in find_significant_events(ledger, ALL_TIME)
        if event.what == "fill"
    ]
    assert racks == [
        ({"rack": "0.00"}, {"rack": "3.00"}),
        ({"rack": "0.50"}, {"rack": "20.50"}),
    ]
