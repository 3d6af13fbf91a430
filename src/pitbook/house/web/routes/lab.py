"""The lab: somebody's own pay table, tried on a sheet in memory and forgotten."""

from __future__ import annotations

from typing import Annotated, cast

from pydantic import BaseModel, ConfigDict, Field, StringConstraints

from pitbook.house.web.access import ANYONE, allow_routes, authenticated_router
from pitbook.house.web.errors import Answer
from pitbook.house.web.figures.lab import Tried
from pitbook.house.web.route_parts import Tools, Using
from pitbook.house.web.routes.sheets import ID, NO_SHEET, NOT_YET, sheet_of
from pitbook.sheets.digest import digest
from pitbook.sheets.model import Sheet

router = authenticated_router("mathematics")
allow_routes({"try_sheet": ANYONE})

WAGERS_MAX, LINES_MAX, CAPS_MAX = 21, 60, 20
Name = Annotated[str, StringConstraints(pattern=r"^[A-Za-z0-9-]{1,60}$")]
Text = Annotated[str, StringConstraints(max_length=40)]


class SheetWish(BaseModel):
    """A sheet, and what would be other than printed."""

    model_config = ConfigDict(extra="forbid", strict=True)
    sheet: str = Field(max_length=121, examples=[ID])
    pays: dict[Name, Annotated[dict[Name, Text], Field(max_length=LINES_MAX)]] = Field(
        default={},
        max_length=WAGERS_MAX,
        examples=[{"main": {"flush": "7:1", "pair-6-10": ""}}],
        description='Wager = lines with odds or "push"; nothing where the line loses.',
    )
    caps: list[Text | None] = Field(
        default=[],
        max_length=CAPS_MAX,
        examples=[["50000"]],
        description="In the sheet's order, in dollars; null for one that stays.",
    )
    ante: Text | None = Field(
        None, examples=["10"], description="In dollars; with it the caps apply."
    )


@router.post(
    "/api/sheets/try",
    name="try_sheet",
    summary="Another pay table, tried on a sheet",
    responses={**NO_SHEET, **NOT_YET},
)
async def try_sheet(wish: SheetWish, tools: Using) -> Answer[Tried]:
    """Checked as a sheet in a file is, with exact figures beside those of the sheet as printed."""
    sheet = sheet_of(tools.shelf, wish.sheet)
    found = await _tried(tools, sheet, wish)
    return Answer(cast(Tried, found.model_dump()))


async def _tried(tools: Tools, sheet: Sheet, wish: SheetWish) -> Tried:
    from pitbook.exact.lab import PayTableEdits  # noqa: PLC0415  It brings NumPy.
    from pitbook.house.web.figures import trials  # noqa: PLC0415

    ante, wrong = trials.ante_of(sheet, wish.ante)
    key = ("printed", digest(sheet), ante)
    before = await tools.sums.work_out(key, lambda: trials.printed(sheet, ante))
    wishes = PayTableEdits(wish.pays, wish.caps)
    found: Tried = await tools.sums.work_out(
        ("tried", digest(sheet), wish.model_dump_json()),
        lambda: trials.told(sheet, wishes, ante, wrong, before),
        keep=False,  # What somebody types would push out what many ask for.
    )
    return found
