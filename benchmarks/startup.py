"""How long `pitbook sheets list` takes from the shell, compared with the minimum for any command.

All run in turn as separate processes, so that a busy moment slows each alike. The first round is
not counted, because it may have to compile.
"""

from __future__ import annotations

import statistics
import subprocess
import sys
from pathlib import Path
from time import perf_counter

ROUNDS = 15
SECONDS_MAX = 0.5

OURS = "pitbook sheets list"
PEERS = {"python -c pass": "pass", "import typer, pydantic": "import typer, pydantic"}


def main() -> int:
    runs = {name: [sys.executable, "-c", code] for name, code in PEERS.items()}
    runs[OURS] = [*pitbook(), "sheets", "list"]
    seconds_by_run: dict[str, list[float]] = {name: [] for name in runs}
    for _ in range(ROUNDS + 1):
        for name, command in runs.items():
            seconds_by_run[name].append(seconds(command))
    medians = {name: statistics.median(times[1:]) for name, times in seconds_by_run.items()}
    print(f"median of {ROUNDS} runs each, in turn")
    for name, median in medians.items():
        print(f"{name:<24}{median * 1e3:8.0f} ms{medians[OURS] / median:8.1f} x in ours")
    return verdict(medians[OURS])


def verdict(median: float) -> int:
    print(f"{OURS} takes {median:.2f} s; it must stay under {SECONDS_MAX} s")
    return 0 if median < SECONDS_MAX else 1


def pitbook() -> list[str]:
    """The installed command, or the package if it is not installed."""
    script = Path(sys.executable).with_name("pitbook")
    return [str(script)] if script.exists() else [sys.executable, "-m", "pitbook"]


def seconds(command: list[str]) -> float:
    start = perf_counter()
    subprocess.run(command, check=True, stdout=subprocess.DEVNULL)
    return perf_counter() - start


if __name__ == "__main__":
    sys.exit(main())
