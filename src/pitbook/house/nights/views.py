"""Views of a night and its tournaments, with the commands that are possible now."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import lru_cache
from typing import Any, cast

from pitbook.house.ledger.ledger import Ledger
from pitbook.house.nights.api_types import (
    EntrantView,
    LiveTablesView,
    LiveTableView,
    NightBase,
    NightSummary,
    NightTableView,
    NightView,
    PriceView,
    ProposedMove,
    RoomTable,
    SheetAtVenue,
    TicketView,
    TournamentSummary,
    TournamentTerms,
    TournamentView,
    UndoableStep,
)
from pitbook.house.nights.decide import Command, decide
from pitbook.house.nights.decision_types import NightContext
from pitbook.house.nights.interruptions import is_stopped
from pitbook.house.nights.sheets import day_end, differences
from pitbook.house.nights.state import AdmittedTable, NightState
from pitbook.house.nights.tournament import commands, facts
from pitbook.house.nights.tournament.board import board, results
from pitbook.house.nights.tournament.commands import command_name
from pitbook.house.nights.tournament.play import outcome_if_interrupted
from pitbook.house.nights.tournament.schedule import Price, Schedule, announcement
from pitbook.house.nights.tournament.seating import balance_moves, table_to_break
from pitbook.house.nights.tournament.state import Tournament, step_text
from pitbook.house.nights.tournament.tickets import ENDED_STATUSES
from pitbook.house.nights.tournament_tables import (
    TournamentTables,
    break_refusal,
    players_to_eliminate,
    require_started,
    round_not_over,
    table_name,
    table_numbers,
)
from pitbook.house.people.access_list import OPEN_TO_ALL
from pitbook.house.table.events import sheet_id
from pitbook.house.table.live_tables import read_table
from pitbook.house.table.state import TableState
from pitbook.house.table.stored_sheets import game_of
from pitbook.house.table.stream_names import TABLE
from pitbook.money import money
from pitbook.rules.refusals import Refusal
from pitbook.text import say
from pitbook.text.sentences import fix_foreign_currency

# Commands that apply to no particular player or table.
GENERAL_COMMANDS: tuple[Any, ...] = (
    commands.Announce,
    commands.DrawSeats,
    commands.Start,
    commands.StartClock,
    commands.PauseClock,
    commands.ResumeClock,
    commands.NextLevel,
    commands.PreviousLevel,
    commands.Balance,
    commands.PostPrizes,
    commands.Finish,
    commands.GoOn,
    commands.SettleInterruption,
)
ANYBODY = "anybody"


def floor_offers(
    state: NightState, tournament: Tournament, context: NightContext
) -> dict[str, str | None]:
    """Each command of the floor with the reason why it is not possible now; None: it is."""
    name, last = tournament.tournament, tournament.last[0] if tournament.last else 0
    unknown_player = ANYBODY
    while unknown_player in tournament.players:
        unknown_player += "."
    candidates: list[Any] = [kind(name) for kind in GENERAL_COMMANDS]
    candidates += [commands.Enter(name, unknown_player), commands.Break(name, 1)]
    candidates += [commands.Register(name, (unknown_player,)), commands.AdjustClock(name, 60)]
    candidates += [commands.Message(name, "asked")]
    candidates += [commands.Interrupt(name, "asked"), commands.Undo(name, last)]
    context = context._replace(access_list=OPEN_TO_ALL)  # No particular person is meant.
    return {
        command_name(type(command)): _refusal_message(state, command, context)
        for command in candidates
    }


def player_offers(
    state: NightState, tournament: Tournament, player: str, context: NightContext
) -> dict[str, str | None]:
    """The commands for one player; those that nobody would use now are left out."""
    candidates = _player_commands(tournament, player)
    return {
        command_name(type(command)): _refusal_message(state, command, context)
        for command in candidates
    }


def _player_commands(tournament: Tournament, player: str) -> Iterator[Command]:
    """Only plausible commands, since each is tried for every player of a large field."""
    name, entrant = tournament.tournament, tournament.players[player]
    if entrant.owed:
        yield commands.PayOut(name, player)
    if not tournament.dealt:
        yield commands.Refund(name, player)
    if tournament.status not in ENDED_STATUSES:
        yield commands.RotateTicket(name, player)
        yield commands.RevokeTicket(name, player)
    if tournament.status == "playing" and entrant.table is not None:
        if tournament.schedule.re_buy is not None:
            yield commands.ReBuy(name, player)
        if tournament.schedule.add_on is not None:
            yield commands.AddOn(name, player)
        yield commands.Eliminate(name, (player,))


def _refusal_message(state: NightState, command: Command, context: NightContext) -> str | None:
    answer = decide(state, command, context._replace(draw=_draw_first))
    return answer.message if isinstance(answer, Refusal) else None


def _draw_first(_: int) -> int:
    """Previews draw nothing."""
    return 0


def live_tables_view(tables: TournamentTables, context: NightContext) -> LiveTablesView | None:
    """The live tables and players to eliminate; None if chips are counted by hand."""
    numbers = table_numbers(tables)
    if not numbers:
        return None
    return {
        "tables": [_table(tables, number, context) for number in numbers],
        "proposed_out": [list(group) for group in players_to_eliminate(tables)],
    }


def open_tables_refusal(tables: TournamentTables, live_tables: LiveTablesView | None) -> str | None:
    """Why tables cannot be opened now; None: they can."""
    if (refusal := require_started(tables.state)) is not None:
        return refusal.message
    open_numbers = {table["number"] for table in live_tables["tables"]} if live_tables else set()
    return (
        None
        if set(tables.state.tables) - open_numbers
        else say("nights.tables.laid-out", tournament=tables.tournament)
    )


def _table(tables: TournamentTables, number: int, context: NightContext) -> LiveTableView:
    name = table_name(tables.tournament, number)
    held = tables.house.get(name)
    state = held.state if held else read_table(tables.house.ledger, f"{TABLE}{name}")
    over = state.round is None or state.round.phase == "over"
    return {
        "number": number,
        "table": name,
        "round": None if over else state.number,
        "phase": _phase(state),
        "waiting": _players_awaited(state),
        "must_agree": _must_agree(state),
        "stopped": state.interruption if is_stopped(state) else None,
        "offers": {
            "begin": _begin_refusal(tables, number, state, context),
            "count": _count_refusal(tables, number, state, context),
        },
    }


def _phase(state: TableState) -> str:
    """The phase as shown in the list of tables."""
    if state.retired:
        return "retired"
    return state.round.phase if state.round is not None else "open"


def _players_awaited(state: TableState) -> list[str]:
    """The players whose wager or decision the table waits for."""
    round = state.round
    if round is None or round.phase == "over" or state.awaiting is not None:
        return []
    if round.phase == "wagers":
        bettors = {seat.number for seat in round.seats}
        return [name for seat, name in sorted(state.seats.items()) if seat not in bettors]
    waiting_seats = [round.seat(number) for number in round.waiting]
    return [seat.player for seat in waiting_seats if seat is not None]


def _must_agree(state: TableState) -> list[str] | None:
    if not state.awaiting:
        return None
    return [name for name, answer in state.awaiting.items() if answer is None]


def _begin_refusal(
    tables: TournamentTables, number: int, state: TableState, context: NightContext
) -> str | None:
    command = commands.BeginRound(tables.tournament, number)
    return _refusal_message_at_tables(tables, command, context) or _message(break_refusal(tables))


def _count_refusal(
    tables: TournamentTables, number: int, state: TableState, context: NightContext
) -> str | None:
    if state.has_live_wagers:
        return round_not_over(number).message
    if number not in tables.state.in_hand:
        return say("nights.tables.none-begun", table=number)
    counts = tuple((name, tables.chips(name)) for name in tables.state.tables.get(number, ()))
    command = commands.CountChips(tables.tournament, number, counts, in_book=True)
    return _refusal_message_at_tables(tables, command, context)


def _refusal_message_at_tables(
    tables: TournamentTables, command: Command, context: NightContext
) -> str | None:
    answer = decide(tables.night.state, command, context)
    return answer.message if isinstance(answer, Refusal) else None


def _message(refusal: Refusal | None) -> str | None:
    return None if refusal is None else refusal.message


Json = dict[str, Any]
PAST_SHOWN = 12


def tournament_short_name(tournament: str) -> str:
    """A tournament's id without its event prefix.

    >>> tournament_short_name("gala.t1")
    't1'
    """
    return tournament.partition(".")[2]


def night_summary(state: NightState) -> NightSummary:
    """A night for a list of nights."""
    return {
        **_night_base(state),
        "tournaments": [tournament_short_name(name) for name in state.tournaments],
    }


def _night_base(state: NightState) -> NightBase:
    return {
        "event": state.event,
        "phase": state.phase,
        "charity": state.charity,
        "licence": state.licence,
        "gaming_date": state.gaming_date,
        "zone": state.zone,
        "rehearsal": state.rehearsal,
        "house": state.rules.house.name,
    }


def night_view(ledger: Ledger, state: NightState) -> NightView:
    """A night with its drawer, chips, tables and tournaments."""
    balances = ledger.balances(state.accounts.unit).items()
    chips = {
        account.name: cents for account, cents in balances if account.kind == "wallet" and cents
    }
    return {
        **_night_base(state),
        "tournaments": [
            _tournament_summary(tournament) for tournament in state.tournaments.values()
        ],
        "opened_at": state.opened_at or None,
        "closed_at": state.closed_at or None,
        "ends_at": _local_end(state),
        "cash": money(ledger.balance(state.accounts.cash)),
        "outstanding": money(sum(chips.values())),
        "chips": {player: money(cents) for player, cents in sorted(chips.items())},
        "values": [money(value) for value in state.rules.chips.values],
        "slips": len(state.slips),
        "tables": [table_view(table) for table in state.tables.values()],
        "interruptions": list(state.interruptions),
        "unclaimed": _unclaimed_by_player(ledger, state),
        "version": state.version,
    }


def _local_end(state: NightState) -> str | None:
    """When the gaming date ends, in local time."""
    ends = day_end(state)
    return None if ends is None else f"{ends.astimezone(state.timezone):%Y-%m-%d %H:%M %Z}"


def _unclaimed_by_player(ledger: Ledger, state: NightState) -> dict[str, str]:
    """Unclaimed money by player, while it may still be collected."""
    players = sorted({unclaimed.player for unclaimed in state.unclaimed})
    balances = {player: ledger.balance(state.accounts.unclaimed(player)) for player in players}
    return {player: money(cents) for player, cents in balances.items() if cents}


def table_view(table: AdmittedTable) -> NightTableView:
    """A table of the night, its rules, and the changes of a derived sheet."""
    return {
        "table": table.table,
        "sheet": sheet_view(table.sheet),
        "derived": table.is_derived,
        "base": table.base,
        "base_sheet": None if table.base_sheet is None else sheet_view(table.base_sheet),
        "limits": table.limits,
        "differences": differences_text(table),
    }


def differences_text(table: AdmittedTable) -> list[str]:
    """The changes of a derived sheet, translatable where the current wording matches the record.

    Older wordings stay as they were recorded.
    """
    recorded = [str(difference["words"]) for difference in table.differences]
    if table.base_sheet is None:
        return recorded
    base, derived = table.base_sheet, table.sheet
    current_words = _current_wording(base["hash"], base["body"], derived["hash"], derived["body"])
    return [current_words.get(words, words) for words in recorded]


@lru_cache(maxsize=64)
def _current_wording(
    base: str, base_body: str, derived: str, derived_body: str
) -> Mapping[str, str]:
    """The current wording of the differences between two stored sheets, by its English text."""
    first, second = {"hash": base, "body": base_body}, {"hash": derived, "body": derived_body}
    changes = differences(game_of(first).sheet, game_of(second).sheet)
    currency = game_of(second).sheet.house.currency
    return {str(change.words): fix_foreign_currency(change.words, currency) for change in changes}


def sheet_view(sheet: Json) -> SheetAtVenue:
    """A sheet's id and its venue."""
    return {**sheet_id(sheet), "venue": game_of(sheet).sheet.house.venue}


def _tournament_summary(tournament: Tournament) -> TournamentSummary:
    return {
        "tournament": tournament_short_name(tournament.tournament),
        "title": tournament.schedule.title,
        "status": tournament.status,
        "entrants": len(tournament.players),
        "players_left": len(tournament.still_in),
    }


def tournament_view(tables: TournamentTables, context: NightContext) -> TournamentView:
    """A tournament with its players, room, clock, history and possible actions."""
    state, tournament, live_tables = (
        tables.night.state,
        tables.state,
        live_tables_view(tables, context),
    )
    available = floor_offers(state, tournament, context) | {
        "lay-out": open_tables_refusal(tables, live_tables)
    }
    return {
        "id": tournament.tournament,
        "own": tournament_short_name(tournament.tournament),
        "rehearsal": state.rehearsal,
        **_terms(tournament.schedule),
        "status": tournament.status,
        "announced": tournament.announced,
        "started": tournament.started,
        "prize_money": money(tournament.prize_money),
        "fees": money(tournament.fees),
        "clock": board(tournament, context.now),
        "players": _players(state, tournament, context),
        "registered": list(tournament.registered),
        "tables": _tables(tournament),
        "moves": [cast(ProposedMove, move._asdict()) for move in balance_moves(tournament)],
        "breakable": table_to_break(tournament),
        "dealt": live_tables,
        "offers": available,
        "stopped": list(tournament.interrupted_tables),
        "cut_short": outcome_if_interrupted(tournament, state.rules.tournaments),
        "past": [
            _undoable_step(tournament, *entry) for entry in reversed(tournament.past[-PAST_SHOWN:])
        ],
        "version": tournament.version,
    }


def _terms(schedule: Schedule) -> TournamentTerms:
    return {
        "title": schedule.title,
        "kind": schedule.kind,
        "sheet": schedule.sheet,
        "seats": schedule.seats,
        "announcement": announcement(schedule),
        "buy_in": _price(schedule.buy_in),
        "re_buy": _price(schedule.re_buy) if schedule.re_buy else None,
        "add_on": _price(schedule.add_on) if schedule.add_on else None,
    }


def _price(price: Price) -> PriceView:
    return {
        "costs": money(price.costs),
        "fee": money(price.charity_fee),
        "chips": money(price.chips),
    }


def _players(state: NightState, tournament: Tournament, context: NightContext) -> list[EntrantView]:
    """Entrants still in first, then by place."""
    entrants: list[EntrantView] = []
    for result in results(tournament):
        player = tournament.players[result.player]
        entrants.append(
            {
                "player": result.player,
                "place": result.place,
                "table": player.table,
                "seat": player.seat,
                "re_buys": player.re_buys,
                "add_ons": player.add_ons,
                "checked_in": check_in_time(tournament, result.player),
                "ticket": ticket_view(tournament, result.player),
                "spent": money(player.spent),
                "chips": money(player.chips),
                "due": money(player.due),
                "paid": money(player.paid),
                "owed": money(player.owed),
                "offers": player_offers(state, tournament, result.player, context),
            }
        )
    return entrants


def check_in_time(tournament: Tournament, player: str) -> str | None:
    """When a player checked in, if recorded."""
    at = tournament.arrived.get(player)
    return None if at is None else at.isoformat()


def ticket_view(tournament: Tournament, player: str) -> TicketView:
    """Whether a ticket is valid, and how often and when it was opened."""
    ticket = tournament.ticket(player)
    at = None if ticket.opened_at is None else ticket.opened_at.isoformat()
    return {"revoked": ticket.revoked, "opened": ticket.opened, "opened_at": at}


def _tables(tournament: Tournament) -> list[RoomTable]:
    return [
        {
            "table": table,
            "in_hand": table in tournament.in_hand,
            "to_complete": table in tournament.to_complete,
            "seats": [{"seat": tournament.players[name].seat, "player": name} for name in names],
        }
        for table, names in sorted(tournament.tables.items())
    ]


def _undoable_step(tournament: Tournament, number: int, fact: facts.Fact) -> UndoableStep:
    """A step in a few words, and its number for an undo."""
    return {
        "number": number,
        "words": step_text(fact),
        "last": tournament.last is not None and tournament.last[0] == number,
    }
