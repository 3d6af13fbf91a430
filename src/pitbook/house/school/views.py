"""JSON views of drills, table tests, results and certificates."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from datetime import datetime
from secrets import randbelow
from typing import TypeVar, cast

from pitbook.coach.log import Logged
from pitbook.drills import misplayed
from pitbook.drills.grade import how_to, shown
from pitbook.drills.item import Item, Question
from pitbook.drills.kinds import ChosenItem, drill, title_of
from pitbook.drills.misplayed import due_hand, misplayed_hands, next_due
from pitbook.drills.progress import (
    AnsweredItem,
    DrillTally,
    Standing,
    by_day,
    by_kind,
    by_sheet,
    spotted,
    tally,
)
from pitbook.errors import PitbookError, SheetError
from pitbook.house.ledger.writer import utc_now
from pitbook.house.school.api_types import (
    Certificate,
    CertificateNamed,
    GameTally,
    Hint,
    ItemsTold,
    ItemTold,
    KindTally,
    KindTold,
    PacketItem,
    PaperTold,
    Progress,
    QuestionAsked,
    QuestionPut,
    Spotted,
    TallyTold,
    TestMade,
    TestRunning,
    Verdict,
    Why,
)
from pitbook.house.school.events import Composed, ExamResult, ItemAsked, ResultItem
from pitbook.house.school.pupils import DrillDesk, Judged, Put, mark_of
from pitbook.house.school.table_tests import Examiner, ExamPaper, game_of, hash_of, worded
from pitbook.house.web.languages import current_language
from pitbook.house.web.sheet_cache import SheetCache
from pitbook.rules.game import Game, compile_game
from pitbook.sheets.clauses import ClauseUnknown, find_clause
from pitbook.sheets.model import Sheet
from pitbook.sheets.prose.words import game_and_venue
from pitbook.text import say, speech
from pitbook.text.documents import translated

Told = TypeVar("Told")


class School:
    """Desk and examiner of a house, with its sheets."""

    def __init__(
        self,
        desk: DrillDesk,
        examiner: Examiner,
        shelf: SheetCache,
        *,
        clock: Callable[[], datetime] = utc_now,
    ) -> None:
        self.desk, self.examiner, self.clock, self._shelf = desk, examiner, clock, shelf

    def remake(self, asked: ItemAsked, spots: Iterable[Logged] = ()) -> Item:
        """A question that was put, made again; raises PitbookError where its rules are gone."""
        found = self._sheet(asked.sheet)
        game = None if found is None else compile_game(found)
        if game is None or game.digest != asked.hash:
            raise PitbookError(say("drills.rules-changed", sheet=asked.sheet))
        if asked.kind != misplayed.KIND:
            return drill(game, asked.kind, asked.seed)
        spot = next((one for one in spots if misplayed.seed_of(one) == asked.seed), None)
        item = None if spot is None else misplayed.spot_item(game, spot)
        if item is None:
            raise PitbookError(say("drills.not-open", number=asked.number))
        return item

    def misplayed(
        self, game: Game, spots: list[Logged], names: tuple[str, ...], now: datetime
    ) -> ChosenItem:
        """A misplayed hand that is due by these rules; raises PitbookError where none is."""
        played = [spot for spot in spots if spot.sheet["hash"] == game.digest]
        hands = [
            spot
            for spot in misplayed_hands(played, self.desk.answers(names))
            if misplayed.spot_item(game, spot.decision) is not None
        ]
        decision = due_hand(hands, now, randbelow)
        item = None if decision is None else misplayed.spot_item(game, decision)
        if decision is None or item is None:
            due = next_due(hands)
            if due is None:
                raise PitbookError(say("drills.no-spots"))
            raise PitbookError(say("drills.spots-later", day=due.date()))
        return ChosenItem(item, misplayed.seed_of(decision))

    def called(self, sheet: str) -> str:
        """A sheet by its name and its house; by its id where it is no more."""
        found = self._sheet(sheet)
        return game_and_venue(found.title, found.house.venue) if found else sheet

    def currency(self, sheet: str) -> str | None:
        """What the money of a sheet is, where it says so."""
        found = self._sheet(sheet)
        return found.house.currency if found else None

    def games(self, standing: Standing) -> list[GameTally]:
        """Right answers and speed at each game, by its name."""
        return [
            {"sheet": sheet, "title": self.called(sheet), **tally_told(sheet_tally)}
            for sheet, sheet_tally in sorted(by_sheet(standing.answers).items())
        ]

    def _sheet(self, sheet: str) -> Sheet | None:
        try:
            return self._shelf.load(sheet)
        except SheetError:  # There is none, or the file is no sheet any more.
            return None

    # Questions and verdicts ----------------------------------------------------------------------

    def put(self, put: Put) -> QuestionPut:
        """A question as it is sent."""
        asked, item = put
        currency = self.currency(asked.sheet)
        told: QuestionPut = {
            "number": asked.number,
            "mark": mark_of(asked),
            "sheet": asked.sheet,
            "kind": item.kind,
            "kind_title": title_of(item.kind),
            "question": question_shown(item.question, currency),
            "how": how_to(item.question),
            "seconds": asked.seconds,
        }
        return dealt_with(told, currency)

    def verdict(self, judged: Judged, sheet: str) -> Verdict:
        """What is told of an answer."""
        given, item, _ = judged
        told: Verdict = {
            "number": given.number,
            "right": given.right,
            "late": given.late,
            "ms": given.ms,
            "answer": given.wanted,
            "answer_text": shown(item.question, given.wanted),
            "given_text": shown(item.question, given.given),
            "reasons": reasons_told(item),
        }
        return dealt_with(told, self.currency(sheet))

    def progress(
        self, player: str, standing: Standing, names: tuple[str, ...], now: datetime
    ) -> Progress:
        """How somebody's practice goes."""
        made = standing.answers
        whole = tally(made)
        return {
            "player": player,
            "sentence": whole.told(),
            "all": tally_told(whole),
            "kinds": kinds_told(made),
            "days": [{"day": one.day, **tally_told(one.tally)} for one in by_day(made)],
            "spotted": _spotted(made),
            "games": self.games(standing),
            "missed": sum(len(standing.missed(digest)) for digest in {one.hash for one in made}),
            "left": self.desk.left(names),
            "results": self.results(names, now),
        }

    # Tests ---------------------------------------------------------------------------------------

    def results(self, names: Iterable[str], now: datetime) -> list[CertificateNamed]:
        """Results of somebody under all their names, newest first; what was left is over too."""
        wanted = set(names)
        self.examiner.close_overdue(wanted, now)
        mine = [one for one in self.examiner.filed().results.values() if one.person in wanted]
        return [result_named(one) for one in sorted(mine, key=lambda one: one.ended, reverse=True)]

    def test(self, made: Composed) -> TestMade:
        """A test as it is listed."""
        sheet = self._sheet(made.sheet)
        return {
            "test": made.test,
            "title": made.title,
            "sheet": made.sheet,
            "sheet_title": sheet.title if sheet else made.sheet,
            "kinds": [kind_told(kind) for kind in made.kinds],
            "questions": made.questions,
            "pass_mark": made.pass_mark,
            "minutes": made.minutes,
            "by": made.by,
            "at": made.at,
        }

    def running(self, name: str, now: datetime) -> list[TestRunning]:
        """The tests that somebody has under way, to go on with."""
        return [
            {
                "attempt": one.attempt,
                "test": one.began.test,
                "title": one.began.title,
                "seconds_left": _seconds_left(one, now),
            }
            for one in self.examiner.running(name, now)
        ]

    def paper(self, paper: ExamPaper, now: datetime) -> PaperTold:
        """A test as it lies before a dealer."""
        item, currency = paper.item, paper.currency
        told: PaperTold = {
            "attempt": paper.attempt,
            "title": paper.began.title,
            "position": paper.position,
            "questions": len(paper.began.items),
            "until": paper.began.until,
            "seconds_left": _seconds_left(paper, now),
            "kind_title": title_of(item.kind) if item else None,
            "question": question_shown(item.question, currency) if item else None,
            "how": how_to(item.question) if item else None,
            "result": result_named(paper.result) if paper.result else None,
        }
        return dealt_with(told, currency)

    def certificate(self, result: ExamResult) -> Certificate:
        """A result held against what the book and the sheet in force say."""
        rules = self.examiner.rules_of(result)
        changes = self.examiner.changed(result, self._sheet(result.sheet))
        genuine = hash_of(result) == result.id
        holds = genuine and result.passed and not changes
        told: Certificate = {
            **result_named(result),
            "holds": holds,
            "genuine": genuine,
            "sheet_title": rules.title,
            "venue": rules.house.venue,
            "hash": result.hash,
            "pass_mark": result.pass_mark,
            "minutes": result.minutes,
            "began": result.began,
            "changed": changes,
            "sentence": _holds(result, genuine=genuine, changes=len(changes)),
        }
        return dealt_with(told, rules.house.currency)


def _seconds_left(paper: ExamPaper, now: datetime) -> int:
    until = datetime.fromisoformat(paper.began.until)
    return max(0, round((until - now).total_seconds()))


def _holds(result: ExamResult, *, genuine: bool, changes: int) -> str:
    state = "forged" if not genuine else "failed" if not result.passed else "holds"
    if state == "holds" and changes:
        state = "expired"
    return say("drills.certificate", state=state, person=result.person, changes=changes)


def dealt_with(told: Told, currency: str | None) -> Told:
    """What is told of a game whose money is of a currency, worded for who asks now."""
    return cast("Told", translated(told, speech(current_language(), currency)))


def packed(item: Item, currency: str | None) -> PacketItem:
    """A question to take along, with all that is told of it."""
    told: PacketItem = {
        "kind": item.kind,
        "kind_title": title_of(item.kind),
        "question": question_shown(item.question, currency),
        "how": how_to(item.question),
        "answer": item.answer,
        "answer_text": shown(item.question, item.answer),
        "reasons": reasons_told(item),
    }
    return dealt_with(told, currency)


def reasons_told(item: Item) -> list[Why]:
    """Why an answer is right, with clauses."""
    return [{"text": one.text, "clause": one.clause} for one in item.reasons]


def hint(item: Item) -> Hint:
    """The clauses that decide, and how to answer: no more than the rules have."""
    clauses = []
    for clause in item.clauses:
        try:
            found = find_clause(clause)
        except ClauseUnknown:
            clauses.append({"clause": clause, "title": clause, "text": ""})
        else:
            clauses.append({"clause": clause, "title": found.title, "text": found.text})
    return cast("Hint", {"how": how_to(item.question), "clauses": clauses})


def question_shown(question: Question, currency: str | None) -> QuestionAsked:
    """A question as it is sent, and what its money is."""
    return cast("QuestionAsked", {**question.document(), "currency": currency})


def kind_told(kind: str) -> KindTold:
    """A kind with its title."""
    return {"kind": kind, "title": title_of(kind)}


def kinds_told(made: Iterable[AnsweredItem]) -> list[KindTally]:
    """Tallies by kind."""
    return [{**kind_told(kind), **tally_told(one)} for kind, one in by_kind(made).items()]


def tally_told(one: DrillTally) -> TallyTold:
    """A tally as it is sent."""
    return {
        "asked": one.asked,
        "right": one.right,
        "ms": one.ms,
        "hands_an_hour": one.hands_an_hour,
    }


def result_named(result: ExamResult) -> CertificateNamed:
    """A result in a line."""
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


def _spotted(made: Iterable[AnsweredItem]) -> Spotted:
    found = spotted(made)
    return {
        "catches": found["catch"],
        "misses": found["miss"],
        "false_alarms": found["false-alarm"],
        "elsewhere": found["elsewhere"],
        "clean": found["clean"],
    }


# Questions of a taken test ------------------------------------------------------------------------


def items_told(result: ExamResult, rules: str) -> ItemsTold:
    """Every question as it was put, with both answers; `rules` are those of the test."""
    currency = game_of(result.hash, rules).sheet.house.currency
    told = zip(result.items, worded(result, rules), strict=True)
    items = [_item(number, *each, currency) for number, each in enumerate(told, start=1)]
    found: ItemsTold = {"id": result.id, "items": items}
    return dealt_with(found, currency)


def _item(
    number: int, one: ResultItem, question: Question | None, currency: str | None
) -> ItemTold:
    told: ItemTold = {
        "number": number,
        "kind": one.kind,
        "kind_title": title_of(one.kind),
        "ask": one.question,
        "question": None,
        "answer": "",
        "answer_text": one.wanted,
        "given_text": one.given,
        "answered": one.given != "",
        "right": one.right,
        "ms": one.ms,
    }
    if question is None or one.put is None:
        return told
    given = one.put.given
    told["ask"], told["question"] = question.ask, question_shown(question, currency)
    told["answer"], told["answer_text"] = one.put.wanted, shown(question, one.put.wanted)
    told["answered"], told["given_text"] = given is not None, shown(question, given or "")
    return told
