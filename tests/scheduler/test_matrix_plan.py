"""What the estimate of a product knows of its neighbours."""

from headrace.arch import Device, load_device
from headrace.ir.text import parse_module
from headrace.scheduler.build import walk_ops
from headrace.scheduler.split.matrix_plan import link_of

MEMORY = """%v = ktdp.construct_memory_view %a, sizes: [64], strides: [1] {
  coordinate_set = affine_set<(d0) : (d0 >= 0, -d0 + 63 >= 0)>, memory_space = #ktdp.spyre_memory_space<HBM>
} : memref<64xf16>"""
LOCAL = MEMORY.replace("HBM", "LX")
PRODUCT = "attributes {headrace.contraction = {}}"


def _links(
    device: Device, calls: str, *, chained: bool = True, **programs: tuple[str, str]
) -> dict[str, tuple[bool, bool, bool]]:
    """(one of a chain, nothing hides its first loads, nor its last stores) of programs, by (attributes, body)."""
    bodies = "\n".join(
        f"module @{name} {{ func.func @{name}(%a: index) {attributes} {{ {body}\n return }} }}"
        for name, (attributes, body) in programs.items()
    )
    declared = "\n".join(f"func.func private @{name}(index)" for name in programs)
    module = parse_module(f"""
    module {{
      module {{
        func.func @kernel(%a: index) {"attributes {headrace.chained}" if chained else ""} {{
          {calls}
          return
        }}
        {declared}
      }}
      {bodies}
    }}
    """)
    found = {f.sym_name.data: f for f in walk_ops(module, "func.func") if f.body.blocks}  # type: ignore[attr-defined]
    return {name: link_of(found[name], module, device) for name in programs}  # type: ignore[arg-type]


def _call(name: str) -> str:
    return f"func.call @{name}(%a) : (index) -> ()\n"


def test_first_loads_hide_beside_products_but_not_beside_streaming_programs() -> None:
    """The chain: vectors from main memory, product, product, vectors in the scratchpad, product."""
    device = load_device("spyre")
    programs = {"norm": ("", MEMORY), "up": (PRODUCT, MEMORY), "down": (PRODUCT, MEMORY), "act": ("", LOCAL),
                "out": (PRODUCT, MEMORY)}  # fmt: skip
    links = _links(device, "".join(map(_call, programs)), **programs)
    assert links == {
        "norm": (True, True, False),
        "up": (True, True, False),
        "down": (True, False, False),
        "act": (True, False, False),
        "out": (True, False, True),
    }


def test_runs_of_a_loop_hide_each_other() -> None:
    device = load_device("spyre")
    loop = f"""%c0 = arith.constant 0 : index
      %c1 = arith.constant 1 : index
      %c4 = arith.constant 4 : index
      scf.for %i = %c0 to %c4 step %c1 {{ {_call("scores")} {_call("values")} }}
      """
    programs = {"scores": (PRODUCT, MEMORY), "values": (PRODUCT, MEMORY), "last": (PRODUCT, MEMORY)}
    links = _links(device, loop + _call("last"), **programs)
    assert links == {"scores": (True, False, False), "values": (True, False, False), "last": (True, False, True)}


def test_programs_outside_of_chains_hide_nothing() -> None:
    device = load_device("spyre")
    programs = {"a": (PRODUCT, MEMORY), "b": (PRODUCT, MEMORY)}
    links = _links(device, _call("a") + _call("b"), chained=False, **programs)
    assert links == {"a": (False, True, True), "b": (False, True, True)}
