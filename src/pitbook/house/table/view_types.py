"""Types of table views, events and offers."""

from __future__ import annotations

from typing import Literal, NotRequired

from typing_extensions import TypedDict

from pitbook.house.table.state import TableKind
from pitbook.rules.refusals import Code
from pitbook.rules.report import (
    LineReportWithWords,
    NoteJson,
    Pile,
    RoundResult,
    SeatResult,
    StakedWager,
)
from pitbook.rules.settlement import Result
from pitbook.shoe.record import ShoeKind, Shuffle


class Priced(TypedDict):
    """What a play puts now; what it takes back of a bet, or loses of those that lie there."""

    cost: str
    back: NotRequired[str]
    loses: NotRequired[str]


_One = str | int | float | bool | None
FieldSaid = _One | list[_One]  # Of a sentence: an amount in cents, a number, a name, or several.


class RefusalShown(TypedDict):
    """A no: its kind, a sentence, and the clause that it rests on.

    `key` and `fields` are what the sentence is made of, in any language: with every answer, and
    in a view where it names somebody.
    """

    code: Code
    message: str
    clause: str | None
    key: NotRequired[str]
    fields: NotRequired[dict[str, FieldSaid]]


class Refusable(TypedDict):
    """Something that may be refused now."""

    refused: NotRequired[RefusalShown]


class AmountOffer(Refusable):
    """A wager of so much."""

    amount: str


class ChipOffer(AmountOffer):
    """A wager after one more chip of a kind."""

    chip: str


class WagerBounds(TypedDict):
    """How much a wager may be."""

    min: str
    max: str
    step: str


class Puts(TypedDict):
    """A wager after one more chip of each kind, one of the smallest less, and none at all."""

    chips: NotRequired[list[ChipOffer]]
    less: NotRequired[AmountOffer]
    clear: NotRequired[AmountOffer]


class WagerOffer(WagerBounds, Puts, Refusable):
    """A wager within its bounds, and what lies there now."""

    do: Literal["put-wager"]
    seat: int
    wager: str
    now: str


class Effects(TypedDict):
    """What a play does: what it declares, the wagers it puts, the multiple it is called by."""

    says: str
    puts: list[str]
    bets: int | None


class ChoiceNamed(Effects):
    """A play and the key that makes it; `plain` is one that it only adds a wager to."""

    play: str
    title: str
    key: str
    plain: str | None
    folds: bool


class ChoiceOffer(ChoiceNamed, Priced, Refusable):
    """A play, and what it costs now."""


class DecideOffer(TypedDict):
    """The plays of a seat."""

    do: Literal["decide"]
    seat: int
    stage: str
    stage_title: str
    choices: list[ChoiceOffer]


class OtherOffer(Refusable):
    """Any other command, without the words that its sender has still to find."""

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
CardOrNone = str | None  # None: it lies face down, or is not for this viewer.


class SheetId(TypedDict):
    """A sheet by its id, title and hash; what its money is in, where that is no US dollars."""

    id: str
    title: str
    hash: str
    currency: NotRequired[str]


class ArrangedFor(TypedDict):
    """The spot that a round of practice is arranged for."""

    seat: int
    stage: int
    round: str


class AreaLaid(TypedDict):
    """Cards of the dealer's that lie in one area."""

    title: str
    cards: list[str]
    points: int | None


class DealerHands(TypedDict):
    """The dealer's cards as they lie once all are turned; areas from left to right (MHL-8)."""

    low: AreaLaid
    shared: AreaLaid | None
    high: AreaLaid
    laid: list[str]
    shared_at: int | None
    areas: list[AreaLaid]


class BoardShown(TypedDict):
    """The first place in common."""

    name: str
    cards: list[CardOrNone]
    told: str | None
    arranged: DealerHands | None


class CommonCards(TypedDict):
    """The cards of a place in common, by the felt's name; the board is one of them."""

    place: str
    cards: list[CardOrNone]


class Points(TypedDict):
    """What a whole hand counts, in a game of points."""

    low: int
    high: int


class Declared(TypedDict):
    """What a hand was declared as, and how many main wagers were put along with that."""

    said: NotRequired[str | None]
    added: NotRequired[int]


class HandNamed(TypedDict):
    """A hand as it grows: what it is so far, what that is paid, and the cards that make it."""

    name: str
    told: str | None
    cards: list[str]


class CardsShown(TypedDict):
    """A hand as far as somebody may see it, and what it is called; what it counts in points."""

    cards: NotRequired[list[CardOrNone]]
    points: NotRequired[Points | None]
    named: NotRequired[HandNamed | None]


class SeatShown(Declared, CardsShown):
    """A position; whatever is about a hand is there where one is played."""

    seat: int
    player: str | None
    played_by: NotRequired[str]
    wagers: NotRequired[list[StakedWager]]
    chips: NotRequired[dict[str, list[Pile]]]
    held: NotRequired[str]
    plays: NotRequired[list[str]]
    waiting: NotRequired[bool]
    folded: NotRequired[bool]
    # Why the house had to play the hand: too few chips, or nobody there.
    forced: NotRequired[Literal["chips", "absent"] | None]
    # The wager that a folded hand lies under, where one is alive (CMS-11, LAS-5).
    tucked: NotRequired[str | None]
    void: NotRequired[str | None]
    net: NotRequired[str | None]
    # What it has been settled for while others are open, where a person deals.
    settled: NotRequired[SeatResult | None]


class Layout(TypedDict):
    """What lies on the felt."""

    phase: TablePhase
    sheet: SheetId
    round: str | None
    arranged: ArrangedFor | None
    board: BoardShown
    common: list[CommonCards]
    seats: list[SeatShown]
    result: RoundResult | None


class Interrupted(TypedDict):
    """Why a hand was cut short; with nobody to answer, the floor of the tournament is asked."""

    why: str
    answers: dict[str, bool | None] | None


class ShoeShown(TypedDict):
    """A shoe without its seal; `history`: its commitment with all that was dealt from it since."""

    id: str
    kind: ShoeKind
    decks: int
    commitment: str | None
    pack: int
    shuffle: Shuffle
    times: int
    format: NotRequired[int]
    history: NotRequired[str | None]


class Revealed(TypedDict):
    """The last shoe; its seed for those who may deal it again."""

    id: str
    commitment: str | None
    seed: NotRequired[str | None]
    seat_seeds: NotRequired[list[list[int | str]]]
    players: NotRequired[list[str]]
    format: NotRequired[int]


class Short(TypedDict):
    """Before the deal: what a balance lacks to pay the smallest bet of every street (GEN-10)."""

    left: str
    needed: str
    more: str
    message: str
    clause: str


class Presence(TypedDict):
    """Who looks on, and the seats whose players have no line open."""

    watching: int
    away: list[int]


class Around(TypedDict):
    """What stands around the layout, for everybody."""

    next_sheet: SheetId | None
    deadlines: dict[str, str]
    ready: list[int]  # The seats whose players want no more time to bet.
    interruption: Interrupted | None
    shoe: ShoeShown | None
    spot: ArrangedFor | None  # Of the shoe at hand; the layout's is of the round that lies there.


class SeenByAll(Layout, Around):
    """What every viewer is shown, each with what that viewer may ask."""

    table: str
    kind: TableKind
    unit: str
    version: int
    seat_seeds: dict[str, str | None]
    revealed: Revealed | None
    coach: bool
    shuffler: bool
    offers: list[Offer]


class NextAct(TypedDict):
    """What a dealer has to do next: a card at a place, a seat's word, or to pay."""

    do: Literal["close-betting", "decide", "settle", "type-card"]
    place: NotRequired[int | str]
    seat: NotRequired[int]


class Payout(TypedDict):
    """What a seat is due at its turn in the paying order, and in which chips."""

    seat: int
    player: str
    lines: list[LineReportWithWords]


class DealerView(TypedDict):
    """For a person who deals: what comes next, where cards may be typed, what is due to whom."""

    next: NextAct | None
    places: list[int | str]
    titles: dict[str, str]  # What the places in common are called.
    payouts: list[Payout]
    purses: dict[str, str]  # What the players have left, by seat.


class View(SeenByAll):
    """A table as one viewer may see it: a player's purse, the staff's rack, and who looks on."""

    wallet: NotRequired[str]
    short: NotRequired[Short | None]
    rack: NotRequired[str]
    # Who has signed on to deal; for the staff.
    dealer: NotRequired[str]
    # Of a table where a person deals, for the staff.
    dealing: NotRequired[DealerView]
    # As whom one is seen here: a guest who signed in keeps the guest's name.
    you: NotRequired[str]
    now: NotRequired[str]
    presence: NotRequired[Presence]


class LineTakenBack(TypedDict):
    """A line that is no longer settled; `short` is what its player no longer has."""

    seat: int
    wager: str
    stake: str
    result: Result
    wins: str
    short: str
    back: NotRequired[str]


class Lacking(TypedDict):
    """A bet that a seat has too few chips for."""

    bet: str
    least: str


class EventBody(TypedDict, total=False):
    """What an event says; `what` decides which of these are there."""

    seat: int
    player: str
    given: str
    round: str
    number: int
    sheet: SheetId | str  # By its hash alone where a round opens.
    shoe: ShoeShown | str  # By its id alone where a round opens.
    spot: ArrangedFor
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
    lacks: Lacking
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
    lines: list[LineTakenBack]
    table: str
    kind: TableKind
    unit: str
    clocks: dict[str, int | None]
    coach: bool
    stake: str
    owner: str


class TableEvent(TypedDict):
    """Something that happened, for one viewer; a blank keeps the versions without a gap."""

    version: int
    what: str
    body: EventBody
