"""Street-stud: hole cards, then streets that sell community cards for multiples of the ante.

Or that give back, before each, a bet that was placed as high as the ante.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import Annotated, ClassVar, Literal

from pydantic import Field

from pitbook.money import Cents
from pitbook.sheets.model import FurtherBet, NamedBet, Sheet
from pitbook.sheets.parts import Main, MainWager, Settlement
from pitbook.sheets.pay_tables import Scope, hand_scope
from pitbook.sheets.values import (
    Choice,
    Count,
    Direction,
    Money,
    Order,
    Rule,
    Slug,
    Words,
    choice_field,
    descriptive_field,
    optional_field,
)
from pitbook.text import Sentence, say

HAND_SIZE = 5


class Play(Rule):
    """What a hand is measured against."""

    against: Literal["pay-table"] = descriptive_field()


class Deal(Rule):
    """In which order cards reach the table, all face down."""

    order: Order[Literal["community", "players"]]
    direction: Direction
    hole: Choice[Annotated[int, Field(ge=1, le=4)]] = Field(description="Cards to each player.")
    at_a_time: Count | None = Field(default=None, description="Left out: all hole cards at once.")


class Street(Rule):
    """One decision: fold, or bet a multiple of the ante and see cards."""

    id: Slug
    title: Words = descriptive_field()
    bets: Annotated[Order[Annotated[int, Field(ge=0, le=100)]], Field(min_length=1)] = Field(
        description="Allowed multiples of the ante, rising; 0 lets the player go on for nothing."
    )
    fold: bool
    reveals: Choice[Annotated[int, Field(ge=0, le=4)]] = Field(
        description="Community cards turned after it."
    )
    pieces: Order[Words] = Field(
        default=(),
        description="The names of its antes, as bet, raise, re-raise; left out: one bet.",
    )
    bet_max: Money | None = Field(default=None, description="A maximum besides the multiples.")
    placed: Literal["before-deal"] | None = optional_field(
        '"before-deal": with the ante, as high as it; here it is taken back or rides.'
    )

    @property
    def pulls_back(self) -> bool:
        """Whether its bet lies there from the start, to be taken back."""
        return self.placed == "before-deal"


class Fold(Rule):
    """What a fold costs (every main wager made so far) and where the folded cards go."""

    tucks_under: Choice[Annotated[Order[str], Field(strict=False)]] | None = Field(
        default=None, description="Side wagers that the cards are tucked under, first choice first."
    )
    board_when_all_fold: Choice[Literal["if-needed", "always"]] = choice_field("if-needed", "GEN-5")
    shown: Choice[bool] = choice_field(False, "GEN-14")


class StreetStud(Sheet):
    """A rule sheet of the street-stud family."""

    main_id: ClassVar[str] = "ante"
    unit: ClassVar[tuple[str, str]] = ("ante", "antes")
    board_word: ClassVar[Literal["community"]] = "community"
    board_card: ClassVar[str] = "a community card"
    looks_at: ClassVar[Mapping[str, str]] = {
        "community": "the community cards",
        "hole": "the player's hole cards",
        "hand": "the player's hand",
    }

    family: Literal["street-stud"]
    play: Play
    deal: Deal
    ante: MainWager
    streets: Annotated[Order[Street], Field(min_length=1, max_length=6)]
    fold: Fold | None = None
    main: Main
    settlement: Settlement
    absent: Choice[Literal["fold", "smallest-bet"]] = choice_field("fold", "GEN-10")

    @property
    def community(self) -> int:
        """How many community cards the streets turn in all."""
        return sum(street.reveals.value for street in self.streets)

    @property
    def hand_cards(self) -> int:
        """Hole cards to each player."""
        return self.deal.hole.value

    @property
    def board_cards(self) -> int:
        """The community cards."""
        return self.community

    @property
    def units_min(self) -> int:
        """The fewest antes that a hand which stays in has at stake on the main game at the end."""
        return 1 + sum(min(street.bets) for street in self.streets)

    @property
    def units_max(self) -> int:
        """The most antes that one hand can have at stake on the main game."""
        return 1 + sum(max(street.bets) for street in self.streets)

    @property
    def wager_order(self) -> tuple[str, ...]:
        """Every wager of a hand in the sheet's order (GEN-4)."""
        return ("ante", *(street.id for street in self.streets), *self.side)

    @property
    def has_fold(self) -> bool:
        """Whether a street lets a player fold."""
        return self.fold is not None

    @property
    def shows_folded(self) -> bool:
        """GEN-14."""
        return self.fold is not None and self.fold.shown.value

    @property
    def largest_stakes(self) -> tuple[Cents, ...]:
        """The ante, then every street's largest bet."""
        most = (_within(max(one.bets) * self.ante.max, one.bet_max) for one in self.streets)
        return (self.ante.max, *most)

    def further_bets(self) -> Iterator[FurtherBet]:
        """Every bet of a street, or each of its pieces; what is placed before the deal is none."""
        for number, street in enumerate(self.streets):
            if street.pulls_back:
                continue
            times = 1 if street.pieces else max(street.bets)
            most = _within(self.ante.max * times, street.bet_max)
            path = ("streets", number, "bets")
            yield FurtherBet(_each_bet(street.title), path, most, times)

    def undivided(self) -> StreetStud:
        """The streets' bets without their pieces."""
        whole = tuple(one.model_copy(update={"pieces": ()}) for one in self.streets)
        return self.model_copy(update={"streets": whole})

    def named_bets(self) -> Iterator[NamedBet]:
        """The streets."""
        for number, street in enumerate(self.streets):
            yield NamedBet(street.id, street.title, ("streets", number), street.clause)


def _each_bet(title: str) -> Callable[[], Sentence]:
    return lambda: say("findings.stakes.each-bet", title=title)


def _within(amount: int, most: Cents | None) -> Cents:
    return Cents(min(amount, most or amount))


def scope(sheet: StreetStud, wager: str) -> Scope | None:
    """What a pay table can speak of: hands of one deck."""
    if wager == "main":
        return hand_scope(HAND_SIZE, many_decks=False)
    cards = {"community": sheet.community, "hole": sheet.deal.hole.value, "hand": HAND_SIZE}
    looks_at = sheet.side[wager].looks_at
    return hand_scope(cards[looks_at], many_decks=False) if looks_at in cards else None
