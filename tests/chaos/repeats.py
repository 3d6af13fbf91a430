"""Requests sent up to five times at once, as by a client on a bad connection, take effect once."""

from __future__ import annotations

import random
from collections import defaultdict
from collections.abc import Iterator, Sequence
from concurrent.futures import Future, ThreadPoolExecutor

from tests.chaos.kills import Place
from tests.chaos.results import Result, result
from tests.chaos.workload import LedgerClient, Rounds, ledger_errors, receipt_text

from pitbook.errors import LedgerError, RequestReused
from pitbook.house.ledger.append_batch import Append, Receipt
from pitbook.house.ledger.ledger import Ledger

COPIES_MAX = 5
WAVE = 100  # Requests in flight at once.
BOOK = 20_000  # Requests to one ledger.
THREADS = 4


def repeated_requests(place: Place, *, on: str, requests: int, seed: str) -> Result:
    """Send requests several times at once through two open ledgers; each takes effect once."""
    wrong: list[str] = []
    for start in range(0, requests, BOOK):
        with place() as url:
            wrong += check_one_book(url, min(BOOK, requests - start), f"{seed}-{start}")
    return result(
        "every request sent 1 to 5 times at once",
        on=on,
        count=requests,
        what="requests",
        seed=seed,
        wrong=wrong,
        acknowledged=requests,
    )


def check_one_book(url: str, requests: int, seed: str) -> Iterator[str]:
    """What is wrong with one ledger after its requests."""
    rounds, rng = Rounds(seed), random.Random(seed)
    acknowledged: dict[int, str] = {}
    with Ledger.open(url) as ledger, Ledger.open(url) as other:
        client = LedgerClient(rounds, ledger)
        acknowledged[0] = client.send(0)
        for start in range(1, requests + 1, WAVE):
            numbers = range(start, min(start + WAVE, requests + 1))
            for number, answers in send_wave(client, (ledger, other), numbers, rng).items():
                acknowledged[number] = receipt_text(answers[0])
                yield from answer_errors(number, answers)
        yield from reuse_errors(client, rng.choice(sorted(acknowledged)))
        yield from ledger_errors(ledger, rounds, acknowledged)


def send_wave(
    client: LedgerClient, ledgers: Sequence[Ledger], numbers: Sequence[int], rng: random.Random
) -> dict[int, list[Receipt]]:
    """The receipts of each number, sent in random copies and order through random ledgers."""
    copies = [number for number in numbers for _ in range(rng.randrange(COPIES_MAX) + 1)]
    rng.shuffle(copies)
    submissions = [(rng.choice(ledgers), number, client.append(number)) for number in copies]

    def submit(batch: list[tuple[Ledger, int, Append]]) -> list[tuple[int, Future[Receipt]]]:
        return [(number, ledger.submit(append)) for ledger, number, append in batch]

    answers: dict[int, list[Receipt]] = defaultdict(list)
    with ThreadPoolExecutor(THREADS) as pool:
        for futures in pool.map(submit, [submissions[first::THREADS] for first in range(THREADS)]):
            for number, future in futures:
                answers[number].append(future.result())
    return answers


def answer_errors(number: int, answers: Sequence[Receipt]) -> Iterator[str]:
    """What is wrong with the answers to one request."""
    if len({receipt_text(answer) for answer in answers}) != 1:
        yield f"request {number} has several receipts: {answers}"
    if sum(not answer.again for answer in answers) != 1:
        yield f"request {number} was new more or less than once: {answers}"


def reuse_errors(client: LedgerClient, number: int) -> Iterator[str]:
    """A repeated id with another body must be refused."""
    try:
        client.ledger.submit(client.append(number)._replace(body="another")).result()
        yield f"request {number} was taken again with another body"
    except RequestReused:
        pass
    except LedgerError as error:
        yield f"request {number} with another body: {error!r}"
