"""A large game on a terminal: how long it will take, a bar while it lasts, nothing left behind."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from time import monotonic

from pitbook.cli.common.language import worded
from pitbook.exact.working import WorkPhase, watched
from pitbook.wording import Sentence, say

__all__ = ["drawn"]

TOLD_FROM = 3.0  # Seconds: who waits longer is told how long.
DRAWN_FROM = 1.0  # Seconds that may pass without a word.
REDRAWN_AFTER = 0.1


@contextmanager
def drawn() -> Iterator[None]:
    """Work inside is drawn on standard error, where a person looks on."""
    if not sys.stderr.isatty():
        yield
        return
    with ExitStack() as bars, watched(_Bar(bars)):
        yield


class _Bar:
    """The watch of a terminal: one bar for each phase that takes long enough to be seen."""

    def __init__(self, bars: ExitStack) -> None:
        self._bars = bars
        self._phase: WorkPhase | None = None
        self._since = self._last = monotonic()
        self._show: Callable[[int], None] | None = None

    def __call__(self, phase: WorkPhase, done: int) -> None:
        if phase is not self._phase:
            self._begin(phase)
        now = monotonic()
        if self._show is None and now - self._since > DRAWN_FROM and done < phase.total:
            from pitbook.cli.common.progress import progress  # noqa: PLC0415  It brings Rich.

            self._show = self._bars.enter_context(progress(phase.total, done, of=phase.of))
        if self._show is not None and now - self._last > REDRAWN_AFTER:
            self._show(done)
            self._last = now
        if done >= phase.total:
            self._bars.close()
            self._show = None

    def _begin(self, phase: WorkPhase) -> None:
        self._bars.close()
        self._phase, self._show, self._since = phase, None, monotonic()
        if phase.seconds >= TOLD_FROM:
            fields = {"total": phase.total, "of": phase.of, "long": long(phase.seconds)}
            print(worded(say("cli.progress.about", **fields)), file=sys.stderr)


def long(seconds: float) -> Sentence:
    """How long something takes, as one says it.

    >>> long(8.2), long(200), long(9000)
    ('8 seconds', '3 minutes', '2.5 hours')
    """
    if seconds < 100:
        return say("cli.progress.long", many=f"{seconds:.0f}", of="seconds")
    if seconds < 6000:
        return say("cli.progress.long", many=f"{seconds / 60:.0f}", of="minutes")
    return say("cli.progress.long", many=f"{seconds / 3600:.1f}", of="hours")
