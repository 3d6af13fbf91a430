"""From the first card on: rounds begin, chips are counted, players go out."""

from __future__ import annotations

from pitbook.house.nights.tournament import commands, cut_short, facts
from pitbook.house.nights.tournament.evolve import evolve
from pitbook.house.nights.tournament.facts import FactsOrRefusal
from pitbook.house.nights.tournament.floor import Floor
from pitbook.house.nights.tournament.leaving import eliminated
from pitbook.house.nights.tournament.preconditions import not_playing, unknown, with_a_hand
from pitbook.house.nights.tournament.state import Tournament
from pitbook.money import CENTS_MAX
from pitbook.rules.refusals import Code, Refusal, refuse

PLAYERS_MIN = 2


def start(was: Tournament, _: commands.Start, floor: Floor) -> FactsOrRefusal:
    """Rounds may begin, once the cost has been told and everybody sits."""
    rule = floor.rules.announcement
    if was.started:
        return refuse(Code.NOT_NOW, "nights.play.started", tournament=was.tournament)
    if rule.required and not was.announced:
        key, clause = "nights.play.not-announced", rule.clause
        return refuse(Code.NOT_NOW, key, clause, tournament=was.tournament)
    if len(was.players) < PLAYERS_MIN:
        return refuse(Code.NO_SEATS, "nights.play.two-to-start", tournament=was.tournament)
    standing = [name for name, one in was.players.items() if one.table is None]
    if standing:
        return refuse(Code.NO_SEATS, "nights.play.no-seat", player=standing[0])
    return [facts.Started(was.tournament)]


def begin_round(
    was: Tournament, command: commands.BeginRound | commands.RoundFound, _: Floor
) -> FactsOrRefusal:
    """A round goes out at a table."""
    if (refusal := not_playing(was) or with_a_hand(was, [command.table])) is not None:
        return refusal
    if command.table not in was.tables:
        return refuse(Code.UNKNOWN_PLACE, "nights.play.nobody-there", table=command.table)
    if len(was.players) < PLAYERS_MIN:
        return refuse(Code.NO_SEATS, "nights.play.two-needed", tournament=was.tournament)
    return [facts.RoundBegun(was.tournament, command.table)]


def card_dealt(was: Tournament, command: commands.CardDealt, _: Floor) -> FactsOrRefusal:
    """A live table tells of its first card, whether or not the floor began a round."""
    if was.dealt:
        return refuse(Code.NOT_NOW, "nights.play.first-card", tournament=was.tournament)
    return [facts.FirstCard(was.tournament, command.table)]


def count_chips(was: Tournament, command: commands.CountChips, floor: Floor) -> FactsOrRefusal:
    """The chips at a table; after a hand that was cut short and completed, this ends it."""
    if (refusal := _uncounted(was, command)) is not None:
        return refusal
    counted = facts.ChipsCounted(was.tournament, command.table, command.counts, command.in_book)
    if was.status != "interrupted":
        return [counted]
    after = evolve(was, counted)
    # OMS-15: players are counted after a completed hand, so whoever lost all in it is out.
    return [counted] if after.in_hand else [counted, *cut_short.settled(after, floor)]


def eliminate(was: Tournament, command: commands.Eliminate, floor: Floor) -> FactsOrRefusal:
    """Players are out; whatever chips they still have are taken up."""
    players = command.players
    if not players or len(set(players)) < len(players):
        return refuse(Code.UNKNOWN_SEAT, "nights.play.name-each")
    if (refusal := not_playing(was) or unknown(was, players)) is not None:
        return refusal
    if (refusal := with_a_hand(was, [was.players[one].table for one in players])) is not None:
        return refusal
    return [eliminated(was, players, floor)]


def _uncounted(was: Tournament, command: commands.CountChips) -> Refusal | None:
    table, counts = command.table, command.counts
    if table not in was.tables:
        return refuse(Code.UNKNOWN_PLACE, "nights.play.nobody-there", table=table)
    from_book = command.in_book and was.status == "interrupted"  # What was dealt is as it is.
    if table not in was.to_complete and not from_book and (refusal := not_playing(was)) is not None:
        return refusal
    for player, chips in counts:
        if player not in was.tables[table]:
            who = {"player": player, "table": table}
            return refuse(Code.UNKNOWN_SEAT, "nights.play.not-at-table", **who)
        if not 0 <= chips <= CENTS_MAX:
            odd = {"player": player, "chips": chips}
            return refuse(Code.BELOW_MINIMUM, "nights.play.cannot-have", **odd)
    if len(dict(counts)) < len(counts):
        return refuse(Code.UNKNOWN_SEAT, "nights.play.counted-twice", table=table)
    return None
