"""The Python face of headrace: compile a kernel, open a device, launch.

import headrace

program = headrace.compile("add.mlir", device="spyre")
device = headrace.Device.open("spyre")
kernel = device.prepare(program.code)
x, y = device.tensor(a), device.tensor(b)
out = device.empty((96, 64), "f16")
result = kernel.launch(x=x, y=y, out=out).result()
print(out.numpy(), result.cycles)
"""

from __future__ import annotations

import gc
import os
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any

from headrace.ir.diagnostics import HeadraceError, did_you_mean, error
from headrace.runtime import Device

if TYPE_CHECKING:
    from xdsl.dialects.builtin import ModuleOp

    from headrace.arch import Device as Architecture
    from headrace.codegen import SpyreCode
    from headrace.interp.buffer_info import KernelBuffers
    from headrace.runtime.cache import ArtefactCache, Entry

__all__ = [
    "CompileOptions",
    "Device",
    "KernelChoiceError",
    "Program",
    "compile",
    "compile_cached",
    "public_kernels",
    "select_kernel",
]


class KernelChoiceError(HeadraceError):
    """A module has several public kernels (or not the named one); `kernels` are their names."""

    def __init__(self, message: str, kernels: tuple[str, ...]):
        super().__init__(error(None, message).diagnostics)
        self.kernels = kernels


@dataclass(frozen=True)
class CompileOptions:
    """`after(pass name, module)` looks at the IR after each pass; `disabled` names passes to leave out.

    `arguments` gives values to scalar arguments that shapes depend on (to find the buffers) and that strides depend on
    (which the program is then made for); `strict` refuses text that MLIR refuses.
    """

    after: Callable[[str, ModuleOp], None] | None = None
    disabled: frozenset[str] = frozenset()
    arguments: Mapping[str, Any] = field(default_factory=dict)
    strict: bool = False


@dataclass
class Program:
    """A compiled kernel at every level.

    `ktir` is the kernel as parsed, `schedule` the ScheduleIR just before lowering, `dataflow` the wrapped DataflowIR,
    `code` what a device takes. `bound` is the expression of `headrace.scheduler.estimate`, `seconds` the time of parse,
    schedule and codegen.
    """

    name: str
    grid: tuple[int, ...]
    device: Architecture
    ktir: ModuleOp
    schedule: ModuleOp
    dataflow: ModuleOp
    code: SpyreCode
    buffers: KernelBuffers | None
    bound: dict[str, Any]
    source: str
    filename: str
    passes: tuple[str, ...] = ()
    seconds: dict[str, float] = field(default_factory=dict)

    @property
    def manifest(self) -> dict[str, Any]:
        """The manifest: arguments, buffers, symbols, bound, programs."""
        return self.code.manifest

    @property
    def programs(self) -> list[str]:
        """Names of the device programs."""
        return [p["name"] for p in self.code.manifest["programs"]]

    def write(self, directory: str | os.PathLike[str]) -> Path:
        """Write the SpyreCode directory."""
        return self.code.write(directory)


def public_kernels(module: ModuleOp) -> tuple[str, ...]:
    """Names of the public functions that no other function calls."""
    from headrace.interp.engine import called_names, functions_of

    called = called_names(module)
    return tuple(
        name
        for name, f in functions_of(module).items()
        if name not in called and not (f.sym_visibility is not None and f.sym_visibility.data == "private")
    )


def select_kernel(module: ModuleOp, kernel: str | None) -> str:
    """The kernel to compile; erases the other public functions. Raises KernelChoiceError where the choice is open."""
    from headrace.interp.engine import functions_of

    found = public_kernels(module)
    if kernel is None:
        if len(found) > 1:
            raise KernelChoiceError(f"the file has several kernels: {', '.join(found)}; name one with --kernel", found)
        if not found:
            raise error(module, "the file has no public function to compile")
        return found[0]
    if kernel not in found:
        raise KernelChoiceError(
            f"no kernel named '{kernel}'; the file has {', '.join(found) or 'none'}{did_you_mean(kernel, found)}", found
        )
    functions = functions_of(module)
    for name in found:
        if name != kernel:
            functions[name].detach()
            functions[name].erase()
    return kernel


def copy_module(module: ModuleOp) -> ModuleOp:
    """A copy of a module with its source locations."""
    return module.clone()


def read_source(source: str | os.PathLike[str]) -> tuple[str, str]:
    """(text, file name) of a KTIR source: a path, or a text of more than one line. Raises HeadraceError."""
    if isinstance(source, str) and ("\n" in source or "{" in source):
        return source, "<string>"
    path = os.fspath(source)
    try:
        return Path(path).read_text(encoding="utf-8"), path
    except (OSError, UnicodeDecodeError) as problem:
        reason = getattr(problem, "strerror", None) or "not UTF-8 text"
        raise error(None, f"cannot read '{path}': {reason}") from None


def open_architecture(device: str | os.PathLike[str] | Architecture) -> Architecture:
    """A device model by name, by path of a device file, or as is."""
    if not isinstance(device, str | os.PathLike):
        return device
    from headrace.arch import load_device

    return load_device(os.fspath(device))


@contextmanager
def _collection_paused() -> Iterator[None]:
    """No search for reference cycles inside: the operations of a module all are one, and live until it is compiled."""
    running = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if running:
            gc.enable()


def compile(
    source: str | os.PathLike[str],
    device: str | os.PathLike[str] | Architecture = "spyre",
    kernel: str | None = None,
    options: CompileOptions | None = None,
) -> Program:
    """Compile KTIR (a path, or the text itself) for a device.

    `kernel` chooses among several public functions. Raises HeadraceError with located diagnostics for what cannot be
    compiled, KernelChoiceError where several kernels are possible.
    """
    from headrace.codegen import compile_to_spyrecode
    from headrace.interp.arguments import check_numbers
    from headrace.interp.buffers import find_buffers
    from headrace.interp.engine import argument_names, find_kernel, grid_of
    from headrace.ir.text import parse_module
    from headrace.scheduler.estimate import Estimate
    from headrace.scheduler.plan import PLAN, SCHEDULE_END, run_plan
    from headrace.scheduler.rows import row_arguments
    from headrace.scheduler.split.launch_strides import fix_strides

    options = options or CompileOptions()
    clock = _Clock()
    text, filename = read_source(source)
    architecture = open_architecture(device)
    clock.start()
    module = parse_module(text, filename, options.strict)
    name = select_kernel(module, kernel)
    function = find_kernel(module, name)
    names, grid = argument_names(function), grid_of(function)
    ktir = copy_module(module)
    check_numbers(function, options.arguments)
    fixed = fix_strides(function, names, options.arguments)
    clock.stop("parse")
    try:
        buffers = find_buffers(ktir, name, options.arguments)
    except HeadraceError:
        if options.arguments:
            raise
        buffers = None
    estimate = Estimate(architecture)
    snapshots: dict[str, ModuleOp] = {}
    passes: list[str] = []

    def after(done: str, current: ModuleOp) -> None:
        passes.append(done)
        estimate.after(done, current)
        if done == SCHEDULE_END:
            snapshots["schedule"] = copy_module(current)
        if options.after is not None:
            clock.pause(lambda: options.after(done, current))  # type: ignore[misc]

    with _collection_paused():
        clock.start()
        run_plan(module, architecture, PLAN, after, options.disabled)
        clock.stop("schedule")
        clock.start()
        bound = estimate.bound()
        code = compile_to_spyrecode(
            module,
            architecture,
            bound=bound,
            buffers=buffers.buffers if buffers is not None else (),
            source=text,
            argument_names=names,
        )
    for entry in code.arguments:
        if entry["name"] in fixed:
            entry["value"] = fixed[entry["name"]]
    code.manifest["row_arguments"] = row_arguments(ktir, name, list(names))
    clock.stop("codegen")
    return Program(
        name, grid, architecture, ktir, snapshots.get("schedule", module), module, code, buffers, bound,
        text, filename, tuple(passes), clock.seconds,
    )  # fmt: skip


def compile_cached(
    source: str | os.PathLike[str],
    device: str | os.PathLike[str] | Architecture = "spyre",
    kernel: str | None = None,
    options: CompileOptions | None = None,
    cache: ArtefactCache | None = None,
    describe: Callable[[Program], Mapping[str, Any]] | None = None,
) -> tuple[Entry, Program | None]:
    """Like :func:`compile`, through the artefact cache: `(entry, None)` if the artefact was there already.

    `entry.code` is what a device takes; `entry.extra` holds the warnings of the compilation under `warnings` and what
    `describe` (which must be the same function for the same cache) returned. `cache` None: the one of the environment.
    """
    from headrace.ir.diagnostics import collecting
    from headrace.runtime.cache import ArtefactCache, key_of
    from headrace.runtime.devices import open_record

    options = options or CompileOptions()
    text, filename = read_source(source)
    cache = cache or ArtefactCache.default()
    made: list[Program] = []

    def build() -> tuple[SpyreCode, Mapping[str, Any], bool]:
        with collecting() as engine:
            program = compile(source, device, kernel, options)
        made.append(program)
        extra = {"warnings": [str(w) for w in engine.warnings], **(describe(program) if describe else {})}
        return program.code, extra, program.buffers is not None and options.after is None

    key = key_of(
        source=text,
        filename=filename,
        device=open_record(device, cache).digest,
        kernel=kernel,
        disabled=sorted(options.disabled),
        arguments=sorted(options.arguments.items()),
        strict=options.strict,
    )
    entry = cache.get_or_build(key, build)
    return entry, made[0] if made else None


class _Clock:
    """Times phases; a pause is not counted."""

    def __init__(self) -> None:
        self.seconds: dict[str, float] = {}
        self._began = 0.0

    def start(self) -> None:
        self._began = time.perf_counter()

    def stop(self, phase: str) -> None:
        self.seconds[phase] = time.perf_counter() - self._began

    def pause(self, action: Callable[[], None]) -> None:
        began = time.perf_counter()
        action()
        self._began += time.perf_counter() - began
