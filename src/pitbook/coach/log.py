"""The mistake log: every decision with its cost, to filter and export."""

from __future__ import annotations

import json
from collections.abc import Iterable
from dataclasses import dataclass
from fractions import Fraction
from typing import NamedTuple

from pitbook.cards import name, names
from pitbook.coach.review import ReviewedDecision
from pitbook.coach.values import DecisionTold, SheetMet, document
from pitbook.money import Cents, money
from pitbook.spreadsheet import csv_text
from pitbook.text.documents import in_own_currency


@dataclass(frozen=True)
class Logged:
    """A decision, with where and when it was made and what its player had been told before."""

    decision: ReviewedDecision
    table: str
    round: str
    at: str
    sheet: SheetMet
    seat: int
    tried: tuple[str, ...]  # Plays that were weighed before, in order.
    advised: bool
    arranged: bool

    @property
    def currency(self) -> str | None:
        """What its money is in; None is dollars."""
        return self.sheet.get("currency")

    @property
    def cost(self) -> Fraction:
        """What the play that was made gave away, in cents."""
        return self.decision.cost

    @property
    def first(self) -> str:
        """The play that came to mind first: the one weighed first, else the one made."""
        return self.tried[0] if self.tried else self.decision.play

    @property
    def first_cost(self) -> Fraction:
        """What that one would have given away, in cents."""
        return self.decision.weighed.cost(self.first)

    @property
    def missed(self) -> Fraction:
        """How far the spot is from being known, in cents."""
        return max(self.cost, self.first_cost)

    def document(self) -> DecisionTold:
        """The decision as JSON."""
        one = self.decision
        told: DecisionTold = {
            "round": self.round,
            "table": self.table,
            "at": self.at,
            "sheet": self.sheet,
            "seat": self.seat,
            "stage": one.stage,
            "street": one.street,
            "street_title": one.title,
            "cards": [name(card) for card in one.cards],
            "board": [name(card) for card in one.board],
            "before": list(one.before),
            "wagers": [[wager, money(amount)] for wager, amount in one.stakes],
            "purse": None if one.chips is None else money(Cents(one.chips)),
            "play": one.play,
            "best": one.weighed.best,
            "is_best": not self.cost,
            "cost": document(self.cost),
            "why": one.weighed.advice.why,
            "plays": one.weighed.plays,
            "tried": list(self.tried),
            "first": self.first,
            "first_cost": document(self.first_cost),
            "advised": self.advised,
            "mistake": bool(self.missed),
            "arranged": self.arranged,
        }
        return in_own_currency(told, self.currency)

    def row(self) -> list[str]:
        """The decision as a line of a table, in the order of COLUMNS."""
        one = self.decision
        return [
            *(self.at, self.table, self.round, str(self.sheet["id"]), str(self.seat)),
            *(one.street, names(one.cards), names(one.board), " ".join(one.before)),
            *(" ".join(f"{wager} {money(amount)}" for wager, amount in one.stakes),),
            *(one.play, one.weighed.best, money(round(self.cost)), str(self.cost / 100)),
            *(self.first, money(round(self.first_cost)), str(self.first_cost / 100)),
            *("yes" if yes else "no" for yes in (self.advised, self.arranged)),
            "" if one.chips is None else money(Cents(one.chips)),
        ]


COLUMNS = (
    *("at", "table", "round", "sheet", "seat", "street", "cards", "board", "before", "wagers"),
    *("play", "best", "cost", "cost exact", "first", "first cost", "first cost exact"),
    *("advised", "arranged", "purse"),
)


class Filters(NamedTuple):
    """Which decisions are wanted; None is either."""

    sheet: str | None = None
    street: str | None = None
    mistakes: bool = False
    least: Cents = Cents(0)
    advised: bool | None = None
    arranged: bool | None = None

    def takes(self, one: Logged) -> bool:
        """Whether a decision is wanted."""
        return (
            self.sheet in (None, one.sheet["id"])
            and self.street in (None, one.decision.street)
            and (not self.mistakes or bool(one.missed))
            and one.missed >= self.least
            and self.advised in (None, one.advised)
            and self.arranged in (None, one.arranged)
        )


def csv_of(decisions: Iterable[Logged]) -> str:
    """Decisions as comma-separated values, a header first."""
    return csv_text([COLUMNS, *(decision.row() for decision in decisions)])


def lines_of(decisions: Iterable[Logged]) -> str:
    """Decisions as lines of JSON."""
    return "".join(f"{json.dumps(one.document())}\n" for one in decisions)
