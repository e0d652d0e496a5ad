"""The simulated device: memory that the host writes, and ``compute``, which runs what lies in it."""

from __future__ import annotations

import time
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from headrace.codegen.image import Image
from headrace.ir.diagnostics import Diagnostic, HeadraceError
from headrace.machine import result as res
from headrace.machine.faults import Fault
from headrace.machine.figures import timing_of
from headrace.machine.hazards import Hazard, HazardError
from headrace.machine.loader import Launch, Loaded, Loader
from headrace.machine.memory import GlobalMemory, LocalMemories, machine_error
from headrace.machine.native.engine import NativeProgram
from headrace.machine.native.mode import Mode
from headrace.machine.plan import ProgramPlan, plan_program
from headrace.machine.records import Enough
from headrace.machine.sequencer import run_sequencer
from headrace.machine.shadow import Shadow, granule
from headrace.machine.shares import Shares
from headrace.machine.timing import Timing

if TYPE_CHECKING:
    from headrace.arch import Device
    from headrace.arch.record import DeviceRecord
    from headrace.machine.records import Records
    from headrace.machine.reference import ReferenceEngine

ENGINES = ("native", "reference", "work list")
"""What runs programs."""
MODES: tuple[str, ...] = tuple(m.value for m in Mode if m is not Mode.PROFILED)
"""What a device can keep track of besides values."""


class SimDevice:
    """One simulated device.

    ``memory`` is its global memory (the runtime registers ranges and copies to and from them), ``local`` its on-chip
    memories, NaN-filled when the device is opened. ``engine``: ``"native"``, ``"reference"`` (slow, defines the
    timing) or ``"work list"`` (the cycles of the reference, sooner, with only those values that addresses or counts may
    depend on). ``mode``: ``"timed"``, ``"functional"`` (values only: fastest, no cycles) or ``"sanitized"`` (also
    ``sanitize=True``: timed, and every hazard is reported, see ``docs/sanitizer.md``; ``buffers`` says what a launch
    may touch of the global memory: (address, bytes, name), None for all that is registered). ``faults`` are injected
    into every program. With ``records``, runs are recorded (slowly, with the reference engine's timing); ``shares``
    takes what units do over a whole run.
    """

    def __init__(
        self,
        device: Device | DeviceRecord | None,
        *,
        timing: Timing | None = None,
        engine: str = "native",
        order: int | None = None,
        mode: str = "timed",
        sanitize: bool = False,
        faults: Sequence[Fault] = (),
        records: Records | None = None,
        shares: Shares | None = None,
    ) -> None:
        if engine not in ENGINES:
            raise ValueError(f"unknown engine '{engine}', expected {', '.join(ENGINES)}")
        self.device = device
        self.timing = timing
        if sanitize:
            mode = "sanitized"
        if mode not in MODES:
            raise ValueError(f"unknown mode '{mode}', expected {', '.join(MODES)}")
        if shares is not None and (mode != "timed" or engine != "native" or records is not None):
            raise ValueError("shares are those of timed runs of the native engine")
        if mode != "timed" and (engine != "native" or records is not None):
            raise ValueError("the reference engine and records know the timed mode only")
        self.engine, self.order, self.records = engine, order, records
        self.mode, self.faults, self.shares = Mode(mode), tuple(faults), shares
        if shares is not None:
            self.mode = Mode.PROFILED
        self.memory = GlobalMemory()
        self.local = LocalMemories()
        digest = None if device is None else _digest_bytes(device.digest)
        self.loader = Loader(self.memory, digest)
        self.buffers: Sequence[tuple[int, int, str]] | None = None
        self.completed: res.RunResult | None = None
        """The last sanitized run that had hazards, if it came to its end."""
        self.shadow: Shadow | None = None
        if self.mode is Mode.SANITIZED:
            self.shadow = Shadow(self.memory)
            self.memory.written = self.shadow.define

    def reset(self) -> None:
        """Fill the on-chip memories with NaN patterns, as when the device was opened."""
        self.local.poison()
        if self.shadow is not None:
            self.shadow.forget_local()

    def write_local(self, name: str, instance: tuple[Any, ...], size: int, address: int, data: np.ndarray) -> None:
        """Write bytes into an on-chip memory of ``size`` bytes, as :meth:`LocalMemories.get` names it."""
        self.local.get(name, instance, size)[address : address + data.size] = data
        if self.shadow is not None:
            self.shadow.define_local(name, instance, size, address, data.size)

    def compute(self, entry_address: int) -> res.RunResult:
        """Run the image at a device address to its end.

        The bytes are decoded from this device's memory; the correction program is applied to a copy of the parameter
        words, so the image itself never changes. Raises :class:`HeadraceError` for a bad image, a fault or a deadlock;
        in sanitized mode :class:`HazardError` at the end, for everything that was found.
        """
        began = time.perf_counter()
        launch = self.loader.load(entry_address)
        image = launch.loaded.image
        timing = self._timing(launch.loaded)
        out = res.RunResult(timed=self.mode is not Mode.FUNCTIONAL, clock_mhz=timing.clock_mhz)
        totals = res.Totals(out)
        prepared: dict[int, tuple[ProgramPlan, list[list[int]]]] = {}
        self._hazards: list[Hazard] = []
        self._lost: list[Diagnostic] = []
        self.completed = None
        if self.shadow is not None:
            self.shadow.set_buffers(self.buffers)
        out.seconds["load"] = time.perf_counter() - began
        began = time.perf_counter()

        def call(number: int, arguments: list[int]) -> None:
            if not 0 <= number < len(image.programs):
                raise machine_error(f"the sequencer calls program {number}, the image has {len(image.programs)}")
            if len(arguments) != image.programs[number].arguments:
                raise machine_error(
                    f"program '{image.programs[number].name}' takes {image.programs[number].arguments} arguments"
                )
            if number not in prepared:
                prepared[number] = self._prepare(launch, number, timing)
            plan, params = prepared[number]
            start = out.cycles
            run = self._execute(launch.loaded, number, plan, params, arguments, start)
            totals.add(plan, run, start)

        words = launch.words(image.sequencer_params_offset, len(image.sequencer_params)).tolist()
        try:
            run_sequencer(image.sequencer, launch.loaded.sequencer_match, words, call, launch.loaded.registers)
        except Enough:
            pass
        except HeadraceError as e:
            if not self._hazards and not self._lost:
                raise
            raise HazardError(self._hazards, [*self._lost, *e.diagnostics]) from None
        if self._hazards or self._lost:
            self.completed = totals.finish()
            raise HazardError(self._hazards, self._lost)
        out.seconds["simulate"] = time.perf_counter() - began
        return totals.finish()

    def prepare(self, entry_address: int) -> None:
        """Decode the image at a device address and translate its programs, without running them."""
        launch = self.loader.load(entry_address)
        for number in range(len(launch.loaded.image.programs)):
            plan, _ = self._prepare(launch, number, self._timing(launch.loaded))
            if self.engine == "native":
                self._native(launch.loaded, number, plan)

    def _timing(self, loaded: Loaded) -> Timing:
        if self.timing is not None:
            return self.timing
        assert self.device is not None
        if loaded.timing is None:
            loaded.timing = timing_of(self.device, loaded.image)
        return loaded.timing

    def _prepare(self, launch: Launch, number: int, timing: Timing) -> tuple[ProgramPlan, list[list[int]]]:
        """Plan of a program with the parameter words of this launch, by slot."""
        image = launch.loaded.image
        program = image.programs[number]
        blocks = [
            launch.words(s.data_offset, s.params * len(s.units)).reshape(len(s.units), s.params)
            for s in program.sections
        ]
        template = launch.loaded.plans.get(number)
        plan = template if template and _same_peers(launch.loaded, template, number, blocks) else None
        if plan is None:
            plan = plan_program(image, program, timing, [b.tolist() for b in blocks])
            for fault in self.faults:
                fault.apply(plan)
            launch.loaded.plans[number] = plan
        row = {
            u: words
            for s, b in zip(program.sections, blocks, strict=True)
            for u, words in zip(s.units, b.tolist(), strict=True)
        }
        return plan, [row[u.number] for u in plan.units]

    def _native(self, loaded: Loaded, number: int, plan: ProgramPlan) -> NativeProgram:
        program = loaded.natives.get(number)
        if self.shadow is not None:
            self.shadow.refine(granule(plan))
        if program is None or program.plan is not plan or program.stale:
            program = loaded.natives[number] = NativeProgram(
                plan, self.memory, self.local, self.mode, self.shadow, self.order, self.shares
            )
        return program

    def _execute(
        self,
        loaded: Loaded,
        number: int,
        plan: ProgramPlan,
        params: list[list[int]],
        arguments: list[int],
        start: int,
    ) -> res.ProgramRun:
        runner: NativeProgram | ReferenceEngine
        if self.engine == "native" and self.records is None:
            runner = self._native(loaded, number, plan)
            try:
                run = runner.run(params, arguments, start)
            finally:
                self._hazards += runner.hazards
        else:
            from headrace.machine.reference import ReferenceEngine
            from headrace.machine.work_list import WorkListEngine, needs_values

            for unit, words in zip(plan.units, params, strict=True):
                unit.params = words
            if self.records is not None or self.engine == "work list":
                values = needs_values(loaded.image)
                runner = WorkListEngine(self.memory, self.local, self.records, values)
            else:
                runner = ReferenceEngine(self.memory, self.local, self.order)
            run = runner.run(plan, arguments, start)
        if runner.leftovers:
            problem = machine_error(f"program '{plan.name}' ended with FIFOs or counters in use", *runner.leftovers)
            if self.shadow is None:
                raise problem
            self._lost += problem.diagnostics
        return run


def _digest_bytes(digest: str | bytes) -> bytes:
    """A device digest (hexadecimal or bytes) as bytes."""
    return bytes.fromhex(digest) if isinstance(digest, str) else digest


def _same_peers(loaded: Loaded, plan: ProgramPlan, number: int, blocks: list[np.ndarray]) -> bool:
    """Whether the parameter words that name peers are those that ``plan`` was made with."""
    known = loaded.peers.get(number)
    if known is None or known[0] is not plan:
        known = loaded.peers[number] = (plan, _peer_words(loaded.image, plan, number))
    return all(np.array_equal(blocks[k][:, columns], words) for k, columns, words in known[1])


def _peer_words(image: Image, plan: ProgramPlan, number: int) -> list[tuple[int, list[int], np.ndarray]]:
    """(section, columns, words) of the parameter words that name peers."""
    by_number = {u.number: u for u in plan.units}
    found = []
    for k, (section, code) in enumerate(zip(image.programs[number].sections, plan.codes, strict=True)):
        used = {ins["peer"] for ins in code.instructions if ins.op in ("SEND", "RECV", "SIGNAL", "WAIT")}
        columns = sorted({v for reg in used if (k_v := code.peers.get(reg)) and k_v[0] == "param" for v in [k_v[1]]})
        if columns:
            words = [[by_number[u].params[c] for c in columns] for u in section.units]
            found.append((k, columns, np.array(words, np.int64)))
    return found
