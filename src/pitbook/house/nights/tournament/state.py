"""Tournament state, what each fact changes in it, and refusals shared by many commands."""

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
    MessagePosted,
    PaidOut,
    PlayerGroup,
    Refunded,
    Resumed,
    Stopped,
)
from pitbook.house.nights.tournament.schedule import Schedule
from pitbook.money import Cents
from pitbook.rules.refusals import Code, Refusal, refuse
from pitbook.text import Sentence, say
from pitbook.text.user_input import printable

TABLE_FACTS = (FirstCard, Stopped, Resumed)  # Recorded by live tables and never undone.
PAYMENT_FACTS = (Refunded, PaidOut)  # Money has left; it cannot be undone.
Status = Literal["open", "playing", "interrupted", "finished", "void", "withdrawn"]


class TicketState(NamedTuple):
    """A player's ticket: the valid edition, and the browser that plays by it."""

    edition: int = 0  # The fact that voided all earlier tickets; 0: none did.
    revoked: bool = False
    opening: str = ""  # The browser that opened it last; "": none did.
    opened: int = 0  # How often it was opened.
    opened_at: datetime | None = None
    taken: bool = False  # This or an earlier ticket was opened: no account has the entry.


class Player(NamedTuple):
    """An entrant: spending, chips, seat and prize."""

    spent: Cents
    fee: Cents  # The charity's part of it.
    chips_bought: Cents  # Chips that were bought.
    chips: Cents  # Chips at the last count.
    re_buys: int = 0
    add_ons: int = 0
    table: int | None = None
    seat: int | None = None
    due: Cents = Cents(0)  # The total to be paid out, paid or not.
    paid: Cents = Cents(0)

    @property
    def owed(self) -> Cents:
        """What is still to be paid out."""
        return Cents(self.due - self.paid)


class Tournament(NamedTuple):
    """A tournament after some facts."""

    tournament: str
    schedule: Schedule
    status: Status = "open"
    announced: bool = False
    started: bool = False  # Whether play was started.
    dealt: int = 0  # The last fact that showed cards on a table; no undo reverses it (OMS-13).
    undo_pending: bool = False  # A step of its end was undone; the floor takes the next one.
    players: Mapping[str, Player] = {}
    arrived: Mapping[str, datetime] = {}  # Check-in times.
    out: tuple[PlayerGroup, ...] = ()  # In order of elimination; the last is the best.
    in_hand: tuple[int, ...] = ()  # Tables with a round on the layout.
    # Tables whose hand a server stop cut off; the floor must decide.
    interrupted_tables: tuple[int, ...] = ()
    clock_halted: bool = False  # The clock ran when the server stopped, and resumes with the hands.
    to_complete: tuple[int, ...] = ()  # Interrupted hands that are completed.
    clock: TournamentClock | None = None
    registered: PlayerGroup = ()  # Expected players who have not entered.
    message: MessagePosted | None = None  # The last message, current or expired.
    posted: tuple[Cents, ...] | None = None  # The prizes, first place first.
    # Tickets that were opened or voided; no undo reverses it.
    tickets: Mapping[str, TicketState] = {}
    first_edition: int = 0  # Of tickets that are unchanged since set-up.
    past: tuple[tuple[int, Fact], ...] = ()  # Facts in force with their sequence numbers.
    version: int = 0

    @property
    def last(self) -> tuple[int, Fact] | None:
        """The step that an undo would reverse; facts from tables cannot be undone."""
        undoable = (entry for entry in reversed(self.past) if not isinstance(entry[1], TABLE_FACTS))
        return next(undoable, None)

    def message_at(self, now: datetime) -> str | None:
        """The board's current message, if any."""
        message = self.message
        if message is None or not message.text:
            return None
        until = message.at + timedelta(minutes=message.minutes)
        return message.text if not message.minutes or now < until else None

    @property
    def is_large(self) -> bool:
        """Whether it uses the event's higher spending limit."""
        return self.schedule.higher_limit and self.status != "withdrawn"

    def ticket(self, player: str) -> TicketState:
        """A player's ticket, issued or not."""
        return self.tickets.get(player, TicketState(self.first_edition))

    @property
    def still_in(self) -> list[str]:
        """The players not eliminated, in the order of entry."""
        eliminated = {player for group in self.out for player in group}
        return [player for player in self.players if player not in eliminated]

    @property
    def tables(self) -> dict[int, list[str]]:
        """The players at each table, by seat."""
        places = sorted(
            (player.table, player.seat or 0, name)
            for name, player in self.players.items()
            if player.table is not None
        )
        players_by_table: dict[int, list[str]] = {}
        for table, _, name in places:
            players_by_table.setdefault(table, []).append(name)
        return players_by_table

    @property
    def prize_money(self) -> Cents:
        """What players paid for prizes."""
        return Cents(sum(player.spent - player.fee for player in self.players.values()))

    @property
    def fees(self) -> Cents:
        """What players paid to the charity."""
        return Cents(sum(player.fee for player in self.players.values()))


def status_text(tournament: Tournament) -> Sentence:
    """A tournament's status in a word."""
    return say("nights.status", status=tournament.status)


def step_text(fact: facts.Fact) -> Sentence:
    """A step of a tournament in a few words, with its table and players."""
    kind = facts.FACTS.name(type(fact)).removeprefix("tournament-")
    done = fact.what if isinstance(fact, facts.Sold) else kind
    player = getattr(fact, "player", None)
    names = getattr(fact, "players", () if player is None else (player,))
    players = [printable(name) for name in names]
    return say(
        "nights.past",
        done=done,
        plain=kind.replace("-", " "),
        table=getattr(fact, "table", 0),
        who=players,
        count=len(players),
    )


def require_playing(tournament: Tournament) -> Refusal | None:
    """Refuse unless the tournament is playing."""
    if tournament.status == "playing":
        return None
    name, status = tournament.tournament, status_text(tournament)
    return refuse(Code.NOT_NOW, "nights.asked.not-playing", tournament=name, status=status)


def require_players_in(tournament: Tournament, players: Iterable[str]) -> Refusal | None:
    """Refuse if somebody named has not entered or is eliminated."""
    for player in players:
        if player not in tournament.players:
            fields = {"player": printable(player), "tournament": tournament.tournament}
            return refuse(Code.UNKNOWN_SEAT, "nights.asked.not-entered", **fields)
        if player not in tournament.still_in:
            player_fields = {"player": player, "tournament": tournament.tournament}
            return refuse(Code.NOT_NOW, "nights.asked.is-out", **player_fields)
    return None


def require_no_hand(tournament: Tournament, tables: Iterable[int | None]) -> Refusal | None:
    """Refuse if one of the tables has a round on the layout."""
    busy = sorted({table for table in tables if table in tournament.in_hand and table is not None})
    if not busy:
        return None
    return refuse(Code.NOT_NOW, "nights.asked.hand-on-layout", table=busy[0])


def apply(tournament: Tournament | None, fact: Fact) -> Tournament:
    """The tournament after a fact; raises RoundError for an impossible one."""
    number = 1 if tournament is None else tournament.version + 1
    if isinstance(fact, facts.Undone):
        return _void_undone_tickets(tournament, _apply_undo(tournament, fact), number)
    if tournament is not None and isinstance(fact, TICKET_FACTS):
        return _apply_ticket_fact(tournament, fact, number)
    try:
        after = _apply(tournament, fact)
    except KeyError as missing:
        fields = {"tournament": fact.tournament, "player": str(missing)}
        raise RoundError(say("nights.evolve.no-player", **fields)) from None
    after = after._replace(
        version=number, dealt=number if _shows_cards(tournament, fact) else after.dealt
    )
    past = () if isinstance(fact, facts.TournamentCreated) else after.past
    return _end_tickets(tournament, after._replace(past=(*past, (number, fact))), fact)


def replay(events: Iterable[Fact], tournament: Tournament | None = None) -> Tournament | None:
    """The tournament after several facts."""
    for fact in events:
        tournament = apply(tournament, fact)
    return tournament


def before_last(tournament: Tournament) -> Tournament:
    """The tournament before the last fact in force."""
    if tournament.last == tournament.past[0]:
        return Tournament(tournament.tournament, tournament.schedule, status="withdrawn")
    earlier = tuple(entry for entry in tournament.past if entry != tournament.last)
    tournament_before: Tournament | None = None
    for _, fact in earlier:
        tournament_before = _apply(tournament_before, fact)
    assert tournament_before is not None
    return tournament_before._replace(
        past=earlier,
        dealt=tournament.dealt,
        tickets=tournament.tickets,
        first_edition=tournament.first_edition,
    )


def _shows_cards(before: Tournament | None, fact: Fact) -> bool:
    """Whether a fact shows that cards were dealt."""
    if before is not None and isinstance(fact, facts.ChipsCounted):
        return any(before.players[player].chips != chips for player, chips in fact.counts)
    return isinstance(fact, facts.RoundBegun | facts.FirstCard | facts.Eliminated)


def _apply_undo(tournament: Tournament | None, fact: facts.Undone) -> Tournament:
    if tournament is None or tournament.last is None or tournament.last[0] != fact.of:
        fields = {"tournament": fact.tournament, "of": fact.of}
        raise RoundError(say("nights.evolve.not-the-last", **fields))
    tournament_before = before_last(tournament)
    return tournament_before._replace(undo_pending=tournament_before.status == "interrupted")


def _apply(tournament: Tournament | None, fact: Fact) -> Tournament:
    if isinstance(fact, facts.TournamentCreated):
        return Tournament(fact.tournament, fact.schedule)
    if tournament is None:
        raise RoundError(say("nights.evolve.none-yet", tournament=fact.tournament))
    return _HANDLERS[type(fact)](tournament, fact)


def _apply_sale(state: Tournament, fact: facts.Sold) -> Tournament:
    new_player = Player(Cents(0), Cents(0), Cents(0), Cents(0))
    player = new_player if fact.what == "buy-in" else state.players[fact.player]
    updated = player._replace(
        spent=Cents(player.spent + fact.paid),
        fee=Cents(player.fee + fact.fee),
        chips_bought=Cents(player.chips_bought + fact.chips),
        chips=Cents(player.chips + fact.chips),
        re_buys=player.re_buys + (fact.what == "re-buy"),
        add_ons=player.add_ons + (fact.what == "add-on"),
    )
    return _with_player(_unregister(state, fact.player), fact.player, updated)


def _apply_refund(state: Tournament, fact: facts.Refunded) -> Tournament:
    remaining = {name: player for name, player in state.players.items() if name != fact.player}
    return state._replace(players=remaining, posted=None)  # Prizes depend on the remaining money.


def _apply_check_in(state: Tournament, fact: facts.CheckedIn) -> Tournament:
    return state._replace(arrived={**state.arrived, fact.player: fact.at})


def _apply_seats(state: Tournament, fact: facts.SeatsDrawn) -> Tournament:
    for player, table, seat in fact.seats:
        state = _with_player(state, player, state.players[player]._replace(table=table, seat=seat))
    return state


def _apply_moves(state: Tournament, fact: facts.Moved) -> Tournament:
    for player, table, seat in fact.moves:
        state = _with_player(state, player, state.players[player]._replace(table=table, seat=seat))
    return state


def _apply_count(state: Tournament, fact: facts.ChipsCounted) -> Tournament:
    for player, chips in fact.counts:
        state = _with_player(state, player, state.players[player]._replace(chips=chips))
    if state.status == "interrupted" and fact.in_book and fact.table not in state.to_complete:
        return state  # A round dealt before the hand that still needs a ruling.
    return _end_hand(state, fact.table)


def _apply_elimination(state: Tournament, fact: facts.Eliminated) -> Tournament:
    for player in fact.players:
        eliminated = state.players[player]._replace(chips=Cents(0), table=None, seat=None)
        state = _with_player(state, player, eliminated)
    return _add_awards(state._replace(out=(*state.out, fact.players)), fact.awards)


def _apply_prizes(state: Tournament, fact: facts.PrizesPosted) -> Tournament:
    return _add_awards(state._replace(posted=fact.amounts), fact.awards)


def _apply_finish(state: Tournament, fact: facts.Finished) -> Tournament:
    ended = _add_awards(_collect_chips(_pause_clock_at(state, fact.at)), fact.awards)
    return ended._replace(status="finished", out=(*state.out, *fact.groups))


def _pause_clock_at(state: Tournament, at: datetime | None) -> Tournament:
    """Pause the clock at the time when play stopped."""
    if state.clock is None or at is None:
        return state
    return state._replace(clock=clock.pause_clock(state.clock, at))


def _apply_void(state: Tournament, fact: facts.Voided) -> Tournament:
    # A prize that was won but not paid is no longer due.
    ended = _collect_chips(state)
    players = {name: player._replace(due=player.paid) for name, player in ended.players.items()}
    return _add_awards(ended._replace(players=players, status="void"), fact.returns)


def _apply_payout(state: Tournament, fact: facts.PaidOut) -> Tournament:
    player = state.players[fact.player]
    return _with_player(state, fact.player, player._replace(paid=Cents(player.paid + fact.amount)))


def _apply_interruption(state: Tournament, fact: facts.Interrupted) -> Tournament:
    return _pause_clock_at(state, fact.at)._replace(status="interrupted", interrupted_tables=())


def _apply_stop(state: Tournament, fact: facts.Stopped) -> Tournament:
    clock_halted = state.clock_halted or (state.clock is not None and state.clock.since is not None)
    return _pause_clock_at(state, fact.at)._replace(
        interrupted_tables=fact.tables, clock_halted=clock_halted
    )


def _apply_resumption(state: Tournament, fact: facts.Resumed) -> Tournament:
    """Resume the clock if the stop halted it; after a ruling it stays paused.

    If it ran through the stop, it resumes as from the moment of the stop.
    """
    current_clock, resumes = state.clock, state.clock_halted and state.status == "playing"
    if current_clock is not None and current_clock.since is None and resumes:
        current_clock = clock.resume_clock(
            current_clock, _halt_time(state) if fact.through else fact.at
        )
    return state._replace(interrupted_tables=(), clock_halted=False, clock=current_clock)


def _halt_time(state: Tournament) -> datetime:
    """When the stop halted the clock, or when the clock was set since."""
    stop, set_at = None, None
    for _, fact in reversed(state.past):
        if isinstance(fact, facts.Stopped):
            stop = fact.at
        elif isinstance(fact, facts.Resumed | facts.ClockPaused | facts.ClockResumed):
            break
        elif isinstance(fact, facts.LevelBegun | facts.ClockAdjusted) and stop is None:
            set_at = set_at or fact.at
    assert stop is not None  # Only a stop halts a clock.
    return max(stop, set_at or stop)


def _apply_registration(state: Tournament, fact: facts.Registered) -> Tournament:
    return state._replace(registered=(*state.registered, *fact.players))


def _unregister(state: Tournament, player: str) -> Tournament:
    return state._replace(registered=tuple(name for name in state.registered if name != player))


def _apply_ruling(state: Tournament, fact: facts.HandRuled) -> Tournament:
    if fact.completed:
        return state._replace(to_complete=(*state.to_complete, fact.table))
    return _end_hand(state, fact.table)


def _apply_level(state: Tournament, fact: facts.LevelBegun) -> Tournament:
    level_clock = clock.jump_to_level(state.schedule, _require_clock(state), fact.at, fact.level)
    return state._replace(clock=level_clock)


def _require_clock(state: Tournament) -> clock.TournamentClock:
    if state.clock is None:
        raise RoundError(say("nights.evolve.no-clock", tournament=state.tournament))
    return state.clock


def _collect_chips(state: Tournament) -> Tournament:
    """Clear every player's seat and chips."""
    players = {
        name: player._replace(chips=Cents(0), table=None, seat=None)
        for name, player in state.players.items()
    }
    return state._replace(players=players, in_hand=(), to_complete=())


def _end_hand(state: Tournament, table: int) -> Tournament:
    return state._replace(
        in_hand=tuple(number for number in state.in_hand if number != table),
        to_complete=tuple(number for number in state.to_complete if number != table),
    )


def _add_awards(state: Tournament, awards: Awards) -> Tournament:
    for player, amount in awards:
        entrant = state.players[player]
        state = _with_player(state, player, entrant._replace(due=Cents(entrant.due + amount)))
    return state


def _with_player(state: Tournament, name: str, player: Player) -> Tournament:
    return state._replace(players={**state.players, name: player})


_HANDLERS: dict[type, Callable[[Tournament, Any], Tournament]] = {
    facts.Announced: lambda state, _: state._replace(announced=True),
    facts.Sold: _apply_sale,
    facts.Refunded: _apply_refund,
    facts.CheckedIn: _apply_check_in,
    facts.SeatsDrawn: _apply_seats,
    facts.Started: lambda state, _: state._replace(status="playing", started=True),
    facts.ClockStarted: lambda state, fact: state._replace(clock=clock.start_clock(fact.at)),
    facts.ClockPaused: lambda state, fact: state._replace(
        clock=clock.pause_clock(_require_clock(state), fact.at), clock_halted=False
    ),
    facts.ClockResumed: lambda state, fact: state._replace(
        clock=clock.resume_clock(_require_clock(state), fact.at)
    ),
    facts.LevelBegun: _apply_level,
    facts.ClockAdjusted: lambda state, fact: state._replace(
        clock=clock.adjust_clock(
            state.schedule, _require_clock(state), fact.at, timedelta(seconds=fact.seconds)
        )
    ),
    facts.MessagePosted: lambda state, fact: state._replace(message=fact),
    facts.Registered: _apply_registration,
    facts.Unregistered: lambda state, fact: _unregister(state, fact.player),
    facts.BreakBegun: lambda state, fact: state._replace(
        clock=clock.start_break(_require_clock(state), fact.at, fact.minutes)
    ),
    facts.RoundBegun: lambda state, fact: state._replace(in_hand=(*state.in_hand, fact.table)),
    facts.FirstCard: lambda state, _: state,
    facts.ChipsCounted: _apply_count,
    facts.Eliminated: _apply_elimination,
    facts.Moved: _apply_moves,
    facts.PrizesPosted: _apply_prizes,
    facts.Finished: _apply_finish,
    facts.PaidOut: _apply_payout,
    facts.Interrupted: _apply_interruption,
    facts.Stopped: _apply_stop,
    facts.Resumed: _apply_resumption,
    facts.HandRuled: _apply_ruling,
    facts.Voided: _apply_void,
}


TicketFact: TypeAlias = facts.TicketRotated | facts.TicketRevoked | facts.TicketOpened
TICKET_FACTS = (facts.TicketRotated, facts.TicketRevoked, facts.TicketOpened)


def _apply_ticket_fact(tournament: Tournament, fact: TicketFact, number: int) -> Tournament:
    """The tournament after a ticket fact."""
    old_ticket = tournament.ticket(fact.player)
    if isinstance(fact, facts.TicketOpened):
        opened_ticket = old_ticket._replace(opening=fact.opening, opened=old_ticket.opened + 1)
        new_ticket = opened_ticket._replace(opened_at=fact.at, taken=True)
    else:
        new_ticket = TicketState(
            number, isinstance(fact, facts.TicketRevoked), taken=old_ticket.taken
        )
    return _with_ticket(tournament, fact.player, new_ticket)._replace(version=number)


def _end_tickets(before: Tournament | None, after: Tournament, fact: Fact) -> Tournament:
    """Void the tickets of a refunded entry or of a tournament set up again."""
    if isinstance(fact, facts.Refunded):
        return _with_ticket(after, fact.player, TicketState(after.version))
    if isinstance(fact, facts.TournamentCreated) and before is not None:  # It was withdrawn before.
        return after._replace(first_edition=after.version)
    return after


def _void_undone_tickets(before: Tournament | None, after: Tournament, number: int) -> Tournament:
    """Void the tickets of an undone buy-in."""
    removed = set(before.players) - set(after.players) if before is not None else set()
    for player in sorted(removed):
        after = _with_ticket(after, player, TicketState(number))
    return after._replace(version=number)


def _with_ticket(tournament: Tournament, player: str, ticket: TicketState) -> Tournament:
    return tournament._replace(tickets={**tournament.tickets, player: ticket})
