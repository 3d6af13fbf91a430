"""Snapshots of a table's state as JSON."""

from __future__ import annotations

from typing import Any

from pitbook.errors import RoundError
from pitbook.house.ledger.fact_codec import Json
from pitbook.house.table.facts import FACTS, FORMAT, RackRequested, dump_stakes, load_stakes
from pitbook.house.table.state import TableState
from pitbook.house.table.stored_sheets import game_of
from pitbook.money import dollars, money
from pitbook.rules.round import new_round
from pitbook.rules.stored_rounds import decode, encode
from pitbook.rules.stored_rounds import replay as replay_actions
from pitbook.shoe.dealing import Past
from pitbook.text import say

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
