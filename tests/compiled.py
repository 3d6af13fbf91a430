"""Machine code that many tests need, made once before they do: `python -m tests.compiled`.

Workers that meet a loop for the first time at the same moment would each compile it, and work
out the same tables; whoever comes later finds them on disk.
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
