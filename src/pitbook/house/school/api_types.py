"""Request and response records of the training routes."""

from __future__ import annotations

from typing_extensions import TypedDict

from pitbook.rules.result_json import StakedWager


class DrillKindView(TypedDict):
    """A kind of question and its title."""

    kind: str
    title: str


class DrillKinds(TypedDict):
    """The kinds that a sheet supports, and how many facts of it there are to memorize."""

    sheet: str
    title: str
    hash: str
    kinds: list[DrillKindView]
    facts: int


class QuestionBoard(TypedDict):
    """Common cards."""

    title: str
    cards: list[str]


class QuestionSeat(TypedDict):
    """A seat: its cards, its wagers by title, and its plays."""

    seat: int
    cards: list[str]
    wagers: list[StakedWager]
    plays: list[str]


class QuestionOption(TypedDict):
    """An option and its letter."""

    id: str
    text: str
    cards: list[str]


class QuestionShown(TypedDict):
    """Everything that a trainee sees of a question, without the answer."""

    ask: str
    form: str
    common: list[QuestionBoard]
    seats: list[QuestionSeat]
    lines: list[str]
    options: list[QuestionOption]
    chips: list[str]
    pick: int | None
    currency: str | None


class NumberedQuestion(TypedDict):
    """A numbered question; `seconds` if it is timed; send `mark` back with the answer."""

    number: int
    mark: str
    sheet: str
    kind: str
    kind_title: str
    question: QuestionShown
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
    question: QuestionShown
    how: str
    answer: str
    answer_text: str
    reasons: list[Why]


class QuestionPacket(TypedDict):
    """Questions of a sheet for practice offline; they do not count, and no test asks them."""

    sheet: str
    items: list[PacketItem]


class HintClause(TypedDict):
    """A clause, summarized."""

    clause: str
    title: str
    text: str


class Hint(TypedDict):
    """The clauses that apply, and how to type the answer."""

    how: str
    clauses: list[HintClause]


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


class TallyView(TypedDict):
    """Questions and correct answers; `ms` is the median time of a correct one."""

    asked: int
    right: int
    ms: int | None
    hands_an_hour: int | None


class KindTally(TallyView):
    """The tally of one kind."""

    kind: str
    title: str


class DayTally(TallyView):
    """The tally of one day."""

    day: str


class SpottedErrors(TypedDict):
    """Results of spot-the-error rounds."""

    catches: int
    misses: int
    false_alarms: int
    elsewhere: int
    clean: int


class GameTally(TallyView):
    """The tally of one game."""

    sheet: str
    title: str


class CertificateSummary(TypedDict):
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
    all: TallyView
    kinds: list[KindTally]
    days: list[DayTally]
    spotted: SpottedErrors
    games: list[GameTally]
    missed: int
    left: int
    results: list[CertificateSummary]


class AvailableTest(TypedDict):
    """A table test that can be taken."""

    test: str
    title: str
    sheet: str
    sheet_title: str
    kinds: list[DrillKindView]
    questions: int
    pass_mark: int
    minutes: int
    by: str
    at: str


class RunningTest(TypedDict):
    """A table test in progress."""

    attempt: str
    test: str
    title: str
    seconds_left: int


class TableTests(TypedDict):
    """The house's table tests, and the caller's tests in progress and results."""

    tests: list[AvailableTest]
    running: list[RunningTest]
    results: list[CertificateSummary]


class TestProgress(TypedDict):
    """The state of a test for the dealer taking it: the next question, or the result."""

    attempt: str
    title: str
    position: int
    questions: int
    until: str
    seconds_left: int
    kind_title: str | None
    question: QuestionShown | None
    how: str | None
    result: CertificateSummary | None


class Certificate(CertificateSummary):
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


class AnsweredQuestion(TypedDict):
    """A question of a completed test; `question` is null in older results."""

    number: int
    kind: str
    kind_title: str
    ask: str
    question: QuestionShown | None
    answer: str
    answer_text: str
    given_text: str
    answered: bool
    right: bool
    ms: int


class AnsweredQuestions(TypedDict):
    """Every question of a completed test."""

    id: str
    items: list[AnsweredQuestion]


class DealerProgress(TypedDict):
    """A dealer's progress."""

    name: str
    role: str | None
    all: TallyView
    left: int
    games: list[GameTally]
    last: str | None
    weakest: str | None
    results: list[CertificateSummary]


class MissedQuestion(TypedDict):
    """A question that someone answered wrong."""

    who: str
    sheet_title: str
    question: QuestionShown
    answer: str
    answer_text: str
    given_text: str


class MissedFact(TypedDict):
    """A fact that the class often gets wrong: how often, of how many."""

    sheet_title: str
    ask: str
    answer_text: str
    wrong: int
    asked: int
    people: list[str]


class MissedKind(KindTally):
    """A kind of question, who got some wrong, and the latest wrong answer."""

    people: list[str]
    example: MissedQuestion | None


class ClassProgress(TypedDict):
    """The class: each dealer's progress, and the most common mistakes."""

    people: list[DealerProgress]
    kinds: list[MissedKind]
    facts: list[MissedFact]
