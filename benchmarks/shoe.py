"""What a fair shoe costs: fixed card by card before the bets, dealt by the seats' seeds.

A table opens a shoe in the same breath in which it settles a round, so everybody there waits for
it. Processor time is counted, the best of some turns; opening must stay under its limit.
"""

from __future__ import annotations

import sys
from collections.abc import Callable
from functools import partial
from itertools import islice
from time import process_time

from pitbook.shoe.record import CARDWISE, SEEDWISE, ShoeRecord, drawn, fresh
from pitbook.shoe.vault import Vault
from pitbook.text.english import counted

OPENED_MAX = {1: 0.001, 6: 0.005}  # Seconds.
TURNS, TIMES, CARDS = 7, 40, 20
VAULT = Vault(bytes(32))
SEEDS = {seat: f"{seat:024x}" for seat in range(1, 7)}


def main() -> int:
    quick = [_is_quick(decks) for decks in OPENED_MAX]
    return 0 if all(quick) else 1


def _is_quick(decks: int) -> bool:
    old, new = (partial(_opened, decks, form) for form in (SEEDWISE, CARDWISE))
    opened, before = _spent(new), _spent(old)
    dealt, dealt_before = (_spent(partial(_dealt, one())) for one in (new, old))
    told = [f"{1e6 * one:.0f}" for one in (opened, before, dealt, dealt_before)]
    print(f"{counted(decks, 'deck')}: opened in {told[0]} us (format 1: {told[1]}),", end=" ")
    print(f"{CARDS} cards dealt in {told[2]} us ({told[3]})")
    return opened <= OPENED_MAX[decks]


def _opened(decks: int, form: int) -> ShoeRecord:
    return fresh("committed", id="bench-shoe-000001", decks=decks, vault=VAULT, format=form)


def _dealt(shoe: ShoeRecord) -> None:
    for _ in islice(drawn(shoe, VAULT, SEEDS), CARDS):
        pass


def _spent(work: Callable[[], object]) -> float:
    """Seconds of the processor, once, in the best turn."""
    best = float("inf")
    for _ in range(TURNS):
        began = process_time()
        for _ in range(TIMES):
            work()
        best = min(best, (process_time() - began) / TIMES)
    return best


if __name__ == "__main__":
    sys.exit(main())
