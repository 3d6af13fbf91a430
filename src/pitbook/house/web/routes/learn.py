"""Learning a game: five steps on its felt, and the words of the tables."""

from __future__ import annotations

from typing_extensions import TypedDict

from pitbook.house.table.lesson import Lesson, TermTold, build_lesson, glossary
from pitbook.house.table.session import example_response
from pitbook.house.web.access import ANYONE, allow_routes, authenticated_router
from pitbook.house.web.errors import Answer
from pitbook.house.web.route_parts import Using
from pitbook.house.web.routes.sheets import ID, NO_SHEET, sheet_of
from pitbook.sheets.digest import digest

router = authenticated_router("sheets")
allow_routes({"lesson": ANYONE, "glossary": ANYONE})

TAUGHT = {"sheet": ID, "title": "Mississippi Stud", "hash": "c365", "seat": 1, "steps": []}


class Glossary(TypedDict):
    """Every word that is explained."""

    terms: list[TermTold]


@router.get(
    "/api/sheets/{venue}/{game}/lesson",
    name="lesson",
    summary="How to play, in five steps",
    responses={**NO_SHEET, **example_response(TAUGHT)},
)
async def show_lesson(venue: str, game: str, tools: Using) -> Answer[Lesson]:
    """Made from the sheet's description; the round is an example, the same for everybody."""
    sheet = sheet_of(tools.shelf, f"{venue}/{game}")
    found: Lesson = await tools.sums.work_out(
        ("lesson", digest(sheet)), lambda: build_lesson(sheet)
    )
    return Answer(found)


@router.get("/api/glossary", name="glossary", summary="The words of the tables")
async def show_glossary() -> Answer[Glossary]:
    """Each with what it means, and the forms in which texts have it."""
    return Answer({"terms": glossary()})
