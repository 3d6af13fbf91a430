"""Settlement lines: each wager's stake, result and payout, with its clause."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Literal, NamedTuple

from pitbook.money import Cents, Odds

Result = Literal["win", "push", "lose", "void", "forfeit"]


class Line(NamedTuple):
    """The result of one wager; `wins` excludes the stake (GEN-3).

    A bonus on another wager's stake has no stake. If half a stake is lost, `back` is the other
    half.
    """

    wager: str
    stake: Cents
    outcome: str | None
    result: Result
    odds: Odds | None
    wins: Cents
    clause: str
    back: Cents = Cents(0)

    @property
    def lost(self) -> Cents:
        """The lost part of the stake."""
        return Cents(self.stake - self.back if self.result in ("lose", "forfeit") else 0)

    @property
    def net(self) -> int:
        """The player's net: the win, or minus the lost stake."""
        return self.wins - self.lost


class Settlement(NamedTuple):
    """The lines of one hand, in the sheet's wager order."""

    seat: int
    lines: tuple[Line, ...]

    @property
    def wins(self) -> Cents:
        """The payout without stakes."""
        return Cents(sum(line.wins for line in self.lines))

    @property
    def loses(self) -> Cents:
        """The stakes lost or forfeited."""
        return Cents(sum(line.lost for line in self.lines))

    @property
    def net(self) -> Cents:
        """Wins minus losses."""
        return Cents(self.wins - self.loses)


class AppliedCap(NamedTuple):
    """A cap that reduced payouts: due, paid, and its seat; None for the whole round."""

    clause: str
    due: Cents
    paid: Cents
    seat: int | None


def return_line(seat: int, stakes: Iterable[tuple[str, Cents]], clause: str) -> Settlement:
    """Return every wager."""
    lines = (Line(wager, stake, None, "void", None, Cents(0), clause) for wager, stake in stakes)
    return Settlement(seat, tuple(lines))


def forfeit_line(seat: int, stakes: Iterable[tuple[str, Cents]], clause: str) -> Settlement:
    """Forfeit every wager."""
    lines = (Line(wager, stake, None, "forfeit", None, Cents(0), clause) for wager, stake in stakes)
    return Settlement(seat, tuple(lines))


def keep_line(hand: Settlement, paid: Iterable[tuple[int, Line]]) -> Settlement:
    """The hand with its already settled lines unchanged."""
    settled = {line.wager: line for seat, line in paid if seat == hand.seat}
    return Settlement(hand.seat, tuple(settled.get(line.wager, line) for line in hand.lines))
