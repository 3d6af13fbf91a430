"""Small pieces of what a terminal table says: prices of plays, refusals, who is how much up."""

from __future__ import annotations

from pitbook.cli.common.language import money_told, worded
from pitbook.rules.game import Seat
from pitbook.rules.plays import Play
from pitbook.rules.refusals import Refusal, with_clause
from pitbook.text import Sentence, say


def costing(seat: Seat, play: Play) -> str:
    """A play, and what it costs where it costs anything."""
    amount = seat.cost(play)
    name = worded(say("exact.why.play", play=str(play)))
    return f"{name} {money_told(amount)}" if amount else name


def full(refusal: Refusal) -> Sentence:
    """A refusal as a whole sentence."""
    return say("form.full", text=with_clause(refusal))


def who_nets(seat: int, seats: tuple[int, ...]) -> str:
    """Whose a sum is, before it; where one plays alone, it goes without saying."""
    return worded(say("engine.place.seat", seat=seat)) + " " if len(seats) > 1 else ""


def signed(cents: int) -> str:
    """What was won with a plus, what was lost with a minus."""
    return f"+{money_told(cents)}" if cents > 0 else money_told(cents)
