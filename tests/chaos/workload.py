"""The load on a ledger under test, and the checks that nothing is wrong afterwards.

A workload's requests are numbered and made from their number alone, so the numbers in the
journal determine every balance without asking the ledger.
"""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import NamedTuple, Protocol

from pitbook.house.ledger.accounts import Account, Transfer, balance_changes, move
from pitbook.house.ledger.append_batch import Append, Receipt
from pitbook.house.ledger.audit import verify
from pitbook.house.ledger.ledger import Ledger

PLAYERS = 8
TABLES = ("table-1", "table-2", "table-3")
FUND = 100_000_000


class Client(Protocol):
    """Sends requests to an open ledger, from any thread."""

    def send(self, number: int) -> str:
        """Send a request and return its receipt, the same each time, once it is durable."""
        ...

    def close(self) -> None: ...


class Workload(Protocol):
    """Requests, and the checks of their effects."""

    def start(self, url: str) -> Client: ...

    def wrong(self, url: str, acknowledged: Mapping[int, str]) -> list[str]:
        """What is wrong, in words; request 0 comes before all others."""
        ...


class Request(NamedTuple):
    stream: str
    id: str
    fact: dict[str, object]
    transfers: tuple[Transfer, ...]


@dataclass(frozen=True)
class Rounds:
    """Rounds of eight players at three tables, one append per round."""

    seed: str = "52"

    def start(self, url: str) -> LedgerClient:
        """A client of the ledger at that URL."""
        return LedgerClient(self, Ledger.open(url))

    def wrong(self, url: str, acknowledged: Mapping[int, str]) -> list[str]:
        """What is wrong with the ledger at that URL."""
        with Ledger.open(url) as ledger:
            return ledger_errors(ledger, self, acknowledged)

    def request(self, number: int) -> Request:
        """The request of that number; number 0 fills wallets and racks."""
        if number == 0:
            return Request(TABLES[0], self.id_of(0), {"fact": "opened"}, tuple(funding_transfers()))
        rng = random.Random(f"{self.seed} {number}")
        table, stake = rng.choice(TABLES), rng.randrange(100, 50_000)
        wallet, held, rack = player_accounts(f"player-{rng.randrange(PLAYERS)}", table)
        wagered = move(wallet, held, stake, "wager")
        ends = {
            "lost": (move(held, rack, stake, "lost"),),
            "push": (move(held, wallet, stake, "returned"),),
            "won": (move(held, wallet, stake, "returned"), move(rack, wallet, stake, "won")),
        }
        end = rng.choice(sorted(ends))
        fact: dict[str, object] = {"fact": "round", "number": number, "end": end}
        return Request(table, self.id_of(number), fact, (wagered, *ends[end]))

    def id_of(self, number: int) -> str:
        return f"{self.seed}-{number}"


class LedgerClient:
    """Sends rounds directly to a ledger."""

    def __init__(self, rounds: Rounds, ledger: Ledger) -> None:
        self.rounds, self.ledger = rounds, ledger
        self.epochs = {name: ledger.claim(name) for name in TABLES}

    def send(self, number: int) -> str:
        """The receipt of a round, as text."""
        return receipt_text(self.ledger.submit(self.append(number)).result())

    def append(self, number: int) -> Append:
        request = self.rounds.request(number)
        epoch = self.epochs[request.stream]
        body = f"body of {number}"
        return Append(
            request.stream, epoch, [request.fact], request.transfers, "chaos", request.id, body
        )

    def close(self) -> None:
        self.ledger.close()


def ledger_errors(ledger: Ledger, rounds: Rounds, acknowledged: Mapping[int, str]) -> list[str]:
    """What is wrong in an open ledger with these rounds."""
    entries = [entry for stream in ledger.streams() for entry in ledger.entries(stream.name)]
    receipts = {
        entry.request: f"{entry.stream} {entry.seq} {entry.hash}"
        for entry in entries
        if entry.request is not None
    }
    times = Counter(entry.request for entry in entries if entry.request is not None)
    numbers = [int(request.rpartition("-")[2]) for request in receipts]
    journal_balances = fold_transfers(transfer for entry in entries for transfer in entry.transfers)
    expected = fold_transfers(
        transfer for number in numbers for transfer in rounds.request(number).transfers
    )
    balances = {account: cents for account, cents in ledger.balances().items() if cents}
    return [
        *(f"verify: {finding}" for finding in verify(ledger).findings),
        *(f"{request} written {count} times" for request, count in times.items() if count > 1),
        *lost_receipts(rounds, acknowledged, receipts),
        *balance_differences("the fold of the journal", journal_balances, balances),
        *balance_differences("the requests in the journal", expected, balances),
    ]


def lost_receipts(
    rounds: Rounds, acknowledged: Mapping[int, str], receipts: Mapping[str, str]
) -> Iterator[str]:
    for number, receipt in acknowledged.items():
        recorded = receipts.get(rounds.id_of(number))
        if recorded != receipt:
            yield f"request {number} was acknowledged as {receipt} and stands as {recorded}"


def balance_differences(
    label: str, expected: Mapping[Account, int], balances: Mapping[Account, int]
) -> Iterator[str]:
    for account in sorted({*expected, *balances}):
        expected_cents, actual_cents = expected.get(account, 0), balances.get(account, 0)
        if expected_cents != actual_cents:
            yield f"{account} holds {actual_cents}, by {label} it is {expected_cents}"


def fold_transfers(transfers: Iterable[Transfer]) -> dict[Account, int]:
    """Every nonzero balance after these transfers."""
    sums: Counter[Account] = Counter()
    for transfer in transfers:
        for account, change in balance_changes(transfer):
            sums[account] += change
    return {account: cents for account, cents in sums.items() if cents}


def receipt_text(receipt: Receipt) -> str:
    """A receipt as text, the same for a repeat."""
    return f"{receipt.stream} {receipt.seq} {receipt.hash}"


def funding_transfers() -> Iterator[Transfer]:
    for number in range(PLAYERS):
        yield move(cash_account(), player_accounts(f"player-{number}", "")[0], FUND, "buy-in")
    for table in TABLES:
        yield move(Account("usd", "house"), player_accounts("", table)[2], FUND, "fill")


def player_accounts(player: str, table: str) -> tuple[Account, Account, Account]:
    return (
        Account("usd", "wallet", player),
        Account("usd", "held", f"{table}:{player}"),
        Account("usd", "rack", table),
    )


def cash_account() -> Account:
    return Account("usd", "cash")
