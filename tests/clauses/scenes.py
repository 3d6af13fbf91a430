"""What anybody can see of a house, without its prose, and whether two houses differ in it."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from typing import Any

from tests.clauses.table import cents, load, played, seat
from tests.house.table.kit import DEALER, SUPERVISOR, Live, top

from pitbook.cards import card
from pitbook.errors import RoundError
from pitbook.exact.sheet_figures import math_document
from pitbook.house.table.commands import (
    CLOCK,
    Agree,
    By,
    CloseBetting,
    Command,
    Decide,
    ExposeCard,
    Interrupt,
    Misdeal,
    PutWager,
    ShufflerFailed,
    Sit,
    Tick,
    VoidHand,
    Warn,
)
from pitbook.house.table.state import TableState
from pitbook.house.table.views import table_view
from pitbook.house.table.visibility import Viewer
from pitbook.money import Cents
from pitbook.rules.actions import BOARD
from pitbook.rules.refusals import Refusal
from pitbook.rules.report import report
from pitbook.sheets.model import Sheet

Seen = list[Any]
PROSE = (
    *("told", "title", "titles", "words", "outcome_title", "stage_title", "message", "notes"),
    *("hash", "sheet", "why", "rules"),
)
VIEWERS = (
    Viewer("ann", "player"),
    Viewer("bob", "player"),
    Viewer("eve", "spectator"),
    Viewer("sue", "supervisor"),
)


# Where a choice is most likely seen to act: looked at first, as all scenes together take long.
LIKELY = {
    "absent": ("absent",),
    "absent_high_at": ("absent",),
    "ace_in_straights": ("settled",),
    "adjacent": ("spots",),
    "board_when_all_fold": ("all fold",),
    "cards_off_table": ("off the table",),
    "early_card": ("early card",),
    "ends_meet": ("spots",),
    "equal_points": ("two hands", "absent"),
    "exposed_card": ("exposed",),
    "fallback": ("shuffler",),
    "fresh": ("two hands",),
    "interruption": ("cut short",),
    "misdeal_over_offence": ("offence, then misdeal",),
    "per_player": ("spots",),
    "several_lines": ("settled",),
    "share_ties": ("shared",),
    "stake_counted": ("settled",),
    "ties": ("figures",),
    "whose": ("gave", "took"),
    "within_max": ("at most",),
}


def difference(one: Sheet, other: Sheet, path: str = "") -> str | None:
    """A scene in which two houses are seen to differ; None where nobody can tell them apart."""
    likely = LIKELY.get(path.rpartition(".")[2], ())
    for scene in sorted(SCENES, key=lambda name: name not in likely):
        looked = SCENES[scene]
        before = _bundled(scene, one.id) if one is load(one.id) else looked(one)
        if before != looked(other):
            return scene
    return None


@cache
def _bundled(scene: str, name: str) -> Seen:
    return SCENES[scene](load(name))


def bare(document: Any) -> Any:
    """A document without its prose, and refusals by their clause."""
    if isinstance(document, dict):
        return {key: bare(value) for key, value in document.items() if key not in PROSE}
    return [bare(one) for one in document] if isinstance(document, list | tuple) else document


class Watched:
    """A live table whose every step is looked at from all sides."""

    def __init__(self, sheet: Sheet, cards: str = "", kind: str = "house") -> None:
        self.live = Live(sheet, kind)
        self.live.env.top = top(cards)
        self.seen: Seen = []
        self.main = self.state.game.main[0]

    @property
    def state(self) -> TableState:
        return self.live.state

    def ask(self, by: By | str, *commands: Command) -> Watched:
        for command in commands:
            answer = self.live.ask(by, command)
            if isinstance(answer, Refusal):
                self.seen.append((answer.code, answer.clause))
            else:
                self.live.take(answer)
                self.look()
        return self

    def look(self) -> None:
        wallet = self.live.env.wallet
        self.seen += [bare(table_view(self.state, one, wallet)) for one in VIEWERS]

    def seated(self, *players: str, amount: int | None = None, sides: bool = False) -> Watched:
        """These players at seats 1, 2, ... with their wagers; the cards are dealt."""
        sheet = self.state.game.sheet
        for number, player in enumerate(players, start=1):
            if not self.live.env.wallet(player):
                self.live.buy_in(player, "100000")
            self.ask(player, Sit(number), PutWager(number, self.main, stake(sheet, amount)))
            for wager, side in sheet.side.items():
                if sides or side.stake.required:
                    self.ask(player, PutWager(number, wager, side.stake.min))
        return self.ask(DEALER, CloseBetting())

    def play(self, seat: int, which: int) -> Watched:
        """The first, second, ... play that the sheet knows at this stage."""
        if self.state.round is None or seat not in self.state.round.waiting:
            return self
        plays = self.state.game.plays(self.state.round.stage)
        return self.ask(self.state.seats[seat], Decide(seat, plays[which]))

    def to_the_end(self) -> Watched:
        for _ in range(24):
            if self.state.round is None or not self.state.round.waiting:
                break
            self.play(self.state.round.waiting[0], 1)
        return self


def stake(sheet: Sheet, amount: int | None) -> Cents:
    rule = sheet.main_wager
    return rule.max if amount == -1 else rule.min if amount is None else cents(amount)


def _spots(sheet: Sheet) -> Seen:
    """Ann wants one seat after another, the last one first."""
    table = Watched(sheet)
    table.live.buy_in("ann", "1000")
    for number in (1, sheet.seats.count, 2, 3):
        table.ask("ann", Sit(number), PutWager(number, table.main, sheet.main_wager.min))
    table.ask(DEALER, CloseBetting())
    return table.seen


def _two_hands(sheet: Sheet) -> Seen:
    """Ann has two seats side by side, as far as she may; she plays the second first."""
    table = Watched(sheet)
    table.live.buy_in("ann", "1000")
    for number in (1, 2):
        table.ask("ann", Sit(number), PutWager(number, table.main, sheet.main_wager.min))
    table.ask(DEALER, CloseBetting()).play(2, 1).play(1, 1).play(2, 1)
    return table.seen


def _folded(sheet: Sheet) -> Seen:
    """Bob folds, with every side wager made, and Ann plays on to the end."""
    table = Watched(sheet).seated("ann", "bob", sides=True)
    return table.play(2, 0).to_the_end().seen


def _all_fold(sheet: Sheet) -> Seen:
    return Watched(sheet).seated("ann", "bob").play(1, 0).play(2, 0).seen


def _absent(sheet: Sheet) -> Seen:
    """The clock runs out, for a hand of 13 points and one of 14."""
    seen: Seen = []
    for cards in ("6c 7d Kh", "6c 8d Kh"):
        table = Watched(sheet, cards).seated("ann")
        table.live.later(60)
        seen += table.ask(CLOCK, Tick()).seen
    return seen


def _shuffler(sheet: Sheet) -> Seen:
    return Watched(sheet).ask(DEALER, ShufflerFailed()).seated("ann").seen


def _two_rounds(sheet: Sheet) -> Seen:
    table = Watched(sheet)
    for _ in range(2):
        table.seated("ann").to_the_end()
    return table.seen


def _at_most(sheet: Sheet) -> Seen:
    """The largest wager, and everything that can be put on top of it."""
    table = Watched(sheet).seated("ann", amount=-1)
    return table.play(1, -1).seen


def _cut_short(sheet: Sheet) -> Seen:
    table = Watched(sheet).seated("ann", "bob")
    return table.ask(SUPERVISOR, Interrupt("dark")).ask("bob", Agree(2, finish=False)).seen


def _exposed(sheet: Sheet) -> Seen:
    """Where a person deals, a hand may be shown before its owner has seen it."""
    table = Watched(sheet, kind="typed").seated("ann", "bob")
    return table.ask(DEALER, ExposeCard(1, card("As"))).seen


def _mishap(*commands: Command) -> Callable[[Sheet], Seen]:
    def looked(sheet: Sheet) -> Seen:
        table = Watched(sheet).seated("ann", "bob")
        return table.ask(SUPERVISOR, *commands).to_the_end().seen

    return looked


# Rounds with known cards: a wheel, a straight flush, ties, caps that end in a cent.
BOARDS = {
    "street-stud": ("3h 4s 5c", "Qs Js Ts", "2h 4s Tc"),
    "hi-lo": ("2c 2d 3h Jc Kd", "Ac Ad Kh Qs 9c", "4c 5d 6h 9s Tc"),
}
HANDS = {
    "street-stud": ("Ac 2d", "As Ks", "Jc Jd", "9s 8s"),
    "hi-lo": ("Ac 2d 3h", "2s 3s 4s", "5c 5d 5h", "9c 9c 9c", "Kc 4d 5h", "2s 2s 9s"),
}


def _settled(sheet: Sheet) -> Seen:
    """Every hand against every board, at small and at large stakes."""
    seen: Seen = []
    for on_board in BOARDS[sheet.family]:
        for held in HANDS[sheet.family]:
            for most in (False, True):
                seen.append(_played(sheet, on_board, (held,), most=most))
    return seen


def _shared(sheet: Sheet) -> Seen:
    """Three hands that are due the same."""
    if sheet.family == "hi-lo":
        return [_played(sheet, "2d 2h 2s 3c 3h", ("2s 2c 3d",) * 3, most=True)]
    return [_played(sheet, "Js Jd 4h", ("2c 3c", "2d 3d", "2h 3h"), most=True)]


def _played(sheet: Sheet, on_board: str, hands: tuple[str, ...], *, most: bool) -> Any:
    def amount(rule: Any) -> str:
        return str((rule.max if most else rule.min) // 100)

    wagers = {"bet" if sheet.family == "hi-lo" else "ante": amount(sheet.main_wager)}
    wagers |= {wager: amount(side.stake) for wager, side in sheet.side.items()}
    plays = ("low", "high") if sheet.family == "hi-lo" else ("1x 1x 1x",)
    found = []
    for play in plays:
        seats = [
            seat(number, held, play) | {"wagers": wagers} for number, held in enumerate(hands, 1)
        ]
        try:
            found.append(bare(report(played(sheet, on_board, *seats))))
        except RoundError as error:
            found.append(type(error).__name__)
    return found


def _sums(sheet: Sheet) -> Seen:
    figures = math_document(sheet)
    del figures["assumptions"]["ties"]  # A word for the choice itself.
    return [bare(figures)]


SCENES: dict[str, Callable[[Sheet], Seen]] = {
    "spots": _spots,
    "two hands": _two_hands,
    "folded": _folded,
    "all fold": _all_fold,
    "absent": _absent,
    "shuffler": _shuffler,
    "two rounds": _two_rounds,
    "at most": _at_most,
    "cut short": _cut_short,
    "early card": _mishap(ExposeCard(BOARD)),
    "exposed": _exposed,
    "off the table": _mishap(Warn(1, "a telephone")),
    "gave": _mishap(VoidHand(1, "information", part="gave")),
    "took": _mishap(VoidHand(1, "information", part="took")),
    "offence, then misdeal": _mishap(
        VoidHand(1, "information", part="gave"), Misdeal("boxed card")
    ),
    "settled": _settled,
    "shared": _shared,
    "figures": _sums,
}
