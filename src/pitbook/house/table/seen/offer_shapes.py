"""What a viewer may ask of a table, as types; `refused` says why not, where it is refused now."""

from __future__ import annotations

from typing import Literal, NotRequired

from typing_extensions import TypedDict

from pitbook.house.table.seen.prices import Priced
from pitbook.rules.refusals import Code

__all__ = [
    "AmountOffer",
    "ChipOffer",
    "ChoiceNamed",
    "ChoiceOffer",
    "DecideOffer",
    "Effects",
    "FieldSaid",
    "Offer",
    "OtherOffer",
    "Puts",
    "Refusable",
    "RefusalShown",
    "WagerBounds",
    "WagerOffer",
]


_One = str | int | float | bool | None
FieldSaid = _One | list[_One]  # Of a sentence: an amount in cents, a number, a name, or several.


class RefusalShown(TypedDict):
    """A no: its kind, a sentence, and the clause that it rests on.

    `key` and `fields` are what the sentence is made of, in any language: with every answer, and
    in a view where it names somebody.
    """

    code: Code
    message: str
    clause: str | None
    key: NotRequired[str]
    fields: NotRequired[dict[str, FieldSaid]]


class Refusable(TypedDict):
    """Something that may be refused now."""

    refused: NotRequired[RefusalShown]


class AmountOffer(Refusable):
    """A wager of so much."""

    amount: str


class ChipOffer(AmountOffer):
    """A wager after one more chip of a kind."""

    chip: str


class WagerBounds(TypedDict):
    """How much a wager may be."""

    min: str
    max: str
    step: str


class Puts(TypedDict):
    """A wager after one more chip of each kind, one of the smallest less, and none at all."""

    chips: NotRequired[list[ChipOffer]]
    less: NotRequired[AmountOffer]
    clear: NotRequired[AmountOffer]


class WagerOffer(WagerBounds, Puts, Refusable):
    """A wager within its bounds, and what lies there now."""

    do: Literal["put-wager"]
    seat: int
    wager: str
    now: str


class Effects(TypedDict):
    """What a play does: what it declares, the wagers it puts, the multiple it is called by."""

    says: str
    puts: list[str]
    bets: int | None


class ChoiceNamed(Effects):
    """A play and the key that makes it; `plain` is one that it only adds a wager to."""

    play: str
    title: str
    key: str
    plain: str | None
    folds: bool


class ChoiceOffer(ChoiceNamed, Priced, Refusable):
    """A play, and what it costs now."""


class DecideOffer(TypedDict):
    """The plays of a seat."""

    do: Literal["decide"]
    seat: int
    stage: str
    stage_title: str
    choices: list[ChoiceOffer]


class OtherOffer(Refusable):
    """Any other command, without the words that its sender has still to find."""

    do: Literal[
        "agree",
        "close-betting",
        "coach",
        "expose-card",
        "go-on",
        "interrupt",
        "leave",
        "misdeal",
        "open-round",
        "ready",
        "rebet",
        "refill",
        "retire",
        "seat-seed",
        "settle",
        "shuffler-failed",
        "shuffler-repaired",
        "sit",
        "undo",
        "unreadable",
        "void-hand",
        "warn",
    ]
    seat: NotRequired[int]
    player: NotRequired[str]
    on: NotRequired[bool]
    reason: NotRequired[str]
    part: NotRequired[Literal["gave", "took"]]
    place: NotRequired[int | str]
    finish: NotRequired[bool]
    card_count: NotRequired[bool]


Offer = WagerOffer | DecideOffer | OtherOffer
