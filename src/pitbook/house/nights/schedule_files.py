"""Tournament schedules: samples, saved templates, and checks."""

from __future__ import annotations

import math
import tomllib
from collections.abc import Callable, Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any, NamedTuple, TypeAlias

from pitbook.errors import RoundError, SheetError
from pitbook.house.ledger.append_batch import Receipt
from pitbook.house.ledger.fact_codec import Codec
from pitbook.house.ledger.hash_chain import Entry
from pitbook.house.ledger.ledger import Ledger
from pitbook.house.ledger.stream_kinds import moves_no_money, register
from pitbook.house.ledger.streams import (
    PendingWrite,
    StreamReader,
    StreamWriter,
    async_adapter,
    request_key,
)
from pitbook.house.nights.house_rules import HouseRules, parse_fields, parse_table, require_table
from pitbook.house.nights.sheets import dealt_sheet, smallest_stake
from pitbook.house.nights.tournament.prizes import preview_prizes
from pitbook.house.nights.tournament.schedule import Extra, Price, Schedule, odd_shares
from pitbook.house.nights.tournament.state import Tournament
from pitbook.house.nights.tournament.tickets import ENDED_STATUSES
from pitbook.house.table.limits import BOUNDS, LimitsConflict
from pitbook.rules.refusals import Code, Refusal, refuse
from pitbook.sheets.check_stakes import is_payable
from pitbook.sheets.findings import FieldPath, Finding
from pitbook.sheets.model import Sheet
from pitbook.text import say, sentence_of
from pitbook.text.user_input import printable, title_error

SAMPLES = Path(__file__).parent / "schedules"
FILE = "schedule.toml"
CheckSchedule = Callable[[Schedule], list[Finding]]
EXACT = 2**53  # Browsers round larger integers.


def samples() -> dict[str, str]:
    """The text of each sample schedule, by name."""
    return {path.stem: path.read_text("utf-8") for path in sorted(SAMPLES.glob("*.toml"))}


def read_schedule(text: str, check: CheckSchedule | None = None) -> Schedule:
    """The schedule in a TOML text; raises SheetInvalid with every error and its line."""
    return require_table(
        parse_table(Schedule, text.replace("\r\n", "\n"), FILE, check or schedule_findings)
    )


def read_fields(fields: dict[str, Any], check: CheckSchedule | None = None) -> Schedule:
    """The schedule in a form's fields; raises SheetInvalid with every error at its field."""
    return require_table(parse_fields(Schedule, fields, check or schedule_findings))


def field_findings(fields: dict[str, Any]) -> tuple[Finding, ...]:
    """Findings in a form's fields, each at its field."""
    return parse_fields(Schedule, fields, schedule_findings).findings


def read_loosely(text: str) -> tuple[dict[str, Any] | None, tuple[Finding, ...]]:
    """A text's fields, valid or not, and its findings. None means it is not TOML or not
    representable.

    The fields fill in a form, so values that a page cannot hold (dates, huge numbers) give None.
    """
    text = text.replace("\r\n", "\n")
    findings = parse_table(Schedule, text, FILE, schedule_findings).findings
    if any(finding.code == "syntax" for finding in findings):
        return None, findings
    fields = tomllib.loads(text)
    return (fields if _is_plain(fields) else None), findings


def _is_plain(value: Any) -> bool:
    if isinstance(value, dict | list):
        return all(map(_is_plain, value.values() if isinstance(value, dict) else value))
    if isinstance(value, int):
        return abs(value) < EXACT
    return isinstance(value, str) or (isinstance(value, float) and math.isfinite(value))


def schedule_findings(schedule: Schedule) -> list[Finding]:
    """Findings in a well-formed schedule: an odd title, or shares that do not add up to 100%."""
    problem = title_error("title", schedule.title)
    return [
        *([Finding("error", "name", problem, ("title",))] if problem else ()),
        *(
            Finding("error", "prizes", message, ("prizes", place, "shares"))
            for place, message in odd_shares(schedule)
        ),
    ]


STREAM = register("schedules", moves_no_money, module=__name__)
TEMPLATE_NAME_MAX = 60
TEMPLATES_MAX = 200
FACTS: Codec[ScheduleChange] = Codec("kept schedules")


@FACTS.fact("schedule-kept")
class ScheduleKept(NamedTuple):
    """A schedule was saved under a name, replacing an earlier one of that name."""

    name: str
    toml: str


@FACTS.fact("schedule-dropped")
class ScheduleDropped(NamedTuple):
    """A saved schedule was removed."""

    name: str


ScheduleChange: TypeAlias = ScheduleKept | ScheduleDropped
KeptSchedules: TypeAlias = Mapping[str, str]  # The text of each, by name.


class Templates:
    """The house's saved schedules, shared by all its processes."""

    def __init__(self, ledger: Ledger) -> None:
        reader: StreamReader[KeptSchedules] = StreamReader(ledger, STREAM, {}, _apply_entries)
        self._writer = StreamWriter(reader, FACTS, async_adapter(ledger))

    def all(self) -> dict[str, str]:
        return dict(
            sorted(
                self._writer.catch_up().items(),
                key=lambda name_and_text: name_and_text[0].casefold(),
            )
        )

    async def keep(self, name: str, toml: str, *, actor: str, request: str) -> Receipt | Refusal:
        """Save a text under a name that no sample uses."""
        name = name.strip()
        if len(name) > TEMPLATE_NAME_MAX or name in samples():
            return refuse(Code.NO_RULE, "nights.templates.no-name", most=TEMPLATE_NAME_MAX)
        if problem := title_error("name", name):
            return Refusal(Code.NO_RULE, problem)
        return await self._write(ScheduleKept(name, toml), actor, request)

    async def drop(self, name: str, *, actor: str, request: str) -> Receipt | Refusal:
        """Remove a saved schedule. Tournaments set up from it stay."""
        return await self._write(ScheduleDropped(name), actor, request)

    async def _write(self, change: ScheduleChange, actor: str, request: str) -> Receipt | Refusal:
        key = request_key(actor, request, lambda: [STREAM, FACTS.dump(change)])

        def decide(saved: KeptSchedules) -> PendingWrite[ScheduleChange] | Refusal:
            if isinstance(change, ScheduleDropped) and change.name not in saved:
                name = printable(change.name)
                return refuse(Code.UNKNOWN_PLACE, "nights.templates.none", name=name)
            if isinstance(change, ScheduleKept) and len({*saved, change.name}) > TEMPLATES_MAX:
                return refuse(Code.ABOVE_MAXIMUM, "nights.templates.too-many", most=TEMPLATES_MAX)
            return PendingWrite([change])

        written = await self._writer.write_async(decide, key)
        return written if isinstance(written, Refusal) else written.receipt


def _apply_entries(saved: KeptSchedules, entries: Iterable[Entry]) -> KeptSchedules:
    """The saved schedules after some ledger entries."""
    schedules = dict(saved)
    for change in (change for entry in entries for change in FACTS.load_entry(entry)):
        schedules.pop(change.name, None)
        if isinstance(change, ScheduleKept):
            schedules[change.name] = change.toml
    return schedules


LoadSheet = Callable[[str], Sheet]


def check_on_sheet(schedule: Schedule, load_sheet: LoadSheet, rules: HouseRules) -> list[Finding]:
    """Findings that prevent a tournament from being sold, dealt or paid, each at its field."""
    try:
        base = load_sheet(schedule.sheet)
    except SheetError as error:
        return [Finding("error", "sheet", sentence_of(error), ("sheet",))]
    levels: dict[int, Sheet] = {}
    findings = [*_check_seats(schedule, base)]
    for level in range(1, len(schedule.levels) + 1):
        try:
            levels[level] = dealt_sheet(base, schedule, level, rules)
        except RoundError as error:
            why = {"sheet": base.id, "level": level, "why": sentence_of(error)}
            path = ("levels", level - 1, "limits", *_limit_field(error, schedule, level))
            findings.append(
                Finding("error", "limits", say("nights.schedule.not-dealt", **why), path)
            )
    return [*findings, *_check_chips(schedule, levels), *_check_prizes(schedule)]


def unplayable_refusal(
    tournaments: Iterable[Tournament], load_sheet: LoadSheet, rules: HouseRules
) -> Refusal | None:
    """Why a tournament could no longer be played after a change to its night."""
    for tournament in tournaments:
        if tournament.status in ENDED_STATUSES:
            continue
        for finding in check_on_sheet(tournament.schedule, load_sheet, rules):
            why = {"tournament": tournament.tournament, "why": finding.message}
            return refuse(Code.NO_RULE, "nights.schedule.no-longer", **why)
    return None


def _check_seats(schedule: Schedule, base: Sheet) -> Iterator[Finding]:
    count = base.seats.count
    if schedule.seats > count:
        seats = {"sheet": base.id, "has": count, "wants": schedule.seats}
        message = say("nights.schedule.seats", **seats)
        yield Finding("error", "seats", message, ("seats",), base.seats.clause)


def _limit_field(error: RoundError, schedule: Schedule, level: int) -> FieldPath:
    """The wager and bound that a level's limits fail on, if the schedule sets them."""
    path = error.path if isinstance(error, LimitsConflict) else ()
    limits = schedule.levels[level - 1].limits
    for wager in limits:
        if wager in path:
            bound = path[-1]
            return (wager, bound) if bound in BOUNDS and bound in limits[wager] else (wager,)
    return ()


def _check_chips(schedule: Schedule, levels: dict[int, Sheet]) -> Iterator[Finding]:
    """Chips sold in a level must cover one round and be payable in that level's chips."""
    sold: tuple[tuple[str, Price | None, int], ...] = (
        ("buy_in", schedule.buy_in, schedule.enter_until_level),
        ("re_buy", schedule.re_buy, _last_level(schedule.re_buy)),
        ("add_on", schedule.add_on, _last_level(schedule.add_on)),
    )
    for name, price, until in sold:
        if price is None:
            continue
        for level in range(1, max(1, until) + 1):
            if level in levels and (why := _chips_problem(name, price, level, levels[level])):
                yield Finding("error", "chips", why, (name, "chips"))
                break


def _last_level(price: Extra | None) -> int:
    return price.until_level if price else 0


def _chips_problem(name: str, price: Price, level: int, sheet: Sheet) -> str | None:
    stake, values = smallest_stake(sheet), sheet.house.chips.values
    if price.chips < stake and name != "add_on":  # An add-on comes on top of other chips.
        fields = {"chips": price.chips, "stake": stake, "level": level}
        return say("nights.schedule.too-few-chips", **fields)
    if not is_payable(price.chips, tuple(values)):
        chip_fields = {"chips": price.chips, "level": level, "unit": min(values)}
        return say("nights.schedule.odd-chips", **chip_fields)
    return None


def _check_prizes(schedule: Schedule) -> Iterator[Finding]:
    """Find paid places whose prize would be zero."""
    prices = [sale for sale in (schedule.buy_in, schedule.re_buy, schedule.add_on) if sale]
    if all(price.charity_fee == price.costs for price in prices):
        path = ("buy_in", "fee")
        yield Finding("error", "prizes", say("nights.schedule.no-prize-money"), path)
        return
    for number, row in enumerate(schedule.prizes):
        payouts = preview_prizes(schedule, row.entrants)
        if sum(payouts) and not min(payouts):
            empty = {
                "entrants": row.entrants,
                "total": sum(payouts),
                "place": payouts.index(min(payouts)) + 1,
            }
            message = say("nights.schedule.empty-place", **empty)
            yield Finding("error", "prizes", message, ("prizes", number, "shares"))
