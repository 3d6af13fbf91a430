"""One rule of a sheet as a sentence, with the fields and clauses behind it."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace
from functools import cache
from typing import Any

from pitbook.sheets.findings import FieldPath
from pitbook.sheets.provenance import OursShare, add_mark, combine, fields_of, share
from pitbook.sheets.values import Rule
from pitbook.text import Sentence, capital, say, subkeys

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
class RuleText:
    """What a sheet says about some fields: "the Ante" "is $5 to $500".

    On a rack card `short` is printed beside the label; an empty label continues the line above.
    A text
    whose label is None is for comparisons only.
    """

    heading: Sentence
    label: str | None
    subject: str
    says: str
    paths: tuple[FieldPath, ...]
    clauses: tuple[str, ...]
    notes: tuple[str, ...]
    short: str
    key: str
    ours: OursShare = "none"  # Of the sentence and the short form together.
    sentence_ours: OursShare = "none"
    decides: str = ""  # For a decision: the choice, without what the dealer does afterwards.

    @property
    def sentence(self) -> Sentence:
        """Subject and predicate, without a capital or a full stop."""
        return say("aloud.sentence", subject=self.subject, says=self.says)

    @property
    def card_text(self) -> str:
        """The text for a rack card."""
        return capital(self.short or self.sentence)

    @property
    def marked_text(self) -> str:
        """The text for a rack card, with the mark of our assumptions."""
        return add_mark(self.card_text, self.ours)


def rule_text(
    heading: str,
    key: str,
    fields: str,
    /,
    *rules: Rule | None,
    at: str = "",
    also: str = "",
    **values: Any,
) -> RuleText:
    """A rule text from the catalogue of messages: label, subject, predicate and short form.

    Without a label there it is for comparisons only; `at` is its key.
    """
    parts = subkeys(key)
    subject, says = say(f"{key}.subject", **values), say(f"{key}.says", **values)
    label = say(f"{key}.label", **values) if "label" in parts else None
    short = say(f"{key}.short", **values, subject=subject, says=says) if "short" in parts else ""
    text = compose_rule_text(
        heading, label, subject, says, fields, *rules, short=short, key=at, also=also
    )
    return replace(text, decides=say(f"{key}.decides", **values)) if "decides" in parts else text


def compose_rule_text(
    heading: str,
    label: str | None,
    subject: str,
    says: str,
    fields: str,
    *rules: Rule | None,
    short: str = "",
    key: str = "",
    also: str = "",
) -> RuleText:
    """A rule text for fields, written as in "seats.count deck.decks", with its rules.

    `also` names further fields of the short form.
    """
    stated = [rule for rule in rules if rule is not None]
    field_names = [field.rpartition(".")[2] for field in fields.split()]
    all_names = [*field_names, *also.split()]
    return RuleText(
        _heading(heading),
        label,
        subject,
        says,
        paths=tuple(tuple(field.split(".")) for field in fields.split()),
        clauses=_unique(rule.clause for rule in stated),
        notes=_unique(
            rule.note for rule in stated if rule.note and _note_applies(rule, field_names)
        ),
        short=short,
        key=key or fields.split(maxsplit=1)[0],
        ours=combine(share(rule, *all_names) for rule in stated),
        sentence_ours=combine(share(rule, *field_names) for rule in stated),
    )


def _note_applies(rule: Rule, fields: list[str]) -> bool:
    """Whether a rule's note applies to these fields."""
    named = isinstance(rule.ours, tuple) and set(fields) <= set(fields_of(rule))
    return not (named and fields and share(rule, *fields) == "none")


@cache
def _heading(heading: str) -> Sentence:
    return say("aloud.heading", part=heading.lower().replace(" ", "-"), heading=heading)


def _unique(words: Iterable[str]) -> tuple[str, ...]:
    return tuple(dict.fromkeys(words))
