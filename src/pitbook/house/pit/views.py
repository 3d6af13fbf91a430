"""Response types of the pit routes."""

from __future__ import annotations

from typing import Any, Literal, NotRequired

from typing_extensions import TypedDict

from pitbook.house.table.facts import TableKind
from pitbook.house.table.limits import PayoutCap
from pitbook.house.table.view_types import SheetId


class TableTotals(TypedDict):
    """The results of a table or a unit: opener, movements, closer.

    `currency` is absent for US dollars; each currency has its own totals.
    """

    table: NotRequired[str]
    unit: str
    currency: NotRequired[str]
    opening: str
    fills: str
    credits: str
    drop: str
    handle: str
    win: str
    closing: str
    hold: str | None
    hold_percent: float | None
    kept_percent: float | None
    rounds: int
    hands_an_hour: float | None
    reconciles: bool
    off: str
    note: str | None


class SignificantEventView(TypedDict):
    """Who, when, before, after and why; the changed fields depend on the kind."""

    at: str
    stream: str
    seq: int
    who: str
    what: str
    before: dict[str, Any] | None
    after: dict[str, Any] | None
    why: str | None
    round: str | None


# "from" is a Python keyword.
Report = TypedDict(
    "Report",
    {"from": str | None, "to": str | None, "generated": str, "version": str, "note": str | None},
)


class SignificantEvents(Report):
    """Significant events, oldest first; `left_out` counts earlier ones.

    `currencies`: of tables not in US dollars.
    """

    events: list[SignificantEventView]
    left_out: int
    currencies: dict[str, str]


class Interruption(TypedDict):
    """An interrupted hand, and each player's answer whether to finish it.

    `currency` of the held amount; absent for US dollars.
    """

    table: str
    round: str
    why: str | None
    answers: dict[str, bool | None]
    until: str | None
    held: str
    currency: NotRequired[str]
    clause: str


class InterruptedHands(TypedDict):
    """Hands that wait for an answer."""

    interruptions: list[Interruption]


class TableResultsReport(Report):
    """Drop, win, hold, fills and credits by table, with subtotals by unit."""

    tables: list[TableTotals]
    units: list[TableTotals]
    reconciles: bool


class GuestWithMoney(TypedDict):
    """A player with chips and no account, and the table where they sit."""

    player: str
    balance: str
    table: str | None


class GuestsWithMoney(TypedDict):
    """All players to be cashed out by name."""

    guests: list[GuestWithMoney]


class RackRequestView(TypedDict):
    """A fill or credit that waits for a second person."""

    number: int
    what: Literal["fill", "credit"]
    amount: str
    who: str
    at: str
    why: str


class AnnouncedLimits(TypedDict):
    """Announced limits and when they take effect."""

    at: str
    limits: dict[str, dict[str, str]]


class FloorTable(TypedDict):
    """One table, its main wager's limits first.

    `caps` are its maximum payouts; `notice` is the minutes of notice its state requires before a
    change.
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
    caps: list[PayoutCap]
    announced: AnnouncedLimits | None
    notice: int
    asked: list[RackRequestView]
    taking: TableTotals | None


class PitFloor(Report):
    """All open tables, and the totals by unit."""

    tables: list[FloorTable]
    units: list[TableTotals]
