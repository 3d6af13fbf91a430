"""What the lab answers: a sheet as somebody would have it, beside the sheet as printed."""

from __future__ import annotations

from typing import Annotated, Literal, TypeAlias

from pydantic import BaseModel, Field, SkipValidation

# A sentence that the route says in the reader's language: checked, it would be plain text.
AnyText: TypeAlias = Annotated[str, SkipValidation]


class LineTried(BaseModel):
    """A line of a pay table: as printed, as wished, and how often it comes."""

    line: str = Field(examples=["flush"])
    title: AnyText = Field(examples=["Flush"])
    field: str = Field(examples=["main.pays.flush"], description="Where findings point.")
    printed: str = Field(examples=["6:1"], description="Empty where the line loses.")
    now: str | None = Field(examples=["7:1"], description="None where it cannot be read.")
    rate: AnyText | None = Field(examples=["1 in 508"])
    ours: AnyText = Field("", examples=["our choice"], description="Whose the line is as printed.")


class LineNamed(BaseModel):
    """A line that the pay table could have and has not."""

    line: str = Field(examples=["pair"])
    title: AnyText = Field(examples=["Pair"])


class FigureTried(BaseModel):
    """One figure, as printed and as wished; what is not known is None."""

    name: str = Field(examples=["house_edge"])
    title: AnyText = Field(examples=["House edge"])
    printed: str | None = Field(examples=["4.915%"])
    now: str | None = Field(examples=["4.411%"])
    change: AnyText = Field(examples=["−0.504 points"], description="Empty where nothing changes.")


class TableTried(BaseModel):
    """One pay table with its figures."""

    wager: str = Field(examples=["main"])
    title: AnyText = Field(examples=["Ante and street bets"])
    about: AnyText = Field(examples=["on the player's five-card hand"])
    clause: str = Field(examples=["CMS-9"])
    note: str | None = Field(None, examples=["Posted tables are the house's to choose."])
    ours: AnyText = Field(
        "",
        examples=["our choice, changed by you"],
        description="Whose the table is; empty where it is the document's.",
    )
    field: str = Field(examples=["main.pays"])
    lines: list[LineTried]
    more: list[LineNamed]
    figures: list[FigureTried]
    exact: str | None = Field(examples=["53223/1082900"], description="The house edge now.")


class CapTried(BaseModel):
    """A cap on what is paid."""

    field: str = Field(examples=["limits[0].pays_max"])
    label: AnyText = Field(examples=["Each round"])
    about: AnyText = Field(examples=["All wins at 100:1 or more in a round together"])
    printed: str = Field(examples=["25000"])
    clauses: list[str] = Field(default=[], examples=[["CMS-12"]])
    ours: AnyText = Field("", examples=["our choice"])


class MainTried(BaseModel):
    """The wager whose amount may be named: caps apply at an amount, not in the abstract."""

    title: str = Field(examples=["Ante"])
    bounds: AnyText = Field(examples=["$5 to $500"])
    ours: AnyText = Field("", examples=["our choice"])


class FindingTried(BaseModel):
    """What the checks of a sheet say about the wish."""

    level: Literal["error", "notice"] = Field(examples=["error"])
    field: str = Field(examples=["main.pays.flush"])
    message: AnyText = Field(examples=['"seven" is no pay; write odds as in "3:1"'])
    clause: str | None = Field(examples=["CMS-9"])


class Tried(BaseModel):
    """A sheet tried out; nothing of it is kept."""

    sheet: str = Field(examples=["catfish-bend/mississippi-stud"])
    title: str = Field(examples=["Mississippi Stud"])
    venue: str = Field(examples=["Catfish Bend Casino II"])
    valid: bool = Field(examples=[True])
    said: AnyText = Field(examples=["House edge of Ante and street bets: 4.411%."])
    assumed: AnyText = Field(examples=["By best play of one seat, without caps on payouts."])
    main: MainTried
    tables: list[TableTried]
    caps: list[CapTried]
    ladder: list[str] = Field(examples=[["", "push", "1:1", "2:1"]])
    findings: list[FindingTried]
    differences: list[AnyText] = Field(examples=[["Flush pays 6:1 at the house and 7:1 at yours."]])
