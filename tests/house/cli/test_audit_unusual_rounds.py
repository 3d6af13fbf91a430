"""The account of unusual rounds for an auditor."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from rich.console import Console
from tests.house.table.kit import DEALER, SUPERVISOR, top
from tests.house.table.recorded_table import OnRecord, sheet_of
from tests.sheets.samples import CMS, MHL, OMS

from pitbook.cards import card
from pitbook.errors import RoundError
from pitbook.house.cli.audit_reports import account_parts
from pitbook.house.ledger.ledger import Ledger
from pitbook.house.table import commands as c
from pitbook.house.table.explain import SeatAccount, round_story, seat_account
from pitbook.house.table.round_records import find_round
from pitbook.money import Cents


@pytest.fixture
def ledger(tmp_path: Path) -> Iterator[Ledger]:
    with Ledger.open(f"sqlite:///{tmp_path / 'book.db'}") as book:
        yield book


def explained_account(ledger: Ledger, number: int, seat: int) -> SeatAccount:
    return seat_account(ledger, find_round(ledger, f"t1-{number}"), seat)


def account_text(account: SeatAccount) -> str:
    console = Console(width=500, markup=False, color_system=None)
    with console.capture() as captured:
        for part in account_parts(account):
            console.print(part)
    return " ".join(captured.get().split())


def sentences(ledger: Ledger, number: int, seat: int) -> list[str]:
    return [
        sentence
        for step in round_story(find_round(ledger, f"t1-{number}"), seat)
        for sentence in step.told
    ]


def test_a_cap_on_one_hand_is_shared_over_its_lines(ledger: Ledger, tmp_path: Path) -> None:
    live = OnRecord(ledger, sheet_of(tmp_path, OMS))
    live.env.top = top("As Ks Qs Js Ts")
    live.seat(1, "ann", ante=3)
    live.one_round((1, "1x"), (1, "1x"), (1, "1x"))
    account = explained_account(ledger, 1, 1)
    assert [cap.applied.seat for cap in account.caps] == [1]
    text = account_text(account)
    assert "Why seat 1 (ann) nets $1,000 in round t1-000001" in text
    assert "Payout limit for seat 1 (OMS-9): $3,000 owed, $1,000 paid, shared in proportion" in text
    assert "Seat 1, Ante: $750 owed, $250 paid." in text
    assert "Seat 1 shows" not in text
    assert "Remaining cents go to the largest fractions" not in text


def test_no_cap_is_reported_if_none_applied(ledger: Ledger, tmp_path: Path) -> None:
    live = OnRecord(ledger, sheet_of(tmp_path, CMS))
    live.env.top = top("2c 7d 9h Ks Kd")
    live.do(SUPERVISOR, c.OpenRound())
    live.seat(1, "ann", ante=10)
    live.one_round((1, "1x"), (1, "1x"), (1, "1x"))
    account = explained_account(ledger, 1, 1)
    assert account.caps == []
    text = account_text(account)
    assert "Ante ($10) wins $10: pair of jacks or better pays 1 to 1 (CMS-9)." in text
    assert "caps" not in text


def test_corrected_card_is_reported_before_and_after(ledger: Ledger, tmp_path: Path) -> None:
    live = OnRecord(ledger, sheet_of(tmp_path, CMS), "typed")
    live.seat(1, "ann", ante=10)
    live.do(DEALER, c.CloseBetting(), c.TypeCard(1, card("As")), c.TypeCard(1, card("Kd")))
    live.do(SUPERVISOR, c.CorrectCard(1, 2, card("Ks"), "misread"))
    live.do("ann", c.Decide(1, "1x"))
    live.do(DEALER, c.TypeCard(0, card("Qs")))
    live.do(SUPERVISOR, c.CorrectCard(0, 1, card("Qd"), "a diamond"))
    assert sentences(ledger, 1, 1)[4:] == [
        "Seat 1 has As.",
        "Seat 1 has Kd.",
        "Card 2 of seat 1 corrected from Kd to Ks: misread.",
        "Seat 1 bets 1x ($10) on the Flop bet.",
        "Dealer turns over Qs.",
        "Card 1 of the board corrected from Qs to Qd: a diamond.",
    ]
    text = account_text(explained_account(ledger, 1, 1))
    assert "Seat 1: As Ks Community: Qd" in text
    assert "Shoe t1-shoe-000001, typed, one deck" in text
    assert "Commitment none" in text


def test_absent_player_and_stop_are_reported(ledger: Ledger, tmp_path: Path) -> None:
    live = OnRecord(ledger, sheet_of(tmp_path, CMS), clocks={"betting": 30, "decision": 20})
    live.seat(1, "ann", ante=10)
    live.restart("the server was moved")
    live.actor = "dee"
    live.do(DEALER, c.CloseBetting())
    live.later(21)
    live.do(c.CLOCK, c.Tick())
    lines = sentences(ledger, 1, 1)
    assert lines[1] == "Play resumed: the server was moved."
    assert "Seat 1 was absent: fold (GEN-10)." in lines
    assert "Seat 1 folds and loses $10." in lines
    assert round_story(find_round(ledger, "t1-1"), 1)[-1].actor == "clock"


def test_other_seats_are_left_out(ledger: Ledger, tmp_path: Path) -> None:
    live = OnRecord(ledger, sheet_of(tmp_path, CMS))
    live.seat(1, "ann", ante=10).seat(2, "bob", ante=5)
    live.do("bob", c.SeatSeed(2, "lucky"))
    live.one_round((1, "fold"), (2, "1x"), (2, "fold"))
    mine = sentences(ledger, 1, 1)
    assert not any("eat 2" in sentence for sentence in mine)
    assert "Seat 1 folds and loses $10." in mine
    assert "Seat 2 adds a seed to the shuffle." in sentences(ledger, 1, 2)
    follows = [step for step in round_story(find_round(ledger, "t1-1"), 1) if step.follows]
    assert [step.actor for step in follows] == ["bob", "bob"]
    assert 'and of seat 2 "lucky"' in account_text(explained_account(ledger, 1, 1))


def test_fills_are_reported(ledger: Ledger, tmp_path: Path) -> None:
    live = OnRecord(ledger, sheet_of(tmp_path, CMS))
    live.env.top = top("2c 7d 9h Ks Kd")
    live.do(SUPERVISOR, c.OpenRound())
    live.seat(1, "ann", ante=10)
    live.do(SUPERVISOR, c.Fill(Cents(1_500)))
    live.one_round((1, "1x"), (1, "1x"), (1, "1x"))
    lines = sentences(ledger, 1, 1)
    assert "Fill of $15: fill." in lines
    assert lines[-2:] == [
        "Fill of $25: payout larger than the rack.",
        "Shoe t1-shoe-000001 ended. Its seed is revealed.",
    ]


def test_a_cut_card_shoe_says_how_many_cards_came_before(ledger: Ledger, tmp_path: Path) -> None:
    cut = ('fresh = { is = "each-round"', 'cut_card = 270\nfresh = { is = "cut-card"')
    live = OnRecord(ledger, sheet_of(tmp_path, MHL, cut))
    for _ in range(2):
        live.seat(1, "ann", bet=5)
        live.one_round((1, "low"))
    assert "six decks, pack 1, automatic shuffle, 8 cards dealt before" in account_text(
        explained_account(ledger, 2, 1)
    )


def test_fallback_shuffle_is_reported(ledger: Ledger, tmp_path: Path) -> None:
    live = OnRecord(ledger, sheet_of(tmp_path, MHL))
    live.do(DEALER, c.ShufflerFailed())
    live.seat(1, "ann", bet=5)
    live.one_round((1, "low"))
    assert "house-blackjack shuffle ×3" in account_text(explained_account(ledger, 1, 1))


def test_seat_without_wagers_did_not_play(ledger: Ledger, tmp_path: Path) -> None:
    live = OnRecord(ledger, sheet_of(tmp_path, CMS))
    live.seat(1, "ann", ante=5)
    live.do("ann", c.PutWager(1, "ante", Cents(0)))
    with pytest.raises(RoundError, match="All of its bets were withdrawn"):
        explained_account(ledger, 1, 1)
    live.seat(2, "bob", ante=5)
    with pytest.raises(RoundError, match=r"in round t1-000001. Only seat 2 was"):
        explained_account(ledger, 1, 1)
