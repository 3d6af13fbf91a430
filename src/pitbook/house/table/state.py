"""The state of a table, and its snapshots as JSON."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, NamedTuple, TypeAlias

from pitbook.errors import RoundError
from pitbook.house.ledger.accounts import is_tournament_unit
from pitbook.house.ledger.fact_codec import Json
from pitbook.house.table import facts
from pitbook.house.table.facts import FACTS, FORMAT, RackRequested, Stakes, dump_stakes, load_stakes
from pitbook.house.table.stored_sheets import game_of
from pitbook.money import Cents, dollars, money
from pitbook.rules.actions import Action
from pitbook.rules.game import Game
from pitbook.rules.named_tuples import fast_replace
from pitbook.rules.round import Round, new_round
from pitbook.rules.stored_rounds import decode, encode
from pitbook.rules.stored_rounds import replay as replay_actions
from pitbook.shoe.dealing import Past, history
from pitbook.text import say

TableKind: TypeAlias = facts.TableKind


@fast_replace
class TableState(NamedTuple):
    """A table's state after some facts; `apply` returns the next one."""

    table: str = ""
    kind: TableKind = "practice"
    unit: str = "play"
    owner: str = ""
    sheet: Json = {}  # noqa: RUF012  The current round's sheet; never modified.
    next_sheet: Json | None = None
    clocks: Mapping[str, int | None] = {}
    coach: bool = False
    stake: Cents = Cents(0)
    seats: Mapping[int, str] = {}
    number: int = 0
    round: Round | None = None
    actions: tuple[Action, ...] = ()
    finished: int = 0
    result: Json | None = None  # The current round's report, once it is over.
    shoe: Json | None = None
    shoe_sheet: str = ""
    spot: Json | None = None  # The spot that the shoe is arranged for.
    shoes: int = 0
    pack: int | None = None
    drawn: int = 0
    drawn_before_round: int = 0
    dealt_from: str = ""
    arranged: Json | None = None  # The spot that the current round was arranged for.
    seat_seeds: Mapping[int, str] = {}  # Of the next deal or the current one.
    seed_authors: Mapping[int, str] = {}  # Who added each seat's last seed.
    past: tuple[Past, ...] = ()  # Earlier deals of the shoe, if each deal has its own seeds.
    shoe_players: tuple[str, ...] = ()
    revealed: Json | None = None
    undo: Mapping[int, tuple[Stakes, ...]] = {}
    ready: tuple[str, ...] = ()  # Players who are done betting.
    last: Mapping[int, tuple[str, Stakes]] = {}
    rack: Cents = Cents(0)
    deadlines: Mapping[str, str] = {}
    interruption: str | None = None
    awaiting: Mapping[str, bool | None] | None = None
    shuffler: bool = True
    guests: tuple[str, ...] = ()
    retired: bool = False
    dealer: str = ""  # The dealer who has tapped in, at a table with a live dealer.
    # Fills and credits that wait for approval.
    rack_requests: Mapping[int, facts.RackRequested] = {}
    last_rack_request: int = 0  # Number of the newest fill or credit request.
    announced: Json | None = None  # Announced rules and their time.
    version: int = 0

    @property
    def round_id(self) -> str:
        """The current round's id."""
        return f"{self.table}-{self.number:06d}"

    @property
    def in_tournament(self) -> bool:
        """Whether its chips are a tournament's: then the staff decides about interrupted hands."""
        return is_tournament_unit(self.unit)

    @property
    def upcoming_sheet(self) -> Json:
        """The sheet of the next round to open."""
        return self.next_sheet or self.sheet

    @property
    def game(self) -> Game:
        """The rules of the current round, or of the next one if none is in play."""
        return (
            self.round.game if self.has_live_wagers and self.round else game_of(self.upcoming_sheet)
        )

    @property
    def has_live_wagers(self) -> bool:
        """Whether there is an unsettled wager."""
        return self.round is not None and bool(self.round.seats) and self.round.phase != "over"

    @property
    def numbers(self) -> list[int]:
        """Every seat number, including taken ones that the current rules lack."""
        count = (self.round.game if self.round else self.game).sheet.seats.count
        seat_numbers = (seat.number for seat in self.round.seats) if self.round else ()
        return sorted({*range(1, count + 1), *self.seats, *seat_numbers})

    @property
    def card_commitments(self) -> bool:
        """Whether each card has its own commitment, and each deal its own seeds."""
        return self.shoe is not None and self.shoe["kind"] == "committed"

    @property
    def history(self) -> str | None:
        """The shoe's commitment and deals, hashed; identifies what a seed was made for."""
        commitment = self.shoe["commitment"] if self.shoe is not None else None
        return None if commitment is None else history(commitment, self.past)

    @property
    def typed(self) -> bool:
        """Whether a live dealer types the cards."""
        return self.kind == "typed"


# Stored as they are; the other fields need encoding.
PLAIN_FIELDS = (
    *("table", "kind", "unit", "owner", "sheet", "next_sheet", "clocks", "coach"),
    *("number", "finished", "result", "shoe", "shoe_sheet", "shoes", "pack", "drawn"),
    *("dealt_from", "revealed", "spot", "arranged"),
    *("deadlines", "interruption", "awaiting", "shuffler", "retired", "version"),
    *("dealer", "announced"),
)


def snapshot(state: TableState) -> Json:
    """The whole state as JSON; the round is stored as its actions."""
    return {
        "format": FORMAT,
        **{name: getattr(state, name) for name in PLAIN_FIELDS},
        "first": state.drawn_before_round,
        "asks": state.last_rack_request,
        "stake": money(state.stake),
        "rack": money(state.rack),
        "round": state.round is not None,
        "actions": [encode(action) for action in state.actions],
        "seats": list(state.seats.items()),
        "seat_seeds": list(state.seat_seeds.items()),
        "seeded": list(state.seed_authors.items()),
        "past": [[deal.cards, list(deal.seeds)] for deal in state.past],
        "shoe_players": list(state.shoe_players),
        "guests": list(state.guests),
        "ready": list(state.ready),
        "asked": FACTS.dump_all(state.rack_requests.values()),
        "undo": [
            [seat, [dump_stakes(stakes) for stakes in stack]] for seat, stack in state.undo.items()
        ],
        "last": [
            [seat, player, dump_stakes(stakes)] for seat, (player, stakes) in state.last.items()
        ],
    }


def restore(document: Any) -> TableState:
    """The state of a snapshot; raises RoundError for an unknown format."""
    if not isinstance(document, dict) or document.get("format") != FORMAT:
        raise RoundError(say("table.record.kept-format", format=FORMAT))
    actions = tuple(decode(action) for action in document["actions"])
    opened_round = new_round(game_of(document["sheet"])) if document["round"] else None
    return TableState(
        **{
            name: document[name] for name in PLAIN_FIELDS if name in document
        },  # Older snapshots lack some.
        drawn_before_round=document.get("first", 0),
        last_rack_request=document.get("asks", 0),
        stake=dollars(document["stake"]),
        rack=dollars(document["rack"]),
        round=None if opened_round is None else replay_actions(opened_round, actions),
        actions=actions,
        seats=dict(document["seats"]),
        seat_seeds=dict(document["seat_seeds"]),
        seed_authors=dict(document.get("seeded", ())),
        past=tuple(
            Past(cards, tuple((seat, text) for seat, text in seeds))
            for cards, seeds in document.get("past", ())
        ),
        shoe_players=tuple(document["shoe_players"]),
        guests=tuple(document["guests"]),
        ready=tuple(document.get("ready", ())),
        rack_requests={
            rack_request.number: rack_request for rack_request in _rack_requests(document)
        },
        undo={
            seat: tuple(load_stakes(stakes) for stakes in stack) for seat, stack in document["undo"]
        },
        last={seat: (player, load_stakes(stakes)) for seat, player, stakes in document["last"]},
    )


def _rack_requests(document: Json) -> list[RackRequested]:
    """Pending fill and credit requests; older snapshots have none."""
    rack_facts = FACTS.load_all(document.get("asked", ()))
    return [fact for fact in rack_facts if isinstance(fact, RackRequested)]
