"""Routes of the coach: weigh a play, review practice, practice a spot again."""

from __future__ import annotations

import asyncio
import json
import secrets
from http import HTTPStatus
from typing import Annotated, Any, Literal, NamedTuple

from fastapi import Depends, Query
from pydantic import BaseModel, ConfigDict, Field, model_validator
from starlette.responses import Response

from pitbook.cards import name, names
from pitbook.coach.hands import hard_spot
from pitbook.coach.log import Filters, Logged, csv_of, lines_of
from pitbook.coach.trends import Trends, leak_of, trends
from pitbook.coach.verdicts import made
from pitbook.drills.misplayed import due_hand, misplayed_hands
from pitbook.errors import MoneyError
from pitbook.house.ledger.stream_writer import find_request
from pitbook.house.ledger.writer import utc_now
from pitbook.house.people.guests import is_owner
from pitbook.house.people.register import Person
from pitbook.house.table.commands import Arrange, decode, encode
from pitbook.house.table.facts import FACTS, ShoeOpened
from pitbook.house.table.routes import NO_TABLE, REFUSED, SHEET
from pitbook.house.table.session import (
    TableSession,
    check_request_id,
    example_response,
    require_accepted,
    resolve_seat,
    submit_command,
)
from pitbook.house.table.state import game_of
from pitbook.house.web.access import SIGNED_IN, Caller, allow_routes, authenticated_router
from pitbook.house.web.coach_live import weigh_play
from pitbook.house.web.coach_reviews import (
    LookedBack,
    PastDecision,
    Practised,
    SpotArranged,
    WeighedUp,
    decision_log,
    report,
)
from pitbook.house.web.errors import Answer, Error, Problem, RefusedPlay
from pitbook.house.web.languages import set_currency
from pitbook.house.web.services import Services, ServicesDep
from pitbook.house.web.sheets_api import NOT_YET
from pitbook.money import Cents, dollars, money
from pitbook.rules.refusals import Code, Refusal, refuse
from pitbook.text import say, sentence_of
from pitbook.text.documents import currency_of_all

router = authenticated_router("coach")
allow_routes(
    dict.fromkeys(("weigh", "coach", "my_coach", "coach_trends", "practise_spot"), SIGNED_IN)
)

COUNT, COUNT_MAX = 100, 1_000
ALL = "As csv, or as jsonl, they are all there."
DecisionsForm = Literal["json", "csv", "jsonl"]
SUM = {"exact": "6/5", "dollars": "1.20", "text": "$1.20"}
WEIGHED = {
    "weighed": {
        "play": "3x",
        "best": "1x",
        "is_best": False,
        "cost": {"units": "3/25", **SUM},
        "sentence": "3x gives away $1.20 against 1x.",
    },
    "accepted": {"seq": 42},
}
LOOKED_BACK = {
    "player": "ann",
    "table": "practice-0a1b2c3d4e5f",
    "summary": {"decisions": 31, "mistakes": 4, "accuracy": "27/31", "cost": SUM},
    "luck": {"rounds": 11, "luck": SUM},
    "decisions": [],
}
SPOT = {"round": "practice-0a1b2c3d4e5f-000003", "stage": 1, "seat": 1, "cards": ["Qs", "Jd"]}
ARRANGED = {"spot": SPOT, "shoe": "practice-0a1b2c3d4e5f-shoe-000009", "accepted": {"seq": 42}}
NO_SPOT: dict[int | str, dict[str, Any]] = {
    404: {"model": Error, "description": "There is no such table, round or decision."}
}


class _Body(BaseModel):
    model_config = ConfigDict(extra="forbid", strict=True)


class Thought(_Body):
    """A play that a seat thinks of making."""

    seat: int = Field(ge=1, le=1_000, examples=[1])
    play: str = Field(min_length=1, max_length=60, examples=["3x"])
    request: str | None = Field(None, max_length=1_000, examples=["ann-19"])


class PracticeWanted(_Body):
    """A decision of the past, or one of those that were missed, or neither: an ordinary shoe."""

    round: str | None = Field(None, max_length=200, examples=["practice-0a1b2c3d4e5f-000003"])
    stage: int = Field(0, ge=0, le=100, examples=[1])
    seat: int | None = Field(None, ge=1, le=1_000, examples=[1])
    missed: bool = False
    random: bool = False
    hard: bool = Field(False, description="A spot whose plays lie close together, dealt by lot.")
    leak: str | None = Field(
        None,
        max_length=200,
        examples=["flop/3x/1x"],
        description="One of the spots of a leak, as the trends name it.",
    )
    request: str | None = Field(None, max_length=1_000, examples=["ann-20"])

    @model_validator(mode="after")
    def _one_of_three(self) -> PracticeWanted:
        named = (self.round is not None, self.leak is not None)
        if sum((*named, self.missed, self.random, self.hard)) != 1:
            raise ValueError(say("web.coach.one-of-three"))
        return self


class DecisionsWanted(NamedTuple):
    """Which decisions are wanted, how many at most, and whether as a file."""

    filters: Filters
    most: int
    form: DecisionsForm


async def _question(
    *,
    sheet: Annotated[str | None, Query(max_length=121, examples=[SHEET])] = None,
    street: Annotated[str | None, Query(max_length=60, examples=["flop"])] = None,
    mistakes: Annotated[bool, Query(description="Only those that gave something away.")] = False,
    min_cost: Annotated[str, Query(max_length=30, examples=["0.50"])] = "0",
    advised: Annotated[bool | None, Query(description="Advice was seen before, or not.")] = None,
    arranged: Annotated[bool | None, Query(description="In arranged rounds, or not.")] = None,
    count: Annotated[int, Query(ge=1, le=COUNT_MAX, description="Decisions, at most.")] = COUNT,
    form: Annotated[DecisionsForm, Query(alias="format", description=ALL)] = "json",
) -> DecisionsWanted:
    filters = Filters(sheet, street, mistakes, _least(min_cost), advised, arranged)
    return DecisionsWanted(filters, count, form)


def _least(text: str) -> Cents:
    try:
        return dollars(text)
    except MoneyError as error:
        told = say("web.invalid.in-field", field="min_cost", why=sentence_of(error))
        raise MoneyError(told) from None


AskedQuestion = Annotated[DecisionsWanted, Depends(_question)]


@router.post(
    "/api/tables/{table}/weigh",
    name="weigh",
    summary="What a play would give away",
    responses={**NO_TABLE, **REFUSED, **NOT_YET, **example_response(WEIGHED)},
)
async def weigh(
    table: str, asked: Thought, who: Caller, services: ServicesDep
) -> Answer[WeighedUp]:
    """Before it is made, at a practice table with the coach on; it is on record as advice."""
    place = resolve_seat(services.server, table, who)
    request = None if asked.request is None else check_request_id(asked.request)
    found = await weigh_play(services, place, asked.seat, asked.play, request)
    if isinstance(found, Refusal):
        raise RefusedPlay(found)
    told, answer = found
    return Answer({"weighed": told, "accepted": require_accepted(answer)})


@router.get(
    "/api/tables/{table}/coach",
    name="coach",
    summary="Practice looked back on",
    responses={**NO_TABLE, **NOT_YET, **example_response(LOOKED_BACK)},
)
async def coach(
    table: str, who: Caller, services: ServicesDep, asked: AskedQuestion
) -> Answer[LookedBack]:
    """Accuracy, cost, luck and every decision at a practice table of one's own."""
    found = await _practised(services, resolve_seat(services.server, table, who))
    return await asyncio.to_thread(_told, found, asked, who.name, table)


@router.get(
    "/api/coach",
    name="my_coach",
    summary="All one's practice looked back on",
    responses={**NOT_YET, **example_response(LOOKED_BACK)},
)
async def my_coach(who: Caller, services: ServicesDep, asked: AskedQuestion) -> Answer[LookedBack]:
    """The same over every practice table of one's own that still stands."""
    found = await own_practice(services, who)
    return await asyncio.to_thread(_told, found, asked, who.name, None)


@router.get(
    "/api/coach/trends",
    name="coach_trends",
    summary="One's practice over time",
)
async def coach_trends(
    who: Caller,
    services: ServicesDep,
    sheet: Annotated[str | None, Query(max_length=121, examples=[SHEET])] = None,
) -> Answer[Trends]:
    """Result, expectation and luck round by round; accuracy by spot and week; streaks; leaks."""
    practised = await own_practice(services, who)
    found = [one for one in practised if sheet in (None, one.sheet)]
    settled = [one.reckoning for one in found if one.reckoning is not None]
    currency = currency_of_all(one.currency for one in found)
    return Answer(await asyncio.to_thread(lambda: trends(settled, decision_log(found), currency)))


async def own_practice(services: Services, who: Person) -> list[Practised]:
    """What somebody practised at all tables of their own that still stand."""
    own = [
        one
        for _, one in sorted(services.server.house.tables.items())
        if one.state.kind == "practice"
        and is_owner(services.server, who, one.state.owner)
        and not one.state.retired
    ]
    found: list[Practised] = []
    for one in own:
        found += await services.reviews.of(services.server.house.ledger, one)
    return found


@router.post(
    "/api/tables/{table}/spots",
    name="practise_spot",
    summary="Practise a spot again",
    responses={**NO_TABLE, **NO_SPOT, **REFUSED, **example_response(ARRANGED)},
)
async def practise_spot(
    table: str, wanted: PracticeWanted, who: Caller, services: ServicesDep
) -> Answer[SpotArranged]:
    """The next round brings the seat there; what comes then is luck. It is labelled as arranged."""
    place = resolve_seat(services.server, table, who)
    state = place.table.state
    if state.kind != "practice":
        raise RefusedPlay(refuse(Code.FORBIDDEN, "web.coach.spots", kind=state.kind))
    request = None if wanted.request is None else check_request_id(wanted.request)
    found = await _practised(services, place)
    spot: PastDecision | None = None
    if wanted.hard:
        command, spot = await _hard(services, place, request)
    else:
        wanted = _as_before(services, place, request, wanted)
        one = None if wanted.random else _spot(place, wanted, found)
        command = _command(place, one)
        spot = None if one is None else _shown(one, command.seat)
    noted = require_accepted(await submit_command(services, place, encode(command), request))
    shoe = place.table.state.shoe
    assert shoe is not None
    return Answer({"spot": spot, "shoe": shoe["id"], "accepted": noted})


async def _practised(services: Services, place: TableSession) -> list[Practised]:
    state = place.table.state
    if state.kind != "practice" or state.owner != place.viewer.name:
        raise Problem(HTTPStatus.FORBIDDEN, say("web.coach.not-yours", table=state.table))
    return await services.reviews.of(services.server.house.ledger, place.table)


def _told(
    found: list[Practised], asked: DecisionsWanted, player: str, table: str | None
) -> Answer[LookedBack]:
    set_currency(None)  # Each decision says what its money is in, and each sum.
    if asked.form == "json":
        looked = report(found, asked.filters, asked.most)
        return Answer({"player": player, "table": table, **looked})
    wanted, name = (
        decision_log(found, asked.filters),
        f"{table or 'practice'}-decisions.{asked.form}",
    )
    return _File(csv_of(wanted) if asked.form == "csv" else lines_of(wanted), name)


class _File(Answer[LookedBack]):
    """The same decisions, all of them, for a spreadsheet or a program."""

    def __init__(self, text: str, name: str) -> None:
        headers = {"Content-Disposition": f'attachment; filename="{name}"'}
        kind = "text/csv" if name.endswith("csv") else "application/x-ndjson"
        Response.__init__(self, text, media_type=kind, headers=headers)


def _as_before(
    services: Services, place: TableSession, request: str | None, wanted: PracticeWanted
) -> PracticeWanted:
    """A missed spot is chosen by lot, but for a request that is sent again: that one has it."""
    entry = find_request(services.server.house.ledger, place.viewer.name, request)
    opened = FACTS.load_kind(entry, ShoeOpened) if entry else []
    spot = next((fact.spot for fact in opened if fact.spot), None)
    if not (wanted.missed or wanted.leak) or spot is None:
        return wanted
    then = {"round": spot["round"], "stage": spot["stage"], "missed": False, "leak": None}
    return wanted.model_copy(update=then)


def _spot(place: TableSession, wanted: PracticeWanted, found: list[Practised]) -> Logged:
    """The decision that is wanted, if it was made by the rules in force."""
    rules = place.table.state.coming["hash"]
    logs = [hand for hand in decision_log(found) if hand.sheet["hash"] == rules]
    if wanted.leak is not None:
        logs = [hand for hand in logs if hand.missed and leak_of(hand).text == wanted.leak]
    if wanted.missed or wanted.leak is not None:
        hand = due_hand(misplayed_hands(logs), utc_now(), secrets.randbelow)
        if hand is None:
            raise Problem(HTTPStatus.NOT_FOUND, say("web.coach.none-left"))
        return hand
    here = [
        hand
        for hand in logs
        if (hand.round, hand.decision.stage) == (wanted.round, wanted.stage)
        and wanted.seat in (None, hand.seat)
    ]
    if not here:
        fields = {"stage": wanted.stage, "round": wanted.round}
        raise Problem(HTTPStatus.NOT_FOUND, say("web.coach.no-such-decision", **fields))
    return here[0]


async def _hard(
    services: Services, place: TableSession, request: str | None
) -> tuple[Arrange, PastDecision | None]:
    """A hard spot dealt by lot; a request that is sent again has the one that it had."""
    entry = find_request(services.server.house.ledger, place.viewer.name, request)
    if entry is not None and entry.body is not None:
        before = decode(json.loads(entry.body)[-1])
        if isinstance(before, Arrange):
            return before, None
    game, seed = game_of(place.table.state.coming), secrets.token_hex(16)
    found = await services.jobs.compute(
        ("hard", seed), lambda: hard_spot(game, seed, secrets.randbelow), keep=False
    )
    if found is None:
        raise Problem(HTTPStatus.NOT_FOUND, say("web.coach.none-hard"))
    number, (seat,) = _command(place, None).seat, found.seats
    stage = found.game.stages[found.stage]
    spot: PastDecision = {
        "round": "",
        "stage": found.stage,
        "street": stage.id,
        "street_title": stage.title,
        "cards": [name(card) for card in seat.cards],
        "board": [name(card) for card in found.board],
        "before": list(made(seat)),
        "seat": number,
        "wagers": [[wager, money(amount)] for wager, amount in (*seat.main[:1], *seat.side)],
    }
    return Arrange(number, names(seat.cards), names(found.board), found.stage), spot


def _command(place: TableSession, one: Logged | None) -> Arrange:
    """At the seat of then, if it is still the player's; else at the first that is."""
    own = [number for number, name in place.table.state.seats.items() if name == place.viewer.name]
    if one is None:
        return Arrange(own[0] if own else 1)
    spot = one.decision
    seat = one.seat if one.seat in own or not own else own[0]
    return Arrange(seat, names(spot.cards), names(spot.board), spot.stage, one.round)


def _shown(one: Logged, seat: int) -> PastDecision:
    told = one.document()
    return {
        "round": told["round"],
        "stage": told["stage"],
        "street": told["street"],
        "street_title": told["street_title"],
        "cards": told["cards"],
        "board": told["board"],
        "before": told["before"],
        "seat": seat,
        "wagers": [[wager, money(amount)] for wager, amount in one.decision.dealt],
    }
