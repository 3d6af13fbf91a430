"""Request and response records of the training routes."""

from __future__ import annotations

from typing_extensions import TypedDict

from pitbook.rules.report import StakedWager


class KindTold(TypedDict):
    """A kind of question, and what it is called."""

    kind: str
    title: str


class KindsTold(TypedDict):
    """The kinds that a sheet has, and how many facts of it are to be known by heart."""

    sheet: str
    title: str
    hash: str
    kinds: list[KindTold]
    facts: int


class CommonAsked(TypedDict):
    """Cards in common."""

    title: str
    cards: list[str]


class SeatAsked(TypedDict):
    """A seat: its cards, its wagers by title, what it has played."""

    seat: int
    cards: list[str]
    wagers: list[StakedWager]
    plays: list[str]


class OptionAsked(TypedDict):
    """Something to choose, by its letter."""

    id: str
    text: str
    cards: list[str]


class QuestionAsked(TypedDict):
    """All that somebody who is asked may see; the answer is not in it."""

    ask: str
    form: str
    common: list[CommonAsked]
    seats: list[SeatAsked]
    lines: list[str]
    options: list[OptionAsked]
    chips: list[str]
    pick: int | None
    currency: str | None


class QuestionPut(TypedDict):
    """A question under its number; `seconds` where it is timed; `mark` comes with its answer."""

    number: int
    mark: str
    sheet: str
    kind: str
    kind_title: str
    question: QuestionAsked
    how: str
    seconds: int | None


class Why(TypedDict):
    """Why an answer is right."""

    text: str
    clause: str | None


class PacketItem(TypedDict):
    """A question to take along, with its answer: for practice without a line."""

    kind: str
    kind_title: str
    question: QuestionAsked
    how: str
    answer: str
    answer_text: str
    reasons: list[Why]


class PacketTold(TypedDict):
    """Questions of a sheet to take along; none of them counts, and no test asks them."""

    sheet: str
    items: list[PacketItem]


class ClauseHinted(TypedDict):
    """A clause, in our words."""

    clause: str
    title: str
    text: str


class Hint(TypedDict):
    """The clauses that decide, and how an answer is typed."""

    how: str
    clauses: list[ClauseHinted]


class Verdict(TypedDict):
    """Whether an answer is right, what is, and why."""

    number: int
    right: bool
    late: bool
    ms: int
    answer: str
    answer_text: str
    given_text: str
    reasons: list[Why]


class TallyTold(TypedDict):
    """Questions and right answers; `ms` is what a right one takes in the middle."""

    asked: int
    right: int
    ms: int | None
    hands_an_hour: int | None


class KindTally(TallyTold):
    """The same for one kind."""

    kind: str
    title: str


class DayTally(TallyTold):
    """The same for one day."""

    day: str


class Spotted(TypedDict):
    """What came of rounds with a mistake or none."""

    catches: int
    misses: int
    false_alarms: int
    elsewhere: int
    clean: int


class GameTally(TallyTold):
    """The same for one game."""

    sheet: str
    title: str


class CertificateNamed(TypedDict):
    """A test that was taken, in a line."""

    id: str
    title: str
    person: str
    sheet: str
    right: int
    asked: int
    passed: bool
    ended: str


class Progress(TypedDict):
    """How somebody's practice goes; `left` questions were put and never answered."""

    player: str
    sentence: str
    all: TallyTold
    kinds: list[KindTally]
    days: list[DayTally]
    spotted: Spotted
    games: list[GameTally]
    missed: int
    left: int
    results: list[CertificateNamed]


class TestMade(TypedDict):
    """A table test that can be taken."""

    test: str
    title: str
    sheet: str
    sheet_title: str
    kinds: list[KindTold]
    questions: int
    pass_mark: int
    minutes: int
    by: str
    at: str


class TestRunning(TypedDict):
    """A table test that somebody has under way."""

    attempt: str
    test: str
    title: str
    seconds_left: int


class TestsTold(TypedDict):
    """The table tests of the house, one's own that are under way, and one's own results."""

    tests: list[TestMade]
    running: list[TestRunning]
    results: list[CertificateNamed]


class PaperTold(TypedDict):
    """A test as it lies before a dealer: the next question, or the result."""

    attempt: str
    title: str
    position: int
    questions: int
    until: str
    seconds_left: int
    kind_title: str | None
    question: QuestionAsked | None
    how: str | None
    result: CertificateNamed | None


class Certificate(CertificateNamed):
    """A result held against the book and the rules in force."""

    holds: bool
    genuine: bool
    sheet_title: str
    venue: str
    hash: str
    pass_mark: int
    minutes: int
    began: str
    changed: list[str]
    sentence: str


class ItemTold(TypedDict):
    """A question of a test that was taken; `question` is missing where an older book lacks it."""

    number: int
    kind: str
    kind_title: str
    ask: str
    question: QuestionAsked | None
    answer: str
    answer_text: str
    given_text: str
    answered: bool
    right: bool
    ms: int


class ItemsTold(TypedDict):
    """Every question of a test that was taken."""

    id: str
    items: list[ItemTold]


class DealerStands(TypedDict):
    """Where a dealer stands."""

    name: str
    role: str | None
    all: TallyTold
    left: int
    games: list[GameTally]
    last: str | None
    weakest: str | None
    results: list[CertificateNamed]


class Missed(TypedDict):
    """A question that somebody had wrong, as it was put."""

    who: str
    sheet_title: str
    question: QuestionAsked
    answer: str
    answer_text: str
    given_text: str


class FactMissed(TypedDict):
    """Something to know by heart that the class does not: how often it was wrong, of how often."""

    sheet_title: str
    ask: str
    answer_text: str
    wrong: int
    asked: int
    people: list[str]


class KindMissed(KindTally):
    """A kind of question, who had some wrong, and the last one that somebody had wrong."""

    people: list[str]
    example: Missed | None


class ClassTold(TypedDict):
    """The class: who stands where, and what it gets wrong, worst first."""

    people: list[DealerStands]
    kinds: list[KindMissed]
    facts: list[FactMissed]
