"""JSON types of a deal's proof: a shoe by its seed, or a shoe opened card by card."""

from __future__ import annotations

from typing import Annotated, Any, Literal, NotRequired

from pydantic import ConfigDict, WithJsonSchema, with_config
from typing_extensions import TypedDict

from pitbook.rules.report import RoundReport
from pitbook.shoe.record import ShoeKind

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
