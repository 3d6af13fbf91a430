"""What tables answer, as types: a seat, an answer to a command, lists, and rounds of the past."""

from __future__ import annotations

from typing_extensions import TypedDict

from pitbook.house.table.limits import CapTold
from pitbook.house.table.model import TableKind
from pitbook.house.table.past.shapes import AdviceNoted, Recalled, RoundBalance, ShoeTold, Step
from pitbook.house.table.seen.shapes import SheetId, View
from pitbook.house.web.models.proofs import Proof
from pitbook.house.web.models.sheets import SheetWhole
from pitbook.rules.report import RoundResult

__all__ = [
    "LimitsChanged",
    "Recorded",
    "Replayed",
    "Rounds",
    "Seated",
    "SharedRound",
    "TableNamed",
    "TableOpened",
    "Tables",
]


class Recorded(TypedDict):
    """Where something stands in the journal."""

    seq: int
    hash: str


class Seated(TypedDict):
    """A seat at a table of one's own."""

    player: str
    table: str
    seat: int
    view: View


class TableNamed(TypedDict):
    """A table in a few words."""

    table: str
    kind: TableKind
    unit: str
    sheet: SheetId
    seats: int
    players: list[str]
    phase: str


class Tables(TypedDict):
    """The tables that somebody may come to."""

    tables: list[TableNamed]


class TableOpened(TypedDict):
    """A table that is open, and the version of the rules in force."""

    table: str
    kind: TableKind
    unit: str
    sheet: SheetId


class LimitsChanged(TypedDict):
    """A table's limits from the next round on, as they are on record."""

    table: str
    accepted: Recorded
    sheet: SheetId
    limits: dict[str, dict[str, str]]
    caps: list[CapTold]


class Rounds(TypedDict):
    """Rounds of the past, newest first; `before=` and `after=` one of them is the next page."""

    player: str
    rounds: list[Recalled]
    older: str | None
    newer: str | None


class RoundAgain(TypedDict):
    """A round step by step; `mine` are the seats of whoever looks, `rules` the sheet of then."""

    round: str
    table: str
    unit: str
    sheet: SheetId
    opened: str
    over: bool
    arranged: bool
    replay: bool
    viewer: str
    steps: list[Step]
    mine: list[int]
    settlement: RoundResult | None
    shoe: ShoeTold | None
    rules: SheetWhole


class Replayed(RoundAgain):
    """A round step by step, as somebody at the table may see it."""

    advice: list[AdviceNoted]
    balance: RoundBalance | None


class SharedRound(RoundAgain):
    """A round as its sharer may see it, for strangers; without a proof, why there is none."""

    shared_by: str
    until: str | None
    proof: Proof | None
    proof_why: str | None
