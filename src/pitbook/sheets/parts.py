"""The parts of every rule sheet: house, cards, wagers, limits, irregularities and papers."""

from __future__ import annotations

import datetime
from typing import Annotated, Any, Literal

from pydantic import AfterValidator, Field, SerializerFunctionWrapHandler, model_serializer

from pitbook.sheets.values import (
    DESCRIPTIVE,
    Choice,
    Count,
    Direction,
    Entries,
    Money,
    OddsText,
    Order,
    Pays,
    Rule,
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
        default=None, description="Whether the first and the last position are neighbours."
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
