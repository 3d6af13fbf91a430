"""`pitbook users exclude`, and how a night resolves names."""

from __future__ import annotations

import pytest
from tests.command_line import Ask
from tests.house.nights.test_cli import Night, expect_error, gala, night  # noqa: F401  Fixtures.


@pytest.fixture
def users(gala: Night, ask: Ask) -> Night:  # noqa: F811
    return lambda *arguments: ask("users", *arguments)


def test_chips_of_one_person_are_sold_and_redeemed_together(gala: Night) -> None:  # noqa: F811
    gala("sell", "gala", "zoe", "20")
    assert "zoe" in gala("sell", "gala", "ZOE", "20").out
    assert "$40" in gala("redeem", "gala", "Zoe", "all").out
    expect_error(
        gala("sell", "gala", "Zoë", "20"), 'looks like "zoe", who is already known. Write "zoe"'
    )


@pytest.mark.long
def test_a_person_is_excluded_listed_and_readmitted(gala: Night, users: Night) -> None:  # noqa: F811
    assert users("excluded").out == "No exclusions.\n"
    gala("sell", "gala", "zoe", "20")
    options = ("--until", "2099-12-31", "--why", "asked for it")
    output = users("exclude", "ZOE", *options).out
    assert output == "zoe is excluded until the end of 2099-12-31 in America/New_York.\n"
    expect_error(gala("sell", "gala", "zoe", "20"), "zoe is excluded until the end of 2099-12-31")
    assert "$20" in gala("redeem", "gala", "zoe", "all").out
    excluded = users("excluded", "--json").document["excluded"]
    assert [(person["name"], person["holds"], person["why"]) for person in excluded] == [
        ("zoe", True, "asked for it")
    ]
    assert users("excluded").out.startswith("zoe  until the end of 2099-12-31 in America/New_York")
    assert users("readmit", "Zoe", "--why", "a mistake").out == "zoe is no longer excluded.\n"
    assert gala("sell", "gala", "zoe", "20").code == 0
    excluded_person = users("exclude", "Max Muster", "--why", "by order", "--json").document
    assert (excluded_person["name"], excluded_person["until"]) == ("Max Muster", None)


def test_exclusion_needs_a_future_date_and_a_reason(users: Night) -> None:
    expect_error(
        users("exclude", "zoe", "--until", "2020-01-01", "--why", "late"), "2020-01-01 is over"
    )
    expect_error(
        users("exclude", "zoe", "--until", "soon", "--why", "late"), '"soon" is not a date'
    )
    expect_error(
        users("exclude", "zoe", "--why", " "), "Enter the reason for the exclusion on one line"
    )
    expect_error(users("readmit", "zoe", "--why", "x"), '"zoe" is not excluded')
    assert users("exclude", "zoe").code == 2
