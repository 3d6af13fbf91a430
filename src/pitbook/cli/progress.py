"""Progress of a running command on standard error: a bar on a terminal, lines elsewhere."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager, nullcontext, suppress
from threading import Event, RLock, Thread
from time import monotonic

from pitbook.cli.language import localize
from pitbook.exact.long_computations import TooLarge, WorkPhase, duration_text, watch_work
from pitbook.text import Sentence, say

SILENT_SECONDS = 2.0  # The longest that a command runs without output.
EVERY_SECONDS = 5.0  # Between two lines.
ESTIMATE_FROM = 3.0  # Seconds; longer work is announced on a terminal before it begins.
BAR_FROM = 1.0
REDRAW_SECONDS = 0.1
DONE, TOTAL = "{task.completed:,.0f}", "{task.total:,.0f}"  # Filled in by the bar.
FAST = 1e5  # From here on, the rate is shown in millions.

ProgressCallback = Callable[[int], None]


@contextmanager
def progress_reports(*, seconds_max: float | None = None) -> Iterator[None]:
    """Report the progress of the work inside: bars on a terminal, lines elsewhere.

    Work that would take longer than `seconds_max` raises TooLarge before it begins.
    """
    with _Reporter(seconds_max) as reporter, watch_work(reporter.watch):
        _REPORTERS.append(reporter)
        try:
            yield
        finally:
            _REPORTERS.pop()


@contextmanager
def progress(total: int, done: int = 0, *, label: str | None = None) -> Iterator[ProgressCallback]:
    """Report work of a known size; call the yielded function with how much is done."""
    reporter = _REPORTERS[-1] if _REPORTERS else None
    title = say("cli.progress.rounds") if label is None else label
    with reporter.task(total, done, title) if reporter else nullcontext(lambda _: None) as show:
        yield show


class _Task:
    """Work of a known size, and how much of it is done."""

    def __init__(self, label: str, total: int, done: int) -> None:
        self.of, self.total, self.done = label, total, done
        self._first, self._began = done, monotonic()

    @property
    def seconds_left(self) -> float | None:
        """Estimate from the speed so far; None before the first part is done."""
        done, elapsed = self.done - self._first, monotonic() - self._began
        if done <= 0 or elapsed < 1:
            return None
        return max(0.0, elapsed * (self.total - self.done) / done)


class _Reporter:
    """Prints what a command is working on if it has been silent for too long."""

    def __init__(self, seconds_max: float | None = None) -> None:
        self._seconds_max = seconds_max
        self._bars = sys.stderr.isatty()
        self._ended, self._lock = Event(), RLock()
        self._thread = Thread(target=self._report, name="progress", daemon=True)
        self._tasks: list[_Task] = []
        self._phase: WorkPhase | None = None
        self._phase_stack = ExitStack()
        self._phase_task: ProgressCallback | None = None
        self._phase_began = self._drawn = monotonic()
        self._bar_is_up = False

    def __enter__(self) -> _Reporter:
        self._began = monotonic()
        self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._ended.set()
        self._phase_stack.close()
        self._thread.join()

    @contextmanager
    def task(self, total: int, done: int, label: str) -> Iterator[ProgressCallback]:
        """Report this work until it ends; inside other work a terminal shows the outer bar."""
        task = _Task(label, total, done)
        self._tasks.append(task)
        draws_bar = self._bars and not self._bar_is_up
        bar = _bar(task) if draws_bar else nullcontext(lambda _: None)
        try:
            with bar as draw:
                self._bar_is_up = self._bar_is_up or draws_bar

                def show(now: int) -> None:
                    task.done = now
                    draw(now)

                yield show
        finally:
            self._bar_is_up = self._bar_is_up and not draws_bar
            self._tasks.remove(task)

    def watch(self, phase: WorkPhase, done: int) -> None:
        """Report progress in a phase of `exact`; short phases get no bar."""
        if phase is not self._phase:
            if self._seconds_max is not None and phase.seconds > self._seconds_max:
                about = duration_text(phase.seconds)
                raise TooLarge(say("cli.progress.too-long", long=about))
            self._begin(phase)
        now = monotonic()
        if self._phase_task is None and done < phase.total and now - self._phase_began > BAR_FROM:
            self._phase_task = self._phase_stack.enter_context(
                self.task(phase.total, done, phase.what)
            )
        if self._phase_task is not None and now - self._drawn > REDRAW_SECONDS:
            self._phase_task(done)
            self._drawn = now
        if done >= phase.total:
            self._end_phase()

    def _begin(self, phase: WorkPhase) -> None:
        self._end_phase()
        self._phase, self._phase_began = phase, monotonic()
        if phase.seconds >= ESTIMATE_FROM and not self._bar_is_up:
            about = {"total": phase.total, "of": phase.what, "long": duration_text(phase.seconds)}
            if self._bars:
                self._print(say("cli.progress.about", **about))
            else:  # The estimate is the only information until a part is done.
                self._phase_task = self._phase_stack.enter_context(
                    self.task(phase.total, 0, phase.what)
                )

    def _end_phase(self) -> None:
        self._phase_stack.close()
        self._phase_task = None

    def _report(self) -> None:
        wait = SILENT_SECONDS
        while not self._ended.wait(wait):
            if not self._bar_is_up:
                self._print(self._status())
            wait = EVERY_SECONDS

    def _status(self) -> Sentence:
        spent, tasks = duration_text(monotonic() - self._began), self._tasks[:1]
        if not tasks:
            return say("cli.progress.working", spent=spent)
        (task,) = tasks
        counts = {"done": task.done, "total": task.total, "of": task.of, "spent": spent}
        seconds_left = task.seconds_left
        if seconds_left is None:
            return say("cli.progress.begun", **counts)
        return say("cli.progress.under-way", left=duration_text(seconds_left), **counts)

    def _print(self, line: Sentence) -> None:
        with self._lock, suppress(OSError, ValueError):  # The reader has closed the pipe.
            print(localize(line), file=sys.stderr, flush=True)


_REPORTERS: list[_Reporter] = []  # The innermost reporter prints.


@contextmanager
def _bar(task: _Task) -> Iterator[ProgressCallback]:
    """A bar on the terminal with its rate and the time left."""
    from rich.console import Console  # noqa: PLC0415
    from rich.progress import BarColumn, Progress, TextColumn, TimeRemainingColumn  # noqa: PLC0415

    how_far = localize(say("cli.progress.how-far", done=DONE, total=TOTAL, of=localize(task.of)))
    columns = (
        BarColumn(),
        TextColumn("{task.percentage:>5.1f}%"),
        TextColumn(how_far),
        TextColumn("{task.fields[rate]}"),
        TimeRemainingColumn(),
    )
    with Progress(*columns, console=Console(stderr=True), transient=True) as bar:
        row = bar.add_task("", total=task.total, completed=task.done, rate="")

        def draw(now: int) -> None:
            speed = bar.tasks[0].speed
            bar.update(row, completed=now, rate=_rate(speed) if speed else "")

        yield draw


def _rate(speed: float) -> str:
    if speed >= FAST:
        return localize(say("cli.progress.millions", rate=f"{speed / 1e6:,.1f}"))
    return localize(say("cli.progress.rate", rate=f"{speed:,.0f}"))
