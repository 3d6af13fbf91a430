"""A table's own limits: its rule sheet with changed stakes and payout caps."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Literal

from typing_extensions import TypedDict

from pitbook.errors import PitbookError, RoundError
from pitbook.house.table.facts import Json
from pitbook.money import dollars, money
from pitbook.rules.bind import bind
from pitbook.sheets.aloud.words import bounds
from pitbook.sheets.checks import check, law
from pitbook.sheets.digest import digest
from pitbook.sheets.findings import Finding, did_you_mean, errors, printable
from pitbook.sheets.jurisdictions import state_of
from pitbook.sheets.model import Sheet, Stake
from pitbook.sheets.ours import without
from pitbook.sheets.parts import Limit
from pitbook.text import say, sentence_of
from pitbook.text.documents import in_own_currency

__all__ = [
    "BOUNDS",
    "CapTold",
    "OddLimits",
    "caps_of",
    "changed",
    "limits_of",
    "notice_of",
    "only_limits_differ",
    "posted_limits",
    "with_limits",
]

BOUNDS = ("min", "max", "step")


class CapTold(TypedDict):
    """A payout cap: the most that is paid per bet, hand or round."""

    per: Literal["bet", "hand", "round"]
    pays_max: str


class OddLimits(RoundError):
    """Limits that conflict with other rules of the sheet; carries the check and the field."""

    def __init__(self, finding: Finding, sheet: Sheet) -> None:
        why = printable(finding.message)
        if finding.path[:1] == ("limits",):
            per = sheet.limits[int(finding.path[1])].per
            message = say("table.limits.raise-cap", per=per, why=why)
        else:
            message = say("table.limits.odd", why=why, code=finding.code)
        super().__init__(message)
        self.code, self.path = finding.code, finding.path


def limits_of(sheet: Sheet) -> dict[str, Json]:
    """The limits of every wager: {"ante": {"min": "5.00", "max": "500.00", "step": "1.00"}}."""
    return {
        wager: {bound: money(getattr(stake, bound)) for bound in BOUNDS}
        for wager, stake in _stakes(sheet).items()
    }


def caps_of(sheet: Sheet) -> list[CapTold]:
    """The payout caps: [{"per": "round", "pays_max": "25000.00"}]."""
    return [{"per": limit.per, "pays_max": money(limit.pays_max)} for limit in sheet.limits]


def with_limits(
    sheet: Sheet, given: Mapping[str, Mapping[str, str]], pays_max: Sequence[str] | None = None
) -> Sheet:
    """The sheet with other limits, and other caps if given; raises RoundError if they do not fit.

    `pays_max` has an amount for each cap of the sheet, in its order.
    """
    stakes = _stakes(sheet)
    for wager, stake_limits in given.items():
        if wager not in stakes:
            remedy = did_you_mean(wager, list(stakes))
            raise RoundError(
                say("table.limits.no-wager", wager=printable(wager), sheet=sheet.id, remedy=remedy)
            )
        stakes[wager] = _bounded(wager, stakes[wager], stake_limits, sheet.house.currency)
    main, _ = bind(sheet).main
    side = {
        wager: rule.model_copy(update={"stake": stakes[wager]})
        for wager, rule in sheet.side.items()
    }
    limits = sheet.limits if pays_max is None else _apply_caps(sheet, pays_max)
    limited: Sheet = sheet.model_copy(update={main: stakes[main], "side": side, "limits": limits})
    if found := errors(check(limited, thorough=False, on_record=True)):
        raise OddLimits(found[0], limited)
    return limited


def posted_limits(
    sheet: Sheet, given: Mapping[str, Mapping[str, str]], pays_max: Sequence[str] | None = None
) -> Sheet:
    """The sheet with limits that a house sets now: no rule of the state may break by them."""
    limited = with_limits(sheet, given, pays_max)
    messages_before = {finding.message for finding in law.aggregates(sheet)}
    for finding in errors(law.aggregates(limited)):
        if finding.message not in messages_before:
            raise OddLimits(finding, limited)
    return limited


def changed(before: Sheet, after: Sheet) -> tuple[Json, Json]:
    """The limits that differ, as they were and as they are."""
    was, now = limits_of(before), limits_of(after)
    differ = [wager for wager in was if was[wager] != now.get(wager)]
    return {one: was[one] for one in differ}, {one: now[one] for one in differ if one in now}


def only_limits_differ(before: Sheet, after: Sheet) -> bool:
    """Whether two sheets are the same game with other limits."""
    if before.id != after.id or limits_of(before).keys() != limits_of(after).keys():
        return False
    caps = [cap["pays_max"] for cap in caps_of(after)]
    try:
        return digest(with_limits(before, limits_of(after), caps)) == digest(after)
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


def _apply_caps(sheet: Sheet, pays_max: Sequence[str]) -> tuple[Limit, ...]:
    if len(pays_max) != len(sheet.limits):
        count = {"sheet": sheet.id, "count": len(sheet.limits)}
        raise RoundError(say("table.limits.caps", **count))
    return tuple(
        _cap(sheet, limit, text) for limit, text in zip(sheet.limits, pays_max, strict=True)
    )


def _cap(sheet: Sheet, limit: Limit, text: str) -> Limit:
    try:
        pays_max = dollars(text)
    except PitbookError as error:
        why = _shown(sentence_of(error))
        raise RoundError(say("table.limits.cap", per=limit.per, why=why)) from None
    if not pays_max:
        raise RoundError(say("table.limits.no-payout", per=limit.per))
    if pays_max == limit.pays_max:
        return limit
    note = say("table.limits.cap-set-here", most=limit.pays_max)
    mark = {
        "note": in_own_currency(note, sheet.house.currency),
        "ours": without(limit, {"pays_max": pays_max}),
    }
    return limit.model_copy(update={"pays_max": pays_max, **mark})


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
