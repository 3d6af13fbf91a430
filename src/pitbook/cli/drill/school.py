"""A lesson in the terminal: asked, answered, told why."""

from __future__ import annotations

import time
from collections.abc import Iterator
from dataclasses import dataclass, field
from datetime import UTC, datetime
from typing import Any

from rich.console import Console
from rich.text import Text

from pitbook.cli.drill.record import AnswersOnFile
from pitbook.cli.language import worded
from pitbook.cli.output import emit
from pitbook.cli.play_view import GoHome, KeySource, cards_text
from pitbook.cli.render import plain
from pitbook.drills.grade import how_to, normal, shown
from pitbook.drills.item import Item, Question
from pitbook.drills.kinds import Bias, ChosenItem, allowed, choose, drill, title_of
from pitbook.drills.progress import (
    AnsweredItem,
    Standing,
    answered,
    level_of,
    spotted,
    stand,
    tally,
)
from pitbook.errors import PitbookError
from pitbook.rules.game import Game
from pitbook.sheets.clauses import ClauseUnknown, find_clause
from pitbook.sheets.prose.words import game_and_venue
from pitbook.text import say, sentence_of

HINT, LEAVE, PROMPT = "?", ("q", "quit"), "> "


@dataclass
class TerminalSchool:
    """A dealer, a sheet, and questions one after another."""

    game: Game
    kinds: tuple[str, ...]
    bias: Bias
    seed: str
    seconds: float | None
    console: Console
    keys: KeySource
    kept: AnswersOnFile
    standing: Standing = field(default_factory=Standing)
    told: list[dict[str, Any]] = field(default_factory=list)
    made: list[AnsweredItem] = field(default_factory=list)

    def run(self, count: int) -> None:
        """So many questions, or until the dealer leaves."""
        for kind in self.kinds:
            drill(self.game, kind, "is there one")  # Else it says why not.
        self.standing = stand(self.kept.answers())
        sheet = self.game.sheet
        self.say(self._plain(game_and_venue(sheet.title, sheet.house.venue), "bold"))
        self.say(say("cli.drill.seed", seed=self.seed))
        try:
            for number in range(1, count + 1):
                self._ask(number)
        except (GoHome, KeyboardInterrupt, EOFError):
            self.say("")
        self._farewell()

    def say(self, text: object) -> None:
        """A line in the terminal."""
        told = self._in(text) if isinstance(text, str) else text
        self.console.print(told, highlight=False)

    def _in(self, text: str) -> str:
        """A text as it is told: in the language that is spoken, its money of this house."""
        return worded(text)

    def _plain(self, text: str, style: str = "") -> Text:
        return plain(self._in(text), style)

    def _ask(self, number: int) -> None:
        now = datetime.now(UTC)
        seed, kinds, bias = f"{self.seed}-{number}", self.kinds, self.bias
        chosen = choose(self.game, self.standing, seed, now, kinds=kinds, bias=bias)
        item = chosen.item
        self.say("")
        title = say("cli.drill.question", number=number, kind=title_of(item.kind))
        self.say(self._plain(title, "bold"))
        for line in self._shown(item.question):
            self.say(line)
        began = time.monotonic()
        given, hints = self._answer(item)
        self._judge(chosen, given, hints, round((time.monotonic() - began) * 1000))

    def _shown(self, question: Question) -> Iterator[object]:
        lies = question.lies
        for title, cards in [one for one in lies.common if one[1]] if lies else ():
            yield Text.assemble("  ", f"{self._in(title)}: ", cards_text(cards, 0, self.console))
        for seat in lies.seats if lies else ():
            wagers = tuple(
                say("drills.acts.bet", amount=n, title=title) for title, n in seat.wagers
            )
            told = say(
                "cli.drill.seat",
                seat=seat.seat,
                wagers=wagers,
                plays=seat.plays,
                said=len(seat.plays),
            )
            yield Text.assemble("  ", self._in(told), " ", cards_text(seat.cards, 0, self.console))
        for line in question.lines:
            yield Text(f"  {self._in(line)}")
        yield self._plain(question.ask)
        for option in question.options:
            faces = cards_text(option.cards, 0, self.console)
            yield Text.assemble(f"  {option.id}  ", self._in(option.text), faces)
        if question.chips:
            yield self._plain(say("cli.drill.chips", values=question.chips))

    def _answer(self, item: Item) -> tuple[str, int]:
        """What is answered, in its one form; and how many hints it took."""
        hints, letters = 0, {one.id for one in item.question.options}
        while True:
            typed = self.keys.line(PROMPT).strip()
            if typed.lower() in LEAVE and typed not in letters:
                raise GoHome
            if typed == HINT:
                hints += 1
                self._hint(item)
                continue
            try:
                return normal(item.question, typed), hints
            except PitbookError as error:
                self.say(self._plain(sentence_of(error)))

    def _hint(self, item: Item) -> None:
        """The clauses that decide, and how to answer: no more than the rules have."""
        self.say(say("cli.drill.how", how=how_to(item.question)))
        for clause in item.clauses:
            try:
                found = find_clause(clause)
            except ClauseUnknown:
                self.say(self._plain(clause, "dim"))
            else:
                self.say(self._plain(f"{clause}: {found.text}", "dim"))

    def _judge(self, chosen: ChosenItem, given: str, hints: int, ms: int) -> None:
        item, sheet = chosen.item, self.game.sheet
        late = self.seconds is not None and ms > self.seconds * 1000
        right = given == item.answer and not late
        at = datetime.now(UTC).isoformat(timespec="milliseconds")
        level = level_of(item.work)
        one = AnsweredItem(
            *(sheet.id, self.game.digest, item.kind, chosen.seed, level, item.fact),
            *(item.answer, given, right, ms, hints, at),
        )
        self.made.append(one)
        self.kept.add(one)
        self.standing = answered(self.standing, one)
        self._verdict(item, right=right, late=late and given == item.answer)
        self.told.append(_document(chosen, one))

    def _verdict(self, item: Item, *, right: bool, late: bool) -> None:
        answer = shown(item.question, item.answer)
        key = "cli.drill.right" if right else "cli.drill.late" if late else "cli.drill.wrong"
        self.say(self._plain(say(key, answer=answer), "bold green" if right else "bold red"))
        for reason in item.reasons:
            cited = reason.text
            if reason.clause:
                cited = say("form.clause", text=cited, clause=reason.clause)
            self.say(self._plain(cited, "dim"))

    def _farewell(self) -> None:
        if not self.made:
            return
        self.say("")
        self.say(tally(self.made).told())
        found = spotted(self.made)
        if any(found.values()):
            counts = {"catches": found["catch"], "misses": found["miss"]}
            self.say(say("cli.drill.spotted", **counts, alarms=found["false-alarm"]))

    def document(self) -> dict[str, Any]:
        """The lesson as JSON."""
        found = tally(self.made)
        return {
            "sheet": self.game.sheet.id,
            "hash": self.game.digest,
            "seed": self.seed,
            "asked": found.asked,
            "right": found.right,
            "hands_an_hour": found.hands_an_hour,
            "spotted": spotted(self.made),
            "items": self.told,
        }


def _document(chosen: ChosenItem, one: AnsweredItem) -> dict[str, Any]:
    item = chosen.item
    return {
        "kind": item.kind,
        "seed": chosen.seed,
        "question": item.question.document(),
        "given": one.given,
        "answer": one.wanted,
        "right": one.right,
        "ms": one.ms,
        "hints": one.hints,
        "reasons": [{"text": why.text, "clause": why.clause} for why in item.reasons],
    }


def listed(game: Game, out: Console, *, as_json: bool) -> None:
    """The kinds that a sheet has."""
    kinds = allowed(game)
    if as_json:
        told = [{"kind": kind, "title": title_of(kind)} for kind in kinds]
        emit({"sheet": game.sheet.id, "kinds": told})
        return
    for kind in kinds:
        out.print(f"{kind:<14} {worded(title_of(kind))}", highlight=False)
