"""Facts: what happened at a table, as the ledger stores it."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from datetime import datetime
from types import NoneType
from typing import Annotated, Any, Literal, NamedTuple, TypeAlias

from pitbook.cards import Card
from pitbook.house.ledger.codec import Codec, Fact, Form, Json, LeftOut
from pitbook.money import Cents, dollars, money
from pitbook.rules import actions
from pitbook.rules.actions import PLACES, format_place, parse_place
from pitbook.rules.settlement import Result
from pitbook.rules.stored import decode, encode
from pitbook.text import say

TableKind = Literal["practice", "house", "typed"]
Stakes: TypeAlias = tuple[tuple[str, Cents], ...]  # (wager, amount)

FORMAT = 1
LAST_CALL = "last-call"  # The clock of those who have not bet when all others are ready.
FACTS: Codec[Fact] = Codec("a table")
SHOWN_MAX = 80  # Characters of what cannot be read.


def _read_place(written: str | int) -> actions.PlaceNumber:
    if written in PLACES or type(written) is int:
        return parse_place(written)
    raise ValueError(say("table.record.no-place", value=repr(written)))


def _read_sheet(kept: Any) -> Json:
    if type(kept) is not dict or [type(kept.get(one)) for one in ("hash", "body")] != [str, str]:
        raise ValueError(say("table.record.no-sheet", value=repr(kept)[:SHOWN_MAX]))
    found: Json = kept
    return found


def _read_shoe(kept: Any) -> Json:
    if type(kept) is not dict or type(kept.get("pack", "")) not in (int, NoneType):
        raise ValueError(say("table.record.no-shoe", value=repr(kept)[:SHOWN_MAX]))
    found: Json = kept
    return found


StoredSheet: TypeAlias = Annotated[Json, Form(None, _read_sheet)]
StoredShoe: TypeAlias = Annotated[Json, Form(None, _read_shoe)]
PlaceNumber: TypeAlias = Annotated[actions.PlaceNumber, Form(format_place, _read_place)]
Action: TypeAlias = Annotated[actions.Action, Form(encode, decode)]


@FACTS.fact("table-opened", in_format=FORMAT)
class TableOpened(NamedTuple):
    """A table with its rules, before anybody sits."""

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
    """Other rules, from the next round on."""

    sheet: StoredSheet


@FACTS.fact("sat")
class Sat(NamedTuple):
    """A player took a position; a guest may be given chips to start with."""

    seat: int
    player: str
    given: Cents


@FACTS.fact("refilled")
class Refilled(NamedTuple):
    """A player in practice was given chips again."""

    seat: int
    player: str
    given: Cents


@FACTS.fact("bought-in")
class BoughtIn(NamedTuple):
    """A player changed cash for chips at the table; the money is in the box."""

    seat: int
    player: str
    amount: Cents


@FACTS.fact("left")
class Left(NamedTuple):
    """A position is free again."""

    seat: int
    player: str


@FACTS.fact("shoe-opened")
class ShoeOpened(NamedTuple):
    """A fresh shoe, shuffled and committed to; an arranged one says for which spot."""

    record: StoredShoe
    sheet: str  # Its hash.
    spot: LeftOut[Json | None] = None


@FACTS.fact("seat-seed")
class SeatSeed(NamedTuple):
    """A seat's own seed, mixed into the shoe."""

    seat: int
    text: str


@FACTS.fact("shoe-revealed")
class ShoeRevealed(NamedTuple):
    """The shoe has ended; with its seed anybody can deal it again."""

    id: str
    seed: str | None
    seat_seeds: tuple[tuple[int, str], ...]


@FACTS.fact("round-opened")
class RoundOpened(NamedTuple):
    """An empty layout; the rules in force are those of the sheet with this hash."""

    round: str
    number: int
    sheet: str
    shoe: str
    dealer: LeftOut[str] = ""  # Who had signed on; nobody where the house deals.


@FACTS.fact("wagered")
class Wagered(NamedTuple):
    """A seat's wagers are about to change; undo leads back to these."""

    seat: int
    before: Stakes


@FACTS.fact("undone")
class Undone(NamedTuple):
    """A seat's wagers are again what they were."""

    seat: int


@FACTS.fact("ready")
class Ready(NamedTuple):
    """A player wants no more time to bet, or wants it again."""

    seat: int
    player: str
    on: bool


@FACTS.fact("acted")
class Acted(NamedTuple):
    """The round went one step on."""

    action: Action


@FACTS.fact("corrected")
class Corrected(NamedTuple):
    """A card was typed wrongly and is another."""

    place: PlaceNumber
    number: int
    was: Card
    card: Card
    why: str


class ReversedLine(NamedTuple):
    """A line that is no longer settled; `short` is what its player no longer has."""

    seat: int
    wager: str
    stake: Cents
    result: Result
    wins: Cents
    short: Cents
    back: LeftOut[Cents] = Cents(0)


@FACTS.fact("taken-back")
class TakenBack(NamedTuple):
    """What was settled is taken back, to be settled anew or void.

    What is `short` could not be taken back, and is the house's loss.
    """

    round: str
    anew: bool
    lines: tuple[ReversedLine, ...]


@FACTS.fact("settled")
class Settled(NamedTuple):
    """A round is over, with every line of it."""

    round: str
    report: Json


@FACTS.fact("deadline")
class Deadline(NamedTuple):
    """The clock for betting, last-call, decision or agree runs until then."""

    what: str
    at: datetime


@FACTS.fact("advice")
class CoachAdvice(NamedTuple):
    """The coach told a seat something, perhaps of a play that it thought of making."""

    seat: int
    text: str
    play: LeftOut[str] = ""


@FACTS.fact("agreed")
class Agreed(NamedTuple):
    """A player answered whether to finish an interrupted hand."""

    player: str
    finish: bool


@FACTS.fact("interrupted")
class Interrupted(NamedTuple):
    """Play stopped with a hand on the table; these players are asked whether to finish it."""

    why: str
    awaiting: tuple[str, ...] | None


@FACTS.fact("resumed")
class Resumed(NamedTuple):
    """Play goes on; every clock starts anew."""

    why: str


@FACTS.fact("fill")
class Fill(NamedTuple):
    """The house put money into the rack."""

    amount: Cents
    why: str


@FACTS.fact("credit")
class Credit(NamedTuple):
    """The rack gave money back to the house."""

    amount: Cents


@FACTS.fact("rack-asked")
class RackRequested(NamedTuple):
    """Somebody wants a fill or a credit; a second person has to grant it."""

    number: int
    what: Literal["fill", "credit"]
    amount: Cents
    who: str
    at: datetime
    why: str


@FACTS.fact("rack-granted")
class RackGranted(NamedTuple):
    """A second person grants what was asked for; the fill or credit itself follows."""

    number: int
    asked_by: str


@FACTS.fact("rack-refused")
class RackRefused(NamedTuple):
    """What was asked for is not given."""

    number: int
    why: str


@FACTS.fact("dealer-on")
class DealerOn(NamedTuple):
    """Somebody deals from now on, and relieves whoever dealt before."""

    dealer: str
    relieved: str


@FACTS.fact("dealer-off")
class DealerOff(NamedTuple):
    """Nobody deals any more."""

    dealer: str


@FACTS.fact("coloured-up")
class ColouredUp(NamedTuple):
    """A player's small chips were changed for larger ones, worth the same."""

    seat: int
    player: str
    amount: Cents


@FACTS.fact("sheet-announced")
class SheetAnnounced(NamedTuple):
    """Other rules, from the first round on that opens after a time."""

    sheet: StoredSheet
    at: datetime
    why: str


@FACTS.fact("shuffler")
class Shuffler(NamedTuple):
    """The shuffling machine failed, or was repaired."""

    working: bool


@FACTS.fact("coach")
class Coach(NamedTuple):
    """The coach was turned on or off."""

    on: bool


@FACTS.fact("retired")
class Retired(NamedTuple):
    """The table is closed for good, its rack given back."""

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
REVERSED, VOIDED = " taken back", " void"  # So the reasons of transfers end that undo others.
RETURNED = (REVERSED, VOIDED)


def reason_text(why: str) -> str:
    """A reason as it is told; what a person wrote stays as it was written."""
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


def shortfall(fact: TakenBack, seat: int | None = None) -> Cents:
    """What a seat, or all of them, no longer had."""
    return Cents(sum(line.short for line in fact.lines if seat in (None, line.seat)))
