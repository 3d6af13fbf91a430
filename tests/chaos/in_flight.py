"""What was in progress at a kill: rounds on the tables, and requests without an answer."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import NamedTuple

from tests.chaos.live_tables import SHEETS
from tests.chaos.server_play import Players

from pitbook.house.client import Accepted
from pitbook.house.ledger.hash_chain import Entry
from pitbook.house.ledger.ledger import Ledger
from pitbook.house.table.facts import FACTS, Acted, RoundOpened, Settled
from pitbook.rules.actions import Deal

FIRST = 3  # The claim after the first kill: furnish, open and take over come before it.


class InFlight(NamedTuple):
    """Counts over several kills."""

    kills: int = 0  # Kills during which cards were on a table.
    rounds: int = 0  # Rounds that were interrupted.
    settled: int = 0  # Rounds played to the end, interrupted or not.
    unanswered: int = 0  # Requests that were sent but whose answer was lost in a kill.
    recorded: int = 0  # The unanswered requests that were recorded nevertheless.

    def __add__(self, other: tuple[int, ...]) -> InFlight:  # type: ignore[override]
        return InFlight(
            *(count + other_count for count, other_count in zip(self, other, strict=True))
        )

    def __str__(self) -> str:
        return (
            f"{self.kills} of the kills cut {self.rounds} rounds, {self.settled} rounds were "
            f"settled; {self.unanswered} requests lost their answer, {self.recorded} of them stood"
        )


def in_flight(ledger: Ledger, players: Players, kills: Sequence[float]) -> InFlight:
    """What the kills of one house interrupted, according to its ledger and players."""
    cuts_by_table: list[set[int]] = []
    settled = 0
    for table in SHEETS:
        entries = list(ledger.entries(f"table/{table}"))
        cuts_by_table.append(set(_interrupting_claims(entries)))
        settled += sum(len(FACTS.load_kind(entry, Settled)) for entry in entries)
    claims = range(FIRST, FIRST + len(kills))
    return InFlight(
        kills=len(set().union(*cuts_by_table).intersection(claims)),
        rounds=sum(len(table_cuts.intersection(claims)) for table_cuts in cuts_by_table),
        settled=settled,
        unanswered=sum(1 for _ in _unanswered_requests(players, kills)),
        recorded=sum(_recorded_by_the_killed(ledger, players, kills)),
    )


def _interrupting_claims(entries: Iterable[Entry]) -> Iterator[int]:
    """The claims that found cards dealt under an earlier claim."""
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


def _unanswered_requests(players: Players, kills: Sequence[float]) -> Iterator[tuple[str, int]]:
    """Requests sent before a kill and answered after it, with the kill's number."""
    for request, heard in players.heard.items():
        kill_numbers = [
            number for number, at in enumerate(kills) if heard.asked_at < at < heard.answered_at
        ]
        yield from ((request, number) for number in kill_numbers[:1])


def _recorded_by_the_killed(
    ledger: Ledger, players: Players, kills: Sequence[float]
) -> Iterator[bool]:
    """For each unanswered request, whether the killed process had recorded it."""
    for request, number in _unanswered_requests(players, kills):
        entry = ledger.entry_of_request(request)
        answer = players.heard[request].answer
        yield entry is not None and isinstance(answer, Accepted) and entry.epoch < FIRST + number
