"""How a cap was shared: which hands and lines counted towards it, what was due, what is paid."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, NamedTuple

from pitbook.money import money
from pitbook.rules.limits import apply_limits
from pitbook.rules.round import Round
from pitbook.rules.settlement import AppliedCap, Line, Settlement
from pitbook.rules.words import cap_sentence, wager_title
from pitbook.sheets.limits import falls_under
from pitbook.sheets.model import Limit, Sheet
from pitbook.text import Sentence, say

__all__ = ["Cap", "caps"]

SCOPES = ("bet", "hand", "round")


class Share(NamedTuple):
    """What a line counted towards a cap, and what is left of it, in cents."""

    wager: str
    due: int
    paid: int


class HandShares(NamedTuple):
    """The shares of one hand."""

    seat: int
    lines: tuple[Share, ...]

    @property
    def due(self) -> int:
        """What the hand counted towards the cap."""
        return sum(line.due for line in self.lines)

    @property
    def paid(self) -> int:
        """What the cap leaves it."""
        return sum(line.paid for line in self.lines)


class Cap(NamedTuple):
    """A cap that bit, and every hand under it."""

    bite: AppliedCap
    clause: str
    ties: str
    hands: tuple[HandShares, ...]

    def document(self) -> dict[str, Any]:
        """The cap as JSON."""
        return {
            "clause": self.bite.clause,
            "due": money(self.bite.due),
            "paid": money(self.bite.paid),
            "seat": self.bite.seat,
            "shared_by": self.clause,
            "hands": [
                {
                    "seat": hand.seat,
                    "due": money(hand.due),
                    "paid": money(hand.paid),
                    "lines": [
                        {"wager": one.wager, "due": money(one.due), "paid": money(one.paid)}
                        for one in hand.lines
                    ],
                }
                for hand in self.hands
            ],
        }

    def told(self, round: Round, seat: int) -> Iterator[Sentence]:
        """How a seat's share came about, a sentence a line."""
        yield cap_sentence(self.bite)
        due, paid = self.bite.due, self.bite.paid
        for hand in self.hands if self.bite.seat is None else ():
            shared = {"due": due, "paid": paid, "part": hand.due, "gets": hand.paid}
            yield say("table.shares.of-hand", seat=hand.seat, clause=self.clause, **shared)
        for one in (line for hand in self.hands if hand.seat == seat for line in hand.lines):
            title = wager_title(round, one.wager)
            yield say("table.shares.of-line", seat=seat, title=title, due=one.due, paid=one.paid)
        if any(line.due * paid % due for hand in self.hands for line in hand.lines):
            yield say("table.shares.left-over", ties=self.ties, clause=self.clause)


def caps(final: Round) -> list[Cap]:
    """The caps that bit in a round, in the order in which they are applied."""
    sheet, current = final.game.sheet, tuple(_uncapped(one) for one in final.settlements)
    found = []
    for limit in sorted(sheet.limits, key=lambda one: SCOPES.index(one.per)):
        alone = sheet.model_copy(update={"limits": type(sheet.limits)([limit])})
        after, bites = apply_limits(alone, current)
        found += [_cap(sheet, limit, bite, current, after) for bite in bites]
        current = after
    return found


def _uncapped(hand: Settlement) -> Settlement:
    lines = (
        line._replace(wins=line.odds.wins(line.stake)) if line.odds else line for line in hand.lines
    )
    return Settlement(hand.seat, tuple(lines))


def _cap(
    sheet: Sheet,
    limit: Limit,
    bite: AppliedCap,
    before: tuple[Settlement, ...],
    after: tuple[Settlement, ...],
) -> Cap:
    hands = [
        HandShares(was.seat, tuple(_shares(sheet, limit, was, now)))
        for was, now in zip(before, after, strict=True)
        if bite.seat in (None, was.seat)
    ]
    rule = sheet.payouts.share_ties
    counted = sorted(hand for hand in hands if hand.lines)
    return Cap(bite, rule.clause, rule.value, tuple(counted))


def _shares(sheet: Sheet, limit: Limit, was: Settlement, now: Settlement) -> Iterator[Share]:
    for line, left in zip(was.lines, now.lines, strict=True):
        if _counts(sheet, limit, line):
            stake = line.stake if sheet.payouts.stake_counted.value else 0
            yield Share(line.wager, line.wins + stake, left.wins + stake)


def _counts(sheet: Sheet, limit: Limit, line: Line) -> bool:
    wager = line.wager if line.wager in sheet.side else "main"
    if line.odds is None or line.outcome is None:
        return False
    return falls_under(limit, wager, line.outcome, line.odds)
