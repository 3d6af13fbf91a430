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
from pitbook.house.ledger.accounts import (
    MAY_OWE,
    NAME,
    NORMAL,
    UNIT,
    Account,
    Transfer,
    balance_changes,
)
from pitbook.house.ledger.anchors import AnchoredCheckpoint
from pitbook.house.ledger.append_batch import CLAIMED, SNAPSHOT_STORED
from pitbook.house.ledger.audit_checkpoints import (
    NO_COVERAGE,
    CheckpointCheck,
    Coverage,
    LedgerFinding,
)
from pitbook.house.ledger.audit_schema import check_integrity, check_layout
from pitbook.house.ledger.checkpoints import Checkpoint
from pitbook.house.ledger.database import error_text, for_reading
from pitbook.house.ledger.hash_chain import (
    GENESIS,
    Entry,
    entry_hash,
    parse_content,
    parse_transfers,
)
from pitbook.house.ledger.ledger import Ledger, verified_state
from pitbook.house.ledger.stream_kinds import AuditReplay, Reconciles, ReplayOf
from pitbook.money import money
from pitbook.text import say, sentence_of

# Postings, balances and duplicates.


PAGE = 5_000
_P, _A = schema.posting.c, schema.account.c


class Postings:
    """The postings of a stream, read alongside its entries."""

    def __init__(self, connection: Connection, stream: int, accounts: dict[int, Account]) -> None:
        query = select(schema.posting).where(_P.stream == stream).order_by(_P.seq, _P.number)
        self._result = stream_rows(connection, query)
        self._rows = iter(self._result)
        self._accounts = accounts
        self._next = next(self._rows, None)

    def of(self, seq: int) -> list[tuple[Account | None, int]]:
        """The changes posted for an entry; the account is None if a posting is out of order."""
        posted: list[tuple[Account | None, int]] = []
        while self._next is not None and self._next.seq <= seq:
            row = self._next
            is_expected = (row.seq, row.number) == (seq, len(posted))
            posted.append((self._accounts.get(row.account) if is_expected else None, row.amount))
            self._next = next(self._rows, None)
        return posted

    def unread_seq(self) -> int | None:
        """The number of the entry that the first unread posting belongs to."""
        return None if self._next is None else self._next.seq

    def close(self) -> None:
        self._result.close()


def stream_rows(connection: Connection, query: Select[Any]) -> Result[Any]:
    """Rows fetched page by page."""
    return connection.execute(query.execution_options(yield_per=PAGE))


def find_strays(connection: Connection) -> Iterator[LedgerFinding]:
    """Yield rows that belong to no stream."""
    for table in (schema.entry, schema.posting, schema.snapshot):
        in_stream = exists().where(_S.id == table.c.stream)
        query = select(table.c.stream).where(~in_stream).distinct()
        for row in connection.execute(query):
            message = say("ledger.sums.stray", row=row[0])
            yield LedgerFinding(say("ledger.place.table", name=table.name), message)


def find_duplicates(connection: Connection) -> Iterator[LedgerFinding]:
    """Yield stream names, requests and accounts that occur more than once."""
    for columns in ((_S.name,), (_E.request,), (_A.unit, _A.kind, _A.name)):
        query = select(*columns).where(columns[0].is_not(None)).group_by(*columns)
        for row in connection.execute(query.having(func.count() > 1)):
            message = say("ledger.sums.twice", row=" ".join(map(str, row)))
            yield LedgerFinding(say("ledger.place.table", name=columns[0].table), message)


def check_balances(
    totals: Mapping[Account, int], connection: Connection
) -> Iterator[LedgerFinding]:
    """Yield accounts whose balance differs from the sum of their entries, or is below zero."""
    missing = dict(totals)
    for row in connection.execute(select(schema.account)):
        account = Account(row.unit, row.kind, row.name)
        total = missing.pop(account, 0)
        if row.balance != total:
            message = say("ledger.sums.other-sum", balance=money(row.balance), came=money(total))
            yield LedgerFinding(
                say("ledger.place.account", account=account, unit=account.unit), message
            )
        if account not in totals and not _is_possible(account):
            yield LedgerFinding(
                say("ledger.place.account", account=account, unit=account.unit),
                say("ledger.sums.impossible"),
            )
        if total < 0 and account.kind not in MAY_OWE:
            yield LedgerFinding(
                say("ledger.place.account", account=account, unit=account.unit),
                say("ledger.sums.below-zero", came=money(total)),
            )
    for account in missing:
        yield LedgerFinding(
            say("ledger.place.account", account=account, unit=account.unit),
            say("ledger.sums.no-account"),
        )


def _is_possible(account: Account) -> bool:
    """Whether an append may have created the account; a refused append leaves empty accounts."""
    is_valid = account.kind in NORMAL and UNIT.fullmatch(account.unit)
    return bool(is_valid and NAME.fullmatch(account.name))


def unit_totals(balances: Mapping[Account, int]) -> dict[str, int]:
    """Total of each unit's debit accounts, which equals that of its credit accounts."""
    totals: dict[str, int] = defaultdict(int)
    for account, balance in balances.items():
        totals[account.unit] += balance if account.normal == "debit" else 0
    return dict(sorted(totals.items()))


# Entries, stream by stream.


REPORT_EVERY = 1_000
_S, _E = schema.stream.c, schema.entry.c
_STREAMS = select(
    *(_S.id, _S.name, _S.epoch, _S.seq, _S.head),
    type_coerce(_S.prunable, Integer).label(
        "prunable"
    ),  # The stored value, not SQLAlchemy's reading of it.
).order_by(_S.id)
ReportProgress = Callable[[int], None]
_DAMAGE = (LedgerError, TypeError, ValueError, KeyError, AttributeError)


class LedgerVerdict(NamedTuple):
    """Counts of what was checked, and the findings."""

    streams: int
    entries: int
    checkpoints: int
    units: dict[str, int]
    findings: tuple[LedgerFinding, ...]
    proved: Coverage = NO_COVERAGE


class _Entry(Entry):
    """An entry that is parsed once, for all checks."""

    @cached_property
    def _document(self) -> dict[str, Any]:
        return parse_content(self.content)

    @cached_property
    def facts(self) -> list[dict[str, Any]]:
        return list(self._document["facts"])

    @cached_property
    def transfers(self) -> list[Transfer]:
        return parse_transfers(self._document)


class _AuditState:
    """Totals of the entries read so far."""

    def __init__(
        self,
        checkpoints: Sequence[Checkpoint],
        key: str | None,
        replay_of: ReplayOf | None,
        report: ReportProgress,
    ) -> None:
        self.replay_of, self.report = replay_of, report
        self.replays: dict[str, AuditReplay] = {}
        self.signed = CheckpointCheck(checkpoints, key)
        self.balances: dict[Account, int] = defaultdict(int)
        self.snapshots: dict[str, int] = {}
        self.streams: set[str] = set()
        self.entries = 0


def verify(
    ledger: Ledger,
    checkpoints: Sequence[Checkpoint] = (),
    *,
    key: str | None = None,
    read_again: Callable[[], Sequence[Checkpoint]] | None = None,
    anchored: Sequence[AnchoredCheckpoint] | None = None,
    replay_of: ReplayOf | None = None,
    report: ReportProgress = lambda _: None,
) -> LedgerVerdict:
    """Check every entry, balance, head and checkpoint; no findings means the ledger is intact.

    The checkpoints may be a copy. `read_again` reads the server's own once the ledger is read,
    because it may sign meanwhile. `anchored` holds the checkpoints recorded outside. `replay_of`
    returns the audit that replays a stream. `report` receives the number of entries read.
    """
    audit_state = _AuditState(checkpoints, key, replay_of, report)
    findings: list[LedgerFinding] = []
    try:
        with for_reading(ledger.engine).connect() as connection:
            findings.extend(_check_ledger(audit_state, connection))
    except SQLAlchemyError as error:
        findings.append(
            LedgerFinding(
                say("ledger.place.database"),
                say("ledger.verify.not-read-on", why=error_text(error)),
            )
        )
    except _DAMAGE as error:
        findings.append(
            LedgerFinding(
                say("ledger.place.database"),
                say("ledger.verify.wrong-kind", error=sentence_of(error)),
            )
        )
    is_only_signer = ledger.engine.dialect.name == "sqlite"
    findings.extend(
        audit_state.signed.findings(
            read_again=read_again, is_only_signer=is_only_signer, anchored=anchored
        )
    )
    counts = (
        len(audit_state.streams),
        audit_state.entries,
        len(checkpoints),
        unit_totals(audit_state.balances),
    )
    return LedgerVerdict(*counts, tuple(findings), audit_state.signed.coverage())


def _check_ledger(audit_state: _AuditState, connection: Connection) -> Iterator[LedgerFinding]:
    accounts = {
        row.id: Account(row.unit, row.kind, row.name)
        for row in connection.execute(select(schema.account))
    }
    for row in connection.execute(_STREAMS).all():
        with closing(Postings(connection, row.id, accounts)) as postings:
            yield from _check_stream(audit_state, connection, row, postings)
    yield from find_strays(connection)
    yield from find_duplicates(connection)
    yield from check_layout(connection)
    yield from check_balances(audit_state.balances, connection)
    yield from _reconcile(audit_state)
    yield from _check_snapshots(audit_state, connection)
    yield from check_integrity(connection)


def _check_stream(
    audit_state: _AuditState, connection: Connection, stream: Row[Any], postings: Postings
) -> Iterator[LedgerFinding]:
    audit_state.streams.add(stream.name)
    last = Entry(stream.name, 0, "", 0, "", None, None, "", "", GENESIS)
    prunable: Any = stream.prunable
    replay = _StreamReplay(audit_state, stream.name)
    for row in stream_rows(connection, _ENTRIES.where(_E.stream == stream.id)):
        entry = _Entry._make((stream.name, *row))
        place = f"{entry.stream} {entry.seq}"
        claims: list[Any] = []
        try:
            claims = _read_claims(audit_state, entry)
            yield from _check_postings(audit_state, entry, postings, place)
            yield from replay.check_entry(entry, place)
        except _DAMAGE as error:
            yield LedgerFinding(place, say("ledger.verify.not-read", error=sentence_of(error)))
            replay.give_up()
        prunable = claims[-1] if claims else prunable
        yield from _check_chain(entry, last, len(claims), place)
        _count_entry(audit_state, entry)
        last = entry
    yield from replay.check_opened()
    yield from _check_head(stream, last, prunable, postings)


def _reconcile(audit_state: _AuditState) -> Iterator[LedgerFinding]:
    """Yield differences found by comparing streams with each other and with the accounts."""
    for stream, replay in audit_state.replays.items():
        if isinstance(replay, Reconciles):
            try:
                for difference in replay.reconcile(audit_state.replays, audit_state.balances):
                    yield LedgerFinding(stream, difference)
            except Exception as error:  # noqa: BLE001  Forged facts can break the rules anywhere.
                why = sentence_of(error) or type(error).__name__
                yield LedgerFinding(stream, say("ledger.verify.cannot-be", why=why))


class _StreamReplay:
    """Replays a stream, as long as its kind is known and its facts can be applied."""

    def __init__(self, audit_state: _AuditState, stream: str) -> None:
        self._stream, self._known = stream, audit_state.replay_of is not None
        self._followed = audit_state.replay_of(stream) if audit_state.replay_of else None
        if self._followed is not None:
            audit_state.replays[stream] = self._followed

    def check_entry(self, entry: Entry, place: str) -> Iterator[LedgerFinding]:
        """Yield what in an entry does not follow from its facts."""
        if self._known and self._followed is None:
            yield LedgerFinding(entry.stream, say("ledger.verify.strange-stream"))
        self._known = False
        if self._followed is None:
            return
        try:
            for message in self._followed.check_entry(entry):
                yield LedgerFinding(place, message)
        except Exception as error:  # noqa: BLE001  Forged facts can break the rules anywhere.
            yield LedgerFinding(
                place,
                say("ledger.verify.cannot-be", why=sentence_of(error) or type(error).__name__),
            )
            self.give_up()

    def check_opened(self) -> Iterator[LedgerFinding]:
        """Yield a finding for a stream without entries: a claim always writes the first."""
        if self._known:
            yield LedgerFinding(self._stream, say("ledger.verify.empty-stream"))

    def give_up(self) -> None:
        """Stop replaying this stream after an error."""
        self._followed, self._known = None, False


def _read_claims(audit_state: _AuditState, entry: Entry) -> list[Any]:
    """The `prunable` flag of each claim in the entry; also records its snapshots and notes."""
    claims: list[Any] = []
    for fact in entry.facts:
        if fact["fact"] == CLAIMED:
            claims.append(fact["prunable"])
        elif fact["fact"] == SNAPSHOT_STORED:
            audit_state.snapshots[entry.stream] = entry.seq
    audit_state.signed.note_claims(entry)
    return claims


def _check_chain(entry: Entry, previous: Entry, claims: int, place: str) -> Iterator[LedgerFinding]:
    if entry.seq != previous.seq + 1:
        yield LedgerFinding(place, say("ledger.verify.missing", seq=previous.seq + 1))
    if entry.previous != previous.hash:
        yield LedgerFinding(place, say("ledger.verify.not-linked"))
    if entry_hash(entry) != entry.hash:
        yield LedgerFinding(place, say("ledger.verify.changed"))
    if entry.epoch != previous.epoch + claims:
        yield LedgerFinding(
            place, say("ledger.verify.epoch", epoch=entry.epoch, due=previous.epoch + claims)
        )


def _check_postings(
    audit_state: _AuditState, entry: Entry, postings: Postings, place: str
) -> Iterator[LedgerFinding]:
    changes = [change for transfer in entry.transfers for change in balance_changes(transfer)]
    for account, change in changes:
        audit_state.balances[account] += change
    if postings.of(entry.seq) != changes:
        yield LedgerFinding(place, say("ledger.verify.postings"))


def _count_entry(audit_state: _AuditState, entry: Entry) -> None:
    audit_state.entries += 1
    if not audit_state.entries % REPORT_EVERY:
        audit_state.report(audit_state.entries)
    audit_state.signed.add_entry(entry)


def _check_head(
    stream: Row[Any], last: Entry, prunable: Any, postings: Postings
) -> Iterator[LedgerFinding]:
    if (stream.seq, stream.head, stream.epoch) != (last.seq, last.hash, last.epoch):
        message = say("ledger.verify.head", seq=stream.seq, found=last.seq)
        yield LedgerFinding(stream.name, message)
    if prunable != stream.prunable:
        yield LedgerFinding(stream.name, say("ledger.verify.prunable"))
    if (seq := postings.unread_seq()) is not None:
        yield LedgerFinding(stream.name, say("ledger.verify.stray-postings", seq=seq))


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


def _check_snapshots(audit_state: _AuditState, connection: Connection) -> Iterator[LedgerFinding]:
    query = (
        select(_S.name, schema.snapshot.c.seq, schema.snapshot.c.state, _E.content)
        .join(schema.stream, _S.id == schema.snapshot.c.stream)
        .outerjoin(
            schema.entry,
            (_E.stream == _S.id) & (_E.seq == schema.snapshot.c.seq),
        )
    )
    for row in connection.execute(query):
        if audit_state.snapshots.pop(row.name, None) != row.seq:
            yield LedgerFinding(f"{row.name} {row.seq}", say("ledger.verify.old-state"))
        try:
            state = verified_state(row.name, row.state, row.content)
            if not _is_expected_state(audit_state.replays.get(row.name), state):
                message = say("ledger.verify.other-state")
                yield LedgerFinding(f"{row.name} {row.seq}", message)
        except _DAMAGE as error:
            yield LedgerFinding(f"{row.name} {row.seq}", str(error))
    for name, seq in audit_state.snapshots.items():
        yield LedgerFinding(f"{name} {seq}", say("ledger.verify.lost-state"))


def _is_expected_state(replay: AuditReplay | None, state: dict[str, Any]) -> bool:
    try:
        return replay is None or replay.is_snapshot_of(state)
    except Exception:  # noqa: BLE001  A snapshot that cannot be decoded is never stored.
        return False
