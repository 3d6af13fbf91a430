"""Types of what staff and boards see of a night: views, tickets, receipts, statements."""

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


class HouseNamed(TypedDict):
    """The house, and its rules by their hash."""

    name: str
    rules: str


class ChipsTold(TypedDict):
    """What became of the night's chips."""

    issued: str
    redeemed: str
    outstanding: str
    expired: str


class TableResultShown(TypedDict):
    """What a table of chance came to."""

    table: str
    sheet: str
    rounds: int
    result: str
    void_rounds: int
    void_returned: str


class TakingsShown(TypedDict):
    """What a tournament took, paid and kept."""

    tournament: str
    title: str
    status: str
    entries: int
    taken: str
    refunded: str
    paid: str
    owed: str
    unclaimed: str
    kept: str


class UnclaimedShown(TypedDict):
    """What nobody came for before closing; with a receipt once somebody has."""

    tournament: str
    player: str
    amount: str
    what: Literal["return", "prize"]
    receipt: str | None


class SlipUndone(TypedDict):
    """A slip that was taken back."""

    slip: int
    amount: str
    why: str | None


class FloatTold(TypedDict):
    """Change for the drawer."""

    brought: str
    returned: str


class DrawerLineShown(TypedDict):
    """A line of the drawer section; a total is the sum of the lines above that are not totals."""

    title: str
    amount: str
    total: bool


class CheckShown(TypedDict):
    """A sum held against the book's balances."""

    what: str
    facts: str
    balances: str
    off: str


class NoticeShown(TypedDict):
    """What is posted for everybody to read."""

    clause: str
    note: NotRequired[str]
    ours: NotRequired[bool | str | list[str]]
    regulator: str
    address: list[str]
    invites: str
    governed_by: str


class StatementShown(TypedDict):
    """Where every cent of an evening came from and went; `findings` is what does not agree."""

    format: int
    event: str
    charity: str
    licence: str
    gaming_date: str
    zone: str
    rehearsal: bool
    house: HouseNamed
    phase: Literal["none", "made", "open", "closed"]
    opened_at: str | None
    closed_at: str | None
    generated_at: str
    chips: ChipsTold
    tables: list[TableResultShown]
    table_results: str
    tournaments: list[TakingsShown]
    tournament_results: str
    unclaimed: list[UnclaimedShown]
    still_unclaimed: str
    slips_undone: list[SlipUndone]
    float: FloatTold
    drawer: list[DrawerLineShown]
    cash: str
    proceeds: str
    reconciles: bool
    checks: list[CheckShown]
    findings: list[CheckShown]
    notice: NoticeShown


class PlaceShown(TypedDict):
    """Money at one place: a drawer, a box, an event's cage, a rack."""

    what: Literal["drawer", "box", "night", "rack"]
    name: str
    amount: str


class EventMoneyShown(TypedDict):
    """An event's cash and how much of it belongs to each owner; `float` is the house's."""

    event: str
    charity_name: str
    cash: str
    float: str
    chips: str
    charity: str
    prizes: str
    unclaimed: str


class OwnersShown(TypedDict):
    """How much belongs to each owner; `owed` is the sum.

    `house` includes floats at events. `others` is money on accounts that no part of the house uses.
    """

    house: str
    racks: str
    wallets: str
    layouts: str
    chips: str
    charity: str
    prizes: str
    unclaimed: str
    others: str
    owed: str
    events: list[EventMoneyShown]


class HouseStatementShown(OwnersShown):
    """Where all money of the house is and who owns it; both sides have the same total."""

    format: int
    generated_at: str
    vault: str
    drawers: str
    boxes: str
    nights: str
    lies: str
    agrees: bool
    each: list[PlaceShown]
