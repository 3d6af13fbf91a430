"""Observable behavior of a house without its prose, and whether two houses differ in it."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from typing import Any

from tests.clauses.one_line_rounds import cents, load, play_round, seat
from tests.exact.figures_json import math_document
from tests.house.table.kit import DEALER, SUPERVISOR, Live, top

from pitbook.cards import card
from pitbook.errors import RoundError
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
from pitbook.rules.result_json import report
from pitbook.sheets.model import Sheet

Observations = list[Any]
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


# The scene most likely to show a choice, tried first because all scenes take long.
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
    "misdeal_over_offence": ("offense, then misdeal",),
    "per_player": ("spots",),
    "several_lines": ("settled",),
    "share_ties": ("shared",),
    "stake_counted": ("settled",),
    "ties": ("figures",),
    "whose": ("gave", "took"),
    "within_max": ("at most",),
}


def difference(first: Sheet, second: Sheet, path: str = "") -> str | None:
    """A scene in which two houses differ; None if there is none."""
    likely = LIKELY.get(path.rpartition(".")[2], ())
    for scene in sorted(SCENES, key=lambda name: name not in likely):
        observe = SCENES[scene]
        before = _observe_bundled(scene, first.id) if first is load(first.id) else observe(first)
        if before != observe(second):
            return scene
    return None


@cache
def _observe_bundled(scene: str, name: str) -> Observations:
    return SCENES[scene](load(name))


def strip_prose(document: Any) -> Any:
    """A document without its prose; refusals are reduced to their clause."""
    if isinstance(document, dict):
        return {key: strip_prose(value) for key, value in document.items() if key not in PROSE}
    return (
        [strip_prose(element) for element in document]
        if isinstance(document, list | tuple)
        else document
    )


class WatchedTable:
    """A live table observed by every viewer after each step."""

    def __init__(self, sheet: Sheet, cards: str = "", kind: str = "house") -> None:
        self.live = Live(sheet, kind)
        self.live.env.top = top(cards)
        self.observations: Observations = []
        self.main = self.state.game.main[0]

    @property
    def state(self) -> TableState:
        return self.live.state

    def ask(self, by: By | str, *commands: Command) -> WatchedTable:
        for command in commands:
            answer = self.live.ask(by, command)
            if isinstance(answer, Refusal):
                self.observations.append((answer.code, answer.clause))
            else:
                self.live.take(answer)
                self.look()
        return self

    def look(self) -> None:
        wallet = self.live.env.wallet
        self.observations += [
            strip_prose(table_view(self.state, viewer, wallet)) for viewer in VIEWERS
        ]

    def seat_players(
        self, *players: str, amount: int | None = None, sides: bool = False
    ) -> WatchedTable:
        """Seat these players with their wagers at seats 1, 2, ...; the cards are dealt."""
        sheet = self.state.game.sheet
        for number, player in enumerate(players, start=1):
            if not self.live.env.wallet(player):
                self.live.buy_in(player, "100000")
            self.ask(player, Sit(number), PutWager(number, self.main, stake(sheet, amount)))
            for wager, side in sheet.side.items():
                if sides or side.stake.required:
                    self.ask(player, PutWager(number, wager, side.stake.min))
        return self.ask(DEALER, CloseBetting())

    def play(self, seat: int, index: int) -> WatchedTable:
        """The play at an index of the sheet's plays at this stage."""
        if self.state.round is None or seat not in self.state.round.waiting:
            return self
        plays = self.state.game.plays(self.state.round.stage)
        return self.ask(self.state.seats[seat], Decide(seat, plays[index]))

    def finish(self) -> WatchedTable:
        for _ in range(24):
            if self.state.round is None or not self.state.round.waiting:
                break
            self.play(self.state.round.waiting[0], 1)
        return self


def stake(sheet: Sheet, amount: int | None) -> Cents:
    rule = sheet.main_wager
    return rule.max if amount == -1 else rule.min if amount is None else cents(amount)


def _scene_spots(sheet: Sheet) -> Observations:
    """Ann asks for several seats, the last one first."""
    table = WatchedTable(sheet)
    table.live.buy_in("ann", "1000")
    for number in (1, sheet.seats.count, 2, 3):
        table.ask("ann", Sit(number), PutWager(number, table.main, sheet.main_wager.min))
    table.ask(DEALER, CloseBetting())
    return table.observations


def _scene_two_hands(sheet: Sheet) -> Observations:
    """Ann plays two adjacent seats if she may, the second first."""
    table = WatchedTable(sheet)
    table.live.buy_in("ann", "1000")
    for number in (1, 2):
        table.ask("ann", Sit(number), PutWager(number, table.main, sheet.main_wager.min))
    table.ask(DEALER, CloseBetting()).play(2, 1).play(1, 1).play(2, 1)
    return table.observations


def _scene_folded(sheet: Sheet) -> Observations:
    """Bob folds with every side wager placed; Ann plays on to the end."""
    table = WatchedTable(sheet).seat_players("ann", "bob", sides=True)
    return table.play(2, 0).finish().observations


def _scene_all_fold(sheet: Sheet) -> Observations:
    return WatchedTable(sheet).seat_players("ann", "bob").play(1, 0).play(2, 0).observations


def _scene_absent(sheet: Sheet) -> Observations:
    """The clock runs out for a hand of 13 points and one of 14."""
    observations: Observations = []
    for cards in ("6c 7d Kh", "6c 8d Kh"):
        table = WatchedTable(sheet, cards).seat_players("ann")
        table.live.later(60)
        observations += table.ask(CLOCK, Tick()).observations
    return observations


def _scene_shuffler(sheet: Sheet) -> Observations:
    return WatchedTable(sheet).ask(DEALER, ShufflerFailed()).seat_players("ann").observations


def _scene_two_rounds(sheet: Sheet) -> Observations:
    table = WatchedTable(sheet)
    for _ in range(2):
        table.seat_players("ann").finish()
    return table.observations


def _scene_at_most(sheet: Sheet) -> Observations:
    """The largest wager, and everything that can be added to it."""
    table = WatchedTable(sheet).seat_players("ann", amount=-1)
    return table.play(1, -1).observations


def _scene_cut_short(sheet: Sheet) -> Observations:
    table = WatchedTable(sheet).seat_players("ann", "bob")
    return table.ask(SUPERVISOR, Interrupt("dark")).ask("bob", Agree(2, finish=False)).observations


def _scene_exposed(sheet: Sheet) -> Observations:
    """When a person deals, a hand may be exposed before its owner sees it."""
    table = WatchedTable(sheet, kind="typed").seat_players("ann", "bob")
    return table.ask(DEALER, ExposeCard(1, card("As"))).observations


def _scene_of(*commands: Command) -> Callable[[Sheet], Observations]:
    def scene(sheet: Sheet) -> Observations:
        table = WatchedTable(sheet).seat_players("ann", "bob")
        return table.ask(SUPERVISOR, *commands).finish().observations

    return scene


# Rounds with known cards: a wheel, a straight flush, ties, caps that end in a cent.
BOARDS = {
    "street-stud": ("3h 4s 5c", "Qs Js Ts", "2h 4s Tc"),
    "hi-lo": ("2c 2d 3h Jc Kd", "Ac Ad Kh Qs 9c", "4c 5d 6h 9s Tc"),
}
HANDS = {
    "street-stud": ("Ac 2d", "As Ks", "Jc Jd", "9s 8s"),
    "hi-lo": ("Ac 2d 3h", "2s 3s 4s", "5c 5d 5h", "9c 9c 9c", "Kc 4d 5h", "2s 2s 9s"),
}


def _scene_settled(sheet: Sheet) -> Observations:
    """Every hand against every board, at minimum and maximum stakes."""
    observations: Observations = []
    for on_board in BOARDS[sheet.family]:
        for hand in HANDS[sheet.family]:
            for use_max in (False, True):
                observations.append(_observe_round(sheet, on_board, (hand,), use_max=use_max))
    return observations


def _scene_shared(sheet: Sheet) -> Observations:
    """Three hands with the same payout due."""
    if sheet.family == "hi-lo":
        return [_observe_round(sheet, "2d 2h 2s 3c 3h", ("2s 2c 3d",) * 3, use_max=True)]
    return [_observe_round(sheet, "Js Jd 4h", ("2c 3c", "2d 3d", "2h 3h"), use_max=True)]


def _observe_round(sheet: Sheet, on_board: str, hands: tuple[str, ...], *, use_max: bool) -> Any:
    def amount(rule: Any) -> str:
        return str((rule.max if use_max else rule.min) // 100)

    wagers = {"bet" if sheet.family == "hi-lo" else "ante": amount(sheet.main_wager)}
    wagers |= {wager: amount(side.stake) for wager, side in sheet.side.items()}
    plays = ("low", "high") if sheet.family == "hi-lo" else ("1x 1x 1x",)
    reports = []
    for play in plays:
        seats = [
            seat(number, hand, play) | {"wagers": wagers} for number, hand in enumerate(hands, 1)
        ]
        try:
            reports.append(strip_prose(report(play_round(sheet, on_board, *seats))))
        except RoundError as error:
            reports.append(type(error).__name__)
    return reports


def _scene_figures(sheet: Sheet) -> Observations:
    figures = math_document(sheet)
    del figures["assumptions"]["ties"]  # Repeats the choice itself.
    return [strip_prose(figures)]


SCENES: dict[str, Callable[[Sheet], Observations]] = {
    "spots": _scene_spots,
    "two hands": _scene_two_hands,
    "folded": _scene_folded,
    "all fold": _scene_all_fold,
    "absent": _scene_absent,
    "shuffler": _scene_shuffler,
    "two rounds": _scene_two_rounds,
    "at most": _scene_at_most,
    "cut short": _scene_cut_short,
    "early card": _scene_of(ExposeCard(BOARD)),
    "exposed": _scene_exposed,
    "off the table": _scene_of(Warn(1, "a telephone")),
    "gave": _scene_of(VoidHand(1, "information", part="gave")),
    "took": _scene_of(VoidHand(1, "information", part="took")),
    "offense, then misdeal": _scene_of(
        VoidHand(1, "information", part="gave"), Misdeal("boxed card")
    ),
    "settled": _scene_settled,
    "shared": _scene_shared,
    "figures": _scene_figures,
}
