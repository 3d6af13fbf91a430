"""Which rounds are done: ranges of numbers that grow together where they meet."""

from __future__ import annotations

from bisect import insort
from collections.abc import Iterator

from pitbook.errors import PitbookError
from pitbook.text import say


class Ranges:
    """Round numbers from 0 on, in ranges that include their start and not their stop.

    >>> ranges = Ranges([(0, 10), (20, 30)])
    >>> ranges.add(10, 20)
    >>> ranges.document(), len(ranges)
    ([[0, 30]], 30)
    """

    def __init__(self, given: list[tuple[int, int]] | None = None) -> None:
        self._ranges: list[tuple[int, int]] = []
        for start, stop in given or []:
            self.add(start, stop)

    def add(self, start: int, stop: int) -> None:
        """Mark rounds as done; done twice is a mistake of ours."""
        assert start < stop
        assert all(stop <= first or last <= start for first, last in self._ranges), "counted twice"
        insort(self._ranges, (start, stop))
        merged: list[tuple[int, int]] = []
        for first, last in self._ranges:
            if merged and merged[-1][1] == first:
                merged[-1] = (merged[-1][0], last)
            else:
                merged.append((first, last))
        self._ranges = merged

    def __len__(self) -> int:
        return sum(stop - start for start, stop in self._ranges)

    def left(self, start: int, stop: int, size: int) -> Iterator[tuple[int, int]]:
        """The rounds of a range that are not done, in pieces that end at multiples of `size`."""
        for first, last in self._gaps(start, stop):
            here = first
            while here < last:
                after = min(last, (here // size + 1) * size)
                yield here, after
                here = after

    def _gaps(self, start: int, stop: int) -> Iterator[tuple[int, int]]:
        here = start
        for first, last in list(self._ranges):
            if last <= here or first >= stop:
                continue
            if here < first:
                yield here, first
            here = last
        if here < stop:
            yield here, stop

    def document(self) -> list[list[int]]:
        """The ranges as JSON."""
        return [list(one) for one in self._ranges]

    @classmethod
    def restored(cls, document: list[list[int]]) -> Ranges:
        """The ranges of a document."""
        try:
            return cls([(int(start), int(stop)) for start, stop in document])
        except (AssertionError, TypeError, ValueError):
            raise PitbookError(say("simulate.no-ranges")) from None
