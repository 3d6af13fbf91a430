"""Pages of past rounds as a player may see them."""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence
from typing import NamedTuple

from pitbook.cards import Card, name
from pitbook.errors import RoundError
from pitbook.house.ledger.accounts import Account, unit_currency
from pitbook.house.ledger.fact_codec import Json
from pitbook.house.ledger.hash_chain import Entry
from pitbook.house.ledger.ledger import Ledger, Stream
from pitbook.house.ledger.money_queries import (
    AccountHistory,
    AccountMove,
)
from pitbook.house.ledger.queries import Streams, fact_patterns, matches_any
from pitbook.house.table import facts
from pitbook.house.table.apply_facts import apply
from pitbook.house.table.events import sheet_id
from pitbook.house.table.facts import FACTS, CoachAdvice, Settled, dump_stakes
from pitbook.house.table.round_records import (
    JournalStep,
    RoundRecord,
    read_rounds,
    round_of,
    round_shoe,
    wallet_balances,
)
from pitbook.house.table.state import TableState
from pitbook.house.table.stream_names import PRACTICE, TABLE
from pitbook.house.table.streams_played import streams_played
from pitbook.house.table.views import common_cards
from pitbook.house.table.visibility import Viewer, visible_cards
from pitbook.money import Cents, money
from pitbook.rules.actions import PASSED
from pitbook.rules.narration import report_with_words
from pitbook.rules.result_json import report
from pitbook.text import say
from pitbook.text.sentences import fix_foreign_currency
from pitbook.text.user_input import printable

PAGE_SIZE = 10


class Page(NamedTuple):
    """Rounds, newest first, and the rounds to page from; None at either end."""

    rounds: list[Json]
    older: str | None
    newer: str | None


def rounds_page(
    ledger: Ledger,
    *players: str,
    stream: str | None = None,
    count: int = PAGE_SIZE,
    before: str | None = None,
    after: str | None = None,
    is_included: Callable[[str], bool] = lambda _: True,
) -> Page:
    """A page of a player's rounds under all names, before or after one, or the latest.

    `is_included` filters streams. Raises RoundError for an unknown round, or one at a table where
    none of the names played; both give the same message.
    """
    edge_id = before if after is None else after
    streams = (
        played_stream for name in players for played_stream in streams_played(ledger, name, stream)
    )
    played = {stream.name: stream for stream in streams if is_included(stream.name)}
    edge = None if edge_id is None else page_edge(ledger, edge_id, list(played.values()))
    records = rounds_around(
        ledger,
        list(played.values()),
        count + 1,
        lambda record: any(_has_played(record, name) for name in players),
        edge=edge,
        newer=after is not None,
    )
    has_more = len(records) > count
    page_records = records[1:] if has_more and after is not None else records[:count]
    ids = [record.id for record in page_records]
    return Page(
        _render_rounds(ledger, page_records, players),
        older=ids[-1] if ids and (has_more or after is not None) else None,
        newer=ids[0] if ids and (before is not None or (after is not None and has_more)) else None,
    )


def _render_rounds(
    ledger: Ledger, records: list[RoundRecord], players: tuple[str, ...]
) -> list[Json]:
    names = [next(n for n in players if _has_played(record, n)) for record in records]
    wallet_histories = {
        player: WalletHistory(
            ledger, [r for r, n in zip(records, names, strict=True) if n == player], player
        )
        for player in set(names)
    }
    return [
        _render_round(record, name, wallet_histories[name].of(record))
        for record, name in zip(records, names, strict=True)
    ]


def render_round(ledger: Ledger, record: RoundRecord, player: str) -> Json:
    """One round as a player may see it."""
    return _render_round(record, player, wallet_balances(ledger, record, player))


def _render_round(record: RoundRecord, player: str, balance: tuple[Cents, Cents]) -> Json:
    state = record.state
    round = round_of(state)
    viewer = Viewer(player, "player")
    own_seats = {seat.number for seat in round.seats if seat.player == player}
    before, after = balance
    sheet = sheet_id(state.sheet)
    currency = unit_currency(state.unit, sheet.get("currency"))
    document = {
        "round": record.id,
        "player": player,
        "table": state.table,
        "opened": record.steps[0].at,
        "sheet": sheet,
        **({"currency": currency} if currency else {}),
        "board": [name(card) for card in round.board],
        **({"common": common_cards(round)} if round.more else {}),
        "seats": [
            {
                "seat": seat.number,
                "player": seat.player,
                "wagers": dump_stakes(seat.stakes),
                "plays": [play for play in seat.plays if play != PASSED],
                "cards": [_card_face(card) for card in visible_cards(state, seat, viewer)],
            }
            for seat in round.seats
        ],
        "settlement": report_with_words(report(round), round) if round.phase == "over" else None,
        "advice": [
            {"at": step.at} | FACTS.body(fact)
            for step in record.steps
            for fact in step.of(CoachAdvice)
            if fact.seat in own_seats
        ],
        "balance": {"before": money(before), "after": money(after)},
        "shoe": round_shoe(record),
        "arranged": record.before.spot is not None,
    }
    return fix_foreign_currency(document, currency)


def _card_face(card: Card | None) -> str | None:
    return None if card is None else name(card)


def _has_played(record: RoundRecord, player: str) -> bool:
    settled = record.settled
    return settled is not None and any(seat["player"] == player for seat in settled["seats"])


# Estimated entries per round of one player, and extra entries before it for the opening of its
# shoe. If they are too few, more are read.
ENTRIES, EARLIER, WIDER = 5, 20, 4
_OPENING_PATTERNS = fact_patterns(*FACTS.names(facts.RoundOpened))
RoundFilter = Callable[[RoundRecord], bool]


class PageEnd(NamedTuple):
    """A page's edge: the round that opened with this entry."""

    stream: str
    seq: int
    at: str


def page_edge(ledger: Ledger, round: str, streams: Collection[Stream]) -> PageEnd:
    """The edge at a round of some tables; raises RoundError for an unknown one."""
    table, _, number = round.rpartition("-")
    stream = next((stream for stream in streams if stream.name.partition("/")[2] == table), None)
    if stream is not None and number.isdecimal():
        opening = _opening_entry(ledger, stream, int(number))
        if opening is not None:
            return PageEnd(stream.name, opening.seq, opening.at)
    raise RoundError(say("table.past.nowhere-to-go-on", round=printable(round)))


def _opening_entry(ledger: Ledger, stream: Stream, number: int) -> Entry | None:
    """The entry that opened a round, found by binary search."""
    low, high = 0, stream.seq + 1
    while high - low > 1:
        middle = (low + high) // 2
        entry = _next_opening(ledger, stream.name, middle - 1, high)
        if entry is None or (found_number := _number_in(entry)) > number:
            high = middle
        elif found_number == number:
            return entry
        else:
            low = entry.seq
    return None


def _next_opening(ledger: Ledger, stream: str, after: int, end: int) -> Entry | None:
    step = ENTRIES
    while after + 1 < end:
        for entry in _entries(ledger, stream, after, min(end, after + step + 1)):
            if matches_any(entry, _OPENING_PATTERNS) and _number_in(entry):
                return entry
        after, step = after + step, WIDER * step
    return None


def _number_in(entry: Entry) -> int:
    return next((fact.number for fact in FACTS.load_kind(entry, facts.RoundOpened)), 0)


def rounds_around(
    ledger: Ledger,
    streams: Collection[Stream],
    count: int,
    is_wanted: RoundFilter,
    *,
    edge: PageEnd | None = None,
    newer: bool = False,
) -> list[RoundRecord]:
    """The last rounds before an edge, or the first after it; newest first."""
    cursors = [(_cursor_at(ledger, stream, edge, newer=newer), stream) for stream in streams]
    cursors.sort(key=lambda cursor_pair: cursor_pair[0].at, reverse=not newer)
    records: list[RoundRecord] = []
    for cursor, stream in cursors:
        if len(records) == count and _is_beyond(records[-1], cursor.at, newer=newer):
            break  # Later cursors are beyond the page too.
        read = _rounds_after if newer else _rounds_before
        records += read(ledger, stream, cursor.seq, count, is_wanted)
        records = sorted(records, key=_sort_key, reverse=not newer)[:count]
    return sorted(records, key=_sort_key, reverse=True)


def _sort_key(record: RoundRecord) -> tuple[str, str]:
    return record.steps[0].at, record.id


def _is_beyond(last: RoundRecord, at: str, *, newer: bool) -> bool:
    return at > last.steps[0].at if newer else at < last.steps[0].at


class _Cursor(NamedTuple):
    """The entry at which a page ends in one stream, and the time there."""

    seq: int
    at: str


def _cursor_at(ledger: Ledger, stream: Stream, edge: PageEnd | None, *, newer: bool) -> _Cursor:
    seq = stream.seq + 1
    if edge is not None and edge.stream == stream.name:
        seq = edge.seq
    elif edge is not None:
        with ledger.snapshot() as snapshot:
            seq = snapshot.first_at(edge.at, Streams((stream.name,)))[stream.name]
        seq -= newer  # No round that was seen before opens there.
    nearby = _entries(ledger, stream.name, seq - 1 + newer, seq + newer)
    nearby = nearby or _entries(ledger, stream.name, seq - 2 + newer, seq)
    return _Cursor(seq, nearby[0].at if nearby else "")


def _rounds_before(
    ledger: Ledger, stream: Stream, end: int, count: int, is_wanted: RoundFilter
) -> Sequence[RoundRecord]:
    """The last rounds that open before an entry."""
    window = EARLIER + ENTRIES * count
    while True:
        start = max(0, end - 1 - window)
        records = [
            record for record in _rounds_between(ledger, stream, start, end) if is_wanted(record)
        ]
        if len(records) >= count or not start:
            return records[-count:]
        window = _widen_window(window, len(records), count)


def _rounds_after(
    ledger: Ledger, stream: Stream, start: int, count: int, is_wanted: RoundFilter
) -> Sequence[RoundRecord]:
    """The first rounds that open after an entry."""
    window, earlier = ENTRIES * count, EARLIER
    while True:
        low, high = max(0, start - earlier), min(start + window, stream.seq) + 1
        records = _rounds_between(ledger, stream, low, high)
        if high <= stream.seq:
            records = records[:-1]  # It may continue after the window.
        matches = [
            record for record in records if record.steps[0].seq > start and is_wanted(record)
        ]
        has_gap = not records or records[0].steps[0].seq > start  # Possibly an incomplete round.
        if (len(matches) >= count or high > stream.seq) and not (has_gap and low):
            return matches[:count]
        window, earlier = _widen_window(window, len(matches), count), WIDER * earlier


def _widen_window(window: int, found_count: int, count: int) -> int:
    """The window for the missing rounds, based on those found; at most four times as large."""
    return min(WIDER * window, EARLIER + window * (count + 2) // max(found_count, 1))


def _rounds_between(ledger: Ledger, stream: Stream, start: int, end: int) -> list[RoundRecord]:
    """The complete rounds that start after one entry and before another."""
    entries = _entries(ledger, stream.name, start, end)
    context = _opening_state(ledger, stream.name) if start else TableState()
    records = list(read_rounds(stream.name, entries, context))
    if records and not any(record.is_whole for record in records) and start:
        records = list(
            read_rounds(stream.name, entries, _context_at(ledger, stream, start, context))
        )
    return [record for record in records if record.is_whole]


def _opening_state(ledger: Ledger, stream: str) -> TableState:
    """The table's state when it was set up."""
    entries = _entries(ledger, stream, 0, 3)
    openings = (fact for entry in entries for fact in FACTS.load_kind(entry, facts.TableOpened))
    return next((apply(TableState(), fact) for fact in openings), TableState())


def _context_at(ledger: Ledger, stream: Stream, start: int, context: TableState) -> TableState:
    """The table's state with the rules in effect at an entry."""
    with ledger.snapshot() as snapshot:
        patterns = fact_patterns(*FACTS.names(facts.SheetChanged))
        entry = snapshot.latest(stream.name, patterns, upto=start)
    changes = [] if entry is None else FACTS.load_kind(entry, facts.SheetChanged)
    return apply(context, changes[-1]) if changes else context


def _entries(ledger: Ledger, stream: str, after: int, end: int) -> list[Entry]:
    """The entries between two numbers, both excluded."""
    with ledger.snapshot() as snapshot:
        return snapshot.between(stream, after, end)


class WalletHistory:
    """A player's wallet balances before and after each round of a page."""

    def __init__(self, ledger: Ledger, records: Sequence[RoundRecord], player: str) -> None:
        self._ledger, self._player = ledger, player
        self._moves: dict[Account, tuple[int, list[AccountMove]]] = {}
        with ledger.snapshot() as snapshot:
            if snapshot.is_clock_set_back():  # Times are unreliable; query each balance.
                return
            for wallet in {record.wallet(player) for record in records}:
                own_records = [record for record in records if record.wallet(player) == wallet]
                at = [
                    step.at
                    for record in own_records
                    if record.steps_of_wallet(player)
                    for step in record.steps
                ]
                if at:
                    account = AccountHistory(snapshot, wallet, _wallet_streams(ledger, wallet))
                    self._moves[wallet] = account.between(min(at), max(at))

    def of(self, record: RoundRecord) -> tuple[Cents, Cents]:
        """Balances before the round touched the wallet and after the round."""
        touched, movements = (
            record.steps_of_wallet(self._player),
            self._moves.get(record.wallet(self._player)),
        )
        if not touched or movements is None:
            return wallet_balances(self._ledger, record, self._player)
        last = next((step for step in record.steps if any(step.of(Settled))), record.steps[-1])
        before = _balance_at(movements, record.stream, touched[0], included=False)
        return before, _balance_at(movements, record.stream, last, included=True)


def _balance_at(
    movements: tuple[int, list[AccountMove]], stream: str, step: JournalStep, *, included: bool
) -> Cents:
    """The balance at a step; other streams are ordered by recorded time."""
    base, moves = movements
    upto = step.seq + included
    own_total = sum(move.amount for move in moves if move.stream == stream and move.seq < upto)
    others_total = sum(
        move.amount for move in moves if move.stream != stream and move.at <= step.at
    )
    return Cents(base + own_total + others_total)


def _wallet_streams(ledger: Ledger, wallet: Account) -> Streams:
    """The player's tables, and all streams that are not tables."""
    player = wallet.name.rpartition("/")[2]
    names = [stream.name for stream in streams_played(ledger, player)]
    return Streams(names, excluded_prefixes=(TABLE, PRACTICE))
