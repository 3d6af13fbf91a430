"""All figures of a report as one document, kept on disk by the sheet's hash: made once, read often.

Nothing here is worded for a reader; names of hands are kept by their keys. What is exact comes from
`exact`, what is simulated says its seed, its count and its error.
"""

from __future__ import annotations

import json
import os
from collections.abc import Callable, Mapping
from contextlib import suppress
from functools import cache
from hashlib import sha256
from pathlib import Path
from typing import Any

from pitbook.exact.jit import cache_folder
from pitbook.exact.sheet_figures import math_document, wager_figures
from pitbook.exact.strategies import simpler_strategies
from pitbook.papers.report.changes import by_ante, by_decks, sensitivity
from pitbook.papers.report.short import card_document
from pitbook.papers.report.simulated import by_seats, confirmed
from pitbook.papers.report.strategies import strategy_document
from pitbook.sheets.digest import digest
from pitbook.sheets.model import Sheet
from pitbook.text import Sentence, say

PACKAGE = Path(__file__).parents[2]
MADE_BY = ("exact", "families", "game", "hands", "simulate")
HERE = ("changes.py", "measured.py", "short.py", "simulated.py", "strategies.py")

STEPS = ("mathematics", "strategy", "limits", "sensitivity", "simulation")

HearStep = Callable[[str], None]  # Hears which step is being worked out.


def measured(sheet: Sheet, told: HearStep = lambda _: None) -> dict[str, Any]:
    """Every figure of a sheet's report; from disk where they were worked out before."""
    if (kept := _kept(sheet)) is not None:
        return _read(kept)
    text, path = json.dumps(_document(sheet, told)), _path(sheet)
    if path is not None:
        with suppress(OSError):  # A full disk costs time, not figures.
            _write(path, text)
    return _read(text)


def _read(text: str) -> dict[str, Any]:
    found: dict[str, Any] = json.loads(text, object_hook=_said_again)
    return found


def _written(part: Any) -> Any:
    """A strategy's plain values, with its sentences by their keys: any language reads them."""
    if isinstance(part, Sentence) and part.key:
        return {"say": part.key, "with": _written(part.fields)}
    if isinstance(part, Mapping):
        return {name: _written(one) for name, one in part.items()}
    return [_written(one) for one in part] if isinstance(part, list | tuple) else part


def _said_again(part: dict[str, Any]) -> Any:
    if part.keys() != {"say", "with"}:
        return part
    fields = part["with"].items()
    return say(part["say"], **{k: tuple(v) if isinstance(v, list) else v for k, v in fields})


def is_kept(sheet: Sheet) -> bool:
    """Whether a sheet's figures are on disk already."""
    return _kept(sheet) is not None


def _kept(sheet: Sheet) -> str | None:
    """A sheet's figures on disk; None if there are none or their checksum is wrong."""
    path = _path(sheet)
    if path is None:
        return None
    try:
        checksum, _, text = path.read_text(encoding="utf-8").partition("\n")
    except (OSError, ValueError):
        return None
    return text if checksum == _checksum(text) else None


def _checksum(text: str) -> str:
    return sha256(text.encode()).hexdigest()


def _document(sheet: Sheet, told: HearStep) -> dict[str, Any]:
    told("mathematics")
    document: dict[str, Any] = {"math": math_document(sheet), "skewness": _skewness(sheet)}
    told("strategy")
    strategy = strategy_document(sheet)
    document["strategy"] = _written(strategy)
    document["card"] = _written(card_document(sheet, strategy))
    document["simpler"] = {name: str(cost) for name, cost in simpler_strategies(sheet)}
    told("limits")
    document["by_ante"] = by_ante(sheet)
    document["by_decks"] = by_decks(sheet)
    told("sensitivity")
    document["sensitivity"] = sensitivity(sheet)
    told("simulation")
    document["by_seats"] = by_seats(sheet)
    document["confirmed"] = confirmed(sheet)
    return document


def _skewness(sheet: Sheet) -> dict[str, float]:
    return {name: wager_figures(sheet, name).skewness for name in ("main", *sheet.side)}


def _path(sheet: Sheet) -> Path | None:
    place = _folder()
    return place and place / f"{digest(sheet)}.figures"


@cache
def _folder() -> Path | None:
    files = [path for room in MADE_BY for path in sorted((PACKAGE / room).rglob("*.py"))]
    return cache_folder(
        "reports", PACKAGE, [*files, *(Path(__file__).with_name(one) for one in HERE)]
    )


def _write(path: Path, text: str) -> None:
    """Whole or not at all, below a line with the checksum."""
    part = path.with_name(f".{path.stem}.{os.getpid()}.part")
    try:
        part.write_text(f"{_checksum(text)}\n{text}", encoding="utf-8")
        part.replace(path)
    finally:
        part.unlink(missing_ok=True)
