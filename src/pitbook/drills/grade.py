"""Read and grade a typed answer: $25, 25.00 and 25 are the same amount."""

from __future__ import annotations

import re
from collections.abc import Callable

from pitbook.drills.question import AnswerForm, Item, Question
from pitbook.errors import PitbookError
from pitbook.money import money
from pitbook.text import Sentence, say

NONE_WORDS = ("", "-", "none", "nada", "ninguna")
LENGTH_MAX = 500
_SIGN = r"(?:[a-z]{0,2}[$€£])?"
_WHOLE = r"[0-9]{1,3}(?:,[0-9]{3}){1,3}|[0-9]{1,12}"  # "25,50" is invalid, not 2550.
_AMOUNT = re.compile(rf"(-?){_SIGN}({_WHOLE})(?:\.([0-9]{{1,2}}))?{_SIGN}", re.ASCII)
_STACK = re.compile(r"\$?([0-9]{1,9}(?:\.[0-9]{1,2})?)\s*[x*×]\s*([0-9]{1,6})")
_STEP = re.compile(rf"([a-z]{{1,2}})\s*[=:]\s*(-?{_SIGN}[0-9.,]+)")


def is_right(item: Item, answer: str) -> bool:
    """Whether an answer is correct. Raises PitbookError if it is invalid."""
    return normalize_answer(item.question, answer) == item.answer


def normalize_answer(question: Question, answer: str) -> str:
    """The answer in normal form. Raises PitbookError, with the format, if it is invalid."""
    if len(answer) > LENGTH_MAX:
        raise _invalid_answer(question)
    return _PARSERS[question.form](question, answer.strip().lower())


def answer_format(question: Question) -> Sentence:
    """How to type an answer to this question."""
    return say("drills.how-to", form=question.form)


def render_answer(question: Question, answer: str) -> str:
    """The answer for display: option texts, and amounts with their currency sign."""
    texts = {
        option.id: option.text or say("drills.cards", cards=option.cards)
        for option in question.options
    }
    if question.form in ("choice", "choices"):
        chosen = tuple(texts.get(letter, letter) for letter in answer.split(",") if letter)
        return say("drills.answers", answers=chosen) if chosen else say("drills.none")
    if question.form == "order":
        return say("drills.in-order", steps=tuple(texts[letter] for letter in answer.split(",")))
    if question.form == "steps":
        steps = tuple(_render_step(step, texts) for step in answer.split(","))
        return say("drills.in-order", steps=steps)
    if question.form == "chips":
        stacks = tuple(
            say("drills.stack", value=_cents(value), count=int(count))
            for value, count in _STACK.findall(answer)
        )
        return say("drills.answers", answers=stacks)
    if question.form == "amount":
        return say("drills.amount", amount=_cents(answer))
    return answer


def _render_step(step: str, texts: dict[str, str]) -> Sentence:
    letter, _, amount = step.partition("=")
    return say("drills.step-paid", step=texts.get(letter, letter), amount=_cents(amount))


def _cents(text: str) -> int:
    whole, _, fraction = text.lstrip("-").partition(".")
    cents = int(whole) * 100 + int(fraction.ljust(2, "0") or 0)
    return -cents if text.startswith("-") else cents


def _parse_amount(question: Question, text: str) -> str:
    match = _AMOUNT.fullmatch(text.replace(" ", "").replace("\N{MINUS SIGN}", "-"))
    if match is None:
        raise _invalid_answer(question)
    sign, whole, fraction = match.groups()
    return money(_cents(f"{sign}{whole.replace(',', '')}.{fraction or '0'}"))


def _parse_number(question: Question, text: str) -> str:
    if not re.fullmatch(r"[0-9]{1,9}", text, re.ASCII):
        raise _invalid_answer(question)
    return str(int(text))


def _parse_chips(question: Question, text: str) -> str:
    stacks: dict[int, int] = {}
    for value, count in _STACK.findall(text):
        if _cents(value) not in question.chips or _cents(value) in stacks:
            raise _invalid_answer(question)
        stacks[_cents(value)] = int(count)
    if _STACK.sub("", text).strip(" ,;+"):
        raise _invalid_answer(question)
    return ",".join(
        f"{money(chip)}x{stacks[chip]}" for chip in sorted(stacks, reverse=True) if stacks[chip]
    )


def _parse_letters(question: Question, text: str) -> list[str]:
    ids = [option.id for option in question.options]
    parts = [part for part in re.split(r"[\s,;]+", text) if part]
    if len(parts) == 1 and parts[0] not in ids:
        parts = list(parts[0])  # "acd", where each letter is an option.
    if any(part not in ids for part in parts) or len(set(parts)) < len(parts):
        raise _invalid_answer(question)
    return parts


def _parse_choice(question: Question, text: str) -> str:
    letters = _parse_letters(question, text)
    if len(letters) != 1:
        raise _invalid_answer(question)
    return letters[0]


def _parse_choices(question: Question, text: str) -> str:
    if question.pick is None and text in NONE_WORDS:
        return ""
    letters = _parse_letters(question, text)
    if question.pick not in (None, len(letters)):
        raise _invalid_answer(question)
    ids = [option.id for option in question.options]
    return ",".join(sorted(letters, key=ids.index))


def _parse_order(question: Question, text: str) -> str:
    letters = _parse_letters(question, text)
    if len(letters) != len(question.options):
        raise _invalid_answer(question)
    return ",".join(letters)


def _parse_steps(question: Question, text: str) -> str:
    steps = _STEP.findall(text)
    ids = {option.id for option in question.options}
    letters = [letter for letter, _ in steps]
    if set(letters) != ids or len(letters) != len(ids) or _STEP.sub("", text).strip(" ,;"):
        raise _invalid_answer(question)
    return ",".join(f"{letter}={_parse_amount(question, net.strip(','))}" for letter, net in steps)


def _invalid_answer(question: Question) -> PitbookError:
    return PitbookError(say("drills.no-answer", how=answer_format(question)))


_PARSERS: dict[AnswerForm, Callable[[Question, str], str]] = {
    "amount": _parse_amount,
    "number": _parse_number,
    "chips": _parse_chips,
    "choice": _parse_choice,
    "choices": _parse_choices,
    "order": _parse_order,
    "steps": _parse_steps,
}
