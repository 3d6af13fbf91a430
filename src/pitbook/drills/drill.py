"""Drill questions as values: `pitbook.drill`; `pitbook drill` asks them one by one."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime
from typing import Any

from pitbook.answer_tables import Answer
from pitbook.cards import name
from pitbook.drills.grade import is_right, render_answer
from pitbook.drills.kinds import choose_item, find_kind, kind_title
from pitbook.drills.kinds import drill as make_item
from pitbook.drills.progress import TraineeProgress
from pitbook.drills.question import Item, Question, Reason
from pitbook.errors import PitbookError
from pitbook.rules.game import compile_game
from pitbook.sheets.arguments import SomeSheet, integer_of, sheet_of, text_of
from pitbook.sheets.hashes import digest
from pitbook.shoe.dealing import fresh_seed
from pitbook.text import say

QUESTIONS_MAX = 10_000


@dataclass(frozen=True)
class DrillQuestion:
    """A question, its answer, and the reasons with their clauses."""

    number: int
    kind: str
    title: str
    text: str  # The cards, the wagers, the question and its options, line by line.
    answer: str  # As typed: an amount, or the letter of an option.
    answer_text: str
    reasons: tuple[Reason, ...]
    _item: Item = field(repr=False)

    @property
    def clauses(self) -> tuple[str, ...]:
        """The clauses that the answer cites."""
        return self._item.clauses

    def is_right(self, answer: str) -> bool:
        """Whether a typed answer is correct; raises PitbookError if it cannot be read."""
        return is_right(self._item, text_of(answer, "answer"))


@dataclass(frozen=True, repr=False)
class Drill(Answer):
    """Questions about a sheet; the same seed asks the same questions again."""

    sheet: str
    hash: str
    seed: str
    questions: tuple[DrillQuestion, ...]

    def document(self) -> dict[str, Any]:
        """The questions with their answers as JSON."""
        return {"sheet": self.sheet, "hash": self.hash, "seed": self.seed, "items": self.records()}

    def _rows(self) -> Iterator[dict[str, Any]]:
        for question in self.questions:
            yield {
                "number": question.number,
                "kind": question.kind,
                "question": question.text,
                "answer": question.answer,
                "answer_text": question.answer_text,
                "clauses": " ".join(question.clauses),
            }

    def _lines(self) -> tuple[str, ...]:
        return (f"{len(self.questions)} questions about {self.sheet}, seed {self.seed}",)


def drill(
    sheet: SomeSheet,
    kind: str | Sequence[str] = (),
    *,
    count: int = 10,
    seed: str | None = None,
) -> Drill:
    """Questions that a dealer must be able to answer, with the answers and their clauses.

    `kind` is one kind of question or several; without it, every kind that the sheet supports.

    >>> questions = drill("catfish-bend/mississippi-stud", "pay-hand", count=2, seed="a").questions
    >>> questions[0].is_right(questions[0].answer)
    True
    """
    game = compile_game(sheet_of(sheet))
    kinds = (kind,) if isinstance(kind, str) else tuple(kind)
    names = tuple(find_kind(text_of(kind_name, "kind")).id for kind_name in kinds)
    if not 1 <= integer_of(count, "count") <= QUESTIONS_MAX:
        raise PitbookError(say("api.count", most=QUESTIONS_MAX, given=count))
    for kind_name in names:
        make_item(game, kind_name, "is there one")  # Raises if there is no such question.
    seed_used = fresh_seed() if seed is None else text_of(seed, "seed")
    now, progress = datetime.now(UTC), TraineeProgress()
    items = (
        choose_item(game, progress, f"{seed_used}-{number}", now, kinds=names).item
        for number in range(1, count + 1)
    )
    questions = tuple(_question(number, item) for number, item in enumerate(items, start=1))
    return Drill(game.sheet.id, digest(game.sheet), seed_used, questions)


def _question(number: int, item: Item) -> DrillQuestion:
    return DrillQuestion(
        number=number,
        kind=item.kind,
        title=str(kind_title(item.kind)),
        text="\n".join(_question_lines(item.question)),
        answer=item.answer,
        answer_text=str(render_answer(item.question, item.answer)),
        reasons=item.reasons,
        _item=item,
    )


def _question_lines(question: Question) -> Iterator[str]:
    layout = question.lies
    for title, cards in layout.common if layout else ():
        if cards:
            yield f"{title}: {' '.join(map(name, cards))}"
    for seat in layout.seats if layout else ():
        wagers = tuple(
            say("drills.acts.bet", amount=stake, title=title) for title, stake in seat.wagers
        )
        fields = {"wagers": wagers, "plays": seat.plays, "said": len(seat.plays)}
        seat_text = say("cli.drill.seat", seat=seat.seat, **fields)
        yield f"{seat_text} {' '.join(map(name, seat.cards))}".rstrip()
    yield from map(str, question.lines)
    yield str(question.ask)
    for option in question.options:
        faces = " ".join(map(name, option.cards))
        yield f"{option.id}  {option.text}{faces}"
    if question.chips:
        yield str(say("cli.drill.chips", values=question.chips))
