"""The compiled games of all bundled sheets as text: places, hands, duels, stages, plays, wagers.

To accept a change of the compiled games, run `python -m tests.rules.families.compiled_games`, which
writes the golden file, and review the diff.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from tests.sheets.samples import ALL_IDS

from pitbook import load
from pitbook.rules.actions import Play
from pitbook.rules.game import Game, compile_game

GOLDEN = Path(__file__).parents[2] / "golden" / "games.txt"
PARTS = (
    *("places", "hands", "duels", "wager_rules", "equals", "printed", "boxes"),
    *("board_is_a_hand", "board_always", "one_by_one", "dealer_clause", "absent_clause"),
)


def describe_games() -> str:
    """All games, one line per part."""
    return "".join(f"{line}\n" for sheet in ALL_IDS for line in _game(sheet))


def _game(sheet: str) -> Iterator[str]:
    game = compile_game(load(sheet))
    yield f"# {sheet}"
    for part in PARTS:
        yield from _part(game, part)
    for stage in game.stages:
        yield f"stage {stage._replace(plays=())}"
        yield from (f"  {_play(play)}" for play in stage.plays)


def _part(game: Game, part: str) -> Iterator[str]:
    value = getattr(game, part)
    parts = value if isinstance(value, tuple) else (value,)
    yield from (f"{part} {element}" for element in parts)


def _play(play: Play) -> str:
    return f"{play} {play.puts} {play.takes} {play.folds} {play.declaration!r} {play.needs}"


if __name__ == "__main__":
    GOLDEN.write_text(describe_games(), encoding="utf-8")
