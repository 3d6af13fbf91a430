"""Write every simulated round to Parquet files."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np

from pitbook.extras import load_extra, require_extra
from pitbook.simulation.job import Tally
from pitbook.simulation.plan import SimulationError
from pitbook.simulation.prepare import ReadyPlan
from pitbook.simulation.run import play_pieces
from pitbook.simulation.totals import MAIN, outcomes
from pitbook.text import say

PIECE_ROUNDS = 2**16  # Rounds per file.


def write_pieces(
    ready: ReadyPlan, pieces: Iterable[tuple[int, int]], workers: int, folder: Path
) -> Iterator[Tally]:
    """Play pieces on this many cores and write each to a file: one row per seat and round."""
    require_extra("pyarrow")
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise SimulationError(
            say("simulate.parquet.no-folder", folder=folder, why=error.strerror)
        ) from None
    return play_pieces(partial(_piece, ready, folder), pieces, workers)


def _piece(ready: ReadyPlan, folder: Path, start: int, stop: int) -> Tally:
    pq = load_extra("pyarrow.parquet")  # Slow to import.
    path = folder / f"rounds-{start:015d}-{stop:015d}.parquet"
    partial = path.with_suffix(".part")
    pq.write_table(_table(ready, start, stop), partial)
    partial.replace(path)
    return ready.job.play(start, stop)


def _table(ready: ReadyPlan, start: int, stop: int) -> Any:
    pa = load_extra("pyarrow")
    cells, seats = ready.cells, ready.plan.seats
    trace = ready.job.trace(start, stop)
    withheld_cents = np.zeros(trace.shape, np.int64)
    for row in cells.capped_rows(trace):
        withheld_cents[row] = cells.apply_shared_caps(trace[row]).withheld
    flat = trace.ravel()
    side, sides = dict(ready.plan.side), ready.plan.sheet.side
    # A strategy by class or rank bets on one wager; in other games main wagers can end differently.
    strategy = ready.plan.strategy
    single_wager = (strategy.knows_classes or strategy.knows_ranks) and not ready.job.grows
    main_wagers = (
        wager for wager in ready.plan.sheet.wager_order if wager not in sides and not single_wager
    )
    names = (*main_wagers, *side)
    columns: dict[str, Any] = {
        "round": np.repeat(np.arange(start, stop), seats),
        "seat": np.tile(np.arange(1, seats + 1, dtype=np.int8), stop - start),
        "outcome": _dictionary_column(pa, _outcomes(ready, MAIN), flat),
        **{name: _dictionary_column(pa, _outcomes(ready, name), flat) for name in names},
        "staked": np.array([cell.total_bet for cell in cells.cells], np.int64)[flat],
        "net": cells.nets[flat] - withheld_cents.ravel(),
        "withheld": withheld_cents.ravel(),
    }
    return pa.table(columns)


def _outcomes(ready: ReadyPlan, wager: str) -> list[str]:
    """The outcome of a wager in each cell, or an empty string if it was not made."""
    plan, side = ready.plan, [name for name, _ in ready.plan.side]
    return [
        next((outcome.outcome for outcome in cell_outcomes if outcome.wager == wager), "")
        for cell in ready.cells.cells
        for cell_outcomes in [outcomes(cell.lines, side, plan.ante, by_wager=True)]
    ]


def _dictionary_column(pa: Any, names: list[str], cells: Any) -> Any:
    """A dictionary-encoded column of words."""
    words = list(dict.fromkeys(names))
    places = np.array([words.index(name) for name in names], np.int32)
    return pa.DictionaryArray.from_arrays(pa.array(places[cells]), pa.array(words))
