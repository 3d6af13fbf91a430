"""A player's own care: how today went, own limits, and a break that nobody can end early."""

from __future__ import annotations

import asyncio
from datetime import datetime, timedelta
from typing import Literal

from pydantic import BaseModel, ConfigDict, Field
from typing_extensions import TypedDict

from pitbook.house.ledger.writer import utc_now
from pitbook.house.people.roster import Door
from pitbook.house.web.answers import Problem
from pitbook.house.web.models.answer import Answer
from pitbook.house.web.people.access import SIGNED_IN, Caller, list_routes
from pitbook.house.web.people.door import behind_the_door
from pitbook.house.web.people.guests import names_of
from pitbook.house.web.people.people import Person
from pitbook.house.web.people.rests import keep_rest
from pitbook.house.web.route_parts import Tools, Using
from pitbook.money import Cents, dollars, money
from pitbook.text import say

router = behind_the_door("people")
list_routes({"care": SIGNED_IN, "set_limits": SIGNED_IN, "take_rest": SIGNED_IN})

MINUTES_MAX = 24 * 60
HOURS: dict[str, int | None] = {"hour": 1, "day": 24, "week": 168, "month": 720, "good": None}


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
async def care(who: Caller, tools: Using) -> Answer[CareShown]:
    """From the book: net by unit, rounds, minutes of play, limits, and a break."""
    return Answer(await _shown(tools, who))


@router.post("/api/care/limits", name="set_limits", summary="Limit oneself")
async def set_limits(given: LimitsWanted, who: Caller, tools: Using) -> Answer[CareShown]:
    """Less holds at once; more, or none, a day after it was asked for."""
    loss = None if given.loss is None else dollars(given.loss)
    if loss is not None and loss <= 0:
        raise Problem(422, say("web.care.no-loss"))
    persons, now = tools.server.people.persons, utc_now()
    await asyncio.to_thread(
        lambda: persons.limit(who.name, loss=loss, minutes=given.minutes, now=now)
    )
    return Answer(await _shown(tools, who))


@router.post("/api/care/rest", name="take_rest", summary="Take a break")
async def take_rest(given: RestWanted, who: Caller, tools: Using) -> Answer[CareShown]:
    """From now on nothing can be bet; nobody, staff neither, can end it before its time."""
    if not given.meant:
        raise Problem(422, say("web.care.confirm"))
    persons, now = tools.server.people.persons, utc_now()
    hours = HOURS[given.length]
    until = None if hours is None else now + timedelta(hours=hours)
    await asyncio.to_thread(lambda: persons.rest(who.name, until=until, now=now))
    answer = Answer(await _shown(tools, who))
    if who.role == "guest":  # The next guest of this browser is the same person.
        keep_rest(answer, tools.server, until)
    return answer


async def _shown(tools: Tools, who: Person) -> CareShown:
    today = await asyncio.to_thread(tools.care.today, names_of(tools.server, who))
    now = utc_now()
    door = tools.server.people.persons.door(now)
    rest = door.rest(who.name)
    return {
        "now": now.isoformat(),
        "since": today.since.isoformat() if today.since else None,
        "minutes": today.minutes,
        "rounds": today.rounds,
        "net": {unit: money(Cents(net)) for unit, net in today.net.items()},
        "limits": _limits(door, who.name),
        "later": _later(door, who.name, now),
        "rest": rest.until if rest else None,
        "resting": rest is not None,
    }


def _limits(door: Door, name: str) -> OwnLimitsShown:
    loss, minutes = door.limits(name)
    return {"loss": None if loss is None else money(Cents(loss)), "minutes": minutes}


def _later(door: Door, name: str, now: datetime) -> OwnLimitsShown | None:
    """What will hold in a day, where that is something else."""
    later = _limits(door._replace(now=now + timedelta(days=1)), name)
    return None if later == _limits(door, name) else later
