"""Routes of a sheet's papers: list them, read them as pages, download them as PDF."""

from __future__ import annotations

from collections.abc import Callable, Hashable
from functools import partial
from http import HTTPStatus
from typing import TYPE_CHECKING, Annotated, Any, Literal

from fastapi import Query
from pydantic import BaseModel, Field
from starlette.responses import Response

from pitbook.house.ledger.writer import utc_now
from pitbook.house.web.access import ANYONE, allow_routes, authenticated_router
from pitbook.house.web.errors import Error, Problem
from pitbook.house.web.languages import current_language
from pitbook.house.web.printed_pages import printed_page
from pitbook.house.web.services import Services, ServicesDep
from pitbook.house.web.sheets_api import NO_SHEET, find_sheet
from pitbook.printing.content import PAPERS_WITH_FIGURES, TITLES
from pitbook.sheets.hashes import digest, packet_digest
from pitbook.sheets.model import Sheet
from pitbook.text import in_language, say
from pitbook.text.user_input import did_you_mean

if TYPE_CHECKING:
    from pitbook.printing.content import Paper


router = authenticated_router("papers")
allow_routes(
    dict.fromkeys(
        ("list_papers", "paper_figures", "read_paper", "paper_pdf", "checklist", "redline"), ANYONE
    )
)

PDF = "application/pdf"
NO_TYPST: dict[int | str, dict[str, Any]] = {
    503: {"model": Error, "description": "Typst, which makes PDF files, is not installed."}
}
NO_PAPER = {**NO_SHEET, 404: {**NO_SHEET[404], "description": "No such sheet or paper."}}


Size = Annotated[Literal["letter", "a4"], Query(examples=["letter"])]
PaperFormat = Literal["read", "pdf"]


class PaperInfo(BaseModel):
    """One paper of a sheet; `figures` means that it needs figures that take a while."""

    id: str = Field(examples=["rules"])
    title: str = Field(examples=["Rules of the game"])
    figures: bool = Field(examples=[False])


class StateInfo(BaseModel):
    """A state that has a checklist."""

    id: str = Field(examples=["iowa"])
    name: str = Field(examples=["Iowa"])


class Papers(BaseModel):
    """The papers of a sheet, and the hash of all their inputs."""

    sheet: str = Field(examples=["catfish-bend/mississippi-stud"])
    paper: str = Field(examples=["68267100a4b5"])
    papers: list[PaperInfo]
    states: list[StateInfo]
    state: str | None = Field(description="The sheet's own state.", examples=["iowa"])


class PaperFigures(BaseModel):
    """Whether a sheet's figures are stored, and the progress."""

    kept: bool = Field(examples=[False])
    done: int = Field(description="Steps that are done.", examples=[2])
    steps: int = Field(examples=[5])


@router.get(
    "/api/papers/{venue}/{game}",
    name="list_papers",
    summary="List a sheet's papers",
    responses=NO_SHEET,
)
async def list_papers(venue: str, game: str, services: ServicesDep) -> Papers:
    """All papers with id and title."""
    sheet, language = find_sheet(services.sheets, f"{venue}/{game}"), current_language()
    from pitbook.printing.checklists import checklist_of, checklists  # noqa: PLC0415

    named = [
        PaperInfo(id=name, title=in_language(title, language), figures=name in PAPERS_WITH_FIGURES)
        for name, title in _titles().items()
    ]
    return Papers(
        sheet=sheet.id,
        paper=packet_digest(sheet),
        papers=named,
        states=[StateInfo(id=slug, name=name) for slug, (name, _) in checklists().items()],
        state=checklist_of(sheet.house.jurisdiction),
    )


@router.get(
    "/api/papers/{venue}/{game}/figures",
    name="paper_figures",
    summary="Get the progress of report figures",
    responses=NO_SHEET,
)
async def paper_figures(
    venue: str,
    game: str,
    services: ServicesDep,
    *,
    work: Annotated[
        bool, Query(description="Compute the figures and respond when they are done.")
    ] = False,
) -> PaperFigures:
    """Poll for progress. Papers render quickly once the figures are stored."""
    from pitbook.printing.report_figures import STEPS, has_stored_figures  # noqa: PLC0415

    sheet = find_sheet(services.sheets, f"{venue}/{game}")
    if work and not has_stored_figures(sheet):
        await services.jobs.compute(
            ("figures", digest(sheet)), lambda: _compute_figures(sheet), keep=False
        )
    is_stored = has_stored_figures(sheet)
    done = len(STEPS) if is_stored else _STEPS_DONE.get(digest(sheet), 0)
    return PaperFigures(kept=is_stored, done=done, steps=len(STEPS))


def _compute_figures(sheet: Sheet) -> None:
    from pitbook.house.web.report_process import compute_report  # noqa: PLC0415
    from pitbook.printing.report_figures import STEPS  # noqa: PLC0415

    sheet_hash = digest(sheet)
    try:
        compute_report(sheet, lambda step: _STEPS_DONE.__setitem__(sheet_hash, STEPS.index(step)))
    finally:
        _STEPS_DONE.pop(sheet_hash, None)


_STEPS_DONE: dict[str, int] = {}  # Steps done for figures in progress, by sheet hash.


@router.get(
    "/api/papers/{venue}/{game}/checklist/{state}/{how}",
    name="checklist",
    summary="Get a state checklist",
    response_class=Response,
    responses={
        **NO_PAPER,
        **NO_TYPST,
        200: {"content": {PDF: {}}, "description": "The checklist."},
    },
)
async def checklist(
    venue: str,
    game: str,
    state: str,
    how: PaperFormat,
    services: ServicesDep,
    *,
    size: Size = "letter",
) -> Response:
    """The state's requirements, where the papers meet them, and what is missing."""
    sheet, language = find_sheet(services.sheets, f"{venue}/{game}"), current_language()
    slug = _checklist_state(state)
    key = ("checklist", packet_digest(sheet), slug, how, language, size)
    make = partial(_checklist, sheet, slug)
    return await _paper_response(
        services, key, make, (how, language, size), f"{venue}-{game}-{slug}"
    )


@router.get(
    "/api/papers/{venue}/{game}/redline/{old_venue}/{old_game}/{how}",
    name="redline",
    summary="Get a redline of two sheets",
    response_class=Response,
    responses={**NO_PAPER, **NO_TYPST, 200: {"content": {PDF: {}}, "description": "The redline."}},
)
async def redline(
    venue: str,
    game: str,
    old_venue: str,
    old_game: str,
    *,
    how: PaperFormat,
    services: ServicesDep,
    size: Size = "letter",
) -> Response:
    """Every changed rule in words, the change in house edge, and what must be replaced."""
    sheet, language = find_sheet(services.sheets, f"{venue}/{game}"), current_language()
    old = find_sheet(services.sheets, f"{old_venue}/{old_game}")
    key = ("redline", packet_digest(old), packet_digest(sheet), how, language, size)
    make = partial(_redline, old, sheet, language, size)
    return await _paper_response(
        services, key, make, (how, language, size), f"{venue}-{game}-redline"
    )


@router.get(
    "/api/papers/{venue}/{game}/{paper}/read",
    name="read_paper",
    summary="Get a paper as HTML",
    response_class=Response,
    responses={**NO_PAPER, 200: {"content": {"text/html": {}}, "description": "The paper."}},
)
async def read_paper(venue: str, game: str, paper: str, services: ServicesDep) -> Response:
    """A self-contained page with its own style."""
    sheet, language = find_sheet(services.sheets, f"{venue}/{game}"), current_language()
    _check_paper(paper)
    key = ("paper", packet_digest(sheet), paper, language)
    return await _paper_response(
        services, key, partial(_paper, sheet, paper), ("read", language, "letter"), ""
    )


@router.get(
    "/api/papers/{venue}/{game}/{paper}/pdf",
    name="paper_pdf",
    summary="Get a paper as PDF",
    response_class=Response,
    responses={**NO_PAPER, **NO_TYPST, 200: {"content": {PDF: {}}, "description": "The paper."}},
)
async def paper_pdf(
    venue: str,
    game: str,
    paper: str,
    services: ServicesDep,
    *,
    size: Size = "letter",
) -> Response:
    """PDF/A-2a with PDF/UA-1 tags; the same sheet gives the same bytes on the same day."""
    sheet, language = find_sheet(services.sheets, f"{venue}/{game}"), current_language()
    _check_paper(paper)
    key = ("pdf", packet_digest(sheet), paper, language, size)
    make = partial(_paper, sheet, paper)
    return await _paper_response(
        services, key, make, ("pdf", language, size), f"{venue}-{game}-{paper}"
    )


async def _paper_response(
    services: Services,
    key: Hashable,
    make: Callable[[], Paper],
    options: tuple[PaperFormat, str, Literal["letter", "a4"]],
    name: str,
) -> Response:
    """A paper as a page or PDF, made outside the event loop."""
    from pitbook.printing.html import page  # noqa: PLC0415  These bring NumPy.
    from pitbook.printing.typeset import pdf  # noqa: PLC0415

    how, language, size = options
    if how == "read":
        return printed_page(await services.jobs.compute(key, lambda: page(make(), language)))

    def typeset() -> bytes:
        return pdf(make(), language=language, size=size, built=utc_now().date())

    content = await services.jobs.compute(key, typeset, keep=False)
    disposition = f'inline; filename="{name}.pdf"'
    return Response(content, media_type=PDF, headers={"Content-Disposition": disposition})


def _check_paper(paper: str) -> None:
    if paper not in _titles():
        remedy = did_you_mean(paper[:60], _titles())
        message = say("papers.filing.no-paper", paper=paper[:60], remedy=remedy)
        raise Problem(HTTPStatus.NOT_FOUND, message)


def _titles() -> dict[str, str]:
    return {name: say(key) for name, key in TITLES.items()}


def _checklist_state(state: str) -> str:
    """The state's checklist id; raises Problem 404 with a suggestion."""
    from pitbook.printing.checklists import checklists  # noqa: PLC0415

    checklist_names = checklists()
    if state not in checklist_names:
        remedy = did_you_mean(state[:60], checklist_names)
        message = say("papers.checklist.none", state=state[:60], remedy=remedy)
        raise Problem(HTTPStatus.NOT_FOUND, message)
    return state


def _paper(sheet: Sheet, paper: str) -> Paper:
    from pitbook.printing.packet import PAPERS  # noqa: PLC0415  Imports NumPy.

    if paper in PAPERS_WITH_FIGURES:
        _compute_figures(sheet)
    return PAPERS[paper](sheet)


def _checklist(sheet: Sheet, state: str) -> Paper:
    from pitbook.printing.checklists import checklist as filled_in  # noqa: PLC0415
    from pitbook.printing.packet import PAPERS  # noqa: PLC0415

    _compute_figures(sheet)
    papers = {name: make(sheet) for name, make in PAPERS.items()}
    return filled_in(sheet, state, papers)


def _redline(old: Sheet, sheet: Sheet, language: str, size: Literal["letter", "a4"]) -> Paper:
    from pitbook.printing.redline import redline as build_redline  # noqa: PLC0415

    for version in (old, sheet):
        _compute_figures(version)
    return build_redline(old, sheet, language=language, size=size)
