"""CPU time of starting up, as a multiple of what an empty Python program takes.

All run in turn as separate processes, so that a busy moment slows each alike. The first round is
not counted, because it compiles every module. Later rounds read the byte code, as after an
installation, even if the environment tells Python not to write any.
"""

from __future__ import annotations

import os
import resource
import statistics
import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path
from tempfile import TemporaryDirectory

ROUNDS = 15
EMPTY = "python -c pass"
SHEET = "catfish-bend/mississippi-stud"


def main() -> int:
    commands = {EMPTY: [sys.executable, "-c", "pass"]}
    commands |= {name: command for name, (command, _) in limits().items()}
    seconds_by_name: dict[str, list[float]] = {name: [] for name in commands}
    with TemporaryDirectory() as folder:
        environment = {**os.environ, "PYTHONPYCACHEPREFIX": folder}
        environment.pop("PYTHONDONTWRITEBYTECODE", None)
        for _ in range(ROUNDS + 1):
            for name, command in commands.items():
                seconds_by_name[name].append(cpu_seconds(command, environment))
    medians = {name: statistics.median(times[1:]) for name, times in seconds_by_name.items()}
    print(f"CPU time, median of {ROUNDS} runs each, in turn")
    print(f"{EMPTY:<44}{medians[EMPTY] * 1e3:7.1f} ms")
    ratios = {name: medians[name] / medians[EMPTY] for name in limits()}
    for name, (_, limit) in limits().items():
        times = f"{medians[name] * 1e3:7.1f} ms{ratios[name]:7.1f} times"
        print(f"{name:<44}{times}; limit {limit}")
    return int(any(ratios[name] > limit for name, (_, limit) in limits().items()))


def limits() -> dict[str, tuple[list[str], float]]:
    """Each command with the largest multiple that it may take."""
    return {
        "import pitbook": ([sys.executable, "-c", "import pitbook"], 4),
        "pitbook --help": ([*pitbook(), "--help"], 13),
        f"pitbook math {SHEET}": ([*pitbook(), "math", SHEET], 20),
    }


def pitbook() -> list[str]:
    """The installed command, or the package if it is not installed."""
    script = Path(sys.executable).with_name("pitbook")
    return [str(script)] if script.exists() else [sys.executable, "-m", "pitbook"]


def cpu_seconds(command: list[str], environment: Mapping[str, str] | None = None) -> float:
    """The CPU time of a process, user and system."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    subprocess.run(command, check=True, stdout=subprocess.DEVNULL, env=environment)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return after.ru_utime - before.ru_utime + after.ru_stime - before.ru_stime


if __name__ == "__main__":
    sys.exit(main())
