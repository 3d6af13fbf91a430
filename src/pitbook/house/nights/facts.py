"""Facts of a night, as its stream stores them."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated, Any, Literal, NamedTuple, TypeAlias

from pitbook.house.ledger.fact_codec import Codec, Json, OmitDefault, StoredAs
from pitbook.house.nights.tournament import facts as tournament_facts
from pitbook.money import Cents

FORMAT = 1
SlipKind = Literal["float", "sold", "redeemed", "unclaimed"]

FACTS: Codec[NightFact] = Codec("a night")


class Unclaimed(NamedTuple):
    """Money that a tournament owed a player when the night closed."""

    tournament: str
    player: str
    amount: Cents


@FACTS.fact("night-made", in_format=FORMAT)
class NightCreated(NamedTuple):
    """A night was created with its rules."""

    event: str
    charity: str
    licence: str
    gaming_date: str
    zone: str
    house: dict[str, Any]
    rehearsal: OmitDefault[bool] = False


@FACTS.fact("night-corrected")
class NightCorrected(NamedTuple):
    """A night's description was corrected before opening."""

    charity: str
    licence: str
    gaming_date: str
    zone: str
    before: Annotated[dict[str, Any], StoredAs("was")]
    at: str
    by: str


@FACTS.fact("night-opened")
class NightOpened(NamedTuple):
    at: str


@FACTS.fact("slip")
class SlipBooked(NamedTuple):
    """A slip was booked at the counter."""

    slip: int
    what: SlipKind
    player: str
    amount: Cents
    over: Cents
    at: str
    by: str


@FACTS.fact("slip-undone")
class SlipVoided(NamedTuple):
    """A slip was voided and its transfers were reversed."""

    slip: int
    over: Cents
    why: str
    at: str
    by: str


@FACTS.fact("table-admitted")
class TableAdmitted(NamedTuple):
    """A table was admitted with its sheet; a derived one names its base and the differences."""

    table: str
    sheet: dict[str, Any]
    base: str
    limits: dict[str, Any] | None
    differences: tuple[dict[str, Any], ...]
    base_sheet: OmitDefault[dict[str, Any] | None] = None


@FACTS.fact("night-interrupted")
class NightInterrupted(NamedTuple):
    """Play was interrupted everywhere."""

    why: str
    at: str
    by: str
    dead: OmitDefault[bool] = False


@FACTS.fact("night-closed")
class NightClosed(NamedTuple):
    """The night closed; unclaimed money is kept by player name."""

    at: str
    expired: Mapping[str, Cents]
    float_returned: Cents
    unclaimed: OmitDefault[tuple[Unclaimed, ...]] = ()


NightFact: TypeAlias = (
    NightCreated
    | NightCorrected
    | NightOpened
    | SlipBooked
    | SlipVoided
    | TableAdmitted
    | NightInterrupted
    | NightClosed
)
Fact: TypeAlias = NightFact | tournament_facts.Fact


def dump(fact: Fact) -> Json:
    """A fact of the night or of one of its tournaments as stored JSON."""
    return FACTS.dump(fact) if isinstance(fact, NightFact) else tournament_facts.dump(fact)


def load(document: Mapping[str, Any]) -> Fact:
    """Load a stored fact; raises FactError if it is invalid."""
    return tournament_facts.load(document) if "tournament" in document else FACTS.load(document)


def name(fact: Fact) -> str:
    """The stored name of a fact's type."""
    codec = FACTS if isinstance(fact, NightFact) else tournament_facts.FACTS
    return codec.name(type(fact))
