"""`pitbook drill`: questions from a sheet, answered in the terminal."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

import typer

from pitbook.cli.lazy_commands import command
from pitbook.cli.options import Folders, Json, SheetName, load_sheet
from pitbook.cli.plain_output import emit, examples

if TYPE_CHECKING:
    from rich.console import Console

    from pitbook.rules.game import Game

app = command()


def _kind_names(incomplete: str) -> list[str]:
    from pitbook.drills.kinds import KINDS  # noqa: PLC0415

    return [name for name in KINDS if name.startswith(incomplete)]


@app.command(
    epilog=examples(
        "pitbook drill catfish-bend/mississippi-stud",
        "pitbook drill catfish-bend/matchem-hi-lo --kind shares --count 5 --timed",
        "pitbook drill pennsylvania/three-card-poker --list",
    )
)
def drill(
    sheet: SheetName,
    *,
    kind: Annotated[
        list[str] | None,
        typer.Option(
            "--kind",
            metavar="KIND",
            autocompletion=_kind_names,
            help="Kind of question; may be repeated. See --list.",
        ),
    ] = None,
    count: Annotated[int, typer.Option(min=1, max=10_000, help="Number of questions.")] = 10,
    seed: Annotated[
        str | None, typer.Option(help="Ask the same questions again; random by default.")
    ] = None,
    timed: Annotated[bool, typer.Option("--timed", help="Count late answers as wrong.")] = False,
    goal: Annotated[
        int, typer.Option(min=1, max=3_600, help="Speed for --timed, in hands per hour.")
    ] = 60,
    errors: Annotated[
        bool, typer.Option("--errors", help="Ask questions that you missed first.")
    ] = False,
    hard: Annotated[bool, typer.Option("--hard", help="Ask hard questions.")] = False,
    kinds: Annotated[
        bool, typer.Option("--list", help="List the kinds of question for this sheet.")
    ] = False,
    record: Annotated[
        str | None,
        typer.Option(metavar="FILE", envvar="PITBOOK_DRILLS", help="File for your answers."),
    ] = None,
    keep: Annotated[bool, typer.Option("--keep/--no-keep", help="Save your answers.")] = True,
    folder: Folders = None,
    json: Json = False,
) -> None:
    """Quiz a dealer on a sheet's rules, payouts and procedures.

    Each question has one right answer, explained with its clause. Type the answer, ? for a hint,
    or q to quit. Your answers are saved, so that questions match your level and facts return when
    they are due. Answers may also come from a file or a pipe, one per line. With --json the result
    is printed at the end, and questions go to standard error.
    """
    from rich.console import Console  # noqa: PLC0415  Only needed in a terminal.

    from pitbook.cli.drill_answers_file import AnswersOnFile, answers_path  # noqa: PLC0415
    from pitbook.cli.drill_session import DrillSession  # noqa: PLC0415
    from pitbook.cli.play_table import keyboard  # noqa: PLC0415
    from pitbook.cli.rich_output import console  # noqa: PLC0415
    from pitbook.drills.kinds import find_kind  # noqa: PLC0415
    from pitbook.rules.game import compile_game  # noqa: PLC0415
    from pitbook.shoe.dealing import fresh_seed  # noqa: PLC0415

    game = compile_game(load_sheet(sheet, folder))
    out = Console(markup=False, highlight=False, emoji=False, stderr=True) if json else console()
    if kinds:
        _print_kinds(game, out, as_json=json)
        return
    session = DrillSession(
        game=game,
        kinds=tuple(find_kind(kind_name).id for kind_name in kind or ()),
        bias="errors" if errors else "hard" if hard else "none",
        seed=seed if seed is not None else fresh_seed(),
        seconds=3_600 / goal if timed else None,
        console=out,
        keys=keyboard(out),
        answers_file=AnswersOnFile(answers_path(record) if keep else None),
    )
    session.run(count)
    if json:
        emit(session.document())


def _print_kinds(game: Game, out: Console, *, as_json: bool) -> None:
    """Print the drill kinds available for a sheet."""
    from pitbook.cli.language import localize  # noqa: PLC0415
    from pitbook.drills.kinds import kind_title, supported_kinds  # noqa: PLC0415

    kinds = supported_kinds(game)
    if as_json:
        kind_rows = [{"kind": kind, "title": kind_title(kind)} for kind in kinds]
        emit({"sheet": game.sheet.id, "kinds": kind_rows})
        return
    for kind in kinds:
        out.print(f"{kind:<14} {localize(kind_title(kind))}", highlight=False)
