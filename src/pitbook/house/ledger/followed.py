"""What a stream's facts imply is known above; here is how the book asks, and how it compares."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from itertools import zip_longest
from typing import Any, Protocol, runtime_checkable

from pitbook.house.ledger.accounts import Account, Transfer
from pitbook.house.ledger.chain import Entry
from pitbook.text import say


class Followed(Protocol):
    """A stream that is played again, entry by entry."""

    def follow(self, entry: Entry) -> Iterator[str]:
        """What of an entry does not follow from what came before it; may raise for nonsense."""

    def is_kept(self, document: Any) -> bool:
        """Whether a kept state is the one that the facts had led to."""


@runtime_checkable
class Reconciled(Protocol):
    """A stream whose figures are also compared with other streams and with the accounts."""

    def reconcile(
        self, streams: Mapping[str, Followed], balances: Mapping[Account, int]
    ) -> Iterator[str]:
        """Yield differences after every stream was replayed; `balances` come from the entries."""


Following = Callable[[str], Followed | None]  # By the stream's name; None: nobody writes such.


class NoMoney:
    """A stream whose facts move nothing, whatever they say."""

    def follow(self, entry: Entry) -> Iterator[str]:
        """Any transfer is one too many."""
        return unlike(entry.transfers, ())

    def is_kept(self, document: Any) -> bool:
        """A state that moves no money is for its hash to prove."""
        return True


def unlike(written: Sequence[Transfer], implied: Sequence[Transfer]) -> Iterator[str]:
    """The first difference between what was moved and what should have been."""
    for found, due in zip_longest(written, implied):
        if found == due:
            continue
        if found is not None:
            yield say("ledger.followed.not-implied", found=_told(found))
        else:
            yield say("ledger.followed.missing", due=_told(due))
        return


def _told(one: Transfer) -> str:
    return say(
        "ledger.followed.moves",
        amount=one.amount,
        unit=one.debit.unit,
        debit=one.debit,
        credit=one.credit,
        why=one.why,
    )
