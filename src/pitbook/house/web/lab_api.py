"""The route of the pay table lab: an edited pay table with its figures beside the printed ones."""

from __future__ import annotations

from typing import Annotated, Literal, TypeAlias, cast

from pydantic import BaseModel, ConfigDict, Field, SkipValidation, StringConstraints

from pitbook.house.web.access import ANYONE, allow_routes, authenticated_router
from pitbook.house.web.errors import Answer
from pitbook.house.web.services import Services, ServicesDep
from pitbook.house.web.sheets_api import ID, NO_SHEET, NOT_READY, find_sheet
from pitbook.sheets.digest import digest
from pitbook.sheets.model import Sheet

# Translated when the response is rendered; validation would turn it into plain text.
AnyText: TypeAlias = Annotated[str, SkipValidation]


class LabLine(BaseModel):
    """A row of a pay table: as printed, as edited, and its frequency."""

    line: str = Field(examples=["flush"])
    title: AnyText = Field(examples=["Flush"])
    field: str = Field(examples=["main.pays.flush"], description="Path used in findings.")
    printed: str = Field(examples=["6:1"], description="Empty if the line loses.")
    now: str | None = Field(examples=["7:1"], description="Null if it cannot be parsed.")
    rate: AnyText | None = Field(examples=["1 in 508"])
    ours: AnyText = Field(
        "", examples=["our choice"], description="Provenance of the printed line."
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
        examples=["our choice, changed by you"],
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
    ours: AnyText = Field("", examples=["our choice"])


class LabMainGame(BaseModel):
    """The main wager and its limits: payout limits need an amount."""

    title: str = Field(examples=["Ante"])
    bounds: AnyText = Field(examples=["$5 to $500"])
    ours: AnyText = Field("", examples=["our choice"])


class LabFinding(BaseModel):
    """A finding of the sheet checks about the edits."""

    level: Literal["error", "notice"] = Field(examples=["error"])
    field: str = Field(examples=["main.pays.flush"])
    message: AnyText = Field(examples=['"seven" is no pay; write odds as in "3:1"'])
    clause: str | None = Field(examples=["CMS-9"])


class LabResult(BaseModel):
    """The answer of the lab; nothing is stored."""

    sheet: str = Field(examples=["catfish-bend/mississippi-stud"])
    title: str = Field(examples=["Mississippi Stud"])
    venue: str = Field(examples=["Catfish Bend Casino II"])
    valid: bool = Field(examples=[True])
    said: AnyText = Field(examples=["House edge of Ante and street bets: 4.411%."])
    assumed: AnyText = Field(examples=["By best play of one seat, without caps on payouts."])
    main: LabMainGame
    tables: list[LabPayTable]
    caps: list[LabCap]
    ladder: list[str] = Field(examples=[["", "push", "1:1", "2:1"]])
    findings: list[LabFinding]
    differences: list[AnyText] = Field(examples=[["Flush pays 6:1 at the house and 7:1 at yours."]])


router = authenticated_router("mathematics")
allow_routes({"try_sheet": ANYONE})

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
    from pitbook.exact.lab import PayTableEdits  # noqa: PLC0415  It brings NumPy.
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
