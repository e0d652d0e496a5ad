"""The context of a parse: which dialects exist. They are imported when first used."""

from __future__ import annotations

from collections.abc import Callable
from importlib import import_module
from importlib.util import find_spec

from xdsl.context import Context
from xdsl.ir import Dialect

from headrace.ir.dialects import DIALECTS


def _loader(name: str, path: str) -> Callable[[], Dialect]:
    def load() -> Dialect:
        module_name, _, attribute = path.partition(":")
        module = import_module(module_name)
        found = getattr(module, attribute, None)
        if found is None:  # The one object in the module that is the dialect of that name.
            found = next(
                (item for item in vars(module).values() if isinstance(item, Dialect) and item.name == name), None
            )
        if found is None:
            raise ImportError(f"{module_name} defines no dialect '{name}'")
        return found

    return load


def dialect_exists(name: str) -> bool:
    """Whether the dialect is in the registry and its module is installed."""
    path = DIALECTS.get(name)
    return path is not None and find_spec(path.partition(":")[0]) is not None


def make_context(allow_unregistered: bool = False) -> Context:
    """A context with every dialect of the registry, each loaded when first used."""
    context = Context(allow_unregistered=allow_unregistered)
    for name, path in DIALECTS.items():
        if path.startswith("headrace.") and not dialect_exists(name):
            continue
        context.register_dialect(name, _loader(name, path))
    context.load_registered_dialect("builtin")
    return context
