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

from pitbook.shoe.record import ShoeKind, ShoeRecord, drawn, fresh
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
    opened, dealt = _seconds(decks, "committed")
    by_seed, by_seed_dealt = _seconds(decks, "system")
    print(f"{counted(decks, 'deck')}: opened in {opened * 1e6:.0f} us", end=" ")
    print(f"(without a commitment: {by_seed * 1e6:.0f}),", end=" ")
    print(f"{CARDS} cards dealt in {dealt * 1e6:.0f} us ({by_seed_dealt * 1e6:.0f})")
    return opened <= OPENED_MAX[decks]


def _seconds(decks: int, kind: ShoeKind) -> tuple[float, float]:
    """Seconds to open a shoe, and to deal from it."""
    make = partial(fresh, kind, id="bench-shoe-000001", decks=decks, vault=VAULT)
    return _spent(make), _spent(partial(_dealt, make()))


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
