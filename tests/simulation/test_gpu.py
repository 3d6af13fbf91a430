"""The GPU kernels, compiled for this machine's processor or run on a GPU, give the same counts."""

from __future__ import annotations

import ctypes
import shutil
import subprocess
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from tests.sheets.samples import CMS, IDS, LAS, MHL, OMS, STAX
from tests.simulation.plans import (
    ODD,
    kernels,
    prepare_cached,
    prepared_odd,
    single_seat_plan,
    six_seat_plan,
)

from pitbook.errors import PitbookError
from pitbook.simulation import gpu
from pitbook.simulation.job import Job, Tally
from pitbook.simulation.prepare import ReadyPlan, prepare_job
from pitbook.simulation.run import play_on
from pitbook.simulation.totals import Totals

COMPILER = shutil.which("c++") or shutil.which("g++") or shutil.which("clang++")
SHARED_MEMORY = 232_448  # Shared memory of a block on the target machine.

# CUDA built-ins for one thread of one block, so that any C++ compiler can compile the kernels.
ONE_THREAD = """
template <class T> static T max(T one, T other) { return one < other ? other : one; }
template <class T> static T min(T one, T other) { return other < one ? other : one; }
#define __device__
#define __global__
#define __forceinline__ inline
#define __noinline__
#define __launch_bounds__(threads)
struct Place { unsigned x; };
static Place threadIdx = {0}, blockIdx = {0}, blockDim = {1}, gridDim = {1};
static void __syncthreads() {}
template <class T, class U>
static T atomicAdd(T* at, U more) { T was = *at; *at += more; return was; }
static int __popc(unsigned bits) { return __builtin_popcount(bits); }
static int __ffs(unsigned bits) { return __builtin_ffs(bits); }
#define POOL static unsigned char pool[1 << 20]
"""

needs_compiler = pytest.mark.skipif(COMPILER is None, reason="there is no C++ compiler here")
PLANS = [*(f"{name}, alone" for name in IDS), *(f"{name}, six" for name in IDS), *ODD]
QUICK_PLANS = [
    f"{CMS}, alone",
    f"{LAS}, six",
    f"{MHL}, six",
    "three hole cards",
    "mistakes at a table",
]
QUICK_PLANS += ["one seat with a bonus on the board", "mistakes at hi-lo", "bets taken back, alone"]


def ready_plan_of(name: str) -> ReadyPlan:
    sheet, _, seats = name.rpartition(", ")
    if name in ODD:
        return prepared_odd(name)
    return prepare_job(single_seat_plan(sheet) if seats == "alone" else six_seat_plan(sheet))


def on_one_thread(job: Job, folder: Path, start: int, stop: int, memory: int) -> Tally:
    """Counts of the GPU kernel run by one thread on this machine."""
    source = gpu.source_of(job, memory, threads=1)
    assert source.shared <= memory
    text, library = folder / "rounds.cpp", folder / "rounds.so"
    text.write_text(ONE_THREAD + source.text)
    flags = ["-O0", "-w", "-shared", "-fPIC", "-o", str(library), str(text)]
    subprocess.run([str(COMPILER), *flags], check=True)
    kernel = getattr(ctypes.CDLL(str(library)), source.name)
    kept_arguments: list[Any] = []

    class Host:
        """The part of CuPy that a launch needs, using host memory."""

        zeros = staticmethod(np.zeros)
        asnumpy = staticmethod(np.asarray)

    def launch(*arguments: Any) -> None:
        kept_arguments.extend(arguments)
        kernel(*(_argument(argument) for argument in arguments))

    play = gpu._launch_one_seat if source.name == "alone" else gpu._launch_table
    return play(Host, job, launch, gpu._arrays(job), (start, stop))


def _argument(argument: Any) -> Any:
    return (
        ctypes.c_void_p(argument.ctypes.data) if argument.shape else ctypes.c_uint64(int(argument))
    )


@pytest.mark.long
@needs_compiler
@pytest.mark.parametrize(
    "name",
    [
        plan_name if plan_name in QUICK_PLANS else pytest.param(plan_name, marks=pytest.mark.slow)
        for plan_name in PLANS
    ],
)
def test_gpu_kernels_count_the_same(tmp_path: Path, name: str) -> None:
    ready_plan = ready_plan_of(name)
    cpu_totals, gpu_totals = Totals(ready_plan), Totals(ready_plan)
    start, stop = 2**35 + 11, 2**35 + 20_012
    cpu_totals.add(ready_plan.job.play(start, stop))
    gpu_totals.add(on_one_thread(kernels(ready_plan), tmp_path, start, stop, SHARED_MEMORY))
    assert gpu_totals.document() == cpu_totals.document()


@pytest.mark.long
@needs_compiler
@pytest.mark.parametrize("name", [f"{CMS}, alone", f"{CMS}, six", f"{MHL}, six"])
def test_kernels_count_alike_with_little_shared_memory(tmp_path: Path, name: str) -> None:
    ready_plan = ready_plan_of(name)
    cpu_totals, gpu_totals = Totals(ready_plan), Totals(ready_plan)
    cpu_totals.add(ready_plan.job.play(0, 5_000))
    gpu_totals.add(on_one_thread(kernels(ready_plan), tmp_path, 0, 5_000, 24_000))
    assert gpu_totals.document() == cpu_totals.document()


@pytest.mark.long
@needs_compiler
def test_piece_with_too_many_detailed_rounds_is_halved(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(gpu, "DETAILED_MAX", 2)
    ready_plan = prepare_cached(six_seat_plan(CMS))
    cpu_totals, gpu_totals = Totals(ready_plan), Totals(ready_plan)
    cpu_totals.add(ready_plan.job.play(0, 300_000))
    assert cpu_totals.shared_rounds > 2
    gpu_totals.add(on_one_thread(kernels(ready_plan), tmp_path, 0, 300_000, SHARED_MEMORY))
    assert gpu_totals.document() == cpu_totals.document()


def test_too_little_shared_memory_is_refused() -> None:
    with pytest.raises(
        PitbookError, match="this GPU has too little shared memory per multiprocessor"
    ):
        gpu.source_of(kernels(prepare_cached(six_seat_plan(MHL))), 1_000)


@pytest.mark.long
def test_gpu_pieces_are_large_enough() -> None:
    assert (
        gpu.piece_size(kernels(prepare_cached(single_seat_plan(OMS))))
        > gpu.piece_size(kernels(prepare_cached(six_seat_plan(OMS))))
        > 2**28
    )


def device() -> str | None:
    """The reason why there is no GPU to test on, or None."""
    try:
        import cupy  # type: ignore[import-not-found]

        cupy.cuda.runtime.getDeviceCount()
    except ImportError:
        return "CuPy is not installed"
    except Exception as error:  # noqa: BLE001  CuPy's errors are its own.
        return f"there is no GPU here: {error}"
    return None


@pytest.mark.skipif(device() is not None, reason=str(device()))
@pytest.mark.parametrize("name", PLANS)
def test_gpu_counts_the_same(name: str) -> None:
    ready_plan = ready_plan_of(name)
    cpu_totals, gpu_totals = Totals(ready_plan), Totals(ready_plan)
    play_on(cpu_totals, 1_000_001)
    play_on(gpu_totals, 1_000_001, on="gpu", piece=400_000)
    assert gpu_totals.document() == cpu_totals.document()


class NoDevice:
    """CuPy on a machine without a GPU."""

    class cuda:  # noqa: N801
        class runtime:  # noqa: N801
            class CUDARuntimeError(Exception):
                pass

        @staticmethod
        def Device() -> None:  # noqa: N802
            raise NoDevice.cuda.runtime.CUDARuntimeError("no CUDA-capable device is detected")


@pytest.mark.long
def test_missing_gpu_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(gpu, "load_extra", lambda _: NoDevice)
    with pytest.raises(PitbookError, match="No GPU is available: no CUDA-capable"):
        next(gpu.play(kernels(prepare_cached(single_seat_plan(STAX))), [(0, 1)]))
