"""Awaited receipts: each caller gets its own, and wake-ups are batched."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Sequence
from typing import Any

import pytest
from tests.house.ledger.kit import NOTED

from pitbook.errors import LedgerError, Superseded
from pitbook.house.ledger.append_batch import Append, Receipt
from pitbook.house.ledger.ledger import Ledger
from pitbook.house.ledger.writer import AsyncAppends, ReceiptOrError

Sent = tuple[Append, Callable[[ReceiptOrError], None]]


class Desk:
    """A writer that answers on command."""

    def __init__(self) -> None:
        self.asked: list[Sent] = []
        self.woken, self.closed = 0, False
        self.awaited = AsyncAppends(self._send)

    def _send(self, appends: Sequence[Sent]) -> None:
        if self.closed:
            raise LedgerError("The ledger is closed.")
        self.woken += 1
        self.asked += appends

    def answer(self) -> None:
        for append, give in self.asked:
            give(receipt(append) if append.epoch else Superseded("another process has it"))
        self.asked.clear()


def receipt(append: Append) -> Receipt:
    return Receipt(append.stream, append.epoch or 0, 1, "hash", "now")


async def handed_over() -> None:
    await asyncio.sleep(0)  # The task asks at this turn,
    await asyncio.sleep(0)  # and at the next one the writer is notified.


def test_many_receipts_wake_the_loop_once(monkeypatch: pytest.MonkeyPatch) -> None:
    asyncio.run(_woken_once(monkeypatch))


async def _woken_once(monkeypatch: pytest.MonkeyPatch) -> None:
    desk = Desk()
    woken: list[Any] = []
    loop: Any = asyncio.get_running_loop()
    wake = loop.call_soon_threadsafe

    def count_calls(*given: Any) -> None:
        woken.append(given)
        wake(*given)

    tasks = [asyncio.ensure_future(desk.awaited(Append("t", n))) for n in range(4)]
    await asyncio.sleep(0)
    tasks[3].cancel()
    await asyncio.sleep(0)
    assert (desk.woken, len(desk.asked)) == (1, 4)  # What was asked for at one turn, at once.
    with monkeypatch.context() as patched:
        patched.setattr(loop, "call_soon_threadsafe", count_calls)
        desk.answer()
    answers = await asyncio.gather(*tasks, return_exceptions=True)
    assert len(woken) == 1
    assert [type(answers[0]), *answers[1:3]] == [
        Superseded,
        *(receipt(Append("t", number)) for number in (1, 2)),
    ]
    assert isinstance(answers[3], asyncio.CancelledError)


def test_later_answers_wake_the_loop_again() -> None:
    desk = Desk()

    async def ask(number: int) -> int:
        task = asyncio.ensure_future(desk.awaited(Append("t", number)))
        await handed_over()
        desk.answer()
        return (await task).seq

    async def ask_twice() -> list[int]:
        return [await ask(1), await ask(2)]

    assert asyncio.run(ask_twice()) == [1, 2]


def test_invalid_append_is_refused_without_affecting_others() -> None:
    desk = Desk()

    async def ask() -> list[Any]:
        both = [desk.awaited(Append("t", 1, [{"no": "name"}])), desk.awaited(Append("t", 2))]
        tasks = [asyncio.ensure_future(awaitable) for awaitable in both]
        await handed_over()
        desk.answer()
        return await asyncio.gather(*tasks, return_exceptions=True)

    bad, good = asyncio.run(ask())
    assert isinstance(bad, LedgerError)
    assert good == receipt(Append("t", 2))


def test_appends_to_a_closed_ledger_all_fail() -> None:
    desk = Desk()
    desk.closed = True

    async def ask() -> list[Any]:
        return await asyncio.gather(
            *(desk.awaited(Append("t", number)) for number in (1, 2)), return_exceptions=True
        )

    assert [str(error) for error in asyncio.run(ask())] == ["The ledger is closed."] * 2


def test_receipts_for_a_closed_loop_are_dropped() -> None:
    desk = Desk()

    async def ask() -> None:
        task = asyncio.ensure_future(desk.awaited(Append("t", 1)))
        await handed_over()
        task.cancel()

    asyncio.run(ask())
    desk.answer()


def test_ledger_serves_several_event_loops(ledger: Ledger) -> None:
    epoch = ledger.claim("t")

    async def note(request: str) -> int:
        append = Append("t", epoch, [NOTED], request=request)
        return (await ledger.submit_async(append)).seq

    assert [asyncio.run(note(stream)) for stream in "aba"] == [2, 3, 2]
