"""State of a night: its accounts, and what each fact changes."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping
from functools import lru_cache
from typing import TYPE_CHECKING, Literal, NamedTuple
from zoneinfo import ZoneInfo

from pitbook.errors import RoundError
from pitbook.house.ledger.accounts import Account
from pitbook.house.ledger.fact_codec import LEDGER_FACTS, Json
from pitbook.house.ledger.hash_chain import Entry
from pitbook.house.ledger.ledger import Ledger, Stream
from pitbook.house.ledger.stream_kinds import register
from pitbook.house.ledger.streams import StreamReader
from pitbook.house.nights.facts import (
    Fact,
    NightClosed,
    NightCorrected,
    NightCreated,
    NightFact,
    NightInterrupted,
    NightOpened,
    SlipBooked,
    SlipKind,
    SlipVoided,
    TableAdmitted,
    Unclaimed,
    load,
)
from pitbook.house.nights.house_rules import HouseRules, load_stored_rules
from pitbook.house.nights.tournament.state import Tournament
from pitbook.house.nights.tournament.state import apply as apply_to_tournament
from pitbook.money import Cents
from pitbook.text import say

if TYPE_CHECKING:
    from pitbook.house.ledger.stream_kinds import AuditReplay


NightPhase = Literal["none", "made", "open", "closed"]


def _audit() -> AuditReplay:
    from pitbook.house.nights.audit import NightAudit  # noqa: PLC0415  Only the audit needs it.

    return NightAudit()


STREAM = register("night/", _audit, module=__name__)  # One stream for each night.
REHEARSAL = "rehearsal"  # The unit of play money, and the prefix of its chip units.


class Slip(NamedTuple):
    """A slip of the counter. `over` is the part beyond the chips sold and not yet returned."""

    number: int
    what: SlipKind
    player: str
    amount: Cents
    at: str
    by: str
    over: Cents = Cents(0)
    undone: str | None = None  # Why it was voided, if it was.


class AdmittedTable(NamedTuple):
    """A table of the night and its sheet."""

    table: str
    sheet: Json
    base: str
    limits: Json | None
    differences: tuple[Json, ...]
    base_sheet: Json | None = None  # For a derived table; older records have only its hash.

    @property
    def is_derived(self) -> bool:
        """Whether its sheet was lowered to the limits."""
        return bool(self.sheet["hash"] != self.base)


class Stop(NamedTuple):
    """An interruption of the night."""

    why: str
    at: str
    by: str
    dead: bool = False  # No hand in play could be read.


class NightAccounts(NamedTuple):
    """A night's accounts. A rehearsal's are in play money."""

    event: str
    rehearsal: bool = False

    @property
    def money(self) -> str:
        """The unit of the drawer's cash."""
        return REHEARSAL if self.rehearsal else "usd"

    @property
    def unit(self) -> str:
        """The unit of the night's chips."""
        return self._chips("event-chip", self.event)

    def chips_of(self, tournament: str) -> str:
        """The unit of a tournament's chips."""
        return self._chips("tournament", tournament)

    def _chips(self, kind: str, name: str) -> str:
        return f"{REHEARSAL}-{kind}:{name}" if self.rehearsal else f"{kind}:{name}"

    @property
    def cash(self) -> Account:
        return Account(self.money, "cash", self.event)

    @property
    def sales(self) -> Account:
        """Cash held for chips that were sold and not returned."""
        return Account(self.money, "sales", self.event)

    @property
    def losses(self) -> Account:
        """Cash paid for chips beyond those sold: the tables lost it."""
        return Account(self.money, "house", self.event)

    @property
    def float(self) -> Account:
        """The float lent to the night."""
        return Account(self.money, "house", f"{self.event}/float")

    @property
    def issued(self) -> Account:
        return Account(self.unit, "issued")

    @property
    def house(self) -> Account:
        """The counterpart of the tables' chips."""
        return Account(self.unit, "house")

    @property
    def expired(self) -> Account:
        return Account(self.unit, "house", "expired")

    def wallet(self, player: str) -> Account:
        return Account(self.unit, "wallet", player)

    def prizes(self, tournament: str) -> Account:
        """Prize money that a tournament owes. Its id starts with the event's."""
        return Account(self.money, "prizes", tournament)

    def charity_share(self, tournament: str) -> Account:
        """The charity's share of a tournament."""
        return Account(self.money, "house", tournament)

    def unclaimed(self, player: str) -> Account:
        """A player's unclaimed money."""
        return Account(self.money, "unclaimed", f"{self.event}/{player}")


class NightState(NamedTuple):
    """A night after some facts."""

    event: str = ""
    phase: NightPhase = "none"
    charity: str = ""
    licence: str = ""
    gaming_date: str = ""
    zone: str = ""
    house: Json = {}  # noqa: RUF012  Never mutated.
    slips: tuple[Slip, ...] = ()
    sales: Cents = Cents(0)
    floated: Cents = Cents(0)
    tables: Mapping[str, AdmittedTable] = {}
    tournaments: Mapping[str, Tournament] = {}
    stops: tuple[Stop, ...] = ()
    opened_at: str = ""
    closed_at: str = ""
    expired: Mapping[str, Cents] = {}
    float_returned: Cents = Cents(0)
    unclaimed: tuple[Unclaimed, ...] = ()
    rehearsal: bool = False
    version: int = 0

    @property
    def rules(self) -> HouseRules:
        """The rules that the night was created under."""
        return _rules(json.dumps(self.house))

    @property
    def interruptions(self) -> tuple[str, ...]:
        """The reasons of all interruptions."""
        return tuple(stop.why for stop in self.stops)

    @property
    def accounts(self) -> NightAccounts:
        return NightAccounts(self.event, self.rehearsal)

    @property
    def timezone(self) -> ZoneInfo:
        """The time zone of its clocks."""
        return ZoneInfo(self.zone)

    def slip(self, number: int) -> Slip | None:
        return self.slips[number - 1] if 0 < number <= len(self.slips) else None


@lru_cache(maxsize=64)  # Read for every command, parsed once.
def _rules(stored: str) -> HouseRules:
    return load_stored_rules(json.loads(stored))


CORRECTABLE = ("charity", "licence", "gaming_date", "zone")


def apply(state: NightState, fact: Fact) -> NightState:
    """The night after a fact; raises RoundError for an impossible one."""
    if isinstance(fact, NightFact):
        return _apply(state, fact)._replace(version=state.version + 1)
    after = apply_to_tournament(state.tournaments.get(fact.tournament), fact)
    tournaments = {**state.tournaments, fact.tournament: after}
    return state._replace(tournaments=tournaments, version=state.version + 1)


def replay(facts: Iterable[Fact], state: NightState | None = None) -> NightState:
    """The night after several facts."""
    state = NightState() if state is None else state
    for fact in facts:
        state = apply(state, fact)
    return state


def _apply(state: NightState, fact: NightFact) -> NightState:
    match fact:
        case NightCreated():
            return state._replace(phase="made", **fact._asdict())
        case NightCorrected():
            return state._replace(**{name: getattr(fact, name) for name in CORRECTABLE})
        case NightOpened():
            return state._replace(phase="open", opened_at=fact.at)
        case SlipBooked():
            slip = read_slip(fact)
            return _count_slip(state._replace(slips=(*state.slips, slip)), slip, slip.over, 1)
        case SlipVoided():
            return _apply_undo(state, fact)
        case TableAdmitted():
            return state._replace(tables={**state.tables, fact.table: AdmittedTable(*fact)})
        case NightInterrupted():
            return state._replace(stops=(*state.stops, Stop(*fact)))
        case NightClosed():
            return state._replace(
                phase="closed",
                closed_at=fact.at,
                expired=fact.expired,
                float_returned=fact.float_returned,
                unclaimed=fact.unclaimed,
            )


def read_slip(fact: SlipBooked) -> Slip:
    """The slip in a fact."""
    return Slip(fact.slip, fact.what, fact.player, fact.amount, fact.at, fact.by, fact.over)


def _apply_undo(state: NightState, fact: SlipVoided) -> NightState:
    index = fact.slip - 1
    if not 0 <= index < len(state.slips):
        raise RoundError(say("nights.evolve.no-slip", slip=fact.slip))
    slip = state.slips[index]
    voided = slip._replace(undone=fact.why)
    slips = (*state.slips[:index], voided, *state.slips[index + 1 :])
    return _count_slip(state._replace(slips=slips), slip, fact.over, -1)


def _count_slip(state: NightState, slip: Slip, over: Cents, sign: int) -> NightState:
    """The night with a slip added to its totals, or removed with sign -1."""
    if slip.what == "float":
        return state._replace(floated=Cents(state.floated + sign * slip.amount))
    if slip.what == "unclaimed":  # Paid for a tournament, not for chips.
        return state
    direction = sign if slip.what == "sold" else -sign
    return state._replace(sales=Cents(state.sales + direction * (slip.amount - over)))


def nights(ledger: Ledger) -> list[str]:
    """The ids of all nights."""
    streams = ledger.streams(STREAM)
    return [stream.name.removeprefix(STREAM) for stream in streams if _is_made(ledger, stream)]


def _is_made(ledger: Ledger, stream: Stream) -> bool:
    """Whether any fact was written. A process stopped after claiming leaves it empty."""
    if stream.seq > stream.epoch:  # More entries than claims.
        return True
    return any(True for entry in ledger.entries(stream.name) for _ in facts_in(entry))


def load_night(ledger: Ledger, event: str) -> NightState:
    """A night's state, read from the beginning."""
    return night_reader(ledger, event).catch_up()


def night_reader(ledger: Ledger, event: str) -> StreamReader[NightState]:
    """A reader of a night's stream from the beginning."""
    return StreamReader(ledger, f"{STREAM}{event}", NightState(), _read)


def _read(state: NightState, entries: Iterable[Entry]) -> NightState:
    return replay((fact for entry in entries for fact in facts_in(entry)), state)


def facts_in(entry: Entry) -> Iterator[Fact]:
    """The night's facts in an entry, without the ledger's own."""
    return (load(document) for document in entry.facts if document["fact"] not in LEDGER_FACTS)
