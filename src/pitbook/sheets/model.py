"""The model of all rule sheets: the fields that every family shares, and their parts."""

# No `from __future__ import annotations`: Pydantic would evaluate each text again per class.

import datetime
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterator, Mapping
from typing import TYPE_CHECKING, Annotated, Any, ClassVar, Literal, NamedTuple, Protocol, Self

from pydantic import (
    AfterValidator,
    Field,
    SerializerFunctionWrapHandler,
    StringConstraints,
    model_serializer,
)

from pitbook.money import Cents
from pitbook.sheets.field_types import (
    DESCRIPTIVE,
    SLUG,
    Choice,
    Clause,
    Count,
    Direction,
    Entries,
    Format,
    Money,
    OddsText,
    Order,
    Pays,
    Rule,
    Sized,
    Slug,
    Stated,
    TomlTable,
    Words,
    choice_field,
    descriptive_field,
    optional_field,
    stated_field,
)

Date = datetime.date
CurrencyCode = Literal["USD", "CAD", "EUR", "GBP", "MXN"]


def _omit_dollars(code: str | None) -> str | None:
    """None for US dollars: a sheet that names the default currency is the same sheet."""
    return None if code == "USD" else code


Currency = Annotated[CurrencyCode | None, AfterValidator(_omit_dollars)]


class Source(TomlTable):
    """The source document of the sheet."""

    document: Words = descriptive_field(description="The document's title, as printed.")
    dated: Date | None = descriptive_field(default=None, description="Its date, where it has one.")
    note: Words | None = descriptive_field(default=None)


class History(Rule):
    """What is known about the rules before the effective date."""

    earlier: Literal["none", "unknown"] = Field(
        description='"unknown": other rules held before and are not known.'
    )


PaperName = Literal[
    "rules", "report", "rack-card", "sign", "strategy-card", "dealer-card", "layout"
]


class Approval(Rule):
    """A commission's approval, and the rules it covers."""

    by: Words = descriptive_field()
    on: Date = descriptive_field()
    signatory: Words | None = optional_field("Who signed for the commission.")
    reference: Words | None = optional_field("The commission's file or docket number.")
    rules_hash: Annotated[str, Field(pattern="^[0-9a-f]{64}$")] | None = optional_field(
        "The approved rules' hash, as `sheets check` prints it. If the rules have changed since, "
        "papers are drafts."
    )
    papers: Order[PaperName] = optional_field("The papers it covers.", default=("rules",))


class Chips(Rule):
    """The chips used for payouts."""

    values: Annotated[Order[Money], Field(min_length=1, max_length=20)] = Field(
        description="Denominations in dollars, rising."
    )


class House(TomlTable):
    """The venue of the game and its law."""

    venue: Words = descriptive_field()
    jurisdiction: Words = Field(
        description='The state whose rules apply, or "any"; jurisdictions.toml names those known.'
    )
    chips: Chips
    currency: Currency = optional_field(
        "What money is in, by its code; US dollars where it is left out."
    )
    approval: Approval | None = None

    @model_serializer(mode="wrap")
    def _serialize(self, write: SerializerFunctionWrapHandler) -> dict[str, Any]:
        """Omit the default currency, as in sheets from before this field."""
        document: dict[str, Any] = write(self)
        if self.currency is None:
            document.pop("currency", None)
        return document


class Seats(Rule):
    """Betting positions, and how many a player may play."""

    count: Annotated[int, Field(ge=1, le=12)] = Field(description="Positions on the layout.")
    per_player: Choice[Annotated[int, Field(ge=1, le=12)]] = Field(
        description="The most positions that one player may play."
    )
    adjacent: Choice[bool] | None = Field(
        default=None, description="Whether one player's positions must be next to each other."
    )
    ends_meet: Choice[bool] | None = Field(
        default=None, description="Whether the first and the last position are neighbors."
    )


class Equipment(Rule):
    """Required equipment of the table."""

    layout: Words = descriptive_field()
    odds_printed: bool = descriptive_field(default=False)
    packs: Count = Field(description="Packs at hand, each of as many decks as are dealt from.")
    cut_cards: Annotated[int, Field(ge=0, le=10)] = descriptive_field(default=0)
    discard_rack: bool = descriptive_field(default=False)


class Deck(Rule):
    """The decks in play and their shuffle."""

    decks: Annotated[int, Field(ge=1, le=12)]
    shuffle: Literal["automatic", "hand"]
    fallback: Choice[Literal["no-game", "hand", "house-blackjack"]] = Field(
        description="What is done when the shuffler fails."
    )
    fallback_times: Annotated[int, Field(ge=1, le=10)] = Field(
        default=1, description="How often the fallback shuffle is repeated."
    )
    fresh: Choice[Literal["each-round", "cut-card"]] = Field(
        description="When the cards are shuffled anew."
    )
    cut_card: Annotated[int, Field(ge=1, le=600)] | None = Field(
        default=None, description="Cards left behind the cut card, where one is used."
    )
    alternate: Choice[bool] | None = Field(
        default=None, description="Whether one pack is dealt while another is shuffled."
    )


class Stake(Rule):
    """The limits of a wager."""

    min: Money
    max: Money
    step: Money = Field(description="Wagers are whole multiples of this.")


class MainWager(Stake):
    """The wager required to be dealt in."""

    title: Words = descriptive_field()


class SideStake(Stake):
    """The limits of a side wager, and whether it is required."""

    required: bool
    alone: Choice[bool] | None = optional_field(
        "Whether it may be made without the main wager; left out: it may not (GEN-12)."
    )


class AfterFold(Rule):
    """What happens to a side wager when its player folds."""

    plays: bool = Field(description="true: it stays in action; false: it is lost with the fold.")


class SideWager(Rule):
    """A side wager with its pay table; `clause` is the pay table's."""

    title: Words = descriptive_field()
    looks_at: Literal["community", "hole", "hand", "dealer-match", "both-hands", "duel"] = Field(
        description="The cards that decide it."
    )
    pays: Pays
    stake: SideStake
    after_fold: AfterFold | None = Field(
        default=None, description="Needed in a game that has a fold, refused in one that has none."
    )


class Prose(Rule):
    """Text of the document that contradicts the pay table (OMS-7)."""

    pays: Pays
    decides: Literal["pays", "prose"] | None = Field(
        default=None, description="Which of the two holds. Left out: the sheet is refused."
    )


class Main(Rule):
    """What the main wagers win."""

    pays: Pays
    prose: Prose | None = None


class Counts(TomlTable):
    """Which wins fall under a limit; give one of the two."""

    odds_at_least: OddsText | None = None
    lines: Entries[str, Annotated[Order[str], Field(min_length=1)]] | None = Field(
        default=None, description='Wager = lines of its pay table; the main game is "main".'
    )


class Limit(Rule):
    """A cap on payouts."""

    per: Literal["bet", "hand", "round"] = Field(
        description="bet: each wager line alone; hand: all lines of a hand; round: all hands."
    )
    pays_max: Money
    counts: Counts | None = Field(default=None, description="Left out: every win counts.")
    posted: bool = Field(default=True, description="Whether the limit is shown at the table.")
    departs: Words | None = Field(
        default=None, description="Why the limit departs from the state's rule, where it does."
    )


class Advantage(Rule):
    """A wager with a player advantage; the required `note` says why it is offered."""

    wager: str = Field(description='"main" or the id of a side wager.')
    note: Words = Field(description="Why the house offers it: a promotion, a slip of the document.")


class Payouts(TomlTable):
    """How hands are ranked and money is counted, if the document does not say."""

    ace_in_straights: Choice[Literal["high-or-low", "high"]] = choice_field("high-or-low", "GEN-1")
    several_lines: Choice[Literal["highest", "first-listed"]] = choice_field("highest", "GEN-2")
    stake_counted: Choice[bool] = choice_field(False, "GEN-3")
    share_ties: Choice[Literal["lower-seat", "higher-seat"]] = choice_field("lower-seat", "GEN-4")


class CardCount(Rule):
    """A hand with too few or too many cards."""

    result: Literal["misdeal"] = descriptive_field()
    hands: Order[Literal["player", "dealer", "community"]] = Field(
        description="Whose cards are counted."
    )


class Information(Rule):
    """Giving or taking information about a hand."""

    result: Literal["forfeit", "void", "warn"]
    whose: Choice[Literal["giver-and-taker", "giver", "taker"]] = Field(
        description="Whose hand it costs; the other one's plays on, with a warning on record."
    )


class Misdeal(Rule):
    """What a void round returns, and until when it can be declared."""

    returns: Literal["every-wager", "live-wagers"]
    until: Literal["last-seat-settled", "first-seat-settled"]


Exposed = Literal["plays", "void-hand", "void-round"]


class Irregularities(TomlTable):
    """The rules for irregularities."""

    wrong_card_count: CardCount
    information: Information | None = Field(
        default=None, description="Left out: the document has no such rule."
    )
    cards_off_table: Choice[Literal["warn", "void"]] | None = None
    misdeal: Misdeal = Field(
        default=Misdeal.model_construct(
            clause="GEN-6", note=None, returns="every-wager", until="last-seat-settled"
        )
    )
    misdeal_over_offence: Choice[bool] = choice_field(True, "GEN-7")
    early_card: Choice[Literal["void-round", "plays"]] = choice_field("void-round", "GEN-8")
    exposed_card: Choice[Exposed] = choice_field("plays", "GEN-8")
    fouled_deck: Stated[Literal["void-round"]] = stated_field("void-round", "GEN-9")
    interruption: Choice[Literal["resume", "agree-or-dead"]] = choice_field("resume", "GEN-15")


class Variant(Rule):
    """Another pay table that the document allows, as changes to the sheet."""

    title: Words = descriptive_field()
    changes: Entries[str, Words] = Field(
        default_factory=Entries, description='Field = value: "main.pays.flush" = "10:1".'
    )
    without: Order[str] = Field(default=(), description="Fields that are left out.")


class BestPlay(TomlTable):
    """Which of several equally good plays counts as best."""

    ties: Choice[Literal["smallest-bet", "largest-bet", "fold"]] = choice_field(
        "smallest-bet", "GEN-16"
    )


class Settlement(Rule):
    """The order in which wagers are settled."""

    direction: Direction
    passes: Annotated[Order[Annotated[Order[str], Field(min_length=1)]], Field(min_length=1)] = (
        Field(description='Each pass goes over all seats; "main" stands for the main wagers.')
    )


# Assumptions for procedures that a sheet does not state, by general clause.
GENERAL_PROCEDURES = {
    "late_bet": "GEN-18",
    "malfunction": "GEN-19",
    "mispaid": "GEN-20",
    "cheating": "GEN-21",
}


class Procedure(Rule):
    """The dealer's steps, in the house's own words."""

    steps: Annotated[Order[Words], Field(min_length=1, max_length=40)] = Field(
        description="One sentence each, in the dealer's order.", json_schema_extra=DESCRIPTIVE
    )


class Procedures(TomlTable):
    """The dealer's procedures that do not affect results."""

    inspection: Procedure | None = Field(default=None, description="How new cards are inspected.")
    shuffle: Procedure | None = Field(default=None, description="How the cards are shuffled.")
    cut: Procedure | None = Field(default=None, description="How the cards are cut.")
    burn: Procedure | None = Field(default=None, description="Which cards are burnt, and when.")
    signals: Procedure | None = Field(default=None, description="Hand signals of players.")
    discard: Procedure | None = Field(default=None, description="Where cards go after a hand.")
    folded: Procedure | None = optional_field("How a folded hand and its wagers are collected.")
    late_bet: Procedure | None = optional_field(
        "A wager placed or changed after betting has closed; left out: GEN-18."
    )
    malfunction: Procedure | None = optional_field(
        "A shuffler that fails during a round; left out: GEN-19."
    )
    mispaid: Procedure | None = optional_field("A hand that was paid wrongly; left out: GEN-20.")
    cheating: Procedure | None = optional_field("Suspected cheating; left out: GEN-21.")


class Notice(Rule):
    """A posted or announced notice, in the house's own words."""

    text: Words = descriptive_field(description="The notice, as it is posted.")


class Filing(TomlTable):
    """Who files the game, and its rights; printed on papers."""

    sponsor: Words | None = descriptive_field(
        default=None, description="The licensee that sponsors it."
    )
    rights: Words | None = descriptive_field(
        default=None, description="The line on intellectual property."
    )
    version: Words | None = descriptive_field(
        default=None, description="The version on papers; left out: the effective date."
    )


# The base of all rule sheets: fields and properties shared by all families.


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
    payouts: Payouts = Field(default_factory=Payouts.model_construct)
    irregularities: Irregularities
    best_play: BestPlay = Field(default_factory=BestPlay.model_construct)
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

    @property
    def compares_hands(self) -> bool:
        """Whether hands are compared, so that one declaration or event can win, push or lose."""
        return False

    def may_stand_alone(self, wager: str) -> bool:
        """Whether a side wager may be made without the main one."""
        allows_alone = self.side[wager].stake.alone
        return allows_alone is not None and allows_alone.value

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
