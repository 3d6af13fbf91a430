"""Totals in whole numbers: ranges, distributions, what is kept on disk, and rounds on record."""

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
from tests.simulate.plans import SEED, alone, bundled, kernels, laid, six

from pitbook.errors import PitbookError
from pitbook.money import Cents, dollars, money
from pitbook.simulate.job import Job
from pitbook.simulate.plan import SimulationError, plan
from pitbook.simulate.prepare import ReadyPlan, ready
from pitbook.simulate.run import keep, kept, nets, play_on, run
from pitbook.simulate.summary import outcome_counts, summary
from pitbook.simulate.tables import KernelTable
from pitbook.simulate.totals import Distribution, Ranges, Totals


@given(st.lists(st.integers(-(10**9), 10**9), min_size=1, max_size=60))
def test_a_distribution_is_what_statistics_says(amounts: list[int]) -> None:
    import statistics

    found = Distribution.of(Counter(amounts))
    assert found.rounds == len(amounts)
    assert found.total == sum(amounts)
    assert found.mean == Fraction(sum(amounts), len(amounts))
    spread = statistics.pvariance([Fraction(one) for one in amounts])
    assert found.variance == spread
    assert found.deviation == pytest.approx(float(spread) ** 0.5, rel=1e-9, abs=1e-6)
    ordered = sorted(amounts)
    for share in (Fraction(0), Fraction(1, 100), Fraction(1, 2), Fraction(1)):
        place = max(0, -(-share * len(ordered) // 1) - 1)
        assert found.quantile(share) == ordered[int(place)]
    assert found.share(above=0) + found.share(below=0) <= 1


@given(st.lists(st.integers(1, 50), min_size=1, max_size=20), st.randoms(use_true_random=False))
def test_ranges_grow_together_in_any_order(sizes: list[int], luck: Any) -> None:
    edges = np.cumsum([0, *sizes]).tolist()
    pieces = list(pairwise(edges))
    luck.shuffle(pieces)
    ranges = Ranges()
    for count, (start, stop) in enumerate(pieces):
        ranges.add(start, stop)
        left = list(ranges.left(0, edges[-1], 7))
        assert sum(b - a for a, b in left) + len(ranges) == edges[-1]
        assert all(b % 7 == 0 or b in edges for _, b in left)
        again = Ranges.restored(json.loads(json.dumps(ranges.document())))
        assert again.document() == ranges.document()
        assert count + 1 < len(pieces) or ranges.document() == [[0, edges[-1]]]
    with pytest.raises(AssertionError, match="counted twice"):
        ranges.add(0, 1)


def test_ranges_that_are_none_are_refused() -> None:
    for wrong in ([[3, 1]], [["a", 2]], [[0, 5], [3, 9]], "x", [[1, 2, 3]]):
        with pytest.raises(PitbookError, match="no ranges of round numbers"):
            Ranges.restored(wrong)  # type: ignore[arg-type]


@pytest.mark.long
def test_totals_are_kept_and_gone_on_with(tmp_path: Path) -> None:
    path, made = tmp_path / "night.json", laid(six(CMS))
    assert kept(path, made).rounds == 0
    totals = Totals(made)
    play_on(totals, 100_000)
    keep(path, totals)
    again = kept(path, laid(six(CMS)))
    assert again.document() == totals.document()
    assert totals.shared_rounds > 0
    play_on(again, 200_000)
    assert again.document() == run(six(CMS), 200_000).document()
    assert list(tmp_path.iterdir()) == [path]


def test_a_file_of_another_plan_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "night.json"
    keep(path, run(six(CMS), 1_000))
    with pytest.raises(SimulationError, match="holds rounds with sheet catfish-bend"):
        kept(path, laid(six(OMS)))
    other = plan(bundled(CMS), ante=Cents(100_00), side={}, seats=6, seed=SEED)
    with pytest.raises(SimulationError, match="holds rounds with side"):
        kept(path, ready(other))
    document = json.loads(path.read_text())
    path.write_text(json.dumps({**document, "digest": "0"}))
    with pytest.raises(SimulationError, match="played by other rules"):
        kept(path, laid(six(CMS)))
    path.write_text(json.dumps({**document, "format": 2}))
    with pytest.raises(SimulationError, match="has format 2; this is 1"):
        kept(path, laid(six(CMS)))


@pytest.mark.parametrize("text", ["", "[]", "{}", '{"format": 1}', '{"format": 1, "plan": {}}'])
def test_a_file_of_something_else_is_refused(tmp_path: Path, text: str) -> None:
    path = tmp_path / "night.json"
    path.write_text(text)
    with pytest.raises(SimulationError, match="holds no totals of a simulation"):
        kept(path, laid(alone(CMS)))


def test_places_that_cannot_be_read_or_written_are_said(tmp_path: Path) -> None:
    with pytest.raises(SimulationError, match="cannot be read: Is a directory"):
        kept(tmp_path, laid(alone(CMS)))
    with pytest.raises(SimulationError, match="cannot be written: No such file"):
        keep(tmp_path / "no" / "night.json", run(alone(CMS), 10))
    binary = tmp_path / "binary"
    binary.write_bytes(b"\xff\xfe")
    with pytest.raises(SimulationError, match="it is no text"):
        kept(binary, laid(alone(CMS)))


@pytest.mark.long
def test_figures_are_those_of_the_rounds_themselves() -> None:
    """Everything the summary says of six capped seats, worked out from 20,000 single rounds."""
    totals = run(six(MHL), 20_000)
    each = nets(six(MHL), 0, 20_000)
    found = summary(totals, hands_per_hour=50)
    assert dollars(found["net"]["total"].lstrip("-")) == abs(int(each.sum()))
    assert found["net"]["mean"] == pytest.approx(each.mean() / 100)
    assert found["net"]["standard_deviation"] == pytest.approx(each.std() / 100)
    assert found["net"]["least"] == money(int(each.min()))
    assert found["net"]["most"] == money(int(each.max()))
    assert found["net"]["win"] == pytest.approx((each > 0).mean())
    median = np.sort(each)[len(each) // 2 - 1]
    assert found["net"]["quantiles"]["0.5"] == money(int(median))
    assert found["hour"]["house_wins"] == pytest.approx(-each.mean() / 2)
    assert found["hour"]["standard_deviation"] == pytest.approx(each.std() * 50**0.5 / 100)
    assert sum(one["mean"] for one in found["seats"]) == pytest.approx(each.mean() / 100)
    assert sum(row["count"] for row in found["wagers"]["main"]) == 6 * 20_000
    staked = float(found["staked"])
    assert found["hold"] == pytest.approx(-each.sum() / 100 / staked)


@pytest.mark.long
def test_caps_that_bite_are_told_by_clause() -> None:
    hand = run(six(OMS), 10**6)
    (bitten,) = summary(hand, hands_per_hour=40)["caps"]["bites"]
    assert bitten["clause"] == "OMS-9"
    assert bitten["times"] > 0
    assert float(bitten["withheld"]) == float(bitten["due"]) - float(bitten["paid"])
    shared = run(six(CMS), 10**6)
    assert shared.shared_rounds == shared.caps()["CMS-12"].times > 0
    assert int(shared.withheld.sum()) == shared.caps()["CMS-12"].due - shared.caps()["CMS-12"].paid


def shrunk(made: ReadyPlan, window: int) -> ReadyPlan:
    """The same job with room for fewer nets in place, so that more are told one by one."""
    job = kernels(made)
    tables = job.tables
    assert isinstance(tables, KernelTable)
    small = KernelTable(tables.arrays, tables.step, tables.floor, window)
    return made._replace(job=Job(job.seed, job.seats, job.cells, small))


@pytest.mark.long
def test_nets_above_the_window_are_counted_all_the_same(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("pitbook.simulate.job.TOLD_MAX", 1_000)
    whole, less = Totals(laid(six(CMS))), Totals(shrunk(laid(six(CMS)), 40))
    for totals in (whole, less):
        play_on(totals, 50_000, workers=1)
    assert len(less.others) > len(whole.others)
    assert whole.nets() == less.nets()
    assert (whole.counts == less.counts).all()


@pytest.mark.long
def test_rounds_on_record_are_the_rounds_that_were_counted(tmp_path: Path) -> None:
    pq, pc = import_module("pyarrow.parquet"), import_module("pyarrow.compute")

    totals = Totals(laid(six(CMS)))
    play_on(totals, 150_000, parquet=tmp_path / "rounds", workers=2)
    assert len(sorted((tmp_path / "rounds").iterdir())) == 3
    table = pq.read_table(tmp_path / "rounds").sort_by(
        [("round", "ascending"), ("seat", "ascending")]
    )
    assert table.num_rows == 6 * 150_000
    net = table["net"].to_numpy().reshape(-1, 6)
    assert (net.sum(axis=1) == nets(six(CMS), 0, 150_000)).all()
    assert table["withheld"].to_numpy().sum() == totals.withheld.sum()
    assert table["staked"].to_numpy().min() == 105_00
    folds = pc.sum(pc.equal(table["outcome"], "fold")).as_py()
    assert folds == outcomes_of(totals, "main")["fold"]
    bonus = {
        one["values"]: one["counts"]
        for one in pc.value_counts(table["three-card-bonus"]).to_pylist()
    }
    assert bonus == outcomes_of(totals, "three-card-bonus")


def outcomes_of(totals: Totals, wager: str) -> Counter[str]:
    counts: Counter[str] = Counter()
    for outcome, times in outcome_counts(totals).items():
        if outcome.wager == wager:
            counts[outcome.outcome] += times
    return counts


def test_a_folder_that_cannot_be_made_is_said(tmp_path: Path) -> None:
    (tmp_path / "taken").write_text("")
    with pytest.raises(SimulationError, match="is no folder"):
        play_on(Totals(laid(alone(CMS))), 10, parquet=tmp_path / "taken")
