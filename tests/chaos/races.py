"""Many hands in one wallet: it never goes below zero, and it never refuses what it holds."""

from __future__ import annotations

import random
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor

from tests.chaos.kills import Place
from tests.chaos.results import Result, result

from pitbook.errors import Overdrawn
from pitbook.house.ledger.accounts import Account, move
from pitbook.house.ledger.audit import verify
from pitbook.house.ledger.journal import Ledger

THREADS = 8
SPENDS = 2_000  # From one wallet.
WALLET, HELD, CASH = (Account("usd", kind, "") for kind in ("wallet", "held", "cash"))


def overdraft_races(place: Place, *, on: str, spends: int, seed: str) -> Result:
    """Spends from one wallet that holds about half of them, by many threads of two ledgers."""
    wrong: list[str] = []
    taken = 0
    for start in range(0, spends, SPENDS):
        luck = random.Random(f"{seed}-{start}")
        amounts = [luck.randrange(1, 10_000) for _ in range(min(SPENDS, spends - start))]
        with place() as url:
            found, successes = race(url, amounts)
        wrong += found
        taken += successes
    return result(
        "overdraft races",
        on=on,
        count=spends,
        what="spends",
        seed=seed,
        wrong=wrong,
        acknowledged=taken,
    )


def race(url: str, amounts: Sequence[int]) -> tuple[list[str], int]:
    """What is wrong after one wallet was fought over, and how many spends it took."""
    with Ledger.open(url) as ledger, Ledger.open(url) as other:
        cage = ledger.claim("cage")
        ledger.append(
            "cage", cage, [{"fact": "bought"}], [move(CASH, WALLET, sum(amounts) // 2, "buy-in")]
        )
        epochs = {"table-1": ledger.claim("table-1"), "table-2": other.claim("table-2")}
        hands = [(ledger, "table-1"), (other, "table-2")]

        def spend(numbered: tuple[int, int]) -> bool:
            number, amount = numbered
            book, table = hands[number % 2]
            try:
                book.append(
                    table, epochs[table], [{"fact": "wager"}], [move(WALLET, HELD, amount, "wager")]
                )
            except Overdrawn:
                return False
            return True

        with ThreadPoolExecutor(THREADS) as pool:
            taken = list(pool.map(spend, enumerate(amounts)))
        return judged(ledger, amounts, taken), sum(taken)


def judged(ledger: Ledger, amounts: Sequence[int], taken: Sequence[bool]) -> list[str]:
    """What is wrong with the wallet, given who was told what."""
    spent = sum(amount for amount, yes in zip(amounts, taken, strict=True) if yes)
    left = sum(amounts) // 2 - spent
    refused = [amount for amount, yes in zip(amounts, taken, strict=True) if not yes]
    found = [f"verify: {finding}" for finding in verify(ledger).findings]
    if (ledger.balance(WALLET), ledger.balance(HELD)) != (left, spent):
        found.append(f"the wallet holds {ledger.balance(WALLET)} and not {left}")
    if left < 0:
        found.append(f"the wallet was overdrawn: {left}")
    if refused and min(refused) <= left:  # It only ever fell, so it had that much all the time.
        found.append(f"{min(refused)} was refused though {left} is left")
    return found
