"""Private memory of a server after a guest has opened and practiced every bundled game.

Starts `pitbook serve` with empty data and cache folders, so that nothing is cached, and asks
everything that a visitor can ask about each game: rules, figures, strategy, lab, bankroll, and
rounds of practice with a hint at every decision. Fails if the server keeps more than the limit.

 python -m benchmarks.memory
 python -m benchmarks.memory --steps classic/casino-holdem
"""

from __future__ import annotations

import argparse
import statistics
import sys
import tempfile
from contextlib import ExitStack
from pathlib import Path

import httpx
from tests.house.web.visitor import Visitor, bundled_sheets, run_cold_server

LIMIT = 300.0  # MiB
ROUNDS = 5


def main() -> int:
    options = _parse_options()
    sheets = options.sheets or bundled_sheets()
    with ExitStack() as stack:
        folder = Path(stack.enter_context(tempfile.TemporaryDirectory(prefix="pitbook-")))
        server = stack.enter_context(run_cold_server(folder))
        print(f"{'start':<10}{server.private():>6.0f} MiB", flush=True)

        def step(name: str) -> None:
            if options.steps:
                print(f"  {sheet:<36}{name:<12}{server.private():>6.0f} MiB", flush=True)

        with server.client() as http:
            visitor = Visitor(http, step)
            for sheet in sheets:
                visitor.show(sheet)
            print(f"{'shown':<10}{server.private():>6.0f} MiB", flush=True)
            for sheet in sheets:
                visitor.coach(sheet)
            private_mib = server.private()
            print(f"{'coached':<10}{private_mib:>6.0f} MiB (limit {LIMIT:.0f})", flush=True)
        waits = [wait for sheet in sheets for wait in _hints(server.client(), sheet)]
        print(f"{'peak':<10}{server.peak:>6.0f} MiB, for the time of one computation")
        summary = f"half {1e3 * statistics.median(waits):.0f} ms, all {1e3 * max(waits):.0f} ms"
        print(f"warm hints: {len(waits)}, {summary}")
    return 0 if private_mib <= LIMIT else 1


def _parse_options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else "")
    parser.add_argument("sheets", nargs="*", metavar="SHEET", help="all bundled sheets by default")
    parser.add_argument("--steps", action="store_true", help="print the memory after every step")
    return parser.parse_args()


def _hints(http: httpx.Client, sheet: str) -> list[float]:
    """Seconds per hint for a second guest, after everything has been computed."""
    with http:
        return Visitor(http).hints(sheet, ROUNDS)


if __name__ == "__main__":
    sys.exit(main())
