"""Routes of exact figures: of a sheet, of a spot, and of two sheets side by side."""

from __future__ import annotations

from typing import Annotated, Any, NotRequired, cast

from fastapi import Query
from pydantic import BaseModel, ConfigDict, Field
from typing_extensions import TypedDict

from pitbook.cards import Card, cards
from pitbook.errors import CardError, MoneyError
from pitbook.exact.spots import ante_or_minimum
from pitbook.house.table.table_session import example_response
from pitbook.house.web.access import ANYONE, allow_routes, authenticated_router
from pitbook.house.web.errors import Answer
from pitbook.house.web.services import ServicesDep
from pitbook.house.web.sheets_api import NO_SHEET, NOT_READY, find_sheet
from pitbook.money import Cents, dollars
from pitbook.sheets.assumptions import describe_pays, describe_pays_of_both
from pitbook.sheets.hashes import digest
from pitbook.sheets.model import Sheet
from pitbook.text import say, sentence_of


class FigureAssumptions(TypedDict):
    """Assumptions of the figures."""

    ante: str | None
    limits: bool
    seats: int
    ties: str
    play: str
    shoe: NotRequired[str]


class OutcomeLine(TypedDict):
    """The result of one wager in an outcome."""

    wager: str
    outcome: str
    units: int | str
    result: str
    net: str


class OutcomeFigures(TypedDict):
    """The frequency and value of an outcome."""

    outcome: str
    units: int | str
    result: str
    net: str
    count: int
    probability: str
    contribution: str
    wagers: NotRequired[list[OutcomeLine]]


class WagerFigures(TypedDict):
    """Figures of one wager; the main game also has fold rates. `ours` marks assumed payouts."""

    expected: str
    house_edge: float
    average_wager: str
    element_of_risk: float
    standard_deviation: float
    variance: str
    volatility_index: float
    win: float
    push: float
    lose: float
    hit_frequency: float
    rounds: int
    outcomes: list[OutcomeFigures]
    fold_rate: NotRequired[dict[str, float]]
    ours: str


class SheetFigures(TypedDict):
    """Exact figures of a sheet."""

    sheet: str
    hash: str
    assumptions: FigureAssumptions
    wagers: dict[str, WagerFigures]


class LineComparison(TypedDict):
    """Hands that two sheets pay differently, even under different names."""

    line: str
    title: str
    a: str | None
    b: str | None
    edge: float
    probability: str


class AssumedEdgeMarks(TypedDict):
    """Marks for the sheet whose edge rests on an assumed pay table."""

    a: str
    b: str


class WagerDifference(TypedDict):
    """A wager on two sheets, and what makes up the difference."""

    wager: str
    a: float | None
    b: float | None
    difference: float | None
    lines: list[LineComparison]
    interplay: float | None
    other_rules: float | None
    rest: float | None
    ours: AssumedEdgeMarks


class ComparisonAssumptions(TypedDict):
    """Assumptions of a comparison."""

    ante: str | None
    limits: bool
    play: str
    shoe: NotRequired[dict[str, str]]


class SheetComparison(TypedDict):
    """Two sheets side by side."""

    a: str
    b: str
    assumptions: ComparisonAssumptions
    wagers: list[WagerDifference]


router = authenticated_router("mathematics")
allow_routes({"math": ANYONE, "advise": ANYONE, "compare": ANYONE})

ID, OTHER = "catfish-bend/mississippi-stud", "oceanfront/mississippi-stud"
FIGURES = {
    "sheet": ID,
    "assumptions": {"ante": None, "limits": False, "seats": 1, "ties": "smallest bet"},
    "wagers": {"main": {"expected": "-53223/1082900", "house_edge": 0.04914858, "ours": ""}},
}
COMPARED = {"a": ID, "b": OTHER, "wagers": [{"wager": "main", "a": 0.0491, "b": 0.0924}]}
PATIENCE = 1.0  # The page asks for one sheet after the other, and again for what is not ready.
Ante = Annotated[str | None, Query(max_length=30, examples=["10"], description="In dollars.")]


class AdviceRequest(BaseModel):
    """What a player knows at a decision."""

    model_config = ConfigDict(extra="forbid", strict=True)
    sheet: str = Field(max_length=121, examples=[ID])
    cards: str = Field(max_length=200, examples=["6h 5h"])
    community: str = Field("", max_length=200, examples=["7h"])
    bets: list[str] = Field(default=[], max_length=20, examples=[["1x"]])
    ante: str | None = Field(None, max_length=30, examples=["10"])
    side: dict[str, str] = Field(default={}, max_length=20, examples=[{"three-card-bonus": "5"}])
    dead: str = Field("", max_length=400, examples=["8c 9d"])
    purse: str | None = Field(
        None,
        max_length=30,
        examples=["500"],
        description="Dollars left after the wagers made; unlimited if omitted.",
    )


class AdviceForSpot(TypedDict):
    """The exact EV of every play, in antes or Bets."""

    sheet: str
    actions: dict[str, str]
    best: str
    cost: dict[str, str]
    why: str


@router.get(
    "/api/math/{venue}/{game}",
    name="math",
    summary="Get exact figures of a sheet",
    responses={**NO_SHEET, **NOT_READY, **example_response(FIGURES)},
)
async def math(
    venue: str,
    game: str,
    services: ServicesDep,
    *,
    ante: Ante = None,
    seats: Annotated[int, Query(ge=1, le=100, examples=[1])] = 1,
    wager: Annotated[str | None, Query(max_length=60, examples=["main"])] = None,
) -> Answer[SheetFigures]:
    """House edge, risk and outcomes of all wagers or one. With an ante, payout limits apply."""
    sheet, ante_cents = find_sheet(services.sheets, f"{venue}/{game}"), _parse_dollars(ante, "ante")
    key = ("math", digest(sheet), ante_cents, seats, wager)
    figures_document: dict[str, Any] = await services.jobs.compute(
        key, lambda: _math(sheet, ante_cents, seats, wager), patience=PATIENCE
    )
    wagers = {
        name: {**figures, "ours": describe_pays(sheet, name)}
        for name, figures in figures_document["wagers"].items()
    }
    return Answer(cast(SheetFigures, {**figures_document, "wagers": wagers}))


def _math(sheet: Sheet, ante: Cents | None, seats: int, wager: str | None) -> dict[str, Any]:
    from pitbook.exact.sheet_figures import game_figures  # noqa: PLC0415  Imports NumPy.

    return game_figures(sheet, ante=ante, seats=seats, wager=wager).document()


@router.post(
    "/api/advise",
    name="advise",
    summary="Get the EV of every play",
    responses={**NO_SHEET, **NOT_READY},
)
async def advise(spot: AdviceRequest, services: ServicesDep) -> Answer[AdviceForSpot]:
    """For a spot that you describe. Hands at live tables are not analyzed here."""
    sheet = find_sheet(services.sheets, spot.sheet)
    side = {wager: _parse_amount(stake, f"side.{wager}") for wager, stake in spot.side.items()}
    ante = ante_or_minimum(sheet, _parse_dollars(spot.ante, "ante"), side)
    card_groups = [
        _parse_cards(text, field)
        for text, field in (
            (spot.cards, "cards"),
            (spot.community, "community"),
            (spot.dead, "dead"),
        )
    ]
    purse = _parse_dollars(spot.purse, "purse")
    key = (
        "advise",
        digest(sheet),
        *card_groups,
        tuple(spot.bets),
        ante,
        tuple(side.items()),
        purse,
    )
    advice = await services.jobs.compute(
        key, lambda: _advice(sheet, *card_groups, bets=spot.bets, ante=ante, side=side, purse=purse)
    )
    return Answer(cast("AdviceForSpot", advice))


def _advice(
    sheet: Sheet,
    player_cards: tuple[Card, ...],
    community: tuple[Card, ...],
    dead: tuple[Card, ...],
    *,
    bets: list[str],
    ante: Cents | None,
    side: dict[str, Cents],
    purse: Cents | None,
) -> dict[str, Any]:
    from pitbook.exact.advice import spot_advice  # noqa: PLC0415  Imports NumPy.

    plays = [bet.lower() for bet in bets]
    stakes: dict[str, Any] = {"ante": ante, "side": side, "purse": purse}
    return spot_advice(sheet, player_cards, community, plays, dead=dead, **stakes).document()


@router.get(
    "/api/compare",
    name="compare",
    summary="Compare two sheets",
    responses={**NO_SHEET, **NOT_READY, **example_response(COMPARED)},
)
async def compare(
    services: ServicesDep,
    a: Annotated[str, Query(max_length=121, examples=[ID])],
    b: Annotated[str, Query(max_length=121, examples=[OTHER])],
    ante: Ante = None,
) -> Answer[SheetComparison]:
    """The effect on the house edge of every hand that they pay differently."""
    first, second = find_sheet(services.sheets, a), find_sheet(services.sheets, b)
    ante_cents = _parse_dollars(ante, "ante")
    key = ("compare", digest(first), digest(second), ante_cents)
    comparison: dict[str, Any] = await services.jobs.compute(
        key, lambda: _compare_sheets(first, second, ante_cents)
    )
    wagers = [
        {**wager, "ours": describe_pays_of_both(first, second, wager["wager"])}
        for wager in comparison["wagers"]
    ]
    return Answer(cast(SheetComparison, {**comparison, "wagers": wagers}))


def _compare_sheets(a: Sheet, b: Sheet, ante: Cents | None) -> dict[str, Any]:
    from pitbook.exact.compare import compare_sheets  # noqa: PLC0415  Imports NumPy.

    return compare_sheets(a, b, ante).document()


def _parse_cards(text: str, field: str) -> tuple[Card, ...]:
    try:
        return cards(text)
    except CardError as error:
        raise CardError(say("web.invalid.in-field", field=field, why=sentence_of(error))) from None


def _parse_dollars(text: str | None, field: str) -> Cents | None:
    return None if text is None else _parse_amount(text, field)


def _parse_amount(text: str, field: str) -> Cents:
    try:
        return dollars(text)
    except MoneyError as error:
        raise MoneyError(say("web.invalid.in-field", field=field, why=sentence_of(error))) from None
