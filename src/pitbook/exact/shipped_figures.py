"""Figures of the bundled sheets, computed in advance and shipped with the package.

`make figures` writes them. They are stored by method version and rules hash, so a changed sheet
or a changed method never reads them.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from fractions import Fraction
from functools import lru_cache
from pathlib import Path
from typing import Any
from zipfile import BadZipFile, ZipFile

from pitbook.exact.outcome_figures import FigureRow, Figures, Units, WagerResult
from pitbook.sheets.hashes import digest
from pitbook.sheets.model import Sheet

METHOD_VERSION = 1  # Raise it if a method gives other figures for the same rules.
ARCHIVE = Path(__file__).with_name("precomputed.zip")

_FRESH: ContextVar[bool] = ContextVar("fresh", default=False)


@contextmanager
def computed_afresh() -> Iterator[None]:
    """Compute everything inside as if nothing were precomputed."""
    token = _FRESH.set(True)
    try:
        yield
    finally:
        _FRESH.reset(token)


def member_name(rules_hash: str, name: str) -> str:
    """The place of a document in the archive."""
    return f"v{METHOD_VERSION}/{rules_hash}/{name}.json"


def read_precomputed(sheet: Sheet, name: str) -> Any:
    """A document about a sheet, or None if it is not a bundled one. Read it, but do not change it.

    Small documents are cached.
    """
    if _FRESH.get():
        return None
    member = member_name(digest(sheet), name)
    if member not in _member_names():
        return None
    return _read_cached(member) if name in CACHED else _read(member)


FIGURES, INDEX = "figures", "index"  # The names of small documents.
CACHED = (FIGURES, INDEX)
REPORT = "report"  # All figures of a printed report.


@lru_cache(maxsize=1)
def _member_names() -> frozenset[str]:
    try:
        with ZipFile(ARCHIVE) as archive:
            return frozenset(archive.namelist())
    except (OSError, BadZipFile):  # Everything is computed then.
        return frozenset()


def _read(member: str) -> Any:
    with ZipFile(ARCHIVE) as archive:
        return json.loads(archive.read(member))


_read_cached = lru_cache(maxsize=32)(_read)


def precomputed_figures(sheet: Sheet, wager: str) -> Figures | None:
    """The figures of a wager without payout limits, or None."""
    document = read_precomputed(sheet, FIGURES)
    return None if document is None else decode_figures(document["wagers"][wager])


def precomputed_fold_rates(sheet: Sheet) -> dict[str, Fraction] | None:
    """How often best play folds on each street; None if the game has no fold."""
    document = read_precomputed(sheet, FIGURES)
    if document is None or document["fold_rates"] is None:
        return None
    return {street: Fraction(rate) for street, rate in document["fold_rates"].items()}


def encode_figures(figures: Figures) -> list[Any]:
    """The figures as JSON."""
    return [
        [
            *_encode_result(row.outcome, row.units, row.result, row.net),
            row.count,
            [
                [wager.wager, *_encode_result(*wager[1:])]
                for wager in row.wagers
            ],
        ]
        for row in figures.rows
    ]  # fmt: skip


def _encode_result(outcome: str, units: Units, result: str, net: Fraction) -> list[Any]:
    return [str(outcome), str(units), result, str(net)]


def decode_figures(rows: list[Any]) -> Figures:
    """The figures from JSON."""
    decoded = tuple(
        FigureRow(
            *_decode_result(*result),
            count,
            tuple(WagerResult(wager, *_decode_result(*ending)) for wager, *ending in wagers),
        )
        for *result, count, wagers in rows
    )
    return Figures(decoded, sum(row.count for row in decoded))


def _decode_result(
    outcome: str, units: str, result: str, net: str
) -> tuple[str, Units, str, Fraction]:
    return outcome, int(units) if units.isdigit() else Fraction(units), result, Fraction(net)
