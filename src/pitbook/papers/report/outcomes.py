"""Outcome tables for a reader: rows of one hand put together, whatever was staked on it."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction
from typing import Any, NamedTuple

from pitbook.money import Odds
from pitbook.sheets.aloud.words import outcome
from pitbook.sheets.model import Sheet
from pitbook.sheets.pays import pays_of
from pitbook.wording import capital, say

__all__ = ["JOINED", "Group", "Weight", "grouped", "line_weights"]

JOINED = " + "  # Between the outcomes of several wagers.


@dataclass(frozen=True)
class Group:
    """Rounds that end with one outcome."""

    outcome: str
    title: str
    count: int
    probability: Fraction
    returned: Fraction  # What they add to the expected value.
    lost: bool


class Weight(NamedTuple):
    """A line of a pay table, and how many units a round stand on it on average."""

    line: str
    title: str
    pay: Odds
    weight: Fraction


def grouped(figures: dict[str, Any]) -> list[Group]:
    """The outcomes of a wager in the order of its figures, each once."""
    found: dict[str, list[dict[str, Any]]] = {}
    for row in figures["outcomes"]:
        found.setdefault(_key(row), []).append(row)
    return [_group(key, rows) for key, rows in found.items()]


def _key(row: dict[str, Any]) -> str:
    """A hand that wins and the same hand that loses are two outcomes."""
    return f"{row['outcome']}|{row['result']}"


def _group(key: str, rows: list[dict[str, Any]]) -> Group:
    name, _, result = key.partition("|")
    hands = tuple(outcome(one) for one in name.split(JOINED))
    told = {"hands": hands, "result": result}
    return Group(
        name,
        capital(say("papers.report.outcome", **told)),
        sum(row["count"] for row in rows),
        sum((Fraction(row["probability"]) for row in rows), Fraction(0)),
        sum((Fraction(row["contribution"]) for row in rows), Fraction(0)),
        result == "lose",
    )


def line_weights(sheet: Sheet, wager: str, figures: dict[str, Any]) -> Iterator[Weight]:
    """What one to one more on a line would change, while best play stays as it is."""
    for line, pay in pays_of(sheet, wager).items():
        if not isinstance(pay, Odds):
            continue
        weight = Fraction(0)
        for row in figures["outcomes"]:
            for one in row.get("wagers") or (row,):
                if one["outcome"] == line and one["result"] == "win":
                    weight += Fraction(row["probability"]) * Fraction(one["units"])
        yield Weight(line, capital(outcome(line)), pay, weight)
