"""Checks of pay tables: unique outcomes, no hidden lines, no lower hand paid more; and prose."""

from __future__ import annotations

import re

import pytest
from tests.sheets.samples import (
    ALL_IDS,
    CMS,
    LAS,
    MHL,
    OMS,
    finding_lines,
    messages,
    modified_text,
    path_of,
    sheet_of,
    with_pays,
)

from pitbook.sheets.load import examine
from pitbook.sheets.pay_tables import lines_paid, pays_of, scope_of

PAIRS = "pair-J-A 1:1, pair-6-10 push"
HIGH = "four-of-a-kind 9:1, full-house 9:1, flush 9:1, straight 9:1, three-of-a-kind 9:1, "
TRIPLES = "suited-three-of-a-kind 100:1, straight-flush 30:1, three-of-a-kind 10:1, straight 4:1, "


def pay_findings(sheet: str, wager: str, table: str) -> list[str]:
    """Code and message of each finding about a pay table."""
    texts = [
        finding_line.split(" ", 2)[2]
        for finding_line in finding_lines(with_pays(sheet, wager, table))
    ]
    return [text for text in texts if text.startswith("pay-")]


def paying_line(sheet: str, wager: str, table: str, kind: str) -> str | None:
    """The line that pays a kind of hand."""
    loaded = sheet_of(with_pays(sheet, wager, table))
    scope = scope_of(loaded, wager)
    assert scope is not None
    lines = lines_paid(pays_of(loaded, wager), scope)
    return lines[[kind_of_scope.name for kind_of_scope in scope.kinds].index(kind)]


@pytest.mark.parametrize(
    "table",
    [
        f"{HIGH}two-pair 1:1, {PAIRS}",
        f"{HIGH}two-pair 1:1, pair 1:1",
        f"{HIGH}two-pair 1:1, pair-A 1:1",
        f"{HIGH}two-pair 1:1, pair-2 1:1, pair-3-A 1:1",
        f"{HIGH}two-pair 1:1, pair-2-10 push, pair-J-A 1:1",
        f"{HIGH}two-pair 2:1, pair-K-A 1:1, pair 1:1",  # The narrower line pays no less.
        f"{HIGH}two-pair 2:1, pair-A 2:1, pair-J-A 1:1, pair-2-10 push",
        f"{HIGH}two-pair 2:1, pair 1:1, pair-K-A 1:1",
        f"{HIGH}two-pair 2:1, pair-A 4:2, pair-J-A 2:1",
        "flush 6:1, straight 4:1, straight-flush 100:1, four-of-a-kind 40:1, full-house 6:1",
        "royal-flush 500:1, straight-flush 100:1",
        "royal-flush 100:1, straight-flush 100:1",
        "straight-flush 50:1",
        "royal-flush 1:1",
    ],
)
def test_valid_pay_tables_have_no_findings(table: str) -> None:
    assert pay_findings(LAS, "main", table) == []


@pytest.mark.parametrize(
    ("table", "message"),
    [
        (
            "pair-J-A 1:1, pair-6-J push",
            'pay-twice: "pair-J-A" and "pair-6-J" both pay pair-J. List each outcome once.',
        ),
        (
            "pair-9-K 1:1, pair-10-A 1:1",
            'pay-twice: "pair-9-K" and "pair-10-A" both pay pair-10, pair-J, pair-K, pair-Q. '
            "List each outcome once.",
        ),
        (
            "pair-2-A 1:1, pair 1:1",
            'pay-twice: "pair-2-A" and "pair" both pay '
            "pair-10, pair-2, pair-3, pair-4, pair-5, pair-6, pair-7, pair-8, pair-9, pair-A, "
            "pair-J, pair-K, pair-Q. List each outcome once.",
        ),
        (
            "pair-A-A 1:1, pair-A 1:1",
            'pay-twice: "pair-A-A" and "pair-A" both pay pair-A. List each outcome once.',
        ),
    ],
)
def test_an_outcome_is_named_once(table: str, message: str) -> None:
    assert pay_findings(LAS, "main", table) == [message]


@pytest.mark.parametrize(
    ("table", "message"),
    [
        (
            "pair-J-A 2:1, pair-K-A 1:1",
            'pay-hidden: "pair-K-A" never pays, because "pair-J-A" already pays its hands. '
            "Raise it or remove it.",
        ),
        (
            "royal-flush 99:1, straight-flush 100:1",
            'pay-hidden: "royal-flush" never pays, because "straight-flush" already pays '
            "its hands. "
            "Raise it or remove it.",
        ),
        (
            "straight-flush 5:1, flush 6:1",
            'pay-hidden: "straight-flush" never pays, because "flush" already pays its hands. '
            "Raise it or remove it.",
        ),
    ],
)
def test_hidden_lines_are_reported(table: str, message: str) -> None:
    assert message in pay_findings(LAS, "main", table)


def test_a_line_at_the_same_pay_is_not_hidden_and_one_below_is() -> None:
    for pay, hidden in (("101:1", False), ("100:1", False), ("99:1", True)):
        messages = pay_findings(LAS, "main", f"royal-flush {pay}, straight-flush 100:1")
        assert any("never pays" in message for message in messages) is hidden


@pytest.mark.parametrize(("pay", "is_error"), [("3:1", False), ("4:1", False), ("5:1", True)])
def test_a_lower_hand_below_at_and_above_a_higher_one(pay: str, is_error: bool) -> None:
    messages = pay_findings(
        LAS, "main", f"straight 4:1, three-of-a-kind {pay}, flush 6:1, full-house 6:1"
    )
    order = f'pay-order: "three-of-a-kind" ({pay}) pays more than the higher hand "straight" (4:1).'
    assert (order in messages) is is_error


def test_odds_are_compared_as_fractions() -> None:
    high = "four-of-a-kind 9:1, full-house 9:1, flush 9:1, straight 9:1"
    assert pay_findings(LAS, "main", f"{high}, two-pair 3:2, three-of-a-kind 6:4") == []
    assert pay_findings(LAS, "main", f"{high}, two-pair 7:4, three-of-a-kind 3:2") == [
        'pay-order: "two-pair" (7:4) pays more than the higher hand "three-of-a-kind" (3:2).'
    ]


@pytest.mark.parametrize(
    ("table", "message"),
    [
        ("two-pair 2:1", '"two-pair" (2:1) pays more than the higher hand "three-of-a-kind"'),
        ("pair-J-A 1:1", '"pair-J-A" (1:1) pays more than the higher hand "two-pair"'),
        ("pair-6-10 push", '"pair-6-10" (push) pays more than the higher hand "pair-J"'),
    ],
)
def test_a_higher_hand_that_is_not_listed_is_paid_less(table: str, message: str) -> None:
    assert f"pay-order: {message} (not listed, loses)." in pay_findings(LAS, "main", table)


def test_a_straight_flush_without_a_line_is_named_as_such() -> None:
    messages = pay_findings(
        LAS, "main", "four-of-a-kind 40:1, full-house 10:1, flush 6:1, straight 4:1"
    )
    assert messages == [
        'pay-order: "four-of-a-kind" (40:1) pays more than the higher hand "straight-flush" '
        '(paid as "flush", 6:1).',
        'pay-order: "four-of-a-kind" (40:1) pays more than the higher hand "royal-flush" '
        '(paid as "flush", 6:1).',
    ]


def test_gen_2_a_hand_that_fits_several_lines_is_paid_the_best() -> None:
    table = "straight-flush 100:1, flush 50:1, straight 4:1, full-house 60:1, four-of-a-kind 60:1"
    assert paying_line(LAS, "main", table, "royal-flush") == "straight-flush"
    assert paying_line(LAS, "main", table, "straight-flush") == "straight-flush"
    assert paying_line(LAS, "main", table, "straight") == "straight"
    assert paying_line(LAS, "main", table, "pair-A") is None
    narrow = f"{HIGH}two-pair 9:1, pair-K-A 2:1, pair 1:1"
    assert paying_line(LAS, "main", narrow, "pair-A") == "pair-K-A"
    assert paying_line(LAS, "main", narrow, "pair-Q") == "pair"


def test_gen_2_first_listed_makes_a_later_better_line_hidden() -> None:
    first = ('several_lines = { is = "highest"', 'several_lines = { is = "first-listed"')
    (idle,) = finding_lines(modified_text(LAS, first))
    assert idle.endswith(
        "This setting has no effect. Every pay table lists its higher hands first."
    )
    finding_texts = finding_lines(
        with_pays(LAS, "main", "straight-flush 100:1, royal-flush 500:1", first)
    )
    assert [finding_text.split(" ", 2)[2] for finding_text in finding_texts] == [
        'pay-hidden: "royal-flush" never pays, because "straight-flush" already pays its hands. '
        "Raise it or remove it."
    ]


@pytest.mark.parametrize(
    ("wager", "line", "remedy"),
    [
        ("main", "flsh", '"flsh" is not a five-card hand. Did you mean "flush"?'),
        ("main", "pair-J-6", '"pair-J-6" is not a five-card hand. Did you mean "pair"?'),
        (
            "main",
            "suited-pair",
            '"suited-pair" is not a five-card hand. Did you mean "two-pair"?',
        ),
        (
            "main",
            "nothing",
            '"nothing" is not a five-card hand. Use one of "royal-flush", "strai',
        ),
        ("three-up", "two-pair", '"two-pair" is not a three-card hand. Did you mean "pair"?'),
        (
            "three-up",
            "royal-flush",
            '"royal-flush" is not a three-card hand. Did you mean "st',
        ),
    ],
)
def test_unknown_lines_are_reported(wager: str, line: str, remedy: str) -> None:
    (message,) = pay_findings(LAS, wager, f"{line} 3:1, straight-flush 9:1")
    assert message.startswith(f"pay-unknown: {remedy}")


@pytest.mark.parametrize(
    ("table", "message"),
    [
        (
            "match-5 9:1, match-6 10:1",
            '"match-6" is not a number of matches. Did you mean "matc',
        ),
        (
            "match-5 9:1, match-4 10:1",
            '"match-4" (10:1) pays more than the higher hand "match-5" (9:1).',
        ),
        (
            "match-4 10:1",
            '"match-4" (10:1) pays more than the higher hand "match-5" (not listed, loses).',
        ),
    ],
)
def test_mhl_11_matches(table: str, message: str) -> None:
    swap = ('["match-5", "match-4"]', f'["{table.split(maxsplit=1)[0]}"]')
    (finding,) = finding_lines(with_pays(MHL, "matchem-bonus", table, swap))
    assert message in finding


@pytest.mark.parametrize(
    ("table", "expected"),
    [
        ("suited-pair 3:1, flush 2:1, pair 1:1", []),
        ("suited-pair 2:1, flush 2:1, pair 1:1", []),
        (
            "flush 3:1, suited-pair 2:1, pair 1:1",
            ['pay-order: "flush" (3:1) pays more than the higher hand "suited-pair" (2:1).'],
        ),
        ("flush 2:1, pair 1:1", []),  # Without a line of its own a suited pair is just a pair.
        (
            "suited-pair 1:1, flush 3:1, pair 2:1",
            [
                'pay-hidden: "suited-pair" never pays, because "pair" already pays its hands. '
                "Raise it or remove it."
            ],
        ),
    ],
)
def test_mhl_12_pairs_and_flushes_of_several_decks(table: str, expected: list[str]) -> None:
    assert pay_findings(MHL, "poker-bonus", TRIPLES + table) == expected


def test_mhl_12_a_suited_pair_of_one_suit_is_paid_the_better_line() -> None:
    plain, suited = (
        TRIPLES + "flush 2:1, pair 1:1",
        TRIPLES + "suited-pair 3:1, flush 2:1, pair 1:1",
    )
    assert paying_line(MHL, "poker-bonus", suited, "suited-pair-9-flush") == "suited-pair"
    assert paying_line(MHL, "poker-bonus", plain, "suited-pair-9-flush") == "flush"
    assert paying_line(MHL, "poker-bonus", plain, "suited-pair-9") == "pair"


UNDECIDED = ('decides = "pays"\n', "")
BY_PROSE = ('decides = "pays"', 'decides = "prose"')
DISAGREE = (
    "The text and the pay table disagree: pair-6 pushes in the pay table but loses in the text. "
)


@pytest.mark.long
def test_oms_7_decided_is_a_notice_and_undecided_an_error() -> None:
    assert messages(OMS, code="prose") == [f"{DISAGREE}The pay table decides."]
    assert messages(OMS, BY_PROSE, code="prose") == [f"{DISAGREE}The text decides."]
    undecided = messages(OMS, UNDECIDED, code="prose")
    assert undecided == [f'{DISAGREE}Add decides = "pays" or decides = "prose".']
    levels = [
        finding_line.split()[1] for finding_line in finding_lines(modified_text(OMS, UNDECIDED))
    ]
    assert levels == ["error"]


def test_oms_7_the_table_in_force_follows_the_decision() -> None:
    printed, by_prose = (sheet_of(modified_text(OMS, *swap)) for swap in ((), (BY_PROSE,)))
    assert "pair-6-10" in pays_of(printed, "main")
    assert "pair-7-10" not in pays_of(printed, "main")
    assert "pair-6-10" not in pays_of(by_prose, "main")
    assert pays_of(by_prose, "main")["pair-7-10"] == "push"
    assert pays_of(by_prose, "main")["royal-flush"] == pays_of(printed, "main")["royal-flush"]


@pytest.mark.long
@pytest.mark.parametrize("decides", [('decides = "pays"\n', ""), BY_PROSE, ("x", "x")])
def test_prose_that_repeats_the_table_is_refused(decides: tuple[str, str]) -> None:
    agreeing = ('pair-7-10 = "push"', 'pair-6-10 = "push"\nflush = "12:2"')
    expected = ["The text agrees with the pay table. Remove [main.prose]."]
    assert messages(OMS, decides, agreeing, code="prose-echo") == expected
    assert sheet_of(modified_text(OMS, decides, agreeing)).id == OMS, (
        "its figures can be asked for all the same"
    )


def test_prose_that_decides_is_checked_as_a_pay_table() -> None:
    low = ('pair-7-10 = "push"', 'pair-6-10 = "2:1"')
    prose_messages = messages(OMS, BY_PROSE, low, code="pay-order")
    assert prose_messages == ['"pair-6-10" (2:1) pays more than the higher hand "pair-J-A" (1:1).']
    assert messages(OMS, low, code="pay-order") == []


def test_prose_with_an_unknown_hand() -> None:
    prose_messages = messages(OMS, ('pair-7-10 = "push"', 'pair-7-11 = "push"'))
    assert prose_messages == ['"pair-7-11" is not a five-card hand. Did you mean "pair"?']


def test_findings_point_at_the_pay_line() -> None:
    text = with_pays(CMS, "main", "royal-flush 500:1, straight-flush 100:1, flush 600:1")
    lines = text.split("\n")
    for finding_line in finding_lines(text):
        line, column = map(int, finding_line.split()[0].split(":"))
        assert lines[line - 1][column - 1 :].startswith(("[main.pays]", "royal", "straight"))


MISSPELLED = [
    (sheet, wager, line)
    for sheet in ALL_IDS
    for wager in ("main", *sheet_of(path_of(sheet).read_text(encoding="utf-8")).side)
    for line in pays_of(sheet_of(path_of(sheet).read_text(encoding="utf-8")), wager)
]


@pytest.mark.parametrize(("sheet", "wager", "line"), MISSPELLED)
def test_error_points_at_the_misspelled_pay_line(sheet: str, wager: str, line: str) -> None:
    """The error points at the pay table even if a limit also names the line."""
    lines = path_of(sheet).read_text(encoding="utf-8").split("\n")
    table = lines.index("[main]" if wager == "main" else f"[side.{wager}]")
    is_paid = re.compile(rf'(?<![\w-]){line} = "').search
    index = next(number for number in range(table, len(lines)) if is_paid(lines[number]))
    lines[index] = lines[index].replace(f"{line} =", f"{line}z =", 1)
    findings = examine("\n".join(lines), "x.toml").findings
    assert [finding.line for finding in findings if finding.level == "error"] == [index + 1]
