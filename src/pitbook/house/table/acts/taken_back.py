"""What was settled and is void after all: each cent goes back where it came from (GEN-6)."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from typing import NamedTuple

from pitbook.house.ledger.accounts import Transfer, move
from pitbook.house.table.facts import LineBack, TakenBack
from pitbook.house.table.reasons import BACK, VOID
from pitbook.house.table.till import TableTill, change
from pitbook.money import Cents
from pitbook.rules.round import Round
from pitbook.rules.settlement import Line
from pitbook.text import Sentence, say

__all__ = [
    "Back",
    "PurseOf",
    "no_more",
    "reopened",
    "returned",
    "short_at",
    "stakes_back",
    "taken_back",
    "told",
]

TAKEN = ("lose", "forfeit")
PurseOf = Callable[[str], Cents]


class Back(NamedTuple):
    """A line that was settled and is no more; `short` is what its player no longer has."""

    seat: int
    player: str
    line: Line
    short: Cents = Cents(0)


def no_more(before: Round, after: Round) -> list[Back]:
    """The lines that were settled and are not any longer."""
    if not before.paid:
        return []
    stand = set(after.results)
    players = {seat.number: seat.player for seat in before.seats}
    return [
        Back(number, players[number], line)
        for number, line in before.paid
        if (number, line) not in stand
    ]


def reopened(till: TableTill, round_id: str, back: Iterable[Back]) -> Iterator[Transfer]:
    """Stakes lie on the layout again, wins in the rack: the hand is settled anew."""
    for one in back:
        why, held, wallet = _why(round_id, one), till.held(one.seat), till.wallet(one.player)
        if one.line.wins:
            yield move(wallet, till.rack, one.line.wins, why)
        if one.line.lost:
            yield move(till.rack, held, one.line.lost, why)
        if came := one.line.stake - one.line.lost:
            yield move(wallet, held, came, why)


def returned(
    till: TableTill, round_id: str, back: list[Back], purse: PurseOf, before: list[Transfer]
) -> tuple[list[Transfer], list[Back]]:
    """Wins go back to the rack and lost stakes to the players; a stake that came back stays.

    A misdeal waits for nobody: what a player has spent meanwhile is the house's loss, on record.
    """
    made: list[Transfer] = []
    owed = [one.line.wins for one in back]

    def take_wins() -> None:
        for place, one in enumerate(back):
            wallet = till.wallet(one.player)
            there = purse(one.player) + change(wallet, [*before, *made])
            part = min(owed[place], there)
            if part > 0:
                made.append(move(wallet, till.rack, part, _why(round_id, one)))
                owed[place] = Cents(owed[place] - part)

    take_wins()
    for one in back:
        if lost := one.line.lost:
            held, why = till.held(one.seat), f"{round_id} seat {one.seat} {one.line.wager}{VOID}"
            made.append(move(till.rack, held, lost, _why(round_id, one)))
            made.append(move(held, till.wallet(one.player), lost, why))
    take_wins()
    return made, [one._replace(short=left) for one, left in zip(back, owed, strict=True)]


def taken_back(round_id: str, back: Iterable[Back], *, anew: bool) -> TakenBack:
    """What was settled is taken back, to be settled anew or void."""
    return TakenBack(round_id, anew, tuple(_line(one) for one in back))


def _line(one: Back) -> LineBack:
    line = one.line
    return LineBack(
        *(one.seat, line.wager, line.stake, line.result, line.wins, one.short), back=line.back
    )


def stakes_back(fact: TakenBack) -> Cents:
    """Stakes of a void round that had come back with a win or a push already."""
    lines = () if fact.anew else fact.lines
    return Cents(sum(line.stake - _lost(line) for line in lines))


def _lost(line: LineBack) -> int:
    """What of a stake was gone."""
    return line.stake - line.back if line.result in TAKEN else 0


def short_at(fact: TakenBack, seat: int | None = None) -> Cents:
    """What a seat, or all of them, no longer had."""
    return Cents(sum(line.short for line in fact.lines if seat in (None, line.seat)))


def told(fact: TakenBack) -> Iterator[Sentence]:
    """The sentences of the fact, for each seat."""
    for seat in dict.fromkeys(line.seat for line in fact.lines):
        lines = [line for line in fact.lines if line.seat == seat]
        won = sum(line.wins for line in lines)
        lost = sum(map(_lost, lines))
        short = sum(line.short for line in lines)
        yield say("table.taken-back.no-longer", seat=seat, won=won, lost=lost)
        if short:
            yield say("table.taken-back.short", seat=seat, short=short)


def _why(round_id: str, one: Back) -> str:
    return f"{round_id} seat {one.seat} {one.line.wager} {one.line.result}{BACK}"
