"""Routes of the daily deal."""

from __future__ import annotations

from datetime import date
from http import HTTPStatus
from typing import Annotated

from fastapi import Query, Request
from pydantic import BaseModel, ConfigDict, Field

from pitbook.house.ledger.writer import utc_now
from pitbook.house.people.guests import break_refusal
from pitbook.house.people.register import Person
from pitbook.house.school.daily import DailyShown, Looking, Tries, awaited, in_time, shown, today
from pitbook.house.school.events import Day, Opened
from pitbook.house.table.routes import REFUSED
from pitbook.house.web.access import (
    ANYONE,
    SIGNED_IN,
    Caller,
    allow_routes,
    authenticated_router,
    find_caller,
)
from pitbook.house.web.errors import Answer, Problem, RefusedPlay
from pitbook.house.web.languages import set_currency
from pitbook.house.web.rate_limits import client_of
from pitbook.house.web.services import Services, ServicesDep
from pitbook.rules.refusals import Code, Refusal, refuse
from pitbook.sheets.digest import digest
from pitbook.sheets.model import Sheet
from pitbook.text import say

router = authenticated_router("coach")
allow_routes({"daily": ANYONE, "begin_daily": ANYONE, "play_daily": SIGNED_IN})


class DailyPlay(BaseModel):
    """A play at the decision that is on the screen: the hand's number, and how many came before."""

    model_config = ConfigDict(extra="forbid", strict=True)
    day: str = Field(max_length=10, examples=["2026-11-17"])
    hand: int = Field(ge=1, le=10, examples=[1])
    decision: int = Field(ge=0, le=100, examples=[0])
    play: str = Field(min_length=1, max_length=60, examples=["1x"])


@router.get("/api/daily", name="daily", summary="The daily deal")
async def daily(
    request: Request,
    services: ServicesDep,
    on: Annotated[date | None, Query(examples=["2026-11-16"])] = None,
) -> Answer[DailyShown]:
    """Today's, or that of a day before; who has not begun sees the table of results and no card.

    To look opens no day: until somebody begins today's, only its sheet is told.
    """
    wanted = today(utc_now()) if on is None else on.isoformat()
    day = services.daily.day(wanted)
    if day.opened is None:
        trial = _tries(find_caller(request)).guest
        return _told(awaited(wanted, await _sheet(services, wanted), trial=trial))
    return _told(await _shown(services, find_caller(request), day, day.opened))


@router.post("/api/daily", name="begin_daily", summary="Begin the daily deal")
async def begin_daily(request: Request, services: ServicesDep) -> Answer[DailyShown]:
    """Whoever is not signed in plays under a guest's name; once begun it is the same try.

    A guest has hands of their own and no place, since a guest's name costs nothing. The first to
    begin opens the day: its cards are drawn and sealed then.
    """
    person, token = find_caller(request), None
    if person is None:
        if (rests := break_refusal(request, services.server, utc_now())) is not None:
            raise RefusedPlay(rests)
        person, token = await services.practice.guest(client_of(request.scope))
    day, opening = await _opened(services, today(utc_now()))
    answer = _told(await _shown(services, person, day, opening, begins=True))
    if token is not None:
        services.server.sessions.set_cookie(answer, token)
    return answer


@router.post(
    "/api/daily/plays", name="play_daily", summary="Play a daily hand on", responses=REFUSED
)
async def play_daily(given: DailyPlay, who: Caller, services: ServicesDep) -> Answer[DailyShown]:
    """On record with what it gave away; there is no way back and no second try."""
    now = utc_now()
    if (
        barred := services.server.people.persons.access_list(now).exclusion_of(who.name)
    ) is not None:
        raise RefusedPlay(barred)
    if given.day != today(now):
        raise RefusedPlay(refuse(Code.NOT_NOW, "train.daily.day-is-over"))
    if (opening := services.daily.day(given.day).opened) is None:
        raise RefusedPlay(refuse(Code.NOT_NOW, "train.daily.not-begun"))
    tries = _tries(who)
    found = await services.jobs.compute(
        ("daily-play", given.day, tries, given.model_dump_json()),
        lambda: _made(services, opening, tries, given),
        keep=False,
    )
    if isinstance(found, Refusal):
        raise RefusedPlay(found)
    return _told(await _shown(services, who, services.daily.day(given.day), opening, begins=True))


def _made(services: Services, opening: Opened, who: Tries, given: DailyPlay) -> object:
    day, hands = services.daily.day(given.day), services.daily.hands(opening, who)
    at = hands.standing(day.of(who.names))
    if at is None or (at.hand, len(at.plays)) != (given.hand, given.decision):
        return refuse(Code.NOT_NOW, "train.daily.moved-on")
    weighed = hands.weighed(at)
    return services.daily.play(day, who, at, given.play, weighed=weighed, now=utc_now())


async def _shown(
    services: Services, person: Person | None, day: Day, opening: Opened, *, begins: bool = False
) -> DailyShown:
    looking, now = Looking(_tries(person), begins), utc_now()
    found: DailyShown = await services.jobs.compute(
        (
            "daily",
            opening.day,
            looking.who,
            looking.begins,
            sum(len(one) for one in day.played.values()),
            today(now),
        ),
        lambda: shown(services.daily, day, opening, looking, now),
        keep=False,
    )
    return found


def _told(shown: DailyShown) -> Answer[DailyShown]:
    """The day in the money of its sheet's house."""
    set_currency(shown.get("currency"))
    return Answer(shown)


def _tries(person: Person | None) -> Tries:
    """The caller's tries; an anonymous caller would be a guest."""
    if person is None:
        return Tries((), guest=True)
    return Tries((person.name,), guest=person.role == "guest")


async def _opened(services: Services, wanted: str) -> tuple[Day, Opened]:
    """Today, opened by whoever begins first."""
    day = services.daily.day(wanted)
    if day.opened is None:
        sheet = await _sheet(services, wanted)
        day = await services.jobs.compute(
            ("daily-open", wanted), lambda: services.daily.open(wanted, sheet), keep=False
        )
    assert day.opened is not None
    return day, day.opened


async def _sheet(services: Services, wanted: str) -> Sheet:
    """Whose turn it is today, before it is opened; of another day there is nothing to tell."""
    sheets = _in_turn(services, wanted) if wanted == today(utc_now()) else []
    key = ("daily-sheet", wanted, tuple(digest(one) for one in sheets))
    found: Sheet | None = await services.jobs.compute(key, lambda: in_time(wanted, sheets))
    if found is None:
        raise Problem(HTTPStatus.NOT_FOUND, say("web.daily.none", day=wanted))
    return found


def _in_turn(services: Services, day: str) -> list[Sheet]:
    """The house's sheets that the pit has not shut, another one first each day."""
    shut = services.pit.all_shut("game")
    found = [one.sheet for one in services.sheets.entries() if one.sheet is not None]
    free = sorted((one for one in found if one.id not in shut), key=lambda one: one.id)
    first = date.fromisoformat(day).toordinal() % len(free) if free else 0
    return free[first:] + free[:first]
