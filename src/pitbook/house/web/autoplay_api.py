"""The route that plays rounds at a practice table by best play."""

from __future__ import annotations

import json
from collections.abc import Callable
from http import HTTPStatus
from typing import Literal, cast

from pydantic import BaseModel, ConfigDict, Field

from pitbook.errors import RoundError
from pitbook.exact.rule_files import StrategyError
from pitbook.house.ledger.chain import Entry
from pitbook.house.ledger.stream_writer import find_request, refuse_reused_id
from pitbook.house.table.api_types import Recorded
from pitbook.house.table.commands import Decide, decode, encode
from pitbook.house.table.routes import NO_TABLE, REFUSED
from pitbook.house.table.session import (
    TableSession,
    check_request_id,
    require_accepted,
    resolve_seat,
    submit_command,
)
from pitbook.house.web.access import SIGNED_IN, Caller, allow_routes, authenticated_router
from pitbook.house.web.coach_live import give_advice
from pitbook.house.web.errors import Answer, Problem, RefusedPlay
from pitbook.house.web.jobs import text_key
from pitbook.house.web.services import Services, ServicesDep
from pitbook.money import Cents
from pitbook.rules import actions
from pitbook.rules.actions import Play
from pitbook.rules.game import Game
from pitbook.rules.refusals import Code, Refusal, refuse
from pitbook.rules.round import Round
from pitbook.rules.step import step
from pitbook.sheets.digest import digest
from pitbook.simulation.strategy import Strategy, strategy_in
from pitbook.text import sentence_of

router = authenticated_router("coach")
allow_routes({"autoplay": SIGNED_IN})

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
        raise RefusedPlay(refuse(Code.FORBIDDEN, "web.coach.autoplay", kind=state.kind))
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
    round = state.round if state.live else None
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
