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

from pitbook.drills.grade import normal, shown
from pitbook.drills.item import Item, Lies, Option, Question, SeatLies
from pitbook.drills.kinds import allowed, drill, kind_of, title_of
from pitbook.errors import PitbookError
from pitbook.house.ledger.chain import Entry, canonical
from pitbook.house.ledger.codec import form
from pitbook.house.ledger.journal import Ledger
from pitbook.house.ledger.stream_reader import StreamReader
from pitbook.house.ledger.stream_writer import PendingWrite, RequestKey, StreamWriter
from pitbook.house.school.events import (
    EXAMS,
    TESTS,
    AsPut,
    Began,
    Composed,
    ExamEnded,
    ExamResult,
    ExamRules,
    OfDrills,
    OfTests,
    PaperGiven,
    PaperItem,
    ResultItem,
    Withdrawn,
)
from pitbook.house.school.pupils import DrillDesk, ExamAttempt, Pupil
from pitbook.rules.game import Game, compile_game
from pitbook.rules.stored import sheet_document, stored_sheet
from pitbook.sheets.diff import diff
from pitbook.sheets.model import Sheet
from pitbook.spreadsheet import csv_text
from pitbook.text import Sentence, in_language, say, speech
from pitbook.text.catalogue import ENGLISH
from pitbook.text.documents import translated

_OUT, _INTO = form(Question)


def result_of(found: ExamAttempt, name: str, ended: str) -> ExamResult:
    """What becomes of an attempt that is over."""
    began = found.began
    items = tuple(_result_item(found, at) for at in range(len(began.items)))
    right = sum(one.right for one in items)
    result = ExamResult(
        id="",
        test=began.test,
        title=began.title,
        person=name,
        sheet=game_of(began.hash, began.rules).sheet.id,
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


def _result_item(found: ExamAttempt, position: int) -> ResultItem:
    item, (kind, seed) = item_of(found.began, position), found.began.items[position]
    currency = game_of(found.began.hash, found.began.rules).sheet.house.currency
    question, spoken = kept(item.question, currency), speech(ENGLISH, currency)
    given = found.given[position].given if position < found.position else None
    return ResultItem(
        kind=kind,
        seed=seed,
        question=question.ask,
        wanted=in_language(shown(question, item.answer), spoken),
        given="" if given is None else in_language(shown(question, given), spoken),
        right=given == item.answer,
        ms=0 if given is None else found.given[position].ms,
        put=AsPut(question, item.answer, given),
    )


def kept(question: Question, currency: str | None) -> Question:
    """A question in the words that go on record, as it is read back from there."""
    assert _OUT is not None
    words = translated(_OUT(question), speech(ENGLISH, currency))
    read: Question = _INTO(json.loads(json.dumps(words)))
    return read


def worded(result: ExamResult, rules: str) -> list[Question | None]:
    """The questions of a result for who reads another language; as they are kept where no other is.

    Each is made again by the rules of the test: where that is no longer word for word what was
    put, what was put is shown.
    """
    return [_worded(one, game_of(result.hash, rules)) for one in result.items]


def _worded(one: ResultItem, game: Game) -> Question | None:
    if one.put is None:
        return None
    with suppress(PitbookError):
        again = drill(game, one.kind, one.seed).question
        same = kept(again, game.sheet.house.currency) == one.put.question
        return again if same else one.put.question
    return one.put.question


def hash_of(result: ExamResult) -> str:
    """The hash of all that a result says; its id, unless somebody has changed it."""
    body = TESTS.body(result)
    return sha256(
        canonical({name: one for name, one in body.items() if name != "id"}).encode()
    ).hexdigest()


@lru_cache(maxsize=64)
def game_of(digest: str, body: str) -> Game:
    """The game of rules that are kept."""
    return compile_game(stored_sheet({"hash": digest, "body": json.loads(body)}))


def item_of(began: Began, position: int) -> Item:
    """The question of an attempt at a place."""
    kind, seed = began.items[position]
    return drill(game_of(began.hash, began.rules), kind, seed)


# Examiner -----------------------------------------------------------------------------------------


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
        self._writer = StreamWriter(StreamReader(ledger, EXAMS, Filed(), _read), TESTS)

    def filed(self) -> Filed:
        """All tests and results as the book has them now."""
        return self._writer.catch_up()

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
        self._writer.write(lambda _: PendingWrite([whole]), RequestKey(made.by))
        return whole

    def withdraw(self, test: str, by: str, now: datetime) -> None:
        """Take a test off the list; what was passed stays passed."""

        def decide(filed: Filed) -> PendingWrite[OfTests]:
            _test(filed, test)
            return PendingWrite([Withdrawn(test, by, _stamp(now))])

        self._writer.write(decide, RequestKey(by))

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

        def decide(pupil: Pupil) -> PendingWrite[OfDrills] | str:
            running = _running(pupil, test, now)
            return PendingWrite([fact]) if running is None else running

        found = self._desk.writer(name).write(decide, RequestKey(name))
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

        def decide(pupil: Pupil) -> PendingWrite[OfDrills] | None:
            found = _known(pupil, attempt)
            if found.ended or position < found.position or _is_over(found, now):
                return None
            if position > found.position:
                raise PitbookError(say("drills.not-open", number=position + 1))
            item = item_of(found.began, position)
            since = found.given[-1].at if found.given else found.began.at
            ms = round((now - datetime.fromisoformat(since)).total_seconds() * 1000)
            given = normal(item.question, text)
            return PendingWrite([PaperGiven(attempt, position, given, max(0, ms), _stamp(now))])

        self._desk.writer(name).write(decide, RequestKey(name))
        return self.paper(attempt, name, now)

    def _end(self, attempt: str, name: str, now: datetime) -> None:
        """The result goes on file first: whoever stops in between ends the test again, alike."""
        found = self._attempt(attempt, name)
        ended = min(_stamp(now), found.began.until)
        if found.position == len(found.began.items):
            ended = found.given[-1].at
        result = result_of(found, name, ended)

        def file(filed: Filed) -> PendingWrite[OfTests] | None:
            if result.id in filed.results:
                return None
            known = result.hash in filed.rules
            rules = [] if known else [ExamRules(result.hash, found.began.rules)]
            return PendingWrite([*rules, result])

        self._writer.write(file, RequestKey(name))

        def close(pupil: Pupil) -> PendingWrite[OfDrills] | None:
            if _known(pupil, attempt).ended:
                return None
            return PendingWrite([ExamEnded(attempt, result.id, result.passed, ended)])

        self._desk.writer(name).write(close, RequestKey(name))

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
        for fact in TESTS.load_entry(entry):
            if isinstance(fact, Withdrawn):
                tests.pop(fact.test, None)
            elif isinstance(fact, ExamRules):
                rules[fact.hash] = fact.body
            else:
                into[type(fact)][fact[0]] = fact
    return Filed(tests, results, rules)


def _stamp(now: datetime) -> str:
    return now.isoformat(timespec="milliseconds")


# Spreadsheet export -------------------------------------------------------------------------------


COLUMNS = (
    *("number", "kind", "question", "answer", "given", "right", "seconds", "seed"),
    *("felt", "told", "options"),
)


def answers_csv(result: ExamResult, currency: str | None = None) -> str:
    """All questions of a test as comma-separated values, a header first."""
    words = speech(ENGLISH, currency)
    rows = (_row(number, item, words) for number, item in enumerate(result.items, start=1))
    return csv_text([COLUMNS, *rows])


def _row(number: int, one: ResultItem, words: str) -> list[str]:
    right, seconds = "yes" if one.right else "no", f"{one.ms / 1000:.1f}"
    kept = [str(number), one.kind, one.question, one.wanted, one.given, right, seconds, one.seed]
    put = _put(one.put.question) if one.put else repeat((), 3)
    return [*kept, *("; ".join(in_language(part, words) for part in many) for many in put)]


def _put(question: Question) -> Iterator[Iterable[str]]:
    """What lay on the felt, what was told, and what could be chosen or cut."""
    yield _felt(question.lies) if question.lies else ()
    yield question.lines
    chips = [say("drills.on-file.chips", chips=question.chips)] if question.chips else []
    yield chips or map(_option, question.options)


def _felt(lies: Lies) -> Iterator[Sentence]:
    for title, cards in lies.common:
        if cards:
            yield say("drills.on-file.common", title=title, cards=cards)
    yield from map(_seat, lies.seats)


def _seat(seat: SeatLies) -> Sentence:
    bets = tuple(say("drills.on-file.bet", title=title, amount=n) for title, n in seat.wagers)
    cards = (say("drills.cards", cards=seat.cards),) if seat.cards else ()
    return say("drills.on-file.seat", seat=seat.seat, shown=(*cards, *bets, *seat.plays))


def _option(option: Option) -> Sentence:
    cards = (say("drills.cards", cards=option.cards),) if option.cards else ()
    texts = (option.text,) if option.text else ()
    return say("drills.on-file.option", letter=option.id, shown=(*texts, *cards))
