"""Exact figures, as types: of a sheet, and of two side by side."""

from __future__ import annotations

from typing import NotRequired

from typing_extensions import TypedDict


class Assumed(TypedDict):
    """What figures rest on."""

    ante: str | None
    limits: bool
    seats: int
    ties: str
    play: str
    shoe: NotRequired[str]


class Ended(TypedDict):
    """How a wager of an outcome ends."""

    wager: str
    outcome: str
    units: int | str
    result: str
    net: str


class OutcomeFigured(TypedDict):
    """How often an outcome comes, and what it is worth."""

    outcome: str
    units: int | str
    result: str
    net: str
    count: int
    probability: str
    contribution: str
    wagers: NotRequired[list[Ended]]


class WagerFigures(TypedDict):
    """The figures of one wager, the main game's with its fold rates; `ours`: whose its pays are."""

    expected: str
    house_edge: float
    average_wager: str
    element_of_risk: float
    standard_deviation: float
    variance: str
    volatility_index: float
    win: float
    push: float
    lose: float
    hit_frequency: float
    rounds: int
    outcomes: list[OutcomeFigured]
    fold_rate: NotRequired[dict[str, float]]
    ours: str


class SheetFigures(TypedDict):
    """Exact figures of a sheet."""

    sheet: str
    hash: str
    assumptions: Assumed
    wagers: dict[str, WagerFigures]


class LineCompared(TypedDict):
    """Hands that two sheets pay differently, whatever their lines are called."""

    line: str
    title: str
    a: str | None
    b: str | None
    edge: float
    probability: str


class OursBeside(TypedDict):
    """Said of the sheet whose edge rests on a pay table of ours."""

    a: str
    b: str


class WagerCompared(TypedDict):
    """A wager of two sheets, and what the difference consists of."""

    wager: str
    a: float | None
    b: float | None
    difference: float | None
    lines: list[LineCompared]
    interplay: float | None
    other_rules: float | None
    rest: float | None
    ours: OursBeside


class ComparisonAssumed(TypedDict):
    """What a comparison rests on."""

    ante: str | None
    limits: bool
    play: str
    shoe: NotRequired[dict[str, str]]


class Compared(TypedDict):
    """Two sheets side by side."""

    a: str
    b: str
    assumptions: ComparisonAssumed
    wagers: list[WagerCompared]
