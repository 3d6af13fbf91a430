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
from pitbook.house.table.lesson import GlossaryTerm, Lesson, build_lesson, glossary
from pitbook.house.table.table_session import example_response
from pitbook.house.web.access import ANYONE, allow_routes, authenticated_router
from pitbook.house.web.errors import Answer, Error, Problem
from pitbook.house.web.jobs import text_key
from pitbook.house.web.languages import current_language, set_currency
from pitbook.house.web.services import ServicesDep
from pitbook.house.web.sheet_cache import ClauseCache, SheetCache
from pitbook.house.web.sheet_types import FullSheet, RuleSentence, SheetCheckResult
from pitbook.money import money
from pitbook.rules.felt import felt
from pitbook.rules.game import compile_game
from pitbook.sheets.assumptions import assumed_share, describe_assumption, describe_pays
from pitbook.sheets.clauses import ClauseUnknown
from pitbook.sheets.display_documents import clause_document, pay_tables
from pitbook.sheets.family_registry import known_families
from pitbook.sheets.hashes import digest
from pitbook.sheets.load import examine
from pitbook.sheets.model import Sheet, Stake
from pitbook.sheets.prose import rule_texts_in_force
from pitbook.sheets.provenance import share
from pitbook.text import in_language, sentence_of
from pitbook.text.sentences import translate_document

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
_CLAUSES = ClauseCache()
ID = "catfish-bend/mississippi-stud"
FAMILY = next(iter(known_families()))
SHEET_EXAMPLE = {
    "id": ID,
    "title": "Mississippi Stud",
    "family": FAMILY,
    "hash": "c365",
    "aloud": [],
}
CHECK_EXAMPLE = {
    "sheet": "my-house/stud",
    "hash": None,
    "valid": False,
    "wagers": {},
    "findings": [{"level": "error", "message": "title is missing", "line": 1, "column": 1}],
    "left_out": {"error": 0, "notice": 0},
}
ASSUMPTION = "Assumption: the source does not say this."
FIRST_FIELDS = ("id", "title", "family", "hash", "aloud", "pay_tables", "limits_ours", "felt")
NO_SHEET: dict[int | str, dict[str, Any]] = {404: {"model": Error, "description": "No such sheet."}}
NOT_READY: dict[int | str, dict[str, Any]] = {
    503: {"model": Error, "description": "It is being computed for the first time; try again."}
}


class WagerOnLayout(BaseModel):
    """A wager: its name on the layout, and its limits."""

    title: str = Field(examples=["3 Card Bonus"])
    min: str = Field(examples=["5.00"])
    max: str = Field(examples=["500.00"])
    required: bool = Field(examples=[True])
    ours: str = Field("", examples=[ASSUMPTION], description="Set if the document names no limits.")
    pays_ours: str = Field(
        "", examples=[ASSUMPTION], description="Set if the document prints no pay table."
    )


class SheetSummary(BaseModel):
    """A short description of a sheet."""

    id: str = Field(examples=[ID])
    title: str = Field(examples=["Mississippi Stud"])
    venue: str = Field(examples=["Catfish Bend Casino II"])
    family: str = Field(examples=[FAMILY])
    effective: date | None = Field(examples=["2018-03-12"])
    seats: int = Field(examples=[6])
    main: str = Field(examples=["ante"], description="Id of the main wager.")
    wagers: dict[str, WagerOnLayout]
    hash: str = Field(examples=["1f3870be274f6c49b3e31a0c6728957f"])
    disabled: str | None = Field(None, description="Why the pit disabled it, if so.")
    currency: str | None = Field(None, description="Currency, if not US dollars.")


class Sheets(BaseModel):
    """All sheets of the server."""

    sheets: list[SheetSummary]


class SheetText(BaseModel):
    """A sheet to check, as TOML."""

    model_config = ConfigDict(extra="forbid", strict=True)
    toml: str = Field(max_length=200_000, examples=[f'id = "my-house/stud"\nfamily = "{FAMILY}"'])


@router.get("/api/sheets", name="list_sheets", summary="List sheets")
async def list_sheets(services: ServicesDep) -> Sheets:
    """The bundled sheets, and those in the server's own folders."""
    disabled_games = services.pit.all_disabled("game")
    sheets = [entry.sheet for entry in services.sheets.entries() if entry.sheet is not None]
    return Sheets(sheets=[summarize_sheet(sheet, disabled_games.get(sheet.id)) for sheet in sheets])


def summarize_sheet(sheet: Sheet, disabled: str | None) -> SheetSummary:
    """A short description of a sheet, and why it is disabled."""
    return SheetSummary(
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
        ours=_in_reader_language(_describe_limits(stake)),
        pays_ours=_in_reader_language(describe_pays(sheet, wager)),
    )


@router.get(
    "/api/sheets/{venue}/{game}",
    name="show_sheet",
    summary="Get a sheet",
    responses={**NO_SHEET, **example_response(SHEET_EXAMPLE)},
)
async def show_sheet(
    venue: str,
    game: str,
    services: ServicesDep,
    on: Annotated[date | None, Query(examples=["2018-03-12"])] = None,
) -> Answer[FullSheet]:
    """The sheet, its hash, and every rule as a sentence with its clause; `on` selects a day."""
    return Answer(order_fields(sheet_response(find_sheet(services.sheets, f"{venue}/{game}", on))))


def order_fields(body: FullSheet) -> FullSheet:
    """A sheet with common fields first, then the family's own."""
    return cast(FullSheet, {name: body[name] for name in FIRST_FIELDS} | body)  # type: ignore[literal-required]


def sheet_response(sheet: Sheet) -> FullSheet:
    """A sheet's data and hash, its rules and pay tables in words, and its layout."""
    rules: list[RuleSentence] = [
        {
            "part": rule.heading.fields["part"],
            "heading": rule.heading,
            "label": rule.label,
            "words": rule.card_text,
            "clauses": list(rule.clauses),
            "notes": list(rule.notes),
            "ours": describe_assumption(assumed_share(rule, short_form=True)),
        }
        for rule in rule_texts_in_force(sheet)
    ]
    body = sheet.model_dump(mode="json", by_alias=True)
    tables, limits = pay_tables(sheet), _limits_provenance(sheet)
    drawn = felt(compile_game(sheet)).model_dump()  # Its messages stay messages.
    details = {"aloud": rules, "pay_tables": tables, "limits_ours": limits, "felt": drawn}
    return cast(FullSheet, {**body, "hash": digest(sheet), **details})


def _limits_provenance(sheet: Sheet) -> dict[str, str]:
    sides = {name: side.stake for name, side in sheet.side.items()}
    stakes = {sheet.main_id: sheet.main_wager, **sides}
    return {name: _describe_limits(stake) for name, stake in stakes.items()}


def _in_reader_language(text: str) -> str:
    return in_language(text, current_language())


def _describe_limits(stake: Stake) -> str:
    return describe_assumption(share(stake, "min", "max"), stake.note)


def find_sheet(cache: SheetCache, name: str, on: date | None = None) -> Sheet:
    """A sheet by id; raises Problem 404."""
    try:
        sheet = cache.load(name, on)
    except SheetUnknown as error:
        raise Problem(HTTPStatus.NOT_FOUND, sentence_of(error)) from None
    set_currency(sheet.house.currency)
    return sheet


class ClauseRule(BaseModel):
    """A rule based on a clause."""

    words: str = Field(examples=["Ante: $5 to $500 in steps of $1, required"])
    ours: str = Field(examples=[ASSUMPTION])
    notes: list[str] = Field(examples=[["The document names no limits; these are ours."]])


class ClauseSheet(BaseModel):
    """A sheet's rules based on a clause."""

    sheet: str = Field(examples=[ID])
    rules: list[ClauseRule]


class ClausePage(BaseModel):
    """A clause: its wording, its place in the document, what it leaves open, and our notes."""

    clause: str = Field(examples=["CMS-2"])
    title: str = Field(examples=["Wagers before the deal"])
    text: str = Field(examples=["Two wagers are open before the deal."])
    place: str = Field(examples=["Mississippi Stud, Rules of the Game: Overview, page 2"])
    left_to_us: str = Field(
        examples=["The document does not say all of this. The rest is our assumption."]
    )
    ours: bool = Field(examples=[False], description="No document says so; it is our assumption.")
    sheets: list[ClauseSheet]


@router.get(
    "/api/clauses/{clause:path}",
    name="show_clause",
    summary="Get a clause",
    responses={404: {"model": Error, "description": "No such clause."}},
    response_model=ClausePage,
)
async def show_clause(
    clause: str,
    services: ServicesDep,
    sheet: Annotated[str | None, Query(max_length=121, examples=[ID])] = None,
) -> Response:
    """The clause in our words, with the rules that cite it, in all sheets or in one."""
    if sheet is not None:
        sheets = [find_sheet(services.sheets, sheet)]
    else:
        sheets = [entry.sheet for entry in services.sheets.entries() if entry.sheet is not None]
    name = clause[:CLAUSE_MAX]

    language = current_language()

    def render() -> str:
        document = translate_document(clause_document(name, sheets), language)
        return ClausePage.model_validate(document).model_dump_json()

    try:
        text = _CLAUSES.get(name, f"{sheet or ''} {language}", sheets, render)
        return Response(text, media_type="application/json")
    except ClauseUnknown as error:
        raise Problem(HTTPStatus.NOT_FOUND, sentence_of(error)) from None


@router.post(
    "/api/sheets/check",
    name="check_sheet",
    summary="Check a sheet",
    responses=example_response(CHECK_EXAMPLE),
)
async def check_sheet(posted: SheetText, services: ServicesDep) -> Answer[SheetCheckResult]:
    """Every finding with line and column. Errors make a sheet unusable; notices do not."""
    key = ("check", text_key(posted.toml))
    report: SheetCheckResult = await services.jobs.compute(
        key, lambda: _check_document(posted.toml)
    )
    return Answer(report)


def _check_document(text: str) -> SheetCheckResult:
    from pitbook.exact.edge_findings import check_reading  # noqa: PLC0415  Imports NumPy.

    report = check_reading(examine(text.replace("\r\n", "\n"), FILE)).document()
    return {
        "sheet": report["sheet"],
        "hash": report["hash"],
        "valid": report["valid"],
        "wagers": report["wagers"],
        "findings": report["findings"],
        "left_out": report["left_out"],
    }


lessons_router = authenticated_router("sheets")
allow_routes({"lesson": ANYONE, "glossary": ANYONE})

LESSON_EXAMPLE = {"sheet": ID, "title": "Mississippi Stud", "hash": "c365", "seat": 1, "steps": []}


class Glossary(TypedDict):
    """All explained terms."""

    terms: list[GlossaryTerm]


@lessons_router.get(
    "/api/sheets/{venue}/{game}/lesson",
    name="lesson",
    summary="Get a how-to-play guide",
    responses={**NO_SHEET, **example_response(LESSON_EXAMPLE)},
)
async def show_lesson(venue: str, game: str, services: ServicesDep) -> Answer[Lesson]:
    """Built from the sheet; the example round is the same for everyone."""
    sheet = find_sheet(services.sheets, f"{venue}/{game}")
    lesson_document: Lesson = await services.jobs.compute(
        ("lesson", digest(sheet)), lambda: build_lesson(sheet)
    )
    return Answer(lesson_document)


@lessons_router.get("/api/glossary", name="glossary", summary="Get the glossary")
async def show_glossary() -> Answer[Glossary]:
    """Each term with its meaning and the forms used in texts."""
    return Answer({"terms": glossary()})
