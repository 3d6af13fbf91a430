"""Types of past rounds in JSON."""

from __future__ import annotations

from typing import Any, NotRequired

from typing_extensions import TypedDict

from pitbook.house.table.state import TableKind
from pitbook.house.table.view_types import CommonCards, Layout, SheetId, ShoeShown
from pitbook.rules.report import (
    HandResult,
    LineReportWithWords,
    NoteJson,
    RoundResult,
    SeatResult,
    StakedWager,
)


class ShoeTold(ShoeShown):
    """The shoe of a round, with its seed once that is told."""

    drawn: int
    seed: str | None
    seat_seeds: list[list[int | str]]


class RoundBalance(TypedDict):
    """What a player had before a round and after it."""

    before: str
    after: str


class SeatRecalled(TypedDict):
    """What a seat bet, played and held."""

    seat: int
    player: str
    wagers: list[StakedWager]
    plays: list[str]
    cards: list[str | None]


class AdviceNoted(TypedDict):
    """What the coach told a seat; `play` is one that it weighed."""

    at: str
    seat: int
    text: str
    play: NotRequired[str]


class Recalled(TypedDict):
    """A round that was played; `player`: as whom, for somebody may have been a guest then.

    `currency`: what its money is in, where that is no US dollars; CHIPS at a tournament.
    """

    round: str
    player: str
    table: str
    opened: str
    sheet: SheetId
    currency: NotRequired[str]
    board: list[str]
    common: NotRequired[list[CommonCards]]
    seats: list[SeatRecalled]
    settlement: RoundResult | None
    advice: list[AdviceNoted]
    balance: RoundBalance
    shoe: ShoeTold | None
    arranged: bool


class CardShown(TypedDict):
    """A card that can be seen now and could not before."""

    place: int | str
    card: str


class Step(TypedDict):
    """A thing that a player or the dealer did, with the layout after it."""

    n: int
    at: str
    actor: str
    what: str
    seat: int | None
    told: list[str]
    shown: list[CardShown]
    view: Layout


class SheetThen(SheetId):
    """The sheet that a round was played by."""

    venue: str
    effective: str | None


class PassageShown(TypedDict):
    """An entry of the journal in words; `follows`: it came with the one before."""

    seq: int
    at: str
    actor: str
    follows: bool
    told: list[str]


class AdviceThen(TypedDict):
    """What the coach told, and when."""

    at: str
    text: str


class MoneyMoved(TypedDict):
    """Money that moved in the book."""

    seq: int
    debit: str
    credit: str
    amount: str
    why: str


class LineShare(TypedDict):
    """What a wager was due under a cap, and was paid."""

    wager: str
    due: str
    paid: str


class HandShare(TypedDict):
    """What a hand was due under a cap, and was paid."""

    seat: int
    due: str
    paid: str
    lines: list[LineShare]


class CapExplained(TypedDict):
    """A cap that bit, and every hand under it; `shared_by` is the clause that shares it out."""

    clause: str
    due: str
    paid: str
    seat: int | None
    shared_by: str
    hands: list[HandShare]


class Explained(TypedDict):
    """Why a seat was paid what it was paid, played again from the journal."""

    round: str
    seat: int
    player: str
    table: str
    kind: TableKind
    unit: str
    dealers: NotRequired[list[str]]
    stream: str
    entries: list[int]
    sheet: SheetThen
    shoe: ShoeTold | None
    story: list[PassageShown]
    advice: list[AdviceThen]
    board: list[str]
    common: NotRequired[list[CommonCards]]
    cards: list[str]
    plays: list[str]
    result: HandResult | None
    lines: NotRequired[list[LineReportWithWords]]
    wins: NotRequired[str]
    loses: NotRequired[str]
    net: NotRequired[str]
    held: NotRequired[str]
    so_far: NotRequired[SeatResult | None]
    limits: list[CapExplained]
    notes: list[NoteJson]
    balance: RoundBalance
    transfers: list[MoneyMoved]
    differs: list[str]


class TakingShown(TypedDict):
    """What a table took, or all of a unit: where it opened, what moved, where it closed.

    `currency`: what it is in, where that is no US dollars; of each there is a sum of its own.
    """

    table: NotRequired[str]
    unit: str
    currency: NotRequired[str]
    opening: str
    fills: str
    credits: str
    drop: str
    handle: str
    win: str
    closing: str
    hold: str | None
    hold_percent: float | None
    kept_percent: float | None
    rounds: int
    hands_an_hour: float | None
    reconciles: bool
    off: str
    note: str | None


class SignificantShown(TypedDict):
    """Who, when, before, after and why; what changed has the fields of its kind."""

    at: str
    stream: str
    seq: int
    who: str
    what: str
    before: dict[str, Any] | None
    after: dict[str, Any] | None
    why: str | None
    round: str | None
