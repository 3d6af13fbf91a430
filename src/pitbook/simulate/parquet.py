"""Write every simulated round to Parquet files."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np

from pitbook.extras import load_extra, require_extra
from pitbook.simulate.job import Tally
from pitbook.simulate.plan import SimulationError
from pitbook.simulate.prepare import ReadyPlan
from pitbook.simulate.run import each
from pitbook.simulate.summary import MAIN, outcomes
from pitbook.text import say

PIECE = 2**16  # Rounds in a file.


def written(
    ready: ReadyPlan, pieces: Iterable[tuple[int, int]], workers: int, folder: Path
) -> Iterator[Tally]:
    """Play pieces on so many cores and write each down: a row for every seat of every round."""
    require_extra("pyarrow")
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise SimulationError(
            say("simulate.parquet.no-folder", folder=folder, why=error.strerror)
        ) from None
    return each(partial(_piece, ready, folder), pieces, workers)


def _piece(ready: ReadyPlan, folder: Path, start: int, stop: int) -> Tally:
    pq = load_extra("pyarrow.parquet")  # It takes a while.
    path = folder / f"rounds-{start:015d}-{stop:015d}.parquet"
    part = path.with_suffix(".part")
    pq.write_table(_table(ready, start, stop), part)
    part.replace(path)
    return ready.job.play(start, stop)


def _table(ready: ReadyPlan, start: int, stop: int) -> Any:
    pa = load_extra("pyarrow")
    cells, seats = ready.cells, ready.plan.seats
    trace = ready.job.trace(start, stop)
    withheld = np.zeros(trace.shape, np.int64)
    for row in cells.capped(trace):
        withheld[row] = cells.met(trace[row]).withheld
    flat = trace.ravel()
    side, sides = dict(ready.plan.side), ready.plan.sheet.side
    # A strategy by class or rank bets on one wager; else the main wagers need not end alike.
    strategy = ready.plan.strategy
    alike = (strategy.knows_classes or strategy.knows_ranks) and not ready.job.grows
    told = (one for one in ready.plan.sheet.wager_order if one not in sides and not alike)
    names = (*told, *side)
    columns: dict[str, Any] = {
        "round": np.repeat(np.arange(start, stop), seats),
        "seat": np.tile(np.arange(1, seats + 1, dtype=np.int8), stop - start),
        "outcome": _named(pa, _outcomes(ready, MAIN), flat),
        **{name: _named(pa, _outcomes(ready, name), flat) for name in names},
        "staked": np.array([cell.staked for cell in cells.every], np.int64)[flat],
        "net": cells.nets[flat] - withheld.ravel(),
        "withheld": withheld.ravel(),
    }
    return pa.table(columns)


def _outcomes(ready: ReadyPlan, wager: str) -> list[str]:
    """What became of a wager in each cell; nothing where it was not made."""
    plan, side = ready.plan, [name for name, _ in ready.plan.side]
    return [
        next((one.outcome for one in told if one.wager == wager), "")
        for cell in ready.cells.every
        for told in [outcomes(cell.lines, side, plan.ante, by_wager=True)]
    ]


def _named(pa: Any, names: list[str], cells: Any) -> Any:
    """A column of words, each kept once."""
    words = list(dict.fromkeys(names))
    places = np.array([words.index(name) for name in names], np.int32)
    return pa.DictionaryArray.from_arrays(pa.array(places[cells]), pa.array(words))
