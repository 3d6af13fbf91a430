"""A fact is what its command comes to; asked again, the tournament before it says the same."""

from __future__ import annotations

from collections.abc import Callable
from datetime import UTC, datetime
from typing import Any

from pitbook.house.nights.book.decided import Decided
from pitbook.house.nights.tournament import commands, facts
from pitbook.house.nights.tournament.commands import Command
from pitbook.house.nights.tournament.decide import decide
from pitbook.house.nights.tournament.facts import Drawn, Fact
from pitbook.house.nights.tournament.floor import Floor
from pitbook.house.nights.tournament.rules import TournamentRules
from pitbook.house.nights.tournament.state import Tournament
from pitbook.money import Cents

AT_LAST = datetime.max.replace(tzinfo=UTC)  # Early books do not say when a tournament was over.


def could_be(before: Tournament, fact: Fact, rules: TournamentRules) -> bool:
    """Whether a fact is one that the tournament before it, its rules and its draws lead to."""
    if isinstance(fact, facts.WasSetUp):
        return before.status == "withdrawn"
    if isinstance(fact, facts.Sold):
        return _is_priced(before, fact)
    if type(fact) not in _ASKED:
        return True
    answer = decide(before, _command(before, fact), _floor(fact, rules))
    return isinstance(answer, Decided) and _is(answer.facts[0], fact)


def _is_priced(before: Tournament, fact: facts.Sold) -> bool:
    """Prices are the schedule's; whether somebody came in time is for the clock that hung there."""
    schedule = before.schedule
    kinds = {"buy-in": schedule.buy_in, "re-buy": schedule.re_buy, "add-on": schedule.add_on}
    price = kinds[fact.what]
    due = None if price is None else (price.costs, price.kept, price.chips)
    return (fact.paid, fact.fee, fact.chips) == due


def _command(before: Tournament, fact: Any) -> Command:
    """What somebody asked for; the end of what was cut short comes by itself, step by step."""
    if before.status == "interrupted" and isinstance(fact, _ENDS):
        return commands.SettleInterruption(fact.tournament)
    return _ASKED[type(fact)](fact)


def _is(due: Any, fact: Any) -> bool:
    if isinstance(fact, facts.Finished) and fact.at is None and isinstance(due, facts.Finished):
        due = due._replace(at=None)
    return type(due) is type(fact) and due == fact


def _floor(fact: Any, rules: TournamentRules) -> Floor:
    event = fact.tournament.rpartition(".")[0]
    now = getattr(fact, "at", None) or AT_LAST
    draw = _drawing(getattr(fact, "drawn", ()))
    return Floor(event, rules, now, draw, lambda *_: Cents(0), None, "")


def _drawing(drawn: Drawn) -> Callable[[int], int]:
    """The numbers on record; one that nobody can have drawn comes out as another."""
    left = iter(drawn)

    def draw(below: int) -> int:
        number = next(left, 0)
        return number if 0 <= number < below else 0

    return draw


_ENDS = (facts.Eliminated, facts.PrizesPosted, facts.Finished, facts.Voided)
_ASKED: dict[type, Callable[[Any], Command]] = {
    facts.Refunded: lambda fact: commands.Refund(fact.tournament, fact.player),
    facts.Started: lambda fact: commands.Start(fact.tournament),
    facts.ChipsCounted: lambda fact: commands.CountChips(*fact),
    facts.Eliminated: lambda fact: commands.Eliminate(fact.tournament, fact.players),
    facts.PrizesPosted: lambda fact: commands.PostPrizes(fact.tournament),
    facts.Finished: lambda fact: commands.Finish(fact.tournament),
    facts.PaidOut: lambda fact: commands.PayOut(fact.tournament, fact.player),
    facts.Interrupted: lambda fact: commands.Interrupt(fact.tournament, fact.why),
    facts.HandRuled: lambda fact: commands.RuleHand(
        fact.tournament, fact.table, fact.readable, fact.agreed
    ),
    facts.Voided: lambda fact: commands.SettleInterruption(fact.tournament),
    facts.Undone: lambda fact: commands.Undo(fact.tournament, fact.of, fact.why),
}
