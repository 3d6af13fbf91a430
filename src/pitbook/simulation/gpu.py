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
from pitbook.simulation.job import Job, Tally
from pitbook.simulation.kernel_tables import Arrays, KernelTable, OneSeatTables
from pitbook.simulation.kernels import duel_positions, table_positions
from pitbook.text import say

CODE = Path(__file__).parent / "kernels" / "rounds.cu"
ONE_SEAT_THREADS = 1024
TABLE_THREADS = ((104, 512), (312, 256), (624, 128))  # By shoe size; one column each.
DETAILED_MAX = 2**20  # Rounds of one piece reported in full; a piece with more is halved.
LOCAL_NETS_MAX = 4_096  # Nets, from the floor up, that a multiprocessor counts locally.
COPIES_MAX = 32  # Copies of one seat's counts, so that threads of a warp do not wait.
_TYPES = {np.dtype(np.uint16): "u16", np.dtype(np.uint32): "u32", np.dtype(np.uint8): "u8"}


@dataclass(frozen=True)
class KernelSource:
    """A job's kernel: its text, its name, the threads per block and their shared memory."""

    text: str
    name: str
    threads: int
    shared: int


def piece_size(job: Job) -> int:
    """Number of rounds that keep a GPU busy for about a tenth of a second."""
    return 2**33 if isinstance(job.tables, OneSeatTables) else 2**29


def play(
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
    blocks = int(limits["MultiProcessorCount"]) * _blocks_per_processor(source, limits)
    play_piece = _launch_one_seat if isinstance(job.tables, OneSeatTables) else _launch_table

    def launch(*arguments: Any) -> None:
        kernel((blocks,), (source.threads,), arguments, shared_mem=source.shared)

    tables = [cupy.asarray(table) for table in _arrays(job)]
    for start, stop in pieces:
        yield play_piece(cupy, job, launch, tables, (start, stop))


def _blocks_per_processor(source: KernelSource, limits: dict[str, int]) -> int:
    """Number of blocks that a multiprocessor holds at a time."""
    by_memory = limits["MaxSharedMemoryPerMultiprocessor"] // (source.shared + 1024)
    return max(1, min(by_memory, limits["MaxThreadsPerMultiProcessor"] // source.threads))


def _arrays(job: Job) -> list[NDArray[Any]]:
    """The tables in the order the kernels take them, each padded to whole words."""
    if isinstance(job.tables, OneSeatTables):
        tables_alone = job.tables
        return [
            _pad(table)
            for table in (
                tables_alone.start,
                tables_alone.third,
                tables_alone.fourth,
                tables_alone.fifth,
            )
        ]
    arrays = job.tables.arrays
    tables = (
        arrays.sums,
        arrays.small,
        arrays.wide,
        arrays.cell_of,
        _cell_nets(arrays),
        _capped_amounts(arrays),
    )
    return [_pad(table) for table in tables]


def _pad(table: NDArray[Any]) -> NDArray[Any]:
    flat = table.ravel()
    missing = -flat.nbytes % 4 // flat.itemsize or (1 if not len(flat) else 0)
    return np.concatenate([flat, np.zeros(missing, flat.dtype)])


def _cell_nets(arrays: Arrays) -> NDArray[np.int32]:
    assert np.abs(arrays.nets).max() * int(arrays.numbers[table_positions.SEATS]) < 2**31
    return arrays.nets.astype(np.int32)


def _capped_amounts(arrays: Arrays) -> NDArray[Any]:
    return arrays.due.astype(_due_type(arrays))


def _due_type(arrays: Arrays) -> Any:
    maximum = int(arrays.due.max()) if arrays.due.size else 0
    return np.uint32 if maximum < 2**32 else np.uint64


def _launch_one_seat(
    cupy: Any, job: Job, launch: Any, tables: list[Any], rounds: tuple[int, int]
) -> Tally:
    assert isinstance(job.tables, OneSeatTables)
    cell_of = job.tables.cell_of.ravel()
    ends = cupy.zeros(len(cell_of), np.uint64)
    launch(*(np.uint64(number) for number in (*rounds, job.seed)), *tables, ends)
    counts = np.zeros((1, job.cells), np.int64)
    np.add.at(counts[0], cell_of, cupy.asnumpy(ends).astype(np.int64))
    return Tally.of(*rounds, counts)


def _launch_table(cupy: Any, job: Job, launch: Any, tables: Any, rounds: tuple[int, int]) -> Tally:
    assert isinstance(job.tables, KernelTable)
    counts = cupy.zeros(job.seats * job.cells, np.uint64)
    net_counts = cupy.zeros(max(1, job.tables.window), np.uint64)
    caps = len(job.tables.arrays.due)
    capped = cupy.zeros((DETAILED_MAX if caps else 1, 1 + job.seats), np.int32)
    above, marks = cupy.zeros(DETAILED_MAX, np.int64), cupy.zeros(2, np.uint32)
    arguments = (np.uint64(number) for number in (*rounds, job.seed))
    launch(*arguments, *tables, counts, net_counts, capped, above, marks)
    reported = cupy.asnumpy(marks).tolist()
    start, stop = rounds
    if max(reported) > DETAILED_MAX:
        middle = (start + stop) // 2
        halves = [(start, middle), (middle, stop)]
        first, second = (_launch_table(cupy, job, launch, tables, half) for half in halves)
        return first.join(second)
    return Tally.of(
        start,
        stop,
        cupy.asnumpy(counts).astype(np.int64).reshape(job.seats, job.cells),
        cupy.asnumpy(net_counts).astype(np.int64)[: job.tables.window],
    ).add_reported(
        cupy.asnumpy(capped[: reported[0]]).astype(np.int64), cupy.asnumpy(above[: reported[1]])
    )


def source_of(job: Job, shared_max: int, *, threads: int | None = None) -> KernelSource:
    """A job's kernel: its numbers as macros, and the tables that fit in shared memory."""
    if isinstance(job.tables, OneSeatTables):
        return _one_seat_source(job.tables, shared_max, threads or ONE_SEAT_THREADS)
    shoe = int(job.tables.arrays.numbers[table_positions.SHOE])
    default_threads = next(threads for cards, threads in TABLE_THREADS if shoe <= cards)
    return _table_source(job, job.tables.arrays, shared_max, threads or default_threads)


def _one_seat_source(tables: OneSeatTables, shared_max: int, threads: int) -> KernelSource:
    ends, labels = tables.cell_of.size, tables.cell_of.shape[1]
    pool = _Pool(shared_max)
    macros: dict[str, Any] = {
        "ONE_SEAT": 1,
        "THREADS": threads,
        "ROW_BITS": table_positions.ROW_BITS,
        "LABELS": labels,
        "ENDS": ends,
    }
    named = {"START": tables.start, "THIRD": tables.third, "FOURTH": tables.fourth}
    named["FIFTH"] = tables.fifth
    spare_bytes = 4 * ends  # Room for at least one copy of the counts.
    for name, table in named.items():
        macros[f"{name}_T"] = _TYPES[table.dtype]
        macros[f"{name}_BYTES"] = table.nbytes
        macros[f"{name}_AT"] = pool.allocate(table.nbytes, spare_bytes)
    copies = COPIES_MAX
    while copies > 1 and pool.used + 4 * ends * copies > shared_max:
        copies //= 2
    macros |= {"COPIES": copies, "ENDS_AT": pool.allocate(4 * ends * copies)}
    return KernelSource(_kernel_source(macros), "alone", threads, pool.used)


def _table_source(job: Job, arrays: Arrays, shared_max: int, threads: int) -> KernelSource:
    assert isinstance(job.tables, KernelTable)
    numbers = {name: int(arrays.numbers[index]) for name, index in table_positions.NAMES.items()}
    pool = _Pool(shared_max)
    deck = 0 if numbers["ALONE"] else numbers["SHOE"] * threads
    local_nets = min(LOCAL_NETS_MAX, job.tables.window)
    macros: dict[str, Any] = {
        **numbers,
        "THREADS": threads,
        "CELLS": job.cells,
        "WINDOW": f"{max(1, job.tables.window)}ull",
        "OWN_SEEN": local_nets,
        "TOLD_MAX": DETAILED_MAX,
        "CAPS": len(arrays.due),
        "WORDS": len(arrays.words),
        "SUMS_T": _TYPES[arrays.sums.dtype],
        "DUE_T": "u32" if _due_type(arrays) is np.uint32 else "u64",
        "DECK_AT": pool.allocate(deck),
        "OWN_SEEN_AT": pool.allocate(4 * local_nets),
    }
    counts = 4 * job.seats * job.cells
    named = {"WIDE": arrays.wide, "NETS": _cell_nets(arrays), "DUE": _capped_amounts(arrays)}
    named |= {"CELL_OF": arrays.cell_of, "SUMS": arrays.sums, "SMALL": arrays.small}
    macros["OWN_COUNTS_AT"] = pool.allocate(counts, 0)
    for name, table in named.items():
        macros[f"{name}_BYTES"] = table.nbytes
        macros[f"{name}_IN"] = pool.allocate(table.nbytes, 0) if table.nbytes else -1
    lists = _lists(arrays)
    if numbers["LADDER"] == table_positions.BY_DUELS:
        macros |= _duel_numbers(arrays)
        lists |= _duel_lists(arrays)
    return KernelSource(_kernel_source(macros, lists), "table", threads, pool.used)


def _lists(arrays: Arrays) -> dict[str, Sequence[int]]:
    """Short lists for unrolled loops, indexed by positions known at compile time."""
    words, places = arrays.words.T.tolist(), arrays.places.tolist()
    if arrays.numbers[table_positions.LADDER] in (
        table_positions.BY_DUELS,
        table_positions.BY_RANKS,
    ):
        places = []
    split = table_positions.STREETS_AT if arrays.numbers[table_positions.LADDER] else len(places)
    streets = places[split:]
    return {
        "WORD_FROM": words[0],
        "WORD_TO": words[1],
        "WORD_AGAIN": words[2],
        "MORE_AT": places[:split],
        "TURNED": streets[0::3],
        "JOIN_AT": streets[1::3],
        "JOIN_WIDTH": streets[2::3],
        "DUE_MAX": arrays.due_max.tolist(),
    }


def _duel_numbers(arrays: Arrays) -> dict[str, Any]:
    """The numbers of a duel, and the decision modes its kernel needs."""
    macros: dict[str, Any] = {
        f"DUEL_{name}": int(arrays.places[index])
        for name, index in duel_positions.NAMES.items()
        if name not in ("MORE_AT", "STREETS_AT")
    }
    modes = set(arrays.places[duel_positions.STREETS_AT :: 4].tolist())
    for mode, name in enumerate(duel_positions.MODES):
        macros[f"DUEL_{name}"] = mode
        macros[f"DUEL_HAS_{name}"] = int(mode in modes)
    macros |= {"DUEL_MIXED": duel_positions.MIXED, "DUEL_PAIRS": duel_positions.PAIRS}
    return macros | {"DUEL_CHOOSE_WIDTH": duel_positions.CHOOSE_WIDTH}


def _duel_lists(arrays: Arrays) -> dict[str, Sequence[int]]:
    places, at = arrays.places.tolist(), duel_positions.STREETS_AT
    return {
        "DUEL_MORE_AT": places[duel_positions.MORE_AT : at],
        "DUEL_MODE": places[at::4],
        "DUEL_STAGE": places[at + 1 :: 4],
        "DUEL_MENUS": places[at + 2 :: 4],
        "DUEL_ONLY": places[at + 3 :: 4],
    }


class _Pool:
    """A multiprocessor's shared memory, allocated piece by piece."""

    def __init__(self, size: int) -> None:
        self.size, self.used = size, 0

    def allocate(self, size: int, spare: int | None = None) -> int:
        """Offset of a new piece; -1 if it does not fit and is optional (`spare` is given)."""
        aligned = -(-size // 16) * 16
        if self.used + aligned + (spare or 0) > self.size:
            if spare is None:
                raise PitbookError(say("simulate.gpu.memory"))
            return -1
        self.used += aligned
        return self.used - aligned


def _kernel_source(macros: dict[str, Any], lists: dict[str, Sequence[int]] | None = None) -> str:
    lines = [f"#define {name} {_c_literal(value)}" for name, value in macros.items()]
    for name, values in (lists or {}).items():
        chain = "0"
        for index in range(len(values) - 1, -1, -1):
            chain = f"(i) == {index} ? {values[index]}{_suffix(values[index])} : {chain}"
        lines.append(f"#define {name}(i) ({chain})")
    lines.append("#ifndef POOL")
    lines.append("#define POOL extern __shared__ __align__(16) unsigned char pool[]")
    lines.append("#endif")
    return "\n".join(lines) + "\n" + CODE.read_text(encoding="utf-8")


def _c_literal(value: Any) -> str:
    return f"({value})" if isinstance(value, int) and value < 0 else str(value)


def _suffix(value: int) -> str:
    return "ull" if value >= 2**32 else "u"
