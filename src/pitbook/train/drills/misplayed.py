"""For players: a spot that was misplayed in practice, asked as any drill is."""

from __future__ import annotations

from pitbook.money import Cents
from pitbook.rules.game import Game
from pitbook.text import say
from pitbook.train.drills.item import Item, Lies, Question, Reason, SeatLies, lettered
from pitbook.train.log import Logged

KIND = "best-play"
WORK = 5


def seed_of(one: Logged) -> str:
    """How a spot is found again in the record of practice."""
    return f"{one.round}/{one.decision.stage}/{one.seat}"


def spot_item(game: Game, one: Logged) -> Item | None:
    """Which play is best in a spot; None where two are as good."""
    spot = one.decision
    found = spot.weighed
    best = [play for play in found.covered if not found.cost(play)]
    if len(best) != 1:
        return None
    plays = [play for play in game.plays(spot.stage) if play in found.covered]
    options = lettered([(play.label, ()) for play in plays])
    ask = say("drills.best-play", seat=one.seat, title=spot.title)
    question = Question(ask, "choice", _lies(game, one), options=options)
    answer = options[[str(play) for play in plays].index(best[0])].id
    return Item(KIND, question, answer, (Reason(found.hint, None),), WORK)


def _lies(game: Game, one: Logged) -> Lies:
    spot, place = one.decision, game.places[1]
    title = say("drills.place", place=place.id, title=place.title.capitalize())
    wagers = tuple((game.wager_title(wager), Cents(stake)) for wager, stake in spot.stakes)
    return Lies(((title, spot.board),), (SeatLies(one.seat, spot.cards, wagers),))
