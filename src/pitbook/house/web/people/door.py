"""The door that every route stands behind: whoever comes is looked at first."""

from __future__ import annotations

from typing import Any

from fastapi import APIRouter, Depends

from pitbook.house.web.answers import Error
from pitbook.house.web.people.access import allowed

# Whoever comes may be sent away in these ways.
DOOR: dict[str, Any] = {
    "dependencies": [Depends(allowed)],
    "responses": {code: {"model": Error} for code in (400, 401, 403, 422, 429)},
}


def behind_the_door(tag: str) -> APIRouter:
    """A room for routes of one kind, to be listed in `web/routes`.

    The routes themselves are behind the door, and not the room: FastAPI would look for each
    request in room after room.
    """
    return APIRouter(tags=[tag], **DOOR)
