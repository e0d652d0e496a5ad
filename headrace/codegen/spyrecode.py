"""A SpyreCode directory: both job plans, the device image, the manifest, the debug table. Writing and validated
reading.

A new directory appears as a whole (written under another name, then renamed). Into an existing one ``spyrecode.json``
is written last, so it is complete exactly when that file exists. The manifest holds a digest of everything, so files of
different writers or with flipped bits never pass for a kernel. Reading runs nothing, opens nothing outside the
directory, and reads no more than the limits below.
"""

from __future__ import annotations

import contextlib
import hashlib
import json
import os
import re
import shutil
from collections.abc import Callable
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from typing import Any

from headrace.codegen import hcm, plan
from headrace.codegen.image import Image, ImageError
from headrace.codegen.symbols import SymbolError
from headrace.ir.diagnostics import Diagnostic, HeadraceError
from headrace.numerics import dtypes

PLAN_NAME = "spyrecode.json"
MANIFEST_NAME = "manifest.json"
DEBUG_NAME = "debug.json"
NESTED_NAME = "spyreCodeDir"
FORMAT = "headrace-spyrecode"
VERSION = 1
MAX_JSON_BYTES = 256 << 20
MAX_PROGRAM_BYTES = 1 << 30
"""Most bytes of a JSON file, and of program memory a kernel may ask for (static and per launch, each)."""


@dataclass
class SpyreCode:
    """A compiled kernel.

    ``preparation`` and ``execution`` are the job plans; ``files`` the bytes that InitTransfer commands name;
    ``manifest`` and ``debug`` the JSON objects of ``docs/spyrecode.md``. ``debug`` may be None: only messages get
    poorer.
    """

    preparation: list[plan.Command]
    execution: list[plan.Command]
    files: dict[str, bytes]
    manifest: dict[str, Any]
    debug: dict[str, Any] | None = field(default=None)

    @property
    def name(self) -> str:
        """Kernel name."""
        return str(self.manifest["kernel"])

    @property
    def arguments(self) -> list[dict[str, Any]]:
        """Kernel arguments: name, index, kind (``address``, ``scalar``, ``runtime_arg``), and what is known of them."""
        return list(self.manifest["arguments"])

    @property
    def allocation(self) -> plan.Allocate:
        """The program memory it needs."""
        first = self.preparation[0]
        assert isinstance(first, plan.Allocate)
        return first

    @property
    def transfers(self) -> list[plan.InitTransfer]:
        """The initial transfers."""
        return [c for c in self.preparation if isinstance(c, plan.InitTransfer)]

    @cached_property
    def image(self) -> Image:
        """The decoded device image."""
        return Image.decode(self.files[self.transfers[0].init_bin_file])

    def host_compute(self, command: plan.ComputeOnHost) -> hcm.HostCompute:
        """Decoded metadata of a host compute command."""
        return hcm.decode(command.hcm, command.size, len(self.arguments))

    def location(self, program: int | None, section: int, word: int) -> str | None:
        """``file:line:col`` of the KTIR operation behind an instruction word; ``program`` None is the sequencer."""
        if self.debug is None:
            return None
        try:
            lines = (
                self.debug["sequencer"]
                if program is None
                else self.debug["programs"][program]["sections"][section]["lines"]
            )
            number = -1
            for start, location in lines:
                if start > word:
                    break
                number = location
            return self.debug["locations"][number] if number >= 0 else None
        except (KeyError, IndexError, TypeError):
            return None

    def write(self, directory: str | os.PathLike[str]) -> Path:
        """Write the directory (made if needed; other files in it stay). Returns its path.

        Raises :class:`HeadraceError` if it cannot be written; a half-written directory is never taken for a whole one.
        """
        root = Path(directory)
        try:
            root.parent.mkdir(parents=True, exist_ok=True)
            if not root.exists() and self._write_new(root):
                return root
            root.mkdir(exist_ok=True)
            (root / PLAN_NAME).unlink(missing_ok=True)
            contents = self.contents()
            if DEBUG_NAME not in contents:
                (root / DEBUG_NAME).unlink(missing_ok=True)
            for name, raw in contents.items():
                _replace(root / name, raw)
            sync_directory(root)
        except OSError as e:
            raise _fail(root, [f"cannot write: {e.strerror}: '{e.filename or root}'"]) from None
        return root

    def _write_new(self, root: Path) -> bool:
        """Write under another name and rename; False if somebody else made the directory meanwhile."""
        temporary = root.with_name(f".{root.name}.{os.getpid()}.tmp")
        shutil.rmtree(temporary, ignore_errors=True)
        try:
            temporary.mkdir()
            for name, raw in self.contents().items():
                write_synced(temporary / name, raw)
            sync_directory(temporary)
            try:
                os.rename(temporary, root)
            except OSError:
                if root.exists():
                    return False
                raise
            sync_directory(root.parent)
            return True
        finally:
            shutil.rmtree(temporary, ignore_errors=True)

    def contents(self) -> dict[str, bytes]:
        """Bytes by file name, ``spyrecode.json`` last."""
        out = dict(self.files)
        out[MANIFEST_NAME] = _json({**self.manifest, "digests": self.digests()})
        if self.debug is not None:
            out[DEBUG_NAME] = _json(self.debug)
        out[PLAN_NAME] = _json(self._plans())
        return out

    def _plans(self) -> dict[str, Any]:
        return {
            "JobPreparationPlan": [plan.to_json(c) for c in self.preparation],
            "JobExecPlan": [plan.to_json(c) for c in self.execution],
        }

    def digests(self) -> dict[str, Any]:
        """SHA-256 of the plans, the manifest and the debug table (as canonical JSON) and of each file's bytes."""
        return {
            "plan": _digest(self._plans()),
            "manifest": _digest(self.manifest),
            "debug": None if self.debug is None else _digest(self.debug),
            "files": {name: hashlib.sha256(raw).hexdigest() for name, raw in sorted(self.files.items())},
        }

    @staticmethod
    def read(directory: str | os.PathLike[str]) -> SpyreCode:
        """Read and validate a directory. Raises :class:`HeadraceError` with one diagnostic per fault."""
        root = Path(directory)
        if not root.is_dir():
            raise _fail(root, ["no such directory" if not root.exists() else "not a directory"])
        if not (root / PLAN_NAME).exists() and (root / NESTED_NAME / PLAN_NAME).exists():
            root = root / NESTED_NAME
        return _Reader(root).read()


class _Reader:
    """Validates while it reads; collects all faults of a stage before giving up."""

    def __init__(self, root: Path):
        self.root = root
        self.errors: list[str] = []

    def check(self) -> None:
        if self.errors:
            raise _fail(self.root, self.errors)

    def attempt(self, action: Callable[[], Any]) -> Any:
        try:
            return action()
        except plan.PlanError as e:
            self.errors.append(str(e))
        except SymbolError as e:
            self.errors.append(f"host compute metadata: {e}")
        except ImageError as e:
            self.errors.append(str(e))
        return None

    def json(self, name: str, *, required: bool = True) -> Any:
        path = self.root / name
        if not path.exists():
            if required:
                self.errors.append(f"'{name}' is missing: no SpyreCode directory")
            return None
        if not self.inside(path):
            self.errors.append(f"'{name}' is no file of the directory")
            return None
        try:
            size = path.stat().st_size
            if size > MAX_JSON_BYTES:
                self.errors.append(f"'{name}' has {size} bytes; the limit is {MAX_JSON_BYTES}")
                return None
            return _parse(path.read_bytes())
        except (OSError, ValueError, RecursionError) as e:
            self.errors.append(f"'{name}' cannot be read as JSON: {e}")
        return None

    def inside(self, path: Path) -> bool:
        """Whether a path is a plain file in the directory itself, no link to elsewhere."""
        return path.is_file() and path.resolve().parent == self.root.resolve()

    def read(self) -> SpyreCode:
        preparation, execution = self.plans()
        self.check()
        self.preparation_rules(preparation)
        self.errors += plan.check_order(execution)
        self.check()
        self.limits(preparation)
        self.check()
        files: dict[str, bytes] = {}
        for c in preparation[1:]:
            files[c.init_bin_file] = max(files.get(c.init_bin_file, b""), self.file(c.init_bin_file, c.size), key=len)
        self.check()
        self.sizes(preparation, execution, files)
        self.check()
        manifest = self.manifest()
        self.check()
        digests = manifest.pop("digests", None)
        debug = self.json(DEBUG_NAME, required=False)
        if debug is not None and not isinstance(debug, dict):
            self.errors.append(f"'{DEBUG_NAME}' is no object; it may be deleted")
        self.check()
        code = SpyreCode(preparation, execution, files, manifest, debug)
        for c in execution:
            if isinstance(c, plan.ComputeOnHost):
                self.attempt(lambda c=c: code.host_compute(c))
        image = self.attempt(lambda: code.image)
        if image is not None:
            self.image_rules(code, image)
        self.check()
        if digests is not None:
            self.compare(code, digests)
        self.check()
        return code

    def compare(self, code: SpyreCode, digests: Any) -> None:
        """The digests of the manifest. Directories written before there were any have none."""
        mine = code.digests()
        if not isinstance(digests, dict):
            self.errors.append(f"'{MANIFEST_NAME}': 'digests' is no object")
            return
        for key, name in (("plan", PLAN_NAME), ("manifest", MANIFEST_NAME), ("debug", DEBUG_NAME)):
            if digests.get(key) != mine[key] and not (key == "debug" and code.debug is None):
                self.errors.append(f"'{name}' is damaged or of another kernel: its digest differs from the manifest's")
        given = digests.get("files")
        for name, digest in mine["files"].items():
            if not isinstance(given, dict) or given.get(name) != digest:
                self.errors.append(f"'{name}' is damaged or of another kernel: its digest differs from the manifest's")

    def plans(self) -> tuple[list[Any], list[Any]]:
        data = self.json(PLAN_NAME)
        if data is None:
            return [], []
        out: list[list[Any]] = []
        for key in ("JobPreparationPlan", "JobExecPlan"):
            entries = data.get(key) if isinstance(data, dict) else None
            if not isinstance(entries, list):
                self.errors.append(f"'{PLAN_NAME}': '{key}' is absent or no array")
                entries = []
            commands = []
            for n, entry in enumerate(entries):
                commands.append(self.attempt(lambda e=entry, k=key, n=n: plan.from_json(e, f"{k}[{n}]", self.metadata)))
            out.append(commands)
        return out[0], out[1]

    def metadata(self, name: str) -> Any:
        raw = self.file(name, MAX_JSON_BYTES)
        try:
            return _parse(raw)
        except (ValueError, RecursionError):
            raise plan.PlanError(f"'{name}' cannot be read as JSON") from None

    def file(self, name: str, limit: int) -> bytes:
        """The first ``limit`` bytes of a file that the plan names; only plain names inside the directory."""
        if not re.fullmatch(r"[A-Za-z0-9_][A-Za-z0-9_.\-]*", name):
            self.errors.append(f"file name '{name}' is not a plain name inside the directory")
            return b""
        path = self.root / name
        if not self.inside(path):
            self.errors.append(f"file '{name}', named by the plan, is missing")
            return b""
        try:
            with path.open("rb") as f:
                return f.read(limit)
        except OSError as e:
            self.errors.append(f"file '{name}' cannot be read: {e.strerror}")
            return b""

    def limits(self, preparation: list[Any]) -> None:
        """Sizes that a launch will allocate."""
        first = preparation[0]
        for key in ("static_size", "dynamic_size"):
            if getattr(first, key) > MAX_PROGRAM_BYTES:
                self.errors.append(
                    f"Allocate: '{key}' is {getattr(first, key)} bytes; a kernel may have {MAX_PROGRAM_BYTES}"
                )
        for n, c in enumerate(preparation[1:], 1):
            if c.size > first.static_size:
                self.errors.append(f"JobPreparationPlan[{n}]: the transfer ends beyond the allocation")

    def preparation_rules(self, preparation: list[Any]) -> None:
        if len(preparation) < 2:
            self.errors.append("JobPreparationPlan: needs an Allocate and at least one InitTransfer")
            return
        if not isinstance(preparation[0], plan.Allocate):
            self.errors.append("JobPreparationPlan[0]: must be Allocate")
        for n, c in enumerate(preparation[1:], 1):
            if not isinstance(c, plan.InitTransfer):
                self.errors.append(f"JobPreparationPlan[{n}]: must be InitTransfer")

    def sizes(self, preparation: list[Any], execution: list[Any], files: dict[str, bytes]) -> None:
        end = plan.PROGRAM_BASE + preparation[0].static_size
        if end > plan.PROGRAM_END:
            self.errors.append(f"Allocate: {preparation[0].static_size} bytes are more than the program segment holds")
        for n, c in enumerate(preparation[1:], 1):
            if c.dev_ptr % plan.ALIGN:
                self.errors.append(f"JobPreparationPlan[{n}]: 'dev_ptr' is no multiple of {plan.ALIGN}")
            if len(files[c.init_bin_file]) < c.size:
                have = len(files[c.init_bin_file])
                self.errors.append(
                    f"JobPreparationPlan[{n}]: '{c.init_bin_file}' has {have} bytes, {c.size} are to be moved"
                )
            if c.dev_ptr + c.size > end:
                self.errors.append(f"JobPreparationPlan[{n}]: the transfer ends beyond the allocation")
        for n, c in enumerate(execution):
            if isinstance(c, plan.DataTransfer) and not c.to_host and c.dev_ptr + c.size > end:
                self.errors.append(f"JobExecPlan[{n}]: the transfer ends beyond the allocation")
            if isinstance(c, plan.DataTransfer) and c.dev_ptr % plan.ALIGN:
                self.errors.append(f"JobExecPlan[{n}]: 'dev_ptr' is no multiple of {plan.ALIGN}")
            if isinstance(c, plan.ComputeOnDevice) and c.job_bin_ptr >= end:
                self.errors.append(f"JobExecPlan[{n}]: 'job_bin_ptr' lies beyond the allocation")

    def manifest(self) -> dict[str, Any]:
        data = self.json(MANIFEST_NAME)
        if data is None:
            return {}
        if not isinstance(data, dict) or data.get("format") != FORMAT:
            self.errors.append(f"'{MANIFEST_NAME}': not written by this compiler ('format' is not '{FORMAT}')")
            return {}
        if data.get("version") != VERSION:
            self.errors.append(
                f"'{MANIFEST_NAME}': version {data.get('version')!r}, this reader knows version {VERSION}"
            )
        device = data.get("device")
        if not isinstance(data.get("kernel"), str):
            self.errors.append(f"'{MANIFEST_NAME}': 'kernel' is missing")
        if not isinstance(device, dict) or not all(isinstance(device.get(k), str) for k in ("name", "digest")):
            self.errors.append(f"'{MANIFEST_NAME}': 'device' needs 'name' and 'digest'")
        arguments = data.get("arguments")
        if not isinstance(arguments, list) or not all(_is_argument(a, k) for k, a in enumerate(arguments)):
            self.errors.append(f"'{MANIFEST_NAME}': 'arguments' is missing or malformed")
        buffers = data.get("buffers")
        if not isinstance(buffers, list):
            self.errors.append(f"'{MANIFEST_NAME}': 'buffers' is missing")
        elif not all(_is_buffer(b) for b in buffers):
            self.errors.append(f"'{MANIFEST_NAME}': an entry of 'buffers' is malformed")
        for key, check in _OPTIONAL.items():
            if key in data and not check(data[key]):
                self.errors.append(f"'{MANIFEST_NAME}': '{key}' is malformed")
        return data

    def image_rules(self, code: SpyreCode, image: Image) -> None:
        """The image agrees with the plan and the manifest."""
        if image.device_digest.hex() != code.manifest["device"]["digest"][:32]:
            self.errors.append("the image was compiled for another device than the manifest says")
        entry = code.transfers[0].dev_ptr
        starts = [c.job_bin_ptr for c in code.execution if isinstance(c, plan.ComputeOnDevice)]
        if any(s != entry for s in starts):
            self.errors.append("'job_bin_ptr' is not the start of the image")
        moved = [c.size for c in code.execution if isinstance(c, plan.ComputeOnHost)]
        if (image.correction and entry - plan.PROGRAM_BASE != image.correction_bytes) or sum(
            moved
        ) != image.correction_bytes:
            self.errors.append("the correction region of the image and of the plan differ")


def _is_argument(entry: Any, index: int) -> bool:
    return (
        isinstance(entry, dict)
        and isinstance(entry.get("name"), str)
        and entry.get("index") == index
        and entry.get("kind") in ("address", "scalar", "runtime_arg")
        and all(entry.get(k) is None or (_is_int(entry[k]) and entry[k] > 0) for k in ("granularity", "upperbound"))
        and (entry.get("value") is None or _is_int(entry["value"]))
        and (entry.get("dtype") is None or entry["dtype"] in dtypes.ALL)
    )


def _is_int(value: Any) -> bool:
    return isinstance(value, int) and not isinstance(value, bool)


def _is_buffer(entry: Any) -> bool:
    if not isinstance(entry, dict) or not isinstance(entry.get("name"), str):
        return False
    shape, strides = entry.get("shape", []), entry.get("strides", [])
    lists = isinstance(shape, list) and isinstance(strides, list) and len(shape) == len(strides)
    numbers = ("bytes", "before", "address", "index_limit", "index_low")
    return (
        lists
        and all(_is_int(n) and 0 <= n < 1 << 40 for n in shape)
        and all(_is_int(n) and abs(n) < 1 << 40 for n in strides)
        and all(entry.get(k) is None or (_is_int(entry[k]) and 0 <= entry[k] < 1 << 37) for k in numbers)
        and (entry.get("dtype") is None or entry["dtype"] in dtypes.ALL)
        and (entry.get("argument") is None or isinstance(entry["argument"], str))
    )


_OPTIONAL: dict[str, Callable[[Any], bool]] = {
    "grid": lambda v: isinstance(v, list) and all(_is_int(n) and 0 < n < 1 << 20 for n in v),
    "symbols": lambda v: isinstance(v, list) and all(isinstance(s, dict) for s in v),
    "programs": lambda v: isinstance(v, list) and all(isinstance(p, dict) and "name" in p for p in v),
    "row_arguments": lambda v: v is None or (isinstance(v, list) and all(isinstance(n, str) for n in v)),
    "source_digest": lambda v: v is None or isinstance(v, str),
}
"""Keys of the manifest that a reader can do without."""


def _parse(raw: bytes) -> Any:
    """JSON without what JSON does not have: repeated keys, NaN. ValueError, RecursionError."""

    def unique(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
        made = dict(pairs)
        if len(made) != len(pairs):
            raise ValueError("a key appears twice in one object")
        return made

    def no_number(text: str) -> Any:
        raise ValueError(f"'{text}' is no JSON number")

    return json.loads(raw.decode("utf-8"), object_pairs_hook=unique, parse_constant=no_number)


def _digest(value: Any) -> str:
    """SHA-256 of canonical JSON: sorted keys, no white space."""
    text = json.dumps(value, sort_keys=True, separators=(",", ":"), ensure_ascii=True)
    return hashlib.sha256(text.encode()).hexdigest()


def _json(value: Any) -> bytes:
    return (json.dumps(value, indent=1, ensure_ascii=False) + "\n").encode()


def _replace(path: Path, raw: bytes) -> None:
    temporary = path.with_name(f".{path.name}.{os.getpid()}.tmp")
    try:
        write_synced(temporary, raw)
        os.replace(temporary, path)
    finally:
        temporary.unlink(missing_ok=True)


def write_synced(path: Path, raw: bytes) -> None:
    """Write a file and wait until it is on the disk."""
    with path.open("wb") as f:
        f.write(raw)
        f.flush()
        os.fsync(f.fileno())


def sync_directory(directory: Path) -> None:
    """Wait until a directory's entries are on the disk, where the system can."""
    with contextlib.suppress(OSError):
        handle = os.open(directory, os.O_RDONLY)
        try:
            os.fsync(handle)
        finally:
            os.close(handle)


def _fail(root: Path, messages: list[str]) -> HeadraceError:
    return HeadraceError([Diagnostic("error", f"{root}: {message}") for message in messages])
