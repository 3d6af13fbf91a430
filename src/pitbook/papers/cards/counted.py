"""How hands are made and counted: the cards at a table say it in the words of the rules."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import replace

from pitbook.papers.content import Paragraph
from pitbook.papers.rules.paper import paragraph
from pitbook.papers.rules.steps import steps
from pitbook.rules.game import Game
from pitbook.rules.pricing import Best
from pitbook.sheets.aloud import Saying


def steps_counted(game: Game, said: list[Saying], *, laid: bool) -> list[Paragraph]:
    """The deal; before hands are settled, how they are counted, and laid where that is asked."""
    own = [one for one in said if _counts(one, game) or (laid and one.key.endswith("_laid"))]
    told = list(steps(game, said))
    settled = next(place for place, one in enumerate(told) if one.key.startswith("step settle"))
    told[settled:settled] = [paragraph(one, game.sheet) for one in own]
    return [replace(one, notes=()) for one in told]


def sides_counted(game: Game, said: Iterable[Saying]) -> Iterator[Paragraph]:
    """What a side wager counts, where the lines of its pay table alone do not say it."""
    for one in said:
        beside = one.heading.fields["heading"] == "Pay table" and one.label is not None
        if beside and one.key.startswith("side."):
            yield replace(paragraph(one, game.sheet), notes=())


def _counts(one: Saying, game: Game) -> bool:
    """What cards count, and which of them make a hand where not all of them do."""
    return one.key.startswith("points.") or (one.key == "hands.cards" and _chosen(game))


def _chosen(game: Game) -> bool:
    """Whether a hand that is compared is the best of more cards than it has."""
    return any(
        isinstance(one.ranking, Best)
        and sum(game.places[place].cards for place in one.places) > one.ranking.cards
        for one in game.hands
    )
