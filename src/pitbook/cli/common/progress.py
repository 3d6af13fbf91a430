"""How far a long run is: a bar on standard error with its rate and the time left."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager

from pitbook.cli.common.language import worded
from pitbook.wording import say

__all__ = ["progress"]

DONE, TOTAL = "{task.completed:,.0f}", "{task.total:,.0f}"  # Filled in by the bar, as it goes.
FAST = 1e5  # From here on a second's work is told in millions.


@contextmanager
def progress(
    total: int, done: int = 0, *, of: str | None = None
) -> Iterator[Callable[[int], None]]:
    """A function to tell how much is done; it draws where a person looks on."""
    if not sys.stderr.isatty():
        yield lambda _: None
        return
    from rich.console import Console  # noqa: PLC0415
    from rich.progress import BarColumn, Progress, TextColumn, TimeRemainingColumn  # noqa: PLC0415

    counted = worded(say("cli.progress.rounds") if of is None else of)
    how_far = worded(say("cli.progress.how-far", done=DONE, total=TOTAL, of=counted))
    columns = (
        BarColumn(),
        TextColumn("{task.percentage:>5.1f}%"),
        TextColumn(how_far),
        TextColumn("{task.fields[rate]}"),
        TimeRemainingColumn(),
    )
    with Progress(*columns, console=Console(stderr=True), transient=True) as bar:
        task = bar.add_task("", total=total, completed=done, rate="")

        def show(now: int) -> None:
            speed = bar.tasks[0].speed
            bar.update(task, completed=now, rate=_rate(speed) if speed else "")

        yield show


def _rate(speed: float) -> str:
    if speed >= FAST:
        return worded(say("cli.progress.millions", rate=f"{speed / 1e6:,.1f}"))
    return worded(say("cli.progress.rate", rate=f"{speed:,.0f}"))
