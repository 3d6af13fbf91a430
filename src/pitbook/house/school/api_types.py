"""Request and response records of the training routes."""

from __future__ import annotations

from typing_extensions import TypedDict

from pitbook.rules.report import StakedWager


class KindTold(TypedDict):
    """A kind of question and its title."""

    kind: str
    title: str


class KindsTold(TypedDict):
    """The kinds that a sheet supports, and how many facts of it there are to memorize."""

    sheet: str
    title: str
    hash: str
    kinds: list[KindTold]
    facts: int


class CommonAsked(TypedDict):
    """Common cards."""

    title: str
    cards: list[str]


class SeatAsked(TypedDict):
    """A seat: its cards, its wagers by title, and its plays."""

    seat: int
    cards: list[str]
    wagers: list[StakedWager]
    plays: list[str]


class OptionAsked(TypedDict):
    """An option and its letter."""

    id: str
    text: str
    cards: list[str]


class QuestionAsked(TypedDict):
    """Everything that a trainee sees of a question, without the answer."""

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
    """A numbered question; `seconds` if it is timed; send `mark` back with the answer."""

    number: int
    mark: str
    sheet: str
    kind: str
    kind_title: str
    question: QuestionAsked
    how: str
    seconds: int | None


class Why(TypedDict):
    """A reason for an answer."""

    text: str
    clause: str | None


class PacketItem(TypedDict):
    """A question with its answer, for practice offline."""

    kind: str
    kind_title: str
    question: QuestionAsked
    how: str
    answer: str
    answer_text: str
    reasons: list[Why]


class PacketTold(TypedDict):
    """Questions of a sheet for practice offline; they do not count, and no test asks them."""

    sheet: str
    items: list[PacketItem]


class ClauseHinted(TypedDict):
    """A clause, summarized."""

    clause: str
    title: str
    text: str


class Hint(TypedDict):
    """The clauses that apply, and how to type the answer."""

    how: str
    clauses: list[ClauseHinted]


class Verdict(TypedDict):
    """Whether an answer is correct, the correct answer, and the reasons."""

    number: int
    right: bool
    late: bool
    ms: int
    answer: str
    answer_text: str
    given_text: str
    reasons: list[Why]


class TallyTold(TypedDict):
    """Questions and correct answers; `ms` is the median time of a correct one."""

    asked: int
    right: int
    ms: int | None
    hands_an_hour: int | None


class KindTally(TallyTold):
    """The tally of one kind."""

    kind: str
    title: str


class DayTally(TallyTold):
    """The tally of one day."""

    day: str


class Spotted(TypedDict):
    """Results of spot-the-error rounds."""

    catches: int
    misses: int
    false_alarms: int
    elsewhere: int
    clean: int


class GameTally(TallyTold):
    """The tally of one game."""

    sheet: str
    title: str


class CertificateNamed(TypedDict):
    """The summary of a completed test."""

    id: str
    title: str
    person: str
    sheet: str
    right: int
    asked: int
    passed: bool
    ended: str


class Progress(TypedDict):
    """A trainee's progress; `left` counts questions that were skipped."""

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
    """A table test in progress."""

    attempt: str
    test: str
    title: str
    seconds_left: int


class TestsTold(TypedDict):
    """The house's table tests, and the caller's tests in progress and results."""

    tests: list[TestMade]
    running: list[TestRunning]
    results: list[CertificateNamed]


class PaperTold(TypedDict):
    """The state of a test for the dealer taking it: the next question, or the result."""

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
    """A result checked against the ledger and the rules in force."""

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
    """A question of a completed test; `question` is null in older results."""

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
    """Every question of a completed test."""

    id: str
    items: list[ItemTold]


class DealerStands(TypedDict):
    """A dealer's progress."""

    name: str
    role: str | None
    all: TallyTold
    left: int
    games: list[GameTally]
    last: str | None
    weakest: str | None
    results: list[CertificateNamed]


class Missed(TypedDict):
    """A question that someone answered wrong."""

    who: str
    sheet_title: str
    question: QuestionAsked
    answer: str
    answer_text: str
    given_text: str


class FactMissed(TypedDict):
    """A fact that the class often gets wrong: how often, of how many."""

    sheet_title: str
    ask: str
    answer_text: str
    wrong: int
    asked: int
    people: list[str]


class KindMissed(KindTally):
    """A kind of question, who got some wrong, and the latest wrong answer."""

    people: list[str]
    example: Missed | None


class ClassTold(TypedDict):
    """The class: each dealer's progress, and the most common mistakes."""

    people: list[DealerStands]
    kinds: list[KindMissed]
    facts: list[FactMissed]
