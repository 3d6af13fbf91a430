"""What wagers are worth before a card is dealt, under best play and every cap."""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from typing import NamedTuple

from pitbook.families.hi_lo.sheet import HiLo
from pitbook.families.street_stud.sheet import StreetStud
from pitbook.game.description import Seat
from pitbook.money import Cents, Odds
from pitbook.sheets.digest import digest
from pitbook.sheets.limits import falls_under
from pitbook.sheets.model import Limit, Sheet
from pitbook.sheets.pays import pays_of

__all__ = ["Before", "before_the_deal"]

KNOWN_MAX = 512

Side = Mapping[str, Cents]


class Before(NamedTuple):
    """A seat's wagers in cents: those that its decisions bear on, and the side wagers apart."""

    decided: Fraction
    beside: Fraction
    apart: tuple[str, ...]


def before_the_deal(sheet: Sheet, seat: Seat, *, room: int | None = None) -> Before:
    """What a seat's wagers are worth; the same wagers are worked out once.

    `room` is how many antes (or Bets) are left to bet with; None is enough for any bet.
    """
    key = (digest(sheet), seat.main[0][1], seat.side, room)
    if key not in _KNOWN:
        while len(_KNOWN) >= KNOWN_MAX:
            del _KNOWN[next(iter(_KNOWN))]
        _KNOWN[key] = _worked_out(sheet, seat, room)
    return _KNOWN[key]


_KNOWN: dict[tuple[str, Cents, tuple[tuple[str, Cents], ...], int | None], Before] = {}


def _worked_out(sheet: Sheet, seat: Seat, room: int | None) -> Before:
    stake, side = seat.main[0][1], dict(seat.side)
    worked_out = _hi_lo if isinstance(sheet, HiLo) else _streets
    return worked_out(sheet, stake, side, room)  # type: ignore[arg-type]


def _hi_lo(sheet: HiLo, stake: Cents, side: Side, room: int | None) -> Before:
    """No declaration bears on a bonus; bonuses under a cap that may bite are counted together."""
    from pitbook.exact.service import whole_round  # noqa: PLC0415  It brings NumPy.

    main = whole_round(sheet, stake, {}, room=room).expected
    if side and _may_bite(sheet, stake, side):
        beside = (whole_round(sheet, stake, side, room=room).expected - main) * stake
    else:
        beside = _alone(sheet, side)
    return Before(main * stake, beside, tuple(side))


def _may_bite(sheet: HiLo, stake: Cents, side: Side) -> bool:
    """Whether the bonuses can win more under one cap than it pays, with the Bet at its most."""
    doubled = 1 + (sheet.double.times if sheet.double else 0)
    stakes = {"main": Cents(stake * doubled), **side}
    return any(
        sum(_most(sheet, limit, wager, amount) for wager, amount in stakes.items()) > limit.pays_max
        for limit in sheet.limits
        if limit.per != "bet"
    )


def _most(sheet: HiLo, limit: Limit, wager: str, stake: Cents) -> Fraction:
    """The most that a wager can win of what a cap counts."""
    counted = (
        Fraction(stake * pay.to, pay.one)
        for line, pay in pays_of(sheet, wager).items()
        if isinstance(pay, Odds) and falls_under(limit, wager, line, pay)
    )
    return max(counted, default=Fraction(0))


def _streets(sheet: StreetStud, stake: Cents, side: Side, room: int | None) -> Before:
    """A side wager bears on decisions where it dies with a fold or shares a cap."""
    from pitbook.exact.advice import solved  # noqa: PLC0415  They bring NumPy.
    from pitbook.exact.methods.ladder.terms import Terms  # noqa: PLC0415
    from pitbook.exact.service import whole_round  # noqa: PLC0415

    touched = {wager: side[wager] for wager in Terms(sheet, stake, True, side).touched}
    if touched:
        worth = whole_round(sheet, stake, touched, room=room).expected
    else:
        worth = solved(sheet, stake, room).expected
    apart = {wager: amount for wager, amount in side.items() if wager not in touched}
    return Before(worth * stake, _alone(sheet, apart), tuple(apart))


def _alone(sheet: Sheet, side: Side) -> Fraction:
    """Side wagers that have nothing to do with each other, in cents."""
    from pitbook.exact.sides import side_figures  # noqa: PLC0415  It brings NumPy.

    worth = (side_figures(sheet, wager, stake).expected * stake for wager, stake in side.items())
    return sum(worth, Fraction(0))
