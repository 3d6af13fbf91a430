"""Hi-lo rule sheets: a hand is played against the dealer's high hand or low hand."""

from collections.abc import Iterator, Mapping
from functools import cache
from typing import Annotated, ClassVar, Literal, get_args

from pydantic import Field

from pitbook.hands.low_and_high import EqualPoints
from pitbook.money import Cents
from pitbook.sheets.field_types import (
    Choice,
    Count,
    Direction,
    Entries,
    Order,
    Rule,
    TomlTable,
    Words,
    choice,
    descriptive_field,
)
from pitbook.sheets.model import FurtherBet, Main, MainWager, NamedBet, Settlement, Sheet
from pitbook.sheets.pay_tables import Scope, hand_scope, match_scope, named_scope
from pitbook.text import Sentence, say

PointValue = Annotated[int, Field(ge=0, le=100)]
RankName = Literal["2", "3", "4", "5", "6", "7", "8", "9", "10", "J", "Q", "K", "A"]
RANK_NAMES: tuple[RankName, ...] = get_args(RankName)


class Play(Rule):
    """What a hand is compared with."""

    against: Literal["dealer"] = descriptive_field()


class Deal(Rule):
    """The order of the deal, and the number of cards."""

    order: Order[Literal["players", "dealer"]]
    direction: Direction
    player: Annotated[int, Field(ge=1, le=7)] = Field(description="Cards to each spot.")
    dealer: Annotated[int, Field(ge=2, le=9)] = Field(description="Cards to the dealer.")
    at_a_time: Count | None = Field(default=None, description="Left out: a whole hand at once.")


class Points(Rule):
    """The points of each card."""

    values: Entries[RankName, PointValue] = Field(description="All thirteen ranks.")
    in_high_hand: Entries[RankName, PointValue] = Field(
        default_factory=Entries, description="Ranks that count otherwise in a high hand."
    )


class Declare(Rule):
    """The two areas of the layout, and the declaration for an absent player (GEN-10)."""

    low: Words = descriptive_field(description="The area for a low hand.")
    high: Words = descriptive_field(description="The area for a high hand.")
    absent_high_at: Choice[Annotated[int, Field(ge=0, le=1000)]] = Field(
        default=choice(14, "GEN-10"),
        description="High at this many points or more, counted high; else low. Never doubled.",
    )
    sees_all_spots: Choice[bool] | None = Field(
        default=None,
        description="Whether a player of several spots sees all hands before declaring the first; "
        "if not, each is seen when the one before is declared.",
    )


class Double(Rule):
    """A second wager after the player has seen the cards."""

    times: Annotated[int, Field(ge=1, le=10)] = Field(description="Multiples of the Bet, exactly.")
    within_max: Choice[bool] = Field(
        default=choice(False, "GEN-11"),
        description="Whether Bet and double together must stay within the maximum.",
    )
    area: Words = descriptive_field(description="Where it is put.")


class Areas(TomlTable):
    """The names printed on the layout for the dealer's hand."""

    low: Words = descriptive_field()
    shared: Words | None = descriptive_field(default=None)
    high: Words = descriptive_field()


class Dealer(Rule):
    """How the dealer's cards are split into a low and a high hand."""

    low: Annotated[int, Field(ge=1, le=8)] = Field(description="Cards in the low hand.")
    shared: Literal["ace-then-highest", "highest", "none"] = Field(
        description="Which card of the low hand counts in the high hand too."
    )
    equal_points: Choice[EqualPoints] = Field(
        default=choice("two-to-ace", "GEN-17"),
        description="The order of ranks in which cards of equal points rise.",
    )
    laid: Direction = Field(description="Rising points run this way, as the dealer sees it.")
    areas: Areas


class HiLoMain(Main):
    """What Bet and double win, and who wins ties."""

    ties: Choice[Literal["player", "dealer", "push"]]


class HiLoSettlement(Settlement):
    """The order of settlement and how hands are placed."""

    high_laid: Words = descriptive_field()
    low_laid: Words = descriptive_field()


class HiLo(Sheet):
    """A rule sheet of the hi-lo family."""

    main_id: ClassVar[str] = "bet"
    unit: ClassVar[tuple[str, str]] = ("Bet", "Bets")
    board_word: ClassVar[Literal["dealer"]] = "dealer"
    board_card: ClassVar[str] = "a dealer's card"
    looks_at: ClassVar[Mapping[str, str]] = {
        "hand": "the player's hand",
        "dealer-match": "the dealer's matching cards",
    }

    family: Literal["hi-lo"]
    play: Play
    deal: Deal
    points: Points
    bet: MainWager
    declare: Declare
    double: Double | None = None
    dealer: Dealer
    main: HiLoMain
    settlement: HiLoSettlement

    @property
    def hand_cards(self) -> int:
        """Cards per spot."""
        return self.deal.player

    @property
    def board_cards(self) -> int:
        """Number of dealer cards."""
        return self.deal.dealer

    @property
    def units_min(self) -> int:
        """The fewest Bets at stake on the main game."""
        return 1

    @property
    def units_max(self) -> int:
        """The most Bets at stake on the main game."""
        return 1 + (self.double.times if self.double else 0)

    @property
    def wager_order(self) -> tuple[str, ...]:
        """All wagers of a hand in settlement order (GEN-4)."""
        return ("bet", *(("double",) if self.double else ()), *self.side)

    @property
    def has_fold(self) -> bool:
        return False

    @property
    def shows_folded(self) -> bool:
        return False

    @property
    def largest_stakes(self) -> tuple[Cents, ...]:
        double = (Cents(self.bet.max * self.double.times),) if self.double else ()
        return (self.bet.max, *double)

    def further_bets(self) -> Iterator[FurtherBet]:
        if self.double:
            double_max = self.bet.max * self.double.times
            yield FurtherBet(_double_text, ("double", "times"), double_max, self.double.times)

    @property
    def compares_hands(self) -> bool:
        """True: a hand is compared with the dealer's low or high hand."""
        return True

    def named_bets(self) -> Iterator[NamedBet]:
        """Empty: sheets do not name the double."""
        return iter(())


def _double_text() -> Sentence:
    return say("findings.stakes.the-double")


def scope(sheet: HiLo, wager: str) -> Scope | None:
    """The outcomes that a pay table may list: declarations, matches, or hands of these decks."""
    if wager == "main":
        return declared_scope()
    looks_at = sheet.side[wager].looks_at
    if looks_at == "dealer-match":
        return match_scope(sheet.deal.dealer)
    if looks_at == "hand":
        return hand_scope(sheet.deal.player, many_decks=sheet.deck.decks > 1)
    return None


@cache
def declared_scope() -> Scope:
    """The two declarations; neither ranks higher."""
    return named_scope("declaration", ("low", "high"), ordered=False)
