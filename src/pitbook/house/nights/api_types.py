"""Types of the answers of the nights API."""

from __future__ import annotations

from typing import Any, NotRequired

from typing_extensions import TypedDict

from pitbook.house.nights.view_types import NightSummary, SlipView, TicketView, TournamentView
from pitbook.house.table.api_types import Recorded
from pitbook.house.web.sheet_types import SheetFinding


class NightList(TypedDict):
    """All nights, latest gaming date first, and the houses whose rules a night can use."""

    nights: list[NightSummary]
    houses: list[str]


class StoppedPlay(TypedDict):
    """An interrupted table or tournament, and the result."""

    where: str
    what: str


class NightInterruption(TypedDict):
    """What an interruption of the night stopped."""

    event: str
    stopped: list[StoppedPlay]


class SlipWithText(SlipView):
    """A slip with its text for the player."""

    text: str


class SlipList(TypedDict):
    """The slips of the counter, latest first; `left_out` counts earlier ones."""

    slips: list[SlipView]
    left_out: int


class ScheduleTexts(TypedDict):
    """Sample schedules as TOML; `own` are the house's saved ones, by name."""

    schedules: dict[str, str]
    own: dict[str, str]


class TournamentResponse(TournamentView):
    """A tournament after a command, and where the command is recorded."""

    accepted: NotRequired[Recorded]


class WithdrawnTournament(TypedDict):
    """A withdrawn tournament."""

    id: str
    own: str
    status: str
    accepted: NotRequired[Recorded]


class TicketCode(TypedDict):
    """A player's check-in code. `account`: the player signs in to play instead."""

    player: str
    token: str
    link: str
    picture: str
    rehearsal: bool
    account: bool


class CheckInView(TypedDict):
    """A check-in code's player and seat; `runs`: the caller runs the night."""

    event: str
    charity: str
    rehearsal: bool
    tournament: str
    title: str
    status: str
    player: str
    buy_in: str
    entered: bool
    out: bool
    table: int | None
    seat: int | None
    checked_in: str | None
    ticket: TicketView
    runs: bool
    accepted: NotRequired[Recorded]


class PrizePreview(TypedDict):
    """The payout of each place for a number of entrants, first place first."""

    entrants: int
    prize_money: str
    prizes: list[str]


class RejectedLine(TypedDict):
    """A rejected line of a guest list, and the reason."""

    line: int
    name: str
    message: str


class GuestListImport(TypedDict):
    """An imported guest list: new names, known names, and rejected lines."""

    added: list[str]
    known: list[str]
    wrong: list[RejectedLine]
    tournament: TournamentView


class ScheduleView(TypedDict):
    """A schedule as fields and as text. `schedule` is null if the text is not TOML or cannot be
    shown as fields.
    """

    schedule: dict[str, Any] | None
    toml: str
    findings: list[SheetFinding]
    prizes: list[PrizePreview]


class ScheduleErrors(TypedDict):
    """All errors of a schedule in one sentence, and each by itself."""

    error: str
    findings: list[SheetFinding]
    left_out: NotRequired[dict[str, int]]
