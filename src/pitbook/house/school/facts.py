"""Recorded events of drills, table tests and the daily deal."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from fractions import Fraction
from typing import Annotated, NamedTuple, TypeAlias

from pitbook.drills.question import Question
from pitbook.house.ledger.fact_codec import Codec, OmitDefault, StoredAs
from pitbook.house.ledger.stream_kinds import moves_no_money, register

PUPIL = register("drills/", moves_no_money, module=__name__)  # A stream for each trainee.
EXAMS = register("table-tests", moves_no_money, module=__name__)  # All tests and results.
DRILLS: Codec[OfDrills] = Codec("somebody's drills")
TESTS: Codec[OfTests] = Codec("the table tests")


@DRILLS.fact("asked")
class ItemAsked(NamedTuple):
    """A question was asked; its kind and seed reproduce it."""

    number: int
    sheet: str
    hash: str
    kind: str
    seed: str
    at: str
    seconds: int | None = None  # The time limit, if it is timed.


@DRILLS.fact("hinted")
class HintGiven(NamedTuple):
    """A hint was shown."""

    number: int


@DRILLS.fact("answered")
class ItemAnswered(NamedTuple):
    """A question was answered; includes the correct answer at that time."""

    number: int
    given: str
    wanted: str
    right: bool
    late: bool
    ms: int
    level: int
    about: str | None  # The fact that it asked for, if it was one to memorize.
    at: str


class ExamItem(NamedTuple):
    """A question of a test in progress."""

    kind: str
    seed: str


@DRILLS.fact("began")
class ExamBegan(NamedTuple):
    """A test began: its rules, its questions, and its deadline."""

    attempt: str
    test: str
    title: str
    hash: str
    rules: str
    items: tuple[ExamItem, ...]
    pass_mark: int
    minutes: int
    at: str
    until: str


@DRILLS.fact("test-answered")
class ExamAnswered(NamedTuple):
    """A question of a test was answered; correct answers are shown at the end."""

    attempt: str
    position: int
    given: str
    ms: int
    at: str


@DRILLS.fact("ended")
class ExamEnded(NamedTuple):
    """A test ended; its result is in the table-tests stream."""

    attempt: str
    result: str
    passed: bool
    at: str


@TESTS.fact("composed")
class ExamComposed(NamedTuple):
    """A supervisor composed a test of a sheet."""

    test: str
    title: str
    sheet: str
    kinds: tuple[str, ...]
    questions: int
    pass_mark: int  # Percentage of correct answers.
    minutes: int
    by: str
    at: str


@TESTS.fact("withdrawn")
class ExamWithdrawn(NamedTuple):
    """A test was withdrawn."""

    test: str
    by: str
    at: str


@TESTS.fact("rules")
class ExamRules(NamedTuple):
    """The rules of tests, recorded once per hash."""

    hash: str
    body: str


class RecordedQuestion(NamedTuple):
    """A question with its layout, and both answers as recorded."""

    question: Question
    wanted: str
    given: str | None  # None: it was never answered.


class ResultItem(NamedTuple):
    """A question of a test as asked, with the correct answer, the answer given, and the time."""

    kind: str
    seed: str
    question: str
    wanted: str
    given: str
    right: bool
    ms: int
    # Older results have only the texts.
    recorded: Annotated[OmitDefault[RecordedQuestion | None], StoredAs("put")] = None


@TESTS.fact("result")
class ExamResult(NamedTuple):
    """A completed test with every question; its id is the hash of its other fields."""

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


OfDrills: TypeAlias = ItemAsked | HintGiven | ItemAnswered | ExamBegan | ExamAnswered | ExamEnded
OfTests: TypeAlias = ExamComposed | ExamWithdrawn | ExamRules | ExamResult


# The daily deal -----------------------------------------------------------------------------------


STREAM = register("daily/", moves_no_money, module=__name__)  # A stream for each day.
FORMAT = 2
FACTS: Codec[Fact] = Codec("the daily deal")


@FACTS.fact("daily-opened", in_format=FORMAT)
class DayOpened(NamedTuple):
    """The rules of the day, and its sealed seed; only a hash is public until the day is over."""

    day: str
    sheet: str  # As text: the order of a pay table is part of its hash.
    sealed: str
    commitment: str
    guests_apart: bool
    """Always true: each guest has hands of their own."""


@FACTS.fact("daily-played")
class HandPlayed(NamedTuple):
    """A decision: the play, the best play, and the cost in cents."""

    player: str
    hand: int
    play: str
    best: str
    cost: str
    at: str


Fact: TypeAlias = DayOpened | HandPlayed


class Day(NamedTuple):
    """A day's deal: its opening, and each player's plays in order."""

    opened: DayOpened | None = None
    played: Mapping[str, tuple[HandPlayed, ...]] = {}

    def plays_of(self, names: Iterable[str]) -> tuple[HandPlayed, ...]:
        """A player's decisions, under whichever of their names began first."""
        tries = [self.played[name] for name in names if name in self.played]
        return min(tries, key=lambda plays: plays[0].at) if tries else ()


def evolve(day: Day, facts: Iterable[Fact]) -> Day:
    """The day after some facts."""
    opened, played = day.opened, dict(day.played)
    for fact in facts:
        if isinstance(fact, DayOpened):
            opened = opened or fact
        else:
            played[fact.player] = (*played.get(fact.player, ()), fact)
    return Day(opened, played)


def total_cost(plays: Iterable[HandPlayed]) -> Fraction:
    """The total cost of decisions, in cents."""
    return sum((Fraction(decision.cost) for decision in plays), Fraction(0))
