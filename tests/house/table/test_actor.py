"""A live table: one answer per request, despite repeats, crashes and slow clients."""

from __future__ import annotations

import asyncio
import json
from pathlib import Path

import pytest
from tests.house.table.restartable_table import BUY_IN, Floor, by, run
from tests.house.table.visible_cards import received_events, watch

from pitbook.errors import FactError, InDoubt, LedgerError, RequestReused, ShoeError, Superseded
from pitbook.house.ledger.accounts import Account
from pitbook.house.ledger.append_batch import Append, Receipt
from pitbook.house.table import actor, commands, facts, socket
from pitbook.house.table import actor as remembered_refusals
from pitbook.house.table.actor import Accepted, LiveTable
from pitbook.house.table.commands import Envelope
from pitbook.house.table.decide import opening_facts
from pitbook.house.table.facts import FACTS
from pitbook.house.table.view_types import TableEvent
from pitbook.house.table.visibility import Viewer
from pitbook.money import Cents
from pitbook.rules.refusals import Code, Refusal
from pitbook.shoe.crypto import Vault

SHEET = "catfish-bend/mississippi-stud"
ANTE = commands.PutWager(1, "ante", Cents(500))


@pytest.mark.long
def test_repeated_request_has_one_effect_and_one_answer(tmp_path: Path) -> None:
    async def play(floor: Floor) -> None:
        await floor.send("ann", commands.Sit(1), "a")
        first = await floor.send("ann", ANTE, "b")
        again = await asyncio.gather(*(floor.send("ann", ANTE, "b") for _ in range(4)))
        assert set(again) == {first}
        assert floor.wallets()["ann"] == BUY_IN - 500
        await floor.lose_process()
        assert await floor.send("ann", ANTE, "b") == first
        await floor.send("ann", commands.CloseBetting(), "c")
        assert await floor.send("ann", ANTE, "b") == first  # Refused by now, were it a new one.
        assert floor.wallets()["ann"] == BUY_IN - 500

    run(tmp_path, SHEET, play)


def test_request_id_is_bound_to_one_body(tmp_path: Path) -> None:
    async def play(floor: Floor) -> None:
        await floor.send("ann", commands.Sit(1), "a")
        for command in (ANTE, commands.Decide(1, "1x")):  # One that fits now, one that does not.
            refusal = await floor.ask("ann", command, "a")
            assert isinstance(refusal, Refusal)
            assert refusal.code == Code.REQUEST_REUSED
            assert refusal.message == (
                'Request id "ann/a" was already used with a different body. '
                "Use a new id for a new request."
            )
        await floor.send("bob", commands.Sit(2), "a")  # Ids are the sender's own.

    run(tmp_path, SHEET, play)


@pytest.mark.long
def test_repeated_refused_command_gets_the_same_refusal(tmp_path: Path) -> None:
    """Without an answer, a client sends again; a refused command must not take effect later."""

    async def play(floor: Floor) -> None:
        await floor.send("ann", commands.Sit(1), "a")
        refused = await floor.ask("ann", commands.CloseBetting(), "close")
        assert isinstance(refused, Refusal)
        await floor.send("ann", ANTE, "b")
        for _ in range(2):
            assert await floor.ask("ann", commands.CloseBetting(), "close") == refused
        # A command without a waiter is dropped.
        for number in range(remembered_refusals.REFUSALS_MAX):
            assert isinstance(await floor.ask("ann", commands.Sit(1), f"no {number}"), Refusal)
        await floor.send("ann", commands.CloseBetting(), "close")

    run(tmp_path, SHEET, play)


def test_refusal_writes_nothing(tmp_path: Path) -> None:
    async def play(floor: Floor) -> None:
        before = floor.ledger.streams(), floor.state
        refusal = await floor.ask("ann", ANTE, "a")
        assert isinstance(refusal, Refusal)
        assert (floor.ledger.streams(), floor.state) == before
        await floor.send("ann", commands.Sit(1), "a")  # The id of a refused request is free.

    run(tmp_path, SHEET, play)


def test_superseded_table_cannot_write(tmp_path: Path) -> None:
    async def play(floor: Floor) -> None:
        await floor.send("ann", commands.Sit(1))
        old = floor.table
        floor.table = LiveTable(floor.ledger, "table/t", floor.env, floor.write)
        await floor.table.open()
        entries = floor.ledger.streams()
        waiting = asyncio.gather(
            *(old.send(Envelope(by("bob"), commands.Sit(seat))) for seat in (2, 3)),
            return_exceptions=True,
        )
        first, second = await waiting
        assert isinstance(first, Superseded)
        assert isinstance(second, Superseded)
        with pytest.raises(Superseded):
            await old.send(Envelope(by("bob"), commands.Sit(2)))
        assert floor.ledger.streams() == entries
        await floor.send("bob", commands.Sit(2))
        await old.close()

    run(tmp_path, SHEET, play)


def test_uncertain_write_is_looked_up(tmp_path: Path) -> None:
    async def play(floor: Floor) -> None:
        written = floor.write
        fails = "after"

        async def failing(append: Append) -> Receipt:
            if fails == "before":
                raise InDoubt("the line is dead")
            receipt = await written(append)
            if fails == "after" and append.request is not None:
                raise InDoubt("the line is dead")
            return receipt

        floor.write_by(failing)
        assert isinstance(await floor.send("ann", commands.Sit(1), "a"), Accepted)
        assert floor.state.seats == {1: "ann"}
        fails = "before"
        for _ in range(2):  # The second time it is not even known where the table stands.
            with pytest.raises(InDoubt, match="the line is dead"):
                await floor.ask("bob", commands.Sit(2), "a")
        assert floor.state.seats == {1: "ann"}
        fails = "never"
        await floor.send("bob", commands.Sit(2), "a")
        assert floor.state.seats == {1: "ann", 2: "bob"}

    run(tmp_path, SHEET, play)


def test_wager_is_refused_if_the_wallet_was_emptied_elsewhere(tmp_path: Path) -> None:
    async def play(floor: Floor) -> None:
        await floor.send("ann", commands.Sit(1))
        floor.env._wallet = lambda _: BUY_IN  # What the table read is out of date by now.
        await floor.cage.cash_out("ann", Cents(BUY_IN - 100), actor="cage")
        refusal = await floor.ask("ann", ANTE)
        assert isinstance(refusal, Refusal)
        assert refusal.code == Code.NOT_COVERED
        assert refusal.message == "ann has $1, less than $5."
        assert floor.state.round is None
        assert floor.ledger.balance(Account("usd", "held", "t/1")) == 0

    run(tmp_path, SHEET, play)


def test_watchers_see_every_version_and_only_visible_cards(tmp_path: Path) -> None:
    async def play(floor: Floor) -> None:
        watching = {name: watch(floor.table, Viewer(name, "player")) for name in ("ann", "bob")}
        for seat, name in enumerate(("ann", "bob"), start=1):
            await floor.send(name, commands.Sit(seat))
            await floor.send(name, commands.PutWager(seat, "ante", Cents(500)))
        await floor.send("dee", commands.CloseBetting())
        await floor.table.close()
        events_by_name = {name: await received_events(each) for name, each in watching.items()}
        assert floor.state.round is not None
        for name, watched in events_by_name.items():
            assert [event["version"] for event in watched] == list(
                range(3, floor.state.version + 1)
            )
            cards = [_card(event) for event in watched if event["what"] == "turn"]
            mine = next(seat for seat in floor.state.round.seats if seat.player == name)
            assert len([card for card in cards if card is not None]) == len(mine.cards)

    run(tmp_path, SHEET, play)


def _card(event: TableEvent) -> str | None:
    return event["body"].get("card")


def test_slow_watcher_is_dropped(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(socket, "FRAMES_MAX", 2)

    async def play(floor: Floor) -> None:
        slow = watch(floor.table, Viewer("cho", "spectator"))
        await floor.send("ann", commands.Sit(1))
        await floor.send("ann", ANTE)
        await floor.send("ann", commands.Undo(1))
        assert slow.slow
        assert len(floor.table.subscribers) == 0
        await floor.send("ann", ANTE)

    run(tmp_path, SHEET, play)


def test_startup_reads_from_the_last_snapshot(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(actor, "SNAPSHOT_EVERY", 10)

    async def play(floor: Floor) -> None:
        await floor.send("ann", commands.Sit(1))
        for _ in range(20):
            await floor.send("ann", ANTE)
            await floor.send("ann", commands.Undo(1))
        state = floor.state
        snapshot_json = floor.ledger.latest_snapshot("table/t")
        assert snapshot_json is not None
        stream = floor.ledger.stream("table/t")
        assert stream is not None
        assert stream.seq - snapshot_json[0] <= 10
        await floor.lose_process()
        assert floor.state == state

    run(tmp_path, SHEET, play)


def test_closed_table_refuses_commands(tmp_path: Path) -> None:
    async def play(floor: Floor) -> None:
        async def never(append: Append) -> Receipt:
            hangs: asyncio.Future[Receipt] = asyncio.get_running_loop().create_future()
            return await hangs

        floor.write_by(never)
        waiting = asyncio.ensure_future(floor.ask("ann", commands.Sit(1)))
        await asyncio.sleep(1)
        following = asyncio.ensure_future(floor.ask("bob", commands.Sit(2)))
        await asyncio.sleep(1)
        await floor.table.close()
        with pytest.raises(InDoubt, match="with the same request id"):
            await waiting
        for late in (following, floor.ask("cho", commands.Sit(3))):
            with pytest.raises(
                LedgerError, match=r'Table "table/t" is closed. Choose another in the lobby.$'
            ):
                await late

    run(tmp_path, SHEET, play)


def test_command_of_a_disconnected_player_takes_effect(tmp_path: Path) -> None:
    async def play(floor: Floor) -> None:
        written, durable = floor.write, asyncio.Event()

        async def slow(append: Append) -> Receipt:
            await written(append)
            durable.set()
            hangs: asyncio.Future[Receipt] = asyncio.get_running_loop().create_future()
            return await hangs

        floor.write_by(slow)
        task = asyncio.ensure_future(floor.ask("ann", commands.Sit(1), "r1"))
        await durable.wait()
        floor.write_by(written)
        watched = watch(floor.table, Viewer("eve", "spectator"))
        task.cancel()
        with pytest.raises(asyncio.CancelledError):
            await task
        text = await watched.frame()  # Without another command.
        assert text is not None
        (event,) = json.loads(text)["events"]
        assert (event["what"], event["body"]["seat"]) == ("sat", 1)
        assert floor.state.seats == {1: "ann"}
        entries = len(list(floor.ledger.entries("table/t")))
        assert isinstance(await floor.ask("ann", commands.Sit(1), "r1"), Accepted)
        assert len(list(floor.ledger.entries("table/t"))) == entries

    run(tmp_path, SHEET, play)


@pytest.mark.long
def test_tick_with_nothing_due_writes_nothing(tmp_path: Path) -> None:
    async def play(floor: Floor) -> None:
        before = floor.ledger.streams()
        await floor.send("clock", commands.Tick())
        assert floor.ledger.streams() == before

    run(tmp_path, SHEET, play)


def test_table_is_set_up_once(tmp_path: Path) -> None:
    async def play(floor: Floor) -> None:
        again = LiveTable(floor.ledger, "table/t", floor.env, floor.write)
        before = floor.ledger.streams()
        facts = opening_facts(table="t", kind="typed", unit="usd", sheet=floor.sheet, env=floor.env)
        with pytest.raises(RequestReused, match='Request id "/open table/t" was already used'):
            await again.open(facts)
        assert floor.ledger.streams() == before
        await floor.send("ann", commands.Sit(1))

    run(tmp_path, SHEET, play)


def test_write_in_doubt_is_resolved_before_the_next_command(tmp_path: Path) -> None:
    async def play(floor: Floor) -> None:
        written = floor.write
        late: list[Append] = []

        async def failing(append: Append) -> Receipt:
            if append.facts and not late:  # The line dies, the server writes it all the same.
                late.append(append)
                raise InDoubt("the line is dead")
            if len(late) == 1:
                await written(late[0])
                late.append(append)
                raise InDoubt("still dead")
            return await written(append)

        floor.write_by(failing)
        with pytest.raises(InDoubt, match="still dead"):
            await floor.ask("ann", commands.Sit(1))
        refusal = await floor.ask("bob", commands.Sit(1))
        assert isinstance(refusal, Refusal)
        assert refusal.code == Code.SEAT_TAKEN
        assert floor.state.seats == {1: "ann"}

    run(tmp_path, SHEET, play)


def test_unreadable_entries_are_not_published(tmp_path: Path) -> None:
    """After a doubt two entries follow, the second forged: no version is sent twice."""

    async def play(floor: Floor) -> None:
        watching = watch(floor.table, Viewer("ann", "player"))
        await floor.send("ann", commands.Sit(1))
        version, epoch = floor.state.version, floor.table.epoch
        good = FACTS.dump_all([facts.Sat(2, "bob", Cents(0))])
        floor.ledger.append("table/t", epoch, good)
        floor.ledger.append("table/t", epoch, [{**good[0], "seat": "two"}])
        floor.table._writer.in_sync = False
        for _ in range(2):
            with pytest.raises(FactError, match="table/t"):
                await floor.ask("cho", commands.Sit(3))
        assert floor.state.version == version
        await floor.table.close()
        assert [event["version"] for event in await received_events(watching)] == [version]

    run(tmp_path, SHEET, play)


def test_internal_error_does_not_end_the_table(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def breaks(*given: object) -> None:
        raise ZeroDivisionError

    async def play(floor: Floor) -> None:
        await floor.send("ann", commands.Sit(1))
        watching = watch(floor.table, Viewer("ann", "player"))
        with monkeypatch.context() as broken:
            broken.setattr(actor, "decide", breaks)
            with pytest.raises(InDoubt, match=r"Internal error \(ZeroDivisionError\(\)\)"):
                await floor.ask("ann", ANTE)
        assert not watching.open
        await floor.send("ann", ANTE)
        assert floor.state.seats == {1: "ann"}

    run(tmp_path, SHEET, play)


def test_shoe_error_reaches_the_sender(tmp_path: Path) -> None:
    async def play(floor: Floor) -> None:
        await floor.send("ann", commands.Sit(1))
        await floor.send("ann", ANTE)
        floor.env._vault = Vault(b"x" * 32)
        with pytest.raises(ShoeError, match="the key file is not the one that sealed it"):
            await floor.ask("ann", commands.CloseBetting())
        assert floor.state.round is not None
        assert floor.state.round.phase == "wagers"

    run(tmp_path, SHEET, play)
