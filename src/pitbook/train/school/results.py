"""A table test as it goes on file: every question as it was put, both answers, and the time."""

from __future__ import annotations

import json
from contextlib import suppress
from functools import lru_cache
from hashlib import sha256

from pitbook.errors import PitbookError
from pitbook.house.ledger.chain import canonical
from pitbook.house.ledger.codec import form
from pitbook.rules.game import Game, compile_game
from pitbook.rules.stored import stored_sheet
from pitbook.text import in_language, speech
from pitbook.text.catalogue import ENGLISH
from pitbook.text.documents import translated
from pitbook.train.drills.answers import shown
from pitbook.train.drills.item import Item, Question
from pitbook.train.drills.kinds import drill
from pitbook.train.school.facts import TESTS, AsPut, Began, ExamResult, ResultItem
from pitbook.train.school.pupil import ExamAttempt

_OUT, _INTO = form(Question)


def result_of(found: ExamAttempt, name: str, ended: str) -> ExamResult:
    """What becomes of an attempt that is over."""
    began = found.began
    items = tuple(_result_item(found, at) for at in range(len(began.items)))
    right = sum(one.right for one in items)
    result = ExamResult(
        id="",
        test=began.test,
        title=began.title,
        person=name,
        sheet=game_of(began.hash, began.rules).sheet.id,
        hash=began.hash,
        asked=len(items),
        right=right,
        pass_mark=began.pass_mark,
        passed=right * 100 >= began.pass_mark * len(items),
        minutes=began.minutes,
        began=began.at,
        ended=ended,
        items=items,
    )
    return result._replace(id=hash_of(result))


def _result_item(found: ExamAttempt, position: int) -> ResultItem:
    item, (kind, seed) = item_of(found.began, position), found.began.items[position]
    currency = game_of(found.began.hash, found.began.rules).sheet.house.currency
    question, spoken = kept(item.question, currency), speech(ENGLISH, currency)
    given = found.given[position].given if position < found.position else None
    return ResultItem(
        kind=kind,
        seed=seed,
        question=question.ask,
        wanted=in_language(shown(question, item.answer), spoken),
        given="" if given is None else in_language(shown(question, given), spoken),
        right=given == item.answer,
        ms=0 if given is None else found.given[position].ms,
        put=AsPut(question, item.answer, given),
    )


def kept(question: Question, currency: str | None) -> Question:
    """A question in the words that go on record, as it is read back from there."""
    assert _OUT is not None
    words = translated(_OUT(question), speech(ENGLISH, currency))
    read: Question = _INTO(json.loads(json.dumps(words)))
    return read


def worded(result: ExamResult, rules: str) -> list[Question | None]:
    """The questions of a result for who reads another language; as they are kept where no other is.

    Each is made again by the rules of the test: where that is no longer word for word what was
    put, what was put is shown.
    """
    return [_worded(one, game_of(result.hash, rules)) for one in result.items]


def _worded(one: ResultItem, game: Game) -> Question | None:
    if one.put is None:
        return None
    with suppress(PitbookError):
        again = drill(game, one.kind, one.seed).question
        same = kept(again, game.sheet.house.currency) == one.put.question
        return again if same else one.put.question
    return one.put.question


def hash_of(result: ExamResult) -> str:
    """The hash of all that a result says; its id, unless somebody has changed it."""
    body = TESTS.body(result)
    return sha256(
        canonical({name: one for name, one in body.items() if name != "id"}).encode()
    ).hexdigest()


@lru_cache(maxsize=64)
def game_of(digest: str, body: str) -> Game:
    """The game of rules that are kept."""
    return compile_game(stored_sheet({"hash": digest, "body": json.loads(body)}))


def item_of(began: Began, position: int) -> Item:
    """The question of an attempt at a place."""
    kind, seed = began.items[position]
    return drill(game_of(began.hash, began.rules), kind, seed)
