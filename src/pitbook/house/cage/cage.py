"""The cage: buy-ins, cash-outs and house money, recorded in the ledger."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterator, Mapping
from datetime import datetime
from typing import Any

from pitbook.errors import Excluded, LedgerError
from pitbook.house.cage.decide import drawer_of
from pitbook.house.cage.slips import SLIPS, UNIT, VAULT, BuyIn, CashOut, Fund, MoneyWithdrawn, Slip
from pitbook.house.cage.state import Counter, evolve
from pitbook.house.ledger.accounts import Account, Transfer
from pitbook.house.ledger.batch import Receipt
from pitbook.house.ledger.chain import Entry
from pitbook.house.ledger.journal import Ledger
from pitbook.house.ledger.queries import ALWAYS, Snapshot, Streams, having
from pitbook.house.ledger.stream_kinds import diff_transfers
from pitbook.house.ledger.stream_reader import StreamReader
from pitbook.house.ledger.stream_writer import (
    PendingWrite,
    RequestKey,
    StreamWriter,
    Submit,
    async_adapter,
    find_request,
    request_key,
)
from pitbook.house.ledger.writer import utc_now
from pitbook.house.people.names import name_error
from pitbook.house.people.roster import AccessList, Persons
from pitbook.house.table.streams import CAGE, TABLE
from pitbook.money import Cents
from pitbook.text import say

STREAM = CAGE
JsonMapping = Mapping[str, Any]
DecideSlip = Callable[[Counter], Slip]


class CageFollowed:
    """The counter gone over again, slip by slip."""

    def __init__(self) -> None:
        self._counter = Counter()

    def follow(self, entry: Entry) -> Iterator[str]:
        """What of an entry no slip moves."""
        implied: list[Transfer] = []
        for slip in SLIPS.load_entry(entry):
            implied += self._counter.moves(slip)
            self._counter.take(entry, slip)
        return diff_transfers(entry.transfers, implied)

    def is_kept(self, document: object) -> bool:
        """The cage keeps no state."""
        return False


class Cage:
    """The counter of a house. Whoever opens it takes it over; a shared one is everybody's.

    Several processes may serve a shared counter in turn, so that money passes at whichever address
    it is asked for.
    """

    vault = VAULT

    def __init__(
        self,
        ledger: Ledger,
        *,
        shared: bool = False,
        write: Submit | None = None,
        persons: Persons | None = None,
        clock: Callable[[], datetime] = utc_now,
    ) -> None:
        reader = StreamReader(ledger, STREAM, Counter(), evolve)
        adapter = async_adapter(ledger, write)
        self._writer: StreamWriter[Counter, Slip] = StreamWriter(
            reader, SLIPS, adapter, exclusive=not shared
        )
        self._ledger = ledger
        self._persons, self._clock = persons, clock

    async def open(self, *, actor: str = "") -> None:
        """Take the counter over."""
        await self._writer.take_over(RequestKey(actor))

    def is_superseded(self) -> bool:
        """Whether another process has taken over this cage."""
        return self._writer.is_superseded()

    def catch_up(self) -> Counter:
        """Receipts and drawers as the book has them now."""
        return self._writer.catch_up()

    async def buy_in(
        self,
        player: str,
        amount: Cents,
        *,
        actor: str,
        request: str | None = None,
        by_drawer: bool = False,
    ) -> Receipt:
        """Cash in, chips out; raises Excluded for somebody who may buy none.

        It lies in the drawer of whoever takes it, where one is open; `by_drawer` one must be.
        """
        if self._persons is not None:
            player = await asyncio.to_thread(self._persons.admit, player, actor=actor)
            await asyncio.to_thread(self._let_in, self._persons, player, actor, request)
        self.wallet(player)  # Raises for what is no player's name.

        def slip(now: Counter) -> Slip:
            return BuyIn(player, amount, drawer_of(now, actor, needed=by_drawer))

        return await self.passed(slip, SLIPS.dump(BuyIn(player, amount)), actor, request)

    async def cash_out(
        self,
        player: str,
        amount: Cents,
        *,
        actor: str,
        request: str | None = None,
        by_drawer: bool = False,
    ) -> Receipt:
        """Chips in, cash out; no more than the wallet and the drawer hold."""
        if self._persons is not None:
            player = await asyncio.to_thread(self._persons.resolve_name, player)
        self.wallet(player)

        def slip(now: Counter) -> Slip:
            return CashOut(player, amount, drawer_of(now, actor, needed=by_drawer))

        return await self.passed(slip, SLIPS.dump(CashOut(player, amount)), actor, request)

    async def fund(self, amount: Cents, *, actor: str, request: str | None = None) -> Receipt:
        """The house brings money to the cage."""
        slip = Fund(amount)
        return await self.passed(lambda _: slip, SLIPS.dump(slip), actor, request)

    async def withdraw(self, amount: Cents, *, actor: str, request: str | None = None) -> Receipt:
        """The house takes money out of the cage."""
        slip = MoneyWithdrawn(amount)
        return await self.passed(lambda _: slip, SLIPS.dump(slip), actor, request)

    def held(self, player: str) -> Cents:
        """What a player has on the layouts of tables, whichever process holds them."""
        lies = [
            (one, cents)
            for one, cents in self._ledger.balances(UNIT).items()
            if one.kind == "held" and cents
        ]
        with self._ledger.moment() as book:
            mine = (cents for one, cents in lies if _whose(book, one) == player)
            return Cents(sum(mine))

    def wallet(self, player: str) -> Account:
        """A player's wallet."""
        account = Account(UNIT, "wallet", player)
        if self._persons is not None and self._persons.recent().knows(player):
            return account  # An old book may know names that no new one would take.
        if (no := name_error(player)) is not None:
            raise LedgerError(say("table.live.no-players-name", name=repr(player), why=no))
        return account

    async def passed(
        self, decide: DecideSlip, wanted: JsonMapping, actor: str, request: str | None
    ) -> Receipt:
        """Write what a request comes to; by `wanted` it is known when it comes again."""
        asked = request_key(actor, request, lambda: [STREAM, wanted])

        def made(counter: Counter) -> PendingWrite[Slip]:
            slip = decide(counter)
            return PendingWrite((slip,), counter.moves(slip))

        return (await self._writer.write_async(made, asked)).receipt

    def _let_in(self, persons: Persons, player: str, actor: str, request: str | None) -> None:
        """Whoever is excluded buys nothing; what was bought before is answered as it was."""
        barred = AccessList(persons.catch_up(), self._clock()).exclusion_of(player)
        if barred is not None and find_request(self._ledger, actor, request) is None:
            raise Excluded(barred.message)


def _whose(book: Snapshot, held: Account) -> str | None:
    """Whose wager lies at a seat: whoever put something there last."""
    table = held.name.rpartition("/")[0]
    for span in book.spans(ALWAYS, Streams((f"{TABLE}{table}",))):
        for entry in book.newest(span, having("credit", str(held)), 1):
            wallets = [one.debit for one in entry.transfers if one.credit == held]
            return wallets[-1].name
    return None
