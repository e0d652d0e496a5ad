"""`--check=passes`: run the program after every pass and name the first pass after which a value differs."""

from __future__ import annotations

from dataclasses import dataclass, field

from xdsl.dialects.builtin import ModuleOp

from headrace.check.levels import Checker, LevelResult


@dataclass
class PassChecker:
    """Give `after` to `compile`: it runs the interpreter of the form that the module has after each pass.

    It looks at the module itself; interpreters do not change it. After the first bad pass it stops looking.
    """

    checker: Checker
    results: list[LevelResult] = field(default_factory=list)

    def after(self, name: str, module: ModuleOp) -> None:
        """Run and compare."""
        if self.results and not self.results[-1].good:
            return
        if has_units(module):
            self.results.append(self.checker.dataflow(module, name))
        else:
            self.results.append(self.checker.schedule(module, name))

    @property
    def first_bad(self) -> LevelResult | None:
        """The result of the first pass after which something is wrong."""
        return next((r for r in self.results if not r.good), None)


def has_units(module: ModuleOp) -> bool:
    """Whether the module is DataflowIR already."""
    return any(op.name == "dataflow.program_unit" for op in module.walk())
