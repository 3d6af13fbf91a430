"""State of a night: its accounts, and what each fact changes."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping
from functools import lru_cache
from typing import TYPE_CHECKING, Literal, NamedTuple
from zoneinfo import ZoneInfo

from pitbook.errors import RoundError
from pitbook.house.ledger.accounts import Account
from pitbook.house.ledger.chain import Entry
from pitbook.house.ledger.codec import OURS, Json
from pitbook.house.ledger.journal import Ledger, Stream
from pitbook.house.ledger.stream_kinds import register
from pitbook.house.ledger.stream_reader import StreamReader
from pitbook.house.nights.facts import (
    Fact,
    NightClosed,
    NightCorrected,
    NightInterrupted,
    NightMade,
    NightOpened,
    Own,
    SlipKind,
    SlipPassed,
    SlipUndone,
    TableAdmitted,
    Unclaimed,
    load,
)
from pitbook.house.nights.house_rules import HouseRules, rules_of
from pitbook.house.nights.tournament.state import Tournament
from pitbook.house.nights.tournament.state import evolve as evolve_tournament
from pitbook.money import Cents
from pitbook.text import say

if TYPE_CHECKING:
    from pitbook.house.ledger.stream_kinds import AuditReplay


NightPhase = Literal["none", "made", "open", "closed"]


def _audit() -> AuditReplay:
    from pitbook.house.nights.audit import NightFollowed  # noqa: PLC0415  Only the audit needs it.

    return NightFollowed()


STREAM = register("night/", _audit, module=__name__)  # A stream for each night.
REHEARSAL = "rehearsal"  # The unit of play money, and how units of its chips begin.


class Slip(NamedTuple):
    """What passed over the counter; `over` is the part beyond the chips sold and not yet back."""

    number: int
    what: SlipKind
    player: str
    amount: Cents
    at: str
    by: str
    over: Cents = Cents(0)
    undone: str | None = None  # Why it was undone, if it was.


class Admitted(NamedTuple):
    """A table of the night, with the rules it is dealt by."""

    table: str
    sheet: Json
    base: str
    limits: Json | None
    differences: tuple[Json, ...]
    base_sheet: Json | None = None  # Whole, where the table's is derived; earlier, its hash alone.

    @property
    def is_derived(self) -> bool:
        """Whether its sheet was brought within the limits."""
        return bool(self.sheet["hash"] != self.base)


class Stop(NamedTuple):
    """Something beyond control that stopped the evening, and who said so."""

    why: str
    at: str
    by: str
    dead: bool = False  # No hand that was in play could be read.


class NightTill(NamedTuple):
    """The accounts of one night; those of a rehearsal are in units that no money is in."""

    event: str
    rehearsal: bool = False

    @property
    def money(self) -> str:
        """The unit of what lies in the drawer."""
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
        """The drawer."""
        return Account(self.money, "cash", self.event)

    @property
    def sales(self) -> Account:
        """What the drawer holds for chips that were sold and are not yet back."""
        return Account(self.money, "sales", self.event)

    @property
    def losses(self) -> Account:
        """What was paid for chips beyond all that were sold: players won it from the tables."""
        return Account(self.money, "house", self.event)

    @property
    def float(self) -> Account:
        """What was lent to the night to begin with."""
        return Account(self.money, "house", f"{self.event}/float")

    @property
    def issued(self) -> Account:
        """Chips given out."""
        return Account(self.unit, "issued")

    @property
    def house(self) -> Account:
        """Where the tables' chips come from and go to."""
        return Account(self.unit, "house")

    @property
    def expired(self) -> Account:
        """Chips that nobody redeemed."""
        return Account(self.unit, "house", "expired")

    def wallet(self, player: str) -> Account:
        """A player's chips."""
        return Account(self.unit, "wallet", player)

    def prizes(self, tournament: str) -> Account:
        """What a tournament owes in prizes; its id begins with the event's."""
        return Account(self.money, "prizes", tournament)

    def kept(self, tournament: str) -> Account:
        """The charity's part of a tournament."""
        return Account(self.money, "house", tournament)

    def unclaimed(self, player: str) -> Account:
        """What is kept for a player who did not come for it."""
        return Account(self.money, "unclaimed", f"{self.event}/{player}")


class NightState(NamedTuple):
    """A night after some facts; `evolve` gives the next one."""

    event: str = ""
    phase: NightPhase = "none"
    charity: str = ""
    licence: str = ""
    gaming_date: str = ""
    zone: str = ""
    house: Json = {}  # noqa: RUF012  Nobody writes into it.
    slips: tuple[Slip, ...] = ()
    sales: Cents = Cents(0)
    floated: Cents = Cents(0)
    tables: Mapping[str, Admitted] = {}
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
        """The rules that the night was made under."""
        return _rules(json.dumps(self.house))

    @property
    def interruptions(self) -> tuple[str, ...]:
        """Why the evening was stopped, each time."""
        return tuple(one.why for one in self.stops)

    @property
    def till(self) -> NightTill:
        """The night's accounts."""
        return NightTill(self.event, self.rehearsal)

    @property
    def place(self) -> ZoneInfo:
        """The time zone of its clocks."""
        return ZoneInfo(self.zone)

    def slip(self, number: int) -> Slip | None:
        """A slip by its number."""
        return self.slips[number - 1] if 0 < number <= len(self.slips) else None


@lru_cache(maxsize=64)  # Asked for at every command, and checked once.
def _rules(kept: str) -> HouseRules:
    return rules_of(json.loads(kept))


CORRECTED = ("charity", "licence", "gaming_date", "zone")


def evolve(state: NightState, fact: Fact) -> NightState:
    """The night after a fact; raises RoundError for one that cannot have happened."""
    if isinstance(fact, Own):
        return _evolve(state, fact)._replace(version=state.version + 1)
    after = evolve_tournament(state.tournaments.get(fact.tournament), fact)
    tournaments = {**state.tournaments, fact.tournament: after}
    return state._replace(tournaments=tournaments, version=state.version + 1)


def folded(facts: Iterable[Fact], state: NightState | None = None) -> NightState:
    """The night after many facts."""
    state = NightState() if state is None else state
    for fact in facts:
        state = evolve(state, fact)
    return state


def _evolve(state: NightState, fact: Own) -> NightState:
    match fact:
        case NightMade():
            return state._replace(phase="made", **fact._asdict())
        case NightCorrected():
            return state._replace(**{name: getattr(fact, name) for name in CORRECTED})
        case NightOpened():
            return state._replace(phase="open", opened_at=fact.at)
        case SlipPassed():
            slip = read_slip(fact)
            return _counted(state._replace(slips=(*state.slips, slip)), slip, slip.over, 1)
        case SlipUndone():
            return _undone(state, fact)
        case TableAdmitted():
            return state._replace(tables={**state.tables, fact.table: Admitted(*fact)})
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


def read_slip(fact: SlipPassed) -> Slip:
    """The slip that a fact tells of."""
    return Slip(fact.slip, fact.what, fact.player, fact.amount, fact.at, fact.by, fact.over)


def _undone(state: NightState, fact: SlipUndone) -> NightState:
    place = fact.slip - 1
    if not 0 <= place < len(state.slips):
        raise RoundError(say("nights.evolve.no-slip", slip=fact.slip))
    slip = state.slips[place]
    gone = slip._replace(undone=fact.why)
    slips = (*state.slips[:place], gone, *state.slips[place + 1 :])
    return _counted(state._replace(slips=slips), slip, fact.over, -1)


def _counted(state: NightState, slip: Slip, over: Cents, sign: int) -> NightState:
    """The night's running sums, a slip added or taken off."""
    if slip.what == "float":
        return state._replace(floated=Cents(state.floated + sign * slip.amount))
    if slip.what == "unclaimed":  # Owed by a tournament, so no chips of the cage.
        return state
    into = sign if slip.what == "sold" else -sign
    return state._replace(sales=Cents(state.sales + into * (slip.amount - over)))


def nights(ledger: Ledger) -> list[str]:
    """Every night of a house, by id."""
    found = (one for one in ledger.streams() if one.name.startswith(STREAM))
    return [one.name.removeprefix(STREAM) for one in found if _is_made(ledger, one)]


def _is_made(ledger: Ledger, stream: Stream) -> bool:
    """Whether anything is told: who was stopped after taking a stream over has left it empty."""
    if stream.seq > stream.epoch:  # More was written than claims.
        return True
    return any(True for entry in ledger.entries(stream.name) for _ in told_in(entry))


def on_record(ledger: Ledger, event: str) -> NightState:
    """A night as it stands, read from the beginning."""
    return fold_of(ledger, event).catch_up()


def fold_of(ledger: Ledger, event: str) -> StreamReader[NightState]:
    """A night of which nothing was read yet."""
    return StreamReader(ledger, f"{STREAM}{event}", NightState(), _read)


def _read(state: NightState, entries: Iterable[Entry]) -> NightState:
    return folded((fact for entry in entries for fact in told_in(entry)), state)


def told_in(entry: Entry) -> Iterator[Fact]:
    """What an entry says of the night; the rest is the ledger's own."""
    return (load(kept) for kept in entry.facts if kept["fact"] not in OURS)
