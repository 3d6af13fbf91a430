"""What is done to a book while it is tormented, and how one tells afterwards that nothing is off.

A workload's requests are numbered and made from their number alone: whoever knows which of them
stand in the journal knows every balance to the cent, without asking the book.
"""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import NamedTuple, Protocol

from pitbook.house.ledger.accounts import Account, Transfer, changes, move
from pitbook.house.ledger.audit import verify
from pitbook.house.ledger.batch import Append, Receipt
from pitbook.house.ledger.journal import Ledger

PLAYERS = 8
TABLES = ("table-1", "table-2", "table-3")
FUND = 100_000_000


class Client(Protocol):
    """Somebody who sends requests to an open book, from any thread."""

    def send(self, number: int) -> str:
        """Sends a request; its receipt, the same each time, when it is durable."""
        ...

    def close(self) -> None: ...


class Workload(Protocol):
    """Requests and the judgement of what they left; tables can be put on top in the same way."""

    def start(self, url: str) -> Client: ...

    def wrong(self, url: str, acknowledged: Mapping[int, str]) -> list[str]:
        """What is not as it must be, in words; request 0 comes before all others."""
        ...


class Request(NamedTuple):
    stream: str
    id: str
    fact: dict[str, object]
    transfers: tuple[Transfer, ...]


@dataclass(frozen=True)
class Rounds:
    """Rounds of eight players at three tables, each round one append."""

    seed: str = "52"

    def start(self, url: str) -> LedgerClient:
        """A client of the book at that URL."""
        return LedgerClient(self, Ledger.open(url))

    def wrong(self, url: str, acknowledged: Mapping[int, str]) -> list[str]:
        """What is wrong with the book at that URL."""
        with Ledger.open(url) as ledger:
            return wrong_in(ledger, self, acknowledged)

    def request(self, number: int) -> Request:
        """The request of that number; number 0 fills wallets and racks."""
        if number == 0:
            return Request(TABLES[0], self.id_of(0), {"fact": "opened"}, tuple(funding()))
        luck = random.Random(f"{self.seed} {number}")
        table, stake = luck.choice(TABLES), luck.randrange(100, 50_000)
        wallet, held, rack = places(f"player-{luck.randrange(PLAYERS)}", table)
        wagered = move(wallet, held, stake, "wager")
        ends = {
            "lost": (move(held, rack, stake, "lost"),),
            "push": (move(held, wallet, stake, "returned"),),
            "won": (move(held, wallet, stake, "returned"), move(rack, wallet, stake, "won")),
        }
        end = luck.choice(sorted(ends))
        fact: dict[str, object] = {"fact": "round", "number": number, "end": end}
        return Request(table, self.id_of(number), fact, (wagered, *ends[end]))

    def id_of(self, number: int) -> str:
        """The request's id."""
        return f"{self.seed}-{number}"


class LedgerClient:
    """Sends rounds straight to a ledger."""

    def __init__(self, rounds: Rounds, ledger: Ledger) -> None:
        self.rounds, self.ledger = rounds, ledger
        self.epochs = {name: ledger.claim(name) for name in TABLES}

    def send(self, number: int) -> str:
        """The receipt of a round, as text."""
        return written(self.ledger.submit(self.append(number)).result())

    def append(self, number: int) -> Append:
        """The round as an append."""
        made = self.rounds.request(number)
        epoch = self.epochs[made.stream]
        body = f"body of {number}"
        return Append(made.stream, epoch, [made.fact], made.transfers, "chaos", made.id, body)

    def close(self) -> None:
        """Closes the ledger."""
        self.ledger.close()


def wrong_in(ledger: Ledger, rounds: Rounds, acknowledged: Mapping[int, str]) -> list[str]:
    """What is wrong in an open ledger that took these rounds."""
    entries = [entry for stream in ledger.streams() for entry in ledger.entries(stream.name)]
    found = {
        entry.request: f"{entry.stream} {entry.seq} {entry.hash}"
        for entry in entries
        if entry.request is not None
    }
    times = Counter(entry.request for entry in entries if entry.request is not None)
    numbers = [int(request.rpartition("-")[2]) for request in found]
    fold = folded(transfer for entry in entries for transfer in entry.transfers)
    expected = folded(one for number in numbers for one in rounds.request(number).transfers)
    balances = {account: cents for account, cents in ledger.balances().items() if cents}
    return [
        *(f"verify: {finding}" for finding in verify(ledger).findings),
        *(f"{request} written {count} times" for request, count in times.items() if count > 1),
        *lost(rounds, acknowledged, found),
        *differing("the fold of the journal", fold, balances),
        *differing("the requests in the journal", expected, balances),
    ]


def lost(
    rounds: Rounds, acknowledged: Mapping[int, str], found: Mapping[str, str]
) -> Iterator[str]:
    for number, receipt in acknowledged.items():
        stands = found.get(rounds.id_of(number))
        if stands != receipt:
            yield f"request {number} was acknowledged as {receipt} and stands as {stands}"


def differing(
    label: str, expected: Mapping[Account, int], balances: Mapping[Account, int]
) -> Iterator[str]:
    for account in sorted({*expected, *balances}):
        ours, theirs = expected.get(account, 0), balances.get(account, 0)
        if ours != theirs:
            yield f"{account} holds {theirs}, by {label} it is {ours}"


def folded(transfers: Iterable[Transfer]) -> dict[Account, int]:
    """Every balance that is not zero after these transfers."""
    sums: Counter[Account] = Counter()
    for transfer in transfers:
        for account, change in changes(transfer):
            sums[account] += change
    return {account: cents for account, cents in sums.items() if cents}


def written(receipt: Receipt) -> str:
    """A receipt as text, the same for a repeat."""
    return f"{receipt.stream} {receipt.seq} {receipt.hash}"


def funding() -> Iterator[Transfer]:
    for number in range(PLAYERS):
        yield move(cash(), places(f"player-{number}", "")[0], FUND, "buy-in")
    for table in TABLES:
        yield move(Account("usd", "house"), places("", table)[2], FUND, "fill")


def places(player: str, table: str) -> tuple[Account, Account, Account]:
    return (
        Account("usd", "wallet", player),
        Account("usd", "held", f"{table}:{player}"),
        Account("usd", "rack", table),
    )


def cash() -> Account:
    return Account("usd", "cash")
