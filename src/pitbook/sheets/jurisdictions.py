"""Jurisdictions: each state's requirements on sheets, read from a file with clauses."""

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
    """A state's requirements on limits for several hands together."""

    per: Literal["hand", "round"]
    odds_above: OddsText | None = None
    pays_min: Money | None = None
    top_award: bool = False
    posted: bool = False


class ChanceBets(Rule):
    """The largest single bet that a state allows in a game of chance."""

    bet_max: Money


class LimitsNotice(Rule):
    """How long in advance a state requires changes of table limits to be announced."""

    minutes: Annotated[int, Field(ge=1, le=10_080)]


class _StateEntry(TomlTable):
    name: Words
    code: Words
    aggregate_limits: AggregateLimits | None = None
    chance_bets: ChanceBets | None = None
    limits_notice: LimitsNotice | None = None


class _File(TomlTable):
    states: dict[Slug, _StateEntry]
    plain: Annotated[dict[str, Words], Field(min_length=1)]


@dataclass(frozen=True)
class State:
    """A state, and its rules for sheets."""

    id: str
    name: str
    aggregate_limits: AggregateLimits | None = None
    chance_bets: ChanceBets | None = None
    limits_notice: LimitsNotice | None = None


def state_of(text: str) -> State | None:
    """The state for a name in any spelling; None if unknown.

    >>> state_of("the State of IOWA").name, state_of("US-IA").name, state_of("Atlantis")
    ('Iowa', 'Iowa', None)
    """
    states, key = _states_by_key(), _normalize(text)
    if key in states:
        return states[key]
    return states.get(_AFTER.sub("", _BEFORE.sub("", key)))


def same_state(first: str, second: str) -> bool:
    """Whether two names mean the same state; unknown names are compared by spelling."""
    a, b = state_of(first), state_of(second)
    return a == b if a and b else _normalize(first) == _normalize(second)


def remedy(text: str) -> Sentence:
    """A suggestion for an unknown name."""
    names = list(dict.fromkeys(state.name for state in _states_by_key().values()))
    near = did_you_mean(text, names)
    return say("findings.law.remedy", file=FILE.name, near=near)


def _normalize(text: str) -> str:
    """Letters and digits in lower case, one space between words."""
    folded = unicodedata.normalize("NFKC", text).casefold()
    return re.sub(r"[\W_]+", " ", folded).strip()


@cache
def _states_by_key() -> dict[str, State]:
    file = _File.model_validate(tomllib.loads(FILE.read_text(encoding="utf-8")))
    states: dict[str, State] = {}
    for name, state_entry in file.states.items():
        state = State(
            name,
            state_entry.name,
            state_entry.aggregate_limits,
            state_entry.chance_bets,
            state_entry.limits_notice,
        )
        states |= {_normalize(state_entry.name): state, _normalize(state_entry.code): state}
    for code, name in file.plain.items():
        state = State(_normalize(name).replace(" ", "-"), name)
        states |= {_normalize(name): state, _normalize(code): state}
    return states
