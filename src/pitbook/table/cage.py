"""The cage: money becomes a wallet, and a wallet money again; never another player's."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from typing import NamedTuple

from pitbook.errors import LedgerError
from pitbook.ledger.accounts import Account, Transfer, move
from pitbook.ledger.batch import Append, Receipt
from pitbook.ledger.book import Ledger
from pitbook.ledger.chain import canonical
from pitbook.money import Cents, money

STREAM = "cage"
UNIT = "usd"


class Slip(NamedTuple):
    """What passed over the counter: a buy-in, a cash-out, or the house's own money."""

    what: str
    player: str | None
    amount: Cents


class Cage:
    """The counter of a house, open for one process at a time."""

    def __init__(
        self,
        ledger: Ledger,
        *,
        unit: str = UNIT,
        write: Callable[[Append], Awaitable[Receipt]] | None = None,
    ) -> None:
        self._write = write or (lambda append: asyncio.wrap_future(ledger.submit(append)))
        self._ledger, self._unit, self._epoch = ledger, unit, 0

    async def open(self, *, actor: str = "") -> None:
        """Take the counter over."""
        self._epoch = (await self._write(Append(STREAM, None, actor=actor))).epoch

    async def buy_in(
        self, player: str, amount: Cents, *, actor: str, request: str | None = None
    ) -> Receipt:
        """Cash in, chips out."""
        transfer = move(self._cash, self.wallet(player), amount, "buy-in")
        return await self._pass(Slip("buy-in", player, amount), transfer, actor, request)

    async def cash_out(
        self, player: str, amount: Cents, *, actor: str, request: str | None = None
    ) -> Receipt:
        """Chips in, cash out; no more than the wallet holds."""
        transfer = move(self.wallet(player), self._cash, amount, "cash-out")
        return await self._pass(Slip("cash-out", player, amount), transfer, actor, request)

    async def fund(self, amount: Cents, *, actor: str, request: str | None = None) -> Receipt:
        """The house brings money to the cage."""
        transfer = move(self._cash, self._house, amount, "house funds")
        return await self._pass(Slip("fund", None, amount), transfer, actor, request)

    async def withdraw(self, amount: Cents, *, actor: str, request: str | None = None) -> Receipt:
        """The house takes money out of the cage."""
        transfer = move(self._house, self._cash, amount, "house funds")
        return await self._pass(Slip("withdraw", None, amount), transfer, actor, request)

    def wallet(self, player: str) -> Account:
        """A player's wallet."""
        if not player or not player.isprintable() or player != player.strip():
            raise LedgerError(f"{player!r} is no player's name; it is printable text")
        return Account(self._unit, "wallet", player)

    @property
    def _cash(self) -> Account:
        return Account(self._unit, "cash")

    @property
    def _house(self) -> Account:
        return Account(self._unit, "house")

    async def _pass(
        self, slip: Slip, transfer: Transfer, actor: str, request: str | None
    ) -> Receipt:
        fact = {"fact": slip.what, "player": slip.player, "amount": money(slip.amount)}
        body = canonical([STREAM, fact]) if request is not None else None
        asked = f"{actor}/{request}" if request is not None else None
        return await self._write(
            Append(STREAM, self._epoch, (fact,), (transfer,), actor, asked, body)
        )
