"""Verify a ledger: recompute every hash, posting, balance and head."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import closing
from functools import cached_property
from typing import Any, NamedTuple

from sqlalchemy import Connection, Integer, Result, Row, Select, exists, func, select, type_coerce
from sqlalchemy.exc import SQLAlchemyError

from pitbook.errors import LedgerError
from pitbook.house.ledger import schema
from pitbook.house.ledger.accounts import MAY_OWE, NAME, NORMAL, UNIT, Account, Transfer, changes
from pitbook.house.ledger.anchors import AnchoredCheckpoint
from pitbook.house.ledger.audit_checkpoints import NOTHING, BookFinding, Proved, Signed
from pitbook.house.ledger.audit_schema import integrity, layout
from pitbook.house.ledger.batch import KEPT, TAKEN_OVER
from pitbook.house.ledger.chain import GENESIS, Entry, entry_hash, parse_transfers
from pitbook.house.ledger.chain import parse_content as parsed
from pitbook.house.ledger.checkpoints import Checkpoint
from pitbook.house.ledger.database import cause, reading
from pitbook.house.ledger.journal import Ledger, state_of
from pitbook.house.ledger.stream_kinds import AuditReplay, Reconciled, ReplayOf
from pitbook.money import money
from pitbook.text import say, sentence_of

# Postings, balances and duplicates.


PAGE = 5_000
_P, _A = schema.posting.c, schema.account.c


class Postings:
    """The postings of a stream, read beside its entries."""

    def __init__(self, connection: Connection, stream: int, accounts: dict[int, Account]) -> None:
        asked = select(schema.posting).where(_P.stream == stream).order_by(_P.seq, _P.number)
        self._found = stream_rows(connection, asked)
        self._rows = iter(self._found)
        self._accounts = accounts
        self._next = next(self._rows, None)

    def of(self, seq: int) -> list[tuple[Account | None, int]]:
        """The changes that are posted for an entry; no account where something is wrong."""
        found: list[tuple[Account | None, int]] = []
        while self._next is not None and self._next.seq <= seq:
            row = self._next
            right = (row.seq, row.number) == (seq, len(found))
            found.append((self._accounts.get(row.account) if right else None, row.amount))
            self._next = next(self._rows, None)
        return found

    def left(self) -> int | None:
        """The entry that the first posting left over belongs to."""
        return None if self._next is None else self._next.seq

    def close(self) -> None:
        """Leave the rest unread."""
        self._found.close()


def stream_rows(connection: Connection, asked: Select[Any]) -> Result[Any]:
    """Rows that are read page by page."""
    return connection.execute(asked.execution_options(yield_per=PAGE))


def find_strays(connection: Connection) -> Iterator[BookFinding]:
    """Rows of streams that are not there."""
    for table in (schema.entry, schema.posting, schema.snapshot):
        known = exists().where(_S.id == table.c.stream)
        asked = select(table.c.stream).where(~known).distinct()
        for row in connection.execute(asked):
            what = say("ledger.sums.stray", row=row[0])
            yield BookFinding(say("ledger.place.table", name=table.name), what)


def find_duplicates(connection: Connection) -> Iterator[BookFinding]:
    """What is to be there once, and is there again: a request that was done twice, say."""
    for alone in ((_S.name,), (_E.request,), (_A.unit, _A.kind, _A.name)):
        asked = select(*alone).where(alone[0].is_not(None)).group_by(*alone)
        for row in connection.execute(asked.having(func.count() > 1)):
            what = say("ledger.sums.twice", row=" ".join(map(str, row)))
            yield BookFinding(say("ledger.place.table", name=alone[0].table), what)


def check_balances(due: Mapping[Account, int], connection: Connection) -> Iterator[BookFinding]:
    """Accounts that hold something else than their entries come to, or less than nothing."""
    left = dict(due)
    for row in connection.execute(select(schema.account)):
        account = Account(row.unit, row.kind, row.name)
        came = left.pop(account, 0)
        if row.balance != came:
            what = say("ledger.sums.other-sum", balance=money(row.balance), came=money(came))
            yield BookFinding(say("ledger.place.account", account=account, unit=account.unit), what)
        if account not in due and not _can_be(account):
            yield BookFinding(
                say("ledger.place.account", account=account, unit=account.unit),
                say("ledger.sums.impossible"),
            )
        if came < 0 and account.kind not in MAY_OWE:
            yield BookFinding(
                say("ledger.place.account", account=account, unit=account.unit),
                say("ledger.sums.below-zero", came=money(came)),
            )
    for account in left:
        yield BookFinding(
            say("ledger.place.account", account=account, unit=account.unit),
            say("ledger.sums.no-account"),
        )


def _can_be(account: Account) -> bool:
    """Whether an append may have made it; one that is refused leaves its accounts, empty."""
    is_known = account.kind in NORMAL and UNIT.fullmatch(account.unit)
    return bool(is_known and NAME.fullmatch(account.name))


def unit_totals(balances: Mapping[Account, int]) -> dict[str, int]:
    """What stands on the debit side of each unit; by double entry the credit side is the same."""
    totals: dict[str, int] = defaultdict(int)
    for account, balance in balances.items():
        totals[account.unit] += balance if account.normal == "debit" else 0
    return dict(sorted(totals.items()))


# Entries, stream by stream.


TELL_EVERY = 1_000
_S, _E = schema.stream.c, schema.entry.c
_STREAMS = select(
    *(_S.id, _S.name, _S.epoch, _S.seq, _S.head),
    type_coerce(_S.prunable, Integer).label("prunable"),  # As it is written, not as it reads.
).order_by(_S.id)
HearCount = Callable[[int], None]
_DAMAGE = (LedgerError, TypeError, ValueError, KeyError, AttributeError)


class BookVerdict(NamedTuple):
    """What was read, and what is wrong with it."""

    streams: int
    entries: int
    checkpoints: int
    units: dict[str, int]
    findings: tuple[BookFinding, ...]
    proved: Proved = NOTHING


class _Entry(Entry):
    """An entry that is parsed once, however many look at it."""

    @cached_property
    def _document(self) -> dict[str, Any]:
        return parsed(self.content)

    @cached_property
    def facts(self) -> list[dict[str, Any]]:
        """The facts, as they were given."""
        return list(self._document["facts"])

    @cached_property
    def transfers(self) -> list[Transfer]:
        """The transfers, as they were given."""
        return parse_transfers(self._document)


class _Read:
    """What the entries add up to, as far as they are read."""

    def __init__(
        self,
        checkpoints: Sequence[Checkpoint],
        key: str | None,
        following: ReplayOf | None,
        told: HearCount,
    ) -> None:
        self.following, self.told = following, told
        self.followed: dict[str, AuditReplay] = {}
        self.signed = Signed(checkpoints, key)
        self.balances: dict[Account, int] = defaultdict(int)
        self.kept: dict[str, int] = {}
        self.streams: set[str] = set()
        self.entries = 0


def verify(
    ledger: Ledger,
    checkpoints: Sequence[Checkpoint] = (),
    *,
    key: str | None = None,
    whole: Callable[[], Sequence[Checkpoint]] | None = None,
    anchored: Sequence[AnchoredCheckpoint] | None = None,
    following: ReplayOf | None = None,
    told: HearCount = lambda _: None,
) -> BookVerdict:
    """Every entry, balance, head and checkpoint checked; no findings: the book is sound.

    The checkpoints may be somebody's copy, or `whole`: asked again once the book is read, since a
    house may sign meanwhile. `anchored` is what is known outside.
    `following` knows what facts imply, so that a stream is also gone over again; `told` hears how
    many entries have been read.
    """
    read = _Read(checkpoints, key, following, told)
    findings: list[BookFinding] = []
    try:
        with reading(ledger.engine).connect() as connection:
            findings.extend(_book(read, connection))
    except SQLAlchemyError as error:
        findings.append(
            BookFinding(
                say("ledger.place.database"), say("ledger.verify.not-read-on", why=cause(error))
            )
        )
    except _DAMAGE as error:
        findings.append(
            BookFinding(
                say("ledger.place.database"),
                say("ledger.verify.wrong-kind", error=sentence_of(error)),
            )
        )
    alone = ledger.engine.dialect.name == "sqlite"
    findings.extend(read.signed.findings(whole=whole, alone=alone, anchored=anchored))
    counted = (len(read.streams), read.entries, len(checkpoints), unit_totals(read.balances))
    return BookVerdict(*counted, tuple(findings), read.signed.proved())


def _book(read: _Read, connection: Connection) -> Iterator[BookFinding]:
    accounts = {
        row.id: Account(row.unit, row.kind, row.name)
        for row in connection.execute(select(schema.account))
    }
    for row in connection.execute(_STREAMS).all():
        with closing(Postings(connection, row.id, accounts)) as postings:
            yield from _stream(read, connection, row, postings)
    yield from find_strays(connection)
    yield from find_duplicates(connection)
    yield from layout(connection)
    yield from check_balances(read.balances, connection)
    yield from _reconcile(read)
    yield from _kept(read, connection)
    yield from integrity(connection)


def _stream(
    read: _Read, connection: Connection, stream: Row[Any], postings: Postings
) -> Iterator[BookFinding]:
    read.streams.add(stream.name)
    last = Entry(stream.name, 0, "", 0, "", None, None, "", "", GENESIS)
    prunable: Any = stream.prunable
    again = _Again(read, stream.name)
    for row in stream_rows(connection, _ENTRIES.where(_E.stream == stream.id)):
        entry = _Entry._make((stream.name, *row))
        where = f"{entry.stream} {entry.seq}"
        claims: list[Any] = []
        try:
            claims = _told(read, entry)
            yield from _moved(read, entry, postings, where)
            yield from again.follow(entry, where)
        except _DAMAGE as error:
            yield BookFinding(where, say("ledger.verify.not-read", error=sentence_of(error)))
            again.give_up()
        prunable = claims[-1] if claims else prunable
        yield from _linked(entry, last, len(claims), where)
        _passed(read, entry)
        last = entry
    yield from again.ended()
    yield from _ended(stream, last, prunable, postings)


def _reconcile(read: _Read) -> Iterator[BookFinding]:
    """Findings from comparing streams with each other and with the accounts."""
    for stream, followed in read.followed.items():
        if isinstance(followed, Reconciled):
            try:
                for difference in followed.reconcile(read.followed, read.balances):
                    yield BookFinding(stream, difference)
            except Exception as error:  # noqa: BLE001  Forged facts can break the rules anywhere.
                why = sentence_of(error) or type(error).__name__
                yield BookFinding(stream, say("ledger.verify.cannot-be", why=why))


class _Again:
    """A stream gone over again, as far as anybody knows how, and as far as it can be."""

    def __init__(self, read: _Read, stream: str) -> None:
        self._stream, self._known = stream, read.following is not None
        self._followed = read.following(stream) if read.following else None
        if self._followed is not None:
            read.followed[stream] = self._followed

    def follow(self, entry: Entry, where: str) -> Iterator[BookFinding]:
        """What of an entry its facts do not imply."""
        if self._known and self._followed is None:
            yield BookFinding(entry.stream, say("ledger.verify.strange-stream"))
        self._known = False
        if self._followed is None:
            return
        try:
            for what in self._followed.follow(entry):
                yield BookFinding(where, what)
        except Exception as error:  # noqa: BLE001  Forged facts can break the rules anywhere.
            yield BookFinding(
                where,
                say("ledger.verify.cannot-be", why=sentence_of(error) or type(error).__name__),
            )
            self.give_up()

    def ended(self) -> Iterator[BookFinding]:
        """Whoever opens a stream writes its first entry, so one without any was added by hand."""
        if self._known:
            yield BookFinding(self._stream, say("ledger.verify.empty-stream"))

    def give_up(self) -> None:
        """Nobody knows what the entries from here on follow."""
        self._followed, self._known = None, False


def _told(read: _Read, entry: Entry) -> list[Any]:
    """What each claim in the entry says of pruning; the book's other own facts are noted."""
    claims: list[Any] = []
    for fact in entry.facts:
        if fact["fact"] == TAKEN_OVER:
            claims.append(fact["prunable"])
        elif fact["fact"] == KEPT:
            read.kept[entry.stream] = entry.seq
    read.signed.told(entry)
    return claims


def _linked(entry: Entry, last: Entry, claims: int, where: str) -> Iterator[BookFinding]:
    if entry.seq != last.seq + 1:
        yield BookFinding(where, say("ledger.verify.missing", seq=last.seq + 1))
    if entry.previous != last.hash:
        yield BookFinding(where, say("ledger.verify.not-linked"))
    if entry_hash(entry) != entry.hash:
        yield BookFinding(where, say("ledger.verify.changed"))
    if entry.epoch != last.epoch + claims:
        yield BookFinding(
            where, say("ledger.verify.epoch", epoch=entry.epoch, due=last.epoch + claims)
        )


def _moved(read: _Read, entry: Entry, postings: Postings, where: str) -> Iterator[BookFinding]:
    moved = [change for transfer in entry.transfers for change in changes(transfer)]
    for account, change in moved:
        read.balances[account] += change
    if postings.of(entry.seq) != moved:
        yield BookFinding(where, say("ledger.verify.postings"))


def _passed(read: _Read, entry: Entry) -> None:
    read.entries += 1
    if not read.entries % TELL_EVERY:
        read.told(read.entries)
    read.signed.passed(entry)


def _ended(
    stream: Row[Any], last: Entry, prunable: Any, postings: Postings
) -> Iterator[BookFinding]:
    if (stream.seq, stream.head, stream.epoch) != (last.seq, last.hash, last.epoch):
        what = say("ledger.verify.head", seq=stream.seq, found=last.seq)
        yield BookFinding(stream.name, what)
    if prunable != stream.prunable:
        yield BookFinding(stream.name, say("ledger.verify.prunable"))
    if (seq := postings.left()) is not None:
        yield BookFinding(stream.name, say("ledger.verify.stray-postings", seq=seq))


_ENTRIES: Select[Any] = select(
    *(
        _E.seq,
        _E.at,
        _E.epoch,
        _E.actor,
        _E.request,
        _E.body,
        _E.content,
        _E.previous,
        _E.hash,
    )
).order_by(_E.seq)


def _kept(read: _Read, connection: Connection) -> Iterator[BookFinding]:
    asked = (
        select(_S.name, schema.snapshot.c.seq, schema.snapshot.c.state, _E.content)
        .join(schema.stream, _S.id == schema.snapshot.c.stream)
        .outerjoin(
            schema.entry,
            (_E.stream == _S.id) & (_E.seq == schema.snapshot.c.seq),
        )
    )
    for row in connection.execute(asked):
        if read.kept.pop(row.name, None) != row.seq:
            yield BookFinding(f"{row.name} {row.seq}", say("ledger.verify.old-state"))
        try:
            state = state_of(row.name, row.state, row.content)
            if not _is_led_to(read.followed.get(row.name), state):
                what = say("ledger.verify.other-state")
                yield BookFinding(f"{row.name} {row.seq}", what)
        except _DAMAGE as error:
            yield BookFinding(f"{row.name} {row.seq}", str(error))
    for name, seq in read.kept.items():
        yield BookFinding(f"{name} {seq}", say("ledger.verify.lost-state"))


def _is_led_to(followed: AuditReplay | None, state: dict[str, Any]) -> bool:
    try:
        return followed is None or followed.is_kept(state)
    except Exception:  # noqa: BLE001  No table keeps what it cannot take up again.
        return False
