"""Types of the nights API: views, tickets, receipts, statements and answers."""

from __future__ import annotations

from typing import Any, Literal, NotRequired

from typing_extensions import TypedDict

from pitbook.house.table.view_types import Recorded, SheetId
from pitbook.house.web.sheet_types import SheetFinding

Offers = dict[str, str | None]  # For each action: None, or why it is not possible.

NightPhase = Literal["none", "made", "open", "closed"]

SlipKind = Literal["float", "sold", "redeemed", "unclaimed"]


class NightBase(TypedDict):
    """Fields of every view of a night."""

    event: str
    phase: NightPhase
    charity: str
    licence: str
    gaming_date: str
    zone: str
    rehearsal: bool
    house: str


class NightSummary(NightBase):
    """A night in a list, with its tournaments' short names."""

    tournaments: list[str]


class SheetAtVenue(SheetId):
    """A sheet's id and its venue."""

    venue: str


class NightTableView(TypedDict):
    """A table of the night. Early records of derived sheets have only their base's hash."""

    table: str
    sheet: SheetAtVenue
    derived: bool
    base: str
    base_sheet: SheetAtVenue | None
    limits: dict[str, dict[str, str]] | None
    differences: list[str]


class TournamentSummary(TypedDict):
    """A tournament's name, status and numbers."""

    tournament: str
    title: str
    status: str
    entrants: int
    players_left: int


class NightView(NightBase):
    """A night with its drawer, chips, tables and tournaments."""

    tournaments: list[TournamentSummary]
    opened_at: str | None
    closed_at: str | None
    ends_at: str | None  # Local time; None: when it closes.
    cash: str
    outstanding: str
    chips: dict[str, str]
    values: list[str]
    slips: int
    tables: list[NightTableView]
    interruptions: list[str]
    unclaimed: dict[str, str]  # After closing, by player.
    version: int


class TicketView(TypedDict):
    """Whether a ticket is valid, and how often and when it was opened."""

    revoked: bool
    opened: int
    opened_at: str | None


class EntrantView(TypedDict):
    """An entrant and the actions possible for them; `checked_in` is a time."""

    player: str
    place: int | None
    table: int | None
    seat: int | None
    re_buys: int
    add_ons: int
    checked_in: str | None
    ticket: TicketView
    spent: str
    chips: str
    due: str
    paid: str
    owed: str
    offers: Offers


class DrawnSeat(TypedDict):
    """A player in a seat."""

    seat: int | None
    player: str


class RoomTable(TypedDict):
    """A table of the room."""

    table: int
    in_hand: bool
    to_complete: bool
    seats: list[DrawnSeat]


class LiveTableView(TypedDict):
    """A live table: its round and the possible actions."""

    number: int
    table: str
    round: int | None
    phase: str
    waiting: list[str]
    # Players who must still say whether to finish an interrupted hand.
    must_agree: list[str] | None
    stopped: str | None  # Why a server stop cut off its hand; the floor must decide.
    offers: Offers


class LiveTablesView(TypedDict):
    """The live tables, and the players to eliminate, fewest chips first; tied players together."""

    tables: list[LiveTableView]
    proposed_out: list[list[str]]


class PriceView(TypedDict):
    """A price, the charity's part of it, and its chips."""

    costs: str
    fee: str
    chips: str


class LevelLimit(TypedDict):
    """A wager's limits in a level."""

    wager: str
    min: NotRequired[str]
    max: NotRequired[str]
    step: NotRequired[str]


class PaidPlace(TypedDict):
    """A place with its player and prize."""

    place: int | None
    player: str
    due: str


class ClockBoard(TypedDict):
    """The clock board, in seconds by the night's clock."""

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
    results: list[PaidPlace]  # After the end, best first.
    message: str | None  # The organizer's message to the room.
    version: int
    now: str
    event: NotRequired[str]
    own: NotRequired[str]
    charity: NotRequired[str]
    rehearsal: NotRequired[bool]


class ProposedMove(TypedDict):
    """A proposed move that balances the tables."""

    player: str
    table: int
    seat: int


class UndoableStep(TypedDict):
    """A step in a few words, and its number for an undo."""

    number: int
    words: str
    last: bool


class TournamentTerms(TypedDict):
    """A schedule's terms."""

    title: str
    kind: str
    sheet: str
    seats: int
    announcement: str
    buy_in: PriceView
    re_buy: PriceView | None
    add_on: PriceView | None


class TournamentView(TournamentTerms):
    """A tournament with its players, room, clock, history and possible actions."""

    id: str
    own: str
    rehearsal: bool
    status: str
    announced: bool
    started: bool
    prize_money: str
    fees: str
    clock: ClockBoard
    players: list[EntrantView]
    registered: list[str]  # Expected players who have not entered.
    tables: list[RoomTable]
    moves: list[ProposedMove]
    breakable: int | None
    dealt: LiveTablesView | None  # None if chips are counted by hand.
    offers: Offers
    stopped: list[int]  # Tables whose hand a server stop cut off; the floor resumes or interrupts.
    cut_short: str  # The effect of an interruption now.
    past: list[UndoableStep]
    version: int


class SlipView(TypedDict):
    """A slip of a night's counter; `undone` is why it was voided."""

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


class HouseName(TypedDict):
    """The house's name and the hash of its rules."""

    name: str
    rules: str


class ChipTotals(TypedDict):
    """Totals of the night's chips."""

    issued: str
    redeemed: str
    outstanding: str
    expired: str


class TableResultView(TypedDict):
    """A table of chance and its result."""

    table: str
    sheet: str
    rounds: int
    result: str
    void_rounds: int
    void_returned: str


class TakingsView(TypedDict):
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


class UnclaimedView(TypedDict):
    """Money unclaimed at closing; with a receipt once it is paid."""

    tournament: str
    player: str
    amount: str
    what: Literal["return", "prize"]
    receipt: str | None


class VoidedSlip(TypedDict):
    """A voided slip."""

    slip: int
    amount: str
    why: str | None


class FloatTotals(TypedDict):
    """The float."""

    brought: str
    returned: str


class DrawerLine(TypedDict):
    """A line of the drawer section; a total is the sum of the lines above that are not totals."""

    title: str
    amount: str
    total: bool


class CheckView(TypedDict):
    """A figure by the facts compared with the ledger's balances."""

    what: str
    facts: str
    balances: str
    off: str


class NoticeView(TypedDict):
    """The notice posted for the public."""

    clause: str
    note: NotRequired[str]
    ours: NotRequired[bool | str | list[str]]
    regulator: str
    address: list[str]
    invites: str
    governed_by: str


class StatementView(TypedDict):
    """Where every cent of a night came from and went; `findings` lists the differences."""

    format: int
    event: str
    charity: str
    licence: str
    gaming_date: str
    zone: str
    rehearsal: bool
    house: HouseName
    phase: Literal["none", "made", "open", "closed"]
    opened_at: str | None
    closed_at: str | None
    generated_at: str
    chips: ChipTotals
    tables: list[TableResultView]
    table_results: str
    tournaments: list[TakingsView]
    tournament_results: str
    unclaimed: list[UnclaimedView]
    still_unclaimed: str
    slips_undone: list[VoidedSlip]
    float: FloatTotals
    drawer: list[DrawerLine]
    cash: str
    proceeds: str
    reconciles: bool
    checks: list[CheckView]
    findings: list[CheckView]
    notice: NoticeView


class NightList(TypedDict):
    """All nights, latest gaming date first, and the houses whose rules a night can use."""

    nights: list[NightSummary]
    houses: list[str]


class StoppedPlay(TypedDict):
    """An interrupted table or tournament, and the result."""

    where: str
    what: str


class NightInterruption(TypedDict):
    """What an interruption of the night stopped."""

    event: str
    stopped: list[StoppedPlay]


class SlipWithText(SlipView):
    """A slip with its text for the player."""

    text: str


class SlipList(TypedDict):
    """The slips of the counter, latest first; `left_out` counts earlier ones."""

    slips: list[SlipView]
    left_out: int


class ScheduleTexts(TypedDict):
    """Sample schedules as TOML; `own` are the house's saved ones, by name."""

    schedules: dict[str, str]
    own: dict[str, str]


class TournamentResponse(TournamentView):
    """A tournament after a command, and where the command is recorded."""

    accepted: NotRequired[Recorded]


class WithdrawnTournament(TypedDict):
    """A withdrawn tournament."""

    id: str
    own: str
    status: str
    accepted: NotRequired[Recorded]


class TicketCode(TypedDict):
    """A player's check-in code. `account`: the player signs in to play instead."""

    player: str
    token: str
    link: str
    picture: str
    rehearsal: bool
    account: bool


class CheckInView(TypedDict):
    """A check-in code's player and seat; `runs`: the caller runs the night."""

    event: str
    charity: str
    rehearsal: bool
    tournament: str
    title: str
    status: str
    player: str
    buy_in: str
    entered: bool
    out: bool
    table: int | None
    seat: int | None
    checked_in: str | None
    ticket: TicketView
    runs: bool
    accepted: NotRequired[Recorded]


class PrizePreview(TypedDict):
    """The payout of each place for a number of entrants, first place first."""

    entrants: int
    prize_money: str
    prizes: list[str]


class RejectedLine(TypedDict):
    """A rejected line of a guest list, and the reason."""

    line: int
    name: str
    message: str


class GuestListImport(TypedDict):
    """An imported guest list: new names, known names, and rejected lines."""

    added: list[str]
    known: list[str]
    wrong: list[RejectedLine]
    tournament: TournamentView


class ScheduleView(TypedDict):
    """A schedule as fields and as text. `schedule` is null if the text is not TOML or cannot be
    shown as fields.
    """

    schedule: dict[str, Any] | None
    toml: str
    findings: list[SheetFinding]
    prizes: list[PrizePreview]


class ScheduleErrors(TypedDict):
    """All errors of a schedule in one sentence, and each by itself."""

    error: str
    findings: list[SheetFinding]
    left_out: NotRequired[dict[str, int]]
