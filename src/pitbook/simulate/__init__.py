"""Rounds by the million, played by compiled kernels and checked against the exact figures.

The package can be called, for `pitbook.simulate` is a public name: the answer of the command. What
is in the package is not public; docs/python.md lists what is.

>>> import pitbook
>>> played = pitbook.simulate("catfish-bend/mississippi-stud", 20_000, seed=7)
>>> played.rounds
20000
"""

from __future__ import annotations

import sys
from importlib import import_module
from types import ModuleType
from typing import Any


class _Called(ModuleType):
    """A package that is a public function too."""

    def __call__(self, *given: Any, **named: Any) -> Any:
        return self._function(*given, **named)

    @property
    def __signature__(self) -> Any:
        return import_module("inspect").signature(self._function)

    @property
    def _function(self) -> Any:
        return import_module(
            "pitbook.api.simulations"
        ).simulate  # It stands above, and is told by name.


sys.modules[__name__].__class__ = _Called
