"""English plurals and articles: one card, two cards; an auditor; brushes."""

from __future__ import annotations

from fractions import Fraction


def plural(word: str) -> str:
    """The plural of a word.

    >>> plural("brush"), plural("entry"), plural("day"), plural("player")
    ('brushes', 'entries', 'days', 'players')
    """
    if word.endswith(("s", "x", "z", "ch", "sh")):
        return f"{word}es"
    if word.endswith("y") and word[-2:-1] not in "aeiou":
        return f"{word[:-1]}ies"
    return f"{word}s"


def count_noun(number: float | Fraction, word: str, plural_form: str | None = None) -> str:
    """A number with its noun.

    >>> count_noun(1, "card"), count_noun(0, "card"), count_noun(12_000, "entry")
    ('1 card', '0 cards', '12,000 entries')
    """
    return f"{number:,} {word if number == 1 else plural_form or plural(word)}"


def with_article(word: str) -> str:
    """A word with its indefinite article.

    >>> with_article("player"), with_article("auditor")
    ('a player', 'an auditor')
    """
    return f"{'an' if word[:1].lower() in 'aeiou' else 'a'} {word}"
