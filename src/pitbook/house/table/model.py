"""A table at one moment, frozen. Whatever is here follows from facts alone."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from functools import lru_cache
from typing import NamedTuple, TypeAlias

from pitbook.cards import Card
from pitbook.errors import RoundError
from pitbook.house.table import facts
from pitbook.house.table.facts import Json, Stakes
from pitbook.house.table.units import is_of_tournament
from pitbook.money import Cents
from pitbook.rules.actions import Action, Expose, PlaceNumber, Settle, Turn
from pitbook.rules.bind import bind
from pitbook.rules.game import Game
from pitbook.rules.records import fast_replace
from pitbook.rules.refusals import Refusal
from pitbook.rules.round import Round, open_round
from pitbook.rules.step import step
from pitbook.rules.stored import sheet_document, stored_sheet
from pitbook.sheets.model import Sheet
from pitbook.shoe.order import Past, history
from pitbook.shoe.record import CARDWISE
from pitbook.text import say

TableKind: TypeAlias = facts.TableKind


@fast_replace
class TableState(NamedTuple):
    """A table after some facts; `evolve` gives the next one."""

    table: str = ""
    kind: TableKind = "practice"
    unit: str = "play"
    owner: str = ""
    sheet: Json = {}  # noqa: RUF012  Of the round that is on the layout; nobody writes into it.
    next_sheet: Json | None = None
    clocks: Mapping[str, int | None] = {}
    coach: bool = False
    stake: Cents = Cents(0)
    seats: Mapping[int, str] = {}
    number: int = 0
    round: Round | None = None
    actions: tuple[Action, ...] = ()
    finished: int = 0
    result: Json | None = None  # The report of the round on the layout, once it is over.
    shoe: Json | None = None
    shoe_sheet: str = ""
    spot: Json | None = None  # What the shoe is arranged for, if it is.
    shoes: int = 0
    pack: int | None = None
    drawn: int = 0
    first: int = 0  # Cards that were drawn before the round on the layout.
    dealt_from: str = ""
    arranged: Json | None = None  # What the round on the layout was arranged for, if it was.
    seat_seeds: Mapping[int, str] = {}  # Of the deal to come, or of the one on the layout.
    seeded: Mapping[int, str] = {}  # Who added the last seed of a seat.
    past: tuple[Past, ...] = ()  # The deals of a shoe before this one, where seeds are for each.
    shoe_players: tuple[str, ...] = ()
    revealed: Json | None = None
    undo: Mapping[int, tuple[Stakes, ...]] = {}
    ready: tuple[str, ...] = ()  # Players who want no more time to bet.
    last: Mapping[int, tuple[str, Stakes]] = {}
    rack: Cents = Cents(0)
    deadlines: Mapping[str, str] = {}
    interruption: str | None = None
    awaiting: Mapping[str, bool | None] | None = None
    shuffler: bool = True
    guests: tuple[str, ...] = ()
    retired: bool = False
    dealer: str = ""  # Who has signed on to deal, where a person does.
    asked: Mapping[int, facts.RackAsked] = {}  # Fills and credits that wait for a second person.
    asks: int = 0
    announced: Json | None = None  # Rules to come, and from when.
    version: int = 0

    @property
    def round_id(self) -> str:
        """The id of the round on the layout."""
        return f"{self.table}-{self.number:06d}"

    @property
    def in_tournament(self) -> bool:
        """Whether its chips are a tournament's: then the floor answers for what is cut short."""
        return is_of_tournament(self.unit)

    @property
    def coming(self) -> Json:
        """The sheet of the next round to open."""
        return self.next_sheet or self.sheet

    @property
    def game(self) -> Game:
        """The rules for the round on the layout, or for the next one where none is live."""
        return self.round.game if self.live and self.round else game_of(self.coming)

    @property
    def live(self) -> bool:
        """Whether a wager lies on the table that is not settled yet."""
        return self.round is not None and bool(self.round.seats) and self.round.phase != "over"

    @property
    def numbers(self) -> list[int]:
        """Every position of the layout, and any that is taken under other rules."""
        count = (self.round.game if self.round else self.game).sheet.seats.count
        played = (seat.number for seat in self.round.seats) if self.round else ()
        return sorted({*range(1, count + 1), *self.seats, *played})

    @property
    def cardwise(self) -> bool:
        """Whether the shoe is committed to card by card, and the seats' seeds are for each deal."""
        return self.shoe is not None and self.shoe.get("format") == CARDWISE

    @property
    def history(self) -> str | None:
        """The shoe's commitment with all that was dealt from it since; what a seed is made for."""
        committed = self.shoe["commitment"] if self.shoe is not None else None
        return None if committed is None else history(committed, self.past)

    @property
    def typed(self) -> bool:
        """Whether a person deals, and types the cards."""
        return self.kind == "typed"


def kept_sheet(sheet: Sheet) -> Json:
    """A sheet as facts keep it: the body as text, for the order of a pay table is meaning too."""
    document = sheet_document(sheet)
    return {"hash": document["hash"], "body": json.dumps(document["body"])}


def game_of(sheet: Json) -> Game:
    """The rules of a sheet that is kept; the same object for the same sheet."""
    return _bound(sheet["hash"], sheet["body"])


@lru_cache(maxsize=256)
def _bound(digest: str, body: str) -> Game:
    try:
        document = {"hash": digest, "body": json.loads(body)}
    except (TypeError, ValueError, RecursionError):
        raise RoundError(say("table.record.sheet-no-json")) from None
    return bind(stored_sheet(document))


def currency_of(sheet: Json) -> str | None:
    """What the money of a sheet that is kept is in; None for US dollars, or where it is unread."""
    return _currency(sheet["body"])


@lru_cache(maxsize=256)
def _currency(body: str) -> str | None:
    try:
        found = json.loads(body)["house"]["currency"]
    except (KeyError, TypeError, ValueError, RecursionError):
        return None
    return found if isinstance(found, str) else None


def named_at(actions: Iterable[Action], place: PlaceNumber) -> list[tuple[int, Turn | Expose]]:
    """The actions that named the cards of a place, with their positions."""
    return [
        (position, action)
        for position, action in enumerate(actions)
        if isinstance(action, Turn | Expose) and action.place == place
    ]


def with_card(
    actions: tuple[Action, ...], place: PlaceNumber, number: int, right: Card
) -> tuple[Action, ...]:
    """The actions with the place's first, second, ... card put right."""
    position, wrong = named_at(actions, place)[number - 1]
    return (*actions[:position], wrong._replace(card=right), *actions[position + 1 :])


def put_right(
    round: Round, actions: tuple[Action, ...], place: PlaceNumber, number: int, right: Card
) -> tuple[tuple[Action, ...], Round] | Refusal:
    """The round played again with a card put right; hands that this alters are settled no more."""
    paid, again = round.paid, open_round(round.game)
    kept: list[Action] = []
    reopened = False
    for action in with_card(actions, place, number, right):
        at_once = isinstance(action, Settle) and bool(action.at_once)
        after = step(again, action) if not (at_once and reopened) else None
        if at_once and (not isinstance(after, Round) or after.paid != paid[: len(after.paid)]):
            reopened = True
            continue
        if not isinstance(after, Round):
            assert after is not None
            return after
        again = after
        kept.append(action)
    return tuple(kept), again
