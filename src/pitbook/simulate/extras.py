"""What a plain installation leaves out, and how a command asks for it."""

from __future__ import annotations

from importlib.util import find_spec

from pitbook.errors import PitbookError

__all__ = ["ExtraMissing", "needs"]

_EXTRAS = {
    "numba": ("simulate", "simulation needs Numba"),
    "ray": ("ray", "--on ray needs Ray"),
    "cupy": ("gpu", "--on gpu needs CuPy and an NVIDIA GPU"),
    "pyarrow": ("parquet", "--parquet needs PyArrow"),
    "matplotlib": ("plots", "plots need matplotlib"),
    "typst": ("papers", "papers as PDF need Typst"),
}


class ExtraMissing(PitbookError):
    """A part that is not installed; its text says how to get it."""


def needs(module: str) -> None:
    """Raise ExtraMissing where a module of an extra is not installed."""
    if find_spec(module) is None:
        extra, reason = _EXTRAS[module]
        raise ExtraMissing(f"{reason}; install it with: pip install 'pitbook[{extra}]'")
