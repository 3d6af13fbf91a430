"""Outcome tables for a reader: rows of one hand put together, whatever was staked on it."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from pitbook.sheets.aloud.words import outcome
from pitbook.text import capital, say

JOINED = " + "  # Between the outcomes of several wagers.


@dataclass(frozen=True)
class OutcomeRounds:
    """Rounds that end with one outcome."""

    outcome: str
    title: str
    count: int
    probability: Fraction
    returned: Fraction  # What they add to the expected value.
    paid: bool  # Whether a wager is, by the line of its hand, though others may be lost.

    @property
    def average(self) -> Fraction:
        """What such a round wins or loses on average."""
        return self.returned / self.probability if self.probability else Fraction(0)


def grouped(figures: dict[str, Any], *, against: bool) -> list[OutcomeRounds]:
    """The outcomes of a wager in the order of its figures, each once.

    Where hands play `against` a dealer's, one that no line of the table pays has lost to it.
    """
    found: dict[str, list[dict[str, Any]]] = {}
    for row in figures["outcomes"]:
        found.setdefault(_key(row), []).append(row)
    return [_group(key, rows, against=against) for key, rows in found.items()]


def _key(row: dict[str, Any]) -> str:
    """A hand that wins and the same hand that loses are two outcomes."""
    return f"{row['outcome']}|{row['result']}"


def _told(one: str, *, against: bool) -> str:
    return say("papers.report.dealer-wins") if against and one == "nothing" else outcome(one)


def _group(key: str, rows: list[dict[str, Any]], *, against: bool) -> OutcomeRounds:
    name, _, result = key.partition("|")
    hands = tuple(_told(one, against=against) for one in name.split(JOINED))
    told = {"hands": hands, "result": result}
    return OutcomeRounds(
        name,
        capital(say("papers.report.outcome", **told)),
        sum(row["count"] for row in rows),
        sum((Fraction(row["probability"]) for row in rows), Fraction(0)),
        sum((Fraction(row["contribution"]) for row in rows), Fraction(0)),
        result != "lose" or any(_pays(row, name) for row in rows),
    )


def _pays(row: dict[str, Any], name: str) -> bool:
    """Whether a wager is not lost for a hand that the outcome is called by."""
    kept = {one["outcome"] for one in row.get("wagers", ()) if one["result"] != "lose"}
    return bool(kept & {*name.split(JOINED)})
