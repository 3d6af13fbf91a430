"""Routes of the coach: advice, reviews, trends, missed spots and automatic play."""

from __future__ import annotations

import asyncio
import json
import secrets
from collections.abc import Callable
from http import HTTPStatus
from typing import Annotated, Any, Literal, NamedTuple, cast

from fastapi import Depends, Query
from pydantic import BaseModel, ConfigDict, Field, model_validator
from starlette.responses import Response

from pitbook.cards import name, names
from pitbook.coach.mistake_log import Filters, LoggedDecision, csv_of, lines_of
from pitbook.coach.practice_hands import hard_spot
from pitbook.coach.trends import Trends, leak_of, trends
from pitbook.coach.verdicts import plays_made
from pitbook.drills.misplayed import misplayed_hands, pick_due_decision
from pitbook.errors import MoneyError, RoundError
from pitbook.exact.rule_files import StrategyError
from pitbook.house.ledger.hash_chain import Entry
from pitbook.house.ledger.streams import find_request, refuse_reused_id
from pitbook.house.ledger.writer import utc_now
from pitbook.house.people.account_register import Person
from pitbook.house.people.guest_play import is_owner
from pitbook.house.table.commands import Arrange, Decide, decode, encode
from pitbook.house.table.facts import FACTS, ShoeOpened
from pitbook.house.table.routes import NO_TABLE, REFUSED, SHEET
from pitbook.house.table.stored_sheets import game_of
from pitbook.house.table.table_session import (
    TableSession,
    check_request_id,
    example_response,
    require_accepted,
    resolve_seat,
    submit_command,
)
from pitbook.house.table.view_types import Recorded
from pitbook.house.web.access import SIGNED_IN, Caller, allow_routes, authenticated_router
from pitbook.house.web.coach_live import give_advice, weigh_play
from pitbook.house.web.coach_reviews import (
    ArrangedSpot,
    PastDecision,
    PlayerReview,
    PracticedRound,
    WeighedPlayResponse,
    decision_log,
    report,
)
from pitbook.house.web.errors import Answer, Error, Problem, RefusedPlay
from pitbook.house.web.jobs import text_key
from pitbook.house.web.languages import set_currency
from pitbook.house.web.services import Services, ServicesDep
from pitbook.house.web.sheets_api import NOT_READY
from pitbook.money import Cents, dollars, money
from pitbook.rules import actions
from pitbook.rules.actions import Play
from pitbook.rules.game import Game
from pitbook.rules.refusals import Code, Refusal, refuse
from pitbook.rules.round import Round
from pitbook.rules.step import step
from pitbook.sheets.hashes import digest
from pitbook.simulation.strategy import Strategy, strategy_in
from pitbook.text import say, sentence_of
from pitbook.text.sentences import common_currency

router = authenticated_router("coach")
allow_routes(
    dict.fromkeys(
        ("weigh", "coach", "my_coach", "coach_trends", "practice_spot", "autoplay"), SIGNED_IN
    )
)

COUNT, COUNT_MAX = 100, 1_000
ALL = "csv or jsonl: every decision."
DecisionsForm = Literal["json", "csv", "jsonl"]
SUM = {"exact": "6/5", "dollars": "1.20", "text": "$1.20"}
WEIGHED = {
    "weighed": {
        "play": "3x",
        "best": "1x",
        "is_best": False,
        "cost": {"units": "3/25", **SUM},
        "sentence": "3x costs $1.20 compared with 1x.",
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
    404: {"model": Error, "description": "No such table, round or decision."}
}


class _Body(BaseModel):
    model_config = ConfigDict(extra="forbid", strict=True)


class PlayToWeigh(_Body):
    """A play that a seat considers."""

    seat: int = Field(ge=1, le=1_000, examples=[1])
    play: str = Field(min_length=1, max_length=60, examples=["3x"])
    request: str | None = Field(None, max_length=1_000, examples=["ann-19"])


class SpotRequest(_Body):
    """A past decision, a missed, hard or leaked one, or `random` for an ordinary shoe."""

    round: str | None = Field(None, max_length=200, examples=["practice-0a1b2c3d4e5f-000003"])
    stage: int = Field(0, ge=0, le=100, examples=[1])
    seat: int | None = Field(None, ge=1, le=1_000, examples=[1])
    missed: bool = False
    random: bool = False
    hard: bool = Field(False, description="A random spot whose plays have similar EVs.")
    leak: str | None = Field(
        None,
        max_length=200,
        examples=["flop/3x/1x"],
        description="A spot of this leak, as named by the trends.",
    )
    request: str | None = Field(None, max_length=1_000, examples=["ann-20"])

    @model_validator(mode="after")
    def _one_of_three(self) -> SpotRequest:
        named = (self.round is not None, self.leak is not None)
        if sum((*named, self.missed, self.random, self.hard)) != 1:
            raise ValueError(say("web.coach.one-of-three"))
        return self


class DecisionsQuery(NamedTuple):
    """Filters, the most decisions to return, and the format."""

    filters: Filters
    most: int
    form: DecisionsForm


async def _decisions_query(
    *,
    sheet: Annotated[str | None, Query(max_length=121, examples=[SHEET])] = None,
    street: Annotated[str | None, Query(max_length=60, examples=["flop"])] = None,
    mistakes: Annotated[bool, Query(description="Only mistakes.")] = False,
    min_cost: Annotated[str, Query(max_length=30, examples=["0.50"])] = "0",
    advised: Annotated[
        bool | None, Query(description="Whether advice was shown before the decision.")
    ] = None,
    arranged: Annotated[bool | None, Query(description="Whether the round was arranged.")] = None,
    count: Annotated[
        int, Query(ge=1, le=COUNT_MAX, description="Maximum number of decisions.")
    ] = COUNT,
    form: Annotated[DecisionsForm, Query(alias="format", description=ALL)] = "json",
) -> DecisionsQuery:
    filters = Filters(sheet, street, mistakes, _min_cost(min_cost), advised, arranged)
    return DecisionsQuery(filters, count, form)


def _min_cost(text: str) -> Cents:
    try:
        return dollars(text)
    except MoneyError as error:
        message = say("web.invalid.in-field", field="min_cost", why=sentence_of(error))
        raise MoneyError(message) from None


DecisionsQueryDep = Annotated[DecisionsQuery, Depends(_decisions_query)]


@router.post(
    "/api/tables/{table}/weigh",
    name="weigh",
    summary="Get the cost of a play",
    responses={**NO_TABLE, **REFUSED, **NOT_READY, **example_response(WEIGHED)},
)
async def weigh(
    table: str, body: PlayToWeigh, caller: Caller, services: ServicesDep
) -> Answer[WeighedPlayResponse]:
    """Weigh a play before making it, at a practice table with the coach on. It is recorded as
    advice.
    """
    session = resolve_seat(services.server, table, caller)
    request = None if body.request is None else check_request_id(body.request)
    weighing = await weigh_play(services, session, body.seat, body.play, request)
    if isinstance(weighing, Refusal):
        raise RefusedPlay(weighing)
    weighed, answer = weighing
    return Answer({"weighed": weighed, "accepted": require_accepted(answer)})


@router.get(
    "/api/tables/{table}/coach",
    name="coach",
    summary="Review practice at a table",
    responses={**NO_TABLE, **NOT_READY, **example_response(LOOKED_BACK)},
)
async def coach(
    table: str, caller: Caller, services: ServicesDep, query: DecisionsQueryDep
) -> Answer[PlayerReview]:
    """Accuracy, cost, luck and every decision at your practice table."""
    rounds = await _practiced_rounds(services, resolve_seat(services.server, table, caller))
    return await asyncio.to_thread(_render_review, rounds, query, caller.name, table)


@router.get(
    "/api/coach",
    name="my_coach",
    summary="Review all my practice",
    responses={**NOT_READY, **example_response(LOOKED_BACK)},
)
async def my_coach(
    caller: Caller, services: ServicesDep, query: DecisionsQueryDep
) -> Answer[PlayerReview]:
    """Accuracy, cost, luck and every decision across all your open practice tables."""
    rounds = await list_own_practice(services, caller)
    return await asyncio.to_thread(_render_review, rounds, query, caller.name, None)


@router.get(
    "/api/coach/trends",
    name="coach_trends",
    summary="Get practice trends",
)
async def coach_trends(
    caller: Caller,
    services: ServicesDep,
    sheet: Annotated[str | None, Query(max_length=121, examples=[SHEET])] = None,
) -> Answer[Trends]:
    """Result, expectation and luck round by round; accuracy by spot and week; streaks; leaks."""
    practiced = await list_own_practice(services, caller)
    rounds = [round for round in practiced if sheet in (None, round.sheet)]
    settled = [round.breakdown for round in rounds if round.breakdown is not None]
    currency = common_currency(round.currency for round in rounds)
    return Answer(await asyncio.to_thread(lambda: trends(settled, decision_log(rounds), currency)))


async def list_own_practice(services: Services, caller: Person) -> list[PracticedRound]:
    """A person's rounds at all of their open practice tables."""
    tables = [
        table
        for _, table in sorted(services.server.house.tables.items())
        if table.state.kind == "practice"
        and is_owner(services.server, caller, table.state.owner)
        and not table.state.retired
    ]
    rounds: list[PracticedRound] = []
    for table in tables:
        rounds += await services.reviews.rounds(services.server.house.ledger, table)
    return rounds


@router.post(
    "/api/tables/{table}/spots",
    name="practice_spot",
    summary="Practice a spot again",
    responses={**NO_TABLE, **NO_SPOT, **REFUSED, **example_response(ARRANGED)},
)
async def practice_spot(
    table: str, body: SpotRequest, caller: Caller, services: ServicesDep
) -> Answer[ArrangedSpot]:
    """Arrange the next round so that the seat reaches the spot. It is labeled as arranged."""
    session = resolve_seat(services.server, table, caller)
    state = session.table.state
    if state.kind != "practice":
        raise RefusedPlay(refuse(Code.FORBIDDEN, "web.coach.spots"))
    request = None if body.request is None else check_request_id(body.request)
    rounds = await _practiced_rounds(services, session)
    spot: PastDecision | None = None
    if body.hard:
        command, spot = await _hard_spot(services, session, request)
    else:
        body = _with_recorded_spot(services, session, request, body)
        past_decision = None if body.random else _find_decision(session, body, rounds)
        command = _arrange_command(session, past_decision)
        spot = None if past_decision is None else _past_decision(past_decision, command.seat)
    receipt = require_accepted(await submit_command(services, session, encode(command), request))
    shoe = session.table.state.shoe
    assert shoe is not None
    return Answer({"spot": spot, "shoe": shoe["id"], "accepted": receipt})


async def _practiced_rounds(services: Services, session: TableSession) -> list[PracticedRound]:
    state = session.table.state
    if state.kind != "practice" or state.owner != session.viewer.name:
        raise Problem(HTTPStatus.FORBIDDEN, say("web.coach.not-yours", table=state.table))
    return await services.reviews.rounds(services.server.house.ledger, session.table)


def _render_review(
    rounds: list[PracticedRound], query: DecisionsQuery, player: str, table: str | None
) -> Answer[PlayerReview]:
    set_currency(None)  # Each decision and each total names its own currency.
    if query.form == "json":
        review = report(rounds, query.filters, query.most)
        return Answer({"player": player, "table": table, **review})
    decisions, name = (
        decision_log(rounds, query.filters),
        f"{table or 'practice'}-decisions.{query.form}",
    )
    return _DecisionFile(csv_of(decisions) if query.form == "csv" else lines_of(decisions), name)


class _DecisionFile(Answer[PlayerReview]):
    """All matching decisions as a file for a spreadsheet or a program."""

    def __init__(self, text: str, name: str) -> None:
        headers = {"Content-Disposition": f'attachment; filename="{name}"'}
        kind = "text/csv" if name.endswith("csv") else "application/x-ndjson"
        Response.__init__(self, text, media_type=kind, headers=headers)


def _with_recorded_spot(
    services: Services, session: TableSession, request: str | None, body: SpotRequest
) -> SpotRequest:
    """The request with the spot it had the first time, if it is sent again."""
    entry = find_request(services.server.house.ledger, session.viewer.name, request)
    shoes = FACTS.load_kind(entry, ShoeOpened) if entry else []
    spot = next((fact.spot for fact in shoes if fact.spot), None)
    if not (body.missed or body.leak) or spot is None:
        return body
    spot_update = {"round": spot["round"], "stage": spot["stage"], "missed": False, "leak": None}
    return body.model_copy(update=spot_update)


def _find_decision(
    session: TableSession, body: SpotRequest, rounds: list[PracticedRound]
) -> LoggedDecision:
    """The requested decision, if it was made under the current rules."""
    rules = session.table.state.upcoming_sheet["hash"]
    logs = [decision for decision in decision_log(rounds) if decision.sheet["hash"] == rules]
    if body.leak is not None:
        logs = [
            decision
            for decision in logs
            if decision.worst_cost and leak_of(decision).text == body.leak
        ]
    if body.missed or body.leak is not None:
        decision = pick_due_decision(misplayed_hands(logs), utc_now(), secrets.randbelow)
        if decision is None:
            raise Problem(HTTPStatus.NOT_FOUND, say("web.coach.none-left"))
        return decision
    matches = [
        decision
        for decision in logs
        if (decision.round, decision.decision.stage) == (body.round, body.stage)
        and body.seat in (None, decision.seat)
    ]
    if not matches:
        fields = {"stage": body.stage, "round": body.round}
        raise Problem(HTTPStatus.NOT_FOUND, say("web.coach.no-such-decision", **fields))
    return matches[0]


async def _hard_spot(
    services: Services, session: TableSession, request: str | None
) -> tuple[Arrange, PastDecision | None]:
    """A random hard spot. A repeated request gets the same one."""
    entry = find_request(services.server.house.ledger, session.viewer.name, request)
    if entry is not None and entry.body is not None:
        command = decode(json.loads(entry.body)[-1])
        if isinstance(command, Arrange):
            return command, None
    game, seed = game_of(session.table.state.upcoming_sheet), secrets.token_hex(16)
    hard_seat = await services.jobs.compute(
        ("hard", seed), lambda: hard_spot(game, seed, secrets.randbelow), keep=False
    )
    if hard_seat is None:
        raise Problem(HTTPStatus.NOT_FOUND, say("web.coach.none-hard"))
    number, (seat,) = _arrange_command(session, None).seat, hard_seat.seats
    stage = hard_seat.game.stages[hard_seat.stage]
    spot: PastDecision = {
        "round": "",
        "stage": hard_seat.stage,
        "street": stage.id,
        "street_title": stage.title,
        "cards": [name(card) for card in seat.cards],
        "board": [name(card) for card in hard_seat.board],
        "before": list(plays_made(seat)),
        "seat": number,
        "wagers": [[wager, money(amount)] for wager, amount in (*seat.main[:1], *seat.side)],
    }
    return Arrange(number, names(seat.cards), names(hard_seat.board), hard_seat.stage), spot


def _arrange_command(session: TableSession, decision: LoggedDecision | None) -> Arrange:
    """An arrangement at the decision's seat, if the player still has it, or else at the player's
    first seat.
    """
    own_seats = [
        number for number, name in session.table.state.seats.items() if name == session.viewer.name
    ]
    if decision is None:
        return Arrange(own_seats[0] if own_seats else 1)
    spot = decision.decision
    seat = decision.seat if decision.seat in own_seats or not own_seats else own_seats[0]
    return Arrange(seat, names(spot.cards), names(spot.board), spot.stage, decision.round)


def _past_decision(decision: LoggedDecision, seat: int) -> PastDecision:
    document = decision.document()
    return {
        "round": document["round"],
        "stage": document["stage"],
        "street": document["street"],
        "street_title": document["street_title"],
        "cards": document["cards"],
        "board": document["board"],
        "before": document["before"],
        "seat": seat,
        "wagers": [[wager, money(amount)] for wager, amount in decision.decision.dealt],
    }


StrategyName = Literal["best", "cheapest", "dearest"]
RULES_MAX = 20_000
FILE = "rules.toml"
RULES = '[[street]]\nmade = ["pair"]\nplay = "3x"\n\n[[street]]\nplay = "fold"\n'


class AutoplayRequest(BaseModel):
    """A seat to play for, and how: best play, or as cheap or as expensive as it can stay in.

    `rules` is the text of a rule file, as `pitbook strategy` reads it, and overrides `strategy`.
    """

    model_config = ConfigDict(extra="forbid", strict=True)
    seat: int = Field(ge=1, le=1_000, examples=[1])
    strategy: StrategyName = Field("best", examples=["best"])
    rules: str | None = Field(None, max_length=RULES_MAX, examples=[RULES])
    request: str | None = Field(None, max_length=1_000, examples=["ann-21"])


@router.post(
    "/api/tables/{table}/autoplay",
    name="autoplay",
    summary="Play one decision automatically",
    responses={**NO_TABLE, **REFUSED},
)
async def autoplay(
    table: str, body: AutoplayRequest, caller: Caller, services: ServicesDep
) -> Answer[Recorded]:
    """Play one decision at a practice table. Best play is recorded as advice."""
    session = resolve_seat(services.server, table, caller)
    state = session.table.state
    if state.kind != "practice":
        raise RefusedPlay(refuse(Code.FORBIDDEN, "web.coach.autoplay"))
    request = None if body.request is None else check_request_id(body.request)
    entry = find_request(services.server.house.ledger, session.viewer.name, request)
    if entry is not None:
        decision = _recorded_decision(entry, body.seat)
    else:
        play = await _choose_play(services, session, body)
        decision = play if isinstance(play, Refusal) else Decide(body.seat, play)
    if isinstance(decision, Refusal):
        raise RefusedPlay(decision)
    return Answer(
        require_accepted(await submit_command(services, session, encode(decision), request))
    )


def _recorded_decision(entry: Entry, seat: int) -> Decide | Refusal:
    """The decision this request recorded earlier, or a refusal if it recorded anything else."""
    try:
        command = decode(json.loads(entry.body or "[null]")[-1])
    except RoundError:  # The request was for the cage or an event.
        command = None
    if isinstance(command, Decide) and command.seat == seat:
        return command
    return refuse_reused_id(entry.request or "")


async def _choose_play(
    services: Services, session: TableSession, body: AutoplayRequest
) -> str | Refusal:
    if body.rules is None and body.strategy == "best":
        advice = await give_advice(services, session, body.seat, None)
        return advice if isinstance(advice, Refusal) else advice[0]["best"]
    state = session.table.state
    round = state.round if state.has_live_wagers else None
    if round is None or body.seat not in round.waiting:
        return refuse(Code.NOT_NOW, "web.coach.nothing-to-decide", seat=body.seat)
    affordable = _affordable_plays(
        round, body.seat, session.table.env.wallet(state.seats[body.seat])
    )
    if body.rules is not None:
        play = await _play_by_rules(services, round, body.seat, body.rules)
        # Without enough chips for that play, stay in for as much as possible.
        return play if play in affordable else _play_staying_in(affordable, max)
    return _play_staying_in(affordable, min if body.strategy == "cheapest" else max)


async def _play_by_rules(services: Services, round: Round, number: int, rules: str) -> Play:
    """The play by the player's own rules; raises Problem if they are invalid."""
    seat, game = round.seat(number), round.game
    assert seat is not None
    ante = seat.main[0][1]
    key = ("own-rules", digest(game.sheet), ante, text_key(rules))
    strategy = await services.jobs.compute(key, lambda: _read_rules(game, rules, ante))
    if not isinstance(strategy, Strategy):
        raise Problem(HTTPStatus.UNPROCESSABLE_ENTITY, strategy)
    visible_cards = (seat.cards, *round.common)
    plays = await services.jobs.compute(
        (*key, round.stage, seat.plays, visible_cards),
        lambda: strategy.choices(round.stage, seat, visible_cards),
        keep=False,
    )
    return cast(Play, plays[0])


def _read_rules(game: Game, rules: str, ante: Cents) -> Strategy | str:
    """Parse strategy rules; raises Problem with the location of an error."""
    try:
        return strategy_in(game, rules, FILE, ante).without_figures()
    except StrategyError as error:
        return sentence_of(error)


def _affordable_plays(round: Round, number: int, chips: int) -> list[Play]:
    """The plays that the table accepts now and the chips can pay for."""
    seat = round.seat(number)
    assert seat is not None
    return [
        play
        for play in round.game.plays(round.stage)
        if seat.cost(play) <= chips
        and not isinstance(step(round, actions.Decide(number, play)), Refusal)
    ]


def _play_staying_in(plays: list[Play], pick: Callable[..., Play]) -> str:
    """The play that stays in, picked by its multiple; a fold only if nothing else is left."""
    staying = [play for play in plays if not play.folds]
    return pick(staying or plays, key=lambda play: play.times)
