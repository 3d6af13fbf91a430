"""What the state asks of a sheet, as its rules stand on file; a state that nobody knows is told."""

from __future__ import annotations

from collections.abc import Container, Iterator

from pitbook.money import spoken
from pitbook.sheets.checks.caps import top_award
from pitbook.sheets.checks.stakes import largest_bets
from pitbook.sheets.findings import Finding, Level, Path, shown
from pitbook.sheets.jurisdictions import AggregateLimits, State, remedy, state_of
from pitbook.sheets.limits import counted
from pitbook.sheets.model import Limit, Sheet

WHERE: Path = ("house", "jurisdiction")


def check(sheet: Sheet) -> Iterator[Finding]:
    """The findings about the state that a sheet names, and about its rules."""
    state = state_of(sheet.house.jurisdiction)
    if state is None:
        written = sheet.house.jurisdiction
        message = f"jurisdiction {shown(written)} is not known, so no state's rules are checked"
        yield Finding("error", "jurisdiction", f"{message}; {remedy(written)}", WHERE)
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
                "no state is named" if state.id == "any" else f"no rule of {state.name} is broken"
            )
            message = f"this choice decides nothing here: {kept}"
            yield Finding("notice", "idle", message, ("limits", number, "departs"), limit.clause)


def aggregates(sheet: Sheet) -> tuple[Finding, ...]:
    """What the state's rule on aggregate limits says, however the state is written."""
    state = state_of(sheet.house.jurisdiction)
    return tuple(_aggregates(sheet, state)) if state else ()


def check_on_record(sheet: Sheet) -> Iterator[Finding]:
    """What was always minded: the rule on aggregate limits of a state that is written plainly."""
    state = state_of(sheet.house.jurisdiction)
    if state and sheet.house.jurisdiction.strip().casefold() == state.name.casefold():
        yield from _aggregates(sheet, state)


def _aggregates(sheet: Sheet, state: State) -> Iterator[Finding]:
    """The rule on aggregate limits: an error unless the sheet says why it departs."""
    rule = state.aggregate_limits
    for number, limit in enumerate(sheet.limits):
        if rule is None or limit.per != rule.per:
            continue
        level: Level = "notice" if limit.departs else "error"
        reason = f" (declared: {limit.departs})" if limit.departs else ""
        for field, breach in _breaches(sheet, limit, rule):
            message = f"{rule.clause}: {breach}{reason}"
            yield Finding(level, state.id, message, ("limits", number, field), limit.clause)


def _breaches(sheet: Sheet, limit: Limit, rule: AggregateLimits) -> Iterator[tuple[str, str]]:
    if (above := rule.odds_above) is not None:
        low = [f'"{line}" at {pay}' for _, line, pay in counted(sheet, limit) if pay <= above]
        if low:
            yield "counts", f"only odds above {above} may be capped, not {', '.join(low)}"
    award = top_award(sheet, limit, sheet.units_max)[0] if rule.top_award else 0
    needed = max(rule.pays_min or 0, award)
    if limit.pays_max < needed:
        yield "pays_max", f"the cap must be at least {spoken(needed)}"
    if rule.posted and not limit.posted:
        yield "posted", "the limit must be posted"


def _chance_bets(sheet: Sheet, state: State) -> Iterator[Finding]:
    """A bet above the state's flat limit leaves a sheet for tournaments alone."""
    rule = state.chance_bets
    for name, path, amount in largest_bets(sheet):
        if rule is not None and amount > rule.bet_max:
            message = (
                f"a game of chance takes bets of at most {spoken(rule.bet_max)} in {state.name}, "
                f"and {name} can be {spoken(amount)}: this sheet is for tournament play alone"
            )
            yield Finding("notice", state.id, message, path, rule.clause)
            return
