"""A forced play is not a decision and does not improve a score."""

from __future__ import annotations

import pytest
from tests.coach.play_rounds import play_round
from tests.sheets.samples import CMS

from pitbook import load
from pitbook.cards import cards
from pitbook.coach.review import review


@pytest.mark.parametrize(("purse", "chosen"), [(2_000, False), (3_000, True), (None, True)])
def test_only_covered_play_is_not_a_choice(purse: int | None, chosen: bool) -> None:
    """With $10 left after the ante, the player can cover one bet and must then fold."""
    plays = iter(("1x", "fold"))
    round = play_round(
        load(CMS), [{"ante": 1_000}], cards("2c 7d 9h Ks Jd"), lambda *_: next(plays)
    )
    first, second = review(round.opened, round.actions, 1, purse=purse).decisions
    assert first.chosen
    assert (second.play, second.chosen) == ("fold", chosen)
    assert (len(second.weighed.covered) > 1) is chosen
