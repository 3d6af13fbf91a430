"""Rounds against a dealer's hand, written as cards and settled by the engine."""

from __future__ import annotations

from typing import Any

import pitbook
from pitbook.rules.round import Round
from pitbook.rules.round_file import RoundFile, settle
from pitbook.rules.settlement_lines import Line
from pitbook.sheets.model import Sheet


def play_round(
    sheet: str | Sheet,
    cards: str,
    dealer: str,
    *plays: str,
    community: str | None = None,
    ante: str = "10",
    **side: str,
) -> Round:
    """The finished round of one hand at seat 1."""
    loaded = pitbook.load(sheet) if isinstance(sheet, str) else sheet
    wagers = {"ante": ante, **{name.replace("_", "-"): stake for name, stake in side.items()}}
    file: dict[str, Any] = {
        "sheet": loaded.id,
        "dealer": dealer.split(),
        "seats": [{"seat": 1, "wagers": wagers, "cards": cards.split(), "play": list(plays)}],
    }
    if community is not None:
        file["community"] = community.split()
    return settle(RoundFile.model_validate(file), lambda _: loaded)


def nets(round: Round) -> dict[str, int]:
    """The net of each wager of seat 1, in cents."""
    (hand,) = round.settlements
    return {line.wager: line.net for line in hand.lines}


def line(round: Round, wager: str) -> Line:
    """One wager's line of seat 1."""
    (hand,) = round.settlements
    return next(wager_line for wager_line in hand.lines if wager_line.wager == wager)
