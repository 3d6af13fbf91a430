"""Nights as lists of steps, one for each situation in which money could be lost."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Any, NamedTuple

from tests.house.nights.kit import EVENT, OMS, make_command
from tests.house.nights.tournament.step_lines import schedule

from pitbook.cards import cards
from pitbook.house.nights import commands as do
from pitbook.house.nights.tournament import commands as floor
from pitbook.house.table import commands as at
from pitbook.house.table.commands import By
from pitbook.house.table.stored_sheets import dump_sheet
from pitbook.money import Cents, dollars
from pitbook.rules.actions import BOARD

T, LIVE, STUD = f"{EVENT}.t1", f"{EVENT}.t1-1", "stud-1"
SUE, FOUR = By("sue", "supervisor"), ("ann", "bob", "cal", "dot")
AFTER = datetime(2026, 11, 22, 9, 1, tzinfo=UTC)  # A minute past four in the morning, over there.
# Chips for one hand of four bets: a player who loses it is eliminated.
SHORT = {"costs": "50", "chips": "100"}
PRIZES = [{"entrants": 2, "shares": [100]}, {"entrants": 4, "shares": [60, 30, 10]}]


class Clock(NamedTuple):
    """A new time."""

    now: datetime

    @property
    def asks(self) -> bool:
        """A clock change needs no answer."""
        return False


class Step(NamedTuple):
    """A command; at a table, with a player's seat, or refused under a clause."""

    what: Any
    table: str = ""
    player: str = ""
    by: By | None = None
    no: str | None = None

    @property
    def asks(self) -> bool:
        """Whether the floor asks players to finish a hand."""
        return isinstance(self.what, do.Interrupt | floor.Interrupt | at.Interrupt)


Script = tuple[Step | Clock, ...]
SETUP_STEPS = (do.Make, do.Open, do.BringFloat, do.Sell, do.AdmitTable, floor.SetUp, floor.Enter)
STARTING_STEPS = (floor.Announce, floor.DrawSeats, floor.Start, floor.StartClock, str)


def set_up(script: Script) -> int:
    """The number of steps before anything is at stake."""
    commands = enumerate(step.what for step in script if isinstance(step, Step))
    return next(at for at, what in commands if not isinstance(what, SETUP_STEPS + STARTING_STEPS))


def doors(*players: str) -> list[Step]:
    """An open night with a float and chips sold."""
    first = [make_command(), do.Open(), do.BringFloat(dollars("500"))]
    return [
        Step(command) for command in (*first, *(do.Sell(name, dollars("40")) for name in players))
    ]


def start_steps(*players: str, **changed: Any) -> list[Step]:
    """A tournament running at a live table."""
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


def pay_steps(*players: str) -> list[Step]:
    return [Step(floor.PayOut(T, name)) for name in players]


def cut(*players: str, finish: bool) -> list[Step]:
    """The floor interrupts the tournament, and players answer."""
    agree = [Step(at.Agree(0, finish=finish), LIVE, name) for name in players]
    return [Step(floor.Interrupt(T, "storm")), Step("look"), *agree, Step("look")]


def out(*players: str) -> list[Step]:
    return [Step(floor.Eliminate(T, (name,))) for name in players]


CLOSED = [Step(do.Close())]
FIVE = ("ann", "bob", "cal", "dot", "eli")


def places_script(*, finish: bool) -> Script:
    """OMS-15: third place is decided; two are left in a hand that is completed or dead."""
    two = ("ann", "bob")
    start = [*doors(), *start_steps(*FIVE, kind="multi-table", buy_in=SHORT)]
    start += [*out("eli", "dot", "cal"), *hand(*two), *street(*two)]
    answering = two if finish else two[:1]
    finish_steps = [*street(*two), *street(*two), Step("look")] if finish else []
    return (
        *start,
        *cut(*answering, finish=finish),
        *finish_steps,
        *pay_steps("cal", *two),
        *CLOSED,
    )


def stop_script(kind: str) -> Script:
    """A server stop; an interruption by mistake is undone and the hand resumes."""
    start = [*doors(), *start_steps(*FOUR, kind=kind), *hand(*FOUR), *street(*FOUR), *street("ann")]
    undo_steps = [Step(floor.Interrupt(T, "by mistake")), Step("undo"), Step("look")]
    # OMS-14: its hand is dead at once; both the end and the interruption are undone.
    if kind == "hourly":
        undo_steps = [*undo_steps[:2], *undo_steps[1:]]
        later = [Step(floor.CountChips(T, 1)), *hand(*FOUR), *street(*FOUR, play="fold")]
    else:
        later = [*street("bob", "cal", "dot"), *street(*FOUR)]
    later += [Step(floor.CountChips(T, 1)), *out("dot", "cal", "bob"), Step(floor.Finish(T))]
    return (*start, *undo_steps, *later, *pay_steps("ann", "bob", "cal"), *CLOSED)


def evening_cut() -> Script:
    """The whole night is interrupted during a tournament hand."""
    start = [*doors("ann"), *start_steps(*FOUR[:3], kind="hourly"), *hand(*FOUR[:3])]
    start += [*street("ann"), Step(do.Interrupt("storm")), Step("look")]
    return (*start, *pay_steps(*FOUR[:3]), *CLOSED)


def past_the_hour() -> Script:
    """OMS-17: nothing starts after the hour; dealt hands are finished."""
    start = [*doors(*FOUR[:3]), *typed_table("ann", "bob"), *start_steps(*FOUR[:2])]
    start += [*hand(*FOUR[:2]), *street("ann")]
    many = (do.Sell("ann", Cents(400)), do.Redeem("cal", Cents(400)), floor.BeginRound(T, 1))
    after = [Step(command, no="OMS-17") for command in many[:2]]
    after += [*street("bob"), *street(*FOUR[:2]), *street(*FOUR[:2])]
    after += [Step(floor.CountChips(T, 1)), Step(many[2], no="OMS-17")]
    after += [*decide_steps(2), *board(2), *settle_steps(2, "Qd 3c"), *settle_steps(1, "6d 6c")]
    ends = [*out("bob"), Step(floor.Finish(T)), *pay_steps("ann"), *CLOSED]
    return (*start, Clock(AFTER), *after, *ends, Step(many[0], no="OMS-17"))


def uncollected_script() -> Script:
    """A night closes with unclaimed money that is paid later, once."""
    start = [*doors("cal"), *start_steps("ann", "bob", "cal", "dot"), *out("dot", "cal", "bob")]
    ends = [
        Step(floor.Finish(T)),
        *pay_steps("bob"),
        Step(do.Redeem("cal", dollars("20"))),
        *CLOSED,
    ]
    late = Clock(datetime(2027, 1, 5, 12, tzinfo=UTC))
    pay = [Step(do.PayUnclaimed(name)) for name in ("ann", "cal")]
    return (*start, *ends, late, *pay, Step(do.PayUnclaimed("ann"), no=""))


def first_card_script(*, live: bool) -> Script:
    """OMS-13: refunds end with the first card, and no undo brings them back."""
    start = [*doors(), *start_steps(*FOUR, kind="multi-table")][: None if live else -1]
    start += [Step(floor.Refund(T, "dot")), Step(floor.Enter(T, "dot"))]
    three = FOUR[:3]
    # The floor began none.
    first_card_steps = hand(*three)[1:] if live else [Step(floor.BeginRound(T, 1))]
    refusals = [Step(floor.Refund(T, name), no="OMS-13") for name in FOUR]
    undo_steps = [*([] if live else [Step("undo")]), Step("undo", no="OMS-13")]
    ends = [Step(floor.Interrupt(T, "storm")), Step("look")]
    if live:
        ends += [Step(at.Agree(0, finish=False), LIVE, "ann"), Step("look")]
    return (
        *start,
        *first_card_steps,
        *refusals,
        *undo_steps,
        *refusals,
        *ends,
        *pay_steps(*FOUR),
        *CLOSED,
    )


def typed_table(*players: str) -> list[Step]:
    """A table dealt by a person; everybody has bet and the cards are face down."""
    steps = [Step(do.AdmitTable(STUD, dump_sheet(OMS)))]
    for seat, name in enumerate(players, start=1):
        steps.append(Step(at.Sit(seat, name), STUD))
        steps.append(Step(at.PutWager(seat, "ante", Cents(200)), STUD))
    return [*steps, Step(at.CloseBetting(), STUD)]


def decide_steps(seats: int) -> list[Step]:
    return [Step(at.Decide(seat, "1x"), STUD) for seat in range(1, seats + 1)]


def board(seats: int) -> list[Step]:
    """The three board cards, with a decision by everybody between them."""
    first, *rest = [Step(at.TypeCard(BOARD, card_text), STUD) for card_text in cards("Qs Jd 2h")]
    return [first, *(step for card_step in rest for step in (*decide_steps(seats), card_step))]


def settle_steps(seat: int, text: str) -> list[Step]:
    """Type and settle one hand before the next is opened."""
    return [
        *(Step(at.TypeCard(seat, card_text), STUD) for card_text in cards(text)),
        Step(at.Settle(), STUD),
    ]


def hand_by_hand_script(ends: list[Step]) -> Script:
    """GEN-6: seat 3 has won and seat 2 has lost before seat 1 is opened."""
    three = FOUR[:3]
    start = [*doors(*three), *typed_table(*three), *decide_steps(3), *board(3)]
    settlements = [*settle_steps(3, "Qd 3c"), *settle_steps(2, "4c 5d")]
    redemption = [Step(do.Redeem("cal", dollars("40")))]
    return (*start, *settlements, *ends, *redemption, *CLOSED)


DEAD = [Step(at.Interrupt("storm"), STUD, by=SUE), Step(at.Agree(1, finish=False), STUD, "ann")]
SCRIPTS: dict[str, Script] = {
    "places, completed": places_script(finish=True),
    "places, dead": places_script(finish=False),
    "stop, multi-table": stop_script("multi-table"),
    "stop, hourly": stop_script("hourly"),
    "the evening": evening_cut(),
    "past the hour": past_the_hour(),
    "uncollected": uncollected_script(),
    "first card, live": first_card_script(live=True),
    "first card, by hand": first_card_script(live=False),
    "hand by hand": hand_by_hand_script(settle_steps(1, "6d 6c")),
    "hand by hand, misdeal": hand_by_hand_script([Step(at.Misdeal("a boxed card"), STUD)]),
    "hand by hand, dead": hand_by_hand_script(DEAD),
}
