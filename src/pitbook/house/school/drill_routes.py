"""Routes of drills: ask, hint, answer, progress."""

from __future__ import annotations

import asyncio
import secrets
from datetime import timedelta
from functools import partial
from http import HTTPStatus
from typing import Annotated, Literal

from fastapi import Query, Request
from pydantic import BaseModel, ConfigDict, Field
from starlette.responses import Response

from pitbook.coach.log import Logged
from pitbook.drills import misplayed
from pitbook.drills.kinds import allowed, drill, kind_of, packet
from pitbook.drills.memory import facts_of
from pitbook.drills.progress import HANDS_AN_HOUR, csv_of
from pitbook.errors import PitbookError
from pitbook.house.people.guests import all_names
from pitbook.house.people.register import Person
from pitbook.house.school.api_types import (
    Hint,
    KindsTold,
    PacketTold,
    Progress,
    QuestionPut,
    Verdict,
)
from pitbook.house.school.pupils import GUESTS_MAX, Remake, mark_of
from pitbook.house.school.views import hint, kind_told, packed
from pitbook.house.table.practice import new_guest
from pitbook.house.table.session import example_response
from pitbook.house.web.access import (
    ANYONE,
    SIGNED_IN,
    Caller,
    allow_routes,
    authenticated_router,
    find_caller,
)
from pitbook.house.web.coach_api import own_practice
from pitbook.house.web.coach_reviews import decision_log
from pitbook.house.web.errors import Answer, Problem
from pitbook.house.web.rate_limits import client_of
from pitbook.house.web.services import Services, ServicesDep
from pitbook.house.web.sheets_api import NO_SHEET, find_sheet
from pitbook.rules.game import compile_game
from pitbook.text import say, sentence_of

router = authenticated_router("train")
allow_routes(
    {
        "drill_kinds": ANYONE,
        "drill_packet": ANYONE,
        "drill_ask": ANYONE,
        "drill_hint": SIGNED_IN,
        "drill_answer": SIGNED_IN,
        "drill_progress": SIGNED_IN,
    }
)

SHEET = "catfish-bend/mississippi-stud"
KINDS = {"sheet": SHEET, "title": "Mississippi Stud", "hash": "c365", "kinds": [], "facts": 24}
PACKET = {"sheet": SHEET, "items": []}
PUT = {
    "number": 7,
    "sheet": SHEET,
    "kind": "odds",
    "kind_title": "Odds by heart",
    "how": "a letter",
}
VERDICT = {"number": 7, "right": True, "late": False, "ms": 4200, "answer": "b", "reasons": []}
HINT = {"how": "one letter, as in b", "clauses": [{"clause": "CMS-9", "title": "Pays", "text": ""}]}
PROGRESS = {"player": "dee", "sentence": "7 of 9 right.", "kinds": [], "days": [], "results": []}
KindNames = Annotated[list[Annotated[str, Field(max_length=40)]], Field(max_length=40)]


class _Body(BaseModel):
    model_config = ConfigDict(extra="forbid", strict=True)


class Wish(_Body):
    """What is to be asked: of which sheet, which kinds (none: all), with which bias."""

    sheet: str = Field(max_length=121, examples=[SHEET])
    kinds: KindNames = Field([], examples=[["odds", "pay-hand"]])
    bias: Literal["none", "errors", "hard", "spots"] = Field(
        "none", examples=["errors"], description="Of spots: those that one misplayed in practice."
    )
    timed: bool = Field(False, description="Late answers count as wrong.")
    goal: int = Field(HANDS_AN_HOUR, ge=1, le=3_600, description="Hands an hour, where timed.")


class OfNumber(_Body):
    """A question by its number."""

    number: int = Field(ge=1, le=10**9, examples=[7])
    mark: str | None = Field(
        None, max_length=12, examples=["0a1b2c3d4e5f"], description="As it came with the question."
    )


class Given(OfNumber):
    """An answer to a question."""

    answer: str = Field(max_length=500, examples=["b"])


@router.get(
    "/api/drills",
    name="drill_kinds",
    summary="What a sheet can be asked",
    responses={**NO_SHEET, **example_response(KINDS)},
)
def drill_kinds(
    services: ServicesDep, sheet: Annotated[str, Query(max_length=121, examples=[SHEET])]
) -> Answer[KindsTold]:
    """The kinds of drills that its rules allow; nobody has to sign in for it."""
    game = compile_game(find_sheet(services.sheets, sheet))
    kinds = [kind_told(kind) for kind in allowed(game)]
    told: KindsTold = {
        "sheet": game.sheet.id,
        "title": game.sheet.title,
        "hash": game.digest,
        "kinds": kinds,
        "facts": len(facts_of(game)),
    }
    return Answer(told)


@router.get(
    "/api/drills/packet",
    name="drill_packet",
    summary="Questions to take along",
    responses={**NO_SHEET, **example_response(PACKET)},
)
def drill_packet(
    services: ServicesDep, sheet: Annotated[str, Query(max_length=121, examples=[SHEET])]
) -> Answer[PacketTold]:
    """The day's questions with their answers, to practise without a line; nothing of it counts."""
    game = compile_game(find_sheet(services.sheets, sheet))
    items, currency = (
        packet(game, services.school.clock().date().isoformat()),
        game.sheet.house.currency,
    )
    return Answer({"sheet": game.sheet.id, "items": [packed(one, currency) for one in items]})


@router.post(
    "/api/drills/questions",
    name="drill_ask",
    summary="The next question",
    status_code=201,
    responses={**NO_SHEET, 201: example_response(PUT)[200]},
)
async def drill_ask(request: Request, wish: Wish, services: ServicesDep) -> Answer[QuestionPut]:
    """Fit for who asks; a stranger becomes a guest, whose record goes along at sign-in."""
    person = find_caller(request)
    if person is not None and person.tournament:
        told = say("web.tables.ticket-practises-not", tournament=person.tournament)
        raise Problem(HTTPStatus.FORBIDDEN, told)
    if person is not None:
        spots = await _spots(services, person) if wish.bias == "spots" else None
        put = await asyncio.to_thread(_asked, services, person, wish, spots)
        return Answer(put, HTTPStatus.CREATED)
    server = services.server
    await asyncio.to_thread(_sweep, services)
    async with new_guest(server.limiter, client_of(request.scope).address):
        person, token = server.sessions.guest()
        answer = Answer(await asyncio.to_thread(_asked, services, person, wish), HTTPStatus.CREATED)
    server.sessions.set_cookie(answer, token)
    return answer


def _sweep(services: Services) -> None:
    """What guests left whose cookie has ended goes."""
    age = timedelta(hours=services.server.settings.sign_in.session_hours)
    joined = services.server.people.persons.recent().joined
    services.school.desk.sweep(joined, services.school.clock(), age)


async def _spots(services: Services, who: Person) -> list[Logged]:
    return decision_log(await own_practice(services, who))


def _asked(
    services: Services, person: Person, wish: Wish, spots: list[Logged] | None = None
) -> QuestionPut:
    game = compile_game(find_sheet(services.sheets, wish.sheet))
    seconds = max(1, 3_600 // wish.goal) if wish.timed else None
    most = GUESTS_MAX if person.role == "guest" else None
    if wish.bias == "spots":
        names = all_names(services.server, person)
        try:
            chosen = services.school.misplayed(game, spots or [], names, services.school.clock())
        except PitbookError as error:
            raise Problem(HTTPStatus.NOT_FOUND, sentence_of(error)) from None
        made = services.school.desk.put(
            person.name, game, chosen, services.school.clock(), seconds=seconds, most=most
        )
        return services.school.put(made)
    for kind in wish.kinds:
        if kind_of(kind).id not in allowed(game):
            drill(game, kind, "is there one")  # Else it says why not.
    put = services.school.desk.ask(
        all_names(services.server, person),
        game,
        secrets.token_hex(8),
        services.school.clock(),
        kinds=tuple(wish.kinds),
        bias=wish.bias,
        seconds=seconds,
        most=most,
    )
    return services.school.put(put)


@router.post(
    "/api/drills/hints",
    name="drill_hint",
    summary="A hint",
    responses=example_response(HINT),
)
async def drill_hint(asked: OfNumber, who: Caller, services: ServicesDep) -> Answer[Hint]:
    """The clauses that decide; that it was shown is on record."""
    remake, desk = await _remake(services, who, asked), services.school.desk
    return Answer(hint(await asyncio.to_thread(desk.hint, who.name, asked.number, remake)))


async def _remake(services: Services, who: Person, given: OfNumber) -> Remake:
    """How questions are made again; a spot of one's own practice is looked for there."""
    pupil = await asyncio.to_thread(services.school.desk.pupil, who.name)
    known = [one for one in (pupil.open, pupil.last and pupil.last[0]) if one]
    marks = [mark_of(one) for one in known if one.number == given.number]
    if given.mark is not None and given.mark not in marks:
        raise Problem(HTTPStatus.BAD_REQUEST, say("drills.not-open", number=given.number))
    kinds = {one.kind for one in known}
    spots = await _spots(services, who) if misplayed.KIND in kinds else ()
    return partial(services.school.remake, spots=spots)


@router.post(
    "/api/drills/answers",
    name="drill_answer",
    summary="Answer a question",
    responses=example_response(VERDICT),
)
async def drill_answer(given: Given, who: Caller, services: ServicesDep) -> Answer[Verdict]:
    """Whether it is right, what is, and why, with clauses; sent again it counts once."""
    remake = await _remake(services, who, given)
    return Answer(await asyncio.to_thread(_answered, services, who, given, remake))


def _answered(services: Services, who: Person, given: Given, remake: Remake) -> Verdict:
    school, names = services.school, all_names(services.server, who)
    judged = school.desk.answer(names, given.number, given.answer, services.school.clock(), remake)
    asked = school.desk.pupil(who.name).last
    assert asked is not None
    return school.verdict(judged, asked[0].sheet)


@router.get(
    "/api/drills/progress",
    name="drill_progress",
    summary="How one's practice goes",
    responses=example_response(PROGRESS),
)
def drill_progress(
    who: Caller,
    services: ServicesDep,
    form: Annotated[
        Literal["json", "csv"], Query(alias="format", description="As csv every answer.")
    ] = "json",
) -> Answer[Progress]:
    """Right answers and speed, by kind and by day; as csv every answer for a spreadsheet."""
    names = all_names(services.server, who)
    standing = services.school.desk.standing(names)
    if form == "json":
        return Answer(services.school.progress(who.name, standing, names, services.school.clock()))
    return _File(csv_of(standing.answers), f"{who.name}-drills.csv")


class _File(Answer[Progress]):
    """The same as a file for a spreadsheet."""

    def __init__(self, text: str, name: str) -> None:
        plain = "".join(sign if sign.isascii() and sign.isalnum() else "-" for sign in name[:-4])
        headers = {"Content-Disposition": f'attachment; filename="{plain}.csv"'}
        Response.__init__(self, text, media_type="text/csv", headers=headers)
