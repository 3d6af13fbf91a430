"""How long exact answers about a sheet take."""

from __future__ import annotations

from typing import Any, NamedTuple

from pitbook.exact.long_computations import TooLarge
from pitbook.exact.methods.choose import choose_method
from pitbook.exact.methods.plain.solve import SECONDS_A_DEAL, PlainSolver
from pitbook.exact.side_wagers import deals_to_count
from pitbook.rules.game import Game
from pitbook.sheets.model import Sheet
from pitbook.text import say, sentence_of

QUICK_SECONDS = 10.0  # An answer "within seconds".


class Estimate(NamedTuple):
    """Approximate seconds for an answer, or the reason why there is none."""

    seconds: float
    refusal: str = ""
    slowest_part: str = ""  # The part of the game that takes that long, if not all of it does.

    def document(self) -> dict[str, Any]:
        """The estimate as JSON."""
        if self.refusal:
            return {"answers": False, "seconds": None, "reason": self.refusal}
        return {"answers": True, "seconds": round(self.seconds, 1), "reason": ""}


def math_estimate(sheet: Sheet) -> Estimate:
    """Estimate for `pitbook math` without options: the figures of every wager."""
    game, method = choose_method(sheet)
    try:
        if method.name == "plain":
            PlainSolver(game).check(None)
        deals = sum(deals_to_count(game, wager) for wager in sheet.side)
    except TooLarge as error:
        return Estimate(0.0, sentence_of(error))
    return Estimate(method.seconds(game) + deals * SECONDS_A_DEAL)


def advise_estimate(sheet: Sheet) -> Estimate:
    """Estimate for `pitbook advise` without options: the slowest decision."""
    game, method = choose_method(sheet)
    if method.name != "plain":
        return Estimate(method.spot_seconds(game))
    plain = PlainSolver(game)
    decisions = [number for number, rule in enumerate(game.stages) if rule.plays]
    longest = max(decisions, key=plain.spot_deals)
    title = game.stages[longest].title
    refused = []
    for stage in decisions:
        try:
            plain.check(stage)
        except TooLarge as error:
            refused.append((stage, sentence_of(error)))
    if len(refused) == len(decisions):
        return Estimate(0.0, refused[0][1])
    if refused:
        answered = [number for number in decisions if number not in dict(refused)]
        seconds = max(map(plain.spot_deals, answered)) * SECONDS_A_DEAL
        names = tuple(game.stages[number].title for number, _ in refused)
        return Estimate(seconds, slowest_part=say("exact.estimate.except", decisions=names))
    seconds = plain.spot_deals(longest) * SECONDS_A_DEAL
    slow = seconds > QUICK_SECONDS
    return Estimate(
        seconds, slowest_part=say("exact.estimate.longest", decision=title) if slow else ""
    )


def strategy_seconds(game: Game, strategy: str, rounds: int, *, spots_max: int) -> float:
    """Seconds to calculate, card by card, every play of a strategy in a number of rounds.

    Up to `spots_max` spots are cached. Raises TooLarge if a decision has too many deals.
    """
    plain, seconds = PlainSolver(game), 0.0
    for number, stage in enumerate(game.stages):
        always = strategy.removeprefix("always-") if strategy.startswith("always-") else None
        if len(stage.plays) < 2 or any(
            play == always and play.needs is None for play in stage.plays
        ):
            continue
        if why := plain.why_too_many(number):
            raise TooLarge(why)
        spots = plain.spots(number)
        spots_met = min(rounds, spots) if spots <= spots_max else rounds
        seconds += spots_met * plain.spot_deals(number) * SECONDS_A_DEAL
    return seconds
