"""Papers of a sheet: which there are, each to be read on the page, and as PDF to file and print."""

from __future__ import annotations

from collections.abc import Hashable
from http import HTTPStatus
from typing import Annotated, Literal

from fastapi import APIRouter, Query
from pydantic import BaseModel, Field
from starlette.responses import Response

from pitbook.sheets.digest import packet_digest
from pitbook.sheets.findings import did_you_mean
from pitbook.sheets.model import Sheet
from pitbook.web.answers import Problem
from pitbook.web.network.languages import spoken
from pitbook.web.pages.paper import paper as printed
from pitbook.web.people.access import ANYONE, list_routes
from pitbook.web.route_parts import Using
from pitbook.web.routes.sheets import NO_SHEET, sheet_of
from pitbook.wording import in_language, say

router = APIRouter(tags=["papers"])
list_routes({"list_papers": ANYONE, "read_paper": ANYONE, "paper_pdf": ANYONE})

PDF = "application/pdf"
NO_PAPER = {**NO_SHEET, 404: {**NO_SHEET[404], "description": "There is no such sheet or paper."}}


class PaperNamed(BaseModel):
    """One paper of a sheet."""

    id: str = Field(examples=["rules"])
    title: str = Field(examples=["Rules of the game"])


class Papers(BaseModel):
    """The papers that a sheet has, and the hash over all that they are made of."""

    sheet: str = Field(examples=["catfish-bend/mississippi-stud"])
    paper: str = Field(examples=["68267100a4b5"])
    papers: list[PaperNamed]


@router.get(
    "/api/papers/{venue}/{game}",
    name="list_papers",
    summary="The papers of a sheet",
    responses=NO_SHEET,
)
async def list_papers(venue: str, game: str, tools: Using) -> Papers:
    """Each by its name, which is that of its file, and its title."""
    sheet, language = sheet_of(tools.shelf, f"{venue}/{game}"), spoken()
    named = [
        PaperNamed(id=name, title=in_language(title, language)) for name, title in _titles().items()
    ]
    return Papers(sheet=sheet.id, paper=packet_digest(sheet), papers=named)


@router.get(
    "/api/papers/{venue}/{game}/{paper}/read",
    name="read_paper",
    summary="A paper to be read and printed",
    response_class=Response,
    responses={**NO_PAPER, 200: {"content": {"text/html": {}}, "description": "The paper."}},
)
async def read_paper(venue: str, game: str, paper: str, tools: Using) -> Response:
    """A page of its own, with its style in it and nothing that is fetched."""
    sheet, language = sheet_of(tools.shelf, f"{venue}/{game}"), spoken()
    _known(paper)
    key: Hashable = ("paper", packet_digest(sheet), paper, language)
    return printed(await tools.sums.work_out(key, lambda: _page(sheet, paper, language)))


@router.get(
    "/api/papers/{venue}/{game}/{paper}/pdf",
    name="paper_pdf",
    summary="A paper as PDF",
    response_class=Response,
    responses={**NO_PAPER, 200: {"content": {PDF: {}}, "description": "The paper."}},
)
async def paper_pdf(
    venue: str,
    game: str,
    paper: str,
    tools: Using,
    *,
    size: Annotated[Literal["letter", "a4"], Query(examples=["letter"])] = "letter",
) -> Response:
    """PDF/A-2a with the tags of PDF/UA-1; the same sheet gives the same bytes."""
    sheet, language = sheet_of(tools.shelf, f"{venue}/{game}"), spoken()
    _known(paper)
    key: Hashable = ("pdf", packet_digest(sheet), paper, language, size)
    made = await tools.sums.work_out(key, lambda: _pdf(sheet, paper, language, size), keep=False)
    named = f'inline; filename="{venue}-{game}-{paper}.pdf"'
    return Response(made, media_type=PDF, headers={"Content-Disposition": named})


def _known(paper: str) -> None:
    if paper not in _titles():
        remedy = did_you_mean(paper[:60], _titles())
        told = say("papers.filing.no-paper", paper=paper[:60], remedy=remedy)
        raise Problem(HTTPStatus.NOT_FOUND, told)


def _titles() -> dict[str, str]:
    from pitbook.papers.titles import TITLES  # noqa: PLC0415

    return {name: say(key) for name, key in TITLES.items()}


def _page(sheet: Sheet, paper: str, language: str) -> str:
    from pitbook.papers.as_html import page  # noqa: PLC0415  These bring NumPy.
    from pitbook.papers.packet import PAPERS  # noqa: PLC0415

    return page(PAPERS[paper](sheet), language)


def _pdf(sheet: Sheet, paper: str, language: str, size: Literal["letter", "a4"]) -> bytes:
    from pitbook.papers.packet import PAPERS  # noqa: PLC0415  These bring NumPy.
    from pitbook.papers.typeset import pdf  # noqa: PLC0415

    return pdf(PAPERS[paper](sheet), language=language, size=size, day=sheet.effective)
