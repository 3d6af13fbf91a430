"""The mistake log: every decision with its cost, to filter and export."""

from __future__ import annotations

import json
from collections.abc import Iterable
from dataclasses import dataclass
from fractions import Fraction
from typing import NamedTuple

from pitbook.cards import name, names
from pitbook.coach.review import ReviewedDecision
from pitbook.coach.verdicts import DecisionSummary, SheetReference, amount_json
from pitbook.csv_files import csv_text
from pitbook.money import Cents, money
from pitbook.text.sentences import fix_foreign_currency


@dataclass(frozen=True)
class LoggedDecision:
    """A logged decision: when and where it was made, and what its player had seen."""

    decision: ReviewedDecision
    table: str
    round: str
    at: str
    sheet: SheetReference
    seat: int
    tried: tuple[str, ...]  # Plays weighed before, in order.
    advised: bool
    arranged: bool

    @property
    def currency(self) -> str | None:
        """The currency of its amounts; None means US dollars."""
        return self.sheet.get("currency")

    @property
    def cost(self) -> Fraction:
        """What the play cost, in cents."""
        return self.decision.cost

    @property
    def first_pick(self) -> str:
        """The player's first pick: the play weighed first, or else the play made."""
        return self.tried[0] if self.tried else self.decision.play

    @property
    def first_pick_cost(self) -> Fraction:
        """What the first pick would have cost, in cents."""
        return self.decision.weighed.cost(self.first_pick)

    @property
    def worst_cost(self) -> Fraction:
        """The larger of the cost of the play and of the first pick, in cents."""
        return max(self.cost, self.first_pick_cost)

    def document(self) -> DecisionSummary:
        """The decision as JSON."""
        decision = self.decision
        row: DecisionSummary = {
            "round": self.round,
            "table": self.table,
            "at": self.at,
            "sheet": self.sheet,
            "seat": self.seat,
            "stage": decision.stage,
            "street": decision.street,
            "street_title": decision.title,
            "cards": [name(card) for card in decision.cards],
            "board": [name(card) for card in decision.board],
            "before": list(decision.before),
            "wagers": [[wager, money(amount)] for wager, amount in decision.stakes],
            "purse": None if decision.chips is None else money(Cents(decision.chips)),
            "play": decision.play,
            "best": decision.weighed.best,
            "is_best": not self.cost,
            "cost": amount_json(self.cost),
            "why": decision.weighed.advice.why,
            "plays": decision.weighed.plays,
            "tried": list(self.tried),
            "first": self.first_pick,
            "first_cost": amount_json(self.first_pick_cost),
            "advised": self.advised,
            "mistake": bool(self.worst_cost),
            "arranged": self.arranged,
        }
        return fix_foreign_currency(row, self.currency)

    def row(self) -> list[str]:
        """The decision as a table row, in the order of COLUMNS."""
        decision = self.decision
        return [
            *(self.at, self.table, self.round, str(self.sheet["id"]), str(self.seat)),
            *(
                decision.street,
                names(decision.cards),
                names(decision.board),
                " ".join(decision.before),
            ),
            *(" ".join(f"{wager} {money(amount)}" for wager, amount in decision.stakes),),
            *(decision.play, decision.weighed.best, money(round(self.cost)), str(self.cost / 100)),
            *(self.first_pick, money(round(self.first_pick_cost)), str(self.first_pick_cost / 100)),
            *("yes" if yes else "no" for yes in (self.advised, self.arranged)),
            "" if decision.chips is None else money(Cents(decision.chips)),
        ]


COLUMNS = (
    *("at", "table", "round", "sheet", "seat", "street", "cards", "board", "before", "wagers"),
    *("play", "best", "cost", "cost exact", "first", "first cost", "first cost exact"),
    *("advised", "arranged", "purse"),
)


class Filters(NamedTuple):
    """Filters for decisions; None accepts either."""

    sheet: str | None = None
    street: str | None = None
    mistakes: bool = False
    least: Cents = Cents(0)
    advised: bool | None = None
    arranged: bool | None = None

    def matches(self, logged: LoggedDecision) -> bool:
        """Whether a decision passes the filters."""
        return (
            self.sheet in (None, logged.sheet["id"])
            and self.street in (None, logged.decision.street)
            and (not self.mistakes or bool(logged.worst_cost))
            and logged.worst_cost >= self.least
            and self.advised in (None, logged.advised)
            and self.arranged in (None, logged.arranged)
        )


def csv_of(decisions: Iterable[LoggedDecision]) -> str:
    """Decisions as CSV, with a header row."""
    return csv_text([COLUMNS, *(decision.row() for decision in decisions)])


def lines_of(decisions: Iterable[LoggedDecision]) -> str:
    """Decisions as JSON lines."""
    return "".join(f"{json.dumps(logged.document())}\n" for logged in decisions)
