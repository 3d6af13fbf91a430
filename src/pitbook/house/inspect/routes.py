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
from pitbook.house.inspect.day_close import CloseForm, closed_day, is_over, kept_closes, path_of
from pitbook.house.inspect.exception_report import (
    KINDS,
    ExceptionKind,
    find_exceptions,
    group_similar,
)
from pitbook.house.inspect.round_search import FILE, PAGE_SIZE, RoundIndex, RoundQuery
from pitbook.house.inspect.table_results import currencies
from pitbook.house.ledger.queries import Interval, format_time, parse_interval
from pitbook.house.ledger.stream_kinds import audit_of
from pitbook.house.ledger.writer import utc_now
from pitbook.house.nights.night_cache import tournament_in
from pitbook.house.table.actor import LiveTable
from pitbook.house.table.explain import explain_seat
from pitbook.house.table.table_session import example_response
from pitbook.house.web.access import READERS, ServerDep, allow_routes, authenticated_router
from pitbook.house.web.errors import Answer, Error, Problem
from pitbook.house.web.languages import current_language
from pitbook.house.web.printed_pages import printed_page
from pitbook.house.web.server import Server
from pitbook.money import Cents, dollars, money
from pitbook.rules.result_json import HandResult
from pitbook.text import locale_of, say, sentence_of


class MatchingHand(TypedDict):
    """A seat's hand in a round; `currency` is absent for US dollars.

    `result` is the hand's own: a hand settled before the rest of its round was void or dead is
    settled.
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


class RoundSearchPage(TypedDict):
    """Matching hands; `more` if there is another page."""

    hands: list[MatchingHand]
    outcomes: list[str]
    more: bool


class VerificationFinding(TypedDict):
    """A discrepancy in the ledger."""

    where: str
    what: str


class LedgerVerification(TypedDict):
    """The result of verifying the whole ledger against its checkpoints."""

    sound: bool
    streams: int
    entries: int
    checkpoints: int
    checkpoint: str | None
    entries_since: int
    key: str
    findings: list[VerificationFinding]


class ExceptionView(TypedDict):
    """An exception with its round and seat.

    For a group of similar ones: how many, until when, and whom they concern.
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


class ExceptionReport(TypedDict):
    """Exceptions of an interval, oldest first; `large_win` is the smallest reported win.

    `currencies`: of tables not in US dollars.
    """

    exceptions: list[ExceptionView]
    left_out: int
    large_win: str
    currencies: dict[str, str]


class DayCloseFile(TypedDict):
    """A day with a stored close."""

    day: str
    bytes: int


class DayCloseList(TypedDict):
    """Stored closes, and the days that each is kept; 0 means forever."""

    closes: list[DayCloseFile]
    days: int


router = authenticated_router("inspect")
allow_routes(
    dict.fromkeys(
        ("find_rounds", "exceptions", "round_paper", "close_day", "closes", "verify_book"), READERS
    )
)

EXCEPTIONS_MAX = 1_000
MEDIA_TYPES = {"jsonl": "application/x-ndjson", "csv": "text/csv"}
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
    200: {
        "description": "The file.",
        "content": {media_type: {} for media_type in MEDIA_TYPES.values()},
    },
    409: {"model": Error, "description": "The day is not over."},
}
Text = Annotated[str | None, Query(max_length=60)]
Amount = Annotated[str | None, Query(max_length=30, examples=["100"])]
Day = Annotated[str, Query(max_length=10, pattern=r"^\d{4}-\d\d-\d\d$", examples=["2026-11-15"])]
_VERIFYING = Lock()


@router.get(
    "/api/inspect/rounds",
    name="find_rounds",
    summary="Search rounds",
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
) -> Answer[RoundSearchPage]:
    """By table, time, seat, player, win or outcome; newest or largest first."""
    least, most = (None if amount is None else dollars(amount) for amount in (won_min, won_max))
    query = RoundQuery(table, parse_interval(start, end), seat, player, least, most, outcome)
    return Answer(await asyncio.to_thread(_find_rounds, server, query, skip))


def _find_rounds(server: Server, query: RoundQuery, skip: int) -> RoundSearchPage:
    index = _index(server.house.folder.path)
    index.catch_up(server.house.ledger)
    units = index.units()
    hands_found = index.find(query, PAGE_SIZE + 1, skip=skip)
    hands = [
        hand.document()
        | {"unit": units.get(hand.table, "usd")}
        | _currency_at(server.house.tables.get(hand.table))
        for hand in hands_found
    ]
    has_more, outcomes = len(hands) > PAGE_SIZE, index.outcomes()
    return {
        "hands": cast(list[MatchingHand], hands[:PAGE_SIZE]),
        "outcomes": outcomes,
        "more": has_more,
    }


def _currency_at(table: LiveTable | None) -> dict[str, str]:
    """The currency of an open table, unless it is US dollars."""
    currency = None if table is None else table.state.game.sheet.house.currency
    return {"currency": currency} if currency else {}


@lru_cache(maxsize=16)
def _index(folder: Path) -> RoundIndex:
    return RoundIndex(folder / FILE)


@router.get(
    "/api/inspect/exceptions",
    name="exceptions",
    summary="List exceptions",
    responses=example_response(EXCEPTIONS),
)
async def exceptions(
    server: ServerDep,
    *,
    start: Annotated[str | None, Query(alias="from", max_length=40)] = None,
    end: Annotated[str | None, Query(alias="to", max_length=40)] = None,
    kind: ExceptionKind | None = None,
) -> Answer[ExceptionReport]:
    """Voids, corrections, undos, payout limits, large wins, interruptions, takeovers, failed sign-
    ins.

    Across all kinds, takeovers of one restart are merged, and so are consecutive failed sign-
    ins.
    """
    return Answer(
        await asyncio.to_thread(_exception_report, server, parse_interval(start, end), kind)
    )


def _exception_report(
    server: Server, within: Interval, kind: ExceptionKind | None
) -> ExceptionReport:
    house, large = server.house, Cents(100 * server.settings.reports.large_win)
    kinds = KINDS if kind is None else (kind,)
    index = _index(house.folder.path)
    index.catch_up(house.ledger)
    excluded_tables = [table for table, unit in index.units().items() if tournament_in(unit)]
    events = find_exceptions(
        house.ledger, index, within, large_min=large, kinds=kinds, excluded_tables=excluded_tables
    )
    events = group_similar(events) if kind is None else events
    exceptions_shown = [cast(ExceptionView, event.document()) for event in events[-EXCEPTIONS_MAX:]]
    return {
        "exceptions": exceptions_shown,
        "left_out": len(events) - len(exceptions_shown),
        "large_win": money(large),
        "currencies": currencies(house.ledger),
    }


@router.get(
    "/api/inspect/paper/{round}/{seat}",
    name="round_paper",
    summary="Print a round report",
    response_class=Response,
    responses={
        200: {"description": "A printable page.", "content": {"text/html": {}}},
        404: {"model": Error, "description": "There is no such round."},
        409: {"model": Error, "description": "The seat is not settled yet."},
    },
)
async def round_paper(round: str, seat: int, server: ServerDep) -> Response:
    """The explanation of a round, with room for signatures."""
    return printed_page(
        await asyncio.to_thread(_round_report_html, server, round, seat, current_language())
    )


def _round_report_html(server: Server, round: str, seat: int, language: str) -> str:
    from pitbook.house.papers.round_report import round_report  # noqa: PLC0415
    from pitbook.printing.html import page  # noqa: PLC0415  These bring NumPy.

    try:
        explanation = explain_seat(server.house.ledger, round, seat)
    except RoundError as error:
        raise Problem(404, sentence_of(error)) from None
    if explanation.settlement is None:  # Until then, only its player may see a hand.
        raise Problem(409, say("web.rounds.not-settled", round=explanation.record.id, seat=seat))
    return page(round_report(explanation), locale_of(language, explanation.currency))


@router.get(
    "/api/inspect/closes",
    name="closes",
    summary="List day-close files",
    responses=example_response({"closes": [{"day": "2026-11-15", "bytes": 81_204}], "days": 0}),
)
async def closes(server: ServerDep) -> Answer[DayCloseList]:
    """Newest first. The server closes each day an hour after its end."""
    kept_files = await asyncio.to_thread(kept_closes, server.house.folder)
    close_rows = [{"day": str(day), "bytes": size} for day, size in kept_files]
    days = server.settings.reports.day_close_retention_days
    return Answer(cast(DayCloseList, {"closes": close_rows, "days": days}))


@router.get(
    "/api/inspect/close",
    name="close_day",
    summary="Download a day-close file",
    responses=FILES,
    response_class=Response,
)
async def close_day(
    server: ServerDep, day: Day, form: Annotated[CloseForm, Query(alias="format")] = "jsonl"
) -> Response:
    """Every entry of a finished day, each table's results, the checkpoint and a signature."""
    within, now = parse_interval(day, day), utc_now()
    if not is_over(within, now):
        raise Problem(409, say("web.inspect.day-not-over", day=day))
    lines = closed_day(server.house.folder, within, form, generated=format_time(now))
    file = path_of(server.house.folder, date.fromisoformat(day))
    if form == "jsonl" and file.exists():
        return FileResponse(file, media_type=MEDIA_TYPES[form], filename=file.name)
    headers = {"Content-Disposition": f'attachment; filename="close-{day}.{form}"'}
    return StreamingResponse(lines, media_type=MEDIA_TYPES[form], headers=headers)


@router.get(
    "/api/inspect/verify",
    name="verify_book",
    summary="Verify the ledger",
    responses={
        409: {"model": Error, "description": "A verification is already running."},
        **example_response(VERIFIED),
    },
)
async def verify_book(server: ServerDep) -> Answer[LedgerVerification]:
    """Check every hash, sum and signature, and replay every stream."""
    if not _VERIFYING.acquire(blocking=False):
        raise Problem(409, say("web.inspect.verifying"))
    try:
        return Answer(await asyncio.to_thread(_verify_ledger, server))
    finally:
        _VERIFYING.release()


def _verify_ledger(server: Server) -> LedgerVerification:
    folder = server.house.folder
    verdict = folder.verify(replay_of=audit_of)
    return {
        "sound": not verdict.findings,
        "streams": verdict.streams,
        "entries": verdict.entries,
        "checkpoints": verdict.checkpoints,
        "checkpoint": verdict.proved.at,
        "entries_since": verdict.proved.unsigned_entries,
        "key": folder.keys.public,
        "findings": [
            {"where": finding.where, "what": finding.what} for finding in verdict.findings
        ],
    }
