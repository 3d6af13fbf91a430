"""The only bridge from settlements to transfers: each cent is held, then taken or paid."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from pitbook.house.ledger.accounts import Transfer, move
from pitbook.house.table.acts.taken_back import Back, PurseOf, no_more, reopened, returned
from pitbook.house.table.model import TableState
from pitbook.house.table.reasons import ABOVE_RACK, BACK
from pitbook.house.table.till import TableTill, lowest
from pitbook.money import Cents
from pitbook.rules.game import Seat
from pitbook.rules.round import Round
from pitbook.rules.settlement import Line

__all__ = ["TableTill", "in_order", "moved", "staked_at", "till_of"]


def till_of(state: TableState) -> TableTill:
    """The accounts of a table."""
    return TableTill(state.unit, state.table, state.kind == "practice")


def moved(
    till: TableTill, round_id: str, before: Round, after: Round, *, rack: Cents, purse: PurseOf
) -> tuple[list[Transfer], list[Back]]:
    """The transfers of one step, and what of earlier ones is taken back.

    A fill comes first where the rack is too small.
    """
    transfers = list(_staked(till, round_id, before, after))
    over = after.phase == "over" != before.phase
    if not over and after.paid is before.paid:
        return transfers, []
    back = no_more(before, after)
    paid = list(_settled(till, round_id, after, _not_before(before, after, back)))
    if over:
        made, back = returned(till, round_id, back, purse, paid)
        paid += made
    else:
        paid += reopened(till, round_id, back)
    short = max(0, -lowest(till.rack, rack, paid))
    fills = [move(till.house, till.rack, short, ABOVE_RACK)] if short else []
    return [*transfers, *fills, *paid], back


def _not_before(before: Round, after: Round, back: list[Back]) -> Iterator[tuple[int, Line]]:
    """The lines that get their result now, and whose stake still lies there."""
    known = {(number, line.wager) for number, line in before.paid}
    gone = {(one.seat, one.line.wager) for one in back}
    for number, line in in_order(after) if after.phase == "over" else after.paid:
        if (number, line.wager) not in known | gone:
            yield number, line


def _staked(till: TableTill, round_id: str, before: Round, after: Round) -> Iterator[Transfer]:
    """Wagers put and taken back."""
    for was, now in _changed(before, after):
        yield from staked_at(till, round_id, was, now)


def staked_at(
    till: TableTill, round_id: str, was: Seat | None, now: Seat | None
) -> Iterator[Transfer]:
    """Wagers put and taken back at one seat."""
    if was is not None and now is not None and was[2:4] == now[2:4]:  # Neither main nor side.
        return
    seat = now or was
    assert seat is not None
    old, new = dict(was.stakes if was else ()), dict(now.stakes if now else ())
    wallet, held = till.wallet(seat.player), till.held(seat.number)
    for wager in {**old, **new}:
        more = new.get(wager, 0) - old.get(wager, 0)
        if not more:
            continue
        why = f"{round_id} seat {seat.number} {wager}"
        if more > 0:
            yield move(wallet, held, more, f"{why} put")
        else:
            yield move(held, wallet, -more, f"{why}{BACK}")


def _changed(before: Round, after: Round) -> Iterator[tuple[Seat | None, Seat | None]]:
    """The seats that are not what they were, in order."""
    if len(before.seats) == len(after.seats):
        both = zip(before.seats, after.seats, strict=True)
        yield from ((was, now) for was, now in both if was is not now)
        return
    for number in sorted({seat.number for seat in (*before.seats, *after.seats)}):
        yield before.seat(number), after.seat(number)


def _settled(
    till: TableTill, round_id: str, after: Round, lines: Iterable[tuple[int, Line]]
) -> Iterator[Transfer]:
    rack = till.rack
    accounts = {
        seat.number: (till.wallet(seat.player), till.held(seat.number)) for seat in after.seats
    }
    for number, line in lines:
        wallet, held = accounts[number]
        why = f"{round_id} seat {number} {line.wager} {line.result}"
        if line.lost:
            yield move(held, rack, line.lost, why)
        if back := line.stake - line.lost:
            yield move(held, wallet, back, why)
        if line.wins:
            yield move(rack, wallet, line.wins, why)


def in_order(over: Round) -> Iterator[tuple[int, Line]]:
    """Every line of a round that is over, in the order in which a dealer takes and pays."""
    left = {(one.seat, line.wager): line for one in over.settlements for line in one.lines}
    for number, group in over.to_settle:
        here = [
            wager
            for seat, wager in left
            if seat == number and (wager if wager in over.game.sheet.side else "main") in group
        ]
        for wager in here:
            yield number, left.pop((number, wager))
    for (number, _), line in left.items():  # Void before there was an order.
        yield number, line
