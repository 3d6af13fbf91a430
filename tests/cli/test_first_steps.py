"""What a new user tries first: -h, half an id, a narrow terminal."""

from __future__ import annotations

import pytest
from tests.command_line import Ask
from tests.lanes import spread
from tests.sheets.samples import CMS

NARROW = [
    ("math", CMS),
    ("math", "catfish-bend/matchem-hi-lo"),
    ("strategy", "louisiana-stud/standard"),
    ("strategy", "catfish-bend/matchem-hi-lo"),
    ("compare", CMS, "oceanfront/mississippi-stud"),
    ("simulate", CMS, "--rounds", "1000", "--seed", "1"),
    ("session", CMS, "--bankroll", "100", "--hours", "1"),
    ("advise", CMS, "--cards", "As Kd"),
    ("sheets", "show", "louisiana-stud/standard"),
]


@pytest.mark.parametrize(
    "command", [(), ("sheets",), ("sheets", "show"), ("math",), ("night", "tournament")]
)
def test_h_option_equals_help(ask: Ask, command: tuple[str, ...]) -> None:
    short_help, long_help = ask(*command, "-h"), ask(*command, "--help")
    assert short_help.code == 0
    assert short_help.out == long_help.out
    assert "-h, --help" in short_help.out


@pytest.mark.parametrize("given", ["mississippi-stud", "Mississippi Stud", "misissippi-stud"])
def test_game_without_a_venue_suggests_every_venue(ask: Ask, given: str) -> None:
    answer = ask("sheets", "show", given)
    assert answer.code == 1
    other_venues = '"oceanfront/mississippi-stud" or "pennsylvania/mississippi-stud"'
    assert f'There is no sheet "{given}". Did you mean "{CMS}", {other_venues}?' in answer.err


@pytest.mark.parametrize(
    ("given", "suggestions"),
    [
        ("catfish-bend", ('"catfish-bend/matchem-hi-lo"', f'"{CMS}"')),
        ("Louisiana Stud", ('"louisiana-stud/standard"', '"louisiana-stud/stax-required"')),
        ("matchem", ('"catfish-bend/matchem-hi-lo"',)),
        ("stud", (f'"{CMS}"', '"louisiana-stud/standard"', '"oceanfront/mississippi-stud"')),
        ("oceanfront/missisippi-stud", ('"oceanfront/mississippi-stud"',)),
    ],
)
def test_partial_id_offers_all_matching_sheets(
    ask: Ask, given: str, suggestions: tuple[str, ...]
) -> None:
    answer = ask("math", given)
    assert "Did you mean" in answer.err
    for suggestion in suggestions:
        assert suggestion in answer.err


@pytest.mark.long
@pytest.mark.parametrize("columns", spread([40, 50, 60, 72], keep=2))
@pytest.mark.parametrize("command", NARROW, ids=lambda command_tried: command_tried[0])
def test_names_are_not_cut_on_a_narrow_terminal(
    ask: Ask, command: tuple[str, ...], columns: int
) -> None:
    answer = ask(*command, columns=columns)
    assert answer.code == 0
    assert "…" not in answer.out
    assert max(map(len, answer.out.splitlines())) <= columns
