"""A recorded table with real shoes, and its proofs."""

from __future__ import annotations

import json
from typing import Any, cast

from tests.house.table.kit import START, FakeLuck
from tests.house.table.recorded_table import OnRecord

from pitbook.cards import Card, name
from pitbook.house.table.environment import LiveEnv
from pitbook.house.table.round_records import find_round
from pitbook.house.table.round_replay import build_proof
from pitbook.house.table.visibility import Viewer
from pitbook.money import Cents
from pitbook.shoe.commitments import SaltedDeck
from pitbook.shoe.crypto import Vault
from pitbook.shoe.stored_shoe import ShoeRecord, deck

Json = dict[str, Any]
VAULT = Vault(bytes(range(32)))


class Proved(OnRecord):
    """A table with a real shoe, with single-card commitments."""

    def lucky(self, seed: int) -> FakeLuck:
        luck = LiveEnv(VAULT, wallet=self._wallet, now=lambda: START)
        return cast(FakeLuck, luck)

    def _wallet(self, player: str) -> Cents:
        return Cents(self.book.get(self.till.wallet(player), 0))

    @property
    def deck(self) -> SaltedDeck:
        """The current shoe's deck, as only the server knows it."""
        assert self.state.shoe is not None
        return deck(ShoeRecord.of(self.state.shoe), VAULT)

    def hand(self, seat: int) -> list[str]:
        """The cards at a seat, or the board at 0."""
        cards: tuple[Card, ...] = self.round.board
        if seat:
            played = self.round.seat(seat)
            assert played is not None
            cards = played.cards
        return [name(card) for card in cards]

    def proof(self, player: str | None, round: int | None = None) -> Json:
        """A player's proof of a round after JSON; None means the auditor."""
        number = self.state.number if round is None else round
        record = find_round(self.ledger, f"t1-{number:06d}")
        viewer = None if player is None else Viewer(player, "player")
        return cast(Json, json.loads(json.dumps(build_proof(record, VAULT, viewer))))
