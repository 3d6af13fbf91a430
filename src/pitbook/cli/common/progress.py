"""How far a long run is: a bar on standard error with its rate and the time left."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager

__all__ = ["progress"]


@contextmanager
def progress(total: int, done: int = 0, *, of: str = "rounds") -> Iterator[Callable[[int], None]]:
    """A function to tell how much is done; it draws where a person looks on."""
    if not sys.stderr.isatty():
        yield lambda _: None
        return
    from rich.console import Console  # noqa: PLC0415
    from rich.progress import BarColumn, Progress, TextColumn, TimeRemainingColumn  # noqa: PLC0415

    columns = (
        BarColumn(),
        TextColumn("{task.percentage:>5.1f}%"),
        TextColumn("{task.completed:,.0f} of {task.total:,.0f} " + of),
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
    return f"{speed / 1e6:,.1f} million/s" if speed >= 1e5 else f"{speed:,.0f} a second"
