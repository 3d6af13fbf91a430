"""A link for who has forgotten a password: a supervisor makes it, it works once."""

from __future__ import annotations

import asyncio
from http import HTTPStatus
from typing import Any

from fastapi import Request
from pydantic import BaseModel, ConfigDict, Field
from starlette.responses import JSONResponse, Response

from pitbook.house.people.names import NAME_MAX
from pitbook.house.web.answers import Error, Problem
from pitbook.house.web.pages.opened_links import closed_link, open_link
from pitbook.house.web.people.access import ANYONE, SUPERVISOR, Caller, Serving, list_routes
from pitbook.house.web.people.door import behind_the_door
from pitbook.house.web.people.hashing import hash_in_thread
from pitbook.house.web.people.people import PASSWORD_MAX
from pitbook.house.web.people.register import listed
from pitbook.house.web.people.resets import no_reset
from pitbook.house.web.running.server import Server
from pitbook.text import say

router = behind_the_door("people")
list_routes({"make_reset": SUPERVISOR, "reset": ANYONE, "use_reset": ANYONE})
NO_LINK: dict[int | str, dict[str, Any]] = {
    404: {"model": Error, "description": "It is used, expired or none of ours."}
}


class _Body(BaseModel):
    model_config = ConfigDict(extra="forbid", strict=True)


class Whose(_Body):
    """Who has forgotten a password."""

    name: str = Field(max_length=NAME_MAX, examples=["ann"])


class ResetMade(BaseModel):
    """An address that is good once, until then."""

    name: str = Field(examples=["ann"])
    path: str = Field(examples=["/api/resets/pJ3kV6w"])
    until: str = Field(examples=["2026-11-16T22:15:00.000000+00:00"])


class Reset(BaseModel):
    """Whose password it sets."""

    name: str = Field(examples=["ann"])
    remedy: str = "POST a password to this address, then sign in"


class Password(_Body):
    """A password."""

    password: str = Field(max_length=PASSWORD_MAX, examples=["correct horse battery staple"])


class ResetDone(BaseModel):
    """Who has a new password."""

    name: str = Field(examples=["ann"])


@router.post(
    "/api/resets",
    name="make_reset",
    summary="A link for a new password",
    status_code=201,
    responses={404: {"model": Error, "description": "Nobody is called that."}},
)
def make_reset(given: Whose, who: Caller, server: Serving) -> ResetMade:
    """An address to hand to somebody, good once; one that was made before is void."""
    record = listed(server.people.read_on(), given.name)
    if record is None:
        raise Problem(HTTPStatus.NOT_FOUND, say("web.people.nobody-called"))
    if record.name == who.name:
        raise Problem(HTTPStatus.BAD_REQUEST, say("web.people.ones-own-link"))
    link = server.resets.make(given.name, actor=who.name)
    return ResetMade(name=link.name, path=f"/api/resets/{link.token}", until=link.until)


@router.get(
    "/api/resets/{token}",
    name="reset",
    summary="Whose password a link sets",
    response_model=Reset,
    responses=NO_LINK,
)
def reset(token: str, request: Request, server: Serving) -> Response:
    """The name; a browser gets a form for the password."""
    name = _whose(server, request, token)
    if name is None:
        return closed_link(request, no_reset(), kind="reset")
    return open_link(request, Reset(name=name), kind="reset")


@router.post(
    "/api/resets/{token}",
    name="use_reset",
    summary="Set a new password by a link",
    response_model=ResetDone,
    responses=NO_LINK,
)
async def use_reset(token: str, request: Request, given: Password, server: Serving) -> JSONResponse:
    """All sign-ins end. It signs nobody in, as a code may be needed; the browser is known now."""
    if await asyncio.to_thread(_whose, server, request, token) is None:
        raise Problem(HTTPStatus.NOT_FOUND, no_reset())
    with server.doorway.link_attempt(token):
        async with server.doorway.queue.turn():
            entered = await hash_in_thread(lambda: server.resets.use(token, given.password))
    response = JSONResponse(ResetDone(name=entered.person.name).model_dump())
    server.doorway.welcome(response, entered, by_link=True)
    return response


def _whose(server: Server, request: Request, token: str) -> str | None:
    """Who may use a link; who has none waits with the other strangers of the address."""
    name = server.resets.whose(token)
    if name is None:
        server.doorway.attempt(request).failed()
    return name
