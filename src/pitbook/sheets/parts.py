"""The parts of every rule sheet, whatever its family: house, cards, money and mishaps."""

from __future__ import annotations

import datetime
from typing import Annotated, Any, Literal

from pydantic import AfterValidator, Field, SerializerFunctionWrapHandler, model_serializer

from pitbook.sheets.entries import Entries
from pitbook.sheets.values import (
    Choice,
    Count,
    Direction,
    Money,
    OddsText,
    Order,
    Pays,
    Rule,
    Stated,
    TomlTable,
    Words,
    chosen,
    describes,
    if_said,
    stated,
)

Date = datetime.date
CurrencyCode = Literal["USD", "CAD", "EUR", "GBP", "MXN"]


def _unless_dollars(code: str | None) -> str | None:
    """US dollars are meant where nothing is said: a sheet that says so is the same sheet."""
    return None if code == "USD" else code


Currency = Annotated[CurrencyCode | None, AfterValidator(_unless_dollars)]


class Source(TomlTable):
    """The document the sheet was made from."""

    document: Words = describes(description="The document's title, as printed.")
    dated: Date | None = describes(default=None, description="Its date, where it has one.")
    note: Words | None = describes(default=None)


class History(Rule):
    """What is known of the time before the sheet's effective date."""

    earlier: Literal["none", "unknown"] = Field(
        description='"unknown": other rules held before and are not known.'
    )


PaperName = Literal[
    "rules", "report", "rack-card", "sign", "strategy-card", "dealer-card", "layout"
]


class Approval(Rule):
    """A commission's approval, and which rules it approved."""

    by: Words = describes()
    on: Date = describes()
    signatory: Words | None = if_said("Who signed for the commission.")
    reference: Words | None = if_said("The commission's file or docket number.")
    rules_hash: Annotated[str, Field(pattern="^[0-9a-f]{64}$")] | None = if_said(
        "The approved rules' hash, as `sheets check` prints it. If the rules have changed since, "
        "papers are drafts."
    )
    papers: Order[PaperName] = if_said("The papers it covers.", default=("rules",))


class Chips(Rule):
    """The chips the house pays with."""

    values: Annotated[Order[Money], Field(min_length=1, max_length=20)] = Field(
        description="Denominations in dollars, rising."
    )


class House(TomlTable):
    """Where the game is dealt and under whose law."""

    venue: Words = describes()
    jurisdiction: Words = Field(
        description='The state whose rules apply, or "any"; jurisdictions.toml names those known.'
    )
    chips: Chips
    currency: Currency = if_said("What money is in, by its code; US dollars where it is left out.")
    approval: Approval | None = None

    @model_serializer(mode="wrap")
    def _written(self, write: SerializerFunctionWrapHandler) -> dict[str, Any]:
        """A currency that nobody named stands nowhere, as in sheets from before there was one."""
        written: dict[str, Any] = write(self)
        if self.currency is None:
            written.pop("currency", None)
        return written


class Seats(Rule):
    """Betting positions and who may play how many."""

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
    """What must be on the table before the first card."""

    layout: Words = describes()
    odds_printed: bool = describes(default=False)
    packs: Count = Field(description="Packs at hand, each of as many decks as are dealt from.")
    cut_cards: Annotated[int, Field(ge=0, le=10)] = describes(default=0)
    discard_rack: bool = describes(default=False)


class Deck(Rule):
    """The cards in play and how they are shuffled."""

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
    """How much may be wagered."""

    min: Money
    max: Money
    step: Money = Field(description="Wagers are whole multiples of this.")


class MainWager(Stake):
    """The wager without which nobody is dealt in."""

    title: Words = describes()


class SideStake(Stake):
    """How much may be put on a side wager, and whether it must be made."""

    required: bool
    alone: Choice[bool] | None = if_said(
        "Whether it may be made without the main wager; left out: it may not (GEN-12)."
    )


class AfterFold(Rule):
    """What a side wager does when its player folds."""

    plays: bool = Field(description="true: it stays in action; false: it is lost with the fold.")


class SideWager(Rule):
    """A wager beside the main game, with a pay table of its own; `clause` is its pay table's."""

    title: Words = describes()
    looks_at: Literal["community", "hole", "hand", "dealer-match", "both-hands", "duel"] = Field(
        description="The cards that decide it."
    )
    pays: Pays
    stake: SideStake
    after_fold: AfterFold | None = Field(
        default=None, description="Needed in a game that has a fold, refused in one that has none."
    )


class Prose(Rule):
    """What the document's text says where it contradicts the pay table (OMS-7)."""

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
    """A cap on what is paid."""

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
    """A wager that the player has the better of; `note`, which it needs, says why it is offered."""

    wager: str = Field(description='"main" or the id of a side wager.')
    note: Words = Field(description="Why the house offers it: a promotion, a slip of the document.")


class Payouts(TomlTable):
    """How hands are read and money is counted, where documents are silent."""

    ace_in_straights: Choice[Literal["high-or-low", "high"]] = chosen("high-or-low", "GEN-1")
    several_lines: Choice[Literal["highest", "first-listed"]] = chosen("highest", "GEN-2")
    stake_counted: Choice[bool] = chosen(False, "GEN-3")
    share_ties: Choice[Literal["lower-seat", "higher-seat"]] = chosen("lower-seat", "GEN-4")


class CardCount(Rule):
    """A hand with too few or too many cards."""

    result: Literal["misdeal"] = describes()
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
    """What a void round gives back, and how late it can still be declared."""

    returns: Literal["every-wager", "live-wagers"]
    until: Literal["last-seat-settled", "first-seat-settled"]


Exposed = Literal["plays", "void-hand", "void-round"]


class Irregularities(TomlTable):
    """What happens when something goes wrong."""

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
    misdeal_over_offence: Choice[bool] = chosen(True, "GEN-7")
    early_card: Choice[Literal["void-round", "plays"]] = chosen("void-round", "GEN-8")
    exposed_card: Choice[Exposed] = chosen("plays", "GEN-8")
    fouled_deck: Stated[Literal["void-round"]] = stated("void-round", "GEN-9")
    interruption: Choice[Literal["resume", "agree-or-dead"]] = chosen("resume", "GEN-15")


class Variant(Rule):
    """Another pay table that the document allows: what of the sheet is otherwise with it."""

    title: Words = describes()
    changes: Entries[str, Words] = Field(
        default_factory=Entries, description='Field = value: "main.pays.flush" = "10:1".'
    )
    without: Order[str] = Field(default=(), description="Fields that are left out.")


class BestPlay(TomlTable):
    """What the mathematics takes for best where two plays are worth the same."""

    ties: Choice[Literal["smallest-bet", "largest-bet", "fold"]] = chosen("smallest-bet", "GEN-16")


class Settlement(Rule):
    """In which order wagers are settled."""

    direction: Direction
    passes: Annotated[Order[Annotated[Order[str], Field(min_length=1)]], Field(min_length=1)] = (
        Field(description='Each pass goes over all seats; "main" stands for the main wagers.')
    )
