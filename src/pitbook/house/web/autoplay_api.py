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
from pitbook.house.web.jobs import short
from pitbook.house.web.services import Services, ServicesDep
from pitbook.money import Cents
from pitbook.rules import actions
from pitbook.rules.game import Game
from pitbook.rules.plays import Play
from pitbook.rules.refusals import Code, Refusal, refuse
from pitbook.rules.round import Round
from pitbook.rules.step import step
from pitbook.sheets.digest import digest
from pitbook.simulate.strategy import Strategy, strategy_in
from pitbook.text import sentence_of

router = authenticated_router("coach")
allow_routes({"autoplay": SIGNED_IN})

StrategyName = Literal["best", "cheapest", "dearest"]
RULES_MAX = 20_000
FILE = "rules.toml"
RULES = '[[street]]\nmade = ["pair"]\nplay = "3x"\n\n[[street]]\nplay = "fold"\n'


class AutoplayAsked(BaseModel):
    """A seat that waits, and how it is played: best, or as cheap or as dear as it can stay in.

    The text of a rule file, as `pitbook strategy` reads it, goes before the strategy.
    """

    model_config = ConfigDict(extra="forbid", strict=True)
    seat: int = Field(ge=1, le=1_000, examples=[1])
    strategy: StrategyName = Field("best", examples=["best"])
    rules: str | None = Field(None, max_length=RULES_MAX, examples=[RULES])
    request: str | None = Field(None, max_length=1_000, examples=["ann-21"])


@router.post(
    "/api/tables/{table}/autoplay",
    name="autoplay",
    summary="Play one decision by a strategy",
    responses={**NO_TABLE, **REFUSED},
)
async def autoplay(
    table: str, asked: AutoplayAsked, who: Caller, services: ServicesDep
) -> Answer[Recorded]:
    """At practice tables alone. What is played best is on record as advice that was taken."""
    place = resolve_seat(services.server, table, who)
    state = place.table.state
    if state.kind != "practice":
        raise RefusedPlay(refuse(Code.FORBIDDEN, "web.coach.autoplay", kind=state.kind))
    request = None if asked.request is None else check_request_id(asked.request)
    entry = find_request(services.server.house.ledger, place.viewer.name, request)
    if entry is not None:
        decision = _recorded_decision(entry, asked.seat)
    else:
        play = await _chosen(services, place, asked)
        decision = play if isinstance(play, Refusal) else Decide(asked.seat, play)
    if isinstance(decision, Refusal):
        raise RefusedPlay(decision)
    return Answer(
        require_accepted(await submit_command(services, place, encode(decision), request))
    )


def _recorded_decision(entry: Entry, seat: int) -> Decide | Refusal:
    """The decision that this request made before; a refusal if it made anything else."""
    try:
        command = decode(json.loads(entry.body or "[null]")[-1])
    except RoundError:  # The cage's or a night's request.
        command = None
    if isinstance(command, Decide) and command.seat == seat:
        return command
    return refuse_reused_id(entry.request or "")


async def _chosen(services: Services, place: TableSession, asked: AutoplayAsked) -> str | Refusal:
    if asked.rules is None and asked.strategy == "best":
        told = await give_advice(services, place, asked.seat, None)
        return told if isinstance(told, Refusal) else told[0]["best"]
    state = place.table.state
    round = state.round if state.live else None
    if round is None or asked.seat not in round.waiting:
        return refuse(Code.NOT_NOW, "web.coach.nothing-to-decide", seat=asked.seat)
    able = _able(round, asked.seat, place.table.env.wallet(state.seats[asked.seat]))
    if asked.rules is not None:
        wanted = await _ruled(services, round, asked.seat, asked.rules)
        # Whoever has not the chips for that stays in for as much as there is.
        return wanted if wanted in able else _staying(able, max)
    return _staying(able, min if asked.strategy == "cheapest" else max)


async def _ruled(services: Services, round: Round, number: int, rules: str) -> Play:
    """What a player's own rules say; raises Problem where they cannot be followed."""
    seat, game = round.seat(number), round.game
    assert seat is not None
    ante = seat.main[0][1]
    key = ("own-rules", digest(game.sheet), ante, short(rules))
    found = await services.jobs.compute(key, lambda: _read(game, rules, ante))
    if not isinstance(found, Strategy):
        raise Problem(HTTPStatus.UNPROCESSABLE_ENTITY, found)
    seen = (seat.cards, *round.common)
    plays = await services.jobs.compute(
        (*key, round.stage, seat.plays, seen),
        lambda: found.choices(round.stage, seat, seen),
        keep=False,
    )
    return cast(Play, plays[0])


def _read(game: Game, rules: str, ante: Cents) -> Strategy | str:
    """The rules laid out over every spot, or what is wrong with them and where."""
    try:
        return strategy_in(game, rules, FILE, ante).to_play()
    except StrategyError as error:
        return sentence_of(error)


def _able(round: Round, number: int, chips: int) -> list[Play]:
    """The plays that the table takes now and the chips pay for."""
    seat = round.seat(number)
    assert seat is not None
    return [
        play
        for play in round.game.plays(round.stage)
        if seat.cost(play) <= chips
        and not isinstance(step(round, actions.Decide(number, play)), Refusal)
    ]


def _staying(able: list[Play], pick: Callable[..., Play]) -> str:
    """The play that stays in for least or for most, or else whatever is left."""
    stays = [play for play in able if not play.folds]
    return pick(stays or able, key=lambda play: play.times)
