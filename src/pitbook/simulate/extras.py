"""What a plain installation leaves out, and how a command asks for it."""

from __future__ import annotations

from importlib.util import find_spec

from pitbook.errors import PitbookError
from pitbook.wording import say

__all__ = ["ExtraMissing", "needs"]

_EXTRAS = {  # By the module that each brings.
    "numba": "simulate",
    "ray": "ray",
    "cupy": "gpu",
    "pyarrow": "parquet",
    "matplotlib": "plots",
    "typst": "papers",
}


class ExtraMissing(PitbookError):
    """A part that is not installed; its text says how to get it."""


def needs(module: str) -> None:
    """Raise ExtraMissing where a module of an extra is not installed."""
    if find_spec(module) is None:
        extra = _EXTRAS[module]
        raise ExtraMissing(say("simulate.extra-missing", module=module, extra=extra))
