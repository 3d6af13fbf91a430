"""Totals are integers: ranges, distributions, saved totals and Parquet files."""

from __future__ import annotations

import json
from collections import Counter
from fractions import Fraction
from importlib import import_module
from itertools import pairwise
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.sheets.samples import CMS, MHL, OMS
from tests.simulation.plans import (
    SEED,
    bundled_sheet,
    kernels,
    prepare_cached,
    single_seat_plan,
    six_seat_plan,
)

from pitbook.errors import PitbookError
from pitbook.money import Cents, dollars, money
from pitbook.simulation.answer import simulation_answer
from pitbook.simulation.job import Job
from pitbook.simulation.kernel_tables import KernelTable
from pitbook.simulation.plan import SimulationError, plan
from pitbook.simulation.prepare import ReadyPlan, prepare_job
from pitbook.simulation.run import load_totals, play_on, round_nets, run, save_totals
from pitbook.simulation.totals import Distribution, Ranges, Totals, outcome_counts


@given(st.lists(st.integers(-(10**9), 10**9), min_size=1, max_size=60))
def test_distribution_matches_the_statistics_module(amounts: list[int]) -> None:
    import statistics

    distribution = Distribution.of(Counter(amounts))
    assert distribution.rounds == len(amounts)
    assert distribution.total == sum(amounts)
    assert distribution.mean == Fraction(sum(amounts), len(amounts))
    spread = statistics.pvariance([Fraction(amount) for amount in amounts])
    assert distribution.variance == spread
    assert distribution.deviation == pytest.approx(float(spread) ** 0.5, rel=1e-9, abs=1e-6)
    ordered = sorted(amounts)
    for share in (Fraction(0), Fraction(1, 100), Fraction(1, 2), Fraction(1)):
        place = max(0, -(-share * len(ordered) // 1) - 1)
        assert distribution.quantile(share) == ordered[int(place)]
    assert distribution.share(above=0) + distribution.share(below=0) <= 1


@given(st.lists(st.integers(1, 50), min_size=1, max_size=20), st.randoms(use_true_random=False))
def test_ranges_grow_together_in_any_order(sizes: list[int], luck: Any) -> None:
    edges = np.cumsum([0, *sizes]).tolist()
    pieces = list(pairwise(edges))
    luck.shuffle(pieces)
    ranges = Ranges()
    for count, (start, stop) in enumerate(pieces):
        ranges.add(start, stop)
        remaining = list(ranges.remaining(0, edges[-1], 7))
        assert sum(b - a for a, b in remaining) + len(ranges) == edges[-1]
        assert all(b % 7 == 0 or b in edges for _, b in remaining)
        restored = Ranges.from_document(json.loads(json.dumps(ranges.document())))
        assert restored.document() == ranges.document()
        assert count + 1 < len(pieces) or ranges.document() == [[0, edges[-1]]]
    with pytest.raises(AssertionError, match="counted twice"):
        ranges.add(0, 1)


def test_invalid_ranges_are_refused() -> None:
    for wrong in ([[3, 1]], [["a", 2]], [[0, 5], [3, 9]], "x", [[1, 2, 3]]):
        with pytest.raises(PitbookError, match="not ranges of round numbers"):
            Ranges.from_document(wrong)  # type: ignore[arg-type]


@pytest.mark.long
def test_totals_are_saved_and_resumed(tmp_path: Path) -> None:
    path, ready_plan = tmp_path / "night.json", prepare_cached(six_seat_plan(CMS))
    assert load_totals(path, ready_plan).rounds == 0
    totals = Totals(ready_plan)
    play_on(totals, 100_000)
    save_totals(path, totals)
    reloaded = load_totals(path, prepare_cached(six_seat_plan(CMS)))
    assert reloaded.document() == totals.document()
    assert totals.shared_rounds > 0
    play_on(reloaded, 200_000)
    assert reloaded.document() == run(six_seat_plan(CMS), 200_000).document()
    assert list(tmp_path.iterdir()) == [path]


def test_a_file_of_another_plan_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "night.json"
    save_totals(path, run(six_seat_plan(CMS), 1_000))
    with pytest.raises(SimulationError, match="was saved with sheet catfish-bend"):
        load_totals(path, prepare_cached(six_seat_plan(OMS)))
    other = plan(bundled_sheet(CMS), ante=Cents(100_00), side={}, seats=6, seed=SEED)
    with pytest.raises(SimulationError, match="was saved with side"):
        load_totals(path, prepare_job(other))
    document = json.loads(path.read_text())
    path.write_text(json.dumps({**document, "digest": "0"}))
    with pytest.raises(SimulationError, match="saved under different rules"):
        load_totals(path, prepare_cached(six_seat_plan(CMS)))
    path.write_text(json.dumps({**document, "format": 2}))
    with pytest.raises(SimulationError, match="has format 2, but this version uses 1"):
        load_totals(path, prepare_cached(six_seat_plan(CMS)))


@pytest.mark.parametrize("text", ["", "[]", "{}", '{"format": 1}', '{"format": 1, "plan": {}}'])
def test_file_without_totals_is_refused(tmp_path: Path, text: str) -> None:
    path = tmp_path / "night.json"
    path.write_text(text)
    with pytest.raises(SimulationError, match="does not contain simulation totals"):
        load_totals(path, prepare_cached(single_seat_plan(CMS)))


def test_unreadable_and_unwritable_paths_are_refused(tmp_path: Path) -> None:
    with pytest.raises(SimulationError, match="cannot be read: Is a directory"):
        load_totals(tmp_path, prepare_cached(single_seat_plan(CMS)))
    with pytest.raises(SimulationError, match="cannot be written: No such file"):
        save_totals(tmp_path / "no" / "night.json", run(single_seat_plan(CMS), 10))
    binary = tmp_path / "binary"
    binary.write_bytes(b"\xff\xfe")
    with pytest.raises(SimulationError, match="it is not text"):
        load_totals(binary, prepare_cached(single_seat_plan(CMS)))


@pytest.mark.long
def test_figures_match_the_rounds() -> None:
    """The summary of six capped seats, computed again from 20,000 single rounds."""
    totals = run(six_seat_plan(MHL), 20_000)
    net_array = round_nets(six_seat_plan(MHL), 0, 20_000)
    figures = simulation_answer(totals, hands_per_hour=50).document()
    assert dollars(figures["net"]["total"].lstrip("-")) == abs(int(net_array.sum()))
    assert figures["net"]["mean"] == pytest.approx(net_array.mean() / 100)
    assert figures["net"]["standard_deviation"] == pytest.approx(net_array.std() / 100)
    assert figures["net"]["least"] == money(int(net_array.min()))
    assert figures["net"]["most"] == money(int(net_array.max()))
    assert figures["net"]["win"] == pytest.approx((net_array > 0).mean())
    median = np.sort(net_array)[len(net_array) // 2 - 1]
    assert figures["net"]["quantiles"]["0.5"] == money(int(median))
    assert figures["hour"]["house_wins"] == pytest.approx(-net_array.mean() / 2)
    assert figures["hour"]["standard_deviation"] == pytest.approx(net_array.std() * 50**0.5 / 100)
    assert sum(seat_figures["mean"] for seat_figures in figures["seats"]) == pytest.approx(
        net_array.mean() / 100
    )
    assert sum(row["count"] for row in figures["wagers"]["main"]) == 6 * 20_000
    staked = float(figures["staked"])
    assert figures["hold"] == pytest.approx(-net_array.sum() / 100 / staked)


@pytest.mark.long
def test_caps_are_reported_by_clause() -> None:
    hand = run(six_seat_plan(OMS), 10**6)
    (cap,) = simulation_answer(hand, hands_per_hour=40).document()["caps"]["bites"]
    assert cap["clause"] == "OMS-9"
    assert cap["times"] > 0
    assert float(cap["withheld"]) == float(cap["due"]) - float(cap["paid"])
    shared = run(six_seat_plan(CMS), 10**6)
    assert shared.shared_rounds == shared.caps()["CMS-12"].times > 0
    assert int(shared.withheld.sum()) == shared.caps()["CMS-12"].due - shared.caps()["CMS-12"].paid


def with_small_window(ready_plan: ReadyPlan, window: int) -> ReadyPlan:
    """The same job with a smaller window, so that more nets are reported one by one."""
    job = kernels(ready_plan)
    tables = job.tables
    assert isinstance(tables, KernelTable)
    small = KernelTable(tables.arrays, tables.step, tables.floor, window)
    return ready_plan._replace(job=Job(job.seed, job.seats, job.cells, small))


@pytest.mark.long
def test_nets_above_the_window_are_counted_all_the_same(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("pitbook.simulation.job.REPORTED_MAX", 1_000)
    full_window, small_window = (
        Totals(prepare_cached(six_seat_plan(CMS))),
        Totals(with_small_window(prepare_cached(six_seat_plan(CMS)), 40)),
    )
    for totals in (full_window, small_window):
        play_on(totals, 50_000, workers=1)
    assert len(small_window.other_nets) > len(full_window.other_nets)
    assert full_window.nets() == small_window.nets()
    assert (full_window.counts == small_window.counts).all()


@pytest.mark.long
def test_parquet_rounds_match_the_totals(tmp_path: Path) -> None:
    pq, pc = import_module("pyarrow.parquet"), import_module("pyarrow.compute")

    totals = Totals(prepare_cached(six_seat_plan(CMS)))
    play_on(totals, 150_000, parquet=tmp_path / "rounds", workers=2)
    assert len(sorted((tmp_path / "rounds").iterdir())) == 3
    table = pq.read_table(tmp_path / "rounds").sort_by(
        [("round", "ascending"), ("seat", "ascending")]
    )
    assert table.num_rows == 6 * 150_000
    net = table["net"].to_numpy().reshape(-1, 6)
    assert (net.sum(axis=1) == round_nets(six_seat_plan(CMS), 0, 150_000)).all()
    assert table["withheld"].to_numpy().sum() == totals.withheld.sum()
    assert table["staked"].to_numpy().min() == 105_00
    folds = pc.sum(pc.equal(table["outcome"], "fold")).as_py()
    assert folds == outcomes_of(totals, "main")["fold"]
    bonus = {
        value_count["values"]: value_count["counts"]
        for value_count in pc.value_counts(table["three-card-bonus"]).to_pylist()
    }
    assert bonus == outcomes_of(totals, "three-card-bonus")


def outcomes_of(totals: Totals, wager: str) -> Counter[str]:
    counts: Counter[str] = Counter()
    for outcome, times in outcome_counts(totals).items():
        if outcome.wager == wager:
            counts[outcome.outcome] += times
    return counts


def test_parquet_folder_that_cannot_be_created_is_refused(tmp_path: Path) -> None:
    (tmp_path / "taken").write_text("")
    with pytest.raises(SimulationError, match="is not a folder"):
        play_on(Totals(prepare_cached(single_seat_plan(CMS))), 10, parquet=tmp_path / "taken")
