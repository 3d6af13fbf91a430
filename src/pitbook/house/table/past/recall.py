"""What a player is shown of past rounds: the own cards, opened hands, and everybody's results."""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

from pitbook.cards import Card, name
from pitbook.house.ledger.book import Ledger
from pitbook.house.table.facts import FACTS, CoachTold, Json, stakes_out
from pitbook.house.table.past.paging import around, edge_of
from pitbook.house.table.past.purses import WalletsHeld, played_in
from pitbook.house.table.past.records import RoundRecord, balances, on_layout, shown_shoe
from pitbook.house.table.seen.events import sheet_named
from pitbook.house.table.seen.layout import common_out
from pitbook.house.table.seen.sight import Viewer, hand_seen
from pitbook.house.table.units import counted_in
from pitbook.money import Cents, money
from pitbook.rules.plays import PASSED
from pitbook.rules.report import report
from pitbook.rules.words import report_with_words
from pitbook.text.documents import in_own_currency

__all__ = ["Page", "page", "recalled"]

RECALLED = 10


class Page(NamedTuple):
    """Some rounds, newest first, and those to go on from; None where there are no more."""

    rounds: list[Json]
    older: str | None
    newer: str | None


def page(
    ledger: Ledger,
    *players: str,
    stream: str | None = None,
    count: int = RECALLED,
    before: str | None = None,
    after: str | None = None,
    among: Callable[[str], bool] = lambda _: True,
) -> Page:
    """Rounds of somebody, by all names, before one of them, after one, or the last.

    `among`: at those streams alone. Raises RoundError where there is no such round, or where it was
    played at a table to which none of them came: that is as much as they are told of it.
    """
    at = before if after is None else after
    streams = (one for name in players for one in played_in(ledger, name, stream))
    played = {one.name: one for one in streams if among(one.name)}
    edge = None if at is None else edge_of(ledger, at, list(played.values()))
    found = around(
        ledger,
        list(played.values()),
        count + 1,
        lambda record: any(_has_played(record, name) for name in players),
        edge=edge,
        newer=after is not None,
    )
    more = len(found) > count
    shown = found[1:] if more and after is not None else found[:count]
    ids = [one.id for one in shown]
    return Page(
        _all_recalled(ledger, shown, players),
        older=ids[-1] if ids and (more or after is not None) else None,
        newer=ids[0] if ids and (before is not None or (after is not None and more)) else None,
    )


def _all_recalled(
    ledger: Ledger, records: list[RoundRecord], players: tuple[str, ...]
) -> list[Json]:
    names = [next(n for n in players if _has_played(record, n)) for record in records]
    held = {
        one: WalletsHeld(ledger, [r for r, n in zip(records, names, strict=True) if n == one], one)
        for one in set(names)
    }
    return [
        _recalled(record, name, held[name].of(record))
        for record, name in zip(records, names, strict=True)
    ]


def recalled(ledger: Ledger, record: RoundRecord, player: str) -> Json:
    """One round as a player may see it: own cards, opened hands, wagers, choices, results."""
    return _recalled(record, player, balances(ledger, record, player))


def _recalled(record: RoundRecord, player: str, held: tuple[Cents, Cents]) -> Json:
    state = record.state
    round = on_layout(state)
    viewer = Viewer(player, "player")
    mine = {seat.number for seat in round.seats if seat.player == player}
    before, after = held
    sheet = sheet_named(state.sheet)
    currency = counted_in(state.unit, sheet.get("currency"))
    told = {
        "round": record.id,
        "player": player,
        "table": state.table,
        "opened": record.steps[0].at,
        "sheet": sheet,
        **({"currency": currency} if currency else {}),
        "board": [name(card) for card in round.board],
        **({"common": common_out(round)} if round.more else {}),
        "seats": [
            {
                "seat": seat.number,
                "player": seat.player,
                "wagers": stakes_out(seat.stakes),
                "plays": [play for play in seat.plays if play != PASSED],
                "cards": [_face(card) for card in hand_seen(state, seat, viewer)],
            }
            for seat in round.seats
        ],
        "settlement": report_with_words(report(round), round) if round.phase == "over" else None,
        "advice": [
            {"at": step.at} | FACTS.body(fact)
            for step in record.steps
            for fact in step.of(CoachTold)
            if fact.seat in mine
        ],
        "balance": {"before": money(before), "after": money(after)},
        "shoe": shown_shoe(record),
        "arranged": record.before.spot is not None,
    }
    return in_own_currency(told, currency)


def _face(card: Card | None) -> str | None:
    return None if card is None else name(card)


def _has_played(record: RoundRecord, player: str) -> bool:
    settled = record.settled
    return settled is not None and any(one["player"] == player for one in settled["seats"])
