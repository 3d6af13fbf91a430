"""One seat's hand against the dealer's, or a pay table, in one line: cards, plays, wagers."""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

from tests.clauses.table import cents, load

from pitbook.cards import Card, cards
from pitbook.money import money
from pitbook.rules.actions import Action, Close, Deal, Decide, Settle, Turn, Wager
from pitbook.rules.flow import next_turn
from pitbook.rules.game import compile_game
from pitbook.rules.refusals import Refusal
from pitbook.rules.round import Round, new_round
from pitbook.rules.settlement import Line
from pitbook.rules.step import step

Nets = dict[str, str]


class Table(NamedTuple):
    """A round with the cards that are still to be turned, by place; seat 0 is nobody's."""

    round: Round
    left: Mapping[str, list[Card]]

    def did(self, *actions: Action) -> Table:
        """The table after actions that must be accepted."""
        round = self.round
        for action in actions:
            after = step(round, action)
            assert isinstance(after, Round), f"{action} is refused: {after}"
            round = after
        return self._replace(round=round)

    def no(self, play: str) -> Refusal:
        """The refusal that a play must meet."""
        after = step(self.round, Decide(1, play))
        assert isinstance(after, Refusal), f"{play} is accepted"
        return after

    @property
    def plays(self) -> set[str]:
        """What the seat may do now."""
        if not self.round.waiting:
            return set()
        offered = self.round.game.plays(self.round.stage)
        return {str(one) for one in offered if isinstance(step(self.round, Decide(1, one)), Round)}

    def turned(self) -> Table:
        """The table after every card that comes before the next decision."""
        table = self
        while table.round.phase in ("deal", "play"):
            round = table.round
            (seat,) = round.seats
            if round.phase == "deal":
                table = table.did(Deal(round.to_deal[0]))
            elif len(seat.cards) < seat.laid:
                table = table.did(Turn(1, self.left["own"].pop(0)))
            elif (place := next_turn(round)) is not None:
                name = round.game.places[1 - place].id
                table = table.did(Turn(place, self.left[name].pop(0)))
            else:
                break
        return table

    def over(self) -> Round:
        """The round when its seat is paid."""
        table = self.turned()
        while table.round.phase == "settle":
            table = table.did(Settle())
        assert table.round.phase == "over"
        return table.round


def begun(sheet: str, own: str, dealer: str = "", board: str = "", **wagers: int | str) -> Table:
    """Wagers made, cards dealt, the first decision due."""
    round = new_round(compile_game(load(sheet)))
    for name, amount in wagers.items():
        made = step(round, Wager(1, "ann", name.replace("_", "-"), cents(amount)))
        assert isinstance(made, Round), made
        round = made
    names = {"own": own, "dealer": dealer, "community": board}
    left = {name: list(cards(text)) for name, text in names.items()}
    return Table(round, left).did(Close()).turned()


def played(sheet: str, own: str, dealer: str, board: str, play: str, **wagers: int | str) -> Round:
    """The round of one seat to its end; `play` has one word for each decision."""
    table = begun(sheet, own, dealer, board, **wagers)
    for word in play.split():
        table = table.did(Decide(1, word)).turned()
    return table.over()


def lines(round: Round) -> dict[str, Line]:
    """The seat's lines by wager."""
    (settlement,) = round.settlements
    return {line.wager: line for line in settlement.lines}


def nets(round: Round) -> Nets:
    """What each wager came to, in dollars; a push is 0.00."""
    return {wager: money(line.net) for wager, line in lines(round).items()}
