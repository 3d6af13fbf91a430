"""The mathematics of a sheet as one document: what commands, pages and papers show."""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from typing import Any

from pitbook.errors import PitbookError
from pitbook.exact.figures import Figures
from pitbook.exact.methods.chosen import chosen
from pitbook.exact.sides import side_figures
from pitbook.exact.spots import Spot, stakes_checked
from pitbook.money import Cents, money
from pitbook.sheets.aloud.shoe import figured_shoe
from pitbook.sheets.digest import digest
from pitbook.sheets.findings import did_you_mean
from pitbook.sheets.model import Sheet
from pitbook.sheets.ours import of_wager, word
from pitbook.text import say

TIES = {"smallest-bet": "smallest bet", "largest-bet": "largest bet", "fold": "fold"}


class MathError(PitbookError):
    """A question that the mathematics cannot answer; its text says why."""


def mathematics(
    sheet: Sheet,
    *,
    ante: Cents | None = None,
    wager: str | None = None,
    side: Mapping[str, Cents] | None = None,
    seats: int = 1,
) -> dict[str, Any]:
    """Figures of every wager (or of one), and of the whole round where side wagers are chosen.

    With an ante the caps apply; `side` are stakes in cents beside that ante, or beside one dollar.
    """
    _asked(sheet, wager, seats, ante)
    stakes_checked(sheet, Spot((), ante=ante, side=side or {}))
    wagers = ("main", *sheet.side) if wager is None else (wager,)
    document: dict[str, Any] = {
        "sheet": sheet.id,
        "hash": digest(sheet),
        "assumptions": {
            "ante": None if ante is None else money(ante),
            "limits": ante is not None,
            "seats": seats,
            "ties": TIES[sheet.best_play.ties.value],
            "play": "best",
            **_shoe(sheet),
        },
        "wagers": {
            name: wager_document(sheet, name, ante, (side or {}).get(name) if ante else None)
            for name in wagers
        },
    }
    if side:
        document["round"] = whole_round(sheet, ante, side).document()
        document["assumptions"]["side"] = {name: money(stake) for name, stake in side.items()}
    return with_marks(sheet, document)


def with_marks(sheet: Sheet, document: dict[str, Any]) -> dict[str, Any]:
    """The document with a word at every wager whose pay table is our choice; empty elsewhere.

    A sheet's hash leaves marks out, so they are put to figures that are kept by it at the end.
    """
    wagers = {
        name: {**figures, "ours": word(of_wager(sheet, name))}
        for name, figures in document["wagers"].items()
    }
    return {**document, "wagers": wagers}


def _shoe(sheet: Sheet) -> dict[str, str]:
    said = figured_shoe(sheet)
    return {} if said is None else {"shoe": said}


def wager_document(
    sheet: Sheet, wager: str, ante: Cents | None = None, stake: Cents | None = None
) -> dict[str, Any]:
    """The figures of one wager, the main game's with its fold rates."""
    found = wager_figures(sheet, wager, ante, stake).document()
    game, method = chosen(sheet)
    if wager == "main" and method.fold_rates is not None:
        rates = method.fold_rates(game, ante)
        found["fold_rate"] = {street: float(rate) for street, rate in rates.items()}
    return found


def wager_figures(
    sheet: Sheet, wager: str, ante: Cents | None = None, stake: Cents | None = None
) -> Figures:
    """The figures of the main game under best play, or of a side wager."""
    if wager != "main":
        capped = stake if stake is not None else (sheet.side[wager].stake.min if ante else None)
        return side_figures(sheet, wager, capped)
    game, method = chosen(sheet)
    return method.kept_figures(game, ante)


def whole_round(
    sheet: Sheet, ante: Cents | None, side: Mapping[str, Cents], *, room: int | None = None
) -> Figures:
    """The main game and the chosen side wagers together, in antes (or Bets).

    `room` is how many of them the player has left to bet with; None is enough for any bet.
    """
    game, method = chosen(sheet)
    return method.whole_round(game, ante, side, room)


def prose_worth(sheet: Sheet) -> Fraction | None:
    """What the prose would change in the house edge where it contradicts the pay table (OMS-7)."""
    prose = sheet.main.prose
    if prose is None:
        return None

    def expected(decides: str) -> Fraction:
        told = prose.model_copy(update={"decides": decides})
        main = sheet.main.model_copy(update={"prose": told})
        game, method = chosen(sheet.model_copy(update={"main": main}))
        return method.kept(game, None, None)

    return expected("pays") - expected("prose")


def _asked(sheet: Sheet, wager: str | None, seats: int, ante: Cents | None) -> None:
    known = ("main", *sheet.side)
    if wager is not None and wager not in known:
        remedy = did_you_mean(wager, known)
        raise MathError(say("exact.no-wager", wager=wager, remedy=remedy))
    if not 1 <= seats <= sheet.seats.count:
        raise MathError(say("exact.seats", most=sheet.seats.count, given=seats))
    shared = any(limit.per == "round" for limit in sheet.limits)
    if seats > 1 and ante is not None and shared:
        raise MathError(say("exact.shared-cap"))


__all__ = [
    "MathError",
    "mathematics",
    "prose_worth",
    "wager_figures",
    "whole_round",
    "with_marks",
]
