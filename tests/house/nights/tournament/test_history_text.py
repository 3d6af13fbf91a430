"""Floor actions have a label in English and Spanish."""

from __future__ import annotations

from typing import get_args

import pytest

from pitbook.house.nights.tournament.facts import KINDS, Sale
from pitbook.text import Sentence, in_language, say

SALES = get_args(Sale)
DONE = [name.removeprefix("tournament-") for name in KINDS]


def action_label(done: str, **fields: object) -> Sentence:
    plain = f"{done} sold" if done in SALES else done.replace("-", " ")
    return say("nights.past", **{"done": done, "plain": plain, "table": 0, "who": [], **fields})


@pytest.mark.parametrize("done", sorted({*DONE, *SALES} - {"sold"}))
def test_every_action_has_a_spanish_label(done: str) -> None:
    label = action_label(done, count=0)
    assert in_language(label, "es") != label


def test_action_label_lists_tables_and_names() -> None:
    single = action_label("buy-in", who=["Ann {x} <b>"], count=1)
    several = action_label("eliminated", who=["Bob", "Cyd"], count=2)
    table = action_label("round-begun", table=2, count=0)
    assert [single, several, table] == [
        "Buy-in: Ann {x} <b>",
        "Eliminated: Bob, Cyd",
        "Round started, table 2",
    ]
    assert [in_language(text, "es") for text in (single, several, table)] == [
        "Inscripción: Ann {x} <b>",
        "Eliminado: Bob, Cyd",
        "Ronda iniciada, mesa 2",
    ]
