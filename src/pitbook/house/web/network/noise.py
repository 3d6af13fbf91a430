"""What anybody on the network can make the server warn of: one counted line a second, no more."""

from __future__ import annotations

import asyncio
import logging
from collections import Counter
from collections.abc import MutableMapping
from typing import Any

from pitbook.house.web.running.logs import note

__all__ = ["CountedLog", "Noise"]

EVERY_SECONDS = 1.0
ADDRESSES_MAX = 1_000  # That are told apart within the second.


class Noise:
    """Counts what is malformed, by address; the first is told at once, the others together."""

    def __init__(self) -> None:
        self._heard: Counter[tuple[str, str]] = Counter()
        self._later: asyncio.Handle | None = None

    def heard(self, what: str, address: str) -> None:
        """Once more."""
        key = (what, address)
        if key not in self._heard and len(self._heard) >= ADDRESSES_MAX:
            key = (what, "others")
        self._heard[key] += 1
        if self._later is None:
            self._tell()

    def _tell(self) -> None:
        """One line for all of it: who did most, and how many did."""
        self._later = None
        if not self._heard:
            return
        ((what, address), _), count = self._heard.most_common(1)[0], self._heard.total()
        addresses = len({one for _, one in self._heard})
        self._heard.clear()
        note(logging.WARNING, what, address=address, count=count, addresses=addresses)
        self._later = asyncio.get_running_loop().call_later(EVERY_SECONDS, self._tell)


class CountedLog(logging.LoggerAdapter[logging.Logger]):
    """Uvicorn's log of one line: its warnings are counted, anything else is logged as it is."""

    def __init__(self, logger: logging.Logger, noise: Noise, address: str) -> None:
        super().__init__(logger, {})
        self._noise, self._address = noise, address

    @property
    def level(self) -> int:
        """As uvicorn asks for it."""
        return self.logger.level

    def process(
        self, msg: Any, kwargs: MutableMapping[str, Any]
    ) -> tuple[Any, MutableMapping[str, Any]]:
        """As it is."""
        return msg, kwargs

    def warning(self, msg: object, *args: object, **_: Any) -> None:
        """Whoever sends what is no HTTP is told so, and the log hears of it once a second."""
        self._noise.heard(str(msg) % args if args else str(msg), self._address)

    def exception(self, msg: object, *args: object, exc_info: Any = True, **more: Any) -> None:
        """Text that is no text is the sender's fault and no news; our own mistakes are."""
        if str(msg).startswith("Invalid UTF-8"):
            self.warning(msg)
        else:
            super().exception(msg, *args, exc_info=exc_info, **more)
