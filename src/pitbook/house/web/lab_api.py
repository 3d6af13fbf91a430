"""Routes of the lab: try edits, save a sheet, explore decisions, hands and bankrolls."""

from __future__ import annotations

from fractions import Fraction
from http import HTTPStatus
from pathlib import Path
from typing import Annotated, Any, Literal, TypeAlias, cast

from pydantic import BaseModel, ConfigDict, Field, SkipValidation, StringConstraints
from starlette.responses import Response
from typing_extensions import TypedDict

from pitbook.errors import SheetError
from pitbook.house.web.access import ANYONE, allow_routes, authenticated_router
from pitbook.house.web.errors import Answer, Problem
from pitbook.house.web.services import Services, ServicesDep
from pitbook.house.web.sheets_api import ID, NO_SHEET, NOT_READY, find_sheet
from pitbook.money import Cents, dollars, money
from pitbook.rules.game import compile_game
from pitbook.sheets.edit import edit_text
from pitbook.sheets.hashes import digest
from pitbook.sheets.model import Sheet
from pitbook.text import say, sentence_of

router = authenticated_router("mathematics")
allow_routes(
    dict.fromkeys(
        ("try_sheet", "sheet_decisions", "sheet_grid", "sheet_session", "sheet_file"), ANYONE
    )
)

# Translated when the response is rendered; validation would turn it into plain text.
AnyText: TypeAlias = Annotated[str, SkipValidation]


ASSUMPTION = "Assumption: the source does not say this."


class LabLine(BaseModel):
    """A row of a pay table: as printed, as edited, and its frequency."""

    line: str = Field(examples=["flush"])
    title: AnyText = Field(examples=["Flush"])
    field: str = Field(examples=["main.pays.flush"], description="Path used in findings.")
    printed: str = Field(examples=["6:1"], description="Empty if the line loses.")
    now: str | None = Field(examples=["7:1"], description="Null if it cannot be parsed.")
    rate: AnyText | None = Field(examples=["1 in 508"])
    ours: AnyText = Field(
        "", examples=[ASSUMPTION], description="Set if the printed line is assumed."
    )


class LabLineLabel(BaseModel):
    """A row that the pay table does not have but could."""

    line: str = Field(examples=["pair"])
    title: AnyText = Field(examples=["Pair"])


class LabFigure(BaseModel):
    """One figure, as printed and as edited; None if unknown."""

    name: str = Field(examples=["house_edge"])
    title: AnyText = Field(examples=["House edge"])
    printed: str | None = Field(examples=["4.915%"])
    now: str | None = Field(examples=["4.411%"])
    change: AnyText = Field(examples=["−0.504 points"], description="Empty if nothing changes.")


class LabPayTable(BaseModel):
    """One pay table with its figures."""

    wager: str = Field(examples=["main"])
    title: AnyText = Field(examples=["Ante and street bets"])
    about: AnyText = Field(examples=["on the player's five-card hand"])
    clause: str = Field(examples=["CMS-9"])
    note: str | None = Field(None, examples=["Posted tables are the house's to choose."])
    ours: AnyText = Field(
        "",
        examples=[f"{ASSUMPTION} Changed by you."],
        description="Provenance of the table; empty if the document prints it.",
    )
    field: str = Field(examples=["main.pays"])
    lines: list[LabLine]
    more: list[LabLineLabel]
    figures: list[LabFigure]
    exact: str | None = Field(examples=["53223/1082900"], description="House edge with the change.")


class LabCap(BaseModel):
    """A payout limit."""

    field: str = Field(examples=["limits[0].pays_max"])
    label: AnyText = Field(examples=["Each round"])
    about: AnyText = Field(examples=["All wins at 100:1 or more in a round together"])
    printed: str = Field(examples=["25000"])
    clauses: list[str] = Field(default=[], examples=[["CMS-12"]])
    ours: AnyText = Field("", examples=[ASSUMPTION])


class LabMainGame(BaseModel):
    """The main wager and its limits: payout limits need an amount."""

    title: str = Field(examples=["Ante"])
    bounds: AnyText = Field(examples=["$5 to $500"])
    ours: AnyText = Field("", examples=[ASSUMPTION])


class LabFinding(BaseModel):
    """A finding of the sheet checks about the edits."""

    level: Literal["error", "notice"] = Field(examples=["error"])
    field: str = Field(examples=["main.pays.flush"])
    message: AnyText = Field(examples=['"seven" is not a payout; write odds as in "3:1"'])
    clause: str | None = Field(examples=["CMS-9"])


class LabResult(BaseModel):
    """The answer of the lab; nothing is stored."""

    sheet: str = Field(examples=["catfish-bend/mississippi-stud"])
    title: str = Field(examples=["Mississippi Stud"])
    venue: str = Field(examples=["Catfish Bend Casino II"])
    valid: bool = Field(examples=[True])
    said: AnyText = Field(examples=["House edge of Ante and street bets: 4.411%."])
    assumed: AnyText = Field(examples=["One seat, best play, no payout limits."])
    main: LabMainGame
    tables: list[LabPayTable]
    caps: list[LabCap]
    ladder: list[str] = Field(examples=[["", "push", "1:1", "2:1"]])
    findings: list[LabFinding]
    differences: list[AnyText] = Field(examples=[["Flush pays 6:1 at the house and 7:1 at yours."]])


WAGERS_MAX, LINES_MAX, CAPS_MAX = 21, 60, 20
Name = Annotated[str, StringConstraints(pattern=r"^[A-Za-z0-9-]{1,60}$")]
Text = Annotated[str, StringConstraints(max_length=40)]


class SheetEdits(BaseModel):
    """A sheet and the edits to its payouts and limits."""

    model_config = ConfigDict(extra="forbid", strict=True)
    sheet: str = Field(max_length=121, examples=[ID])
    pays: dict[Name, Annotated[dict[Name, Text], Field(max_length=LINES_MAX)]] = Field(
        default={},
        max_length=WAGERS_MAX,
        examples=[{"main": {"flush": "7:1", "pair-6-10": ""}}],
        description='Wager and its lines: odds, "push", or empty if the line loses.',
    )
    caps: list[Text | None] = Field(
        default=[],
        max_length=CAPS_MAX,
        examples=[["50000"]],
        description="Payout caps in dollars, in the sheet's order; null: unchanged.",
    )
    ante: Text | None = Field(
        None, examples=["10"], description="In dollars; if given, payout caps apply."
    )


@router.post(
    "/api/sheets/try",
    name="try_sheet",
    summary="Try a pay table on a sheet",
    responses={**NO_SHEET, **NOT_READY},
)
async def try_sheet(edits: SheetEdits, services: ServicesDep) -> Answer[LabResult]:
    """Checked like a sheet file, with exact figures beside those of the printed sheet."""
    sheet = find_sheet(services.sheets, edits.sheet)
    trial = await _compute_trial(services, sheet, edits)
    return Answer(cast(LabResult, trial.model_dump()))


async def _compute_trial(services: Services, sheet: Sheet, edits: SheetEdits) -> LabResult:
    from pitbook.exact.lab import PayTableEdits  # noqa: PLC0415  Imports NumPy.
    from pitbook.house.web import lab_trial as trials  # noqa: PLC0415

    ante, findings = trials.ante_of(sheet, edits.ante)
    key = ("printed", digest(sheet), ante)
    printed = await services.jobs.compute(key, lambda: trials.printed_figures(sheet, ante))
    pay_edits = PayTableEdits(edits.pays, edits.caps)
    trial: LabResult = await services.jobs.compute(
        ("tried", digest(sheet), edits.model_dump_json()),
        lambda: trials.render_trial(sheet, pay_edits, ante, findings, printed),
        keep=False,  # Users' edits would evict results that many ask for.
    )
    return trial


HANDS_AN_HOUR = 40
HOURS_MAX = 12
TOML = "application/toml"
BriefText = Annotated[str, StringConstraints(max_length=30)]


class PlayLabel(TypedDict):
    """A play and its button label."""

    play: str
    title: str


class DecisionPoint(TypedDict):
    """A decision: how many own and community cards are known, and the plays."""

    id: str
    title: str
    own: int
    common: int
    plays: list[PlayLabel]


class Decisions(TypedDict):
    """A game's decisions in order; `grid` says whether starting hands fit in one."""

    sheet: str
    decks: int
    grid: bool
    decisions: list[DecisionPoint]


class GridCell(TypedDict):
    """A starting hand: its best play and EV in main wagers."""

    cards: str
    suited: bool
    play: str
    short: str
    worth: str
    worth_text: str


class Grid(TypedDict):
    """Starting hands, thirteen in a row."""

    sheet: str
    cells: list[GridCell]


class SessionRequest(BaseModel):
    """A session to simulate: bankroll, hours and ante."""

    model_config = ConfigDict(extra="forbid", strict=True)
    sheet: str = Field(max_length=121, examples=[ID])
    bankroll: BriefText = Field(examples=["500"], description="In dollars.")
    hours: int = Field(ge=1, le=HOURS_MAX, examples=[2])
    ante: BriefText | None = Field(
        None, examples=["5"], description="In dollars; the minimum by default."
    )


class SessionMilestone(TypedDict):
    """After this many rounds: the share still playing, and quantiles of the bankroll."""

    rounds: int
    playing: float
    quantiles: list[str]


class SessionResult(TypedDict):
    """A bankroll simulation: quantiles at 1, 5, 25, 50, 75, 95 and 99 percent."""

    sheet: str
    method: str
    ante: str
    bankroll: str
    rounds: int
    ruin: float
    mean: str
    marks: list[SessionMilestone]


@router.get(
    "/api/sheets/{venue}/{game}/decisions",
    name="sheet_decisions",
    summary="List a game's decisions",
    responses=NO_SHEET,
)
async def sheet_decisions(venue: str, game: str, services: ServicesDep) -> Answer[Decisions]:
    """The known cards and the plays of each decision."""
    from pitbook.exact.advice import has_starting_hands  # noqa: PLC0415  Imports NumPy.

    sheet = find_sheet(services.sheets, f"{venue}/{game}")
    bound = compile_game(sheet)
    player_place = bound.places[0]
    decisions: list[DecisionPoint] = [
        {
            "id": stage.id,
            "title": stage.title,
            "own": max(player_place.cards - player_place.later, stage.opens[0]),
            "common": sum(stage.opens[1:]),
            "plays": [{"play": play, "title": play.label} for play in stage.plays],
        }
        for stage in bound.stages
        if stage.plays
    ]
    document: Decisions = {
        "sheet": sheet.id,
        "decks": bound.decks,
        "grid": has_starting_hands(bound),
        "decisions": decisions,
    }
    return Answer(document)


@router.get(
    "/api/sheets/{venue}/{game}/grid",
    name="sheet_grid",
    summary="Get best play by starting hand",
    responses=NO_SHEET,
)
async def sheet_grid(venue: str, game: str, services: ServicesDep) -> Answer[Grid]:
    """For games that start with two cards: 169 hands with their exact EV."""
    sheet = find_sheet(services.sheets, f"{venue}/{game}")
    cells: list[GridCell] = await services.jobs.compute(
        ("grid", digest(sheet)), lambda: _cells(sheet)
    )
    return Answer({"sheet": sheet.id, "cells": cells})


def _cells(sheet: Sheet) -> list[GridCell]:
    from pitbook.exact.advice import has_starting_hands, starting_hands  # noqa: PLC0415  Imports NumPy.

    game = compile_game(sheet)
    if not has_starting_hands(game):
        raise Problem(HTTPStatus.UNPROCESSABLE_ENTITY, say("web.figures.no-grid"))
    hands = starting_hands(game, sheet)
    return [
        {
            "cards": hand.cards,
            "suited": hand.suited,
            "play": hand.play,
            "short": hand.short,
            "worth": str(hand.worth),
            "worth_text": f"{float(hand.worth):+.3f}",
        }
        for hand in hands
    ]


@router.post(
    "/api/sheets/session",
    name="sheet_session",
    summary="Simulate a bankroll",
    responses=NO_SHEET,
)
async def sheet_session(body: SessionRequest, services: ServicesDep) -> Answer[SessionResult]:
    """With best play, exact or to a stated bound. Long computations are refused."""
    sheet = find_sheet(services.sheets, body.sheet)
    bankroll = dollars(body.bankroll)
    ante = sheet.main_wager.min if body.ante is None else dollars(body.ante)
    key = ("session", digest(sheet), bankroll, body.hours, ante)
    outlook: SessionResult = await services.jobs.compute(
        key, lambda: _simulate_session(sheet, bankroll, body.hours, ante)
    )
    return Answer(outlook)


def _simulate_session(sheet: Sheet, bankroll: Cents, hours: int, ante: Cents) -> SessionResult:
    from pitbook.simulation.plan import plan  # noqa: PLC0415  Imports NumPy.
    from pitbook.simulation.sessions.markov_chain import (  # noqa: PLC0415
        compute_outlook,
        lattice,
        work,
    )
    from pitbook.simulation.sessions.session import (  # noqa: PLC0415
        RUIN,
        session,
        unknown_reason,
    )

    simulation_plan = plan(sheet, ante=ante, side={}, seats=1, strategy="best", seed=0)
    run = session(
        simulation_plan, bankroll=bankroll, hours=Fraction(hours), hands_per_hour=HANDS_AN_HOUR
    )
    if unknown_reason(simulation_plan) is not None:
        raise Problem(HTTPStatus.UNPROCESSABLE_ENTITY, say("web.figures.no-session"))
    grid = lattice(run, exact=False)
    if work(run, grid, certain=False) > WORK_MAX:
        raise Problem(HTTPStatus.UNPROCESSABLE_ENTITY, say("web.figures.no-session"))
    outlook = compute_outlook(run, grid)
    return {
        "sheet": sheet.id,
        "method": outlook.method,
        "ante": money(ante),
        "bankroll": money(bankroll),
        "rounds": run.rounds,
        "ruin": float(outlook.ends[RUIN].chance) if RUIN in outlook.ends else 0.0,
        "mean": money(Cents(round(outlook.mean))),
        "marks": [
            {
                "rounds": mark.rounds,
                "playing": float(mark.playing),
                "quantiles": [money(Cents(cents)) for cents in mark.quantiles],
            }
            for mark in outlook.marks
        ],
    }


WORK_MAX = 2 * 10**9  # Products: a few seconds of one core.


@router.post(
    "/api/sheets/try/file",
    name="sheet_file",
    summary="Download an edited sheet",
    responses={**NO_SHEET, 200: {"description": "The sheet file.", "content": {TOML: {}}}},
    response_class=Response,
)
async def sheet_file(edits: SheetEdits, services: ServicesDep) -> Response:
    """The sheet's text with the requested payouts and limits, checked like a file."""
    sheet = find_sheet(services.sheets, edits.sheet)
    text = await services.jobs.compute(
        ("file", digest(sheet), edits.model_dump_json()),
        lambda: _edited_text(services, sheet, edits),
        keep=False,
    )
    name = sheet.id.partition("/")[2]
    headers = {"Content-Disposition": f'attachment; filename="{name}-changed.toml"'}
    return Response(text, media_type=TOML, headers=headers)


def _edited_text(services: Services, sheet: Sheet, edits: SheetEdits) -> str:
    from pitbook.exact.lab import PayTableEdits, apply_edits  # noqa: PLC0415  Imports NumPy.

    trial = apply_edits(sheet, PayTableEdits(edits.pays, edits.caps))
    if trial.sheet is None:
        finding = next(finding for finding in trial.findings if finding.level == "error")
        raise Problem(HTTPStatus.UNPROCESSABLE_ENTITY, finding.message)
    try:
        return edit_text(
            _source_text(services, sheet), trial.sheet, f"changed/{sheet.id.partition('/')[2]}"
        )
    except SheetError as error:
        raise Problem(HTTPStatus.UNPROCESSABLE_ENTITY, sentence_of(error)) from None


def _source_text(services: Services, sheet: Sheet) -> str:
    sheet_hash: Any = digest(sheet)
    path: Path = next(
        entry.path
        for entry in services.sheets.entries()
        if entry.sheet is not None and digest(entry.sheet) == sheet_hash
    )
    return path.read_text(encoding="utf-8")
