"""The same endings for a game of any structure: cards in a fixed order, plays chosen by
their bets.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from random import Random

import pitbook
from pitbook.cards import DECK, Card
from pitbook.rules.actions import (
    BOARD,
    Absent,
    Action,
    Close,
    Deal,
    Decide,
    Expose,
    Fouled,
    Interrupted,
    Misdeal,
    Play,
    Settle,
    Turn,
    VoidHand,
    Wager,
    Warn,
)
from pitbook.rules.refusals import Refusal
from pitbook.rules.round import Round
from pitbook.rules.round_progress import next_turn
from pitbook.rules.step import step
from pitbook.sheets.model import Sheet

PLAYERS = {1: "ann", 2: "bob", 5: "cyd"}
Choose = Callable[[tuple[Play, ...]], Play]


class Script:
    """A round played action by action; a refusal is an error in the script."""

    def __init__(self, sheet: Sheet) -> None:
        self.sheet = sheet
        self.opened = self.round = pitbook.open(sheet)
        self.actions: list[Action] = []
        self.shoe = list(DECK)
        Random(sheet.id).shuffle(self.shoe)  # One deck is enough for three seats.

    def do(self, *actions: Action) -> None:
        for action in actions:
            after = step(self.round, action)
            assert not isinstance(after, Refusal), (action, after)
            self.round = after
            self.actions.append(action)

    def bet(self, *seats: int, sides: bool = True) -> None:
        """Minimum wagers, then the deal, up to the first decision."""
        main, rule = self.round.game.main
        for seat in seats:
            self.do(Wager(seat, PLAYERS[seat], main, rule.min))
            for wager, side in self.sheet.side.items():
                if sides or side.stake.required:
                    self.do(Wager(seat, PLAYERS[seat], wager, side.stake.min))
        self.do(Close())
        self.on()

    def on(self) -> None:
        """Turn cards until a seat must decide or hands are paid."""
        while (action := self.due()) is not None:
            self.do(action)

    def due(self) -> Action | None:
        """The next card."""
        if self.round.phase == "deal":
            return Deal(self.round.to_deal[0])
        for seat in self.round.seats:
            if len(seat.cards) < seat.cards_dealt and seat.void is None:
                return Turn(seat.number, self.card())
        place = next_turn(self.round)
        return None if place is None else Turn(place, self.card())

    def card(self) -> Card:
        return self.shoe.pop()

    def play(self, choose: Mapping[int, Choose]) -> None:
        """Every decision, to the end of the round."""
        while self.round.phase != "over":
            for number in self.round.waiting:
                plays = self.round.game.plays(self.round.stage)
                may = tuple(
                    play_option
                    for play_option in plays
                    if isinstance(step(self.round, Decide(number, play_option)), Round)
                )
                self.do(Decide(number, choose[number](may)))
            self.on()
            if self.round.phase == "settle":
                self.do(Settle())


def most(plays: tuple[Play, ...]) -> Play:
    """The play that bets the most."""
    return max(plays, key=lambda play: (not play.folds, play.times, not play.takes))


def least(plays: tuple[Play, ...]) -> Play:
    """The cheapest play that stays in."""
    return min(plays, key=lambda play: (play.folds, play.times, not play.takes))


def gives_up(plays: tuple[Play, ...]) -> Play:
    """A fold, if the game has one."""
    return next((play for play in plays if play.folds), least(plays))


PLAYED = {1: most, 2: least, 5: most}


def paid_round(script: Script) -> None:
    script.bet(1, 2, 5)
    script.play(PLAYED)


def folded_round(script: Script, *, sides: bool = False) -> None:
    script.bet(1, 2, sides=sides)
    script.play({1: gives_up, 2: gives_up})


def folded_with_side_wagers(script: Script) -> None:
    folded_round(script, sides=True)


def misdeal(script: Script) -> None:
    script.bet(1, 2)
    script.do(Misdeal("seat 2 has one card too many", card_count=True))


def misdeal_too_late(script: Script) -> None:
    paid_round(script)
    script.do(Misdeal("a card lies under the rack"))


def supervisor(script: Script) -> None:
    script.bet(1, 2)
    if script.sheet.irregularities.cards_off_table is not None:
        script.do(Warn(2, "cards off the table"))
    script.do(VoidHand(2, "supervisor"))
    script.on()
    script.play(PLAYED)


def absent(script: Script) -> None:
    script.bet(1, 2)
    if script.round.waiting:
        script.do(Absent(script.round.waiting[-1]))
    script.on()
    script.play(PLAYED)


def early_card(script: Script) -> None:
    script.bet(1, 2)
    script.do(Expose(BOARD, script.card()))


def exposed_card(script: Script) -> None:
    for seat in (1, 2):
        script.do(
            Wager(seat, PLAYERS[seat], script.round.game.main[0], script.sheet.main_wager.min)
        )
    script.do(Close())
    while script.round.to_deal:
        script.do(Deal(script.round.to_deal[0]))
    script.do(Expose(1, script.card()))
    script.on()
    script.play(PLAYED)


def fouled_deck(script: Script) -> None:
    script.bet(1, 2)
    script.do(Fouled(script.shoe[-1]))


def interrupted_round(script: Script) -> None:
    script.bet(1, 2)
    script.do(Interrupted(agreed=False))
    script.play(PLAYED)


ENDINGS: dict[str, Callable[[Script], None]] = {
    "paid": paid_round,
    "folded": folded_round,
    "folded-with-side-wagers": folded_with_side_wagers,
    "misdeal": misdeal,
    "misdeal-too-late": misdeal_too_late,
    "supervisor": supervisor,
    "absent": absent,
    "early-card": early_card,
    "exposed-card": exposed_card,
    "fouled-deck": fouled_deck,
    "interrupted": interrupted_round,
}


def endings(sheet: Sheet) -> tuple[str, ...]:
    """The endings that a round of this sheet can have."""
    impossible = set()
    if not sheet.has_fold:
        impossible |= {"folded", "folded-with-side-wagers"}
    if not sheet.side:
        impossible |= {"folded-with-side-wagers"}
    script = Script(sheet)
    script.bet(1, 2)
    if isinstance(step(script.round, Expose(BOARD, script.shoe[-1])), Refusal):
        impossible |= {"early-card"}
    return tuple(ending for ending in ENDINGS if ending not in impossible)
