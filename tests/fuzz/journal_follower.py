"""A table replayed from its journal, to check what anybody is shown."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any, NamedTuple, cast

from tests.house.table.kit import Live
from tests.house.table.visible_cards import visible_to

from pitbook.cards import Card
from pitbook.house.ledger.fact_codec import Fact
from pitbook.house.ledger.ledger import Ledger
from pitbook.house.table.apply_facts import apply
from pitbook.house.table.facts import FACTS, RoundOpened, SeatSeed, ShoeOpened, ShoeRevealed
from pitbook.house.table.state import TableState
from pitbook.house.table.visibility import Viewer
from pitbook.rules.round import Round

SHOES_MAX = 20
VERSIONS_MAX = 3_000  # Remembered versions; older ones are never shown.


@dataclass
class Shoe:
    """A shoe of the table: its record, its players, and the words they added to its seed."""

    record: dict[str, Any]
    players: set[str] = field(default_factory=set)
    words: dict[str, str] = field(default_factory=dict)
    ended: bool = False


class _VersionState(NamedTuple):
    """The table at one version, in the form that the visibility oracle needs."""

    state: TableState
    facts: tuple[Fact, ...]

    @property
    def round(self) -> Round:
        assert self.state.round is not None
        return self.state.round


class Shadow:
    """Every state of a table, and who was entitled to which cards."""

    def __init__(self, stream: str) -> None:
        self.stream, self.seq = stream, 0
        self.state = TableState()
        self.shoes: dict[str, Shoe] = {}
        self._facts: tuple[Fact, ...] = ()  # Of the round on the layout.
        self._versions: dict[int, _VersionState] = {}
        self._past_rounds: list[_VersionState] = []

    def catch_up(self, ledger: Ledger) -> None:
        """Read the journal up to now."""
        for entry in ledger.entries(self.stream, after=self.seq):
            for fact in FACTS.load_entry(entry):
                self._apply(fact)
            self.seq = entry.seq

    def may_see(self, viewer: Viewer, version: int | None = None) -> set[Card]:
        """The cards that a viewer may know at a version, or now."""
        wanted_version = self.state.version if version is None else version
        return _visible_cards(self._versions[wanted_version], viewer)

    def knows(self, version: int) -> bool:
        """Whether that version was read; finished practice has no records any more."""
        return version in self._versions

    def may_recall(self, viewer: Viewer) -> set[Card]:
        """The cards of all rounds that a viewer may know."""
        cards = self.may_see(viewer)
        for version_state in self._past_rounds:
            cards |= _visible_cards(version_state, viewer)
        return cards

    def finished_cards(self) -> set[Card]:
        """Every card of the finished rounds."""
        finished_versions = [
            version_state
            for version_state in (*self._past_rounds, _VersionState(self.state, self._facts))
            if _is_over(version_state)
        ]
        return {
            card
            for version_state in finished_versions
            for card in _round_cards(version_state.round)
        }

    def _apply(self, fact: Fact) -> None:
        if isinstance(fact, RoundOpened):
            if self.state.round is not None:
                self._past_rounds = [
                    *self._past_rounds[-50:],
                    _VersionState(self.state, self._facts),
                ]
            self._facts = ()
        self._note_shoe(fact)
        self.state = apply(self.state, fact)
        self._facts = (*self._facts, fact)
        self._versions[self.state.version] = _VersionState(self.state, self._facts)
        self._versions.pop(self.state.version - VERSIONS_MAX, None)
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


def _is_over(version_state: _VersionState) -> bool:
    return version_state.state.round is not None and not version_state.state.has_live_wagers


def _round_cards(round: Round) -> set[Card]:
    return {*round.board, *(card for seat in round.seats for card in seat.cards)}


def _visible_cards(version_state: _VersionState, viewer: Viewer) -> set[Card]:
    return (
        visible_to(cast(Live, version_state), viewer)
        if version_state.state.round is not None
        else set()
    )
