"""A player's own rules, in TOML: the play for each hand. The first rule that fits decides.

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
play = "fold"                          # no condition: always
"""

from __future__ import annotations

import tomllib
from pathlib import Path
from typing import Annotated

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from pitbook.errors import PitbookError
from pitbook.sheets.toml_positions import why_too_large
from pitbook.text import say

BYTES_MAX = 100_000
RULES_MAX = 100  # Each is tried on every spot.


class StrategyError(PitbookError):
    """A strategy that cannot be played; its text says why."""


class RulePart(BaseModel):
    """Base of the parts of a rule file: unknown fields are refused."""

    model_config = ConfigDict(extra="forbid", frozen=True, strict=True)


class PointValues(RulePart):
    """Points of cards for `points_at_least`."""

    high: int = 2
    middle: int = 1
    low: int = 0


class StreetRule(RulePart):
    """A play on a street, made if all conditions hold."""

    play: str
    on: list[str] | None = Field(default=None, min_length=1)
    made: list[str] | None = Field(default=None, min_length=1)
    points_at_least: int | None = None
    high_cards_at_least: int | None = None
    suited: bool | None = None
    span_at_most: int | None = Field(default=None, description="Highest rank less lowest, no pair.")
    units_at_least: int | None = None
    at_least: str | None = Field(default=None, description='A hand by its ranks, as in "Q 6 4".')


class DeclareRule(RulePart):
    """A declaration with a hand of points, made if all conditions hold."""

    play: str
    low_at_most: int | None = None
    high_at_least: int | None = None
    ace: bool | None = None


class Rules(RulePart):
    """A rule file."""

    name: str = "my rules"
    points: PointValues = PointValues()
    street: Annotated[list[StreetRule], Field(min_length=1, max_length=RULES_MAX)] | None = None
    declare: Annotated[list[DeclareRule], Field(min_length=1, max_length=RULES_MAX)] | None = None


def load_rules(path: Path) -> Rules:
    """The rules in a file; raises StrategyError."""
    try:
        with path.open("rb") as file:
            raw = file.read(BYTES_MAX + 1)
        if len(raw) > BYTES_MAX:
            raise StrategyError(say("exact.rule-file.too-large", path=str(path), most=BYTES_MAX))
        text = raw.decode("utf-8-sig")
        if (problem := why_too_large(text)) is not None:
            raise StrategyError(say("cli.finding", where=str(path), message=problem))
        return Rules.model_validate(tomllib.loads(text))
    except OSError as error:
        fields = {"path": str(path), "why": error.strerror}
        raise StrategyError(say("sheets.file.unreadable", **fields)) from None
    except UnicodeDecodeError:
        raise StrategyError(say("exact.rule-file.no-utf8", path=str(path))) from None
    except ValidationError as error:
        first = error.errors(include_url=False)[0]
        place = ".".join(str(part) for part in first["loc"])
        problem_fields = {"path": str(path), "place": place, "why": first["msg"]}
        raise StrategyError(say("exact.rule-file.wrong", **problem_fields)) from None
    except (ValueError, RecursionError) as error:
        raise StrategyError(
            say("exact.rule-file.no-toml", path=str(path), why=str(error))
        ) from None
