"""The daily deal: ten hands a day, the same for everybody of the house, one try each."""

from __future__ import annotations

from datetime import date
from http import HTTPStatus
from typing import Annotated

from fastapi import Query, Request
from pydantic import BaseModel, ConfigDict, Field

from pitbook.house.ledger.writer import utc_now
from pitbook.house.people.guests import all_names, break_refusal
from pitbook.house.people.register import Person
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
from pitbook.house.web.services import Tools, Using
from pitbook.house.web.tables.daily import DailyShown, Looking, awaited, in_time, shown
from pitbook.rules.refusals import Code, Refusal, refuse
from pitbook.sheets.digest import digest
from pitbook.sheets.model import Sheet
from pitbook.text import say
from pitbook.train.daily.deal import Tries, today
from pitbook.train.daily.facts import Day, Opened

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
    tools: Using,
    on: Annotated[date | None, Query(examples=["2026-11-16"])] = None,
) -> Answer[DailyShown]:
    """Today's, or that of a day before; who has not begun sees the table of results and no card.

    To look opens no day: until somebody begins today's, only its sheet is told.
    """
    wanted = today(utc_now()) if on is None else on.isoformat()
    day = tools.daily.day(wanted)
    if day.opened is None:
        trial = _tries(tools, find_caller(request), None).guest
        return _told(awaited(wanted, await _sheet(tools, wanted), trial=trial))
    return _told(await _shown(tools, find_caller(request), day, day.opened))


@router.post("/api/daily", name="begin_daily", summary="Begin the daily deal")
async def begin_daily(request: Request, tools: Using) -> Answer[DailyShown]:
    """Whoever is not signed in plays under a guest's name; once begun it is the same try.

    A guest has hands of their own and no place, since a guest's name costs nothing. The first to
    begin opens the day: its cards are drawn and sealed then.
    """
    person, token = find_caller(request), None
    if person is None:
        if (rests := break_refusal(request, tools.server, utc_now())) is not None:
            raise RefusedPlay(rests)
        person, token = await tools.practice.guest(client_of(request.scope))
    day, opening = await _opened(tools, today(utc_now()))
    answer = _told(await _shown(tools, person, day, opening, begins=True))
    if token is not None:
        tools.server.sessions.set_cookie(answer, token)
    return answer


@router.post(
    "/api/daily/plays", name="play_daily", summary="Play a daily hand on", responses=REFUSED
)
async def play_daily(given: DailyPlay, who: Caller, tools: Using) -> Answer[DailyShown]:
    """On record with what it gave away; there is no way back and no second try."""
    now = utc_now()
    if (barred := tools.server.people.persons.access_list(now).exclusion_of(who.name)) is not None:
        raise RefusedPlay(barred)
    if given.day != today(now):
        raise RefusedPlay(refuse(Code.NOT_NOW, "train.daily.day-is-over"))
    if (opening := tools.daily.day(given.day).opened) is None:
        raise RefusedPlay(refuse(Code.NOT_NOW, "train.daily.not-begun"))
    tries = _tries(tools, who, opening)
    found = await tools.sums.work_out(
        ("daily-play", given.day, tries, given.model_dump_json()),
        lambda: _made(tools, opening, tries, given),
        keep=False,
    )
    if isinstance(found, Refusal):
        raise RefusedPlay(found)
    return _told(await _shown(tools, who, tools.daily.day(given.day), opening, begins=True))


def _made(tools: Tools, opening: Opened, who: Tries, given: DailyPlay) -> object:
    day, hands = tools.daily.day(given.day), tools.daily.hands(opening, who)
    at = hands.standing(day.of(who.names))
    if at is None or (at.hand, len(at.plays)) != (given.hand, given.decision):
        return refuse(Code.NOT_NOW, "train.daily.moved-on")
    weighed = hands.weighed(at)
    return tools.daily.play(day, who, at, given.play, weighed=weighed, now=utc_now())


async def _shown(
    tools: Tools, person: Person | None, day: Day, opening: Opened, *, begins: bool = False
) -> DailyShown:
    roster = tools.server.people.persons.recent()
    looking, now = Looking(_tries(tools, person, opening), roster, begins), utc_now()
    found: DailyShown = await tools.sums.work_out(
        (
            "daily",
            opening.day,
            looking.who,
            looking.begins,
            sum(len(one) for one in day.played.values()),
            today(now),
        ),
        lambda: shown(tools.daily, day, opening, looking, now),
        keep=False,
    )
    return found


def _told(shown: DailyShown) -> Answer[DailyShown]:
    """The day in the money of its sheet's house."""
    set_currency(shown.get("currency"))
    return Answer(shown)


def _tries(tools: Tools, person: Person | None, opening: Opened | None) -> Tries:
    """Whoever asks; a stranger would be a guest, and what a guest tried is nobody else's try."""
    if person is None:
        return Tries((), guest=True)
    shared = opening is not None and not opening.guests_apart
    names = all_names(tools.server, person) if shared else (person.name,)
    return Tries(names, guest=person.role == "guest")


async def _opened(tools: Tools, wanted: str) -> tuple[Day, Opened]:
    """Today, opened by whoever begins first."""
    day = tools.daily.day(wanted)
    if day.opened is None:
        sheet = await _sheet(tools, wanted)
        day = await tools.sums.work_out(
            ("daily-open", wanted), lambda: tools.daily.open(wanted, sheet), keep=False
        )
    assert day.opened is not None
    return day, day.opened


async def _sheet(tools: Tools, wanted: str) -> Sheet:
    """Whose turn it is today, before it is opened; of another day there is nothing to tell."""
    sheets = _in_turn(tools, wanted) if wanted == today(utc_now()) else []
    key = ("daily-sheet", wanted, tuple(digest(one) for one in sheets))
    found: Sheet | None = await tools.sums.work_out(key, lambda: in_time(wanted, sheets))
    if found is None:
        raise Problem(HTTPStatus.NOT_FOUND, say("web.daily.none", day=wanted))
    return found


def _in_turn(tools: Tools, day: str) -> list[Sheet]:
    """The house's sheets that the pit has not shut, another one first each day."""
    shut = tools.pit.all_shut("game")
    found = [one.sheet for one in tools.shelf.entries() if one.sheet is not None]
    free = sorted((one for one in found if one.id not in shut), key=lambda one: one.id)
    first = date.fromisoformat(day).toordinal() % len(free) if free else 0
    return free[first:] + free[:first]
