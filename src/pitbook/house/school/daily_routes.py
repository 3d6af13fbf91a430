"""Routes of the daily deal."""

from __future__ import annotations

from datetime import date
from http import HTTPStatus
from typing import Annotated

from fastapi import Query, Request
from pydantic import BaseModel, ConfigDict, Field

from pitbook.house.ledger.writer import utc_now
from pitbook.house.people.account_register import Person
from pitbook.house.people.break_cookie import break_refusal
from pitbook.house.school.daily import (
    DailyView,
    DailyViewer,
    PlayerTry,
    daily_view,
    first_playable_sheet,
    today,
    unopened_day_view,
)
from pitbook.house.school.facts import Day, DayOpened
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
from pitbook.sheets.hashes import digest
from pitbook.sheets.model import Sheet
from pitbook.text import say

router = authenticated_router("coach")
allow_routes({"daily": ANYONE, "begin_daily": ANYONE, "play_daily": SIGNED_IN})


class DailyPlay(BaseModel):
    """A play at the decision on the screen: the hand's number, and how many plays came before."""

    model_config = ConfigDict(extra="forbid", strict=True)
    day: str = Field(max_length=10, examples=["2026-11-17"])
    hand: int = Field(ge=1, le=10, examples=[1])
    decision: int = Field(ge=0, le=100, examples=[0])
    play: str = Field(min_length=1, max_length=60, examples=["1x"])


@router.get("/api/daily", name="daily", summary="Get the daily deal")
async def daily(
    request: Request,
    services: ServicesDep,
    on: Annotated[date | None, Query(examples=["2026-11-16"])] = None,
) -> Answer[DailyView]:
    """Today's deal, or an earlier day's. Without beginning, only the results are shown.

    Looking does not open the day: until someone begins, only its sheet is known.
    """
    day_name = today(utc_now()) if on is None else on.isoformat()
    day = services.daily.day(day_name)
    if day.opened is None:
        trial = _player_try(find_caller(request)).guest
        return _respond(unopened_day_view(day_name, await _sheet(services, day_name), trial=trial))
    return _respond(await _view(services, find_caller(request), day, day.opened))


@router.post("/api/daily", name="begin_daily", summary="Start the daily deal")
async def begin_daily(request: Request, services: ServicesDep) -> Answer[DailyView]:
    """Begin today's deal, as a guest if not signed in; beginning again continues the same try.

    Guests have hands of their own and no place, because guest names are free. The first to begin
    opens the day, when its cards are drawn and sealed.
    """
    person, token = find_caller(request), None
    if person is None:
        if (on_break := break_refusal(request, services.server, utc_now())) is not None:
            raise RefusedPlay(on_break)
        person, token = await services.practice.guest(client_of(request.scope))
    day, opening = await _open_day(services, today(utc_now()))
    answer = _respond(await _view(services, person, day, opening, begins=True))
    if token is not None:
        services.server.sessions.set_cookie(answer, token)
    return answer


@router.post("/api/daily/plays", name="play_daily", summary="Play a daily hand", responses=REFUSED)
async def play_daily(body: DailyPlay, caller: Caller, services: ServicesDep) -> Answer[DailyView]:
    """Record a play and its cost. It cannot be taken back or tried again."""
    now = utc_now()
    if (
        barred := services.server.people.persons.access_list(now).exclusion_of(caller.name)
    ) is not None:
        raise RefusedPlay(barred)
    if body.day != today(now):
        raise RefusedPlay(refuse(Code.NOT_NOW, "train.daily.day-is-over"))
    if (opening := services.daily.day(body.day).opened) is None:
        raise RefusedPlay(refuse(Code.NOT_NOW, "train.daily.not-begun"))
    tries = _player_try(caller)
    played = await services.jobs.compute(
        ("daily-play", body.day, tries, body.model_dump_json()),
        lambda: _play(services, opening, tries, body),
        keep=False,
    )
    if isinstance(played, Refusal):
        raise RefusedPlay(played)
    return _respond(
        await _view(services, caller, services.daily.day(body.day), opening, begins=True)
    )


def _play(services: Services, opening: DayOpened, player_try: PlayerTry, body: DailyPlay) -> object:
    day, hands = services.daily.day(body.day), services.daily.hands(opening, player_try)
    at = hands.next_spot(day.plays_of(player_try.names))
    if at is None or (at.hand, len(at.plays)) != (body.hand, body.decision):
        return refuse(Code.NOT_NOW, "train.daily.moved-on")
    weighed = hands.weigh(at)
    return services.daily.play(day, player_try, at, body.play, weighed=weighed, now=utc_now())


async def _view(
    services: Services, person: Person | None, day: Day, opening: DayOpened, *, begins: bool = False
) -> DailyView:
    viewer, now = DailyViewer(_player_try(person), begins), utc_now()
    view: DailyView = await services.jobs.compute(
        (
            "daily",
            opening.day,
            viewer.who,
            viewer.begins,
            sum(len(plays) for plays in day.played.values()),
            today(now),
        ),
        lambda: daily_view(services.daily, day, opening, viewer, now),
        keep=False,
    )
    return view


def _respond(view: DailyView) -> Answer[DailyView]:
    """The response, in the currency of the sheet's house."""
    set_currency(view.get("currency"))
    return Answer(view)


def _player_try(person: Person | None) -> PlayerTry:
    """The caller's try; an anonymous caller counts as a guest."""
    if person is None:
        return PlayerTry((), guest=True)
    return PlayerTry((person.name,), guest=person.role == "guest")


async def _open_day(services: Services, day_name: str) -> tuple[Day, DayOpened]:
    """The day, opened if no one has begun it."""
    day = services.daily.day(day_name)
    if day.opened is None:
        sheet = await _sheet(services, day_name)
        day = await services.jobs.compute(
            ("daily-open", day_name), lambda: services.daily.open(day_name, sheet), keep=False
        )
    assert day.opened is not None
    return day, day.opened


async def _sheet(services: Services, day_name: str) -> Sheet:
    """The sheet whose turn it is today; 404 for another day that was never opened."""
    sheets = _sheets_in_turn(services, day_name) if day_name == today(utc_now()) else []
    key = ("daily-sheet", day_name, tuple(digest(sheet) for sheet in sheets))
    sheet: Sheet | None = await services.jobs.compute(
        key, lambda: first_playable_sheet(day_name, sheets)
    )
    if sheet is None:
        raise Problem(HTTPStatus.NOT_FOUND, say("web.daily.none", day=day_name))
    return sheet


def _sheets_in_turn(services: Services, day: str) -> list[Sheet]:
    """The house's sheets that are not closed, starting with another one each day."""
    shut = services.pit.all_disabled("game")
    sheets = [entry.sheet for entry in services.sheets.entries() if entry.sheet is not None]
    open_sheets = sorted(
        (sheet for sheet in sheets if sheet.id not in shut), key=lambda sheet: sheet.id
    )
    first = date.fromisoformat(day).toordinal() % len(open_sheets) if open_sheets else 0
    return open_sheets[first:] + open_sheets[:first]
