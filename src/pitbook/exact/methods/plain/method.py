"""The plain method: figures, advice and strategies of any game, card by card."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property, lru_cache
from math import lcm
from typing import NamedTuple

from pitbook.cards import names
from pitbook.exact.methods.method import (
    Advice,
    Method,
    Rates,
    StrategyLine,
    gain_text,
    join_reasons,
    play_text,
)
from pitbook.exact.methods.plain.solve import DEALS_MAX, SECONDS_A_DEAL, OpenCards, PlainSolver
from pitbook.exact.outcome_figures import Figures, figures_from_rows, main_row, round_row
from pitbook.exact.rule_files import Rules, StrategyError
from pitbook.exact.spots import Spot, spot_cards_and_plays
from pitbook.money import Cents
from pitbook.rules.actions import PASSED, Play
from pitbook.rules.game import Game, Seat, Showdown
from pitbook.rules.settlement_lines import Line
from pitbook.text import say


@dataclass(frozen=True, eq=False)
class PlainStrategy:
    """A strategy of a game that is enumerated card by card."""

    name: str
    plain: PlainSolver
    choose: Choose | None  # None means best play.

    @cached_property
    def figures(self) -> Figures:
        """The main game's figures."""
        return main_figures(self.plain, self.choose)

    @property
    def expected(self) -> Fraction:
        """The value of a round in main wagers."""
        return self.figures.expected

    def entries(self) -> Iterator[StrategyLine]:
        """Every decision of best play; other strategies are not listed."""
        return (
            _reached_lines(self.plain, 0, self.plain.no_cards, self.plain.seat)
            if not self.choose
            else iter(())
        )


def _slow_work(game: Game) -> str | None:
    plain = PlainSolver(game)
    deals = plain.deals(plain.no_cards, 0)
    return say("exact.large.deals", deals=deals) if deals > DEALS_MAX // 100 else None


def _spot_seconds(game: Game) -> float:
    plain = PlainSolver(game)
    spots = (plain.spot_deals(n) for n, stage in enumerate(game.stages) if stage.plays)
    return max(spots, default=0) * SECONDS_A_DEAL


def _expected_value(game: Game, ante: Cents | None) -> Fraction:
    return PlainSolver(game, ante).value()


def _figures(game: Game, ante: Cents | None) -> Figures:
    return main_figures(PlainSolver(game, ante))


@lru_cache(maxsize=16)
def _cached_figures(game: Game, ante: Cents | None) -> Figures:
    return _figures(game, ante)


def _rates(game: Game, ante: Cents | None) -> Rates:
    """How often each outcome wins or pushes."""
    figures = _cached_figures(game, ante)
    rates: dict[int | str, Fraction] = {}
    for row in figures.rows:
        share = Fraction(row.count if row.result != "lose" else 0, figures.rounds)
        rates[row.outcome] = rates.get(row.outcome, Fraction(0)) + share
    return rates


def _whole_round(
    game: Game, ante: Cents | None, side: Mapping[str, Cents], antes_left: int | None
) -> Figures:
    return round_figures(_solver_with_antes(game, ante, side, antes_left))


def _solver_with_antes(
    game: Game, ante: Cents | None, side: Mapping[str, Cents], antes_left: int | None
) -> PlainSolver:
    plain = PlainSolver(game, ante, side)
    if antes_left is None:
        return plain
    return PlainSolver(game, ante, side, purse=Cents(antes_left * plain.stake))


def _cached_expected(game: Game, ante: Cents | None, antes_left: int | None) -> Fraction:
    if antes_left is None:
        return _cached_figures(game, ante).expected
    return _solver_with_antes(game, ante, {}, antes_left).value()


def _advise(game: Game, spot: Spot) -> Advice:
    plain = PlainSolver(game, spot.ante, spot.side, dead=spot.dead, purse=spot.purse)
    common, plays = spot_cards_and_plays(game, spot)
    values = plain.worths(spot.cards, common, plays)
    best = plain.best(spot.cards, common, plays)
    return Advice(values, best, _explain_play(game, values, best))


def _explain_play(game: Game, values: Mapping[Play, Fraction], best: Play) -> str:
    others = [play for play in values if play != best]
    if not others:
        return join_reasons([say("exact.why.only", best=play_text(best))])
    runner_up = max(others, key=lambda play: values[play])
    gain = values[best] - values[runner_up]
    return join_reasons([gain_text(gain, game.sheet.unit[1], best, play_text(runner_up))])


def _strategy_names(game: Game) -> tuple[str, ...]:
    """Best play, and each play whenever it is allowed."""
    plays = dict.fromkeys(play for stage in game.stages for play in stage.plays)
    return ("best", *(f"always-{play}" for play in plays))


def _follow(game: Game, name: str, ante: Cents | None) -> PlainStrategy:
    names, plain = _strategy_names(game), PlainSolver(game, ante)
    if name not in names:
        raise StrategyError(say("exact.strategy.unknown", name=name, known=names))
    if name == "best":
        return PlainStrategy(name, plain, None)

    def choose(stage: int, open_cards: OpenCards, seat: Seat) -> Play:
        plays = plain.plays(stage, open_cards, seat)
        allowed = (play for play in plays if f"always-{play}" == name)
        return next(allowed, None) or plain.choose(stage, open_cards, seat)

    return PlainStrategy(name, plain, choose)


def _follow_rules(game: Game, rules: Rules, ante: Cents | None) -> PlainStrategy:
    raise StrategyError(say("exact.strategy.no-rule-files", family=game.sheet.family))


def _entries(game: Game, ante: Cents | None, purse: Cents | None) -> Iterator[StrategyLine]:
    plain = PlainSolver(game, ante, purse=purse)
    with plain.guard_work(plain.no_cards, 0):
        lines = tuple(_reached_lines(plain, 0, plain.no_cards, plain.seat))
    yield from lines


def _reached_lines(
    plain: PlainSolver, stage: int, open_cards: OpenCards, seat: Seat
) -> Iterator[StrategyLine]:
    """Every decision of best play from this stage on."""
    if stage == len(plain.game.stages) or seat.folded:
        return
    for cards, _, decides in plain.deal_stage(stage, open_cards, seat):
        play = PASSED
        if decides and plain.plays(stage, cards, seat):
            play = plain.choose(stage, cards, seat)
            value = plain.worths(
                cards[0],
                cards[1:],
                [earlier_play for earlier_play in seat.plays if earlier_play != PASSED],
            )
            units = sum(stake for _, stake in seat.main) // plain.stake
            cards_text = " | ".join(names(place) for place in cards if place)
            yield StrategyLine(plain.game.stages[stage].id, cards_text, units, play, value[play])
        yield from _reached_lines(plain, stage + 1, cards, seat.after_play(play))


PLAIN = Method(
    name="plain",
    fits=lambda game: True,
    slow_work=_slow_work,
    seconds=lambda game: PlainSolver(game).deals(PlainSolver(game).no_cards, 0) * SECONDS_A_DEAL,
    spot_seconds=_spot_seconds,
    expected=_expected_value,
    cached_expected=_cached_expected,
    figures=_figures,
    cached_figures=_cached_figures,
    rates=_rates,
    fold_rates=None,
    whole_round=_whole_round,
    advise=_advise,
    names=_strategy_names,
    follow=_follow,
    follow_rules=_follow_rules,
    entries=_entries,
)


Choose = Callable[[int, OpenCards, Seat], Play]  # Stage, open cards, seat -> play.


class RoundPath(NamedTuple):
    """A path through a round: its stage, and its share as `ways` of `deals`."""

    stage: int
    open_cards: OpenCards
    seat: Seat
    ways: int
    deals: int


class RoundEnd(NamedTuple):
    """The end of a round, and the number of deals that its count refers to."""

    seat: Seat
    showdown: Showdown
    deals: int


def main_figures(plain: PlainSolver, choose: Choose | None = None) -> Figures:
    """The figures of the main game under best play, or with another chooser."""
    side = plain.side or {}
    rows = []
    for lines, count in _settle_ends(plain, choose or plain.choose):
        main = [line for line in lines if line.wager not in side]
        rows.append(main_row(main, plain.stake, count))
    return figures_from_rows(rows)


def round_figures(plain: PlainSolver, choose: Choose | None = None) -> Figures:
    """The figures of the main game and the side wagers together, in main wagers."""
    ends = _settle_ends(plain, choose or plain.choose)
    return figures_from_rows(round_row(lines, plain.stake, count) for lines, count in ends)


def wager_figures(plain: PlainSolver, wager: str) -> Figures:
    """The figures of a side wager of the round, per unit staked, with no folds."""
    stake = dict(plain.seat.side)[wager]
    rows = []
    for lines, count in _settle_ends(plain, never_fold(plain)):
        wager_lines = [line for line in lines if line.wager == wager]
        rows.append(main_row(wager_lines, stake, count))
    return figures_from_rows(rows)


def never_fold(plain: PlainSolver) -> Choose:
    """A chooser that takes the first play that does not fold."""

    def choose(stage: int, open_cards: OpenCards, seat: Seat) -> Play:
        plays = plain.plays(stage, open_cards, seat)
        return next((play for play in plays if not play.folds), plays[0])

    return choose


def _settle_ends(plain: PlainSolver, choose: Choose) -> Iterator[tuple[tuple[Line, ...], int]]:
    """The lines of every end, and its count."""
    for end, count in _count_ends(plain, choose).items():
        yield plain.lines(end.showdown, end.seat), count


def _count_ends(plain: PlainSolver, choose: Choose) -> dict[RoundEnd, int]:
    """The count of each end, scaled to a common number of deals."""
    counts = Counter[RoundEnd]()
    with plain.guard_work(plain.no_cards, 0):
        for end, ways in _path_ends(plain, choose, RoundPath(0, plain.no_cards, plain.seat, 1, 1)):
            counts[end] += ways
    deals = lcm(*(end.deals for end in counts))
    scaled = Counter[RoundEnd]()
    for end, ways in counts.items():
        scaled[end._replace(deals=deals)] += ways * (deals // end.deals)
    return scaled


def _path_ends(
    plain: PlainSolver, choose: Choose, path: RoundPath
) -> Iterator[tuple[RoundEnd, int]]:
    """Every end of a path, and its number of ways."""
    stage, open_cards, seat, ways, deals = path
    if seat.folded or stage == len(plain.game.stages):
        ends = plain.ends(open_cards, seat)
        for showdown, count in ends.items():
            yield RoundEnd(seat, showdown, deals * ends.total()), ways * count
        return
    deals_of_stage = tuple(plain.deal_stage(stage, open_cards, seat))
    total = sum(count for _, count, _ in deals_of_stage)
    for cards, count, decides in deals_of_stage:
        may_play = decides and plain.plays(stage, cards, seat)
        seat_after = seat.after_play(choose(stage, cards, seat) if may_play else PASSED)
        yield from _path_ends(
            plain, choose, RoundPath(stage + 1, cards, seat_after, ways * count, deals * total)
        )
