"""Which wins a limit counts: asked by the checks, the settlement and the mathematics alike."""

from __future__ import annotations

from collections.abc import Iterator

from pitbook.money import Odds
from pitbook.sheets.model import Sheet
from pitbook.sheets.parts import Limit
from pitbook.sheets.pays import all_pay_tables


def falls_under(limit: Limit, wager: str, line: str, pay: Odds) -> bool:
    """Whether a win counts towards a limit; the main game's wager is "main"."""
    if limit.counts is None:
        return True
    if limit.counts.odds_at_least is not None:
        return limit.counts.odds_at_least <= pay
    return limit.counts.lines is not None and line in limit.counts.lines.get(wager, ())


def counted(sheet: Sheet, limit: Limit) -> Iterator[tuple[str, str, Odds]]:
    """The winning lines that fall under a limit: wager, line, odds."""
    for wager, pays in all_pay_tables(sheet).items():
        for line, pay in pays.items():
            if isinstance(pay, Odds) and falls_under(limit, wager, line, pay):
                yield wager, line, pay
