"""Rounds settled: played by hand from what is offered, and written down as round files."""

from __future__ import annotations

from typing import Any

from tests.golden_record import shelf
from tests.golden_record.adapter import Json, refused, sheet_of
from tests.golden_record.kinds import Kind, Made, numbered
from tests.golden_record.round_files import drawn
from tests.golden_record.walk import walked

import pitbook

WALKED, FILED = 50, 800  # Of each sheet; 2,600 and 17,600 in all.
WALKED_MORE, FILED_LESS = 200, 200  # A round file cannot tell of streets that turn no card.


def by_hand(sheet: str, name: str) -> Made:
    """A round from offers alone: what was done, offered, refused, settled and told."""
    luck = shelf.luck("rounds", sheet, name)
    played, offered, wrong = walked(sheet, luck, mishaps=int(name) % 2 == 1)
    settled = pitbook.replay(played.stored())
    return {
        "actions": played.actions,
        "settled": dict(settled),
        "told": list(settled.transcript),
        "offers": offered,
        "refused": wrong,
    }


def by_file(sheet: str, name: str) -> Made:
    """A round file, what it settles to, or why not."""
    document = drawn(sheet, shelf.luck("files", sheet, name))
    found: list[Any] = []
    answer = refused(lambda: found.append(pitbook.settle(document, sheet=sheet_of(sheet))))
    made: Made = {"file": document, "settled": dict(found[0]) if found else answer}
    return made | (_words(found[0]) if found and int(name) % 10 == 0 else {})


def _words(settled: Any) -> Json:
    return {"told": list(settled.transcript), "words": str(settled)}


def walks(sheet: str) -> list[str]:
    """Rounds by hand."""
    return numbered(WALKED_MORE if shelf.turns_nothing(sheet) else WALKED)(sheet)


def files(sheet: str) -> list[str]:
    """Round files."""
    return numbered(FILED_LESS if shelf.turns_nothing(sheet) else FILED)(sheet)


KINDS = (
    Kind("rounds", shelf.ids, walks, by_hand, keep=10, batches_sampled=14),
    Kind("files", shelf.ids, files, by_file, keep=30, sample=14),
)
