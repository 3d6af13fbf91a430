"""Requests sent from several threads of one process until something stops them."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from itertools import chain, count, takewhile
from threading import Event, Lock, Thread

from tests.chaos.workload import Client

from pitbook.errors import LedgerError

JOIN_SECONDS = 60.0


class Load:
    """Threads that send a client's requests, and the receipts they got."""

    def __init__(self, client: Client, threads: int) -> None:
        self.client, self.threads = client, threads
        self.acknowledged: dict[int, str] = {}
        self.wrong: list[str] = []
        self.errors = 0
        self.first = 1
        self.new_receipt = Event()
        self._lock = Lock()

    def send_until_refused(self, disturb: Callable[[], None]) -> None:
        """Send until each thread got a LedgerError, which `disturb` causes."""
        threads = self._start(chain(self.unacknowledged(), count(self.first)))
        disturb()
        self._join(threads)
        self._advance_first()

    def send_until(self, event: Event) -> None:
        """Send until the event is set; a thread stops earlier if it gets a LedgerError."""
        numbers = chain(self.unacknowledged(), count(self.first))
        self._join(self._start(takewhile(lambda _: not event.is_set(), numbers)))
        self._advance_first()

    def send(self, numbers: Iterable[int]) -> None:
        """Send only these; an error counts as wrong."""
        before = self.errors
        self._join(self._start(iter(list(numbers))))
        if self.errors > before:
            self.wrong.append("a request failed though nothing was disturbed")

    def send_until_known(self, *, tries: int) -> None:
        """Send unknown requests again until all are known, or record an error."""
        for _ in range(tries):
            self._join(self._start(iter(self.unacknowledged())))
        self.wrong += [f"request {number} was never taken" for number in self.unacknowledged()]

    def unacknowledged(self) -> list[int]:
        """Requests that may have been sent and were not acknowledged."""
        return [number for number in range(self.first) if number not in self.acknowledged]

    def _advance_first(self) -> None:
        """Treat all lower numbers as known, or to be sent again."""
        self.first = max(self.first, max(self.acknowledged, default=0) + 2 * self.threads)

    def _start(self, numbers: Iterator[int]) -> list[Thread]:
        threads = [Thread(target=self._send, args=(numbers,)) for _ in range(self.threads)]
        for thread in threads:
            thread.start()
        return threads

    def _send(self, numbers: Iterator[int]) -> None:
        for number in numbers:
            try:
                self._record_receipt(number, self.client.send(number))
            except LedgerError:
                self.errors += 1
                return
            except BaseException as failure:  # noqa: BLE001 a caller shall never see another
                self.wrong.append(f"request {number} raised {failure!r}")
                return

    def _record_receipt(self, number: int, receipt: str) -> None:
        with self._lock:
            if self.acknowledged.setdefault(number, receipt) != receipt:
                self.wrong.append(f"request {number} has two receipts, the second {receipt}")
        self.new_receipt.set()

    def _join(self, threads: list[Thread]) -> None:
        for thread in threads:
            thread.join(JOIN_SECONDS)
            if thread.is_alive():
                self.wrong.append("a caller waits for ever")
