"""`pitbook play`: the terminal output for random keys."""

from __future__ import annotations

from tests.golden_record import shelf
from tests.golden_record.adapter import body_of, run_command
from tests.golden_record.kinds import ItemParts, Kind
from tests.golden_record.tables import SHEETS

KEYS = {"stud": ("1", "2", "3", "0", "f", "h", "1", "1"), "hi-lo": ("l", "h", "d", "a", "l", "h")}


def record_terminal(sheet: str, name: str) -> ItemParts:
    """The output for a sequence of random keys."""
    rng = shelf.seeded_random("terminal", sheet, name)
    keys = KEYS["stud" if "streets" in body_of(sheet) else "hi-lo"]
    lines = [rng.choice((*keys, *keys, *keys, "", "", "c", "k", "b", "5", "?")) for _ in range(50)]
    arguments = ("play", sheet, "--seats", name, "--seed", f"golden {name}", "--bankroll", "5000")
    return {"text": run_command(*arguments, typed="\n".join((*lines, "q", "")))}


KINDS = (
    Kind("terminal", lambda: SHEETS, lambda batch: ["1", "2"], record_terminal, batches_sampled=4),
)
