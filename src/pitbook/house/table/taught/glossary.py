"""Words that a newcomer may not know, each with what it means and the forms it is met in."""

from __future__ import annotations

from typing_extensions import TypedDict

from pitbook.text import say

__all__ = ["TERMS", "TermTold", "glossary"]

TERMS = (
    *(
        "ante",
        "bet",
        "side-wager",
    ),
    *(
        "street",
        "fold",
        "check",
    ),
    *(
        "raise",
        "push",
        "odds",
    ),
    *(
        "pay-table",
        "house-edge",
        "element-of-risk",
    ),
    *(
        "hole-cards",
        "community-cards",
        "dealer",
    ),
    *(
        "qualify",
        "pair",
        "two-pair",
    ),
    *(
        "three-of-a-kind",
        "straight",
        "flush",
    ),
    *(
        "full-house",
        "four-of-a-kind",
        "straight-flush",
    ),
    *(
        "royal-flush",
        "shoe",
        "cap",
    ),
    *(
        "round",
        "misdeal",
        "void",
    ),
    *(
        "best-play",
        "given-away",
        "expected",
    ),
    *(
        "luck",
        "clause",
        "commitment",
    ),
    *(
        "seed",
        "spot",
        "war",
    ),
    *(
        "surrender",
        "tie",
    ),
)


class TermTold(TypedDict):
    """A word of the tables; `forms` are the ways it stands in texts, parted by bars."""

    term: str
    word: str
    forms: str
    means: str


def glossary() -> list[TermTold]:
    """Every word, in the order of a first evening."""
    return [
        {
            "term": term,
            "word": say("glossary.word", term=term),
            "forms": say("glossary.forms", term=term),
            "means": say("glossary.means", term=term),
        }
        for term in TERMS
    ]
