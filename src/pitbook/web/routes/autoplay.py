"""Autoplay at a practice table: one decision after the other by a chosen strategy."""

from __future__ import annotations

from collections.abc import Callable
from typing import Literal

from fastapi import APIRouter
from pydantic import BaseModel, ConfigDict, Field

from pitbook.engine import actions
from pitbook.engine.round import Round
from pitbook.engine.step import step
from pitbook.game.plays import Play
from pitbook.game.refusals import Code, Refusal, refused
from pitbook.table.commands import Decide, encode
from pitbook.web.answers import RefusedPlay
from pitbook.web.models.answer import Answer
from pitbook.web.models.tables import Recorded
from pitbook.web.people.access import SIGNED_IN, Caller, list_routes
from pitbook.web.route_parts import Tools, Using
from pitbook.web.routes.tables import NO_TABLE, REFUSED
from pitbook.web.tables.advice import advised
from pitbook.web.tables.present import Place, at, checked_request, give, taken

router = APIRouter(tags=["coach"])
list_routes({"autoplay": SIGNED_IN})

Strategy = Literal["best", "cheapest", "dearest"]


class AutoplayAsked(BaseModel):
    """A seat that waits, and how it is played: best, or as cheap or as dear as it can stay in."""

    model_config = ConfigDict(extra="forbid", strict=True)
    seat: int = Field(ge=1, le=1_000, examples=[1])
    strategy: Strategy = Field("best", examples=["best"])
    request: str | None = Field(None, max_length=1_000, examples=["ann-21"])


@router.post(
    "/api/tables/{table}/autoplay",
    name="autoplay",
    summary="Play one decision by a strategy",
    responses={**NO_TABLE, **REFUSED},
)
async def autoplay(table: str, asked: AutoplayAsked, who: Caller, tools: Using) -> Answer[Recorded]:
    """At practice tables alone. What is played best is on record as advice that was taken."""
    place = at(tools.server, table, who)
    state = place.table.state
    if state.kind != "practice":
        raise RefusedPlay(refused(Code.FORBIDDEN, "web.coach.autoplay", kind=state.kind))
    request = None if asked.request is None else checked_request(asked.request)
    found = await _chosen(tools, place, asked)
    if isinstance(found, Refusal):
        raise RefusedPlay(found)
    made = Decide(asked.seat, found)
    return Answer(taken(await give(tools, place, encode(made), request)))


async def _chosen(tools: Tools, place: Place, asked: AutoplayAsked) -> str | Refusal:
    if asked.strategy == "best":
        told = await advised(tools, place, asked.seat, None)
        return told if isinstance(told, Refusal) else told[0]["best"]
    state = place.table.state
    round = state.round if state.live else None
    if round is None or asked.seat not in round.waiting:
        return refused(Code.NOT_NOW, "web.coach.nothing-to-decide", seat=asked.seat)
    pick = min if asked.strategy == "cheapest" else max
    return _staying(round, asked.seat, pick, place.table.luck.wallet(state.seats[asked.seat]))


def _staying(round: Round, number: int, pick: Callable[..., Play], chips: int) -> str:
    """The play that stays in for least or for most, or else whatever is left."""
    seat = round.seat(number)
    assert seat is not None
    able = [
        play
        for play in round.game.plays(round.stage)
        if seat.cost(play) <= chips
        and not isinstance(step(round, actions.Decide(number, play)), Refusal)
    ]
    stays = [play for play in able if not play.folds]
    return pick(stays or able, key=lambda play: play.times)
