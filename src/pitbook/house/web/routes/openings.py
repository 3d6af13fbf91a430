"""Tables are opened on the rules in force, and given limits of their own."""

from __future__ import annotations

import re
from http import HTTPStatus
from typing import Annotated, Literal

from pydantic import BaseModel, ConfigDict, Field

from pitbook.errors import LedgerError
from pitbook.house.table.commands import By, Envelope, Fill
from pitbook.house.table.limits import caps_of, limits_of, notice_of, posted_limits
from pitbook.house.table.model import game_of, kept_sheet
from pitbook.house.table.seen.events import sheet_named
from pitbook.house.web.access import SUPERVISOR, Caller, allow_routes, authenticated_router
from pitbook.house.web.errors import Answer, Error, Problem
from pitbook.house.web.models.tables import LimitsChanged, TableOpened
from pitbook.house.web.route_parts import Using
from pitbook.house.web.routes.sheets import NO_SHEET, sheet_of
from pitbook.house.web.routes.tables import NO_TABLE, REFUSED
from pitbook.house.web.tables.present import at, checked_request, disabled, example, give, taken
from pitbook.money import Cents, dollars
from pitbook.rules.refusals import Code, Refusal
from pitbook.sheets.findings import printable
from pitbook.text import say

router = authenticated_router("pit")
allow_routes({"open_table": SUPERVISOR, "change_limits": SUPERVISOR})

LIMITS = {"ante": {"min": "5", "max": "100", "step": "5"}}
SHEET = {"id": "catfish-bend/mississippi-stud"}
OPENED = {"table": "stud-2", "kind": "house", "unit": "usd", "sheet": SHEET}
CAPS = [{"per": "round", "pays_max": "25000.00"}]
CHANGED = {
    "table": "stud-2",
    "accepted": {"seq": 3},
    "sheet": SHEET,
    "limits": LIMITS,
    "caps": CAPS,
}
NAME = re.compile(r"[a-z0-9][a-z0-9-]{0,39}", re.ASCII)
SECONDS_MAX = 3_600
Seconds = Annotated[int, Field(ge=1, le=SECONDS_MAX)] | None


class _Body(BaseModel):
    model_config = ConfigDict(extra="forbid", strict=True)


class Noted(BaseModel):
    """Where it is on record."""

    seq: int = Field(examples=[3])
    hash: str


class Clocks(_Body):
    """Seconds for betting, for a decision and for agreeing; null is no clock."""

    betting: Seconds = Field(45, examples=[45])
    decision: Seconds = Field(45, examples=[45])
    agree: Seconds = Field(120, examples=[120])


class Bounds(_Body):
    """The limits of one wager in dollars; what is left out stays as it is."""

    min: str | None = Field(None, max_length=30, examples=["5"])
    max: str | None = Field(None, max_length=30, examples=["100"])
    step: str | None = Field(None, max_length=30, examples=["5"])


Bounded = Annotated[dict[str, Bounds], Field(max_length=20)]
PayoutCaps = Annotated[
    list[Annotated[str, Field(max_length=30)]],
    Field(
        max_length=20,
        description="An amount for each payout cap of the sheet, in order. Left out: no change.",
    ),
]


class NewLimits(_Body):
    """Other limits for a table, and why; with minutes they are announced, and come later."""

    limits: Bounded = Field(min_length=1, examples=[LIMITS])
    pays_max: PayoutCaps | None = Field(None, examples=[["25000"]])
    why: str = Field(min_length=1, max_length=200, examples=["a quiet afternoon"])
    minutes: int = Field(0, ge=0, le=10_080, examples=[30])
    request: str = Field(max_length=1_000, examples=["sue-4"])


class TableToOpen(_Body):
    """A table to open on a sheet, as it is in force today."""

    name: str = Field(max_length=40, examples=["stud-2"])
    kind: Literal["house", "typed"] = Field("house", examples=["house"])
    sheet: str = Field(max_length=121, examples=["catfish-bend/mississippi-stud"])
    clocks: Clocks | None = None
    unit: Literal["usd", "play"] = Field("usd", examples=["usd"])
    limits: Bounded | None = Field(None, examples=[LIMITS])
    pays_max: PayoutCaps | None = Field(None, examples=[["25000"]])
    rack: str | None = Field(
        None, max_length=30, examples=["20000"], description="Chips that the house gives it."
    )


@router.post(
    "/api/tables",
    name="open_table",
    summary="Open a table",
    status_code=201,
    responses={
        **NO_SHEET,
        409: {"model": Error, "description": "The game is disabled."},
        201: example(OPENED)[200],
    },
)
async def open_table(given: TableToOpen, who: Caller, tools: Using) -> Answer[TableOpened]:
    """On a sheet as it is in force today, with limits of the table's own where they are given.

    The version in force is on record with the table. Sent again it is the same table.
    """
    if not NAME.fullmatch(given.name):
        raise Problem(400, say("web.tables.no-name", name=printable(given.name), as_in="stud-2"))
    sheet = sheet_of(tools.shelf, given.sheet)
    if (why := tools.pit.why_shut("game", sheet.id)) is not None:
        raise Problem(409, disabled(sheet.id, why))
    if given.limits is not None or given.pays_max is not None:
        sheet = posted_limits(sheet, _bounds(given.limits or {}), given.pays_max)
    rack = Cents(0) if given.rack is None else dollars(given.rack)
    settings = tools.server.settings.clocks.model_dump(exclude_none=True)
    clocks = settings if given.clocks is None else given.clocks.model_dump()
    table = await tools.server.house.open_table(
        given.name, given.kind, actor=who.name, unit=given.unit, sheet=sheet, clocks=clocks
    )
    if rack:
        by = By(who.name, "supervisor")
        filled = Envelope(by, Fill(rack), f"open {given.name} with a rack")
        answer = await table.send(filled)
        if isinstance(answer, Refusal) and answer.code is Code.REQUEST_REUSED:  # Another rack.
            raise LedgerError(say("table.live.name-taken", table=given.name))
        taken(answer)
    state = table.state
    named = sheet_named(state.coming)
    opened: TableOpened = {
        "table": state.table,
        "kind": state.kind,
        "unit": state.unit,
        "sheet": named,
    }
    return Answer(opened, HTTPStatus.CREATED)


@router.post(
    "/api/pit/tables/{table}/limits",
    name="change_limits",
    summary="Other limits for a table",
    responses={**NO_TABLE, **REFUSED, **example(CHANGED)},
)
async def change_limits(
    table: str, given: NewLimits, who: Caller, tools: Using
) -> Answer[LimitsChanged]:
    """From the next round on, or after a notice; the round on the layout keeps its own.

    Where the sheet's state asks for a notice there must be one. Every other rule stays.
    """
    place = at(tools.server, table, who)
    now = game_of(place.table.state.coming).sheet
    sheet = posted_limits(now, _bounds(given.limits), given.pays_max)
    kept = kept_sheet(sheet)
    document: dict[str, object] = {"do": "change-sheet", "sheet": kept, "why": given.why}
    if given.minutes or notice_of(sheet.house.jurisdiction)[0]:
        document |= {"do": "announce-sheet", "minutes": given.minutes}
    noted = taken(await give(tools, place, document, checked_request(given.request)))
    named, limits = sheet_named(kept), limits_of(sheet)
    changed: LimitsChanged = {
        "table": table,
        "accepted": noted,
        "sheet": named,
        "limits": limits,
        "caps": caps_of(sheet),
    }
    return Answer(changed)


def _bounds(given: dict[str, Bounds]) -> dict[str, dict[str, str]]:
    return {wager: one.model_dump(exclude_none=True) for wager, one in given.items()}
