"""The only module of the record that uses internal names; when they move, only this changes.

(A house is set up by `tests/house/web/conftest.py`, as for the tests of the server.)

Everything goes in and out as JSON and text: actions as in stored rounds, cards as "As".
"""

from __future__ import annotations

import contextlib
import io
import json
import os
import re
import sys
from collections.abc import AsyncIterator, Iterator
from datetime import UTC, datetime
from functools import cache
from pathlib import Path
from typing import Any
from unittest.mock import patch

from rich.console import Console, RenderableType

import pitbook
from pitbook.cli import main, progress
from pitbook.cli.advise import answer_parts
from pitbook.cli.language import using_currency
from pitbook.cli.settle import settlement_parts
from pitbook.errors import PitbookError
from pitbook.money import dollars, money
from pitbook.rules.stored_rounds import KINDS, decode, store
from pitbook.sheets.model import Sheet

Json = Any
FOLDER = Path(__file__).parent
FOLDERS = (FOLDER / "sheets", FOLDER.parent / "sheets" / "unusual")
SETTINGS = {
    "PITBOOK_SHEETS": os.pathsep.join(str(folder) for folder in FOLDERS),
    "COLUMNS": "100",
    "NO_COLOR": "1",
    "NUMBA_NUM_THREADS": "1",
}
FOLDER_OF_A_SHEET = re.compile(r'(?<![\w.])/[^\s":]+/(?=[^/\s":]+\.toml)')
_NAMES = {kind: name for name, kind in KINDS.items()}


@contextlib.contextmanager
def fixed_environment() -> Iterator[None]:
    """Use fixed terminal settings and sheet folders, and restore them afterwards."""
    original = {name: os.environ.get(name) for name in (*SETTINGS, "PITBOOK_TRACEBACK")}
    os.environ.update(SETTINGS)
    os.environ.pop("PITBOOK_TRACEBACK", None)
    try:
        with contextlib.chdir(FOLDER.parents[1]):
            yield
    finally:
        for name, original_value in original.items():
            os.environ.pop(name, None)
            if original_value is not None:
                os.environ[name] = original_value


def run_command(*arguments: str, typed: str = "") -> Json:
    """A command's exit code and output, as JSON if it is JSON."""
    stdout, stderr = io.StringIO(), io.StringIO()
    code: Any = None
    keyboard, sys.stdin = sys.stdin, io.StringIO(typed)
    # Progress lines depend on the machine's load.
    no_progress = patch.object(progress, "SILENT_SECONDS", 600.0)
    with no_progress, contextlib.redirect_stdout(stdout), contextlib.redirect_stderr(stderr):
        try:
            main(arguments)
        except SystemExit as exit_:
            code = exit_.code
        finally:
            sys.stdin = keyboard
    printed: Json = FOLDER_OF_A_SHEET.sub("", stdout.getvalue())
    if "--json" in arguments:
        with contextlib.suppress(json.JSONDecodeError):
            printed = json.loads(printed)
    errors = FOLDER_OF_A_SHEET.sub("", stderr.getvalue())
    return {"code": code, "out": printed} | ({"err": errors} if code else {})


def answer_or_error(call: Any) -> Json:
    """The result of a call, or its error."""
    try:
        return call()
    except PitbookError as error:
        return {"error": str(error)}


@cache
def sheet_of(name: str) -> Any:
    """A sheet by its id, cached."""
    return pitbook.load(
        next(sheet.file for sheet in pitbook.list_sheets(*FOLDERS) if sheet.id == name)
    )


@cache
def body_of(name: str) -> Json:
    """A sheet as `pitbook sheets show --json` prints it."""
    return run_command("sheets", "show", name, "--json")["out"]


class RoundByHand:
    """A round played by hand: JSON actions in; offers, refusals and the settlement out."""

    def __init__(self, name: str) -> None:
        self.round = pitbook.open(sheet_of(name))
        self.actions: list[Json] = []
        self._decoded_actions: list[Any] = []

    def refusal_of(self, action: Json) -> Json:
        """The refusal of an action, or None if it would be accepted."""
        try:
            next_round = pitbook.step(self.round, decode(action))
        except PitbookError as error:
            return {"error": str(error)}
        if isinstance(next_round, pitbook.Refusal):
            return {
                "code": str(next_round.code),
                "message": next_round.message,
                "clause": next_round.clause,
            }
        return None

    def do(self, action: Json) -> None:
        """Apply an action that must be accepted."""
        decoded = decode(action)
        next_round = pitbook.step(self.round, decoded)
        if isinstance(next_round, pitbook.Refusal):
            raise AssertionError(f"{action} was offered and is refused: {next_round}")
        self.round = next_round
        self.actions.append(action)
        self._decoded_actions.append(decoded)

    def offers(self, player: str) -> list[Json]:
        """The legal actions of a player."""
        return [_offer(offer) for offer in pitbook.legal(self.round, player)]

    @property
    def phase(self) -> str:
        """The phase of the round: wagers, deal, ..., over."""
        return self.round.phase

    def stored_round(self) -> Json:
        """The round in its stored form."""
        document: Json = json.loads(json.dumps(store(self.round, self._decoded_actions)))
        return document


def _offer(offer: Any) -> Json:
    fields: Json = {"do": _NAMES[offer.action], "place": offer.place, "wager": offer.wager}
    fields |= {"choices": list(offer.choices)}
    fields |= {name: getattr(offer, name) for name in ("least", "most", "step")}
    for name in ("least", "most", "step"):
        fields[name] = None if fields[name] is None else money(fields[name])
    return {name: value for name, value in fields.items() if value not in (None, [])}


NIGHT = datetime(2026, 1, 2, 20, 0, tzinfo=UTC)
STAFF = {"dee": "dealer", "sue": "supervisor", "abe": "auditor", "ben": "brush"}


@contextlib.asynccontextmanager
async def house(
    path: Path, *players: str, seeded: bool = True, now: datetime = NIGHT
) -> AsyncIterator[Any]:
    """A house with its staff, players and their money: (app, cookies by name, open_table)."""
    from tests.house.web.conftest import PASSWORD, WEAK, WIDE, fast_folder, people_of

    from pitbook.house.people.account_register import Person
    from pitbook.house.people.sessions import SESSION_COOKIE
    from pitbook.house.settings import Settings
    from pitbook.house.table.live_tables import LiveTables
    from pitbook.house.web.app import create_app
    from pitbook_demo.demo_night import _SeededTables

    limits = WIDE.model_copy(update={"commands_per_second": 1e6, "commands_burst": 10**6})
    settings = Settings(data=path, sign_in=WEAK, limits=limits)
    with fast_folder(path, clock=lambda: now) as folder:
        clock = {"clock": lambda: now}
        live_tables = (
            _SeededTables(folder, seed="golden", **clock) if seeded else LiveTables(folder, **clock)
        )
        await live_tables.open()
        people = people_of(live_tables, settings)
        roles = STAFF | dict.fromkeys(players, "player")
        for name, role in roles.items():
            if name not in people.register.people:
                people.add(name, role, PASSWORD, actor="test")  # type: ignore[arg-type]
            if now == NIGHT and role == "player":
                await live_tables.cage.buy_in(name, dollars("20000"), actor="test")
        app = create_app(live_tables, people, settings)
        sessions = app.state.server.sessions
        cookies = {
            name: (SESSION_COOKIE, sessions.issue(Person(name, role)))  # type: ignore[arg-type]
            for name, role in roles.items()
        }
        cookies["guest"] = (SESSION_COOKIE, sessions.guest()[1])

        async def open_table(name: str, kind: Any, sheet: str, **options: Any) -> None:
            await live_tables.open_table(name, kind, actor="sue", sheet=sheet_of(sheet), **options)

        try:
            yield app, cookies, open_table
        finally:
            await live_tables.close()


def advice_text(advice: Any) -> str:
    """Advice as `pitbook advise` prints it, with the sheet's hash below."""
    sheet = advice._rules
    return _printed_text(sheet, answer_parts(sheet, advice), advice.hash)


def settlement_text(settled_round: Any) -> str:
    """A settled round as `pitbook settle` prints it, with the sheet's hash below."""
    final = settled_round._final
    return _printed_text(final.game.sheet, settlement_parts(final), settled_round.hash)


def _printed_text(sheet: Sheet, parts: Iterator[RenderableType], sheet_hash: str) -> str:
    console = Console(
        file=io.StringIO(),
        width=100,
        color_system=None,
        markup=False,
        highlight=False,
        emoji=False,
    )
    with using_currency(sheet.house.currency), console.capture() as captured:
        for part in parts:
            console.print(part)
    lines = [line.rstrip() for line in captured.get().splitlines()]
    return "\n".join([*lines, f"{sheet.id}, hash {sheet_hash[:12]}"])
