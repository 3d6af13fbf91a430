"""Every request comes one to five times at once, as from a client on a bad line; it acts once."""

from __future__ import annotations

import random
from collections import defaultdict
from collections.abc import Iterator, Sequence
from concurrent.futures import Future, ThreadPoolExecutor

from tests.chaos.kills import Place
from tests.chaos.results import Result, result
from tests.chaos.workload import LedgerClient, Rounds, written, wrong_in

from pitbook.errors import LedgerError, RequestReused
from pitbook.house.ledger.batch import Append, Receipt
from pitbook.house.ledger.journal import Ledger

COPIES_MAX = 5
WAVE = 100  # Requests in flight at once.
BOOK = 20_000  # Requests to one book.
THREADS = 4


def repeated_requests(place: Place, *, on: str, requests: int, seed: str) -> Result:
    """Requests sent several times at once through two open ledgers, one effect each."""
    wrong: list[str] = []
    for start in range(0, requests, BOOK):
        with place() as url:
            wrong += one_book(url, min(BOOK, requests - start), f"{seed}-{start}")
    return result(
        "every request sent 1 to 5 times at once",
        on=on,
        count=requests,
        what="requests",
        seed=seed,
        wrong=wrong,
        acknowledged=requests,
    )


def one_book(url: str, requests: int, seed: str) -> Iterator[str]:
    """What is wrong with one book after its requests."""
    rounds, luck = Rounds(seed), random.Random(seed)
    acknowledged: dict[int, str] = {}
    with Ledger.open(url) as ledger, Ledger.open(url) as other:
        client = LedgerClient(rounds, ledger)
        acknowledged[0] = client.send(0)
        for start in range(1, requests + 1, WAVE):
            numbers = range(start, min(start + WAVE, requests + 1))
            for number, answers in wave(client, (ledger, other), numbers, luck).items():
                acknowledged[number] = written(answers[0])
                yield from unlike(number, answers)
        yield from reused(client, luck.choice(sorted(acknowledged)))
        yield from wrong_in(ledger, rounds, acknowledged)


def wave(
    client: LedgerClient, ledgers: Sequence[Ledger], numbers: Sequence[int], luck: random.Random
) -> dict[int, list[Receipt]]:
    """The receipts of each number, of which luck made the copies, the order and the ways."""
    copies = [number for number in numbers for _ in range(luck.randrange(COPIES_MAX) + 1)]
    luck.shuffle(copies)
    ways = [(luck.choice(ledgers), number, client.append(number)) for number in copies]

    def submit(mine: list[tuple[Ledger, int, Append]]) -> list[tuple[int, Future[Receipt]]]:
        return [(number, ledger.submit(append)) for ledger, number, append in mine]

    answers: dict[int, list[Receipt]] = defaultdict(list)
    with ThreadPoolExecutor(THREADS) as pool:
        for sent in pool.map(submit, [ways[first::THREADS] for first in range(THREADS)]):
            for number, future in sent:
                answers[number].append(future.result())
    return answers


def unlike(number: int, answers: Sequence[Receipt]) -> Iterator[str]:
    """What is wrong with the answers to one request."""
    if len({written(answer) for answer in answers}) != 1:
        yield f"request {number} has several receipts: {answers}"
    if sum(not answer.again for answer in answers) != 1:
        yield f"request {number} was new more or less than once: {answers}"


def reused(client: LedgerClient, number: int) -> Iterator[str]:
    """An id that came before, with another body, must be refused."""
    try:
        client.ledger.submit(client.append(number)._replace(body="another")).result()
        yield f"request {number} was taken again with another body"
    except RequestReused:
        pass
    except LedgerError as error:
        yield f"request {number} with another body: {error!r}"
