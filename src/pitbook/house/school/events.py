"""Recorded events of drills, table tests and the daily deal."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from fractions import Fraction
from typing import NamedTuple, TypeAlias

from pitbook.drills.item import Question
from pitbook.house.ledger.codec import Codec, LeftOut
from pitbook.house.ledger.stream_kinds import moves_no_money, register

PUPIL = register("drills/", moves_no_money, module=__name__)  # A stream for each trainee.
EXAMS = register("table-tests", moves_no_money, module=__name__)  # All tests and results.
DRILLS: Codec[OfDrills] = Codec("somebody's drills")
TESTS: Codec[OfTests] = Codec("the table tests")


@DRILLS.fact("asked")
class ItemAsked(NamedTuple):
    """A question was put; whoever knows its kind and seed can put it again."""

    number: int
    sheet: str
    hash: str
    kind: str
    seed: str
    at: str
    seconds: int | None = None  # In which it is to be answered, where it is timed.


@DRILLS.fact("hinted")
class Hinted(NamedTuple):
    """A hint was shown."""

    number: int


@DRILLS.fact("answered")
class ItemAnswered(NamedTuple):
    """A question was answered, with the right answer of then."""

    number: int
    given: str
    wanted: str
    right: bool
    late: bool
    ms: int
    level: int
    about: str | None  # The fact that was asked for, where it was one to know by heart.
    at: str


class PaperItem(NamedTuple):
    """A question of a test that is being taken."""

    kind: str
    seed: str


@DRILLS.fact("began")
class Began(NamedTuple):
    """A test was begun: by which rules, with which questions, until when."""

    attempt: str
    test: str
    title: str
    hash: str
    rules: str
    items: tuple[PaperItem, ...]
    pass_mark: int
    minutes: int
    at: str
    until: str


@DRILLS.fact("test-answered")
class PaperGiven(NamedTuple):
    """A question of a test was answered; what is right is told at the end."""

    attempt: str
    position: int
    given: str
    ms: int
    at: str


@DRILLS.fact("ended")
class ExamEnded(NamedTuple):
    """A test is over; its result stands among the table tests."""

    attempt: str
    result: str
    passed: bool
    at: str


@TESTS.fact("composed")
class Composed(NamedTuple):
    """A supervisor has made a test of a sheet."""

    test: str
    title: str
    sheet: str
    kinds: tuple[str, ...]
    questions: int
    pass_mark: int  # Right answers of a hundred.
    minutes: int
    by: str
    at: str


@TESTS.fact("withdrawn")
class Withdrawn(NamedTuple):
    """A test is taken no more."""

    test: str
    by: str
    at: str


@TESTS.fact("rules")
class ExamRules(NamedTuple):
    """The rules that tests were taken by, once for each hash."""

    hash: str
    body: str


class AsPut(NamedTuple):
    """A question with all that lay on the felt, and both answers as they are written down."""

    question: Question
    wanted: str
    given: str | None  # None: it was never answered.


class ResultItem(NamedTuple):
    """A question of a test as it was put, what is right, what was answered, and in what time."""

    kind: str
    seed: str
    question: str
    wanted: str
    given: str
    right: bool
    ms: int
    put: LeftOut[AsPut | None] = None  # Older results have the words alone.


@TESTS.fact("result")
class ExamResult(NamedTuple):
    """A test that was taken, with every question; its id is the hash of all the rest."""

    id: str
    test: str
    title: str
    person: str
    sheet: str
    hash: str
    asked: int
    right: int
    pass_mark: int
    passed: bool
    minutes: int
    began: str
    ended: str
    items: tuple[ResultItem, ...]


OfDrills: TypeAlias = ItemAsked | Hinted | ItemAnswered | Began | PaperGiven | ExamEnded
OfTests: TypeAlias = Composed | Withdrawn | ExamRules | ExamResult


# The daily deal -----------------------------------------------------------------------------------


STREAM = register("daily/", moves_no_money, module=__name__)  # A stream for each day.
FORMAT = 2
FACTS: Codec[Fact] = Codec("the daily deal")


@FACTS.fact("daily-opened", in_format=FORMAT)
class Opened(NamedTuple):
    """The rules of the day, and its seed, sealed; what is told of it before is a hash."""

    day: str
    sheet: str  # As text: the order of a pay table is part of its hash.
    sealed: str
    commitment: str
    guests_apart: bool
    """Always true: each guest has hands of their own."""


@FACTS.fact("daily-played")
class Played(NamedTuple):
    """One decision: what was played, what was best, and what that gave away, in cents."""

    player: str
    hand: int
    play: str
    best: str
    cost: str
    at: str


Fact: TypeAlias = Opened | Played


class Day(NamedTuple):
    """A day's deal: as it was opened, and who has played what, in order."""

    opened: Opened | None = None
    played: Mapping[str, tuple[Played, ...]] = {}

    def of(self, names: Iterable[str]) -> tuple[Played, ...]:
        """What somebody has played, under whichever of their names came first."""
        tries = [self.played[name] for name in names if name in self.played]
        return min(tries, key=lambda one: one[0].at) if tries else ()


def evolve(day: Day, facts: Iterable[Fact]) -> Day:
    """The day after some facts."""
    opened, played = day.opened, dict(day.played)
    for fact in facts:
        if isinstance(fact, Opened):
            opened = opened or fact
        else:
            played[fact.player] = (*played.get(fact.player, ()), fact)
    return Day(opened, played)


def cost_of(plays: Iterable[Played]) -> Fraction:
    """What plays gave away together, in cents."""
    return sum((Fraction(one.cost) for one in plays), Fraction(0))
