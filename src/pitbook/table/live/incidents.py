"""The incident log: whoever is on duty writes down what happened; nothing in it is ever changed."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Literal, NamedTuple, TypeAlias, get_args

from pitbook.game.refusals import Code, Refusal, refused
from pitbook.ledger.batch import Receipt
from pitbook.ledger.book import Ledger
from pitbook.ledger.chain import Entry
from pitbook.ledger.kinds import moves_no_money, register
from pitbook.streams.codec import Codec
from pitbook.streams.reading import ReadState
from pitbook.streams.requests import asked_by
from pitbook.streams.seams import awaiting
from pitbook.streams.shell import Shell, Writing

__all__ = ["KINDS", "STREAM", "Incident", "IncidentKind", "Incidents", "Remark"]

STREAM = register("incidents", moves_no_money, module=__name__)
IncidentKind = Literal["dispute", "conduct", "equipment", "money", "safety", "other"]
KINDS: tuple[IncidentKind, ...] = get_args(IncidentKind)
FACTS: Codec[IncidentChange] = Codec("the incident log")


@FACTS.fact("incident-noted")
class IncidentNoted(NamedTuple):
    """Something happened; it is known by the number of its entry."""

    kind: IncidentKind
    told: str
    table: str
    round: str


@FACTS.fact("incident-followed")
class IncidentFollowed(NamedTuple):
    """What came of it; `closed`: nothing more is to be done."""

    of: int
    told: str
    closed: bool


IncidentChange: TypeAlias = IncidentNoted | IncidentFollowed


class Remark(NamedTuple):
    """What somebody wrote of an incident, and when."""

    at: str
    who: str
    told: str


class Incident(NamedTuple):
    """An incident as it stands, with all that was written of it since."""

    number: int
    kind: IncidentKind
    table: str
    round: str
    noted: Remark
    followed: tuple[Remark, ...] = ()
    closed: bool = False


NotedIncidents: TypeAlias = Mapping[int, Incident]


class Incidents:
    """The log of one house; every process of it reads and writes the same stream."""

    def __init__(self, ledger: Ledger) -> None:
        fold: ReadState[NotedIncidents] = ReadState(ledger, STREAM, {}, _read)
        self._shell = Shell(fold, FACTS, awaiting(ledger))

    async def note(
        self, noted: IncidentNoted, *, actor: str, request: str | None = None
    ) -> Receipt:
        """Write an incident down; its number is that of the receipt."""
        asked = asked_by(actor, request, lambda: [STREAM, FACTS.dump(noted)])
        return (await self._shell.written(lambda _: Writing([noted]), asked)).receipt

    async def follow(
        self, followed: IncidentFollowed, *, actor: str, request: str | None = None
    ) -> Receipt | Refusal:
        """Write on, unless there is no such incident or it is closed."""
        asked = asked_by(actor, request, lambda: [STREAM, FACTS.dump(followed)])

        def made(known: NotedIncidents) -> Writing[IncidentChange] | Refusal:
            if (one := known.get(followed.of)) is None:
                return refused(Code.UNKNOWN_PLACE, "table.incidents.none", number=followed.of)
            if one.closed:
                return refused(Code.OVER, "table.incidents.closed", number=followed.of)
            return Writing([followed])

        written = await self._shell.written(made, asked)
        return written if isinstance(written, Refusal) else written.receipt

    def all(self) -> list[Incident]:
        """Every incident, the oldest first."""
        return list(self._shell.read_on().values())


def _read(before: NotedIncidents, entries: Iterable[Entry]) -> NotedIncidents:
    """Every incident by its number, after some entries."""
    found = dict(before)
    for entry in entries:
        for change in FACTS.told(entry):
            remark = Remark(entry.at, entry.actor, change.told)
            if isinstance(change, IncidentNoted):
                about = (change.kind, change.table, change.round)
                found[entry.seq] = Incident(entry.seq, *about, remark)
            elif (was := found.get(change.of)) is not None:
                later = (*was.followed, remark)
                closed = was.closed or change.closed
                found[change.of] = was._replace(followed=later, closed=closed)
    return found
