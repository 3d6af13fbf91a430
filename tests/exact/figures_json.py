"""The JSON of exact figures, as `pitbook math --json` prints it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from pitbook.exact.sheet_figures import game_figures
from pitbook.money import Cents
from pitbook.sheets.model import Sheet


def math_document(
    sheet: Sheet,
    *,
    ante: Cents | None = None,
    wager: str | None = None,
    side: Mapping[str, Cents] | None = None,
    seats: int = 1,
) -> dict[str, Any]:
    """The figures of every wager or of one, and of the whole round if there are side stakes."""
    return game_figures(sheet, ante=ante, wager=wager, side=side, seats=seats).document()
