"""The `pitbook` command: its subcommands, and how every run ends."""

from __future__ import annotations

import os
import sys
from collections.abc import Sequence
from contextlib import ExitStack
from functools import cache
from typing import Annotated, Any

import typer
from typer.main import get_command

from pitbook.cli.help import exit_codes
from pitbook.cli.interrupts import (
    INTERRUPTED,
    end_on_ctrl_c,
    exit_quickly,
    leave_if_threads_run,
    stop_line,
)
from pitbook.cli.language import Language, set_language
from pitbook.cli.lazy_commands import CommandTable, ListedCommand, group
from pitbook.cli.plain_output import emit, error_sentence, examples, print_error, tolerate_encoding
from pitbook.cli.progress import progress_reports
from pitbook.errors import PitbookError
from pitbook.text import Sentence, say
from pitbook.text.catalog import ENGLISH

FINDING = 1
RULES, PLAY, MATH, PAPERS = "Rules and rounds", "Play and training", "Math", "Papers"
CORE_COMMANDS = {
    "sheets": ListedCommand(
        "pitbook.cli.sheets", "List, show, check and compare rule sheets.", RULES
    ),
    "settle": ListedCommand("pitbook.cli.settle", "Settle one round from a file.", RULES),
    "rounds": ListedCommand(
        "pitbook.cli.rounds", "Show the round file format and replay stored rounds.", RULES
    ),
    "verify-deal": ListedCommand(
        "pitbook.cli.verify_deal", "Verify a revealed deal against its shoe.", RULES
    ),
    "play": ListedCommand(
        "pitbook.cli.play", "Play at a table in the terminal.", PLAY, interactive=True
    ),
    "drill": ListedCommand(
        "pitbook.cli.drill",
        "Quiz a dealer on your rules, payouts and procedures.",
        PLAY,
        interactive=True,
    ),
    "math": ListedCommand("pitbook.cli.math", "Compute the exact figures of every wager.", MATH),
    "advise": ListedCommand("pitbook.cli.advise", "Show the EV of every play in a hand.", MATH),
    "strategy": ListedCommand(
        "pitbook.cli.strategy", "Show best play as a table, and the cost of simpler play.", MATH
    ),
    "compare": ListedCommand(
        "pitbook.cli.compare", "Show the effect of each difference between two sheets.", MATH
    ),
    "simulate": ListedCommand(
        "pitbook.cli.simulate", "Simulate rounds and check them against the exact figures.", MATH
    ),
    "session": ListedCommand(
        "pitbook.cli.session", "Compute a bankroll's odds of ruin or of reaching a goal.", MATH
    ),
    "papers": ListedCommand(
        "pitbook.cli.papers", "Build rules, reports, cards, signs and redlines as PDF.", PAPERS
    ),
}
# The server and the demo register theirs in pyproject.toml, so that nothing here imports them.
COMMANDS = CommandTable(CORE_COMMANDS)

app = group(
    "Play, analyze, simulate and run casino table games from rule sheets.",
    epilog=f"{exit_codes()}\n\n"
    + examples("pitbook sheets list", "pitbook sheets show catfish-bend/mississippi-stud"),
    commands=COMMANDS,
    add_completion=True,
)


def _version(requested: bool) -> None:
    if requested:
        from importlib.metadata import version  # noqa: PLC0415  Slow, and rarely needed.

        print(f"pitbook {version('pitbook')}")
        raise typer.Exit


def _licenses(show: bool) -> None:
    if show:
        from importlib.metadata import distribution  # noqa: PLC0415  Slow, and rarely needed.

        print(distribution("pitbook").read_text("licenses/THIRD_PARTY_NOTICES.txt"))
        raise typer.Exit


@app.callback()
def _pitbook(
    *,
    _: Annotated[
        bool,
        typer.Option("--version", callback=_version, is_eager=True, help="Show the version."),
    ] = False,
    __: Annotated[
        bool,
        typer.Option(
            "--licenses",
            callback=_licenses,
            is_eager=True,
            help="Show the licenses of Pitbook's dependencies.",
        ),
    ] = False,
    language: Language = ENGLISH,
) -> None:
    set_language(language)


def main(arguments: Sequence[str] | None = None) -> None:
    """Run the command line and exit."""
    tolerate_encoding()
    words = list(sys.argv[1:] if arguments is None else arguments)
    before_end = words[: words.index("--")] if "--" in words else words
    try:
        code = _run_command(words, as_json="--json" in before_end)
        sys.stdout.flush()
    except OSError as error:  # The reader is gone, or the disk is full.
        code = _handle_output_error(error)
    set_language(ENGLISH)  # A later call in the same process starts in English.
    if code == INTERRUPTED and arguments is None:  # A program that calls us keeps its threads.
        leave_if_threads_run()
    if arguments is None:
        exit_quickly(code)
    sys.exit(code)


@cache
def _commands() -> Any:
    """All commands, built once for scripts that call `main` repeatedly."""
    return get_command(app)


def _run_command(words: list[str], *, as_json: bool) -> int:
    listed_command = next((COMMANDS[word] for word in words if word in COMMANDS), None)
    is_interactive = listed_command is not None and listed_command.interactive
    try:
        with ExitStack() as contexts:
            if not is_interactive:
                contexts.enter_context(end_on_ctrl_c())
                contexts.enter_context(progress_reports())
            answer = _commands().main(args=words, prog_name="pitbook", standalone_mode=False)
    except PitbookError as error:
        return _report_refusal(error, as_json=as_json)
    except typer.TyperException as misuse:
        return _report_misuse(misuse, as_json=as_json)
    except (KeyboardInterrupt, typer.Abort):
        answer = INTERRUPTED
    except OSError as error:
        if error.filename is None:
            raise
        return _report_refusal(error, as_json=as_json)
    except Exception as bug:
        if os.environ.get("PITBOOK_TRACEBACK"):
            raise
        return _report_refusal(_bug_message(bug), as_json=as_json)
    if answer == INTERRUPTED and not is_interactive:
        print(stop_line(), file=sys.stderr)
    return answer if isinstance(answer, int) else 0


def _report_refusal(error: Exception | str, *, as_json: bool) -> int:
    print_error(error, as_json=as_json)
    return FINDING


def _report_misuse(misuse: typer.TyperException, *, as_json: bool) -> int:
    if as_json:
        emit({"error": error_sentence(misuse.format_message())})
    show = getattr(misuse, "show", None)
    if show:
        show()
    else:
        print(f"pitbook: {error_sentence(misuse.format_message())}", file=sys.stderr)
    return misuse.exit_code


def _bug_message(bug: Exception) -> Sentence:
    """The message that replaces a traceback."""
    return say("cli.our-mistake", kind=type(bug).__name__, bug=str(bug))


def _handle_output_error(error: OSError) -> int:
    """End quietly if the reader is gone; otherwise report the output error."""
    if not isinstance(error, BrokenPipeError):
        print_error(say("cli.not-written", why=error.strerror), as_json=False)
    sys.stdout = open(os.devnull, "w", encoding="utf-8")  # noqa: PTH123, SIM115
    return FINDING
