"""A power failure, or anything beyond control: the tournament's kind decides who has what."""

from __future__ import annotations

from pitbook.house.nights.tournament import commands, facts
from pitbook.house.nights.tournament.evolve import evolve
from pitbook.house.nights.tournament.facts import Fact, FactsOrRefusal
from pitbook.house.nights.tournament.floor import Floor
from pitbook.house.nights.tournament.leaving import eliminated, finished, priced
from pitbook.house.nights.tournament.prizes import remainder, returns
from pitbook.house.nights.tournament.rules import MultiTableCut
from pitbook.house.nights.tournament.state import Tournament
from pitbook.money import Cents
from pitbook.rules.refusals import Code, refuse
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
