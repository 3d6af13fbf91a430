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

from pitbook.coach.mistake_log import LoggedDecision
from pitbook.drills import misplayed
from pitbook.drills.kinds import daily_packet, drill, find_kind, supported_kinds
from pitbook.drills.memorized_facts import memory_facts
from pitbook.drills.progress import HANDS_AN_HOUR, csv_of
from pitbook.errors import PitbookError
from pitbook.house.people.account_register import Person
from pitbook.house.people.guest_play import all_names
from pitbook.house.school.api_types import (
    DrillKinds,
    Hint,
    NumberedQuestion,
    Progress,
    QuestionPacket,
    Verdict,
)
from pitbook.house.school.drill_sessions import GUESTS_MAX, Remake, question_mark
from pitbook.house.school.views import hint_view, kind_view, packet_item
from pitbook.house.table.practice import new_guest
from pitbook.house.table.table_session import example_response
from pitbook.house.web.access import (
    ANYONE,
    SIGNED_IN,
    Caller,
    allow_routes,
    authenticated_router,
    find_caller,
)
from pitbook.house.web.coach_api import list_own_practice
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


class DrillRequest(_Body):
    """What to ask: the sheet, the kinds (none means all), and the bias."""

    sheet: str = Field(max_length=121, examples=[SHEET])
    kinds: KindNames = Field([], examples=[["odds", "pay-hand"]])
    bias: Literal["none", "errors", "hard", "spots"] = Field(
        "none", examples=["errors"], description="For spots: only those misplayed in practice."
    )
    timed: bool = Field(False, description="Late answers count as wrong.")
    goal: int = Field(HANDS_AN_HOUR, ge=1, le=3_600, description="Hands per hour, if timed.")


class QuestionNumber(_Body):
    """A question by its number."""

    number: int = Field(ge=1, le=10**9, examples=[7])
    mark: str | None = Field(
        None,
        max_length=12,
        examples=["0a1b2c3d4e5f"],
        description="The value sent with the question.",
    )


class AnswerRequest(QuestionNumber):
    """An answer to a question."""

    answer: str = Field(max_length=500, examples=["b"])


@router.get(
    "/api/drills",
    name="drill_kinds",
    summary="List a sheet's drills",
    responses={**NO_SHEET, **example_response(KINDS)},
)
def drill_kinds(
    services: ServicesDep, sheet: Annotated[str, Query(max_length=121, examples=[SHEET])]
) -> Answer[DrillKinds]:
    """The kinds of drills that a sheet supports. No sign-in required."""
    game = compile_game(find_sheet(services.sheets, sheet))
    kinds = [kind_view(kind) for kind in supported_kinds(game)]
    kinds_view: DrillKinds = {
        "sheet": game.sheet.id,
        "title": game.sheet.title,
        "hash": game.digest,
        "kinds": kinds,
        "facts": len(memory_facts(game)),
    }
    return Answer(kinds_view)


@router.get(
    "/api/drills/packet",
    name="drill_packet",
    summary="Download the day's questions",
    responses={**NO_SHEET, **example_response(PACKET)},
)
def drill_packet(
    services: ServicesDep, sheet: Annotated[str, Query(max_length=121, examples=[SHEET])]
) -> Answer[QuestionPacket]:
    """The day's questions with their answers, for practice offline. They do not count."""
    game = compile_game(find_sheet(services.sheets, sheet))
    items, currency = (
        daily_packet(game, services.school.clock().date().isoformat()),
        game.sheet.house.currency,
    )
    return Answer(
        {"sheet": game.sheet.id, "items": [packet_item(item, currency) for item in items]}
    )


@router.post(
    "/api/drills/questions",
    name="drill_ask",
    summary="Get the next question",
    status_code=201,
    responses={**NO_SHEET, 201: example_response(PUT)[200]},
)
async def drill_ask(
    request: Request, drill_request: DrillRequest, services: ServicesDep
) -> Answer[NumberedQuestion]:
    """The next question for the caller. New visitors become guests and keep their record when
    they sign in.
    """
    person = find_caller(request)
    if person is not None and person.tournament:
        message = say("web.tables.ticket-practices-not", tournament=person.tournament)
        raise Problem(HTTPStatus.FORBIDDEN, message)
    if person is not None:
        spots = await _spots(services, person) if drill_request.bias == "spots" else None
        question = await asyncio.to_thread(_ask, services, person, drill_request, spots)
        return Answer(question, HTTPStatus.CREATED)
    server = services.server
    await asyncio.to_thread(_sweep_guests, services)
    async with new_guest(server.limiter, client_of(request.scope).address):
        person, token = server.sessions.guest()
        answer = Answer(
            await asyncio.to_thread(_ask, services, person, drill_request), HTTPStatus.CREATED
        )
    server.sessions.set_cookie(answer, token)
    return answer


def _sweep_guests(services: Services) -> None:
    """Delete records of guests whose session has ended."""
    age = timedelta(hours=services.server.settings.sign_in.session_hours)
    joined = services.server.people.persons.recent().joined
    services.school.drill_sessions.sweep(joined, services.school.clock(), age)


async def _spots(services: Services, caller: Person) -> list[LoggedDecision]:
    return decision_log(await list_own_practice(services, caller))


def _ask(
    services: Services,
    person: Person,
    drill_request: DrillRequest,
    spots: list[LoggedDecision] | None = None,
) -> NumberedQuestion:
    game = compile_game(find_sheet(services.sheets, drill_request.sheet))
    seconds = max(1, 3_600 // drill_request.goal) if drill_request.timed else None
    questions_max = GUESTS_MAX if person.role == "guest" else None
    if drill_request.bias == "spots":
        names = all_names(services.server, person)
        try:
            chosen = services.school.next_misplayed_item(
                game, spots or [], names, services.school.clock()
            )
        except PitbookError as error:
            raise Problem(HTTPStatus.NOT_FOUND, sentence_of(error)) from None
        spot_question = services.school.drill_sessions.record_question(
            person.name,
            game,
            chosen,
            services.school.clock(),
            seconds=seconds,
            questions_max=questions_max,
        )
        return services.school.question_view(spot_question)
    for kind in drill_request.kinds:
        if find_kind(kind).id not in supported_kinds(game):
            drill(game, kind, "is there one")  # If not supported, this raises the reason.
    record_question = services.school.drill_sessions.ask(
        all_names(services.server, person),
        game,
        secrets.token_hex(8),
        services.school.clock(),
        kinds=tuple(drill_request.kinds),
        bias=drill_request.bias,
        seconds=seconds,
        questions_max=questions_max,
    )
    return services.school.question_view(record_question)


@router.post(
    "/api/drills/hints",
    name="drill_hint",
    summary="Get a hint",
    responses=example_response(HINT),
)
async def drill_hint(
    question_ref: QuestionNumber, caller: Caller, services: ServicesDep
) -> Answer[Hint]:
    """The clauses that apply. The hint is recorded."""
    remake, drill_sessions = (
        await _remake_for(services, caller, question_ref),
        services.school.drill_sessions,
    )
    return Answer(
        hint_view(
            await asyncio.to_thread(drill_sessions.hint, caller.name, question_ref.number, remake)
        )
    )


async def _remake_for(services: Services, caller: Person, body: QuestionNumber) -> Remake:
    """How to remake a question; misplayed hands come from the caller's own practice."""
    pupil = await asyncio.to_thread(services.school.drill_sessions.pupil, caller.name)
    questions = [question for question in (pupil.open, pupil.last and pupil.last[0]) if question]
    marks = [question_mark(question) for question in questions if question.number == body.number]
    if body.mark is not None and body.mark not in marks:
        raise Problem(HTTPStatus.BAD_REQUEST, say("drills.not-open", number=body.number))
    kinds = {question.kind for question in questions}
    spots = await _spots(services, caller) if misplayed.KIND in kinds else ()
    return partial(services.school.remake, spots=spots)


@router.post(
    "/api/drills/answers",
    name="drill_answer",
    summary="Answer a question",
    responses=example_response(VERDICT),
)
async def drill_answer(
    body: AnswerRequest, caller: Caller, services: ServicesDep
) -> Answer[Verdict]:
    """Whether the answer is correct, the correct answer, and the reasons. Repeats count once."""
    remake = await _remake_for(services, caller, body)
    return Answer(await asyncio.to_thread(_answer, services, caller, body, remake))


def _answer(services: Services, caller: Person, body: AnswerRequest, remake: Remake) -> Verdict:
    school, names = services.school, all_names(services.server, caller)
    judged = school.drill_sessions.answer(
        names, body.number, body.answer, services.school.clock(), remake
    )
    last = school.drill_sessions.pupil(caller.name).last
    assert last is not None
    return school.verdict(judged, last[0].sheet)


@router.get(
    "/api/drills/progress",
    name="drill_progress",
    summary="Get drill statistics",
    responses=example_response(PROGRESS),
)
def drill_progress(
    caller: Caller,
    services: ServicesDep,
    form: Annotated[
        Literal["json", "csv"], Query(alias="format", description="csv: every answer.")
    ] = "json",
) -> Answer[Progress]:
    """Correct answers and speed, by kind and by day; as CSV, every answer."""
    names = all_names(services.server, caller)
    progress = services.school.drill_sessions.progress(names)
    if form == "json":
        return Answer(
            services.school.progress(caller.name, progress, names, services.school.clock())
        )
    return _CsvResponse(csv_of(progress.answers), f"{caller.name}-drills.csv")


class _CsvResponse(Answer[Progress]):
    """The same as a CSV file."""

    def __init__(self, text: str, name: str) -> None:
        plain = "".join(sign if sign.isascii() and sign.isalnum() else "-" for sign in name[:-4])
        headers = {"Content-Disposition": f'attachment; filename="{plain}.csv"'}
        Response.__init__(self, text, media_type="text/csv", headers=headers)
