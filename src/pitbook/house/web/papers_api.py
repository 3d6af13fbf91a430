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
from pitbook.house.web.pages import printed_page as printed
from pitbook.house.web.services import Services, ServicesDep
from pitbook.house.web.sheets_api import NO_SHEET, find_sheet
from pitbook.papers.content import FIGURED, TITLES
from pitbook.sheets.digest import digest, packet_digest
from pitbook.sheets.findings import did_you_mean
from pitbook.sheets.model import Sheet
from pitbook.text import in_language, say

if TYPE_CHECKING:
    from pitbook.papers.content import Paper


router = authenticated_router("papers")
allow_routes(
    dict.fromkeys(
        ("list_papers", "paper_figures", "read_paper", "paper_pdf", "checklist", "redline"), ANYONE
    )
)

PDF = "application/pdf"
NO_TYPST: dict[int | str, dict[str, Any]] = {
    503: {"model": Error, "description": "Typst, which makes PDF files, is not installed here."}
}
NO_PAPER = {**NO_SHEET, 404: {**NO_SHEET[404], "description": "There is no such sheet or paper."}}


Size = Annotated[Literal["letter", "a4"], Query(examples=["letter"])]
How = Literal["read", "pdf"]


class PaperNamed(BaseModel):
    """One paper of a sheet; some need figures that take a while to be worked out."""

    id: str = Field(examples=["rules"])
    title: str = Field(examples=["Rules of the game"])
    figures: bool = Field(examples=[False])


class StateNamed(BaseModel):
    """A state whose checklist there is."""

    id: str = Field(examples=["iowa"])
    name: str = Field(examples=["Iowa"])


class Papers(BaseModel):
    """The papers that a sheet has, and the hash over all that they are made of."""

    sheet: str = Field(examples=["catfish-bend/mississippi-stud"])
    paper: str = Field(examples=["68267100a4b5"])
    papers: list[PaperNamed]
    states: list[StateNamed]
    state: str | None = Field(description="The sheet's own state.", examples=["iowa"])


class PaperFigures(BaseModel):
    """Whether a sheet's figures are worked out, and how far that is."""

    kept: bool = Field(examples=[False])
    done: int = Field(description="Steps that are done.", examples=[2])
    steps: int = Field(examples=[5])


@router.get(
    "/api/papers/{venue}/{game}",
    name="list_papers",
    summary="The papers of a sheet",
    responses=NO_SHEET,
)
async def list_papers(venue: str, game: str, services: ServicesDep) -> Papers:
    """Each by its name, which is that of its file, and its title."""
    sheet, language = find_sheet(services.sheets, f"{venue}/{game}"), current_language()
    from pitbook.papers.checklists import checklist_of, checklists  # noqa: PLC0415

    named = [
        PaperNamed(id=name, title=in_language(title, language), figures=name in FIGURED)
        for name, title in _titles().items()
    ]
    return Papers(
        sheet=sheet.id,
        paper=packet_digest(sheet),
        papers=named,
        states=[StateNamed(id=slug, name=name) for slug, (name, _) in checklists().items()],
        state=checklist_of(sheet.house.jurisdiction),
    )


@router.get(
    "/api/papers/{venue}/{game}/figures",
    name="paper_figures",
    summary="How far the figures of a report are",
    responses=NO_SHEET,
)
async def paper_figures(
    venue: str,
    game: str,
    services: ServicesDep,
    *,
    work: Annotated[bool, Query(description="Work them out, and answer when it is done.")] = False,
) -> PaperFigures:
    """Asked again and again it tells the step; once they are kept, papers are made at once."""
    from pitbook.papers.figures import STEPS, has_stored_figures  # noqa: PLC0415

    sheet = find_sheet(services.sheets, f"{venue}/{game}")
    if work and not has_stored_figures(sheet):
        await services.jobs.compute(("figures", digest(sheet)), lambda: _figured(sheet), keep=False)
    kept = has_stored_figures(sheet)
    done = len(STEPS) if kept else _DOING.get(digest(sheet), 0)
    return PaperFigures(kept=kept, done=done, steps=len(STEPS))


def _figured(sheet: Sheet) -> None:
    from pitbook.house.web.report_process import compute_report  # noqa: PLC0415
    from pitbook.papers.figures import STEPS  # noqa: PLC0415

    known = digest(sheet)
    try:
        compute_report(sheet, lambda step: _DOING.__setitem__(known, STEPS.index(step)))
    finally:
        _DOING.pop(known, None)


_DOING: dict[str, int] = {}  # Steps done of what is being worked out, by the sheet's hash.


@router.get(
    "/api/papers/{venue}/{game}/checklist/{state}/{how}",
    name="checklist",
    summary="A state's checklist for a sheet's papers",
    response_class=Response,
    responses={
        **NO_PAPER,
        **NO_TYPST,
        200: {"content": {PDF: {}}, "description": "The checklist."},
    },
)
async def checklist(
    venue: str, game: str, state: str, how: How, services: ServicesDep, *, size: Size = "letter"
) -> Response:
    """What the state asks for, where in the packet it stands, and what is missing."""
    sheet, language = find_sheet(services.sheets, f"{venue}/{game}"), current_language()
    slug = _state(state)
    key = ("checklist", packet_digest(sheet), slug, how, language, size)
    make = partial(_checklist, sheet, slug)
    return await _made(services, key, make, (how, language, size), f"{venue}-{game}-{slug}")


@router.get(
    "/api/papers/{venue}/{game}/redline/{old_venue}/{old_game}/{how}",
    name="redline",
    summary="What changes from another sheet to this one",
    response_class=Response,
    responses={**NO_PAPER, **NO_TYPST, 200: {"content": {PDF: {}}, "description": "The redline."}},
)
async def redline(
    venue: str,
    game: str,
    old_venue: str,
    old_game: str,
    *,
    how: How,
    services: ServicesDep,
    size: Size = "letter",
) -> Response:
    """Every changed rule in words, the change of the house edge, and what is to be replaced."""
    sheet, language = find_sheet(services.sheets, f"{venue}/{game}"), current_language()
    old = find_sheet(services.sheets, f"{old_venue}/{old_game}")
    key = ("redline", packet_digest(old), packet_digest(sheet), how, language, size)
    make = partial(_redline, old, sheet, language, size)
    return await _made(services, key, make, (how, language, size), f"{venue}-{game}-redline")


@router.get(
    "/api/papers/{venue}/{game}/{paper}/read",
    name="read_paper",
    summary="A paper to be read and printed",
    response_class=Response,
    responses={**NO_PAPER, 200: {"content": {"text/html": {}}, "description": "The paper."}},
)
async def read_paper(venue: str, game: str, paper: str, services: ServicesDep) -> Response:
    """A page of its own, with its style in it and nothing that is fetched."""
    sheet, language = find_sheet(services.sheets, f"{venue}/{game}"), current_language()
    _known(paper)
    key = ("paper", packet_digest(sheet), paper, language)
    return await _made(
        services, key, partial(_paper, sheet, paper), ("read", language, "letter"), ""
    )


@router.get(
    "/api/papers/{venue}/{game}/{paper}/pdf",
    name="paper_pdf",
    summary="A paper as PDF",
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
    """PDF/A-2a with the tags of PDF/UA-1; the same sheet gives the same bytes on the same day."""
    sheet, language = find_sheet(services.sheets, f"{venue}/{game}"), current_language()
    _known(paper)
    key = ("pdf", packet_digest(sheet), paper, language, size)
    make = partial(_paper, sheet, paper)
    return await _made(services, key, make, ("pdf", language, size), f"{venue}-{game}-{paper}")


async def _made(
    services: Services,
    key: Hashable,
    make: Callable[[], Paper],
    asked: tuple[How, str, Literal["letter", "a4"]],
    name: str,
) -> Response:
    """A paper as a page or as PDF, made beside the loop."""
    from pitbook.papers.html import page  # noqa: PLC0415  These bring NumPy.
    from pitbook.papers.typeset import pdf  # noqa: PLC0415

    how, language, size = asked
    if how == "read":
        return printed(await services.jobs.compute(key, lambda: page(make(), language)))

    def typeset() -> bytes:
        return pdf(make(), language=language, size=size, built=utc_now().date())

    content = await services.jobs.compute(key, typeset, keep=False)
    named = f'inline; filename="{name}.pdf"'
    return Response(content, media_type=PDF, headers={"Content-Disposition": named})


def _known(paper: str) -> None:
    if paper not in _titles():
        remedy = did_you_mean(paper[:60], _titles())
        told = say("papers.filing.no-paper", paper=paper[:60], remedy=remedy)
        raise Problem(HTTPStatus.NOT_FOUND, told)


def _titles() -> dict[str, str]:
    return {name: say(key) for name, key in TITLES.items()}


def _state(state: str) -> str:
    """The checklist of a state; a Problem with a remedy where there is none."""
    from pitbook.papers.checklists import checklists  # noqa: PLC0415

    known = checklists()
    if state not in known:
        remedy = did_you_mean(state[:60], known)
        told = say("papers.checklist.none", state=state[:60], remedy=remedy)
        raise Problem(HTTPStatus.NOT_FOUND, told)
    return state


def _paper(sheet: Sheet, paper: str) -> Paper:
    from pitbook.papers.packet import PAPERS  # noqa: PLC0415  It brings NumPy.

    if paper in FIGURED:
        _figured(sheet)
    return PAPERS[paper](sheet)


def _checklist(sheet: Sheet, state: str) -> Paper:
    from pitbook.papers.checklists import checklist as filled_in  # noqa: PLC0415
    from pitbook.papers.packet import PAPERS  # noqa: PLC0415

    _figured(sheet)
    every = {name: make(sheet) for name, make in PAPERS.items()}
    return filled_in(sheet, state, every)


def _redline(old: Sheet, sheet: Sheet, language: str, size: Literal["letter", "a4"]) -> Paper:
    from pitbook.papers.redline import redline as told  # noqa: PLC0415

    for version in (old, sheet):
        _figured(version)
    return told(old, sheet, language=language, size=size)
