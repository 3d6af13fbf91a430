"""Play of a tournament: start, hands, eliminations, interruptions."""

from __future__ import annotations

from pitbook.house.nights.context import Floor
from pitbook.house.nights.tournament import commands, facts
from pitbook.house.nights.tournament.facts import Fact, FactsOrRefusal
from pitbook.house.nights.tournament.payouts import eliminated, finished, priced, remainder, returns
from pitbook.house.nights.tournament.schedule import MultiTableCut, TournamentRules
from pitbook.house.nights.tournament.state import (
    Tournament,
    evolve,
    not_playing,
    unknown,
    with_a_hand,
)
from pitbook.money import CENTS_MAX, Cents
from pitbook.rules.refusals import Code, Refusal, refuse
from pitbook.text import Sentence, say
from pitbook.text.english import counted


def interrupt(was: Tournament, command: commands.Interrupt, floor: Floor) -> FactsOrRefusal:
    """It is cut short; hands that may be completed are waited for, nothing else."""
    why = command.why.strip() or "beyond control"
    cut = facts.Interrupted(was.tournament, floor.now, why, was.in_hand)
    after = evolve(was, cut)
    return [cut] if _waits(after, floor) else [cut, *settled(after, floor)]


def stopped(was: Tournament, command: commands.Stopped, _: Floor) -> FactsOrRefusal:
    """A stop of the machine is a question: nothing ends by it, only the clock stands."""
    if set(command.tables) <= set(was.stopped):
        return refuse(Code.NOT_NOW, "nights.cut-short.asked-already", tournament=was.tournament)
    return [facts.Stopped(was.tournament, command.at, command.why, command.tables)]


def go_on(was: Tournament, command: commands.GoOn, floor: Floor) -> FactsOrRefusal:
    """One answer to that question; the other is to interrupt."""
    if not was.stopped:
        return refuse(Code.NOT_NOW, "nights.cut-short.none-stopped", tournament=was.tournament)
    return [facts.GoneOn(was.tournament, floor.now, command.through)]


def rule_hand(was: Tournament, command: commands.RuleHand, floor: Floor) -> FactsOrRefusal:
    """OMS-15: a hand is completed if it can be read and everybody in it agrees, else it is dead."""
    table, rule = command.table, floor.rules.multi_table
    if was.status != "interrupted" or table not in was.in_hand:
        where = {"table": table, "tournament": was.tournament}
        return refuse(Code.NOT_NOW, "nights.cut-short.no-hand", **where)
    if table in was.to_complete:
        return refuse(Code.NOT_NOW, "nights.cut-short.being-completed", table=table)
    strangers = [one for one in command.agreed if one not in was.tables[table]]
    if strangers:
        who = {"player": strangers[0], "table": table}
        return refuse(Code.UNKNOWN_SEAT, "nights.play.not-at-table", **who)
    goes_on = command.readable and set(was.tables[table]) <= set(command.agreed)
    ruled = facts.HandRuled(
        was.tournament, table, goes_on, command.readable, command.agreed, rule.clause
    )
    after = evolve(was, ruled)
    return [ruled] if after.in_hand else [ruled, *settled(after, floor)]


def settle(was: Tournament, _: commands.SettleInterruption, floor: Floor) -> FactsOrRefusal:
    """The end that the rules give to an interrupted tournament."""
    if was.status != "interrupted":
        return refuse(Code.NOT_NOW, "nights.cut-short.not-interrupted", tournament=was.tournament)
    if _waits(was, floor):
        return refuse(Code.NOT_NOW, "nights.cut-short.neither", table=was.in_hand[0])
    return settled(was, floor)


def settled(was: Tournament, floor: Floor) -> list[Fact]:
    """The facts that end an interrupted tournament: first whoever has no chips is out."""
    broke = tuple(one for one in was.still_in if not was.players[one].chips)
    if not broke:
        return _ended(was, floor)
    gone = eliminated(was, broke, floor)
    return [gone, *_ended(evolve(was, gone), floor)]


def _ended(was: Tournament, floor: Floor) -> list[Fact]:
    rules, left = floor.rules, len(was.still_in)
    hourly = was.schedule.kind == "hourly"
    if not was.dealt:  # Nobody has lost a chip: all that was paid in returns.
        clause = rules.hourly.clause if hourly else rules.refunds.clause
        return [_void(was, "interrupted before the first card", clause)]
    if hourly and left > rules.hourly.placed_by_chips_max:
        return [_void(was, f"interrupted with {counted(left, 'player')} left", rules.hourly.clause)]
    if hourly:
        return finished(was, floor, "chip-count", rules.hourly.clause)
    if not left:  # The completed hand was the last.
        return finished(was, floor, "played", None)
    return _division(was, floor, rules.multi_table)


def _division(was: Tournament, floor: Floor, rule: MultiTableCut) -> list[Fact]:
    """Places already earned have their prizes; the rest in even parts, or as the house has it."""
    told, was = priced(was, floor)
    due = sum(one.due for one in was.players.values())
    share = remainder(was, Cents(was.prize_money - due), rule, floor.draw)
    left = tuple(was.still_in)
    end = facts.Finished(was.tournament, "divided", rule.clause, (left,), *share, floor.now)
    return [*told, end]


def _void(was: Tournament, why: str, clause: str) -> Fact:
    return facts.Voided(was.tournament, why, clause, returns(was), was.fees)


def _waits(was: Tournament, floor: Floor) -> bool:
    """Whether a hand may still be completed; in an hourly tournament it is dead at once."""
    may = was.schedule.kind == "multi-table" and floor.rules.multi_table.hand != "dead"
    return may and bool(was.in_hand)


def outcome_if_interrupted(one: Tournament, rules: TournamentRules) -> Sentence:
    """What an interruption would come to now, for whoever has to decide on it."""
    left = len(one.still_in)
    if not one.dealt:
        return say("nights.words.all-returns")
    if one.schedule.kind == "multi-table":
        hand = bool(one.in_hand)
        return say("nights.words.divided", hand=hand, clause=rules.multi_table.clause)
    if left > rules.hourly.placed_by_chips_max:
        return say("nights.words.void", left=left, clause=rules.hourly.clause)
    return say("nights.words.by-chips", left=left, clause=rules.hourly.clause)


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
    return [counted] if after.in_hand else [counted, *settled(after, floor)]


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
