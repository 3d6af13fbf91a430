"""Table tests: composed by a supervisor, taken by a dealer, graded and filed."""

from __future__ import annotations

import json
import secrets
from collections.abc import Iterable, Iterator, Mapping
from contextlib import suppress
from datetime import datetime, timedelta
from functools import lru_cache
from hashlib import sha256
from itertools import repeat
from typing import Any, NamedTuple

from pitbook.csv_files import csv_text
from pitbook.drills.grade import normalize_answer, render_answer
from pitbook.drills.kinds import drill, find_kind, kind_title, supported_kinds
from pitbook.drills.question import Item, Layout, Option, Question, SeatLayout
from pitbook.errors import PitbookError
from pitbook.house.ledger.fact_codec import json_form
from pitbook.house.ledger.hash_chain import Entry, canonical
from pitbook.house.ledger.ledger import Ledger
from pitbook.house.ledger.streams import PendingWrite, RequestKey, StreamReader, StreamWriter
from pitbook.house.school.drill_sessions import DrillSessions
from pitbook.house.school.facts import (
    EXAMS,
    TESTS,
    ExamAnswered,
    ExamBegan,
    ExamComposed,
    ExamEnded,
    ExamItem,
    ExamResult,
    ExamRules,
    ExamWithdrawn,
    OfDrills,
    OfTests,
    RecordedQuestion,
    ResultItem,
)
from pitbook.house.school.pupils import ExamAttempt, Pupil
from pitbook.rules.game import Game, compile_game
from pitbook.rules.stored_rounds import sheet_document, stored_sheet
from pitbook.sheets.diff import find_differences
from pitbook.sheets.model import Sheet
from pitbook.text import Sentence, in_language, locale_of, say
from pitbook.text.catalog import ENGLISH
from pitbook.text.sentences import translate_document

_ENCODE, _DECODE = json_form(Question)


def grade_attempt(attempt: ExamAttempt, name: str, ended: str) -> ExamResult:
    """The result of an attempt that is over."""
    began = attempt.began
    items = tuple(_result_item(attempt, at) for at in range(len(began.items)))
    right = sum(item.right for item in items)
    result = ExamResult(
        id="",
        test=began.test,
        title=began.title,
        person=name,
        sheet=recorded_game(began.hash, began.rules).sheet.id,
        hash=began.hash,
        asked=len(items),
        right=right,
        pass_mark=began.pass_mark,
        passed=right * 100 >= began.pass_mark * len(items),
        minutes=began.minutes,
        began=began.at,
        ended=ended,
        items=items,
    )
    return result._replace(id=hash_of(result))


def _result_item(attempt: ExamAttempt, position: int) -> ResultItem:
    item, (kind, seed) = attempt_item(attempt.began, position), attempt.began.items[position]
    currency = recorded_game(attempt.began.hash, attempt.began.rules).sheet.house.currency
    question, locale = recorded_question(item.question, currency), locale_of(ENGLISH, currency)
    answer_given = attempt.given[position].given if position < attempt.position else None
    return ResultItem(
        kind=kind,
        seed=seed,
        question=question.ask,
        wanted=in_language(render_answer(question, item.answer), locale),
        given=""
        if answer_given is None
        else in_language(render_answer(question, answer_given), locale),
        right=answer_given == item.answer,
        ms=0 if answer_given is None else attempt.given[position].ms,
        recorded=RecordedQuestion(question, item.answer, answer_given),
    )


def recorded_question(question: Question, currency: str | None) -> Question:
    """A question in the words that are recorded, as decoded from there."""
    assert _ENCODE is not None
    words = translate_document(_ENCODE(question), locale_of(ENGLISH, currency))
    decoded: Question = _DECODE(json.loads(json.dumps(words)))
    return decoded


def questions_in_language(result: ExamResult, rules: str) -> list[Question | None]:
    """The questions of a result in the reader's language, or as recorded.

    Each is made again by the rules of the test; if that no longer matches the recorded words,
    the recorded question is used.
    """
    return [_question_in_language(item, recorded_game(result.hash, rules)) for item in result.items]


def _question_in_language(item: ResultItem, game: Game) -> Question | None:
    if item.recorded is None:
        return None
    with suppress(PitbookError):
        again = drill(game, item.kind, item.seed).question
        is_unchanged = recorded_question(again, game.sheet.house.currency) == item.recorded.question
        return again if is_unchanged else item.recorded.question
    return item.recorded.question


def hash_of(result: ExamResult) -> str:
    """The hash of a result's content, which is its id unless someone altered it."""
    body = TESTS.body(result)
    return sha256(
        canonical(
            {name: field_value for name, field_value in body.items() if name != "id"}
        ).encode()
    ).hexdigest()


@lru_cache(maxsize=64)
def recorded_game(digest: str, body: str) -> Game:
    """The game of recorded rules."""
    return compile_game(stored_sheet({"hash": digest, "body": json.loads(body)}))


def attempt_item(began: ExamBegan, position: int) -> Item:
    """The question of an attempt at an index."""
    kind, seed = began.items[position]
    return drill(recorded_game(began.hash, began.rules), kind, seed)


# Examiner -----------------------------------------------------------------------------------------


COUNT_MAX, MINUTES_MAX = 200, 240
PASS_MARK_MIN, PASS_MARK = 70, 80  # Percentage of correct answers: the minimum, and the default.
SEED_TRIES = 5  # Tries to make a question of a kind that is rare for a sheet.


class TestFile(NamedTuple):
    """Tests that can be taken, results by id, and the rules of the tests."""

    tests: Mapping[str, ExamComposed] = {}
    results: Mapping[str, ExamResult] = {}
    rules: Mapping[str, str] = {}


class ExamPaper(NamedTuple):
    """A test in progress: the next question, or the result."""

    attempt: str
    began: ExamBegan
    position: int
    item: Item | None
    result: ExamResult | None

    @property
    def currency(self) -> str | None:
        """The currency of its game."""
        return recorded_game(self.began.hash, self.began.rules).sheet.house.currency


class Examiner:
    """The table tests of a house."""

    def __init__(self, ledger: Ledger, drill_sessions: DrillSessions) -> None:
        self._drill_sessions = drill_sessions
        self._writer = StreamWriter(StreamReader(ledger, EXAMS, TestFile(), _replay_entries), TESTS)

    def load(self) -> TestFile:
        """All tests and results as recorded now."""
        return self._writer.catch_up()

    def compose(self, composed: ExamComposed, game: Game) -> ExamComposed:
        """Record a test. Raises PitbookError if the sheet does not support what it asks."""
        if not PASS_MARK_MIN <= composed.pass_mark <= 100:
            marks = {"mark": composed.pass_mark, "least": PASS_MARK_MIN}
            raise PitbookError(say("drills.pass-mark", **marks))
        for kind in composed.kinds:
            if find_kind(kind).id not in supported_kinds(game):
                drill(game, kind, "is there one")  # If not supported, this raises the reason.
        completed = composed._replace(kinds=composed.kinds or supported_kinds(game))
        # Otherwise a kind that is never asked would be certified.
        if completed.questions < len(completed.kinds):
            counts = {"questions": completed.questions, "kinds": len(completed.kinds)}
            raise PitbookError(say("drills.few-questions", **counts))
        self._writer.write(lambda _: PendingWrite([completed]), RequestKey(composed.by))
        return completed

    def withdraw(self, test: str, by: str, now: datetime) -> None:
        """Withdraw a test. Results stay valid."""

        def decide(filed: TestFile) -> PendingWrite[OfTests]:
            _find_test(filed, test)
            return PendingWrite([ExamWithdrawn(test, by, _stamp(now))])

        self._writer.write(decide, RequestKey(by))

    def begin(self, test: str, name: str, game: Game, now: datetime) -> ExamPaper:
        """Begin a test, or continue the one in progress."""
        composed = _find_test(self.load(), test)
        if composed.by == name:
            raise PitbookError(say("drills.own-test"))
        self.close_overdue((name,), now)
        document = sheet_document(game.sheet)
        attempt = secrets.token_hex(8)
        kinds = (composed.kinds[at % len(composed.kinds)] for at in range(composed.questions))
        items = tuple(_new_item(game, kind) for kind in kinds)
        until = now + timedelta(minutes=composed.minutes)
        fact = ExamBegan(
            attempt=attempt,
            test=test,
            title=composed.title,
            hash=document["hash"],
            rules=json.dumps(document["body"]),
            items=items,
            pass_mark=composed.pass_mark,
            minutes=composed.minutes,
            at=_stamp(now),
            until=_stamp(until),
        )

        def decide(pupil: Pupil) -> PendingWrite[OfDrills] | str:
            running = _running_attempt(pupil, test, now)
            return PendingWrite([fact]) if running is None else running

        running_or_done = self._drill_sessions.writer(name).write(decide, RequestKey(name))
        return self.paper(
            running_or_done if isinstance(running_or_done, str) else attempt, name, now
        )

    def close_overdue(self, names: Iterable[str], now: datetime) -> None:
        """File abandoned tests: looking at the questions counts as taking it."""
        for name in names:
            if self._drill_sessions.has_asked(name):
                for attempt, exam_attempt in self._drill_sessions.pupil(name).attempts.items():
                    if exam_attempt.ended is None and _is_over(exam_attempt, now):
                        self._end(attempt, name, now)

    def running(self, name: str, now: datetime) -> list[ExamPaper]:
        """A person's tests in progress."""
        attempts = (
            self._drill_sessions.pupil(name).attempts
            if self._drill_sessions.has_asked(name)
            else {}
        )
        open_attempts = [
            attempt
            for attempt in attempts
            if attempts[attempt].ended is None and not _is_over(attempts[attempt], now)
        ]
        return [self.paper(attempt, name, now) for attempt in open_attempts]

    def paper(self, attempt: str, name: str, now: datetime) -> ExamPaper:
        """The current state of a test; it ends when its time is up."""
        current = self._attempt(attempt, name)
        began, filed = current.began, self.load()
        if current.ended is None and (_is_over(current, now)):
            self._end(attempt, name, now)
            current, filed = self._attempt(attempt, name), self.load()
        result = None if current.ended is None else filed.results[current.ended.result]
        item = None if current.ended else attempt_item(began, current.position)
        return ExamPaper(attempt, began, current.position, item, result)

    def answer(self, attempt: str, name: str, position: int, text: str, now: datetime) -> ExamPaper:
        """Record an answer to the question at an index. Repeats count once."""

        def decide(pupil: Pupil) -> PendingWrite[OfDrills] | None:
            current = _find_attempt(pupil, attempt)
            if current.ended or position < current.position or _is_over(current, now):
                return None
            if position > current.position:
                raise PitbookError(say("drills.not-open", number=position + 1))
            item = attempt_item(current.began, position)
            since = current.given[-1].at if current.given else current.began.at
            ms = round((now - datetime.fromisoformat(since)).total_seconds() * 1000)
            answer_given = normalize_answer(item.question, text)
            return PendingWrite(
                [ExamAnswered(attempt, position, answer_given, max(0, ms), _stamp(now))]
            )

        self._drill_sessions.writer(name).write(decide, RequestKey(name))
        return self.paper(attempt, name, now)

    def _end(self, attempt: str, name: str, now: datetime) -> None:
        """File the result, then close the attempt. If interrupted, it runs again with the same
        result.
        """
        current = self._attempt(attempt, name)
        ended = min(_stamp(now), current.began.until)
        if current.position == len(current.began.items):
            ended = current.given[-1].at
        result = grade_attempt(current, name, ended)

        def file(filed: TestFile) -> PendingWrite[OfTests] | None:
            if result.id in filed.results:
                return None
            has_rules = result.hash in filed.rules
            rules = [] if has_rules else [ExamRules(result.hash, current.began.rules)]
            return PendingWrite([*rules, result])

        self._writer.write(file, RequestKey(name))

        def close(pupil: Pupil) -> PendingWrite[OfDrills] | None:
            if _find_attempt(pupil, attempt).ended:
                return None
            return PendingWrite([ExamEnded(attempt, result.id, result.passed, ended)])

        self._drill_sessions.writer(name).write(close, RequestKey(name))

    def _attempt(self, attempt: str, name: str) -> ExamAttempt:
        return _find_attempt(self._drill_sessions.pupil(name), attempt)

    def rules_of(self, result: ExamResult) -> Sheet:
        """The recorded sheet of a test."""
        return recorded_game(result.hash, self.load().rules[result.hash]).sheet

    def changed_rules(self, result: ExamResult, sheet: Sheet | None) -> list[str]:
        """The rules that have changed since a test, in words; empty if it is still valid."""
        if sheet is None:
            return [say("drills.sheet-gone", sheet=result.sheet)]
        rules_then = self.rules_of(result)
        return [
            change.words
            for change in find_differences(
                rules_then, sheet, (say("drills.then"), say("drills.today"))
            )
        ]


def _new_item(game: Game, kind: str) -> ExamItem:
    """A new random question. If none can be made, the test does not begin."""
    for _ in range(SEED_TRIES):
        seed = secrets.token_hex(8)
        with suppress(PitbookError):
            drill(game, kind, seed)
            return ExamItem(kind, seed)
    fields = {"kind": kind_title(kind), "title": game.sheet.title}
    raise PitbookError(say("drills.not-here", **fields))


def _is_over(attempt: ExamAttempt, now: datetime) -> bool:
    return attempt.position == len(attempt.began.items) or _stamp(now) > attempt.began.until


def _running_attempt(pupil: Pupil, test: str, now: datetime) -> str | None:
    numbered = (
        (number, exam_attempt)
        for number, exam_attempt in pupil.attempts.items()
        if exam_attempt.began.test == test
    )
    return next(
        (
            n
            for n, exam_attempt in numbered
            if exam_attempt.ended is None and not _is_over(exam_attempt, now)
        ),
        None,
    )


def _find_attempt(pupil: Pupil, attempt: str) -> ExamAttempt:
    if attempt not in pupil.attempts:
        raise PitbookError(say("drills.no-attempt"))
    return pupil.attempts[attempt]


def _find_test(filed: TestFile, test: str) -> ExamComposed:
    if test not in filed.tests:
        raise PitbookError(say("drills.no-test"))
    return filed.tests[test]


def _replay_entries(test_file: TestFile, entries: Iterable[Entry]) -> TestFile:
    tests: dict[str, ExamComposed] = dict(test_file.tests)
    results, rules = dict(test_file.results), dict(test_file.rules)
    into: dict[type, Any] = {ExamComposed: tests, ExamResult: results, ExamRules: rules}
    for entry in entries:
        for fact in TESTS.load_entry(entry):
            if isinstance(fact, ExamWithdrawn):
                tests.pop(fact.test, None)
            elif isinstance(fact, ExamRules):
                rules[fact.hash] = fact.body
            else:
                into[type(fact)][fact[0]] = fact
    return TestFile(tests, results, rules)


def _stamp(now: datetime) -> str:
    return now.isoformat(timespec="milliseconds")


# Spreadsheet export -------------------------------------------------------------------------------


COLUMNS = (
    *("number", "kind", "question", "answer", "given", "right", "seconds", "seed"),
    *("felt", "told", "options"),
)


def answers_csv(result: ExamResult, currency: str | None = None) -> str:
    """All questions of a test as CSV, with a header row."""
    words = locale_of(ENGLISH, currency)
    rows = (_row(number, item, words) for number, item in enumerate(result.items, start=1))
    return csv_text([COLUMNS, *rows])


def _row(number: int, item: ResultItem, words: str) -> list[str]:
    right, seconds = "yes" if item.right else "no", f"{item.ms / 1000:.1f}"
    fields = [
        str(number),
        item.kind,
        item.question,
        item.wanted,
        item.given,
        right,
        seconds,
        item.seed,
    ]
    layout_columns = _question_columns(item.recorded.question) if item.recorded else repeat((), 3)
    return [
        *fields,
        *("; ".join(in_language(part, words) for part in texts) for texts in layout_columns),
    ]


def _question_columns(question: Question) -> Iterator[Iterable[str]]:
    """The layout, the lines shown, and the options or chips of a question."""
    yield _layout_texts(question.lies) if question.lies else ()
    yield question.lines
    chips = [say("drills.on-file.chips", chips=question.chips)] if question.chips else []
    yield chips or map(_option_text, question.options)


def _layout_texts(lies: Layout) -> Iterator[Sentence]:
    for title, cards in lies.common:
        if cards:
            yield say("drills.on-file.common", title=title, cards=cards)
    yield from map(_seat_text, lies.seats)


def _seat_text(seat: SeatLayout) -> Sentence:
    bets = tuple(say("drills.on-file.bet", title=title, amount=n) for title, n in seat.wagers)
    cards = (say("drills.cards", cards=seat.cards),) if seat.cards else ()
    return say("drills.on-file.seat", seat=seat.seat, shown=(*cards, *bets, *seat.plays))


def _option_text(option: Option) -> Sentence:
    cards = (say("drills.cards", cards=option.cards),) if option.cards else ()
    texts = (option.text,) if option.text else ()
    return say("drills.on-file.option", letter=option.id, shown=(*texts, *cards))
