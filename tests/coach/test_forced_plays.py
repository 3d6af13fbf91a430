"""A play that was the only one is nobody's decision: it makes no score better."""

from __future__ import annotations

import pytest
from tests.coach.play_rounds import played
from tests.sheets.samples import CMS

from pitbook import load
from pitbook.cards import cards
from pitbook.coach.review import review


@pytest.mark.parametrize(("purse", "chosen"), [(2_000, False), (3_000, True), (None, True)])
def test_the_only_play_that_is_left_is_no_choice(purse: int | None, chosen: bool) -> None:
    """With $10 beside the ante one bet is paid for, and then a fold is all there is."""
    plays = iter(("1x", "fold"))
    round = played(load(CMS), [{"ante": 1_000}], cards("2c 7d 9h Ks Jd"), lambda *_: next(plays))
    first, second = review(round.opened, round.actions, 1, purse=purse).decisions
    assert first.chosen
    assert (second.play, second.chosen) == ("fold", chosen)
    assert (len(second.weighed.covered) > 1) is chosen
