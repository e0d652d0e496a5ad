"""Compile table entries to native loops over arrays of raw storage bits, for comparison with the NumPy evaluation."""

from __future__ import annotations

import ctypes
from dataclasses import dataclass, field
from typing import Any

import llvmlite.binding as binding
import numpy as np
from llvmlite import ir

from headrace.numerics import semantics
from headrace.numerics.dtypes import DType


@dataclass(frozen=True)
class Case:
    """One application of an operation to types and parameters."""

    name: str
    ins: tuple[DType, ...]
    outs: tuple[DType, ...]
    params: tuple[tuple[str, Any], ...] = field(default=())

    @property
    def symbol(self) -> str:
        types = "_".join(t.name for t in (*self.ins, *self.outs))
        return f"{self.name}_{types}_{'_'.join(str(v) for _, v in self.params)}".replace(".", "_").replace("-", "m")


def emit(module: ir.Module, case: Case, lanes: int) -> None:
    """`void f(ptr ins..., ptr outs..., i64 count)`; count is a number of vectors (or scalars, lanes = 0)."""
    count = ir.IntType(64)
    op = semantics.get(case.name)
    storage = [semantics.storage_type(t, lanes) for t in (*case.ins, *case.outs)]
    pointers = [ir.PointerType(t) for t in storage]
    function = ir.Function(module, ir.FunctionType(ir.VoidType(), [*pointers, count]), f"{case.symbol}_{lanes}")
    entry, loop, done = (function.append_basic_block(n) for n in ("entry", "loop", "done"))
    ir.IRBuilder(entry).branch(loop)
    b = ir.IRBuilder(loop)
    i = b.phi(count)
    values = []
    for pointer, dtype in zip(function.args, case.ins, strict=False):
        load = b.load(b.gep(pointer, [i]))
        load.align = 1
        values.append(semantics.to_register(b, load, dtype))
    results = op.llvm(b, values, case.ins, case.outs, dict(case.params))
    for pointer, dtype, value in zip(
        function.args[len(case.ins) :], case.outs, results if op.results > 1 else [results], strict=False
    ):
        assert value.type == semantics.register_type(dtype, lanes)
        store = b.store(semantics.to_storage(b, value, dtype), b.gep(pointer, [i]))
        store.align = 1
    following = b.add(i, ir.Constant(count, 1))
    i.add_incoming(ir.Constant(count, 0), entry)
    i.add_incoming(following, loop)
    b.cbranch(b.icmp_unsigned("<", following, function.args[-1]), loop, done)
    ir.IRBuilder(done).ret_void()


class Native:
    """Cases compiled together for one vector length (0: scalars)."""

    def __init__(self, cases: list[Case], lanes: int):
        module = ir.Module()
        for case in cases:
            emit(module, case, lanes)
        self.lanes = lanes
        self.machine = semantics.host_target_machine()
        parsed = binding.parse_assembly(str(module))
        parsed.verify()
        tuning = binding.create_pipeline_tuning_options(speed_level=2)
        tuning.loop_vectorization = tuning.loop_unrolling = False  # only time, the bodies are what is tested
        passes = binding.create_pass_builder(self.machine, tuning)
        passes.getModulePassManager().run(parsed, passes)
        self.engine = binding.create_mcjit_compiler(parsed, self.machine)
        self.engine.finalize_object()

    def run(self, case: Case, raw: list[np.ndarray]) -> list[np.ndarray]:
        """Raw storage arrays in, raw storage arrays out; the length is a multiple of the lanes."""
        size = raw[0].size
        outs = [np.zeros(size, dtype=t.storage_dtype) for t in case.outs]
        pointers = [a.ctypes.data_as(ctypes.c_void_p) for a in (*raw, *outs)]
        address = self.engine.get_function_address(f"{case.symbol}_{self.lanes}")
        signature = ctypes.CFUNCTYPE(None, *([ctypes.c_void_p] * len(pointers)), ctypes.c_int64)
        signature(address)(*pointers, size // max(self.lanes, 1))
        return outs
