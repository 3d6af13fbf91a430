"""Frames that somebody might send over a socket, from fair to mad."""

from __future__ import annotations

import json
from collections.abc import Callable
from random import Random
from typing import Any, NamedTuple

from tests.fuzz import spoken
from tests.fuzz.spoken import Json

FRAME_BYTES = 16_384
NUMBER_MAX = 2**53
GARBAGE = ("letters", "bytes")
HELLO: tuple[Any, ...] = ({"ping": 1}, {"pong": 1}, {"view": True}, {"ping": -(2**53)}, {"pong": 0})
# What may stand behind "?": versions that were, that were never, and what is no version at all.
VERSIONS = ("", "from=0", "from=1", "from=2", "from=20", "from=30", "from=60", "from=999999")
ENDINGS = (
    *(f"from={2**53}", f"from={2**53 + 1}", "from=-1", "from=", "from", "from=x", "from=1.5", "%"),
    *("from=1e3", "from=%00", "from=1&from=2", "from=9" + "9" * 5_000, "from=%D9%A3", "version=1"),
    *("from=NaN", "from=true", "from=0x10", "from=%2B1", "from=1_0", "from=" + "0" * 3_000 + "1"),
)


class Sent(NamedTuple):
    """A frame, what kind of thing it is, and whether it goes as text."""

    kind: str
    content: str | bytes
    text: bool = True

    @property
    def request(self) -> str | None:
        """The id by which it is to be answered, if a reader of JSON finds one."""
        document = self._document()
        found = document.get("request") if document is not None else None
        return found if isinstance(found, str) else None

    @property
    def is_silent(self) -> bool:
        """Whether it is a pong as it should be, which nobody answers."""
        document = self._document()
        if document is None or set(document) != {"pong"}:
            return False
        return type(document["pong"]) is int and abs(document["pong"]) <= NUMBER_MAX

    @property
    def is_look(self) -> bool:
        """Whether it asks for the table as it stands."""
        document = self._document()
        return document is not None and set(document) == {"view"} and document["view"] is True

    @property
    def size(self) -> int:
        """Its bytes on the line."""
        content = self.content
        return len(content if isinstance(content, bytes) else content.encode())

    def _document(self) -> Json | None:
        if isinstance(self.content, bytes):
            return None
        try:
            document = json.loads(self.content, object_pairs_hook=_once)
        except (ValueError, RecursionError):
            return None
        return document if isinstance(document, dict) else None


class Frames:
    """An endless supply, the same for the same luck and the same tables."""

    def __init__(self, luck: Random) -> None:
        self._luck, self._number = luck, 0
        self._before: list[str] = []

    def next(self, offered: list[Json], *, garbage: bool = False) -> Sent:
        """A frame; `offered` is what the sender could say right now. Garbage says nothing."""
        kinds = {key: _KINDS[key] for key in GARBAGE} if garbage else _KINDS
        kind = self._luck.choices(list(kinds), weights=[one for one, _ in kinds.values()])[0]
        return Sent(kind, *_KINDS[kind][1](self, offered))

    def command(self, offered: list[Json], *, fair: bool = False) -> Json:
        """A command in its frame, with an id that is mostly new."""
        self._number += 1
        request = f"r{self._number}" if self._luck.random() < 0.9 else self._luck.choice("abc")
        fair = offered != [] and (fair or self._luck.random() < 0.4)
        said = self._luck.choice(offered) if fair else spoken.command(self._luck)
        return {"request": request, "command": said}

    def _fair(self, offered: list[Json]) -> tuple[str]:
        return self._kept(json.dumps(self.command(offered, fair=True)))

    def _any(self, offered: list[Json]) -> tuple[str]:
        return self._kept(json.dumps(self.command([])))

    def _elsewhere(self, offered: list[Json]) -> tuple[str]:
        """What could be said of one's own seat, said of another's."""
        frame = self.command(offered, fair=True)
        frame["command"] = {**frame["command"], "seat": self._luck.randrange(8)}
        return self._kept(json.dumps(frame))

    def _again(self, offered: list[Json]) -> tuple[str]:
        return (self._luck.choice(self._before) if self._before else "{}",)

    def _reused(self, offered: list[Json]) -> tuple[str]:
        """An id that was used before, with something else."""
        frame = self.command(offered)
        return (json.dumps({**frame, "request": f"r{self._luck.randrange(self._number) + 1}"}),)

    def _hello(self, offered: list[Json]) -> tuple[str]:
        return (json.dumps(self._luck.choice(HELLO)),)

    def _bent(self, offered: list[Json]) -> tuple[str]:
        whole = self._luck.choice((self.command(offered), self.command(offered), *HELLO))
        return (json.dumps(spoken.bent(self._luck, whole)),)

    def _broken(self, offered: list[Json]) -> tuple[str]:
        whole = json.dumps(self.command(offered))
        broken = spoken.broken(self._luck, whole)
        return (broken.encode(errors="replace").decode()[: FRAME_BYTES // 4],)

    def _letters(self, offered: list[Json]) -> tuple[str]:
        return (spoken.letters(self._luck),)

    def _bytes(self, offered: list[Json]) -> tuple[bytes, bool]:
        whole = json.dumps(self.command(offered)).encode()
        return (self._luck.choice((whole, spoken.noise(self._luck))), False)

    def _large(self, offered: list[Json]) -> tuple[str]:
        size = self._luck.choice((FRAME_BYTES + 1, 3 * FRAME_BYTES))
        return (json.dumps({**self.command(offered), "more": "x" * size}),)

    def _just_fits(self, offered: list[Json]) -> tuple[str]:
        frame = json.dumps({**self.command(offered), "more": ""})
        return (frame.replace('""', f'"{"x" * (FRAME_BYTES - len(frame))}"'),)

    def _no_text(self, offered: list[Json]) -> tuple[bytes, bool]:
        """Bytes that claim to be text and are none."""
        return (b'{"ping": 1}\xff\xfe', True)

    def _kept(self, frame: str) -> tuple[str]:
        self._before = [*self._before[-50:], frame]
        return (frame,)


_Make = Callable[[Frames, list[Json]], tuple[Any, ...]]
_KINDS: dict[str, tuple[float, _Make]] = {
    "fair": (20, Frames._fair),
    "any": (12, Frames._any),
    "elsewhere": (8, Frames._elsewhere),
    "again": (4, Frames._again),
    "reused": (3, Frames._reused),
    "hello": (5, Frames._hello),
    "bent": (22, Frames._bent),
    "broken": (18, Frames._broken),
    "letters": (5, Frames._letters),
    "bytes": (5, Frames._bytes),
    "large": (1, Frames._large),
    "just fits": (1, Frames._just_fits),
    "no text": (1, Frames._no_text),
}


def _once(pairs: list[tuple[str, Any]]) -> Json:
    if len(dict(pairs)) < len(pairs):
        raise ValueError("a field is written twice")
    return dict(pairs)
