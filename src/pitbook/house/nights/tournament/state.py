"""State of a tournament, and refusals that many commands share."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from datetime import datetime, timedelta
from typing import Literal, NamedTuple

from pitbook.house.nights.tournament.clock import TournamentClock
from pitbook.house.nights.tournament.facts import (
    Fact,
    FirstCard,
    GoneOn,
    Messaged,
    PaidOut,
    PlayerGroup,
    Refunded,
    Stopped,
)
from pitbook.house.nights.tournament.schedule import Schedule
from pitbook.money import Cents
from pitbook.rules.refusals import Code, Refusal, refuse
from pitbook.sheets.findings import printable
from pitbook.text import Sentence, say

# A tournament at one moment, frozen. It remembers its facts, so that the last can be undone.


TOLD = (FirstCard, Stopped, GoneOn)  # By live tables; the record keeps them whatever is undone.
LEFT = (Refunded, PaidOut)  # Money that has left; no undo brings it back.
Status = Literal["open", "playing", "interrupted", "finished", "void", "withdrawn"]


class Pass(NamedTuple):
    """A player's ticket as it stands: which one is good, and which browser plays by it."""

    edition: int = 0  # The fact that voided all tickets before it; 0: none ever was.
    revoked: bool = False
    opening: str = ""  # Of the browser that opened it last; "": nobody has.
    opened: int = 0  # How often it was opened.
    opened_at: datetime | None = None
    taken: bool = False  # This one or one before it was opened: the entry is no account's.


class Player(NamedTuple):
    """One entrant: what was spent, what is held, where they sit, what is due."""

    spent: Cents
    fee: Cents  # The part of it that the charity keeps.
    given: Cents  # Chips that were bought.
    chips: Cents  # Chips at the last count.
    re_buys: int = 0
    add_ons: int = 0
    table: int | None = None
    seat: int | None = None
    due: Cents = Cents(0)  # All that is to be paid out, paid or not.
    paid: Cents = Cents(0)

    @property
    def owed(self) -> Cents:
        """What is still to be paid out."""
        return Cents(self.due - self.paid)


class Tournament(NamedTuple):
    """A tournament after some facts; `evolve` gives the next one."""

    tournament: str
    schedule: Schedule
    status: Status = "open"
    announced: bool = False
    started: bool = False  # Whether play was called; rounds may begin.
    dealt: int = 0  # The last fact that showed cards on a table; no undo takes that back (OMS-13).
    recalled: bool = False  # A step of its end was undone: the next is the floor's own.
    players: Mapping[str, Player] = {}
    arrived: Mapping[str, datetime] = {}  # Who came to the door, and when.
    out: tuple[PlayerGroup, ...] = ()  # In the order in which they went; the last is the best.
    in_hand: tuple[int, ...] = ()  # Tables with a round on the layout.
    stopped: tuple[int, ...] = ()  # Tables whose hand the machine cut: the floor is asked.
    halted: bool = False  # The clock ran when the machine stopped, and goes on with the cards.
    to_complete: tuple[int, ...] = ()  # Of these, the interrupted hands that are played on.
    clock: TournamentClock | None = None
    registered: PlayerGroup = ()  # Who is expected, and has not entered.
    message: Messaged | None = None  # What hangs on the board, or hung there.
    posted: tuple[Cents, ...] | None = None  # The prizes, first place first.
    passes: Mapping[str, Pass] = {}  # Whose tickets were opened or voided; no undo takes it back.
    first_edition: int = 0  # Of tickets that nothing has happened to.
    past: tuple[tuple[int, Fact], ...] = ()  # What stands, each with its sequence number.
    version: int = 0

    @property
    def last(self) -> tuple[int, Fact] | None:
        """What can be taken back next: what the tables told of themselves never can."""
        own = (one for one in reversed(self.past) if not isinstance(one[1], TOLD))
        return next(own, None)

    def message_at(self, now: datetime) -> str | None:
        """What the board says beside its figures, while that stands."""
        said = self.message
        if said is None or not said.text:
            return None
        until = said.at + timedelta(minutes=said.minutes)
        return said.text if not said.minutes or now < until else None

    @property
    def is_large(self) -> bool:
        """Whether it uses up the event's higher spending limit."""
        return self.schedule.higher_limit and self.status != "withdrawn"

    def ticket(self, player: str) -> Pass:
        """Somebody's ticket as it stands, given out or not."""
        return self.passes.get(player, Pass(self.first_edition))

    @property
    def still_in(self) -> list[str]:
        """The players who are not out, in the order in which they entered."""
        gone = {player for group in self.out for player in group}
        return [player for player in self.players if player not in gone]

    @property
    def tables(self) -> dict[int, list[str]]:
        """Who sits at each table, by seat."""
        seated = sorted(
            (one.table, one.seat or 0, name)
            for name, one in self.players.items()
            if one.table is not None
        )
        found: dict[int, list[str]] = {}
        for table, _, name in seated:
            found.setdefault(table, []).append(name)
        return found

    @property
    def prize_money(self) -> Cents:
        """What was paid in for prizes."""
        return Cents(sum(one.spent - one.fee for one in self.players.values()))

    @property
    def fees(self) -> Cents:
        """What was paid in for the charity."""
        return Cents(sum(one.fee for one in self.players.values()))


# The questions that many commands ask first, each answered by a refusal or by nothing.


def status_told(tournament: Tournament) -> Sentence:
    """How a tournament stands, in a word."""
    return say("nights.status", status=tournament.status)


def not_playing(tournament: Tournament) -> Refusal | None:
    """Whether cards are not in play."""
    if tournament.status == "playing":
        return None
    name, status = tournament.tournament, status_told(tournament)
    return refuse(Code.NOT_NOW, "nights.asked.not-playing", tournament=name, status=status)


def unknown(tournament: Tournament, players: Iterable[str]) -> Refusal | None:
    """Whether somebody named is not, or no longer, in the tournament."""
    for player in players:
        if player not in tournament.players:
            who = {"player": printable(player), "tournament": tournament.tournament}
            return refuse(Code.UNKNOWN_SEAT, "nights.asked.not-entered", **who)
        if player not in tournament.still_in:
            out = {"player": player, "tournament": tournament.tournament}
            return refuse(Code.NOT_NOW, "nights.asked.is-out", **out)
    return None


def with_a_hand(tournament: Tournament, tables: Iterable[int | None]) -> Refusal | None:
    """Whether a round lies at one of the tables."""
    busy = sorted({table for table in tables if table in tournament.in_hand and table is not None})
    if not busy:
        return None
    return refuse(Code.NOT_NOW, "nights.asked.hand-on-layout", table=busy[0])
