"""A player's rule file, judged before it is played: what is wrong, and at which line and column."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterator
from itertools import chain
from pathlib import Path
from typing import Any

from pydantic import ValidationError

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
from pitbook.money import Cents
from pitbook.rules.game import Game
from pitbook.sheets.findings import FieldPath as Field
from pitbook.sheets.findings import did_you_mean, shown
from pitbook.sheets.places import Places
from pitbook.sheets.toml_size import why_too_large
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
    for field, message in chain(_misshapen(document), _unknown_words(document, game)):
        line, column = places.value(field)
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
                wrong = {"field": name, "why": message, "given": shown(detail["input"])}
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
