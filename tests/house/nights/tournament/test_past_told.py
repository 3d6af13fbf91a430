"""What was done on a floor is told by its code: in English as ever, and in Spanish every one."""

from __future__ import annotations

from typing import get_args

import pytest

from pitbook.house.nights.tournament.facts import KINDS, Sale
from pitbook.text import Sentence, in_language, say

SALES = get_args(Sale)
DONE = [name.removeprefix("tournament-") for name in KINDS]


def told(done: str, **fields: object) -> Sentence:
    plain = f"{done} sold" if done in SALES else done.replace("-", " ")
    return say("nights.past", **{"done": done, "plain": plain, "table": 0, "who": [], **fields})


@pytest.mark.parametrize("done", sorted({*DONE, *SALES} - {"sold"}))
def test_each_thing_has_a_name_in_spanish(done: str) -> None:
    plain = told(done, count=0)
    assert in_language(plain, "es") != plain


def test_tables_and_names_follow() -> None:
    one = told("buy-in", who=["Ann {x} <b>"], count=1)
    several = told("eliminated", who=["Bob", "Cyd"], count=2)
    table = told("round-begun", table=2, count=0)
    assert [one, several, table] == [
        "buy-in sold: Ann {x} <b>",
        "eliminated: Bob, Cyd",
        "round begun table 2",
    ]
    assert [in_language(text, "es") for text in (one, several, table)] == [
        "inscripción vendida: Ann {x} <b>",
        "eliminado: Bob, Cyd",
        "ronda empezada, mesa 2",
    ]
