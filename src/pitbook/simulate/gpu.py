"""Play a job on a GPU, one thread per round."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from pitbook.errors import PitbookError
from pitbook.extras import load_extra
from pitbook.simulate.job import Job, Tally
from pitbook.simulate.kernels import duel_layout, layout
from pitbook.simulate.tables import Alone, Arrays, KernelTable
from pitbook.text import say

CODE = Path(__file__).parent / "kernels" / "rounds.cu"
ONE_SEAT_THREADS = 1024
TABLE_THREADS = ((104, 512), (312, 256), (624, 128))  # By the cards of the shoe, a column each.
TOLD_MAX = 2**20  # Rounds of one piece that are told in full; where there are more, it is halved.
SEEN_MAX = 4_096  # Nets from the floor on that a multiprocessor counts by itself.
COPIES_MAX = 32  # Copies of one seat's counts, so that threads of a warp do not wait in line.
_TYPES = {np.dtype(np.uint16): "u16", np.dtype(np.uint32): "u32", np.dtype(np.uint8): "u8"}


@dataclass(frozen=True)
class KernelSource:
    """A job's kernel: its text, its name, the threads of a block and the memory they share."""

    text: str
    name: str
    threads: int
    shared: int


def piece_of(job: Job) -> int:
    """Rounds that keep a GPU busy for about a tenth of a second."""
    return 2**33 if isinstance(job.tables, Alone) else 2**29


def played(
    job: Job, pieces: Iterable[tuple[int, int]], *, threads: int | None = None
) -> Iterator[Tally]:
    """Play pieces of rounds on this machine's GPU."""
    cupy = load_extra("cupy")
    try:
        device = cupy.cuda.Device()
        limits = device.attributes
    except cupy.cuda.runtime.CUDARuntimeError as error:
        raise PitbookError(say("simulate.gpu.none", why=str(error))) from None
    source = source_of(job, limits["MaxSharedMemoryPerBlockOptin"], threads=threads)
    kernel = cupy.RawModule(code=source.text, options=("-std=c++17",)).get_function(source.name)
    kernel.max_dynamic_shared_size_bytes = source.shared
    blocks = int(limits["MultiProcessorCount"]) * _side_by_side(source, limits)
    play = _one_seat if isinstance(job.tables, Alone) else _table

    def launch(*arguments: Any) -> None:
        kernel((blocks,), (source.threads,), arguments, shared_mem=source.shared)

    tables = [cupy.asarray(one) for one in _arrays(job)]
    for start, stop in pieces:
        yield play(cupy, job, launch, tables, (start, stop))


def _side_by_side(source: KernelSource, limits: dict[str, int]) -> int:
    """Blocks that a multiprocessor holds at a time."""
    by_memory = limits["MaxSharedMemoryPerMultiprocessor"] // (source.shared + 1024)
    return max(1, min(by_memory, limits["MaxThreadsPerMultiProcessor"] // source.threads))


def _arrays(job: Job) -> list[NDArray[Any]]:
    """The tables in the order in which the kernels take them, each padded to whole words."""
    if isinstance(job.tables, Alone):
        one = job.tables
        return [_padded(table) for table in (one.start, one.third, one.fourth, one.fifth)]
    arrays = job.tables.arrays
    tables = (arrays.sums, arrays.small, arrays.wide, arrays.cell_of, _nets(arrays), _due(arrays))
    return [_padded(table) for table in tables]


def _padded(table: NDArray[Any]) -> NDArray[Any]:
    flat = table.ravel()
    missing = -flat.nbytes % 4 // flat.itemsize or (1 if not len(flat) else 0)
    return np.concatenate([flat, np.zeros(missing, flat.dtype)])


def _nets(arrays: Arrays) -> NDArray[np.int32]:
    assert np.abs(arrays.nets).max() * int(arrays.numbers[layout.SEATS]) < 2**31
    return arrays.nets.astype(np.int32)


def _due(arrays: Arrays) -> NDArray[Any]:
    return arrays.due.astype(_due_type(arrays))


def _due_type(arrays: Arrays) -> Any:
    most = int(arrays.due.max()) if arrays.due.size else 0
    return np.uint32 if most < 2**32 else np.uint64


def _one_seat(
    cupy: Any, job: Job, launch: Any, tables: list[Any], rounds: tuple[int, int]
) -> Tally:
    assert isinstance(job.tables, Alone)
    cell_of = job.tables.cell_of.ravel()
    ends = cupy.zeros(len(cell_of), np.uint64)
    launch(*(np.uint64(number) for number in (*rounds, job.seed)), *tables, ends)
    counts = np.zeros((1, job.cells), np.int64)
    np.add.at(counts[0], cell_of, cupy.asnumpy(ends).astype(np.int64))
    return Tally.of(*rounds, counts)


def _table(cupy: Any, job: Job, launch: Any, tables: Any, rounds: tuple[int, int]) -> Tally:
    assert isinstance(job.tables, KernelTable)
    counts = cupy.zeros(job.seats * job.cells, np.uint64)
    seen = cupy.zeros(max(1, job.tables.window), np.uint64)
    caps = len(job.tables.arrays.due)
    capped = cupy.zeros((TOLD_MAX if caps else 1, 1 + job.seats), np.int32)
    above, marks = cupy.zeros(TOLD_MAX, np.int64), cupy.zeros(2, np.uint32)
    given = (np.uint64(number) for number in (*rounds, job.seed))
    launch(*given, *tables, counts, seen, capped, above, marks)
    told = cupy.asnumpy(marks).tolist()
    start, stop = rounds
    if max(told) > TOLD_MAX:
        middle = (start + stop) // 2
        halves = [(start, middle), (middle, stop)]
        first, second = (_table(cupy, job, launch, tables, half) for half in halves)
        return first.joined(second)
    return Tally.of(
        start,
        stop,
        cupy.asnumpy(counts).astype(np.int64).reshape(job.seats, job.cells),
        cupy.asnumpy(seen).astype(np.int64)[: job.tables.window],
    ).told(cupy.asnumpy(capped[: told[0]]).astype(np.int64), cupy.asnumpy(above[: told[1]]))


def source_of(job: Job, shared_max: int, *, threads: int | None = None) -> KernelSource:
    """The kernel of a job: its numbers as macros, and the tables that fit brought close."""
    if isinstance(job.tables, Alone):
        return _one_seat_source(job.tables, shared_max, threads or ONE_SEAT_THREADS)
    shoe = int(job.tables.arrays.numbers[layout.SHOE])
    usual = next(many for cards, many in TABLE_THREADS if shoe <= cards)
    return _table_source(job, job.tables.arrays, shared_max, threads or usual)


def _one_seat_source(tables: Alone, shared_max: int, threads: int) -> KernelSource:
    ends, labels = tables.cell_of.size, tables.cell_of.shape[1]
    pool = _Pool(shared_max)
    defined: dict[str, Any] = {
        "ONE_SEAT": 1,
        "THREADS": threads,
        "ROW_BITS": layout.ROW_BITS,
        "LABELS": labels,
        "ENDS": ends,
    }
    named = {"START": tables.start, "THIRD": tables.third, "FOURTH": tables.fourth}
    named["FIFTH"] = tables.fifth
    spare = 4 * ends  # Room for one copy of the counts at least.
    for name, table in named.items():
        defined[f"{name}_T"] = _TYPES[table.dtype]
        defined[f"{name}_BYTES"] = table.nbytes
        defined[f"{name}_AT"] = pool.take(table.nbytes, spare)
    copies = COPIES_MAX
    while copies > 1 and pool.taken + 4 * ends * copies > shared_max:
        copies //= 2
    defined |= {"COPIES": copies, "ENDS_AT": pool.take(4 * ends * copies)}
    return KernelSource(_text(defined), "alone", threads, pool.taken)


def _table_source(job: Job, arrays: Arrays, shared_max: int, threads: int) -> KernelSource:
    assert isinstance(job.tables, KernelTable)
    numbers = {name: int(arrays.numbers[place]) for name, place in layout.NAMES.items()}
    pool = _Pool(shared_max)
    deck = 0 if numbers["ALONE"] else numbers["SHOE"] * threads
    own_seen = min(SEEN_MAX, job.tables.window)
    defined: dict[str, Any] = {
        **numbers,
        "THREADS": threads,
        "CELLS": job.cells,
        "WINDOW": f"{max(1, job.tables.window)}ull",
        "OWN_SEEN": own_seen,
        "TOLD_MAX": TOLD_MAX,
        "CAPS": len(arrays.due),
        "WORDS": len(arrays.words),
        "SUMS_T": _TYPES[arrays.sums.dtype],
        "DUE_T": "u32" if _due_type(arrays) is np.uint32 else "u64",
        "DECK_AT": pool.take(deck),
        "OWN_SEEN_AT": pool.take(4 * own_seen),
    }
    counts = 4 * job.seats * job.cells
    named = {"WIDE": arrays.wide, "NETS": _nets(arrays), "DUE": _due(arrays)}
    named |= {"CELL_OF": arrays.cell_of, "SUMS": arrays.sums, "SMALL": arrays.small}
    defined["OWN_COUNTS_AT"] = pool.take(counts, 0)
    for name, table in named.items():
        defined[f"{name}_BYTES"] = table.nbytes
        defined[f"{name}_IN"] = pool.take(table.nbytes, 0) if table.nbytes else -1
    lists = _lists(arrays)
    if numbers["LADDER"] == layout.BY_DUELS:
        defined |= _duel_numbers(arrays)
        lists |= _duel_lists(arrays)
    return KernelSource(_text(defined, lists), "table", threads, pool.taken)


def _lists(arrays: Arrays) -> dict[str, Sequence[int]]:
    """Short lists that unrolled loops ask for by a place that is known when they are compiled."""
    words, places = arrays.words.T.tolist(), arrays.places.tolist()
    if arrays.numbers[layout.LADDER] in (layout.BY_DUELS, layout.BY_RANKS):
        places = []
    more = layout.STREETS_AT if arrays.numbers[layout.LADDER] else len(places)
    streets = places[more:]
    return {
        "WORD_FROM": words[0],
        "WORD_TO": words[1],
        "WORD_AGAIN": words[2],
        "MORE_AT": places[:more],
        "TURNED": streets[0::3],
        "JOIN_AT": streets[1::3],
        "JOIN_WIDTH": streets[2::3],
        "DUE_MAX": arrays.due_max.tolist(),
    }


def _duel_numbers(arrays: Arrays) -> dict[str, Any]:
    """The numbers of a duel, and which ways to decide its kernel needs."""
    found: dict[str, Any] = {
        f"DUEL_{name}": int(arrays.places[place])
        for name, place in duel_layout.NAMES.items()
        if name not in ("MORE_AT", "STREETS_AT")
    }
    modes = set(arrays.places[duel_layout.STREETS_AT :: 4].tolist())
    for mode, name in enumerate(duel_layout.MODES):
        found[f"DUEL_{name}"] = mode
        found[f"DUEL_HAS_{name}"] = int(mode in modes)
    found |= {"DUEL_MIXED": duel_layout.MIXED, "DUEL_PAIRS": duel_layout.PAIRS}
    return found | {"DUEL_CHOOSE_WIDTH": duel_layout.CHOOSE_WIDTH}


def _duel_lists(arrays: Arrays) -> dict[str, Sequence[int]]:
    places, at = arrays.places.tolist(), duel_layout.STREETS_AT
    return {
        "DUEL_MORE_AT": places[duel_layout.MORE_AT : at],
        "DUEL_MODE": places[at::4],
        "DUEL_STAGE": places[at + 1 :: 4],
        "DUEL_MENUS": places[at + 2 :: 4],
        "DUEL_ONLY": places[at + 3 :: 4],
    }


class _Pool:
    """A multiprocessor's own memory, handed out piece by piece."""

    def __init__(self, size: int) -> None:
        self.size, self.taken = size, 0

    def take(self, wanted: int, spare: int | None = None) -> int:
        """Where a piece begins; -1 where it does not fit and need not (`spare` is given)."""
        aligned = -(-wanted // 16) * 16
        if self.taken + aligned + (spare or 0) > self.size:
            if spare is None:
                raise PitbookError(say("simulate.gpu.memory"))
            return -1
        self.taken += aligned
        return self.taken - aligned


def _text(defined: dict[str, Any], lists: dict[str, Sequence[int]] | None = None) -> str:
    lines = [f"#define {name} {_written(value)}" for name, value in defined.items()]
    for name, values in (lists or {}).items():
        chain = "0"
        for place in range(len(values) - 1, -1, -1):
            chain = f"(i) == {place} ? {values[place]}{_suffix(values[place])} : {chain}"
        lines.append(f"#define {name}(i) ({chain})")
    lines.append("#ifndef POOL")
    lines.append("#define POOL extern __shared__ __align__(16) unsigned char pool[]")
    lines.append("#endif")
    return "\n".join(lines) + "\n" + CODE.read_text(encoding="utf-8")


def _written(value: Any) -> str:
    return f"({value})" if isinstance(value, int) and value < 0 else str(value)


def _suffix(value: int) -> str:
    return "ull" if value >= 2**32 else "u"
