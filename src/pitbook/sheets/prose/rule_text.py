"""One rule of a sheet as a sentence, with the fields and clauses behind it."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace
from functools import cache
from typing import Any

from pitbook.sheets.findings import FieldPath
from pitbook.sheets.provenance import OursShare, add_mark, combine, fields_of, share
from pitbook.sheets.values import Rule
from pitbook.text import Sentence, capital, parts_of, say

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
    """What a sheet says of some fields: "the Ante" "is $5 to $500".

    On a rack card `short` stands beside the label; an empty label goes on with the line above, and
    a saying whose label is None is for comparisons only.
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
    decides: str = ""  # Of a decision: what is chosen between, without what the dealer does then.

    @property
    def sentence(self) -> Sentence:
        """Subject and predicate, without a capital or a full stop."""
        return say("aloud.sentence", subject=self.subject, says=self.says)

    @property
    def beside_label(self) -> str:
        """The text for a rack card."""
        return capital(self.short or self.sentence)

    @property
    def marked(self) -> str:
        """The text for a rack card, with a word where it is our choice."""
        return add_mark(self.beside_label, self.ours)


def rule_text(
    heading: str,
    key: str,
    fields: str,
    /,
    *rules: Rule | None,
    at: str = "",
    also: str = "",
    **told: Any,
) -> RuleText:
    """A saying in the words of the catalogues: its label, its subject, what it says and its short.

    One without a label there is for comparisons only; `at` is the saying's own key.
    """
    parts = parts_of(key)
    subject, says = say(f"{key}.subject", **told), say(f"{key}.says", **told)
    label = say(f"{key}.label", **told) if "label" in parts else None
    short = say(f"{key}.short", **told, subject=subject, says=says) if "short" in parts else ""
    one = compose_rule_text(
        heading, label, subject, says, fields, *rules, short=short, key=at, also=also
    )
    return replace(one, decides=say(f"{key}.decides", **told)) if "decides" in parts else one


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
    """A saying of fields, written as in "seats.count deck.decks", told by rules, in own words.

    What the short form tells beyond them is named in `also`.
    """
    known = [rule for rule in rules if rule is not None]
    own = [field.rpartition(".")[2] for field in fields.split()]
    told = [*own, *also.split()]
    return RuleText(
        _heading(heading),
        label,
        subject,
        says,
        paths=tuple(tuple(field.split(".")) for field in fields.split()),
        clauses=_once(rule.clause for rule in known),
        notes=_once(rule.note for rule in known if rule.note and _is_about(rule, own)),
        short=short,
        key=key or fields.split(maxsplit=1)[0],
        ours=combine(share(rule, *told) for rule in known),
        sentence_ours=combine(share(rule, *own) for rule in known),
    )


def _is_about(rule: Rule, fields: list[str]) -> bool:
    """Whether a rule's note is on these fields: where it names its own, on those alone."""
    named = isinstance(rule.ours, tuple) and set(fields) <= set(fields_of(rule))
    return not (named and fields and share(rule, *fields) == "none")


@cache
def _heading(heading: str) -> Sentence:
    return say("aloud.heading", part=heading.lower().replace(" ", "-"), heading=heading)


def _once(words: Iterable[str]) -> tuple[str, ...]:
    return tuple(dict.fromkeys(words))
