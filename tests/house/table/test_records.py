"""Rounds read back from the ledger."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from tests.house.table.kit import DEALER, SUPERVISOR, top
from tests.house.table.recorded_table import OnRecord, sheet_of
from tests.house.web.conftest import fast_ledger
from tests.sheets.samples import CMS, MHL, OMS

from pitbook.cards import card
from pitbook.errors import RoundError
from pitbook.house.ledger.ledger import Ledger
from pitbook.house.table import commands as c
from pitbook.house.table import round_records as records
from pitbook.house.table.facts import FACTS, Agreed, ShoeRevealed
from pitbook.house.table.round_history import rounds_page
from pitbook.house.table.round_records import (
    find_round,
    round_of,
    table_rounds,
    table_streams,
    wallet_balances,
)
from pitbook.house.table.round_replay import replay_steps
from pitbook.house.table.stored_sheets import dump_sheet
from pitbook.house.table.visibility import Viewer
from pitbook.money import Cents
from pitbook.rules.result_json import report
from pitbook.sheets.model import Sheet

TABLE = "table/t1"


@pytest.fixture
def ledger(tmp_path: Path) -> Iterator[Ledger]:
    with fast_ledger(tmp_path / "book.db") as book:
        yield book


@pytest.fixture
def stud(tmp_path: Path) -> Sheet:
    return sheet_of(tmp_path, CMS)


def folds(live: OnRecord, count: int, seat: int = 1, player: str = "ann") -> None:
    for _ in range(count):
        live.seat(seat, player, ante=5)
        live.one_round((seat, "fold"))


def test_rounds_are_in_order_with_actors_and_times(ledger: Ledger, stud: Sheet) -> None:
    live = OnRecord(ledger, stud)
    live.seat(1, "ann", ante=10).seat(2, "bob", ante=5)
    live.one_round((1, "fold"), (2, "fold"))
    folds(live, 2)
    first, second, third = table_rounds(ledger, TABLE)
    assert [first.id, second.id, third.id] == ["t1-000001", "t1-000002", "t1-000003"]
    assert [first.number, third.number] == [1, 3]
    assert [step.actor for step in first.steps] == ["ann", "bob", "dee", "ann", "bob"]
    assert [step.seq for step in first.steps] == sorted(step.seq for step in first.steps)
    assert all(step.at.endswith("+00:00") for step in first.steps)
    assert first.state.actions == find_round(ledger, "t1-000001").state.actions
    assert first.settled == report(round_of(first.state))


def test_last_round_is_recorded_so_far(ledger: Ledger, stud: Sheet) -> None:
    live = OnRecord(ledger, stud)
    live.seat(1, "ann", ante=10)
    live.one_round((1, "2x"))
    record = find_round(ledger, "t1-000001")
    assert record.settled is None
    assert record.revealed is None
    assert round_of(record.state) == live.round
    assert wallet_balances(ledger, record, "ann") == (100_000, 97_000)


def test_facts_between_rounds_belong_to_no_round(ledger: Ledger, stud: Sheet) -> None:
    live = OnRecord(ledger, stud)
    folds(live, 1)
    live.buy_in("bob", "100")
    live.do("bob", c.Sit(2))
    live.do(SUPERVISOR, c.Fill(Cents(5_000)))
    folds(live, 1)
    first, second = table_rounds(ledger, TABLE)
    assert [step.actor for step in second.steps] == ["ann", "dee", "ann"]
    kinds = {
        FACTS.name(type(fact)) for step in (*first.steps, *second.steps) for fact in step.facts
    }
    assert kinds.isdisjoint({"sat", "shoe-opened", "table-opened", "deadline"})


def test_late_finding_belongs_to_its_round(ledger: Ledger, stud: Sheet) -> None:
    live = OnRecord(ledger, stud)
    folds(live, 1)
    live.do(DEALER, c.Misdeal("a card on the floor"))
    folds(live, 1)
    first, _ = table_rounds(ledger, TABLE)
    assert [note.what for note in round_of(first.state).notes] == [
        "misdeal: a card on the floor",
        "found too late: results stand",
    ]


@pytest.mark.long
def test_find_round_reads_only_part_of_a_long_stream(
    ledger: Ledger, stud: Sheet, monkeypatch: pytest.MonkeyPatch
) -> None:
    live = OnRecord(ledger, stud)
    folds(live, 30)
    whole = {record.id: record for record in table_rounds(ledger, TABLE)}
    monkeypatch.setattr(records, "WINDOW", 8)
    for number in range(1, 31):
        record = find_round(ledger, f"t1-{number:06d}")
        assert record.steps == whole[record.id].steps
        assert record.state.round == whole[record.id].state.round
        assert record.revealed == whole[record.id].revealed


@pytest.mark.long
def test_rules_of_a_late_round_are_found(
    ledger: Ledger, stud: Sheet, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    live = OnRecord(ledger, stud)
    folds(live, 2)
    other = sheet_of(tmp_path, CMS, ('flush = "6:1"', 'flush = "5:1"'))
    live.do(SUPERVISOR, c.ChangeSheet(dump_sheet(other)))
    folds(live, 12)
    monkeypatch.setattr(records, "WINDOW", 8)
    before, after = find_round(ledger, "t1-000002"), find_round(ledger, "t1-000012")
    assert before.state.sheet == dump_sheet(stud)
    assert after.state.sheet == dump_sheet(other)
    assert [past_round["round"] for past_round in rounds_page(ledger, "ann").rounds][
        -1
    ] == "t1-000005"
    assert {past_round["sheet"]["hash"] for past_round in rounds_page(ledger, "ann").rounds} == {
        dump_sheet(other)["hash"]
    }


def test_seed_revealed_after_the_round_is_found(ledger: Ledger, tmp_path: Path) -> None:
    cut = ('fresh = { is = "each-round"', 'cut_card = 270\nfresh = { is = "cut-card"')
    live = OnRecord(ledger, sheet_of(tmp_path, MHL, cut))
    for _ in range(7):
        live.seat(1, "ann", bet=5)
        live.one_round((1, "low"))
    first, second, last = (find_round(ledger, f"t1-00000{number}") for number in (1, 2, 7))
    assert first.revealed == ShoeRevealed("t1-shoe-000001", "SEED t1-shoe-000001", ())
    assert second.before.drawn == 8
    assert second.revealed == first.revealed
    assert last.before.shoe != first.before.shoe
    assert last.revealed is None


def test_corrected_card_is_used(ledger: Ledger, stud: Sheet) -> None:
    live = OnRecord(ledger, stud, "typed")
    live.seat(1, "ann", ante=10)
    live.do(DEALER, c.CloseBetting(), c.TypeCard(1, card("As")), c.TypeCard(1, card("Kd")))
    live.do(SUPERVISOR, c.CorrectCard(1, 2, card("Ks"), "misread"))
    record = find_round(ledger, "t1-000001")
    (seat,) = round_of(record.state).seats
    assert seat.cards == top("As Ks")
    assert [step.actor for step in record.steps][-1] == "sue"


@pytest.mark.parametrize(
    ("wanted", "why"),
    [
        ("t1-000004", "table/t1 has no round 4. Its rounds are 1 to 3."),
        ("t1-0", "table/t1 has no round 0. Its rounds are 1 to 3."),
        ("t2-000001", 'There is no round "t2-000001". Did you mean "t1-000001"?'),
        ("t2-000003", 'There is no round "t2-000003". Did you mean "t1-000003"?'),
        ("nonsense", 'There is no round "nonsense". Did you mean "t1-000001"?'),
        ("cage-000001", 'There is no round "cage-000001". '),
        ("a\nb", 'There is no round "a\\nb". '),
    ],
)
def test_missing_round_is_named(ledger: Ledger, stud: Sheet, wanted: str, why: str) -> None:
    folds(OnRecord(ledger, stud), 3)
    with pytest.raises(RoundError) as error:
        find_round(ledger, wanted)
    assert str(error.value).startswith(why)


def test_empty_ledger_and_empty_table_have_no_rounds(ledger: Ledger, stud: Sheet) -> None:
    with pytest.raises(RoundError, match=r"No table has been opened."):
        find_round(ledger, "t1-000001")
    OnRecord(ledger, stud)
    assert list(table_streams(ledger)) == ["t1"]
    with pytest.raises(RoundError, match=r"table/t1 has no round 1. No rounds have been played"):
        find_round(ledger, "t1-1")
    assert rounds_page(ledger, "ann").rounds == []


def test_round_balances_ignore_other_tables(ledger: Ledger, stud: Sheet) -> None:
    live = OnRecord(ledger, stud)
    folds(live, 1)
    live.seat(1, "ann", ante=10)
    live.buy_in("ann", "500")
    live.one_round((1, "fold"))
    live.buy_in("ann", "70")
    first, second = table_rounds(ledger, TABLE)
    assert wallet_balances(ledger, first, "ann") == (100_000, 99_500)
    assert wallet_balances(ledger, second, "ann") == (99_500, 98_500 + 50_000)
    assert wallet_balances(ledger, second, "bob") == (0, 0)


def test_player_lists_ten_rounds_newest_first(ledger: Ledger, stud: Sheet) -> None:
    live = OnRecord(ledger, stud)
    folds(live, 12)
    live.seat(2, "bob", ante=5)
    live.one_round((2, "fold"))
    past_rounds = rounds_page(ledger, "ann").rounds
    assert [past_round["round"] for past_round in past_rounds] == [
        f"t1-{number:06d}" for number in range(12, 2, -1)
    ]
    assert [past_round["round"] for past_round in rounds_page(ledger, "bob").rounds] == [
        "t1-000013"
    ]
    assert len(rounds_page(ledger, "ann", count=12).rounds) == 12
    assert rounds_page(ledger, "ann", stream="table/other").rounds == []
    assert rounds_page(ledger, "cleo").rounds == []


def test_rounds_of_several_tables_are_listed_together(ledger: Ledger, stud: Sheet) -> None:
    first_table, other = OnRecord(ledger, stud), OnRecord(ledger, stud, table="t2")
    folds(first_table, 1)
    other.book = first_table.book
    other.env.book = first_table.book
    folds(other, 1)
    folds(first_table, 1)
    ids = ["t1-000002", "t2-000001", "t1-000001"]
    assert [each["round"] for each in rounds_page(ledger, "ann").rounds] == ids
    assert [each["round"] for each in rounds_page(ledger, "ann", count=2).rounds] == ids[:2]


@pytest.mark.long
def test_past_round_shows_what_the_player_may_see(ledger: Ledger, stud: Sheet) -> None:
    live = OnRecord(ledger, stud, coach=True)
    live.env.top = top("Qs Js Ts As Ks 2c 7d 9h 9d")
    live.do(SUPERVISOR, c.OpenRound())
    live.seat(1, "ann", ante=10).seat(2, "bob", ante=5).seat(3, "cleo", ante=5)
    live.do("ann", c.SeatSeed(1, "seven")).do(DEALER, c.CloseBetting())
    live.do("ann", c.AdviceShown(1, "3x: it is a royal flush in the making"), c.Decide(1, "3x"))
    live.do("cleo", c.AdviceShown(3, "1x"))
    live.do("bob", c.Decide(2, "fold")).do("cleo", c.Decide(3, "1x"))
    for _ in range(2):
        live.do("ann", c.Decide(1, "3x")).do("cleo", c.Decide(3, "1x"))
    for player, cards in {
        "ann": [["As", "Ks"], [None, None], ["9h", "9d"]],
        "bob": [["As", "Ks"], ["2c", "7d"], ["9h", "9d"]],
    }.items():
        (past_round,) = rounds_page(ledger, player).rounds
        assert [seat["cards"] for seat in past_round["seats"]] == cards
        assert past_round["board"] == ["Qs", "Js", "Ts"]
    (past_round,) = rounds_page(ledger, "ann").rounds
    assert [seat["plays"] for seat in past_round["seats"]] == [["3x"] * 3, ["fold"], ["1x"] * 3]
    assert past_round["seats"][0]["wagers"][:2] == [["ante", "10.00"], ["flop", "30.00"]]
    assert [advice["text"] for advice in past_round["advice"]] == [
        "3x: it is a royal flush in the making"
    ]
    assert past_round["settlement"]["seats"][0]["net"] == "25000.00"
    assert past_round["balance"] == {"before": "1000.00", "after": "26000.00"}
    assert past_round["shoe"]["seed"] is None
    assert past_round["shoe"]["seat_seeds"] == [[1, "seven"]]
    assert "sealed" not in past_round["shoe"]


@pytest.mark.long
def test_guest_lists_practice_rounds(ledger: Ledger, stud: Sheet) -> None:
    live = OnRecord(ledger, stud, "practice", owner="ann")
    folds(live, 2)
    past_rounds = rounds_page(ledger, "ann").rounds
    assert [past_round["balance"]["after"] for past_round in past_rounds] == ["990.00", "995.00"]
    assert rounds_page(ledger, "nn").rounds == []


def test_unfinished_and_abandoned_rounds_are_not_listed(ledger: Ledger, stud: Sheet) -> None:
    live = OnRecord(ledger, stud)
    live.seat(1, "ann", ante=5).seat(2, "bob", ante=5)
    live.do("ann", c.PutWager(1, "ante", Cents(0)))
    live.one_round((2, "fold"))
    live.seat(1, "ann", ante=5)
    live.do(DEALER, c.CloseBetting())
    assert rounds_page(ledger, "ann").rounds == []
    assert len(rounds_page(ledger, "bob").rounds) == 1


def test_interrupted_hand_keeps_its_votes(ledger: Ledger, tmp_path: Path) -> None:
    live = OnRecord(ledger, sheet_of(tmp_path, OMS))
    live.seat(1, "ann", ante=2).seat(2, "bob", ante=2)
    live.do(DEALER, c.CloseBetting()).do(SUPERVISOR, c.Interrupt("a power cut"))
    live.do("ann", c.Agree(1, True)).do("bob", c.Agree(2, False))
    record = find_round(ledger, "t1-000001")
    answers = [fact for step in record.steps for fact in step.of(Agreed)]
    assert [answer.finish for answer in answers] == [True, False]
    assert round_of(record.state).ending == "dead"
    assert wallet_balances(ledger, record, "ann") == (100_000, 100_000)


def test_replay_text_omits_guest_numbers(ledger: Ledger, stud: Sheet) -> None:
    live, guest = OnRecord(ledger, stud), "guest-1f5088fa498fcdef"
    live.seat(1, guest, ante=10).seat(2, "bob", ante=5)
    live.one_round((1, "fold"), (2, "fold"))
    (record,) = table_rounds(ledger, TABLE)
    lines = [
        line for step in replay_steps(record, Viewer("bob", "player")) for line in step["told"]
    ]
    assert "Seat 1 bets $10 on the Ante." in lines
    assert "Seat 2 (bob) bets $5 on the Ante." in lines
    assert guest not in " ".join(lines)
