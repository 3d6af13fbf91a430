"""Types of table views, events and offers, and of receipts."""

from __future__ import annotations

from typing import Literal, NotRequired

from typing_extensions import TypedDict

from pitbook.house.table.state import TableKind
from pitbook.rules.refusals import Code
from pitbook.rules.result_json import (
    LineReportWithWords,
    NoteJson,
    Pile,
    RoundResult,
    SeatResult,
    StakedWager,
)
from pitbook.rules.settlement_lines import Result
from pitbook.shoe.stored_shoe import ShoeKind, Shuffle


class PlayPrice(TypedDict):
    """A play's current price, with the part of a bet that it returns or loses."""

    cost: str
    back: NotRequired[str]
    loses: NotRequired[str]


_FieldValue = str | int | float | bool | None
# A message field: an amount in cents, a number, a name, or a list.
MessageField = _FieldValue | list[_FieldValue]


class RefusalJson(TypedDict):
    """A refusal: its code, a sentence, and the clause behind it.

    `key` and `fields` let a client render the sentence in any language. Answers always have
    them; views only if the sentence names a player.
    """

    code: Code
    message: str
    clause: str | None
    key: NotRequired[str]
    fields: NotRequired[dict[str, MessageField]]


class Refusable(TypedDict):
    """Something that may be refused now."""

    refused: NotRequired[RefusalJson]


class AmountOffer(Refusable):
    """A wager of an amount."""

    amount: str


class ChipOffer(AmountOffer):
    """A wager after adding one chip of a value."""

    chip: str


class WagerBounds(TypedDict):
    """The bounds of a wager."""

    min: str
    max: str
    step: str


class ChipOffers(TypedDict):
    """A wager after one more chip of each value, one smallest chip less, or none."""

    chips: NotRequired[list[ChipOffer]]
    less: NotRequired[AmountOffer]
    clear: NotRequired[AmountOffer]


class WagerOffer(WagerBounds, ChipOffers, Refusable):
    """A wager with its bounds and the current stake."""

    do: Literal["put-wager"]
    seat: int
    wager: str
    now: str


class PlayEffects(TypedDict):
    """A play's declaration, the wagers it adds, and its multiple."""

    says: str
    puts: list[str]
    bets: int | None


class PlayChoice(PlayEffects):
    """A play and its key; `plain` if it only adds a wager."""

    play: str
    title: str
    key: str
    plain: str | None
    folds: bool


class ChoiceOffer(PlayChoice, PlayPrice, Refusable):
    """A play and its current price."""


class DecideOffer(TypedDict):
    """The plays of a seat."""

    do: Literal["decide"]
    seat: int
    stage: str
    stage_title: str
    choices: list[ChoiceOffer]


class OtherOffer(Refusable):
    """Any other command, without the text that its sender must fill in."""

    do: Literal[
        "agree",
        "close-betting",
        "coach",
        "expose-card",
        "go-on",
        "interrupt",
        "leave",
        "misdeal",
        "open-round",
        "ready",
        "rebet",
        "refill",
        "retire",
        "seat-seed",
        "settle",
        "shuffler-failed",
        "shuffler-repaired",
        "sit",
        "undo",
        "unreadable",
        "void-hand",
        "warn",
    ]
    seat: NotRequired[int]
    player: NotRequired[str]
    on: NotRequired[bool]
    reason: NotRequired[str]
    part: NotRequired[Literal["gave", "took"]]
    place: NotRequired[int | str]
    finish: NotRequired[bool]
    card_count: NotRequired[bool]


Offer = WagerOffer | DecideOffer | OtherOffer


TablePhase = Literal["open", "wagers", "deal", "play", "settle", "over", "agreement", "retired"]
CardOrNone = str | None  # None: face down, or hidden from this viewer.


class SheetId(TypedDict):
    """A sheet's id, title and hash, with its currency if that is not US dollars."""

    id: str
    title: str
    hash: str
    currency: NotRequired[str]


class PracticeSpot(TypedDict):
    """The spot that a practice round is arranged for."""

    seat: int
    stage: int
    round: str


class DealerArea(TypedDict):
    """The dealer's cards in one area."""

    title: str
    cards: list[str]
    points: int | None


class DealerHands(TypedDict):
    """The dealer's cards after all are turned; areas from left to right (MHL-8)."""

    low: DealerArea
    shared: DealerArea | None
    high: DealerArea
    laid: list[str]
    shared_at: int | None
    areas: list[DealerArea]


class BoardView(TypedDict):
    """The first place of community cards."""

    name: str
    cards: list[CardOrNone]
    told: str | None
    arranged: DealerHands | None


class CommunityCards(TypedDict):
    """A place of community cards; the board is one."""

    place: str
    cards: list[CardOrNone]


class Points(TypedDict):
    """The points of a complete hand."""

    low: int
    high: int


class HandDeclaration(TypedDict):
    """A hand's declaration, and how many main wagers it added."""

    said: NotRequired[str | None]
    added: NotRequired[int]


class HandName(TypedDict):
    """A hand's name so far, its payout, and the cards that make it."""

    name: str
    told: str | None
    cards: list[str]


class HandView(TypedDict):
    """A hand as far as the viewer may see it, with its name and points."""

    cards: NotRequired[list[CardOrNone]]
    points: NotRequired[Points | None]
    named: NotRequired[HandName | None]


class SeatView(HandDeclaration, HandView):
    """A seat; the fields about a hand are present if it has one."""

    seat: int
    player: str | None
    played_by: NotRequired[str]
    wagers: NotRequired[list[StakedWager]]
    chips: NotRequired[dict[str, list[Pile]]]
    held: NotRequired[str]
    plays: NotRequired[list[str]]
    waiting: NotRequired[bool]
    folded: NotRequired[bool]
    # Why the hand was played automatically: too few chips, or player absent.
    forced: NotRequired[Literal["chips", "absent"] | None]
    # The wager that a folded hand is tucked under, if one is in play (CMS-11, LAS-5).
    tucked: NotRequired[str | None]
    void: NotRequired[str | None]
    net: NotRequired[str | None]
    # At a table with a live dealer: the settled lines while others are open.
    settled: NotRequired[SeatResult | None]


class Layout(TypedDict):
    """The layout."""

    phase: TablePhase
    sheet: SheetId
    round: str | None
    arranged: PracticeSpot | None
    board: BoardView
    common: list[CommunityCards]
    seats: list[SeatView]
    result: RoundResult | None


class InterruptionView(TypedDict):
    """Why a hand was interrupted; without players to answer, the tournament's staff decides."""

    why: str
    answers: dict[str, bool | None] | None


class ShoeView(TypedDict):
    """A shoe's public part; `history` is its commitment with all deals since."""

    id: str
    kind: ShoeKind
    decks: int
    commitment: str | None
    pack: int
    shuffle: Shuffle
    times: int
    format: NotRequired[int]
    history: NotRequired[str | None]


class LastShoe(TypedDict):
    """The last shoe; its seed for those who may see it."""

    id: str
    commitment: str | None
    seed: NotRequired[str | None]
    seat_seeds: NotRequired[list[list[int | str]]]
    players: NotRequired[list[str]]
    format: NotRequired[int]


class Shortfall(TypedDict):
    """What a balance lacks to pay the smallest bet of every street (GEN-10), before the deal."""

    left: str
    needed: str
    more: str
    message: str
    clause: str


class Presence(TypedDict):
    """The watchers, and the seats whose players are disconnected."""

    watching: int
    away: list[int]


class TableStatus(TypedDict):
    """The parts around the layout that everyone sees."""

    next_sheet: SheetId | None
    deadlines: dict[str, str]
    ready: list[int]  # The seats whose players are done betting.
    interruption: InterruptionView | None
    shoe: ShoeView | None
    spot: PracticeSpot | None  # Of the current shoe; the layout's is the current round's.


class SharedView(Layout, TableStatus):
    """What every viewer sees, with the viewer's own offers."""

    table: str
    kind: TableKind
    unit: str
    version: int
    seat_seeds: dict[str, str | None]
    revealed: LastShoe | None
    coach: bool
    shuffler: bool
    offers: list[Offer]


class NextAction(TypedDict):
    """The dealer's next act: type a card, wait for a decision, or settle."""

    do: Literal["close-betting", "decide", "settle", "type-card"]
    place: NotRequired[int | str]
    seat: NotRequired[int]


class Payout(TypedDict):
    """A seat's payouts in paying order, with the chips to pay them in."""

    seat: int
    player: str
    lines: list[LineReportWithWords]


class DealerView(TypedDict):
    """The live dealer's panel: next act, places for cards, and payouts due."""

    next: NextAction | None
    places: list[int | str]
    titles: dict[str, str]  # Titles of the places for community cards.
    payouts: list[Payout]
    purses: dict[str, str]  # The players' balances by seat.


class View(SharedView):
    """A table as one viewer may see it."""

    wallet: NotRequired[str]
    short: NotRequired[Shortfall | None]
    rack: NotRequired[str]
    # For the staff: the dealer who has tapped in.
    dealer: NotRequired[str]
    # For the staff, at a table with a live dealer.
    dealing: NotRequired[DealerView]
    # The viewer's name here: a guest who signed in keeps the guest's name.
    you: NotRequired[str]
    now: NotRequired[str]
    presence: NotRequired[Presence]


class ReversedLineJson(TypedDict):
    """A reversed settlement line; `short` is the part its player could not pay back."""

    seat: int
    wager: str
    stake: str
    result: Result
    wins: str
    short: str
    back: NotRequired[str]


class UnpayableBet(TypedDict):
    """A bet that a seat cannot pay."""

    bet: str
    least: str


class EventBody(TypedDict, total=False):
    """An event's fields; `what` decides which are present."""

    seat: int
    player: str
    given: str
    round: str
    number: int
    sheet: SheetId | str  # Only the hash when a round opens.
    shoe: ShoeView | str  # Only the id when a round opens.
    spot: PracticeSpot
    before: list[StakedWager]
    wager: str
    amount: str
    phase: TablePhase
    waiting: list[int]
    notes: list[NoteJson]
    told: str | None
    place: int | str
    card: str | None
    was: str
    play: str
    cost: str
    folded: bool
    says: str
    puts: list[str]
    bets: int | None
    lacks: UnpayableBet
    wagers: list[str]
    cards: list[str] | None
    settled: SeatResult | None
    report: RoundResult
    id: str
    seed: str | None
    seat_seeds: list[list[int | str]]
    why: str | None
    text: str
    on: bool
    working: bool
    what: str
    who: str
    asked_by: str
    dealer: str
    relieved: str
    at: str
    finish: bool
    awaiting: list[str] | None
    rack: str
    reason: str
    part: Literal["gave", "took"] | None
    card_count: bool
    breach: str
    short: bool | None  # Too few chips, not absence.
    at_once: bool | None
    agreed: bool
    anew: bool
    lines: list[ReversedLineJson]
    table: str
    kind: TableKind
    unit: str
    clocks: dict[str, int | None]
    coach: bool
    stake: str
    owner: str


class TableEvent(TypedDict):
    """An event for one viewer; a blank keeps versions without gaps."""

    version: int
    what: str
    body: EventBody


class Recorded(TypedDict):
    """An entry's place in the ledger."""

    seq: int
    hash: str
