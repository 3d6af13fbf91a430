"""The words and hands that a rules paper defines."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterable, Iterator, Mapping
from functools import cache
from pathlib import Path
from typing import Any

from pitbook.hands.kinds import hand_kinds
from pitbook.printing.content import Block, Paragraph, Section, SmallTables, Table
from pitbook.rules.game import Game
from pitbook.rules.settlement_lines import Best, Other
from pitbook.sheets.assumptions import assumed_of_rule, assumed_share
from pitbook.sheets.pay_tables import all_pay_tables
from pitbook.sheets.phrases import outcome
from pitbook.sheets.prose import RuleText
from pitbook.sheets.provenance import OursShare
from pitbook.text import Sentence, capital, say, sentences_in

USES = Path(__file__).with_name("words.toml")
# Messages that embed a text the casino wrote itself.
EMBEDDING = ("aloud.sentence", "papers.lead", "papers.sentence")
_WORD = re.compile(r"\w+")


def words(sections: Iterable[Section], names: Iterable[str] = ()) -> Table | None:
    """A table of defined words that the sections use, or None; wager names are left out."""
    texts = list(_section_texts(sections))
    sentences = sentences_in(texts)
    written = " / ".join(_words_only(text) for text in _own_texts(texts, sentences))
    own_names = {name.lower() for name in names}
    used = [
        key for key, uses in _load_word_uses().items() if _is_used(uses, sentences, f" {written} ")
    ]
    rows = tuple(
        (capital(word), say("papers.rules.means", word=key))
        for key in used
        if (word := say("papers.rules.word", word=key)) not in own_names
    )
    title = say("papers.rules.words")
    return Table(title, ("", ""), rows, "ll", "words", assumed="all") if rows else None


@cache
def _load_word_uses() -> Mapping[str, Any]:
    return tomllib.loads(USES.read_text(encoding="utf-8"))


def _is_used(uses: Mapping[str, Any], sentences: list[Sentence], written: str) -> bool:
    """Whether a sentence uses the word, or the casino's own text contains it."""
    if any(f" {form} " in written for form in uses["written"]):
        return True
    return any(_matches_use(use, sentence) for sentence in sentences for use in uses["said"])


def _matches_use(use: Mapping[str, Any], sentence: Sentence) -> bool:
    if sentence.key != use["key"]:
        return False
    return all(sentence.fields[name] in allowed for name, allowed in use.items() if name != "key")


def _section_texts(sections: Iterable[Section]) -> Iterator[str]:
    for block in (block for section in sections for block in section.blocks):
        if isinstance(block, Paragraph):
            yield from (block.lead, block.text)
        for table in block.tables if isinstance(block, SmallTables) else ():
            yield from (cell for row in table.rows for cell in row)


def _own_texts(texts: list[str], sentences: list[Sentence]) -> Iterator[str]:
    """Texts that the casino wrote itself, including those embedded in our sentences."""
    yield from (text for text in texts if not isinstance(text, Sentence))
    for sentence in sentences:
        if sentence.key in EMBEDDING:
            yield from (field for field in sentence.fields.values() if type(field) is str)


def _words_only(text: str) -> str:
    """Only the words of a text, so that a whole word is found despite punctuation."""
    return " ".join(_WORD.findall(text.lower()))


HANDS = (
    *("royal-flush", "mini-royal", "straight-flush", "four-aces", "four-of-a-kind", "full-house"),
    *("flush", "straight", "suited-three-of-a-kind", "three-of-a-kind", "two-pair", "suited-pair"),
    *("pair", "high-card"),
)
# The best hand of its kind: listed only where it is paid.
BEST_OF_KIND = "royal-flush", "mini-royal", "four-aces"


def hands(game: Game, rule_texts: Iterable[RuleText]) -> Iterator[Block]:
    """The ranking of compared hands, then other hands that the pay tables name."""
    tables = all_pay_tables(game.sheet).values()
    paid = list(dict.fromkeys(_kind(line) for table in tables for line in table))
    ranked = [kind for kind in _ranked_kinds(game) if kind not in BEST_OF_KIND or kind in paid]
    if ranked:
        rule = next((rule_text for rule_text in rule_texts if rule_text.key == "hands.cards"), None)
        clauses = rule.clauses if rule else ()
        yield from _in_order(ranked, clauses, assumed_share(rule) if rule else "all")
    unranked = [kind for kind in paid if kind in HANDS and kind not in (*ranked, "high-card")]
    if unranked:
        ace = game.sheet.payouts.ace_in_straights
        yield _table(
            "hands", say("papers.rules.hands"), unranked, (ace.clause,), assumed_of_rule(ace)
        )


def has_straights(game: Game) -> bool:
    """Whether a player's cards and the common cards are enough for a straight."""
    at_once = [place.cards - place.later for place in game.places if place.id != "dealer"]
    return sum(at_once) > 1


def _ranked_kinds(game: Game) -> list[str]:
    """The kinds of compared hands, highest first; empty if no hands are compared."""
    for duel in game.duels:
        ranking = next(hand.ranking for hand in game.hands if hand.name == duel.own)
        if isinstance(ranking, Best):
            kinds = [_kind(hand.name) for hand in reversed(hand_kinds(ranking.cards))]
            return list(dict.fromkeys(kinds))
    by_rank = [
        hand for hand in game.hands if isinstance(hand.ranking, Other) and hand.ranking.ranks
    ]
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
    rows = tuple((capital(outcome(kind)), say("papers.rules.hand", hand=kind)) for kind in kinds)
    return Table(title, ("", ""), rows, "ll", key, clauses, assumed=assumed)


def _kind(line: str) -> str:
    """The kind of a hand: pairs of certain ranks are pairs."""
    alike = ("pair", "suited-pair", "high-card")
    return next((kind for kind in alike if line.startswith(kind)), line)
