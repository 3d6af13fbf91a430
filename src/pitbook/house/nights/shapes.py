"""A night in JSON, as types: what whoever runs it is shown. Amounts are text, in dollars."""

from __future__ import annotations

from typing import Literal, NotRequired

from typing_extensions import TypedDict

from pitbook.house.table.view_types import SheetId

Offers = dict[str, str | None]  # A thing that may be done: None, or why it may not.
NightPhase = Literal["none", "made", "open", "closed"]
SlipKind = Literal["float", "sold", "redeemed", "unclaimed"]


class NightBase(TypedDict):
    """What every telling of a night has; a rehearsal is any date's, in play money."""

    event: str
    phase: NightPhase
    charity: str
    licence: str
    gaming_date: str
    zone: str
    rehearsal: bool
    house: str


class NightListed(NightBase):
    """A night in a list of nights, its tournaments by their own names."""

    tournaments: list[str]


class SheetAt(SheetId):
    """A sheet by its name, and whose it is."""

    venue: str


class NightTableShown(TypedDict):
    """A table of the night; early records of derived sheets have their base by its hash alone."""

    table: str
    sheet: SheetAt
    derived: bool
    base: str
    base_sheet: SheetAt | None
    limits: dict[str, dict[str, str]] | None
    differences: list[str]


class TournamentNamed(TypedDict):
    """A tournament in a few words."""

    tournament: str
    title: str
    status: str
    entrants: int
    players_left: int


class NightShown(NightBase):
    """A night with its drawer, chips, tables and tournaments."""

    tournaments: list[TournamentNamed]
    opened_at: str | None
    closed_at: str | None
    ends_at: str | None  # By the clock on the wall; None: when it closes.
    cash: str
    outstanding: str
    chips: dict[str, str]
    values: list[str]
    slips: int
    tables: list[NightTableShown]
    interruptions: list[str]
    unclaimed: dict[str, str]  # After closing: what is kept for whom.
    version: int


class TicketShown(TypedDict):
    """Whether a ticket is good, and how often and when a browser opened it to play."""

    revoked: bool
    opened: int
    opened_at: str | None


class EntrantShown(TypedDict):
    """Somebody in a tournament, and what may be done about them; `checked_in` is when."""

    player: str
    place: int | None
    table: int | None
    seat: int | None
    re_buys: int
    add_ons: int
    checked_in: str | None
    ticket: TicketShown
    spent: str
    chips: str
    due: str
    paid: str
    owed: str
    offers: Offers


class SeatDrawn(TypedDict):
    """Who sits where."""

    seat: int | None
    player: str


class RoomTable(TypedDict):
    """A table of the room."""

    table: int
    in_hand: bool
    to_complete: bool
    seats: list[SeatDrawn]


class DealtTableShown(TypedDict):
    """A live table of the room: how its round stands, and what may be asked of it."""

    number: int
    table: str
    round: int | None
    phase: str
    waiting: list[str]
    must_agree: list[str] | None  # Who must still say whether an interrupted hand is finished.
    stopped: str | None  # Why the machine stopped it in mid-hand: the floor is asked.
    offers: Offers


class DealtShown(TypedDict):
    """The live tables, and who should go out, fewest chips first; shared places stand together."""

    tables: list[DealtTableShown]
    proposed_out: list[list[str]]


class PriceShown(TypedDict):
    """What a buy-in costs, what of it the house keeps, and its chips."""

    costs: str
    fee: str
    chips: str


class LevelLimit(TypedDict):
    """A wager that has limits of its own in a level."""

    wager: str
    min: NotRequired[str]
    max: NotRequired[str]
    step: NotRequired[str]


class PlacePaid(TypedDict):
    """Who has which place, and what it is paid."""

    place: int | None
    player: str
    due: str


class ClockBoard(TypedDict):
    """What the clock board shows, in seconds by the night's clock."""

    tournament: str
    title: str
    status: str
    started: bool
    level: int
    levels: int
    on_break: bool
    running: bool
    over: bool
    left: float
    next_break: float | None
    limits: list[LevelLimit]
    next_limits: list[LevelLimit] | None
    players_left: int
    entrants: int
    average_stack: str
    prize_money: str
    prizes: list[str]
    posted: bool
    results: list[PlacePaid]  # Once it is over, the best first.
    message: str | None  # What the organiser tells the room.
    version: int
    now: str
    event: NotRequired[str]
    own: NotRequired[str]
    charity: NotRequired[str]
    rehearsal: NotRequired[bool]


class Move(TypedDict):
    """Who is to be moved where, so that tables are even."""

    player: str
    table: int
    seat: int


class Undoable(TypedDict):
    """A thing that stands, in a few words, and its number for whoever takes it back."""

    number: int
    words: str
    last: bool


class TournamentTerms(TypedDict):
    """What a schedule offers."""

    title: str
    kind: str
    sheet: str
    seats: int
    announcement: str
    buy_in: PriceShown
    re_buy: PriceShown | None
    add_on: PriceShown | None


class TournamentShown(TournamentTerms):
    """A tournament with its field, its room, its clock, its past, and what may be done now."""

    id: str
    own: str
    rehearsal: bool
    status: str
    announced: bool
    started: bool
    prize_money: str
    fees: str
    clock: ClockBoard
    players: list[EntrantShown]
    registered: list[str]  # Who is expected, and has not entered.
    tables: list[RoomTable]
    moves: list[Move]
    breakable: int | None
    dealt: DealtShown | None  # None where chips are counted by hand.
    offers: Offers
    stopped: list[int]  # Tables whose hand the machine cut; the floor goes on or interrupts.
    cut_short: str  # What an interruption would come to.
    past: list[Undoable]
    version: int


class SlipShown(TypedDict):
    """What passed over the counter of a night; `undone`: why it was taken back."""

    receipt: str
    slip: int
    event: str
    what: SlipKind
    player: str | None
    amount: str
    at: str
    by: str
    gaming_date: str
    rehearsal: bool
    undone: str | None
