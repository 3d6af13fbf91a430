"""Rounds read back from the ledger."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Any, NamedTuple, TypeVar

from pitbook.errors import LedgerError, RoundError
from pitbook.house.ledger.accounts import Account, Transfer
from pitbook.house.ledger.fact_codec import Fact, Json
from pitbook.house.ledger.hash_chain import Entry, parse_content, parse_transfers
from pitbook.house.ledger.ledger import Ledger, Stream
from pitbook.house.ledger.money_queries import NamedAccounts, balance_before, streams_moving
from pitbook.house.table import facts
from pitbook.house.table.apply_facts import apply, end_deal, replay
from pitbook.house.table.events import public_shoe
from pitbook.house.table.facts import FACTS, ShoeRevealed
from pitbook.house.table.state import TableState
from pitbook.house.table.stream_names import PRACTICE, TABLE
from pitbook.house.table.transfers import table_accounts
from pitbook.money import Cents
from pitbook.rules.actions import Deal, Expose, Turn
from pitbook.rules.round import Round
from pitbook.text import say
from pitbook.text.user_input import did_you_mean, printable

WINDOW = 500
Kind = TypeVar("Kind")

# Facts of a round, and facts of the table around it.
_ROUND_FACTS: frozenset[type] = frozenset(
    (
        *(
            facts.RoundOpened,
            facts.Wagered,
            facts.Undone,
            facts.Acted,
            facts.Corrected,
            facts.Settled,
        ),
        *(
            facts.SeatSeed,
            facts.Ready,
            facts.CoachAdvice,
            facts.Agreed,
            facts.Interrupted,
            facts.Resumed,
        ),
        *(facts.Fill, facts.ShoeRevealed, facts.SettlementReversed, facts.DealerOn),
    )
)
_TABLE_FACTS: frozenset[type] = frozenset(
    (
        *(facts.TableOpened, facts.SheetChanged, facts.Sat, facts.Left, facts.ShoeOpened),
        *(facts.SeatSeed, facts.ShoeRevealed, facts.RoundOpened, facts.Coach, facts.Shuffler),
        *(facts.DealerOn, facts.DealerOff),
    )
)
_CARDS = (Turn, Expose)
_ID = re.compile(r"(?P<table>.+)-(?P<number>[0-9]{1,9})")


class JournalStep(NamedTuple):
    """One ledger entry's part of a round."""

    seq: int
    at: str
    actor: str
    facts: tuple[Fact, ...]
    transfers: tuple[Transfer, ...]

    def of(self, kind: type[Kind]) -> Iterator[Kind]:
        return (fact for fact in self.facts if isinstance(fact, kind))


class RoundRecord(NamedTuple):
    """A recorded round: the table when it opened, and every step since."""

    stream: str
    id: str
    before: TableState
    steps: tuple[JournalStep, ...]
    revealed: ShoeRevealed | None = None

    @property
    def state(self) -> TableState:
        """The state after the round's steps."""
        round_facts = (fact for step in self.steps for fact in step.facts)
        return replay(
            (fact for fact in round_facts if not isinstance(fact, ShoeRevealed)), self.before
        )

    @property
    def number(self) -> int:
        """The round's number at its table."""
        (opened,) = self.steps[0].of(facts.RoundOpened)
        return opened.number

    @property
    def settled(self) -> Json | None:
        """The recorded settlement, or None before the round is over."""
        reports = [fact.report for step in self.steps for fact in step.of(facts.Settled)]
        return reports[0] if reports else None

    @property
    def dealers(self) -> list[str]:
        """Who dealt the round: those who tapped in, otherwise those who typed its cards."""
        (opened,) = self.steps[0].of(facts.RoundOpened)
        relief = [fact.dealer for step in self.steps for fact in step.of(facts.DealerOn)]
        dealers = [dealer for dealer in (opened.dealer, *relief) if dealer]
        if dealers or not self.before.typed:
            return list(dict.fromkeys(dealers))
        dealing_steps = (step for step in self.steps if any(map(_is_card, step.of(facts.Acted))))
        return list(dict.fromkeys(step.actor for step in dealing_steps))

    @property
    def is_whole(self) -> bool:
        """Whether the record includes its rules and shoe."""
        (opened,) = self.steps[0].of(facts.RoundOpened)
        shoe = (self.before.shoe or {}).get("id")
        return (opened.sheet, opened.shoe) == (self.before.upcoming_sheet.get("hash"), shoe)

    def seed_of(self, shoe: Json | None) -> ShoeRevealed | None:
        """The reveal of a shoe's seed during these steps, or None."""
        return _revealed_seed(shoe, self.steps)

    def wallet(self, player: str) -> Account:
        """The wallet that the player used in this round."""
        return table_accounts(self.before).wallet(player)

    def steps_of_wallet(self, player: str) -> list[JournalStep]:
        """The steps that moved a player's money."""
        wallet = self.wallet(player)
        return [
            step
            for step in self.steps
            if any(wallet in transfer[:2] for transfer in step.transfers)
        ]


def _is_card(fact: facts.Acted) -> bool:
    return isinstance(fact.action, _CARDS)


def _revealed_seed(shoe: Json | None, steps: Iterable[JournalStep]) -> ShoeRevealed | None:
    shoe_id = (shoe or {}).get("id")
    reveals = (fact for step in steps for fact in step.of(ShoeRevealed))
    return next((fact for fact in reveals if fact.id == shoe_id), None)


def table_streams(ledger: Ledger) -> dict[str, Stream]:
    """Every recorded table's stream by the table's name."""
    streams = [stream for stream in ledger.streams() if stream.name.startswith((TABLE, PRACTICE))]
    for stream in streams:
        if type(stream.seq) is not int:
            raise LedgerError(say("ledger.no-head", stream=stream.name))
    return {stream.name.partition("/")[2]: stream for stream in streams}


def table_rounds(ledger: Ledger, stream: str, *, after: int = 0) -> Iterator[RoundRecord]:
    """A table's rounds in order; with `after`, those that open later."""
    context = _opening_state(ledger, stream) if after else TableState()
    return read_rounds(stream, ledger.entries(stream, after=after), context)


def read_rounds(
    stream: str, entries: Iterable[Entry], context: TableState
) -> Iterator[RoundRecord]:
    """The rounds that open in some entries, given the table's state before."""
    record: RoundRecord | None = None
    for entry in entries:
        content = parse_content(entry.content)
        entry_facts = FACTS.load_all(content["facts"])
        for fact in entry_facts:
            if isinstance(fact, facts.RoundOpened):
                if record is not None:
                    yield record
                record = RoundRecord(stream, fact.round, context, ())
            context = _next_context(context, fact)
        if record is not None:
            record = _add_entry(record, entry, entry_facts, content)
    if record is not None:
        yield record


def find_round(ledger: Ledger, round_id: str) -> RoundRecord:
    """The round with an id such as "stud-1-000004"; raises RoundError if there is none."""
    streams = table_streams(ledger)
    parts = _ID.fullmatch(round_id)
    if parts is None or parts["table"] not in streams:
        number = f"{int(parts['number']):06d}" if parts else "000001"
        names = [f"{table}-{number}" for table in streams]
        remedy = did_you_mean(round_id, names) if names else say("table.past.no-table")
        raise RoundError(say("table.past.no-round", round=printable(round_id), remedy=remedy))
    return _load_numbered(ledger, streams[parts["table"]], int(parts["number"]))


def _load_numbered(ledger: Ledger, stream: Stream, number: int) -> RoundRecord:
    record = _find_numbered(ledger, stream.name, number, _seek(ledger, stream, number))
    if record is None or not record.is_whole:
        record = _find_numbered(ledger, stream.name, number, 0)
    if record is None:
        last = latest_rounds(ledger, stream, 1)
        fields = {"stream": stream.name, "number": number, "last": last[0].number if last else 0}
        raise RoundError(say("table.past.no-such-number", **fields))
    return record


def round_shoe(record: RoundRecord, *, seed: bool = False) -> Json | None:
    """The public part of the round's shoe, with its seed if revealed.

    The seed of a shoe with single-card commitments would reveal every folded hand, so only the
    auditor gets it.
    """
    if record.before.shoe is None:
        return None
    reveal, opens_by_card = record.revealed, record.before.card_commitments
    fields = {
        "drawn": record.before.drawn,
        "seed": reveal.seed if reveal is not None and (seed or not opens_by_card) else None,
        "seat_seeds": _deal_seeds(record)
        if opens_by_card
        else _seed_lists(reveal.seat_seeds if reveal else ()),
    }
    return public_shoe(record.before.shoe) | fields


def _deal_seeds(record: RoundRecord) -> list[list[Any]]:
    """The seeds of a finished deal; earlier they are private."""
    past = record.state.past if record.settled is not None else ()
    return _seed_lists(past[-1].seeds if past else ())


def _seed_lists(seeds: Iterable[tuple[int, str]]) -> list[list[Any]]:
    return [list(seed) for seed in seeds]


def wallet_balances(ledger: Ledger, record: RoundRecord, player: str) -> tuple[Cents, Cents]:
    """A player's wallet balance before the round touched it and after the round."""
    wallet = record.wallet(player)
    if not (steps := record.steps_of_wallet(player)):
        now = ledger.balance(wallet)
        return now, now
    last = next((step for step in record.steps if any(step.of(facts.Settled))), record.steps[-1])
    before = _balance_at(ledger, wallet, record.stream, steps[0], included=False)
    return before, _balance_at(ledger, wallet, record.stream, last, included=True)


def _balance_at(
    ledger: Ledger, wallet: Account, stream: str, step: JournalStep, *, included: bool
) -> Cents:
    """The balance at a step; other streams are ordered by recorded time."""
    with ledger.snapshot() as snapshot:
        return balance_before(snapshot, wallet, stream, before=step.seq + included, at=step.at)


def streams_of_player(ledger: Ledger, player: str) -> set[str]:
    """The streams that moved a player's money."""
    with ledger.snapshot() as snapshot:
        return streams_moving(snapshot, NamedAccounts("wallet", player))


def _next_context(context: TableState, fact: Fact) -> TableState:
    """The table state that the next round opens with."""
    if type(fact) in _TABLE_FACTS:
        return apply(context, fact)
    if isinstance(fact, facts.Acted) and isinstance(fact.action, Deal):
        return context._replace(drawn=context.drawn + 1)
    if isinstance(fact, facts.Settled):
        return end_deal(context)
    return context


def _add_entry(
    record: RoundRecord, entry: Entry, entry_facts: Sequence[Fact], content: Json
) -> RoundRecord:
    """The record with an entry's facts added."""
    round_facts = tuple(fact for fact in entry_facts if type(fact) in _ROUND_FACTS)
    if not round_facts:
        return record
    prefix = f"{record.id} "
    transfers = tuple(
        transfer for transfer in parse_transfers(content) if transfer.why.startswith(prefix)
    )
    step = JournalStep(entry.seq, entry.at, entry.actor, round_facts, transfers)
    revealed = record.revealed or _revealed_seed(record.before.shoe, (step,))
    return record._replace(steps=(*record.steps, step), revealed=revealed)


def _opening_state(ledger: Ledger, stream: str) -> TableState:
    """The table's state when it was set up."""
    for entry in ledger.entries(stream):
        for fact in FACTS.load_kind(entry, facts.TableOpened):
            return apply(TableState(), fact)
    return TableState()


def _seek(ledger: Ledger, stream: Stream, number: int) -> int:
    """The number of an entry shortly before the round opens, by binary search."""
    low, high = 0, stream.seq
    while high - low > WINDOW:
        middle = (low + high) // 2
        opened = _opened_after(ledger, stream.name, middle, high)
        if opened is not None and opened < number:
            low = middle
        else:
            high = middle
    return low


def _opened_after(ledger: Ledger, stream: str, after: int, end: int) -> int | None:
    for entry in ledger.entries(stream, after=after):
        if entry.seq > end:
            return None
        for fact in FACTS.load_kind(entry, facts.RoundOpened):
            return fact.number
    return None


def _find_numbered(ledger: Ledger, stream: str, number: int, after: int) -> RoundRecord | None:
    """The round, and the seed of its shoe from later rounds."""
    found_record: RoundRecord | None = None
    for record in table_rounds(ledger, stream, after=after):
        if record.number == number:
            found_record = record
        if found_record is None:
            continue
        found_record = found_record._replace(revealed=record.seed_of(found_record.before.shoe))
        if found_record.revealed is not None or record.before.shoe != found_record.before.shoe:
            return found_record
    return found_record


def latest_rounds(
    ledger: Ledger, stream: Stream, count: int, is_wanted: Callable[[RoundRecord], bool] = bool
) -> list[RoundRecord]:
    """A table's last rounds that match, in order; reads only the end of a long stream."""
    window = WINDOW
    while True:
        after = max(0, stream.seq - window)
        records = [
            record for record in table_rounds(ledger, stream.name, after=after) if record.is_whole
        ]
        records = [record for record in records if is_wanted(record)]
        if len(records) >= count or not after:
            return records[-count:]
        window *= 4


def round_of(state: TableState) -> Round:
    assert state.round is not None
    return state.round
