"""The page `docs/example.md`: one kernel from KTIR to DataflowIR, its text after each pass of a run of the compiler."""

from __future__ import annotations

import difflib
from collections.abc import Iterator

from headrace.api import CompileOptions, compile
from headrace.ir.describe import describe_pass
from headrace.ir.passes import PASSES as GENERIC
from headrace.ir.text import parse_module, print_module
from headrace.scheduler.plan import PASSES, PLAN

KERNEL = """\
func.func @scaled_add(%x: index, %y: index, %out: index, %scale: f32) attributes {grid = [1]} {
  %zero = arith.constant 0 : index
  %x_view = ktdp.construct_memory_view %x, sizes: [8, 64], strides: [64, 1] {coordinate_set = affine_set<(d0, d1) : (d0 >= 0, -d0 + 7 >= 0, d1 >= 0, -d1 + 63 >= 0)>, memory_space = #ktdp.spyre_memory_space<HBM>} : memref<8x64xf32>
  %y_view = ktdp.construct_memory_view %y, sizes: [8, 64], strides: [64, 1] {coordinate_set = affine_set<(d0, d1) : (d0 >= 0, -d0 + 7 >= 0, d1 >= 0, -d1 + 63 >= 0)>, memory_space = #ktdp.spyre_memory_space<HBM>} : memref<8x64xf32>
  %out_view = ktdp.construct_memory_view %out, sizes: [8, 64], strides: [64, 1] {coordinate_set = affine_set<(d0, d1) : (d0 >= 0, -d0 + 7 >= 0, d1 >= 0, -d1 + 63 >= 0)>, memory_space = #ktdp.spyre_memory_space<HBM>} : memref<8x64xf32>
  %x_tile = ktdp.construct_access_tile %x_view[%zero, %zero] {access_tile_set = affine_set<(d0, d1) : (d0 >= 0, -d0 + 7 >= 0, d1 >= 0, -d1 + 63 >= 0)>, access_tile_order = affine_map<(d0, d1) -> (d0, d1)>} : memref<8x64xf32> -> !ktdp.access_tile<8x64xindex>
  %y_tile = ktdp.construct_access_tile %y_view[%zero, %zero] {access_tile_set = affine_set<(d0, d1) : (d0 >= 0, -d0 + 7 >= 0, d1 >= 0, -d1 + 63 >= 0)>, access_tile_order = affine_map<(d0, d1) -> (d0, d1)>} : memref<8x64xf32> -> !ktdp.access_tile<8x64xindex>
  %out_tile = ktdp.construct_access_tile %out_view[%zero, %zero] {access_tile_set = affine_set<(d0, d1) : (d0 >= 0, -d0 + 7 >= 0, d1 >= 0, -d1 + 63 >= 0)>, access_tile_order = affine_map<(d0, d1) -> (d0, d1)>} : memref<8x64xf32> -> !ktdp.access_tile<8x64xindex>
  %a = ktdp.load %x_tile : !ktdp.access_tile<8x64xindex> -> tensor<8x64xf32>
  %b = ktdp.load %y_tile : !ktdp.access_tile<8x64xindex> -> tensor<8x64xf32>
  %s = tensor.splat %scale : tensor<8x64xf32>
  %scaled = arith.mulf %a, %s : tensor<8x64xf32>
  %sum = arith.addf %scaled, %b : tensor<8x64xf32>
  ktdp.store %sum, %out_tile : tensor<8x64xf32>, !ktdp.access_tile<8x64xindex>
  return
}
"""  # noqa: E501
DEVICE = "sample"
WHOLE = ("construct-three-stage-pipeline", "address-assignment")
"""Passes after which the whole text is shown; after the others, what they changed."""

_HEAD = f"""\
# One kernel, step by step

`out = x * scale + y` for one tile on the device `{DEVICE}`: its text after each pass that changes it, whole or as a
difference. `headrace compile FILE --device {DEVICE} --save-ir DIR` writes the same for any kernel. What a pass does in
general is on [its page](passes/README.md).
"""


def page() -> str:
    """The text of the page."""
    return _HEAD + "\n" + "\n\n".join(_sections()) + "\n"


def _sections() -> Iterator[str]:
    texts: list[tuple[str, str]] = []
    options = CompileOptions(after=lambda name, module: texts.append((name, print_module(module))))
    compile(KERNEL, DEVICE, options=options)
    before = print_module(parse_module(KERNEL))
    yield f"## KTIR\n\n```mlir\n{before.strip()}\n```"
    checkpoints = {step.name for step in PLAN if step.checkpoint}
    known = {**PASSES, **GENERIC}
    idle: list[str] = []
    for name, text in texts:
        if text == before:
            idle.append(f"`{name}`")
            continue
        if idle:
            yield f"({', '.join(idle)}: nothing to do here.)"
            idle = []
        what = "Patterns of the device file." if name in checkpoints else describe_pass(name, known[name]).text.summary
        yield f"## {name}\n\n{what}"
        if name in WHOLE or not _similar(before, text):
            yield f"```mlir\n{text.strip()}\n```"
        else:
            yield f"```diff\n{_difference(before, text)}\n```"
        before = text
    if idle:
        yield f"({', '.join(idle)}: nothing to do here.)"


def _similar(before: str, after: str) -> bool:
    return difflib.SequenceMatcher(None, before.splitlines(), after.splitlines(), autojunk=False).ratio() > 0.5


def _difference(before: str, after: str) -> str:
    lines = list(difflib.unified_diff(before.splitlines(), after.splitlines(), lineterm="", n=1))[2:]
    return "\n".join("..." if line.startswith("@@") else line for line in lines[1:])
