"""Facts: what happened at a table, as the ledger stores it."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from datetime import datetime
from types import NoneType
from typing import Annotated, Any, Literal, NamedTuple, TypeAlias

from pitbook.cards import Card
from pitbook.house.ledger.fact_codec import Codec, Fact, Json, JsonForm, OmitDefault, StoredAs
from pitbook.money import Cents, dollars, money
from pitbook.rules import actions
from pitbook.rules.actions import PLACES, format_place, parse_place
from pitbook.rules.settlement_lines import Result
from pitbook.rules.stored_rounds import decode, encode
from pitbook.text import say

TableKind = Literal["practice", "house", "typed"]
Stakes: TypeAlias = tuple[tuple[str, Cents], ...]  # (wager, amount)

FORMAT = 1
LAST_CALL = "last-call"  # The clock of players without a bet when all others are ready.
FACTS: Codec[Fact] = Codec("a table")
SHOWN_MAX = 80  # Characters shown of an unreadable value.


def _read_place(place: str | int) -> actions.PlaceNumber:
    if place in PLACES or type(place) is int:
        return parse_place(place)
    raise ValueError(say("table.record.no-place", value=repr(place)))


def _read_sheet(value: Any) -> Json:
    if type(value) is not dict or [type(value.get(key)) for key in ("hash", "body")] != [str, str]:
        raise ValueError(say("table.record.no-sheet", value=repr(value)[:SHOWN_MAX]))
    sheet: Json = value
    return sheet


def _read_shoe(value: Any) -> Json:
    if type(value) is not dict or type(value.get("pack", "")) not in (int, NoneType):
        raise ValueError(say("table.record.no-shoe", value=repr(value)[:SHOWN_MAX]))
    shoe: Json = value
    return shoe


StoredSheet: TypeAlias = Annotated[Json, JsonForm(None, _read_sheet)]
StoredShoe: TypeAlias = Annotated[Json, JsonForm(None, _read_shoe)]
PlaceNumber: TypeAlias = Annotated[actions.PlaceNumber, JsonForm(format_place, _read_place)]
Action: TypeAlias = Annotated[actions.Action, JsonForm(encode, decode)]


@FACTS.fact("table-opened", in_format=FORMAT)
class TableOpened(NamedTuple):
    """A table was opened with its rules."""

    table: str
    kind: TableKind
    unit: str
    sheet: StoredSheet
    clocks: Mapping[str, int | None]
    coach: bool
    stake: Cents
    owner: str


@FACTS.fact("sheet-changed")
class SheetChanged(NamedTuple):
    """Other rules apply from the next round on."""

    sheet: StoredSheet


@FACTS.fact("sat")
class Sat(NamedTuple):
    """A player took a seat; a guest may get starting chips."""

    seat: int
    player: str
    given: Cents


@FACTS.fact("refilled")
class Refilled(NamedTuple):
    """A practice player got more chips."""

    seat: int
    player: str
    given: Cents


@FACTS.fact("bought-in")
class BoughtIn(NamedTuple):
    """A player bought chips for cash, which is in the drop box."""

    seat: int
    player: str
    amount: Cents


@FACTS.fact("left")
class Left(NamedTuple):
    """A player left a seat."""

    seat: int
    player: str


@FACTS.fact("shoe-opened")
class ShoeOpened(NamedTuple):
    """A shoe was shuffled and committed to; an arranged one names its spot."""

    record: StoredShoe
    sheet: str  # The sheet's hash.
    spot: OmitDefault[Json | None] = None


@FACTS.fact("seat-seed")
class SeatSeed(NamedTuple):
    """A player's seed was mixed into the shoe."""

    seat: int
    text: str


@FACTS.fact("shoe-revealed")
class ShoeRevealed(NamedTuple):
    """The shoe has ended; its seed lets anyone replay it."""

    id: str
    seed: str | None
    seat_seeds: tuple[tuple[int, str], ...]


@FACTS.fact("round-opened")
class RoundOpened(NamedTuple):
    """A round opened under the sheet with this hash."""

    round: str
    number: int
    sheet: str
    shoe: str
    dealer: OmitDefault[str] = ""  # The dealer who tapped in; empty if the server deals.


@FACTS.fact("wagered")
class Wagered(NamedTuple):
    """A seat's wagers are about to change; undo restores these."""

    seat: int
    before: Stakes


@FACTS.fact("undone")
class Undone(NamedTuple):
    """A seat's last wager change was undone."""

    seat: int


@FACTS.fact("ready")
class Ready(NamedTuple):
    """A player is ready for betting to close, or not any more."""

    seat: int
    player: str
    on: bool


@FACTS.fact("acted")
class Acted(NamedTuple):
    """An action of the round."""

    action: Action


@FACTS.fact("corrected")
class Corrected(NamedTuple):
    """A mistyped card was corrected."""

    place: PlaceNumber
    number: int
    mistyped: Annotated[Card, StoredAs("was")]
    card: Card
    why: str


class ReversedLine(NamedTuple):
    """A reversed settlement line; `short` is the part its player could not pay back."""

    seat: int
    wager: str
    stake: Cents
    result: Result
    wins: Cents
    short: Cents
    back: OmitDefault[Cents] = Cents(0)


@FACTS.fact("taken-back")
class SettlementReversed(NamedTuple):
    """Settled lines were reversed, to be settled again or void.

    `short` is what a player could not pay back, the house's loss.
    """

    round: str
    anew: bool
    lines: tuple[ReversedLine, ...]


@FACTS.fact("settled")
class Settled(NamedTuple):
    """A round is over, with every line."""

    round: str
    report: Json


@FACTS.fact("deadline")
class Deadline(NamedTuple):
    """A clock for betting, last call, decision or agreement runs until then."""

    what: str
    at: datetime


@FACTS.fact("advice")
class CoachAdvice(NamedTuple):
    """Advice from the coach to a seat, perhaps about one play."""

    seat: int
    text: str
    play: OmitDefault[str] = ""


@FACTS.fact("agreed")
class Agreed(NamedTuple):
    """A player answered whether to finish an interrupted hand."""

    player: str
    finish: bool


@FACTS.fact("interrupted")
class Interrupted(NamedTuple):
    """Play stopped during a hand; these players are asked whether to finish it."""

    why: str
    awaiting: tuple[str, ...] | None


@FACTS.fact("resumed")
class Resumed(NamedTuple):
    """Play resumed; every clock restarts."""

    why: str


@FACTS.fact("fill")
class Fill(NamedTuple):
    """Chips moved from the house to the rack."""

    amount: Cents
    why: str


@FACTS.fact("credit")
class Credit(NamedTuple):
    """Chips moved from the rack to the house."""

    amount: Cents


@FACTS.fact("rack-asked")
class RackRequested(NamedTuple):
    """A fill or credit was requested; a second person must approve it."""

    number: int
    what: Literal["fill", "credit"]
    amount: Cents
    who: str
    at: datetime
    why: str


@FACTS.fact("rack-granted")
class RackGranted(NamedTuple):
    """A second person approved a request; the fill or credit follows."""

    number: int
    asked_by: str


@FACTS.fact("rack-refused")
class RackRefused(NamedTuple):
    """A request was refused."""

    number: int
    why: str


@FACTS.fact("dealer-on")
class DealerOn(NamedTuple):
    """A dealer tapped in and relieved the previous one."""

    dealer: str
    relieved: str


@FACTS.fact("dealer-off")
class DealerOff(NamedTuple):
    """The dealer tapped out."""

    dealer: str


@FACTS.fact("coloured-up")
class ColoredUp(NamedTuple):
    """A player's small chips were colored up."""

    seat: int
    player: str
    amount: Cents


@FACTS.fact("sheet-announced")
class SheetAnnounced(NamedTuple):
    """Other rules apply from the first round that opens after a time."""

    sheet: StoredSheet
    at: datetime
    why: str


@FACTS.fact("shuffler")
class Shuffler(NamedTuple):
    """The shuffler failed or was repaired."""

    working: bool


@FACTS.fact("coach")
class Coach(NamedTuple):
    """The coach was turned on or off."""

    on: bool


@FACTS.fact("retired")
class Retired(NamedTuple):
    """The table was closed permanently and its rack returned."""

    rack: Cents


def dump_stakes(stakes: Stakes) -> list[list[str]]:
    """Wagers with their amounts, as JSON."""
    return [[wager, money(amount)] for wager, amount in stakes]


def load_stakes(written: Iterable[Iterable[str]]) -> Stakes:
    """Wagers with their amounts, from JSON."""
    return tuple((wager, dollars(amount)) for wager, amount in written)


ABOVE_RACK = "payout above the rack"
STOPPED = "the table was stopped"
FLOOR_GOES_ON = "the floor goes on"
TOURNAMENT_CUT = "the tournament is interrupted"
UNDONE = "the interruption was undone"
CANNOT_READ = "the floor cannot read it"
NIGHT_CLOSED = "the night closed"
REVERSED, VOIDED = " taken back", " void"  # Endings of the reasons of reversing transfers.
RETURNED = (REVERSED, VOIDED)


def reason_text(why: str) -> str:
    """A reason as shown; a person's own words stay unchanged."""
    ours = {
        ABOVE_RACK: say("table.reasons.above-rack"),
        STOPPED: say("table.reasons.stopped"),
        FLOOR_GOES_ON: say("table.reasons.floor-goes-on"),
        TOURNAMENT_CUT: say("table.reasons.tournament-cut"),
        UNDONE: say("table.reasons.undone"),
        CANNOT_READ: say("table.reasons.cannot-read"),
        NIGHT_CLOSED: say("table.reasons.night-closed"),
    }
    return ours.get(why, why)


def shortfall(fact: SettlementReversed, seat: int | None = None) -> Cents:
    """The amount that a seat, or all seats, could not pay back."""
    return Cents(sum(line.short for line in fact.lines if seat in (None, line.seat)))
