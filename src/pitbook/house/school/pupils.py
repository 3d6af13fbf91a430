"""A pupil's drill sessions: ask, hint, answer, and record before replying."""

from __future__ import annotations

import threading
from collections import OrderedDict
from collections.abc import Callable, Container, Iterable, Mapping
from contextlib import suppress
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from hashlib import sha256
from typing import Any, NamedTuple

from pitbook.drills.grade import normal
from pitbook.drills.item import Item
from pitbook.drills.kinds import Bias, ChosenItem, choose
from pitbook.drills.progress import AnsweredItem, Class, Share, Standing, answered, level_of, pooled
from pitbook.errors import FactError, LedgerError, PitbookError
from pitbook.house.ledger.batch import prune
from pitbook.house.ledger.chain import Entry
from pitbook.house.ledger.journal import Ledger, Stream
from pitbook.house.ledger.stream_reader import StreamReader
from pitbook.house.ledger.stream_writer import PendingWrite, RequestKey, StreamWriter
from pitbook.house.people.names import GUEST_PREFIX
from pitbook.house.school.events import (
    DRILLS,
    PUPIL,
    Began,
    ExamEnded,
    Hinted,
    ItemAnswered,
    ItemAsked,
    OfDrills,
    PaperGiven,
)
from pitbook.rules.game import Game
from pitbook.sheets.findings import printable
from pitbook.text import say


class ExamAttempt(NamedTuple):
    """A test that is being taken, or was."""

    began: Began
    given: tuple[PaperGiven, ...] = ()
    ended: ExamEnded | None = None

    @property
    def position(self) -> int:
        """Which question comes next."""
        return len(self.given)


class Pupil(NamedTuple):
    """What was asked and answered, and tests by their number."""

    open: ItemAsked | None = None
    hints: int = 0
    asked: int = 0
    answers: tuple[AnsweredItem, ...] = ()
    last: tuple[ItemAsked, ItemAnswered] | None = None  # The question that was answered last.
    attempts: Mapping[str, ExamAttempt] = {}


def read(before: Pupil, entries: Iterable[Entry]) -> Pupil:
    """Somebody after some entries."""
    for entry in entries:
        for fact in DRILLS.load_entry(entry):
            before = evolve(before, fact)
    return before


def evolve(before: Pupil, fact: OfDrills) -> Pupil:
    """Somebody after one more fact."""
    return _FOLDS[type(fact)](before, fact)


def _asked(before: Pupil, fact: ItemAsked) -> Pupil:
    return before._replace(open=fact, hints=0, asked=fact.number)


def _hinted(before: Pupil, fact: Hinted) -> Pupil:
    return before._replace(hints=before.hints + 1)


def _given(before: Pupil, fact: ItemAnswered) -> Pupil:
    if (asked := before.open) is None or asked.number != fact.number:
        raise FactError(say("drills.not-open", number=fact.number))
    made = AnsweredItem(
        *(asked.sheet, asked.hash, asked.kind, asked.seed, fact.level, fact.about),
        *(fact.wanted, fact.given, fact.right, fact.ms, before.hints, fact.at),
    )
    answers = (*before.answers, made)
    return before._replace(open=None, answers=answers, last=(asked, fact))


def _began(before: Pupil, fact: Began) -> Pupil:
    return before._replace(attempts={**before.attempts, fact.attempt: ExamAttempt(fact)})


def _test_given(before: Pupil, fact: PaperGiven) -> Pupil:
    was = _attempt(before, fact.attempt)
    now = was._replace(given=(*was.given, fact))
    return before._replace(attempts={**before.attempts, fact.attempt: now})


def _ended(before: Pupil, fact: ExamEnded) -> Pupil:
    now = _attempt(before, fact.attempt)._replace(ended=fact)
    return before._replace(attempts={**before.attempts, fact.attempt: now})


def _attempt(pupil: Pupil, attempt: str) -> ExamAttempt:
    if (found := pupil.attempts.get(attempt)) is None:
        raise FactError(say("drills.not-begun", attempt=printable(attempt)))
    return found


_FOLDS: dict[type, Callable[[Pupil, Any], Pupil]] = {
    ItemAsked: _asked,
    Hinted: _hinted,
    ItemAnswered: _given,
    Began: _began,
    PaperGiven: _test_given,
    ExamEnded: _ended,
}


# Drill sessions -----------------------------------------------------------------------------------


KEPT_MAX = 500  # Pupils whose books this process has read.
GUESTS_MAX = 500  # Questions to somebody without a name.
FRESH = timedelta(minutes=1)
SWEEP = timedelta(minutes=10)
LONG_AGO = datetime.min.replace(tzinfo=UTC)


class Put(NamedTuple):
    """A question that was put, under its number."""

    asked: ItemAsked
    item: Item


class Judged(NamedTuple):
    """An answer and what is right."""

    given: ItemAnswered
    item: Item
    standing: Standing


Remake = Callable[[ItemAsked], Item]  # The item of a question that was put; else it says why not.


class DrillDesk:
    """Everybody's drills over one book; safe to use from several threads."""

    def __init__(self, ledger: Ledger) -> None:
        self._ledger = ledger
        self._writers: OrderedDict[str, StreamWriter[Pupil, OfDrills]] = OrderedDict()
        self._stood: OrderedDict[tuple[str, ...], Standing] = OrderedDict()
        self._shares: tuple[datetime, Mapping[Class, Share]] = LONG_AGO, {}
        self._swept = LONG_AGO
        self._lock = threading.Lock()

    def writer(self, name: str) -> StreamWriter[Pupil, OfDrills]:
        """The stream of one person."""
        with self._lock:
            if name not in self._writers:
                reader = StreamReader(self._ledger, f"{PUPIL}{name}", Pupil(), read)
                self._writers[name] = StreamWriter(
                    reader, DRILLS, prunable=name.startswith(GUEST_PREFIX)
                )
            self._writers.move_to_end(name)
            while len(self._writers) > KEPT_MAX:
                self._writers.popitem(last=False)
            return self._writers[name]

    def pupil(self, name: str) -> Pupil:
        """Somebody as the book has it now."""
        return self.writer(name).catch_up()

    def knows(self, name: str) -> bool:
        """Whether somebody was ever asked anything."""
        return self._ledger.stream(f"{PUPIL}{name}") is not None

    def names(self) -> list[str]:
        """Everybody who was ever asked anything."""
        every = (one.name for one in self._ledger.streams())
        return [one.removeprefix(PUPIL) for one in every if one.startswith(PUPIL)]

    def sweep(self, joined: Container[str], now: datetime, age: timedelta) -> None:
        """Clear away what guests left: nobody who has not signed in since can come back to it."""
        with self._lock:
            if now - self._swept < SWEEP:
                return
            self._swept = now
        before = now - age
        for stream in self._ledger.streams():
            name = stream.name.removeprefix(PUPIL)
            is_guest = stream.name.startswith(f"{PUPIL}{GUEST_PREFIX}") and stream.prunable
            if is_guest and name not in joined and self._last(stream) < before:
                self._forget(name, now)

    def _last(self, stream: Stream) -> datetime:
        """When something was written last."""
        written = self._ledger.entries(stream.name, after=stream.seq - 1)
        return max(datetime.fromisoformat(one.at) for one in written)

    def _forget(self, name: str, now: datetime) -> None:
        with self._lock:
            self._writers.pop(name, None)
            self._stood.pop((name,), None)
        with suppress(LedgerError):  # Another process did, this moment.
            prune(self._ledger, f"{PUPIL}{name}", at=now.isoformat())

    def answers(self, names: Iterable[str]) -> tuple[AnsweredItem, ...]:
        """What somebody answered under all their names, oldest first."""
        made = [one for name in names if self.knows(name) for one in self.pupil(name).answers]
        return tuple(sorted(made, key=lambda one: one.at))

    def left(self, names: Iterable[str]) -> int:
        """Questions that were put and passed over: who answers the easy ones alone is seen."""
        people = [self.pupil(name) for name in names if self.knows(name)]
        return sum(one.asked - len(one.answers) - (one.open is not None) for one in people)

    def standing(self, names: tuple[str, ...]) -> Standing:
        """Where somebody stands; answers that were counted are not counted again."""
        made = self.answers(names)
        with self._lock:
            before = self._stood.get(names, Standing())
        known = len(before.answers)
        if made[:known] != before.answers:
            before, known = Standing(), 0
        for one in made[known:]:
            before = answered(before, one)
        with self._lock:
            self._stood[names] = before
            self._stood.move_to_end(names)
            while len(self._stood) > KEPT_MAX:
                self._stood.popitem(last=False)
        return before

    def shares(self, now: datetime) -> Mapping[Class, Share]:
        """Shares of right answers of everyone who has a name, as they were a minute ago."""
        with self._lock:
            at, known = self._shares
            if now - at < FRESH:
                return known
            self._shares = now, known  # Others need not wait: they have the ones before.
        names = [one for one in self.names() if not one.startswith(GUEST_PREFIX)]
        known = pooled(one for name in names for one in self.pupil(name).answers)
        with self._lock:
            self._shares = now, known
        return known

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
        most: int | None = None,
    ) -> Put:
        """Put the next question; one that was not answered is dropped for it."""
        standing = replace(self.standing(names), shares=self.shares(now))
        chosen = choose(game, standing, seed, now, kinds=kinds, bias=bias)
        return self.put(names[0], game, chosen, now, seconds=seconds, most=most)

    def put(
        self,
        name: str,
        game: Game,
        chosen: ChosenItem,
        now: datetime,
        *,
        seconds: int | None = None,
        most: int | None = None,
    ) -> Put:
        """Put a question that was chosen."""
        kind, sheet = chosen.item.kind, game.sheet.id

        def decide(pupil: Pupil) -> PendingWrite[OfDrills]:
            if most is not None and pupil.asked >= most:
                raise PitbookError(say("drills.guest-is-done", most=most))
            number, at = pupil.asked + 1, now.isoformat(timespec="milliseconds")
            made = ItemAsked(number, sheet, game.digest, kind, chosen.seed, at, seconds)
            return PendingWrite([made])

        written = self.writer(name).write(decide, RequestKey(name))
        (asked,) = written.facts
        assert isinstance(asked, ItemAsked)
        return Put(asked, chosen.item)

    def hint(self, name: str, number: int, remake: Remake) -> Item:
        """The question that is open, once it is on record that a hint was shown."""
        found: list[Item] = []

        def decide(pupil: Pupil) -> PendingWrite[OfDrills]:
            found[:] = [remake(_open(pupil, number))]
            return PendingWrite([Hinted(number)])

        self.writer(name).write(decide, RequestKey(name))
        return found[0]

    def answer(
        self, names: tuple[str, ...], number: int, text: str, now: datetime, remake: Remake
    ) -> Judged:
        """Judge an answer; one that comes again has the verdict that it had."""
        found: list[tuple[ItemAnswered, Item]] = []

        def decide(pupil: Pupil) -> PendingWrite[OfDrills] | None:
            if (again := _before(pupil, number, text, remake)) is not None:
                found[:] = [again]
                return None
            asked = _open(pupil, number)
            item = remake(asked)
            made = _grade(asked, item, normal(item.question, text), now)
            found[:] = [(made, item)]
            return PendingWrite([made])

        self.writer(names[0]).write(decide, RequestKey(names[0]))
        given, item = found[0]
        return Judged(given, item, self.standing(names))


def mark_of(asked: ItemAsked) -> str:
    """What tells a question from another of the same number, as of the guest that one was."""
    return sha256(f"question {asked.seed} {asked.at}".encode()).hexdigest()[:12]


def _grade(asked: ItemAsked, item: Item, text: str, now: datetime) -> ItemAnswered:
    ms = max(0, round((now - datetime.fromisoformat(asked.at)).total_seconds() * 1000))
    late = asked.seconds is not None and ms > asked.seconds * 1000
    right, level = text == item.answer and not late, level_of(item.work)
    at = now.isoformat(timespec="milliseconds")
    return ItemAnswered(asked.number, text, item.answer, right, late, ms, level, item.fact, at)


def _open(pupil: Pupil, number: int) -> ItemAsked:
    if pupil.open is None or pupil.open.number != number:
        raise PitbookError(say("drills.not-open", number=number))
    return pupil.open


def _before(
    pupil: Pupil, number: int, text: str, remake: Remake
) -> tuple[ItemAnswered, Item] | None:
    """The verdict on an answer that came before, where it is the same."""
    if pupil.last is None or pupil.last[1].number != number:
        return None
    asked, given = pupil.last
    item = remake(asked)
    return (given, item) if normal(item.question, text) == given.given else None
