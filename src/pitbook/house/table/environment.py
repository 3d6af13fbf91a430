"""What a table needs from outside: shoe, wallets, clock and roster."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from datetime import datetime
from itertools import islice
from typing import Protocol

from pitbook.cards import Card
from pitbook.house.ledger.fact_codec import Json
from pitbook.house.people.access_list import OPEN_TO_ALL, AccessList
from pitbook.money import Cents
from pitbook.shoe.crypto import Vault
from pitbook.shoe.dealing import Past
from pitbook.shoe.stored_shoe import (
    ShoeKind,
    ShoeRecord,
    Shuffle,
    draw_cards,
    new_shoe,
    reveal,
)


class Players(Protocol):
    """What a check must know of the players: balances, known names and exclusions."""

    def wallet(self, player: str) -> Cents:
        """A player's balance in the table's unit."""

    def can_pay(self, player: str, amount: int) -> bool:
        """Whether a player's balance covers an amount."""

    def access_list(self) -> AccessList:
        """Known names and current exclusions."""


class TableEnv(Players, Protocol):
    """What `decide` needs from outside; equal answers lead to equal facts."""

    def shoe(
        self,
        name: str,
        *,
        decks: int,
        pack: int,
        shuffle: Shuffle,
        times: int,
        typed: bool,
        first: Sequence[Card | None] = (),
    ) -> Json:
        """The stored record of a new shoe; `first` are the cards of an arranged one."""

    def cards(
        self,
        record: Json,
        seat_seeds: Mapping[int, str],
        first: int,
        count: int,
        past: tuple[Past, ...] = (),
    ) -> tuple[Card, ...]:
        """The next cards of a shoe, after its `past` deals and the first ones of this deal."""

    def reveal(self, record: Json) -> str | None:
        """The seed of a finished shoe; None if its kind has none to reveal."""

    def now(self) -> datetime: ...

    def is_away(self, player: str) -> bool:
        """Whether a player was connected and is gone."""


class LiveEnv:
    """The real environment: cards from a vault, wallets, clock and access list from callbacks."""

    def __init__(
        self,
        vault: Vault,
        *,
        wallet: Callable[[str], Cents],
        now: Callable[[], datetime],
        has: Callable[[str, int], bool] | None = None,
        access_list: Callable[[], AccessList] = lambda: OPEN_TO_ALL,
        away: Callable[[str], bool] = lambda _: False,
        kind: ShoeKind = "committed",
        seed: str | None = None,
        first: Sequence[Card | None] = (),
    ) -> None:
        self._vault, self._wallet, self._now, self._has = vault, wallet, now, has
        self._kind, self._seed, self._first, self._access_list = kind, seed, first, access_list
        self._away = away
        # The stored record, and as parsed.
        self._last_record: tuple[Json, ShoeRecord] | None = None
        self._shoe: object = None  # The shoe last drawn from; its cards follow below.
        self._remaining: Iterator[Card] = iter(())
        self._drawn: list[Card] = []

    def shoe(
        self,
        name: str,
        *,
        decks: int,
        pack: int,
        shuffle: Shuffle,
        times: int,
        typed: bool,
        first: Sequence[Card | None] = (),
    ) -> Json:
        """A new shoe of the table's kind, or an arranged one."""
        kind: ShoeKind = "arranged" if first else "typed" if typed else self._kind
        record = new_shoe(
            kind,
            id=name,
            decks=decks,
            vault=self._vault,
            seed=f"{self._seed} {name}" if kind == "seeded" else None,
            first=first or (self._first if kind == "arranged" else ()),
            pack=pack,
            shuffle=shuffle,
            times=times,
        )
        document = record.document()
        self._last_record = document, record  # It is dealt from next.
        return document

    def cards(
        self,
        record: Json,
        seat_seeds: Mapping[int, str],
        first: int,
        count: int,
        past: tuple[Past, ...] = (),
    ) -> tuple[Card, ...]:
        shoe = (record["id"], record["sealed"], tuple(sorted(seat_seeds.items())), past)
        if shoe != self._shoe:
            self._shoe, self._drawn = shoe, []
            self._remaining = draw_cards(self._read(record), self._vault, seat_seeds, past)
        missing = first + count - len(self._drawn)
        self._drawn += islice(self._remaining, max(missing, 0))
        return tuple(self._drawn[first : first + count])

    def reveal(self, record: Json) -> str | None:
        """The shoe's seed, if its kind reveals it."""
        shoe = self._read(record)
        return None if shoe.kind in ("system", "typed") else reveal(shoe, self._vault)

    def _read(self, record: Json) -> ShoeRecord:
        """The parsed shoe of a record; the last one is cached."""
        if self._last_record is None or self._last_record[0] is not record:
            self._last_record = record, ShoeRecord.of(record)
        return self._last_record[1]

    def wallet(self, player: str) -> Cents:
        return self._wallet(player)

    def can_pay(self, player: str, amount: int) -> bool:
        """Whether a player's balance covers an amount; a cached balance is enough for a yes."""
        return self._wallet(player) >= amount if self._has is None else self._has(player, amount)

    def now(self) -> datetime:
        return self._now()

    def access_list(self) -> AccessList:
        return self._access_list()

    def is_away(self, player: str) -> bool:
        return self._away(player)


WalletOf = Callable[[str], Cents]


class PlayerRecords:
    """Balances and the access list alone: what a view's offers are checked against."""

    def __init__(self, wallet: WalletOf, access_list: AccessList = OPEN_TO_ALL) -> None:
        self.wallet = wallet
        self._access_list = access_list

    def can_pay(self, player: str, amount: int) -> bool:
        return self.wallet(player) >= amount

    def access_list(self) -> AccessList:
        return self._access_list
