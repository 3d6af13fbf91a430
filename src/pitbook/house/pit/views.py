"""Response types of the pit routes."""

from __future__ import annotations

from typing import Any, Literal, NotRequired

from typing_extensions import TypedDict

from pitbook.house.table.facts import TableKind
from pitbook.house.table.limits import CapTold
from pitbook.house.table.view_types import SheetId


class TakingShown(TypedDict):
    """What a table took, or all of a unit: where it opened, what moved, where it closed.

    `currency`: what it is in, where that is no US dollars; of each there is a sum of its own.
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


class SignificantShown(TypedDict):
    """Who, when, before, after and why; what changed has the fields of its kind."""

    at: str
    stream: str
    seq: int
    who: str
    what: str
    before: dict[str, Any] | None
    after: dict[str, Any] | None
    why: str | None
    round: str | None


# "from" is a word of Python's own.
Report = TypedDict(
    "Report",
    {"from": str | None, "to": str | None, "generated": str, "version": str, "note": str | None},
)


class SignificantEvents(Report):
    """Significant events, oldest first; `left_out` counts earlier ones.

    `currencies`: of tables whose amounts are no US dollars.
    """

    events: list[SignificantShown]
    left_out: int
    currencies: dict[str, str]


class Interruption(TypedDict):
    """A hand that was cut short, and who has answered whether to finish it.

    `currency`: what is held, where that is no US dollars.
    """

    table: str
    round: str
    why: str | None
    answers: dict[str, bool | None]
    until: str | None
    held: str
    currency: NotRequired[str]
    clause: str


class HandsWaiting(TypedDict):
    """Hands that wait for an answer."""

    interruptions: list[Interruption]


class TakingsTold(Report):
    """Drop, win, hold, fills and credits by table, with subtotals of each unit."""

    tables: list[TakingShown]
    units: list[TakingShown]
    reconciles: bool


class GuestWithMoney(TypedDict):
    """Somebody without an account who has chips; the table where they sit, if they do."""

    player: str
    balance: str
    table: str | None


class GuestsWithMoney(TypedDict):
    """Everybody who is to be paid out by name."""

    guests: list[GuestWithMoney]


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
