"""The cost of a fair shoe: committed card by card before the bets, dealt by the seats' seeds.

A table opens a shoe right after settling a round, so every player waits for it. CPU time is
measured, the best of several turns; opening must stay under its limit.
"""

from __future__ import annotations

import sys
from collections.abc import Callable
from functools import partial
from itertools import islice
from time import process_time

from pitbook.shoe.crypto import Vault
from pitbook.shoe.stored_shoe import ShoeKind, ShoeRecord, draw_cards, new_shoe
from pitbook.text.english import count_noun

OPENED_MAX = {1: 0.001, 6: 0.005}  # Seconds.
TURNS, TIMES, CARDS = 7, 40, 20
VAULT = Vault(bytes(32))
SEEDS = {seat: f"{seat:024x}" for seat in range(1, 7)}


def main() -> int:
    quick = [_is_quick(decks) for decks in OPENED_MAX]
    return 0 if all(quick) else 1


def _is_quick(decks: int) -> bool:
    open_seconds, deal_seconds = _seconds(decks, "committed")
    system_open_seconds, system_deal_seconds = _seconds(decks, "system")
    print(f"{count_noun(decks, 'deck')}: opened in {open_seconds * 1e6:.0f} us", end=" ")
    print(f"(without a commitment: {system_open_seconds * 1e6:.0f}),", end=" ")
    print(f"{CARDS} cards dealt in {deal_seconds * 1e6:.0f} us ({system_deal_seconds * 1e6:.0f})")
    return open_seconds <= OPENED_MAX[decks]


def _seconds(decks: int, kind: ShoeKind) -> tuple[float, float]:
    """Seconds to open a shoe, and to deal from it."""
    make = partial(new_shoe, kind, id="bench-shoe-000001", decks=decks, vault=VAULT)
    return _cpu_seconds(make), _cpu_seconds(partial(_deal_cards, make()))


def _deal_cards(shoe: ShoeRecord) -> None:
    for _ in islice(draw_cards(shoe, VAULT, SEEDS), CARDS):
        pass


def _cpu_seconds(work: Callable[[], object]) -> float:
    """CPU seconds of one call, in the best turn."""
    best = float("inf")
    for _ in range(TURNS):
        start = process_time()
        for _ in range(TIMES):
            work()
        best = min(best, (process_time() - start) / TIMES)
    return best


if __name__ == "__main__":
    sys.exit(main())
