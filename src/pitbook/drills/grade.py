"""Read and grade a typed answer: $25, 25.00 and 25 are the same amount."""

from __future__ import annotations

import re
from collections.abc import Callable

from pitbook.drills.item import AnswerForm, Item, Question
from pitbook.errors import PitbookError
from pitbook.money import money
from pitbook.text import Sentence, say

NOTHING = ("", "-", "none", "nada", "ninguna")
LENGTH_MAX = 500
_SIGN = r"(?:[a-z]{0,2}[$€£])?"
_WHOLE = r"[0-9]{1,3}(?:,[0-9]{3}){1,3}|[0-9]{1,12}"  # "25,50" is no amount, and not 2550.
_AMOUNT = re.compile(rf"(-?){_SIGN}({_WHOLE})(?:\.([0-9]{{1,2}}))?{_SIGN}", re.ASCII)
_STACK = re.compile(r"\$?([0-9]{1,9}(?:\.[0-9]{1,2})?)\s*[x*×]\s*([0-9]{1,6})")
_STEP = re.compile(rf"([a-z]{{1,2}})\s*[=:]\s*(-?{_SIGN}[0-9.,]+)")


def is_right(item: Item, given: str) -> bool:
    """Whether an answer is the right one; raises PitbookError where it is none."""
    return normal(item.question, given) == item.answer


def normal(question: Question, given: str) -> str:
    """An answer in the one way in which answers are written; raises PitbookError with how to."""
    if len(given) > LENGTH_MAX:
        raise _not_so(question)
    return _READ[question.form](question, given.strip().lower())


def how_to(question: Question) -> Sentence:
    """How an answer to this question is typed."""
    return say("drills.how-to", form=question.form)


def shown(question: Question, answer: str) -> str:
    """An answer as people read it: the texts of its options, amounts with their sign."""
    texts = {one.id: one.text or say("drills.cards", cards=one.cards) for one in question.options}
    if question.form in ("choice", "choices"):
        named = tuple(texts.get(one, one) for one in answer.split(",") if one)
        return say("drills.answers", answers=named) if named else say("drills.none")
    if question.form == "order":
        return say("drills.in-order", steps=tuple(texts[one] for one in answer.split(",")))
    if question.form == "steps":
        steps = tuple(_step_shown(one, texts) for one in answer.split(","))
        return say("drills.in-order", steps=steps)
    if question.form == "chips":
        told = tuple(
            say("drills.stack", value=_cents(value), count=int(count))
            for value, count in _STACK.findall(answer)
        )
        return say("drills.answers", answers=told)
    if question.form == "amount":
        return say("drills.amount", amount=_cents(answer))
    return answer


def _step_shown(step: str, texts: dict[str, str]) -> Sentence:
    letter, _, amount = step.partition("=")
    return say("drills.step-paid", step=texts.get(letter, letter), amount=_cents(amount))


def _cents(text: str) -> int:
    whole, _, rest = text.lstrip("-").partition(".")
    cents = int(whole) * 100 + int(rest.ljust(2, "0") or 0)
    return -cents if text.startswith("-") else cents


def _amount(question: Question, given: str) -> str:
    found = _AMOUNT.fullmatch(given.replace(" ", "").replace("\N{MINUS SIGN}", "-"))
    if found is None:
        raise _not_so(question)
    sign, whole, rest = found.groups()
    return money(_cents(f"{sign}{whole.replace(',', '')}.{rest or '0'}"))


def _number(question: Question, given: str) -> str:
    if not re.fullmatch(r"[0-9]{1,9}", given, re.ASCII):
        raise _not_so(question)
    return str(int(given))


def _chips(question: Question, given: str) -> str:
    stacks: dict[int, int] = {}
    for value, count in _STACK.findall(given):
        if _cents(value) not in question.chips or _cents(value) in stacks:
            raise _not_so(question)
        stacks[_cents(value)] = int(count)
    if _STACK.sub("", given).strip(" ,;+"):
        raise _not_so(question)
    return ",".join(
        f"{money(one)}x{stacks[one]}" for one in sorted(stacks, reverse=True) if stacks[one]
    )


def _letters(question: Question, given: str) -> list[str]:
    known = [one.id for one in question.options]
    parts = [one for one in re.split(r"[\s,;]+", given) if one]
    if len(parts) == 1 and parts[0] not in known:
        parts = list(parts[0])  # "acd", where each letter is an option.
    if any(one not in known for one in parts) or len(set(parts)) < len(parts):
        raise _not_so(question)
    return parts


def _choice(question: Question, given: str) -> str:
    letters = _letters(question, given)
    if len(letters) != 1:
        raise _not_so(question)
    return letters[0]


def _choices(question: Question, given: str) -> str:
    if question.pick is None and given in NOTHING:
        return ""
    letters = _letters(question, given)
    if question.pick not in (None, len(letters)):
        raise _not_so(question)
    known = [one.id for one in question.options]
    return ",".join(sorted(letters, key=known.index))


def _order(question: Question, given: str) -> str:
    letters = _letters(question, given)
    if len(letters) != len(question.options):
        raise _not_so(question)
    return ",".join(letters)


def _steps(question: Question, given: str) -> str:
    found = _STEP.findall(given)
    known = {one.id for one in question.options}
    letters = [letter for letter, _ in found]
    if set(letters) != known or len(letters) != len(known) or _STEP.sub("", given).strip(" ,;"):
        raise _not_so(question)
    return ",".join(f"{letter}={_amount(question, net.strip(','))}" for letter, net in found)


def _not_so(question: Question) -> PitbookError:
    return PitbookError(say("drills.no-answer", how=how_to(question)))


_READ: dict[AnswerForm, Callable[[Question, str], str]] = {
    "amount": _amount,
    "number": _number,
    "chips": _chips,
    "choice": _choice,
    "choices": _choices,
    "order": _order,
    "steps": _steps,
}
