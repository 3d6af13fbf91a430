"""Concurrent spends from one wallet: it never goes below zero and never refuses money it has."""

from __future__ import annotations

import random
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor

from tests.chaos.kills import Place
from tests.chaos.results import Result, result

from pitbook.errors import Overdrawn
from pitbook.house.ledger.accounts import Account, move
from pitbook.house.ledger.audit import verify
from pitbook.house.ledger.ledger import Ledger

THREADS = 8
SPENDS = 2_000  # From one wallet.
WALLET, HELD, CASH = (Account("usd", kind, "") for kind in ("wallet", "held", "cash"))


def overdraft_races(place: Place, *, on: str, spends: int, seed: str) -> Result:
    """Concurrent spends of about twice a wallet's balance, by many threads of two ledgers."""
    wrong: list[str] = []
    succeeded = 0
    for start in range(0, spends, SPENDS):
        rng = random.Random(f"{seed}-{start}")
        amounts = [rng.randrange(1, 10_000) for _ in range(min(SPENDS, spends - start))]
        with place() as url:
            errors, successes = race_for_wallet(url, amounts)
        wrong += errors
        succeeded += successes
    return result(
        "overdraft races",
        on=on,
        count=spends,
        what="spends",
        seed=seed,
        wrong=wrong,
        acknowledged=succeeded,
    )


def race_for_wallet(url: str, amounts: Sequence[int]) -> tuple[list[str], int]:
    """What is wrong after concurrent spends from one wallet, and how many succeeded."""
    with Ledger.open(url) as ledger, Ledger.open(url) as other:
        cage = ledger.claim("cage")
        ledger.append(
            "cage", cage, [{"fact": "bought"}], [move(CASH, WALLET, sum(amounts) // 2, "buy-in")]
        )
        epochs = {"table-1": ledger.claim("table-1"), "table-2": other.claim("table-2")}
        writers = [(ledger, "table-1"), (other, "table-2")]

        def spend(numbered: tuple[int, int]) -> bool:
            number, amount = numbered
            writer, table = writers[number % 2]
            try:
                writer.append(
                    table, epochs[table], [{"fact": "wager"}], [move(WALLET, HELD, amount, "wager")]
                )
            except Overdrawn:
                return False
            return True

        with ThreadPoolExecutor(THREADS) as pool:
            accepted = list(pool.map(spend, enumerate(amounts)))
        return wallet_errors(ledger, amounts, accepted), sum(accepted)


def wallet_errors(ledger: Ledger, amounts: Sequence[int], accepted: Sequence[bool]) -> list[str]:
    """What is wrong with the wallet, given the spends that were accepted."""
    spent = sum(
        amount for amount, is_accepted in zip(amounts, accepted, strict=True) if is_accepted
    )
    balance = sum(amounts) // 2 - spent
    refused = [amount for amount, yes in zip(amounts, accepted, strict=True) if not yes]
    errors = [f"verify: {finding}" for finding in verify(ledger).findings]
    if (ledger.balance(WALLET), ledger.balance(HELD)) != (balance, spent):
        errors.append(f"the wallet holds {ledger.balance(WALLET)} and not {balance}")
    if balance < 0:
        errors.append(f"the wallet was overdrawn: {balance}")
    # The balance only ever fell, so it covered this amount all the time.
    if refused and min(refused) <= balance:
        errors.append(f"{min(refused)} was refused though {balance} is left")
    return errors
