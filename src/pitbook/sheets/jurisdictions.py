"""States are data: what each asks of a sheet stands in a file, with the clause that asks it."""

from __future__ import annotations

import re
import tomllib
import unicodedata
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Annotated, Literal

from pydantic import Field

from pitbook.sheets.findings import did_you_mean
from pitbook.sheets.values import Money, OddsText, Rule, Slug, TomlTable, Words
from pitbook.text import Sentence, say

FILE = Path(__file__).parent / "jurisdictions.toml"
_BEFORE = re.compile(r"^(the )?(state|commonwealth|province) of (the )?|^(the|us|ca) ")
_AFTER = re.compile(r" (state|usa|us|u s a|u s|united states|canada)$")


class AggregateLimits(Rule):
    """What a state asks of limits on the payouts of several hands together."""

    per: Literal["hand", "round"]
    odds_above: OddsText | None = None
    pays_min: Money | None = None
    top_award: bool = False
    posted: bool = False


class ChanceBets(Rule):
    """The most that a state lets anybody bet at once in a game of chance."""

    bet_max: Money


class LimitsNotice(Rule):
    """How long before a change of a table's limits a state wants it announced."""

    minutes: Annotated[int, Field(ge=1, le=10_080)]


class _Told(TomlTable):
    name: Words
    code: Words
    aggregate_limits: AggregateLimits | None = None
    chance_bets: ChanceBets | None = None
    limits_notice: LimitsNotice | None = None


class _File(TomlTable):
    states: dict[Slug, _Told]
    plain: Annotated[dict[str, Words], Field(min_length=1)]


@dataclass(frozen=True)
class State:
    """A state, and the rules of it that sheets are checked by."""

    id: str
    name: str
    aggregate_limits: AggregateLimits | None = None
    chance_bets: ChanceBets | None = None
    limits_notice: LimitsNotice | None = None


def state_of(written: str) -> State | None:
    """The state that somebody means, however it is written; None where no such state is known.

    >>> state_of("the State of IOWA").name, state_of("US-IA").name, state_of("Atlantis")
    ('Iowa', 'Iowa', None)
    """
    known, plain = _known(), _plain(written)
    if plain in known:
        return known[plain]
    return known.get(_AFTER.sub("", _BEFORE.sub("", plain)))


def same_state(one: str, other: str) -> bool:
    """Whether two names mean one state; names that are not known are one if they are alike."""
    a, b = state_of(one), state_of(other)
    return a == b if a and b else _plain(one) == _plain(other)


def remedy(written: str) -> Sentence:
    """What to write instead of a name that is not known."""
    names = list(dict.fromkeys(state.name for state in _known().values()))
    near = did_you_mean(written, names)
    return say("findings.law.remedy", file=FILE.name, near=near)


def _plain(written: str) -> str:
    """Letters and digits in lower case, one space between words."""
    folded = unicodedata.normalize("NFKC", written).casefold()
    return re.sub(r"[\W_]+", " ", folded).strip()


@cache
def _known() -> dict[str, State]:
    told = _File.model_validate(tomllib.loads(FILE.read_text(encoding="utf-8")))
    found: dict[str, State] = {}
    for name, one in told.states.items():
        state = State(name, one.name, one.aggregate_limits, one.chance_bets, one.limits_notice)
        found |= {_plain(one.name): state, _plain(one.code): state}
    for code, name in told.plain.items():
        state = State(_plain(name).replace(" ", "-"), name)
        found |= {_plain(name): state, _plain(code): state}
    return found
