"""Rounds read back from the journal."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Any, NamedTuple, TypeVar

from pitbook.errors import LedgerError, RoundError
from pitbook.house.ledger.accounts import Account, Transfer
from pitbook.house.ledger.chain import Entry, parse_content, parse_transfers
from pitbook.house.ledger.codec import Fact, Json
from pitbook.house.ledger.journal import Ledger, Stream
from pitbook.house.ledger.movements import AccountsOf, held_by, moved_in
from pitbook.house.table import facts
from pitbook.house.table.events import public_shoe
from pitbook.house.table.facts import FACTS, ShoeRevealed
from pitbook.house.table.payouts import table_accounts
from pitbook.house.table.state import TableState, apply, end_deal, replay
from pitbook.house.table.streams import PRACTICE, TABLE
from pitbook.money import Cents
from pitbook.rules.actions import Deal, Expose, Turn
from pitbook.rules.round import Round
from pitbook.sheets.findings import did_you_mean, printable
from pitbook.text import say

WINDOW = 500
Kind = TypeVar("Kind")

# What becomes of a round, and what becomes of the table around it.
_OF_THE_ROUND: frozenset[type] = frozenset(
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
        *(facts.Fill, facts.ShoeRevealed, facts.TakenBack, facts.DealerOn),
    )
)
_OF_THE_TABLE: frozenset[type] = frozenset(
    (
        *(facts.TableOpened, facts.SheetChanged, facts.Sat, facts.Left, facts.ShoeOpened),
        *(facts.SeatSeed, facts.ShoeRevealed, facts.RoundOpened, facts.Coach, facts.Shuffler),
        *(facts.DealerOn, facts.DealerOff),
    )
)
_CARDS = (Turn, Expose)
_ID = re.compile(r"(?P<table>.+)-(?P<number>[0-9]{1,9})")


class JournalStep(NamedTuple):
    """One entry of the journal, as far as it belongs to a round."""

    seq: int
    at: str
    actor: str
    facts: tuple[Fact, ...]
    transfers: tuple[Transfer, ...]

    def of(self, kind: type[Kind]) -> Iterator[Kind]:
        """Its facts of one kind."""
        return (fact for fact in self.facts if isinstance(fact, kind))


class RoundRecord(NamedTuple):
    """A round on record: the table as it was when it opened, and every step since."""

    stream: str
    id: str
    before: TableState
    steps: tuple[JournalStep, ...]
    revealed: ShoeRevealed | None = None

    @property
    def state(self) -> TableState:
        """The table as the round left it, or as it stands now."""
        kept = (fact for step in self.steps for fact in step.facts)
        return replay((one for one in kept if not isinstance(one, ShoeRevealed)), self.before)

    @property
    def number(self) -> int:
        """The round's number at its table."""
        (opened,) = self.steps[0].of(facts.RoundOpened)
        return opened.number

    @property
    def settled(self) -> Json | None:
        """The settlement as it was written down, once the round is over."""
        found = [fact.report for step in self.steps for fact in step.of(facts.Settled)]
        return found[0] if found else None

    @property
    def dealers(self) -> list[str]:
        """Who dealt it: those who had signed on, or else who named its cards for the book."""
        (opened,) = self.steps[0].of(facts.RoundOpened)
        relief = [one.dealer for step in self.steps for one in step.of(facts.DealerOn)]
        signed = [one for one in (opened.dealer, *relief) if one]
        if signed or not self.before.typed:
            return list(dict.fromkeys(signed))
        dealt = (one for one in self.steps if any(map(_is_card, one.of(facts.Acted))))
        return list(dict.fromkeys(one.actor for one in dealt))

    @property
    def is_whole(self) -> bool:
        """Whether the rules and the shoe that it names are on hand."""
        (opened,) = self.steps[0].of(facts.RoundOpened)
        shoe = (self.before.shoe or {}).get("id")
        return (opened.sheet, opened.shoe) == (self.before.coming.get("hash"), shoe)

    def seed_of(self, shoe: Json | None) -> ShoeRevealed | None:
        """What was told of a shoe while the round was the latest, if its seed was."""
        return _revealed_seed(shoe, self.steps)

    def wallet(self, player: str) -> Account:
        """Where a player's money for this round came from."""
        return table_accounts(self.before).wallet(player)

    def touched(self, player: str) -> list[JournalStep]:
        """The steps that moved money of a player."""
        wallet = self.wallet(player)
        return [step for step in self.steps if any(wallet in one[:2] for one in step.transfers)]


def _is_card(fact: facts.Acted) -> bool:
    return isinstance(fact.action, _CARDS)


def _revealed_seed(shoe: Json | None, steps: Iterable[JournalStep]) -> ShoeRevealed | None:
    named = (shoe or {}).get("id")
    told = (fact for step in steps for fact in step.of(ShoeRevealed))
    return next((fact for fact in told if fact.id == named), None)


def table_streams(ledger: Ledger) -> dict[str, Stream]:
    """Every table on record by its name."""
    named = [one for one in ledger.streams() if one.name.startswith((TABLE, PRACTICE))]
    for one in named:
        if type(one.seq) is not int:
            raise LedgerError(say("ledger.no-head", stream=one.name))
    return {one.name.partition("/")[2]: one for one in named}


def table_rounds(ledger: Ledger, stream: str, *, after: int = 0) -> Iterator[RoundRecord]:
    """The rounds of a table in order; from an entry on, only those that open behind it."""
    context = _opening_state(ledger, stream) if after else TableState()
    return read_rounds(stream, ledger.entries(stream, after=after), context)


def read_rounds(
    stream: str, entries: Iterable[Entry], context: TableState
) -> Iterator[RoundRecord]:
    """The rounds that open in some entries, at a table that was so before."""
    record: RoundRecord | None = None
    for entry in entries:
        written = parse_content(entry.content)
        told = FACTS.load_all(written["facts"])
        for fact in told:
            if isinstance(fact, facts.RoundOpened):
                if record is not None:
                    yield record
                record = RoundRecord(stream, fact.round, context, ())
            context = _next_context(context, fact)
        if record is not None:
            record = _add_entry(record, entry, told, written)
    if record is not None:
        yield record


def find_round(ledger: Ledger, wanted: str) -> RoundRecord:
    """The round of an id as "stud-1-000004"; raises RoundError for one that is not there."""
    known = table_streams(ledger)
    parts = _ID.fullmatch(wanted)
    if parts is None or parts["table"] not in known:
        number = f"{int(parts['number']):06d}" if parts else "000001"
        names = [f"{table}-{number}" for table in known]
        remedy = did_you_mean(wanted, names) if names else say("table.past.no-table")
        raise RoundError(say("table.past.no-round", round=printable(wanted), remedy=remedy))
    return _numbered(ledger, known[parts["table"]], int(parts["number"]))


def _numbered(ledger: Ledger, stream: Stream, number: int) -> RoundRecord:
    found = _find_numbered(ledger, stream.name, number, _seek(ledger, stream, number))
    if found is None or not found.is_whole:
        found = _find_numbered(ledger, stream.name, number, 0)
    if found is None:
        last = latest_rounds(ledger, stream, 1)
        fields = {"stream": stream.name, "number": number, "last": last[0].number if last else 0}
        raise RoundError(say("table.past.no-such-number", **fields))
    return found


def round_shoe(record: RoundRecord, *, seed: bool = False) -> Json | None:
    """The round's shoe without its seal, and with its seed once that is told.

    With the seed of a shoe that opens card by card every folded hand could be opened: it is told
    to the auditor alone.
    """
    if record.before.shoe is None:
        return None
    told, cardwise = record.revealed, record.before.cardwise
    shown = {
        "drawn": record.before.drawn,
        "seed": told.seed if told is not None and (seed or not cardwise) else None,
        "seat_seeds": _deal_seeds(record)
        if cardwise
        else _seed_lists(told.seat_seeds if told else ()),
    }
    return public_shoe(record.before.shoe) | shown


def _deal_seeds(record: RoundRecord) -> list[list[Any]]:
    """The seeds of a deal that is over; before, they are their players' own."""
    past = record.state.past if record.settled is not None else ()
    return _seed_lists(past[-1].seeds if past else ())


def _seed_lists(seeds: Iterable[tuple[int, str]]) -> list[list[Any]]:
    return [list(one) for one in seeds]


def balances(ledger: Ledger, record: RoundRecord, player: str) -> tuple[Cents, Cents]:
    """What a player's wallet held before the round touched it, and when the round was through."""
    wallet = record.wallet(player)
    if not (touched := record.touched(player)):
        now = ledger.balance(wallet)
        return now, now
    last = next((step for step in record.steps if any(step.of(facts.Settled))), record.steps[-1])
    before = _balance_at(ledger, wallet, record.stream, touched[0], included=False)
    return before, _balance_at(ledger, wallet, record.stream, last, included=True)


def _balance_at(
    ledger: Ledger, wallet: Account, stream: str, step: JournalStep, *, included: bool
) -> Cents:
    """The sum of all that moved by then; other streams are placed by the time on record."""
    with ledger.moment() as book:
        return held_by(book, wallet, stream, before=step.seq + included, at=step.at)


def streams_of_player(ledger: Ledger, player: str) -> set[str]:
    """The streams in which a player's money has moved."""
    with ledger.moment() as book:
        return moved_in(book, AccountsOf("wallet", player))


def _next_context(context: TableState, fact: Fact) -> TableState:
    """The table around its rounds: what the next one is opened with."""
    if type(fact) in _OF_THE_TABLE:
        return apply(context, fact)
    if isinstance(fact, facts.Acted) and isinstance(fact.action, Deal):
        return context._replace(drawn=context.drawn + 1)
    if isinstance(fact, facts.Settled):
        return end_deal(context)
    return context


def _add_entry(
    record: RoundRecord, entry: Entry, told: Sequence[Fact], written: Json
) -> RoundRecord:
    """The record with what an entry adds to it."""
    mine = tuple(fact for fact in told if type(fact) in _OF_THE_ROUND)
    if not mine:
        return record
    own = f"{record.id} "
    moved = tuple(one for one in parse_transfers(written) if one.why.startswith(own))
    step = JournalStep(entry.seq, entry.at, entry.actor, mine, moved)
    told_now = record.revealed or _revealed_seed(record.before.shoe, (step,))
    return record._replace(steps=(*record.steps, step), revealed=told_now)


def _opening_state(ledger: Ledger, stream: str) -> TableState:
    """The table as it was set up."""
    for entry in ledger.entries(stream):
        for fact in FACTS.load_kind(entry, facts.TableOpened):
            return apply(TableState(), fact)
    return TableState()


def _seek(ledger: Ledger, stream: Stream, number: int) -> int:
    """An entry behind which the round opens, not far behind in a long journal."""
    low, high = 0, stream.seq
    while high - low > WINDOW:
        middle = (low + high) // 2
        opened = _opened_after(ledger, stream.name, middle, high)
        if opened is not None and opened < number:
            low = middle
        else:
            high = middle
    return low


def _opened_after(ledger: Ledger, stream: str, after: int, until: int) -> int | None:
    for entry in ledger.entries(stream, after=after):
        if entry.seq > until:
            return None
        for fact in FACTS.load_kind(entry, facts.RoundOpened):
            return fact.number
    return None


def _find_numbered(ledger: Ledger, stream: str, number: int, after: int) -> RoundRecord | None:
    """The round, and from rounds behind it the seed of a shoe that outlived it."""
    found: RoundRecord | None = None
    for record in table_rounds(ledger, stream, after=after):
        if record.number == number:
            found = record
        if found is None:
            continue
        found = found._replace(revealed=record.seed_of(found.before.shoe))
        if found.revealed is not None or record.before.shoe != found.before.shoe:
            return found
    return found


def latest_rounds(
    ledger: Ledger, stream: Stream, count: int, wanted: Callable[[RoundRecord], bool] = bool
) -> list[RoundRecord]:
    """The last rounds of a table that are wanted, in order; a long journal is not read whole."""
    window = WINDOW
    while True:
        after = max(0, stream.seq - window)
        found = [one for one in table_rounds(ledger, stream.name, after=after) if one.is_whole]
        found = [one for one in found if wanted(one)]
        if len(found) >= count or not after:
            return found[-count:]
        window *= 4


def round_of(state: TableState) -> Round:
    """The round of a record's state."""
    assert state.round is not None
    return state.round
