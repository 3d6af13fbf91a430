"""Random appends compared with an independent model: same answers, same balances."""

from __future__ import annotations

import shutil
import tempfile
from collections import Counter
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import NamedTuple

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.house.ledger.kit import AT, NOTED, answer
from tests.lanes import examples
from tests.postgres import fresh_ledger

from pitbook.errors import LedgerError, Overdrawn, RequestReused, Superseded
from pitbook.house.ledger.accounts import Account, Transfer, move
from pitbook.house.ledger.append_batch import Append, Receipt, write_batch
from pitbook.house.ledger.audit import verify
from pitbook.house.ledger.backup import restore, write_backup
from pitbook.house.ledger.database import connect, for_writing
from pitbook.house.ledger.ledger import Ledger

STREAMS = ["table-1", "table-2", "cage"]
GROWS_ON_THE_LEFT = {"cash", "issued"}
ACCOUNTS = {
    unit: [
        Account(unit, "cash" if unit == "usd" else "issued"),
        Account(unit, "house"),
        Account(unit, "wallet", "ann"),
        Account(unit, "wallet", "bob"),
        Account(unit, "rack", "table-1"),
    ]
    for unit in ("usd", "play")
}


class Said(NamedTuple):
    """An answer without its hash: its type and place."""

    kind: str
    stream: str = ""
    seq: int = 0
    epoch: int = 0
    again: bool = False


class Model:
    """A model of the ledger in dictionaries, written from the rules."""

    def __init__(self) -> None:
        self.epochs: Counter[str] = Counter()
        self.lengths: Counter[str] = Counter()
        self.requests: dict[str, tuple[str | None, Said]] = {}
        self.balances: Counter[Account] = Counter()

    def take(self, append: Append) -> Said:
        if append.request in self.requests:
            body, first = self.requests[append.request]
            return first._replace(again=True) if body == append.body else Said("RequestReused")
        epoch = self.epochs[append.stream]
        if append.epoch is not None and not epoch:
            return Said("LedgerError")
        if append.epoch is not None and append.epoch != epoch:
            return Said("Superseded")
        after = self.balances.copy()
        for transfer in append.transfers:
            for account, side in ((transfer.debit, "left"), (transfer.credit, "right")):
                grows = (side == "left") == (account.kind in GROWS_ON_THE_LEFT)
                after[account] += transfer.amount if grows else -transfer.amount
                if after[account] < 0 and account.kind != "house":
                    return Said("Overdrawn")
        self.balances = after
        self.epochs[append.stream] += append.epoch is None
        self.lengths[append.stream] += 1
        answer = Said(
            "Receipt", append.stream, self.lengths[append.stream], self.epochs[append.stream]
        )
        if append.request is not None:
            self.requests[append.request] = (append.body, answer)
        return answer


def said_of(answer: Receipt | LedgerError) -> Said:
    if isinstance(answer, Receipt):
        return Said("Receipt", answer.stream, answer.seq, answer.epoch, answer.again)
    assert type(answer) in {LedgerError, Overdrawn, RequestReused, Superseded}
    return Said(type(answer).__name__)


@st.composite
def transfers(draw: st.DrawFn) -> Transfer:
    choices = ACCOUNTS[draw(st.sampled_from(["usd", "usd", "play"]))]
    debit, credit = draw(st.permutations(choices))[:2]
    return move(debit, credit, draw(st.integers(1, 200)), draw(st.sampled_from(["bet", "win"])))


APPENDS = st.builds(
    Append,
    stream=st.sampled_from(STREAMS),
    epoch=st.sampled_from([None, 0, 1, 1, 1, 1, 2, 2, 3]),
    facts=st.lists(st.just(NOTED), max_size=2),
    transfers=st.lists(transfers(), max_size=3),
    actor=st.sampled_from(["", "ann"]),
    request=st.sampled_from([None, "r1", "r2", "r3", "r4"]),
    body=st.sampled_from([None, "a", "a", "b"]),
    keep=st.sampled_from([None, None, {"state": 1}]),
    prunable=st.booleans(),
)
EVENINGS = st.lists(st.lists(APPENDS, min_size=1, max_size=6), min_size=1, max_size=8)


@contextmanager
def books(empty_book: Path) -> Iterator[tuple[Path, Ledger, Ledger]]:
    """Two empty ledgers in a folder."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        first_path, two = (
            Path(shutil.copy(empty_book, folder / each)) for each in ("1.db", "2.db")
        )
        with hasty(first_path) as first, hasty(two) as second:
            yield folder, first, second


def hasty(file: Path) -> Ledger:
    """A ledger that does not sync to disk."""
    return Ledger(connect(f"sqlite:///{file}", synchronous="OFF"))


@pytest.mark.long
@settings(max_examples=examples(8, 60))
@given(evening=EVENINGS)
def test_model_of_single_appends(empty_book: Path, evening: list[list[Append]]) -> None:
    with books(empty_book) as (folder, ledger, other):
        model = Model()
        for append in (append for batch in evening for append in batch):
            assert said_of(answer(ledger.submit(append))) == model.take(append)
        judge(ledger, model)
        check_backup(ledger, other, folder / "backup")
        judge(other, model)


@pytest.mark.slow
@settings(max_examples=examples(12, 60))
@given(evening=EVENINGS)
def test_model_of_batched_appends(empty_book: Path, evening: list[list[Append]]) -> None:
    with books(empty_book) as (folder, ledger, other):
        model = Model()
        for batch in evening:
            assert write_all(ledger, batch) == [model.take(append) for append in batch]
        judge(ledger, model)
        check_backup(ledger, other, folder / "backup")
        judge(other, model)


@pytest.mark.slow
@settings(max_examples=examples(3, 20))
@given(evening=EVENINGS)
def test_model_on_postgresql(empty_book: Path, evening: list[list[Append]]) -> None:
    """Restores to PostgreSQL and back to SQLite."""
    with (
        books(empty_book) as (folder, other, _),
        fresh_ledger() as url,
        fresh_ledger() as second,
        Ledger.open(url) as ledger,
        Ledger.open(second) as last,
    ):
        model = Model()
        for batch in evening:
            assert write_all(ledger, batch) == [model.take(append) for append in batch]
        judge(ledger, model)
        check_backup(ledger, other, folder / "there")
        judge(other, model)
        check_backup(other, last, folder / "back")
        judge(last, model)


def write_all(ledger: Ledger, batch: Sequence[Append]) -> list[Said]:
    with for_writing(ledger.engine).begin() as connection:
        return [said_of(answer) for answer in write_batch(connection, batch, AT)]


def judge(ledger: Ledger, model: Model) -> None:
    entries = [entry for stream in ledger.streams() for entry in ledger.entries(stream.name)]
    fold: Counter[Account] = Counter()
    for transfer in (transfer for entry in entries for transfer in entry.transfers):
        left = 1 if transfer.debit.kind in GROWS_ON_THE_LEFT else -1
        right = -1 if transfer.credit.kind in GROWS_ON_THE_LEFT else 1
        fold[transfer.debit] += left * transfer.amount
        fold[transfer.credit] += right * transfer.amount
    held = {account: cents for account, cents in ledger.balances().items() if cents}
    assert held == {account: cents for account, cents in fold.items() if cents}
    assert held == {account: cents for account, cents in model.balances.items() if cents}
    for unit in ACCOUNTS:
        sides = Counter[bool]()
        for account, cents in ledger.balances(unit).items():
            sides[account.kind in GROWS_ON_THE_LEFT] += cents
        assert sides[True] == sides[False]
    heads = {stream.name: (stream.seq, stream.epoch) for stream in ledger.streams() if stream.seq}
    assert heads == {name: (model.lengths[name], model.epochs[name]) for name in +model.lengths}
    assert {entry.request for entry in entries} - {None} == set(model.requests)
    assert verify(ledger).findings == ()


def check_backup(ledger: Ledger, other: Ledger, file: Path) -> None:
    manifest = write_backup(ledger, file, {}, at=AT)
    assert restore(other, file) == manifest
    assert other.streams() == ledger.streams()
    assert [ledger.latest_snapshot(stream) for stream in STREAMS] == [
        other.latest_snapshot(stream) for stream in STREAMS
    ]
