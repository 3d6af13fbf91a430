"""In turn: so many at each turn of the loop, and whoever sends a thousand waits behind the others.

The loop works off whatever is ready before it looks at the network again. A thousand things that
are ready at once would hold up everybody for as long as they take together; here they wait in
line, and the loop comes round in between. Lines are called in turn: first those of the groups, as
all guests of one address are, then those of the people in a group.
"""

from __future__ import annotations

import asyncio
from collections import OrderedDict, deque

__all__ = ["Turnstile"]

Place = tuple[str, str]
Waiting = asyncio.Future[None]


class Turnstile:
    """Lets so many through at each turn of the loop, of every group and person in turn."""

    def __init__(self, each_turn: int) -> None:
        self._each_turn, self._let = each_turn, 0
        self._groups: OrderedDict[str, OrderedDict[str, deque[Waiting]]] = OrderedDict()
        self._turning = False

    async def enter(self, place: Place) -> None:
        """Wait for one's turn."""
        if not self._groups and self._let < self._each_turn:
            self._pass()
            return
        waiting: Waiting = asyncio.get_running_loop().create_future()
        group, person = place
        self._groups.setdefault(group, OrderedDict()).setdefault(person, deque()).append(waiting)
        await waiting

    def _pass(self) -> None:
        self._let += 1
        if not self._turning:
            self._turning = True
            asyncio.get_running_loop().call_soon(self._turn)

    def _turn(self) -> None:
        """The next turn of the loop: as many more."""
        self._let, self._turning = 0, False
        while self._groups and self._let < self._each_turn:
            if not (waiting := self._next()).done():  # Else it has gone away.
                waiting.set_result(None)
                self._pass()

    def _next(self) -> Waiting:
        """Whoever is first in the next line; then that line is the last."""
        group, people = self._groups.popitem(last=False)
        person, line = people.popitem(last=False)
        waiting = line.popleft()
        if line:
            people[person] = line
        if people:
            self._groups[group] = people
        return waiting
