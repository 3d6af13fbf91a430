"""Watchers of a table: missed events, and shared event texts."""

from __future__ import annotations

import json

import pytest

from pitbook.house.table import watchers
from pitbook.house.table.events import BLANK, Event
from pitbook.house.table.visibility import EVERYONE, Audience, Viewer
from pitbook.house.table.watchers import EventBatch, Subscribers

ANN, BOB, BEN = Viewer("ann", "player"), Viewer("bob", "player"), Viewer("", "spectator")


class Heard:
    """A watcher that records its events."""

    def __init__(self) -> None:
        self.open, self.versions, self.viewer = True, list[int](), BEN
        self.answers_pings, self.last_heard = False, 0.0

    def ping(self) -> None:
        """Does nothing."""

    def send_presence(self, text: str) -> None:
        """Does nothing."""

    def send_events(self, news: EventBatch) -> None:
        self.versions += [event.version for event in news.events]

    def close(self) -> None:
        self.open = False


def make_events(first: int, last: int) -> list[Event]:
    return [Event(version, "sat", EVERYONE, {}) for version in range(first, last + 1)]


def test_returning_watcher_gets_missed_events() -> None:
    table = Subscribers()
    assert table.events_since(0) is None  # Nothing has happened that anybody could have seen.
    table.publish(make_events(3, 5))
    table.publish([])
    table.publish(make_events(6, 6))
    assert [event.version for event in table.events_since(4) or ()] == [5, 6]
    assert [event.version for event in table.events_since(2) or ()] == [3, 4, 5, 6]
    assert table.events_since(6) == []
    assert table.events_since(1) is None
    assert table.events_since(7) is None
    back, new, old = Heard(), Heard(), Heard()
    assert table.join(back, after=4)
    assert not table.join(new)
    assert not table.join(old, after=1)
    table.publish(make_events(7, 7))
    assert (back.versions, new.versions, old.versions) == ([5, 6, 7], [7], [7])


def test_kept_events_are_limited(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(watchers, "LOG_MAX", 3)
    table = Subscribers()
    table.publish(make_events(1, 5))
    assert table.events_since(1) is None
    assert [event.version for event in table.events_since(2) or ()] == [3, 4, 5]


def test_version_gap_restarts_the_stream() -> None:
    table = Subscribers()
    table.publish(make_events(1, 5))
    table.publish(make_events(9, 9))
    assert table.events_since(5) is None
    assert [event.version for event in table.events_since(8) or ()] == [9]


def test_removed_watcher_gets_no_events() -> None:
    table = Subscribers()
    stays, leaves, closed = Heard(), Heard(), Heard()
    for watcher in (stays, leaves, closed):
        table.join(watcher)
    closed.open = False
    assert len(table) == 3
    table.leave(leaves)
    table.publish(make_events(1, 1))
    table.publish(make_events(2, 2))
    assert (stays.versions, leaves.versions, closed.versions) == ([1, 2], [], [1])
    assert len(table) == 1
    table.close()
    assert not stays.open
    assert len(table) == 0
    assert table.events_since(1) is None


def test_event_text_is_shared_by_equal_audiences() -> None:
    card = Event(1, "turn", Audience(players=("ann",)), {"card": "As"}, {"place": 1})
    secret = Event(2, "advice", Audience(players=("ann",)), {"text": "fold"})
    news = EventBatch([card, secret])
    assert news.version == 2
    mine, his, public = (json.loads(news.text(viewer))["events"] for viewer in (ANN, BOB, BEN))
    assert mine == [
        {"version": 1, "what": "turn", "body": {"card": "As"}},
        {"version": 2, "what": "advice", "body": {"text": "fold"}},
    ]
    assert his == [
        {"version": 1, "what": "turn", "body": {"place": 1}},
        {"version": 2, "what": BLANK, "body": {}},
    ]
    assert his == public
    assert news.text(BOB) is news.text(BEN)
    assert news.text(ANN) is not news.text(BOB)
