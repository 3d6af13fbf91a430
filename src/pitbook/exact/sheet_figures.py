"""The exact figures of a sheet: every wager, the whole round, and how long they take."""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from typing import Any, NamedTuple

from pitbook.errors import PitbookError
from pitbook.exact.figures import Figures
from pitbook.exact.methods.choose import choose_method
from pitbook.exact.methods.plain.solve import SECONDS_A_DEAL, PlainSolver
from pitbook.exact.side_wagers import deals_to_count, side_figures
from pitbook.exact.work import TooLarge
from pitbook.money import Cents
from pitbook.rules.game import Game
from pitbook.sheets.findings import did_you_mean
from pitbook.sheets.model import Sheet
from pitbook.text import say, sentence_of


class MathError(PitbookError):
    """A question that the exact figures cannot answer; its text says why."""


def wager_figures(
    sheet: Sheet, wager: str, ante: Cents | None = None, stake: Cents | None = None
) -> Figures:
    """The figures of the main game under best play, or of a side wager."""
    if wager != "main":
        capped_stake = (
            stake if stake is not None else (sheet.side[wager].stake.min if ante else None)
        )
        return side_figures(sheet, wager, capped_stake)
    game, method = choose_method(sheet)
    return method.cached_figures(game, ante)


def whole_round(
    sheet: Sheet, ante: Cents | None, side: Mapping[str, Cents], *, room: int | None = None
) -> Figures:
    """The main game and the given side wagers together, in antes (or Bets).

    `room` is how many antes the player has left to bet; None means no limit.
    """
    game, method = choose_method(sheet)
    return method.whole_round(game, ante, side, room)


def prose_edge_change(sheet: Sheet) -> Fraction | None:
    """The change in house edge if the prose governed where it contradicts the pay table (OMS-7)."""
    prose = sheet.main.prose
    if prose is None:
        return None

    def expected_under(decides: str) -> Fraction:
        prose_changed = prose.model_copy(update={"decides": decides})
        main = sheet.main.model_copy(update={"prose": prose_changed})
        game, method = choose_method(sheet.model_copy(update={"main": main}))
        return method.cached_expected(game, None, None)

    return expected_under("pays") - expected_under("prose")


def check_question(sheet: Sheet, wager: str | None, seats: int, ante: Cents | None) -> None:
    """Raise MathError if the sheet has no such wager or number of seats."""
    wagers = ("main", *sheet.side)
    if wager is not None and wager not in wagers:
        remedy = did_you_mean(wager, wagers)
        raise MathError(say("exact.no-wager", wager=wager, remedy=remedy))
    if not 1 <= seats <= sheet.seats.count:
        raise MathError(say("exact.seats", most=sheet.seats.count, given=seats))
    shared = any(limit.per == "round" for limit in sheet.limits)
    if seats > 1 and ante is not None and shared:
        raise MathError(say("exact.shared-cap"))


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
