"""What was under way at the moment of a kill: rounds on the tables, and requests without answer."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import NamedTuple

from tests.chaos.server_play import Players
from tests.chaos.tables import SHEETS

from pitbook.house.client import Accepted
from pitbook.house.ledger.chain import Entry
from pitbook.house.ledger.journal import Ledger
from pitbook.house.table.facts import FACTS, Acted, RoundOpened, Settled
from pitbook.rules.actions import Deal

FIRST = 3  # The claim of whoever comes after the first kill: furnished, opened, taken over.


class InFlight(NamedTuple):
    """Counts over some kills."""

    kills: int = 0  # In which cards lay on a table.
    rounds: int = 0  # That were cut.
    settled: int = 0  # Played to their end, cut or not.
    unanswered: int = 0  # Requests that were sent, and whose answer a kill swallowed.
    standing: int = 0  # Of these, which were on record nevertheless.

    def __add__(self, other: tuple[int, ...]) -> InFlight:  # type: ignore[override]
        return InFlight(*(one + two for one, two in zip(self, other, strict=True)))

    def __str__(self) -> str:
        return (
            f"{self.kills} of the kills cut {self.rounds} rounds, {self.settled} rounds were "
            f"settled; {self.unanswered} requests lost their answer, {self.standing} of them stood"
        )


def in_flight(ledger: Ledger, players: Players, kills: Sequence[float]) -> InFlight:
    """What the kills of one house cut, as its book and its players tell it."""
    cut: list[set[int]] = []
    settled = 0
    for table in SHEETS:
        entries = list(ledger.entries(f"table/{table}"))
        cut.append(set(_cut(entries)))
        settled += sum(len(FACTS.load_kind(one, Settled)) for one in entries)
    mine = range(FIRST, FIRST + len(kills))
    return InFlight(
        kills=len(set().union(*cut).intersection(mine)),
        rounds=sum(len(one.intersection(mine)) for one in cut),
        settled=settled,
        unanswered=sum(1 for _ in _unanswered(players, kills)),
        standing=sum(_stood(ledger, players, kills)),
    )


def _cut(entries: Iterable[Entry]) -> Iterator[int]:
    """The claims that found cards on the table, from those who held it before."""
    claim, dealt = 0, False
    for entry in entries:
        if entry.epoch != claim and dealt:
            yield entry.epoch
        claim = entry.epoch
        for fact in FACTS.load_entry(entry):
            if isinstance(fact, Acted) and isinstance(fact.action, Deal):
                dealt = True
            elif isinstance(fact, RoundOpened | Settled):
                dealt = False


def _unanswered(players: Players, kills: Sequence[float]) -> Iterator[tuple[str, int]]:
    """Requests that were asked before a kill and answered after it, with the kill's number."""
    for request, one in players.heard.items():
        cuts = [number for number, at in enumerate(kills) if one.asked < at < one.at]
        yield from ((request, number) for number in cuts[:1])


def _stood(ledger: Ledger, players: Players, kills: Sequence[float]) -> Iterator[bool]:
    """Whether each of these was written by the process that died with its answer."""
    for request, number in _unanswered(players, kills):
        entry = ledger.entry_of_request(request)
        told = players.heard[request].answer
        yield entry is not None and isinstance(told, Accepted) and entry.epoch < FIRST + number
