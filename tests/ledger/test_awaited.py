"""Receipts that are awaited: each comes to whoever asked, and the loop is woken once for many."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from typing import Any

import pytest
from tests.ledger.kit import NOTED

from pitbook.errors import Superseded
from pitbook.ledger.awaited import Awaited
from pitbook.ledger.batch import Append, Receipt
from pitbook.ledger.book import Ledger
from pitbook.ledger.writer import Answer


class Desk:
    """A writer that answers when it is told to."""

    def __init__(self) -> None:
        self.asked: list[tuple[Append, Callable[[Answer], None]]] = []
        self.awaited = Awaited(self._send)

    def _send(self, append: Append, give: Callable[[Answer], None]) -> None:
        self.asked.append((append, give))

    def answer(self) -> None:
        for append, give in self.asked:
            give(receipt(append) if append.epoch else Superseded("another process has it"))
        self.asked.clear()


def receipt(append: Append) -> Receipt:
    return Receipt(append.stream, append.epoch or 0, 1, "hash", "now")


def test_many_receipts_wake_the_loop_once(monkeypatch: pytest.MonkeyPatch) -> None:
    asyncio.run(_woken_once(monkeypatch))


async def _woken_once(monkeypatch: pytest.MonkeyPatch) -> None:
    desk = Desk()
    woken: list[Any] = []
    loop: Any = asyncio.get_running_loop()
    wake = loop.call_soon_threadsafe

    def counted(*given: Any) -> None:
        woken.append(given)
        wake(*given)

    tasks = [asyncio.ensure_future(desk.awaited(Append("t", n))) for n in range(4)]
    await asyncio.sleep(0)
    tasks[3].cancel()
    await asyncio.sleep(0)
    with monkeypatch.context() as patched:
        patched.setattr(loop, "call_soon_threadsafe", counted)
        desk.answer()
    found = await asyncio.gather(*tasks, return_exceptions=True)
    assert len(woken) == 1
    assert [type(found[0]), *found[1:3]] == [
        Superseded,
        *(receipt(Append("t", number)) for number in (1, 2)),
    ]
    assert isinstance(found[3], asyncio.CancelledError)


def test_what_comes_later_wakes_it_again() -> None:
    desk = Desk()

    async def ask(number: int) -> int:
        task = asyncio.ensure_future(desk.awaited(Append("t", number)))
        await asyncio.sleep(0)
        desk.answer()
        return (await task).seq

    async def ask_twice() -> list[int]:
        return [await ask(1), await ask(2)]

    assert asyncio.run(ask_twice()) == [1, 2]


def test_a_loop_that_has_ended_is_left_alone() -> None:
    desk = Desk()

    async def ask() -> None:
        task = asyncio.ensure_future(desk.awaited(Append("t", 1)))
        await asyncio.sleep(0)
        task.cancel()

    asyncio.run(ask())
    desk.answer()


def test_the_book_writes_for_every_loop(ledger: Ledger) -> None:
    epoch = ledger.claim("t")

    async def note(request: str) -> int:
        append = Append("t", epoch, [NOTED], request=request)
        return (await ledger.written(append)).seq

    assert [asyncio.run(note(one)) for one in "aba"] == [2, 3, 2]
