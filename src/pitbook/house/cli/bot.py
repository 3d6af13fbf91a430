"""`pitbook bot`: plays rounds at a table of a running server."""

from __future__ import annotations

import asyncio
import getpass
import os
import secrets
import sys
from enum import StrEnum
from typing import TYPE_CHECKING, Annotated, Any
from urllib.parse import urlsplit

import typer

from pitbook.cli.language import localize, print_lines
from pitbook.cli.lazy_commands import command
from pitbook.cli.options import Json, ante_of, sides_of
from pitbook.cli.plain_output import emit, error_sentence, examples, print_error
from pitbook.errors import ClientError, PitbookError
from pitbook.house.cli.ledger_text import amount
from pitbook.money import money
from pitbook.text import say
from pitbook.text.user_input import printable

if TYPE_CHECKING:
    from pitbook.house.cli.bot_player import Visit


app = command()

SERVER = "http://127.0.0.1:8710"
PASSWORD_VARIABLE = "PITBOOK_PASSWORD"  # noqa: S105  The variable that holds it.
FINDING, INTERRUPTED = 1, 130


class BotStrategy(StrEnum):
    BEST = "best"
    RANDOM = "random"


@app.command(
    epilog=examples(
        "pitbook bot --practice catfish-bend/mississippi-stud",
        "pitbook bot --practice louisiana-stud/standard --play random --seed 52",
        "pitbook bot stud-1 --name ann --rounds 0 --pace 2",
    )
)
def bot(
    table: Annotated[
        str | None,
        typer.Argument(metavar="TABLE", show_default=False, help="House table to play at."),
    ] = None,
    *,
    practice: Annotated[
        str | None,
        typer.Option(
            "--practice", metavar="SHEET", help="Open a practice table with this sheet instead."
        ),
    ] = None,
    server: Annotated[
        list[str],
        typer.Option(
            "--server",
            metavar="URL",
            envvar="PITBOOK_SERVER",
            help="Server address; repeat the option for several addresses.",
        ),
    ] = [SERVER],  # noqa: B006  Typer copies it.
    play: Annotated[
        BotStrategy,
        typer.Option("--play", help="best: the play with the highest EV; random: any legal play."),
    ] = BotStrategy.BEST,
    rounds: Annotated[
        int,
        typer.Option(
            "--rounds", metavar="N", min=0, help="Number of rounds; 0: play until Ctrl-C."
        ),
    ] = 10,
    seed: Annotated[
        str | None,
        typer.Option("--seed", metavar="S", help="Seed that makes random play repeatable."),
    ] = None,
    seat: Annotated[
        int | None,
        typer.Option(
            "--seat", metavar="N", min=1, help="Seat number; the first free seat by default."
        ),
    ] = None,
    name: Annotated[
        str | None, typer.Option("--name", metavar="NAME", help="Sign in with this account.")
    ] = None,
    ante: Annotated[
        str | None,
        typer.Option(
            "--ante",
            metavar="D",
            help="Ante or Bet in the sheet's currency; the minimum by default.",
        ),
    ] = None,
    side: Annotated[
        list[str] | None,
        typer.Option(
            "--side",
            metavar="W=D",
            help="Side wager and amount in the sheet's currency; may be repeated.",
        ),
    ] = None,
    pace: Annotated[
        float, typer.Option("--pace", metavar="SECONDS", min=0, help="Delay before each action.")
    ] = 0.0,
    json: Json = False,
) -> None:
    """Seat a player at a table of a running server and let it play.

    At a house table the bot signs in with the account of --name; the password is asked for or
    taken from PITBOOK_PASSWORD. At a practice table it plays as a guest or with that account, and
    the table is removed afterwards. A lost connection is restored. Ctrl-C finishes the current
    round and leaves the seat. A second Ctrl-C leaves at once; the house rules finish the hand.
    """
    _check_arguments(table, practice, server, name)
    if play is BotStrategy.RANDOM:
        seed = secrets.token_hex(4) if seed is None else seed
    elif seed is not None:
        message = localize(say("cli.bot.no-lot"))
        raise typer.BadParameter(message, param_hint="--seed")
    stakes, sides = ante_of(ante), sides_of(side)
    password = "" if name is None else _password(name)
    from pitbook.house.cli.bot_player import BotJob, Visit  # noqa: PLC0415  Imports the client.

    base_job = BotJob(tuple(server), table, practice, name, password)
    job = base_job._replace(seed=seed, seat=seat, rounds=rounds, pace=pace)
    words = _Words(quiet=json)
    visit = Visit(job._replace(ante=stakes, side=sides), words.tell, words.say)
    _play_and_report(visit, words, as_json=json)


def _check_arguments(
    table: str | None, practice: str | None, servers: list[str], name: str | None
) -> None:
    """Check the arguments before asking for a password."""
    if (table is None) == (practice is None):
        is_both = "no" if table is None else "yes"
        message = localize(say("cli.bot.name-a-table", both=is_both))
        raise typer.BadParameter(message, param_hint="TABLE")
    if table is not None and name is None:
        message = localize(say("cli.bot.whose"))
        raise typer.BadParameter(message, param_hint="--name")
    for url in servers:
        if not _is_address(url):
            message = localize(say("cli.bot.no-address", given=printable(url), example=SERVER))
            raise typer.BadParameter(message, param_hint="--server")


def _is_address(url: str) -> bool:
    try:
        parts = urlsplit(url)
        return parts.scheme in ("http", "https") and bool(parts.hostname) and parts.port != 0
    except ValueError:  # Brackets that are not an IPv6 address, or a port that is not a number.
        return False


def _password(name: str) -> str:
    if (password := os.environ.get(PASSWORD_VARIABLE)) is not None:
        return password
    if not sys.stdin.isatty():
        raise PitbookError(say("cli.bot.no-terminal", variable=PASSWORD_VARIABLE))
    try:
        return getpass.getpass(f"{localize(say('cli.bot.password', name=printable(name)))}: ")
    except EOFError:
        raise typer.Abort from None


def _play_and_report(visit: Visit, words: _Words, *, as_json: bool) -> None:
    """Play, then report the result, however it ended."""
    code, error = _run_visit(visit)
    if visit.seated is None or (error and not visit.seated.tally.rounds and not as_json):
        raise ClientError(error) if error else typer.Abort
    if as_json:
        emit(_document(visit, error))
    else:
        words.summary(visit)
    if error:
        print_error(error, as_json=False)
    if code:
        raise typer.Exit(code)


def _run_visit(visit: Visit) -> tuple[int, str | None]:
    """The exit code, and an error message if there is one."""
    try:
        asyncio.run(visit.play())
    except KeyboardInterrupt:
        return INTERRUPTED, None
    except ClientError as error:
        return FINDING, error_sentence(error)
    return 0, None


class _Words:
    """Progress for a person: one line, rewritten on a terminal."""

    def __init__(self, *, quiet: bool) -> None:
        self._quiet, self._width, self._begun = quiet, 0, False

    def say(self, sentence: str) -> None:
        """Print a message about the connection."""
        if not self._quiet:
            print(f"\n{localize(sentence)}", file=sys.stderr, flush=True)

    def tell(self, visit: Visit) -> None:
        """Print the seat first, then the tally."""
        if self._quiet:
            return
        if not self._begun:
            self._begun = True
            self._begin(visit)
            return
        line = localize(_tally_message(visit))
        if sys.stdout.isatty():
            print(f"\r{line:<{self._width}}", end="", flush=True)
            self._width = len(line)
        else:
            print(line, flush=True)

    def _begin(self, visit: Visit) -> None:
        assert visit.seated is not None
        sheet, player = visit.view["sheet"], printable(visit.seated.player)
        at = {"player": player, "seat": visit.seated.seat, "table": visit.view["table"]}
        game = {"title": printable(sheet["title"]), "sheet": sheet["id"]}
        print_lines(say("cli.bot.sits", **at), say("cli.bot.plays", **game))
        if visit.job.seed is not None:
            print_lines(say("cli.bot.by-lot", seed=printable(visit.job.seed)))

    def summary(self, visit: Visit) -> None:
        """Print the final tally."""
        assert visit.seated is not None
        if self._width:
            print()
        wagered = amount(visit.view["unit"], visit.seated.tally.wagered)
        print_lines(say("cli.bot.in-all", tally=_tally_message(visit), wagered=wagered))
        if visit.seated.stopping:
            print_lines(say("cli.bot.stopped"))
        if not visit.seated.left:
            print_lines(say("cli.bot.still-taken", seat=visit.seated.seat))
        if lost := visit.seated.live.connections - 1:
            print_lines(say("cli.bot.line-lost", times=lost))


def _tally_message(visit: Visit) -> str:
    assert visit.seated is not None
    tally, unit = visit.seated.tally, visit.view["unit"]
    net, balance = amount(unit, tally.net), amount(unit, tally.balance)
    return say("cli.bot.tally", rounds=tally.rounds, net=net, balance=balance)


def _document(visit: Visit, error: str | None) -> dict[str, Any]:
    assert visit.seated is not None
    seated, view, tally = visit.seated, visit.view, visit.seated.tally
    return {
        "server": seated.live.client.base,
        **{key: view[key] for key in ("table", "kind", "unit")},
        "sheet": view["sheet"]["id"],
        "hash": view["sheet"]["hash"],
        "player": seated.player,
        "seat": seated.seat,
        "play": BotStrategy.BEST if visit.job.seed is None else BotStrategy.RANDOM,
        "seed": visit.job.seed,
        "rounds": tally.rounds,
        **{field: money(getattr(tally, field)) for field in ("wagered", "net", "balance")},
        "stopped": seated.stopping,
        "left": seated.left,
        "lost": seated.live.connections - 1,
        "error": error,
    }
