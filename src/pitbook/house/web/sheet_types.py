"""JSON types of a rule sheet. A family's own fields follow those that all sheets have."""

from __future__ import annotations

from typing import NotRequired

from pydantic import ConfigDict, with_config
from typing_extensions import TypedDict

from pitbook.house.table.view_types import MessageField
from pitbook.rules.felt import Felt

_OPEN = ConfigDict(extra="allow")


class RuleSentence(TypedDict):
    """A rule as a sentence; without a label it continues the previous one."""

    part: str
    heading: str
    label: str | None
    words: str
    clauses: list[str]
    notes: list[str]
    ours: str


class PrintedLine(TypedDict):
    """A row of a pay table; without odds it pushes."""

    outcome: str
    title: str
    odds: str | None
    says: str
    ours: str


class PrintedPayTable(TypedDict):
    """A pay table in words; `whose` names the rows that are assumed, if only some are."""

    wager: str
    title: str
    about: str
    clause: str
    ours: str
    whose: str
    note: str | None
    lines: list[PrintedLine]


class SheetSource(TypedDict):
    """The source document of a sheet."""

    document: str
    dated: str | None
    note: str | None


@with_config(_OPEN)
class SheetChips(TypedDict):
    """The casino's chips."""

    values: list[str]


@with_config(_OPEN)
class SheetHouse(TypedDict):
    """The venue of the sheet."""

    venue: str
    jurisdiction: str
    chips: SheetChips


# Spots per player; "is" is a Python keyword.
SheetSpots = TypedDict(
    "SheetSpots",
    {"is": int, "clause": str, "note": str | None, "ours": bool | str | list[str] | None},
)


@with_config(_OPEN)
class SheetSeats(TypedDict):
    """The positions on the layout."""

    count: int
    per_player: SheetSpots


@with_config(_OPEN)
class SheetDeck(TypedDict):
    """The cards dealt from."""

    decks: int
    cut_card: int | None


@with_config(_OPEN)
class SheetDeal(TypedDict):
    """The dealing procedure; fields that a family fixes are absent."""

    order: NotRequired[list[str]]
    direction: NotRequired[str]
    at_a_time: NotRequired[int | None]
    clause: str


@with_config(_OPEN)
class SheetMain(TypedDict):
    """The main wager's payouts."""

    pays: dict[str, str]
    clause: str


@with_config(_OPEN)
class SheetStake(TypedDict):
    """The limits of a wager."""

    min: str
    max: str
    step: str
    required: bool
    clause: str


@with_config(_OPEN)
class SheetSide(TypedDict):
    """A side wager."""

    title: str
    looks_at: str
    pays: dict[str, str]
    stake: SheetStake
    clause: str


@with_config(_OPEN)
class FullSheet(TypedDict):
    """A complete sheet: common fields, rules as sentences, and the layout drawing."""

    id: str
    title: str
    family: str
    hash: str
    aloud: list[RuleSentence]
    pay_tables: list[PrintedPayTable]
    limits_ours: dict[str, str]  # By wager: provenance of its limits, if they are assumed.
    felt: Felt
    effective: str | None
    source: SheetSource
    house: SheetHouse
    seats: SheetSeats
    deck: SheetDeck
    deal: SheetDeal
    main: SheetMain
    side: dict[str, SheetSide]


class SheetFinding(TypedDict):
    """A finding about a file, with its place."""

    level: str
    code: str
    message: str
    key: NotRequired[str]  # Of the message, with its fields; absent for plain text.
    fields: NotRequired[dict[str, MessageField]]
    clause: str | None
    field: str
    file: str
    line: int
    column: int
    quoted: str


class SheetEdge(TypedDict):
    """The exact house edge of a wager, or why there is none."""

    expected: str | None
    house_edge: float | None
    reason: NotRequired[str]


class SheetCheckResult(TypedDict):
    """Findings about a sheet; those beyond a hundred are only counted."""

    sheet: str | None
    hash: str | None
    valid: bool
    wagers: dict[str, SheetEdge]
    findings: list[SheetFinding]
    left_out: dict[str, int]
