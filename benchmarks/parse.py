"""Text in and out: headrace on KTIR against stock xDSL on as many comparable operations of upstream dialects."""

from __future__ import annotations

import statistics
import time
from io import StringIO
from typing import Any

from benchmarks.common import Case, interleaved
from headrace.ir.text import parse_module, print_module

OPERATIONS = 20_000

_TILE = """access_tile_set = affine_set<(i, j) : (i >= 0, -i + 2 >= 0, j >= 0, -j + 63 >= 0)>,
      access_tile_order = affine_map<(i, j) -> (i, j)>"""
_VIEW = "coordinate_set = affine_set<(i, j) : (i >= 0, -i + 95 >= 0, j >= 0, -j + 63 >= 0)>"

_KTIR = f"""
    %i{{n}} = arith.muli %me, %c : index
    %v{{n}} = ktdp.construct_memory_view %x, sizes: [96, 64], strides: [64, 1] {{{{
      {_VIEW}, memory_space = #ktdp.memory_space<global>
    }}}} : memref<96x64xf16>
    %t{{n}} = ktdp.construct_access_tile %v{{n}}[%i{{n}}, 0] {{{{
      {_TILE}
    }}}} : memref<96x64xf16> -> !ktdp.access_tile<3x64xindex>
    %d{{n}} = ktdp.load %t{{n}} : <3x64xindex> -> tensor<3x64xf16>
    %e{{n}} = tensor.empty() : tensor<3x64xf16>
    %r{{n}} = linalg.add ins(%d{{n}}, %d{{n}} : tensor<3x64xf16>, tensor<3x64xf16>) outs(%e{{n}} : tensor<3x64xf16>) ->
    tensor<3x64xf16>
    ktdp.store %r{{n}}, %t{{n}} : tensor<3x64xf16>, <3x64xindex>"""
_UPSTREAM = f"""
    %i{{n}} = arith.muli %me, %c : index
    %v{{n}} = memref.reinterpret_cast %x to offset: [0], sizes: [96, 64], strides: [64, 1] {{{{
      {_VIEW}, space = #builtin.signedness<signless>
    }}}} : memref<96x64xf16> to memref<96x64xf16>
    %t{{n}} = memref.subview %v{{n}}[%i{{n}}, 0] [3, 64] [1, 1] {{{{
      {_TILE}
    }}}} : memref<96x64xf16> to memref<3x64xf16>
    %d{{n}} = bufferization.to_tensor %t{{n}} : memref<3x64xf16> to tensor<3x64xf16>
    %e{{n}} = tensor.empty() : tensor<3x64xf16>
    %r{{n}} = linalg.add ins(%d{{n}}, %d{{n}} : tensor<3x64xf16>, tensor<3x64xf16>) outs(%e{{n}} : tensor<3x64xf16>) ->
    tensor<3x64xf16>
    bufferization.materialize_in_destination %r{{n}} in writable %t{{n}} : (tensor<3x64xf16>, memref<3x64xf16>) -> ()"""
_ROUND = 7
"""Operations in one of the texts above."""


def texts(operations: int) -> tuple[str, str]:
    """(KTIR, upstream): functions of some hundred operations each, `operations` in all."""
    ktir: list[str] = []
    upstream: list[str] = []
    for k in range(max(1, operations // (100 * _ROUND))):
        ktir.append(f"func.func @f{k}(%x: index, %me: index, %c: index) attributes {{grid = [32]}} {{")
        ktir += [_KTIR.format(n=n) for n in range(100)]
        ktir.append("\n    func.return\n}\n")
        upstream.append(f"func.func @f{k}(%x: memref<96x64xf16>, %me: index, %c: index) attributes {{grid = [32]}} {{")
        upstream += [_UPSTREAM.format(n=n) for n in range(100)]
        upstream.append("\n    func.return\n}\n")
    return "".join(ktir), "".join(upstream)


def stock_parse(text: str) -> Any:
    """Parse and verify with xDSL alone."""
    from xdsl.context import Context
    from xdsl.dialects import get_all_dialects
    from xdsl.parser import Parser

    context = Context()
    for name, dialect in get_all_dialects().items():
        context.register_dialect(name, dialect)
    module = Parser(context, text).parse_module()
    module.verify()
    return module


def stock_print(module: Any) -> str:
    """Print with xDSL alone."""
    from xdsl.printer import Printer

    out = StringIO()
    Printer(stream=out).print_op(module)
    return out.getvalue()


def growth(operations: int, times: int) -> tuple[dict[str, float], dict[str, float]]:
    """Process seconds an operation to parse and verify and to print `operations`, and `times` as many."""
    small: dict[str, list[float]] = {"parse": [], "print": []}
    large: dict[str, float] = {}
    text = texts(operations)[0]
    for _ in range(3):
        began = time.process_time()
        module = parse_module(text)
        middle = time.process_time()
        print_module(module)
        small["parse"].append((middle - began) / operations)
        small["print"].append((time.process_time() - middle) / operations)
    text = texts(operations * times)[0]
    began = time.process_time()
    module = parse_module(text)
    middle = time.process_time()
    print_module(module)
    large["parse"] = (middle - began) / (operations * times)
    large["print"] = (time.process_time() - middle) / (operations * times)
    return {name: statistics.median(found) for name, found in small.items()}, large


def run() -> list[Case]:
    """Parse and verify, and print, 20,000 operations; process time, as both have one thread."""
    ktir, upstream = texts(OPERATIONS)
    ours, theirs = parse_module(ktir), stock_parse(upstream)
    times = interleaved(
        {
            "parse": lambda: parse_module(ktir),
            "stock parse": lambda: stock_parse(upstream),
            "print": lambda: print_module(ours),
            "stock print": lambda: stock_print(theirs),
        },
        3,
        time.process_time,
    )
    small, large = growth(OPERATIONS, 10)
    return [
        Case("parse and verify, 20,000 operations", times["parse"], "s", times["stock parse"], "xDSL", ("<=", 0.5)),
        Case("print, 20,000 operations", times["print"], "s", times["stock print"], "xDSL", ("<=", 1.0)),
        *(
            Case(
                f"{what}, 200,000 operations",
                large[name] * 1e6,
                "us an operation",
                small[name] * 1e6,
                "20,000 operations",
                ("<=", 1.25),
            )
            for name, what in (("parse", "parse and verify"), ("print", "print"))
        ),
    ]
