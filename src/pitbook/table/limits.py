"""A table's own limits: its rule sheet with other stakes, and not one other rule changed."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from pitbook.errors import PitbookError, RoundError
from pitbook.games import bind
from pitbook.money import dollars, money
from pitbook.sheets.aloud.words import bounds
from pitbook.sheets.checks import check, law
from pitbook.sheets.digest import digest
from pitbook.sheets.findings import Finding, did_you_mean, errors, printable
from pitbook.sheets.jurisdictions import state_of
from pitbook.sheets.model import Sheet, Stake
from pitbook.sheets.ours import without
from pitbook.table.facts import Json
from pitbook.wording import say, sentence_of
from pitbook.wording.documents import in_own_currency

__all__ = [
    "BOUNDS",
    "OddLimits",
    "changed",
    "limits_of",
    "notice_of",
    "only_limits_differ",
    "posted_limits",
    "with_limits",
]

BOUNDS = ("min", "max", "step")


class OddLimits(RoundError):
    """Limits that the other rules of the sheet do not allow, and which of its checks says so."""

    def __init__(self, finding: Finding) -> None:
        super().__init__(say("table.limits.odd", why=printable(finding.message)))
        self.code = finding.code


def limits_of(sheet: Sheet) -> dict[str, Json]:
    """The limits of every wager: {"ante": {"min": "5.00", "max": "500.00", "step": "1.00"}}."""
    return {
        wager: {bound: money(getattr(stake, bound)) for bound in BOUNDS}
        for wager, stake in _stakes(sheet).items()
    }


def with_limits(sheet: Sheet, given: Mapping[str, Mapping[str, str]]) -> Sheet:
    """The sheet with other limits; raises RoundError where that makes no sense."""
    stakes = _stakes(sheet)
    for wager, wanted in given.items():
        if wager not in stakes:
            known = did_you_mean(wager, list(stakes))
            raise RoundError(
                say("table.limits.no-wager", wager=printable(wager), sheet=sheet.id, remedy=known)
            )
        stakes[wager] = _bounded(wager, stakes[wager], wanted, sheet.house.currency)
    main, _ = bind(sheet).main
    side = {
        wager: rule.model_copy(update={"stake": stakes[wager]})
        for wager, rule in sheet.side.items()
    }
    made: Sheet = sheet.model_copy(update={main: stakes[main], "side": side})
    if found := errors(check(made, thorough=False, on_record=True)):
        raise OddLimits(found[0])
    return made


def posted_limits(sheet: Sheet, given: Mapping[str, Mapping[str, str]]) -> Sheet:
    """The sheet with limits that a house sets now: no rule of the state may break by them."""
    made, had = with_limits(sheet, given), {one.message for one in law.aggregates(sheet)}
    for one in errors(law.aggregates(made)):
        if one.message not in had:
            raise OddLimits(one)
    return made


def changed(before: Sheet, after: Sheet) -> tuple[Json, Json]:
    """The limits that differ, as they were and as they are."""
    was, now = limits_of(before), limits_of(after)
    differ = [wager for wager in was if was[wager] != now.get(wager)]
    return {one: was[one] for one in differ}, {one: now[one] for one in differ if one in now}


def only_limits_differ(before: Sheet, after: Sheet) -> bool:
    """Whether two sheets are the same game with other limits."""
    if before.id != after.id or limits_of(before).keys() != limits_of(after).keys():
        return False
    try:
        return digest(with_limits(before, limits_of(after))) == digest(after)
    except RoundError:  # Limits that the other rules of the first would not allow.
        return False


def notice_of(jurisdiction: str) -> tuple[int, str]:
    """The minutes' notice that a state asks for before limits change, and its clause."""
    state = state_of(jurisdiction)
    rule = state.limits_notice if state else None
    return (0, "") if rule is None else (rule.minutes, rule.clause)


def _stakes(sheet: Sheet) -> dict[str, Stake]:
    main, stake = bind(sheet).main
    return {main: stake, **{wager: side.stake for wager, side in sheet.side.items()}}


def _bounded(wager: str, stake: Stake, given: Mapping[str, Any], currency: str | None) -> Stake:
    read = {}
    for bound, text in given.items():
        try:
            read[bound] = dollars(text)
        except PitbookError as error:
            why = _shown(sentence_of(error))
            raise RoundError(say("table.limits.bound", wager=wager, bound=bound, why=why)) from None
        if not read[bound]:
            raise RoundError(say("table.limits.nothing", wager=wager, bound=bound))
    other = {name: one for name, one in read.items() if one != getattr(stake, name)}
    return _said_here(stake, other, currency)


def _shown(text: str) -> str:
    return text if text.isprintable() else printable(text)


def _said_here(stake: Stake, other: Mapping[str, Any], currency: str | None) -> Stake:
    """The stake with other bounds: those are this house's own, and no longer a choice of ours."""
    if not other:
        return stake
    note = in_own_currency(say("table.limits.set-here", bounds=bounds(stake)), currency)
    mark = {"note": note, "ours": without(stake, other)}
    return stake.model_copy(update={**other, **mark})
