"""Routes of table tests, certificates and the class."""

from __future__ import annotations

import secrets
from collections.abc import Hashable
from http import HTTPStatus
from typing import Annotated, Any, Literal

from fastapi import Query, Request
from pydantic import BaseModel, ConfigDict, Field
from starlette.responses import Response

from pitbook.house.ledger.writer import utc_now
from pitbook.house.people.guests import all_names
from pitbook.house.people.names import title_error
from pitbook.house.people.register import MEMBERS, Person
from pitbook.house.school.api_types import (
    Certificate,
    ClassTold,
    ItemsTold,
    PaperTold,
    TestMade,
    TestsTold,
)
from pitbook.house.school.classes import class_told
from pitbook.house.school.drill_routes import KindNames
from pitbook.house.school.events import Composed, ExamResult
from pitbook.house.school.table_tests import (
    COUNT_MAX,
    MINUTES_MAX,
    PASS_MARK,
    PASS_MARK_MIN,
    answers_csv,
)
from pitbook.house.school.views import items_told
from pitbook.house.table.session import example_response
from pitbook.house.web.access import (
    ANYONE,
    READERS,
    SIGNED_IN,
    SUPERVISOR,
    Caller,
    allow_routes,
    authenticated_router,
)
from pitbook.house.web.errors import Answer, Error, Problem
from pitbook.house.web.languages import current_language
from pitbook.house.web.papers_api import NO_TYPST
from pitbook.house.web.services import Services, ServicesDep
from pitbook.house.web.sheets_api import NO_SHEET, find_sheet
from pitbook.rules.game import compile_game
from pitbook.text import say

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


# Certificates -------------------------------------------------------------------------------------


allow_routes(
    {
        "certificate": ANYONE,
        "certificate_pdf": ANYONE,
        "test_answers": MEMBERS,
        "test_items": MEMBERS,
    }
)

PDF = "application/pdf"
CERTIFICATE = {"id": "9f86d081", "person": "dee", "holds": True, "genuine": True, "changed": []}
ITEMS = {"id": "9f86d081", "items": [{"number": 1, "kind": "pay-hand", "ms": 4200}]}
NONE: dict[int | str, dict[str, Any]] = {
    404: {"model": Error, "description": "The book has no such certificate."}
}


@router.get(
    "/api/certificates/{certificate}",
    name="certificate",
    summary="Verify a certificate",
    responses={**NONE, **example_response(CERTIFICATE)},
)
def certificate(certificate: str, services: ServicesDep) -> Answer[Certificate]:
    """Whether the book has it, whether it was passed, and which rules have changed since."""
    return Answer(services.school.certificate(_filed(services, certificate)))


def _filed(services: Services, certificate: str) -> ExamResult:
    found = services.school.examiner.filed().results.get(certificate)
    if found is None:
        raise Problem(HTTPStatus.NOT_FOUND, say("drills.no-certificate"))
    return found


@router.get(
    "/api/certificates/{certificate}/pdf",
    name="certificate_pdf",
    summary="A certificate as PDF",
    response_class=Response,
    responses={**NONE, **NO_TYPST, 200: {"content": {PDF: {}}, "description": "The paper."}},
)
async def certificate_pdf(
    certificate: str,
    request: Request,
    services: ServicesDep,
    *,
    size: Annotated[Literal["letter", "a4"], Query(examples=["letter"])] = "letter",
) -> Response:
    """The same on paper, to sign and to file; it says until when it was known to hold."""
    found, day, language = _filed(services, certificate), utc_now().date(), current_language()
    told = services.school.certificate(found)
    address = f"{request.base_url}certificate/{found.id}"

    def made() -> bytes:
        from pitbook.house.papers.certificate import certificate as on_paper  # noqa: PLC0415
        from pitbook.papers.typeset import pdf  # noqa: PLC0415

        rules = services.school.examiner.rules_of(found)
        holds, changed = told["sentence"], told["changed"]
        paper = on_paper(found, rules, holds=holds, changed=changed, address=address, day=day)
        return pdf(paper, language=language, size=size, built=day)

    key: Hashable = ("certificate", found.id, day, address, language, size, *told["changed"])
    drawn = await services.jobs.compute(key, made, keep=False)
    named = f'inline; filename="certificate-{found.id[:12]}.pdf"'
    return Response(drawn, media_type=PDF, headers={"Content-Disposition": named})


@router.get(
    "/api/certificates/{certificate}/answers",
    name="test_answers",
    summary="The answers of a table test as CSV",
    response_class=Response,
    responses={**NONE, 200: {"content": {"text/csv": {}}, "description": "A file."}},
)
def test_answers(certificate: str, who: Caller, services: ServicesDep) -> Response:
    """Every question, what was answered and in what time: for who took it, and who supervises."""
    found = _own(services, who, certificate)
    named = f'attachment; filename="test-{found.id[:12]}.csv"'
    body = answers_csv(found, services.school.examiner.rules_of(found).house.currency)
    return Response(body, media_type="text/csv", headers={"Content-Disposition": named})


@router.get(
    "/api/certificates/{certificate}/items",
    name="test_items",
    summary="The questions of a table test",
    responses={**NONE, **example_response(ITEMS)},
)
def test_items(certificate: str, who: Caller, services: ServicesDep) -> Answer[ItemsTold]:
    """Every question as it was put, with its cards: for who took it, and who supervises."""
    found = _own(services, who, certificate)
    return Answer(items_told(found, services.school.examiner.filed().rules[found.hash]))


def _own(services: Services, who: Person, certificate: str) -> ExamResult:
    found = _filed(services, certificate)
    if who.role not in READERS and found.person not in all_names(services.server, who):
        raise Problem(HTTPStatus.FORBIDDEN, say("drills.not-your-test"))
    return found
