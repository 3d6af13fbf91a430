"""Schedules that an organiser keeps for the next evening, by names of their own."""

from __future__ import annotations

import asyncio
from typing import NamedTuple, TypeAlias

from pitbook.game.refusals import Code, Refusal, refused
from pitbook.ledger.batch import Receipt
from pitbook.ledger.book import Ledger
from pitbook.nights.rules.sample_schedules import samples
from pitbook.sheets.findings import printable
from pitbook.streams.codec import Codec
from pitbook.streams.pen import Pen
from pitbook.streams.requests import asked_by, before

__all__ = ["NAME_MAX", "STREAM", "Templates"]

STREAM = "schedules"
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


class Templates:
    """The schedules that a house has kept; every process of it reads and writes the same."""

    def __init__(self, ledger: Ledger) -> None:
        self._ledger = ledger
        self._pen = Pen(ledger, STREAM, lambda append: asyncio.wrap_future(ledger.submit(append)))

    def all(self) -> dict[str, str]:
        """The text of each, by name."""
        found: dict[str, str] = {}
        for entry in self._ledger.entries(STREAM):
            for change in FACTS.told(entry):
                found.pop(change.name, None)
                if isinstance(change, ScheduleKept):
                    found[change.name] = change.toml
        return dict(sorted(found.items(), key=lambda one: one[0].casefold()))

    async def keep(self, name: str, toml: str, *, actor: str, request: str) -> Receipt | Refusal:
        """Keep a text under a name; a sample's own is taken."""
        name = name.strip()
        if not name or not name.isprintable() or len(name) > NAME_MAX or name in samples():
            return refused(Code.NO_RULE, "nights.templates.no-name", most=NAME_MAX)
        return await self._write(ScheduleKept(name, toml), actor, request)

    async def drop(self, name: str, *, actor: str, request: str) -> Receipt | Refusal:
        """Offer a schedule no more; what was set up from it stays."""
        return await self._write(ScheduleDropped(name), actor, request)

    async def _write(self, change: ScheduleChange, actor: str, request: str) -> Receipt | Refusal:
        kept = FACTS.dump(change)
        asked = asked_by(actor, request, lambda: [STREAM, kept])
        if before(self._ledger, asked) is None:
            known = await asyncio.to_thread(self.all)
            if isinstance(change, ScheduleDropped) and change.name not in known:
                name = printable(change.name)
                return refused(Code.UNKNOWN_PLACE, "nights.templates.none", name=name)
            if isinstance(change, ScheduleKept) and len({*known, change.name}) > TEMPLATES_MAX:
                return refused(Code.ABOVE_MAXIMUM, "nights.templates.too-many", most=TEMPLATES_MAX)
        self._pen.let_go()  # Every process of the house writes here, and seldom.
        return await self._pen.write_in_turn(asked, (kept,))
