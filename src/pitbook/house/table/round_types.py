"""JSON types of past rounds: history, replay, explanation and proof."""

from __future__ import annotations

from typing import Annotated, Any, Literal, NotRequired

from pydantic import ConfigDict, WithJsonSchema, with_config
from typing_extensions import TypedDict

from pitbook.house.table.state import TableKind
from pitbook.house.table.view_types import CommonCards, Layout, SheetId, ShoeShown
from pitbook.rules.report import (
    HandResult,
    LineReportWithWords,
    NoteJson,
    RoundReport,
    RoundResult,
    SeatResult,
    StakedWager,
)
from pitbook.shoe.record import ShoeKind


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


# Proofs: a shoe by its seed, or a shoe opened card by card.


_OPENED = {
    "type": "array",
    "prefixItems": [{"type": "string"}, {"type": "string"}],
    "minItems": 2,
    "maxItems": 2,
}
CardOpened = Annotated[list[str], WithJsonSchema(_OPENED)]  # A card, and its salt.


@with_config(ConfigDict(extra="allow"))
class ActionStored(TypedDict):
    """A step of a round; a card is null where somebody has seen it and the reader may not."""

    do: str
    seat: NotRequired[int]
    place: NotRequired[int | Literal["board", "board-1", "board-2"]]
    card: NotRequired[str | None]


class SheetStored(TypedDict):
    """A sheet as it is stored: its hash, and its whole body."""

    hash: str
    body: dict[str, Any]


class RoundStored(TypedDict):
    """A round that outlives its sheet."""

    format: int
    engine: int
    sheet: SheetStored
    actions: list[ActionStored]
    settlement: RoundReport | None


class SeedShoe(TypedDict):
    """A shoe with its seed."""

    id: str
    kind: ShoeKind
    decks: int
    commitment: str | None
    seed: str | None
    seat_seeds: dict[str, str]
    chosen: NotRequired[list[str | None]]


class SeedProof(TypedDict):
    """A whole shoe by its seed."""

    format: Literal[1]
    shoe: SeedShoe
    drawn: int
    round: RoundStored
    round_id: NotRequired[str]


class DealPast(TypedDict):
    """A deal of the shoe before this one."""

    cards: int
    seat_seeds: dict[str, str]


class CardShoe(TypedDict):
    """A shoe that is committed to card by card."""

    id: str
    kind: ShoeKind
    decks: int
    commitment: str
    past: list[DealPast]
    seat_seeds: dict[str, str]


class CardLaid(TypedDict):
    """A card of the deal: opened by its salt and path, or closed."""

    position: int
    card: NotRequired[str]
    salt: NotRequired[str]
    path: NotRequired[list[str]]


class CardProof(TypedDict):
    """What its reader may see of a shoe, or with `deck` all of it."""

    format: Literal[2]
    round_id: NotRequired[str]
    shoe: CardShoe
    drawn: int
    cards: list[CardLaid]
    deck: NotRequired[list[CardOpened]]
    round: RoundStored


Proof = SeedProof | CardProof
