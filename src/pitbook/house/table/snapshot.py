"""A state as JSON, so that a start need not read every fact again."""

from __future__ import annotations

from typing import Any

from pitbook.errors import RoundError
from pitbook.house.table.facts import FACTS, FORMAT, Json, RackAsked, stakes_in, stakes_out
from pitbook.house.table.model import TableState, game_of
from pitbook.money import dollars, money
from pitbook.rules.round import open_round
from pitbook.rules.stored import decode, encode, replay
from pitbook.shoe.order import Past
from pitbook.text import say

# Kept as they are; the others need words for money, cards or the round.
PLAIN = (
    *("table", "kind", "unit", "owner", "sheet", "next_sheet", "clocks", "coach"),
    *("number", "finished", "result", "shoe", "shoe_sheet", "shoes", "pack", "drawn", "first"),
    *("dealt_from", "revealed", "spot", "arranged"),
    *("deadlines", "interruption", "awaiting", "shuffler", "retired", "version"),
    *("dealer", "asks", "announced"),
)


def snapshot(state: TableState) -> Json:
    """All of a state; the round is kept as its actions."""
    return {
        "format": FORMAT,
        **{name: getattr(state, name) for name in PLAIN},
        "stake": money(state.stake),
        "rack": money(state.rack),
        "round": state.round is not None,
        "actions": [encode(action) for action in state.actions],
        "seats": list(state.seats.items()),
        "seat_seeds": list(state.seat_seeds.items()),
        "seeded": list(state.seeded.items()),
        "past": [[one.cards, list(one.seeds)] for one in state.past],
        "shoe_players": list(state.shoe_players),
        "guests": list(state.guests),
        "ready": list(state.ready),
        "asked": FACTS.dumped(state.asked.values()),
        "undo": [[seat, [stakes_out(one) for one in stack]] for seat, stack in state.undo.items()],
        "last": [
            [seat, player, stakes_out(stakes)] for seat, (player, stakes) in state.last.items()
        ],
    }


def restored(document: Any) -> TableState:
    """The state that was kept; raises RoundError for one that is not known."""
    if not isinstance(document, dict) or document.get("format") != FORMAT:
        raise RoundError(say("table.record.kept-format", format=FORMAT))
    actions = tuple(decode(one) for one in document["actions"])
    opened = open_round(game_of(document["sheet"])) if document["round"] else None
    return TableState(
        **{name: document[name] for name in PLAIN if name in document},  # Some came later.
        stake=dollars(document["stake"]),
        rack=dollars(document["rack"]),
        round=None if opened is None else replay(opened, actions),
        actions=actions,
        seats=dict(document["seats"]),
        seat_seeds=dict(document["seat_seeds"]),
        seeded=dict(document.get("seeded", ())),
        past=tuple(
            Past(cards, tuple((seat, text) for seat, text in seeds))
            for cards, seeds in document.get("past", ())
        ),
        shoe_players=tuple(document["shoe_players"]),
        guests=tuple(document["guests"]),
        ready=tuple(document.get("ready", ())),
        asked={one.number: one for one in _asked(document)},
        undo={seat: tuple(stakes_in(one) for one in stack) for seat, stack in document["undo"]},
        last={seat: (player, stakes_in(stakes)) for seat, player, stakes in document["last"]},
    )


def _asked(document: Json) -> list[RackAsked]:
    """Fills and credits that waited; an older state has none."""
    read = FACTS.loaded(document.get("asked", ()))
    return [one for one in read if isinstance(one, RackAsked)]
