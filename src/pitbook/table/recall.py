"""What a player is shown of past rounds: the own cards, opened hands, and everybody's results."""

from __future__ import annotations

from pitbook.cards import Card, name
from pitbook.engine.report import report
from pitbook.engine.told import report_told
from pitbook.ledger.book import Ledger
from pitbook.money import money
from pitbook.table.events import sheet_named
from pitbook.table.facts import Json, stakes_out
from pitbook.table.records import (
    Record,
    balances,
    latest,
    on_layout,
    shown_shoe,
    streams_of,
    tables,
)
from pitbook.table.sight import Viewer, hand_seen

__all__ = ["recall", "recalled"]

RECALLED = 10


def recall(
    ledger: Ledger, player: str, *guests: str, stream: str | None = None, count: int = RECALLED
) -> list[Json]:
    """A player's last rounds, newest first, with what that player may see of them.

    Those of the guests that somebody was before signing in are the player's too.
    """
    found = [
        (record, name)
        for name in (player, *guests)
        for record in _played(ledger, name, stream, count)
    ]
    found.sort(key=lambda one: one[0].steps[0].at, reverse=True)
    return [recalled(ledger, record, name) for record, name in found[:count]]


def _played(ledger: Ledger, player: str, stream: str | None, count: int) -> list[Record]:
    played = streams_of(ledger, player)
    return [
        record
        for one in tables(ledger).values()
        if one.name in played and stream in (None, one.name)
        for record in latest(ledger, one, count, lambda record: _has_played(record, player))
    ]


def recalled(ledger: Ledger, record: Record, player: str) -> Json:
    """One round as a player may see it: own cards, opened hands, wagers, choices, results."""
    state = record.state
    round = on_layout(state)
    viewer = Viewer(player, "player")
    mine = {seat.number for seat in round.seats if seat.player == player}
    before, after = balances(ledger, record, player)
    return {
        "round": record.id,
        "player": player,
        "table": state.table,
        "opened": record.steps[0].at,
        "sheet": sheet_named(state.sheet),
        "board": [name(card) for card in round.board],
        "seats": [
            {
                "seat": seat.number,
                "player": seat.player,
                "wagers": stakes_out(seat.stakes),
                "plays": list(seat.plays),
                "cards": [_face(card) for card in hand_seen(state, seat, viewer)],
            }
            for seat in round.seats
        ],
        "settlement": report_told(report(round), round) if round.phase == "over" else None,
        "advice": [
            {"at": step.at} | {key: fact[key] for key in fact if key != "fact"}
            for step in record.steps
            for fact in step.of("advice")
            if fact["seat"] in mine
        ],
        "balance": {"before": money(before), "after": money(after)},
        "shoe": shown_shoe(record),
        "arranged": record.before.spot is not None,
    }


def _face(card: Card | None) -> str | None:
    return None if card is None else name(card)


def _has_played(record: Record, player: str) -> bool:
    if not record.touched(player) or record.settled is None:
        return False
    return any(seat.player == player for seat in on_layout(record.state).seats)
