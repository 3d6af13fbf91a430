"""The statement of a night in JSON, as types. Amounts are text, in dollars."""

from __future__ import annotations

from typing import Literal, NotRequired

from typing_extensions import TypedDict


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
