"""The exact figures of a sheet: every wager, and the whole round.

NumPy and the methods are imported when something is computed: the figures of a bundled sheet are
stored.
"""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction

from pitbook.errors import PitbookError
from pitbook.exact.outcome_figures import Figures
from pitbook.exact.shipped_figures import precomputed_figures, precomputed_fold_rates
from pitbook.money import Cents
from pitbook.sheets.model import Sheet
from pitbook.text import say
from pitbook.text.user_input import did_you_mean


class MathError(PitbookError):
    """A question that the exact figures cannot answer; its text says why."""


def wager_figures(
    sheet: Sheet, wager: str, ante: Cents | None = None, stake: Cents | None = None
) -> Figures:
    """The figures of the main game under best play, or of a side wager."""
    if ante is None and stake is None and (stored := precomputed_figures(sheet, wager)):
        return stored
    from pitbook.exact.methods.choose import choose_method  # noqa: PLC0415  Imports NumPy.
    from pitbook.exact.side_wagers import side_figures  # noqa: PLC0415

    if wager != "main":
        capped_stake = (
            stake if stake is not None else (sheet.side[wager].stake.min if ante else None)
        )
        return side_figures(sheet, wager, capped_stake)
    game, method = choose_method(sheet)
    return method.cached_figures(game, ante)


def fold_rates(sheet: Sheet, ante: Cents | None = None) -> Mapping[str, Fraction] | None:
    """By street, how often best play folds; None if the game has no fold."""
    if ante is None and precomputed_figures(sheet, "main") is not None:
        return precomputed_fold_rates(sheet)
    from pitbook.exact.methods.choose import choose_method  # noqa: PLC0415  Imports NumPy.

    game, method = choose_method(sheet)
    return None if method.fold_rates is None else method.fold_rates(game, ante)


def whole_round(
    sheet: Sheet, ante: Cents | None, side: Mapping[str, Cents], *, antes_left: int | None = None
) -> Figures:
    """The main game and the given side wagers together, in antes (or Bets).

    `antes_left` is how many antes the player has left to bet; None means no limit.
    """
    from pitbook.exact.methods.choose import choose_method  # noqa: PLC0415  Imports NumPy.

    game, method = choose_method(sheet)
    return method.whole_round(game, ante, side, antes_left)


def prose_edge_change(sheet: Sheet) -> Fraction | None:
    """The change in house edge if the prose governed where it contradicts the pay table (OMS-7)."""
    from pitbook.exact.methods.choose import choose_method  # noqa: PLC0415  Imports NumPy.

    prose = sheet.main.prose
    if prose is None:
        return None

    def expected_under(decides: str) -> Fraction:
        prose_changed = prose.model_copy(update={"decides": decides})
        main = sheet.main.model_copy(update={"prose": prose_changed})
        game, method = choose_method(sheet.model_copy(update={"main": main}))
        return method.cached_expected(game, None, None)

    return expected_under("pays") - expected_under("prose")


def check_question(sheet: Sheet, wager: str | None, seats: int, ante: Cents | None) -> None:
    """Raise MathError if the sheet has no such wager or number of seats."""
    wagers = ("main", *sheet.side)
    if wager is not None and wager not in wagers:
        remedy = did_you_mean(wager, wagers)
        raise MathError(say("exact.no-wager", wager=wager, remedy=remedy))
    if not 1 <= seats <= sheet.seats.count:
        raise MathError(say("exact.seats", most=sheet.seats.count, given=seats))
    shared = any(limit.per == "round" for limit in sheet.limits)
    if seats > 1 and ante is not None and shared:
        raise MathError(say("exact.shared-cap"))
