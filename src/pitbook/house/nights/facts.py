"""Facts of a night, as its stream stores them."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Literal, NamedTuple, TypeAlias

from pitbook.house.ledger.accounts import Transfer
from pitbook.house.ledger.codec import Codec, Json, LeftOut
from pitbook.house.nights.tournament import facts as tournament_facts
from pitbook.money import Cents
from pitbook.rules.refusals import Refusal

FORMAT = 1
SlipKind = Literal["float", "sold", "redeemed", "unclaimed"]

FACTS: Codec[Own] = Codec("a night")


class Unclaimed(NamedTuple):
    """What a tournament owed somebody who did not come for it before the night closed."""

    tournament: str
    player: str
    amount: Cents


@FACTS.fact("night-made", in_format=FORMAT)
class NightMade(NamedTuple):
    """A night with its rules, before the doors open."""

    event: str
    charity: str
    licence: str
    gaming_date: str
    zone: str
    house: dict[str, Any]
    rehearsal: LeftOut[bool] = False


@FACTS.fact("night-corrected")
class NightCorrected(NamedTuple):
    """What was wrong about a night was put right before the doors opened."""

    charity: str
    licence: str
    gaming_date: str
    zone: str
    was: dict[str, Any]
    at: str
    by: str


@FACTS.fact("night-opened")
class NightOpened(NamedTuple):
    """The doors are open."""

    at: str


@FACTS.fact("slip")
class SlipPassed(NamedTuple):
    """Money or chips passed over the counter, with the number of the slip."""

    slip: int
    what: SlipKind
    player: str
    amount: Cents
    over: Cents
    at: str
    by: str


@FACTS.fact("slip-undone")
class SlipUndone(NamedTuple):
    """A slip was wrong, and what it moved went back."""

    slip: int
    over: Cents
    why: str
    at: str
    by: str


@FACTS.fact("table-admitted")
class TableAdmitted(NamedTuple):
    """A table may be set up on these rules; a derived sheet says from which, and how it differs."""

    table: str
    sheet: dict[str, Any]
    base: str
    limits: dict[str, Any] | None
    differences: tuple[dict[str, Any], ...]
    base_sheet: LeftOut[dict[str, Any] | None] = None


@FACTS.fact("night-interrupted")
class NightInterrupted(NamedTuple):
    """Play stopped everywhere."""

    why: str
    at: str
    by: str
    dead: LeftOut[bool] = False


@FACTS.fact("night-closed")
class NightClosed(NamedTuple):
    """The night is over; what nobody came for is kept by name."""

    at: str
    expired: Mapping[str, Cents]
    float_returned: Cents
    unclaimed: LeftOut[tuple[Unclaimed, ...]] = ()


Own: TypeAlias = (
    NightMade
    | NightCorrected
    | NightOpened
    | SlipPassed
    | SlipUndone
    | TableAdmitted
    | NightInterrupted
    | NightClosed
)
Fact: TypeAlias = Own | tournament_facts.Fact


def dump(fact: Fact) -> Json:
    """A fact of the night or of one of its tournaments, as the ledger keeps it."""
    return FACTS.dump(fact) if isinstance(fact, Own) else tournament_facts.dump(fact)


def load(kept: Mapping[str, Any]) -> Fact:
    """The fact that was kept; raises FactError for what is none."""
    return tournament_facts.load(kept) if "tournament" in kept else FACTS.load(kept)


def name(fact: Fact) -> str:
    """What a fact is called on record."""
    codec = FACTS if isinstance(fact, Own) else tournament_facts.FACTS
    return codec.name(type(fact))


class Decided(NamedTuple):
    """Facts for the night's stream, and the transfers that are written with them."""

    facts: tuple[Any, ...]
    transfers: tuple[Transfer, ...] = ()


DecidedOrRefusal: TypeAlias = Decided | Refusal
