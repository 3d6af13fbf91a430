"""Requests sent from several threads of one process until something stops them."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from itertools import chain, count, takewhile
from threading import Event, Lock, Thread

from tests.chaos.workload import Client

from pitbook.errors import LedgerError

PATIENCE = 60.0


class Load:
    """Threads that send a client's requests, and what they heard."""

    def __init__(self, client: Client, threads: int) -> None:
        self.client, self.threads = client, threads
        self.acknowledged: dict[int, str] = {}
        self.wrong: list[str] = []
        self.errors = 0
        self.first = 1
        self.heard = Event()
        self._lock = Lock()

    def send_until_refused(self, disturb: Callable[[], None]) -> None:
        """Sends without end until each thread heard a LedgerError; `disturb` sees to that."""
        threads = self._started(chain(self.unknown(), count(self.first)))
        disturb()
        self._join(threads)
        self._pass()

    def send_until(self, event: Event) -> None:
        """Sends until something happened; those who hear a LedgerError stop earlier."""
        numbers = chain(self.unknown(), count(self.first))
        self._join(self._started(takewhile(lambda _: not event.is_set(), numbers)))
        self._pass()

    def send(self, numbers: Iterable[int]) -> None:
        """Sends these and no more; an error is wrong here."""
        before = self.errors
        self._join(self._started(iter(list(numbers))))
        if self.errors > before:
            self.wrong.append("a request failed though nothing was disturbed")

    def send_until_known(self, *, tries: int) -> None:
        """Sends what is unknown, again where that failed; it must not fail for ever."""
        for _ in range(tries):
            self._join(self._started(iter(self.unknown())))
        self.wrong += [f"request {number} was never taken" for number in self.unknown()]

    def unknown(self) -> list[int]:
        """Requests that may have been sent and were not acknowledged."""
        return [number for number in range(self.first) if number not in self.acknowledged]

    def _pass(self) -> None:
        """From here on, lower numbers are known or to be sent again."""
        self.first = max(self.first, max(self.acknowledged, default=0) + 2 * self.threads)

    def _started(self, numbers: Iterator[int]) -> list[Thread]:
        threads = [Thread(target=self._send, args=(numbers,)) for _ in range(self.threads)]
        for thread in threads:
            thread.start()
        return threads

    def _send(self, numbers: Iterator[int]) -> None:
        for number in numbers:
            try:
                self._heard(number, self.client.send(number))
            except LedgerError:
                self.errors += 1
                return
            except BaseException as failure:  # noqa: BLE001 a caller shall never see another
                self.wrong.append(f"request {number} raised {failure!r}")
                return

    def _heard(self, number: int, receipt: str) -> None:
        with self._lock:
            if self.acknowledged.setdefault(number, receipt) != receipt:
                self.wrong.append(f"request {number} has two receipts, the second {receipt}")
        self.heard.set()

    def _join(self, threads: list[Thread]) -> None:
        for thread in threads:
            thread.join(PATIENCE)
            if thread.is_alive():
                self.wrong.append("a caller waits for ever")
