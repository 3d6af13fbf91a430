"""The only bridge from a night to its tournaments: what they are told, and what they answer."""

from __future__ import annotations

from collections.abc import Callable

from pitbook.engine.refusals import Code, Refusal
from pitbook.identity.names import key
from pitbook.ledger.accounts import Account
from pitbook.money import Cents, spoken
from pitbook.nights.decided import Decided
from pitbook.nights.standing import Standing
from pitbook.nights.state import NightState
from pitbook.nights.tournament import facts
from pitbook.nights.tournament.commands import Command
from pitbook.nights.tournament.decide import decide
from pitbook.nights.tournament.floor import Floor

__all__ = ["decide_tournament", "unpaid"]


def decide_tournament(state: NightState, command: Command, standing: Standing) -> Decided | Refusal:
    """What a tournament makes of a command, its facts as the night's stream keeps them."""
    event, _, own = command.tournament.partition(".")
    if event != state.event or not own:
        message = (
            f'"{command.tournament}" is no tournament of {state.event}; as in {state.event}.t1'
        )
        return Refusal(Code.NO_RULE, message)
    answer = decide(state.tournaments.get(command.tournament), command, _floor(state, standing))
    if isinstance(answer, Refusal):
        return answer
    return Decided(tuple(facts.dump(fact) for fact in answer.facts), answer.transfers)


def unpaid(state: NightState, balance: Callable[[Account], Cents]) -> Refusal | None:
    """A night does not close over a tournament that still runs or owes."""
    for name, one in state.tournaments.items():
        if owed := balance(state.till.prizes(name)):
            message = f"tournament {name} owes {spoken(owed)} in prizes; pay them first"
            return Refusal(Code.NOT_NOW, message)
        if one.status != "withdrawn" and one.players and not one.is_paid:
            message = f"tournament {name} is not over and paid; end it first"
            return Refusal(Code.NOT_NOW, message)
    return None


def _floor(state: NightState, standing: Standing) -> Floor:
    def spent(tournament: str, player: str) -> Cents:
        """OMS-12: what one person spent, under whichever spelling an old book has it."""
        entered = state.tournaments.get(tournament)
        known = entered.players.items() if entered else ()
        return Cents(sum(one.spent for name, one in known if key(name) == key(player)))

    large = (name for name, one in state.tournaments.items() if one.is_large)
    return Floor(
        event=state.event,
        rules=state.rules.tournaments,
        now=standing.now,
        draw=standing.draw,
        spent=spent,
        large_used=next(large, None),
        actor=standing.actor,
    )
