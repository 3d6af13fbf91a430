"""JSON views of drills, table tests, results and certificates."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from datetime import datetime
from secrets import randbelow
from typing import TypeVar, cast

from pitbook.coach.mistake_log import LoggedDecision
from pitbook.drills import misplayed
from pitbook.drills.grade import answer_format, render_answer
from pitbook.drills.kinds import ChosenItem, drill, kind_title
from pitbook.drills.misplayed import misplayed_hands, next_due, pick_due_decision
from pitbook.drills.progress import (
    AnsweredItem,
    DrillTally,
    TraineeProgress,
    by_day,
    by_kind,
    by_sheet,
    spot_error_counts,
    tally,
)
from pitbook.drills.question import Item, Question
from pitbook.errors import PitbookError, SheetError
from pitbook.house.ledger.writer import utc_now
from pitbook.house.school.api_types import (
    AnsweredQuestion,
    AnsweredQuestions,
    AvailableTest,
    Certificate,
    CertificateSummary,
    DrillKindView,
    GameTally,
    Hint,
    KindTally,
    NumberedQuestion,
    PacketItem,
    Progress,
    QuestionShown,
    RunningTest,
    SpottedErrors,
    TallyView,
    TestProgress,
    Verdict,
    Why,
)
from pitbook.house.school.drill_sessions import (
    AskedQuestion,
    DrillSessions,
    JudgedAnswer,
    question_mark,
)
from pitbook.house.school.facts import ExamComposed, ExamResult, ItemAsked, ResultItem
from pitbook.house.school.table_tests import (
    Examiner,
    ExamPaper,
    hash_of,
    questions_in_language,
    recorded_game,
)
from pitbook.house.web.languages import current_language
from pitbook.house.web.sheet_cache import SheetCache
from pitbook.rules.game import Game, compile_game
from pitbook.sheets.clauses import ClauseUnknown, find_clause
from pitbook.sheets.model import Sheet
from pitbook.sheets.phrases import game_and_venue
from pitbook.text import locale_of, say
from pitbook.text.sentences import translate_document

View = TypeVar("View")


class School:
    """The drills and table tests of a house, as views."""

    def __init__(
        self,
        drill_sessions: DrillSessions,
        examiner: Examiner,
        sheet_cache: SheetCache,
        *,
        clock: Callable[[], datetime] = utc_now,
    ) -> None:
        self.drill_sessions, self.examiner, self.clock, self._sheet_cache = (
            drill_sessions,
            examiner,
            clock,
            sheet_cache,
        )

    def remake(self, question: ItemAsked, spots: Iterable[LoggedDecision] = ()) -> Item:
        """Remake a question that was asked. Raises PitbookError if its rules are gone."""
        sheet = self._sheet(question.sheet)
        game = None if sheet is None else compile_game(sheet)
        if game is None or game.digest != question.hash:
            raise PitbookError(say("drills.rules-changed", sheet=question.sheet))
        if question.kind != misplayed.KIND:
            return drill(game, question.kind, question.seed)
        spot = next(
            (logged for logged in spots if misplayed.spot_seed(logged) == question.seed), None
        )
        item = None if spot is None else misplayed.spot_item(game, spot)
        if item is None:
            raise PitbookError(say("drills.not-open", number=question.number))
        return item

    def next_misplayed_item(
        self, game: Game, spots: list[LoggedDecision], names: tuple[str, ...], now: datetime
    ) -> ChosenItem:
        """A due misplayed hand under these rules. Raises PitbookError if there is none."""
        played = [spot for spot in spots if spot.sheet["hash"] == game.digest]
        hands = [
            spot
            for spot in misplayed_hands(played, self.drill_sessions.answers(names))
            if misplayed.spot_item(game, spot.decision) is not None
        ]
        decision = pick_due_decision(hands, now, randbelow)
        item = None if decision is None else misplayed.spot_item(game, decision)
        if decision is None or item is None:
            next_due_at = next_due(hands)
            if next_due_at is None:
                raise PitbookError(say("drills.no-spots"))
            raise PitbookError(say("drills.spots-later", day=next_due_at.date()))
        return ChosenItem(item, misplayed.spot_seed(decision))

    def sheet_label(self, sheet: str) -> str:
        """A sheet's title and venue, or its id if it no longer exists."""
        current_sheet = self._sheet(sheet)
        return (
            game_and_venue(current_sheet.title, current_sheet.house.venue)
            if current_sheet
            else sheet
        )

    def currency(self, sheet: str) -> str | None:
        """The currency of a sheet, if it states one."""
        current_sheet = self._sheet(sheet)
        return current_sheet.house.currency if current_sheet else None

    def games(self, progress: TraineeProgress) -> list[GameTally]:
        """The tally of each game."""
        return [
            {"sheet": sheet, "title": self.sheet_label(sheet), **tally_view(sheet_tally)}
            for sheet, sheet_tally in sorted(by_sheet(progress.answers).items())
        ]

    def _sheet(self, sheet: str) -> Sheet | None:
        try:
            return self._sheet_cache.load(sheet)
        except SheetError:  # There is none, or the file is no longer a valid sheet.
            return None

    # Questions and verdicts ----------------------------------------------------------------------

    def question_view(self, asked_question: AskedQuestion) -> NumberedQuestion:
        """A question as JSON."""
        question, item = asked_question
        currency = self.currency(question.sheet)
        view: NumberedQuestion = {
            "number": question.number,
            "mark": question_mark(question),
            "sheet": question.sheet,
            "kind": item.kind,
            "kind_title": kind_title(item.kind),
            "question": question_shown(item.question, currency),
            "how": answer_format(item.question),
            "seconds": question.seconds,
        }
        return localize(view, currency)

    def verdict(self, judged: JudgedAnswer, sheet: str) -> Verdict:
        """The verdict on an answer, as JSON."""
        answer_given, item, _ = judged
        view: Verdict = {
            "number": answer_given.number,
            "right": answer_given.right,
            "late": answer_given.late,
            "ms": answer_given.ms,
            "answer": answer_given.wanted,
            "answer_text": render_answer(item.question, answer_given.wanted),
            "given_text": render_answer(item.question, answer_given.given),
            "reasons": reasons_view(item),
        }
        return localize(view, self.currency(sheet))

    def progress(
        self, player: str, progress: TraineeProgress, names: tuple[str, ...], now: datetime
    ) -> Progress:
        """A trainee's progress, as JSON."""
        answers = progress.answers
        total = tally(answers)
        return {
            "player": player,
            "sentence": total.sentence(),
            "all": tally_view(total),
            "kinds": kind_tallies(answers),
            "days": [
                {"day": practice_day.day, **tally_view(practice_day.tally)}
                for practice_day in by_day(answers)
            ],
            "spotted": _spot_error_view(answers),
            "games": self.games(progress),
            "missed": sum(
                len(progress.open_mistakes(digest))
                for digest in {answer.hash for answer in answers}
            ),
            "left": self.drill_sessions.skipped_count(names),
            "results": self.results(names, now),
        }

    # Tests ---------------------------------------------------------------------------------------

    def results(self, names: Iterable[str], now: datetime) -> list[CertificateSummary]:
        """A person's results under all their names, newest first, after closing overdue tests."""
        own_names = set(names)
        self.examiner.close_overdue(own_names, now)
        own_results = [
            result for result in self.examiner.load().results.values() if result.person in own_names
        ]
        return [
            result_summary(result)
            for result in sorted(own_results, key=lambda result: result.ended, reverse=True)
        ]

    def test(self, composed: ExamComposed) -> AvailableTest:
        """A test as listed."""
        sheet = self._sheet(composed.sheet)
        return {
            "test": composed.test,
            "title": composed.title,
            "sheet": composed.sheet,
            "sheet_title": sheet.title if sheet else composed.sheet,
            "kinds": [kind_view(kind) for kind in composed.kinds],
            "questions": composed.questions,
            "pass_mark": composed.pass_mark,
            "minutes": composed.minutes,
            "by": composed.by,
            "at": composed.at,
        }

    def running(self, name: str, now: datetime) -> list[RunningTest]:
        """A person's tests in progress."""
        return [
            {
                "attempt": paper.attempt,
                "test": paper.began.test,
                "title": paper.began.title,
                "seconds_left": _seconds_left(paper, now),
            }
            for paper in self.examiner.running(name, now)
        ]

    def paper(self, paper: ExamPaper, now: datetime) -> TestProgress:
        """The state of a test for the dealer taking it."""
        item, currency = paper.item, paper.currency
        view: TestProgress = {
            "attempt": paper.attempt,
            "title": paper.began.title,
            "position": paper.position,
            "questions": len(paper.began.items),
            "until": paper.began.until,
            "seconds_left": _seconds_left(paper, now),
            "kind_title": kind_title(item.kind) if item else None,
            "question": question_shown(item.question, currency) if item else None,
            "how": answer_format(item.question) if item else None,
            "result": result_summary(paper.result) if paper.result else None,
        }
        return localize(view, currency)

    def certificate(self, result: ExamResult) -> Certificate:
        """A result checked against the ledger and the sheet in force."""
        rules = self.examiner.rules_of(result)
        changes = self.examiner.changed_rules(result, self._sheet(result.sheet))
        genuine = hash_of(result) == result.id
        holds = genuine and result.passed and not changes
        view: Certificate = {
            **result_summary(result),
            "holds": holds,
            "genuine": genuine,
            "sheet_title": rules.title,
            "venue": rules.house.venue,
            "hash": result.hash,
            "pass_mark": result.pass_mark,
            "minutes": result.minutes,
            "began": result.began,
            "changed": changes,
            "sentence": _render_validity(result, genuine=genuine, changes=len(changes)),
        }
        return localize(view, rules.house.currency)


def _seconds_left(paper: ExamPaper, now: datetime) -> int:
    until = datetime.fromisoformat(paper.began.until)
    return max(0, round((until - now).total_seconds()))


def _render_validity(result: ExamResult, *, genuine: bool, changes: int) -> str:
    state = "forged" if not genuine else "failed" if not result.passed else "holds"
    if state == "holds" and changes:
        state = "expired"
    return say("drills.certificate", state=state, person=result.person, changes=changes)


def localize(view: View, currency: str | None) -> View:
    """Text rendered in the caller's language and the game's currency."""
    return cast("View", translate_document(view, locale_of(current_language(), currency)))


def packet_item(item: Item, currency: str | None) -> PacketItem:
    """A question with its answer, for practice offline."""
    view: PacketItem = {
        "kind": item.kind,
        "kind_title": kind_title(item.kind),
        "question": question_shown(item.question, currency),
        "how": answer_format(item.question),
        "answer": item.answer,
        "answer_text": render_answer(item.question, item.answer),
        "reasons": reasons_view(item),
    }
    return localize(view, currency)


def reasons_view(item: Item) -> list[Why]:
    return [{"text": reason.text, "clause": reason.clause} for reason in item.reasons]


def hint_view(item: Item) -> Hint:
    """The clauses that apply, and the answer format."""
    clauses = []
    for clause in item.clauses:
        try:
            clause_found = find_clause(clause)
        except ClauseUnknown:
            clauses.append({"clause": clause, "title": clause, "text": ""})
        else:
            clauses.append(
                {"clause": clause, "title": clause_found.title, "text": clause_found.text}
            )
    return cast("Hint", {"how": answer_format(item.question), "clauses": clauses})


def question_shown(question: Question, currency: str | None) -> QuestionShown:
    """A question as JSON, with its currency."""
    return cast("QuestionShown", {**question.document(), "currency": currency})


def kind_view(kind: str) -> DrillKindView:
    return {"kind": kind, "title": kind_title(kind)}


def kind_tallies(answers: Iterable[AnsweredItem]) -> list[KindTally]:
    return [
        {**kind_view(kind), **tally_view(kind_tally)}
        for kind, kind_tally in by_kind(answers).items()
    ]


def tally_view(drill_tally: DrillTally) -> TallyView:
    """A tally as JSON."""
    return {
        "asked": drill_tally.asked,
        "right": drill_tally.right,
        "ms": drill_tally.ms,
        "hands_an_hour": drill_tally.hands_an_hour,
    }


def result_summary(result: ExamResult) -> CertificateSummary:
    """The summary of a result."""
    return {
        "id": result.id,
        "title": result.title,
        "person": result.person,
        "sheet": result.sheet,
        "right": result.right,
        "asked": result.asked,
        "passed": result.passed,
        "ended": result.ended,
    }


def _spot_error_view(answers: Iterable[AnsweredItem]) -> SpottedErrors:
    counts = spot_error_counts(answers)
    return {
        "catches": counts["catch"],
        "misses": counts["miss"],
        "false_alarms": counts["false-alarm"],
        "elsewhere": counts["elsewhere"],
        "clean": counts["clean"],
    }


# Questions of a taken test ------------------------------------------------------------------------


def items_view(result: ExamResult, rules: str) -> AnsweredQuestions:
    """Every question as asked, with both answers; `rules` are those of the test."""
    currency = recorded_game(result.hash, rules).sheet.house.currency
    pairs = zip(result.items, questions_in_language(result, rules), strict=True)
    items = [_item_view(number, *pair, currency) for number, pair in enumerate(pairs, start=1)]
    view: AnsweredQuestions = {"id": result.id, "items": items}
    return localize(view, currency)


def _item_view(
    number: int, item: ResultItem, question: Question | None, currency: str | None
) -> AnsweredQuestion:
    view: AnsweredQuestion = {
        "number": number,
        "kind": item.kind,
        "kind_title": kind_title(item.kind),
        "ask": item.question,
        "question": None,
        "answer": "",
        "answer_text": item.wanted,
        "given_text": item.given,
        "answered": item.given != "",
        "right": item.right,
        "ms": item.ms,
    }
    if question is None or item.recorded is None:
        return view
    answer_given = item.recorded.given
    view["ask"], view["question"] = question.ask, question_shown(question, currency)
    view["answer"], view["answer_text"] = (
        item.recorded.wanted,
        render_answer(question, item.recorded.wanted),
    )
    view["answered"], view["given_text"] = (
        answer_given is not None,
        render_answer(question, answer_given or ""),
    )
    return view
