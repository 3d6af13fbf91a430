"""`pitbook play`: the table as text, with somebody who types keys at random."""

from __future__ import annotations

from tests.golden_record import shelf
from tests.golden_record.adapter import asked, body_of
from tests.golden_record.kinds import Kind, Made
from tests.golden_record.tables import SHEETS

KEYS = {"stud": ("1", "2", "3", "0", "f", "h", "1", "1"), "hi-lo": ("l", "h", "d", "a", "l", "h")}


def typed(sheet: str, name: str) -> Made:
    """What a person reads who types so."""
    luck = shelf.luck("terminal", sheet, name)
    keys = KEYS["stud" if "streets" in body_of(sheet) else "hi-lo"]
    lines = [luck.choice((*keys, *keys, *keys, "", "", "c", "k", "b", "5", "?")) for _ in range(50)]
    arguments = ("play", sheet, "--seats", name, "--seed", f"golden {name}", "--bankroll", "5000")
    return {"text": asked(*arguments, typed="\n".join((*lines, "q", "")))}


KINDS = (Kind("terminal", lambda: SHEETS, lambda batch: ["1", "2"], typed, batches_sampled=4),)
