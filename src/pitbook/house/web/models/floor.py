"""The tables as the pit sees them: who sits and deals, the rack, and what the table took."""

from __future__ import annotations

from typing import Literal

from typing_extensions import TypedDict

from pitbook.house.table.facts import TableKind
from pitbook.house.table.history_types import TakingShown
from pitbook.house.table.limits import CapTold
from pitbook.house.table.view_types import SheetId
from pitbook.house.web.models.pit import Report


class RackAsk(TypedDict):
    """A fill or a credit that waits for a second person."""

    number: int
    what: Literal["fill", "credit"]
    amount: str
    who: str
    at: str
    why: str


class LimitsAnnounced(TypedDict):
    """Limits to come, and from when."""

    at: str
    limits: dict[str, dict[str, str]]


class FloorTable(TypedDict):
    """One table, its main wager's limits first.

    `caps` are its payout caps; `notice` is the minutes that its state asks for before a change.
    """

    table: str
    kind: TableKind
    unit: str
    sheet: SheetId
    seats: int
    players: dict[str, str]
    phase: str
    stopped: str | None
    dealer: str
    rack: str
    box: str
    limits: dict[str, dict[str, str]]
    caps: list[CapTold]
    announced: LimitsAnnounced | None
    notice: int
    asked: list[RackAsk]
    taking: TakingShown | None


class PitFloor(Report):
    """Every table that is open, and the sums of each unit."""

    tables: list[FloorTable]
    units: list[TakingShown]
