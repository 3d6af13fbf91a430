"""Who writes to a stream: whoever takes the pen over, until the next one does."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping, Sequence
from typing import Any

from pitbook.errors import LedgerError, Superseded
from pitbook.ledger.accounts import Transfer
from pitbook.ledger.batch import Append, Receipt
from pitbook.ledger.book import Ledger
from pitbook.streams.requests import KnownRequest

__all__ = ["Pen", "Write"]

Write = Callable[[Append], Awaitable[Receipt]]
Facts = Sequence[Mapping[str, Any]]


class Pen:
    """The pen of one stream, for those who await what they write."""

    def __init__(self, ledger: Ledger, stream: str, write: Write | None = None) -> None:
        self._ledger, self._stream = ledger, stream
        self._write = write or ledger.written
        self.epoch = 0  # By which it is held; the book has a later one where it was taken over.
        self.lost: LedgerError | None = None  # Why nothing more is written with it.
        self.is_sure = True  # That all that was written with it has been heard of.

    async def take_over(
        self, asked: KnownRequest, facts: Facts = (), *, prunable: bool = False
    ) -> Receipt:
        """Claim the stream, and write this with the claim."""
        claim = Append(self._stream, None, facts, (), *asked, prunable=prunable)
        held = receipt = await self._write(claim)
        if receipt.again:  # By that claim somebody else may hold it.
            held = await self._write(Append(self._stream, None, actor=asked.actor))
        self.epoch = held.epoch
        return receipt

    async def write(
        self,
        asked: KnownRequest,
        facts: Facts,
        transfers: Sequence[Transfer] = (),
        keep: Mapping[str, Any] | None = None,
    ) -> Receipt:
        """Write as whoever holds the stream; raises Superseded, and then it is lost."""
        try:
            return await self._write(
                Append(self._stream, self.epoch, facts, transfers, *asked, keep)
            )
        except Superseded as error:
            self.lost = error
            raise

    async def make_sure(self) -> None:
        """After a doubt: an empty entry comes behind whatever was under way; now it can be read."""
        await self.write(KnownRequest(), ())

    async def write_in_turn(
        self, asked: KnownRequest, facts: Facts, transfers: Sequence[Transfer] = ()
    ) -> Receipt:
        """Write to a stream that is everybody's: taken over with what is written, where need be."""
        append = Append(self._stream, self.epoch, facts, transfers, *asked)
        if self.epoch:
            try:
                return await self._write(append)
            except Superseded:
                self.let_go()
        if self._ledger.stream(self._stream) is None:  # What is refused must leave none empty.
            await self.take_over(KnownRequest(asked.actor))
        receipt = await self._write(append._replace(epoch=None))
        self.epoch = self.epoch if receipt.again else receipt.epoch
        return receipt

    def let_go(self) -> None:
        """Whoever writes next takes it over."""
        self.epoch = 0
