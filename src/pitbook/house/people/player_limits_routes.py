"""Routes for a player's own limits and breaks, and for exclusions by supervisors."""

from __future__ import annotations

import asyncio
from datetime import datetime, timedelta
from typing import Literal

from pydantic import BaseModel, ConfigDict, Field
from typing_extensions import TypedDict

from pitbook.house.ledger.writer import utc_now
from pitbook.house.people.access_list import AccessList
from pitbook.house.people.account_register import Person
from pitbook.house.people.break_cookie import set_break_cookie
from pitbook.house.people.guest_play import all_names
from pitbook.house.people.names import NAME_MAX
from pitbook.house.people.roster import Exclusion
from pitbook.house.people.roster_store import ZONE
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


class LimitsRequest(_Body):
    """Daily limits; null means no limit."""

    loss: str | None = Field(max_length=30, examples=["100"], description="In dollars.")
    minutes: int | None = Field(ge=1, le=MINUTES_MAX, examples=[60])


class BreakRequest(_Body):
    """How long a break to take, and a confirmation."""

    length: Literal["hour", "day", "week", "month", "good"] = Field(examples=["day"])
    meant: bool = Field(examples=[True])


class OwnLimitsView(TypedDict):
    """Limits in force; `later` ones replace them within a day."""

    loss: str | None
    minutes: int | None


class PlayerLimitsView(TypedDict):
    """The day so far, the limits in force, and the current break."""

    now: str
    since: str | None
    minutes: int
    rounds: int
    net: dict[str, str]
    limits: OwnLimitsView
    later: OwnLimitsView | None
    rest: str | None
    resting: bool


@router.get("/api/care", name="care", summary="Get my play today and my limits")
async def care(caller: Caller, services: ServicesDep) -> Answer[PlayerLimitsView]:
    """Net by unit, rounds, minutes of play, limits and break, from the ledger."""
    return Answer(await _limits_view(services, caller))


@router.post("/api/care/limits", name="set_limits", summary="Set my limits")
async def set_limits(
    body: LimitsRequest, caller: Caller, services: ServicesDep
) -> Answer[PlayerLimitsView]:
    """Set daily limits. Stricter ones apply at once, looser ones after a day."""
    loss = None if body.loss is None else dollars(body.loss)
    if loss is not None and loss <= 0:
        raise Problem(422, say("web.care.no-loss"))
    persons, now = services.server.people.persons, utc_now()
    await asyncio.to_thread(
        lambda: persons.set_limits(caller.name, loss=loss, minutes=body.minutes, now=now)
    )
    return Answer(await _limits_view(services, caller))


@router.post("/api/care/rest", name="take_rest", summary="Take a break")
async def take_rest(
    body: BreakRequest, caller: Caller, services: ServicesDep
) -> Answer[PlayerLimitsView]:
    """Take a break from betting. It cannot be ended early, even by staff."""
    if not body.meant:
        raise Problem(422, say("web.care.confirm"))
    persons, now = services.server.people.persons, utc_now()
    hours = BREAK_HOURS[body.length]
    until = None if hours is None else now + timedelta(hours=hours)
    await asyncio.to_thread(lambda: persons.take_break(caller.name, until=until, now=now))
    answer = Answer(await _limits_view(services, caller))
    if caller.role == "guest":  # The next guest on this browser is the same person.
        set_break_cookie(answer, services.server, until)
    return answer


async def _limits_view(services: Services, caller: Person) -> PlayerLimitsView:
    today = await asyncio.to_thread(
        services.player_limits.today, all_names(services.server, caller)
    )
    now = utc_now()
    access = services.server.people.persons.access_list(now)
    break_ = access.break_of(caller.name)
    return {
        "now": now.isoformat(),
        "since": today.since.isoformat() if today.since else None,
        "minutes": today.minutes,
        "rounds": today.rounds,
        "net": {unit: money(Cents(net)) for unit, net in today.net.items()},
        "limits": _limits_in_force(access, caller.name),
        "later": _limits_later(access, caller.name, now),
        "rest": break_.until if break_ else None,
        "resting": break_ is not None,
    }


def _limits_in_force(access: AccessList, name: str) -> OwnLimitsView:
    loss, minutes = access.limits(name)
    return {"loss": None if loss is None else money(Cents(loss)), "minutes": minutes}


def _limits_later(access: AccessList, name: str, now: datetime) -> OwnLimitsView | None:
    """The limits of tomorrow, if they differ from today's."""
    later = _limits_in_force(access._replace(now=now + timedelta(days=1)), name)
    return None if later == _limits_in_force(access, name) else later


allow_routes({"exclusions": READERS, "exclude": SUPERVISOR, "readmit": SUPERVISOR})


class _ExclusionBody(BaseModel):
    model_config = ConfigDict(extra="forbid", strict=True)
    name: str = Field(max_length=200, examples=["Zoe Lee"])
    why: str = Field(max_length=200, examples=["asked for it at the desk"])


class Exclude(_ExclusionBody):
    """A person to exclude, through a day or for good."""

    until: str | None = Field(None, max_length=10, examples=["2027-12-31"])
    zone: str = Field(ZONE, max_length=60, examples=["America/New_York"])


class Readmit(_ExclusionBody):
    """A person to readmit."""


class Excluded(BaseModel):
    """An exclusion; `holds` says whether it still applies."""

    name: str = Field(max_length=NAME_MAX, examples=["Zoe Lee"])
    until: str | None = Field(examples=["2027-12-31"])
    zone: str = Field(examples=["America/New_York"])
    why: str = Field(examples=["asked for it at the desk"])
    by: str = Field(examples=["sue"])
    at: str = Field(examples=["2026-11-16T20:15:00+00:00"])
    holds: bool


class Exclusions(BaseModel):
    """All exclusions that were not lifted."""

    excluded: list[Excluded]


class Readmitted(BaseModel):
    """A person who may play again."""

    name: str = Field(examples=["Zoe Lee"])


@router.get("/api/exclusions", name="exclusions", summary="List excluded people")
def exclusions(server: ServerDep) -> Exclusions:
    """All exclusions by name, with last day and reason."""
    return Exclusions(
        excluded=[_exclusion_view(exclusion) for exclusion in server.people.persons.exclusions()]
    )


@router.post("/api/exclusions", name="exclude", summary="Exclude a person", status_code=201)
def exclude(body: Exclude, caller: Caller, server: ServerDep) -> Excluded:
    """Exclude a person from buying in, entering and betting; chips held are still redeemed."""
    exclusion = server.people.persons.exclude(
        body.name, until=body.until, zone=body.zone, why=body.why, actor=caller.name
    )
    return _exclusion_view(exclusion)


@router.post("/api/exclusions/end", name="readmit", summary="Lift an exclusion")
def readmit(body: Readmit, caller: Caller, server: ServerDep) -> Readmitted:
    """Lift an exclusion early, with a reason."""
    persons = server.people.persons
    return Readmitted(name=persons.readmit(body.name, why=body.why, actor=caller.name))


def _exclusion_view(exclusion: Exclusion) -> Excluded:
    return Excluded(**exclusion._asdict(), holds=exclusion.holds(utc_now()))
