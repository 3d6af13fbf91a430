"""kill -9 during every kind of money transaction: nothing is lost or paid twice."""

from __future__ import annotations

from collections import Counter
from pathlib import Path

import pytest
from tests.chaos.forked_writers import Nursery
from tests.chaos.kills import LIVES, Lives, Place, postgres_place, sqlite_in
from tests.chaos.money_transactions import KINDS, Money, money_kinds
from tests.chaos.results import Result, result

from pitbook.house.ledger.accounts import Account, move

MONEY = "tests.chaos.money_transactions:Money"
CHECK = "kill -9 during money transactions and paid tournaments"


def kill_money(
    nursery: Nursery, place: Place, *, on: str, kills: int, seed: str
) -> tuple[Result, Counter[str]]:
    """Kill one process after the other with an audit each time; also return the recorded kinds of
    facts.
    """
    wrong: list[str] = []
    kinds: Counter[str] = Counter()
    acknowledged = 0
    for start in range(0, kills, LIVES):
        with place() as url:
            lives = Lives(nursery, MONEY, url, f"{seed}-{start}")
            for _ in range(min(LIVES, kills - start)):
                wrong += lives.kill_one()
            acknowledged += len(lives.acknowledged)
            kinds += money_kinds(url)
    row = result(
        CHECK,
        on=on,
        count=kills,
        what="kills",
        seed=seed,
        wrong=wrong,
        acknowledged=acknowledged,
    )
    listed = ", ".join(f"{kinds[kind]:,} {kind}" for kind in sorted(KINDS))
    print(f"{on}: {kills} kills, {acknowledged:,} acknowledged, {len(wrong)} wrong; {listed}")  # noqa: T201
    return row, kinds


@pytest.mark.long
def test_kills_during_money_transactions_neither_lose_nor_double_money(
    nursery: Nursery, tmp_path: Path, seed: str
) -> None:
    place = sqlite_in(tmp_path)
    row, kinds = kill_money(nursery, place, on="SQLite", kills=6, seed=seed)
    assert row["wrong"] == 0, row
    assert {"buy-in", "wagered", "slip sold", "tournament-sold buy-in"} <= kinds.keys()


def test_prize_paid_twice_is_detected(tmp_path: Path, seed: str) -> None:
    url, workload = f"sqlite:///{tmp_path / 'book.db'}", Money(seed)
    client = workload.start(url)
    acknowledged = {number: client.send(number) for number in range(3)}
    assert workload.wrong(url, acknowledged) == []
    float_account, cage = Account("usd", "house", "gala/float"), Account("usd", "cash", "gala")
    ledger, stream = client.ledger, "night/gala"
    paid = move(float_account, cage, 5_000, "a prize once more")
    ledger.append(stream, ledger.claim(stream), [], [paid])
    client.close()
    wrong = workload.wrong(url, acknowledged)
    assert "the event's cage holds 495000, and its facts come to 500000" in wrong
    assert any(finding.startswith("verify: ") for finding in wrong)


@pytest.mark.slow
@pytest.mark.timeout(3_600)
def test_two_hundred_kills_across_every_kind_of_money_transaction(
    nursery: Nursery, tmp_path: Path, seed: str
) -> None:
    place = sqlite_in(tmp_path)
    row, kinds = kill_money(nursery, place, on="SQLite", kills=250, seed=seed)
    assert row["wrong"] == 0, row
    assert kinds.keys() >= KINDS


@pytest.mark.slow
@pytest.mark.timeout(3_600)
def test_fifty_kills_across_every_kind_of_money_transaction_on_postgresql(
    nursery: Nursery, seed: str
) -> None:
    row, kinds = kill_money(nursery, postgres_place, on="PostgreSQL", kills=50, seed=seed)
    assert row["wrong"] == 0, row
    assert kinds.keys() >= KINDS
