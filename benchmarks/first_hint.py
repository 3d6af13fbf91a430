"""The first hint of every bundled game on a new machine.

Each game gets its own process, without Numba and with an empty cache folder: nothing is compiled
or stored. Times are CPU seconds from the dealt hand to the hint, and include the tables that only
the first hint builds; loading Python and its packages is printed beside them. For a changed
hold'em sheet the hint is one after the flop.

 python -m benchmarks.first_hint
"""

from __future__ import annotations

import subprocess
import sys
import tempfile

SECONDS_MAX = 1.0
PROGRAM = """
import sys
from importlib.abc import MetaPathFinder
class WithoutNumba(MetaPathFinder):
    def find_spec(self, name, path=None, target=None):
        if name.split(".")[0] == "numba":
            raise ModuleNotFoundError(name)
sys.meta_path.insert(0, WithoutNumba())
from datetime import date
from time import process_time
from pitbook.coach.practice_hands import hand, hand_numbers, only_seat
from pitbook.coach.verdicts import weigh
from pitbook.exact.advice import advise
from pitbook.rules.game import compile_game
from pitbook.sheets.edit import change_sheet
from pitbook.sheets.library import Library
name, changed = sys.argv[1], sys.argv[2] == "changed"
sheet = Library().load(name, date(2026, 1, 1))
if changed:
    sheet = change_sheet(sheet, {"main.pays.four-of-a-kind": "12:1"})
game = compile_game(sheet)
if changed:
    from pitbook.cards import cards
    checks = ["check" for stage in game.stages if stage.plays and not stage.opens[1]]
loaded = process_time()
if changed:
    advice = advise(sheet, cards("As Kd"), cards("Ah 9c 4d"), checks)
else:
    round = hand(game, "first", hand_numbers(game, "first")[0])
    advice = weigh(round, only_seat(round))
print(loaded, process_time() - loaded)
"""


def main() -> int:
    slow = []
    cases = [(name, "bundled") for name in bundled_names()]
    cases += [(name, "changed") for name, _ in cases if "holdem" in name]
    for name, kind in cases:
        loaded, seconds = first_hint(name, kind)
        limits = f"at most {SECONDS_MAX:.0f}; {loaded:.2f} s to load"
        print(f"{name:<40}{kind:<9}{seconds:6.2f} s, {limits}")
        slow += [name] if seconds > SECONDS_MAX else []
    print(f"too slow: {', '.join(slow)}" if slow else "all within their limits")
    return 1 if slow else 0


def first_hint(name: str, kind: str) -> tuple[float, float]:
    """CPU seconds to load a game, and of its first hint."""
    with tempfile.TemporaryDirectory(prefix="pitbook-") as cache:
        result = subprocess.run(
            [sys.executable, "-c", PROGRAM, name, kind],
            env={"XDG_CACHE_HOME": cache, "PATH": "/usr/bin:/bin"},
            check=True,
            capture_output=True,
            text=True,
        )
    loaded, seconds = map(float, result.stdout.split())
    return loaded, seconds


def bundled_names() -> list[str]:
    from pitbook.sheets.library import BUNDLED  # noqa: PLC0415

    files = sorted(BUNDLED.rglob("*.toml"))
    return [path.relative_to(BUNDLED).with_suffix("").as_posix() for path in files]


if __name__ == "__main__":
    sys.exit(main())
