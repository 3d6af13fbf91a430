"""The answers for any other game, by going through its cards: few decisions, or few cards."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property, lru_cache

from pitbook.cards import names
from pitbook.exact.figures import Figures
from pitbook.exact.methods.method import Advice, Method, Rates, StrategyLine
from pitbook.exact.methods.plain import DEALS_MAX, Plain, main_figures, round_figures
from pitbook.exact.methods.plain.cards import Seen
from pitbook.exact.methods.plain.outcomes import Choose
from pitbook.exact.methods.plain.solving import SECONDS_A_DEAL
from pitbook.exact.rule_files import Rules, StrategyError
from pitbook.exact.spots import Spot, laid_out
from pitbook.exact.wording import more_told, play_told, sentence
from pitbook.money import Cents
from pitbook.rules.game import Game, Seat
from pitbook.rules.plays import PASSED, Play
from pitbook.text import say

__all__ = ["PLAIN", "PlainStrategy"]


@dataclass(frozen=True, eq=False)
class PlainStrategy:
    """A strategy of a game that is gone through card by card."""

    name: str
    plain: Plain
    choose: Choose | None  # None: best play.

    @cached_property
    def figures(self) -> Figures:
        """The main game's figures."""
        return main_figures(self.plain, self.choose)

    @property
    def expected(self) -> Fraction:
        """The value of a round in main wagers."""
        return self.figures.expected

    def entries(self) -> Iterator[StrategyLine]:
        """Every decision that best play comes to; other strategies are not listed."""
        return (
            _met(self.plain, 0, self.plain.nothing, self.plain.seat)
            if not self.choose
            else iter(())
        )


def _work(game: Game) -> str | None:
    plain = Plain(game)
    deals = plain.deals(plain.nothing, 0)
    return say("exact.large.deals", deals=deals) if deals > DEALS_MAX // 100 else None


def _spot_seconds(game: Game) -> float:
    plain = Plain(game)
    spots = (plain.spot_deals(n) for n, stage in enumerate(game.stages) if stage.plays)
    return max(spots, default=0) * SECONDS_A_DEAL


def _expected(game: Game, ante: Cents | None) -> Fraction:
    return Plain(game, ante).value()


def _figures(game: Game, ante: Cents | None) -> Figures:
    return main_figures(Plain(game, ante))


@lru_cache(maxsize=16)
def _kept_figures(game: Game, ante: Cents | None) -> Figures:
    return _figures(game, ante)


def _rates(game: Game, ante: Cents | None) -> Rates:
    """How often each outcome wins or pushes."""
    figures = _kept_figures(game, ante)
    found: dict[int | str, Fraction] = {}
    for row in figures.rows:
        share = Fraction(row.count if row.result != "lose" else 0, figures.rounds)
        found[row.outcome] = found.get(row.outcome, Fraction(0)) + share
    return found


def _whole_round(
    game: Game, ante: Cents | None, side: Mapping[str, Cents], room: int | None
) -> Figures:
    return round_figures(_with_room(game, ante, side, room))


def _with_room(
    game: Game, ante: Cents | None, side: Mapping[str, Cents], room: int | None
) -> Plain:
    plain = Plain(game, ante, side)
    if room is None:
        return plain
    return Plain(game, ante, side, purse=Cents(room * plain.stake))


def _kept(game: Game, ante: Cents | None, room: int | None) -> Fraction:
    if room is None:
        return _kept_figures(game, ante).expected
    return _with_room(game, ante, {}, room).value()


def _advise(game: Game, spot: Spot) -> Advice:
    plain = Plain(game, spot.ante, spot.side, dead=spot.dead, purse=spot.purse)
    common, plays = laid_out(game, spot)
    worths = plain.worths(spot.cards, common, plays)
    best = plain.best(spot.cards, common, plays)
    return Advice(worths, best, _why(game, worths, best))


def _why(game: Game, worths: Mapping[Play, Fraction], best: Play) -> str:
    others = [play for play in worths if play != best]
    if not others:
        return sentence([say("exact.why.only", best=play_told(best))])
    other = max(others, key=lambda play: worths[play])
    gained = worths[best] - worths[other]
    return sentence([more_told(gained, game.sheet.unit[1], best, play_told(other))])


def _names(game: Game) -> tuple[str, ...]:
    """Best play, and every play made wherever it may be."""
    plays = dict.fromkeys(play for stage in game.stages for play in stage.plays)
    return ("best", *(f"always-{play}" for play in plays))


def _follow(game: Game, name: str, ante: Cents | None) -> PlainStrategy:
    names, plain = _names(game), Plain(game, ante)
    if name not in names:
        raise StrategyError(say("exact.strategy.unknown", name=name, known=names))
    if name == "best":
        return PlainStrategy(name, plain, None)

    def choose(stage: int, seen: Seen, seat: Seat) -> Play:
        plays = plain.plays(stage, seen, seat)
        wanted = (play for play in plays if f"always-{play}" == name)
        return next(wanted, None) or plain.choose(stage, seen, seat)

    return PlainStrategy(name, plain, choose)


def _follow_rules(game: Game, rules: Rules, ante: Cents | None) -> PlainStrategy:
    raise StrategyError(say("exact.strategy.no-rule-files", family=game.sheet.family))


def _entries(game: Game, ante: Cents | None, purse: Cents | None) -> Iterator[StrategyLine]:
    plain = Plain(game, ante, purse=purse)
    with plain.watched(plain.nothing, 0):
        met = tuple(_met(plain, 0, plain.nothing, plain.seat))
    yield from met


def _met(plain: Plain, stage: int, seen: Seen, seat: Seat) -> Iterator[StrategyLine]:
    """Every decision that best play comes to, from here on."""
    if stage == len(plain.game.stages) or seat.folded:
        return
    for cards, _, decides in plain.turned(stage, seen, seat):
        made = PASSED
        if decides and plain.plays(stage, cards, seat):
            made = plain.choose(stage, cards, seat)
            worth = plain.worths(cards[0], cards[1:], [one for one in seat.plays if one != PASSED])
            units = sum(stake for _, stake in seat.main) // plain.stake
            held = " | ".join(names(place) for place in cards if place)
            yield StrategyLine(plain.game.stages[stage].id, held, units, made, worth[made])
        yield from _met(plain, stage + 1, cards, seat.made(made))


PLAIN = Method(
    name="plain",
    fits=lambda game: True,
    work=_work,
    seconds=lambda game: Plain(game).deals(Plain(game).nothing, 0) * SECONDS_A_DEAL,
    spot_seconds=_spot_seconds,
    expected=_expected,
    kept=_kept,
    figures=_figures,
    kept_figures=_kept_figures,
    rates=_rates,
    fold_rates=None,
    whole_round=_whole_round,
    advise=_advise,
    names=_names,
    follow=_follow,
    follow_rules=_follow_rules,
    entries=_entries,
)
