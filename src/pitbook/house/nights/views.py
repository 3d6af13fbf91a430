"""Views of a night and its tournaments, with the commands that are possible now."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import lru_cache
from typing import Any, cast

from pitbook.house.ledger.journal import Ledger
from pitbook.house.nights.context import Circumstances
from pitbook.house.nights.decide import Command, decide
from pitbook.house.nights.interruptions import is_stopped
from pitbook.house.nights.sheets import differences, ends_at
from pitbook.house.nights.state import Admitted, NightState
from pitbook.house.nights.tournament import commands, facts
from pitbook.house.nights.tournament.board import board, results
from pitbook.house.nights.tournament.commands import word
from pitbook.house.nights.tournament.play import outcome_if_interrupted
from pitbook.house.nights.tournament.schedule import Price, Schedule, announcement
from pitbook.house.nights.tournament.seating import balancing, breakable
from pitbook.house.nights.tournament.state import Tournament
from pitbook.house.nights.tournament.tickets import OVER
from pitbook.house.nights.tournament_tables import (
    TournamentTables,
    laid,
    not_over,
    not_started,
    proposed_out,
    resting,
    table_name,
)
from pitbook.house.nights.view_types import (
    DealtShown,
    DealtTableShown,
    EntrantShown,
    Move,
    NightBase,
    NightListed,
    NightShown,
    NightTableShown,
    PriceShown,
    RoomTable,
    SheetAt,
    TicketShown,
    TournamentNamed,
    TournamentShown,
    TournamentTerms,
    Undoable,
)
from pitbook.house.people.roster import OPEN_TO_ALL
from pitbook.house.table.events import sheet_id
from pitbook.house.table.state import TableState, game_of
from pitbook.house.table.streams import TABLE
from pitbook.house.table.tables import read_table
from pitbook.money import money
from pitbook.rules.refusals import Refusal
from pitbook.sheets.findings import printable
from pitbook.text import say
from pitbook.text.documents import in_own_currency

# Commands that name nobody and nothing.
PLAIN: tuple[Any, ...] = (
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


def offers(state: NightState, one: Tournament, standing: Circumstances) -> dict[str, str | None]:
    """Each thing that the floor can do, and why not now; None: it may be done."""
    name, last = one.tournament, one.last[0] if one.last else 0
    nobody = ANYBODY
    while nobody in one.players:
        nobody += "."
    asked: list[Any] = [kind(name) for kind in PLAIN]
    asked += [commands.Enter(name, nobody), commands.Break(name, 1)]
    asked += [commands.Register(name, (nobody,)), commands.AdjustClock(name, 60)]
    asked += [commands.Message(name, "asked")]
    asked += [commands.Interrupt(name, "asked"), commands.Undo(name, last)]
    standing = standing._replace(door=OPEN_TO_ALL)  # Nobody in particular is meant.
    return {word(type(command)): _refusal_message(state, command, standing) for command in asked}


def player_offers(
    state: NightState, one: Tournament, player: str, standing: Circumstances
) -> dict[str, str | None]:
    """The same for what concerns one player; what nobody would ask for now is left out."""
    asked = _of_a_player(one, player)
    return {word(type(command)): _refusal_message(state, command, standing) for command in asked}


def _of_a_player(one: Tournament, player: str) -> Iterator[Command]:
    """In a large field each thing is tried for everybody, so only what can be meant is."""
    name, entrant = one.tournament, one.players[player]
    if entrant.owed:
        yield commands.PayOut(name, player)
    if not one.dealt:
        yield commands.Refund(name, player)
    if one.status not in OVER:
        yield commands.RotateTicket(name, player)
        yield commands.RevokeTicket(name, player)
    if one.status == "playing" and entrant.table is not None:
        if one.schedule.re_buy is not None:
            yield commands.ReBuy(name, player)
        if one.schedule.add_on is not None:
            yield commands.AddOn(name, player)
        yield commands.Eliminate(name, (player,))


def _refusal_message(state: NightState, command: Command, standing: Circumstances) -> str | None:
    answer = decide(state, command, standing._replace(draw=_first))
    return answer.message if isinstance(answer, Refusal) else None


def _first(_: int) -> int:
    """Nothing is drawn for an offer."""
    return 0


def dealt(here: TournamentTables, standing: Circumstances) -> DealtShown | None:
    """Every table that is laid out, and who should go out; None: chips are counted by hand."""
    numbers = laid(here)
    if not numbers:
        return None
    return {
        "tables": [_table(here, number, standing) for number in numbers],
        "proposed_out": [list(group) for group in proposed_out(here)],
    }


def lay_out_offer(here: TournamentTables, shown: DealtShown | None) -> str | None:
    """Why tables cannot be laid out now; None: they can."""
    if (refusal := not_started(here.state)) is not None:
        return refusal.message
    there = {one["number"] for one in shown["tables"]} if shown else set()
    return (
        None
        if set(here.state.tables) - there
        else say("nights.tables.laid-out", tournament=here.tournament)
    )


def _table(here: TournamentTables, number: int, standing: Circumstances) -> DealtTableShown:
    name = table_name(here.tournament, number)
    held = here.house.held(name)
    state = held.state if held else read_table(here.house.ledger, f"{TABLE}{name}")
    over = state.round is None or state.round.phase == "over"
    return {
        "number": number,
        "table": name,
        "round": None if over else state.number,
        "phase": _phase(state),
        "waiting": _waiting(state),
        "must_agree": _must_agree(state),
        "stopped": state.interruption if is_stopped(state) else None,
        "offers": {
            "begin": _no_begin(here, number, state, standing),
            "count": _no_count(here, number, state, standing),
        },
    }


def _phase(state: TableState) -> str:
    """As the list of tables has it."""
    if state.retired:
        return "retired"
    return state.round.phase if state.round is not None else "open"


def _waiting(state: TableState) -> list[str]:
    """Whom the table waits for: a wager, or a decision."""
    round = state.round
    if round is None or round.phase == "over" or state.awaiting is not None:
        return []
    if round.phase == "wagers":
        there = {seat.number for seat in round.seats}
        return [name for seat, name in sorted(state.seats.items()) if seat not in there]
    played = [round.seat(number) for number in round.waiting]
    return [one.player for one in played if one is not None]


def _must_agree(state: TableState) -> list[str] | None:
    if not state.awaiting:
        return None
    return [name for name, said in state.awaiting.items() if said is None]


def _no_begin(
    here: TournamentTables, number: int, state: TableState, standing: Circumstances
) -> str | None:
    asked = commands.BeginRound(here.tournament, number)
    return _refusal_message_at_tables(here, asked, standing) or _said(resting(here))


def _no_count(
    here: TournamentTables, number: int, state: TableState, standing: Circumstances
) -> str | None:
    if state.live:
        return not_over(number).message
    if number not in here.state.in_hand:
        return say("nights.tables.none-begun", table=number)
    counts = tuple((name, here.chips(name)) for name in here.state.tables.get(number, ()))
    asked = commands.CountChips(here.tournament, number, counts, in_book=True)
    return _refusal_message_at_tables(here, asked, standing)


def _refusal_message_at_tables(
    here: TournamentTables, command: Command, standing: Circumstances
) -> str | None:
    answer = decide(here.night.state, command, standing)
    return answer.message if isinstance(answer, Refusal) else None


def _said(refusal: Refusal | None) -> str | None:
    return None if refusal is None else refusal.message


Json = dict[str, Any]
PAST_SHOWN = 12


def own_name(tournament: str) -> str:
    """The part of a tournament's id that is its own.

    >>> own_name("gala.t1")
    't1'
    """
    return tournament.partition(".")[2]


def listed(state: NightState) -> NightListed:
    """A night in a list of nights."""
    return {**_base(state), "tournaments": [own_name(name) for name in state.tournaments]}


def _base(state: NightState) -> NightBase:
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


def night_shown(ledger: Ledger, state: NightState) -> NightShown:
    """A night with its drawer, chips, tables and tournaments."""
    balances = ledger.balances(state.till.unit).items()
    chips = {one.name: cents for one, cents in balances if one.kind == "wallet" and cents}
    return {
        **_base(state),
        "tournaments": [_named(one) for one in state.tournaments.values()],
        "opened_at": state.opened_at or None,
        "closed_at": state.closed_at or None,
        "ends_at": _ends(state),
        "cash": money(ledger.balance(state.till.cash)),
        "outstanding": money(sum(chips.values())),
        "chips": {player: money(cents) for player, cents in sorted(chips.items())},
        "values": [money(value) for value in state.rules.chips.values],
        "slips": len(state.slips),
        "tables": [table_shown(one) for one in state.tables.values()],
        "interruptions": list(state.interruptions),
        "unclaimed": _unclaimed(ledger, state),
        "version": state.version,
    }


def _ends(state: NightState) -> str | None:
    """When the gaming date ends, by the clock on the wall."""
    ends = ends_at(state)
    return None if ends is None else f"{ends.astimezone(state.place):%Y-%m-%d %H:%M %Z}"


def _unclaimed(ledger: Ledger, state: NightState) -> dict[str, str]:
    """What is kept for whom after closing, where somebody may still come for it."""
    players = sorted({one.player for one in state.unclaimed})
    kept = {player: ledger.balance(state.till.unclaimed(player)) for player in players}
    return {player: money(cents) for player, cents in kept.items() if cents}


def table_shown(one: Admitted) -> NightTableShown:
    """A table of the night, its rules, and what a derived sheet changes."""
    return {
        "table": one.table,
        "sheet": sheet_shown(one.sheet),
        "derived": one.is_derived,
        "base": one.base,
        "base_sheet": None if one.base_sheet is None else sheet_shown(one.base_sheet),
        "limits": one.limits,
        "differences": differences_told(one),
    }


def differences_told(one: Admitted) -> list[str]:
    """What a derived sheet changes, as it is on record: in any language, where it is ours to say.

    Words that today's would not be stay as they were written down.
    """
    recorded = [str(difference["words"]) for difference in one.differences]
    if one.base_sheet is None:
        return recorded
    base, derived = one.base_sheet, one.sheet
    now = _words(base["hash"], base["body"], derived["hash"], derived["body"])
    return [now.get(words, words) for words in recorded]


@lru_cache(maxsize=64)
def _words(base: str, base_body: str, derived: str, derived_body: str) -> Mapping[str, str]:
    """What today's words are for the differences of two kept sheets, by their English."""
    first, second = {"hash": base, "body": base_body}, {"hash": derived, "body": derived_body}
    found = differences(game_of(first).sheet, game_of(second).sheet)
    currency = game_of(second).sheet.house.currency
    return {str(one.words): in_own_currency(one.words, currency) for one in found}


def sheet_shown(sheet: Json) -> SheetAt:
    """A sheet by its name, and whose it is."""
    return {**sheet_id(sheet), "venue": game_of(sheet).sheet.house.venue}


def _named(one: Tournament) -> TournamentNamed:
    return {
        "tournament": own_name(one.tournament),
        "title": one.schedule.title,
        "status": one.status,
        "entrants": len(one.players),
        "players_left": len(one.still_in),
    }


def tournament_shown(here: TournamentTables, standing: Circumstances) -> TournamentShown:
    """A tournament with its field, its room, its clock, its past, and what may be done now."""
    state, one, tables = here.night.state, here.state, dealt(here, standing)
    may = offers(state, one, standing) | {"lay-out": lay_out_offer(here, tables)}
    return {
        "id": one.tournament,
        "own": own_name(one.tournament),
        "rehearsal": state.rehearsal,
        **_terms(one.schedule),
        "status": one.status,
        "announced": one.announced,
        "started": one.started,
        "prize_money": money(one.prize_money),
        "fees": money(one.fees),
        "clock": board(one, standing.now),
        "players": _players(state, one, standing),
        "registered": list(one.registered),
        "tables": _tables(one),
        "moves": [cast(Move, move._asdict()) for move in balancing(one)],
        "breakable": breakable(one),
        "dealt": tables,
        "offers": may,
        "stopped": list(one.stopped),
        "cut_short": outcome_if_interrupted(one, state.rules.tournaments),
        "past": [_told(one, *told) for told in reversed(one.past[-PAST_SHOWN:])],
        "version": one.version,
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


def _price(price: Price) -> PriceShown:
    return {
        "costs": money(price.costs),
        "fee": money(price.kept),
        "chips": money(price.chips),
    }


def _players(state: NightState, one: Tournament, standing: Circumstances) -> list[EntrantShown]:
    """Everybody, those still in first, then by place."""
    found: list[EntrantShown] = []
    for result in results(one):
        player = one.players[result.player]
        found.append(
            {
                "player": result.player,
                "place": result.place,
                "table": player.table,
                "seat": player.seat,
                "re_buys": player.re_buys,
                "add_ons": player.add_ons,
                "checked_in": arrived_at(one, result.player),
                "ticket": ticket_shown(one, result.player),
                "spent": money(player.spent),
                "chips": money(player.chips),
                "due": money(player.due),
                "paid": money(player.paid),
                "owed": money(player.owed),
                "offers": player_offers(state, one, result.player, standing),
            }
        )
    return found


def arrived_at(one: Tournament, player: str) -> str | None:
    """When a player checked in, if that is on record."""
    at = one.arrived.get(player)
    return None if at is None else at.isoformat()


def ticket_shown(one: Tournament, player: str) -> TicketShown:
    """Whether somebody's ticket is good, and how often and when it was opened to play."""
    known = one.ticket(player)
    at = None if known.opened_at is None else known.opened_at.isoformat()
    return {"revoked": known.revoked, "opened": known.opened, "opened_at": at}


def _tables(one: Tournament) -> list[RoomTable]:
    return [
        {
            "table": table,
            "in_hand": table in one.in_hand,
            "to_complete": table in one.to_complete,
            "seats": [{"seat": one.players[name].seat, "player": name} for name in names],
        }
        for table, names in sorted(one.tables.items())
    ]


def _told(one: Tournament, number: int, fact: facts.Fact) -> Undoable:
    """A thing that stands, in a few words, and its number for whoever takes it back."""
    kind = facts.FACTS.name(type(fact)).removeprefix("tournament-")
    sold = fact.what if isinstance(fact, facts.Sold) else None
    plain = f"{sold} sold" if sold else kind.replace("-", " ")
    player = getattr(fact, "player", None)
    names = getattr(fact, "players", () if player is None else (player,))
    who = [printable(name) for name in names]
    table = getattr(fact, "table", 0)
    words = say("nights.past", done=sold or kind, plain=plain, table=table, who=who, count=len(who))
    return {
        "number": number,
        "words": words,
        "last": one.last is not None and one.last[0] == number,
    }
