"""Parameters whose values need no conversion.

typer (0.29) hands every value of every parameter to a validation library whose import takes as long as numpy's. Most
values are what the annotation says already: text of the command line, defaults.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any


@dataclass
class Plain:
    """Stands for typer's converter of one parameter, which is made when a value is not of the annotated type."""

    convert: Any
    """Makes typer's converter."""
    annotation: Any

    def coerce(self, value: Any, param: Any, ctx: Any) -> Any:
        """The value as the annotation has it; None (no values: an empty tuple) stays."""
        if value is None:
            return () if param.multiple or param.nargs == -1 else None
        if isinstance(self.annotation, type) and type(value) is self.annotation:
            return value
        if self.annotation == list[str] and type(value) in (list, tuple) and all(type(v) is str for v in value):
            return list(value)
        return self.convert().coerce(value, param=param, ctx=ctx)


def make_plain(command: Any) -> Any:
    """Put :class:`Plain` into the parameters of a command and the commands below it, where typer converts so."""
    parameters = command.get_params
    command.get_params = lambda ctx: [_plain(p) for p in parameters(ctx)]
    for below in getattr(command, "commands", {}).values():
        make_plain(below)
    return command


def _plain(parameter: Any) -> Any:
    make, described = getattr(parameter, "get_runtime_param", None), getattr(parameter, "type_descriptor", None)
    if make is not None and described is not None:
        plain = Plain(make, described.annotation)
        parameter.get_runtime_param = lambda: plain
    return parameter
