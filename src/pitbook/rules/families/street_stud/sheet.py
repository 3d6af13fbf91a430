"""Street-stud rule sheets: hole cards, then a bet before each street of community cards.

A street may instead return a bet that was placed with the ante.
"""

from collections.abc import Callable, Iterator, Mapping
from typing import Annotated, ClassVar, Literal, Self

from pydantic import Field

from pitbook.money import Cents
from pitbook.sheets.field_types import (
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
from pitbook.sheets.model import FurtherBet, Main, MainWager, NamedBet, Settlement, Sheet
from pitbook.sheets.pay_tables import Scope, hand_scope
from pitbook.text import Sentence, say

HAND_SIZE = 5


class Play(Rule):
    """What a hand is compared with."""

    against: Literal["pay-table"] = descriptive_field()


class Deal(Rule):
    """The order of the deal. All cards are dealt face down."""

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
        """Whether its bet is placed before the deal and may be pulled back here."""
        return self.placed == "before-deal"


class Fold(Rule):
    """What a fold costs (every main wager so far) and where the folded cards go."""

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
        """The number of community cards."""
        return sum(street.reveals.value for street in self.streets)

    @property
    def hand_cards(self) -> int:
        """Hole cards per player."""
        return self.deal.hole.value

    @property
    def board_cards(self) -> int:
        return self.community

    @property
    def units_min(self) -> int:
        """The fewest antes at stake at the end on a hand that does not fold."""
        return 1 + sum(min(street.bets) for street in self.streets)

    @property
    def units_max(self) -> int:
        """The most antes at stake on one hand."""
        return 1 + sum(max(street.bets) for street in self.streets)

    @property
    def wager_order(self) -> tuple[str, ...]:
        """All wagers of a hand in settlement order (GEN-4)."""
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
        """The ante, then the largest bet of each street."""
        street_maxima = (
            _limit_amount(max(street.bets) * self.ante.max, street.bet_max)
            for street in self.streets
        )
        return (self.ante.max, *street_maxima)

    def further_bets(self) -> Iterator[FurtherBet]:
        """Every street bet, or each of its pieces; without bets placed before the deal."""
        for number, street in enumerate(self.streets):
            if street.pulls_back:
                continue
            times = 1 if street.pieces else max(street.bets)
            bet_max = _limit_amount(self.ante.max * times, street.bet_max)
            path = ("streets", number, "bets")
            yield FurtherBet(_each_bet_text(street.title), path, bet_max, times)

    def without_pieces(self) -> Self:
        """The sheet without pieces of bets."""
        streets = tuple(street.model_copy(update={"pieces": ()}) for street in self.streets)
        return self.model_copy(update={"streets": streets})

    def named_bets(self) -> Iterator[NamedBet]:
        for number, street in enumerate(self.streets):
            yield NamedBet(street.id, street.title, ("streets", number), street.clause)


def _each_bet_text(title: str) -> Callable[[], Sentence]:
    return lambda: say("findings.stakes.each-bet", title=title)


def _limit_amount(amount: int, limit: Cents | None) -> Cents:
    return Cents(min(amount, limit or amount))


def scope(sheet: StreetStud, wager: str) -> Scope | None:
    """The outcomes that a pay table may list: hands of one deck."""
    if wager == "main":
        return hand_scope(HAND_SIZE, many_decks=False)
    cards = {"community": sheet.community, "hole": sheet.deal.hole.value, "hand": HAND_SIZE}
    looks_at = sheet.side[wager].looks_at
    return hand_scope(cards[looks_at], many_decks=False) if looks_at in cards else None
