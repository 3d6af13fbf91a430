"""Rounds of the past page by page: so much of each journal is read as the page needs, no more."""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence
from typing import NamedTuple

from pitbook.errors import RoundError
from pitbook.house.ledger.book import Ledger, Stream
from pitbook.house.ledger.chain import Entry
from pitbook.house.ledger.questions import Streams, kinds, says
from pitbook.house.table import facts
from pitbook.house.table.evolve import evolve
from pitbook.house.table.facts import FACTS
from pitbook.house.table.model import TableState
from pitbook.house.table.past.records import RoundRecord, read_rounds
from pitbook.sheets.findings import printable
from pitbook.text import say

__all__ = ["PageEnd", "around", "edge_of"]

# Entries of a round of one player, and those before it that opened its shoe; more or less: where
# they were too few, more are read.
ENTRIES, EARLIER, WIDER = 5, 20, 4
_OPENED = kinds(*FACTS.names(facts.RoundOpened))
WantedRound = Callable[[RoundRecord], bool]


class PageEnd(NamedTuple):
    """Where a page ends: at the round that opened with this entry."""

    stream: str
    seq: int
    at: str


def edge_of(ledger: Ledger, round: str, among: Collection[Stream]) -> PageEnd:
    """The edge at a round of some tables; raises RoundError for one that is not there."""
    table, _, number = round.rpartition("-")
    stream = next((one for one in among if one.name.partition("/")[2] == table), None)
    if stream is not None and number.isdecimal():
        opened = _opened(ledger, stream, int(number))
        if opened is not None:
            return PageEnd(stream.name, opened.seq, opened.at)
    raise RoundError(say("table.past.nowhere-to-go-on", round=printable(round)))


def _opened(ledger: Ledger, stream: Stream, number: int) -> Entry | None:
    """The entry with which a round opened, found by halving."""
    low, high = 0, stream.seq + 1
    while high - low > 1:
        middle = (low + high) // 2
        entry = _next_opening(ledger, stream.name, middle - 1, high)
        if entry is None or (found := _number_in(entry)) > number:
            high = middle
        elif found == number:
            return entry
        else:
            low = entry.seq
    return None


def _next_opening(ledger: Ledger, stream: str, after: int, end: int) -> Entry | None:
    step = ENTRIES
    while after + 1 < end:
        for entry in _entries(ledger, stream, after, min(end, after + step + 1)):
            if says(entry, _OPENED) and _number_in(entry):
                return entry
        after, step = after + step, WIDER * step
    return None


def _number_in(entry: Entry) -> int:
    return next((fact.number for fact in FACTS.of(entry, facts.RoundOpened)), 0)


def around(
    ledger: Ledger,
    streams: Collection[Stream],
    count: int,
    wanted: WantedRound,
    *,
    edge: PageEnd | None = None,
    newer: bool = False,
) -> list[RoundRecord]:
    """The last rounds before an edge, or the first ones behind it; newest first."""
    places = [(_place(ledger, one, edge, newer=newer), one) for one in streams]
    places.sort(key=lambda one: one[0].at, reverse=not newer)
    found: list[RoundRecord] = []
    for place, stream in places:
        if len(found) == count and _is_beyond(found[-1], place.at, newer=newer):
            break  # And so is all that lies in the journals behind it.
        read = _behind if newer else _before
        found += read(ledger, stream, place.seq, count, wanted)
        found = sorted(found, key=_when, reverse=not newer)[:count]
    return sorted(found, key=_when, reverse=True)


def _when(record: RoundRecord) -> tuple[str, str]:
    return record.steps[0].at, record.id


def _is_beyond(last: RoundRecord, at: str, *, newer: bool) -> bool:
    return at > last.steps[0].at if newer else at < last.steps[0].at


class _Place(NamedTuple):
    """The entry at which a page ends in one journal, and the time from which that goes on."""

    seq: int
    at: str


def _place(ledger: Ledger, stream: Stream, edge: PageEnd | None, *, newer: bool) -> _Place:
    seq = stream.seq + 1
    if edge is not None and edge.stream == stream.name:
        seq = edge.seq
    elif edge is not None:
        with ledger.moment() as book:
            seq = book.first_at(edge.at, Streams((stream.name,)))[stream.name]
        seq -= newer  # Nobody's round opens there that was seen before.
    near = _entries(ledger, stream.name, seq - 1 + newer, seq + newer)
    near = near or _entries(ledger, stream.name, seq - 2 + newer, seq)
    return _Place(seq, near[0].at if near else "")


def _before(
    ledger: Ledger, stream: Stream, end: int, count: int, wanted: WantedRound
) -> Sequence[RoundRecord]:
    """The last rounds that open before an entry."""
    window = EARLIER + ENTRIES * count
    while True:
        start = max(0, end - 1 - window)
        found = [one for one in _rounds(ledger, stream, start, end) if wanted(one)]
        if len(found) >= count or not start:
            return found[-count:]
        window = _wider(window, len(found), count)


def _behind(
    ledger: Ledger, stream: Stream, start: int, count: int, wanted: WantedRound
) -> Sequence[RoundRecord]:
    """The first rounds that open behind an entry."""
    window, earlier = ENTRIES * count, EARLIER
    while True:
        low, high = max(0, start - earlier), min(start + window, stream.seq) + 1
        found = _rounds(ledger, stream, low, high)
        if high <= stream.seq:
            found = found[:-1]  # It may go on behind the window.
        fresh = [one for one in found if one.steps[0].seq > start and wanted(one)]
        missed = not found or found[0].steps[0].seq > start  # One that is not whole, perhaps.
        if (len(fresh) >= count or high > stream.seq) and not (missed and low):
            return fresh[:count]
        window, earlier = _wider(window, len(fresh), count), WIDER * earlier


def _wider(window: int, found: int, count: int) -> int:
    """As much as so many rounds need by what was found, and some more; at the most four times."""
    return min(WIDER * window, EARLIER + window * (count + 2) // max(found, 1))


def _rounds(ledger: Ledger, stream: Stream, start: int, end: int) -> list[RoundRecord]:
    """The rounds that open between two entries; those whose shoe opened before are left out."""
    entries = _entries(ledger, stream.name, start, end)
    context = _setting(ledger, stream.name) if start else TableState()
    found = list(read_rounds(stream.name, entries, context))
    if found and not any(one.is_whole for one in found) and start:
        found = list(read_rounds(stream.name, entries, _as_changed(ledger, stream, start, context)))
    return [one for one in found if one.is_whole]


def _setting(ledger: Ledger, stream: str) -> TableState:
    """The table as it was set up."""
    entries = _entries(ledger, stream, 0, 3)
    opened = (fact for entry in entries for fact in FACTS.of(entry, facts.TableOpened))
    return next((evolve(TableState(), fact) for fact in opened), TableState())


def _as_changed(ledger: Ledger, stream: Stream, start: int, context: TableState) -> TableState:
    """The table with the rules that it had by then."""
    with ledger.moment() as book:
        words = kinds(*FACTS.names(facts.SheetChanged))
        found = book.latest(stream.name, words, upto=start)
    changed = [] if found is None else FACTS.of(found, facts.SheetChanged)
    return evolve(context, changed[-1]) if changed else context


def _entries(ledger: Ledger, stream: str, after: int, end: int) -> list[Entry]:
    """The entries between two, neither of them among these."""
    with ledger.moment() as book:
        return book.between(stream, after, end)
