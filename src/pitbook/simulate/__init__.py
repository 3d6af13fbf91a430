"""Plays millions of rounds with compiled kernels and checks them against the exact figures.

The package is callable because `pitbook.simulate` is a public function. Nothing else in it is
public; docs/python.md lists the public names.

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


class _CallableModule(ModuleType):
    """A package that is also a public function."""

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        return self._function(*args, **kwargs)

    @property
    def __signature__(self) -> Any:
        return import_module("inspect").signature(self._function)

    @property
    def _function(self) -> Any:
        return import_module(
            "pitbook.api.simulations"
        ).simulate  # Imported by name: it imports this package.


sys.modules[__name__].__class__ = _CallableModule
