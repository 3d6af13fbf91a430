"""Routes for sign-in, invitations, the register, one's own account and password resets."""

from __future__ import annotations

import asyncio
import logging
import time
from collections.abc import Callable, Mapping
from http import HTTPStatus
from types import MappingProxyType
from typing import Annotated, Any, Literal, TypeVar

from fastapi import Depends, Request
from pydantic import BaseModel, ConfigDict, Field
from starlette.responses import JSONResponse, Response

from pitbook.errors import CodeNeeded, CodeWrong, Excluded
from pitbook.house.people.account_register import (
    MEMBERS,
    STAFF,
    Person,
    PersonRecord,
    Role,
    find_person,
    require_person,
)
from pitbook.house.people.accounts import WrongPassword, invalid_invitation, invalid_reset_link
from pitbook.house.people.factors import CODE_MAX, RECOVERY_CODES
from pitbook.house.people.guest_play import link_guest_play
from pitbook.house.people.login_throttle import SignInAttempt, run_on_hashing_thread
from pitbook.house.people.names import NAME_MAX
from pitbook.house.people.passwords import PASSWORD_MAX
from pitbook.house.people.sessions import Device
from pitbook.house.people.sign_in import Authenticated
from pitbook.house.table.table_session import not_printable_message
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
from pitbook.house.web.page_files import closed_link, open_link
from pitbook.house.web.server import Server
from pitbook.text import say, sentence_of

router = authenticated_router("people")
INVITATION_RESPONSES: dict[int | str, dict[str, Any]] = {
    404: {"model": Error, "description": "The link was used, has expired or is unknown."}
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
    """Name and password, and a code if the account has a second factor."""

    code: str | None = Field(None, max_length=CODE_MAX, examples=["123456"])


class Me(BaseModel):
    """The caller, and what the house requires before anything else."""

    name: str = Field(examples=["ann"])
    role: Role = Field(examples=["player"])
    needs: Literal["second-factor"] | None = Field(None, examples=[None])


class Invitation(BaseModel):
    """An open invitation."""

    role: Role = Field(examples=["supervisor"])
    remedy: str = "POST name and password to this address"


class Invite(_Body):
    """The role to invite to."""

    role: Member = Field(examples=["dealer"])


class InvitationLink(BaseModel):
    """An invitation address that works once."""

    role: Role = Field(examples=["dealer"])
    path: str = Field(examples=["/api/invitations/pJ3kV6w"])


class NewPerson(Credentials):
    """An account to create."""

    role: Member = Field(examples=["player"])


class AccountView(BaseModel):
    """An account."""

    name: str = Field(max_length=NAME_MAX, examples=["ann"])
    role: Role = Field(examples=["player"])
    disabled: bool
    locked: bool = Field(description="Unknown devices that sign in with this name must wait.")
    second_factor: Literal[True] | None = Field(None, examples=[None])


class AccountList(BaseModel):
    """All accounts."""

    people: list[AccountView]


class PersonChange(_Body):
    """Changes to an account; omitted fields stay as they are."""

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
    responses={428: {"model": Error, "description": "Correct, but a code is required too."}},
)
async def sign_in(request: Request, body: SignIn, server: ServerDep) -> JSONResponse:
    """Sign in with name and password; any wrong credential gets the same answer.

    The rounds and decisions of this browser's guest become the person's.
    """
    began = time.monotonic()
    login_throttle, device = server.login_throttle, _known_device(server, request, body.name)
    login_throttle.sign_in_attempt(request, body.name, device)  # During a delay, refuse at once.
    async with login_throttle.queue.turn():
        with login_throttle.sign_in_attempt(request, body.name, device) as attempt:
            entry = await _authenticate(server, body, device, attempt)
    if entry is None:
        await login_throttle.pad_response_time(began)
        raise Problem(HTTPStatus.UNAUTHORIZED, say("web.people.wrong"))
    server.metrics.sign_ins.labels("succeeded").inc()
    await asyncio.to_thread(link_guest_play, server, current_session(request), entry.person)
    return welcome(server, entry, device=device)


def _known_device(server: Server, request: Request, name: str) -> Device | None:
    """The browser's device cookie for this name, unless the account has changed since."""
    device = server.login_throttle.known_device(request.cookies, name)
    if device is None:
        return None
    register = server.people.register
    if device.since > register.seq:  # Issued by another process that is ahead of this one.
        register = server.people.catch_up()
    record = find_person(register, name)
    return device if record is not None and record.since == device.since else None


async def _authenticate(
    server: Server, body: SignIn, device: Device | None, attempt: SignInAttempt
) -> Authenticated | None:
    """The person, or None for any wrong credential. Raises Problem if there is more to say."""
    try:
        result = await run_on_hashing_thread(
            lambda: server.people.authenticate(
                body.name,
                body.password,
                code=body.code,
                known_device=attempt.known_device,
                by_link=device is not None and device.by_link,
            )
        )
    except Excluded as excluded:
        raise Problem(HTTPStatus.FORBIDDEN, sentence_of(excluded)) from None
    except CodeNeeded as needed:
        raise Problem(HTTPStatus.PRECONDITION_REQUIRED, sentence_of(needed)) from None
    except CodeWrong as error:
        _count_failure(server, attempt)
        raise Problem(HTTPStatus.UNAUTHORIZED, sentence_of(error)) from None
    if result is None:
        _count_failure(server, attempt)
    return result


def _count_failure(server: Server, attempt: SignInAttempt) -> None:
    server.metrics.sign_ins.labels("failed").inc()
    log_event(logging.WARNING, "sign_in_failed")
    attempt.fail()


@router.post("/api/sign-out", name="sign_out", summary="Sign out", status_code=204)
def sign_out(request: Request, server: ServerDep) -> Response:
    """End this session for good, including copies of its cookie."""
    session = current_session(request)
    if session is not None:
        server.sessions.end(session)
    response = Response(status_code=HTTPStatus.NO_CONTENT)
    server.sessions.clear_cookie(response)
    return response


@router.get(
    "/api/me", name="me", summary="Get the signed-in user", response_model_exclude_none=True
)
def me(caller: Caller, server: ServerDep) -> Me:
    """The caller's name and role, and what the house requires before anything else."""
    return _me_view(server, caller)


@router.get(
    "/api/invitations/{token}",
    name="invitation",
    summary="Get an invitation",
    response_model=Invitation,
    responses=INVITATION_RESPONSES,
)
def invitation(token: str, request: Request, server: ServerDep, _: _CountLinkView) -> Response:
    """The role of an invitation; browsers get a form."""
    role = server.people.role_of_invitation(token)
    if role is None:
        return closed_link(request, invalid_invitation(), kind="invitation")
    return open_link(request, Invitation(role=role), kind="invitation")


@router.post(
    "/api/invitations/{token}",
    name="accept_invitation",
    summary="Accept an invitation",
    status_code=201,
    response_model=Me,
    response_model_exclude_none=True,
    responses=INVITATION_RESPONSES,
)
async def accept_invitation(
    token: str, request: Request, body: Credentials, server: ServerDep, _: _CountLinkView
) -> JSONResponse:
    """Choose a name and a password and sign in. It works once; guest play is kept."""

    def accept() -> Authenticated:
        if server.people.role_of_invitation(token) is None:
            raise Problem(HTTPStatus.NOT_FOUND, invalid_invitation())
        entry = server.people.accept(token, body.name, body.password)
        link_guest_play(server, current_session(request), entry.person)
        return entry

    async with server.login_throttle.queue.turn():
        entry = await run_on_hashing_thread(accept)
    return welcome(server, entry, HTTPStatus.CREATED)


@router.post("/api/invitations", name="invite", summary="Invite a person", status_code=201)
def invite(body: Invite, caller: Caller, server: ServerDep) -> InvitationLink:
    """An invitation address, which works once."""
    token = server.people.invite(body.role, actor=caller.name)
    return InvitationLink(role=body.role, path=f"/api/invitations/{token}")


@router.get(
    "/api/people", name="list_people", summary="List accounts", response_model_exclude_none=True
)
def list_people(server: ServerDep) -> AccountList:
    """All accounts by name."""
    return AccountList(people=[_person_view(server, record) for record in server.people.all()])


@router.post(
    "/api/people",
    name="add_person",
    summary="Create an account",
    status_code=201,
    response_model_exclude_none=True,
)
def add_person(body: NewPerson, caller: Caller, server: ServerDep) -> AccountView:
    """Create an account with a role and a first password."""
    server.people.add(body.name, body.role, body.password, actor=caller.name)
    return _person_row(server, body.name)


@router.patch(
    "/api/people",
    name="change_person",
    summary="Change an account",
    response_model_exclude_none=True,
    responses={404: {"model": Error}},
)
def change_person(body: PersonChange, caller: Caller, server: ServerDep) -> AccountView:
    """Apply all changes or none, on record with the caller; sessions end if they must."""
    record = find_person(server.people.catch_up(), body.name)
    if record is None:
        raise Problem(HTTPStatus.NOT_FOUND, say("web.people.nobody-called"))
    if record.name == caller.name and (body.password is not None or body.forget_factor):
        raise Problem(HTTPStatus.BAD_REQUEST, say("web.people.ones-own"))
    if not body.why.isprintable():
        raise Problem(HTTPStatus.BAD_REQUEST, not_printable_message("why"))
    server.people.change(
        body.name,
        actor=caller.name,
        role=body.role,
        password=body.password,
        unlock=bool(body.unlock),
        forget_factor=bool(body.forget_factor),
        disabled=body.disabled,
        why=body.why,
    )
    return _person_row(server, body.name)


def _person_row(server: Server, name: str) -> AccountView:
    return _person_view(server, require_person(server.people.register, name))


def _person_view(server: Server, record: PersonRecord) -> AccountView:
    return AccountView(
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
    entry: Authenticated,
    status: int = HTTPStatus.OK,
    *,
    extra: Mapping[str, Any] = MappingProxyType({}),
    device: Device | None = None,
) -> JSONResponse:
    """Sign a person in and remember the browser as a known device."""
    person, since = entry
    answer = _me_view(server, person).model_dump(exclude_none=True)
    response = JSONResponse({**answer, **extra}, status)
    server.sessions.set_cookie(response, server.sessions.issue(person, since))
    server.login_throttle.remember_device(response, entry, previous=device)
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
    """How the caller signs in."""

    name: str = Field(examples=["sue"])
    role: str = Field(examples=["supervisor"])
    second_factor: bool = Field(description="Whether sign-in requires a code.")
    required: bool = Field(description="Whether this role requires a code.")
    recovery_codes: int = Field(description="Unused recovery codes.", examples=[10])


class NewPassword(_Body):
    """The current and the new password."""

    old: str = Field(max_length=PASSWORD_MAX, examples=["correct horse battery staple"])
    new: str = Field(max_length=PASSWORD_MAX, examples=["tr0ub4dor and three"])


class PendingFactor(BaseModel):
    """A secret for an authenticator app; send `pending` back with a code."""

    secret: str = Field(examples=["JBSWY3DPEHPK3PXP"])
    uri: str = Field(examples=["otpauth://totp/Pitbook:sue?secret=JBSWY3DPEHPK3PXP&issuer=Pitbook"])
    picture: str = Field(description="QR code as an SVG data URI.")
    pending: str


class FactorConfirmation(_Body):
    """A first code of the authenticator app, and the password."""

    pending: str = Field(max_length=PENDING_MAX)
    code: str = Field(max_length=CODE_MAX, examples=["123456"])
    password: str = Field(max_length=PASSWORD_MAX, examples=["correct horse battery staple"])


class RecoveryCodes(Me):
    """Recovery codes, each good once; they are shown only now."""

    recovery_codes: list[str] = Field(examples=[["K3VQ-7M2A-XW5D-P4TE"]])


class PasswordConfirmation(_Body):
    """The password again."""

    password: str = Field(max_length=PASSWORD_MAX, examples=["correct horse battery staple"])


@router.get("/api/me/account", name="my_account", summary="Get my sign-in settings")
def my_account(caller: Caller, server: ServerDep) -> OwnAccount:
    """Whether the account has a second factor, and whether it must."""
    record = _own_record(server, caller)
    left = RECOVERY_CODES - record.spent.bit_count() if record.factor else 0
    return OwnAccount(
        name=caller.name,
        role=caller.role,
        second_factor=record.factor is not None,
        required=server.settings.sign_in.second_factor == "staff" and caller.role in STAFF,
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
async def change_password(body: NewPassword, caller: Caller, server: ServerDep) -> JSONResponse:
    """Change the password. All other sessions end; this browser gets a new one."""
    _own_record(server, caller)
    change = server.accounts.change_password
    since = await _with_password(server, caller, lambda: change(caller.name, body.old, body.new))
    return welcome(server, Authenticated(caller, since))


@router.post("/api/me/factor", name="begin_factor", summary="Set up a second factor")
def begin_factor(caller: Caller, server: ServerDep) -> PendingFactor:
    """A secret for an authenticator app; nothing changes until a code confirms it."""
    import segno  # noqa: PLC0415  The rest works without it.

    _own_record(server, caller)
    secret, uri, pending = server.accounts.begin_factor(caller.name)
    picture = segno.make(uri, error="m", micro=False).svg_data_uri(
        border=4, dark="#000", light="#fff"
    )
    return PendingFactor(secret=secret, uri=uri, picture=picture, pending=pending)


@router.post(
    "/api/me/factor/confirm",
    name="confirm_factor",
    summary="Confirm a second factor",
    response_model=RecoveryCodes,
    response_model_exclude_none=True,
    responses=PASSWORD_RESPONSES,
)
async def confirm_factor(
    body: FactorConfirmation, caller: Caller, server: ServerDep
) -> JSONResponse:
    """Turn on the second factor. All other sessions end; an earlier factor is replaced."""
    _own_record(server, caller)
    confirm = server.accounts.confirm_factor
    codes, since = await _with_password(
        server, caller, lambda: confirm(caller.name, body.password, body.pending, body.code)
    )
    return welcome(server, Authenticated(caller, since), extra={"recovery_codes": codes})


@router.post(
    "/api/me/factor/remove",
    name="remove_factor",
    summary="Remove the second factor",
    response_model=Me,
    response_model_exclude_none=True,
    responses=PASSWORD_RESPONSES,
)
async def remove_factor(
    body: PasswordConfirmation, caller: Caller, server: ServerDep
) -> JSONResponse:
    """Remove the second factor. All other sessions end."""
    _own_record(server, caller)
    remove = server.accounts.remove_factor
    since = await _with_password(server, caller, lambda: remove(caller.name, body.password))
    return welcome(server, Authenticated(caller, since))


async def _with_password(server: Server, caller: Person, change: Callable[[], Changed]) -> Changed:
    """Run a change that checks the caller's password; wrong ones are delayed."""
    with server.login_throttle.own_attempt(caller.name) as attempt:
        try:
            async with server.login_throttle.queue.turn():
                return await run_on_hashing_thread(change)
        except WrongPassword as error:
            attempt.fail()
            raise Problem(HTTPStatus.FORBIDDEN, sentence_of(error)) from None


def _own_record(server: Server, caller: Person) -> PersonRecord:
    record = find_person(server.people.register, caller.name)
    if record is None:
        raise Problem(HTTPStatus.FORBIDDEN, say("web.people.ticket-has-none"))
    return record


allow_routes({"make_reset": SUPERVISOR, "reset": ANYONE, "use_reset": ANYONE})
RESET_RESPONSES: dict[int | str, dict[str, Any]] = {
    404: {"model": Error, "description": "The link was used, has expired or is unknown."}
}


class ResetRequest(_Body):
    """The person who forgot the password."""

    name: str = Field(max_length=NAME_MAX, examples=["ann"])


class ResetLinkView(BaseModel):
    """A reset address that works once, until then."""

    name: str = Field(examples=["ann"])
    path: str = Field(examples=["/api/resets/pJ3kV6w"])
    until: str = Field(examples=["2026-11-16T22:15:00.000000+00:00"])


class ResetView(BaseModel):
    """The person whose password the link sets."""

    name: str = Field(examples=["ann"])
    remedy: str = "POST a password to this address, then sign in"


class Password(_Body):
    """A new password."""

    password: str = Field(max_length=PASSWORD_MAX, examples=["correct horse battery staple"])


class ResetDone(BaseModel):
    """The person whose password was set."""

    name: str = Field(examples=["ann"])


@router.post(
    "/api/resets",
    name="make_reset",
    summary="Create a password reset link",
    status_code=201,
    responses={404: {"model": Error, "description": "No such account."}},
)
def make_reset(body: ResetRequest, caller: Caller, server: ServerDep) -> ResetLinkView:
    """A reset address to hand to a person; earlier ones are void."""
    record = find_person(server.people.catch_up(), body.name)
    if record is None:
        raise Problem(HTTPStatus.NOT_FOUND, say("web.people.nobody-called"))
    if record.name == caller.name:
        raise Problem(HTTPStatus.BAD_REQUEST, say("web.people.ones-own-link"))
    link = server.resets.make(body.name, actor=caller.name)
    return ResetLinkView(name=link.name, path=f"/api/resets/{link.token}", until=link.until)


@router.get(
    "/api/resets/{token}",
    name="reset",
    summary="Get a password reset link",
    response_model=ResetView,
    responses=RESET_RESPONSES,
)
def reset(token: str, request: Request, server: ServerDep) -> Response:
    """The person whose password the link sets; browsers get a form."""
    name = _reset_owner(server, request, token)
    if name is None:
        return closed_link(request, invalid_reset_link(), kind="reset")
    return open_link(request, ResetView(name=name), kind="reset")


@router.post(
    "/api/resets/{token}",
    name="use_reset",
    summary="Set a password with a reset link",
    response_model=ResetDone,
    responses=RESET_RESPONSES,
)
async def use_reset(
    token: str, request: Request, body: Password, server: ServerDep
) -> JSONResponse:
    """Set a password. All sessions end; sign in next, with a code if required."""
    if await asyncio.to_thread(_reset_owner, server, request, token) is None:
        raise Problem(HTTPStatus.NOT_FOUND, invalid_reset_link())
    with server.login_throttle.link_attempt(token):
        async with server.login_throttle.queue.turn():
            entry = await run_on_hashing_thread(lambda: server.resets.use(token, body.password))
    response = JSONResponse(ResetDone(name=entry.person.name).model_dump())
    server.login_throttle.remember_device(response, entry, by_link=True)
    return response


def _reset_owner(server: Server, request: Request, token: str) -> str | None:
    """The owner of a link; an invalid link counts as a failure of the address."""
    name = server.resets.owner_of(token)
    if name is None:
        server.login_throttle.attempt(request).fail()
    return name
