"""What every declaration is worth, by the cards that are left in the shoe."""

from __future__ import annotations

from pitbook.exact.methods.method import Advice
from pitbook.exact.methods.points.solving import best, counted, play_table, value
from pitbook.exact.methods.points.structure import pointed
from pitbook.exact.methods.points.why import why_declare
from pitbook.exact.spots import Spot
from pitbook.exact.stakes import exact_stake
from pitbook.hands.points import total
from pitbook.rules.game import Game
from pitbook.sheets.aloud.shoe import advised_shoe
from pitbook.text import say

__all__ = ["advise"]


def advise(game: Game, spot: Spot) -> Advice:
    """The exact value of every declaration, alone and with the further wager."""
    stake = spot.ante or exact_stake(game)
    tallies = counted(game, spot.cards, spot.dead)
    table = play_table(game, stake, capped=spot.ante is not None, purse=spot.purse)
    values = {play: value(tallies[play.said], nets, stake) for play, nets in table.items()}
    chosen, points = best(values, game.sheet), pointed(game).shape.points
    low, high = total(spot.cards, points.low), total(spot.cards, points.high)
    why, shoe = why_declare(low, high, tallies, values, chosen), advised_shoe(game.sheet)
    told = say("form.spaced", parts=(why, shoe)) if shoe else why
    return Advice(values, chosen, told)
