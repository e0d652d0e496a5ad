"""DataflowIR programs for tests, as text in the wrapped layout."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from headrace.arch import Device, load_device
from headrace.codegen import SpyreCode, compile_to_spyrecode
from headrace.codegen.disassembler import disassemble
from headrace.ir.text import parse_module

HERE = Path(__file__).parent

UNITS = {"ld": "mnilu", "lu": "l1lu", "sf": "sfu", "su": "l1su", "st": "mnisu"}
"""Short names that test bodies use for the unit handles ``%ld0``, ``%ld1``, ..."""

PRELUDE = """
#rm = affine_map<(d0, d1) -> (d0 * 64 + d1)>
#id2 = affine_map<(d0, d1) -> (d0, d1)>
#id1 = affine_map<(d0) -> (d0)>
#row = affine_set<(d0, d1) : (d0 == 0, d1 >= 0, -d1 + 63 >= 0)>
#line = affine_set<(d0) : (d0 >= 0, -d0 + 63 >= 0)>
"""


def multiply() -> str:
    """``C = A * B`` on 4x64 f16, two cores with two rows each, one-way signals."""
    return (HERE / "multiply.mlir").read_text()


def program(
    body: str,
    *,
    unit: str = "sf",
    arguments: str = "%a: index",
    types: str | None = None,
    symbols: str = "",
    coordinator: str | None = None,
    outer_arguments: str | None = None,
) -> str:
    """A module with one program whose one program unit, on cores 0 and 1, has ``body``.

    ``symbols``: text of the symbol table over the outer arguments. ``coordinator``: body of the kernel; by default one
    call of the program with its arguments. Constants ``%c0 %c1 %c2 %c64`` and all handles are available.
    """
    outer = outer_arguments if outer_arguments is not None else arguments
    names = [a.split(":")[0].strip() for a in outer.split(",") if a.strip()]
    kinds = types if types is not None else ", ".join(a.split(":")[1].strip() for a in outer.split(",") if a.strip())
    call = f"call @p({', '.join(names)}) : ({kinds}) -> ()"
    handles = "\n".join(
        f'%{s}{k} = dataflow.get_unit {{core = {k} : i32, corelet = 0 : i32, name = "C{k}-{t}", type = "{t}"}} : index'
        for s, t in UNITS.items()
        for k in (0, 1)
    )
    constants = "\n".join(f"%c{n} = arith.constant {n} : index" for n in (0, 1, 2, 64, 512))
    return f"""{PRELUDE}
module {{
  module {{
    func.func @kernel({arguments}) attributes {{grid = [2]}} {{
      {coordinator if coordinator is not None else call}
      return
    }}
    func.func private @p({kinds})
  }}
  module @p {{
    func.func private @p_body()
    func.func @p({outer}) {{
      {symbols}
      call @p_body() : () -> ()
      return
    }}
    module {{
      func.func @p_body() attributes {{grid = [2]}} {{
        {constants}
        {handles}
        %hbm = dataflow.get_unit {{name = "hbm", type = "hbm"}} : index
        %lx0 = dataflow.get_unit {{core = 0 : i32, name = "C0-lx", type = "lx"}} : index
        %lx1 = dataflow.get_unit {{core = 1 : i32, name = "C1-lx", type = "lx"}} : index
        dataflow.program_unit iter_arg : %u -> (%{unit}0, %{unit}1) : {{
          {body}
        }}
        return
      }}
    }}
  }}
}}
"""


def query(name: str, unit: str, first: str, second: str) -> str:
    """Text of ``%name`` = ``first`` on core 0, ``second`` on core 1."""
    return f"""%m_{name} = uniform.def_immutable_mapping([%{unit}0 -> {first}], [%{unit}1 -> {second}]):index
          %{name} = uniform.query_map(map:%m_{name}, key:%u) : index
"""


def view(name: str, memory: str, start: str, unit: str = "byte", type: str = "2x64xf16", layout: str = "#rm") -> str:
    """Text of a memory view."""
    attributes = f'{{layout_map = {layout}, headrace.start_unit = "{unit}"}}'
    return f"%{name} = dataflow.get_logical_memory_view {memory}, {start} {attributes} : index, index, memref<{type}>\n"


def generate(text: str, device: Device | None = None, **options: Any) -> SpyreCode:
    """Compile program text for a device (``sample``)."""
    return compile_to_spyrecode(parse_module(text, "test.mlir"), device or load_device("sample"), **options)


def code_of(text: str) -> str:
    """Assembly of the only section of the only program."""
    (section,) = generate(text).image.programs[0].sections
    return "\n".join(line.strip() for line in disassemble(section.code, "").splitlines())
