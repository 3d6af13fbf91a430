"""A table's limits and rule changes: posted limits, notices and announced sheets."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import Any, Literal

from typing_extensions import TypedDict

from pitbook.errors import PitbookError, RoundError
from pitbook.house.ledger.codec import Json
from pitbook.house.table import commands, facts
from pitbook.house.table.commands import By
from pitbook.house.table.dealing import replace_shoe
from pitbook.house.table.state import game_of, unit_currency
from pitbook.house.table.work import UnitOfWork
from pitbook.money import dollars, money
from pitbook.rules.game import compile_game
from pitbook.rules.refusals import Code, Refusal, refuse
from pitbook.sheets.check import check
from pitbook.sheets.check_law import aggregates
from pitbook.sheets.digest import digest
from pitbook.sheets.findings import Finding, did_you_mean, errors, printable
from pitbook.sheets.jurisdictions import state_of
from pitbook.sheets.model import Sheet
from pitbook.sheets.parts import Limit, Stake
from pitbook.sheets.prose.words import stake_bounds
from pitbook.sheets.provenance import remaining_mark
from pitbook.text import say, sentence_of
from pitbook.text.documents import in_own_currency
from pitbook.text.formats import DOLLAR

BOUNDS = ("min", "max", "step")


class CapTold(TypedDict):
    """A payout cap: the most that is paid per bet, hand or round."""

    per: Literal["bet", "hand", "round"]
    pays_max: str


class LimitsConflict(RoundError):
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
        for wager, stake in _stakes_by_wager(sheet).items()
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
    stakes = _stakes_by_wager(sheet)
    for wager, stake_limits in given.items():
        if wager not in stakes:
            remedy = did_you_mean(wager, list(stakes))
            raise RoundError(
                say("table.limits.no-wager", wager=printable(wager), sheet=sheet.id, remedy=remedy)
            )
        stakes[wager] = _with_bounds(wager, stakes[wager], stake_limits, sheet.house.currency)
    main, _ = compile_game(sheet).main
    side = {
        wager: rule.model_copy(update={"stake": stakes[wager]})
        for wager, rule in sheet.side.items()
    }
    limits = sheet.limits if pays_max is None else _apply_caps(sheet, pays_max)
    limited: Sheet = sheet.model_copy(update={main: stakes[main], "side": side, "limits": limits})
    if found := errors(check(limited, thorough=False, on_record=True)):
        raise LimitsConflict(found[0], limited)
    return limited


def with_posted_limits(
    sheet: Sheet, given: Mapping[str, Mapping[str, str]], pays_max: Sequence[str] | None = None
) -> Sheet:
    """The sheet with limits that a house sets now: no rule of the state may break by them."""
    limited = with_limits(sheet, given, pays_max)
    messages_before = {finding.message for finding in aggregates(sheet)}
    for finding in errors(aggregates(limited)):
        if finding.message not in messages_before:
            raise LimitsConflict(finding, limited)
    return limited


def changed_limits(before: Sheet, after: Sheet) -> tuple[Json, Json]:
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


def required_notice(jurisdiction: str) -> tuple[int, str]:
    """The minutes' notice that a state asks for before limits change, and its clause."""
    state = state_of(jurisdiction)
    rule = state.limits_notice if state else None
    return (0, "") if rule is None else (rule.minutes, rule.clause)


def _stakes_by_wager(sheet: Sheet) -> dict[str, Stake]:
    main, stake = compile_game(sheet).main
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
        why = _printable(sentence_of(error))
        raise RoundError(say("table.limits.cap", per=limit.per, why=why)) from None
    if not pays_max:
        raise RoundError(say("table.limits.no-payout", per=limit.per))
    if pays_max == limit.pays_max:
        return limit
    note = say("table.limits.cap-set-here", most=limit.pays_max)
    mark = {
        "note": in_own_currency(note, sheet.house.currency),
        "ours": remaining_mark(limit, {"pays_max": pays_max}),
    }
    return limit.model_copy(update={"pays_max": pays_max, **mark})


def _with_bounds(wager: str, stake: Stake, given: Mapping[str, Any], currency: str | None) -> Stake:
    read = {}
    for bound, text in given.items():
        try:
            read[bound] = dollars(text)
        except PitbookError as error:
            why = _printable(sentence_of(error))
            raise RoundError(say("table.limits.bound", wager=wager, bound=bound, why=why)) from None
        if not read[bound]:
            raise RoundError(say("table.limits.nothing", wager=wager, bound=bound))
    other = {name: one for name, one in read.items() if one != getattr(stake, name)}
    return _with_house_note(stake, other, currency)


def _printable(text: str) -> str:
    return text if text.isprintable() else printable(text)


def _with_house_note(stake: Stake, other: Mapping[str, Any], currency: str | None) -> Stake:
    """The stake with other bounds: those are this house's own, and no longer a choice of ours."""
    if not other:
        return stake
    note = in_own_currency(say("table.limits.set-here", bounds=stake_bounds(stake)), currency)
    mark = {"note": note, "ours": remaining_mark(stake, other)}
    return stake.model_copy(update={**other, **mark})


def change_sheet(work: UnitOfWork, by: By, command: commands.ChangeSheet) -> Refusal | None:
    """Other rules from the next round on; the round on the layout keeps its own."""
    sheet = load_new_sheet(work, command.sheet)
    if isinstance(sheet, Refusal):
        return sheet
    least, clause = required_notice(sheet.house.jurisdiction)
    if least and only_limits_differ(game_of(work.state.coming).sheet, sheet):
        return refuse(Code.NOT_NOW, "table.floor.notice-first", clause, least=least)
    work.emit(facts.SheetChanged(command.sheet))
    replace_shoe(work)
    return None


def load_new_sheet(work: UnitOfWork, stored: Json) -> Sheet | Refusal:
    """A sheet that a table could have next: one that is dealt, and not what it has already."""
    try:
        sheet = game_of(stored).sheet
    except RoundError as error:
        return Refusal(Code.NO_RULE, sentence_of(error))
    if stored["hash"] == work.state.coming["hash"]:
        return refuse(Code.NOT_NOW, "table.floor.in-force")
    now, other = (
        unit_currency(work.state.unit, one.house.currency) or DOLLAR
        for one in (game_of(work.state.coming).sheet, sheet)
    )
    if now != other:
        return refuse(Code.NOT_NOW, "table.floor.other-money", now=now, other=other)
    return sheet


NOTICE_MINUTES_MAX = 7 * 24 * 60


def announce_sheet(work: UnitOfWork, by: By, command: commands.AnnounceSheet) -> Refusal | None:
    """On record now, in force with the first round that opens after the notice."""
    sheet = load_new_sheet(work, command.sheet)
    if isinstance(sheet, Refusal):
        return sheet
    least, clause = required_notice(sheet.house.jurisdiction)
    if not least <= command.minutes <= NOTICE_MINUTES_MAX:
        bounds = {"least": least, "most": NOTICE_MINUTES_MAX, "minutes": command.minutes}
        return refuse(Code.NOT_NOW, "table.pit.notice", clause, **bounds)
    at = work.time_in(60 * command.minutes)
    work.emit(facts.SheetAnnounced(command.sheet, at, command.why))
    return None


def apply_announced_rules(work: UnitOfWork) -> None:
    """Rules that were announced come into force where their time has come."""
    announced = work.state.announced
    if announced and work.env.now() >= datetime.fromisoformat(announced["at"]):
        work.emit(facts.SheetChanged(announced["sheet"]))
