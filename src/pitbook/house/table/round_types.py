"""JSON types of past rounds: history, replay, explanation and proof."""

from __future__ import annotations

from typing import Annotated, Any, Literal, NotRequired

from pydantic import ConfigDict, WithJsonSchema, with_config
from typing_extensions import TypedDict

from pitbook.house.table.state import TableKind
from pitbook.house.table.view_types import CommunityCards, Layout, SheetId, ShoeView
from pitbook.rules.result_json import (
    HandResult,
    LineReportWithWords,
    NoteJson,
    RoundReport,
    RoundResult,
    SeatResult,
    StakedWager,
)
from pitbook.shoe.stored_shoe import ShoeKind


class RoundShoe(ShoeView):
    """A round's shoe, with its seed if revealed."""

    drawn: int
    seed: str | None
    seat_seeds: list[list[int | str]]


class RoundBalance(TypedDict):
    """A player's balance before and after a round."""

    before: str
    after: str


class PastSeat(TypedDict):
    """A seat's bets, plays and cards."""

    seat: int
    player: str
    wagers: list[StakedWager]
    plays: list[str]
    cards: list[str | None]


class RecordedAdvice(TypedDict):
    """The coach's advice to a seat; `play` is the one it was about."""

    at: str
    seat: int
    text: str
    play: NotRequired[str]


class PastRound(TypedDict):
    """A past round; `player` is the name used then, which may be a guest's.

    `currency` is omitted for US dollars, and is CHIPS at a tournament.
    """

    round: str
    player: str
    table: str
    opened: str
    sheet: SheetId
    currency: NotRequired[str]
    board: list[str]
    common: NotRequired[list[CommunityCards]]
    seats: list[PastSeat]
    settlement: RoundResult | None
    advice: list[RecordedAdvice]
    balance: RoundBalance
    shoe: RoundShoe | None
    arranged: bool


class RevealedCard(TypedDict):
    """A card that became visible."""

    place: int | str
    card: str


class ReplayStep(TypedDict):
    """An action of a player or the dealer, with the layout after it."""

    n: int
    at: str
    actor: str
    what: str
    seat: int | None
    told: list[str]
    shown: list[RevealedCard]
    view: Layout


class RoundSheet(SheetId):
    """The sheet that a round was played under."""

    venue: str
    effective: str | None


class StoryStepJson(TypedDict):
    """A ledger entry in words; `follows` if it began with another seat's action."""

    seq: int
    at: str
    actor: str
    follows: bool
    told: list[str]


class SeatAdvice(TypedDict):
    """The coach's advice and its time."""

    at: str
    text: str


class TransferJson(TypedDict):
    """A transfer in the ledger."""

    seq: int
    debit: str
    credit: str
    amount: str
    why: str


class LineShare(TypedDict):
    """A wager's amount under a cap, before and after."""

    wager: str
    due: str
    paid: str


class HandShare(TypedDict):
    """A hand's amount under a cap, before and after."""

    seat: int
    due: str
    paid: str
    lines: list[LineShare]


class AppliedCap(TypedDict):
    """An applied cap with every hand under it; `shared_by` is the clause for sharing."""

    clause: str
    due: str
    paid: str
    seat: int | None
    shared_by: str
    hands: list[HandShare]


class SeatExplanation(TypedDict):
    """The account of a seat's result, replayed from the ledger."""

    round: str
    seat: int
    player: str
    table: str
    kind: TableKind
    unit: str
    dealers: NotRequired[list[str]]
    stream: str
    entries: list[int]
    sheet: RoundSheet
    shoe: RoundShoe | None
    story: list[StoryStepJson]
    advice: list[SeatAdvice]
    board: list[str]
    common: NotRequired[list[CommunityCards]]
    cards: list[str]
    plays: list[str]
    result: HandResult | None
    lines: NotRequired[list[LineReportWithWords]]
    wins: NotRequired[str]
    loses: NotRequired[str]
    net: NotRequired[str]
    held: NotRequired[str]
    so_far: NotRequired[SeatResult | None]
    limits: list[AppliedCap]
    notes: list[NoteJson]
    balance: RoundBalance
    transfers: list[TransferJson]
    differs: list[str]


# Proofs: a shoe by its seed, or a shoe with single-card commitments.


_OPENED = {
    "type": "array",
    "prefixItems": [{"type": "string"}, {"type": "string"}],
    "minItems": 2,
    "maxItems": 2,
}
OpenedCard = Annotated[list[str], WithJsonSchema(_OPENED)]  # A card and its salt.


@with_config(ConfigDict(extra="allow"))
class StoredAction(TypedDict):
    """An action of a round; a card is null if it is hidden from the reader."""

    do: str
    seat: NotRequired[int]
    place: NotRequired[int | Literal["board", "board-1", "board-2"]]
    card: NotRequired[str | None]


class SheetStored(TypedDict):
    """A stored sheet: its hash and body."""

    hash: str
    body: dict[str, Any]


class StoredRound(TypedDict):
    """A round with its stored sheet."""

    format: int
    engine: int
    sheet: SheetStored
    actions: list[StoredAction]
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
    """A proof of a whole shoe by its seed."""

    format: Literal[1]
    shoe: SeedShoe
    drawn: int
    round: StoredRound
    round_id: NotRequired[str]


class PastDeal(TypedDict):
    """An earlier deal of the shoe."""

    cards: int
    seat_seeds: dict[str, str]


class CardShoe(TypedDict):
    """A shoe with single-card commitments."""

    id: str
    kind: ShoeKind
    decks: int
    commitment: str
    past: list[PastDeal]
    seat_seeds: dict[str, str]


class DealtCard(TypedDict):
    """A dealt card: opened by its salt and path, or closed."""

    position: int
    card: NotRequired[str]
    salt: NotRequired[str]
    path: NotRequired[list[str]]


class CardProof(TypedDict):
    """The part of a shoe that its reader may see; with `deck`, all of it."""

    format: Literal[2]
    round_id: NotRequired[str]
    shoe: CardShoe
    drawn: int
    cards: list[DealtCard]
    deck: NotRequired[list[OpenedCard]]
    round: StoredRound


Proof = SeedProof | CardProof
