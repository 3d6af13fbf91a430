"""Drill sessions: ask, hint and answer, and record before replying."""

from __future__ import annotations

import threading
from collections import OrderedDict
from collections.abc import Callable, Container, Iterable, Mapping
from contextlib import suppress
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from hashlib import sha256
from typing import NamedTuple

from pitbook.drills.grade import normalize_answer
from pitbook.drills.kinds import Bias, ChosenItem, choose_item
from pitbook.drills.progress import (
    AnsweredItem,
    QuestionClass,
    Share,
    TraineeProgress,
    add_answer,
    difficulty_level,
    shares_by_class,
)
from pitbook.drills.question import Item
from pitbook.errors import LedgerError, PitbookError
from pitbook.house.ledger.append_batch import prune
from pitbook.house.ledger.ledger import Ledger, Stream
from pitbook.house.ledger.streams import PendingWrite, RequestKey, StreamReader, StreamWriter
from pitbook.house.people.names import GUEST_PREFIX
from pitbook.house.school.facts import DRILLS, PUPIL, HintGiven, ItemAnswered, ItemAsked, OfDrills
from pitbook.house.school.pupils import Pupil, replay_entries
from pitbook.rules.game import Game
from pitbook.text import say

CACHE_MAX = 500  # Trainees whose streams this process keeps in memory.
GUESTS_MAX = 500  # Questions to a guest.
SHARES_TTL = timedelta(minutes=1)
SWEEP_INTERVAL = timedelta(minutes=10)
LONG_AGO = datetime.min.replace(tzinfo=UTC)


class AskedQuestion(NamedTuple):
    """A question that was asked, with its number."""

    question: ItemAsked
    item: Item


class JudgedAnswer(NamedTuple):
    """An answer, the question, and the trainee's progress after it."""

    given: ItemAnswered
    item: Item
    progress: TraineeProgress


# Remakes a question that was asked, or raises the reason why not.
Remake = Callable[[ItemAsked], Item]


class DrillSessions:
    """The drills of everyone in one ledger. Thread-safe."""

    def __init__(self, ledger: Ledger) -> None:
        self._ledger = ledger
        self._writers: OrderedDict[str, StreamWriter[Pupil, OfDrills]] = OrderedDict()
        self._stood: OrderedDict[tuple[str, ...], TraineeProgress] = OrderedDict()
        self._shares: tuple[datetime, Mapping[QuestionClass, Share]] = LONG_AGO, {}
        self._swept = LONG_AGO
        self._lock = threading.Lock()

    def writer(self, name: str) -> StreamWriter[Pupil, OfDrills]:
        """The stream of one person."""
        with self._lock:
            if name not in self._writers:
                reader = StreamReader(self._ledger, f"{PUPIL}{name}", Pupil(), replay_entries)
                self._writers[name] = StreamWriter(
                    reader, DRILLS, prunable=name.startswith(GUEST_PREFIX)
                )
            self._writers.move_to_end(name)
            while len(self._writers) > CACHE_MAX:
                self._writers.popitem(last=False)
            return self._writers[name]

    def pupil(self, name: str) -> Pupil:
        """A trainee as recorded now."""
        return self.writer(name).catch_up()

    def has_asked(self, name: str) -> bool:
        """Whether this person was ever asked anything."""
        return self._ledger.stream(f"{PUPIL}{name}") is not None

    def names(self) -> list[str]:
        """Everyone who was ever asked anything."""
        return [stream.name.removeprefix(PUPIL) for stream in self._ledger.streams(PUPIL)]

    def sweep(self, joined: Container[str], now: datetime, age: timedelta) -> None:
        """Delete records of guests who can no longer come back to them."""
        with self._lock:
            if now - self._swept < SWEEP_INTERVAL:
                return
            self._swept = now
        before = now - age
        for stream in self._ledger.streams(f"{PUPIL}{GUEST_PREFIX}"):
            name = stream.name.removeprefix(PUPIL)
            if stream.prunable and name not in joined and self._last(stream) < before:
                self._forget(name, now)

    def _last(self, stream: Stream) -> datetime:
        """When the stream was last written."""
        entries = self._ledger.entries(stream.name, after=stream.seq - 1)
        return max(datetime.fromisoformat(entry.at) for entry in entries)

    def _forget(self, name: str, now: datetime) -> None:
        with self._lock:
            self._writers.pop(name, None)
            self._stood.pop((name,), None)
        with suppress(LedgerError):  # Another process pruned it just now.
            prune(self._ledger, f"{PUPIL}{name}", at=now.isoformat())

    def answers(self, names: Iterable[str]) -> tuple[AnsweredItem, ...]:
        """A person's answers under all their names, oldest first."""
        answers = [
            answer for name in names if self.has_asked(name) for answer in self.pupil(name).answers
        ]
        return tuple(sorted(answers, key=lambda answer: answer.at))

    def skipped_count(self, names: Iterable[str]) -> int:
        """How many questions were asked and skipped, which shows who picks only the easy ones."""
        pupils = [self.pupil(name) for name in names if self.has_asked(name)]
        return sum(
            pupil.questions_asked - len(pupil.answers) - (pupil.open is not None)
            for pupil in pupils
        )

    def progress(self, names: tuple[str, ...]) -> TraineeProgress:
        """A person's progress; counts only answers that are new since the last call."""
        answers = self.answers(names)
        with self._lock:
            progress = self._stood.get(names, TraineeProgress())
        counted = len(progress.answers)
        if answers[:counted] != progress.answers:
            progress, counted = TraineeProgress(), 0
        for answer in answers[counted:]:
            progress = add_answer(progress, answer)
        with self._lock:
            self._stood[names] = progress
            self._stood.move_to_end(names)
            while len(self._stood) > CACHE_MAX:
                self._stood.popitem(last=False)
        return progress

    def shares(self, now: datetime) -> Mapping[QuestionClass, Share]:
        """Shares of correct answers over everyone but guests, at most a minute old."""
        with self._lock:
            at, shares = self._shares
            if now - at < SHARES_TTL:
                return shares
            self._shares = now, shares  # Others use the previous shares meanwhile.
        names = [name for name in self.names() if not name.startswith(GUEST_PREFIX)]
        shares = shares_by_class(answer for name in names for answer in self.pupil(name).answers)
        with self._lock:
            self._shares = now, shares
        return shares

    def ask(
        self,
        names: tuple[str, ...],
        game: Game,
        seed: str,
        now: datetime,
        *,
        kinds: tuple[str, ...] = (),
        bias: Bias = "none",
        seconds: int | None = None,
        questions_max: int | None = None,
    ) -> AskedQuestion:
        """Ask the next question; an unanswered one is dropped."""
        progress = replace(self.progress(names), shares=self.shares(now))
        chosen = choose_item(game, progress, seed, now, kinds=kinds, bias=bias)
        return self.record_question(
            names[0], game, chosen, now, seconds=seconds, questions_max=questions_max
        )

    def record_question(
        self,
        name: str,
        game: Game,
        chosen: ChosenItem,
        now: datetime,
        *,
        seconds: int | None = None,
        questions_max: int | None = None,
    ) -> AskedQuestion:
        """Ask a chosen question."""
        kind, sheet = chosen.item.kind, game.sheet.id

        def decide(pupil: Pupil) -> PendingWrite[OfDrills]:
            if questions_max is not None and pupil.questions_asked >= questions_max:
                raise PitbookError(say("drills.guest-is-done", most=questions_max))
            number, at = pupil.questions_asked + 1, now.isoformat(timespec="milliseconds")
            question = ItemAsked(number, sheet, game.digest, kind, chosen.seed, at, seconds)
            return PendingWrite([question])

        written = self.writer(name).write(decide, RequestKey(name))
        (question,) = written.facts
        assert isinstance(question, ItemAsked)
        return AskedQuestion(question, chosen.item)

    def hint(self, name: str, number: int, remake: Remake) -> Item:
        """The open question, after recording the hint."""
        items: list[Item] = []

        def decide(pupil: Pupil) -> PendingWrite[OfDrills]:
            items[:] = [remake(_open_question(pupil, number))]
            return PendingWrite([HintGiven(number)])

        self.writer(name).write(decide, RequestKey(name))
        return items[0]

    def answer(
        self, names: tuple[str, ...], number: int, text: str, now: datetime, remake: Remake
    ) -> JudgedAnswer:
        """Judge an answer; a repeated answer gets the same verdict."""
        verdicts: list[tuple[ItemAnswered, Item]] = []

        def decide(pupil: Pupil) -> PendingWrite[OfDrills] | None:
            if (earlier := _earlier_verdict(pupil, number, text, remake)) is not None:
                verdicts[:] = [earlier]
                return None
            question = _open_question(pupil, number)
            item = remake(question)
            judged = _grade_answer(question, item, normalize_answer(item.question, text), now)
            verdicts[:] = [(judged, item)]
            return PendingWrite([judged])

        self.writer(names[0]).write(decide, RequestKey(names[0]))
        answer_given, item = verdicts[0]
        return JudgedAnswer(answer_given, item, self.progress(names))


def question_mark(question: ItemAsked) -> str:
    """Tells apart questions with the same number, such as those of the earlier guest."""
    return sha256(f"question {question.seed} {question.at}".encode()).hexdigest()[:12]


def _grade_answer(question: ItemAsked, item: Item, text: str, now: datetime) -> ItemAnswered:
    ms = max(0, round((now - datetime.fromisoformat(question.at)).total_seconds() * 1000))
    late = question.seconds is not None and ms > question.seconds * 1000
    right, level = text == item.answer and not late, difficulty_level(item.work)
    at = now.isoformat(timespec="milliseconds")
    return ItemAnswered(question.number, text, item.answer, right, late, ms, level, item.fact, at)


def _open_question(pupil: Pupil, number: int) -> ItemAsked:
    if pupil.open is None or pupil.open.number != number:
        raise PitbookError(say("drills.not-open", number=number))
    return pupil.open


def _earlier_verdict(
    pupil: Pupil, number: int, text: str, remake: Remake
) -> tuple[ItemAnswered, Item] | None:
    """The verdict on the last answer, if this one is the same."""
    if pupil.last is None or pupil.last[1].number != number:
        return None
    question, answer_given = pupil.last
    item = remake(question)
    return (
        (answer_given, item)
        if normalize_answer(item.question, text) == answer_given.given
        else None
    )
