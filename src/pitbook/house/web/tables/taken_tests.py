"""A table test that was taken, question by question: for who took it, and who supervises."""

from __future__ import annotations

from pitbook.house.web.models.train import ItemsTold, ItemTold
from pitbook.house.web.tables.schooling import dealt_with, question_shown
from pitbook.train.drills.answers import shown
from pitbook.train.drills.item import Question
from pitbook.train.drills.kinds import title_of
from pitbook.train.school.facts import ExamResult, ResultItem
from pitbook.train.school.results import game_of, worded


def items_told(result: ExamResult, rules: str) -> ItemsTold:
    """Every question as it was put, with both answers; `rules` are those of the test."""
    currency = game_of(result.hash, rules).sheet.house.currency
    told = zip(result.items, worded(result, rules), strict=True)
    items = [_item(number, *each, currency) for number, each in enumerate(told, start=1)]
    found: ItemsTold = {"id": result.id, "items": items}
    return dealt_with(found, currency)


def _item(
    number: int, one: ResultItem, question: Question | None, currency: str | None
) -> ItemTold:
    told: ItemTold = {
        "number": number,
        "kind": one.kind,
        "kind_title": title_of(one.kind),
        "ask": one.question,
        "question": None,
        "answer": "",
        "answer_text": one.wanted,
        "given_text": one.given,
        "answered": one.given != "",
        "right": one.right,
        "ms": one.ms,
    }
    if question is None or one.put is None:
        return told
    given = one.put.given
    told["ask"], told["question"] = question.ask, question_shown(question, currency)
    told["answer"], told["answer_text"] = one.put.wanted, shown(question, one.put.wanted)
    told["answered"], told["given_text"] = given is not None, shown(question, given or "")
    return told
