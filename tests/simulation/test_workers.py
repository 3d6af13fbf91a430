"""The totals do not depend on the workers or on the size of pieces."""

from __future__ import annotations

import copy
import os
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from tests.sheets.samples import CMS, IDS, LAS, MHL, OMS
from tests.simulation.plans import (
    ODD,
    prepare_cached,
    prepared_odd,
    single_seat_plan,
    six_seat_plan,
)

from pitbook.errors import PitbookError
from pitbook.simulation import ray_cluster
from pitbook.simulation.job import Tally
from pitbook.simulation.plan import Plan, SimulationError
from pitbook.simulation.prepare import prepare_job
from pitbook.simulation.run import core_count, play_on, round_nets, run
from pitbook.simulation.totals import Totals

ROUNDS = 300_001
# A lost node is detected after a second instead of half a minute.
FAST_HEALTH_CHECKS = {"initial_delay_ms": "500", "period_ms": "300", "failure_threshold": "3"}
PLANS: dict[str, Callable[[], Plan]] = {
    "one seat": lambda: single_seat_plan(CMS),
    "six seats": lambda: six_seat_plan(CMS),
    "hi-lo": lambda: six_seat_plan(MHL),
    "mistakes": lambda: six_seat_plan(LAS, "best:0.05"),
}


def count_rounds(plan: Plan, **options: Any) -> dict[str, Any]:
    totals = Totals(prepare_cached(plan))
    play_on(totals, ROUNDS, **options)
    assert totals.rounds == ROUNDS
    return totals.document()


@pytest.mark.long
@pytest.mark.parametrize("name", PLANS)
def test_one_two_and_five_workers(name: str) -> None:
    plan = PLANS[name]()
    single_worker = count_rounds(plan, workers=1)
    assert count_rounds(plan, workers=2) == single_worker
    assert count_rounds(plan, workers=5, piece=7_919) == single_worker


@pytest.mark.long
@pytest.mark.parametrize("piece", [1_000, 99_991])
def test_pieces_of_any_size(piece: int) -> None:
    assert count_rounds(six_seat_plan(OMS), piece=piece) == count_rounds(six_seat_plan(OMS))


@pytest.mark.long
def test_two_runs_equal_one_run() -> None:
    totals = Totals(prepare_cached(six_seat_plan(MHL)))
    play_on(totals, 10_000, piece=3_000)
    play_on(totals, ROUNDS)
    assert totals.document() == count_rounds(six_seat_plan(MHL))
    play_on(totals, 5)
    assert totals.rounds == ROUNDS


def test_an_interruption_leaves_the_pieces_that_were_finished() -> None:
    totals = Totals(prepare_cached(single_seat_plan(OMS)))

    def stop_after(current: Totals) -> None:
        if current.rounds >= 20_000:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        play_on(totals, ROUNDS, piece=10_000, workers=2, on_progress=stop_after)
    assert 20_000 <= totals.rounds < ROUNDS
    assert totals.counts.sum() == totals.rounds
    play_on(totals, ROUNDS)
    assert totals.document() == count_rounds(single_seat_plan(OMS))


@pytest.mark.long
def test_nets_round_by_round_add_up_to_the_totals() -> None:
    for plan in (six_seat_plan(CMS), single_seat_plan(CMS), six_seat_plan(MHL)):
        all_nets = round_nets(plan, 0, 50_000)
        amounts, times = np.unique(all_nets, return_counts=True)
        totals = run(plan, 50_000)
        assert list(totals.nets()) == list(zip(amounts.tolist(), times.tolist(), strict=True))
        assert all_nets[17:20].tolist() == round_nets(prepare_job(plan), 17, 20).tolist()


@pytest.mark.parametrize(
    ("options", "reason"),
    [
        ({"workers": 0}, "The number of workers must be 1 to 1,024, not 0"),
        ({"rounds": 0}, "The number of rounds must be 1 to 1,125,899,906,842,624, not 0"),
        ({"rounds": 2**60}, "The number of rounds must be 1 to 1,125,899,906,842,624, not 1,152"),
    ],
)
def test_invalid_rounds_and_workers_are_refused(options: dict[str, Any], reason: str) -> None:
    arguments = {"rounds": 10, **options}
    with pytest.raises(SimulationError, match=reason):
        run(single_seat_plan(CMS), **arguments)


@pytest.mark.slow
def test_memory_does_not_grow_with_the_rounds() -> None:
    """A separate process plays a few million rounds of six seats within 1 GiB."""
    code = (
        "import re, pitbook\n"
        "from pitbook.simulation.plan import plan\n"
        "from pitbook.simulation.run import run\n"
        "def peak():\n"  # Of this process: what getrusage tells begins with its parent's.
        "    return re.search(r'VmHWM:\\s+(\\d+) kB', open('/proc/self/status').read())[1]\n"
        f"made = plan(pitbook.load('{CMS}'), seats=6, seed=1)\n"
        "run(made, 200_000)\n"
        "before = peak()\n"
        "run(made, 3_000_000)\n"
        "print(before, peak())\n"
    )
    done = subprocess.run([sys.executable, "-c", code], check=True, capture_output=True, text=True)
    before, after = (int(kilobytes) * 1024 for kilobytes in done.stdout.split())
    assert after < 2**30
    assert after - before < 2**26


def test_machine_code_cache_depends_on_the_sources(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    from pitbook.exact import jit
    from pitbook.simulation.kernels import jit as kernel_jit

    monkeypatch.setenv("NUMBA_CACHE_DIR", str(tmp_path))
    find = kernel_jit.kernel_folder.__wrapped__
    first = find()
    assert first is not None
    assert first.parent == tmp_path / "pitbook"
    folders: set[Path | None] = {first}
    simulate_folder = Path(kernel_jit.__file__).parents[1]
    for number, changed in enumerate(("kernels/cards.py", "kernel_tables.py")):
        copied = tmp_path / f"copy-{number}"
        for source in (*simulate_folder.glob("kernels/*.py"), simulate_folder / "kernel_tables.py"):
            name = source.relative_to(simulate_folder).as_posix()
            (copied / name).parent.mkdir(parents=True, exist_ok=True)
            (copied / name).write_bytes(source.read_bytes() + b"#" * (name == changed))
        with monkeypatch.context() as patches:
            patches.setattr(kernel_jit, "__file__", str(copied / "kernels" / "jit.py"))
            folders.add(find())
    assert len(folders - {None}) == 3
    monkeypatch.setattr(jit, "cache_places", lambda: [Path(os.devnull)])
    assert find() is None


# A Ray cluster -----------------------------------------------------------------------------------


@pytest.fixture
def cluster(monkeypatch: pytest.MonkeyPatch) -> Iterator[Any]:
    """Two nodes of one core each, on this machine."""
    monkeypatch.setenv("RAY_ENABLE_UV_RUN_RUNTIME_ENV", "0")
    monkeypatch.setenv("RAY_ACCEL_ENV_VAR_OVERRIDE_ON_ZERO", "0")
    for name, count in FAST_HEALTH_CHECKS.items():
        monkeypatch.setenv(f"RAY_health_check_{name}", count)
    from ray.cluster_utils import Cluster

    ray_cluster_started = Cluster(
        initialize_head=True, head_node_args={"num_cpus": 1, "include_dashboard": False}
    )
    yield ray_cluster_started
    ray_cluster_started.shutdown()  # type: ignore[no-untyped-call,unused-ignore]


@pytest.mark.slow
@pytest.mark.filterwarnings("ignore::ResourceWarning")
@pytest.mark.filterwarnings("ignore::pytest.PytestUnraisableExceptionWarning")
def test_ray_with_a_node_killed_half_way(cluster: Any) -> None:
    """Two nodes share the pieces; one is killed while playing, and no round is lost or counted
    twice.
    """
    node = cluster.add_node(num_cpus=1)
    plan, killed = six_seat_plan(CMS), list[int]()
    totals = Totals(prepare_cached(plan))

    def kill_node(current: Totals) -> None:
        if not killed and current.rounds > ROUNDS // 3:
            killed.append(current.rounds)
            cluster.remove_node(node, allow_graceful=False)

    play_on(totals, ROUNDS, on="ray", address=cluster.address, piece=10_000, on_progress=kill_node)
    assert killed
    assert killed[0] < ROUNDS
    assert totals.document() == count_rounds(plan, workers=1)


def test_missing_cluster_is_refused() -> None:
    with pytest.raises(
        PitbookError, match=r"No Ray cluster answers at 127.0.0.1:1: Connection refused"
    ):
        count_rounds(single_seat_plan(CMS), on="ray", address="127.0.0.1:1")


class LostRay:
    """A cluster whose worker has no Pitbook."""

    class exceptions:  # noqa: N801
        class RayError(Exception):
            pass

    def get(self, reference: object) -> Tally:
        raise self.exceptions.RayError("a long story\nNo module named 'pitbook'")


def test_worker_error_has_one_sentence() -> None:
    with pytest.raises(
        PitbookError, match="A worker of the Ray cluster failed: No module named 'pitbook'"
    ):
        ray_cluster._tally_of(LostRay(), object())


@pytest.mark.long
def test_jobs_with_read_only_arrays_play_alike() -> None:
    job = prepare_cached(six_seat_plan(CMS)).job
    sent = copy.deepcopy(job)
    for table in sent.tables.arrays:  # type: ignore[union-attr]
        table.flags.writeable = False
    assert (sent.with_own_arrays().play(0, 999).counts == job.play(0, 999).counts).all()
    assert sent.digest == job.digest
    assert {len(prepare_job(PLANS[name]()).job.digest) for name in PLANS} == {64}


def test_cores_without_cpu_affinity(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.delattr(os, "sched_getaffinity", raising=False)
    assert core_count() == (os.cpu_count() or 1)


@pytest.mark.long
def test_odd_plans_do_not_depend_on_workers() -> None:
    for name in ODD:
        single_worker, three_workers = (Totals(prepared_odd(name)) for _ in range(2))
        play_on(single_worker, 20_000, workers=1)
        play_on(three_workers, 20_000, workers=3, piece=1_111)
        assert single_worker.document() == three_workers.document(), name


def test_a_bundled_sheet_has_another_digest_than_another() -> None:
    assert len({prepare_cached(six_seat_plan(name)).job.digest for name in IDS}) == len(IDS)
