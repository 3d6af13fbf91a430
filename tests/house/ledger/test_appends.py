"""Appends are atomic, idempotent, and limited to the stream's holder."""

from __future__ import annotations

from typing import Any

import pytest
from tests.house.ledger.kit import (
    ANN,
    AT,
    BOB,
    CASH,
    GUEST,
    HELD,
    HOUSE,
    ISSUED,
    NOTED,
    RACK,
    answers,
    append,
    buy_in,
    fill,
    noted_fact,
    refusal_of,
    rows,
    writer_held,
)

from pitbook.errors import LedgerError, Overdrawn, RequestReused, Superseded
from pitbook.house.ledger import ledger as ledger_module
from pitbook.house.ledger.accounts import Account, Transfer, move
from pitbook.house.ledger.append_batch import Append, Receipt
from pitbook.house.ledger.audit import verify
from pitbook.house.ledger.hash_chain import GENESIS, Entry, entry_content, entry_hash
from pitbook.house.ledger.ledger import Ledger, Stream
from pitbook.money import CENTS_MAX

CLAIMED = {"fact": "claimed", "epoch": 1, "prunable": False}


@pytest.mark.long
def test_first_claim_starts_epoch_one(ledger: Ledger) -> None:
    assert ledger.claim("table-1", actor="dealer") == 1
    (entry,) = ledger.entries("table-1")
    stored = entry_content([CLAIMED], [])
    assert entry == Entry("table-1", 1, AT, 1, "dealer", None, None, stored, GENESIS, entry.hash)
    assert entry.hash == entry_hash(entry)
    assert ledger.streams() == [Stream("table-1", 1, 1, entry.hash, False)]


@pytest.mark.long
def test_receipt_gives_the_entrys_position(ledger: Ledger) -> None:
    epoch = ledger.claim("table-1")
    receipt = ledger.append(
        "table-1",
        epoch,
        [noted_fact(1), noted_fact(2)],
        [buy_in(ANN, 500)],
        actor="ann",
        request="r",
    )
    first, second = ledger.entries("table-1")
    assert receipt == Receipt("table-1", 2, 1, second.hash, AT, again=False)
    assert second.facts == [noted_fact(1), noted_fact(2)]
    assert second.transfers == [buy_in(ANN, 500)]
    assert (second.actor, second.request, second.body) == ("ann", "r", None)
    assert (second.previous, second.epoch, second.seq) == (first.hash, 1, 2)
    assert ledger.stream("table-1") == Stream("table-1", 1, 2, second.hash, False)


@pytest.mark.long
def test_postings_are_stored_with_their_accounts(ledger: Ledger) -> None:
    fill(ledger)
    assert rows(
        ledger,
        "SELECT p.seq, p.number, a.kind, p.amount FROM posting p"
        " JOIN account a ON a.id = p.account ORDER BY p.seq, p.number",
    ) == [
        (2, 0, "cash", 50_000),
        (2, 1, "wallet", 50_000),
        (3, 0, "house", -100_000),
        (3, 1, "rack", 100_000),
        (4, 0, "wallet", -1_000),
        (4, 1, "held", 1_000),
        (4, 2, "held", -1_000),
        (4, 3, "wallet", 1_000),
        (4, 4, "rack", -3_000),
        (4, 5, "wallet", 3_000),
    ]


@pytest.mark.long
def test_balances_follow_from_entries(ledger: Ledger) -> None:
    epoch = fill(ledger)
    al = Account("usd", "wallet", "al")
    ledger.append("table-1", epoch, [NOTED], [move(ISSUED, GUEST, 700, "chips")])
    ledger.append("table-1", epoch, [NOTED], [move(ANN, al, 1, "gift"), move(al, ANN, 1, "gift")])
    usd = {CASH: 50_000, HELD: 0, HOUSE: -100_000, RACK: 97_000, ANN: 53_000, al: 0}
    assert ledger.balances("usd") == usd
    assert list(ledger.balances("usd")) == sorted(usd)
    assert ledger.balances("play") == {ISSUED: 700, GUEST: 700}
    assert ledger.balances() == {**usd, ISSUED: 700, GUEST: 700}
    assert ledger.balances("tournament:none") == {}
    assert [ledger.balance(account) for account in (ANN, HOUSE, BOB)] == [53_000, -100_000, 0]
    assert ledger.balance(Account("play", "wallet", "ann")) == 0
    assert ledger.balance(Account("usd", "held", "ann")) == 0
    assert verify(ledger).findings == ()


@pytest.mark.long
def test_streams_are_independent(ledger: Ledger) -> None:
    two, first_epoch = ledger.claim("b"), ledger.claim("a")
    ledger.append("b", two, [noted_fact(1)])
    ledger.append("a", first_epoch, [noted_fact(2)])
    ledger.append("b", two, [noted_fact(3)])
    assert [(s.name, s.seq) for s in ledger.streams()] == [("a", 2), ("b", 3)]
    assert [entry.facts for entry in ledger.entries("a", after=1)] == [[noted_fact(2)]]
    assert [entry.seq for entry in ledger.entries("b")] == [1, 2, 3]
    assert list(ledger.entries("none")) == []
    assert ledger.stream("none") is None


@pytest.mark.long
def test_streams_are_listed_by_prefix(ledger: Ledger) -> None:
    names = ["a", "table:T-1", "table:t", "table:t%1", "table:t-1", "table:t-10", "table:t-é", "z"]
    for name in names:
        ledger.claim(name)

    def stream_names(prefix: str) -> set[str]:
        return {stream.name for stream in ledger.streams(prefix)}

    assert stream_names("table:t-") == {"table:t-1", "table:t-10", "table:t-é"}
    assert stream_names("table:t%") == {"table:t%1"}
    assert stream_names("table:t-10") == {"table:t-10"}
    assert stream_names("table:u") == set()
    assert stream_names("") == set(names)


@pytest.mark.long
def test_entries_are_read_page_by_page(ledger: Ledger, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(ledger_module, "PAGE", 3)
    epoch = ledger.claim("table-1")
    for number in range(2, 8):
        ledger.append("table-1", epoch, [noted_fact(number)])
        assert [entry.seq for entry in ledger.entries("table-1")] == list(range(1, number + 1))
    assert [entry.seq for entry in ledger.entries("table-1", after=4)] == [5, 6, 7]


class TestFencing:
    @pytest.mark.long
    def test_claim_fences_off_earlier_holders(self, ledger: Ledger) -> None:
        first = ledger.claim("table-1")
        second = ledger.claim("table-1", actor="other")
        assert (first, second) == (1, 2)
        kind, message = refusal_of(ledger.append, "table-1", first, [NOTED], [buy_in(ANN, 5)])
        assert kind is Superseded
        assert message == (
            'Another server has taken over "table-1" (epoch 2, not 1). Nothing was written.'
        )
        assert ledger.append("table-1", second, [NOTED]).seq == 3
        assert ledger.balances() == {CASH: 0, ANN: 0}
        assert verify(ledger).findings == ()

    @pytest.mark.long
    def test_unknown_epoch_is_refused(self, ledger: Ledger) -> None:
        ledger.claim("table-1")
        for epoch in (0, 2, -1):
            assert refusal_of(ledger.append, "table-1", epoch, [NOTED])[0] is Superseded

    def test_append_to_an_unclaimed_stream_is_refused(self, ledger: Ledger) -> None:
        for epoch in (0, 1):
            assert refusal_of(ledger.append, "table-1", epoch, [NOTED]) == (
                LedgerError,
                'There is no stream "table-1". Claim it first.',
            )
        assert ledger.streams() == []

    def test_claim_may_carry_facts(self, ledger: Ledger) -> None:
        receipt = ledger.submit(append("table-1", None, transfers=[buy_in(ANN, 5)])).result()
        assert receipt.epoch == 1
        assert next(ledger.entries("table-1")).facts == [CLAIMED, NOTED]
        assert ledger.balance(ANN) == 5

    @pytest.mark.long
    def test_refused_claim_changes_nothing(self, ledger: Ledger) -> None:
        overdrawn = append("table-1", None, transfers=[move(ANN, CASH, 5, "cash-out")])
        assert refusal_of(ledger.submit(overdrawn).result)[0] is Overdrawn
        assert refusal_of(ledger.append, "table-1", 0, [NOTED])[1].startswith("There is no stream")
        assert ledger.claim("table-1") == 1
        assert verify(ledger).findings == ()

    def test_claims_in_one_batch_get_successive_epochs(self, ledger: Ledger) -> None:
        ledger.claim("warm")
        with writer_held(ledger):
            waiting = [
                *(ledger.submit(append("table-1", epoch)) for epoch in (None, 1, None, 1, 2)),
                ledger.submit(append("table-2", None, prunable=True)),
            ]
        receipts = answers(waiting)
        assert [type(receipt) for receipt in receipts] == [
            *(Receipt, Receipt, Receipt, Superseded, Receipt),
            Receipt,
        ]
        assert [receipt.epoch for receipt in receipts if isinstance(receipt, Receipt)] == [
            1,
            1,
            2,
            2,
            1,
        ]
        assert [stream.prunable for stream in ledger.streams()] == [False, True, False]
        assert verify(ledger).findings == ()

    @pytest.mark.long
    def test_prunable_flag_is_set_by_the_first_claim(self, ledger: Ledger) -> None:
        ledger.claim("practice", prunable=True)
        ledger.claim("practice", prunable=False)
        ledger.claim("table-1")
        ledger.claim("table-1", prunable=True)
        assert {stream.name: stream.prunable for stream in ledger.streams()} == {
            "practice": True,
            "table-1": False,
        }
        flags = [entry.facts[0]["prunable"] for entry in ledger.entries("practice")]
        assert flags == [True, True]


# What is held, what is asked for, and what the refusal says.
OVERDRAFTS: list[tuple[int, list[Transfer], str | None]] = [
    (500, [move(ANN, HELD, 500, "wager")], None),
    (500, [move(ANN, HELD, 501, "wager")], "ann has $5, less than $5.01."),
    (0, [move(ANN, HELD, 1, "wager")], "ann has $0, less than $0.01."),
    (
        500,
        [move(ANN, HELD, 300, "wager"), move(ANN, HELD, 201, "wager")],
        "ann has $2, less than $2.01.",
    ),
    (500, [move(ANN, HELD, 300, "wager"), move(HELD, ANN, 300, "returned")], None),
    (
        500,
        [move(HELD, ANN, 1, "returned"), move(ANN, HELD, 1, "wager")],
        "Table table-1:ann has $0, less than $0.01.",
    ),
    (500, [move(RACK, ANN, 1, "win")], "The rack of table table-1 has $0, less than $0.01."),
    (500, [move(HOUSE, RACK, 900, "fill"), move(RACK, ANN, 900, "win")], None),
    (500, [move(ANN, CASH, 500, "cash-out")], None),
    (
        500,
        [move(HOUSE, ANN, 100, "gift"), move(ANN, CASH, 600, "cash-out")],
        "The vault has $5, less than $6.",
    ),
]


class TestMoney:
    @pytest.mark.parametrize(("held", "transfers", "message"), OVERDRAFTS)
    def test_only_house_accounts_may_be_negative(
        self, sqlite_ledger: Ledger, held: int, transfers: list[Transfer], message: str | None
    ) -> None:
        epoch = sqlite_ledger.claim("table-1")
        if held:
            sqlite_ledger.append("table-1", epoch, [NOTED], [buy_in(ANN, held)])
        before, seq = sqlite_ledger.balances(), sqlite_ledger.streams()[0].seq
        if message is None:
            assert sqlite_ledger.append("table-1", epoch, [NOTED], transfers).seq == seq + 1
        else:
            assert refusal_of(sqlite_ledger.append, "table-1", epoch, [NOTED], transfers) == (
                Overdrawn,
                message,
            )
            assert {k: v for k, v in sqlite_ledger.balances().items() if v} == {
                k: v for k, v in before.items() if v
            }
            assert sqlite_ledger.streams()[0].seq == seq
        assert verify(sqlite_ledger).findings == ()

    def test_oversized_amounts_are_refused(self, ledger: Ledger) -> None:
        epoch = ledger.claim("table-1")
        ledger.append("table-1", epoch, [NOTED], [buy_in(ANN, CENTS_MAX)])
        too_much = (LedgerError, "cash would exceed the largest balance that the ledger can hold.")
        assert refusal_of(ledger.append, "table-1", epoch, [NOTED], [buy_in(BOB, 1)]) == too_much
        owed = [move(HOUSE, RACK, CENTS_MAX, "fill"), move(HOUSE, BOB, 1, "gift")]
        assert refusal_of(ledger.append, "table-1", epoch, [NOTED], owed) == (
            LedgerError,
            "house would exceed the largest balance that the ledger can hold.",
        )
        assert ledger.append("table-1", epoch, [NOTED], owed[:1]).seq == 3

    @pytest.mark.long
    def test_refused_append_does_not_affect_its_batch(self, ledger: Ledger) -> None:
        epoch = ledger.claim("table-1")
        with writer_held(ledger):
            waiting = [
                ledger.submit(append("table-1", epoch, transfers=transfers))
                for transfers in (
                    [buy_in(ANN, 500)],
                    [move(ANN, HELD, 400, "wager"), move(ANN, HELD, 400, "wager")],
                    [move(ANN, HELD, 300, "wager")],
                    [move(ANN, HELD, 201, "wager")],
                    [move(ANN, HELD, 200, "wager")],
                )
            ]
        outcomes = [
            answer.seq if isinstance(answer, Receipt) else str(answer)
            for answer in answers(waiting)
        ]
        assert outcomes == [
            2,
            "ann has $1, less than $4.",
            3,
            "ann has $2, less than $2.01.",
            4,
        ]
        assert ledger.balances() == {CASH: 500, HELD: 500, ANN: 0}
        assert verify(ledger).findings == ()


class TestRequests:
    def test_repeated_request_gets_the_same_receipt(self, ledger: Ledger) -> None:
        epoch = ledger.claim("table-1")
        request: dict[str, Any] = {"request": "ann/1", "body": "five"}
        first = ledger.append("table-1", epoch, [NOTED], [buy_in(ANN, 5)], **request)
        again = ledger.append("table-1", epoch, [noted_fact(9)], [buy_in(BOB, 9)], **request)
        assert again == first._replace(again=True)
        assert again.again
        assert not first.again
        assert ledger.balances() == {CASH: 5, ANN: 5, BOB: 0}
        assert ledger.streams()[0].seq == 2

    @pytest.mark.long
    def test_reused_id_with_another_body_is_refused(self, ledger: Ledger) -> None:
        epoch = ledger.claim("table-1")
        ledger.append("table-1", epoch, [NOTED], request="ann/1", body="five")
        for body in ("six", None, ""):
            assert refusal_of(
                ledger.append, "table-1", epoch, [NOTED], request="ann/1", body=body
            ) == (
                RequestReused,
                'Request id "ann/1" was already used with a different body. '
                "Use a new id for a new request.",
            )
        assert ledger.streams()[0].seq == 2

    def test_repeat_within_one_batch_gets_the_same_receipt(self, ledger: Ledger) -> None:
        epoch = ledger.claim("table-1")
        with writer_held(ledger):
            waiting = [
                ledger.submit(append("table-1", epoch, request="r", body=body))
                for body in ("a", "a", "b", "a")
            ]
        first, second, third, last = answers(waiting)
        assert isinstance(first, Receipt)
        assert second == last == first._replace(again=True)
        assert isinstance(third, RequestReused)
        assert ledger.streams()[0].seq == 2

    @pytest.mark.long
    def test_repeat_on_another_stream_gets_the_first_receipt(self, ledger: Ledger) -> None:
        first_epoch, two = ledger.claim("table-1"), ledger.claim("table-2")
        first = ledger.append("table-1", first_epoch, [NOTED], request="r", body="a")
        again = ledger.append("table-2", two, [NOTED], request="r", body="a")
        assert again == first._replace(again=True)
        assert refusal_of(ledger.append, "table-2", two, [NOTED], request="r")[0] is RequestReused
        assert [stream.seq for stream in ledger.streams()] == [2, 1]

    def test_repeat_is_answered_after_a_takeover(self, ledger: Ledger) -> None:
        epoch = ledger.claim("table-1")
        first = ledger.append("table-1", epoch, [NOTED], request="r")
        ledger.claim("table-1")
        assert ledger.append("table-1", epoch, [NOTED], request="r").seq == first.seq
        assert ledger.append("nowhere", 9, [NOTED], request="r").stream == "table-1"

    def test_refused_request_may_be_retried(self, ledger: Ledger) -> None:
        epoch = ledger.claim("table-1")
        wager = [move(ANN, HELD, 5, "wager")]
        request: dict[str, Any] = {"request": "r", "body": "wager"}
        assert (
            refusal_of(ledger.append, "table-1", epoch, [NOTED], wager, **request)[0] is Overdrawn
        )
        ledger.append("table-1", epoch, [NOTED], [buy_in(ANN, 5)])
        assert not ledger.append("table-1", epoch, [NOTED], wager, **request).again

    def test_appends_without_an_id_are_never_repeats(self, ledger: Ledger) -> None:
        epoch = ledger.claim("table-1")
        assert [ledger.append("table-1", epoch, [NOTED], body="b").seq for _ in range(3)] == [
            *(2, 3, 4)
        ]

    @pytest.mark.long
    def test_entry_of_request_finds_the_entry(self, ledger: Ledger) -> None:
        epoch = ledger.claim("table-1")
        ledger.append("table-1", epoch, [NOTED], request="q")
        receipt = ledger.append("table-1", epoch, [noted_fact(1)], request="r", body="b")
        entry = ledger.entry_of_request("r")
        assert entry == list(ledger.entries("table-1"))[-1]
        assert entry is not None
        assert (entry.seq, entry.hash, entry.body) == (receipt.seq, receipt.hash, "b")
        assert ledger.entry_of_request("s") is None


def test_batch_of_refusals_writes_nothing(ledger: Ledger) -> None:
    refusal = ledger.submit(Append("table-1", 1, [NOTED]))
    assert isinstance(answers([refusal])[0], LedgerError)
    assert ledger.streams() == []


@pytest.mark.long
def test_ledger_closes_as_a_context_manager(ledger_url: str) -> None:
    with Ledger.open(ledger_url) as opened:
        opened.claim("table-1")
    assert refusal_of(opened.claim, "table-1") == (LedgerError, "The ledger is closed.")
    opened.close()
