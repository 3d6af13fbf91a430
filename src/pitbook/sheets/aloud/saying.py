"""One rule in one clause of English, with the fields that it says."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from pitbook.sheets.findings import Path
from pitbook.sheets.ours import Share, joined, marked, share
from pitbook.sheets.values import Rule

HEADINGS = (
    "House",
    "Seats",
    "Cards",
    "Wagers",
    "Play",
    "Pay table",
    "Side wagers",
    "Fold",
    "Limits",
    "Settlement",
    "Payouts",
    "Irregularities",
    "Best play",
)


@dataclass(frozen=True)
class Saying:
    """What a sheet says of some fields: "the Ante" "is $5 to $500".

    On a rack card `short` stands beside the label; an empty label goes on with the line above, and
    a saying whose label is None is for comparisons only.
    """

    heading: str
    label: str | None
    subject: str
    says: str
    paths: tuple[Path, ...]
    clauses: tuple[str, ...]
    notes: tuple[str, ...]
    short: str
    key: str
    ours: Share = "none"

    @property
    def sentence(self) -> str:
        """Subject and predicate, without a capital or a full stop."""
        return f"{self.subject} {self.says}"

    @property
    def beside_label(self) -> str:
        """The text for a rack card."""
        return capital(self.short or self.sentence)

    @property
    def marked(self) -> str:
        """The text for a rack card, with a word where it is our choice."""
        return marked(self.beside_label, self.ours)


def said(
    heading: str,
    label: str | None,
    subject: str,
    says: str,
    fields: str,
    *rules: Rule | None,
    short: str = "",
    key: str = "",
    also: str = "",
) -> Saying:
    """A saying of fields, written as in "seats.count deck.decks", told by rules.

    What the short form tells beyond them is named in `also`.
    """
    known = [rule for rule in rules if rule is not None]
    told = [*(field.rpartition(".")[2] for field in fields.split()), *also.split()]
    return Saying(
        heading,
        label,
        subject,
        says,
        paths=tuple(tuple(field.split(".")) for field in fields.split()),
        clauses=_once(rule.clause for rule in known),
        notes=_once(rule.note for rule in known if rule.note),
        short=short,
        key=key or fields.split(maxsplit=1)[0],
        ours=joined(share(rule, *told) for rule in known),
    )


def capital(text: str) -> str:
    """The text with its first letter large."""
    return text[:1].upper() + text[1:]


def _once(words: Iterable[str]) -> tuple[str, ...]:
    return tuple(dict.fromkeys(words))
