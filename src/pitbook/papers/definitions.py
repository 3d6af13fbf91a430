"""The words and hands that a rules paper defines."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterable, Iterator, Mapping
from functools import cache
from pathlib import Path
from typing import Any

from pitbook.hands.kinds import catalogue
from pitbook.papers.assumptions import assumed_of_rule, assumed_share
from pitbook.papers.content import Block, Paragraph, Section, SmallTables, Table
from pitbook.rules.game import Game
from pitbook.rules.pricing import Best, Other
from pitbook.sheets.pay_tables import all_pay_tables
from pitbook.sheets.prose.rule_text import RuleText
from pitbook.sheets.prose.words import outcome
from pitbook.sheets.provenance import OursShare
from pitbook.text import Sentence, capital, say, sentences_in

USES = Path(__file__).with_name("words.toml")
# Of a family of somebody else's, whose rules are its own text and no sentences of ours.
HOLDING = ("aloud.sentence", "papers.lead", "papers.sentence")
_WORD = re.compile(r"\w+")


def words(sections: Iterable[Section], names: Iterable[str] = ()) -> Table | None:
    """A table of the words that some sections use, or none; a wager's own name needs no saying."""
    texts = list(_texts(sections))
    said = sentences_in(texts)
    written = " / ".join(_plain(one) for one in _written(texts, said))
    known = {one.lower() for one in names}
    used = [one for one, uses in _uses().items() if _is_used(uses, said, f" {written} ")]
    rows = tuple(
        (capital(word), say("papers.rules.means", word=one))
        for one in used
        if (word := say("papers.rules.word", word=one)) not in known
    )
    title = say("papers.rules.words")
    return Table(title, ("", ""), rows, "ll", "words", assumed="all") if rows else None


@cache
def _uses() -> Mapping[str, Any]:
    return tomllib.loads(USES.read_text(encoding="utf-8"))


def _is_used(uses: Mapping[str, Any], said: list[Sentence], written: str) -> bool:
    """Whether a sentence says the word, or somebody wrote it in a text of their own."""
    if any(f" {form} " in written for form in uses["written"]):
        return True
    return any(_says(one, sentence) for sentence in said for one in uses["said"])


def _says(use: Mapping[str, Any], sentence: Sentence) -> bool:
    if sentence.key != use["key"]:
        return False
    return all(sentence.fields[name] in ok for name, ok in use.items() if name != "key")


def _texts(sections: Iterable[Section]) -> Iterator[str]:
    for block in (one for section in sections for one in section.blocks):
        if isinstance(block, Paragraph):
            yield from (block.lead, block.text)
        for table in block.tables if isinstance(block, SmallTables) else ():
            yield from (cell for row in table.rows for cell in row)


def _written(texts: list[str], said: list[Sentence]) -> Iterator[str]:
    """What is no sentence of ours: a person wrote it, and there is nothing but its words to ask."""
    yield from (one for one in texts if not isinstance(one, Sentence))
    for sentence in said:
        if sentence.key in HOLDING:
            yield from (one for one in sentence.fields.values() if type(one) is str)


def _plain(text: str) -> str:
    """A text as its words alone, so that one is found whole and whatever stands around it."""
    return " ".join(_WORD.findall(text.lower()))


HANDS = (
    *("royal-flush", "mini-royal", "straight-flush", "four-aces", "four-of-a-kind", "full-house"),
    *("flush", "straight", "suited-three-of-a-kind", "three-of-a-kind", "two-pair", "suited-pair"),
    *("pair", "high-card"),
)
NAMED = ("royal-flush", "mini-royal", "four-aces")  # The best of a kind: told where it is paid.


def hands(game: Game, said: Iterable[RuleText]) -> Iterator[Block]:
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
