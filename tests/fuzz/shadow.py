"""A table followed through its journal, so that what anybody is told can be held against it."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any, NamedTuple, cast

from tests.house.table.kit import Live
from tests.house.table.watching import entitled

from pitbook.cards import Card
from pitbook.house.ledger.codec import Fact
from pitbook.house.ledger.journal import Ledger
from pitbook.house.table.facts import FACTS, RoundOpened, SeatSeed, ShoeOpened, ShoeRevealed
from pitbook.house.table.state import TableState, apply
from pitbook.house.table.visibility import Viewer
from pitbook.rules.round import Round

SHOES_MAX = 20
KEPT_MAX = 3_000  # Versions that are remembered; nobody is told of older ones.


@dataclass
class Shoe:
    """A shoe of the table: its record, its players, and what they have added to its seed."""

    record: dict[str, Any]
    players: set[str] = field(default_factory=set)
    words: dict[str, str] = field(default_factory=dict)
    ended: bool = False


class _Moment(NamedTuple):
    """The table at one version, as the oracle of the table's own tests wants it."""

    state: TableState
    facts: tuple[Fact, ...]

    @property
    def round(self) -> Round:
        assert self.state.round is not None
        return self.state.round


class Shadow:
    """Every state that a table was in, and who was entitled to which cards."""

    def __init__(self, stream: str) -> None:
        self.stream, self.seq = stream, 0
        self.state = TableState()
        self.shoes: dict[str, Shoe] = {}
        self._facts: tuple[Fact, ...] = ()  # Of the round on the layout.
        self._moments: dict[int, _Moment] = {}
        self._past: list[_Moment] = []

    def catch_up(self, ledger: Ledger) -> None:
        """Up to what is on record now."""
        for entry in ledger.entries(self.stream, after=self.seq):
            for fact in FACTS.load_entry(entry):
                self._take(fact)
            self.seq = entry.seq

    def may_see(self, viewer: Viewer, version: int | None = None) -> set[Card]:
        """The cards that a viewer may know at a version, or now."""
        wanted = self.state.version if version is None else version
        return _seen(self._moments[wanted], viewer)

    def knows(self, version: int) -> bool:
        """Whether that version was read; of practice that is over nothing is on record any more."""
        return version in self._moments

    def may_recall(self, viewer: Viewer) -> set[Card]:
        """The cards of all rounds that a viewer may know of."""
        found = self.may_see(viewer)
        for one in self._past:
            found |= _seen(one, viewer)
        return found

    def finished(self) -> set[Card]:
        """Every card that was named in a round that is over, to whomever."""
        over = [one for one in (*self._past, _Moment(self.state, self._facts)) if _is_over(one)]
        return {card for one in over for card in _named(one.round)}

    def _take(self, fact: Fact) -> None:
        if isinstance(fact, RoundOpened):
            if self.state.round is not None:
                self._past = [*self._past[-50:], _Moment(self.state, self._facts)]
            self._facts = ()
        self._note_shoe(fact)
        self.state = apply(self.state, fact)
        self._facts = (*self._facts, fact)
        self._moments[self.state.version] = _Moment(self.state, self._facts)
        self._moments.pop(self.state.version - KEPT_MAX, None)
        if self.state.shoe is not None:
            self.shoes[self.state.shoe["id"]].players |= set(self.state.shoe_players)

    def _note_shoe(self, fact: Fact) -> None:
        if isinstance(fact, ShoeOpened):
            self.shoes[fact.record["id"]] = Shoe(fact.record)
            if len(self.shoes) > SHOES_MAX:
                del self.shoes[next(iter(self.shoes))]
        elif isinstance(fact, ShoeRevealed):
            self.shoes[fact.id].ended = True
        elif isinstance(fact, SeatSeed):
            assert self.state.shoe is not None
            player = self.state.seats[fact.seat]
            self.shoes[self.state.shoe["id"]].words[player] = fact.text


def _is_over(moment: _Moment) -> bool:
    return moment.state.round is not None and not moment.state.live


def _named(round: Round) -> set[Card]:
    return {*round.board, *(card for seat in round.seats for card in seat.cards)}


def _seen(moment: _Moment, viewer: Viewer) -> set[Card]:
    return entitled(cast(Live, moment), viewer) if moment.state.round is not None else set()
