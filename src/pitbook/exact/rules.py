"""A player's own rules, in TOML: what to do with which cards, first rule that fits.

name = "six points"
points = { high = 2, middle = 1 }      # high: J to A, middle: 6 to 10

[[street]]
on = ["flop"]                          # left out: every street
made = ["pair"]                        # a line of the pay tables, of the cards seen so far
play = "3x"

[[street]]
points_at_least = 3
play = "1x"

[[street]]
play = "fold"                          # nothing else said: always
"""

from __future__ import annotations

import tomllib
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from pitbook.exact.figures import Figures
from pitbook.exact.methods.points import solving as hi_lo
from pitbook.exact.strategy import (
    Chooser,
    Declarer,
    StrategyError,
    evaluated,
    evaluated_hi_lo,
)
from pitbook.families.hi_lo.sheet import HiLo
from pitbook.families.street_stud.sheet import StreetStud
from pitbook.hands.kinds import atoms, catalogue
from pitbook.hands.ranking import HandClass
from pitbook.money import Cents
from pitbook.sheets.model import Sheet

HIGH, MIDDLE = 9, 4  # Ranks from a jack and from a six.
BYTES_MAX = 100_000


class Part(BaseModel):
    """A part of a rule file: unknown fields are refused."""

    model_config = ConfigDict(extra="forbid", frozen=True, strict=True)


class PointValues(Part):
    """What cards count towards `points_at_least`."""

    high: int = 2
    middle: int = 1
    low: int = 0


class StreetRule(Part):
    """What to do on a street when everything it says is so."""

    play: str
    on: list[str] | None = Field(default=None, min_length=1)
    made: list[str] | None = Field(default=None, min_length=1)
    points_at_least: int | None = None
    high_cards_at_least: int | None = None
    suited: bool | None = None
    span_at_most: int | None = Field(default=None, description="Highest rank less lowest, no pair.")
    units_at_least: int | None = None


class DeclareRule(Part):
    """What to do with a hi-lo hand when everything it says is so."""

    play: str
    low_at_most: int | None = None
    high_at_least: int | None = None
    ace: bool | None = None


class Rules(Part):
    """A rule file."""

    name: str = "my rules"
    points: PointValues = PointValues()
    street: Annotated[list[StreetRule], Field(min_length=1)] | None = None
    declare: Annotated[list[DeclareRule], Field(min_length=1)] | None = None


@dataclass(frozen=True)
class _Facts:
    hand: HandClass
    street: str
    units: int


def load_rules(path: Path) -> Rules:
    """The rules in a file; raises StrategyError with a sentence."""
    try:
        raw = path.read_bytes()
        if len(raw) > BYTES_MAX:
            raise StrategyError(f"{path} is larger than {BYTES_MAX:,} bytes, too large for rules")
        return Rules.model_validate(tomllib.loads(raw.decode("utf-8-sig")))
    except OSError as error:
        raise StrategyError(f"{path} cannot be read: {error.strerror}") from None
    except UnicodeDecodeError:
        raise StrategyError(f"{path} is no UTF-8 text") from None
    except ValidationError as error:
        first = error.errors(include_url=False)[0]
        place = ".".join(str(one) for one in first["loc"])
        raise StrategyError(f"{path}: {place}: {first['msg']}") from None
    except (ValueError, RecursionError) as error:
        raise StrategyError(f"{path} is no TOML: {error}") from None


def by_rules(sheet: Sheet, rules: Rules, ante: Cents | None = None) -> Figures:
    """The main game's figures for a player who follows the rules."""
    if isinstance(sheet, HiLo):
        return evaluated_hi_lo(sheet, rule_declarer(rules), ante)
    return evaluated(sheet, rule_chooser(sheet, rules), ante)


def rule_chooser(sheet: StreetStud, rules: Rules) -> Chooser:
    """What the rules say on every street; raises StrategyError for words the sheet has not."""
    if rules.street is None:
        raise StrategyError("a rule file for street-stud has [[street]] rules")
    _known_words(sheet, rules.street)
    names = [street.id for street in sheet.streets]

    def choose(number: int, hand: HandClass, units: int) -> str:
        return _played(rules, _Facts(hand, names[number], units))

    return choose


def rule_declarer(rules: Rules) -> Declarer:
    """What the rules say of every hand."""
    if rules.declare is None:
        raise StrategyError("a rule file for hi-lo has [[declare]] rules")
    return lambda spot: _declared(rules, spot)


def _played(rules: Rules, facts: _Facts) -> str:
    for rule in rules.street or ():
        if _fits(rules, rule, facts):
            return rule.play
    raise StrategyError(f"no rule fits on {facts.street}; end with a rule that says only a play")


def _fits(rules: Rules, rule: StreetRule, facts: _Facts) -> bool:
    hand = facts.hand
    distinct = len(set(hand.ranks)) == len(hand.ranks)
    span = hand.ranks[0] - hand.ranks[-1]
    high = sum(rank >= HIGH for rank in hand.ranks)
    return all(
        (
            rule.on is None or facts.street in rule.on,
            rule.made is None or _is_made(hand, rule.made),
            rule.points_at_least is None or _points(rules.points, hand) >= rule.points_at_least,
            rule.high_cards_at_least is None or high >= rule.high_cards_at_least,
            rule.suited is None or hand.suited == rule.suited,
            rule.span_at_most is None or (distinct and span <= rule.span_at_most),
            rule.units_at_least is None or facts.units >= rule.units_at_least,
        )
    )


def _is_made(hand: HandClass, lines: list[str]) -> bool:
    size = len(hand.ranks)
    fits = catalogue(size)[hand.kind].fits
    return any(fits & (atoms(line, size) or frozenset()) for line in lines)


def _points(values: PointValues, hand: HandClass) -> int:
    worth = {True: values.high, False: values.middle}
    return sum(worth[r >= HIGH] if r >= MIDDLE else values.low for r in hand.ranks)


def _known_words(sheet: StreetStud, rules: list[StreetRule]) -> None:
    streets = [street.id for street in sheet.streets]
    for rule in rules:
        for name in rule.on or ():
            if name not in streets:
                raise StrategyError(f'"{name}" is no street here; they are {", ".join(streets)}')
        for line in rule.made or ():
            if all(atoms(line, size) is None for size in range(2, 6)):
                raise StrategyError(f'made = "{line}" is no hand')


def _declared(rules: Rules, spot: hi_lo.Spot) -> str:
    for rule in rules.declare or ():
        tests = (
            rule.low_at_most is None or spot.low <= rule.low_at_most,
            rule.high_at_least is None or spot.high >= rule.high_at_least,
            rule.ace is None or (12 in spot.ranks) == rule.ace,
        )
        if all(tests):
            return rule.play
    raise StrategyError("no rule fits some hand; end with a rule that says only a play")
