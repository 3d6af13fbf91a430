"""A hundred thousand questions, of every sheet and of fifty that nobody wrote, each counted."""

from __future__ import annotations

import logging
from collections import Counter

import pytest
from hypothesis import HealthCheck, Phase, given, settings
from tests.generated_sheets import sheets
from tests.generated_versus import versus_sheets
from tests.lanes import THOROUGH, examples
from tests.train.confirmed import confirm
from tests.train.test_drills import BUNDLED, confirm_all, game_of

from pitbook.sheets.digest import digest
from pitbook.sheets.model import Sheet
from pitbook.train.drills.item import Item
from pitbook.train.drills.kinds import KINDS, drill
from pitbook.train.drills.spotting import CLEAN, ERRORS

log = logging.getLogger(__name__)
OF_BUNDLED, OF_RANDOM, SHEETS = 340, 60, 50
SHUFFLED = ("odds", "read-hand", "arrange", "next-step", "which-clause")
ROUNDS = examples(10, 1_400)  # Of each bundled sheet: 21,000 in the slow lane.


class Tally:
    """What was asked, as it was counted."""

    def __init__(self) -> None:
        self.by_kind: Counter[str] = Counter()
        self.different: set[int] = set()
        self.places: Counter[tuple[str, int, str]] = Counter()

    def add(self, sheet: Sheet, item: Item) -> None:
        self.by_kind[item.kind] += 1
        self.different.add(hash((sheet.id, digest(sheet), item.kind, item.question)))
        if item.kind in SHUFFLED:
            self.places[item.kind, len(item.question.options), item.answer] += 1


@pytest.mark.slow
@pytest.mark.timeout(3_600)
def test_a_hundred_thousand_questions_are_confirmed() -> None:
    """By `pitbook settle` and the sheet's own JSON; no place of an option is right too often."""
    tally, random = Tally(), dict[str, str]()
    for name in BUNDLED:
        for item in confirm_all(game_of(name).sheet, OF_BUNDLED):
            tally.add(game_of(name).sheet, item)

    @settings(
        max_examples=SHEETS + 10,
        deadline=None,
        phases=(Phase.generate,),
        suppress_health_check=list(HealthCheck),
    )
    @given(sheet=sheets() | versus_sheets())
    def confirmed(sheet: Sheet) -> None:
        if digest(sheet) not in random and len(random) < SHEETS:
            random[digest(sheet)] = sheet.family
            for item in confirm_all(sheet, OF_RANDOM):
                tally.add(sheet, item)

    confirmed()
    asked, families = sum(tally.by_kind.values()), Counter(random.values())
    different = len(tally.different)
    log.info("%d questions, %d different; %s; %s", asked, different, families, tally.by_kind)
    assert asked >= 100_000
    assert len(random) == SHEETS
    assert min(families[one] for one in ("street-stud", "hi-lo", "versus")) >= 5
    assert set(tally.by_kind) == set(KINDS)
    for kind, options, letter in tally.places:
        those = sum(tally.places[kind, options, one] for one in "abcdef")
        share = tally.places[kind, options, letter] / those
        assert those < 1_000 or share < 1 / options + 0.06, (kind, options, letter, share)


@pytest.mark.long
@pytest.mark.random
@pytest.mark.timeout(1_800)
def test_stopping_always_or_never_is_no_better_than_a_guess() -> None:
    """As many rounds are wrong as are clean, each confirmed; where it is wrong nobody can guess."""
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
    assert abs(clean - rounds / 2) <= chance  # Who never stops is right as often as a coin,
    assert abs(rounds - clean - rounds / 2) <= chance  # and so is who always stops somewhere.
    assert max(right for act, right in by_act.items() if act != CLEAN) < rounds / 4
    assert set(errors) <= {"none", *ERRORS}
    if THOROUGH:
        assert min(clean, rounds - clean) >= 10_000
        assert set(errors) == {"none", *ERRORS}
