"""Table tests over HTTP: composed by a supervisor, taken signed in; and the class."""

from __future__ import annotations

import secrets
from http import HTTPStatus
from typing import Annotated

from pydantic import BaseModel, ConfigDict, Field

from pitbook.house.people.guests import all_names
from pitbook.house.people.names import title_error
from pitbook.house.people.register import MEMBERS
from pitbook.house.table.session import example_response
from pitbook.house.web.access import (
    READERS,
    SIGNED_IN,
    SUPERVISOR,
    Caller,
    allow_routes,
    authenticated_router,
)
from pitbook.house.web.errors import Answer, Problem
from pitbook.house.web.models.train import (
    ClassTold,
    PaperTold,
    TestMade,
    TestsTold,
)
from pitbook.house.web.routes.train import KindNames
from pitbook.house.web.services import ServicesDep
from pitbook.house.web.sheets_api import NO_SHEET, find_sheet
from pitbook.house.web.tables.class_told import class_told
from pitbook.rules.game import compile_game
from pitbook.text import say
from pitbook.train.school.examining import COUNT_MAX, MINUTES_MAX, PASS_MARK, PASS_MARK_MIN
from pitbook.train.school.facts import Composed

router = authenticated_router("train")
allow_routes(
    {
        "table_tests": SIGNED_IN,
        "compose_test": SUPERVISOR,
        "withdraw_test": SUPERVISOR,
        "begin_test": MEMBERS,
        "see_paper": MEMBERS,
        "answer_paper": MEMBERS,
        "see_class": READERS,
    }
)

SHEET = "catfish-bend/mississippi-stud"
TEST = {"test": "0a1b2c3d", "title": "Stud, first table", "sheet": SHEET, "questions": 20}
PAPER = {"attempt": "0a1b2c3d4e5f6071", "position": 3, "questions": 20, "seconds_left": 540}


class _Body(BaseModel):
    model_config = ConfigDict(extra="forbid", strict=True)


class NewTest(_Body):
    """A table test: of which sheet, which kinds (none: all), how many, the mark, the time."""

    title: str = Field(min_length=1, max_length=80, examples=["Stud, first table"])
    sheet: str = Field(max_length=121, examples=[SHEET])
    kinds: KindNames = Field([], examples=[["pay-hand", "odds", "spot-error"]])
    questions: int = Field(ge=1, le=COUNT_MAX, examples=[20])
    pass_mark: int = Field(
        PASS_MARK,
        ge=PASS_MARK_MIN,
        le=100,
        examples=[80],
        description="Percentage of correct answers needed to pass.",
    )
    minutes: int = Field(ge=1, le=MINUTES_MAX, examples=[30])


class PaperAnswer(_Body):
    """An answer to the question at a place, counted from 0."""

    position: int = Field(ge=0, le=COUNT_MAX, examples=[3])
    answer: Annotated[str, Field(max_length=500)] = Field(examples=["b"])


@router.get(
    "/api/table-tests",
    name="table_tests",
    summary="The table tests",
    responses=example_response({"tests": [TEST], "running": [], "results": []}),
)
def table_tests(who: Caller, services: ServicesDep) -> Answer[TestsTold]:
    """Those that can be taken, what one has under way, and one's own results."""
    school, now = services.school, services.school.clock()
    tests = school.examiner.filed().tests.values()
    told: TestsTold = {
        "tests": [school.test(one) for one in tests],
        "running": school.running(who.name, now),
        "results": school.results(all_names(services.server, who), now),
    }
    return Answer(told)


@router.post(
    "/api/table-tests",
    name="compose_test",
    summary="Compose a table test",
    status_code=201,
    responses={**NO_SHEET, 201: example_response(TEST)[200]},
)
def compose_test(given: NewTest, who: Caller, services: ServicesDep) -> Answer[TestMade]:
    """By the rules in force when somebody takes it."""
    if problem := title_error("title", given.title):
        raise Problem(HTTPStatus.BAD_REQUEST, problem)
    made = Composed(
        test=secrets.token_hex(4),
        title=given.title.strip(),
        sheet=given.sheet,
        kinds=tuple(dict.fromkeys(given.kinds)),
        questions=given.questions,
        pass_mark=given.pass_mark,
        minutes=given.minutes,
        by=who.name,
        at=services.school.clock().isoformat(timespec="milliseconds"),
    )
    whole = services.school.examiner.compose(
        made, compile_game(find_sheet(services.sheets, given.sheet))
    )
    return Answer(services.school.test(whole), HTTPStatus.CREATED)


@router.post(
    "/api/table-tests/{test}/withdraw",
    name="withdraw_test",
    summary="Withdraw a table test",
    responses=example_response({"tests": [], "running": [], "results": []}),
)
def withdraw_test(test: str, who: Caller, services: ServicesDep) -> Answer[TestsTold]:
    """Nobody begins it any more; what was passed stays passed."""
    services.school.examiner.withdraw(test, who.name, services.school.clock())
    return table_tests(who, services)


@router.post(
    "/api/table-tests/{test}/attempts",
    name="begin_test",
    summary="Begin a table test",
    status_code=201,
    responses={**NO_SHEET, 201: example_response(PAPER)[200]},
)
def begin_test(test: str, who: Caller, services: ServicesDep) -> Answer[PaperTold]:
    """Or go on with it; the time runs from the first call. Whoever composed it cannot take it."""
    examiner, now = services.school.examiner, services.school.clock()
    made = examiner.filed().tests.get(test)
    if made is None:
        raise Problem(HTTPStatus.BAD_REQUEST, say("drills.no-test"))
    paper = examiner.begin(
        test, who.name, compile_game(find_sheet(services.sheets, made.sheet)), now
    )
    return Answer(services.school.paper(paper, now), HTTPStatus.CREATED)


@router.get(
    "/api/attempts/{attempt}",
    name="see_paper",
    summary="A table test as far as it is",
    responses=example_response(PAPER),
)
def see_paper(attempt: str, who: Caller, services: ServicesDep) -> Answer[PaperTold]:
    """The question that comes next, or the result."""
    now = services.school.clock()
    paper = services.school.examiner.paper(attempt, who.name, now)
    return Answer(services.school.paper(paper, now))


@router.post(
    "/api/attempts/{attempt}/answers",
    name="answer_paper",
    summary="Answer a question of a table test",
    responses=example_response(PAPER),
)
def answer_paper(
    attempt: str, given: PaperAnswer, who: Caller, services: ServicesDep
) -> Answer[PaperTold]:
    """What is right is told at the end; sent again it counts once."""
    now, examiner = services.school.clock(), services.school.examiner
    paper = examiner.answer(attempt, who.name, given.position, given.answer, now)
    return Answer(services.school.paper(paper, now))


@router.get(
    "/api/class",
    name="see_class",
    summary="The class",
    responses=example_response({"people": [], "kinds": [], "facts": []}),
)
def see_class(services: ServicesDep) -> Answer[ClassTold]:
    """Who stands where, and what the class gets wrong; guests without a name are not in it."""
    return Answer(class_told(services.school, services.server.people, services.school.clock()))
