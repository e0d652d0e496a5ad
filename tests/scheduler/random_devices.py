"""Random device files: two to four memory levels, and other names, widths, depths, granularities, corelets and rates.

`write_device(choose)` writes one file; every decision is one call of `choose(options)`, as in `random_kernels`. A
device has a device memory, one to three memories on the chip, each fed by a unit that loads and one that stores, and
vector units with their own load and store units beside the innermost memory. Groups of vector units may have inner
memories of their own. Figures and features that are optional are left out at times.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from typing import Any

from hypothesis import strategies as st

Choose = Callable[[Sequence[Any]], Any]

BYTES = {
    "f16": 2, "bf16": 2, "!spyreop.df16": 2, "f32": 4, "f64": 8,
    "i8": 1, "i16": 2, "i32": 4, "i64": 8, "index": 8, "i1": 2,
}  # fmt: skip


@dataclass(frozen=True)
class RandomDevice:
    """A device file, and what kernels must know of it."""

    text: str
    cores: int | None
    scratchpad: int


@cache
def shipped_patterns() -> str:
    """The patterns of the sample device: its instructions for the intrinsics of spyreop."""
    text = (files("headrace.arch") / "devices" / "sample.mlir").read_text(encoding="utf-8")
    return text[text.index('  patterns ["pre_scheduling"]') : text.rindex("}")]


def timing(fields: dict[str, int]) -> str:
    return "headrace.timing = {" + ", ".join(f"{k} = {v}" for k, v in fields.items()) + "}"


def level(k: int, kind: str) -> list[str]:
    """Memory k + 1, and the units that fill and empty it."""
    return [
        f"%m{k + 1} = memory #{kind}",
        f"%i{k} = exec_unit #IN{k}",
        f"%o{k} = exec_unit #OUT{k}",
        f"datapath #Way{k} %m{k} to %i{k} : memory, exec_unit",
        f"datapath #Way{k} %i{k} to %m{k + 1} : exec_unit, memory",
        f"datapath #Way{k} %m{k + 1} to %o{k} : memory, exec_unit",
        f"datapath #Way{k} %o{k} to %m{k} : exec_unit, memory",
    ]


class Writer:
    """Writes one device."""

    def __init__(self, choose: Choose):
        self.choose = choose
        self.head: list[str] = []
        self.body: list[str] = []

    def chance(self, one_in: int) -> bool:
        """True once in `one_in` times; False is the simple case."""
        return self.choose([False] * (one_in - 1) + [True])

    def memory(self, kind: str, size: int, slow: bool, reserved: int = 0) -> None:
        parts = [f'kind = "{kind}"', f"size = {size}"]
        if reserved:
            parts.append(f"headrace.reserved = {reserved}")
        if not self.chance(4):
            rate = self.choose([64, 16, 32, 128, 100]) if slow else self.choose([256, 32, 64, 128, 512])
            fields = {"latency": self.choose([100, 1, 300]) if slow else self.choose([4, 1, 9])}
            if self.choose([True, False]):
                fields["bytes_per_cycle"] = rate
            else:
                write = self.choose([rate, rate * 2, rate // 2])
                fields |= {"read_bytes_per_cycle": rate, "write_bytes_per_cycle": write}
            parts.append(timing(fields))
        self.head.append(f"#{kind} = {{ {', '.join(parts)} }}")

    def mover(self, kind: str, what: str, ends: tuple[str, str], word: int) -> None:
        """A unit between two memories."""
        fields = []
        if word > 1:
            fields.append(f"word_size = #ktdf_arch.map<{', '.join(f'{chr(34)}{e}{chr(34)} = {word}' for e in ends)}>")
        if self.choose([True, False]):
            each = ", ".join(f'"{e}" = [{{ size_in_words = 1 }}]' for e in ends)
            fields.append(f"access_granularity = #ktdf_arch.map<{each}>")
        feature = f"ktdf_arch.feature.{what}" + (f" = {{ {', '.join(fields)} }}" if fields else "")
        last = ", dataflow_scheduler.double_buffer_last" if self.choose([True, False]) else ""
        self.head.append(f'#{kind} = {{ kind = "{kind}"{last}, ktdf_arch.features = {{ {feature} }} }}')

    def port(self, kind: str, what: str, memory: str, sizes: Sequence[int]) -> None:
        """A unit between the innermost memory and the vector unit."""
        feature = f"ktdf_arch.feature.{what}"
        if self.choose([True, False]):
            each = ", ".join(f"{{ size_in_words = {n} }}" for n in sizes)
            feature += f' = {{ access_granularity = #ktdf_arch.map<"{memory}" = [{each}]> }}'
        simd = ", ktdf_arch.feature.simd = { splat, zero_pad }" if what == "load" else ""
        self.head.append(f'#{kind} = {{ kind = "{kind}", ktdf_arch.features = {{ {feature}{simd} }} }}')

    def link(self, name: str, sizes: Sequence[int], queue: bool, rate: int) -> None:
        parts = []
        if sizes:
            parts.append(f"ktdf_arch.transfer_granularity = array<i64: {', '.join(map(str, sizes))}>")
        if queue:
            depth = self.choose([16, 1, 2, 3, 5])
            parts.append(f"ktdf_arch.features = {{ ktdf_arch.feature.queue = {{ ordered, depth = {depth} }} }}")
        if not self.chance(3):
            parts.append(timing({"latency": self.choose([1, 4, 10]), "bytes_per_cycle": rate}))
        self.head.append(f"#{name} = {{ {', '.join(parts)} }}")

    def write(self) -> RandomDevice:
        c = self.choose
        vector = c([64, 128, 32, 16, 256])
        levels = c([1, 2, 1, 3])
        corelets = c([1, 2, 3, 4])
        cores = c([None, 4, 6, 64])
        self.memory("MAIN", 1 << c([30, 26]), True)
        size = 1 << c([20, 16, 18, 21])
        pads = ["PADA", "PADB", "PADC"][:levels]
        first = size
        for k, pad in enumerate(pads):
            reserved = c([0, 0, 1024]) if k == 0 else 0
            self.memory(pad, size, False, reserved)
            size = max(size // c([2, 1, 4]), 1 << 14)
        registers = c([True, True, False])
        if registers:
            self.head.append(f'#FILE = {{ kind = "FILE", size = {c([2048, 512, 8192])} }}')
        words = [c([1, 64, 32, 4]) if k == 0 else c([1, 4, 2]) for k in range(levels)]
        chain = ["MAIN", *pads]
        for k in range(levels):
            ends = (chain[k], chain[k + 1])
            self.mover(f"IN{k}", "load", ends, words[k])
            self.mover(f"OUT{k}", "store", ends, words[k])
            self.link(f"Way{k}", [words[k]] if c([True, False]) else [], False, c([64, 32, 128]))
        sizes = sorted({vector, *c([(8, 4, 2, 1), (16, 8, 4, 2, 1)])}, reverse=True)
        self.port("RD", "load", pads[-1], sizes)
        self.port("WR", "store", pads[-1], sizes)
        self.link("Port", [], True, vector)
        self.link("Fifo", sizes, True, vector * c([1, 2]))
        lanes = ", ".join(f"{t} = {max(1, vector // n)}" for t, n in BYTES.items())
        costs = "op_cycles = {exp = 4, div = 4}"
        rates = f"headrace.timing = {{issue = {c([1, 2])}, latency = {c([1, 4, 8])}, {costs}}}"
        self.head.append(
            f'#ALU = {{ kind = "ALU", ktdf_arch.features = {{ ktdf_arch.feature.compute, ktdf_arch.feature.simd = '
            f"{{ lanes = #ktdf_arch.map<{lanes}> }} }}{'' if self.chance(3) else ', ' + rates} }}"
        )
        instances = "" if cores is None else f", headrace.instances = {cores}"
        self.nest = c(list(range(levels)))
        """The memory whose group holds the groups of vector units."""
        self.body += [
            "ktdf_arch.device @random attributes { mem_space_mapping = #ktdf_arch.map<",
            f'  #ktdp.memory_space<global> = "MAIN", #ktdp.memory_space<ct_local> = "{pads[0]}",',
            f'  #ktdp.spyre_memory_space<HBM> = "MAIN", #ktdp.spyre_memory_space<LX> = "{pads[0]}"> }} {{',
            "%m0 = memory #MAIN",
            f'group {{ kind = "core"{instances} }} share(%m0) {{',
        ]
        for k in range(self.nest + 1):
            self.body += level(k, pads[k])
        inner = [line for k in range(self.nest + 1, levels) for line in level(k, pads[k])]
        last = f"%m{levels}"
        inner += ["%rd = exec_unit #RD", "%wr = exec_unit #WR"]
        if registers:
            inner += [
                '%alu = group { kind = "block" } share() {', "%file = memory #FILE", "%unit = exec_unit #ALU",
                "yield %unit", "} -> exec_unit",
            ]  # fmt: skip
        else:
            inner.append("%alu = exec_unit #ALU")
        inner += [
            f"datapath #Port {last} to %rd : memory, exec_unit",
            "datapath #Fifo %rd to %alu : exec_unit, exec_unit",
            "datapath #Fifo %alu to %wr : exec_unit, exec_unit",
            f"datapath #Port %wr to {last} : exec_unit, memory",
        ]
        for _ in range(corelets):
            self.body += [f"group share(%m{self.nest + 1}) {{", *inner, "}"]
        self.body += ["}", shipped_patterns(), "}"]
        return RandomDevice("\n".join([*self.head, *self.body]) + "\n", cores, first)


def write_device(choose: Choose) -> RandomDevice:
    """One random device file."""
    return Writer(choose).write()


@st.composite
def device_files(draw: Any) -> RandomDevice:
    """Hypothesis strategy of device files."""
    return write_device(lambda options: draw(st.sampled_from(list(options))))
