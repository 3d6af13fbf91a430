"""Who is shut out of play: a fact about a person, with or without an account."""

from __future__ import annotations

from pydantic import BaseModel, ConfigDict, Field

from pitbook.house.ledger.writer import utc_now
from pitbook.house.people.names import NAME_MAX
from pitbook.house.people.persons import ZONE
from pitbook.house.people.roster import Exclusion
from pitbook.house.web.people.access import READERS, SUPERVISOR, Caller, Serving, list_routes
from pitbook.house.web.people.door import behind_the_door

router = behind_the_door("people")
list_routes({"exclusions": READERS, "exclude": SUPERVISOR, "readmit": SUPERVISOR})


class _Body(BaseModel):
    model_config = ConfigDict(extra="forbid", strict=True)
    name: str = Field(max_length=200, examples=["Zoe Lee"])
    why: str = Field(max_length=200, examples=["asked for it at the desk"])


class Exclude(_Body):
    """Whom to shut out, and to the end of which day; without one it is for good."""

    until: str | None = Field(None, max_length=10, examples=["2027-12-31"])
    zone: str = Field(ZONE, max_length=60, examples=["America/New_York"])


class Readmit(_Body):
    """Whose exclusion ends before its day."""


class Excluded(BaseModel):
    """An exclusion; `holds` says whether its last day is still to end."""

    name: str = Field(max_length=NAME_MAX, examples=["Zoe Lee"])
    until: str | None = Field(examples=["2027-12-31"])
    zone: str = Field(examples=["America/New_York"])
    why: str = Field(examples=["asked for it at the desk"])
    by: str = Field(examples=["sue"])
    at: str = Field(examples=["2026-11-16T20:15:00+00:00"])
    holds: bool


class Exclusions(BaseModel):
    """Everybody who was excluded and not readmitted."""

    excluded: list[Excluded]


class Readmitted(BaseModel):
    """Somebody who may play again."""

    name: str = Field(examples=["Zoe Lee"])


@router.get("/api/exclusions", name="exclusions", summary="Who is excluded")
def exclusions(server: Serving) -> Exclusions:
    """By name, each with its last day and its reason."""
    return Exclusions(excluded=[_shown(one) for one in server.people.persons.exclusions()])


@router.post("/api/exclusions", name="exclude", summary="Exclude somebody", status_code=201)
def exclude(given: Exclude, who: Caller, server: Serving) -> Excluded:
    """Buys, enters and bets nothing from now on; what is held is redeemed and paid."""
    made = server.people.persons.exclude(
        given.name, until=given.until, zone=given.zone, why=given.why, actor=who.name
    )
    return _shown(made)


@router.post("/api/exclusions/end", name="readmit", summary="Readmit somebody")
def readmit(given: Readmit, who: Caller, server: Serving) -> Readmitted:
    """Before the last day; on record with the reason."""
    persons = server.people.persons
    return Readmitted(name=persons.readmit(given.name, why=given.why, actor=who.name))


def _shown(one: Exclusion) -> Excluded:
    return Excluded(**one._asdict(), holds=one.holds(utc_now()))
