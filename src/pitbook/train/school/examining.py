"""Table tests: composed by a supervisor, taken by a dealer, and certified where they are passed."""

from __future__ import annotations

import json
import secrets
from collections.abc import Iterable, Mapping
from contextlib import suppress
from datetime import datetime, timedelta
from typing import Any, NamedTuple

from pitbook.errors import PitbookError
from pitbook.house.ledger.chain import Entry
from pitbook.house.ledger.journal import Ledger
from pitbook.house.ledger.stream_reader import ReadState
from pitbook.house.ledger.stream_writer import KnownRequest, Shell, Writing
from pitbook.rules.game import Game
from pitbook.rules.stored import sheet_document
from pitbook.sheets.diff import diff
from pitbook.sheets.model import Sheet
from pitbook.text import say
from pitbook.train.drills.answers import normal
from pitbook.train.drills.item import Item
from pitbook.train.drills.kinds import allowed, drill, kind_of, title_of
from pitbook.train.school.desk import DrillDesk
from pitbook.train.school.facts import (
    EXAMS,
    TESTS,
    Began,
    Composed,
    ExamEnded,
    ExamResult,
    ExamRules,
    OfDrills,
    OfTests,
    PaperGiven,
    PaperItem,
    Withdrawn,
)
from pitbook.train.school.pupil import ExamAttempt, Pupil
from pitbook.train.school.results import game_of, item_of, result_of

COUNT_MAX, MINUTES_MAX = 200, 240
PASS_MARK_MIN, PASS_MARK = 70, 80  # Right answers of a hundred: the least, and the usual.
SEEDS = 5  # Tries for a question of a kind that a sheet hardly has.


class Filed(NamedTuple):
    """Tests that can be taken, results by id, and the rules that they were taken by."""

    tests: Mapping[str, Composed] = {}
    results: Mapping[str, ExamResult] = {}
    rules: Mapping[str, str] = {}


class ExamPaper(NamedTuple):
    """A test as it lies before a dealer: the question that comes next, or the result."""

    attempt: str
    began: Began
    position: int
    item: Item | None
    result: ExamResult | None

    @property
    def currency(self) -> str | None:
        """What the money of its game is."""
        return game_of(self.began.hash, self.began.rules).sheet.house.currency


class Examiner:
    """The table tests of a house over its book."""

    def __init__(self, ledger: Ledger, desk: DrillDesk) -> None:
        self._desk = desk
        self._shell = Shell(ReadState(ledger, EXAMS, Filed(), _read), TESTS)

    def filed(self) -> Filed:
        """All tests and results as the book has them now."""
        return self._shell.read_on()

    def compose(self, made: Composed, game: Game) -> Composed:
        """Put a test on file; raises PitbookError where the sheet has not what it asks."""
        if not PASS_MARK_MIN <= made.pass_mark <= 100:
            marks = {"mark": made.pass_mark, "least": PASS_MARK_MIN}
            raise PitbookError(say("drills.pass-mark", **marks))
        for kind in made.kinds:
            if kind_of(kind).id not in allowed(game):
                drill(game, kind, "is there one")  # Else it says why not.
        whole = made._replace(kinds=made.kinds or allowed(game))
        if whole.questions < len(whole.kinds):  # A kind that is never asked would be certified.
            told = {"questions": whole.questions, "kinds": len(whole.kinds)}
            raise PitbookError(say("drills.few-questions", **told))
        self._shell.write(lambda _: Writing([whole]), KnownRequest(made.by))
        return whole

    def withdraw(self, test: str, by: str, now: datetime) -> None:
        """Take a test off the list; what was passed stays passed."""

        def decide(filed: Filed) -> Writing[OfTests]:
            _test(filed, test)
            return Writing([Withdrawn(test, by, _stamp(now))])

        self._shell.write(decide, KnownRequest(by))

    def begin(self, test: str, name: str, game: Game, now: datetime) -> ExamPaper:
        """Begin a test, or go on with the one that was begun."""
        made = _test(self.filed(), test)
        if made.by == name:
            raise PitbookError(say("drills.own-test"))
        self.close_overdue((name,), now)
        document = sheet_document(game.sheet)
        attempt = secrets.token_hex(8)
        kinds = (made.kinds[at % len(made.kinds)] for at in range(made.questions))
        items = tuple(_fresh(game, kind) for kind in kinds)
        until = now + timedelta(minutes=made.minutes)
        fact = Began(
            attempt=attempt,
            test=test,
            title=made.title,
            hash=document["hash"],
            rules=json.dumps(document["body"]),
            items=items,
            pass_mark=made.pass_mark,
            minutes=made.minutes,
            at=_stamp(now),
            until=_stamp(until),
        )

        def decide(pupil: Pupil) -> Writing[OfDrills] | str:
            running = _running(pupil, test, now)
            return Writing([fact]) if running is None else running

        found = self._desk.shell(name).write(decide, KnownRequest(name))
        return self.paper(found if isinstance(found, str) else attempt, name, now)

    def close_overdue(self, names: Iterable[str], now: datetime) -> None:
        """File what was begun and left: whoever looks at a test and goes has taken it."""
        for name in names:
            if self._desk.knows(name):
                for attempt, one in self._desk.pupil(name).attempts.items():
                    if one.ended is None and _is_over(one, now):
                        self._end(attempt, name, now)

    def running(self, name: str, now: datetime) -> list[ExamPaper]:
        """The tests that somebody has under way."""
        found = self._desk.pupil(name).attempts if self._desk.knows(name) else {}
        open_ = [one for one in found if found[one].ended is None and not _is_over(found[one], now)]
        return [self.paper(one, name, now) for one in open_]

    def paper(self, attempt: str, name: str, now: datetime) -> ExamPaper:
        """A test as far as it is; one whose time is up is over."""
        found = self._attempt(attempt, name)
        began, filed = found.began, self.filed()
        if found.ended is None and (_is_over(found, now)):
            self._end(attempt, name, now)
            found, filed = self._attempt(attempt, name), self.filed()
        result = None if found.ended is None else filed.results[found.ended.result]
        item = None if found.ended else item_of(began, found.position)
        return ExamPaper(attempt, began, found.position, item, result)

    def answer(self, attempt: str, name: str, position: int, text: str, now: datetime) -> ExamPaper:
        """Take an answer to the question at a place; sent again it counts once."""

        def decide(pupil: Pupil) -> Writing[OfDrills] | None:
            found = _known(pupil, attempt)
            if found.ended or position < found.position or _is_over(found, now):
                return None
            if position > found.position:
                raise PitbookError(say("drills.not-open", number=position + 1))
            item = item_of(found.began, position)
            since = found.given[-1].at if found.given else found.began.at
            ms = round((now - datetime.fromisoformat(since)).total_seconds() * 1000)
            given = normal(item.question, text)
            return Writing([PaperGiven(attempt, position, given, max(0, ms), _stamp(now))])

        self._desk.shell(name).write(decide, KnownRequest(name))
        return self.paper(attempt, name, now)

    def _end(self, attempt: str, name: str, now: datetime) -> None:
        """The result goes on file first: whoever stops in between ends the test again, alike."""
        found = self._attempt(attempt, name)
        ended = min(_stamp(now), found.began.until)
        if found.position == len(found.began.items):
            ended = found.given[-1].at
        result = result_of(found, name, ended)

        def file(filed: Filed) -> Writing[OfTests] | None:
            if result.id in filed.results:
                return None
            known = result.hash in filed.rules
            rules = [] if known else [ExamRules(result.hash, found.began.rules)]
            return Writing([*rules, result])

        self._shell.write(file, KnownRequest(name))

        def close(pupil: Pupil) -> Writing[OfDrills] | None:
            if _known(pupil, attempt).ended:
                return None
            return Writing([ExamEnded(attempt, result.id, result.passed, ended)])

        self._desk.shell(name).write(close, KnownRequest(name))

    def _attempt(self, attempt: str, name: str) -> ExamAttempt:
        return _known(self._desk.pupil(name), attempt)

    def rules_of(self, result: ExamResult) -> Sheet:
        """The sheet that a test was taken by, as it is kept."""
        return game_of(result.hash, self.filed().rules[result.hash]).sheet

    def changed(self, result: ExamResult, sheet: Sheet | None) -> list[str]:
        """The rules that have changed since a test was taken, in words; none: it still holds."""
        if sheet is None:
            return [say("drills.sheet-gone", sheet=result.sheet)]
        then = self.rules_of(result)
        return [one.words for one in diff(then, sheet, (say("drills.then"), say("drills.today")))]


def _fresh(game: Game, kind: str) -> PaperItem:
    """A question that nobody has seen; one that cannot be made stops the test before it begins."""
    for _ in range(SEEDS):
        seed = secrets.token_hex(8)
        with suppress(PitbookError):
            drill(game, kind, seed)
            return PaperItem(kind, seed)
    fields = {"kind": title_of(kind), "title": game.sheet.title}
    raise PitbookError(say("drills.not-here", **fields))


def _is_over(found: ExamAttempt, now: datetime) -> bool:
    return found.position == len(found.began.items) or _stamp(now) > found.began.until


def _running(pupil: Pupil, test: str, now: datetime) -> str | None:
    every = ((number, one) for number, one in pupil.attempts.items() if one.began.test == test)
    return next((n for n, one in every if one.ended is None and not _is_over(one, now)), None)


def _known(pupil: Pupil, attempt: str) -> ExamAttempt:
    if attempt not in pupil.attempts:
        raise PitbookError(say("drills.no-attempt"))
    return pupil.attempts[attempt]


def _test(filed: Filed, test: str) -> Composed:
    if test not in filed.tests:
        raise PitbookError(say("drills.no-test"))
    return filed.tests[test]


def _read(before: Filed, entries: Iterable[Entry]) -> Filed:
    tests: dict[str, Composed] = dict(before.tests)
    results, rules = dict(before.results), dict(before.rules)
    into: dict[type, Any] = {Composed: tests, ExamResult: results, ExamRules: rules}
    for entry in entries:
        for fact in TESTS.told(entry):
            if isinstance(fact, Withdrawn):
                tests.pop(fact.test, None)
            elif isinstance(fact, ExamRules):
                rules[fact.hash] = fact.body
            else:
                into[type(fact)][fact[0]] = fact
    return Filed(tests, results, rules)


def _stamp(now: datetime) -> str:
    return now.isoformat(timespec="milliseconds")
