"""A hundred thousand questions, of every bundled sheet and of fifty generated ones."""

from __future__ import annotations

import logging
import secrets
from collections import Counter, defaultdict
from collections.abc import Mapping
from string import ascii_lowercase

import pytest
from hypothesis import HealthCheck, Phase, given, settings
from hypothesis.strategies import SearchStrategy
from tests.drills.check_answers import confirm
from tests.drills.test_drills import BUNDLED, confirm_all, game_of
from tests.lanes import THOROUGH, examples
from tests.random_sheets.sheets import hi_lo_sheets, street_stud_sheets
from tests.random_sheets.versus import versus_sheets

from pitbook.drills.kinds import KINDS, drill, supported_kinds
from pitbook.drills.question import Item
from pitbook.drills.spot_error import CLEAN, ERRORS
from pitbook.sheets.hashes import digest
from pitbook.sheets.model import Sheet

log = logging.getLogger(__name__)
OF_BUNDLED, OF_RANDOM = 340, 60
RANDOM_SHEETS: tuple[tuple[SearchStrategy[Sheet], int], ...] = (
    (street_stud_sheets(), 15),
    (hi_lo_sheets(), 15),
    (versus_sheets(), 20),
)
OF_FAMILY = 1_000  # Of each kind, at least: a family has from one sheet to eight.
ROUNDS = examples(10, 1_400)  # Of each bundled sheet: 21,000 in the slow lane.


Place = tuple[str, str, int]  # Family, kind, number of options.


class Tally:
    """Counts of questions asked."""

    def __init__(self) -> None:
        self.by_kind: Counter[str] = Counter()
        self.by_family: Counter[tuple[str, str]] = Counter()
        self.different: set[int] = set()
        self.positions: dict[Place, Counter[str]] = defaultdict(Counter)

    def add(self, sheet: Sheet, item: Item) -> None:
        self.by_kind[item.kind] += 1
        self.by_family[sheet.family, item.kind] += 1
        self.different.add(hash((sheet.id, digest(sheet), item.kind, item.question)))
        if item.kind in CHOICES and (letter := telling_letter(item)):
            options = len(item.question.options)
            self.positions[sheet.family, item.kind, options][letter] += 1


def _each_kind(sheet: str) -> dict[str, int]:
    """How many questions of each kind to ask of a sheet: a thousand over its family."""
    family = game_of(sheet).sheet.family
    alike = [name for name in BUNDLED if game_of(name).sheet.family == family]
    having = Counter(kind for name in alike for kind in supported_kinds(game_of(name)))
    return {
        kind: max(OF_BUNDLED, -(-OF_FAMILY // having[kind]))
        for kind in supported_kinds(game_of(sheet))
    }


@pytest.mark.slow
@pytest.mark.timeout(7_200)
def test_100_000_questions_are_confirmed() -> None:
    """Replayed, settled again by `pitbook settle`, and right as often at any position."""
    tally, random = Tally(), dict[str, str]()
    for name in BUNDLED:
        for kind, each in _each_kind(name).items():
            for item in confirm_all(game_of(name).sheet, each, kinds=[kind]):
                tally.add(game_of(name).sheet, item)
    assert min(tally.by_family.values()) >= OF_FAMILY, tally.by_family
    log.info("%d positions are uniform", assert_uniform(tally.positions))

    for strategy, count in RANDOM_SHEETS:
        _confirm_random(strategy, count, random, tally)
    total, families = sum(tally.by_kind.values()), Counter(random.values())
    different = len(tally.different)
    log.info("%d questions, %d different; %s; %s", total, different, families, tally.by_kind)
    assert total >= 100_000
    assert len(random) == sum(count for _, count in RANDOM_SHEETS)
    assert set(tally.by_kind) == set(KINDS)


def _confirm_random(
    strategy: SearchStrategy[Sheet], count: int, random: dict[str, str], tally: Tally
) -> None:
    """Confirm questions of this many different random sheets."""
    most = len(random) + count

    @settings(
        max_examples=4 * count,
        deadline=None,
        phases=(Phase.generate,),
        suppress_health_check=list(HealthCheck),
    )
    @given(sheet=strategy)
    def confirm_sheet(sheet: Sheet) -> None:
        if digest(sheet) not in random and len(random) < most:
            for item in confirm_all(sheet, OF_RANDOM):
                tally.add(sheet, item)
            random[digest(sheet)] = sheet.family

    confirm_sheet()


POSITIONS = examples(400, 6_000)  # Questions of each kind.
CHOICES = (
    *("odds", "read-hand", "arrange", "next-step", "which-clause"),
    *("what-becomes", "qualifies", "what-now", "after-fold", "best-cards"),
    *("paying-order", "dealing-order", "settle-table"),
)
EXPECTED_MIN = 5  # Fewer answers at a place are too few for chi-square.


@pytest.mark.long
@pytest.mark.random
@pytest.mark.timeout(3_600)
@pytest.mark.parametrize("kind", CHOICES)
def test_correct_answer_has_every_position_equally_often(kind: str) -> None:
    """Chi-square by family. The steps of "spot the error" are in the order of the round."""
    seed = secrets.randbits(32)
    log.warning("test_correct_answer_has_every_position_equally_often: seed %d", seed)
    sheets = [name for name in BUNDLED if kind in supported_kinds(game_of(name))]
    counts: dict[Place, Counter[str]] = defaultdict(Counter)
    for number in range(POSITIONS):
        game = game_of(sheets[number % len(sheets)])
        item = drill(game, kind, f"{seed}-{number}")
        if letter := telling_letter(item):
            counts[game.sheet.family, kind, len(item.question.options)][letter] += 1
    assert assert_uniform(counts)


def assert_uniform(counts: Mapping[Place, Counter[str]]) -> int:
    """Test every place with enough answers; return how many were tested."""
    tested = 0
    for place, positions in counts.items():
        options = place[-1]
        if positions.total() >= EXPECTED_MIN * options:
            by_letter = [positions[letter] for letter in ascii_lowercase[:options]]
            assert _chi_square(by_letter) < _rare(options - 1), (place, by_letter)
            tested += 1
    return tested


def telling_letter(item: Item) -> str | None:
    """The chosen letter, the only letter left out, or the first of an order."""
    letters = [step.partition("=")[0] for step in item.answer.split(",") if step]
    left_out = [option.id for option in item.question.options if option.id not in letters]
    if item.question.form == "choices":
        return letters[0] if len(letters) == 1 else left_out[0] if len(left_out) == 1 else None
    return letters[0]


def _chi_square(counts: list[int]) -> float:
    mean = sum(counts) / len(counts)
    return sum((count - mean) ** 2 for count in counts) / mean


def _rare(freedom: int) -> float:
    """What a fair chi-square exceeds about once in a million times (Wilson and Hilferty)."""
    part = 2 / (9 * freedom)
    return float(freedom * (1 - part + 4.75 * part**0.5) ** 3)


@pytest.mark.long
@pytest.mark.random
@pytest.mark.timeout(1_800)
def test_always_or_never_stopping_is_no_better_than_guessing() -> None:
    """Half the rounds are wrong and half clean, each confirmed; no act is wrong too often."""
    errors: Counter[str] = Counter()
    by_act: Counter[str] = Counter()  # Right ones of who stops every round at this act.
    for name in BUNDLED:
        for seed in range(ROUNDS):
            item = drill(game_of(name), "spot-error", f"s{seed}")
            confirm(game_of(name).sheet, item)
            assert item.evidence is not None
            errors[item.evidence["planted"].error] += 1
            by_act[item.answer] += 1
    rounds, clean = sum(errors.values()), errors["none"]
    chance = 4 * rounds**0.5 / 2  # Four standard deviations of a fair coin.
    log.info("%d planted, %d clean: %s; %s", rounds - clean, clean, errors, by_act)
    assert by_act[CLEAN] == clean
    assert abs(clean - rounds / 2) <= chance  # Never stopping is right as often as a coin,
    assert abs(rounds - clean - rounds / 2) <= chance  # and so is always stopping somewhere.
    assert max(right for act, right in by_act.items() if act != CLEAN) < rounds / 4
    assert set(errors) <= {"none", *ERRORS}
    if THOROUGH:
        assert min(clean, rounds - clean) >= 10_000
        assert set(errors) == {"none", *ERRORS}
