"""Random frames for a socket, from valid to nonsense."""

from __future__ import annotations

import json
from collections.abc import Callable
from random import Random
from typing import Any, NamedTuple

from tests.fuzz import commands
from tests.fuzz.commands import Json

FRAME_BYTES = 16_384
NUMBER_MAX = 2**53
GARBAGE = ("letters", "bytes")
HELLO: tuple[Any, ...] = ({"ping": 1}, {"pong": 1}, {"view": True}, {"ping": -(2**53)}, {"pong": 0})
# Query strings: existing versions, future versions, and invalid ones.
VERSIONS = ("", "from=0", "from=1", "from=2", "from=20", "from=30", "from=60", "from=999999")
PUSHES = ("views=true", "views=true&from=20", "views=1&from=999999")
ENDINGS = (
    *(f"from={2**53}", f"from={2**53 + 1}", "from=-1", "from=", "from", "from=x", "from=1.5", "%"),
    *("from=1e3", "from=%00", "from=1&from=2", "from=9" + "9" * 5_000, "from=%D9%A3", "version=1"),
    *("from=NaN", "from=true", "from=0x10", "from=%2B1", "from=1_0", "from=" + "0" * 3_000 + "1"),
)


class Sent(NamedTuple):
    """A frame, its kind, and whether it is sent as text."""

    kind: str
    content: str | bytes
    text: bool = True

    @property
    def request(self) -> str | None:
        """The id that the answer must carry, if the frame is valid JSON with one."""
        document = self._document()
        request = document.get("request") if document is not None else None
        return request if isinstance(request, str) else None

    @property
    def is_silent(self) -> bool:
        """Whether it is a valid pong, which gets no reply."""
        document = self._document()
        if document is None or set(document) != {"pong"}:
            return False
        return type(document["pong"]) is int and abs(document["pong"]) <= NUMBER_MAX

    @property
    def is_view_request(self) -> bool:
        """Whether it asks for the current view."""
        document = self._document()
        return document is not None and set(document) == {"view"} and document["view"] is True

    @property
    def size(self) -> int:
        """Its size in bytes."""
        content = self.content
        return len(content if isinstance(content, bytes) else content.encode())

    def _document(self) -> Json | None:
        if isinstance(self.content, bytes):
            return None
        try:
            document = json.loads(self.content, object_pairs_hook=_unique_fields)
        except (ValueError, RecursionError):
            return None
        return document if isinstance(document, dict) else None


class Frames:
    """An endless supply of frames, the same for the same seed and tables."""

    def __init__(self, rng: Random) -> None:
        self._rng, self._number = rng, 0
        self._sent: list[str] = []

    def next(self, offered: list[Json], *, garbage: bool = False) -> Sent:
        """The next frame; `offered` are the sender's currently valid commands. Garbage is never
        valid.
        """
        kinds = {key: _KINDS[key] for key in GARBAGE} if garbage else _KINDS
        kind = self._rng.choices(list(kinds), weights=[weight for weight, _ in kinds.values()])[0]
        return Sent(kind, *_KINDS[kind][1](self, offered))

    def command(self, offered: list[Json], *, fair: bool = False) -> Json:
        """A command in its frame, with a mostly new id."""
        self._number += 1
        request = f"r{self._number}" if self._rng.random() < 0.9 else self._rng.choice("abc")
        fair = offered != [] and (fair or self._rng.random() < 0.4)
        content = self._rng.choice(offered) if fair else commands.command(self._rng)
        return {"request": request, "command": content}

    def _valid(self, offered: list[Json]) -> tuple[str]:
        return self._remember(json.dumps(self.command(offered, fair=True)))

    def _any(self, offered: list[Json]) -> tuple[str]:
        return self._remember(json.dumps(self.command([])))

    def _elsewhere(self, offered: list[Json]) -> tuple[str]:
        """A valid command, but for another seat."""
        frame = self.command(offered, fair=True)
        frame["command"] = {**frame["command"], "seat": self._rng.randrange(8)}
        return self._remember(json.dumps(frame))

    def _again(self, offered: list[Json]) -> tuple[str]:
        return (self._rng.choice(self._sent) if self._sent else "{}",)

    def _with_used_id(self, offered: list[Json]) -> tuple[str]:
        """An earlier id with another command."""
        frame = self.command(offered)
        return (json.dumps({**frame, "request": f"r{self._rng.randrange(self._number) + 1}"}),)

    def _hello(self, offered: list[Json]) -> tuple[str]:
        return (json.dumps(self._rng.choice(HELLO)),)

    def _mutated(self, offered: list[Json]) -> tuple[str]:
        frame = self._rng.choice((self.command(offered), self.command(offered), *HELLO))
        return (json.dumps(commands.mutate(self._rng, frame)),)

    def _mutated_text(self, offered: list[Json]) -> tuple[str]:
        frame = json.dumps(self.command(offered))
        mutated = commands.mutate_text(self._rng, frame)
        return (mutated.encode(errors="replace").decode()[: FRAME_BYTES // 4],)

    def _letters(self, offered: list[Json]) -> tuple[str]:
        return (commands.random_text(self._rng),)

    def _bytes(self, offered: list[Json]) -> tuple[bytes, bool]:
        frame = json.dumps(self.command(offered)).encode()
        return (self._rng.choice((frame, commands.random_bytes(self._rng))), False)

    def _large(self, offered: list[Json]) -> tuple[str]:
        size = self._rng.choice((FRAME_BYTES + 1, 3 * FRAME_BYTES))
        return (json.dumps({**self.command(offered), "more": "x" * size}),)

    def _just_fits(self, offered: list[Json]) -> tuple[str]:
        frame = json.dumps({**self.command(offered), "more": ""})
        return (frame.replace('""', f'"{"x" * (FRAME_BYTES - len(frame))}"'),)

    def _no_text(self, offered: list[Json]) -> tuple[bytes, bool]:
        """Bytes sent as text that are not UTF-8."""
        return (b'{"ping": 1}\xff\xfe', True)

    def _remember(self, frame: str) -> tuple[str]:
        self._sent = [*self._sent[-50:], frame]
        return (frame,)


_Make = Callable[[Frames, list[Json]], tuple[Any, ...]]
_KINDS: dict[str, tuple[float, _Make]] = {
    "fair": (20, Frames._valid),
    "any": (12, Frames._any),
    "elsewhere": (8, Frames._elsewhere),
    "again": (4, Frames._again),
    "reused": (3, Frames._with_used_id),
    "hello": (5, Frames._hello),
    "bent": (22, Frames._mutated),
    "broken": (18, Frames._mutated_text),
    "letters": (5, Frames._letters),
    "bytes": (5, Frames._bytes),
    "large": (1, Frames._large),
    "just fits": (1, Frames._just_fits),
    "no text": (1, Frames._no_text),
}


def _unique_fields(pairs: list[tuple[str, Any]]) -> Json:
    if len(dict(pairs)) < len(pairs):
        raise ValueError("a field is written twice")
    return dict(pairs)
