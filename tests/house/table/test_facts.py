"""The exact stored form of table, cage and pit facts, including older formats."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterator
from datetime import UTC, datetime
from typing import Any

import pytest
from tests.golden_record.book import unpacked_house
from tests.house.table.kit import Json

from pitbook.cards import card
from pitbook.errors import RoundError
from pitbook.house.cage import slips as cage
from pitbook.house.ledger.append_batch import CLAIMED, SNAPSHOT_STORED
from pitbook.house.ledger.data_folder import Folder
from pitbook.house.ledger.fact_codec import Codec
from pitbook.house.ledger.hash_chain import Entry, canonical, parse_content
from pitbook.house.pit import disabled as pit
from pitbook.house.table import apply_facts, facts
from pitbook.house.table.facts import FACTS
from pitbook.money import Cents
from pitbook.rules import actions

SHEET = {"body": "{}", "hash": "ab"}
AT = datetime(2026, 11, 17, 20, 0, 45, tzinfo=UTC)
ON_RECORD: list[tuple[Codec[Any], Any, str]] = [
    (
        FACTS,
        facts.TableOpened(
            *("t1", "house", "usd", SHEET, {"betting": 45, "agree": None}),
            *(False, Cents(100_000), "ann"),
        ),
        '{"clocks":{"agree":null,"betting":45},"coach":false,"fact":"table-opened","format":1,'
        '"kind":"house","owner":"ann","sheet":{"body":"{}","hash":"ab"},"stake":"1000.00",'
        '"table":"t1","unit":"usd"}',
    ),
    (
        FACTS,
        facts.SheetChanged(SHEET),
        '{"fact":"sheet-changed","sheet":{"body":"{}","hash":"ab"}}',
    ),
    (
        FACTS,
        facts.Sat(1, "ann", Cents(0)),
        '{"fact":"sat","given":"0.00","player":"ann","seat":1}',
    ),
    (
        FACTS,
        facts.Refilled(1, "ann", Cents(50_000)),
        '{"fact":"refilled","given":"500.00","player":"ann","seat":1}',
    ),
    (
        FACTS,
        facts.BoughtIn(1, "Walk-in 7", Cents(20_000)),
        '{"amount":"200.00","fact":"bought-in","player":"Walk-in 7","seat":1}',
    ),
    (FACTS, facts.Left(1, "ann"), '{"fact":"left","player":"ann","seat":1}'),
    (
        FACTS,
        facts.ShoeOpened({"id": "s1", "pack": 1}, "ab"),
        '{"fact":"shoe-opened","record":{"id":"s1","pack":1},"sheet":"ab"}',
    ),
    (
        FACTS,
        facts.ShoeOpened({"id": "s1", "pack": 1}, "ab", {"stage": 1}),
        '{"fact":"shoe-opened","record":{"id":"s1","pack":1},"sheet":"ab","spot":{"stage":1}}',
    ),
    (FACTS, facts.SeatSeed(2, "é"), '{"fact":"seat-seed","seat":2,"text":"é"}'),
    (
        FACTS,
        facts.ShoeRevealed("s1", None, ((1, "a"), (3, "b"))),
        '{"fact":"shoe-revealed","id":"s1","seat_seeds":[[1,"a"],[3,"b"]],"seed":null}',
    ),
    (
        FACTS,
        facts.RoundOpened("t1-000001", 1, "ab", "s1"),
        '{"fact":"round-opened","number":1,"round":"t1-000001","sheet":"ab","shoe":"s1"}',
    ),
    (
        FACTS,
        facts.Wagered(1, (("ante", Cents(1_000)),)),
        '{"before":[["ante","10.00"]],"fact":"wagered","seat":1}',
    ),
    (FACTS, facts.Undone(1), '{"fact":"undone","seat":1}'),
    (
        FACTS,
        facts.Ready(1, "ann", on=True),
        '{"fact":"ready","on":true,"player":"ann","seat":1}',
    ),
    (
        FACTS,
        facts.Acted(actions.Turn(-1, card("Qs"))),
        '{"action":{"card":"Qs","do":"turn","place":"board-1"},"fact":"acted"}',
    ),
    (
        FACTS,
        facts.Corrected(0, 2, mistyped=card("2h"), card=card("Td"), why="misread"),
        '{"card":"Td","fact":"corrected","number":2,"place":"board","was":"2h","why":"misread"}',
    ),
    (
        FACTS,
        facts.SettlementReversed(
            "t1-000001",
            False,
            (
                facts.ReversedLine(1, "ante", Cents(1_000), "win", Cents(2_000), Cents(0)),
                facts.ReversedLine(2, "ante", Cents(500), "lose", Cents(0), Cents(1), Cents(250)),
            ),
        ),
        '{"anew":false,"fact":"taken-back","lines":[{"result":"win","seat":1,"short":"0.00",'
        '"stake":"10.00","wager":"ante","wins":"20.00"},{"back":"2.50","result":"lose","seat":2,'
        '"short":"0.01","stake":"5.00","wager":"ante","wins":"0.00"}],"round":"t1-000001"}',
    ),
    (
        FACTS,
        facts.Settled("t1-000001", {"seats": []}),
        '{"fact":"settled","report":{"seats":[]},"round":"t1-000001"}',
    ),
    (
        FACTS,
        facts.Deadline("betting", AT),
        '{"at":"2026-11-17T20:00:45+00:00","fact":"deadline","what":"betting"}',
    ),
    (FACTS, facts.CoachAdvice(1, "bet 1x"), '{"fact":"advice","seat":1,"text":"bet 1x"}'),
    (
        FACTS,
        facts.CoachAdvice(1, "bet 1x", "fold"),
        '{"fact":"advice","play":"fold","seat":1,"text":"bet 1x"}',
    ),
    (
        FACTS,
        facts.Agreed("ann", finish=False),
        '{"fact":"agreed","finish":false,"player":"ann"}',
    ),
    (
        FACTS,
        facts.Interrupted("a storm", ("ann", "bob")),
        '{"awaiting":["ann","bob"],"fact":"interrupted","why":"a storm"}',
    ),
    (
        FACTS,
        facts.Interrupted("a storm", None),
        '{"awaiting":null,"fact":"interrupted","why":"a storm"}',
    ),
    (FACTS, facts.Resumed("a stop"), '{"fact":"resumed","why":"a stop"}'),
    (
        FACTS,
        facts.Fill(Cents(160_000), "above the rack"),
        '{"amount":"1600.00","fact":"fill","why":"above the rack"}',
    ),
    (FACTS, facts.Credit(Cents(1)), '{"amount":"0.01","fact":"credit"}'),
    (
        FACTS,
        facts.RackRequested(3, "fill", Cents(500_000), "dan", AT, "low on reds"),
        '{"amount":"5000.00","at":"2026-11-17T20:00:45+00:00","fact":"rack-asked","number":3,'
        '"what":"fill","who":"dan",'
        '"why":"low on reds"}',
    ),
    (
        FACTS,
        facts.RackGranted(3, "dan"),
        '{"asked_by":"dan","fact":"rack-granted","number":3}',
    ),
    (FACTS, facts.RackRefused(3, "no"), '{"fact":"rack-refused","number":3,"why":"no"}'),
    (FACTS, facts.DealerOn("dan", ""), '{"dealer":"dan","fact":"dealer-on","relieved":""}'),
    (FACTS, facts.DealerOff("dan"), '{"dealer":"dan","fact":"dealer-off"}'),
    (
        FACTS,
        facts.ColoredUp(1, "ann", Cents(2_500)),
        '{"amount":"25.00","fact":"coloured-up","player":"ann","seat":1}',
    ),
    (
        FACTS,
        facts.SheetAnnounced({"hash": "00", "body": "{}"}, AT, "busy"),
        '{"at":"2026-11-17T20:00:45+00:00","fact":"sheet-announced","sheet":{"body":"{}","hash":"00"},'
        '"why":"busy"}',
    ),
    (FACTS, facts.Shuffler(working=False), '{"fact":"shuffler","working":false}'),
    (FACTS, facts.Coach(on=True), '{"fact":"coach","on":true}'),
    (FACTS, facts.Retired(Cents(0)), '{"fact":"retired","rack":"0.00"}'),
    (
        cage.SLIPS,
        cage.BuyIn("ann", Cents(500)),
        '{"amount":"5.00","fact":"buy-in","player":"ann"}',
    ),
    (
        cage.SLIPS,
        cage.CashOut("ann", Cents(500)),
        '{"amount":"5.00","fact":"cash-out","player":"ann"}',
    ),
    (
        cage.SLIPS,
        cage.BuyIn("ann", Cents(500), "cal"),
        '{"amount":"5.00","drawer":"cal","fact":"buy-in","player":"ann"}',
    ),
    (
        cage.SLIPS,
        cage.DrawerOpened("cal", Cents(500)),
        '{"counted":"5.00","drawer":"cal","fact":"drawer-opened"}',
    ),
    (
        cage.SLIPS,
        cage.DrawerClosed("cal", Cents(500), Cents(501)),
        '{"counted":"5.00","drawer":"cal","expected":"5.01","fact":"drawer-closed"}',
    ),
    (
        cage.SLIPS,
        cage.ToDrawer("cal", Cents(5)),
        '{"amount":"0.05","drawer":"cal","fact":"to-drawer"}',
    ),
    (
        cage.SLIPS,
        cage.ToVault("cal", Cents(5)),
        '{"amount":"0.05","drawer":"cal","fact":"to-vault"}',
    ),
    (
        cage.SLIPS,
        cage.BoxCounted("stud-1", Cents(500), Cents(501)),
        '{"counted":"5.00","expected":"5.01","fact":"box-counted","table":"stud-1"}',
    ),
    (cage.SLIPS, cage.UndoRequested(3, "why"), '{"fact":"undo-asked","receipt":3,"why":"why"}'),
    (cage.SLIPS, cage.UndoDeclined(3, "no"), '{"fact":"undo-declined","receipt":3,"why":"no"}'),
    (
        cage.SLIPS,
        cage.Undone(3, "why", Cents(5), "cal", "cora"),
        '{"amount":"0.05","asked_by":"cora","drawer":"cal","fact":"undone","receipt":3,'
        '"why":"why"}',
    ),
    (cage.SLIPS, cage.Fund(Cents(500)), '{"amount":"5.00","fact":"fund","player":null}'),
    (
        cage.SLIPS,
        cage.MoneyWithdrawn(Cents(5)),
        '{"amount":"0.05","fact":"withdraw","player":null}',
    ),
    (
        pit.FACTS,
        pit.GameDisabled("oms/stud", "new rules"),
        '{"fact":"game-disabled","game":"oms/stud","was":null,"why":"new rules"}',
    ),
    (
        pit.FACTS,
        pit.GameEnabled("oms/stud", "here", "new rules"),
        '{"fact":"game-enabled","game":"oms/stud","was":"new rules","why":"here"}',
    ),
    (
        pit.FACTS,
        pit.PlayerDisabled("ann", "too loud"),
        '{"fact":"player-disabled","player":"ann","was":null,"why":"too loud"}',
    ),
    (
        pit.FACTS,
        pit.PlayerEnabled("ann", "quiet", "too loud"),
        '{"fact":"player-enabled","player":"ann","was":"too loud","why":"quiet"}',
    ),
]


@pytest.mark.parametrize(
    ("codec", "fact", "stored"), ON_RECORD, ids=[stored for *_, stored in ON_RECORD]
)
def test_stored_form_of_each_fact_is_unchanged(codec: Codec[Any], fact: Any, stored: str) -> None:
    assert canonical(codec.dump(fact)) == stored
    again = codec.load(json.loads(stored))
    assert (type(again), again) == (type(fact), fact)


def test_every_kind_of_fact_has_an_example() -> None:
    kinds_listed = {type(fact) for _, fact, _ in ON_RECORD}
    kinds = (kind for codec in (FACTS, cage.SLIPS, pit.FACTS) for kind in codec.kinds.values())
    assert kinds_listed == set(kinds)


def test_every_fact_of_a_table_is_folded() -> None:
    assert apply_facts._HANDLERS.keys() == set(FACTS.kinds.values())


@pytest.mark.parametrize("place", ["roof", 1.5, None, True])
def test_unknown_place_is_refused(place: Any) -> None:
    stored = {
        "fact": "corrected",
        "place": place,
        "number": 1,
        "was": "2h",
        "card": "3h",
        "why": "",
    }
    with pytest.raises(RoundError, match=f"cannot be read: {place!r} is not a place"):
        FACTS.load(stored)


@pytest.mark.parametrize(
    "sheet", [[], {}, {"hash": "ab"}, {"hash": "ab", "body": [[]]}, {"a": "b"}]
)
def test_sheet_that_cannot_be_dealt_is_refused(sheet: Any) -> None:
    with pytest.raises(RoundError, match=r"cannot be read: .* is not a stored sheet"):
        FACTS.load({"fact": "sheet-changed", "sheet": sheet})


@pytest.mark.parametrize("record", [None, {}, {"pack": "1"}])
def test_shoe_without_a_pack_is_refused(record: Any) -> None:
    with pytest.raises(RoundError, match=r"cannot be read: .* is not a shoe record"):
        FACTS.load({"fact": "shoe-opened", "record": record, "sheet": "ab"})


def _codec(stream: str) -> Codec[Any] | None:
    named: dict[str, Codec[Any]] = {"table": FACTS, "practice": FACTS}
    named |= {"cage": cage.SLIPS, "pit": pit.FACTS}
    return named.get(stream.partition("/")[0])


def _entries(folder: Folder) -> Iterator[Entry]:
    for stream in folder.ledger.streams():
        yield from folder.ledger.entries(stream.name)


@pytest.mark.long
@pytest.mark.parametrize("batch", ["book", "backup"])
def test_older_ledgers_are_read(batch: str) -> None:
    counts: Counter[str] = Counter()
    with Folder.open(unpacked_house(batch)) as folder:
        for entry in _entries(folder):
            codec = _codec(entry.stream)
            if codec is None:
                continue
            stored: list[Json] = [
                fact
                for fact in parse_content(entry.content)["facts"]
                if fact["fact"] not in (CLAIMED, SNAPSHOT_STORED)
            ]
            again = codec.dump_all(codec.load_entry(entry))
            assert list(map(canonical, again)) == list(map(canonical, stored))
            counts.update(fact["fact"] for fact in stored)
    assert counts["acted"] > 100
    assert counts["settled"] > 1
