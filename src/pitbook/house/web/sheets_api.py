"""Routes of rule sheets: list, show, check, compare, clauses, lessons and the glossary."""

from __future__ import annotations

from datetime import date
from http import HTTPStatus
from typing import Annotated, Any, cast

from fastapi import Query
from pydantic import BaseModel, ConfigDict, Field
from starlette.responses import Response
from typing_extensions import TypedDict

from pitbook.errors import SheetUnknown
from pitbook.house.table.lesson import Lesson, TermTold, build_lesson, glossary
from pitbook.house.table.session import example_response
from pitbook.house.web.access import ANYONE, allow_routes, authenticated_router
from pitbook.house.web.errors import Answer, Error, Problem
from pitbook.house.web.jobs import short
from pitbook.house.web.languages import current_language, set_currency
from pitbook.house.web.services import ServicesDep
from pitbook.house.web.sheet_cache import ClauseCache, SheetCache
from pitbook.house.web.sheet_types import Said, SheetFound, SheetWhole
from pitbook.money import money
from pitbook.rules.felt import felt
from pitbook.rules.game import compile_game
from pitbook.sheets.clauses import ClauseUnknown
from pitbook.sheets.digest import digest
from pitbook.sheets.families import known_families
from pitbook.sheets.load import examine
from pitbook.sheets.model import Sheet
from pitbook.sheets.parts import Stake
from pitbook.sheets.prose.clauses import clause_document
from pitbook.sheets.prose.pay_tables import pay_tables
from pitbook.sheets.prose.rules import rule_texts
from pitbook.sheets.provenance import provenance_label, provenance_of, share
from pitbook.text import in_language, sentence_of
from pitbook.text.documents import translated

router = authenticated_router("sheets")
allow_routes(
    {
        "list_sheets": ANYONE,
        "show_sheet": ANYONE,
        "check_sheet": ANYONE,
        "show_clause": ANYONE,
    }
)

FILE = "sheet.toml"
CLAUSE_MAX = 40
_TOLD = ClauseCache()
ID = "catfish-bend/mississippi-stud"
FAMILY = next(iter(known_families()))
WHOLE = {
    "id": ID,
    "title": "Mississippi Stud",
    "family": FAMILY,
    "hash": "c365",
    "aloud": [],
}
FOUND = {
    "sheet": "my-house/stud",
    "hash": None,
    "valid": False,
    "wagers": {},
    "findings": [{"level": "error", "message": "title is missing", "line": 1, "column": 1}],
    "left_out": {"error": 0, "notice": 0},
}
FIRST = ("id", "title", "family", "hash", "aloud", "pay_tables", "limits_ours", "felt")
NO_SHEET: dict[int | str, dict[str, Any]] = {
    404: {"model": Error, "description": "There is no such sheet."}
}
NOT_YET: dict[int | str, dict[str, Any]] = {
    503: {"model": Error, "description": "It is being worked out for the first time: ask again."}
}


class WagerOnLayout(BaseModel):
    """A wager: its name on the layout, and its limits."""

    title: str = Field(examples=["3 Card Bonus"])
    min: str = Field(examples=["5.00"])
    max: str = Field(examples=["500.00"])
    required: bool = Field(examples=[True])
    ours: str = Field(
        "", examples=["our choice"], description="Said where the document names no limits."
    )
    pays_ours: str = Field(
        "", examples=["our choice"], description="Said where it prints no pay table."
    )


class SheetNamed(BaseModel):
    """A sheet in a few words."""

    id: str = Field(examples=[ID])
    title: str = Field(examples=["Mississippi Stud"])
    venue: str = Field(examples=["Catfish Bend Casino II"])
    family: str = Field(examples=[FAMILY])
    effective: date | None = Field(examples=["2018-03-12"])
    seats: int = Field(examples=[6])
    main: str = Field(examples=["ante"], description="Which of its wagers is the main one.")
    wagers: dict[str, WagerOnLayout]
    hash: str = Field(examples=["1f3870be274f6c49b3e31a0c6728957f"])
    disabled: str | None = Field(None, description="Why the pit has disabled it, if it has.")
    currency: str | None = Field(None, description="What money is in, where not in US dollars.")


class Sheets(BaseModel):
    """Every sheet that the house knows."""

    sheets: list[SheetNamed]


class Posted(BaseModel):
    """A sheet to be checked, as TOML."""

    model_config = ConfigDict(extra="forbid", strict=True)
    toml: str = Field(max_length=200_000, examples=[f'id = "my-house/stud"\nfamily = "{FAMILY}"'])


@router.get("/api/sheets", name="list_sheets", summary="Every sheet in a few words")
async def list_sheets(services: ServicesDep) -> Sheets:
    """The bundled ones, and those of the house's own folders."""
    shut = services.pit.all_shut("game")
    found = [entry.sheet for entry in services.sheets.entries() if entry.sheet is not None]
    return Sheets(sheets=[summarize_sheet(one, shut.get(one.id)) for one in found])


def summarize_sheet(sheet: Sheet, disabled: str | None) -> SheetNamed:
    """A sheet in a few words, and why the pit has disabled it."""
    return SheetNamed(
        id=sheet.id,
        title=sheet.title,
        venue=sheet.house.venue,
        family=sheet.family,
        effective=sheet.effective,
        seats=sheet.seats.count,
        main=sheet.main_id,
        wagers={
            sheet.main_id: _wager(
                sheet, "main", sheet.main_wager.title, sheet.main_wager, required=True
            ),
            **{
                wager: _wager(sheet, wager, side.title, side.stake, required=side.stake.required)
                for wager, side in sheet.side.items()
            },
        },
        hash=digest(sheet),
        disabled=disabled,
        currency=sheet.house.currency,
    )


def _wager(sheet: Sheet, wager: str, title: str, stake: Stake, *, required: bool) -> WagerOnLayout:
    return WagerOnLayout(
        title=title,
        min=money(stake.min),
        max=money(stake.max),
        required=required,
        ours=in_language(provenance_label(share(stake, "min", "max")), current_language()),
        pays_ours=in_language(provenance_label(provenance_of(sheet, wager)), current_language()),
    )


@router.get(
    "/api/sheets/{venue}/{game}",
    name="show_sheet",
    summary="One sheet whole",
    responses={**NO_SHEET, **example_response(WHOLE)},
)
async def show_sheet(
    venue: str,
    game: str,
    services: ServicesDep,
    on: Annotated[date | None, Query(examples=["2018-03-12"])] = None,
) -> Answer[SheetWhole]:
    """Its data, its hash, and every rule as a sentence with its clause; `on` names a day."""
    return Answer(order_fields(sheet_response(find_sheet(services.sheets, f"{venue}/{game}", on))))


def order_fields(told: SheetWhole) -> SheetWhole:
    """A sheet with what every family has first, and the family's own fields behind it."""
    return cast(SheetWhole, {name: told[name] for name in FIRST} | told)  # type: ignore[literal-required]


def sheet_response(sheet: Sheet) -> SheetWhole:
    """A sheet's data and hash, its rules as sentences, its pay tables in words, and its felt."""
    told: list[Said] = [
        {
            "part": one.heading.fields["part"],
            "heading": one.heading,
            "label": one.label,
            "words": one.beside_label,
            "clauses": list(one.clauses),
            "notes": list(one.notes),
            "ours": provenance_label(one.ours),
        }
        for one in rule_texts(sheet)
    ]
    body = sheet.model_dump(mode="json", by_alias=True)
    tables, limits = pay_tables(sheet), _limits_ours(sheet)
    drawn = felt(compile_game(sheet)).model_dump()  # Its sentences stay sentences.
    about = {"aloud": told, "pay_tables": tables, "limits_ours": limits, "felt": drawn}
    return cast(SheetWhole, {**body, "hash": digest(sheet), **about})


def _limits_ours(sheet: Sheet) -> dict[str, str]:
    sides = {name: one.stake for name, one in sheet.side.items()}
    stakes = {sheet.main_id: sheet.main_wager, **sides}
    return {name: provenance_label(share(stake, "min", "max")) for name, stake in stakes.items()}


def find_sheet(shelf: SheetCache, name: str, on: date | None = None) -> Sheet:
    """A sheet by its id; raises Problem 404."""
    try:
        sheet = shelf.load(name, on)
    except SheetUnknown as unknown:
        raise Problem(HTTPStatus.NOT_FOUND, sentence_of(unknown)) from None
    set_currency(sheet.house.currency)
    return sheet


class RuleOpened(BaseModel):
    """A rule that a sheet rests on a clause."""

    words: str = Field(examples=["Ante: $5 to $500 in steps of $1, required"])
    ours: str = Field(examples=["our choice"])
    notes: list[str] = Field(examples=[["The document names no limits; these are ours."]])


class SheetOpened(BaseModel):
    """What a sheet made of a clause."""

    sheet: str = Field(examples=[ID])
    rules: list[RuleOpened]


class ClauseOpened(BaseModel):
    """A clause: its wording, its place in the document, what was left to us, and our notes."""

    clause: str = Field(examples=["CMS-2"])
    title: str = Field(examples=["Wagers before the deal"])
    text: str = Field(examples=["Two wagers are open before the deal."])
    place: str = Field(examples=["Mississippi Stud, Rules of the Game: Overview, page 2"])
    left_to_us: str = Field(examples=["What the document leaves open is our choice."])
    ours: bool = Field(examples=[False], description="No document has it; it is our choice.")
    sheets: list[SheetOpened]


@router.get(
    "/api/clauses/{clause:path}",
    name="show_clause",
    summary="What a clause says, and where it stands",
    responses={404: {"model": Error, "description": "There is no such clause."}},
    response_model=ClauseOpened,
)
async def show_clause(
    clause: str,
    services: ServicesDep,
    sheet: Annotated[str | None, Query(max_length=121, examples=[ID])] = None,
) -> Response:
    """In our words, with what every sheet that cites it made of it, or one of them."""
    if sheet is not None:
        sheets = [find_sheet(services.sheets, sheet)]
    else:
        sheets = [entry.sheet for entry in services.sheets.entries() if entry.sheet is not None]
    name = clause[:CLAUSE_MAX]

    language = current_language()

    def made() -> str:
        told = translated(clause_document(name, sheets), language)
        return ClauseOpened.model_validate(told).model_dump_json()

    try:
        text = _TOLD.of(name, f"{sheet or ''} {language}", sheets, made)
        return Response(text, media_type="application/json")
    except ClauseUnknown as unknown:
        raise Problem(HTTPStatus.NOT_FOUND, sentence_of(unknown)) from None


@router.post(
    "/api/sheets/check",
    name="check_sheet",
    summary="Check a sheet",
    responses=example_response(FOUND),
)
async def check_sheet(posted: Posted, services: ServicesDep) -> Answer[SheetFound]:
    """Every finding with its line and column; an error forbids the sheet's use, a notice not."""
    key = ("check", short(posted.toml))
    found: SheetFound = await services.jobs.compute(key, lambda: _checked(posted.toml))
    return Answer(found)


def _checked(text: str) -> SheetFound:
    from pitbook.exact.check import check_reading  # noqa: PLC0415  It brings NumPy.

    found = check_reading(examine(text.replace("\r\n", "\n"), FILE)).document()
    return {
        "sheet": found["sheet"],
        "hash": found["hash"],
        "valid": found["valid"],
        "wagers": found["wagers"],
        "findings": found["findings"],
        "left_out": found["left_out"],
    }


lessons_router = authenticated_router("sheets")
allow_routes({"lesson": ANYONE, "glossary": ANYONE})

TAUGHT = {"sheet": ID, "title": "Mississippi Stud", "hash": "c365", "seat": 1, "steps": []}


class Glossary(TypedDict):
    """Every word that is explained."""

    terms: list[TermTold]


@lessons_router.get(
    "/api/sheets/{venue}/{game}/lesson",
    name="lesson",
    summary="How to play, in five steps",
    responses={**NO_SHEET, **example_response(TAUGHT)},
)
async def show_lesson(venue: str, game: str, services: ServicesDep) -> Answer[Lesson]:
    """Made from the sheet's description; the round is an example, the same for everybody."""
    sheet = find_sheet(services.sheets, f"{venue}/{game}")
    found: Lesson = await services.jobs.compute(
        ("lesson", digest(sheet)), lambda: build_lesson(sheet)
    )
    return Answer(found)


@lessons_router.get("/api/glossary", name="glossary", summary="The words of the tables")
async def show_glossary() -> Answer[Glossary]:
    """Each with what it means, and the forms in which texts have it."""
    return Answer({"terms": glossary()})
