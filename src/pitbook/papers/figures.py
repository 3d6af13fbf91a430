"""All figures of a report as one document, stored by the sheet's hash."""

from __future__ import annotations

import json
import os
from collections.abc import Callable, Mapping
from contextlib import suppress
from fractions import Fraction
from functools import cache
from hashlib import sha256
from pathlib import Path
from typing import Any

from pitbook.errors import PitbookError
from pitbook.exact.compare import edge_of, with_pays
from pitbook.exact.jit import cache_folder
from pitbook.exact.methods.choose import choose_method
from pitbook.exact.sheet_figures import math_document, wager_figures
from pitbook.exact.strategies import simpler_strategies
from pitbook.money import Cents, Odds, money
from pitbook.papers.simulation import by_seats, confirmed
from pitbook.papers.strategies import card_document, strategy_document
from pitbook.sheets.changed import changed
from pitbook.sheets.digest import digest
from pitbook.sheets.model import Sheet
from pitbook.sheets.parts import Stake
from pitbook.sheets.pays import pays_of
from pitbook.text import Sentence, say

DECKS = (1, 2, 4, 6, 8)
ANTES = (1, 2, 5, 10, 20, 50, 100)  # Times the smallest.


def by_ante(sheet: Sheet) -> list[dict[str, Any]]:
    """The main game's edge at some antes with every cap, one seat in play; nothing without caps."""
    if not sheet.limits:
        return []
    found = []
    for ante in _stakes(sheet.main_wager):
        with suppress(PitbookError):  # Too large to work out anew for every ante.
            found.append({"ante": money(ante), "edge": str(edge_of(sheet, "main", ante))})
    return found


def _stakes(stake: Stake) -> list[Cents]:
    """All that may be wagered where they are few, else some of them."""
    every = range(stake.min, stake.max + 1, stake.step)
    if len(every) <= len(ANTES):
        return [Cents(one) for one in every]
    some = [Cents(stake.min * times) for times in ANTES if stake.min * times < stake.max]
    return [one for one in some if not one % stake.step] + [stake.max]


def by_decks(sheet: Sheet) -> list[dict[str, Any]]:
    """Every wager's edge with other numbers of decks, where the game has several."""
    if sheet.deck.decks == 1:
        return []
    found = []
    for decks in sorted({*DECKS, sheet.deck.decks}):
        with suppress(PitbookError):  # Fewer decks may not hold what the table pays for.
            other = changed(sheet, {"deck.decks": decks})
            edges = {name: str(edge_of(other, name)) for name in ("main", *sheet.side)}
            found.append({"decks": decks, "edges": edges})
    return found


def sensitivity(sheet: Sheet) -> dict[str, dict[str, str]]:
    """By wager and line, the change of the edge by one to one more, best play worked out anew."""
    return {
        wager: {
            line: str(_edge(_one_more(sheet, wager, line, pay), wager) - _edge(sheet, wager))
            for line, pay in pays_of(sheet, wager).items()
            if isinstance(pay, Odds)
        }
        for wager in ("main", *sheet.side)
    }


def _one_more(sheet: Sheet, wager: str, line: str, pay: Odds) -> Sheet:
    more = Odds(pay.to + pay.one, pay.one)
    return with_pays(sheet, wager, {**pays_of(sheet, wager), line: more})


def _edge(sheet: Sheet, wager: str) -> Fraction:
    """Nothing is kept: nobody will ask for such a pay table again."""
    if wager != "main":
        return edge_of(sheet, wager)
    game, method = choose_method(sheet)
    return -method.expected(game, None)


PACKAGE = Path(__file__).parents[1]
MADE_BY = ("exact", "hands", "rules", "simulate")
HERE = ("figures.py", "simulation.py", "strategies.py")

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
