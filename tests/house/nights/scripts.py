"""Evenings as tables of steps, one for each kind of moment at which money could go astray."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Any, NamedTuple

from tests.house.nights.kit import EVENT, OMS, making
from tests.house.nights.tournament.evening import schedule

from pitbook.cards import cards
from pitbook.house.nights import commands as do
from pitbook.house.nights.tournament import commands as floor
from pitbook.house.table import commands as at
from pitbook.house.table.commands import By
from pitbook.house.table.state import dump_sheet
from pitbook.money import Cents, dollars
from pitbook.rules.actions import BOARD

T, LIVE, STUD = f"{EVENT}.t1", f"{EVENT}.t1-1", "stud-1"
SUE, FOUR = By("sue", "supervisor"), ("ann", "bob", "cal", "dot")
AFTER = datetime(2026, 11, 22, 9, 1, tzinfo=UTC)  # A minute past four in the morning, over there.
# Chips for one hand of four wagers: whoever loses it is out.
SHORT = {"costs": "50", "chips": "100"}
PRIZES = [{"entrants": 2, "shares": [100]}, {"entrants": 4, "shares": [60, 30, 10]}]


class Clock(NamedTuple):
    """It is later."""

    now: datetime

    @property
    def asks(self) -> bool:
        """Time alone asks nobody."""
        return False


class Step(NamedTuple):
    """What somebody asks for; at a table, of a player's seat, or refused under a clause."""

    what: Any
    table: str = ""
    player: str = ""
    by: By | None = None
    no: str | None = None

    @property
    def asks(self) -> bool:
        """Whether the floor asks players whether to finish a hand."""
        return isinstance(self.what, do.Interrupt | floor.Interrupt | at.Interrupt)


Script = tuple[Step | Clock, ...]
AT_THE_DOOR = (do.Make, do.Open, do.BringFloat, do.Sell, do.AdmitTable, floor.SetUp, floor.Enter)
BEGINNING = (floor.Announce, floor.DrawSeats, floor.Start, floor.StartClock, str)


def set_up(script: Script) -> int:
    """The steps before anything is at stake."""
    many = enumerate(one.what for one in script if isinstance(one, Step))
    return next(at for at, what in many if not isinstance(what, AT_THE_DOOR + BEGINNING))


def doors(*players: str) -> list[Step]:
    """An open night with a float, and chips sold."""
    first = [making(), do.Open(), do.BringFloat(dollars("500"))]
    return [Step(one) for one in (*first, *(do.Sell(name, dollars("40")) for name in players))]


def started(*players: str, **changed: Any) -> list[Step]:
    """A tournament under way at a live table."""
    plan = schedule(prizes=PRIZES, **changed)
    many: list[Any] = [floor.SetUp(T, plan), *(floor.Enter(T, name) for name in players)]
    many += [floor.Announce(T), floor.DrawSeats(T), floor.Start(T), floor.StartClock(T)]
    return [*map(Step, many), Step("lay out")]


def hand(*players: str, cards_out: bool = True) -> list[Step]:
    """A hand at the tournament's table, dealt to those who bet."""
    put = [Step(at.PutWager(0, "ante", Cents(2_500)), LIVE, name) for name in players]
    close = [Step(at.CloseBetting(), LIVE)] if cards_out else []
    return [Step(floor.BeginRound(T, 1)), *put, *close]


def street(*players: str, play: str = "1x") -> list[Step]:
    return [Step(at.Decide(0, play), LIVE, name) for name in players]


def paid(*players: str) -> list[Step]:
    return [Step(floor.PayOut(T, name)) for name in players]


def cut(*players: str, finish: bool) -> list[Step]:
    """The floor cuts the tournament short, and players answer."""
    agree = [Step(at.Agree(0, finish=finish), LIVE, name) for name in players]
    return [Step(floor.Interrupt(T, "storm")), Step("look"), *agree, Step("look")]


def out(*players: str) -> list[Step]:
    return [Step(floor.Eliminate(T, (name,))) for name in players]


CLOSED = [Step(do.Close())]
FIVE = ("ann", "bob", "cal", "dot", "eli")


def places(*, finish: bool) -> Script:
    """OMS-15: the third place was earned; two are left, in a hand that is completed or dead."""
    two = ("ann", "bob")
    begun = [*doors(), *started(*FIVE, kind="multi-table", buy_in=SHORT)]
    begun += [*out("eli", "dot", "cal"), *hand(*two), *street(*two)]
    asked = two if finish else two[:1]
    rest = [*street(*two), *street(*two), Step("look")] if finish else []
    return (*begun, *cut(*asked, finish=finish), *rest, *paid("cal", *two), *CLOSED)


def stopped(kind: str) -> Script:
    """A stop is a question; an interruption by mistake is undone, and the hand goes on."""
    begun = [*doors(), *started(*FOUR, kind=kind), *hand(*FOUR), *street(*FOUR), *street("ann")]
    undone = [Step(floor.Interrupt(T, "by mistake")), Step("undo"), Step("look")]
    if kind == "hourly":  # OMS-14: its hand is dead at once; the end and the cut are undone.
        undone = [*undone[:2], *undone[1:]]
        rest = [Step(floor.CountChips(T, 1)), *hand(*FOUR), *street(*FOUR, play="fold")]
    else:
        rest = [*street("bob", "cal", "dot"), *street(*FOUR)]
    rest += [Step(floor.CountChips(T, 1)), *out("dot", "cal", "bob"), Step(floor.Finish(T))]
    return (*begun, *undone, *rest, *paid("ann", "bob", "cal"), *CLOSED)


def evening_cut() -> Script:
    """The whole evening is interrupted: a hand of chance and a tournament of the clock."""
    begun = [*doors("ann"), *started(*FOUR[:3], kind="hourly"), *hand(*FOUR[:3])]
    begun += [*street("ann"), Step(do.Interrupt("storm")), Step("look")]
    return (*begun, *paid(*FOUR[:3]), *CLOSED)


def past_the_hour() -> Script:
    """OMS-17: nothing is begun after the hour; the hands that lie there are finished."""
    begun = [*doors(*FOUR[:3]), *typed("ann", "bob"), *started(*FOUR[:2])]
    begun += [*hand(*FOUR[:2]), *street("ann")]
    many = (do.Sell("ann", Cents(400)), do.Redeem("cal", Cents(400)), floor.BeginRound(T, 1))
    after = [Step(one, no="OMS-17") for one in many[:2]]
    after += [*street("bob"), *street(*FOUR[:2]), *street(*FOUR[:2])]
    after += [Step(floor.CountChips(T, 1)), Step(many[2], no="OMS-17")]
    after += [*decided(2), *board(2), *opened_up(2, "Qd 3c"), *opened_up(1, "6d 6c")]
    ends = [*out("bob"), Step(floor.Finish(T)), *paid("ann"), *CLOSED]
    return (*begun, Clock(AFTER), *after, *ends, Step(many[0], no="OMS-17"))


def uncollected() -> Script:
    """A night closes with money that nobody came for; it is paid later, once."""
    begun = [*doors("cal"), *started("ann", "bob", "cal", "dot"), *out("dot", "cal", "bob")]
    ends = [Step(floor.Finish(T)), *paid("bob"), Step(do.Redeem("cal", dollars("20"))), *CLOSED]
    late = Clock(datetime(2027, 1, 5, 12, tzinfo=UTC))
    pay = [Step(do.PayUnclaimed(name)) for name in ("ann", "cal")]
    return (*begun, *ends, late, *pay, Step(do.PayUnclaimed("ann"), no=""))


def first_card(*, live: bool) -> Script:
    """OMS-13: a refund until the first card, none after it, and no undo leads back."""
    begun = [*doors(), *started(*FOUR, kind="multi-table")][: None if live else -1]
    begun += [Step(floor.Refund(T, "dot")), Step(floor.Enter(T, "dot"))]
    three = FOUR[:3]
    card = hand(*three)[1:] if live else [Step(floor.BeginRound(T, 1))]  # The floor began none.
    no = [Step(floor.Refund(T, name), no="OMS-13") for name in FOUR]
    back = [*([] if live else [Step("undo")]), Step("undo", no="OMS-13")]
    ends = [Step(floor.Interrupt(T, "storm")), Step("look")]
    if live:
        ends += [Step(at.Agree(0, finish=False), LIVE, "ann"), Step("look")]
    return (*begun, *card, *no, *back, *no, *ends, *paid(*FOUR), *CLOSED)


def typed(*players: str) -> list[Step]:
    """A table where a person deals; everybody has bet, and the cards lie face down."""
    found = [Step(do.AdmitTable(STUD, dump_sheet(OMS)))]
    for seat, name in enumerate(players, start=1):
        found.append(Step(at.Sit(seat, name), STUD))
        found.append(Step(at.PutWager(seat, "ante", Cents(200)), STUD))
    return [*found, Step(at.CloseBetting(), STUD)]


def decided(seats: int) -> list[Step]:
    return [Step(at.Decide(seat, "1x"), STUD) for seat in range(1, seats + 1)]


def board(seats: int) -> list[Step]:
    """The three cards of the board; before the second and the third everybody stays."""
    first, *rest = [Step(at.TypeCard(BOARD, one), STUD) for one in cards("Qs Jd 2h")]
    return [first, *(step for one in rest for step in (*decided(seats), one))]


def opened_up(seat: int, text: str) -> list[Step]:
    """A hand is typed and paid before the next is opened."""
    return [*(Step(at.TypeCard(seat, one), STUD) for one in cards(text)), Step(at.Settle(), STUD)]


def hand_by_hand(ends: list[Step]) -> Script:
    """GEN-6: seat 3 has won and seat 2 has lost before seat 1 is opened."""
    three = FOUR[:3]
    begun = [*doors(*three), *typed(*three), *decided(3), *board(3)]
    settled = [*opened_up(3, "Qd 3c"), *opened_up(2, "4c 5d")]
    back = [Step(do.Redeem("cal", dollars("40")))]
    return (*begun, *settled, *ends, *back, *CLOSED)


DEAD = [Step(at.Interrupt("storm"), STUD, by=SUE), Step(at.Agree(1, finish=False), STUD, "ann")]
SCRIPTS: dict[str, Script] = {
    "places, completed": places(finish=True),
    "places, dead": places(finish=False),
    "stop, multi-table": stopped("multi-table"),
    "stop, hourly": stopped("hourly"),
    "the evening": evening_cut(),
    "past the hour": past_the_hour(),
    "uncollected": uncollected(),
    "first card, live": first_card(live=True),
    "first card, by hand": first_card(live=False),
    "hand by hand": hand_by_hand(opened_up(1, "6d 6c")),
    "hand by hand, misdeal": hand_by_hand([Step(at.Misdeal("a boxed card"), STUD)]),
    "hand by hand, dead": hand_by_hand(DEAD),
}
