"""One's own account: another password, and a second factor."""

from __future__ import annotations

from collections.abc import Callable
from http import HTTPStatus
from typing import TypeVar

import segno
from pydantic import BaseModel, ConfigDict, Field
from starlette.responses import JSONResponse

from pitbook.house.web.answers import Error, Problem
from pitbook.house.web.people.access import MEMBERS, Caller, Serving, list_routes
from pitbook.house.web.people.accounts import WrongPassword
from pitbook.house.web.people.door import behind_the_door
from pitbook.house.web.people.entering import Entered
from pitbook.house.web.people.factors import CODE_MAX, RECOVERY_CODES
from pitbook.house.web.people.hashing import hash_in_thread
from pitbook.house.web.people.people import PASSWORD_MAX, Person
from pitbook.house.web.people.register import STAFF, PersonRecord, listed
from pitbook.house.web.routes.people import Me, welcome
from pitbook.house.web.running.server import Server
from pitbook.text import say, sentence_of

router = behind_the_door("people")
list_routes(
    dict.fromkeys(
        ("my_account", "change_password", "begin_factor", "confirm_factor", "remove_factor"),
        MEMBERS,
    )
)

PENDING_MAX = 1_000
Done = TypeVar("Done")
REFUSED: dict[int | str, dict[str, type[Error]]] = {403: {"model": Error}}


class _Body(BaseModel):
    model_config = ConfigDict(extra="forbid", strict=True)


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
def my_account(who: Caller, server: Serving) -> OwnAccount:
    """Whether there is a second factor, and whether there must be."""
    record = _record(server, who)
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
    responses=REFUSED,
)
async def change_password(given: NewPassword, who: Caller, server: Serving) -> JSONResponse:
    """All other sign-ins end; this browser gets a new one."""
    _record(server, who)
    change = server.accounts.change_password
    since = await _proved(server, who, lambda: change(who.name, given.old, given.new))
    return welcome(server, Entered(who, since))


@router.post("/api/me/factor", name="begin_factor", summary="Begin a second factor")
def begin_factor(who: Caller, server: Serving) -> FactorBegun:
    """A secret for an app that makes codes; nothing changes before a code confirms it."""
    _record(server, who)
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
    responses=REFUSED,
)
async def confirm_factor(given: FactorConfirmed, who: Caller, server: Serving) -> JSONResponse:
    """All other sign-ins end; one that was there before is replaced, with its recovery codes."""
    _record(server, who)
    confirm = server.accounts.confirm_factor
    codes, since = await _proved(
        server, who, lambda: confirm(who.name, given.password, given.pending, given.code)
    )
    return welcome(server, Entered(who, since), told={"recovery_codes": codes})


@router.post(
    "/api/me/factor/remove",
    name="remove_factor",
    summary="Have no second factor any more",
    response_model=Me,
    response_model_exclude_none=True,
    responses=REFUSED,
)
async def remove_factor(given: PasswordAgain, who: Caller, server: Serving) -> JSONResponse:
    """All other sign-ins end; where the house asks for one, it has to be set up anew."""
    _record(server, who)
    remove = server.accounts.remove_factor
    since = await _proved(server, who, lambda: remove(who.name, given.password))
    return welcome(server, Entered(who, since))


async def _proved(server: Server, who: Person, change: Callable[[], Done]) -> Done:
    """A change of the own account; who does not know the password waits longer each time."""
    with server.doorway.own_attempt(who.name) as attempt:
        try:
            async with server.doorway.queue.turn():
                return await hash_in_thread(change)
        except WrongPassword as wrong:
            attempt.failed()
            raise Problem(HTTPStatus.FORBIDDEN, sentence_of(wrong)) from None


def _record(server: Server, who: Person) -> PersonRecord:
    record = listed(server.people.register, who.name)
    if record is None:
        raise Problem(HTTPStatus.FORBIDDEN, say("web.people.ticket-has-none"))
    return record
