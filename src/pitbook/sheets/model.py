"""What every rule sheet holds and answers, whatever its family."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterator, Mapping
from typing import TYPE_CHECKING, Annotated, Any, ClassVar, Literal, NamedTuple, Protocol, Self

from pydantic import Field, StringConstraints

from pitbook.money import Cents
from pitbook.sheets.parts import (
    Advantage,
    BestPlay,
    Date,
    Deck,
    Equipment,
    Filing,
    History,
    House,
    Irregularities,
    Limit,
    Main,
    MainWager,
    Notice,
    Payouts,
    Procedures,
    Seats,
    Settlement,
    SideWager,
    Source,
    Variant,
)
from pitbook.sheets.values import (
    SLUG,
    Choice,
    Clause,
    Direction,
    Entries,
    Format,
    Money,
    Order,
    Rule,
    Sized,
    Slug,
    TomlTable,
    Words,
    descriptive_field,
    optional_field,
)


class Dealt(Protocol):
    """What every family says of its deal, in its own field."""

    @property
    def order(self) -> tuple[str, ...]:
        """Who gets cards, in turn: "players", and whose the cards in common are."""

    @property
    def direction(self) -> Direction:
        """Which way the seats are dealt to."""

    @property
    def at_a_time(self) -> int | None:
        """Cards to a seat at once; None: a whole hand."""

    @property
    def clause(self) -> str:
        """The clause that says so."""


class FurtherBet(NamedTuple):
    """A bet that a player may add during the hand, at its largest, and where the sheet has it."""

    told: Callable[[], str]  # Its name, worded where somebody asks for it.
    path: tuple[str | int, ...]
    most: int
    times: int  # The main wager, where no maximum cuts it.


class NamedBet(NamedTuple):
    """A bet of the hand that has an id and a title of its own, and where the sheet has it."""

    id: str
    title: str
    path: tuple[str | int, ...]
    clause: str


BoardWord = Literal["community", "dealer"]


class Sheet(TomlTable, ABC):
    """The fields that every family shares."""

    main_id: ClassVar[str]  # The main wager: its field here, its id at the table.
    unit: ClassVar[tuple[str, str]]  # One and many of what stakes and figures are counted in.
    board_word: ClassVar[BoardWord]  # Whose the cards in common are.
    board_card: ClassVar[str]  # One of them, in a sentence.
    looks_at: ClassVar[Mapping[str, str]]  # What side wagers look at, in words.
    unlisted_loses: ClassVar[bool] = True  # Whether what the main pay table does not list loses.
    sides_alone: ClassVar[bool] = False  # Whether a side wager may stand without the main one.

    if TYPE_CHECKING:  # Each family's own, in its own words.
        family: str
        deal: Dealt
        main: Main
        settlement: Settlement

    format: Format = Field(description="The version of this format.")
    id: Annotated[str, StringConstraints(pattern=f"^{SLUG}/{SLUG}$", max_length=120)] = Field(
        description="venue/game, in lower case."
    )
    title: Words = descriptive_field()
    effective: Date | None = Field(
        default=None, description="First day in force; left out: always, the document is undated."
    )
    source: Source
    history: History | None = None
    house: House
    seats: Seats
    equipment: Equipment | None = None
    deck: Deck
    side: Annotated[Entries[Slug, SideWager], Sized(max_length=20)] = Field(
        default_factory=Entries, description="Side wagers by id."
    )
    limits: Order[Limit] = ()
    uncapped: Rule | None = Field(
        default=None, description="Says that no limit is posted, and why."
    )
    single_bet_max: Choice[Money] | None = Field(
        default=None, description="The most that any one bet, raise or re-raise may be."
    )
    player_advantage: Order[Advantage] = Field(
        default=(), description="Wagers that the player has the better of, each declared."
    )
    payouts: Payouts = Field(default_factory=Payouts)
    irregularities: Irregularities
    best_play: BestPlay = Field(default_factory=BestPlay)
    variants: Entries[Slug, Variant] | None = optional_field(
        "Other pay tables that the document allows, by name."
    )
    procedures: Procedures | None = optional_field("The dealer's procedures, for papers.")
    notices: Order[Notice] = optional_field("What is posted and announced, for papers.", ())
    filing: Filing | None = optional_field("Who files the game, for papers.")

    def __reduce__(self) -> tuple[Any, ...]:
        said = self.model_dump(by_alias=True, exclude_none=True)
        return type(self).model_validate, (said,)

    @property
    @abstractmethod
    def hand_cards(self) -> int:
        """Cards to each position."""

    @property
    @abstractmethod
    def board_cards(self) -> int:
        """Cards in common, or the dealer's."""

    @property
    @abstractmethod
    def units_min(self) -> int:
        """The fewest units that a hand which stays in has on the main game at the end."""

    @property
    @abstractmethod
    def units_max(self) -> int:
        """The most units that one hand can have at stake on the main game."""

    @property
    @abstractmethod
    def wager_order(self) -> tuple[str, ...]:
        """Every wager of a hand in the sheet's order (GEN-4)."""

    @property
    @abstractmethod
    def has_fold(self) -> bool:
        """Whether a player can give a hand up."""

    @property
    @abstractmethod
    def shows_folded(self) -> bool:
        """Whether all see the cards of a hand that is given up."""

    @property
    @abstractmethod
    def largest_stakes(self) -> tuple[Cents, ...]:
        """Every wager of the main game at its largest."""

    @abstractmethod
    def further_bets(self) -> Iterator[FurtherBet]:
        """Every bet of the main game after the first, at its largest."""

    def undivided(self) -> Self:
        """The sheet with every bet counted whole, where one is made of several on a circle."""
        return self

    @abstractmethod
    def named_bets(self) -> Iterator[NamedBet]:
        """Every such bet that a sheet gives an id and a title."""

    def may_stand_alone(self, wager: str) -> bool:
        """Whether a side wager may be made without the main one."""
        alone = self.side[wager].stake.alone
        return alone is not None and alone.value

    @property
    def main_wager(self) -> MainWager:
        """The wager that must be made."""
        wager: MainWager = getattr(self, self.main_id)
        return wager

    @property
    def clause_ids(self) -> tuple[str, ...]:
        """Every clause the sheet cites, once each, in its order."""
        return tuple(dict.fromkeys(_clauses(self)))


def _clauses(part: Any) -> list[Clause]:
    if isinstance(part, TomlTable):
        inner = [getattr(part, name) for name in type(part).model_fields]
        own = [part.clause] if isinstance(part, Rule) else []
        return own + [c for one in inner for c in _clauses(one)]
    if isinstance(part, Mapping):
        return [c for one in part.values() for c in _clauses(one)]
    if isinstance(part, tuple):
        return [c for one in part for c in _clauses(one)]
    return []
