"""Checks of a sheet's structure: names exist, orders are complete, there are enough cards."""

from __future__ import annotations

import pytest
from tests.sheets.samples import (
    CMS,
    LAS,
    LIR,
    MHL,
    OMS,
    UNUSUAL,
    Swap,
    finding_lines,
    findings,
    messages,
    modified_text,
    sheet_of,
)

from pitbook.sheets.check_structure import cards_needed

PASSES = 'passes = [["three-up"], ["main", "stax"]]'


def rename_side_wager(old: str, new: str) -> tuple[Swap, ...]:
    """Replacements that give a side wager of Catfish Bend's Mississippi Stud another id."""
    tables = ((f"[side.{old}]", f"[side.{new}]"), (f"[side.{old}.pays]", f"[side.{new}.pays]"))
    return *tables, (f'"{old}"]', f'"{new}"]'), (f'"{old}"]', f'"{new}"]')


@pytest.mark.parametrize(
    ("passes", "expected"),
    [
        ('[["main"], ["stax"], ["three-up"]]', []),
        ('[["three-up", "main", "stax"]]', []),
        ('[["three-up"], ["main"]]', ['"stax" is never settled. It must be settled exactly once.']),
        ('[["three-up"], ["stax"]]', ['"main" is never settled. It must be settled exactly once.']),
        (
            '[["three-up", "stax"], ["main", "stax"]]',
            ['"stax" is settled 2 times. It must be settled exactly once.'],
        ),
        (
            '[["three-up"], ["main", "stack"]]',
            [
                '"stax" is never settled. It must be settled exactly once.',
                'This sheet has no wager "stack". Did you mean "stax"?',
            ],
        ),
        (
            '[["three-up"], ["main", "stax", "ante"]]',
            ['This sheet has no wager "ante". Use one'],
        ),
    ],
)
def test_every_wager_is_settled_once(passes: str, expected: list[str]) -> None:
    found_said = messages(LAS, (PASSES, f"passes = {passes}"))
    assert len(found_said) == len(expected)
    assert all(
        message.startswith(expected_start)
        for message, expected_start in zip(found_said, expected, strict=True)
    )


@pytest.mark.parametrize(
    ("old", "new", "message_part"),
    [
        ("bets = [0, 1]", "bets = [0, 2]", "equals the ante or is pulled back. Write [0, 1]."),
        ("bets = [0, 1]", "bets = [0]", "equals the ante or is pulled back. Write [0, 1]."),
        ("fold = false", "fold = true", "is pulled back or rides. There is no fold here."),
        ("fold = false", 'fold = false\npieces = ["bet"]', "is a single bet equal to the ante"),
        ("fold = false", 'fold = false\nbet_max = "500"', "is a single bet equal to the ante"),
    ],
)
def test_a_bet_placed_before_the_deal_is_taken_back_whole(
    old: str, new: str, message_part: str
) -> None:
    assert messages(LIR, code="structure") == []
    assert any(message_part in message for message in messages(LIR, (old, new), code="structure"))


@pytest.mark.parametrize("name", ["main", "ante", "flop", "river"])
def test_a_side_wager_needs_a_name_of_its_own(name: str) -> None:
    assert f'"{name}" is listed twice.' in messages(
        CMS, *rename_side_wager("three-card-bonus", name)
    )


@pytest.mark.parametrize("name", ["main", "bet", "double"])
def test_a_side_wager_needs_a_name_of_its_own_in_hi_lo(name: str) -> None:
    text = modified_text(MHL).replace("poker-bonus", name)
    assert any(f'"{name}" is listed twice.' in finding_line for finding_line in finding_lines(text))


def test_folded_cards_are_tucked_under_a_side_wager() -> None:
    swap = ('is = ["three-up", "stax"]', 'is = ["three-up", "main"]')
    (finding_line,) = finding_lines(modified_text(LAS, swap))
    assert finding_line.endswith('There is no side wager "main". Use one of "three-up", "stax".')


@pytest.mark.parametrize(
    ("counts", "expected"),
    [
        ('counts = { odds_at_least = "100:1" }', []),
        ('counts.lines = { main = ["royal-flush"] }', []),
        ("counts = {}", ['Set "odds_at_least" or "lines", but not both.']),
        (
            'counts = { odds_at_least = "100:1", lines = { main = ["flush"] } }',
            ['Set "odds_at_least" or "lines", but not both.'],
        ),
        (
            'counts.lines = { main = ["flsh"] }',
            ['That pay table has no payout "flsh". Did you m.'],
        ),
        (
            'counts.lines = { maine = ["flush"] }',
            ['This sheet has no wager "maine". Did you mean'],
        ),
        ("counts.lines = { main = [] }", ['"main" is []. It should have at least 1 item, not 0']),
    ],
)
def test_a_limit_counts_lines_that_exist(counts: str, expected: list[str]) -> None:
    away = ('jurisdiction = "Iowa"', 'jurisdiction = "any"')
    swap = ('counts = { odds_at_least = "100:1" }', counts)
    found_said = messages(CMS, away, swap)
    assert [message[:45] for message in found_said] == [message[:45] for message in expected]


def test_a_limit_counts_lines_of_the_table_in_force() -> None:
    prose = ('decides = "pays"', 'decides = "prose"')
    for line, errors in (("pair-7-10", 0), ("pair-6-10", 1)):
        swap = ("posted = true", f'posted = true\ncounts.lines = {{ main = ["{line}"] }}')
        assert len(messages(OMS, prose, swap, code="structure")) == errors


def test_a_sheet_is_not_capped_and_uncapped_at_once() -> None:
    limit = '[[limits]]\nper = "round"\npays_max = "1000000"\nclause = "X"\n\n[payouts]'
    (finding,) = findings(LAS, ("[payouts]", limit))
    assert finding.message == "The sheet has both [uncapped] and [[limits]]. Keep one."
    assert finding.clause == "LAS-11"


@pytest.mark.parametrize(
    ("street", "expected"),
    [
        ("bets = [1, 2, 3]\nfold = true", []),
        ("bets = [1]\nfold = true", []),
        ("bets = [1, 3, 2]\nfold = true", ["List multiples in ascending order, each once."]),
        ("bets = [1, 1, 2]\nfold = true", ["List multiples in ascending order, each once."]),
        ("bets = [0, 1]\nfold = false", []),
        ("bets = [0]\nfold = false", []),
        (
            "bets = [1]\nfold = false",
            ["Without a fold, allow 0x. Otherwise the bet is forced."],
        ),
        ("bets = [0, 1]\nfold = true", ["0x is free, so no player will fold here."]),
        ('bets = [1, 2]\npieces = ["bet", "raise"]\nfold = true', []),
        (
            'bets = [1, 2, 3]\npieces = ["bet", "raise"]\nfold = true',
            ["There are 2 bet names for 3 antes. Give one name for each ante."],
        ),
        ('bets = [1, 2]\nbet_max = "500"\nfold = true', []),
        (
            'bets = [1, 2]\nbet_max = "499.99"\nfold = true',
            ["With the maximum ante, a bet of 1x is above $499.99."],
        ),
        ('bets = [0, 2]\nbet_max = "1000"\nfold = false', []),
        (
            'bets = [0, 2]\nbet_max = "999"\nfold = false',
            ["With the maximum ante, a bet of 2x is above $999."],
        ),
    ],
)
def test_rules_of_streets(street: str, expected: list[str]) -> None:
    assert messages(LAS, ("bets = [1, 2, 3]\nfold = true", street)) == expected


def test_streets_have_different_names() -> None:
    for name, errors in (("4th-raise", 0), ("1st-raise", 1), ("ante", 1), ("main", 1)):
        structure_messages = messages(LAS, ('id = "2nd-raise"', f'id = "{name}"'))
        assert structure_messages == [f'"{name}" is listed twice.'] * errors


@pytest.mark.parametrize(("hole", "right"), [(1, False), (2, True), (3, False)])
def test_hole_and_community_cards_make_five(hole: int, right: bool) -> None:
    structure_messages = messages(LAS, ("hole = { is = 2,", f"hole = {{ is = {hole},"))
    expected = f"{hole} hole cards and 3 community cards make {hole + 3}, but a hand has 5."
    assert structure_messages == ([] if right else [expected])


@pytest.mark.parametrize(
    ("swap", "message_start"),
    [
        (("decks = 1", "decks = 2"), "Street-stud games use one deck. With more, flushes"),
        (
            ('fresh = { is = "each-round"', 'fresh = { is = "cut-card"'),
            'fresh = "cut-card" needs a',
        ),
        (
            ("decks = 1", "decks = 1\ncut_card = 10"),
            'fresh = "cut-card" needs a number in "cut_card"',
        ),
        (
            ('["players", "community"]', '["players"]'),
            "The deal must list community and players, each",
        ),
        (
            ('["players", "community"]', '["players", "players", "community"]'),
            "The deal must list community and players, each once.",
        ),
        (("hole = {", "at_a_time = 3\nhole = {"), "3 at a time is more than the player's 2 cards"),
        (
            ("count = 6", "count = 1\nadjacent = { is = true, clause = 'X' }"),
            "This setting has no effect. A player has one position.",
        ),
        (("per_player = { is = 1", "per_player = { is = 6"), None),
        (
            ("per_player = { is = 1", "per_player = { is = 7"),
            "A player cannot play 7 of 6 positions.",
        ),
        (
            ('looks_at = "hand"', 'looks_at = "dealer-match"'),
            'No pay table in this game can use "dealer-m',
        ),
        (
            ('after_fold = { plays = true, clause = "LAS-5" }\n', ""),
            'Set in "after_fold" what happens to "thr',
        ),
    ],
)
def test_structure_of_street_stud_sheets(swap: Swap, message_start: str | None) -> None:
    found_said = messages(LAS, swap)
    assert bool(found_said) is (message_start is not None)
    assert not message_start or found_said[0].startswith(message_start)


def test_a_street_with_a_fold_needs_the_fold_table() -> None:
    text = modified_text(OMS)
    start, end = text.index("[fold]"), text.index("[main]")
    assert finding_lines(text[:start] + text[end:])[0].endswith(
        "structure: A street allows a fold, but the sheet has no [fold]."
    )


def test_a_game_without_a_fold_must_not_have_fold_rules() -> None:
    text = (UNUSUAL / "bets-withdrawn.toml").read_text()
    bonus = "[side.three-card-bonus]\n"
    fold = text.replace("[main]\n", '[fold]\nclause = "X"\n\n[main]\n', 1)
    after = text.replace(bonus, f'{bonus}after_fold = {{ plays = true, clause = "X" }}\n', 1)
    absent = text.replace('is = "smallest-bet"', 'is = "fold"')
    structure_texts = [
        finding_line.split("structure: ")[1]
        for wrong_text in (fold, after, absent)
        for finding_line in finding_lines(wrong_text)
    ]
    assert finding_lines(text) == []
    assert structure_texts == [
        "This game has no fold. Remove [fold].",
        'This game has no fold. Remove "after_fold".',
        'This game has no fold. Write absent = { is = "smallest-bet", ... }.',
    ]


# --- hi-lo ----------------------------------------------------------------------------------------

CUT = ('fresh = { is = "each-round"', 'fresh = { is = "cut-card"')


@pytest.mark.parametrize(
    ("swap", "message_start"),
    [
        (("low = 3\n", "low = 4\n"), None),
        (("low = 3\n", "low = 5\n"), "A low hand of 5 leaves no card for the high hand."),
        (("J = 0, Q = 0, K = 0 }", "J = 0 }"), "No points are set for Q, K"),
        (('low = "1:1", ', ""), 'pays must have both "low" and "high". Missing: low.'),
        (('low = "1:1"', 'low = "2:1"'), None),
        (('high = "1:1"', 'high = "1:1", even = "1:1"'), '"even" is not a declaration. Use'),
        (('"players", "dealer"', '"dealer", "players"'), None),
        (
            ('["players", "dealer"]', '["dealer"]'),
            "The deal must list players and dealer, each once.",
        ),
        (
            ("player = 3\n", "player = 3\nat_a_time = 4\n"),
            "4 at a time is more than the player's 3",
        ),
        (("player = 3\n", "player = 3\nat_a_time = 3\n"), None),
        (
            ('shared = "Shared Card", ', ""),
            "A shared card needs its area on the layout, and the other way around.",
        ),
        (
            ('shared = "ace-then-highest"', 'shared = "none"'),
            "A shared card needs its area on the la",
        ),
        (('looks_at = "hand"', 'looks_at = "hole"'), 'No pay table in this game can use "hole"'),
        (
            ('looks_at = "hand"', 'looks_at = "community"'),
            'No pay table in this game can use "community"',
        ),
        (("player = 3\n", "player = 4\n"), 'No pay table in this game can use "hand".'),
    ],
)
def test_structure_of_hi_lo_sheets(swap: Swap, message_start: str | None) -> None:
    errors = [finding.message for finding in findings(MHL, swap) if finding.level == "error"]
    assert bool(errors) is (message_start is not None)
    assert not message_start or errors[0].startswith(message_start)


@pytest.mark.parametrize(("behind", "fits"), [(288, True), (289, True), (290, False)])
def test_a_cut_card_leaves_enough_for_one_round(behind: int, fits: bool) -> None:
    swaps = (CUT, ("decks = 6", f"decks = 6\ncut_card = {behind}"))
    structure_messages = messages(MHL, *swaps, code="structure")
    message = f"With {behind} cards behind the cut card, too few are left for one round."
    assert structure_messages == ([] if fits else [message])
    assert 312 - cards_needed(sheet_of(modified_text(MHL))) == 289


@pytest.mark.parametrize(("dealer", "fits"), [(7, True), (8, True), (9, False)])
def test_a_full_table_has_enough_cards(dealer: int, fits: bool) -> None:
    table = (UNUSUAL / "four-card-hi-lo.toml").read_text()
    for old, new in (
        ("count = 5", "count = 11"),
        ("dealer = 7", f"dealer = {dealer}"),
        ("decks = 2", "decks = 1"),
        ("match-7 =", f"match-{dealer} ="),
        ("match-6 =", f"match-{dealer - 1} ="),
        ("match-5 =", f"match-{dealer - 2} ="),
        ("match-4 =", f"match-{dealer - 3} ="),
        ("match-3 =", f"match-{dealer - 4} ="),
    ):
        table = table.replace(old, new, 1)
    finding_texts = [finding_line.split(": ", 1)[1] for finding_line in finding_lines(table)]
    message = f"A full table needs {11 * 4 + dealer} cards, but the shoe has 52."
    assert finding_texts == ([] if fits else [message])


def test_a_failed_stage_suppresses_later_stages() -> None:
    swaps = (("hole = { is = 2,", "hole = { is = 3,"), ('flush = "6:1"', 'flsh = "6:1"'))
    assert [finding.code for finding in findings(LAS, *swaps)] == ["structure"]
