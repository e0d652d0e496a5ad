"""Imports that leave out what a package's `__init__` would pull in: start-up time of the command line."""

from __future__ import annotations

import importlib
import importlib.util
import sys
from types import ModuleType


def import_lean(name: str) -> ModuleType:
    """Import a submodule without running the `__init__` of its parent, which is imported in full when asked for.

    `xdsl.interpreters` imports an interpreter for every dialect (and the RISC-V back end); its submodules need none.
    """
    parent, _, _ = name.rpartition(".")
    if name in sys.modules or parent in sys.modules:
        return importlib.import_module(name)
    spec = importlib.util.find_spec(parent)
    if spec is None or spec.submodule_search_locations is None:
        return importlib.import_module(name)
    stand_in = ModuleType(parent)
    stand_in.__path__ = list(spec.submodule_search_locations)
    sys.modules[parent] = stand_in
    try:
        return importlib.import_module(name)
    finally:
        del sys.modules[parent]
        above, _, last = parent.rpartition(".")
        holder = sys.modules.get(above)
        if holder is not None and getattr(holder, last, None) is stand_in:
            delattr(holder, last)
