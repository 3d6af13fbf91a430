"""What a table needs from outside: shoe, wallets, clock and roster."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from datetime import UTC, datetime
from itertools import islice
from typing import Protocol

from pitbook.cards import DECK, Card
from pitbook.house.ledger.codec import Json
from pitbook.house.people.roster import OPEN_TO_ALL, AccessList
from pitbook.house.table.state import TableState
from pitbook.money import Cents
from pitbook.shoe.order import Past
from pitbook.shoe.record import (
    ShoeKind,
    ShoeRecord,
    Shuffle,
    drawn,
    fresh,
    reveal,
)
from pitbook.shoe.vault import Vault


class TableEnv(Protocol):
    """What `decide` is handed; the same facts follow from the same answers."""

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
        """The stored record of a fresh shoe; `first` are the cards of one that is arranged."""

    def cards(
        self,
        record: Json,
        seat_seeds: Mapping[int, str],
        first: int,
        count: int,
        past: tuple[Past, ...] = (),
    ) -> tuple[Card, ...]:
        """So many cards of a shoe, after those of its `past` deals and those that came before."""

    def reveal(self, record: Json) -> str | None:
        """The seed of a shoe that has ended; None where its kind has none to show."""

    def wallet(self, player: str) -> Cents:
        """What a player has left to wager, in the table's unit."""

    def has(self, player: str, amount: int) -> bool:
        """Whether a player has so much left."""

    def now(self) -> datetime:
        """The time, in UTC."""

    def door(self) -> AccessList:
        """Who is known by which name, and who is excluded now."""

    def away(self, player: str) -> bool:
        """Whether a player was here and is gone: nobody waits for that one's word."""


class LiveEnv:
    """Luck from real shoes: cards come out of a vault, money and time from whoever knows them."""

    def __init__(
        self,
        vault: Vault,
        *,
        wallet: Callable[[str], Cents],
        now: Callable[[], datetime],
        has: Callable[[str, int], bool] | None = None,
        door: Callable[[], AccessList] = lambda: OPEN_TO_ALL,
        away: Callable[[str], bool] = lambda _: False,
        kind: ShoeKind = "committed",
        seed: str | None = None,
        first: Sequence[Card | None] = (),
    ) -> None:
        self._vault, self._wallet, self._now, self._has = vault, wallet, now, has
        self._kind, self._seed, self._first, self._door = kind, seed, first, door
        self._away = away
        self._last: tuple[Json, ShoeRecord] | None = None  # As it is kept, and read.
        self._shoe: object = None  # The one last drawn from, and its cards so far.
        self._coming: Iterator[Card] = iter(())
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
        """A fresh shoe of the kind that this table deals from, or one that is arranged."""
        kind: ShoeKind = "arranged" if first else "typed" if typed else self._kind
        record = fresh(
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
        self._last = document, record  # It is dealt from next.
        return document

    def cards(
        self,
        record: Json,
        seat_seeds: Mapping[int, str],
        first: int,
        count: int,
        past: tuple[Past, ...] = (),
    ) -> tuple[Card, ...]:
        """So many cards of a shoe, after those that came before."""
        shoe = (record["id"], record["sealed"], tuple(sorted(seat_seeds.items())), past)
        if shoe != self._shoe:
            self._shoe, self._drawn = shoe, []
            self._coming = drawn(self._read(record), self._vault, seat_seeds, past)
        missing = first + count - len(self._drawn)
        self._drawn += islice(self._coming, max(missing, 0))
        return tuple(self._drawn[first : first + count])

    def reveal(self, record: Json) -> str | None:
        """The seed, where the shoe's kind tells it."""
        shoe = self._read(record)
        return None if shoe.kind in ("system", "typed") else reveal(shoe, self._vault)

    def _read(self, record: Json) -> ShoeRecord:
        """The shoe of a record; one that is dealt from and then ended is read once."""
        if self._last is None or self._last[0] is not record:
            self._last = record, ShoeRecord.of(record)
        return self._last[1]

    def wallet(self, player: str) -> Cents:
        """What a player has left to wager."""
        return self._wallet(player)

    def has(self, player: str, amount: int) -> bool:
        """Whether a player has so much left; memory will do where it says yes."""
        return self._wallet(player) >= amount if self._has is None else self._has(player, amount)

    def now(self) -> datetime:
        """The time, in UTC."""
        return self._now()

    def door(self) -> AccessList:
        """Who is known, and who is excluded."""
        return self._door()

    def away(self, player: str) -> bool:
        """Whether a player was here and is gone."""
        return self._away(player)


WalletOf = Callable[[str], Cents]


class DryRunEnv:
    """Luck for a trial: it knows wallets, and has no card to give away."""

    def __init__(self, state: TableState, wallet: WalletOf, door: AccessList = OPEN_TO_ALL) -> None:
        self.wallet = wallet
        self._state, self._door = state, door

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
        """A shoe that nobody deals from."""
        return {"id": name, "decks": decks, "pack": pack, "commitment": None}

    def cards(
        self,
        record: Json,
        seat_seeds: Mapping[int, str],
        first: int,
        count: int,
        past: tuple[Past, ...] = (),
    ) -> tuple[Card, ...]:
        """Any cards that are not on the table."""
        round = self._state.round
        assert round is not None
        decks = record["decks"]
        return tuple(islice((one for one in DECK if round.copies(one) < decks), count))

    def has(self, player: str, amount: int) -> bool:
        """Whether a player has so much."""
        return self.wallet(player) >= amount

    def reveal(self, record: Json) -> str | None:
        """Nothing."""
        return None

    def now(self) -> datetime:
        """Some time that runs no clock out."""
        return datetime.min.replace(tzinfo=UTC)

    def door(self) -> AccessList:
        """Who is known, and who is excluded."""
        return self._door

    def away(self, player: str) -> bool:
        """Nobody: a trial closes nothing."""
        return False
