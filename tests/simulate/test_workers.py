"""Whoever plays the rounds, in whatever pieces: the totals are the same."""

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
from tests.simulate.plans import ODD, alone, laid, readied, six

from pitbook.errors import PitbookError
from pitbook.simulate import ray_cluster
from pitbook.simulate.job import Tally
from pitbook.simulate.plan import Plan, SimulationError
from pitbook.simulate.prepare import ready
from pitbook.simulate.run import cores, nets, play_on, run
from pitbook.simulate.totals import Totals

ROUNDS = 300_001
# A node that is gone is missed after a second, not after half a minute.
SOON_MISSED = {"initial_delay_ms": "500", "period_ms": "300", "failure_threshold": "3"}
PLANS: dict[str, Callable[[], Plan]] = {
    "one seat": lambda: alone(CMS),
    "six seats": lambda: six(CMS),
    "hi-lo": lambda: six(MHL),
    "mistakes": lambda: six(LAS, "best:0.05"),
}


def counted(plan: Plan, **how: Any) -> dict[str, Any]:
    totals = Totals(laid(plan))
    play_on(totals, ROUNDS, **how)
    assert totals.rounds == ROUNDS
    return totals.document()


@pytest.mark.long
@pytest.mark.parametrize("name", PLANS)
def test_one_two_and_five_workers(name: str) -> None:
    plan = PLANS[name]()
    one = counted(plan, workers=1)
    assert counted(plan, workers=2) == one
    assert counted(plan, workers=5, piece=7_919) == one


@pytest.mark.long
@pytest.mark.parametrize("piece", [1_000, 99_991])
def test_pieces_of_any_size(piece: int) -> None:
    assert counted(six(OMS), piece=piece) == counted(six(OMS))


@pytest.mark.long
def test_rounds_played_in_two_goes_are_rounds_played_in_one() -> None:
    totals = Totals(laid(six(MHL)))
    play_on(totals, 10_000, piece=3_000)
    play_on(totals, ROUNDS)
    assert totals.document() == counted(six(MHL))
    play_on(totals, 5)
    assert totals.rounds == ROUNDS


def test_an_interruption_leaves_the_pieces_that_were_finished() -> None:
    totals = Totals(laid(alone(OMS)))

    def told(now: Totals) -> None:
        if now.rounds >= 20_000:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        play_on(totals, ROUNDS, piece=10_000, workers=2, told=told)
    assert 20_000 <= totals.rounds < ROUNDS
    assert totals.counts.sum() == totals.rounds
    play_on(totals, ROUNDS)
    assert totals.document() == counted(alone(OMS))


@pytest.mark.long
def test_nets_round_by_round_add_up_to_the_totals() -> None:
    for plan in (six(CMS), alone(CMS), six(MHL)):
        found = nets(plan, 0, 50_000)
        amounts, times = np.unique(found, return_counts=True)
        totals = run(plan, 50_000)
        assert list(totals.nets()) == list(zip(amounts.tolist(), times.tolist(), strict=True))
        assert found[17:20].tolist() == nets(ready(plan), 17, 20).tolist()


@pytest.mark.parametrize(
    ("how", "reason"),
    [
        ({"workers": 0}, "workers are 1 to 1,024, not 0"),
        ({"rounds": 0}, "rounds are 1 to"),
        ({"rounds": 2**60}, "rounds are 1 to"),
    ],
)
def test_what_cannot_be_played_is_refused(how: dict[str, Any], reason: str) -> None:
    given = {"rounds": 10, **how}
    with pytest.raises(SimulationError, match=reason):
        run(alone(CMS), **given)


@pytest.mark.slow
def test_memory_does_not_grow_with_the_rounds() -> None:
    """A process of its own plays a few million rounds of six seats within 1 GiB, and says so."""
    code = (
        "import re, pitbook\n"
        "from pitbook.simulate.plan import plan\n"
        "from pitbook.simulate.run import run\n"
        "def peak():\n"  # Of this process: what getrusage tells begins with its parent's.
        "    return re.search(r'VmHWM:\\s+(\\d+) kB', open('/proc/self/status').read())[1]\n"
        f"made = plan(pitbook.load('{CMS}'), seats=6, seed=1)\n"
        "run(made, 200_000)\n"
        "before = peak()\n"
        "run(made, 3_000_000)\n"
        "print(before, peak())\n"
    )
    done = subprocess.run([sys.executable, "-c", code], check=True, capture_output=True, text=True)
    before, after = (int(one) * 1024 for one in done.stdout.split())
    assert after < 2**30
    assert after - before < 2**26


def test_machine_code_is_kept_apart_for_every_state_of_the_sources(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    from pitbook.exact import jit
    from pitbook.simulate.kernels import jit as kernel_jit

    monkeypatch.setenv("NUMBA_CACHE_DIR", str(tmp_path))
    find = kernel_jit.kept_in.__wrapped__
    first = find()
    assert first is not None
    assert first.parent == tmp_path / "pitbook"
    found: set[Path | None] = {first}
    here = Path(kernel_jit.__file__).parents[1]
    for number, changed in enumerate(("kernels/cards.py", "tables.py")):
        copied = tmp_path / f"copy-{number}"
        for source in (*here.glob("kernels/*.py"), here / "tables.py"):
            name = source.relative_to(here).as_posix()
            (copied / name).parent.mkdir(parents=True, exist_ok=True)
            (copied / name).write_bytes(source.read_bytes() + b"#" * (name == changed))
        with monkeypatch.context() as moved:
            moved.setattr(kernel_jit, "__file__", str(copied / "kernels" / "jit.py"))
            found.add(find())
    assert len(found - {None}) == 3
    monkeypatch.setattr(jit, "cache_places", lambda: [Path(os.devnull)])
    assert find() is None


# A Ray cluster -----------------------------------------------------------------------------------


@pytest.fixture
def cluster(monkeypatch: pytest.MonkeyPatch) -> Iterator[Any]:
    """Two nodes of one core each, on this machine."""
    monkeypatch.setenv("RAY_ENABLE_UV_RUN_RUNTIME_ENV", "0")
    monkeypatch.setenv("RAY_ACCEL_ENV_VAR_OVERRIDE_ON_ZERO", "0")
    for name, count in SOON_MISSED.items():
        monkeypatch.setenv(f"RAY_health_check_{name}", count)
    from ray.cluster_utils import Cluster

    made = Cluster(initialize_head=True, head_node_args={"num_cpus": 1, "include_dashboard": False})
    yield made
    made.shutdown()  # type: ignore[no-untyped-call,unused-ignore]


@pytest.mark.slow
@pytest.mark.filterwarnings("ignore::ResourceWarning")
@pytest.mark.filterwarnings("ignore::pytest.PytestUnraisableExceptionWarning")
def test_ray_with_a_node_killed_half_way(cluster: Any) -> None:
    """Two nodes share the pieces; one is killed while it plays, and nothing is lost or doubled."""
    node = cluster.add_node(num_cpus=1)
    plan, killed = six(CMS), list[int]()
    totals = Totals(laid(plan))

    def told(now: Totals) -> None:
        if not killed and now.rounds > ROUNDS // 3:
            killed.append(now.rounds)
            cluster.remove_node(node, allow_graceful=False)

    play_on(totals, ROUNDS, on="ray", address=cluster.address, piece=10_000, told=told)
    assert killed
    assert killed[0] < ROUNDS
    assert totals.document() == counted(plan, workers=1)


def test_no_cluster_is_said_in_a_sentence() -> None:
    with pytest.raises(PitbookError, match=r"no Ray cluster answers at 127\.0\.0\.1:1"):
        counted(alone(CMS), on="ray", address="127.0.0.1:1")


class LostRay:
    """A cluster whose worker has no Pitbook."""

    class exceptions:  # noqa: N801
        class RayError(Exception):
            pass

    def get(self, one: object) -> Tally:
        raise self.exceptions.RayError("a long story\nNo module named 'pitbook'")


def test_a_worker_that_cannot_play_is_said_in_a_sentence() -> None:
    with pytest.raises(PitbookError, match="could not play: No module named 'pitbook'"):
        ray_cluster._got(LostRay(), object())


@pytest.mark.long
def test_jobs_that_came_over_a_wire_are_played_alike() -> None:
    job = laid(six(CMS)).job
    sent = copy.deepcopy(job)
    for table in sent.tables.arrays:  # type: ignore[union-attr]
        table.flags.writeable = False
    assert (sent.owned().play(0, 999).counts == job.play(0, 999).counts).all()
    assert sent.digest == job.digest
    assert {len(ready(PLANS[name]()).job.digest) for name in PLANS} == {64}


def test_cores_are_counted_where_nobody_says_whose_they_are(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.delattr(os, "sched_getaffinity", raising=False)
    assert cores() == (os.cpu_count() or 1)


@pytest.mark.long
def test_odd_plans_are_shared_out_too() -> None:
    for name in ODD:
        one, two = (Totals(readied(name)) for _ in range(2))
        play_on(one, 20_000, workers=1)
        play_on(two, 20_000, workers=3, piece=1_111)
        assert one.document() == two.document(), name


def test_a_bundled_sheet_has_another_digest_than_another() -> None:
    assert len({laid(six(name)).job.digest for name in IDS}) == len(IDS)
