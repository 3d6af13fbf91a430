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
from pitbook.house.people.account_register import MEMBERS, Person
from pitbook.house.people.guest_play import all_names
from pitbook.house.school.api_types import (
    AnsweredQuestions,
    AvailableTest,
    Certificate,
    ClassProgress,
    TableTests,
    TestProgress,
)
from pitbook.house.school.class_progress import class_view
from pitbook.house.school.drill_routes import KindNames
from pitbook.house.school.facts import ExamComposed, ExamResult
from pitbook.house.school.table_tests import (
    COUNT_MAX,
    MINUTES_MAX,
    PASS_MARK,
    PASS_MARK_MIN,
    answers_csv,
)
from pitbook.house.school.views import items_view
from pitbook.house.table.table_session import example_response
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
from pitbook.text.user_input import title_error

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
    """A table test: the sheet, the kinds (none means all), the number of questions, the mark and
    the time.
    """

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
    """An answer to the question at an index."""

    position: int = Field(ge=0, le=COUNT_MAX, examples=[3])
    answer: Annotated[str, Field(max_length=500)] = Field(examples=["b"])


@router.get(
    "/api/table-tests",
    name="table_tests",
    summary="List table tests",
    responses=example_response({"tests": [TEST], "running": [], "results": []}),
)
def table_tests(caller: Caller, services: ServicesDep) -> Answer[TableTests]:
    """The tests that can be taken, and the caller's tests in progress and results."""
    school, now = services.school, services.school.clock()
    tests = school.examiner.load().tests.values()
    tests_view: TableTests = {
        "tests": [school.test(test) for test in tests],
        "running": school.running(caller.name, now),
        "results": school.results(all_names(services.server, caller), now),
    }
    return Answer(tests_view)


@router.post(
    "/api/table-tests",
    name="compose_test",
    summary="Create a table test",
    status_code=201,
    responses={**NO_SHEET, 201: example_response(TEST)[200]},
)
def compose_test(body: NewTest, caller: Caller, services: ServicesDep) -> Answer[AvailableTest]:
    """Create a table test. It uses the rules in force when someone takes it."""
    if problem := title_error("title", body.title):
        raise Problem(HTTPStatus.BAD_REQUEST, problem)
    composed = ExamComposed(
        test=secrets.token_hex(4),
        title=body.title.strip(),
        sheet=body.sheet,
        kinds=tuple(dict.fromkeys(body.kinds)),
        questions=body.questions,
        pass_mark=body.pass_mark,
        minutes=body.minutes,
        by=caller.name,
        at=services.school.clock().isoformat(timespec="milliseconds"),
    )
    stored = services.school.examiner.compose(
        composed, compile_game(find_sheet(services.sheets, body.sheet))
    )
    return Answer(services.school.test(stored), HTTPStatus.CREATED)


@router.post(
    "/api/table-tests/{test}/withdraw",
    name="withdraw_test",
    summary="Withdraw a table test",
    responses=example_response({"tests": [], "running": [], "results": []}),
)
def withdraw_test(test: str, caller: Caller, services: ServicesDep) -> Answer[TableTests]:
    """Withdraw a test from the list. Results stay valid."""
    services.school.examiner.withdraw(test, caller.name, services.school.clock())
    return table_tests(caller, services)


@router.post(
    "/api/table-tests/{test}/attempts",
    name="begin_test",
    summary="Start a table test",
    status_code=201,
    responses={**NO_SHEET, 201: example_response(PAPER)[200]},
)
def begin_test(test: str, caller: Caller, services: ServicesDep) -> Answer[TestProgress]:
    """Begin or continue a test. The time starts at once; authors cannot take their own tests."""
    examiner, now = services.school.examiner, services.school.clock()
    composed = examiner.load().tests.get(test)
    if composed is None:
        raise Problem(HTTPStatus.BAD_REQUEST, say("drills.no-test"))
    paper = examiner.begin(
        test, caller.name, compile_game(find_sheet(services.sheets, composed.sheet)), now
    )
    return Answer(services.school.paper(paper, now), HTTPStatus.CREATED)


@router.get(
    "/api/attempts/{attempt}",
    name="see_paper",
    summary="Get a table test in progress",
    responses=example_response(PAPER),
)
def see_paper(attempt: str, caller: Caller, services: ServicesDep) -> Answer[TestProgress]:
    """The next question, or the result."""
    now = services.school.clock()
    paper = services.school.examiner.paper(attempt, caller.name, now)
    return Answer(services.school.paper(paper, now))


@router.post(
    "/api/attempts/{attempt}/answers",
    name="answer_paper",
    summary="Answer a table test question",
    responses=example_response(PAPER),
)
def answer_paper(
    attempt: str, body: PaperAnswer, caller: Caller, services: ServicesDep
) -> Answer[TestProgress]:
    """Answer a question. Correct answers are shown at the end. Repeats count once."""
    now, examiner = services.school.clock(), services.school.examiner
    paper = examiner.answer(attempt, caller.name, body.position, body.answer, now)
    return Answer(services.school.paper(paper, now))


@router.get(
    "/api/class",
    name="see_class",
    summary="Get class progress",
    responses=example_response({"people": [], "kinds": [], "facts": []}),
)
def see_class(services: ServicesDep) -> Answer[ClassProgress]:
    """Each dealer's progress, and the most common mistakes, without guests."""
    return Answer(class_view(services.school, services.server.people, services.school.clock()))


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
    404: {"model": Error, "description": "No such certificate."}
}


@router.get(
    "/api/certificates/{certificate}",
    name="certificate",
    summary="Verify a certificate",
    responses={**NONE, **example_response(CERTIFICATE)},
)
def certificate(certificate: str, services: ServicesDep) -> Answer[Certificate]:
    """Whether the certificate exists and was passed, and which rules have changed since."""
    return Answer(services.school.certificate(_find_result(services, certificate)))


def _find_result(services: Services, certificate: str) -> ExamResult:
    result = services.school.examiner.load().results.get(certificate)
    if result is None:
        raise Problem(HTTPStatus.NOT_FOUND, say("drills.no-certificate"))
    return result


@router.get(
    "/api/certificates/{certificate}/pdf",
    name="certificate_pdf",
    summary="Download a certificate as PDF",
    response_class=Response,
    responses={**NONE, **NO_TYPST, 200: {"content": {PDF: {}}, "description": "The certificate."}},
)
async def certificate_pdf(
    certificate: str,
    request: Request,
    services: ServicesDep,
    *,
    size: Annotated[Literal["letter", "a4"], Query(examples=["letter"])] = "letter",
) -> Response:
    """The certificate on paper, to sign and file, with the date to which it was verified."""
    result, day, language = (
        _find_result(services, certificate),
        utc_now().date(),
        current_language(),
    )
    view = services.school.certificate(result)
    address = f"{request.base_url}certificate/{result.id}"

    def typeset() -> bytes:
        from pitbook.house.papers.certificate import certificate as on_paper  # noqa: PLC0415
        from pitbook.printing.typeset import pdf  # noqa: PLC0415

        rules = services.school.examiner.rules_of(result)
        holds, changed = view["sentence"], view["changed"]
        paper = on_paper(result, rules, holds=holds, changed=changed, address=address, day=day)
        return pdf(paper, language=language, size=size, built=day)

    key: Hashable = ("certificate", result.id, day, address, language, size, *view["changed"])
    drawn = await services.jobs.compute(key, typeset, keep=False)
    disposition = f'inline; filename="certificate-{result.id[:12]}.pdf"'
    return Response(drawn, media_type=PDF, headers={"Content-Disposition": disposition})


@router.get(
    "/api/certificates/{certificate}/answers",
    name="test_answers",
    summary="Download table test answers as CSV",
    response_class=Response,
    responses={**NONE, 200: {"content": {"text/csv": {}}, "description": "The file."}},
)
def test_answers(certificate: str, caller: Caller, services: ServicesDep) -> Response:
    """Every question with the answer given and the time, for the dealer who took it and
    supervisors.
    """
    result = _find_own_result(services, caller, certificate)
    disposition = f'attachment; filename="test-{result.id[:12]}.csv"'
    body = answers_csv(result, services.school.examiner.rules_of(result).house.currency)
    return Response(body, media_type="text/csv", headers={"Content-Disposition": disposition})


@router.get(
    "/api/certificates/{certificate}/items",
    name="test_items",
    summary="Get the questions of a table test",
    responses={**NONE, **example_response(ITEMS)},
)
def test_items(
    certificate: str, caller: Caller, services: ServicesDep
) -> Answer[AnsweredQuestions]:
    """Every question as asked, with its cards, for the dealer who took it and supervisors."""
    result = _find_own_result(services, caller, certificate)
    return Answer(items_view(result, services.school.examiner.load().rules[result.hash]))


def _find_own_result(services: Services, caller: Person, certificate: str) -> ExamResult:
    result = _find_result(services, certificate)
    if caller.role not in READERS and result.person not in all_names(services.server, caller):
        raise Problem(HTTPStatus.FORBIDDEN, say("drills.not-your-test"))
    return result
