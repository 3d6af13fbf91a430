"""State of a tournament, what each event changes in it, and refusals that many commands share."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from datetime import datetime, timedelta
from typing import Any, Literal, NamedTuple, TypeAlias

from pitbook.errors import RoundError
from pitbook.house.nights.tournament import clock, facts
from pitbook.house.nights.tournament.clock import TournamentClock
from pitbook.house.nights.tournament.facts import (
    Awards,
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


def evolve(tournament: Tournament | None, fact: Fact) -> Tournament:
    """The tournament after a fact; raises RoundError for one that cannot have happened."""
    number = 1 if tournament is None else tournament.version + 1
    if isinstance(fact, facts.Undone):
        return _void_undone_tickets(tournament, _undone(tournament, fact), number)
    if tournament is not None and isinstance(fact, TICKET_FACTS):
        return _ticket_changed(tournament, fact, number)
    try:
        after = _applied(tournament, fact)
    except KeyError as missing:
        who = {"tournament": fact.tournament, "player": str(missing)}
        raise RoundError(say("nights.evolve.no-player", **who)) from None
    after = after._replace(
        version=number, dealt=number if _shows_cards(tournament, fact) else after.dealt
    )
    past = () if isinstance(fact, facts.WasSetUp) else after.past
    return _end_tickets(tournament, after._replace(past=(*past, (number, fact))), fact)


def folded(many: Iterable[Fact], tournament: Tournament | None = None) -> Tournament | None:
    """The tournament after many facts."""
    for fact in many:
        tournament = evolve(tournament, fact)
    return tournament


def before_last(tournament: Tournament) -> Tournament:
    """The tournament as it was before the last fact that stands."""
    if tournament.last == tournament.past[0]:
        return Tournament(tournament.tournament, tournament.schedule, status="withdrawn")
    kept = tuple(one for one in tournament.past if one != tournament.last)
    again: Tournament | None = None
    for _, fact in kept:
        again = _applied(again, fact)
    assert again is not None
    return again._replace(
        past=kept,
        dealt=tournament.dealt,
        passes=tournament.passes,
        first_edition=tournament.first_edition,
    )


def _shows_cards(before: Tournament | None, fact: Fact) -> bool:
    """Whether a fact shows that cards were dealt, whoever dealt them."""
    if before is not None and isinstance(fact, facts.ChipsCounted):
        return any(before.players[player].chips != chips for player, chips in fact.counts)
    return isinstance(fact, facts.RoundBegun | facts.FirstCard | facts.Eliminated)


def _undone(tournament: Tournament | None, fact: facts.Undone) -> Tournament:
    if tournament is None or tournament.last is None or tournament.last[0] != fact.of:
        told = {"tournament": fact.tournament, "of": fact.of}
        raise RoundError(say("nights.evolve.not-the-last", **told))
    again = before_last(tournament)
    return again._replace(recalled=again.status == "interrupted")


def _applied(tournament: Tournament | None, fact: Fact) -> Tournament:
    if isinstance(fact, facts.WasSetUp):
        return Tournament(fact.tournament, fact.schedule)
    if tournament is None:
        raise RoundError(say("nights.evolve.none-yet", tournament=fact.tournament))
    return _HANDLERS[type(fact)](tournament, fact)


def _sold(state: Tournament, fact: facts.Sold) -> Tournament:
    nobody = Player(Cents(0), Cents(0), Cents(0), Cents(0))
    was = nobody if fact.what == "buy-in" else state.players[fact.player]
    bought = was._replace(
        spent=Cents(was.spent + fact.paid),
        fee=Cents(was.fee + fact.fee),
        given=Cents(was.given + fact.chips),
        chips=Cents(was.chips + fact.chips),
        re_buys=was.re_buys + (fact.what == "re-buy"),
        add_ons=was.add_ons + (fact.what == "add-on"),
    )
    return _with(_unregistered(state, fact.player), fact.player, bought)


def _refunded(state: Tournament, fact: facts.Refunded) -> Tournament:
    left = {name: one for name, one in state.players.items() if name != fact.player}
    return state._replace(players=left, posted=None)  # Prizes are of the money that is left.


def _checked_in(state: Tournament, fact: facts.CheckedIn) -> Tournament:
    return state._replace(arrived={**state.arrived, fact.player: fact.at})


def _seated(state: Tournament, fact: facts.SeatsDrawn) -> Tournament:
    for player, table, seat in fact.seats:
        state = _with(state, player, state.players[player]._replace(table=table, seat=seat))
    return state


def _moved(state: Tournament, fact: facts.Moved) -> Tournament:
    for player, table, seat in fact.moves:
        state = _with(state, player, state.players[player]._replace(table=table, seat=seat))
    return state


def _counted(state: Tournament, fact: facts.ChipsCounted) -> Tournament:
    for player, chips in fact.counts:
        state = _with(state, player, state.players[player]._replace(chips=chips))
    if state.status == "interrupted" and fact.in_book and fact.table not in state.to_complete:
        return state  # What was dealt before the hand that is still to be ruled on.
    return _hand_over(state, fact.table)


def _eliminated(state: Tournament, fact: facts.Eliminated) -> Tournament:
    for player in fact.players:
        gone = state.players[player]._replace(chips=Cents(0), table=None, seat=None)
        state = _with(state, player, gone)
    return _due(state._replace(out=(*state.out, fact.players)), fact.awards)


def _posted(state: Tournament, fact: facts.PrizesPosted) -> Tournament:
    return _due(state._replace(posted=fact.amounts), fact.awards)


def _finished(state: Tournament, fact: facts.Finished) -> Tournament:
    over = _due(_chips_in(_stood_still(state, fact.at)), fact.awards)
    return over._replace(status="finished", out=(*state.out, *fact.groups))


def _stood_still(state: Tournament, at: datetime | None) -> Tournament:
    """The clock of a tournament that is over shows when that was."""
    if state.clock is None or at is None:
        return state
    return state._replace(clock=clock.paused(state.clock, at))


def _voided(state: Tournament, fact: facts.Voided) -> Tournament:
    # A prize that was won but not paid is not due any more.
    over = _chips_in(state)
    paid = {name: one._replace(due=one.paid) for name, one in over.players.items()}
    return _due(over._replace(players=paid, status="void"), fact.returns)


def _paid_out(state: Tournament, fact: facts.PaidOut) -> Tournament:
    was = state.players[fact.player]
    return _with(state, fact.player, was._replace(paid=Cents(was.paid + fact.amount)))


def _interrupted(state: Tournament, fact: facts.Interrupted) -> Tournament:
    return _stood_still(state, fact.at)._replace(status="interrupted", stopped=())


def _stopped(state: Tournament, fact: facts.Stopped) -> Tournament:
    ran = state.halted or (state.clock is not None and state.clock.since is not None)
    return _stood_still(state, fact.at)._replace(stopped=fact.tables, halted=ran)


def _gone_on(state: Tournament, fact: facts.GoneOn) -> Tournament:
    """The clock goes on with the cards, if the stop halted it; after a verdict it stays.

    Where it ran through the stop, it goes on as from the moment that it was halted.
    """
    ticking, halted = state.clock, state.halted and state.status == "playing"
    if ticking is not None and ticking.since is None and halted:
        ticking = clock.resumed(ticking, _halted_at(state) if fact.through else fact.at)
    return state._replace(stopped=(), halted=False, clock=ticking)


def _halted_at(state: Tournament) -> datetime:
    """When the stop came that halted the clock, or when somebody set that since."""
    stop, set_at = None, None
    for _, fact in reversed(state.past):
        if isinstance(fact, facts.Stopped):
            stop = fact.at
        elif isinstance(fact, facts.GoneOn | facts.ClockPaused | facts.ClockResumed):
            break
        elif isinstance(fact, facts.LevelBegun | facts.ClockAdjusted) and stop is None:
            set_at = set_at or fact.at
    assert stop is not None  # Only a stop halts a clock.
    return max(stop, set_at or stop)


def _registered(state: Tournament, fact: facts.Registered) -> Tournament:
    return state._replace(registered=(*state.registered, *fact.players))


def _unregistered(state: Tournament, player: str) -> Tournament:
    return state._replace(registered=tuple(one for one in state.registered if one != player))


def _ruled(state: Tournament, fact: facts.HandRuled) -> Tournament:
    if fact.completed:
        return state._replace(to_complete=(*state.to_complete, fact.table))
    return _hand_over(state, fact.table)


def _level_begun(state: Tournament, fact: facts.LevelBegun) -> Tournament:
    begun = clock.at_level(state.schedule, _ticking(state), fact.at, fact.level)
    return state._replace(clock=begun)


def _ticking(state: Tournament) -> clock.TournamentClock:
    if state.clock is None:
        raise RoundError(say("nights.evolve.no-clock", tournament=state.tournament))
    return state.clock


def _chips_in(state: Tournament) -> Tournament:
    """Everybody gets up and leaves the chips."""
    players = {
        name: one._replace(chips=Cents(0), table=None, seat=None)
        for name, one in state.players.items()
    }
    return state._replace(players=players, in_hand=(), to_complete=())


def _hand_over(state: Tournament, table: int) -> Tournament:
    return state._replace(
        in_hand=tuple(one for one in state.in_hand if one != table),
        to_complete=tuple(one for one in state.to_complete if one != table),
    )


def _due(state: Tournament, awards: Awards) -> Tournament:
    for player, amount in awards:
        was = state.players[player]
        state = _with(state, player, was._replace(due=Cents(was.due + amount)))
    return state


def _with(state: Tournament, name: str, player: Player) -> Tournament:
    return state._replace(players={**state.players, name: player})


_HANDLERS: dict[type, Callable[[Tournament, Any], Tournament]] = {
    facts.Announced: lambda state, _: state._replace(announced=True),
    facts.Sold: _sold,
    facts.Refunded: _refunded,
    facts.CheckedIn: _checked_in,
    facts.SeatsDrawn: _seated,
    facts.Started: lambda state, _: state._replace(status="playing", started=True),
    facts.ClockStarted: lambda state, fact: state._replace(clock=clock.started(fact.at)),
    facts.ClockPaused: lambda state, fact: state._replace(
        clock=clock.paused(_ticking(state), fact.at), halted=False
    ),
    facts.ClockResumed: lambda state, fact: state._replace(
        clock=clock.resumed(_ticking(state), fact.at)
    ),
    facts.LevelBegun: _level_begun,
    facts.ClockAdjusted: lambda state, fact: state._replace(
        clock=clock.adjusted(
            state.schedule, _ticking(state), fact.at, timedelta(seconds=fact.seconds)
        )
    ),
    facts.Messaged: lambda state, fact: state._replace(message=fact),
    facts.Registered: _registered,
    facts.Unregistered: lambda state, fact: _unregistered(state, fact.player),
    facts.BreakBegun: lambda state, fact: state._replace(
        clock=clock.rested(_ticking(state), fact.at, fact.minutes)
    ),
    facts.RoundBegun: lambda state, fact: state._replace(in_hand=(*state.in_hand, fact.table)),
    facts.FirstCard: lambda state, _: state,
    facts.ChipsCounted: _counted,
    facts.Eliminated: _eliminated,
    facts.Moved: _moved,
    facts.PrizesPosted: _posted,
    facts.Finished: _finished,
    facts.PaidOut: _paid_out,
    facts.Interrupted: _interrupted,
    facts.Stopped: _stopped,
    facts.GoneOn: _gone_on,
    facts.HandRuled: _ruled,
    facts.Voided: _voided,
}


TicketFact: TypeAlias = facts.TicketRotated | facts.TicketRevoked | facts.TicketOpened
TICKET_FACTS = (facts.TicketRotated, facts.TicketRevoked, facts.TicketOpened)


def _ticket_changed(was: Tournament, fact: TicketFact, number: int) -> Tournament:
    """The tournament after something happened to a ticket."""
    before = was.ticket(fact.player)
    if isinstance(fact, facts.TicketOpened):
        opened = before._replace(opening=fact.opening, opened=before.opened + 1)
        after = opened._replace(opened_at=fact.at, taken=True)
    else:
        after = Pass(number, isinstance(fact, facts.TicketRevoked), taken=before.taken)
    return _with_pass(was, fact.player, after)._replace(version=number)


def _end_tickets(before: Tournament | None, after: Tournament, fact: Fact) -> Tournament:
    """An entry that has ended takes its tickets along, and so does a whole tournament."""
    if isinstance(fact, facts.Refunded):
        return _with_pass(after, fact.player, Pass(after.version))
    if isinstance(fact, facts.WasSetUp) and before is not None:  # It was withdrawn before.
        return after._replace(first_edition=after.version)
    return after


def _void_undone_tickets(before: Tournament | None, after: Tournament, number: int) -> Tournament:
    """A buy-in that was taken back is an entry that has ended."""
    gone = set(before.players) - set(after.players) if before is not None else set()
    for player in sorted(gone):
        after = _with_pass(after, player, Pass(number))
    return after._replace(version=number)


def _with_pass(one: Tournament, player: str, known: Pass) -> Tournament:
    return one._replace(passes={**one.passes, player: known})
