"""Loading and checking a rule sheet, warm, compared with plain tomllib on the same text.

tomllib only parses; Pitbook also checks every field, calculates the largest payout that a round
can owe, and locates each notice in the text.
"""

from __future__ import annotations

import sys
import tomllib
from collections.abc import Callable
from time import perf_counter

from pitbook.sheets.findings import errors
from pitbook.sheets.library import BUNDLED
from pitbook.sheets.load import examine_file

ROUNDS = 7
MILLISECONDS_MAX = 50


def main() -> int:
    print(f"best of {ROUNDS}, after one run to warm up; each must stay under {MILLISECONDS_MAX} ms")
    times = []
    for path in sorted(BUNDLED.rglob("*.toml")):
        text = path.read_text(encoding="utf-8")
        assert not errors(examine_file(path).findings), path
        pitbook_ms = best(lambda path=path: examine_file(path))  # type: ignore[misc]
        plain_ms = best(lambda text=text: tomllib.loads(text))  # type: ignore[misc]
        times.append(pitbook_ms)
        name = path.relative_to(BUNDLED).with_suffix("").as_posix()
        print(
            f"{name:<32}{pitbook_ms:7.1f} ms"
            f"{pitbook_ms / plain_ms:8.1f} x tomllib ({plain_ms:.2f} ms)"
        )
    return 0 if max(times) < MILLISECONDS_MAX else 1


def best(run: Callable[[], object]) -> float:
    return min(time_run(run) for _ in range(ROUNDS)) * 1e3


def time_run(run: Callable[[], object]) -> float:
    start = perf_counter()
    run()
    return perf_counter() - start


if __name__ == "__main__":
    sys.exit(main())
