"""A night as whoever runs it sees it: people, chips, seats, clock, and what may be done next."""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache
from typing import Any, cast

from pitbook.house.ledger.journal import Ledger
from pitbook.house.nights.book.circumstances import Circumstances
from pitbook.house.nights.book.offers import offers, player_offers
from pitbook.house.nights.book.state import Admitted, NightState
from pitbook.house.nights.rules.derived_sheets import differences
from pitbook.house.nights.rules.hours import ends_at
from pitbook.house.nights.shapes import (
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
from pitbook.house.nights.tables.tournament_floor import dealt, lay_out_offer
from pitbook.house.nights.tables.tournament_tables import TournamentTables
from pitbook.house.nights.tournament import facts
from pitbook.house.nights.tournament.board import board
from pitbook.house.nights.tournament.results import results
from pitbook.house.nights.tournament.schedule import Price, Schedule
from pitbook.house.nights.tournament.seating import balancing, breakable
from pitbook.house.nights.tournament.state import Tournament
from pitbook.house.nights.tournament.words import announcement, cut_short
from pitbook.house.table.events import sheet_id
from pitbook.house.table.state import game_of
from pitbook.money import money
from pitbook.sheets.findings import printable
from pitbook.text import say
from pitbook.text.documents import in_own_currency

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
        "cut_short": cut_short(one, state.rules.tournaments),
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
