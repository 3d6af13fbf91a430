"""JSON types of a rule sheet; a family's own fields stand beside those that all sheets have."""

from __future__ import annotations

from typing import NotRequired

from pydantic import ConfigDict, with_config
from typing_extensions import TypedDict

from pitbook.house.table.view_types import FieldSaid
from pitbook.rules.felt import Felt

_OPEN = ConfigDict(extra="allow")


class Said(TypedDict):
    """A rule of a sheet as a sentence; without a label it goes on from the one before."""

    part: str
    heading: str
    label: str | None
    words: str
    clauses: list[str]
    notes: list[str]
    ours: str


class LinePrinted(TypedDict):
    """A line of a pay table; without odds it pushes."""

    outcome: str
    title: str
    odds: str | None
    says: str
    ours: str


class TablePrinted(TypedDict):
    """A pay table in words; `whose` names the lines that are ours where it is in part."""

    wager: str
    title: str
    about: str
    clause: str
    ours: str
    whose: str
    note: str | None
    lines: list[LinePrinted]


class SheetSource(TypedDict):
    """The document that a sheet was made from."""

    document: str
    dated: str | None
    note: str | None


@with_config(_OPEN)
class SheetChips(TypedDict):
    """The chips of the house."""

    values: list[str]


@with_config(_OPEN)
class SheetHouse(TypedDict):
    """Whose the sheet is."""

    venue: str
    jurisdiction: str
    chips: SheetChips


# How many spots one player may have; "is" is a word of Python's own.
SheetSpots = TypedDict(
    "SheetSpots",
    {"is": int, "clause": str, "note": str | None, "ours": bool | str | list[str] | None},
)


@with_config(_OPEN)
class SheetSeats(TypedDict):
    """The positions of the layout."""

    count: int
    per_player: SheetSpots


@with_config(_OPEN)
class SheetDeck(TypedDict):
    """What is dealt from."""

    decks: int
    cut_card: int | None


@with_config(_OPEN)
class SheetDeal(TypedDict):
    """How it is dealt; what is the same for every sheet of a family its sheets leave out."""

    order: NotRequired[list[str]]
    direction: NotRequired[str]
    at_a_time: NotRequired[int | None]
    clause: str


@with_config(_OPEN)
class SheetMain(TypedDict):
    """The main wager's pays."""

    pays: dict[str, str]
    clause: str


@with_config(_OPEN)
class SheetStake(TypedDict):
    """How much may be put."""

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
class SheetWhole(TypedDict):
    """A sheet: what every family's has, and for every family what is told and drawn of it."""

    id: str
    title: str
    family: str
    hash: str
    aloud: list[Said]
    pay_tables: list[TablePrinted]
    limits_ours: dict[str, str]  # By wager: said where its limits are our choice.
    felt: Felt
    effective: str | None
    source: SheetSource
    house: SheetHouse
    seats: SheetSeats
    deck: SheetDeck
    deal: SheetDeal
    main: SheetMain
    side: dict[str, SheetSide]


class FindingShown(TypedDict):
    """What is wrong or worth knowing about a file, and where."""

    level: str
    code: str
    message: str
    key: NotRequired[str]  # Of the message, and what fills its blanks; not where it is plain text.
    fields: NotRequired[dict[str, FieldSaid]]
    clause: str | None
    field: str
    file: str
    line: int
    column: int
    quoted: str


class EdgeShown(TypedDict):
    """The house edge of a wager, exact, or why it is not worked out."""

    expected: str | None
    house_edge: float | None
    reason: NotRequired[str]


class SheetFound(TypedDict):
    """What is wrong or worth knowing about a sheet; findings past a hundred are counted."""

    sheet: str | None
    hash: str | None
    valid: bool
    wagers: dict[str, EdgeShown]
    findings: list[FindingShown]
    left_out: dict[str, int]
