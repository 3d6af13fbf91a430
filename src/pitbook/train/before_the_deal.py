"""What wagers are worth before a card is dealt, under best play and every cap."""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from typing import NamedTuple

from pitbook.money import Cents
from pitbook.rules.game import Game, Seat
from pitbook.sheets.digest import digest
from pitbook.sheets.limits import counted
from pitbook.sheets.model import Sheet
from pitbook.sheets.parts import Limit

KNOWN_MAX = 512

SideStakes = Mapping[str, Cents]


class Before(NamedTuple):
    """A seat's wagers in cents: those that its decisions bear on, and the side wagers apart."""

    decided: Fraction
    beside: Fraction
    apart: tuple[str, ...]


def before_the_deal(sheet: Sheet, seat: Seat, *, room: int | None = None) -> Before:
    """What a seat's wagers are worth; the same wagers are worked out once.

    `room` is how many antes (or Bets) are left to bet with; None is enough for any bet.
    """
    if not seat.main:  # Side wagers alone: nothing is decided.
        return Before(Fraction(0), _alone(sheet, dict(seat.side)), tuple(dict(seat.side)))
    key = (digest(sheet), seat.main[0][1], seat.side, room)
    if key not in _KNOWN:
        while len(_KNOWN) >= KNOWN_MAX:
            del _KNOWN[next(iter(_KNOWN))]
        _KNOWN[key] = _worked_out(sheet, seat, room)
    return _KNOWN[key]


_KNOWN: dict[tuple[str, Cents, tuple[tuple[str, Cents], ...], int | None], Before] = {}


def _worked_out(sheet: Sheet, seat: Seat, room: int | None) -> Before:
    """Side wagers under a cap that may bite are counted together with the rest."""
    from pitbook.exact.games import cached_game  # noqa: PLC0415  They bring NumPy.
    from pitbook.exact.sheet_figures import whole_round  # noqa: PLC0415

    game, stake, side = cached_game(sheet), seat.main[0][1], dict(seat.side)
    touched = _touched(game, side)
    apart = {wager: amount for wager, amount in side.items() if wager not in touched}
    worth = _decided(game, stake, touched, room)
    if _may_bite(sheet, stake, apart):
        beside = (whole_round(sheet, stake, side, room=room).expected - worth) * stake
    else:
        beside = _alone(sheet, apart)
    return Before(worth * stake, beside, tuple(apart))


def _touched(game: Game, side: SideStakes) -> SideStakes:
    """Side wagers that decisions bear on: they die with a fold, or share a cap.

    Where hands are compared with a dealer's and nobody folds, what is declared bears on none.
    """
    if game.board_is_a_hand and not game.sheet.has_fold:
        return {}
    dies = {one.wager for one in game.asked if not one.survives}
    caps = [limit for limit in game.sheet.limits if limit.per != "bet"]
    shares = {wager for limit in caps for wager, _, _ in counted(game.sheet, limit)}
    return {wager: amount for wager, amount in side.items() if wager in dies | shares}


def _decided(game: Game, stake: Cents, touched: SideStakes, room: int | None) -> Fraction:
    """The main game and what it touches, in main wagers."""
    from pitbook.exact.methods.choose import method_for  # noqa: PLC0415  It brings NumPy.

    method = method_for(game)
    if touched:
        return method.whole_round(game, stake, touched, room).expected
    return method.cached_expected(game, stake, room)


def _may_bite(sheet: Sheet, stake: Cents, side: SideStakes) -> bool:
    """Whether these can win more under one cap than it pays, with the main game at its most."""
    for limit in sheet.limits:
        beside = sum(_most(sheet, limit, wager, amount) for wager, amount in side.items())
        main = _most(sheet, limit, "main", Cents(stake * sheet.units_max))
        if limit.per != "bet" and beside and beside + main > limit.pays_max:
            return True
    return False


def _most(sheet: Sheet, limit: Limit, wager: str, stake: Cents) -> Fraction:
    """The most that a wager can win of what a cap counts."""
    wins = (pay for name, _, pay in counted(sheet, limit) if name == wager)
    return max((Fraction(stake * pay.to, pay.one) for pay in wins), default=Fraction(0))


def _alone(sheet: Sheet, side: SideStakes) -> Fraction:
    """Side wagers that have nothing to do with each other, in cents."""
    from pitbook.exact.side_wagers import side_figures  # noqa: PLC0415  It brings NumPy.

    worth = (side_figures(sheet, wager, stake).expected * stake for wager, stake in side.items())
    return sum(worth, Fraction(0))
