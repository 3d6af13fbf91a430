"""Tournament schedules: samples, saved templates, and checks."""

from __future__ import annotations

import math
import tomllib
from collections.abc import Callable, Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any, NamedTuple, TypeAlias

from pitbook.errors import RoundError, SheetError
from pitbook.house.ledger.batch import Receipt
from pitbook.house.ledger.chain import Entry
from pitbook.house.ledger.codec import Codec
from pitbook.house.ledger.journal import Ledger
from pitbook.house.ledger.stream_kinds import moves_no_money, register
from pitbook.house.ledger.stream_reader import StreamReader
from pitbook.house.ledger.stream_writer import (
    PendingWrite,
    StreamWriter,
    async_adapter,
    request_key,
)
from pitbook.house.nights.house_rules import HouseRules, examine, examine_fields, understood
from pitbook.house.nights.sheets import dealt_sheet, smallest_stake
from pitbook.house.nights.tournament.payouts import previewed
from pitbook.house.nights.tournament.schedule import Extra, Price, Schedule, odd_shares
from pitbook.house.nights.tournament.state import Tournament
from pitbook.house.nights.tournament.tickets import OVER
from pitbook.house.people.names import title_error
from pitbook.house.table.limits import BOUNDS, LimitsConflict
from pitbook.rules.refusals import Code, Refusal, refuse
from pitbook.sheets.check_stakes import payable
from pitbook.sheets.findings import FieldPath, Finding, printable
from pitbook.sheets.model import Sheet
from pitbook.text import say, sentence_of

SAMPLES = Path(__file__).parent / "schedules"
FILE = "schedule.toml"
CheckSchedule = Callable[[Schedule], list[Finding]]
EXACT = 2**53  # From here on a browser rounds whole numbers.


def samples() -> dict[str, str]:
    """The text of each, by name."""
    return {path.stem: path.read_text("utf-8") for path in sorted(SAMPLES.glob("*.toml"))}


def read_schedule(text: str, check: CheckSchedule | None = None) -> Schedule:
    """The schedule in a TOML text; raises SheetInvalid with every mistake and its line."""
    return understood(examine(Schedule, text.replace("\r\n", "\n"), FILE, check or odd))


def read_fields(fields: dict[str, Any], check: CheckSchedule | None = None) -> Schedule:
    """The schedule in a form's fields; raises SheetInvalid with every mistake at its field."""
    return understood(examine_fields(Schedule, fields, check or odd))


def wrong_in(fields: dict[str, Any]) -> tuple[Finding, ...]:
    """What is wrong with a form's fields, each at its own."""
    return examine_fields(Schedule, fields, odd).findings


def read_loosely(text: str) -> tuple[dict[str, Any] | None, tuple[Finding, ...]]:
    """What a text says field by field, right or wrong, and what is wrong; None: it is no TOML.

    A form is filled in from it, so what a page cannot hold, as a date or a number of thousands of
    digits, is nothing either.
    """
    text = text.replace("\r\n", "\n")
    findings = examine(Schedule, text, FILE, odd).findings
    if any(one.code == "syntax" for one in findings):
        return None, findings
    fields = tomllib.loads(text)
    return (fields if _is_plain(fields) else None), findings


def _is_plain(value: Any) -> bool:
    if isinstance(value, dict | list):
        return all(map(_is_plain, value.values() if isinstance(value, dict) else value))
    if isinstance(value, int):
        return abs(value) < EXACT
    return isinstance(value, str) or (isinstance(value, float) and math.isfinite(value))


def odd(schedule: Schedule) -> list[Finding]:
    """Mistakes in a well-written schedule: an odd title, or prizes unlike the money paid in."""
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
    """A schedule under a name; one of that name before it is replaced."""

    name: str
    toml: str


@FACTS.fact("schedule-dropped")
class ScheduleDropped(NamedTuple):
    """A schedule is offered no more."""

    name: str


ScheduleChange: TypeAlias = ScheduleKept | ScheduleDropped
KeptSchedules: TypeAlias = Mapping[str, str]  # The text of each, by name.


class Templates:
    """The schedules that a house has kept; every process of it reads and writes the same."""

    def __init__(self, ledger: Ledger) -> None:
        reader: StreamReader[KeptSchedules] = StreamReader(ledger, STREAM, {}, _read)
        self._writer = StreamWriter(reader, FACTS, async_adapter(ledger))

    def all(self) -> dict[str, str]:
        """The text of each, by name."""
        return dict(sorted(self._writer.catch_up().items(), key=lambda one: one[0].casefold()))

    async def keep(self, name: str, toml: str, *, actor: str, request: str) -> Receipt | Refusal:
        """Keep a text under a name; a sample's own is taken."""
        name = name.strip()
        if len(name) > TEMPLATE_NAME_MAX or name in samples():
            return refuse(Code.NO_RULE, "nights.templates.no-name", most=TEMPLATE_NAME_MAX)
        if problem := title_error("name", name):
            return Refusal(Code.NO_RULE, problem)
        return await self._write(ScheduleKept(name, toml), actor, request)

    async def drop(self, name: str, *, actor: str, request: str) -> Receipt | Refusal:
        """Offer a schedule no more; what was set up from it stays."""
        return await self._write(ScheduleDropped(name), actor, request)

    async def _write(self, change: ScheduleChange, actor: str, request: str) -> Receipt | Refusal:
        asked = request_key(actor, request, lambda: [STREAM, FACTS.dump(change)])

        def made(known: KeptSchedules) -> PendingWrite[ScheduleChange] | Refusal:
            if isinstance(change, ScheduleDropped) and change.name not in known:
                name = printable(change.name)
                return refuse(Code.UNKNOWN_PLACE, "nights.templates.none", name=name)
            if isinstance(change, ScheduleKept) and len({*known, change.name}) > TEMPLATES_MAX:
                return refuse(Code.ABOVE_MAXIMUM, "nights.templates.too-many", most=TEMPLATES_MAX)
            return PendingWrite([change])

        written = await self._writer.write_async(made, asked)
        return written if isinstance(written, Refusal) else written.receipt


def _read(before: KeptSchedules, entries: Iterable[Entry]) -> KeptSchedules:
    """The schedules after some entries."""
    found = dict(before)
    for change in (one for entry in entries for one in FACTS.load_entry(entry)):
        found.pop(change.name, None)
        if isinstance(change, ScheduleKept):
            found[change.name] = change.toml
    return found


LoadSheet = Callable[[str], Sheet]


def check_on_sheet(schedule: Schedule, load_sheet: LoadSheet, rules: HouseRules) -> list[Finding]:
    """Findings that keep a tournament from being sold, dealt or paid, each at its field."""
    try:
        base = load_sheet(schedule.sheet)
    except SheetError as error:
        return [Finding("error", "sheet", sentence_of(error), ("sheet",))]
    levels: dict[int, Sheet] = {}
    findings = [*_seats(schedule, base)]
    for level in range(1, len(schedule.levels) + 1):
        try:
            levels[level] = dealt_sheet(base, schedule, level, rules)
        except RoundError as error:
            why = {"sheet": base.id, "level": level, "why": sentence_of(error)}
            path = ("levels", level - 1, "limits", *_limit(error, schedule, level))
            findings.append(
                Finding("error", "limits", say("nights.schedule.not-dealt", **why), path)
            )
    return [*findings, *_chips(schedule, levels), *_prizes(schedule)]


def why_unplayable(
    tournaments: Iterable[Tournament], load_sheet: LoadSheet, rules: HouseRules
) -> Refusal | None:
    """Why a tournament could no longer be played after a change to its night."""
    for tournament in tournaments:
        if tournament.status in OVER:
            continue
        for finding in check_on_sheet(tournament.schedule, load_sheet, rules):
            why = {"tournament": tournament.tournament, "why": finding.message}
            return refuse(Code.NO_RULE, "nights.schedule.no-longer", **why)
    return None


def _seats(schedule: Schedule, base: Sheet) -> Iterator[Finding]:
    has = base.seats.count
    if schedule.seats > has:
        seats = {"sheet": base.id, "has": has, "wants": schedule.seats}
        message = say("nights.schedule.seats", **seats)
        yield Finding("error", "seats", message, ("seats",), base.seats.clause)


def _limit(error: RoundError, schedule: Schedule, level: int) -> FieldPath:
    """The wager and bound that a level's limits fail on, if the schedule sets them."""
    path = error.path if isinstance(error, LimitsConflict) else ()
    limits = schedule.levels[level - 1].limits
    for wager in limits:
        if wager in path:
            bound = path[-1]
            return (wager, bound) if bound in BOUNDS and bound in limits[wager] else (wager,)
    return ()


def _chips(schedule: Schedule, levels: dict[int, Sheet]) -> Iterator[Finding]:
    """Chips sold in a level must cover one round there and be payable in that level's chips."""
    sold: tuple[tuple[str, Price | None, int], ...] = (
        ("buy_in", schedule.buy_in, schedule.enter_until_level),
        ("re_buy", schedule.re_buy, _until(schedule.re_buy)),
        ("add_on", schedule.add_on, _until(schedule.add_on)),
    )
    for name, price, until in sold:
        if price is None:
            continue
        for level in range(1, max(1, until) + 1):
            if level in levels and (why := _short(name, price, level, levels[level])):
                yield Finding("error", "chips", why, (name, "chips"))
                break


def _until(price: Extra | None) -> int:
    return price.until_level if price else 0


def _short(name: str, price: Price, level: int, sheet: Sheet) -> str | None:
    stake, values = smallest_stake(sheet), sheet.house.chips.values
    if price.chips < stake and name != "add_on":  # An add-on comes on top of other chips.
        short = {"chips": price.chips, "stake": stake, "level": level}
        return say("nights.schedule.too-few-chips", **short)
    if not payable(price.chips, tuple(values)):
        odd = {"chips": price.chips, "level": level, "unit": min(values)}
        return say("nights.schedule.odd-chips", **odd)
    return None


def _prizes(schedule: Schedule) -> Iterator[Finding]:
    """Find paid places whose prize would be zero."""
    prices = [sale for sale in (schedule.buy_in, schedule.re_buy, schedule.add_on) if sale]
    if all(price.kept == price.costs for price in prices):
        path = ("buy_in", "fee")
        yield Finding("error", "prizes", say("nights.schedule.no-prize-money"), path)
        return
    for number, row in enumerate(schedule.prizes):
        payouts = previewed(schedule, row.entrants)
        if sum(payouts) and not min(payouts):
            empty = {
                "entrants": row.entrants,
                "total": sum(payouts),
                "place": payouts.index(min(payouts)) + 1,
            }
            message = say("nights.schedule.empty-place", **empty)
            yield Finding("error", "prizes", message, ("prizes", number, "shares"))
