# ruff: noqa: E501  Prose that is rendered as it stands.
"""reliability.md: the results of the slow tests, with the descriptions of the checks."""

from __future__ import annotations

from pathlib import Path

from tests.chaos.results import markdown_table, read_results

RESULTS = Path(__file__).parent / "reliability.jsonl"

HEAD = """# Reliability

Generated from `docs/reliability.jsonl`, which `make test-slow` writes; `make docs` renders it. Every check runs in
`make test` too, with small counts.

A check ends with a count of what was wrong: an acknowledged entry that is lost, a request with two effects, a cent
too many or too few, a forgery that went unnoticed. The count must be zero, and is asserted, but where a check shows
that it can fail: the same power cuts with `synchronous=NORMAL` must lose something, and bad shuffles must be rejected.

*Acknowledged* counts receipts that were held against the book; for power cuts those of every examined disk, for
tampering the entries of the book that was forged, for the simulation all entries of its books.

"""

TAIL = """
## What each check does

| check | how |
|---|---|
| every request sent 1 to 5 times at once | threads send the same request at once; each has one effect and one answer |
| kill -9 under load | a process that writes under load is killed with SIGKILL and started again on the same book; receipts it had told are compared with the book |
| kill -9 during money transactions and paid tournaments | a process that sells and cashes out chips, takes bets, fills and credits racks, and runs tournaments with entries, re-buys, add-ons, refunds, prizes and undone steps is killed with SIGKILL and started again; after each kill the audit is sound, every receipt it gave stands, the cash in the event's cage is what its facts come to, and the house statement agrees |
| attempts with another's credential | ticket, guest, player and every role ask for others' things, by the catalog of routes; what succeeds that is not everybody's is wrong |
| forgery by somebody without a key | facts, transfers, hashes, guards, checkpoints and files are changed and made to fit together again; with an anchor outside every one must be found, without one whatever is not found must be told as not proved |
| kill -9 of the server under load | `pitbook serve` is killed with rounds on its tables and started again, or another process takes over; no receipt is lost, nothing is done twice, and a request whose answer was lost hears the receipt that stands |
| log tampering | one byte, row, order or tail of the book is changed as by somebody with the file in hand, hashes worked out again where that helps the forger; `audit verify` with the latest checkpoint must notice |
| overdraft races | many threads, on PostgreSQL from two books, spend one wallet; it never goes below zero and the sum is exact |
| power cut, unsynced writes dropped | a file system that forgets what was not synced, wholly or in part, torn at sectors; the disk is examined as it would be found |
| seeded fault simulation | tables of every bundled sheet, their players, dealer, supervisor and cage in one process; messages are lost, repeated and late, processes die at any await, and two may hold one table; after every commit each unit balances and balances are the fold of the journal |
| PostgreSQL stopped hard, connection broken | PostgreSQL is killed, or its connection cut, under load; what is in doubt is asked again with the same request id |
| requests, frames over a socket | everybody from nobody to supervisor sends what the API's description gives rise to, and what it does not; nothing is answered as our own mistake, what is refused leaves no row, and nobody reads a card or a secret of others |
| shuffles | positions, adjacent pairs and hand classes of a shuffled deck, by chi-square; the same checks must reject shuffles that are known to be bad |

The scaler under the shuffle is not tested by statistics: all 65,536 inputs are gone through for every size up to 624
cards, and each result comes equally often (`tests/shoe/test_stream.py`).
"""


def reliability() -> str:
    """The page."""
    return HEAD + markdown_table(read_results(RESULTS)) + TAIL
