"""Routes for a player's own limits and breaks, and for exclusions by supervisors."""

from __future__ import annotations

import asyncio
from datetime import datetime, timedelta
from typing import Literal

from pydantic import BaseModel, ConfigDict, Field
from typing_extensions import TypedDict

from pitbook.house.ledger.writer import utc_now
from pitbook.house.people.guests import all_names, set_break_cookie
from pitbook.house.people.names import NAME_MAX
from pitbook.house.people.register import Person
from pitbook.house.people.roster import ZONE, AccessList, Exclusion
from pitbook.house.web.access import (
    READERS,
    SIGNED_IN,
    SUPERVISOR,
    Caller,
    ServerDep,
    allow_routes,
    authenticated_router,
)
from pitbook.house.web.errors import Answer, Problem
from pitbook.house.web.services import Services, ServicesDep
from pitbook.money import Cents, dollars, money
from pitbook.text import say

router = authenticated_router("people")
allow_routes({"care": SIGNED_IN, "set_limits": SIGNED_IN, "take_rest": SIGNED_IN})

MINUTES_MAX = 24 * 60
BREAK_HOURS: dict[str, int | None] = {"hour": 1, "day": 24, "week": 168, "month": 720, "good": None}


class _Body(BaseModel):
    model_config = ConfigDict(extra="forbid", strict=True)


class LimitsWanted(_Body):
    """What is allowed a day; null is no limit."""

    loss: str | None = Field(max_length=30, examples=["100"], description="In dollars.")
    minutes: int | None = Field(ge=1, le=MINUTES_MAX, examples=[60])


class RestWanted(_Body):
    """A break: for how long, and the word that it is meant."""

    length: Literal["hour", "day", "week", "month", "good"] = Field(examples=["day"])
    meant: bool = Field(examples=[True])


class OwnLimitsShown(TypedDict):
    """Limits: what holds now; `later` where something milder was asked for within a day."""

    loss: str | None
    minutes: int | None


class CareShown(TypedDict):
    """How today went, what is allowed, and the break that is taken, if one is."""

    now: str
    since: str | None
    minutes: int
    rounds: int
    net: dict[str, str]
    limits: OwnLimitsShown
    later: OwnLimitsShown | None
    rest: str | None
    resting: bool


@router.get("/api/care", name="care", summary="How today went, and one's own limits")
async def care(who: Caller, services: ServicesDep) -> Answer[CareShown]:
    """From the book: net by unit, rounds, minutes of play, limits, and a break."""
    return Answer(await _limits_view(services, who))


@router.post("/api/care/limits", name="set_limits", summary="Limit oneself")
async def set_limits(given: LimitsWanted, who: Caller, services: ServicesDep) -> Answer[CareShown]:
    """Less holds at once; more, or none, a day after it was asked for."""
    loss = None if given.loss is None else dollars(given.loss)
    if loss is not None and loss <= 0:
        raise Problem(422, say("web.care.no-loss"))
    persons, now = services.server.people.persons, utc_now()
    await asyncio.to_thread(
        lambda: persons.set_limits(who.name, loss=loss, minutes=given.minutes, now=now)
    )
    return Answer(await _limits_view(services, who))


@router.post("/api/care/rest", name="take_rest", summary="Take a break")
async def take_rest(given: RestWanted, who: Caller, services: ServicesDep) -> Answer[CareShown]:
    """From now on nothing can be bet; nobody, staff neither, can end it before its time."""
    if not given.meant:
        raise Problem(422, say("web.care.confirm"))
    persons, now = services.server.people.persons, utc_now()
    hours = BREAK_HOURS[given.length]
    until = None if hours is None else now + timedelta(hours=hours)
    await asyncio.to_thread(lambda: persons.take_break(who.name, until=until, now=now))
    answer = Answer(await _limits_view(services, who))
    if who.role == "guest":  # The next guest of this browser is the same person.
        set_break_cookie(answer, services.server, until)
    return answer


async def _limits_view(services: Services, who: Person) -> CareShown:
    today = await asyncio.to_thread(services.player_limits.today, all_names(services.server, who))
    now = utc_now()
    access = services.server.people.persons.access_list(now)
    rest = access.break_of(who.name)
    return {
        "now": now.isoformat(),
        "since": today.since.isoformat() if today.since else None,
        "minutes": today.minutes,
        "rounds": today.rounds,
        "net": {unit: money(Cents(net)) for unit, net in today.net.items()},
        "limits": _limits_in_force(access, who.name),
        "later": _limits_later(access, who.name, now),
        "rest": rest.until if rest else None,
        "resting": rest is not None,
    }


def _limits_in_force(access: AccessList, name: str) -> OwnLimitsShown:
    loss, minutes = access.limits(name)
    return {"loss": None if loss is None else money(Cents(loss)), "minutes": minutes}


def _limits_later(access: AccessList, name: str, now: datetime) -> OwnLimitsShown | None:
    """What will hold in a day, where that is something else."""
    later = _limits_in_force(access._replace(now=now + timedelta(days=1)), name)
    return None if later == _limits_in_force(access, name) else later


allow_routes({"exclusions": READERS, "exclude": SUPERVISOR, "readmit": SUPERVISOR})


class _ExclusionBody(BaseModel):
    model_config = ConfigDict(extra="forbid", strict=True)
    name: str = Field(max_length=200, examples=["Zoe Lee"])
    why: str = Field(max_length=200, examples=["asked for it at the desk"])


class Exclude(_ExclusionBody):
    """Whom to shut out, and to the end of which day; without one it is for good."""

    until: str | None = Field(None, max_length=10, examples=["2027-12-31"])
    zone: str = Field(ZONE, max_length=60, examples=["America/New_York"])


class Readmit(_ExclusionBody):
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
def exclusions(server: ServerDep) -> Exclusions:
    """By name, each with its last day and its reason."""
    return Exclusions(excluded=[_exclusion_view(one) for one in server.people.persons.exclusions()])


@router.post("/api/exclusions", name="exclude", summary="Exclude somebody", status_code=201)
def exclude(given: Exclude, who: Caller, server: ServerDep) -> Excluded:
    """Buys, enters and bets nothing from now on; what is held is redeemed and paid."""
    made = server.people.persons.exclude(
        given.name, until=given.until, zone=given.zone, why=given.why, actor=who.name
    )
    return _exclusion_view(made)


@router.post("/api/exclusions/end", name="readmit", summary="Readmit somebody")
def readmit(given: Readmit, who: Caller, server: ServerDep) -> Readmitted:
    """Before the last day; on record with the reason."""
    persons = server.people.persons
    return Readmitted(name=persons.readmit(given.name, why=given.why, actor=who.name))


def _exclusion_view(one: Exclusion) -> Excluded:
    return Excluded(**one._asdict(), holds=one.holds(utc_now()))
