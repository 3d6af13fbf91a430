"""The cage: money in and out, never more than there is, never from player to player."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from pathlib import Path
from threading import Event

import pytest
from sqlalchemy import insert

from pitbook.errors import CageRefused, LedgerError, Overdrawn, RequestReused, Superseded
from pitbook.house.cage.cage import Cage
from pitbook.house.cage.drawers_and_voids import open_drawer_slip
from pitbook.house.ledger import schema
from pitbook.house.ledger.accounts import Account
from pitbook.house.ledger.append_batch import Append, Receipt
from pitbook.house.ledger.audit import verify
from pitbook.house.ledger.database import connect
from pitbook.house.ledger.hash_chain import GENESIS
from pitbook.house.ledger.ledger import Ledger
from pitbook.house.ledger.stream_kinds import audit_of
from pitbook.house.ledger.writer import ReceiptOrError
from pitbook.house.pit.disabled import Pit
from pitbook.money import Cents

CASH, HOUSE = Account("usd", "cash"), Account("usd", "house")


async def _use_cage(ledger: Ledger) -> None:
    cage = Cage(ledger)
    await cage.open(actor="sue")
    await cage.fund(Cents(100_000), actor="sue")
    first = await cage.buy_in("ann", Cents(20_000), actor="sue", request="1")
    assert await cage.buy_in("ann", Cents(20_000), actor="sue", request="1") == first._replace(
        again=True
    )
    await cage.cash_out("ann", Cents(5_000), actor="sue")
    await cage.withdraw(Cents(40_000), actor="sue")
    assert ledger.balances("usd") == {
        CASH: 75_000,
        HOUSE: 60_000,
        Account("usd", "wallet", "ann"): 15_000,
    }
    with pytest.raises(RequestReused):
        await cage.buy_in("ann", Cents(30_000), actor="sue", request="1")
    with pytest.raises(Overdrawn, match=r"ann has \$150, less than \$150\.01."):
        await cage.cash_out("ann", Cents(15_001), actor="sue")
    with pytest.raises(Overdrawn, match=r"The vault has \$750, less than \$900."):
        await cage.withdraw(Cents(90_000), actor="sue")
    for name in ("", " ann", "a\nb"):
        with pytest.raises(LedgerError, match="is not a player's name"):
            await cage.buy_in(name, Cents(100), actor="sue")
    other = Cage(ledger)
    await other.open()
    with pytest.raises(Superseded):
        await cage.buy_in("ann", Cents(100), actor="sue")
    slips = [fact for entry in ledger.entries("cage") for fact in entry.facts]
    assert [slip["fact"] for slip in slips] == [
        *("claimed", "fund", "buy-in", "cash-out", "withdraw", "claimed")
    ]
    assert slips[2] == {"fact": "buy-in", "player": "ann", "amount": "200.00"}


def test_cage_transactions(tmp_path: Path) -> None:
    with Ledger(connect(f"sqlite:///{tmp_path / 'book.db'}", synchronous="OFF")) as ledger:
        asyncio.run(_use_cage(ledger))


async def _refuse_first_request(ledger: Ledger) -> None:
    with pytest.raises(Overdrawn):
        await Cage(ledger, shared=True).cash_out("ann", Cents(100), actor="sue", request="1")
    await Cage(ledger, shared=True).fund(Cents(100), actor="sue", request="2")
    with pytest.raises(RequestReused):
        await Pit(ledger).disable("game", "some/game", why="late", actor="sue", request="2")


def test_refused_first_request_leaves_no_empty_stream(tmp_path: Path) -> None:
    with Ledger(connect(f"sqlite:///{tmp_path / 'book.db'}", synchronous="OFF")) as ledger:
        asyncio.run(_refuse_first_request(ledger))
        assert {stream.name for stream in ledger.streams()} == {"cage"}
        assert verify(ledger, replay_of=audit_of).findings == ()


def test_empty_stream_is_a_finding(tmp_path: Path) -> None:
    engine = connect(f"sqlite:///{tmp_path / 'book.db'}", synchronous="OFF")
    with Ledger(engine) as ledger:
        with engine.begin() as connection:
            empty = {"name": "table/eve", "epoch": 0, "seq": 0, "head": GENESIS, "prunable": False}
            connection.execute(insert(schema.stream), empty)
        (finding,) = verify(ledger, replay_of=audit_of).findings
        assert str(finding) == "table/eve: the stream has no entries"


@pytest.mark.parametrize("shared", [False, True])
def test_canceled_request_is_applied_before_the_next_decision(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, shared: bool
) -> None:
    """A request canceled during the ledger's write still opened the drawer."""
    with Ledger.open(f"sqlite:///{tmp_path / 'book.db'}") as ledger:
        cage, writer = Cage(ledger, shared=shared), ledger._writer
        write, writing, gate = writer._transaction, Event(), Event()

        def hold_write(appends: Sequence[Append]) -> Sequence[ReceiptOrError]:
            writing.set()
            gate.wait()
            return write(appends)

        def open_drawer() -> asyncio.Task[Receipt]:
            opening = cage.write(
                lambda now: open_drawer_slip(now, "cora", Cents(500)), {}, "cora", None
            )
            return asyncio.create_task(opening)

        async def go() -> None:
            await cage.open()
            await cage.fund(Cents(5_000), actor="sue")
            monkeypatch.setattr(writer, "_transaction", hold_write)
            first = open_drawer()
            await asyncio.to_thread(writing.wait)
            first.cancel()
            await asyncio.wait([first])
            second = open_drawer()
            while writer._queue.empty():
                await asyncio.sleep(0.001)
            gate.set()
            with pytest.raises(CageRefused, match="cora's drawer is already open"):
                await second

        asyncio.run(go())
        drawer = Account("usd", "cash", "drawer/cora")
        assert ledger.balance(drawer) == cage.catch_up().drawers["cora"].holds == 500
