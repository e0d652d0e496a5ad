"""Numbers that loops carry."""

from headrace.ir.text import parse_module
from headrace.scheduler.split.carried_scalars import carry_tensors


def _kernel(body: str, kind: str = "f32") -> str:
    return f"""
    func.func @k(%n: index, %x: f32, %m: memref<4xf32>, %a: {kind}) {{
      %c0 = arith.constant 0 : index
      %c1 = arith.constant 1 : index
      %r = scf.for %i = %c0 to %n step %c1 iter_args(%s = %a) -> ({kind}) {{
{body}
      }}
      return
    }}
    """


def test_shared_operands_are_lifted_once() -> None:
    """A square of a square and so on has two paths at every step; the work grows with the operations."""
    for start in ("%s", "%x"):
        lines = [f"%v0 = arith.mulf {start}, {start} : f32"]
        lines += [f"%v{k + 1} = arith.mulf %v{k}, %v{k} : f32" for k in range(2000)]
        lines += ["%t = tensor.splat %v2000 : tensor<8xf32>", "%y = arith.addf %v2000, %s : f32", "scf.yield %y : f32"]
        module = parse_module(_kernel("\n".join(lines)))
        carry_tensors(module)
        module.verify()
        products = [op for op in module.walk() if op.name == "arith.mulf" and str(op.results[0].type) != "f32"]
        assert len(products) in ((0,) if start == "%x" else (2001, 2 * 2001))
        assert all(str(op.results[0].type) == "tensor<1xf32>" for op in module.walk() if op.name == "scf.for")


def test_other_values_stay() -> None:
    module = parse_module(_kernel("scf.yield %s : memref<4xf32>", "memref<4xf32>"))
    before = str(module)
    carry_tensors(module)
    assert str(module) == before
