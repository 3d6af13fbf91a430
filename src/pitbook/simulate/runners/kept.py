"""Totals in a file: a run that was stopped goes on where it was, and nothing is played twice."""

from __future__ import annotations

import json
import os
from pathlib import Path
from typing import Any

from pitbook.simulate.counts.totals import Totals, restored
from pitbook.simulate.plans.plan import SimulationError
from pitbook.simulate.plans.ready import ReadyPlan
from pitbook.text import say

FORMAT = 1


def keep(path: Path, totals: Totals) -> None:
    """Write the totals, whole or not at all."""
    document = {
        "format": FORMAT,
        "plan": totals.ready.plan.document(),
        "digest": totals.ready.job.digest,
        "totals": totals.document(),
    }
    part = path.with_name(f".{path.name}.{os.getpid()}.part")
    try:
        part.write_text(json.dumps(document, separators=(",", ":")) + "\n", encoding="utf-8")
        part.replace(path)
    except OSError as error:
        part.unlink(missing_ok=True)
        raise SimulationError(
            say("simulate.kept.unwritable", path=path, why=error.strerror)
        ) from None


def kept(path: Path, ready: ReadyPlan) -> Totals:
    """The totals in a file, none where there is no file; raises where they are another plan's."""
    try:
        text = path.read_text(encoding="utf-8")
    except FileNotFoundError:
        return Totals(ready)
    except (OSError, UnicodeDecodeError) as error:
        reason = error.strerror if isinstance(error, OSError) else say("simulate.kept.no-text")
        raise SimulationError(say("simulate.kept.unreadable", path=path, why=reason)) from None
    try:
        document = json.loads(text)
        if document["format"] != FORMAT:
            raise SimulationError(
                say("simulate.kept.format", path=path, found=document["format"], ours=FORMAT)
            )
        _same(path, ready, document)
        return restored(ready, document["totals"])
    except (ValueError, KeyError, TypeError, IndexError, RecursionError):
        raise SimulationError(say("simulate.kept.no-totals", path=path)) from None


def _same(path: Path, ready: ReadyPlan, document: dict[str, Any]) -> None:
    ours, theirs = ready.plan.document(), document["plan"]
    for name, value in ours.items():
        if theirs[name] != value:
            raise SimulationError(
                say(
                    "simulate.kept.other-plan",
                    path=path,
                    name=name,
                    theirs=theirs[name],
                    value=value,
                )
            )
    if document["digest"] != ready.job.digest:
        raise SimulationError(say("simulate.kept.other-rules", path=path))
