"""Types of the answers of the nights API."""

from __future__ import annotations

from typing import Any, NotRequired

from typing_extensions import TypedDict

from pitbook.house.nights.view_types import NightListed, SlipShown, TicketShown, TournamentShown
from pitbook.house.table.api_types import Recorded
from pitbook.house.web.sheet_types import FindingShown


class NightsShown(TypedDict):
    """Every night, the latest gaming date first, and the houses whose rules one can have."""

    nights: list[NightListed]
    houses: list[str]


class Stop(TypedDict):
    """What was cut short, and what became of it."""

    where: str
    what: str


class NightStopped(TypedDict):
    """What an interruption of the evening stopped."""

    event: str
    stopped: list[Stop]


class SlipGiven(SlipShown):
    """A slip with the text that a player is given."""

    text: str


class Slips(TypedDict):
    """What passed over the counter, the latest first; `left_out` counts earlier ones."""

    slips: list[SlipShown]
    left_out: int


class Schedules(TypedDict):
    """Schedules to begin with, as TOML; `own` are those that the house has kept, by name."""

    schedules: dict[str, str]
    own: dict[str, str]


class TournamentAfter(TournamentShown):
    """A tournament after a command, and where that is on record."""

    accepted: NotRequired[Recorded]


class TournamentGone(TypedDict):
    """A tournament that was withdrawn."""

    id: str
    own: str
    status: str
    accepted: NotRequired[Recorded]


class TicketCode(TypedDict):
    """A player's code, as the desk shows it; with an account one signs in to play."""

    player: str
    token: str
    link: str
    picture: str
    rehearsal: bool
    account: bool


class CheckedIn(TypedDict):
    """What a check-in code stands for; `runs`: whoever asks runs the night."""

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
    ticket: TicketShown
    runs: bool
    accepted: NotRequired[Recorded]


class PrizesPreviewed(TypedDict):
    """What each place would be paid if so many enter, the first place first."""

    entrants: int
    prize_money: str
    prizes: list[str]


class LineWrong(TypedDict):
    """A line of a list that nobody can be registered by, and why."""

    line: int
    name: str
    message: str


class ListImported(TypedDict):
    """A list of players taken in: who is new, who was known, and which lines were not taken."""

    added: list[str]
    known: list[str]
    wrong: list[LineWrong]
    tournament: TournamentShown


class ScheduleRead(TypedDict):
    """A schedule as fields and as text; without fields the text is no TOML, or says too much."""

    schedule: dict[str, Any] | None
    toml: str
    findings: list[FindingShown]
    prizes: list[PrizesPreviewed]


class ScheduleMistaken(TypedDict):
    """Every mistake of a schedule in one sentence, and each by itself."""

    error: str
    findings: list[FindingShown]
    left_out: NotRequired[dict[str, int]]
