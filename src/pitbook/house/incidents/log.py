"""The incident log: an append-only record that staff on duty write."""

from __future__ import annotations

import asyncio
from collections.abc import Iterable, Mapping
from typing import Annotated, Literal, NamedTuple, TypeAlias, get_args

from pitbook.house.ledger.append_batch import Receipt
from pitbook.house.ledger.fact_codec import Codec, StoredAs
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
from pitbook.rules.refusals import Code, Refusal, refuse

STREAM = register("incidents", moves_no_money, module=__name__)
IncidentKind = Literal["dispute", "conduct", "equipment", "money", "safety", "other"]
KINDS: tuple[IncidentKind, ...] = get_args(IncidentKind)
FACTS: Codec[IncidentChange] = Codec("the incident log")


@FACTS.fact("incident-noted")
class IncidentNoted(NamedTuple):
    """A new incident."""

    kind: IncidentKind
    text: Annotated[str, StoredAs("told")]
    table: str
    round: str


@FACTS.fact("incident-followed")
class IncidentFollowed(NamedTuple):
    """A follow-up; `of` is the stream entry of the incident, `closed` ends it."""

    of: int
    text: Annotated[str, StoredAs("told")]
    closed: bool


IncidentChange: TypeAlias = IncidentNoted | IncidentFollowed


class Remark(NamedTuple):
    """A note on an incident: when, who, and the text."""

    at: str
    who: str
    told: str


class Incident(NamedTuple):
    """An incident with its follow-ups, numbered 1, 2, 3 in the order of the log."""

    number: int
    kind: IncidentKind
    table: str
    round: str
    noted: Remark
    followed: tuple[Remark, ...] = ()
    closed: bool = False


IncidentsByEntry: TypeAlias = Mapping[int, Incident]


class Incidents:
    """The incident log of one house. Its processes share one stream."""

    def __init__(self, ledger: Ledger) -> None:
        reader: StreamReader[IncidentsByEntry] = StreamReader(ledger, STREAM, {}, _read)
        self._writer = StreamWriter(reader, FACTS, async_adapter(ledger))

    async def note(
        self, noted: IncidentNoted, *, actor: str, request: str | None = None
    ) -> tuple[int, Receipt]:
        """Record an incident and return its number with the receipt."""
        key = request_key(actor, request, lambda: [STREAM, FACTS.dump(noted)])
        receipt = (await self._writer.write_async(lambda _: PendingWrite([noted]), key)).receipt
        incidents = await asyncio.to_thread(self._writer.catch_up)
        return incidents[receipt.seq].number, receipt

    async def follow(
        self, number: int, text: str, *, closed: bool, actor: str, request: str | None = None
    ) -> Receipt | Refusal:
        """Add a follow-up, or return a refusal if the incident is unknown or closed."""
        write_request = request_key(actor, request, lambda: [STREAM, number, text, closed])

        def decide(incidents: IncidentsByEntry) -> PendingWrite[IncidentChange] | Refusal:
            entry = next(
                (seq for seq, incident in incidents.items() if incident.number == number), None
            )
            if entry is None:
                return refuse(Code.UNKNOWN_PLACE, "table.incidents.none", number=number)
            if incidents[entry].closed:
                return refuse(Code.OVER, "table.incidents.closed", number=number)
            return PendingWrite([IncidentFollowed(entry, text, closed)])

        written = await self._writer.write_async(decide, write_request)
        return written if isinstance(written, Refusal) else written.receipt

    def all(self) -> list[Incident]:
        """Every incident, the oldest first."""
        return list(self._writer.catch_up().values())


def _read(before: IncidentsByEntry, entries: Iterable[Entry]) -> IncidentsByEntry:
    incidents = dict(before)
    for entry in entries:
        for change in FACTS.load_entry(entry):
            remark = Remark(entry.at, entry.actor, change.text)
            if isinstance(change, IncidentNoted):
                about = (change.kind, change.table, change.round)
                # Follow-ups and restarts have entries, too, so incidents are counted separately.
                incidents[entry.seq] = Incident(len(incidents) + 1, *about, remark)
            elif (incident := incidents.get(change.of)) is not None:
                incidents[change.of] = incident._replace(
                    followed=(*incident.followed, remark), closed=incident.closed or change.closed
                )
    return incidents
