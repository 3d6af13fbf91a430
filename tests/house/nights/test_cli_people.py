"""`pitbook users exclude` at the machine, and the desk of a night, which knows people by name."""

from __future__ import annotations

import pytest
from tests.command_line import Ask
from tests.house.nights.test_cli import Night, gala, night, no  # noqa: F401  Fixtures.


@pytest.fixture
def users(gala: Night, ask: Ask) -> Night:  # noqa: F811
    return lambda *arguments: ask("users", *arguments)


def test_chips_of_one_person_are_sold_and_redeemed_together(gala: Night) -> None:  # noqa: F811
    gala("sell", "gala", "zoe", "20")
    assert "zoe" in gala("sell", "gala", "ZOE", "20").out
    assert "$40" in gala("redeem", "gala", "Zoe", "all").out
    no(gala("sell", "gala", "Zoë", "20"), 'looks like "zoe", who is on record: write "zoe"')


@pytest.mark.long
def test_a_person_is_excluded_listed_and_readmitted(gala: Night, users: Night) -> None:  # noqa: F811
    assert users("excluded").out == "Nobody is excluded.\n"
    gala("sell", "gala", "zoe", "20")
    given = ("--until", "2099-12-31", "--why", "asked for it")
    said = users("exclude", "ZOE", *given).out
    assert said == "zoe is excluded until the end of 2099-12-31 in America/New_York.\n"
    no(gala("sell", "gala", "zoe", "20"), "zoe is excluded until the end of 2099-12-31")
    assert "$20" in gala("redeem", "gala", "zoe", "all").out
    found = users("excluded", "--json").document["excluded"]
    assert [(one["name"], one["holds"], one["why"]) for one in found] == [
        ("zoe", True, "asked for it")
    ]
    assert users("excluded").out.startswith("zoe  until the end of 2099-12-31 in America/New_York")
    assert users("readmit", "Zoe", "--why", "a mistake").out == "zoe may play again.\n"
    assert gala("sell", "gala", "zoe", "20").code == 0
    made = users("exclude", "Max Muster", "--why", "by order", "--json").document
    assert (made["name"], made["until"]) == ("Max Muster", None)


def test_an_exclusion_has_a_day_to_come_and_a_reason(users: Night) -> None:
    no(users("exclude", "zoe", "--until", "2020-01-01", "--why", "late"), "2020-01-01 is over")
    no(users("exclude", "zoe", "--until", "soon", "--why", "late"), '"soon" is no day')
    no(users("exclude", "zoe", "--why", " "), "an exclusion has a reason")
    no(users("readmit", "zoe", "--why", "x"), '"zoe" is not excluded')
    assert users("exclude", "zoe").code == 2
