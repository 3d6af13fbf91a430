"""In turn: so many at each turn of the loop, and whoever sends a thousand waits behind the others.

The loop works off whatever is ready before it looks at the network again. A thousand things that
are ready at once would hold up everybody for as long as they take together; here they wait in
line, and the loop comes round in between. Lines are called in turn: first those of the groups, as
all guests of one address are, then those of the people in a group.
"""

from __future__ import annotations

import asyncio
from collections import OrderedDict, deque
from time import monotonic
from typing import Generic, TypeVar

__all__ = ["InTurn", "QueuePlace", "Turnstile"]

QueuePlace = tuple[str, str]  # The group, and the person in it.
Thing = TypeVar("Thing")


class InTurn(Generic[Thing]):
    """Things that wait in lines; the groups' lines are called in turn, and in each the people's."""

    def __init__(self) -> None:
        self._groups: OrderedDict[str, OrderedDict[str, deque[Thing]]] = OrderedDict()

    def __bool__(self) -> bool:
        return bool(self._groups)

    def add(self, place: QueuePlace, thing: Thing) -> None:
        """At the end of somebody's line."""
        group, person = place
        self._groups.setdefault(group, OrderedDict()).setdefault(person, deque()).append(thing)

    def next(self) -> Thing:
        """Whatever is first in the next line; then that line is the last."""
        group, people = self._groups.popitem(last=False)
        person, line = people.popitem(last=False)
        thing = line.popleft()
        if line:
            people[person] = line
        if people:
            self._groups[group] = people
        return thing


class Turnstile:
    """Lets so many through at each turn of the loop, of every group and person in turn.

    Where things take no time, more than that: as many as begin within the spare seconds.
    """

    def __init__(self, each_turn: int, spare_seconds: float = 0.0) -> None:
        self._each_turn, self._let = each_turn, 0
        self._spare_seconds, self._begun = spare_seconds, 0.0
        self._waiting: InTurn[asyncio.Future[None]] = InTurn()
        self._turning = False

    async def enter(self, place: QueuePlace) -> None:
        """Wait for one's turn."""
        if not self._waiting and (self._let < self._each_turn or self._is_spare()):
            self._pass()
            return
        waiting: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        self._waiting.add(place, waiting)
        await waiting

    def _is_spare(self) -> bool:
        return monotonic() - self._begun < self._spare_seconds

    def _pass(self) -> None:
        self._let += 1
        if not self._turning:
            self._turning, self._begun = True, monotonic()
            asyncio.get_running_loop().call_soon(self._turn)

    def _turn(self) -> None:
        """The next turn of the loop: as many more."""
        self._let, self._turning = 0, False
        while self._waiting and self._let < self._each_turn:
            if not (waiting := self._waiting.next()).done():  # Else it has gone away.
                waiting.set_result(None)
                self._pass()
