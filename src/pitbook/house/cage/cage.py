"""The cage: buy-ins, cash-outs and house money, recorded in the ledger."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterator, Mapping
from datetime import datetime
from typing import Any

from pitbook.errors import Excluded, LedgerError
from pitbook.house.cage.drawers_and_voids import drawer_of
from pitbook.house.cage.slips import SLIPS, UNIT, VAULT, BuyIn, CashOut, Fund, MoneyWithdrawn, Slip
from pitbook.house.cage.state import CageState, apply_entries
from pitbook.house.ledger.accounts import Account, Transfer
from pitbook.house.ledger.append_batch import Receipt
from pitbook.house.ledger.hash_chain import Entry
from pitbook.house.ledger.ledger import Ledger
from pitbook.house.ledger.queries import ALL_TIME, Snapshot, Streams, field_patterns
from pitbook.house.ledger.stream_kinds import diff_transfers
from pitbook.house.ledger.streams import (
    PendingWrite,
    RequestKey,
    StreamReader,
    StreamWriter,
    Submit,
    async_adapter,
    find_request,
    request_key,
)
from pitbook.house.ledger.writer import utc_now
from pitbook.house.people.access_list import AccessList
from pitbook.house.people.names import name_error
from pitbook.house.people.roster_store import Persons
from pitbook.house.table.stream_names import CAGE, TABLE
from pitbook.money import Cents
from pitbook.text import say

STREAM = CAGE
JsonMapping = Mapping[str, Any]
DecideSlip = Callable[[CageState], Slip]


class CageAudit:
    """Recomputes the cage's transfers slip by slip."""

    def __init__(self) -> None:
        self._counter = CageState()

    def check_entry(self, entry: Entry) -> Iterator[str]:
        """The transfers of an entry that its slips do not explain."""
        implied: list[Transfer] = []
        for slip in SLIPS.load_entry(entry):
            implied += self._counter.moves(slip)
            self._counter.apply(entry, slip)
        return diff_transfers(entry.transfers, implied)

    def is_snapshot_of(self, document: object) -> bool:
        """False: the cage has no snapshots."""
        return False


class Cage:
    """The cage of a house. Opening it takes it over, unless it is shared.

    Several processes may serve a shared cage in turn, so that any address can take transactions.
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
        reader = StreamReader(ledger, STREAM, CageState(), apply_entries)
        adapter = async_adapter(ledger, write)
        self._writer: StreamWriter[CageState, Slip] = StreamWriter(
            reader, SLIPS, adapter, exclusive=not shared
        )
        self._ledger = ledger
        self._persons, self._clock = persons, clock

    async def open(self, *, actor: str = "") -> None:
        """Take the cage over."""
        await self._writer.take_over(RequestKey(actor))

    def is_superseded(self) -> bool:
        """Whether another process has taken over this cage."""
        return self._writer.is_superseded()

    def catch_up(self) -> CageState:
        """Receipts and drawers as in the ledger now."""
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
        """Cash in, chips out; raises Excluded for an excluded player.

        The cash goes to the actor's open drawer, or else the vault; `by_drawer` requires a
        drawer.
        """
        if self._persons is not None:
            player = await asyncio.to_thread(self._persons.admit, player, actor=actor)
            await asyncio.to_thread(self._check_not_excluded, self._persons, player, actor, request)
        self.wallet(player)  # Raises for an invalid player name.

        def build_slip(counter: CageState) -> Slip:
            return BuyIn(player, amount, drawer_of(counter, actor, needed=by_drawer))

        return await self.write(build_slip, SLIPS.dump(BuyIn(player, amount)), actor, request)

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

        def build_slip(counter: CageState) -> Slip:
            return CashOut(player, amount, drawer_of(counter, actor, needed=by_drawer))

        return await self.write(build_slip, SLIPS.dump(CashOut(player, amount)), actor, request)

    async def fund(self, amount: Cents, *, actor: str, request: str | None = None) -> Receipt:
        """Add house money to the vault."""
        slip = Fund(amount)
        return await self.write(lambda _: slip, SLIPS.dump(slip), actor, request)

    async def withdraw(self, amount: Cents, *, actor: str, request: str | None = None) -> Receipt:
        """Remove house money from the vault."""
        slip = MoneyWithdrawn(amount)
        return await self.write(lambda _: slip, SLIPS.dump(slip), actor, request)

    def held_cents(self, player: str) -> Cents:
        """A player's money on the layouts of tables, in any process."""
        held_balances = [
            (account, cents)
            for account, cents in self._ledger.balances(UNIT).items()
            if account.kind == "held" and cents
        ]
        with self._ledger.snapshot() as snapshot:
            own_cents = (
                cents
                for account, cents in held_balances
                if _owner_of_wager(snapshot, account) == player
            )
            return Cents(sum(own_cents))

    def wallet(self, player: str) -> Account:
        """A player's wallet; raises LedgerError for an invalid name."""
        account = Account(UNIT, "wallet", player)
        if self._persons is not None and self._persons.recent().knows(player):
            return account  # Old ledgers may have names that are invalid today.
        if (error := name_error(player)) is not None:
            raise LedgerError(say("table.live.no-players-name", name=repr(player), why=error))
        return account

    async def write(
        self, decide: DecideSlip, request_body: JsonMapping, actor: str, request: str | None
    ) -> Receipt:
        """Write the slip that `decide` returns; `request_body` identifies a repeated request."""
        key = request_key(actor, request, lambda: [STREAM, request_body])

        def write_slip(counter: CageState) -> PendingWrite[Slip]:
            slip = decide(counter)
            return PendingWrite((slip,), counter.moves(slip))

        return (await self._writer.write_async(write_slip, key)).receipt

    def _check_not_excluded(
        self, persons: Persons, player: str, actor: str, request: str | None
    ) -> None:
        """Refuse excluded players, except for a request already on record."""
        exclusion = AccessList(persons.catch_up(), self._clock()).exclusion_of(player)
        if exclusion is not None and find_request(self._ledger, actor, request) is None:
            raise Excluded(exclusion.message)


def _owner_of_wager(snapshot: Snapshot, held_account: Account) -> str | None:
    """The player whose wager is held at a seat: the last one to put money there."""
    table = held_account.name.rpartition("/")[0]
    for span in snapshot.spans(ALL_TIME, Streams((f"{TABLE}{table}",))):
        for entry in snapshot.last_entries(span, field_patterns("credit", str(held_account)), 1):
            wallets = [
                transfer.debit for transfer in entry.transfers if transfer.credit == held_account
            ]
            return wallets[-1].name
    return None
