"""One word, one idea: no two things of the package have the same name, but those named here."""

from __future__ import annotations

import ast
import re
from collections import defaultdict
from collections.abc import Iterator
from pathlib import Path

SRC = Path(__file__).parent.parent / "src"

# An option of a command or a parameter of a route is called after what it gives.
ASKED = re.compile(r"typer\.(?:Option|Argument)\(|\b(?:Query|Path|Depends)\(")

# The same idea in several rooms; whoever needs two of them imports the modules.
SAME_IDEA = {
    "each stream has its own": "Accepted Answer Command Decided Deciding Fact Refused",
    "asked of a table or a night, done in a round, on record": (
        "Action BuyIn Coach Credit Decide Fill GoOn Interrupt Interrupted Misdeal PlaceNumber "
        "Ready SeatSeed Settle Slip Stopped TableKind Undo Undone VoidHand Warn"
    ),
    "a section of a file, and what the game or the table makes of it": (
        "Areas Chips Clocks Deal Misdeal Need Notice Play Points Refunds Settlement Showdown Wager"
    ),
    "each method of working out or of playing has its own": (
        "Cells Method Policy Shape ShortStrategy Solution Terms"
    ),
    "something, and how it is drawn, shown, sent or printed": (
        "Area BookFinding Box CheckedIn Excluded Invitation Invited Offer PictureKind Pile Proof "
        "Readmitted Reset ResetMade Revealed SessionEnd Short SignedIn SlipUndone Stop TableOpened "
        "WagerCompared WagerFigures"
    ),
    "two ideas: wagers end, and a night; both are what callers write": "Close",
}


def test_a_name_of_a_class_or_a_type_means_one_thing() -> None:
    known = {name for names in SAME_IDEA.values() for name in names.split()}
    found = {name: where for name, where in meanings().items() if len(where) > 1}
    several = {name: [*where.values()] for name, where in found.items() if name not in known}
    assert several == {}, "name them for what tells them apart"
    assert known - set(found) == set(), "these have one meaning by now"


def meanings() -> dict[str, dict[str, str]]:
    """By name what it stands for, and where; written out alike in two places it is one thing."""
    found: dict[str, dict[str, str]] = defaultdict(dict)
    for module in sorted(SRC.rglob("*.py")):
        where = module.relative_to(SRC).as_posix()
        for name, meaning in named(ast.parse(module.read_text(encoding="utf-8"))):
            found[name].setdefault(meaning or room(where), where)
    return found


def named(module: ast.Module) -> Iterator[tuple[str, str]]:
    """Public classes, and types with what they are another name for."""
    for one in module.body:
        match one:
            case ast.ClassDef(name=name):
                meaning = ""
            case ast.Assign(targets=[ast.Name(id=name)], value=value):
                meaning = ast.unparse(value)
            case ast.AnnAssign(ast.Name(id=name), ast.Name(id="TypeAlias"), ast.expr() as value):
                meaning = ast.unparse(value)
            case _:
                continue
        if re.fullmatch(r"[A-Z]\w*[a-z]\w*", name) and not ASKED.search(meaning):
            yield name, "TypeVar" if meaning.startswith("TypeVar(") else meaning


def room(where: str) -> str:
    """Families are rooms of one plan: the same section of a sheet stands in each."""
    return re.sub(r"families/\w+/", "families/", where)
