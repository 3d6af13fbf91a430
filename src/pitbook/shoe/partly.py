"""A stored round that keeps some cards closed: dealt in order, and settled where hands are open."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping
from typing import Any, NamedTuple

from pitbook.cards import Card, card
from pitbook.engine.actions import (
    BOARD,
    Action,
    Close,
    Deal,
    Expose,
    Place,
    Settle,
    Turn,
    Wager,
    Withdraw,
)
from pitbook.engine.journal import decode, replay
from pitbook.engine.report import report
from pitbook.engine.round import Round
from pitbook.engine.step import step
from pitbook.errors import RoundError
from pitbook.games.stored import restore
from pitbook.shoe.verdict import Difference

__all__ = ["Partly", "dealt", "of_open_hands", "partly"]

NAMING = ("turn", "expose")
BEFORE_CARDS = (Wager, Withdraw, Close, Deal)


class Partly(NamedTuple):
    """A round as its reader may know it."""

    opened: Round
    actions: tuple[Action, ...]  # Without those that would name a closed card.
    places: tuple[Place, ...]  # Of each card, in the order of the deal.
    named: Mapping[Place, tuple[Card | None, ...]]  # None: turned, and closed to the reader.
    closed: frozenset[Place]
    settlement: Any


def partly(document: Any) -> Partly:
    """The round of a document whose cards may be null; raises RoundError."""
    told = document.get("actions") if isinstance(document, dict) else None
    if not isinstance(told, list):
        restore(document)  # It says what is wrong.
        raise RoundError("actions must be a list")
    opened, actions = restore({**document, "actions": [one for one in told if not _hides(one)]})
    named: dict[Place, list[Card | None]] = defaultdict(list)
    for one in told:
        if one["do"] in NAMING:
            named[_place(one)].append(one["card"] and card(one["card"]))
    return Partly(
        opened,
        tuple(actions),
        tuple(one.place for one in actions if isinstance(one, Deal)),
        {place: tuple(cards) for place, cards in named.items()},
        frozenset(place for place, cards in named.items() if None in cards),
        document.get("settlement"),
    )


def _hides(action: Any) -> bool:
    return (
        isinstance(action, dict)
        and action.get("do") in NAMING
        and "card" in action
        and action["card"] is None
    )


def _place(action: dict[str, Any]) -> Place:
    """Where a card lies, read as any action is."""
    return decode({"do": "deal", "place": action.get("place")}).place  # type: ignore[union-attr]


def dealt(told: Partly) -> Round:
    """The round when all cards are laid, by the sheet's order; raises RoundError for another.

    Where nothing is closed it is played to its end, as any stored round.
    """
    if not told.closed:
        return replay(told.opened, told.actions)
    last = max((n for n, one in enumerate(told.actions) if isinstance(one, Deal)), default=-1)
    first = [one for one in told.actions[: last + 1] if isinstance(one, BEFORE_CARDS)]
    return replay(told.opened, first)


def of_open_hands(told: Partly) -> list[Difference]:
    """The hands that are open, settled again without those that are not.

    Where a cap on the round was shared, closed hands bear on open ones: then nobody can tell.
    """
    settlement = told.settlement
    played = {one.seat for one in told.actions if isinstance(one, Wager)}
    if not isinstance(settlement, dict) or settlement.get("limits") or played <= told.closed:
        return []
    try:
        again = report(_without(told))
    except RoundError as error:
        return [Difference("settlement", f"the open hands cannot be settled again: {error}")]
    if again["limits"]:
        return []
    stored = {one["seat"]: one for one in _seats(settlement)}
    wrong = [one["seat"] for one in again["seats"] if stored.get(one["seat"]) != one]
    return [
        Difference("settlement", f"seat {seat} does not come to what is stored for it")
        for seat in wrong
    ]


def _seats(settlement: Mapping[str, Any]) -> list[Any]:
    listed = settlement.get("seats")
    seats = listed if isinstance(listed, list) else []
    return [one for one in seats if isinstance(one, dict) and type(one.get("seat")) is int]


def _without(told: Partly) -> Round:
    """The round to its end as if the closed hands had not been played."""
    round = told.opened
    for action in told.actions:
        if isinstance(action, Settle) or _concerns(action, told.closed):
            continue
        after = step(round, action)
        if isinstance(after, Round):
            round = after
        elif not _is_of_board(action):  # Perhaps it was turned for a closed hand alone.
            raise RoundError(str(after))
    while round.phase == "settle":
        round = replay(round, [Settle()])
    return round


def _concerns(action: Action, closed: frozenset[Place]) -> bool:
    return getattr(action, "seat", getattr(action, "place", None)) in closed


def _is_of_board(action: Action) -> bool:
    return isinstance(action, Turn | Expose) and action.place == BOARD
