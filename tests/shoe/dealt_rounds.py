"""Rounds dealt from a shoe, as a table deals them."""

from __future__ import annotations

from collections import defaultdict
from typing import Any

from pitbook.cards import Card
from pitbook.rules.actions import BOARD, Action, Close, Deal, Decide, Settle, Turn, Wager
from pitbook.rules.round import Round, open_round
from pitbook.rules.step import step
from pitbook.rules.stored_rounds import store
from pitbook.sheets.model import Sheet
from pitbook.shoe.crypto import Vault
from pitbook.shoe.dealing import Dealing
from pitbook.shoe.stored_shoe import ShoeKind, ShoeRecord, dealing, new_shoe

VAULT = Vault(b"v" * 32)
SEATS = {1: "ann's own", 2: "7"}


class DealtRound:
    """A round in which every card comes from the shoe."""

    def __init__(self, sheet: Sheet, shoe: Dealing) -> None:
        self.round = open_round(sheet)
        self.actions: list[Action] = []
        self.shoe = shoe
        self.hidden: dict[int, list[Card]] = defaultdict(list)

    def do(self, action: Action) -> None:
        after = step(self.round, action)
        assert isinstance(after, Round), (action, after)
        self.round = after
        self.actions.append(action)

    def deal(self, seats: int) -> DealtRound:
        """Each seat bets the minimum, and every card is dealt."""
        main, rule = self.round.game.main
        for seat in range(1, seats + 1):
            self.do(Wager(seat, f"player {seat}", main, rule.min))
            for wager, side in self.round.game.sheet.side.items():
                if side.stake.required:
                    self.do(Wager(seat, f"player {seat}", wager, side.stake.min))
        self.do(Close())
        while self.round.to_deal:
            place = self.round.to_deal[0]
            self.hidden[place].append(self.shoe.draw())
            self.do(Deal(place))
        return self

    def turn(self, place: int) -> None:
        """Turn the next card of a place."""
        turned = self.round.board if place == BOARD else self._seat(place).cards
        self.do(Turn(place, self.hidden[place][len(turned)]))

    def play(self, *plays: str) -> DealtRound:
        """Each seat looks at its cards and repeats its one play; a seat that folds never looks."""
        for seat, play in enumerate(plays, start=1):
            while play != "fold" and len(self._seat(seat).cards) < self.round.game.hand_size:
                self.turn(seat)
        while self.round.phase == "play":
            for seat in self.round.waiting:
                self.do(Decide(seat, plays[seat - 1]))
            while self.board_is_due():
                self.turn(BOARD)
        while self.round.phase == "settle":
            self.do(Settle())
        return self

    def board_is_due(self) -> bool:
        return self.round.phase == "play" and not self.round.waiting

    @property
    def stored(self) -> dict[str, Any]:
        return store(self.round, self.actions)

    def _seat(self, number: int) -> Any:
        seat = self.round.seat(number)
        assert seat is not None
        return seat


def shoe_of(sheet: Sheet, kind: ShoeKind = "arranged", **options: Any) -> ShoeRecord:
    """A shoe dealt from its seed; an arranged one is shuffled unless cards are given."""
    if kind == "arranged":
        options.setdefault("first", (None,))
    return new_shoe(kind, id="table 4/19", decks=sheet.deck.decks, vault=VAULT, **options)


def deal_round(sheet: Sheet, record: ShoeRecord, *plays: str, drawn: int = 0) -> DealtRound:
    """A whole round from a shoe that has dealt this many cards before."""
    shoe = dealing(record, VAULT, SEATS).skip(drawn)
    return DealtRound(sheet, shoe).deal(len(plays)).play(*plays)
