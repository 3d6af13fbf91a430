"""Checks of a sheet against its jurisdiction's rules."""

from __future__ import annotations

from collections.abc import Container, Iterator

from pitbook.sheets.check_stakes import largest_bets, top_award
from pitbook.sheets.findings import FieldPath, Finding, FindingLevel, show_value
from pitbook.sheets.jurisdictions import AggregateLimits, State, remedy, state_of
from pitbook.sheets.model import Sheet
from pitbook.sheets.parts import Limit
from pitbook.sheets.pay_tables import lines_under_limit
from pitbook.text import Sentence, say

WHERE: FieldPath = ("house", "jurisdiction")


def check_law(sheet: Sheet) -> Iterator[Finding]:
    """The findings about the state that a sheet names, and about its rules."""
    state = state_of(sheet.house.jurisdiction)
    if state is None:
        written = sheet.house.jurisdiction
        unknown = {"given": show_value(written), "remedy": remedy(written)}
        yield Finding("error", "jurisdiction", say("findings.law.unknown", **unknown), WHERE)
        return
    breaches = list(_aggregates(sheet, state))
    yield from breaches
    yield from _needless(sheet, state, {one.path[1] for one in breaches})
    yield from _chance_bets(sheet, state)


def _needless(sheet: Sheet, state: State, breached: Container[str | int]) -> Iterator[Finding]:
    """A departure that is declared and is none."""
    for number, limit in enumerate(sheet.limits):
        if limit.departs and number not in breached:
            kept = (
                say("findings.law.no-state")
                if state.id == "any"
                else say("findings.law.none-broken", state=state.name)
            )
            message = say("findings.idle.nothing", why=kept)
            yield Finding("notice", "idle", message, ("limits", number, "departs"), limit.clause)


def aggregates(sheet: Sheet) -> tuple[Finding, ...]:
    """What the state's rule on aggregate limits says, however the state is written."""
    state = state_of(sheet.house.jurisdiction)
    return tuple(_aggregates(sheet, state)) if state else ()


def check_law_on_record(sheet: Sheet) -> Iterator[Finding]:
    """What was always minded: the rule on aggregate limits of a state that is written plainly."""
    state = state_of(sheet.house.jurisdiction)
    if state and sheet.house.jurisdiction.strip().casefold() == state.name.casefold():
        yield from _aggregates(sheet, state)


def _aggregates(sheet: Sheet, state: State) -> Iterator[Finding]:
    """The rule on aggregate limits: an error unless the sheet says why it departs."""
    for number, field, breach in breaches(sheet, state):
        limit, rule = sheet.limits[number], state.aggregate_limits
        assert rule is not None
        level: FindingLevel = "notice" if limit.departs else "error"
        broken = {"rule": rule.clause, "breach": breach}
        message = (
            say("findings.law.declared", reason=limit.departs, **broken)
            if limit.departs
            else say("findings.law.broken", **broken)
        )
        yield Finding(level, state.id, message, ("limits", number, field), limit.clause)


def breaches(sheet: Sheet, state: State) -> Iterator[tuple[int, str, Sentence]]:
    """Where a state's rule on aggregate limits is broken: which limit, in which field, and how."""
    rule = state.aggregate_limits
    for number, limit in enumerate(sheet.limits):
        if rule is not None and limit.per == rule.per:
            yield from ((number, *one) for one in _breaches(sheet, limit, rule))


def _breaches(sheet: Sheet, limit: Limit, rule: AggregateLimits) -> Iterator[tuple[str, Sentence]]:
    if (above := rule.odds_above) is not None:
        low = tuple(
            say("findings.law.line-at", line=line, pay=str(pay))
            for _, line, pay in lines_under_limit(sheet, limit)
            if pay <= above
        )
        if low:
            yield "counts", say("findings.law.odds-above", odds=str(above), lines=low)
    award = top_award(sheet, limit, sheet.units_max)[0] if rule.top_award else 0
    needed = max(rule.pays_min or 0, award)
    if limit.pays_max < needed:
        yield "pays_max", say("findings.law.cap-at-least", least=needed)
    if rule.posted and not limit.posted:
        yield "posted", say("findings.law.posted")


def _chance_bets(sheet: Sheet, state: State) -> Iterator[Finding]:
    """A bet above the state's flat limit leaves a sheet for tournaments alone."""
    rule = state.chance_bets
    for named, path, amount in largest_bets(sheet):
        if rule is not None and amount > rule.bet_max:
            bets = {"most": rule.bet_max, "state": state.name, "name": named(), "amount": amount}
            message = say("findings.law.tournament-only", **bets)
            yield Finding("notice", state.id, message, path, rule.clause)
            return
