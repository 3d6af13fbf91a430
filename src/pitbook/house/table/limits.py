"""A table's limits and rule changes: posted limits, notices and announced sheets."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import Any, Literal

from typing_extensions import TypedDict

from pitbook.errors import PitbookError, RoundError
from pitbook.house.ledger.accounts import unit_currency
from pitbook.house.ledger.fact_codec import Json
from pitbook.house.table import commands, facts
from pitbook.house.table.commands import By
from pitbook.house.table.dealing import replace_shoe
from pitbook.house.table.stored_sheets import game_of
from pitbook.house.table.unit_of_work import UnitOfWork
from pitbook.money import dollars, money
from pitbook.rules.game import compile_game
from pitbook.rules.refusals import Code, Refusal, refuse
from pitbook.sheets.check import check
from pitbook.sheets.findings import Finding, errors
from pitbook.sheets.hashes import digest
from pitbook.sheets.jurisdictions import aggregate_findings, state_of
from pitbook.sheets.model import Limit, Sheet, Stake
from pitbook.sheets.phrases import stake_bounds
from pitbook.sheets.provenance import remaining_mark
from pitbook.text import say, sentence_of
from pitbook.text.formats import DOLLAR
from pitbook.text.sentences import fix_foreign_currency
from pitbook.text.user_input import did_you_mean, printable

BOUNDS = ("min", "max", "step")


class PayoutCap(TypedDict):
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


def caps_of(sheet: Sheet) -> list[PayoutCap]:
    """The payout caps: [{"per": "round", "pays_max": "25000.00"}]."""
    return [{"per": limit.per, "pays_max": money(limit.pays_max)} for limit in sheet.limits]


def with_limits(
    sheet: Sheet,
    given_limits: Mapping[str, Mapping[str, str]],
    pays_max: Sequence[str] | None = None,
) -> Sheet:
    """The sheet with other limits, and other caps if given; raises RoundError if they do not fit.

    `pays_max` has an amount for each cap of the sheet, in its order.
    """
    stakes = _stakes_by_wager(sheet)
    for wager, stake_limits in given_limits.items():
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
    if problems := errors(check(limited, thorough=False, on_record=True)):
        raise LimitsConflict(problems[0], limited)
    return limited


def with_posted_limits(
    sheet: Sheet,
    given_limits: Mapping[str, Mapping[str, str]],
    pays_max: Sequence[str] | None = None,
) -> Sheet:
    """The sheet with new posted limits; raises LimitsConflict if they break a rule of the state."""
    limited = with_limits(sheet, given_limits, pays_max)
    messages_before = {finding.message for finding in aggregate_findings(sheet)}
    for finding in errors(aggregate_findings(limited)):
        if finding.message not in messages_before:
            raise LimitsConflict(finding, limited)
    return limited


def changed_limits(before: Sheet, after: Sheet) -> tuple[Json, Json]:
    """The limits that differ, before and after."""
    limits_before, limits_after = limits_of(before), limits_of(after)
    differ = [wager for wager in limits_before if limits_before[wager] != limits_after.get(wager)]
    return {wager: limits_before[wager] for wager in differ}, {
        wager: limits_after[wager] for wager in differ if wager in limits_after
    }


def only_limits_differ(before: Sheet, after: Sheet) -> bool:
    """Whether two sheets are the same game with other limits."""
    if before.id != after.id or limits_of(before).keys() != limits_of(after).keys():
        return False
    caps = [cap["pays_max"] for cap in caps_of(after)]
    try:
        return digest(with_limits(before, limits_of(after), caps)) == digest(after)
    except RoundError:  # Limits that conflict with the first sheet's other rules.
        return False


def required_notice(jurisdiction: str) -> tuple[int, str]:
    """The notice in minutes that a state requires before limits change, and its clause."""
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
        _parse_cap(sheet, limit, text) for limit, text in zip(sheet.limits, pays_max, strict=True)
    )


def _parse_cap(sheet: Sheet, limit: Limit, text: str) -> Limit:
    try:
        pays_max = dollars(text)
    except PitbookError as error:
        why = _as_printable(sentence_of(error))
        raise RoundError(say("table.limits.cap", per=limit.per, why=why)) from None
    if not pays_max:
        raise RoundError(say("table.limits.no-payout", per=limit.per))
    if pays_max == limit.pays_max:
        return limit
    note = say("table.limits.cap-set-here", most=limit.pays_max)
    mark = {
        "note": fix_foreign_currency(note, sheet.house.currency),
        "ours": remaining_mark(limit, {"pays_max": pays_max}),
    }
    return limit.model_copy(update={"pays_max": pays_max, **mark})


def _with_bounds(
    wager: str, stake: Stake, bounds: Mapping[str, Any], currency: str | None
) -> Stake:
    amounts = {}
    for bound, text in bounds.items():
        try:
            amounts[bound] = dollars(text)
        except PitbookError as error:
            why = _as_printable(sentence_of(error))
            raise RoundError(say("table.limits.bound", wager=wager, bound=bound, why=why)) from None
        if not amounts[bound]:
            raise RoundError(say("table.limits.nothing", wager=wager, bound=bound))
    changed_amounts = {
        name: amount for name, amount in amounts.items() if amount != getattr(stake, name)
    }
    return _with_house_note(stake, changed_amounts, currency)


def _as_printable(text: str) -> str:
    return text if text.isprintable() else printable(text)


def _with_house_note(
    stake: Stake, changed_amounts: Mapping[str, Any], currency: str | None
) -> Stake:
    """The stake with other bounds, marked as this casino's own."""
    if not changed_amounts:
        return stake
    note = fix_foreign_currency(say("table.limits.set-here", bounds=stake_bounds(stake)), currency)
    mark = {"note": note, "ours": remaining_mark(stake, changed_amounts)}
    return stake.model_copy(update={**changed_amounts, **mark})


def change_sheet(work: UnitOfWork, by: By, command: commands.ChangeSheet) -> Refusal | None:
    """Use other rules from the next round on; the current round keeps its own."""
    sheet = load_new_sheet(work, command.sheet)
    if isinstance(sheet, Refusal):
        return sheet
    minutes_min, clause = required_notice(sheet.house.jurisdiction)
    if minutes_min and only_limits_differ(game_of(work.state.upcoming_sheet).sheet, sheet):
        return refuse(Code.NOT_NOW, "table.floor.notice-first", clause, least=minutes_min)
    work.emit(facts.SheetChanged(command.sheet))
    replace_shoe(work)
    return None


def load_new_sheet(work: UnitOfWork, stored: Json) -> Sheet | Refusal:
    """The sheet if the table may use it next; refuses the current one or another currency."""
    try:
        sheet = game_of(stored).sheet
    except RoundError as error:
        return Refusal(Code.NO_RULE, sentence_of(error))
    if stored["hash"] == work.state.upcoming_sheet["hash"]:
        return refuse(Code.NOT_NOW, "table.floor.in-force")
    currency, new_currency = (
        unit_currency(work.state.unit, some_sheet.house.currency) or DOLLAR
        for some_sheet in (game_of(work.state.upcoming_sheet).sheet, sheet)
    )
    if currency != new_currency:
        return refuse(Code.NOT_NOW, "table.floor.other-money", now=currency, other=new_currency)
    return sheet


NOTICE_MINUTES_MAX = 7 * 24 * 60


def announce_sheet(work: UnitOfWork, by: By, command: commands.AnnounceSheet) -> Refusal | None:
    """Record announced rules; they take effect with the first round after the notice."""
    sheet = load_new_sheet(work, command.sheet)
    if isinstance(sheet, Refusal):
        return sheet
    minutes_min, clause = required_notice(sheet.house.jurisdiction)
    if not minutes_min <= command.minutes <= NOTICE_MINUTES_MAX:
        bounds = {"least": minutes_min, "most": NOTICE_MINUTES_MAX, "minutes": command.minutes}
        return refuse(Code.NOT_NOW, "table.pit.notice", clause, **bounds)
    at = work.time_in(60 * command.minutes)
    work.emit(facts.SheetAnnounced(command.sheet, at, command.why))
    return None


def apply_announced_rules(work: UnitOfWork) -> None:
    """Apply announced rules whose time has come."""
    announced = work.state.announced
    if announced and work.env.now() >= datetime.fromisoformat(announced["at"]):
        work.emit(facts.SheetChanged(announced["sheet"]))
