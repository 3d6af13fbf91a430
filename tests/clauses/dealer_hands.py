"""One seat against the dealer, or a pay table, played from one line: cards, plays, wagers."""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

from tests.clauses.one_line_rounds import cents, load

from pitbook.cards import Card, cards
from pitbook.money import money
from pitbook.rules.actions import Action, Close, Deal, Decide, Settle, Turn, Wager
from pitbook.rules.game import compile_game
from pitbook.rules.refusals import Refusal
from pitbook.rules.round import Round, new_round
from pitbook.rules.round_progress import next_turn
from pitbook.rules.settlement_lines import Line
from pitbook.rules.step import step

Nets = dict[str, str]


class Table(NamedTuple):
    """A round with the cards still to be turned, by place."""

    round: Round
    remaining: Mapping[str, list[Card]]

    def apply(self, *actions: Action) -> Table:
        """The table after actions that must be accepted."""
        round = self.round
        for action in actions:
            after = step(round, action)
            assert isinstance(after, Round), f"{action} is refused: {after}"
            round = after
        return self._replace(round=round)

    def refusal(self, play: str) -> Refusal:
        """The refusal of a play."""
        after = step(self.round, Decide(1, play))
        assert isinstance(after, Refusal), f"{play} is accepted"
        return after

    @property
    def plays(self) -> set[str]:
        """The legal plays of the seat."""
        if not self.round.waiting:
            return set()
        stage_plays = self.round.game.plays(self.round.stage)
        return {
            str(play)
            for play in stage_plays
            if isinstance(step(self.round, Decide(1, play)), Round)
        }

    def turn_due_cards(self) -> Table:
        """The table after all cards that come before the next decision."""
        table = self
        while table.round.phase in ("deal", "play"):
            round = table.round
            (seat,) = round.seats
            if round.phase == "deal":
                table = table.apply(Deal(round.to_deal[0]))
            elif len(seat.cards) < seat.cards_dealt:
                table = table.apply(Turn(1, self.remaining["own"].pop(0)))
            elif (place := next_turn(round)) is not None:
                name = round.game.places[1 - place].id
                table = table.apply(Turn(place, self.remaining[name].pop(0)))
            else:
                break
        return table

    def finish(self) -> Round:
        """The round after settlement."""
        table = self.turn_due_cards()
        while table.round.phase == "settle":
            table = table.apply(Settle())
        assert table.round.phase == "over"
        return table.round


def start_table(
    sheet: str, hand: str, dealer: str = "", board: str = "", **wagers: int | str
) -> Table:
    """A table after bets and deal, at the first decision."""
    round = new_round(compile_game(load(sheet)))
    for name, amount in wagers.items():
        after = step(round, Wager(1, "ann", name.replace("_", "-"), cents(amount)))
        assert isinstance(after, Round), after
        round = after
    names = {"own": hand, "dealer": dealer, "community": board}
    remaining = {name: list(cards(text)) for name, text in names.items()}
    return Table(round, remaining).apply(Close()).turn_due_cards()


def play_round(
    sheet: str, hand: str, dealer: str, board: str, play: str, **wagers: int | str
) -> Round:
    """The finished round of one seat; `play` has one word per decision."""
    table = start_table(sheet, hand, dealer, board, **wagers)
    for play_name in play.split():
        table = table.apply(Decide(1, play_name)).turn_due_cards()
    return table.finish()


def lines(round: Round) -> dict[str, Line]:
    """The seat's lines by wager."""
    (settlement,) = round.settlements
    return {line.wager: line for line in settlement.lines}


def nets(round: Round) -> Nets:
    """The net of each wager, in dollars; a push is 0.00."""
    return {wager: money(line.net) for wager, line in lines(round).items()}
