"""Settlement lines: each wager's stake, result and payout, with its clause."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Literal, NamedTuple

from pitbook.money import Cents, Odds

Result = Literal["win", "push", "lose", "void", "forfeit"]


class Line(NamedTuple):
    """What became of one wager; `wins` leaves the stake out (GEN-3).

    A bonus on another wager's stake has none of its own; of one that is half lost, half is `back`.
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
        """What of the stake is gone."""
        return Cents(self.stake - self.back if self.result in ("lose", "forfeit") else 0)

    @property
    def net(self) -> int:
        """What it leaves its player: the win, or the stake that is gone."""
        return self.wins - self.lost


class Settlement(NamedTuple):
    """The lines of one hand, in the sheet's wager order."""

    seat: int
    lines: tuple[Line, ...]

    @property
    def wins(self) -> Cents:
        """What the hand is paid, stakes not counted."""
        return Cents(sum(line.wins for line in self.lines))

    @property
    def loses(self) -> Cents:
        """The stakes it lost or forfeited."""
        return Cents(sum(line.lost for line in self.lines))

    @property
    def net(self) -> Cents:
        """Wins minus losses."""
        return Cents(self.wins - self.loses)


class AppliedCap(NamedTuple):
    """A cap that bit: what was due under it, what is paid, and to whom; None: the whole round."""

    clause: str
    due: Cents
    paid: Cents
    seat: int | None


def return_line(seat: int, stakes: Iterable[tuple[str, Cents]], clause: str) -> Settlement:
    """Every wager goes back."""
    lines = (Line(wager, stake, None, "void", None, Cents(0), clause) for wager, stake in stakes)
    return Settlement(seat, tuple(lines))


def forfeit_line(seat: int, stakes: Iterable[tuple[str, Cents]], clause: str) -> Settlement:
    """Every wager is the house's."""
    lines = (Line(wager, stake, None, "forfeit", None, Cents(0), clause) for wager, stake in stakes)
    return Settlement(seat, tuple(lines))


def keep_line(hand: Settlement, paid: Iterable[tuple[int, Line]]) -> Settlement:
    """The hand with the lines that were settled before as they were."""
    done = {line.wager: line for seat, line in paid if seat == hand.seat}
    return Settlement(hand.seat, tuple(done.get(line.wager, line) for line in hand.lines))
