"""The GPU's kernels: compiled for this machine's processor, they count alike; on a GPU too."""

from __future__ import annotations

import ctypes
import shutil
import subprocess
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from tests.sheets.samples import CMS, IDS, LAS, MHL, OMS, STAX
from tests.simulate.plans import ODD, alone, kernels, laid, readied, six

from pitbook.errors import PitbookError
from pitbook.simulate import gpu
from pitbook.simulate.job import Job, Tally
from pitbook.simulate.prepare import ReadyPlan, ready
from pitbook.simulate.run import play_on
from pitbook.simulate.totals import Totals

COMPILER = shutil.which("c++") or shutil.which("g++") or shutil.which("clang++")
OWN_MEMORY = 232_448  # What a block may have on the machine that this is meant for.

# CUDA's words for one thread of one block, so that any C++ compiler can read the kernels.
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
SOME = [f"{CMS}, alone", f"{LAS}, six", f"{MHL}, six", "three hole cards", "mistakes at a table"]
SOME += ["one seat with a bonus on the board", "mistakes at hi-lo", "bets taken back, alone"]


def made_of(name: str) -> ReadyPlan:
    sheet, _, seats = name.rpartition(", ")
    if name in ODD:
        return readied(name)
    return ready(alone(sheet) if seats == "alone" else six(sheet))


def on_one_thread(job: Job, folder: Path, start: int, stop: int, memory: int) -> Tally:
    """What the GPU's kernel counts when one thread of this machine runs it."""
    source = gpu.source_of(job, memory, threads=1)
    assert source.shared <= memory
    text, library = folder / "rounds.cpp", folder / "rounds.so"
    text.write_text(ONE_THREAD + source.text)
    flags = ["-O0", "-w", "-shared", "-fPIC", "-o", str(library), str(text)]
    subprocess.run([str(COMPILER), *flags], check=True)
    kernel = getattr(ctypes.CDLL(str(library)), source.name)
    keeping: list[Any] = []

    class Host:
        """As much of CuPy as a launch needs, with the host's memory for the device's."""

        zeros = staticmethod(np.zeros)
        asnumpy = staticmethod(np.asarray)

    def launch(*given: Any) -> None:
        keeping.extend(given)
        kernel(*(_argument(one) for one in given))

    play = gpu._one_seat if source.name == "alone" else gpu._table
    return play(Host, job, launch, gpu._arrays(job), (start, stop))


def _argument(one: Any) -> Any:
    return ctypes.c_void_p(one.ctypes.data) if one.shape else ctypes.c_uint64(int(one))


@pytest.mark.long
@needs_compiler
@pytest.mark.parametrize(
    "name", [one if one in SOME else pytest.param(one, marks=pytest.mark.slow) for one in PLANS]
)
def test_the_kernels_of_a_gpu_count_alike(tmp_path: Path, name: str) -> None:
    made = made_of(name)
    ours, theirs = Totals(made), Totals(made)
    start, stop = 2**35 + 11, 2**35 + 20_012
    ours.add(made.job.play(start, stop))
    theirs.add(on_one_thread(kernels(made), tmp_path, start, stop, OWN_MEMORY))
    assert theirs.document() == ours.document()


@pytest.mark.long
@needs_compiler
@pytest.mark.parametrize("name", [f"{CMS}, alone", f"{CMS}, six", f"{MHL}, six"])
def test_with_little_memory_of_their_own_they_count_alike(tmp_path: Path, name: str) -> None:
    made = made_of(name)
    ours, theirs = Totals(made), Totals(made)
    ours.add(made.job.play(0, 5_000))
    theirs.add(on_one_thread(kernels(made), tmp_path, 0, 5_000, 24_000))
    assert theirs.document() == ours.document()


@pytest.mark.long
@needs_compiler
def test_a_piece_with_too_much_to_tell_is_halved(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(gpu, "TOLD_MAX", 2)
    made = laid(six(CMS))
    ours, theirs = Totals(made), Totals(made)
    ours.add(made.job.play(0, 300_000))
    assert ours.shared_rounds > 2
    theirs.add(on_one_thread(kernels(made), tmp_path, 0, 300_000, OWN_MEMORY))
    assert theirs.document() == ours.document()


def test_a_multiprocessor_without_room_is_said_so() -> None:
    with pytest.raises(PitbookError, match="too little memory of their own"):
        gpu.source_of(kernels(laid(six(MHL))), 1_000)


@pytest.mark.long
def test_pieces_keep_a_gpu_busy() -> None:
    assert gpu.piece_of(kernels(laid(alone(OMS)))) > gpu.piece_of(kernels(laid(six(OMS)))) > 2**28


def device() -> str | None:
    """Why there is no GPU to test on; None where there is one."""
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
def test_a_gpu_counts_alike(name: str) -> None:
    made = made_of(name)
    ours, theirs = Totals(made), Totals(made)
    play_on(ours, 1_000_001)
    play_on(theirs, 1_000_001, on="gpu", piece=400_000)
    assert theirs.document() == ours.document()


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
def test_without_a_gpu_it_is_said_in_a_sentence(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(gpu, "load_extra", lambda _: NoDevice)
    with pytest.raises(PitbookError, match="finds no GPU that can be used: no CUDA-capable"):
        next(gpu.played(kernels(laid(alone(STAX))), [(0, 1)]))
