"""`emit-split-dfir`: write DataflowIR as one file for the coordinator and one per program.

Precondition: the output of `wrap-program-dfir`, or any module of functions and named program modules. Postcondition:
the module is unchanged and the files exist.

    module { module { func @kernel } module @p { .. } }   ->   global.mlir: func @kernel    p.mlir: the contents of @p

`global.mlir` holds every function of the declaration module (the coordinator and forward declarations), made public;
`<program>.mlir` the contents of one program module: body declaration, outer function with the symbol table, inner
module (or the one function of a program that is not wrapped). Any number of programs is written, unlike upstream.
"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from xdsl.context import Context
from xdsl.dialects.builtin import ModuleOp
from xdsl.ir import Operation

from headrace.ir.diagnostics import error
from headrace.ir.location import loc_of
from headrace.ir.passes import Pass
from headrace.ir.text import print_module
from headrace.scheduler.build import walk_ops


@dataclass
class EmitSplitDfirPass(Pass):
    """See the module docstring."""

    name = "emit-split-dfir"
    summary = "Write DataflowIR as one file for the coordinator and one per program"
    output_dir: str | None = None
    """Directory of the files; without it, that of the source file."""

    def apply(self, op: ModuleOp, ctx: Context) -> None:
        emit_split_dfir(op, self.output_dir)


def emit_split_dfir(module: ModuleOp, directory: str | Path | None = None) -> list[Path]:
    """Write the files of `module` into `directory` (default: that of the source file); returns their paths.

    Raises HeadraceError when there is no directory or it cannot be written.
    """
    if directory is None:
        loc = loc_of(module)
        if loc is None or loc.file.startswith("<"):
            raise error(module, "output-dir not specified and source location unavailable")
        directory = Path(loc.file).parent
    folder = Path(directory)
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as failure:
        raise error(module, f"failed to create output directory {folder}: {failure.strerror}") from failure
    children = [op for op in module.body.block.ops if isinstance(op, ModuleOp)]
    files: dict[str, ModuleOp] = {}
    for child in children:
        if next(walk_ops(child, "dataflow.program_unit"), None) is None:
            copies = [_copy(op) for op in child.body.block.ops if op.name == "func.func"]
            for op in copies:
                op.properties.pop("sym_visibility", None)
            if "global" not in files:
                files["global"] = ModuleOp(copies)
            continue
        name = child.sym_name.data if child.sym_name is not None else _program_name(child)
        files[name.strip('"')] = ModuleOp([_copy(op) for op in child.body.block.ops])
    written: list[Path] = []
    for name, content in files.items():
        path = folder / f"{name}.mlir"
        text = print_module(content)
        try:
            path.write_text(text if text.endswith("\n") else text + "\n")
        except OSError as failure:
            raise error(module, f"failed to open output file {path}: {failure.strerror}") from failure
        written.append(path)
    return written


def _copy(op: Operation) -> Operation:
    new = op.clone()
    return new


def _program_name(module: ModuleOp) -> str:
    first = next(walk_ops(module, "func.func"))
    return first.properties["sym_name"].data  # type: ignore[attr-defined]
