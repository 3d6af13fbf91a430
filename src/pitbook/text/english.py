"""What follows a number or a name: one card, two cards; an auditor; brushes. Not public."""

from __future__ import annotations

from fractions import Fraction


def plural(word: str) -> str:
    """More than one of it.

    >>> plural("brush"), plural("entry"), plural("day"), plural("player")
    ('brushes', 'entries', 'days', 'players')
    """
    if word.endswith(("s", "x", "z", "ch", "sh")):
        return f"{word}es"
    if word.endswith("y") and word[-2:-1] not in "aeiou":
        return f"{word[:-1]}ies"
    return f"{word}s"


def counted(number: float | Fraction, word: str, more: str | None = None) -> str:
    """A number and what is counted.

    >>> counted(1, "card"), counted(0, "card"), counted(12_000, "entry")
    ('1 card', '0 cards', '12,000 entries')
    """
    return f"{number:,} {word if number == 1 else more or plural(word)}"


def an(word: str) -> str:
    """A word behind its article.

    >>> an("player"), an("auditor")
    ('a player', 'an auditor')
    """
    return f"{'an' if word[:1].lower() in 'aeiou' else 'a'} {word}"
