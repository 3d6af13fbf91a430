"""Caribbean Stud: ace-king qualifies, and the Raise is paid by the hand."""

from __future__ import annotations

import pytest
from tests.rules.families.versus.rounds import nets, play_round

STUD = "classic/caribbean-stud"


@pytest.mark.parametrize(
    ("cards", "dealer", "ante", "raise_"),
    [
        ("9s 8d 7c Ts Jd", "As Qd 2c 3d 4h", 1000, 0),  # Ace and queen do not qualify.
        ("9s 8d 7c Ts Jd", "As Kd 2c 3d 4h", 1000, 8000),  # Ace and king do.
        ("Ah Kc 5c 3h 4d", "As Kd 2c 3d 4h", 1000, 2000),
        ("Ah Kc 2d 3h 4d", "As Kd 2c 3d 4h", 0, 0),
        ("Ah Kc 2d 3h 4d", "2s 2h 3c 4c 5s", -1000, -2000),
        ("Ah Kh Qh Jh Th", "2s 2c 3c 4c 5s", 1000, 200_000),
    ],
)
def test_caribbean_stud_ante_and_raise(cards: str, dealer: str, ante: int, raise_: int) -> None:
    assert nets(play_round(STUD, cards, dealer, "2x")) == {"ante": ante, "raise": raise_}


def test_a_fold_loses_the_ante() -> None:
    assert nets(play_round(STUD, "2s 4d 7c Ts Jd", "As Qd 2c 3d 4h", "fold")) == {"ante": -1000}
