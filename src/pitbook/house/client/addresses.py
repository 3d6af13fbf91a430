"""Which of a house's addresses is asked: the one that answered last, then the others in turn."""

from __future__ import annotations

import asyncio
import time
from typing import TYPE_CHECKING

from pitbook.errors import ClientError
from pitbook.text import say

if TYPE_CHECKING:
    from pitbook.house.client import Client

WAIT_MIN, WAIT_MAX = 0.05, 1.0


class Way:
    """To whichever process answers: all addresses in turn, then a pause, while patience lasts."""

    def __init__(self, client: Client) -> None:
        self._client, self._place = client, client.place
        self._wait, self._left, self._until = 0.0, 0, 0.0
        self.answered()

    @property
    def base(self) -> str:
        """The address to ask now."""
        return self._client.bases[self._place]

    def answered(self) -> None:
        """Somebody is there: others begin here, and patience begins anew."""
        self._client.place = self._place
        self._wait, self._left = WAIT_MIN, len(self._client.bases)
        self._until = time.monotonic() + self._client.patience

    async def leads_on(self, after: float = 0.0) -> bool:
        """Go on to the next address, with a pause where all were asked; or give up."""
        if time.monotonic() >= self._until:
            return False
        self._place = (self._place + 1) % len(self._client.bases)
        self._left -= 1
        if not self._left:
            await asyncio.sleep(max(self._wait, after))
            self._wait = min(2 * self._wait, WAIT_MAX)
            self._left = len(self._client.bases)
        return True

    def unreached(self, why: str) -> ClientError:
        """That nothing answers at the address."""
        return ClientError(say("client.unreached", address=self.base, why=why))
