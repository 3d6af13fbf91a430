"""Compile code that many tests need, before the tests: `python -m tests.compile_kernels`.

Otherwise parallel workers would each compile the same loops and compute the same tables; later
workers find them on disk.
"""

from __future__ import annotations

import pitbook

SHEETS = (
    "catfish-bend/matchem-hi-lo",
    "catfish-bend/mississippi-stud",
    "louisiana-stud/stax-required",
    "pennsylvania/three-card-poker",
    "pennsylvania/ultimate-texas-holdem",
    "pennsylvania/four-card-poker",
)


def main() -> None:
    for name in SHEETS:
        sheet = pitbook.load(name)
        pitbook.simulate(sheet, rounds=10, seed=1)
        pitbook.simulate(sheet, rounds=10, seed=1, seats=2)


if __name__ == "__main__":
    main()
