"""Jurisdictions: each state's requirements on sheets, and the checks against them."""

from __future__ import annotations

import re
import tomllib
import unicodedata
from collections.abc import Container, Iterator
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Annotated, Literal

from pydantic import Field

from pitbook.sheets.check_stakes import largest_bets, top_award
from pitbook.sheets.field_types import Money, OddsText, Rule, Slug, TomlTable, Words
from pitbook.sheets.findings import FieldPath, Finding, FindingLevel
from pitbook.sheets.model import Limit, Sheet
from pitbook.sheets.pay_tables import lines_under_limit
from pitbook.text import Sentence, say
from pitbook.text.user_input import did_you_mean, show_value

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
    text_of: Annotated[int, Field(ge=1900, le=2100)]  # Year of the text that was read.


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


JURISDICTION_PATH: FieldPath = ("house", "jurisdiction")


def check_law(sheet: Sheet) -> Iterator[Finding]:
    """The findings about a sheet's state and its rules."""
    state = state_of(sheet.house.jurisdiction)
    if state is None:
        jurisdiction = sheet.house.jurisdiction
        values = {"given": show_value(jurisdiction), "remedy": remedy(jurisdiction)}
        yield Finding(
            "error", "jurisdiction", say("findings.law.unknown", **values), JURISDICTION_PATH
        )
        return
    breach_findings = list(_check_aggregates(sheet, state))
    yield from breach_findings
    yield from _needless_departures(sheet, state, {breach.path[1] for breach in breach_findings})
    yield from _chance_bets(sheet, state)


def _needless_departures(
    sheet: Sheet, state: State, breached: Container[str | int]
) -> Iterator[Finding]:
    """Departures that a sheet declares although it follows the rule."""
    for number, limit in enumerate(sheet.limits):
        if limit.departs and number not in breached:
            reason = (
                say("findings.law.no-state")
                if state.id == "any"
                else say("findings.law.none-broken", state=state.name)
            )
            message = say("findings.idle.nothing", why=reason)
            yield Finding("notice", "idle", message, ("limits", number, "departs"), limit.clause)


def aggregate_findings(sheet: Sheet) -> tuple[Finding, ...]:
    """The findings of the state's rule on aggregate limits, in any spelling of the state."""
    state = state_of(sheet.house.jurisdiction)
    return tuple(_check_aggregates(sheet, state)) if state else ()


def check_law_on_record(sheet: Sheet) -> Iterator[Finding]:
    """The checks for recorded sheets: aggregate limits of a state spelled exactly."""
    state = state_of(sheet.house.jurisdiction)
    if state and sheet.house.jurisdiction.strip().casefold() == state.name.casefold():
        yield from _check_aggregates(sheet, state)


def _check_aggregates(sheet: Sheet, state: State) -> Iterator[Finding]:
    """The rule on aggregate limits: an error unless the sheet gives a reason for departing."""
    for number, field, breach in breaches(sheet, state):
        limit, rule = sheet.limits[number], state.aggregate_limits
        assert rule is not None
        level: FindingLevel = "notice" if limit.departs else "error"
        values = {"rule": rule.clause, "breach": breach}
        message = (
            say("findings.law.declared", reason=limit.departs, **values)
            if limit.departs
            else say("findings.law.broken", **values)
        )
        yield Finding(level, state.id, message, ("limits", number, field), limit.clause)


def breaches(sheet: Sheet, state: State) -> Iterator[tuple[int, str, Sentence]]:
    """Breaches of a state's rule on aggregate limits: limit number, field, and description."""
    rule = state.aggregate_limits
    for number, limit in enumerate(sheet.limits):
        if rule is not None and limit.per == rule.per:
            yield from ((number, *field_breach) for field_breach in _breaches(sheet, limit, rule))


def _breaches(sheet: Sheet, limit: Limit, rule: AggregateLimits) -> Iterator[tuple[str, Sentence]]:
    if (odds_max := rule.odds_above) is not None:
        low_lines = tuple(
            say("findings.law.line-at", line=line, pay=str(pay))
            for _, line, pay in lines_under_limit(sheet, limit)
            if pay <= odds_max
        )
        if low_lines:
            yield "counts", say("findings.law.odds-above", odds=str(odds_max), lines=low_lines)
    award = top_award(sheet, limit, sheet.units_max)[0] if rule.top_award else 0
    cap_min = max(rule.pays_min or 0, award)
    if limit.pays_max < cap_min:
        yield "pays_max", say("findings.law.cap-at-least", least=cap_min)
    if rule.posted and not limit.posted:
        yield "posted", say("findings.law.posted")


def _chance_bets(sheet: Sheet, state: State) -> Iterator[Finding]:
    """A bet above the state's flat limit restricts a sheet to tournaments."""
    rule = state.chance_bets
    for describe, path, amount in largest_bets(sheet):
        if rule is not None and amount > rule.bet_max:
            values = {
                "most": rule.bet_max,
                "rule": rule.clause,
                "year": str(rule.text_of),
                "state": state.name,
                "name": describe(),
                "amount": amount,
            }
            message = say("findings.law.tournament-only", **values)
            yield Finding("notice", state.id, message, path, rule.clause)
            return
