"""Routes of inspectors: search rounds, exceptions, day closes, and ledger verification."""

from __future__ import annotations

import asyncio
from datetime import date
from functools import lru_cache
from pathlib import Path
from threading import Lock
from typing import Annotated, Any, NotRequired, cast

from fastapi import Query
from starlette.responses import FileResponse, Response, StreamingResponse
from typing_extensions import TypedDict

from pitbook.errors import RoundError
from pitbook.house.inspect.day_close import CloseForm, closed_day, is_over, kept, path_of
from pitbook.house.inspect.exceptions import KINDS, ExceptionKind, gathered
from pitbook.house.inspect.exceptions import exceptions as looked_for
from pitbook.house.inspect.round_search import FILE, PAGE, RoundIndex, Wanted
from pitbook.house.inspect.table_results import currencies
from pitbook.house.ledger.queries import Interval, format_time, parse_interval
from pitbook.house.ledger.stream_kinds import audit_of
from pitbook.house.ledger.writer import utc_now
from pitbook.house.nights.tickets import tournament_in
from pitbook.house.table.actor import LiveTable
from pitbook.house.table.explain import explain_seat
from pitbook.house.table.session import example_response
from pitbook.house.web.access import READERS, ServerDep, allow_routes, authenticated_router
from pitbook.house.web.errors import Answer, Error, Problem
from pitbook.house.web.languages import current_language
from pitbook.house.web.pages import printed_page
from pitbook.house.web.server import Server
from pitbook.money import Cents, dollars, money
from pitbook.rules.report import HandResult
from pitbook.text import say, sentence_of, speech


class HandFound(TypedDict):
    """A seat's hand in a round; `currency` only where the table is not in US dollars.

    `result` is the hand's own: a hand that was settled before the rest of its round was void or
    dead is settled.
    """

    round: str
    table: str
    unit: str
    currency: NotRequired[str]
    at: str
    seat: int
    player: str
    staked: str
    wins: str
    net: str
    result: HandResult


class RoundsFound(TypedDict):
    """Hands that fit what was asked; `more` where the next page is not empty."""

    hands: list[HandFound]
    outcomes: list[str]
    more: bool


class BookFinding(TypedDict):
    """Something in the book that is not as it was written."""

    where: str
    what: str


class BookVerified(TypedDict):
    """The whole book read again and held against what was signed."""

    sound: bool
    streams: int
    entries: int
    checkpoints: int
    checkpoint: str | None
    entries_since: int
    key: str
    findings: list[BookFinding]


class ExceptionShown(TypedDict):
    """What did not go its usual way; the round and the seat where it has them.

    Of several alike: how often, until when, and the names of those whom it befell.
    """

    kind: ExceptionKind
    what: str
    at: str
    stream: str
    seq: int | None
    who: str
    before: dict[str, Any] | None
    after: dict[str, Any] | None
    why: str | None
    round: str | None
    seat: int | None
    times: int
    until: str | None
    names: list[str]


class ExceptionsFound(TypedDict):
    """Exceptions of an interval, oldest first; `large_win`: from where on a win is one.

    `currencies`: of tables whose amounts are no US dollars.
    """

    exceptions: list[ExceptionShown]
    left_out: int
    large_win: str
    currencies: dict[str, str]


class CloseKept(TypedDict):
    """A day whose signed close is kept."""

    day: str
    bytes: int


class Closes(TypedDict):
    """Closes that are kept, and for how many days each is; 0: for ever."""

    closes: list[CloseKept]
    days: int


router = authenticated_router("inspect")
allow_routes(
    dict.fromkeys(
        ("find_rounds", "exceptions", "round_paper", "close_day", "closes", "verify_book"), READERS
    )
)

EXCEPTIONS_MAX = 1_000
ENDINGS = {"jsonl": "application/x-ndjson", "csv": "text/csv"}
HAND = {
    "round": "stud-1-000004",
    "table": "stud-1",
    "unit": "usd",
    "at": "2026-11-15T18:30:00.000000+00:00",
    "seat": 1,
    "player": "ann",
    "staked": "40.00",
    "wins": "0.00",
    "net": "-40.00",
    "result": "settled",
}
EXCEPTION = {
    "kind": "void",
    "what": "misdeal",
    "at": "2026-11-15T18:30:00.000000+00:00",
    "stream": "table/stud-1",
    "seq": 41,
    "who": "dee",
    "why": "two cards fell",
    "round": "stud-1-000004",
}
EXCEPTIONS = {
    "exceptions": [EXCEPTION],
    "left_out": 0,
    "large_win": "1200.00",
    "currencies": {"stud-2": "EUR"},
}
VERIFIED = {"sound": True, "streams": 4, "entries": 212, "checkpoints": 3, "findings": []}
FILES: dict[int | str, dict[str, Any]] = {
    200: {"description": "A file.", "content": {one: {} for one in ENDINGS.values()}},
    409: {"model": Error, "description": "The day is not over."},
}
Text = Annotated[str | None, Query(max_length=60)]
Amount = Annotated[str | None, Query(max_length=30, examples=["100"])]
Day = Annotated[str, Query(max_length=10, pattern=r"^\d{4}-\d\d-\d\d$", examples=["2026-11-15"])]
_VERIFYING = Lock()


@router.get(
    "/api/inspect/rounds",
    name="find_rounds",
    summary="Find a round",
    responses=example_response({"hands": [HAND], "outcomes": ["pair", "nothing"], "more": False}),
)
async def find_rounds(
    server: ServerDep,
    *,
    table: Text = None,
    start: Annotated[str | None, Query(alias="from", max_length=40)] = None,
    end: Annotated[str | None, Query(alias="to", max_length=40)] = None,
    seat: Annotated[int | None, Query(ge=1, le=1_000)] = None,
    player: Text = None,
    won_min: Amount = None,
    won_max: Amount = None,
    outcome: Text = None,
    skip: Annotated[int, Query(ge=0, le=10_000)] = 0,
) -> Answer[RoundsFound]:
    """By table, time, seat, person, what a hand won, or an outcome: newest or largest first."""
    least, most = (None if one is None else dollars(one) for one in (won_min, won_max))
    wanted = Wanted(table, parse_interval(start, end), seat, player, least, most, outcome)
    return Answer(await asyncio.to_thread(_found, server, wanted, skip))


def _found(server: Server, wanted: Wanted, skip: int) -> RoundsFound:
    index = _index(server.house.folder.path)
    index.catch_up(server.house.ledger)
    played_for = index.units()
    found = index.find(wanted, PAGE + 1, skip=skip)
    hands = [
        one.document()
        | {"unit": played_for.get(one.table, "usd")}
        | _currency_at(server.house.tables.get(one.table))
        for one in found
    ]
    more, outcomes = len(hands) > PAGE, index.outcomes()
    return {"hands": cast(list[HandFound], hands[:PAGE]), "outcomes": outcomes, "more": more}


def _currency_at(table: LiveTable | None) -> dict[str, str]:
    """What the money of a table is in, where it still stands and that is no dollars."""
    currency = None if table is None else table.state.game.sheet.house.currency
    return {"currency": currency} if currency else {}


@lru_cache(maxsize=16)
def _index(folder: Path) -> RoundIndex:
    return RoundIndex(folder / FILE)


@router.get(
    "/api/inspect/exceptions",
    name="exceptions",
    summary="What did not go its usual way",
    responses=example_response(EXCEPTIONS),
)
async def exceptions(
    server: ServerDep,
    *,
    start: Annotated[str | None, Query(alias="from", max_length=40)] = None,
    end: Annotated[str | None, Query(alias="to", max_length=40)] = None,
    kind: ExceptionKind | None = None,
) -> Answer[ExceptionsFound]:
    """Voids, corrections, undos, caps, large wins, interruptions, take-overs, failed sign-ins.

    Among all kinds, take-overs of one restart are one, as are sign-ins that failed in a row.
    """
    return Answer(await asyncio.to_thread(_exceptions, server, parse_interval(start, end), kind))


def _exceptions(server: Server, within: Interval, kind: ExceptionKind | None) -> ExceptionsFound:
    house, large = server.house, Cents(100 * server.settings.reports.large_win)
    wanted = KINDS if kind is None else (kind,)
    index = _index(house.folder.path)
    index.catch_up(house.ledger)
    apart = [one for one, unit in index.units().items() if tournament_in(unit)]
    found = looked_for(house.ledger, index, within, large=large, wanted=wanted, apart=apart)
    found = gathered(found) if kind is None else found
    shown = [cast(ExceptionShown, one.document()) for one in found[-EXCEPTIONS_MAX:]]
    return {
        "exceptions": shown,
        "left_out": len(found) - len(shown),
        "large_win": money(large),
        "currencies": currencies(house.ledger),
    }


@router.get(
    "/api/inspect/paper/{round}/{seat}",
    name="round_paper",
    summary="A round on paper",
    response_class=Response,
    responses={
        200: {"description": "A page to print.", "content": {"text/html": {}}},
        404: {"model": Error, "description": "There is no such round."},
        409: {"model": Error, "description": "The seat is not settled."},
    },
)
async def round_paper(round: str, seat: int, server: ServerDep) -> Response:
    """What the explanation tells, with room for signatures."""
    return printed_page(await asyncio.to_thread(_paper, server, round, seat, current_language()))


def _paper(server: Server, round: str, seat: int, language: str) -> str:
    from pitbook.house.papers.round_report import round_report  # noqa: PLC0415
    from pitbook.papers.html import page  # noqa: PLC0415  These bring NumPy.

    try:
        found = explain_seat(server.house.ledger, round, seat)
    except RoundError as unknown:
        raise Problem(404, sentence_of(unknown)) from None
    if found.settlement is None:  # Until then nobody but its player may know a hand.
        raise Problem(409, say("web.rounds.not-settled", round=found.record.id, seat=seat))
    return page(round_report(found), speech(language, found.currency))


@router.get(
    "/api/inspect/closes",
    name="closes",
    summary="Days whose close is kept",
    responses=example_response({"closes": [{"day": "2026-11-15", "bytes": 81_204}], "days": 0}),
)
async def closes(server: ServerDep) -> Answer[Closes]:
    """The newest first; the house closes each day by itself an hour after its end."""
    found = await asyncio.to_thread(kept, server.house.folder)
    told = [{"day": str(day), "bytes": size} for day, size in found]
    days = server.settings.reports.day_close_retention_days
    return Answer(cast(Closes, {"closes": told, "days": days}))


@router.get(
    "/api/inspect/close",
    name="close_day",
    summary="A day closed, signed",
    responses=FILES,
    response_class=Response,
)
async def close_day(
    server: ServerDep, day: Day, form: Annotated[CloseForm, Query(alias="format")] = "jsonl"
) -> Response:
    """Every entry of a day that is over, each table's takings, the checkpoint and a signature."""
    within, now = parse_interval(day, day), utc_now()
    if not is_over(within, now):
        raise Problem(409, say("web.inspect.day-not-over", day=day))
    lines = closed_day(server.house.folder, within, form, generated=format_time(now))
    file = path_of(server.house.folder, date.fromisoformat(day))
    if form == "jsonl" and file.exists():
        return FileResponse(file, media_type=ENDINGS[form], filename=file.name)
    headers = {"Content-Disposition": f'attachment; filename="close-{day}.{form}"'}
    return StreamingResponse(lines, media_type=ENDINGS[form], headers=headers)


@router.get(
    "/api/inspect/verify",
    name="verify_book",
    summary="Verify the book",
    responses={
        409: {"model": Error, "description": "Somebody has it verified already."},
        **example_response(VERIFIED),
    },
)
async def verify_book(server: ServerDep) -> Answer[BookVerified]:
    """Every hash, sum and signature checked, and every stream played again."""
    if not _VERIFYING.acquire(blocking=False):
        raise Problem(409, say("web.inspect.verifying"))
    try:
        return Answer(await asyncio.to_thread(_verified, server))
    finally:
        _VERIFYING.release()


def _verified(server: Server) -> BookVerified:
    folder = server.house.folder
    verdict = folder.verify(following=audit_of)
    return {
        "sound": not verdict.findings,
        "streams": verdict.streams,
        "entries": verdict.entries,
        "checkpoints": verdict.checkpoints,
        "checkpoint": verdict.proved.at,
        "entries_since": verdict.proved.since,
        "key": folder.keys.public,
        "findings": [{"where": one.where, "what": one.what} for one in verdict.findings],
    }
