"""The strategy that every seat follows, by name or from a rule file, and its mistakes."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from fractions import Fraction
from itertools import chain
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray
from pydantic import ValidationError

from pitbook.cards import Card, rank
from pitbook.exact.methods.ladder.strategies import LadderStrategy
from pitbook.exact.methods.method import SheetStrategy
from pitbook.exact.methods.plain.method import PlainStrategy
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
from pitbook.rules.game import Game, Seat
from pitbook.rules.plays import Play
from pitbook.sheets.findings import FieldPath as Field
from pitbook.sheets.findings import did_you_mean, show_value
from pitbook.sheets.toml_text import Places, why_too_large
from pitbook.simulate.dealing import MISTAKES, below, block
from pitbook.simulate.methods.spot_strategy import Choosing
from pitbook.text import Sentence, say, sentence_of

_TOML_PLACE = re.compile(r" \(at line (\d+), column (\d+)\)")
_MODELS: dict[str, type[Any]] = {
    "street": StreetRule,
    "declare": DeclareRule,
    "points": PointValues,
}

WrongField = tuple[Field, str]


def followed_rules(
    path: Path, game: Game, ante: Cents
) -> LadderStrategy | PointsStrategy | PlainStrategy:
    """The rules laid out over every spot; raises StrategyError as file:line:column: sentence."""
    try:
        with path.open("rb") as file:
            text = file.read(BYTES_MAX + 1).decode("utf-8-sig")
    except (OSError, UnicodeDecodeError):
        return _laid(follow(game.sheet, str(path), ante))  # It says what is wrong with the file.
    return followed_text(text, str(path), game, ante)


def followed_text(
    text: str, name: str, game: Game, ante: Cents
) -> LadderStrategy | PointsStrategy | PlainStrategy:
    """The same of a text that a file of some name holds."""
    if len(text.encode()) > BYTES_MAX:
        raise StrategyError(say("exact.rule-file.too-large", path=name, most=BYTES_MAX))
    document = _parsed(text, name)
    places = Places(text)
    for path, message in chain(_misshapen(document), _unknown_words(document, game)):
        line, column = places.value(path)
        told = {"where": f"{name}:{line}:{column}", "message": message}
        raise StrategyError(say("cli.finding", **told))
    try:
        return _laid(follow_rules(game.sheet, Rules.model_validate(document), ante))
    except StrategyError as error:
        said = sentence_of(error)
        line, column = places.value(_blamed(document, said))
        told = {"where": f"{name}:{line}:{column}", "message": said}
        raise StrategyError(say("cli.finding", **told)) from None


def _laid(found: SheetStrategy) -> LadderStrategy | PointsStrategy | PlainStrategy:
    assert isinstance(
        found, LadderStrategy | PointsStrategy | PlainStrategy
    )  # No others follow rules.
    return found


def _parsed(text: str, name: str) -> dict[str, Any]:
    if (problem := why_too_large(text)) is not None:
        raise StrategyError(say("cli.finding", where=name, message=problem))
    try:
        return tomllib.loads(text)
    except (ValueError, RecursionError) as error:  # ValueError: an integer is too long.
        found = _TOML_PLACE.search(str(error))
        line, column = found.groups() if found else (1, 1)
        reason = _TOML_PLACE.sub("", str(error))
        no_toml = say("findings.syntax.no-toml", reason=reason)
        told = {"where": f"{name}:{line}:{column}", "message": no_toml}
        raise StrategyError(say("cli.finding", **told)) from None


def _misshapen(document: dict[str, Any]) -> Iterator[WrongField]:
    """What the form of a rule file forbids, the first finding first."""
    try:
        Rules.model_validate(document)
    except ValidationError as error:
        for detail in error.errors(include_url=False):
            field = tuple(detail["loc"])
            name = str(field[-1]) if field else "the file"
            if detail["type"] == "extra_forbidden":
                model = _MODELS.get(str(field[0])) if len(field) > 1 else Rules
                known = model.model_fields if model else ()
                remedy = did_you_mean(name, known)
                yield field, say("findings.value.unknown-field", field=name, remedy=remedy)
            elif detail["type"] == "missing":
                yield field[:-1], say("findings.value.missing", field=name)
            else:
                message = detail["msg"].removeprefix("Input ").removeprefix("Value ")
                wrong = {"field": name, "why": message, "given": show_value(detail["input"])}
                yield field, say("exact.rule-file.field", **wrong)


def _unknown_words(document: dict[str, Any], game: Game) -> Iterator[WrongField]:
    """Streets, hands and plays that the sheet has not."""
    said = any(play.said for stage in game.stages for play in stage.plays)
    kind = "declare" if said else "street"
    if kind not in document:
        family = game.sheet.family
        if said:
            yield (), say("exact.strategy.declare-rules", family=family)
        else:
            yield (), say("exact.strategy.street-rules", family=family)
        return
    names = [stage.id for stage in game.stages]
    for number, rule in enumerate(document[kind]):
        at = (kind, number)
        for place, name in enumerate(rule.get("on", ())):
            if name not in names:
                remedy = did_you_mean(name, names)
                message = say("exact.rule-file.no-street", street=name, remedy=remedy)
                yield (*at, "on", place), message
        for place, line in enumerate(rule.get("made", ())):
            if all(atoms(line, size) is None for size in range(2, 6)):
                remedy = did_you_mean(line, line_names(5))
                message = say("exact.rule-file.no-hand", line=line, remedy=remedy)
                yield (*at, "made", place), message
        stages = [names.index(one) for one in rule.get("on", names)] if kind == "street" else [0]
        plays = dict.fromkeys(play for stage in stages for play in game.plays(stage))
        if rule["play"] not in plays:
            remedy = did_you_mean(rule["play"], plays)
            message = say("exact.rule-file.no-play", play=rule["play"], remedy=remedy)
            yield (*at, "play"), message


def _blamed(document: dict[str, Any], message: str) -> Field:
    """The rule that an error speaks of; where none fits, the last one."""
    kind = "street" if "street" in document else "declare"
    rules = document[kind]
    if isinstance(message, Sentence) and message.key == "exact.strategy.no-play":
        play = message.fields["play"]
        number = next((n for n, rule in enumerate(rules) if rule["play"] == play), 0)
        return (kind, number, "play")
    return (kind, len(rules) - 1)


_RATE = re.compile(r"(?P<name>.+):(?P<rate>[0-9]*\.?[0-9]*)")
_DECIMALS_MAX = 4

Seen = tuple[tuple[Card, ...], ...]
Ranks = tuple[int, ...]


@dataclass(frozen=True)
class Strategy:
    """A way to play that every seat follows, and the share of decisions that go wrong.

    A seat that errs makes one of the other plays, each as likely as any other. What is followed is
    laid out by the class of the cards seen, by the ranks of a seat's cards, or spot by spot.
    """

    name: str
    mistakes: Fraction
    followed: LadderStrategy | PointsStrategy | Choosing = field(compare=False, repr=False)

    @property
    def knows_classes(self) -> bool:
        """Whether it is laid out by class: `by_class` can be asked."""
        return isinstance(self.followed, LadderStrategy)

    @property
    def knows_ranks(self) -> bool:
        """Whether it is laid out by ranks: `by_ranks` can be asked."""
        return isinstance(self.followed, PointsStrategy)

    def by_class(self, before: tuple[Play, ...]) -> tuple[tuple[Play, ...], NDArray[np.int8]]:
        """The plays of the stage after some plays, and for each class which one to make."""
        assert isinstance(self.followed, LadderStrategy)
        stage, terms = len(before), self.followed.solution.terms
        purse = terms.purses[0][0]
        for street, play in enumerate(before):
            purse = terms.purse_after(street, purse, play)
        plays = self.followed.solution.streets[stage][purse].plays
        return plays, self.followed.policy[stage][purse]

    def by_ranks(self) -> tuple[tuple[Play, ...], Mapping[Ranks, Play]]:
        """The plays of the only stage, and which one to make with each hand."""
        assert isinstance(self.followed, PointsStrategy)
        return tuple(self.followed.solution.spots[0].worth), self.followed.plays

    def to_play(self) -> Strategy:
        """The strategy without its figures, which can be large and which a table does not need."""
        if not isinstance(self.followed, Choosing):
            return self
        followed = self.followed.followed
        bare = PlainStrategy(followed.name, followed.plain, followed.choose)
        return replace(self, followed=Choosing(bare, self.followed.room))

    def choices(self, stage: int, seat: Seat, seen: Seen) -> tuple[Play, ...]:
        """The plays of a seat that sees these cards, place by place; the one to make first."""
        if isinstance(self.followed, Choosing):
            return self.followed.choices(stage, seen, seat)
        if isinstance(self.followed, LadderStrategy):
            plays, best = self.by_class(seat.plays)
            cards = tuple(card for place in seen for card in place)
            return _first(plays, int(best[_place(cards, self.followed.solution.ace)]))
        plays, made = self.by_ranks()
        return _first(plays, plays.index(made[tuple(sorted(rank(card) for card in seen[0]))]))


def strategy_of(game: Game, text: str, ante: Cents) -> Strategy:
    """The strategy of a text like "best", "never-3x", "mine.toml" or "best:0.05"."""
    name, rate = text, Fraction(0)
    if found := _RATE.fullmatch(text):
        name, rate = found["name"], _rate(found["rate"], text)
    return _strategy(_followed(game, name, ante), rate)


def strategy_in(game: Game, text: str, name: str, ante: Cents) -> Strategy:
    """The strategy of a rule file's text, under the name that its findings are told by."""
    return _strategy(followed_text(text, name, game, ante), Fraction(0))


def _strategy(found: SheetStrategy, rate: Fraction) -> Strategy:
    assert isinstance(found, LadderStrategy | PointsStrategy | PlainStrategy)
    return Strategy(
        found.name, rate, Choosing(found) if isinstance(found, PlainStrategy) else found
    )


def _followed(game: Game, name: str, ante: Cents) -> SheetStrategy:
    if name.endswith(".toml"):
        return followed_rules(Path(name), game, ante)
    return follow(game.sheet, name, ante)


def erred(
    rate: Fraction, plays: tuple[Play, ...], *, seed: int, number: int, decision: int
) -> Play:
    """The play that is made: the first one, or another where this decision goes wrong."""
    others = len(plays) - 1
    if not rate or not others:
        return plays[0]

    def word(attempt: int) -> int:
        purpose = MISTAKES + decision // 4
        return block(seed, number, attempt=attempt, purpose=purpose)[decision % 4]

    drawn = below(rate.denominator * others, word)
    return plays[1 + drawn % others] if drawn < rate.numerator * others else plays[0]


def _first(plays: tuple[Play, ...], place: int) -> tuple[Play, ...]:
    return (plays[place], *plays[:place], *plays[place + 1 :])


def _place(seen: tuple[Card, ...], ace: Any) -> int:
    if len(seen) > 1:
        return rank_of(seen, ace)
    return next(n for n, one in enumerate(classes(1, ace)) if one.ranks[0] == rank(seen[0]))


def _rate(text: str, whole: str) -> Fraction:
    decimals = len(text.partition(".")[2])
    if not text.strip(".") or decimals > _DECIMALS_MAX or Fraction(text) > 1:
        raise StrategyError(say("simulate.mistake-rate", given=whole))
    return Fraction(text)
