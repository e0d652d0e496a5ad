"""The dialects headrace knows, by name. Nothing is imported until a text or a pass uses the dialect."""

from __future__ import annotations

#: Dialect name -> "module:object", the object being an `xdsl.ir.Dialect`.
DIALECTS: dict[str, str] = {
    # Upstream, from xDSL with our supplements.
    "builtin": "headrace.ir.upstream.builtin:Builtin",
    "func": "headrace.ir.upstream.func:Func",
    "arith": "headrace.ir.upstream.arith:Arith",
    "math": "headrace.ir.upstream.math:Math",
    "scf": "headrace.ir.upstream.scf:Scf",
    "affine": "headrace.ir.upstream.affine:Affine",
    "memref": "headrace.ir.upstream.memref:MemRef",
    "tensor": "headrace.ir.upstream.tensor:Tensor",
    "linalg": "headrace.ir.upstream.linalg:Linalg",
    "cf": "headrace.ir.upstream.cf:Cf",
    "pdl": "headrace.ir.upstream.pdl:PDL",
    "vector": "headrace.ir.upstream.vector:Vector",
    "index": "headrace.ir.upstream.index:Index",
    "bufferization": "headrace.ir.upstream.bufferization:Bufferization",
    "ub": "xdsl.dialects.ub:UB",
    # The languages of the accelerator.
    "ktdp": "headrace.ir.dialects.ktdp:Ktdp",
    "spyreop": "headrace.ir.dialects.spyreop:Spyreop",
    "ktdf": "headrace.ir.dialects.ktdf:Ktdf",
    "ktdf_lowering": "headrace.ir.dialects.ktdf_lowering:KtdfLowering",
    "ktdf_arch": "headrace.ir.dialects.ktdf_arch:KtdfArch",
    "dataflow": "headrace.ir.dialects.dataflow:Dataflow",
    "vectorchain": "headrace.ir.dialects.vectorchain:Vectorchain",
    "agen": "headrace.ir.dialects.agen:Agen",
    "uniform": "headrace.ir.dialects.uniform:Uniform",
    "symbol": "headrace.ir.dialects.symbol:Symbol",
    "headrace": "headrace.ir.dialects.headrace_ops:Headrace",
    # Graphs of kernels and their asynchronous scheduling.
    "flow": "headrace.ir.dialects.flow:Flow",
    "stream": "headrace.ir.dialects.stream:Stream",
    "util": "headrace.ir.dialects.util:Util",
    "hal": "headrace.ir.dialects.hal:Hal",
}
