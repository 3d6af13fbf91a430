"""The cage: money becomes a wallet, and a wallet money again; never another player's."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterator
from datetime import datetime
from typing import NamedTuple, TypeAlias

from pitbook.errors import Excluded, LedgerError
from pitbook.identity.names import wrong
from pitbook.identity.persons import Persons
from pitbook.identity.roster import Door
from pitbook.ledger.accounts import Account, Transfer, move
from pitbook.ledger.batch import Receipt
from pitbook.ledger.book import Ledger
from pitbook.ledger.chain import Entry
from pitbook.ledger.followed import unlike
from pitbook.ledger.interval import ALWAYS
from pitbook.ledger.questions import Snapshot, Streams, having
from pitbook.ledger.writer import utc_now
from pitbook.money import Cents
from pitbook.streams.asked import Asked, asked_by, request_id
from pitbook.streams.codec import Codec
from pitbook.streams.pen import Pen, Write
from pitbook.table.streams import TABLE
from pitbook.wording import say

STREAM = "cage"
UNIT = "usd"
SLIPS: Codec[Slip] = Codec("the cage")


@SLIPS.fact("buy-in")
class BuyIn(NamedTuple):
    """Cash in, chips out."""

    player: str
    amount: Cents


@SLIPS.fact("cash-out")
class CashOut(NamedTuple):
    """Chips in, cash out."""

    player: str
    amount: Cents


@SLIPS.fact("fund")
class Fund(NamedTuple):
    """The house brought money to the cage."""

    amount: Cents
    player: None = None


@SLIPS.fact("withdraw")
class Withdraw(NamedTuple):
    """The house took money out of the cage."""

    amount: Cents
    player: None = None


Slip: TypeAlias = BuyIn | CashOut | Fund | Withdraw


def moved(slip: Slip, unit: str = UNIT) -> Transfer:
    """What a slip moves."""
    cash, house = Account(unit, "cash"), Account(unit, "house")
    match slip:
        case BuyIn(player, amount):
            return move(cash, Account(unit, "wallet", player), amount, "buy-in")
        case CashOut(player, amount):
            return move(Account(unit, "wallet", player), cash, amount, "cash-out")
        case Fund(amount):
            return move(cash, house, amount, "house funds")
        case Withdraw(amount):
            return move(house, cash, amount, "house funds")


class CageFollowed:
    """The counter gone over again, slip by slip."""

    def follow(self, entry: Entry) -> Iterator[str]:
        """What of an entry no slip moves."""
        return unlike(entry.transfers, [moved(slip) for slip in SLIPS.told(entry)])

    def is_kept(self, document: object) -> bool:
        """The cage keeps no state."""
        return False


class Cage:
    """The counter of a house. Whoever opens it takes it over; a shared one is everybody's.

    A slip stands alone: the book checks the balance, and knows a request that comes again. So
    several processes may serve a shared counter in turn, each taking it over with the slip itself,
    and money passes at whichever address it is asked for.
    """

    def __init__(
        self,
        ledger: Ledger,
        *,
        unit: str = UNIT,
        shared: bool = False,
        write: Write | None = None,
        persons: Persons | None = None,
        clock: Callable[[], datetime] = utc_now,
    ) -> None:
        write = write or (lambda append: asyncio.wrap_future(ledger.submit(append)))
        self._ledger, self._unit, self._shared = ledger, unit, shared
        self._pen = Pen(ledger, STREAM, write)
        self._persons, self._clock = persons, clock

    async def open(self, *, actor: str = "") -> None:
        """Take the counter over."""
        await self._pen.take_over(Asked(actor))

    async def buy_in(
        self, player: str, amount: Cents, *, actor: str, request: str | None = None
    ) -> Receipt:
        """Cash in, chips out; raises Excluded for somebody who may buy none."""
        if self._persons is not None:
            player = await asyncio.to_thread(self._persons.admit, player, actor=actor)
            await asyncio.to_thread(self._let_in, self._persons, player, actor, request)
        self.wallet(player)  # Raises for what is no player's name.
        return await self._pass(BuyIn(player, amount), actor, request)

    async def cash_out(
        self, player: str, amount: Cents, *, actor: str, request: str | None = None
    ) -> Receipt:
        """Chips in, cash out; no more than the wallet holds."""
        if self._persons is not None:
            player = await asyncio.to_thread(self._persons.known_as, player)
        self.wallet(player)
        return await self._pass(CashOut(player, amount), actor, request)

    async def fund(self, amount: Cents, *, actor: str, request: str | None = None) -> Receipt:
        """The house brings money to the cage."""
        return await self._pass(Fund(amount), actor, request)

    async def withdraw(self, amount: Cents, *, actor: str, request: str | None = None) -> Receipt:
        """The house takes money out of the cage."""
        return await self._pass(Withdraw(amount), actor, request)

    def held(self, player: str) -> Cents:
        """What a player has on the layouts of tables, whichever process holds them."""
        lies = [
            (one, cents)
            for one, cents in self._ledger.balances(self._unit).items()
            if one.kind == "held" and cents
        ]
        with self._ledger.moment() as book:
            mine = (cents for one, cents in lies if _whose(book, one) == player)
            return Cents(sum(mine))

    def wallet(self, player: str) -> Account:
        """A player's wallet."""
        account = Account(self._unit, "wallet", player)
        if self._persons is not None and self._persons.recent().knows(player):
            return account  # An old book may know names that no new one would take.
        if (no := wrong(player)) is not None:
            raise LedgerError(say("table.live.no-players-name", name=repr(player), why=no))
        return account

    async def _pass(self, slip: Slip, actor: str, request: str | None) -> Receipt:
        kept, transfer = SLIPS.dump(slip), moved(slip, self._unit)
        asked = asked_by(actor, request, lambda: [STREAM, kept])
        write = self._pen.write_in_turn if self._shared else self._pen.write
        return await write(asked, (kept,), (transfer,))

    def _let_in(self, persons: Persons, player: str, actor: str, request: str | None) -> None:
        """Whoever is excluded buys nothing; what was bought before is answered as it was."""
        barred = Door(persons.read_on(), self._clock()).barred(player)
        if barred is None:
            return
        if request is None or self._ledger.answered(request_id(actor, request)) is None:
            raise Excluded(barred.message)


def _whose(book: Snapshot, held: Account) -> str | None:
    """Whose wager lies at a seat: whoever put something there last."""
    table = held.name.rpartition("/")[0]
    for span in book.spans(ALWAYS, Streams((f"{TABLE}{table}",))):
        for entry in book.newest(span, having("credit", str(held)), 1):
            wallets = [one.debit for one in entry.transfers if one.credit == held]
            return wallets[-1].name
    return None
