"""Schedules that an organiser keeps for the next evening, by names of their own."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import NamedTuple, TypeAlias

from pitbook.house.ledger.batch import Receipt
from pitbook.house.ledger.chain import Entry
from pitbook.house.ledger.codec import Codec
from pitbook.house.ledger.journal import Ledger
from pitbook.house.ledger.stream_kinds import moves_no_money, register
from pitbook.house.ledger.stream_reader import ReadState
from pitbook.house.ledger.stream_writer import Shell, Writing, asked_by, awaiting
from pitbook.house.nights.rules.sample_schedules import samples
from pitbook.house.people.names import title_error
from pitbook.rules.refusals import Code, Refusal, refuse
from pitbook.sheets.findings import printable

STREAM = register("schedules", moves_no_money, module=__name__)
NAME_MAX = 60
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
        fold: ReadState[KeptSchedules] = ReadState(ledger, STREAM, {}, _read)
        self._shell = Shell(fold, FACTS, awaiting(ledger))

    def all(self) -> dict[str, str]:
        """The text of each, by name."""
        return dict(sorted(self._shell.read_on().items(), key=lambda one: one[0].casefold()))

    async def keep(self, name: str, toml: str, *, actor: str, request: str) -> Receipt | Refusal:
        """Keep a text under a name; a sample's own is taken."""
        name = name.strip()
        if len(name) > NAME_MAX or name in samples():
            return refuse(Code.NO_RULE, "nights.templates.no-name", most=NAME_MAX)
        if problem := title_error("name", name):
            return Refusal(Code.NO_RULE, problem)
        return await self._write(ScheduleKept(name, toml), actor, request)

    async def drop(self, name: str, *, actor: str, request: str) -> Receipt | Refusal:
        """Offer a schedule no more; what was set up from it stays."""
        return await self._write(ScheduleDropped(name), actor, request)

    async def _write(self, change: ScheduleChange, actor: str, request: str) -> Receipt | Refusal:
        asked = asked_by(actor, request, lambda: [STREAM, FACTS.dump(change)])

        def made(known: KeptSchedules) -> Writing[ScheduleChange] | Refusal:
            if isinstance(change, ScheduleDropped) and change.name not in known:
                name = printable(change.name)
                return refuse(Code.UNKNOWN_PLACE, "nights.templates.none", name=name)
            if isinstance(change, ScheduleKept) and len({*known, change.name}) > TEMPLATES_MAX:
                return refuse(Code.ABOVE_MAXIMUM, "nights.templates.too-many", most=TEMPLATES_MAX)
            return Writing([change])

        written = await self._shell.written(made, asked)
        return written if isinstance(written, Refusal) else written.receipt


def _read(before: KeptSchedules, entries: Iterable[Entry]) -> KeptSchedules:
    """The schedules after some entries."""
    found = dict(before)
    for change in (one for entry in entries for one in FACTS.told(entry)):
        found.pop(change.name, None)
        if isinstance(change, ScheduleKept):
            found[change.name] = change.toml
    return found
