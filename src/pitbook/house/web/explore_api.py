"""Routes that explore a sheet: decisions, starting hands, bankroll simulation, edited files."""

from __future__ import annotations

from fractions import Fraction
from http import HTTPStatus
from pathlib import Path
from typing import Annotated, Any, cast

from pydantic import BaseModel, ConfigDict, Field, StringConstraints
from starlette.responses import Response
from typing_extensions import TypedDict

from pitbook.errors import SheetError
from pitbook.house.web.access import ANYONE, allow_routes, authenticated_router
from pitbook.house.web.errors import Answer, Problem
from pitbook.house.web.lab_api import SheetWish
from pitbook.house.web.services import Services, ServicesDep
from pitbook.house.web.sheets_api import ID, NO_SHEET, find_sheet
from pitbook.money import Cents, dollars, money
from pitbook.rules.game import compile_game
from pitbook.sheets.digest import digest
from pitbook.sheets.edit import edit_text
from pitbook.sheets.model import Sheet
from pitbook.text import say, sentence_of

router = authenticated_router("mathematics")
allow_routes(
    dict.fromkeys(("sheet_decisions", "sheet_grid", "sheet_session", "sheet_file"), ANYONE)
)

HANDS_AN_HOUR = 40
HOURS_MAX = 12
TOML = "application/toml"
BriefText = Annotated[str, StringConstraints(max_length=30)]


class PlayNamed(TypedDict):
    """A play, and what a button says."""

    play: str
    title: str


class DecisionNamed(TypedDict):
    """A decision: how many cards of one's own and in common are known then, and the plays."""

    id: str
    title: str
    own: int
    common: int
    plays: list[PlayNamed]


class Decisions(TypedDict):
    """The decisions of a game in their order; `grid` where starting hands fit in one."""

    sheet: str
    decks: int
    grid: bool
    decisions: list[DecisionNamed]


class GridCell(TypedDict):
    """A starting hand: its best play, and what it is worth in main wagers."""

    cards: str
    suited: bool
    play: str
    short: str
    worth: str
    worth_text: str


class Grid(TypedDict):
    """Starting hands row by row, thirteen a row."""

    sheet: str
    cells: list[GridCell]


class SessionAsked(BaseModel):
    """A visit: what somebody sits down with, for how long, at which stakes."""

    model_config = ConfigDict(extra="forbid", strict=True)
    sheet: str = Field(max_length=121, examples=[ID])
    bankroll: BriefText = Field(examples=["500"], description="In dollars.")
    hours: int = Field(ge=1, le=HOURS_MAX, examples=[2])
    ante: BriefText | None = Field(
        None, examples=["5"], description="In dollars; the least without."
    )


class MarkShown(TypedDict):
    """After so many rounds: who still plays, and what a share of players has at most."""

    rounds: int
    playing: float
    quantiles: list[str]


class SessionShown(TypedDict):
    """A bankroll's way: marks with the quantiles of 1, 5, 25, 50, 75, 95 and 99 in a hundred."""

    sheet: str
    method: str
    ante: str
    bankroll: str
    rounds: int
    ruin: float
    mean: str
    marks: list[MarkShown]


@router.get(
    "/api/sheets/{venue}/{game}/decisions",
    name="sheet_decisions",
    summary="The decisions of a game",
    responses=NO_SHEET,
)
async def sheet_decisions(venue: str, game: str, services: ServicesDep) -> Answer[Decisions]:
    """Which cards are known at each, and what may be played."""
    from pitbook.exact.advice import has_starting_hands  # noqa: PLC0415  It brings NumPy.

    sheet = find_sheet(services.sheets, f"{venue}/{game}")
    bound = compile_game(sheet)
    own = bound.places[0]
    found: list[DecisionNamed] = [
        {
            "id": stage.id,
            "title": stage.title,
            "own": max(own.cards - own.later, stage.opens[0]),
            "common": sum(stage.opens[1:]),
            "plays": [{"play": play, "title": play.label} for play in stage.plays],
        }
        for stage in bound.stages
        if stage.plays
    ]
    told: Decisions = {
        "sheet": sheet.id,
        "decks": bound.decks,
        "grid": has_starting_hands(bound),
        "decisions": found,
    }
    return Answer(told)


@router.get(
    "/api/sheets/{venue}/{game}/grid",
    name="sheet_grid",
    summary="Every starting hand's best play",
    responses=NO_SHEET,
)
async def sheet_grid(venue: str, game: str, services: ServicesDep) -> Answer[Grid]:
    """For games that begin with two cards of one's own: 169 hands, each with its exact worth."""
    sheet = find_sheet(services.sheets, f"{venue}/{game}")
    found: list[GridCell] = await services.jobs.compute(
        ("grid", digest(sheet)), lambda: _cells(sheet)
    )
    return Answer({"sheet": sheet.id, "cells": found})


def _cells(sheet: Sheet) -> list[GridCell]:
    from pitbook.exact.advice import has_starting_hands, starting_hands  # noqa: PLC0415  It brings NumPy.
    from pitbook.exact.games import cached_game  # noqa: PLC0415

    game = cached_game(sheet)
    if not has_starting_hands(game):
        raise Problem(HTTPStatus.UNPROCESSABLE_ENTITY, say("web.figures.no-grid"))
    found = starting_hands(game, sheet)
    return [
        cast(GridCell, {**one._asdict(), "worth_text": f"{float(Fraction(one.worth)):+.3f}"})
        for one in found
    ]


@router.post(
    "/api/sheets/session",
    name="sheet_session",
    summary="A bankroll's way",
    responses=NO_SHEET,
)
async def sheet_session(asked: SessionAsked, services: ServicesDep) -> Answer[SessionShown]:
    """With best play, exact or computed to a bound; what takes too long for a page is refused."""
    sheet = find_sheet(services.sheets, asked.sheet)
    bankroll = dollars(asked.bankroll)
    ante = sheet.main_wager.min if asked.ante is None else dollars(asked.ante)
    key = ("session", digest(sheet), bankroll, asked.hours, ante)
    found: SessionShown = await services.jobs.compute(
        key, lambda: _walked(sheet, bankroll, asked.hours, ante)
    )
    return Answer(found)


def _walked(sheet: Sheet, bankroll: Cents, hours: int, ante: Cents) -> SessionShown:
    from pitbook.simulate.plan import plan  # noqa: PLC0415  It brings NumPy.
    from pitbook.simulate.sessions.chain import (  # noqa: PLC0415
        chained,
        lattice,
        work,
    )
    from pitbook.simulate.sessions.session import (  # noqa: PLC0415
        RUIN,
        session,
        why_not,
    )

    planned = plan(sheet, ante=ante, side={}, seats=1, strategy="best", seed=0)
    asked = session(planned, bankroll=bankroll, hours=Fraction(hours), hands_per_hour=HANDS_AN_HOUR)
    if why_not(planned) is not None:
        raise Problem(HTTPStatus.UNPROCESSABLE_ENTITY, say("web.figures.no-session"))
    on = lattice(asked, exact=False)
    if work(asked, on, certain=False) > WORK_MAX:
        raise Problem(HTTPStatus.UNPROCESSABLE_ENTITY, say("web.figures.no-session"))
    outlook = chained(asked, on)
    return {
        "sheet": sheet.id,
        "method": outlook.method,
        "ante": money(ante),
        "bankroll": money(bankroll),
        "rounds": asked.rounds,
        "ruin": float(outlook.ends[RUIN].chance) if RUIN in outlook.ends else 0.0,
        "mean": money(Cents(round(outlook.mean))),
        "marks": [
            {
                "rounds": mark.rounds,
                "playing": float(mark.playing),
                "quantiles": [money(Cents(one)) for one in mark.quantiles],
            }
            for mark in outlook.marks
        ],
    }


WORK_MAX = 2 * 10**9  # Products: a few seconds of one core.


@router.post(
    "/api/sheets/try/file",
    name="sheet_file",
    summary="A changed sheet as a file",
    responses={**NO_SHEET, 200: {"description": "A sheet.", "content": {TOML: {}}}},
    response_class=Response,
)
async def sheet_file(wish: SheetWish, services: ServicesDep) -> Response:
    """The sheet's own text with the pays and caps that are wished; it is checked as a file is."""
    sheet = find_sheet(services.sheets, wish.sheet)
    text = await services.jobs.compute(
        ("file", digest(sheet), wish.model_dump_json()),
        lambda: _written(services, sheet, wish),
        keep=False,
    )
    name = sheet.id.partition("/")[2]
    headers = {"Content-Disposition": f'attachment; filename="{name}-changed.toml"'}
    return Response(text, media_type=TOML, headers=headers)


def _written(services: Services, sheet: Sheet, wish: SheetWish) -> str:
    from pitbook.exact.lab import PayTableEdits, apply_edits  # noqa: PLC0415  It brings NumPy.

    trial = apply_edits(sheet, PayTableEdits(wish.pays, wish.caps))
    if trial.sheet is None:
        told = next(one for one in trial.findings if one.level == "error")
        raise Problem(HTTPStatus.UNPROCESSABLE_ENTITY, told.message)
    try:
        return edit_text(
            _source(services, sheet), trial.sheet, f"changed/{sheet.id.partition('/')[2]}"
        )
    except SheetError as error:
        raise Problem(HTTPStatus.UNPROCESSABLE_ENTITY, sentence_of(error)) from None


def _source(services: Services, sheet: Sheet) -> str:
    wanted: Any = digest(sheet)
    path: Path = next(
        one.path
        for one in services.sheets.entries()
        if one.sheet is not None and digest(one.sheet) == wanted
    )
    return path.read_text(encoding="utf-8")
