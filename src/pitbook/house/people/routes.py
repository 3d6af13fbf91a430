"""Routes for sign-in, invitations, the register, one's own account and password resets."""

from __future__ import annotations

import asyncio
import logging
import time
from collections.abc import Callable, Mapping
from http import HTTPStatus
from types import MappingProxyType
from typing import Annotated, Any, Literal, TypeVar

import segno
from fastapi import Depends, Request
from pydantic import BaseModel, ConfigDict, Field
from starlette.responses import JSONResponse, Response

from pitbook.errors import CodeNeeded, CodeWrong, Excluded
from pitbook.house.people.accounts import WrongPassword, invalid_invitation, invalid_reset_link
from pitbook.house.people.factors import CODE_MAX, RECOVERY_CODES
from pitbook.house.people.guests import link_guest_play
from pitbook.house.people.login_throttle import SignInAttempt, hash_in_thread
from pitbook.house.people.names import NAME_MAX
from pitbook.house.people.passwords import PASSWORD_MAX
from pitbook.house.people.register import (
    MEMBERS,
    STAFF,
    Person,
    PersonRecord,
    Role,
    find_person,
    require_person,
)
from pitbook.house.people.sessions import Device
from pitbook.house.people.sign_in import Authenticated
from pitbook.house.table.session import not_printable_message
from pitbook.house.web.access import (
    ANYONE,
    READERS,
    SIGNED_IN,
    SUPERVISOR,
    Caller,
    ServerDep,
    allow_routes,
    authenticated_router,
    current_session,
)
from pitbook.house.web.errors import Error, Problem
from pitbook.house.web.logs import log_event
from pitbook.house.web.pages import closed_link, open_link
from pitbook.house.web.server import Server
from pitbook.text import say, sentence_of

router = authenticated_router("people")
INVITATION_RESPONSES: dict[int | str, dict[str, Any]] = {
    404: {"model": Error, "description": "It is used, expired or none of ours."}
}
allow_routes(
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


async def _count_link_view(request: Request, server: ServerDep) -> None:
    server.login_throttle.check_link_view(request)


_CountLinkView = Annotated[None, Depends(_count_link_view)]


@router.post(
    "/api/sign-in",
    name="sign_in",
    summary="Sign in",
    response_model=Me,
    response_model_exclude_none=True,
    responses={428: {"model": Error, "description": "It is right, and a code is needed too."}},
)
async def sign_in(request: Request, given: SignIn, server: ServerDep) -> JSONResponse:
    """A cookie for the right name and password; one and the same answer for anything else.

    Rounds and decisions of the guest whose cookie comes with it are the person's from then on.
    """
    began = time.monotonic()
    login_throttle, device = server.login_throttle, _known_device(server, request, given.name)
    login_throttle.sign_in_attempt(request, given.name, device)  # During a delay, refuse at once.
    async with login_throttle.queue.turn():
        with login_throttle.sign_in_attempt(request, given.name, device) as attempt:
            entry = await _authenticate(server, given, device, attempt)
    if entry is None:
        await login_throttle.pad_response_time(began)
        raise Problem(HTTPStatus.UNAUTHORIZED, say("web.people.wrong"))
    server.metrics.sign_ins.labels("succeeded").inc()
    await asyncio.to_thread(link_guest_play, server, current_session(request), entry.person)
    return welcome(server, entry, before=device)


def _known_device(server: Server, request: Request, name: str) -> Device | None:
    """The known device that somebody tries a name from; what ends sign-ins ends that too."""
    found = server.login_throttle.device(request.cookies, name)
    if found is None:
        return None
    register = server.people.register
    if found.since > register.seq:  # Given out by a process that has read more than we have.
        register = server.people.catch_up()
    record = find_person(register, name)
    return found if record is not None and record.since == found.since else None


async def _authenticate(
    server: Server, given: SignIn, device: Device | None, attempt: SignInAttempt
) -> Authenticated | None:
    """Who it is; None for any wrong credential. Raises Problem where more is to be said."""
    try:
        result = await hash_in_thread(
            lambda: server.people.authenticate(
                given.name,
                given.password,
                code=given.code,
                known_device=attempt.known_device,
                by_link=device is not None and device.by_link,
            )
        )
    except Excluded as barred:
        raise Problem(HTTPStatus.FORBIDDEN, sentence_of(barred)) from None
    except CodeNeeded as needed:
        raise Problem(HTTPStatus.PRECONDITION_REQUIRED, sentence_of(needed)) from None
    except CodeWrong as wrong:
        _count_failure(server, attempt)
        raise Problem(HTTPStatus.UNAUTHORIZED, sentence_of(wrong)) from None
    if result is None:
        _count_failure(server, attempt)
    return result


def _count_failure(server: Server, attempt: SignInAttempt) -> None:
    server.metrics.sign_ins.labels("failed").inc()
    log_event(logging.WARNING, "sign_in_failed")
    attempt.fail()


@router.post("/api/sign-out", name="sign_out", summary="Sign out", status_code=204)
def sign_out(request: Request, server: ServerDep) -> Response:
    """Ends this sign-in for good, wherever its cookie was copied to."""
    found = current_session(request)
    if found is not None:
        server.sessions.end(found)
    response = Response(status_code=HTTPStatus.NO_CONTENT)
    server.sessions.clear_cookie(response)
    return response


@router.get("/api/me", name="me", summary="Who is signed in", response_model_exclude_none=True)
def me(who: Caller, server: ServerDep) -> Me:
    """Name and role, and what has to be done before anything else."""
    return _me_view(server, who)


@router.get(
    "/api/invitations/{token}",
    name="invitation",
    summary="What an invitation is for",
    response_model=Invitation,
    responses=INVITATION_RESPONSES,
)
def invitation(token: str, request: Request, server: ServerDep, _: _CountLinkView) -> Response:
    """The role that waits for whoever sets a name and a password; a browser gets a form for it."""
    role = server.people.invited(token)
    if role is None:
        return closed_link(request, invalid_invitation(), kind="invitation")
    return open_link(request, Invitation(role=role), kind="invitation")


@router.post(
    "/api/invitations/{token}",
    name="accept_invitation",
    summary="Use an invitation",
    status_code=201,
    response_model=Me,
    response_model_exclude_none=True,
    responses=INVITATION_RESPONSES,
)
async def accept_invitation(
    token: str, request: Request, given: Credentials, server: ServerDep, _: _CountLinkView
) -> JSONResponse:
    """Set a name and a password, and be signed in; it works once, and takes a guest's rounds."""

    def accepted() -> Authenticated:
        if server.people.invited(token) is None:
            raise Problem(HTTPStatus.NOT_FOUND, invalid_invitation())
        found = server.people.accept(token, given.name, given.password)
        link_guest_play(server, current_session(request), found.person)
        return found

    async with server.login_throttle.queue.turn():
        entered = await hash_in_thread(accepted)
    return welcome(server, entered, HTTPStatus.CREATED)


@router.post("/api/invitations", name="invite", summary="Invite somebody", status_code=201)
def invite(given: Invite, who: Caller, server: ServerDep) -> Invited:
    """An address to hand to somebody, good once."""
    token = server.people.invite(given.role, actor=who.name)
    return Invited(role=given.role, path=f"/api/invitations/{token}")


@router.get(
    "/api/people", name="list_people", summary="The register", response_model_exclude_none=True
)
def list_people(server: ServerDep) -> Everybody:
    """Everybody by name."""
    return Everybody(people=[_person_view(server, one) for one in server.people.all()])


@router.post(
    "/api/people",
    name="add_person",
    summary="Add somebody",
    status_code=201,
    response_model_exclude_none=True,
)
def add_person(given: NewPerson, who: Caller, server: ServerDep) -> Listed:
    """A new person with a role and a first password."""
    server.people.add(given.name, given.role, given.password, actor=who.name)
    return _person_row(server, given.name)


@router.patch(
    "/api/people",
    name="change_person",
    summary="Change role, password or standing",
    response_model_exclude_none=True,
    responses={404: {"model": Error}},
)
def change_person(given: PersonChange, who: Caller, server: ServerDep) -> Listed:
    """All of it or nothing, on record with who made it; sign-ins end where they must."""
    record = find_person(server.people.catch_up(), given.name)
    if record is None:
        raise Problem(HTTPStatus.NOT_FOUND, say("web.people.nobody-called"))
    if record.name == who.name and (given.password is not None or given.forget_factor):
        raise Problem(HTTPStatus.BAD_REQUEST, say("web.people.ones-own"))
    if not given.why.isprintable():
        raise Problem(HTTPStatus.BAD_REQUEST, not_printable_message("why"))
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
    return _person_row(server, given.name)


def _person_row(server: Server, name: str) -> Listed:
    return _person_view(server, require_person(server.people.register, name))


def _person_view(server: Server, record: PersonRecord) -> Listed:
    return Listed(
        name=record.name,
        role=record.role,
        disabled=record.disabled,
        locked=server.people.is_locked(record),
        second_factor=True if record.factor else None,
    )


def _me_view(server: Server, person: Person) -> Me:
    needs = server.people.needs_factor(person)
    return Me(name=person.name, role=person.role, needs="second-factor" if needs else None)


def welcome(
    server: Server,
    entered: Authenticated,
    status: int = HTTPStatus.OK,
    *,
    told: Mapping[str, Any] = MappingProxyType({}),
    before: Device | None = None,
) -> JSONResponse:
    """A sign-in for somebody who proved to be this person, and a device that is known now."""
    person, since = entered
    answer = _me_view(server, person).model_dump(exclude_none=True)
    response = JSONResponse({**answer, **told}, status)
    server.sessions.set_cookie(response, server.sessions.issue(person, since))
    server.login_throttle.remember_device(response, entered, before=before)
    return response


allow_routes(
    dict.fromkeys(
        ("my_account", "change_password", "begin_factor", "confirm_factor", "remove_factor"),
        MEMBERS,
    )
)

PENDING_MAX = 1_000
Changed = TypeVar("Changed")
PASSWORD_RESPONSES: dict[int | str, dict[str, type[Error]]] = {403: {"model": Error}}


class OwnAccount(BaseModel):
    """How somebody signs in."""

    name: str = Field(examples=["sue"])
    role: str = Field(examples=["supervisor"])
    second_factor: bool = Field(description="Whether a code is asked for.")
    required: bool = Field(description="Whether the house asks for one of this role.")
    recovery_codes: int = Field(description="How many are left.", examples=[10])


class NewPassword(_Body):
    """The password until now, and the one from now on."""

    old: str = Field(max_length=PASSWORD_MAX, examples=["correct horse battery staple"])
    new: str = Field(max_length=PASSWORD_MAX, examples=["tr0ub4dor and three"])


class FactorBegun(BaseModel):
    """A secret for a phone; send `pending` back with a code that it makes."""

    secret: str = Field(examples=["JBSWY3DPEHPK3PXP"])
    uri: str = Field(examples=["otpauth://totp/Pitbook:sue?secret=JBSWY3DPEHPK3PXP&issuer=Pitbook"])
    picture: str = Field(description="The same as a QR code, as a data URI of SVG.")
    pending: str


class FactorConfirmed(_Body):
    """A first code of the phone, and the password."""

    pending: str = Field(max_length=PENDING_MAX)
    code: str = Field(max_length=CODE_MAX, examples=["123456"])
    password: str = Field(max_length=PASSWORD_MAX, examples=["correct horse battery staple"])


class RecoveryCodes(Me):
    """Codes for when the phone is lost, each good once; they are told this once."""

    recovery_codes: list[str] = Field(examples=[["K3VQ-7M2A-XW5D-P4TE"]])


class PasswordAgain(_Body):
    """The password, once more."""

    password: str = Field(max_length=PASSWORD_MAX, examples=["correct horse battery staple"])


@router.get("/api/me/account", name="my_account", summary="How I sign in")
def my_account(who: Caller, server: ServerDep) -> OwnAccount:
    """Whether there is a second factor, and whether there must be."""
    record = _own_record(server, who)
    left = RECOVERY_CODES - record.spent.bit_count() if record.factor else 0
    return OwnAccount(
        name=who.name,
        role=who.role,
        second_factor=record.factor is not None,
        required=server.settings.sign_in.second_factor == "staff" and who.role in STAFF,
        recovery_codes=left,
    )


@router.post(
    "/api/me/password",
    name="change_password",
    summary="Change my password",
    response_model=Me,
    response_model_exclude_none=True,
    responses=PASSWORD_RESPONSES,
)
async def change_password(given: NewPassword, who: Caller, server: ServerDep) -> JSONResponse:
    """All other sign-ins end; this browser gets a new one."""
    _own_record(server, who)
    change = server.accounts.change_password
    since = await _with_password(server, who, lambda: change(who.name, given.old, given.new))
    return welcome(server, Authenticated(who, since))


@router.post("/api/me/factor", name="begin_factor", summary="Begin a second factor")
def begin_factor(who: Caller, server: ServerDep) -> FactorBegun:
    """A secret for an app that makes codes; nothing changes before a code confirms it."""
    _own_record(server, who)
    secret, uri, pending = server.accounts.begin_factor(who.name)
    picture = segno.make(uri, error="m", micro=False).svg_data_uri(
        border=4, dark="#000", light="#fff"
    )
    return FactorBegun(secret=secret, uri=uri, picture=picture, pending=pending)


@router.post(
    "/api/me/factor/confirm",
    name="confirm_factor",
    summary="Have a second factor from now on",
    response_model=RecoveryCodes,
    response_model_exclude_none=True,
    responses=PASSWORD_RESPONSES,
)
async def confirm_factor(given: FactorConfirmed, who: Caller, server: ServerDep) -> JSONResponse:
    """All other sign-ins end; one that was there before is replaced, with its recovery codes."""
    _own_record(server, who)
    confirm = server.accounts.confirm_factor
    codes, since = await _with_password(
        server, who, lambda: confirm(who.name, given.password, given.pending, given.code)
    )
    return welcome(server, Authenticated(who, since), told={"recovery_codes": codes})


@router.post(
    "/api/me/factor/remove",
    name="remove_factor",
    summary="Have no second factor any more",
    response_model=Me,
    response_model_exclude_none=True,
    responses=PASSWORD_RESPONSES,
)
async def remove_factor(given: PasswordAgain, who: Caller, server: ServerDep) -> JSONResponse:
    """All other sign-ins end; where the house asks for one, it has to be set up anew."""
    _own_record(server, who)
    remove = server.accounts.remove_factor
    since = await _with_password(server, who, lambda: remove(who.name, given.password))
    return welcome(server, Authenticated(who, since))


async def _with_password(server: Server, who: Person, change: Callable[[], Changed]) -> Changed:
    """A change of the own account; who does not know the password waits longer each time."""
    with server.login_throttle.own_attempt(who.name) as attempt:
        try:
            async with server.login_throttle.queue.turn():
                return await hash_in_thread(change)
        except WrongPassword as wrong:
            attempt.fail()
            raise Problem(HTTPStatus.FORBIDDEN, sentence_of(wrong)) from None


def _own_record(server: Server, who: Person) -> PersonRecord:
    record = find_person(server.people.register, who.name)
    if record is None:
        raise Problem(HTTPStatus.FORBIDDEN, say("web.people.ticket-has-none"))
    return record


allow_routes({"make_reset": SUPERVISOR, "reset": ANYONE, "use_reset": ANYONE})
RESET_RESPONSES: dict[int | str, dict[str, Any]] = {
    404: {"model": Error, "description": "It is used, expired or none of ours."}
}


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
def make_reset(given: Whose, who: Caller, server: ServerDep) -> ResetMade:
    """An address to hand to somebody, good once; one that was made before is void."""
    record = find_person(server.people.catch_up(), given.name)
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
    responses=RESET_RESPONSES,
)
def reset(token: str, request: Request, server: ServerDep) -> Response:
    """The name; a browser gets a form for the password."""
    name = _reset_owner(server, request, token)
    if name is None:
        return closed_link(request, invalid_reset_link(), kind="reset")
    return open_link(request, Reset(name=name), kind="reset")


@router.post(
    "/api/resets/{token}",
    name="use_reset",
    summary="Set a new password by a link",
    response_model=ResetDone,
    responses=RESET_RESPONSES,
)
async def use_reset(
    token: str, request: Request, given: Password, server: ServerDep
) -> JSONResponse:
    """All sign-ins end. It signs nobody in, as a code may be needed; the browser is known now."""
    if await asyncio.to_thread(_reset_owner, server, request, token) is None:
        raise Problem(HTTPStatus.NOT_FOUND, invalid_reset_link())
    with server.login_throttle.link_attempt(token):
        async with server.login_throttle.queue.turn():
            entered = await hash_in_thread(lambda: server.resets.use(token, given.password))
    response = JSONResponse(ResetDone(name=entered.person.name).model_dump())
    server.login_throttle.remember_device(response, entered, by_link=True)
    return response


def _reset_owner(server: Server, request: Request, token: str) -> str | None:
    """Who may use a link; who has none waits with the other strangers of the address."""
    name = server.resets.owner_of(token)
    if name is None:
        server.login_throttle.attempt(request).fail()
    return name
