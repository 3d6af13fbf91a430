"""A drill session in the terminal: ask, check and explain."""

from __future__ import annotations

import time
from collections.abc import Iterator
from dataclasses import dataclass, field
from datetime import UTC, datetime
from typing import Any

from rich.console import Console
from rich.text import Text

from pitbook.cli.drill_answers_file import AnswersOnFile
from pitbook.cli.language import localize
from pitbook.cli.play_table import KeySource, LeaveTable, cards_text
from pitbook.cli.rich_output import plain
from pitbook.drills.grade import answer_format, normalize_answer, render_answer
from pitbook.drills.kinds import Bias, ChosenItem, choose_item, drill, kind_title
from pitbook.drills.progress import (
    AnsweredItem,
    TraineeProgress,
    add_answer,
    difficulty_level,
    progress_from,
    spot_error_counts,
    tally,
)
from pitbook.drills.question import Item, Question
from pitbook.errors import PitbookError
from pitbook.rules.game import Game
from pitbook.sheets.clauses import ClauseUnknown, find_clause
from pitbook.sheets.phrases import game_and_venue
from pitbook.text import say, sentence_of

HINT, LEAVE, PROMPT = "?", ("q", "quit"), "> "


@dataclass
class DrillSession:
    """A drill session on one sheet."""

    game: Game
    kinds: tuple[str, ...]
    bias: Bias
    seed: str
    seconds: float | None
    console: Console
    keys: KeySource
    answers_file: AnswersOnFile
    progress: TraineeProgress = field(default_factory=TraineeProgress)
    results: list[dict[str, Any]] = field(default_factory=list)
    answers: list[AnsweredItem] = field(default_factory=list)

    def run(self, count: int) -> None:
        """Ask this many questions, or until the user quits."""
        for kind in self.kinds:
            drill(self.game, kind, "is there one")  # Raises if there is no such drill.
        self.progress = progress_from(self.answers_file.answers())
        sheet = self.game.sheet
        self.say(self._plain(game_and_venue(sheet.title, sheet.house.venue), "bold"))
        self.say(say("cli.drill.seed", seed=self.seed))
        try:
            for number in range(1, count + 1):
                self._ask(number)
        except (LeaveTable, KeyboardInterrupt, EOFError):
            self.say("")
        self._print_summary()

    def say(self, text: object) -> None:
        """Print a line."""
        localized = self._localize(text) if isinstance(text, str) else text
        self.console.print(localized, highlight=False)

    def _localize(self, text: str) -> str:
        """A text in the output language and the sheet's currency."""
        return localize(text)

    def _plain(self, text: str, style: str = "") -> Text:
        return plain(self._localize(text), style)

    def _ask(self, number: int) -> None:
        now = datetime.now(UTC)
        seed, kinds, bias = f"{self.seed}-{number}", self.kinds, self.bias
        chosen = choose_item(self.game, self.progress, seed, now, kinds=kinds, bias=bias)
        item = chosen.item
        self.say("")
        title = say("cli.drill.question", number=number, kind=kind_title(item.kind))
        self.say(self._plain(title, "bold"))
        for line in self._question_lines(item.question):
            self.say(line)
        started = time.monotonic()
        answer_text, hints = self._answer(item)
        self._judge(chosen, answer_text, hints, round((time.monotonic() - started) * 1000))

    def _question_lines(self, question: Question) -> Iterator[object]:
        layout = question.lies
        for title, cards in [pile for pile in layout.common if pile[1]] if layout else ():
            yield Text.assemble(
                "  ", f"{self._localize(title)}: ", cards_text(cards, 0, self.console)
            )
        for seat in layout.seats if layout else ():
            wagers = tuple(
                say("drills.acts.bet", amount=n, title=title) for title, n in seat.wagers
            )
            seat_text = say(
                "cli.drill.seat",
                seat=seat.seat,
                wagers=wagers,
                plays=seat.plays,
                said=len(seat.plays),
            )
            yield Text.assemble(
                "  ", self._localize(seat_text), " ", cards_text(seat.cards, 0, self.console)
            )
        for line in question.lines:
            yield Text(f"  {self._localize(line)}")
        yield self._plain(question.ask)
        for option in question.options:
            faces = cards_text(option.cards, 0, self.console)
            yield Text.assemble(f"  {option.id}  ", self._localize(option.text), faces)
        if question.chips:
            yield self._plain(say("cli.drill.chips", values=question.chips))

    def _answer(self, item: Item) -> tuple[str, int]:
        """The normalized answer, and the number of hints used."""
        hints, option_ids = 0, {option.id for option in item.question.options}
        while True:
            typed = self.keys.line(PROMPT).strip()
            if typed.lower() in LEAVE and typed not in option_ids:
                raise LeaveTable
            if typed == HINT:
                hints += 1
                self._hint(item)
                continue
            try:
                return normalize_answer(item.question, typed), hints
            except PitbookError as error:
                self.say(self._plain(sentence_of(error)))

    def _hint(self, item: Item) -> None:
        """Show the deciding clauses and the form of the answer."""
        self.say(say("cli.drill.how", how=answer_format(item.question)))
        for clause in item.clauses:
            try:
                clause_text = find_clause(clause)
            except ClauseUnknown:
                self.say(self._plain(clause, "dim"))
            else:
                self.say(self._plain(f"{clause}: {clause_text.text}", "dim"))

    def _judge(self, chosen: ChosenItem, answer_text: str, hints: int, ms: int) -> None:
        item, sheet = chosen.item, self.game.sheet
        late = self.seconds is not None and ms > self.seconds * 1000
        right = answer_text == item.answer and not late
        at = datetime.now(UTC).isoformat(timespec="milliseconds")
        level = difficulty_level(item.work)
        answer = AnsweredItem(
            *(sheet.id, self.game.digest, item.kind, chosen.seed, level, item.fact),
            *(item.answer, answer_text, right, ms, hints, at),
        )
        self.answers.append(answer)
        self.answers_file.add(answer)
        self.progress = add_answer(self.progress, answer)
        self._verdict(item, right=right, late=late and answer_text == item.answer)
        self.results.append(_document(chosen, answer))

    def _verdict(self, item: Item, *, right: bool, late: bool) -> None:
        answer = render_answer(item.question, item.answer)
        key = "cli.drill.right" if right else "cli.drill.late" if late else "cli.drill.wrong"
        self.say(self._plain(say(key, answer=answer), "bold green" if right else "bold red"))
        for reason in item.reasons:
            cited = reason.text
            if reason.clause:
                cited = say("form.clause", text=cited, clause=reason.clause)
            self.say(self._plain(cited, "dim"))

    def _print_summary(self) -> None:
        if not self.answers:
            return
        self.say("")
        self.say(tally(self.answers).sentence())
        spotted_errors = spot_error_counts(self.answers)
        if any(spotted_errors.values()):
            counts = {"catches": spotted_errors["catch"], "misses": spotted_errors["miss"]}
            self.say(say("cli.drill.spotted", **counts, alarms=spotted_errors["false-alarm"]))

    def document(self) -> dict[str, Any]:
        """The session as JSON."""
        score = tally(self.answers)
        return {
            "sheet": self.game.sheet.id,
            "hash": self.game.digest,
            "seed": self.seed,
            "asked": score.asked,
            "right": score.right,
            "hands_an_hour": score.hands_an_hour,
            "spotted": spot_error_counts(self.answers),
            "items": self.results,
        }


def _document(chosen: ChosenItem, answer: AnsweredItem) -> dict[str, Any]:
    item = chosen.item
    return {
        "kind": item.kind,
        "seed": chosen.seed,
        "question": item.question.document(),
        "given": answer.given,
        "answer": answer.wanted,
        "right": answer.right,
        "ms": answer.ms,
        "hints": answer.hints,
        "reasons": [{"text": reason.text, "clause": reason.clause} for reason in item.reasons],
    }
