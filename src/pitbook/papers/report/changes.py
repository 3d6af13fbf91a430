"""What the house edge becomes with another ante under caps, other decks, or another pay."""

from __future__ import annotations

from contextlib import suppress
from fractions import Fraction
from typing import Any

from pitbook.errors import PitbookError
from pitbook.exact.compare import edge_of, with_pays
from pitbook.exact.methods.choose import choose_method
from pitbook.money import Cents, Odds, money
from pitbook.sheets.changed import changed
from pitbook.sheets.model import Sheet
from pitbook.sheets.parts import Stake
from pitbook.sheets.pays import pays_of

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
