"""Routes of the incident log: staff on duty write, supervisors and auditors read."""

from __future__ import annotations

import asyncio
from typing import Any, cast

from pydantic import BaseModel, ConfigDict, Field
from typing_extensions import TypedDict

from pitbook.house.incidents.log import Incident, IncidentKind, IncidentNoted
from pitbook.house.people.account_register import ROLES, Person
from pitbook.house.table.routes import ChangeRecorded
from pitbook.house.table.table_session import (
    check_request_id,
    example_response,
    not_printable_message,
    too_many_commands_message,
)
from pitbook.house.web.access import READERS, SUPERVISOR, Caller, allow_routes, authenticated_router
from pitbook.house.web.errors import Answer, Error, Problem, RefusedPlay
from pitbook.house.web.server import Server
from pitbook.house.web.services import ServicesDep
from pitbook.rules.refusals import Refusal
from pitbook.text.user_input import title_error

router = authenticated_router("inspect")
ON_DUTY = frozenset(ROLES) - {"guest", "player", "auditor"}
allow_routes({"incidents": READERS, "note_incident": ON_DUTY, "follow_incident": SUPERVISOR})

SHOWN_MAX = 500
TOLD_MAX = 1_000
REMARK = {"at": "2026-11-15T18:30:00.000000+00:00", "who": "dee", "told": "a guest fell ill"}
INCIDENT = {
    "number": 3,
    "kind": "safety",
    "table": "stud-1",
    "round": "stud-1-000004",
    "noted": REMARK,
    "followed": [],
    "closed": False,
}
REUSED: dict[int | str, dict[str, Any]] = {
    409: {
        "model": Error,
        "description": "The incident is closed, or the request id was reused with another body.",
    }
}


class RemarkView(TypedDict):
    """A remark: when, who and what."""

    at: str
    who: str
    told: str


class IncidentView(TypedDict):
    """An incident with its follow-ups."""

    number: int
    kind: IncidentKind
    table: str
    round: str
    noted: RemarkView
    followed: list[RemarkView]
    closed: bool


class IncidentsView(TypedDict):
    """The incident log, newest first; `left_out` counts older ones."""

    incidents: list[IncidentView]
    left_out: int


class _Body(BaseModel):
    model_config = ConfigDict(extra="forbid", strict=True)

    told: str = Field(min_length=1, max_length=TOLD_MAX, examples=["a guest fell ill"])
    request: str = Field(max_length=1_000, examples=["dee-3"])


class IncidentReport(_Body):
    """What happened, and where."""

    kind: IncidentKind = Field("other", examples=["safety"])
    table: str = Field("", max_length=60, examples=["stud-1"])
    round: str = Field("", max_length=80, examples=["stud-1-000004"])


class IncidentRecorded(ChangeRecorded):
    """The number of a new incident, and its place in the ledger."""

    number: int = Field(examples=[3])


class FollowUp(_Body):
    """A follow-up to an incident."""

    closed: bool = Field(False, examples=[True])


@router.get(
    "/api/incidents",
    name="incidents",
    summary="List incidents",
    responses=example_response({"incidents": [INCIDENT], "left_out": 0}),
)
async def incidents(services: ServicesDep) -> Answer[IncidentsView]:
    """Newest first, each with its follow-ups."""
    log_entries = await asyncio.to_thread(services.incidents.all)
    incidents_shown = [_incident_view(incident) for incident in reversed(log_entries[-SHOWN_MAX:])]
    return Answer(
        {"incidents": incidents_shown, "left_out": len(log_entries) - len(incidents_shown)}
    )


def _incident_view(incident: Incident) -> IncidentView:
    document = incident._asdict() | {
        "noted": incident.noted._asdict(),
        "followed": [remark._asdict() for remark in incident.followed],
    }
    return cast(IncidentView, document)


@router.post(
    "/api/incidents",
    name="note_incident",
    summary="Report an incident",
    status_code=201,
    responses=REUSED,
)
async def note_incident(
    body: IncidentReport, caller: Caller, services: ServicesDep
) -> IncidentRecorded:
    """The note is never changed; follow-ups are added to it."""
    request = _check_request(body, caller, services.server)
    noted = IncidentNoted(body.kind, body.told.strip(), body.table.strip(), body.round.strip())
    number, receipt = await services.incidents.note(noted, actor=caller.name, request=request)
    return IncidentRecorded(number=number, seq=receipt.seq, hash=receipt.hash)


@router.post(
    "/api/incidents/{number}",
    name="follow_incident",
    summary="Add a follow-up to an incident",
    responses=REUSED,
)
async def follow_incident(
    number: int, body: FollowUp, caller: Caller, services: ServicesDep
) -> ChangeRecorded:
    """Adds a follow-up; `closed` ends the incident."""
    request = _check_request(body, caller, services.server)
    receipt = await services.incidents.follow(
        number, body.told.strip(), closed=body.closed, actor=caller.name, request=request
    )
    if isinstance(receipt, Refusal):
        raise RefusedPlay(receipt)
    return ChangeRecorded(seq=receipt.seq, hash=receipt.hash)


def _check_request(body: _Body, caller: Person, server: Server) -> str:
    """The request id, once the text is valid; raises Problem."""
    if not body.told.isprintable() or not body.told.strip():
        raise Problem(400, not_printable_message("told"))
    for field in ("table", "round"):
        name = getattr(body, field, "")
        if name and (problem := title_error(field, name)):
            raise Problem(400, problem)
    if wait := server.limiter.commands.take(f"{caller.name}@incidents"):
        raise Problem(429, too_many_commands_message(wait), wait)
    return check_request_id(body.request)
