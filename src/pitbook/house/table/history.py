"""Pages of past rounds as a player may see them."""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence
from threading import Lock
from typing import NamedTuple
from weakref import WeakKeyDictionary

from pitbook.cards import Card, name
from pitbook.errors import RoundError
from pitbook.house.ledger.accounts import Account
from pitbook.house.ledger.chain import Entry
from pitbook.house.ledger.codec import Json
from pitbook.house.ledger.journal import Ledger, Stream
from pitbook.house.ledger.movements import AccountMove, AccountsOf, MovedAccount, moved_in
from pitbook.house.ledger.queries import Streams, kinds, says
from pitbook.house.table import facts
from pitbook.house.table.events import sheet_id
from pitbook.house.table.facts import FACTS, CoachAdvice, Settled, dump_stakes
from pitbook.house.table.round_records import (
    JournalStep,
    RoundRecord,
    balances,
    read_rounds,
    round_of,
    round_shoe,
    streams_of_player,
    table_streams,
)
from pitbook.house.table.state import TableState, apply, unit_currency
from pitbook.house.table.streams import PRACTICE, TABLE
from pitbook.house.table.views import common_cards
from pitbook.house.table.visibility import Viewer, visible_cards
from pitbook.money import Cents, money
from pitbook.rules.narration import report_with_words
from pitbook.rules.plays import PASSED
from pitbook.rules.report import report
from pitbook.sheets.findings import printable
from pitbook.text import say
from pitbook.text.documents import in_own_currency

PAGE_SIZE = 10


class Page(NamedTuple):
    """Some rounds, newest first, and those to go on from; None where there are no more."""

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
    among: Callable[[str], bool] = lambda _: True,
) -> Page:
    """Rounds of somebody, by all names, before one of them, after one, or the last.

    `among`: at those streams alone. Raises RoundError where there is no such round, or where it was
    played at a table to which none of them came: that is as much as they are told of it.
    """
    at = before if after is None else after
    streams = (one for name in players for one in streams_played(ledger, name, stream))
    played = {one.name: one for one in streams if among(one.name)}
    edge = None if at is None else page_edge(ledger, at, list(played.values()))
    found = rounds_around(
        ledger,
        list(played.values()),
        count + 1,
        lambda record: any(_has_played(record, name) for name in players),
        edge=edge,
        newer=after is not None,
    )
    more = len(found) > count
    shown = found[1:] if more and after is not None else found[:count]
    ids = [one.id for one in shown]
    return Page(
        _render_rounds(ledger, shown, players),
        older=ids[-1] if ids and (more or after is not None) else None,
        newer=ids[0] if ids and (before is not None or (after is not None and more)) else None,
    )


def _render_rounds(
    ledger: Ledger, records: list[RoundRecord], players: tuple[str, ...]
) -> list[Json]:
    names = [next(n for n in players if _has_played(record, n)) for record in records]
    held = {
        one: WalletHistory(
            ledger, [r for r, n in zip(records, names, strict=True) if n == one], one
        )
        for one in set(names)
    }
    return [
        _render_round(record, name, held[name].of(record))
        for record, name in zip(records, names, strict=True)
    ]


def render_round(ledger: Ledger, record: RoundRecord, player: str) -> Json:
    """One round as a player may see it: own cards, opened hands, wagers, choices, results."""
    return _render_round(record, player, balances(ledger, record, player))


def _render_round(record: RoundRecord, player: str, held: tuple[Cents, Cents]) -> Json:
    state = record.state
    round = round_of(state)
    viewer = Viewer(player, "player")
    mine = {seat.number for seat in round.seats if seat.player == player}
    before, after = held
    sheet = sheet_id(state.sheet)
    currency = unit_currency(state.unit, sheet.get("currency"))
    told = {
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
            if fact.seat in mine
        ],
        "balance": {"before": money(before), "after": money(after)},
        "shoe": round_shoe(record),
        "arranged": record.before.spot is not None,
    }
    return in_own_currency(told, currency)


def _card_face(card: Card | None) -> str | None:
    return None if card is None else name(card)


def _has_played(record: RoundRecord, player: str) -> bool:
    settled = record.settled
    return settled is not None and any(one["player"] == player for one in settled["seats"])


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


def page_edge(ledger: Ledger, round: str, among: Collection[Stream]) -> PageEnd:
    """The edge at a round of some tables; raises RoundError for one that is not there."""
    table, _, number = round.rpartition("-")
    stream = next((one for one in among if one.name.partition("/")[2] == table), None)
    if stream is not None and number.isdecimal():
        opened = _opening_entry(ledger, stream, int(number))
        if opened is not None:
            return PageEnd(stream.name, opened.seq, opened.at)
    raise RoundError(say("table.past.nowhere-to-go-on", round=printable(round)))


def _opening_entry(ledger: Ledger, stream: Stream, number: int) -> Entry | None:
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
    return next((fact.number for fact in FACTS.load_kind(entry, facts.RoundOpened)), 0)


def rounds_around(
    ledger: Ledger,
    streams: Collection[Stream],
    count: int,
    wanted: WantedRound,
    *,
    edge: PageEnd | None = None,
    newer: bool = False,
) -> list[RoundRecord]:
    """The last rounds before an edge, or the first ones behind it; newest first."""
    places = [(_cursor(ledger, one, edge, newer=newer), one) for one in streams]
    places.sort(key=lambda one: one[0].at, reverse=not newer)
    found: list[RoundRecord] = []
    for place, stream in places:
        if len(found) == count and _is_beyond(found[-1], place.at, newer=newer):
            break  # And so is all that lies in the journals behind it.
        read = _rounds_after if newer else _rounds_before
        found += read(ledger, stream, place.seq, count, wanted)
        found = sorted(found, key=_sort_key, reverse=not newer)[:count]
    return sorted(found, key=_sort_key, reverse=True)


def _sort_key(record: RoundRecord) -> tuple[str, str]:
    return record.steps[0].at, record.id


def _is_beyond(last: RoundRecord, at: str, *, newer: bool) -> bool:
    return at > last.steps[0].at if newer else at < last.steps[0].at


class _Cursor(NamedTuple):
    """The entry at which a page ends in one journal, and the time from which that goes on."""

    seq: int
    at: str


def _cursor(ledger: Ledger, stream: Stream, edge: PageEnd | None, *, newer: bool) -> _Cursor:
    seq = stream.seq + 1
    if edge is not None and edge.stream == stream.name:
        seq = edge.seq
    elif edge is not None:
        with ledger.moment() as book:
            seq = book.first_at(edge.at, Streams((stream.name,)))[stream.name]
        seq -= newer  # Nobody's round opens there that was seen before.
    near = _entries(ledger, stream.name, seq - 1 + newer, seq + newer)
    near = near or _entries(ledger, stream.name, seq - 2 + newer, seq)
    return _Cursor(seq, near[0].at if near else "")


def _rounds_before(
    ledger: Ledger, stream: Stream, end: int, count: int, wanted: WantedRound
) -> Sequence[RoundRecord]:
    """The last rounds that open before an entry."""
    window = EARLIER + ENTRIES * count
    while True:
        start = max(0, end - 1 - window)
        found = [one for one in _rounds_between(ledger, stream, start, end) if wanted(one)]
        if len(found) >= count or not start:
            return found[-count:]
        window = _widen(window, len(found), count)


def _rounds_after(
    ledger: Ledger, stream: Stream, start: int, count: int, wanted: WantedRound
) -> Sequence[RoundRecord]:
    """The first rounds that open behind an entry."""
    window, earlier = ENTRIES * count, EARLIER
    while True:
        low, high = max(0, start - earlier), min(start + window, stream.seq) + 1
        found = _rounds_between(ledger, stream, low, high)
        if high <= stream.seq:
            found = found[:-1]  # It may go on behind the window.
        fresh = [one for one in found if one.steps[0].seq > start and wanted(one)]
        missed = not found or found[0].steps[0].seq > start  # One that is not whole, perhaps.
        if (len(fresh) >= count or high > stream.seq) and not (missed and low):
            return fresh[:count]
        window, earlier = _widen(window, len(fresh), count), WIDER * earlier


def _widen(window: int, found: int, count: int) -> int:
    """As much as so many rounds need by what was found, and some more; at the most four times."""
    return min(WIDER * window, EARLIER + window * (count + 2) // max(found, 1))


def _rounds_between(ledger: Ledger, stream: Stream, start: int, end: int) -> list[RoundRecord]:
    """The rounds that open between two entries; those whose shoe opened before are left out."""
    entries = _entries(ledger, stream.name, start, end)
    context = _opening_state(ledger, stream.name) if start else TableState()
    found = list(read_rounds(stream.name, entries, context))
    if found and not any(one.is_whole for one in found) and start:
        found = list(read_rounds(stream.name, entries, _context_at(ledger, stream, start, context)))
    return [one for one in found if one.is_whole]


def _opening_state(ledger: Ledger, stream: str) -> TableState:
    """The table as it was set up."""
    entries = _entries(ledger, stream, 0, 3)
    opened = (fact for entry in entries for fact in FACTS.load_kind(entry, facts.TableOpened))
    return next((apply(TableState(), fact) for fact in opened), TableState())


def _context_at(ledger: Ledger, stream: Stream, start: int, context: TableState) -> TableState:
    """The table with the rules that it had by then."""
    with ledger.moment() as book:
        words = kinds(*FACTS.names(facts.SheetChanged))
        found = book.latest(stream.name, words, upto=start)
    changed = [] if found is None else FACTS.load_kind(found, facts.SheetChanged)
    return apply(context, changed[-1]) if changed else context


def _entries(ledger: Ledger, stream: str, after: int, end: int) -> list[Entry]:
    """The entries between two, neither of them among these."""
    with ledger.moment() as book:
        return book.between(stream, after, end)


FRESH_MAX = 20_000  # Entries that are looked through for a player; with more, all is asked again.
PLAYERS_MAX = 1_000


class _KnownStreams(NamedTuple):
    """The journals in which a player's money has moved, and how far they were looked through."""

    played: frozenset[str]
    upto: dict[str, int]


_KNOWN: WeakKeyDictionary[Ledger, dict[str, _KnownStreams]] = WeakKeyDictionary()
_LOCK = Lock()


def streams_played(ledger: Ledger, player: str, stream: str | None = None) -> list[Stream]:
    """The tables at which a player's money has moved, or one of them."""
    listed = {one.name: one for one in table_streams(ledger).values()}
    with _LOCK:
        known = _KNOWN.setdefault(ledger, {}).get(player)
    played = _find_streams(ledger, player, listed, known)
    with _LOCK:
        of_ledger = _KNOWN[ledger]
        if len(of_ledger) >= PLAYERS_MAX:
            of_ledger.clear()
        of_ledger[player] = _KnownStreams(played, {name: one.seq for name, one in listed.items()})
    return [listed[name] for name in sorted(played & listed.keys()) if stream in (None, name)]


def _find_streams(
    ledger: Ledger, player: str, listed: dict[str, Stream], known: _KnownStreams | None
) -> frozenset[str]:
    if known is None:
        return frozenset(streams_of_player(ledger, player))
    since = {name: known.upto.get(name, 0) for name in listed.keys() - known.played}
    fresh = {name: seq for name, seq in since.items() if listed[name].seq > seq}
    if sum(listed[name].seq - seq for name, seq in fresh.items()) > FRESH_MAX:
        return frozenset(streams_of_player(ledger, player))
    return known.played | {name for name in fresh if _has_moved(ledger, player, name, fresh[name])}


def _has_moved(ledger: Ledger, player: str, stream: str, after: int) -> bool:
    """Whether money of a player moved behind an entry of a journal."""
    with ledger.moment() as book:
        return bool(moved_in(book, AccountsOf("wallet", player), stream=stream, after=after))


class WalletHistory:
    """What a player's wallets held before and after each round of a page."""

    def __init__(self, ledger: Ledger, records: Sequence[RoundRecord], player: str) -> None:
        self._ledger, self._player = ledger, player
        self._moves: dict[Account, tuple[int, list[AccountMove]]] = {}
        with ledger.moment() as book:
            if book.is_set_back():  # Then times do not say what came first; each is asked for.
                return
            for wallet in {one.wallet(player) for one in records}:
                own = [one for one in records if one.wallet(player) == wallet]
                at = [step.at for one in own if one.touched(player) for step in one.steps]
                if at:
                    purse = MovedAccount(book, wallet, _wallet_streams(ledger, wallet))
                    self._moves[wallet] = purse.between(min(at), max(at))

    def of(self, record: RoundRecord) -> tuple[Cents, Cents]:
        """Before the round touched the wallet, and when the round was through."""
        touched, known = record.touched(self._player), self._moves.get(record.wallet(self._player))
        if not touched or known is None:
            return balances(self._ledger, record, self._player)
        last = next((step for step in record.steps if any(step.of(Settled))), record.steps[-1])
        before = _balance(known, record.stream, touched[0], included=False)
        return before, _balance(known, record.stream, last, included=True)


def _balance(
    known: tuple[int, list[AccountMove]], stream: str, step: JournalStep, *, included: bool
) -> Cents:
    """All that moved by then; other journals are placed by the time on record."""
    base, moves = known
    upto = step.seq + included
    own = sum(one.amount for one in moves if one.stream == stream and one.seq < upto)
    others = sum(one.amount for one in moves if one.stream != stream and one.at <= step.at)
    return Cents(base + own + others)


def _wallet_streams(ledger: Ledger, wallet: Account) -> Streams:
    """Tables at which it was played with, and all that is no table: cage, nights."""
    player = wallet.name.rpartition("/")[2]
    names = [one.name for one in streams_played(ledger, player)]
    return Streams(names, apart_from=(TABLE, PRACTICE))
