"""Where is the rule: the place in the source document that covers what happens in a round."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any, NamedTuple

from pitbook.rules.game import Game
from pitbook.sheets import ours
from pitbook.sheets.clauses import catalogue
from pitbook.text import say
from pitbook.train.drills.caps import deal_to_limit, has_caps, limit_reasons
from pitbook.train.drills.deals import PlayedRound, deal, lies, payments, round_file
from pitbook.train.drills.heart import fold_reason, has_fold_and_sides
from pitbook.train.drills.irregular import (
    SEATS_MAX,
    deal_mishap,
    in_document,
    mishap_lies,
    mishap_reason,
)
from pitbook.train.drills.item import Item, Lies, Question, Reason, lettered
from pitbook.train.drills.luck import Draws
from pitbook.train.drills.reasons import deal_reason, line_reasons, settlement_reason
from pitbook.train.drills.spotting import told_of

PLACES = 4
TRIES = 40  # Rounds dealt for one topic before another is chosen.
ORDINALS = [
    "first",
    "second",
    "third",
    "fourth",
    "fifth",
    "sixth",
    "seventh",
    "eighth",
    "ninth",
    "tenth",
    "eleventh",
]
NUMBERS = re.compile(rf"(\d+)[a-z]?(?: to (\d+))?|{'|'.join(ORDINALS)}")


class Case(NamedTuple):
    """Something that happens in a round, and the rule that covers it."""

    said: str
    shown: Lies | None
    reason: Reason
    evidence: dict[str, Any]
    alike: frozenset[str] = frozenset()  # Clauses that might be taken for the right one.


def has_places(game: Game) -> bool:
    """Whether the document rules on irregularities and has enough places to choose from."""
    rules = [rule for _, rule in ours.rules_of(game.sheet.irregularities, ())]
    return any(in_document(game, rule.clause) for rule in rules) and len(_places(game)) >= PLACES


def which_clause(game: Game, luck: Draws) -> Item | None:
    """Where in the source document a rule stands."""
    topic, places = luck.one_of([topic for topic, fits in TOPICS if fits(game)]), _places(game)
    cases = (topic(game, luck) for _ in range(TRIES))
    case = next((one for one in cases if one is not None and one.reason.clause in places), None)
    if case is None or case.reason.clause is None:
        return None
    right = places[case.reason.clause]
    others = [
        place
        for clause, place in places.items()
        if clause not in case.alike and not _overlap(place, right)
    ]
    if len(others) < PLACES - 1:
        return None
    shown = luck.shuffled([right, *luck.some_of(others, PLACES - 1)])
    options = lettered([(place, ()) for place in shown])
    document = catalogue()[case.reason.clause].document
    ask = say("drills.which-clause", document=document)
    question = Question(ask, "choice", case.shown, (case.said,), options)
    answer = options[shown.index(right)].id
    return Item("which-clause", question, answer, (case.reason,), 3, evidence=case.evidence)


# Topics -------------------------------------------------------------------------------------------


def _mishap(game: Game, luck: Draws) -> Case | None:
    happened = deal_mishap(game, luck)
    if happened is None:
        return None
    mishap, after = happened
    why = mishap_reason(mishap, after)
    if why.clause is None or not in_document(game, why.clause):
        return None
    evidence = {"played": mishap.played, "mishap": mishap, "topic": "irregularity"}
    return Case(mishap.told, mishap_lies(mishap), why, evidence)


def _deal(game: Game, luck: Draws) -> Case:
    played = _round(game, luck)
    dealt = next(act for act in told_of(played) if act.what == "deal")
    return Case(dealt.text, None, deal_reason(game), {"played": played, "topic": "deal"})


def _settlement(game: Game, luck: Draws) -> Case | None:
    played = _round(game, luck)
    seats = list(dict.fromkeys(stop.seat for stop in payments(played.final)))
    if len(seats) < 2:
        return None
    said = say("drills.acts.first", seat=seats[0], other=seats[1])
    evidence = {"played": played, "topic": "settlement"}
    return Case(said, lies(played.final), settlement_reason(game), evidence)


def _pay(game: Game, luck: Draws) -> Case | None:
    played = deal(game, luck)
    number = played.final.seats[0].number
    wins = [line for line in played.lines(number) if line.wins]
    if not wins:
        return None
    line = luck.one_of(wins)
    (why,) = line_reasons(played.final, number, [line])
    evidence = {"played": played, "file": round_file(played), "asked": line.wager, "topic": "pay"}
    limits = frozenset(limit.clause for limit in game.sheet.limits)
    return Case(why.text, lies(played.final), why, evidence, limits)


def _fold(game: Game, luck: Draws) -> Case | None:
    played = deal(game, luck, style="folds")
    seat = played.final.seats[0]
    if not seat.folded or not seat.side:
        return None
    wager, _ = luck.one_of(seat.side)
    play = next(str(play) for play in seat.plays if play.folds)
    why = fold_reason(game, wager, play)
    return Case(
        why.text, lies(played.final), why, {"played": played, "asked": wager, "topic": "fold"}
    )


def _limit(game: Game, luck: Draws) -> Case | None:
    reached = deal_to_limit(game, luck)
    if reached is None:
        return None
    played, seat = reached
    why = luck.one_of(limit_reasons(played.final, seat))
    pays = frozenset({game.sheet.main.clause, *(side.clause for side in game.sheet.side.values())})
    evidence = {"played": played, "file": round_file(played), "topic": "limit"}
    return Case(why.text, lies(played.final), why, evidence, pays)


def _round(game: Game, luck: Draws) -> PlayedRound:
    return deal(game, luck, seats=1 + luck.below(min(SEATS_MAX, game.sheet.seats.count)))


def _always(game: Game) -> bool:
    return True


Topic = Callable[[Game, Draws], Case | None]
TOPICS: tuple[tuple[Topic, Callable[[Game], bool]], ...] = (
    (_mishap, _always),
    (_deal, _always),
    (_settlement, _always),
    (_pay, _always),
    (_fold, has_fold_and_sides),
    (_limit, has_caps),
)


# Places -------------------------------------------------------------------------------------------


def _places(game: Game) -> dict[str, str]:
    """Where the document has each clause that the sheet cites, without places of two clauses."""
    cited = {rule.clause for _, rule in ours.rules_of(game.sheet, ())}
    clauses = catalogue()
    places = {
        name: str(clauses[name].where)
        for name in sorted(cited & set(clauses))
        if clauses[name].where and not clauses[name].ours
    }
    counts = list(places.values())
    return {name: place for name, place in places.items() if counts.count(place) == 1}


def _overlap(one: str, other: str) -> bool:
    """Whether two places share a paragraph, so that both could be called right.

    >>> _overlap("Overview, page 2; Dealing, items 5 to 7", "Dealing, item 6a")
    True
    >>> _overlap("House rules, first point", "House rules, ninth point")
    False
    """
    return any(
        title == other_title and (not numbers or not other_numbers or numbers & other_numbers)
        for title, numbers in map(_paragraphs, one.lower().split(";"))
        for other_title, other_numbers in map(_paragraphs, other.lower().split(";"))
    )


def _paragraphs(place: str) -> tuple[str, set[str]]:
    """A section's title and the numbers of its items; none stands for the whole section."""
    title, _, rest = re.sub(r", page \d+", "", place).strip().partition(",")
    numbers: set[str] = set()
    for found in NUMBERS.finditer(rest):
        first, last = found.groups()
        numbers |= (
            {str(n) for n in range(int(first), int(last or first) + 1)} if first else {found[0]}
        )
    return title, numbers
