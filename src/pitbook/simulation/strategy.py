"""The strategy of every seat: by name, from a rule file, or computed spot by spot."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from fractions import Fraction
from functools import cached_property, lru_cache
from itertools import chain
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray
from pydantic import ValidationError

from pitbook.cards import Card, rank
from pitbook.exact.long_computations import TooLarge
from pitbook.exact.methods.ladder.strategies import LadderStrategy
from pitbook.exact.methods.method import SheetStrategy
from pitbook.exact.methods.plain.method import PlainStrategy
from pitbook.exact.methods.plain.solve import PlainSolver
from pitbook.exact.methods.points.strategies import PointsStrategy
from pitbook.exact.rule_files import (
    BYTES_MAX,
    DeclareRule,
    PointValues,
    Rules,
    StrategyError,
    StreetRule,
)
from pitbook.exact.strategies import follow, follow_rules
from pitbook.hands.kinds import atoms, line_names
from pitbook.hands.ranking import classes, rank_of
from pitbook.money import Cents
from pitbook.rules.actions import Play
from pitbook.rules.game import Game, Seat
from pitbook.sheets.findings import FieldPath
from pitbook.sheets.model import Sheet
from pitbook.sheets.toml_positions import Places, why_too_large
from pitbook.simulation.dealing import MISTAKES, block, random_below
from pitbook.text import Sentence, say, sentence_of
from pitbook.text.user_input import did_you_mean, show_value

# Strategies computed spot by spot -----------------------------------------------------------------


CACHED_SPOTS = 2**16  # Spots cached.
VisibleCards = tuple[tuple[Card, ...], ...]


@dataclass(frozen=True, eq=False)
class SpotStrategy:
    """A strategy for any game; `main_wagers_max` limits a player's main wagers over all stages."""

    strategy: PlainStrategy
    main_wagers_max: int | None = None

    def __reduce__(self) -> tuple[Any, ...]:
        return _rebuild, (self.plain.game.sheet, self.name, self.plain.ante, self.main_wagers_max)

    @property
    def name(self) -> str:
        """The strategy's name."""
        return self.strategy.name

    @property
    def plain(self) -> PlainSolver:
        """The solver of the main game for one seat."""
        return self.strategy.plain

    def choices(self, stage: int, cards: VisibleCards, seat: Seat) -> tuple[Play, ...]:
        """The allowed plays of a seat that sees these cards, the one to make first."""
        canonical = self.plain.shoe.canonical(cards)
        bare = seat._replace(cards=(), cards_dealt=0, side=())  # Seats play by the main game alone.
        return self._cached_choices(stage, canonical, bare)

    @cached_property
    def _cached_choices(self) -> Callable[[int, VisibleCards, Seat], tuple[Play, ...]]:
        return lru_cache(CACHED_SPOTS)(self._compute_choices)

    def _compute_choices(self, stage: int, visible: VisibleCards, seat: Seat) -> tuple[Play, ...]:
        plays = self._affordable(stage, seat, self.plain.plays(stage, visible, seat))
        first = plays[0] if len(plays) == 1 else self._unlimited_play(stage, visible, seat)
        if first not in plays:  # The largest bet up to it, else the smallest.
            smaller = [play for play in plays if not play.folds and play.times <= first.times]
            first = max(smaller or plays, key=lambda play: play.times if smaller else -play.times)
        return (first, *(play for play in plays if play != first))

    def _unlimited_play(self, stage: int, cards: VisibleCards, seat: Seat) -> Play:
        """The strategy's play regardless of the player's money."""
        if self.strategy.choose is not None:
            return self.strategy.choose(stage, cards, seat)
        try:
            self.plain.check(stage)
        except TooLarge as error:
            raise StrategyError(say("simulate.no-best-play", why=sentence_of(error))) from None
        return self.plain.choose(stage, cards, seat)

    def _affordable(self, stage: int, seat: Seat, plays: tuple[Play, ...]) -> tuple[Play, ...]:
        """The plays that leave enough for the minimum bet of every later stage."""
        if self.main_wagers_max is None:
            return plays
        game = self.plain.game
        later = sum(
            min_main_wagers(game, later_stage) for later_stage in range(stage + 1, len(game.stages))
        )
        available = self.main_wagers_max - later - sum(play.times for play in seat.plays)
        affordable = tuple(play for play in plays if play.folds or play.times <= available)
        return affordable or (min(plays, key=lambda play: play.times),)


def _rebuild(sheet: Sheet, name: str, ante: Cents, main_wagers_max: int | None) -> SpotStrategy:
    strategy = follow(sheet, name, ante)
    assert isinstance(strategy, PlainStrategy)
    return SpotStrategy(strategy, main_wagers_max)


def min_main_wagers(game: Game, stage: int) -> int:
    """Minimum main wagers needed to pass a stage without folding."""
    return min((play.times for play in game.plays(stage) if not play.folds), default=0)


def max_main_wagers(game: Game, stage: int) -> int:
    """Maximum main wagers of a stage."""
    return max((play.times for play in game.plays(stage)), default=0)


# Strategies by name and from rule files -----------------------------------------------------------


_TOML_PLACE = re.compile(r" \(at line (\d+), column (\d+)\)")
_MODELS: dict[str, type[Any]] = {
    "street": StreetRule,
    "declare": DeclareRule,
    "points": PointValues,
}

WrongField = tuple[FieldPath, str]


def load_rules(
    path: Path, game: Game, ante: Cents
) -> LadderStrategy | PointsStrategy | PlainStrategy:
    """Load a rule file over every spot; raises StrategyError as file:line:column: message."""
    try:
        with path.open("rb") as file:
            text = file.read(BYTES_MAX + 1).decode("utf-8-sig")
    except (OSError, UnicodeDecodeError):
        return _require_rules(follow(game.sheet, str(path), ante))  # Reports the problem.
    return parse_rules(text, str(path), game, ante)


def parse_rules(
    text: str, name: str, game: Game, ante: Cents
) -> LadderStrategy | PointsStrategy | PlainStrategy:
    """Like `load_rules`, for the text of a file with this name."""
    if len(text.encode()) > BYTES_MAX:
        raise StrategyError(say("exact.rule-file.too-large", path=name, most=BYTES_MAX))
    document = _parse_toml(text, name)
    places = Places(text)
    for path, message in chain(_schema_errors(document), _unknown_words(document, game)):
        line, column = places.value(path)
        finding = {"where": f"{name}:{line}:{column}", "message": message}
        raise StrategyError(say("cli.finding", **finding))
    try:
        return _require_rules(follow_rules(game.sheet, Rules.model_validate(document), ante))
    except StrategyError as error:
        reason = sentence_of(error)
        line, column = places.value(_field_of_error(document, reason))
        finding = {"where": f"{name}:{line}:{column}", "message": reason}
        raise StrategyError(say("cli.finding", **finding)) from None


def _require_rules(strategy: SheetStrategy) -> LadderStrategy | PointsStrategy | PlainStrategy:
    # No other kinds come from rules.
    assert isinstance(strategy, LadderStrategy | PointsStrategy | PlainStrategy)
    return strategy


def _parse_toml(text: str, name: str) -> dict[str, Any]:
    if (problem := why_too_large(text)) is not None:
        raise StrategyError(say("cli.finding", where=name, message=problem))
    try:
        return tomllib.loads(text)
    except (ValueError, RecursionError) as error:  # ValueError: an integer is too long.
        position = _TOML_PLACE.search(str(error))
        line, column = position.groups() if position else (1, 1)
        reason = _TOML_PLACE.sub("", str(error))
        no_toml = say("findings.syntax.no-toml", reason=reason)
        finding = {"where": f"{name}:{line}:{column}", "message": no_toml}
        raise StrategyError(say("cli.finding", **finding)) from None


def _schema_errors(document: dict[str, Any]) -> Iterator[WrongField]:
    """Fields that the schema of a rule file forbids."""
    try:
        Rules.model_validate(document)
    except ValidationError as error:
        for detail in error.errors(include_url=False):
            field = tuple(detail["loc"])
            name = str(field[-1]) if field else "the file"
            if detail["type"] == "extra_forbidden":
                model = _MODELS.get(str(field[0])) if len(field) > 1 else Rules
                field_names = model.model_fields if model else ()
                remedy = did_you_mean(name, field_names)
                yield field, say("findings.value.unknown-field", field=name, remedy=remedy)
            elif detail["type"] == "missing":
                yield field[:-1], say("findings.value.missing", field=name)
            else:
                message = detail["msg"].removeprefix("Input ").removeprefix("Value ")
                fields = {"field": name, "why": message, "given": show_value(detail["input"])}
                yield field, say("exact.rule-file.field", **fields)


def _unknown_words(document: dict[str, Any], game: Game) -> Iterator[WrongField]:
    """Streets, hands and plays that the sheet does not have."""
    has_declarations = any(play.declaration for stage in game.stages for play in stage.plays)
    kind = "declare" if has_declarations else "street"
    if kind not in document:
        family = game.sheet.family
        if has_declarations:
            yield (), say("exact.strategy.declare-rules", family=family)
        else:
            yield (), say("exact.strategy.street-rules", family=family)
        return
    names = [stage.id for stage in game.stages]
    for number, rule in enumerate(document[kind]):
        at = (kind, number)
        for index, name in enumerate(rule.get("on", ())):
            if name not in names:
                remedy = did_you_mean(name, names)
                message = say("exact.rule-file.no-street", street=name, remedy=remedy)
                yield (*at, "on", index), message
        for index, line in enumerate(rule.get("made", ())):
            if all(atoms(line, size) is None for size in range(2, 6)):
                remedy = did_you_mean(line, line_names(5))
                message = say("exact.rule-file.no-hand", line=line, remedy=remedy)
                yield (*at, "made", index), message
        stages = (
            [names.index(street) for street in rule.get("on", names)] if kind == "street" else [0]
        )
        plays = dict.fromkeys(play for stage in stages for play in game.plays(stage))
        if rule["play"] not in plays:
            remedy = did_you_mean(rule["play"], plays)
            message = say("exact.rule-file.no-play", play=rule["play"], remedy=remedy)
            yield (*at, "play"), message


def _field_of_error(document: dict[str, Any], message: str) -> FieldPath:
    """The field that an error message refers to; the last rule if none matches."""
    kind = "street" if "street" in document else "declare"
    rules = document[kind]
    if isinstance(message, Sentence) and message.key == "exact.strategy.no-play":
        play = message.fields["play"]
        number = next((n for n, rule in enumerate(rules) if rule["play"] == play), 0)
        return (kind, number, "play")
    return (kind, len(rules) - 1)


_RATE = re.compile(r"(?P<name>.+):(?P<rate>[0-9]*\.?[0-9]*)")
_DECIMALS_MAX = 4

Ranks = tuple[int, ...]


@dataclass(frozen=True)
class Strategy:
    """A strategy for every seat, and the share of decisions that are mistakes.

    A mistaken seat makes one of the other plays at random. The base strategy is stored by the class
    of the cards seen, by the ranks of a seat's cards, or spot by spot.
    """

    name: str
    mistakes: Fraction
    base: LadderStrategy | PointsStrategy | SpotStrategy = field(compare=False, repr=False)

    @property
    def knows_classes(self) -> bool:
        """Whether it is stored by class, so that `by_class` can be used."""
        return isinstance(self.base, LadderStrategy)

    @property
    def knows_ranks(self) -> bool:
        """Whether it is stored by ranks, so that `by_ranks` can be used."""
        return isinstance(self.base, PointsStrategy)

    def by_class(self, before: tuple[Play, ...]) -> tuple[tuple[Play, ...], NDArray[np.int8]]:
        """The plays of the stage after these plays, and the index of the play for each class."""
        assert isinstance(self.base, LadderStrategy)
        stage, terms = len(before), self.base.solution.terms
        purse = terms.purses[0][0]
        for street, play in enumerate(before):
            purse = terms.purse_after(street, purse, play)
        plays = self.base.solution.streets[stage][purse].plays
        return plays, self.base.policy[stage][purse]

    def by_ranks(self) -> tuple[tuple[Play, ...], Mapping[Ranks, Play]]:
        """The plays of the only stage, and the play for each hand."""
        assert isinstance(self.base, PointsStrategy)
        return tuple(self.base.solution.spots[0].worth), self.base.plays

    def without_figures(self) -> Strategy:
        """The strategy without its figures, which can be large and are not needed at a table."""
        if not isinstance(self.base, SpotStrategy):
            return self
        plain_strategy = self.base.strategy
        bare = PlainStrategy(plain_strategy.name, plain_strategy.plain, plain_strategy.choose)
        return replace(self, base=SpotStrategy(bare, self.base.main_wagers_max))

    def choices(self, stage: int, seat: Seat, cards_by_place: VisibleCards) -> tuple[Play, ...]:
        """The plays of a seat that sees these cards, the one to make first."""
        if isinstance(self.base, SpotStrategy):
            return self.base.choices(stage, cards_by_place, seat)
        if isinstance(self.base, LadderStrategy):
            plays, best = self.by_class(seat.plays)
            all_cards = tuple(card for place in cards_by_place for card in place)
            return _first(plays, int(best[_place(all_cards, self.base.solution.ace)]))
        plays, play_by_ranks = self.by_ranks()
        return _first(
            plays,
            plays.index(play_by_ranks[tuple(sorted(rank(card) for card in cards_by_place[0]))]),
        )


def strategy_of(game: Game, text: str, ante: Cents) -> Strategy:
    """The strategy of a text like "best", "never-3x", "mine.toml" or "best:0.05"."""
    name, rate = text, Fraction(0)
    if match := _RATE.fullmatch(text):
        name, rate = match["name"], _parse_mistake_rate(match["rate"], text)
    return _strategy(_load_strategy(game, name, ante), rate)


def strategy_in(game: Game, text: str, name: str, ante: Cents) -> Strategy:
    """The strategy of a rule file's text; `name` appears in its error messages."""
    return _strategy(parse_rules(text, name, game, ante), Fraction(0))


def _strategy(strategy: SheetStrategy, rate: Fraction) -> Strategy:
    assert isinstance(strategy, LadderStrategy | PointsStrategy | PlainStrategy)
    return Strategy(
        strategy.name,
        rate,
        SpotStrategy(strategy) if isinstance(strategy, PlainStrategy) else strategy,
    )


def _load_strategy(game: Game, name: str, ante: Cents) -> SheetStrategy:
    if name.endswith(".toml"):
        return load_rules(Path(name), game, ante)
    return follow(game.sheet, name, ante)


def play_or_mistake(
    rate: Fraction, plays: tuple[Play, ...], *, seed: int, number: int, decision: int
) -> Play:
    """The play made: the first one, or another if this decision is a mistake."""
    others = len(plays) - 1
    if not rate or not others:
        return plays[0]

    def word(attempt: int) -> int:
        purpose = MISTAKES + decision // 4
        return block(seed, number, attempt=attempt, purpose=purpose)[decision % 4]

    drawn = random_below(rate.denominator * others, word)
    return plays[1 + drawn % others] if drawn < rate.numerator * others else plays[0]


def _first(plays: tuple[Play, ...], place: int) -> tuple[Play, ...]:
    return (plays[place], *plays[:place], *plays[place + 1 :])


def _place(cards: tuple[Card, ...], ace: Any) -> int:
    if len(cards) > 1:
        return rank_of(cards, ace)
    return next(
        n for n, hand_class in enumerate(classes(1, ace)) if hand_class.ranks[0] == rank(cards[0])
    )


def _parse_mistake_rate(text: str, full_text: str) -> Fraction:
    decimals = len(text.partition(".")[2])
    if not text.strip(".") or decimals > _DECIMALS_MAX or Fraction(text) > 1:
        raise StrategyError(say("simulate.mistake-rate", given=full_text))
    return Fraction(text)
