"""Compilation to machine code, kept in memory and on disk by content.

The key of an entry is the code section's bytes, the engine's own sources, the host processor and llvmlite's version.
Directory: ``HEADRACE_CACHE_DIR``, else ``XDG_CACHE_HOME/headrace``, else ``~/.cache/headrace``. An entry that cannot be
read or whose checksum is wrong is built again. ``HEADRACE_CACHE_DIR=`` (empty) keeps nothing on disk.
"""

from __future__ import annotations

import contextlib
import hashlib
import itertools
import os
import tempfile
from collections.abc import Callable
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

import llvmlite
import llvmlite.binding as binding
from llvmlite import ir

from headrace.numerics.semantics import host_target_machine


@dataclass
class Counters:
    """What the cache did since the process began (or :meth:`reset`)."""

    compilations: int = 0
    cache_hits: int = 0
    disk_hits: int = 0

    def reset(self) -> None:
        """Set all to zero."""
        self.compilations = self.cache_hits = self.disk_hits = 0


counters = Counters()
_serial = itertools.count()
_loaded: dict[str, tuple[Any, dict[str, int]]] = {}


def directory() -> Path | None:
    """Where entries are kept; None for nowhere."""
    own = os.environ.get("HEADRACE_CACHE_DIR")
    if own is not None:
        return Path(own) if own else None
    base = os.environ.get("XDG_CACHE_HOME")
    return (Path(base) if base else Path.home() / ".cache") / "headrace"


def _source_digest() -> bytes:
    """Digest of the sources that native code depends on."""
    h = hashlib.sha256()
    home = Path(__file__).parent.parent.parent
    for root in (home / "codegen", home / "machine", home / "numerics"):
        for path in sorted(root.rglob("*.py")):
            h.update(path.relative_to(root).as_posix().encode())
            h.update(path.read_bytes())
    return h.digest()


_SOURCES = _source_digest()
"""Taken when the sources are imported: a process that outlives a change of the files must not name its code by them."""


@cache
def _engine_digest() -> str:
    """Digest of everything besides a section's bytes that native code depends on."""
    from headrace.machine.native import layout

    h = hashlib.sha256(_SOURCES)
    h.update(repr({n: w.offset for n, w in sorted(vars(layout).items()) if isinstance(w, layout.Words)}).encode())
    h.update(f"{llvmlite.__version__} {binding.llvm_version_info} {binding.get_host_cpu_name()}".encode())
    h.update(binding.get_host_cpu_features().flatten().encode())
    return h.hexdigest()


def functions(kind: str, content: bytes, build: Callable[[], ir.Module], names: tuple[str, ...]) -> dict[str, int]:
    """Addresses of the functions ``names`` of the module that ``build`` makes from ``content``."""
    key = hashlib.sha256(f"{_engine_digest()} {kind} ".encode() + content).hexdigest()
    if key in _loaded:
        counters.cache_hits += 1
        return _loaded[key][1]
    root = directory()
    path = root / "native" / f"{key}.o" if root else None
    objcode = _read(path)
    if objcode is not None:
        counters.cache_hits += 1
        counters.disk_hits += 1
    else:
        counters.compilations += 1
        objcode = compile_module(build())
        _write(path, objcode)
    engine, addresses = _load(objcode, names)
    _loaded[key] = (engine, addresses)
    return addresses


def _read(path: Path | None) -> bytes | None:
    if path is None:
        return None
    try:
        raw = path.read_bytes()
    except OSError:
        return None
    if len(raw) < 32 or hashlib.sha256(raw[32:]).digest() != raw[:32]:
        return None
    return raw[32:]


def _write(path: Path | None, objcode: bytes) -> None:
    if path is None:
        return
    with contextlib.suppress(OSError):  # a cache that cannot be written is no error
        path.parent.mkdir(parents=True, exist_ok=True)
        handle, name = tempfile.mkstemp(dir=path.parent)
        with os.fdopen(handle, "wb") as f:
            f.write(hashlib.sha256(objcode).digest() + objcode)
        os.replace(name, path)


@cache
def _machine() -> Any:
    return host_target_machine(2)


def compile_module(module: ir.Module) -> bytes:
    """Object code of a module for this processor.

    A short list of passes: unit code is mostly loads and stores of records, and a full pipeline takes several times as
    long for the same speed.
    """
    machine = _machine()
    module.triple = machine.triple
    module.data_layout = str(machine.target_data)
    parsed = binding.parse_assembly(str(module))
    parsed.verify()
    passes = binding.create_new_module_pass_manager()
    passes.add_sroa_pass()
    passes.add_instruction_combine_pass()
    passes.add_new_gvn_pass()
    passes.add_simplify_cfg_pass()
    passes.run(parsed, binding.create_pass_builder(machine, binding.create_pipeline_tuning_options(speed_level=2)))
    return machine.emit_object(parsed)


def _load(objcode: bytes, names: tuple[str, ...]) -> tuple[Any, dict[str, int]]:
    """Load object code; the first result keeps it alive."""
    _machine()
    library = binding.JITLibraryBuilder().add_object_img(objcode).add_current_process()
    for name in names:
        library.export_symbol(name)
    tracker = library.link(_jit(), f"library{next(_serial)}")
    return tracker, {name: tracker[name] for name in names}


@cache
def _jit() -> Any:
    return binding.create_lljit_compiler(host_target_machine(2))
