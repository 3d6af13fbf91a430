"""End a command on Ctrl-C at once, even while machine code blocks Python's signal handler."""

from __future__ import annotations

import atexit
import os
import signal
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from types import FrameType

from pitbook.cli.language import localize
from pitbook.text import say

INTERRUPTED = 130
NOTICE_SECONDS = 1.0  # Python handles a signal between two instructions; machine code delays that.
CLEAN_UP_SECONDS = 3.0


@contextmanager
def end_on_ctrl_c() -> Iterator[None]:
    """End the process on Ctrl-C: by KeyboardInterrupt, or by a hard exit if that takes too long.

    A second Ctrl-C exits immediately. Files are written under another name and then renamed, so a
    hard exit leaves no partial file.
    """
    is_default = signal.getsignal(signal.SIGINT) is signal.default_int_handler
    if not is_default or threading.current_thread() is not threading.main_thread():
        yield  # Ctrl-C is ignored here, or another handler is installed.
        return
    noticed, ended = threading.Event(), threading.Event()
    _ANSWERING.clear()

    def interrupt(_: int, __: FrameType | None) -> None:
        noticed.set()
        raise KeyboardInterrupt

    reader, writer = os.pipe()
    os.set_blocking(writer, False)
    watch = threading.Thread(
        target=_watch, args=(reader, interrupt, noticed, ended), name="ctrl-c", daemon=True
    )
    before = signal.set_wakeup_fd(writer, warn_on_full_buffer=False)
    signal.signal(signal.SIGINT, interrupt)
    watch.start()
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, signal.default_int_handler)
        signal.set_wakeup_fd(before)
        ended.set()
        os.close(writer)  # The watcher reads the end of the pipe and stops.
        watch.join()


def _watch(reader: int, handler: object, noticed: threading.Event, ended: threading.Event) -> None:
    """Wait for Ctrl-C; exit if the main thread does not notice it or does not end in time."""
    interrupted = False
    while signals := os.read(reader, 64):
        if signal.SIGINT not in signals or signal.getsignal(signal.SIGINT) is not handler:
            continue
        if interrupted:
            _leave()
        interrupted = True
        threading.Thread(target=_leave_unless, args=(noticed, ended), daemon=True).start()
    os.close(reader)


def _leave_unless(noticed: threading.Event, ended: threading.Event) -> None:
    if not noticed.wait(NOTICE_SECONDS) and not ended.is_set():
        _leave()
    if not ended.wait(CLEAN_UP_SECONDS) and not _ANSWERING.is_set():
        _leave()


_ANSWERING = threading.Event()


def allow_final_output() -> None:
    """Let an interrupted command print what it has done so far, however long that takes."""
    _ANSWERING.set()


def _leave() -> None:
    with suppress(OSError, ValueError):
        os.write(2, f"{stop_line()}\n".encode(errors="replace"))
    os._exit(INTERRUPTED)


def stop_line() -> str:
    """The line that a command prints when Ctrl-C has ended it."""
    return f"pitbook: {localize(say('cli.stopped'))}"


def leave_if_threads_run() -> None:
    """Exit now if threads of a stopped computation still run: Python would wait for them."""
    if _threads_run():
        _flush_streams()
        os._exit(INTERRUPTED)


def exit_quickly(code: int) -> None:
    """Exit without freeing memory, which takes a quarter of a short command's time.

    Does nothing if threads run, because Python waits for them.
    """
    if not _threads_run():
        atexit._run_exitfuncs()  # noqa: SLF001  Python itself does so in the child of a fork.
        _flush_streams()
        os._exit(code)


def _threads_run() -> bool:
    main = threading.main_thread()
    return any(thread is not main and not thread.daemon for thread in threading.enumerate())


def _flush_streams() -> None:
    for stream in (sys.stdout, sys.stderr):
        with suppress(OSError, ValueError):
            stream.flush()
