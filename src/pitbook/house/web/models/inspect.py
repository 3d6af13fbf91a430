"""What the inspector's desk answers, as types."""

from __future__ import annotations

from typing import Any, NotRequired

from typing_extensions import TypedDict

from pitbook.house.table.live.incidents import IncidentKind
from pitbook.house.table.past.exceptions import ExceptionKind
from pitbook.rules.report import HandResult


class HandFound(TypedDict):
    """A seat's hand in a round; `currency` only where the table is not in US dollars.

    `result` is the hand's own: a hand that was settled before the rest of its round was void or
    dead is settled.
    """

    round: str
    table: str
    unit: str
    currency: NotRequired[str]
    at: str
    seat: int
    player: str
    staked: str
    wins: str
    net: str
    result: HandResult


class RoundsFound(TypedDict):
    """Hands that fit what was asked; `more` where the next page is not empty."""

    hands: list[HandFound]
    outcomes: list[str]
    more: bool


class BookFinding(TypedDict):
    """Something in the book that is not as it was written."""

    where: str
    what: str


class BookVerified(TypedDict):
    """The whole book read again and held against what was signed."""

    sound: bool
    streams: int
    entries: int
    checkpoints: int
    checkpoint: str | None
    entries_since: int
    key: str
    findings: list[BookFinding]


class ExceptionShown(TypedDict):
    """What did not go its usual way; the round and the seat where it has them.

    Of several alike: how often, until when, and the names of those whom it befell.
    """

    kind: ExceptionKind
    what: str
    at: str
    stream: str
    seq: int | None
    who: str
    before: dict[str, Any] | None
    after: dict[str, Any] | None
    why: str | None
    round: str | None
    seat: int | None
    times: int
    until: str | None
    names: list[str]


class ExceptionsFound(TypedDict):
    """Exceptions of an interval, oldest first; `large_win`: from where on a win is one.

    `currencies`: of tables whose amounts are no US dollars.
    """

    exceptions: list[ExceptionShown]
    left_out: int
    large_win: str
    currencies: dict[str, str]


class CloseKept(TypedDict):
    """A day whose signed close is kept."""

    day: str
    bytes: int


class Closes(TypedDict):
    """Closes that are kept, and for how many days each is; 0: for ever."""

    closes: list[CloseKept]
    days: int


class RemarkShown(TypedDict):
    """What somebody wrote, and when."""

    at: str
    who: str
    told: str


class IncidentShown(TypedDict):
    """An incident with all that was written of it since."""

    number: int
    kind: IncidentKind
    table: str
    round: str
    noted: RemarkShown
    followed: list[RemarkShown]
    closed: bool


class IncidentsShown(TypedDict):
    """The incident log, the newest first; `left_out` are older ones."""

    incidents: list[IncidentShown]
    left_out: int
