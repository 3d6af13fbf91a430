"""One short round for every sheet and every way a round can end."""

from __future__ import annotations

from collections.abc import Callable

from tests.transcripts import any_game

import pitbook
from pitbook.cards import Card, card, cards
from pitbook.money import dollars
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
    Settle,
    Turn,
    VoidHand,
    Wager,
    Warn,
)
from pitbook.rules.families.street_stud.sheet import StreetStud
from pitbook.rules.refusals import Refusal
from pitbook.rules.round import Round
from pitbook.rules.step import step
from pitbook.sheets.model import Sheet

PLAYERS = {1: "ann", 2: "bob", 5: "cyd"}


class Script:
    """A round played action by action; a refusal is an error in the script."""

    def __init__(self, sheet: Sheet) -> None:
        self.sheet = sheet
        self.stud = isinstance(sheet, StreetStud)
        self.opened = self.round = pitbook.open(sheet)
        self.actions: list[Action] = []

    def do(self, *actions: Action) -> None:
        for action in actions:
            after = step(self.round, action)
            assert not isinstance(after, Refusal), (action, after)
            self.round = after
            self.actions.append(action)

    def bet(self, *seats: int, stake: str = "", sides: bool = True) -> None:
        """Seats bet the minimum or `stake`, with every side wager at its minimum; then the deal."""
        main, rule = self.round.game.main
        for seat in seats:
            amount = dollars(stake) if stake else rule.min
            self.do(Wager(seat, PLAYERS[seat], main, amount))
            for wager, side in self.sheet.side.items():
                if sides or side.stake.required:
                    self.do(Wager(seat, PLAYERS[seat], wager, side.stake.min))
        self.do(Close())
        while self.round.to_deal:
            self.do(Deal(self.round.to_deal[0]))

    def look(self, **hands: str) -> None:
        for seat, text in hands.items():
            self.do(*(Turn(int(seat[1:]), turned_card) for turned_card in cards(text)))

    def play(self, board: str, **plays: str) -> None:
        """Every stage: each seat's play in turn, then the cards that are due."""
        left = list(cards(board))
        queues = {int(seat[1:]): text.split() for seat, text in plays.items()}
        while self.round.phase == "play":
            for seat in self.round.waiting:
                if not queues[seat]:
                    return
                self.do(Decide(seat, queues[seat].pop(0)))
            self.turn_due(left)

    def turn_due(self, left: list[Card]) -> None:
        while self.round.phase == "play" and not self.round.waiting:
            self.do(Turn(BOARD, left.pop(0)))

    def settle(self) -> None:
        while self.round.phase == "settle":
            self.do(Settle())


def paid_round(script: Script) -> None:
    script.bet(1, 2, 5)
    if script.stud:
        script.look(s1="Jd Jh", s2="7c 2d", s5="As Ks")
        script.play("Qs Js Ts", s1="3x 3x 3x", s2="1x 1x 1x", s5="1x 3x 3x")
    else:
        script.look(s1="Kc Qd 2h", s2="9s 9s 9s", s5="8d 8h 4c")
        script.play("2c 7d 9h Th Ah", s1="low+double", s2="high+double", s5="high")
    script.settle()


def folded_round(script: Script) -> None:
    script.bet(1, 2, sides=False)
    script.look(s1="7c 2d", s2="8h 3d")
    script.play("Qs Qd 4c", s1="fold", s2="1x fold")
    script.settle()


def folded_with_side_wagers(script: Script) -> None:
    script.bet(1, 2)
    script.look(s1="7c 2d", s2="8h 3d")
    script.play("Qs Qd 4c", s1="fold", s2="1x fold")
    script.settle()


def capped_round(script: Script) -> None:
    if script.stud:
        script.bet(1, 5, stake=str(script.round.game.main[1].max // 100))
        script.look(s1="As Ks", s5="9s 8s")
        script.play("Qs Js Ts", s1="3x 3x 3x", s5="3x 3x 3x")
    else:
        seats = {1: "ann", 2: "bob", 5: "cyd"}
        for seat, player in seats.items():
            script.do(Wager(seat, player, "bet", dollars("5")))
            script.do(Wager(seat, player, "matchem-bonus", dollars("100")))
            script.do(Wager(seat, player, "poker-bonus", dollars("100")))
        script.do(Close())
        while script.round.to_deal:
            script.do(Deal(script.round.to_deal[0]))
        script.look(s1="Ks Ks Ks", s2="Kh Kh Kh", s5="Kd Kd Kd")
        script.play("Kc Kc Kc Kc Kc", s1="low", s2="low", s5="high")
    script.settle()


def misdeal(script: Script) -> None:
    _begin(script)
    script.do(Misdeal("seat 2 has one card too many", card_count=True))


def misdeal_too_late(script: Script) -> None:
    paid_round(script)
    script.do(Misdeal("a card lies under the rack"))


def information(script: Script) -> None:
    _begin(script)
    script.do(VoidHand(2, "information"))
    _finish(script)


def supervisor(script: Script) -> None:
    _begin(script)
    if script.sheet.irregularities.cards_off_table is not None:
        script.do(Warn(2, "cards off the table"))
    script.do(VoidHand(2, "supervisor"))
    _finish(script)


def absent(script: Script) -> None:
    _begin(script)
    script.do(Absent(2))
    _finish(script)


def early_card(script: Script) -> None:
    _begin(script)
    script.do(Expose(BOARD, card("4c")))


def exposed_card(script: Script) -> None:
    script.bet(1, 2)
    script.do(Expose(1, card("Jd")))
    rest = "Jh" if script.stud else "Jh 2s"
    script.look(s1=rest, s2="7c 2d" if script.stud else "7c 2d 4s")
    _finish(script)


def fouled_deck(script: Script) -> None:
    _begin(script)
    script.do(Fouled(card("Jd")))


def interrupted_round(script: Script) -> None:
    _begin(script)
    script.do(Interrupted(agreed=False))
    if script.round.phase != "over":
        _finish(script)


def interrupted_and_finished(script: Script) -> None:
    _begin(script)
    script.do(Interrupted(agreed=True))
    _finish(script)


def _begin(script: Script) -> None:
    script.bet(1, 2)
    if script.stud:
        script.look(s1="Jd Jh", s2="7c 2d")
    else:
        script.look(s1="Jd Jh 2s", s2="7c 2d 4s")


def _finish(script: Script) -> None:
    if script.stud:
        script.play("Qs Qd 4c", s1="3x 1x 1x", s2="1x 1x 1x")
    else:
        script.play("2c 7d 9h Th Ah", s1="low", s2="high")
    script.settle()


ENDINGS: dict[str, Callable[[Script], None]] = {
    "paid": paid_round,
    "folded": folded_round,
    "folded-with-side-wagers": folded_with_side_wagers,
    "capped": capped_round,
    "misdeal": misdeal,
    "misdeal-too-late": misdeal_too_late,
    "information": information,
    "supervisor": supervisor,
    "absent": absent,
    "early-card": early_card,
    "exposed-card": exposed_card,
    "fouled-deck": fouled_deck,
    "interrupted": interrupted_round,
    "interrupted-and-finished": interrupted_and_finished,
}


def is_scripted(sheet: Sheet) -> bool:
    """Whether this file has its own scripts for the sheet."""
    return sheet.id.partition("/")[0] in ("catfish-bend", "oceanfront", "louisiana-stud")


def endings(sheet: Sheet) -> tuple[str, ...]:
    """The endings that a round of this sheet can have."""
    if not is_scripted(sheet):
        return any_game.endings(sheet)
    impossible = set()
    if not isinstance(sheet, StreetStud):
        impossible |= {"folded", "folded-with-side-wagers"}
    if not sheet.side:
        impossible |= {"folded-with-side-wagers"}
    if not sheet.limits:
        impossible |= {"capped"}
    if sheet.irregularities.information is None:
        impossible |= {"information"}
    if sheet.irregularities.interruption.value == "resume":
        impossible |= {"interrupted-and-finished"}
    return tuple(ending for ending in ENDINGS if ending not in impossible)


def play_ending(sheet: Sheet, ending: str) -> tuple[Round, list[Action]]:
    """The opened round and its actions."""
    if not is_scripted(sheet):
        other = any_game.Script(sheet)
        any_game.ENDINGS[ending](other)
        return other.opened, other.actions
    script = Script(sheet)
    ENDINGS[ending](script)
    return script.opened, script.actions
