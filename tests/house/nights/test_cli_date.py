"""`pitbook night` for rehearsals, corrections, unclaimed money, and closing."""

from __future__ import annotations

from pathlib import Path

import pytest
from tests.command_line import ask  # noqa: F401
from tests.house.nights.test_cli import SCHEDULE, Night, expect_error, gala, night  # noqa: F401  Fixtures.

TRIAL = ("new", "trial", "--charity", "A", "--license", "B", "--date", "2020-02-29")


@pytest.fixture(name="trial")
def a_rehearsal(night: Night) -> Night:  # noqa: F811
    created = night(*TRIAL, "--rehearsal", "--json")
    assert created.document["rehearsal"] is True, created.err
    assert night("open", "trial").out == "REHEARSAL: no cash value.\ntrial is open.\n"
    return night


@pytest.mark.long
def test_every_output_for_a_rehearsal_is_marked(trial: Night, tmp_path: Path) -> None:
    (tmp_path / "t1.toml").write_text(SCHEDULE)
    plan = str(tmp_path / "t1.toml")
    words = [
        ("float", "trial", "50"),
        ("sell", "trial", "ann", "20"),
        ("redeem", "trial", "ann", "5"),
        ("receipt", "trial", "1"),
        ("open-table", "trial", "stud-1", "oceanfront/mississippi-stud"),
        ("tables", "trial"),
        ("tournament", "set-up", "trial.t1", plan),
        ("tournament", "enter", "trial.t1", "ann"),
        ("tournament", "enter", "trial.t1", "bob"),
        ("tournament", "announce", "trial.t1"),
        ("tournament", "draw-seats", "trial.t1"),
        ("tournament", "start", "trial.t1"),
        ("tournament", "lay-out", "trial.t1"),
        ("tournament", "show", "trial.t1"),
        ("show", "trial"),
        ("list",),
        ("interrupted", "trial", "--why", "over", "--dead"),
        ("close", "trial"),
        ("pay-unclaimed", "trial", "ann"),
        ("statement", "trial"),
        ("statement", "trial", "--html"),
    ]
    for step in words:
        answer = trial(*step)
        assert answer.code == 0, (step, answer.err)
        assert "REHEARSAL" in answer.out, step
    for step in (
        ("show", "trial"),
        ("tables", "trial"),
        ("statement", "trial"),
        ("receipt", "trial", "1"),
    ):
        assert trial(*step, "--json").document["rehearsal"] is True, step
    assert trial("list", "--json").document["nights"][0]["rehearsal"] is True


def test_a_night_is_corrected_before_it_opens(night: Night) -> None:  # noqa: F811
    expect_error(night(*TRIAL), "2020-02-29 has passed")
    night(*TRIAL[:-1], "2999-01-01")
    assert "2999-02-01" in night("correct", "trial", "--date", "2999-02-01").out
    corrected = night(
        "correct", "trial", "--charity", "Shelter", "--zone", "UTC", "--json"
    ).document
    assert (corrected["charity"], corrected["zone"], corrected["rehearsal"]) == (
        "Shelter",
        "UTC",
        False,
    )
    expect_error(night("correct", "trial"), "already has these details")
    expect_error(night("correct", "trial", "--date", "2020-02-29"), "(OMS-19).")
    assert "is closed" in night("close", "trial").out  # It was called off.


@pytest.mark.long
def test_unclaimed_money_is_paid_once(gala: Night, tmp_path: Path) -> None:  # noqa: F811
    (tmp_path / "t1.toml").write_text(SCHEDULE)
    gala("tournament", "set-up", "gala.t1", str(tmp_path / "t1.toml"))
    gala("tournament", "enter", "gala.t1", "ann")
    expect_error(gala("close", "gala"), "Refund the players, or end it early to refund everyone")
    gala("interrupted", "gala", "--why", "nobody came", "--dead")
    assert gala("close", "gala").code == 0
    paid = gala("pay-unclaimed", "gala", "ann", "--json").document
    assert (paid["what"], paid["amount"], paid["receipt"]) == ("unclaimed", "60.00", "gala-000001")
    expect_error(gala("pay-unclaimed", "gala", "ann"), "was already paid (receipt gala-000001)")
    assert "paid to ann, receipt gala-000001" in gala("statement", "gala").out


def test_house_rules_output_names_the_last_hour(night: Night) -> None:  # noqa: F811
    listing = night("rules").out
    assert "The gaming date ends when the event closes, 04:00 at the latest (OMS-17)" in listing


def test_a_closed_night_keeps_its_name(gala: Night) -> None:  # noqa: F811
    assert gala("close", "gala").code == 0
    answer = gala("new", "gala", "--charity", "A", "--license", "B", "--date", "2999-01-01")
    expect_error(answer, "The ID gala is already in use. Choose another.")
