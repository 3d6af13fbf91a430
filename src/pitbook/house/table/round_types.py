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
    """A round's shoe, with its seed if revealed."""

    drawn: int
    seed: str | None
    seat_seeds: list[list[int | str]]


class RoundBalance(TypedDict):
    """A player's balance before and after a round."""

    before: str
    after: str


class SeatRecalled(TypedDict):
    """A seat's bets, plays and cards."""

    seat: int
    player: str
    wagers: list[StakedWager]
    plays: list[str]
    cards: list[str | None]


class AdviceNoted(TypedDict):
    """The coach's advice to a seat; `play` is the one it was about."""

    at: str
    seat: int
    text: str
    play: NotRequired[str]


class Recalled(TypedDict):
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
    common: NotRequired[list[CommonCards]]
    seats: list[SeatRecalled]
    settlement: RoundResult | None
    advice: list[AdviceNoted]
    balance: RoundBalance
    shoe: ShoeTold | None
    arranged: bool


class CardShown(TypedDict):
    """A card that became visible."""

    place: int | str
    card: str


class Step(TypedDict):
    """An action of a player or the dealer, with the layout after it."""

    n: int
    at: str
    actor: str
    what: str
    seat: int | None
    told: list[str]
    shown: list[CardShown]
    view: Layout


class SheetThen(SheetId):
    """The sheet that a round was played under."""

    venue: str
    effective: str | None


class PassageShown(TypedDict):
    """A ledger entry in words; `follows` if it began with another seat's action."""

    seq: int
    at: str
    actor: str
    follows: bool
    told: list[str]


class AdviceThen(TypedDict):
    """The coach's advice and its time."""

    at: str
    text: str


class MoneyMoved(TypedDict):
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


class CapExplained(TypedDict):
    """An applied cap with every hand under it; `shared_by` is the clause for sharing."""

    clause: str
    due: str
    paid: str
    seat: int | None
    shared_by: str
    hands: list[HandShare]


class Explained(TypedDict):
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


# Proofs: a shoe by its seed, or a shoe with single-card commitments.


_OPENED = {
    "type": "array",
    "prefixItems": [{"type": "string"}, {"type": "string"}],
    "minItems": 2,
    "maxItems": 2,
}
CardOpened = Annotated[list[str], WithJsonSchema(_OPENED)]  # A card and its salt.


@with_config(ConfigDict(extra="allow"))
class ActionStored(TypedDict):
    """An action of a round; a card is null if it is hidden from the reader."""

    do: str
    seat: NotRequired[int]
    place: NotRequired[int | Literal["board", "board-1", "board-2"]]
    card: NotRequired[str | None]


class SheetStored(TypedDict):
    """A stored sheet: its hash and body."""

    hash: str
    body: dict[str, Any]


class RoundStored(TypedDict):
    """A round with its stored sheet."""

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
    """A proof of a whole shoe by its seed."""

    format: Literal[1]
    shoe: SeedShoe
    drawn: int
    round: RoundStored
    round_id: NotRequired[str]


class DealPast(TypedDict):
    """An earlier deal of the shoe."""

    cards: int
    seat_seeds: dict[str, str]


class CardShoe(TypedDict):
    """A shoe with single-card commitments."""

    id: str
    kind: ShoeKind
    decks: int
    commitment: str
    past: list[DealPast]
    seat_seeds: dict[str, str]


class CardLaid(TypedDict):
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
    cards: list[CardLaid]
    deck: NotRequired[list[CardOpened]]
    round: RoundStored


Proof = SeedProof | CardProof
