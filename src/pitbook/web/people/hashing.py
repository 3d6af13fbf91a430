"""Passwords are tried on threads of their own: who waits for one keeps no table waiting."""

from __future__ import annotations

import asyncio
import contextvars
import os
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import TypeVar

from pitbook.web.people.passwords import HASHES_AT_ONCE

__all__ = ["hashing"]

Done = TypeVar("Done")
# A core is left to the tables, however many people come in at once.
THREADS = max(1, min(HASHES_AT_ONCE, (os.cpu_count() or 1) - 1))
_EXECUTOR = ThreadPoolExecutor(THREADS, thread_name_prefix="hashing")


async def hashing(work: Callable[[], Done]) -> Done:
    """What comes of work that hashes a password."""
    context = contextvars.copy_context()  # The log says whose request it is.
    loop = asyncio.get_running_loop()
    return await loop.run_in_executor(_EXECUTOR, lambda: context.run(work))
