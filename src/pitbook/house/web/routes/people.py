"""Signing in and out, invitations, and the register that supervisors keep."""

from __future__ import annotations

import asyncio
import logging
import time
from collections.abc import Mapping
from http import HTTPStatus
from types import MappingProxyType
from typing import Annotated, Any, Literal

from fastapi import Depends, Request
from pydantic import BaseModel, ConfigDict, Field
from starlette.responses import JSONResponse, Response

from pitbook.errors import CodeNeeded, CodeWrong, Excluded
from pitbook.house.people.names import NAME_MAX
from pitbook.house.web.answers import Error, Problem
from pitbook.house.web.pages.opened_links import closed_link, open_link
from pitbook.house.web.people.access import (
    ANYONE,
    READERS,
    SIGNED_IN,
    SUPERVISOR,
    Caller,
    Serving,
    list_routes,
    session,
)
from pitbook.house.web.people.attempts import Attempt
from pitbook.house.web.people.devices import Device
from pitbook.house.web.people.door import behind_the_door
from pitbook.house.web.people.entering import Entered
from pitbook.house.web.people.factors import CODE_MAX
from pitbook.house.web.people.guests import take_along
from pitbook.house.web.people.hashing import hash_in_thread
from pitbook.house.web.people.people import PASSWORD_MAX, Person, no_invitation
from pitbook.house.web.people.register import PersonRecord, Role, known, listed
from pitbook.house.web.running.logs import note
from pitbook.house.web.running.server import Server
from pitbook.house.web.tables.present import not_printable
from pitbook.text import say, sentence_of

router = behind_the_door("people")
NO_INVITATION_HERE: dict[int | str, dict[str, Any]] = {
    404: {"model": Error, "description": "It is used, expired or none of ours."}
}
list_routes(
    {
        "sign_in": ANYONE,
        "sign_out": ANYONE,
        "me": SIGNED_IN,
        "invitation": ANYONE,
        "accept_invitation": ANYONE,
        "invite": SUPERVISOR,
        "list_people": READERS,
        "add_person": SUPERVISOR,
        "change_person": SUPERVISOR,
    }
)

Member = Literal["player", "dealer", "supervisor", "auditor", "organiser", "brush", "cashier"]


class _Body(BaseModel):
    model_config = ConfigDict(extra="forbid", strict=True)


class Credentials(_Body):
    """Name and password."""

    name: str = Field(max_length=200, examples=["ann"])
    password: str = Field(max_length=PASSWORD_MAX, examples=["correct horse battery staple"])


class SignIn(Credentials):
    """Name and password, and where there is a second factor a code of it."""

    code: str | None = Field(None, max_length=CODE_MAX, examples=["123456"])


class Me(BaseModel):
    """Who is signed in, and what the house asks for before anything else."""

    name: str = Field(examples=["ann"])
    role: Role = Field(examples=["player"])
    needs: Literal["second-factor"] | None = Field(None, examples=[None])


class Invitation(BaseModel):
    """What an invitation is good for."""

    role: Role = Field(examples=["supervisor"])
    remedy: str = "POST name and password to this address"


class Invite(_Body):
    """The role to invite to."""

    role: Member = Field(examples=["dealer"])


class Invited(BaseModel):
    """An address that is good once."""

    role: Role = Field(examples=["dealer"])
    path: str = Field(examples=["/api/invitations/pJ3kV6w"])


class NewPerson(Credentials):
    """Somebody to add."""

    role: Member = Field(examples=["player"])


class Listed(BaseModel):
    """Somebody in the register."""

    name: str = Field(max_length=NAME_MAX, examples=["ann"])
    role: Role = Field(examples=["player"])
    disabled: bool
    locked: bool = Field(description="Strangers who try this name have to wait.")
    second_factor: Literal[True] | None = Field(None, examples=[None])


class Everybody(BaseModel):
    """The register."""

    people: list[Listed]


class PersonChange(_Body):
    """What to change about somebody; what is left out stays."""

    name: str = Field(max_length=NAME_MAX, examples=["ann"])
    role: Member | None = Field(None, examples=["dealer"])
    password: str | None = Field(None, max_length=PASSWORD_MAX, examples=["tr0ub4dor and three"])
    disabled: bool | None = Field(None, examples=[False])
    unlock: Literal[True] | None = Field(None, examples=[True])
    forget_factor: Literal[True] | None = Field(None, examples=[True])
    why: str = Field("", max_length=200, examples=["asked at the desk"])


async def _at_the_door(request: Request, server: Serving) -> None:
    server.doorway.look_at_link(request)


_Door = Annotated[None, Depends(_at_the_door)]


@router.post(
    "/api/sign-in",
    name="sign_in",
    summary="Sign in",
    response_model=Me,
    response_model_exclude_none=True,
    responses={428: {"model": Error, "description": "It is right, and a code is needed too."}},
)
async def sign_in(request: Request, given: SignIn, server: Serving) -> JSONResponse:
    """A cookie for the right name and password; one and the same answer for anything else.

    Rounds and decisions of the guest whose cookie comes with it are the person's from then on.
    """
    began = time.monotonic()
    doorway, device = server.doorway, _device(server, request, given.name)
    doorway.sign_in_attempt(request, given.name, device)  # During a delay, refuse at once.
    async with doorway.queue.turn():
        with doorway.sign_in_attempt(request, given.name, device) as attempt:
            entry = await _entered(server, given, device, attempt)
    if entry is None:
        await doorway.tell_nothing(began)
        raise Problem(HTTPStatus.UNAUTHORIZED, say("web.people.wrong"))
    server.metrics.sign_ins.labels("fine").inc()
    await asyncio.to_thread(take_along, server, session(request), entry.person)
    return welcome(server, entry, before=device)


def _device(server: Server, request: Request, name: str) -> Device | None:
    """The known device that somebody tries a name from; what ends sign-ins ends that too."""
    found = server.doorway.device(request.cookies, name)
    if found is None:
        return None
    register = server.people.register
    if found.since > register.seq:  # Given out by a process that has read more than we have.
        register = server.people.read_on()
    record = listed(register, name)
    return found if record is not None and record.since == found.since else None


async def _entered(
    server: Server, given: SignIn, device: Device | None, attempt: Attempt
) -> Entered | None:
    """Who it is; None for any wrong credential. Raises Problem where more is to be said."""
    try:
        result = await hash_in_thread(
            lambda: server.people.enter(
                given.name,
                given.password,
                code=given.code,
                known=attempt.known,
                by_link=device is not None and device.by_link,
            )
        )
    except Excluded as barred:
        raise Problem(HTTPStatus.FORBIDDEN, sentence_of(barred)) from None
    except CodeNeeded as needed:
        raise Problem(HTTPStatus.PRECONDITION_REQUIRED, sentence_of(needed)) from None
    except CodeWrong as wrong:
        _failed(server, attempt)
        raise Problem(HTTPStatus.UNAUTHORIZED, sentence_of(wrong)) from None
    if result is None:
        _failed(server, attempt)
    return result


def _failed(server: Server, attempt: Attempt) -> None:
    server.metrics.sign_ins.labels("failed").inc()
    note(logging.WARNING, "sign-in failed")
    attempt.failed()


@router.post("/api/sign-out", name="sign_out", summary="Sign out", status_code=204)
def sign_out(request: Request, server: Serving) -> Response:
    """Ends this sign-in for good, wherever its cookie was copied to."""
    found = session(request)
    if found is not None:
        server.sessions.end(found)
    response = Response(status_code=HTTPStatus.NO_CONTENT)
    server.sessions.take_back(response)
    return response


@router.get("/api/me", name="me", summary="Who is signed in", response_model_exclude_none=True)
def me(who: Caller, server: Serving) -> Me:
    """Name and role, and what has to be done before anything else."""
    return _me(server, who)


@router.get(
    "/api/invitations/{token}",
    name="invitation",
    summary="What an invitation is for",
    response_model=Invitation,
    responses=NO_INVITATION_HERE,
)
def invitation(token: str, request: Request, server: Serving, _: _Door) -> Response:
    """The role that waits for whoever sets a name and a password; a browser gets a form for it."""
    role = server.people.invited(token)
    if role is None:
        return closed_link(request, no_invitation(), kind="invitation")
    return open_link(request, Invitation(role=role), kind="invitation")


@router.post(
    "/api/invitations/{token}",
    name="accept_invitation",
    summary="Use an invitation",
    status_code=201,
    response_model=Me,
    response_model_exclude_none=True,
    responses=NO_INVITATION_HERE,
)
async def accept_invitation(
    token: str, request: Request, given: Credentials, server: Serving, _: _Door
) -> JSONResponse:
    """Set a name and a password, and be signed in; it works once, and takes a guest's rounds."""

    def accepted() -> Entered:
        if server.people.invited(token) is None:
            raise Problem(HTTPStatus.NOT_FOUND, no_invitation())
        found = server.people.accept(token, given.name, given.password)
        take_along(server, session(request), found.person)
        return found

    async with server.doorway.queue.turn():
        entered = await hash_in_thread(accepted)
    return welcome(server, entered, HTTPStatus.CREATED)


@router.post("/api/invitations", name="invite", summary="Invite somebody", status_code=201)
def invite(given: Invite, who: Caller, server: Serving) -> Invited:
    """An address to hand to somebody, good once."""
    token = server.people.invite(given.role, actor=who.name)
    return Invited(role=given.role, path=f"/api/invitations/{token}")


@router.get(
    "/api/people", name="list_people", summary="The register", response_model_exclude_none=True
)
def list_people(server: Serving) -> Everybody:
    """Everybody by name."""
    return Everybody(people=[_listed(server, one) for one in server.people.all()])


@router.post(
    "/api/people",
    name="add_person",
    summary="Add somebody",
    status_code=201,
    response_model_exclude_none=True,
)
def add_person(given: NewPerson, who: Caller, server: Serving) -> Listed:
    """A new person with a role and a first password."""
    server.people.add(given.name, given.role, given.password, actor=who.name)
    return _one(server, given.name)


@router.patch(
    "/api/people",
    name="change_person",
    summary="Change role, password or standing",
    response_model_exclude_none=True,
    responses={404: {"model": Error}},
)
def change_person(given: PersonChange, who: Caller, server: Serving) -> Listed:
    """All of it or nothing, on record with who made it; sign-ins end where they must."""
    record = listed(server.people.read_on(), given.name)
    if record is None:
        raise Problem(HTTPStatus.NOT_FOUND, say("web.people.nobody-called"))
    if record.name == who.name and (given.password is not None or given.forget_factor):
        raise Problem(HTTPStatus.BAD_REQUEST, say("web.people.ones-own"))
    if not given.why.isprintable():
        raise Problem(HTTPStatus.BAD_REQUEST, not_printable("why"))
    server.people.change(
        given.name,
        actor=who.name,
        role=given.role,
        password=given.password,
        unlock=bool(given.unlock),
        forget_factor=bool(given.forget_factor),
        disabled=given.disabled,
        why=given.why,
    )
    return _one(server, given.name)


def _one(server: Server, name: str) -> Listed:
    return _listed(server, known(server.people.register, name))


def _listed(server: Server, record: PersonRecord) -> Listed:
    return Listed(
        name=record.name,
        role=record.role,
        disabled=record.disabled,
        locked=server.people.is_locked(record),
        second_factor=True if record.factor else None,
    )


def _me(server: Server, person: Person) -> Me:
    needs = server.people.needs_factor(person)
    return Me(name=person.name, role=person.role, needs="second-factor" if needs else None)


def welcome(
    server: Server,
    entered: Entered,
    status: int = HTTPStatus.OK,
    *,
    told: Mapping[str, Any] = MappingProxyType({}),
    before: Device | None = None,
) -> JSONResponse:
    """A sign-in for somebody who proved to be this person, and a device that is known now."""
    person, since = entered
    answer = _me(server, person).model_dump(exclude_none=True)
    response = JSONResponse({**answer, **told}, status)
    server.sessions.hand_over(response, server.sessions.issue(person, since))
    server.doorway.welcome(response, entered, before=before)
    return response
