"""Results of table tests over HTTP: verified by anybody, on paper, and for a spreadsheet."""

from __future__ import annotations

from collections.abc import Hashable
from http import HTTPStatus
from typing import Annotated, Any, Literal

from fastapi import Query, Request
from starlette.responses import Response

from pitbook.house.ledger.writer import utc_now
from pitbook.house.people.guests import all_names
from pitbook.house.people.register import MEMBERS, Person
from pitbook.house.table.session import example_response
from pitbook.house.web.access import ANYONE, READERS, Caller, allow_routes, authenticated_router
from pitbook.house.web.errors import Answer, Error, Problem
from pitbook.house.web.languages import current_language
from pitbook.house.web.models.train import Certificate, ItemsTold
from pitbook.house.web.papers_api import NO_TYPST
from pitbook.house.web.services import Services, ServicesDep
from pitbook.house.web.tables.taken_tests import items_told
from pitbook.text import say
from pitbook.train.school.answers import answers_csv
from pitbook.train.school.facts import ExamResult

router = authenticated_router("train")
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
