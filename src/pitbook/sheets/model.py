"""The base of all rule sheets: fields and properties shared by all families."""

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
    """The deal of any family."""

    @property
    def order(self) -> tuple[str, ...]:
        """The receivers of cards, in turn: "players", "community", "dealer"."""

    @property
    def direction(self) -> Direction:
        """The direction of the deal."""

    @property
    def at_a_time(self) -> int | None:
        """Cards to a seat at a time; None for a whole hand."""

    @property
    def clause(self) -> str:
        """The clause for the deal."""


class FurtherBet(NamedTuple):
    """A further bet during the hand, at its maximum, with its path in the sheet."""

    describe: Callable[[], str]  # Renders its name on demand.
    path: tuple[str | int, ...]
    most: int
    times: int  # In main wagers, before any maximum.


class NamedBet(NamedTuple):
    """A bet with an id and a title of its own, with its path in the sheet."""

    id: str
    title: str
    path: tuple[str | int, ...]
    clause: str


BoardWord = Literal["community", "dealer"]


class Sheet(TomlTable, ABC):
    """The fields shared by all families."""

    main_id: ClassVar[str]  # The main wager: its field here and its id in rounds.
    unit: ClassVar[tuple[str, str]]  # Singular and plural of the unit of stakes and figures.
    board_word: ClassVar[BoardWord]  # Whose the shared cards are.
    board_card: ClassVar[str]  # One of them, in a sentence.
    looks_at: ClassVar[Mapping[str, str]]  # The cards used by side wagers, in words.
    unlisted_loses: ClassVar[bool] = True  # Whether hands outside the main pay table lose.
    sides_alone: ClassVar[bool] = False  # Whether a side wager may be made without the main one.

    if TYPE_CHECKING:  # Defined by each family with its own types.
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
        document = self.model_dump(by_alias=True, exclude_none=True)
        return type(self).model_validate, (document,)

    @property
    @abstractmethod
    def hand_cards(self) -> int:
        """Cards per position."""

    @property
    @abstractmethod
    def board_cards(self) -> int:
        """The number of shared or dealer cards."""

    @property
    @abstractmethod
    def units_min(self) -> int:
        """The fewest units at stake at the end on a hand that does not fold."""

    @property
    @abstractmethod
    def units_max(self) -> int:
        """The most units at stake on one hand."""

    @property
    @abstractmethod
    def wager_order(self) -> tuple[str, ...]:
        """All wagers of a hand in settlement order (GEN-4)."""

    @property
    @abstractmethod
    def has_fold(self) -> bool:
        """Whether a player can fold."""

    @property
    @abstractmethod
    def shows_folded(self) -> bool:
        """Whether the cards of a folded hand are shown."""

    @property
    @abstractmethod
    def largest_stakes(self) -> tuple[Cents, ...]:
        """Every wager of the main game at its maximum."""

    @abstractmethod
    def further_bets(self) -> Iterator[FurtherBet]:
        """Every bet of the main game after the first, at its maximum."""

    def without_pieces(self) -> Self:
        """The sheet with each bet as one piece."""
        return self

    @abstractmethod
    def named_bets(self) -> Iterator[NamedBet]:
        """Every further bet with an id and a title."""

    def may_stand_alone(self, wager: str) -> bool:
        """Whether a side wager may be made without the main one."""
        alone = self.side[wager].stake.alone
        return alone is not None and alone.value

    @property
    def main_wager(self) -> MainWager:
        """The required wager."""
        wager: MainWager = getattr(self, self.main_id)
        return wager

    @property
    def clause_ids(self) -> tuple[str, ...]:
        """Every clause that the sheet cites, once, in its order."""
        return tuple(dict.fromkeys(_clauses(self)))


def _clauses(part: Any) -> list[Clause]:
    if isinstance(part, TomlTable):
        inner = [getattr(part, name) for name in type(part).model_fields]
        own_clause = [part.clause] if isinstance(part, Rule) else []
        return own_clause + [clause for child in inner for clause in _clauses(child)]
    if isinstance(part, Mapping):
        return [clause for child in part.values() for clause in _clauses(child)]
    if isinstance(part, tuple):
        return [clause for child in part for clause in _clauses(child)]
    return []
