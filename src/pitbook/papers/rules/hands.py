"""What the hands are, and how they rank where one is compared with the dealer's."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from pitbook.hands.kinds import catalogue
from pitbook.papers.assumptions import assumed_of_rule, assumed_share
from pitbook.papers.content import Block, Paragraph, Table
from pitbook.rules.game import Game
from pitbook.rules.pricing import Best, Other
from pitbook.sheets.aloud import Saying, capital
from pitbook.sheets.aloud.words import outcome
from pitbook.sheets.ours import OursShare
from pitbook.sheets.pays import all_pay_tables
from pitbook.text import say

HANDS = (
    *("royal-flush", "mini-royal", "straight-flush", "four-aces", "four-of-a-kind", "full-house"),
    *("flush", "straight", "suited-three-of-a-kind", "three-of-a-kind", "two-pair", "suited-pair"),
    *("pair", "high-card"),
)
NAMED = ("royal-flush", "mini-royal", "four-aces")  # The best of a kind: told where it is paid.


def hands(game: Game, said: Iterable[Saying]) -> Iterator[Block]:
    """How hands rank, where they are compared; then what else the pay tables name."""
    tables = all_pay_tables(game.sheet).values()
    paid = list(dict.fromkeys(_kind(line) for table in tables for line in table))
    ranked = [one for one in _ranked(game) if one not in NAMED or one in paid]
    if ranked:
        rule = next((one for one in said if one.key == "hands.cards"), None)
        clauses = rule.clauses if rule else ()
        yield from _in_order(ranked, clauses, assumed_share(rule) if rule else "all")
    rest = [one for one in paid if one in HANDS and one not in (*ranked, "high-card")]
    if rest:
        ace = game.sheet.payouts.ace_in_straights
        yield _table("hands", say("papers.rules.hands"), rest, (ace.clause,), assumed_of_rule(ace))


def has_straights(game: Game) -> bool:
    """Whether a player's cards and those in common are enough for a straight."""
    at_once = [one.cards - one.later for one in game.places if one.id != "dealer"]
    return sum(at_once) > 1


def _ranked(game: Game) -> list[str]:
    """The kinds of hands that are compared, the highest first; none where none are."""
    for duel in game.duels:
        ranking = next(one.ranking for one in game.hands if one.name == duel.own)
        if isinstance(ranking, Best):
            kinds = [_kind(one.name) for one in reversed(catalogue(ranking.cards))]
            return list(dict.fromkeys(kinds))
    by_rank = [one for one in game.hands if isinstance(one.ranking, Other) and one.ranking.ranks]
    return ["high-card"] if by_rank else []


def _in_order(ranked: list[str], clauses: tuple[str, ...], assumed: OursShare) -> Iterator[Block]:
    single = ranked == ["high-card"]
    if not single:
        yield _table("ranked", say("papers.rules.ranked"), ranked, clauses, assumed)
    text = say("papers.rules.in-rank", single=single)
    yield Paragraph(text, "in rank", clauses, assumed=assumed)


def _table(
    key: str, title: str, kinds: list[str], clauses: tuple[str, ...], assumed: OursShare
) -> Table:
    rows = tuple((capital(outcome(one)), say("papers.rules.hand", hand=one)) for one in kinds)
    return Table(title, ("", ""), rows, "ll", key, clauses, assumed=assumed)


def _kind(line: str) -> str:
    """Pairs of some ranks are pairs."""
    alike = ("pair", "suited-pair", "high-card")
    return next((one for one in alike if line.startswith(one)), line)
